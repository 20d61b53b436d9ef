"""The proof of an optimum: checked in full before a mechanism is returned, written out when someone reads it.

A certificate gives every row `x_u >= c * x_v` that is needed its multiplier y. Writing thousands of them as fractions
over one denominator costs more than finding them, and only who saves the mechanism reads them. Checking needs less.
Let every entry have a positive weight w with `w_u = c * w_v` along the rows used: the entries of the optimum, up to a
factor per tree, are such weights. Then with `s = w_u * y` row by row, the reduced cost of an entry times its weight is

    w * (cost - multiplier of its column's sum) - (sum of s where it is u) + (sum of s where it is v):

additions of integers. That none is negative, and that the multipliers of the right-hand sides add up to the cost,
proves the optimum (`discreet.core.certificate`). It is checked for the entries of the whole
matrix and the whole rows they stand in, by the names a certificate uses; entries that fairness makes equal may share
what they are charged.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, cycle
from operator import add, eq, mul, sub
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import fmpq, fmpz

from discreet.core.certificate import ROWS, Certificate
from discreet.designer.lp.costs import costs_of
from discreet.designer.lp.program import KINDS, row_places
from discreet.designer.simplex.pricing import is_dual, price
from discreet.designer.simplex.unfold import unfold
from discreet.errors import NotProven

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from discreet.core.certificate import Problem
    from discreet.designer.lp.costs import Costs
    from discreet.designer.simplex.pivots import Optimum


@dataclass(frozen=True, slots=True)
class Proof:
    """The multipliers of an optimal basis and its cost; called with the problem, it writes them out as a certificate.

    >>> from discreet.designer.lp.answer import solve_linear
    >>> from discreet.designer.problems import read_problem
    >>> proof = solve_linear(read_problem(n=4, alpha="10/11", properties="WH CM"), deadline=float("inf")).proof
    >>> proof.holds(), proof(proof.problem).optimal
    (True, True)
    """

    optimum: Optimum
    cost: Fraction

    @property
    def problem(self) -> Problem:
        """What was asked."""
        return self.optimum.basis.program.problem

    def holds(self) -> bool:
        """Check the multipliers over the full rows of the problem, exactly."""
        problem, found = self.problem, self.optimum.dual
        folded = ("S" in problem.shape and not self.optimum.basis.program.symmetric) or problem.shape.output_dp == 1
        if folded or problem.alpha == 1 or problem.worst_case or found.stretch:
            return self._written() is not None
        return _bound(self.optimum) == self.cost

    def __call__(self, problem: Problem) -> Certificate:
        """Write the multipliers out and price them over the full rows once more."""
        written = self._written()
        if written is None or problem != self.problem:
            raise NotProven(
                "the proof failed its check when it was written out", remedy="please report this problem", code="fault"
            )
        return written

    def _written(self) -> Certificate | None:
        multipliers = unfold(self.optimum.basis, self.optimum.dual)
        if not is_dual(self.problem, multipliers) or price(self.problem, multipliers).bound != self.cost:
            return None
        rows = multipliers.as_rows()
        return Certificate(cost=self.cost, bound=self.cost, denominator=multipliers.denominator, rows=rows)

    def __reduce__(self) -> tuple[Any, ...]:
        # A pickle carries the certificate: plain data that any process can read.
        return Written, (self(self.problem),)


@dataclass(frozen=True, slots=True)
class Written:
    """A certificate that was written out."""

    certificate: Certificate

    def __call__(self, problem: Problem) -> Certificate:
        """Return it."""
        return self.certificate


def _bound(optimum: Optimum) -> Fraction | None:
    """The bound that weighted multipliers prove, None if they prove nothing.

    In a symmetric problem a row shares its multiplier with its mirror image; to stay with integers all is doubled, and
    one entry of each pair of images is looked at.
    """
    basis, found = optimum.basis, optimum.dual
    program, problem, size = basis.program, basis.program.problem, basis.program.problem.n + 1
    costs, mirrored = costs_of(problem), program.symmetric
    weight = list(map(basis.power.__getitem__, program.variable.ravel().tolist()))
    used = [k for k, amount in found.signed.items() if amount != 0 and k < program.first_bound]
    amounts = list(map(found.signed.__getitem__, used))
    kind, label = program.kind[used], program.label[used]
    head, tail = row_places(kind, label, size)
    floors = _floors(optimum)
    if min(chain(amounts, floors.values()), default=0) < 0 or min(weight) <= 0:
        return None
    if not _fall_along(problem, weight, kind, head, tail) or (mirrored and not _mirrored(costs, weight)):
        return None

    charged = [fmpz(0)] * size**2
    for amount, u, v in zip(amounts, head.tolist(), tail.tolist(), strict=True):
        charged[u] += amount
        charged[v] -= amount
    for u, amount in floors.items():
        charged[u] += amount
    sums = [fmpz(0)] * size
    for j, amount in zip(program.sums.tolist(), found.sums, strict=True):
        sums[j] += amount
    looked, times = size**2, 1
    if mirrored:
        looked, times = (looked + 1) // 2, 2
        charged, sums = [*map(add, charged[:looked], reversed(charged))], [*map(add, sums, reversed(sums))]
    if "F" in problem.shape:
        diagonal = slice(0, looked, size + 1)
        if len(set(weight[diagonal])) > 1:
            return None
    # The costs repeat, so that their products are cheaper kept than made again.
    cost = [x * w for line in costs.loss for x, w in zip(line, costs.weight, strict=True)][:looked]
    product = {x: times * x * found.denominator for x in set(cost)}
    apart = map(sub, map(product.__getitem__, cost), cycle(sums))
    reduced = list(map(sub, map(mul, weight, apart), charged))
    if "F" in problem.shape:
        # Of an odd number of mirrored entries the middle one is its own image.
        shared = sum(reduced[diagonal], start=fmpz(0))
        if mirrored:
            shared = 2 * shared - (reduced[-1] if size % 2 else 0)
        reduced[diagonal] = [shared] * len(reduced[diagonal])
    if min(reduced) < 0:
        return None
    held = sum((fmpq(times * amount, weight[u] * size) for u, amount in floors.items()), start=fmpq(0))
    total = (held + sum(sums, start=fmpz(0))) / (times * found.denominator * costs.scale)
    return Fraction(int(total.p), int(total.q))


def _floors(optimum: Optimum) -> dict[int, fmpz]:
    """The weighted multipliers of weak honesty by place in the matrix; one variable's on its first diagonal entry."""
    program, signed = optimum.basis.program, optimum.dual.signed
    first = {u: i for i, u in reversed(list(enumerate(program.variable.diagonal().tolist())))}
    tight = (u for u in program.honest.tolist() if u + program.first_bound in signed)
    return {first[u] * (program.problem.n + 2): signed[u + program.first_bound] for u in tight}


def _mirrored(costs: Costs, weight: list[fmpz]) -> bool:
    """Whether costs and weights are the same read backwards."""
    return (
        costs.weight == costs.weight[::-1]
        and all(line == other[::-1] for line, other in zip(costs.loss, reversed(costs.loss), strict=True))
        and weight == weight[::-1]
    )


def _fall_along(
    problem: Problem,
    weight: Sequence[fmpz],
    kind: NDArray[np.int8],
    head: NDArray[np.int64],
    tail: NDArray[np.int64],
) -> bool:
    """Whether weights fall along each row as its ratio says: `w_u = c * w_v`."""
    for number, name in enumerate(KINDS):
        rows = np.flatnonzero(kind == number)
        ratio = problem.ratios[ROWS[name].ratio]
        first, second = (map(weight.__getitem__, ends[rows].tolist()) for ends in (head, tail))
        if ratio != 1:
            first, second = map(fmpz(ratio.denominator).__mul__, first), map(fmpz(ratio.numerator).__mul__, second)
        if not all(map(eq, first, second)):
            return False
    return True
