"""Which closed form answers a problem, with its guards: a theorem is used exactly when its conditions hold.

    GM     mean L0, uniform prior, and GM has what is asked (Theorem 3)
    WM     mean L0, uniform prior, WH with any of S, RH, RM, 2 <= n < 2a/(1-a) (ours; docs/paper)
    EM     L0 with F, any prior, mean or worst case (Theorem 4); worst-case L0, uniform prior, any shape EM has
    GM relabelled   mean of a loss that does not fall away from the diagonal, no property but S on a symmetric
           problem (Ghosh et al.): output k becomes the answer that is best on average given k, ties split evenly

Everything else is the linear program's. Each comes with its dual in closed form (`theorem_multipliers`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

from discreet.forms import Fair, Form, Geometric, Uniform, WeaklyHonest, reduced
from discreet.mechanism import Mechanism
from discreet.theorem_multipliers import (
    fair_multipliers,
    geometric_multipliers,
    relabelled_multipliers,
    weakly_honest_multipliers,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from discreet.certificate import Certificate, Problem
    from discreet.losses import Loss
    from discreet.privacy import Alpha

WRITTEN_MULTIPLIERS = 400
"""Up to this n the proof is written out as multipliers; beyond it the theorem is named and its conditions checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A closed form that is optimal for a problem, the theorem that says so, and its proof."""

    form: Form
    theorem: str
    certificate: Certificate | None


def closed_form(problem: Problem, privacy: Alpha) -> Answer | None:
    """Return the closed form that a theorem proves optimal for this problem, or None."""
    n, a = problem.n, problem.alpha
    if n == 0 or a == 1:
        return None
    if problem.loss.tail == 0 and (named := _named(problem, privacy)) is not None:
        form, theorem, prove = named
        return Answer(form=form, theorem=theorem, certificate=prove(problem) if n <= WRITTEN_MULTIPLIERS else None)
    if _free_of_properties(problem) and not problem.worst_case and grows_away(problem.loss):
        certificate = relabelled_multipliers(problem)
        if certificate.optimal:
            return Answer(form=relabelled(problem), theorem="GM relabelled (Ghosh et al.)", certificate=certificate)
    return None


def _named(problem: Problem, privacy: Alpha) -> tuple[Form, str, Callable[[Problem], Certificate]] | None:
    n, a, names = problem.n, problem.alpha, problem.shape.names
    uniform_mean = problem.prior.uniform and not problem.worst_case
    if uniform_mean and _has(Geometric(n, a), problem, privacy):
        return Geometric(n, a), "Theorem 3, GM", geometric_multipliers
    if uniform_mean and "WH" in names and names <= {"WH", "S", "RH", "RM"} and 1 < n and n * (1 - a) < 2 * a:
        form = WeaklyHonest(n, a)
        if problem.shape.output_dp is None:
            return form, "weakly honest mechanism, WM", weakly_honest_multipliers
    fair_is_best = "F" in names or (problem.worst_case and problem.prior.uniform)
    if fair_is_best and _has(Fair(n, a), problem, privacy):
        return Fair(n, a), "Theorem 4, EM", fair_multipliers
    return None


def _has(form: Form, problem: Problem, privacy: Alpha) -> bool:
    ratio = problem.shape.output_dp
    if ratio is not None and isinstance(form, Fair):
        return ratio <= problem.alpha  # EM's columns step by alpha or not at all
    if any(form.known(name) is not True for name in problem.shape.names):
        return False
    return ratio is None or Mechanism(privacy=privacy, form=form).satisfies(problem.shape)


def _free_of_properties(problem: Problem) -> bool:
    """No property asked; symmetry comes for free where the problem is symmetric, since ties are split evenly."""
    names = problem.shape.names
    symmetric = problem.loss.symmetric and problem.prior.symmetric
    return problem.shape.output_dp is None and (not names or (names == {"S"} and symmetric))


def grows_away(loss: Loss) -> bool:
    """Whether a loss never falls as the answer moves away from the truth, on either side."""
    if loss.table is None:
        return True
    n = loss.n
    return all(
        loss.cost(i, j) <= loss.cost(i + 1, j) if i >= j else loss.cost(i, j) >= loss.cost(i + 1, j)
        for j in range(n + 1)
        for i in range(n)
    )


def relabelled(problem: Problem) -> Form:
    """GM with each output k replaced by the answer of least expected loss given k; ties are split evenly.

    Row r of the result is the sum of GM's rows that are relabelled r.
    """
    n, a = problem.n, problem.alpha
    gm = Geometric(n, a).dense()
    exact = [[w * c for w, c in zip(problem.prior.weights, row, strict=True)] for row in problem.loss.matrix]
    scale = lcm(*(x.denominator for row in exact for x in row))
    price = [[int(x * scale) for x in row] for row in exact]
    choices = []
    for row in gm.rows:
        costs = [sum(p * x for p, x in zip(charged, row, strict=True)) for charged in price]
        least = min(costs)
        choices.append([r for r, cost in enumerate(costs) if cost == least])
    shares = lcm(*(len(best) for best in choices))
    rows = [[0] * (n + 1) for _ in range(n + 1)]
    for row, best in zip(gm.rows, choices, strict=True):
        for r in best:
            rows[r] = [x + y * (shares // len(best)) for x, y in zip(rows[r], row, strict=True)]
    return reduced(rows, gm.denominator * shares)


def nearly_optimal(problem: Problem) -> tuple[Form, Fraction, Fraction] | None:
    """For the mean L0 over a uniform prior, EM has every property and costs under 1 + 1/n times the least, GM's.

    Returns EM, its cost and the bound.
    """
    n, a = problem.n, problem.alpha
    covered = problem.loss.tail == 0 and problem.prior.uniform and not problem.worst_case and n > 0
    if not covered or (problem.shape.output_dp is not None and problem.shape.output_dp > a):
        return None
    form: Form = Fair(n, a) if a < 1 else Uniform(n)
    return form, Fraction(n + 1, n) * (1 - form.entry(0, 0)), 2 * a / (1 + a)
