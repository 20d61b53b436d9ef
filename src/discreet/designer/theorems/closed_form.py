"""Which theorem answers a problem in closed form, with its guards; every answer comes with
multipliers.

    GM             mean L0, uniform prior, a shape GM has: RH RM S always; WH from n >= 2a/(1-a); CH
                   CM for a <= 1/2; output DP up to a(1-a); at n = 1 all seven and output DP up to a
                   (Theorem 3, Lemmas 2 and 3)
    WM             mean L0, uniform prior, WH asked or implied, 2 <= n < 2a/(1-a), a shape WM has
                   (ours)
    column-honest  mean L0, uniform prior, CH or CM asked, n >= 3, 1/2 < a <= 2/3, no F and no
                   output DP: GM whose ends are moved inward (ours)
    EM             L0 with F, any prior, mean or worst case; worst-case L0 with a uniform prior, any
                   shape; output DP up to a (Theorem 4)
    relabelled GM  any mean cost whose loss does not fall away from the diagonal, any prior, a shape
                   that it has (Ghosh, Roughgarden and Sundararajan)

Relabelled GM answers each output i of GM, seen as evidence about the truth, as is best: answer r
costs `sum_j w_j loss[r][j] a^|i-j|` (up to GM's own scale for i). Of equally good answers the
nearest to i is taken; two equally near are taken by turns, which keeps symmetric problems
symmetric.

An optimum of a problem with fewer properties that has all those asked is an optimum of the problem
asked.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil, inf
from operator import le
from typing import TYPE_CHECKING

import numpy as np

from discreet.core.certificate import Certificate, costs_of
from discreet.core.family import THEOREMS
from discreet.core.forms import ColumnHonest, Fair, Geometric, Relabelled, Uniform, WeaklyHonest
from discreet.core.forms.column_honest import column_honest_exists
from discreet.core.mechanism import Mechanism, Origin
from discreet.core.properties import closure
from discreet.designer.lp.program import satisfies
from discreet.designer.theorems.multipliers import (
    column_honest_multipliers,
    fair_multipliers,
    geometric_multipliers,
    relabelled_multipliers,
    weakly_honest_multipliers,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from discreet.core.certificate import Problem
    from discreet.core.forms import Form
    from discreet.core.properties import Shape
    from discreet.core.rationals import Alpha

WRITTEN_OUT = 256
"""Up to this n a certificate's multipliers are written out; beyond it the theorem is named."""


CLEAR = 1e-9
"""All terms are positive and there are at most 513 of them, so a float sum is off by less than a
part in 10^12: an answer that costs this part more than the least is not the best. The rest is
decided in integers."""


def closed_form(problem: Problem, privacy: Alpha) -> Mechanism | None:
    """Return the optimum that a theorem gives for a problem, or None.

    >>> from discreet.core.certificate import read_problem
    >>> from discreet.core.rationals import read_alpha
    >>> found = closed_form(
    ...     read_problem(n=4, alpha="9/10", properties="F"), read_alpha(alpha="9/10")
    ... )
    >>> found.origin.theorem, found[0, 0]
    ('Theorem 4: EM is the best fair mechanism', Fraction(50, 221))
    """
    n = problem.n
    if problem.over is not None:
        return None  # the theorems are about counts that one person moves by one
    if n == 0:
        return _answer(problem, privacy, Uniform(0), "n = 0: there is one answer", _nobody(problem))
    if problem.loss.tail == 0:
        named = _for_zero_one_loss(problem)
        if named is not None:
            form, theorem, multipliers = named
            return _answer(
                problem, privacy, form, theorem, multipliers if n <= WRITTEN_OUT else None
            )
        if problem.prior.uniform and problem.alpha < 1:
            # GM is the only optimum without properties, and it lacks those asked for.
            return None
    if problem.worst_case or n > WRITTEN_OUT or not _grows_away(problem):
        return None
    relabelled = relabelled_geometric(problem)
    if relabelled is None:
        return None
    theorem = "Ghosh et al.: GM with each output relabelled as is best on average"
    return _answer(problem, privacy, relabelled, theorem, relabelled_multipliers)


