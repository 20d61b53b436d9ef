"""The proof of an optimum: checked in full before a mechanism is returned, written out when someone reads it.

A certificate gives every row `x_u >= c * x_v` that is needed its multiplier y. Writing thousands of them as fractions
over one denominator costs more than finding them, and only who saves the mechanism reads them. Checking needs less.
Let every entry have a positive weight w with `w_u = c * w_v` along the rows used: the entries of the optimum, up to a
factor per tree, are such weights. Then with `s = w_u * y` row by row, the reduced cost of an entry times its weight is

    w * (cost - multiplier of its column's sum) - (sum of s where it is u) + (sum of s where it is v):

additions of integers. That none is negative, and that the multipliers of the right-hand sides add up to the cost,
proves the optimum (`discreet.certificate`). It is checked for the entries of the whole matrix and the whole rows they
stand in, by the names a certificate uses; entries that fairness makes equal may share what they are charged.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from operator import add, eq, mul
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import fmpq, fmpz

from discreet.certificate import Certificate
from discreet.designer.bounds import is_dual, price
from discreet.designer.costs import costs_of
from discreet.designer.program import KINDS
from discreet.designer.unfold import cost_of, unfold
from discreet.errors import NotProven

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from discreet.certificate import Problem
    from discreet.designer.pivots import Optimum


@dataclass(frozen=True, slots=True)
class Proof:
    """The multipliers of an optimal basis; called with the problem, it writes them out as a certificate.

    >>> from discreet.designer.linear import solve_linear
    >>> from discreet.designer.problems import read_problem
    >>> proof = solve_linear(read_problem(n=4, alpha="10/11", properties="WH CM"), deadline=float("inf")).proof
    >>> proof.holds(), proof(proof.problem).optimal
    (True, True)
    """

    optimum: Optimum

    @property
    def problem(self) -> Problem:
        """What was asked."""
        return self.optimum.forest.program.problem

    @property
    def cost(self) -> Fraction:
        """The cost of the optimum, which is the bound that is proven."""
        return cost_of(self.optimum.forest.program, self.optimum.vertex)

    def holds(self) -> bool:
        """Check the multipliers over the full rows of the problem, exactly."""
        problem, found = self.problem, self.optimum.dual
        folded = ("S" in problem.shape and not self.optimum.forest.program.symmetric) or problem.shape.output_dp == 1
        if folded or problem.alpha == 1 or problem.worst_case or found.stretch:
            return self._written() is not None
        return _bound(self.optimum) == self.cost

    def __call__(self, problem: Problem) -> Certificate:
        """Write the multipliers out and price them over the full rows once more."""
        written = self._written()
        if written is None or problem != self.problem:
            raise NotProven("the proof failed its check when it was written out: please report this problem")
        return written

    def _written(self) -> Certificate | None:
        multipliers, cost = unfold(self.optimum.forest, self.optimum.dual), self.cost
        if not is_dual(self.problem, multipliers) or price(self.problem, multipliers).bound != cost:
            return None
        return Certificate(cost=cost, bound=cost, denominator=multipliers.denominator, rows=multipliers.as_rows())

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
    """The bound that weighted multipliers prove, None if they prove nothing. Doubled where rows have mirror images."""
    forest, found = optimum.forest, optimum.dual
    program, size = forest.program, forest.program.problem.n + 1
    costs, fair, mirrored = costs_of(program.problem), "F" in program.problem.shape, program.symmetric
    weight = [forest.power[u] for u in program.variable.ravel().tolist()]
    used = [k for k, amount in found.signed.items() if k < program.first_bound and amount != 0]
    honest = {u: i for i, u in reversed(list(enumerate(program.variable.diagonal().tolist())))}
    bounded = {
        honest[u] * (size + 1): found.signed[u + program.first_bound]
        for u in program.honest.tolist()
        if u + program.first_bound in found.signed
    }
    amounts = [found.signed[k] for k in used]
    head, tail = _ends(program.kind[used], program.label[used], size)
    if min([*amounts, *bounded.values()], default=0) < 0 or min(weight) <= 0:
        return None
    if mirrored and weight != weight[::-1]:
        return None
    if not _along(program.problem, weight, program.kind[used], head, tail):
        return None

    charged = [fmpz(0)] * size**2
    for amount, u, v in zip(amounts, head.tolist(), tail.tolist(), strict=True):
        charged[u] += amount
        charged[v] -= amount
    for u, amount in bounded.items():
        charged[u] += amount
    sums = [fmpz(0)] * size
    for j, amount in zip(program.sums.tolist(), found.sums, strict=True):
        sums[j] += amount
    times = 1
    if mirrored:
        charged, sums, times = list(map(add, charged, reversed(charged))), list(map(add, sums, reversed(sums))), 2
    shares = [w * times * found.denominator for w in costs.weight]
    lines = ([fmpz(x) * share for x, share in zip(line, shares, strict=True)] for line in costs.loss)
    apart = [x - y for line in lines for x, y in zip(line, sums, strict=True)]
    reduced = [x - y for x, y in zip(map(mul, weight, apart), charged, strict=True)]
    if fair:
        diagonal = slice(0, size**2, size + 1)
        if len(set(weight[diagonal])) > 1:
            return None
        reduced[diagonal] = [sum(reduced[diagonal], start=fmpz(0))] * size
    if min(reduced) < 0:
        return None
    # Each folded bound stands for itself and its mirror image, which doubling counts once more.
    floors = sum((fmpq(amount * times, weight[u] * size) for u, amount in bounded.items()), start=fmpq(0))
    total = (floors + sum(sums, start=fmpz(0))) / (times * found.denominator * costs.scale)
    return Fraction(int(total.p), int(total.q))


def _ends(kind: NDArray[np.int8], label: NDArray[np.int64], size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The entries u and v of full rows `x_u >= c * x_v`, as places in the matrix read row by row."""
    a, b, c = label.T
    name = np.array(KINDS)[kind]
    along, across = np.isin(name, ("dp", "rm")), np.isin(name, ("odp", "cm"))
    own_row, own_column = name == "rh", name == "ch"
    cases = [along, across, own_row, own_column]
    head = np.select(cases, [a * size + b, a * size + c, a * size + a, b * size + b])
    tail = np.select(cases, [a * size + c, b * size + c, a * size + b, a * size + b])
    return head, tail


def _along(
    problem: Problem,
    weight: Sequence[fmpz],
    kind: NDArray[np.int8],
    head: NDArray[np.int64],
    tail: NDArray[np.int64],
) -> bool:
    """Whether weights fall along each row as its ratio says: `w_u = c * w_v`."""
    one = Fraction(1)
    for number, name in enumerate(KINDS):
        rows = np.flatnonzero(kind == number)
        ratio = {"dp": problem.alpha, "odp": problem.shape.output_dp or one}.get(name, one)
        first, second = (map(weight.__getitem__, ends[rows].tolist()) for ends in (head, tail))
        if ratio != 1:
            first, second = map(fmpz(ratio.denominator).__mul__, first), map(fmpz(ratio.numerator).__mul__, second)
        if not all(map(eq, first, second)):
            return False
    return True
