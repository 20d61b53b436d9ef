"""The linear program's answer: solved in floats, made exact, proven, and the only one.

A certificate gives every row `x_u >= c * x_v` that is needed its multiplier y. Writing thousands of them as fractions
over one denominator costs as much as finding them, and only who saves the mechanism reads them. Checking needs less.
Let every entry have a positive weight w with `w_u = c * w_v` along the rows used: the entries of the optimum, up to a
factor per tree, are such weights. Then with `s = w_u * y` row by row, the reduced cost of an entry times its weight is

    w * (cost - multiplier of its column's sum) - (sum of s where it is u) + (sum of s where it is v):

additions of integers. That none is negative, and that the multipliers of the right-hand sides add up to the cost,
proves the optimum (`discreet.core.certificate`). It is checked for the entries of the whole
matrix and the whole rows they stand in, by the names a certificate uses; entries that fairness makes equal may share
what they are charged.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import chain, cycle
from math import lcm
from operator import add, eq, mul, sub
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import fmpq, fmpz

from discreet.core.certificate import Certificate, costs_of
from discreet.core.domains import ROWS
from discreet.designer.lp.highs import solve_dual
from discreet.designer.lp.program import KINDS, Program, build, row_places
from discreet.designer.lp.start import candidate_bases, leaning_cost, on_the_face
from discreet.designer.simplex.pivots import Optimum, TooFar, reach_optimum, tie_weights
from discreet.designer.simplex.pricing import is_dual, price
from discreet.designer.simplex.unfold import unfold, unfold_floats
from discreet.designer.simplex.vertex import cost_of, matrix_of
from discreet.designer.single import likely_seconds
from discreet.designer.theorems.multipliers import relabelled_multipliers
from discreet.errors import NotProven

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from discreet.core.certificate import Costs, Problem
    from discreet.core.forms import Dense


@dataclass(frozen=True, slots=True)
class Proof:
    """The multipliers of an optimal basis and its cost; called with the problem, it writes them out as a certificate.

    >>> from discreet.core.certificate import read_problem
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
        shared = {"next", "mirror"} if self.optimum.basis.program.symmetric else {"next"}
        if any(row.image not in shared for row in problem.equations) or problem.worst_case or found.stretch:
            return self._written() is not None
        return _bound(self.optimum) == self.cost

    def __call__(self, problem: Problem) -> Certificate:
        """Write the multipliers out and price them over the full rows once more."""
        written = self._written()
        if written is None or problem != self.problem:
            raise NotProven("the proof failed its check when it was written out: please report this problem")
        return written

    def _written(self) -> Certificate | None:
        multipliers = unfold(self.optimum.basis, self.optimum.dual)
        if not is_dual(self.problem, multipliers) or price(self.problem, multipliers).bound != self.cost:
            return None
        rows = multipliers.as_rows()
        return Certificate(cost=self.cost, bound=self.cost, denominator=multipliers.denominator, rows=rows)

    def __reduce__(self) -> tuple[Any, ...]:
        # A pickle carries the certificate: plain data that any process can read.
        return replace, (self(self.problem),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An exactly feasible matrix (None if none was reached) and what bounds its cost: a proof, if it is optimal."""

    form: Dense | None
    proof: Proof | Certificate
    pivots: int = 0


def solve_linear(problem: Problem, *, deadline: float) -> Answer:
    """Solve a problem's linear program; beyond the deadline, return the best bound and feasible vertex reached."""
    program = build(problem)
    explore = partial(on_the_face, program, deadline=deadline)
    nearest: TooFar | None = None
    for basis, limit in candidate_bases(program, deadline=deadline):
        if time.monotonic() > deadline:  # what is late is not used, so that a limit means the same on every machine
            break
        try:
            return _proven(reach_optimum(program, basis, deadline=deadline, limit=limit, explore=explore))
        except TooFar as stopped:
            nearest = _nearer(nearest, stopped)
    if time.monotonic() > deadline:
        return _unfinished(problem, program, nearest)
    # No suggestion was near enough: exact pivots for as long as it takes, from the best, or from nothing.
    try:
        start = [] if nearest is None else nearest.basis.tight
        return _proven(reach_optimum(program, start, deadline=deadline))
    except TooFar as stopped:
        return _unfinished(problem, program, _nearer(nearest, stopped))


def _proven(found: Optimum) -> Answer:
    program, point = found.basis.program, found.vertex
    return Answer(form=matrix_of(program, point), proof=Proof(found, cost_of(program, point)), pivots=found.pivots)


def _nearer(old: TooFar | None, new: TooFar) -> TooFar:
    """Prefer a feasible vertex, then the later one."""
    return old if old is not None and old.feasible and not new.feasible else new


def _unfinished(problem: Problem, program: Program, stopped: TooFar | None) -> Answer:
    """What was reached: the last feasible vertex, and the best of the bounds at hand, each of them exact."""
    bounds = [easy_certificate(problem)]
    found = [] if stopped is None else [unfold(stopped.basis, stopped.dual())]
    cost = leaning_cost(program, tie_weights(program, 1))
    if (floats := solve_dual(program, cost, seconds=30 + likely_seconds(problem))) is not None:
        rounded = unfold_floats(program, *floats)
        found += [] if rounded is None else [rounded]
    for multipliers in found:
        if is_dual(problem, multipliers):
            bound = price(problem, multipliers).bound
            rows = multipliers.as_rows()
            bounds.append(Certificate(cost=bound, bound=bound, denominator=multipliers.denominator, rows=rows))
    best = max(bounds, key=lambda certificate: certificate.bound)
    if stopped is None or not stopped.feasible:
        return Answer(form=None, proof=best)
    form = matrix_of(program, stopped.vertex)
    return Answer(form=form, proof=replace(best, cost=cost_of(program, stopped.vertex)))


def easy_certificate(problem: Problem) -> Certificate:
    """A bound without solving: relabelled GM's where it has one, else each input's cheapest answer."""
    if problem.plain and not problem.worst_case and (relabelled := relabelled_multipliers(problem)) is not None:
        return relabelled
    size, costs, weights = problem.n + 1, costs_of(problem), problem.prior.weights
    least = [Fraction(min(column), costs.loss_scale) for column in zip(*costs.loss, strict=True)]
    if problem.worst_case:
        place = max(range(size), key=lambda j: weights[j] * least[j])
        value = {("sum", place, 0, 0): size * weights[place] * least[place], ("input", place, 0, 0): Fraction(1)}
    else:
        value = {("sum", j, 0, 0): weights[j] * least[j] for j in range(size)}
    bound = sum((y for (kind, *_), y in value.items() if kind == "sum"), Fraction(0))
    denominator = lcm(*(y.denominator for y in value.values()))
    rows = tuple((*name, int(y * denominator)) for name, y in value.items() if y)
    return Certificate(cost=bound, bound=bound, denominator=denominator, rows=rows)


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
    fair = any(row.image == "next" for row in problem.equations)
    if fair:
        diagonal = slice(0, looked, size + 1)
        if len(set(weight[diagonal])) > 1:
            return None
    # The costs repeat, so that their products are cheaper kept than made again.
    cost = [x * w for line in costs.loss for x, w in zip(line, costs.weight, strict=True)][:looked]
    product = {x: times * x * found.denominator for x in set(cost)}
    apart = map(sub, map(product.__getitem__, cost), cycle(sums))
    reduced = list(map(sub, map(mul, weight, apart), charged))
    if fair:
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
    """The weighted multipliers of floors, by the place in the matrix of the entry that each stands under."""
    program, signed = optimum.basis.program, optimum.dual.signed
    size, domain = program.problem.n + 1, program.problem.domain
    found: dict[int, fmpz] = {}
    for u, (kind, *label) in program.floors.items():
        if u + program.first_bound in signed:
            (i, j), _ = ROWS[kind].cells(domain, label)
            found[i * size + j] = signed[u + program.first_bound]
    return found


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
    ratios = problem.ratios
    for number in np.unique(kind).tolist():
        rows, ratio = np.flatnonzero(kind == number), ratios[ROWS[KINDS[number]].ratio]
        first, second = (map(weight.__getitem__, ends[rows].tolist()) for ends in (head, tail))
        if ratio != 1:
            first, second = map(fmpz(ratio.denominator).__mul__, first), map(fmpz(ratio.numerator).__mul__, second)
        if not all(map(eq, first, second)):
            return False
    return True