def nearly_optimal(problem: Problem, privacy: Alpha) -> tuple[Mechanism, Fraction] | None:
    """EM as an answer near the optimum, and how near: mean L0, uniform prior, a shape with output
    DP up to a.

    GM is a lower bound for every mechanism there, and EM costs less than 1 + 1/n times as much.
    """
    n, a = problem.n, problem.alpha
    covered = (
        problem.over is None
        and problem.loss.tail == 0
        and problem.prior.uniform
        and not problem.worst_case
        and n > 0
    )
    if not covered or not _fair_has(problem.shape, n, a) or a == 1:
        return None
    certificate, within = None, Fraction(1, n)
    if n <= WRITTEN_OUT:
        bound = geometric_multipliers(problem)
        cost = (1 - Fair(n, a).entry(0, 0)) * Fraction(n + 1, n)
        certificate = Certificate(
            cost=cost, bound=bound.bound, denominator=bound.denominator, rows=bound.rows
        )
        within = certificate.gap or within
    method = f"explicit fair mechanism, EM: within {percent(within)} of optimal, proven"
    return _answer(problem, privacy, Fair(n, a), "", certificate, method=method), within


def percent(part: Fraction) -> str:
    """Say a small part in percent, rounded up, because it is a promise.

    >>> percent(Fraction(1, 300)), percent(Fraction(1, 70000))
    ('0.34%', '0.0015%')
    """
    digits = 2 if part > Fraction(1, 2000) else 4
    return f"{ceil(part * 10 ** (digits + 2)) / 10**digits:.{digits}f}%"


def _for_zero_one_loss(
    problem: Problem,
) -> tuple[Form, str, Callable[[Problem], Certificate]] | None:
    """The form, theorem and multipliers that answer an L0 problem, or None."""
    n, a, shape = problem.n, problem.alpha, problem.shape
    mean_uniform = problem.prior.uniform and not problem.worst_case
    if mean_uniform and a < 1 and geometric_has(shape, n, a):
        return Geometric(n, a), THEOREMS["geometric"], geometric_multipliers
    fair = "F" in shape or (problem.worst_case and problem.prior.uniform)
    if fair and _fair_has(shape, n, a):
        return Fair(n, a), THEOREMS["fair"], fair_multipliers
    honest = "WH" in closure(shape).names
    if mean_uniform and honest and n >= 2 and n * (1 - a) < 2 * a and a < 1:
        form = WeaklyHonest(n, a)
        if shape.output_dp is None and all(form.known(name) for name in shape.names):
            return form, THEOREMS["weakly-honest"], weakly_honest_multipliers
    columns = bool({"CH", "CM"} & shape.names) and shape.output_dp is None
    if mean_uniform and columns and column_honest_exists(n, a):
        ends_moved = ColumnHonest(n, a)
        if all(ends_moved.known(name) for name in shape.names):
            return ends_moved, THEOREMS["column-honest"], column_honest_multipliers
    return None


def relabelled_geometric(problem: Problem) -> Relabelled | None:
    """GM with each output relabelled as is best, or None where that does not have the shape
    asked for.
    """
    labels, shape = best_labels(problem), problem.shape
    form = Relabelled(problem.n, problem.alpha, labels)
    if not shape.names and shape.output_dp is None:
        return form
    asked, outputs = closure(shape).names, _outputs(labels)
    if {"WH", "F"} & asked and len(outputs) <= problem.n:
        return None  # an answer that never comes is not honest, nor as likely as others
    if (
        "RH" in asked
        and problem.alpha < 1
        and not all(low <= r <= high for r, (low, high) in outputs.items())
    ):
        return None  # an answer's row rises toward its outputs, so beyond the answer itself
    return form if satisfies(problem, form.dense()) else None


def _outputs(labels: tuple[tuple[int, ...], ...]) -> dict[int, tuple[int, int]]:
    """The first and the last output of GM that each answer is given to."""
    outputs: dict[int, tuple[int, int]] = {}
    for i, chosen in enumerate(labels):
        for r in chosen:
            outputs[r] = outputs.get(r, (i, i))[0], i
    return outputs


def geometric_has(shape: Shape, n: int, a: Fraction) -> bool:
    """Whether GM has a shape (Lemmas 2 and 3, with n = 1 excepted), output DP included."""
    if shape.output_dp is not None and shape.output_dp > (a if n == 1 else a * (1 - a)):
        return False
    form = Geometric(n, a)
    return all(form.known(name) for name in shape.names)


def _fair_has(shape: Shape, n: int, a: Fraction) -> bool:
    """Whether EM has a shape (Theorem 4), output DP for ratios up to alpha included."""
    form = Fair(n, a)
    return all(form.known(name) for name in shape.names) and (shape.output_dp or 0) <= a


