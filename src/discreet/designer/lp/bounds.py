"""Exact lower bounds of a linear program: for an optimum with its multipliers, and for one that was
not reached.

A certificate gives every row `x_u >= c * x_v` that is needed its multiplier y. Writing thousands of
them as fractions over one denominator costs as much as finding them, and they are read only if the
mechanism is saved. Checking needs less (`weighted_bound`). Let every entry have a positive weight w
with `w_u = c * w_v` along the rows used: the entries of the optimum, up to a factor per tree, are
such weights. Then with `s = w_u * y` row by row, the reduced cost of an entry times its weight is

    w * (cost - multiplier of its column's sum) - (sum of s where it is u) + (sum of s where it is
    v):

additions of integers. That none is negative, and that the multipliers of the right-hand sides add
up to the cost, proves the optimum (`discreet.core.certificate`). It is checked for the entries of
the whole matrix and the whole rows they stand in; entries that fairness makes equal may share what
they are charged.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, cycle
from math import lcm
from operator import add, mul, sub
from typing import TYPE_CHECKING

import numpy as np
from flint import fmpq

from discreet.core.certificate import Certificate, costs_of
from discreet.core.domains import ROWS
from discreet.designer.lp.highs import limit, load_rows, rows_of
from discreet.designer.lp.program import KINDS
from discreet.designer.simplex.system import ZERO, integers
from discreet.designer.simplex.unfold import is_dual, price
from discreet.designer.theorems.multipliers import relabelled_multipliers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from discreet.core.certificate import Costs, Problem
    from discreet.designer.lp.program import Program
    from discreet.designer.simplex.basis import Basis
    from discreet.designer.simplex.pivots import Optimum
    from discreet.designer.simplex.system import Whole
    from discreet.designer.simplex.unfold import Multipliers
    from discreet.designer.simplex.vertex import Dual


def best_bound(problem: Problem, found: Iterable[Multipliers]) -> Certificate:
    """The best of the bounds at hand, each of them exact: what needs no solving, and what
    multipliers prove.
    """
    bounds = [easy_certificate(problem)]
    for multipliers in found:
        if is_dual(problem, multipliers):
            bound = price(problem, multipliers).bound
            rows = multipliers.as_rows()
            bounds.append(
                Certificate(cost=bound, bound=bound, denominator=multipliers.denominator, rows=rows)
            )
    return max(bounds, key=lambda certificate: certificate.bound)


def solve_dual(
    program: Program, cost: NDArray[np.float64], *, seconds: float | None = None
) -> tuple[list[float], list[float]] | None:
    """Minimise `cost` by interior point; return the float multipliers of all rows and the
    reduced costs.
    """
    highs = load_rows(*rows_of(program, cost))
    highs.setOptionValue("solver", "ipm")
    highs.setOptionValue("run_crossover", "off")
    limit(highs, seconds)
    highs.run()
    solution = highs.getSolution()
    if not solution.dual_valid:
        return None
    return list(solution.row_dual), list(solution.col_dual)


def easy_certificate(problem: Problem) -> Certificate:
    """A bound without solving: relabelled GM's where it has one, else each input's cheapest
    answer.
    """
    if (
        problem.over is None
        and not problem.worst_case
        and (relabelled := relabelled_multipliers(problem)) is not None
    ):
        return relabelled
    size, costs, weights = problem.n + 1, costs_of(problem), problem.prior.weights
    least = [Fraction(min(column), costs.loss_scale) for column in zip(*costs.loss, strict=True)]
    if problem.worst_case:
        place = max(range(size), key=lambda j: weights[j] * least[j])
        value = {
            ("sum", place, 0, 0): size * weights[place] * least[place],
            ("input", place, 0, 0): Fraction(1),
        }
    else:
        value = {("sum", j, 0, 0): weights[j] * least[j] for j in range(size)}
    bound = sum((y for (kind, *_), y in value.items() if kind == "sum"), Fraction(0))
    denominator = lcm(*(y.denominator for y in value.values()))
    rows = tuple((*name, int(y * denominator)) for name, y in value.items() if y)
    return Certificate(cost=bound, bound=bound, denominator=denominator, rows=rows)


def weighted_bound(optimum: Optimum) -> Fraction | None:
    """The bound that weighted multipliers prove, None if they prove nothing.

    In a symmetric problem a row shares its multiplier with its mirror image, and where symmetry is
    asked for, its equations carry over what an entry has too much: pairs of images are looked at,
    and what the two have together.
    """
    basis, found = optimum.basis, optimum.dual
    program, problem, size = basis.program, basis.program.problem, basis.program.problem.n + 1
    costs, mirrored = costs_of(problem), program.symmetric or "S" in problem.shape
    place, variable = np.arange(size**2), program.variable.ravel()
    looked, times = size**2, 1
    if mirrored:  # an entry and its mirror image are one, the entry in the middle is its own
        looked, times = (size**2 + 1) // 2, 2
        place = np.minimum(place, place[::-1])
        if (variable != variable[::-1]).any():
            return None
    power = _stretched(basis, found)
    weight = list(map(power.__getitem__, variable[:looked].tolist()))
    used = [k for k, amount in found.signed.items() if amount and k < program.first_bound]
    amounts = list(map(found.signed.__getitem__, used))
    given = np.array(used, dtype=np.int64)
    kind = program.kind[given]
    head, tail = (place[ends[given]] for ends in program.ends)
    floors = {int(place[u]): amount for u, amount in _floors(optimum).items()}
    if min(chain(amounts, floors.values()), default=ZERO) < ZERO or min(power) <= ZERO:
        return None
    closing = np.flatnonzero(np.isin(given, basis.fixed_by)).tolist() if found.stretch else []
    along = np.delete(np.arange(len(given)), closing)
    if not _fall_along(program, weight, kind[along], head[along], tail[along]):
        return None
    if program.symmetric and not _mirrored(costs):
        return None
    charged = list(amounts)
    for k in closing:  # along a row that closes a cycle the weights do not fall by its ratio
        p, q = problem.ratios[ROWS[KINDS[kind[k]]].ratio].as_integer_ratio()
        charged[k], rest = divmod(amounts[k] * p * weight[tail[k]], q * weight[head[k]])
        if rest != 0:
            return None

    sums = [integers(program)(0)] * size
    for j, amount in zip(program.sums.tolist(), found.sums, strict=True):
        sums[j] += amount
    if mirrored:
        sums = [*map(add, sums, reversed(sums))]
    # The costs repeat, so that their products are cheaper kept than made again.
    cost = list(map(mul, chain.from_iterable(costs.loss), cycle(costs.weight)))
    if mirrored:
        cost = [*map(add, cost[:looked], reversed(cost))]
    product = {x: x * found.denominator for x in set(cost)}
    apart = map(sub, map(product.__getitem__, cost), cycle(sums))
    reduced = list(map(mul, weight, apart))
    middle = reduced[-1]
    for amount, charge, u, v in zip(amounts, charged, head.tolist(), tail.tolist(), strict=True):
        reduced[u] -= amount
        reduced[v] += charge
    for u, amount in floors.items():
        reduced[u] -= amount
    if mirrored and size % 2:  # its own image is charged twice
        reduced[-1] += reduced[-1] - middle
    if any(row.image == "next" for row in problem.equations):
        diagonal = slice(0, looked, size + 1)
        if len(set(weight[diagonal])) > 1:
            return None
        # Of an odd number of mirrored entries the middle one is its own image.
        shared = sum(reduced[diagonal])
        if mirrored:
            shared = 2 * shared - (reduced[-1] if size % 2 else 0)
        reduced[diagonal] = [shared] * len(reduced[diagonal])
    if min(reduced) < ZERO:
        return None
    held = sum(
        (fmpq(times * amount, weight[u] * size) for u, amount in floors.items()), start=fmpq(0)
    )
    total = (held + sum(sums)) / (times * found.denominator * costs.scale)
    return Fraction(int(total.p), int(total.q))


def _stretched(basis: Basis, found: Dual) -> list[Whole]:
    """The variables' weights: their powers, times what the multipliers of their tree are
    stretched by.
    """
    if not found.stretch:
        return basis.power
    return [
        x * found.stretch[t] if t in found.stretch else x
        for x, t in zip(basis.power, basis.tree, strict=True)
    ]


def _floors(optimum: Optimum) -> dict[int, Whole]:
    """The weighted multipliers of floors, by the place in the matrix of the entry that each
    stands under.
    """
    program, signed = optimum.basis.program, optimum.dual.signed
    size, domain = program.problem.n + 1, program.problem.domain
    found: dict[int, Whole] = {}
    for u, (kind, *label) in program.floors.items():
        if u + program.first_bound in signed:
            (i, j), _ = ROWS[kind].cells(domain, label)
            found[i * size + j] = signed[u + program.first_bound]
    return found


def _mirrored(costs: Costs) -> bool:
    """Whether costs are the same read backwards."""
    return costs.weight == costs.weight[::-1] and all(
        line == other[::-1] for line, other in zip(costs.loss, reversed(costs.loss), strict=True)
    )


def _fall_along(
    program: Program,
    weight: Sequence[Whole],
    kind: NDArray[np.int8],
    head: NDArray[np.int64],
    tail: NDArray[np.int64],
) -> bool:
    """Whether weights fall along each row as its ratio says: `w_u = c * w_v`."""
    ratios, whole = program.problem.ratios, integers(program)
    for number in np.unique(kind).tolist():
        rows, ratio = np.flatnonzero(kind == number), ratios[ROWS[KINDS[number]].ratio]
        first, second = ([weight[u] for u in ends[rows].tolist()] for ends in (head, tail))
        if ratio != 1:
            p, q = map(whole, ratio.as_integer_ratio())
            first, second = [q * x for x in first], [p * x for x in second]
        if first != second:
            return False
    return True
