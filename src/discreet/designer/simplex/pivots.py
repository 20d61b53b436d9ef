"""Exact simplex pivots: from a float solver's basis, slightly off, to the proven and unique
optimum.

The solver's basis is right or a few pivots away (entries far from the diagonal fall below its
tolerances). Here every comparison is between integers, so a basis is optimal when this module says
so:

- if the vertex breaks a constraint, *dual* pivots repair it. They need an objective for which the
  basis is dual feasible; when the true one is not, any positive multipliers on the tight
  constraints make one, and the true multipliers, with negatives raised to just above zero, make the
  nearest;
- then *primal* pivots lower the true cost, and after it the tie-break's levels, until every tight
  inequality's multiplier is lexicographically positive: optimal, and proven to be the only such
  vertex.

After many steps without progress the smallest index is taken (Bland's rule), so the pivots cannot
cycle.

Which optimum, when there are many, is a stated rule, so that every run, machine and solver gives
one matrix. In order:

1. If prior and loss are symmetric, only symmetric matrices are considered (Theorem 1: nothing is
   lost).
2. Among the optima, the matrix with the smallest `sum_ij weight(i, j, 1) * Pr[i|j]`, where

       weight(i, j, level) = (i - j)^2 * 2^32 + h(i, j, level)

   and h is a fixed 32-bit hash of its arguments (the upper half of splitmix64 at `level * 2^48 + i
   * 2^24 + j`). In words: the least squared error, with the hash to leave no ties.
3. If that still left a tie, the smallest sum at level 2, then 3, and so on.

The rule is applied exactly. The multipliers of the optimal basis are computed for the cost and for
the levels; when every tight inequality has a multiplier that is lexicographically positive, no
other matrix has the same cost and the same sums, so the answer is *proven* unique and cannot depend
on how it was found.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from flint import fmpz

from discreet.core.rationals import log2_of
from discreet.designer.simplex.basis import Basis, factor
from discreet.designer.simplex.repair import complete
from discreet.designer.simplex.system import ZERO, Contradictory, Singular, Whole, integers
from discreet.designer.simplex.vertex import Dual, Vertex, broken, dual, falling, move, vertex
from discreet.errors import NotProven

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from discreet.designer.lp.program import Program

LEVELS = 4
"""How many levels the tie-break has."""

PATIENCE = 60
ROUNDS = 40
"""How often a float solve may be asked for a better basis on the way."""
FEW = 4
"""So few wrong constraints are faster pivoted away than asked about."""
WORSE = 4
"""So many answers in a row that are no better than an earlier one lead nowhere."""
AGAIN = 24
"""Pivots after a question that led nowhere before the next one."""
_REPORT = "report this problem, it was thought impossible"

Explore = Callable[["Basis", "Vertex", "list[Dual]", bool], "list[int] | None"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Optimum:
    """A proven optimum: its basis, exact point and multipliers, and how many pivots and
    tie-break levels it took.
    """

    basis: Basis
    vertex: Vertex
    dual: Dual
    pivots: int
    levels: int


@dataclass(frozen=True, slots=True)
class _Objective:
    """Integer costs of the variables, and of t in a worst case."""

    cost: dict[int, Whole]
    worst: int = 0

    def dual(self, basis: Basis) -> Dual:
        return dual(basis, self.cost, self.worst)


def _paid(program: Program, costs: Mapping[int, int]) -> dict[int, Whole]:
    if (kind := integers(program)) is int:
        return {u: amount for u, amount in costs.items() if amount}
    known = {amount: kind(amount) for amount in set(costs.values())}  # costs by distance repeat
    return {u: known[amount] for u, amount in costs.items() if amount}


def _cost(program: Program) -> _Objective:
    return _Objective(_paid(program, dict(enumerate(program.cost))), 1 if program.inputs else 0)


class TooFar(Exception):
    """The limit of pivots or of time was reached: the basis so far, and what it proves."""

    def __init__(self, basis: Basis, vertex: Vertex, *, feasible: bool) -> None:
        self.basis, self.vertex, self.feasible = basis, vertex, feasible
        super().__init__("too many pivots")

    def dual(self) -> Dual:
        """The multipliers of the basis for the cost."""
        return _cost(self.basis.program).dual(self.basis)


def reach_optimum(
    program: Program,
    tight: Sequence[int],
    *,
    deadline: float,
    limit: int | None = None,
    explore: Explore | None = None,
    unique: bool = True,
) -> Optimum:
    """Pivot from a basis to the canonical optimum, exactly; `TooFar` beyond the deadline or the
    limit of pivots.

    Unless it is to be `unique`, the first optimum that is reached will do.

    `explore(basis, vertex, duals, preferred)` may suggest a basis when much is wrong with this one:
    the duals are those for the cost and for the levels of the tie-break that matter; `preferred`
    asks, for the first time, which of the optima the tie-break prefers.
    """
    levels = [_cost(program)]
    start: _Objective | None = None
    held = sorted(tight)
    pivots = idle = rounds = wait = 0
    ways, preferred = dict[tuple[int, ...], tuple[bool, bool, int]](), False
    while True:
        try:
            basis = factor(program, held)
            point = vertex(basis)
        except Singular:
            held = complete(program, held)
            continue
        wrong = broken(basis, point)
        late = time.monotonic() > deadline or (limit is not None and pivots >= limit)
        if wrong and late:
            raise TooFar(basis, point, feasible=False)
        duals, released = list[Dual](), None
        if not wrong:
            duals = _lexicographic(basis, levels) if unique else [levels[0].dual(basis)]
            released = _improving(basis, duals, first=idle > PATIENCE)
            if released is None:
                return Optimum(
                    basis=basis, vertex=point, dual=duals[0], pivots=pivots, levels=len(duals) - 1
                )
        if explore is not None and rounds < ROUNDS and pivots >= wait:
            duals = duals or [levels[0].dual(basis)]
            level, negative = undone(duals)
            at_optimum, much = not wrong and level > 0, len(wrong) + len(negative)
            if (at_optimum and not preferred) or much >= FEW:
                first_choice, preferred = at_optimum and not preferred, preferred or at_optimum
                ways[tuple(held)] = (not at_optimum, bool(wrong), much)
                suggested = sorted(explore(basis, point, duals, first_choice) or held)
                rounds += 1
                ranks = list(ways.values())
                if tuple(suggested) not in ways and min(ranks[-WORSE:]) <= min(ranks):
                    held, start = suggested, None
                    continue
                if first_choice:
                    continue
                # it leads nowhere: pivots from the best basis on the way, and later perhaps another
                # question
                nearest = list(min(ways.items(), key=lambda way: way[1])[0])
                ways, wait = {}, pivots + AGAIN
                if nearest != held:
                    held, start = nearest, None
                    continue
        if released is None:
            if start is None:
                start = _nearest_feasible(basis, levels[0].dual(basis))
            gained = _most_broken(basis, point, wrong, first=idle > PATIENCE)
            released, progress = _dual_step(basis, start.dual(basis), gained)
        else:
            gained, progress = _primal_step(basis, point, released)
        if late:
            raise TooFar(basis, point, feasible=not wrong)
        held = sorted({*held, gained} - {released})
        pivots += 1
        idle = 0 if progress else idle + 1


def _most_broken(
    basis: Basis, point: Vertex, found: list[tuple[int, Whole, int]], *, first: bool
) -> int:
    """Of the broken constraints the one broken most, relative to the size of its variable, or
    the first one.
    """
    if first:
        return found[0][0]
    program, bounds, heads = basis.program, basis.program.first_bound, basis.program.head

    def size(item: tuple[int, Whole, int]) -> float:
        k, slack, scale = item
        head = int(heads[k]) if k < bounds else k - bounds
        other = point.value[head] if k < program.first_input else point.worst
        return _quotient(-slack, abs(other) * scale - slack)

    return max(found, key=size)[0]


def _quotient(top: Whole, bottom: Whole) -> float:
    """Divide two positive big integers into a float."""
    shift = max(0, int(bottom).bit_length() - 500)
    return (int(top) >> shift) / ((int(bottom) >> shift) or 1)


def _lexicographic(basis: Basis, levels: list[_Objective]) -> list[Dual]:
    """Multipliers for the cost and for as many levels of the tie-break as leave no tight
    inequality at zero.
    """
    found: list[Dual] = []
    open_ties = basis.tight
    while open_ties or not found:
        if len(found) == len(levels):
            if len(levels) > LEVELS:
                raise NotProven("the tie-break's levels are used up", remedy=_REPORT, code="fault")
            weights = tie_weights(basis.program, len(levels)).tolist()
            levels.append(_Objective(_paid(basis.program, dict(enumerate(weights)))))
        found.append(levels[len(found)].dual(basis))
        signed = found[-1].signed
        if (
            min(map(signed.__getitem__, open_ties), default=ZERO) < ZERO
        ):  # later levels do not matter yet
            break
        open_ties = [k for k in open_ties if not signed[k]]
    return found


def undone(duals: list[Dual]) -> tuple[int, list[int]]:
    """The first level at which tight inequalities that no earlier level decides have negative
    multipliers; and they.
    """
    undecided = list(duals[0].signed)
    for level, signed in enumerate(found.signed for found in duals):
        if min(map(signed.__getitem__, undecided), default=ZERO) < ZERO:
            return level, [k for k in undecided if signed[k] < ZERO]
        undecided = [k for k in undecided if not signed[k]]
    return len(duals), []


def _improving(basis: Basis, duals: list[Dual], *, first: bool) -> int | None:
    """The tight inequality to release: of the lexicographically negative ones the worthiest, or
    the first.
    """
    level, negative = undone(duals)
    if first or not negative:
        return min(negative, default=None)
    return max(negative, key=lambda k: (_worth(basis, duals[level], k), -k))


def _worth(basis: Basis, found: Dual, k: int) -> float:
    """The logarithm of a multiplier times alpha^|i-j|, about the size of the entry that its
    constraint keeps up.
    """
    program, alpha = basis.program, basis.program.problem.alpha
    below, distance = found.denominator, 0.0
    if k < program.first_input:
        head = basis.head(k)
        below = below * basis.power[head] * found.stretch.get(basis.tree[head], 1)
        distance = float(program.distance[head])
    return log2_of(abs(int(found.signed[k])), int(below)) + distance * log2_of(
        *alpha.as_integer_ratio()
    )


def _primal_step(basis: Basis, point: Vertex, released: int) -> tuple[int, bool]:
    """Move off one tight inequality until another blocks: which, and whether the point moved."""
    program = basis.program
    direction = move(basis, released)
    tight = set(basis.tight)
    blocking, near, far = -1, fmpz(0), fmpz(1)
    for k, change, slack in falling(program, point, direction):
        if k not in tight and (blocking < 0 or slack * far < near * -change):
            blocking, near, far = k, slack, -change
    if blocking < 0:
        raise NotProven("the program is unbounded", remedy=_REPORT, code="fault")
    return blocking, near != 0


def _dual_step(basis: Basis, current: Dual, broken: int) -> tuple[int, bool]:
    """Make a broken constraint tight: which tight one gives way, and whether the dual moved."""
    line, worst = terms(basis.program, broken)
    combination = dual(basis, _paid(basis.program, dict(line)), worst)
    leaving, near, far = -1, fmpz(0), fmpz(1)
    for k in basis.tight:
        share = combination.signed[k]
        if share > 0 and (leaving < 0 or current.signed[k] * far < near * share):
            leaving, near, far = k, current.signed[k], share
    if leaving < 0:
        raise Contradictory(
            "a broken row is a sum of tight ones in which every share has the wrong sign"
        )
    return leaving, near != 0


def terms(program: Program, constraint: int) -> tuple[list[tuple[int, int]], int]:
    """A constraint's integer coefficients, as (variable, integer) pairs and the coefficient of
    t.
    """
    if constraint < program.first_bound:
        ratio = program.ratios[program.ratio[constraint]]
        u, v = int(program.head[constraint]), int(program.tail[constraint])
        return [(u, ratio.denominator), (v, -ratio.numerator)], 0
    if constraint < program.first_input:
        return [(constraint - program.first_bound, 1)], 0
    number = constraint - program.first_input - len(program.inputs)
    if number >= 0:
        return [*program.extras[number][0]], 0
    return [(u, -amount) for u, amount in program.inputs[number]], 1


def _nearest_feasible(basis: Basis, found: Dual) -> _Objective:
    """An objective for which the basis is dual feasible, near the true one.

    Any combination of the tight inequalities with positive multipliers is one (the sums are
    equations at every basis, so their part of an objective is a constant). The multipliers are the
    true ones times 2^80, rounded up.
    """
    program = basis.program
    cost: dict[int, int] = {}
    worst = 0
    for k in basis.tight:
        line, t = terms(program, k)
        amount = 1
        if found.signed[k] > 0:
            bottom = found.denominator
            if k < program.first_input:
                head = basis.head(k)
                bottom *= basis.power[head] * found.stretch.get(basis.tree[head], 1)
            if k < program.first_bound:
                bottom *= program.ratios[program.ratio[k]].denominator
            amount += int((found.signed[k] << 80) // bottom)
        worst += amount * t
        for u, count in line:
            cost[u] = cost.get(u, 0) + amount * count
    return _Objective(_paid(program, cost), worst)


def tie_weights(program: Program, level: int) -> NDArray[np.int64]:
    """Fold the tie-break's weights onto the program's variables."""
    if program.ties is not None:
        weight = program.ties(level)
    else:
        points = np.arange(len(program.variable))
        weight = tie_weight(points[:, None], points, points[:, None] - points, level)
    folded = np.zeros(program.cells, dtype=np.int64)
    np.add.at(folded, program.variable.ravel(), weight.ravel())
    return folded


def tie_weight(
    i: NDArray[np.int64], j: NDArray[np.int64], distance: NDArray[np.int64], level: int
) -> NDArray[np.int64]:
    """The tie-break's weights of entries: `i` and `j` are the numbers of output and truth,
    `distance` how far apart.
    """
    return distance**2 * (1 << 32) + _hash(i, j, level)


def _hash(i: NDArray[np.int64], j: NDArray[np.int64], level: int) -> NDArray[np.int64]:
    """Compute the upper 32 bits of splitmix64, a fixed mixing of 64-bit integers."""
    z = ((level << 48) + (i << 24) + j).astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(32)).astype(np.int64)