def _grows_away(problem: Problem) -> bool:
    """Whether the loss does not fall as the answer moves away from the truth, on either side."""
    n, loss = problem.n, costs_of(problem).loss
    if problem.loss.table is None:  # row 0 has the costs by distance
        return all(map(le, loss[0], loss[0][1:]))
    return all(
        loss[i][j] <= loss[i + 1][j] if i >= j else loss[i][j] >= loss[i + 1][j]
        for j in range(n + 1)
        for i in range(n)
    )


def _nobody(problem: Problem) -> Certificate:
    cost = problem.loss.cost(0, 0)
    rows = (("sum", 0, 0, 0, cost.numerator),) if cost else ()
    if problem.worst_case:
        rows = (*rows, ("input", 0, 0, 0, cost.denominator))
    return Certificate(cost=cost, bound=cost, denominator=cost.denominator, rows=rows)


def _answer(
    problem: Problem,
    privacy: Alpha,
    form: Form,
    theorem: str,
    proof: Certificate | Callable[[Problem], Certificate | None] | None,
    method: str = "",
) -> Mechanism:
    origin = Origin(
        method=method or f"closed form: {theorem}", problem=problem, proof=proof, theorem=theorem
    )
    return Mechanism(privacy=privacy, form=form, origin=origin)


@lru_cache(maxsize=32)
def best_labels(problem: Problem) -> tuple[tuple[int, ...], ...]:
    """The best answer for each output, or both where two are equally good and equally near."""
    expected, error = _expected_floats(problem)
    # not `<=`: where a number is too large for a float nothing is ruled out
    best = expected.argmin(axis=1)
    close = ~(expected > (expected[np.arange(len(best)), best] * (1 + CLEAR) + error)[:, None])
    labels: list[tuple[int, ...]] = [(r,) for r in best.tolist()]
    if np.count_nonzero(close) > len(labels):  # a tie, or nearly one
        for i in np.flatnonzero(close.sum(axis=1) > 1).tolist():
            labels[i] = _nearest_best(problem, i, np.flatnonzero(close[i]).tolist())
    return tuple(labels)


def _expected_floats(problem: Problem) -> tuple[NDArray[np.float64], float]:
    """What answer r costs on output i, [i, r], nearly; and how far off numbers near a float's
    least may be.
    """
    costs, counts = costs_of(problem), np.arange(problem.n + 1)
    if problem.loss.table is not None:
        cost = np.array([[_float(c, costs.loss_scale) for c in row] for row in costs.loss])
    else:  # row 0 has the costs by distance
        cost = np.array([_float(c, costs.loss_scale) for c in costs.loss[0]])[
            np.abs(counts[:, None] - counts)
        ]
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        if not problem.prior.uniform:
            cost *= np.array([_float(w, costs.weight_scale) for w in costs.weight])
        return _geometric_sums(cost, float(problem.alpha)), 1e-280 * float(cost.max())


def _float(value: int, scale: int) -> float:
    try:
        return value / scale
    except OverflowError:
        return inf


def _nearest_best(problem: Problem, i: int, answers: Iterable[int]) -> tuple[int, ...]:
    """Of the answers to output i that are cheapest, exactly, the nearest to i: one, or one on
    each side.
    """
    costs, (p, q) = costs_of(problem), problem.alpha.as_integer_ratio()
    seen = [w * p ** abs(i - j) * q ** (problem.n - abs(i - j)) for j, w in enumerate(costs.weight)]
    price = {r: sum(map(int.__mul__, seen, costs.loss[r])) for r in answers}
    least = min(price.values())
    near = min(abs(r - i) for r in price if price[r] == least)
    return tuple(r for r in price if price[r] == least and abs(r - i) == near)


def _geometric_sums(cost: NDArray[np.float64], alpha: float) -> NDArray[np.float64]:
    """What each answer costs on each output of GM, nearly: `[i, r]` is `sum_j cost[r, j] *
    alpha^|i-j|`.

    A product of matrices; where that would wake threads, which cost more than it, two passes from
    both sides.

    >>> _geometric_sums(np.array([[0.0, 1.0], [1.0, 0.0]]), 0.5).tolist()
    [[0.5, 1.0], [1.0, 0.5]]
    """
    if len(cost) <= 64:
        counts = np.arange(float(len(cost)))
        product: NDArray[np.float64] = alpha ** np.abs(counts[:, None] - counts) @ cost.T
        return product
    before, after = np.array(cost.T), np.zeros_like(cost.T)
    for j in range(1, len(before)):
        before[j] += alpha * before[j - 1]
        after[-1 - j] = alpha * (after[-j] + cost[:, -j])
    return before + after
