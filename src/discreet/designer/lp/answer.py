"""The linear program's answer: solved in floats, made exact, proven, and the only one.

Which basis is optimal is first suggested by a float solve: from nothing where the program is small,
by a walk from a known optimum (`lp.start`) where there is one, else by simplex and by interior
point.

Everything here only suggests a basis; `simplex.pivots` decides.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.certificate import Certificate
from discreet.core.properties import Shape
from discreet.designer.lp.bounds import best_bound, solve_dual, weighted_bound
from discreet.designer.lp.highs import rows_of, solve, uneven
from discreet.designer.lp.program import Program, build
from discreet.designer.lp.start import (
    far_rows,
    known_start,
    likeliest,
    relabelled_basis,
    row_numbers,
)
from discreet.designer.lp.tied_tails import has_tails, walk_tied
from discreet.designer.simplex.pivots import Optimum, TooFar, reach_optimum, tie_weights
from discreet.designer.simplex.repair import faults
from discreet.designer.simplex.unfold import is_dual, price, unfold, unfold_floats
from discreet.designer.simplex.vertex import cost_of, matrix_of
from discreet.designer.single import likely_seconds
from discreet.errors import NotProven

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from discreet.core.certificate import Problem
    from discreet.core.forms import Dense
    from discreet.designer.large.level_answer import LevelProof
    from discreet.designer.simplex.basis import Basis
    from discreet.designer.simplex.vertex import Dual, Vertex

SMALLEST = 1e-6
"""Entries of about this size and below are near the solver's tolerances: it then works in scaled
variables.
"""

UNSEEN = 1e-16
"""Entries of about this size and below are beside others nothing to a float: what scaling shows of
the entries it hides of the multipliers."""

FILLED_FROM = 300
"""Beyond this group size a matrix with a column property is filled (`designer.large`): this one
takes minutes.
"""

SMALL, SMALL_FAIR = 60, 110
"""Programs of up to so many variables are solved from nothing: a start takes longer to write
down, a fair one twice.
"""

LONG = 4000
"""Programs of more variables are walked through as they are: what their dual programs end at is
off in more places.
"""

FAR = 400
"""Walks through so many variables are long where equations, ties or an uneven prior bend them:
they take two stages.
"""

EXACT = 1 << 53
"""Integers up to this one are floats."""

TRY = 120
"""Exact pivots spent on one suggested basis before the next suggestion is tried."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The multipliers of an optimal basis and its cost; called with the problem, it writes them out
    as a certificate.

    >>> from discreet.core.certificate import read_problem
    >>> proof = solve_linear(
    ...     read_problem(n=4, alpha="10/11", properties="WH CM"), deadline=float("inf")
    ... ).proof
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
        problem = self.problem
        if any(not row.image for row in problem.equations) or problem.worst_case:
            return self._written() is not None
        return weighted_bound(self.optimum) == self.cost

    def __call__(self, problem: Problem) -> Certificate:
        """Write the multipliers out and price them over the full rows once more."""
        written = self._written()
        if written is None or problem != self.problem:
            raise NotProven(
                "the proof failed its check when it was written out: please report this problem"
            )
        return written

    def _written(self) -> Certificate | None:
        multipliers = unfold(self.optimum.basis, self.optimum.dual)
        if (
            not is_dual(self.problem, multipliers)
            or price(self.problem, multipliers).bound != self.cost
        ):
            return None
        rows = multipliers.as_rows()
        return Certificate(
            cost=self.cost, bound=self.cost, denominator=multipliers.denominator, rows=rows
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # A pickle carries the certificate: plain data that any process can read.
        return replace, (self(self.problem),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An exactly feasible matrix (None if none was reached) and what bounds its cost: a proof,
    if it is optimal.
    """

    form: Dense | None
    proof: Proof | LevelProof | Certificate
    pivots: int = 0


def solve_linear(problem: Problem, *, deadline: float) -> Answer:
    """Solve a problem's linear program; beyond the deadline, return the best bound and feasible
    vertex reached.
    """
    if problem.n > FILLED_FROM and time.monotonic() < deadline:
        from discreet.designer.large.level_answer import covers, level_answer

        if covers(problem) and (found := level_answer(problem)) is not None:
            return Answer(form=found[0], proof=found[1])
    program = build(problem)
    explore = partial(suggest_near, program, deadline=deadline)
    nearest: TooFar | None = None
    for basis, limit in candidate_bases(program, deadline=deadline):
        if (
            time.monotonic() > deadline
        ):  # what is late is not used, so that a limit means the same on every machine
            break
        try:
            return _proven(
                reach_optimum(program, basis, deadline=deadline, limit=limit, explore=explore)
            )
        except TooFar as stopped:
            nearest = _nearer(nearest, stopped)
    if time.monotonic() > deadline:
        return _unfinished(problem, program, nearest)
    # No suggestion was near enough: exact pivots for as long as it takes, from the best, or from
    # nothing.
    try:
        start = [] if nearest is None else nearest.basis.tight
        return _proven(reach_optimum(program, start, deadline=deadline, explore=explore))
    except TooFar as stopped:
        return _unfinished(problem, program, _nearer(nearest, stopped))


def _proven(found: Optimum) -> Answer:
    program, point = found.basis.program, found.vertex
    cost = cost_of(program, point, (found.basis, found.dual))
    return Answer(form=matrix_of(program, point), proof=Proof(found, cost), pivots=found.pivots)


def _nearer(old: TooFar | None, new: TooFar) -> TooFar:
    """Prefer a feasible vertex, then the later one."""
    return old if old is not None and old.feasible and not new.feasible else new


def _unfinished(problem: Problem, program: Program, stopped: TooFar | None) -> Answer:
    """What was reached: the last feasible vertex, and the best of the bounds at hand."""
    found = [] if stopped is None else [unfold(stopped.basis, stopped.dual())]
    cost = leaning_cost(program, tie_weights(program, 1))
    if (floats := solve_dual(program, cost, seconds=30 + likely_seconds(problem))) is not None:
        rounded = unfold_floats(program, *floats)
        found += [] if rounded is None else [rounded]
    best = best_bound(problem, found)
    if stopped is None or not stopped.feasible:
        return Answer(form=None, proof=best)
    form = matrix_of(program, stopped.vertex)
    return Answer(form=form, proof=replace(best, cost=cost_of(program, stopped.vertex)))


def candidate_bases(program: Program, *, deadline: float) -> Iterator[tuple[list[int], int]]:
    """Suggest bases, the likeliest first, while there is time; and how many pivots each is
    worth.
    """
    problem = program.problem
    scaled = far_entries(program)
    fair = any(row.image == "next" for row in problem.equations)
    if not program.inputs and program.cells <= (SMALL_FAIR if fair else SMALL):
        cost = leaning_cost(program, tie_weights(program, 1))
        left = deadline - time.monotonic()
        if (found := solve(program, cost, method="dual", scaled=scaled, seconds=left)) is not None:
            yield found, TRY
    if (label := known_start(problem)) is not None:
        ties = program.costs.flat and not problem.prior.uniform
        if problem.shape.names <= {"WH", "S"} and problem.shape.output_dp is None and not ties:
            # Weak honesty lifts rows to their floors, and rarely moves anything else.
            yield relabelled_basis(program, label), 0
        for walked in _walks(program, label, scaled=scaled, deadline=deadline):
            yield walked, TRY
    large = problem.n > 40 and float(problem.alpha) > 0.75
    cost = leaning_cost(program, tie_weights(program, 1))
    for method in ("ipm", "simplex") if large else ("simplex", "ipm"):
        for scale in (scaled, not scaled):
            left = deadline - time.monotonic()
            if (
                left > 0
                and (found := solve(program, cost, method=method, scaled=scale, seconds=left))
                is not None
            ):
                yield found, TRY


def far_entries(program: Program) -> bool:
    """Whether entries far from the diagonal may be so small that the variables had better be
    scaled.
    """
    return _least_size(program) < SMALLEST


def _least_size(program: Program) -> float:
    """The least of the units in which scaled variables are solved for (`lp.highs.sizes`)."""
    fall = max(program.problem.alpha, program.problem.shape.output_dp or 0)
    return float(fall) ** int(program.distance.max())


def suggest_near(
    program: Program,
    basis: Basis,
    point: Vertex,
    duals: list[Dual],
    preferred: bool,
    *,
    deadline: float,
) -> list[int] | None:
    """Suggest a basis near one that is not right: refined, or, of the optima, the one that the
    tie-break prefers.
    """
    left = deadline - time.monotonic()
    if not preferred:
        from discreet.designer.lp.refinement import refined

        return refined(basis, point, duals, seconds=left)
    scaled = far_entries(program)
    cost = np.zeros(program.cells + (1 if program.inputs else 0))
    cost[: program.cells] = tie_weights(program, 1) / (1 << 32)
    always = [k for k, amount in duals[0].signed.items() if amount > 0]
    return solve(program, cost, scaled=scaled, seconds=left, start=basis.tight, fixed=always)


def _walks(
    program: Program, label: NDArray[np.int64], *, scaled: bool, deadline: float
) -> list[list[int]]:
    """Where a walk from relabelled GM ends; where no unit lets floats see all, the nearest to
    optimal of two.
    """
    walked = _walk(program, label, scaled=scaled, lean=True, deadline=deadline)
    if program.cells > LONG or _least_size(program) >= UNSEEN:
        return [] if walked is None else [walked]
    if walked is not None and not faults(program, walked):
        return [walked]
    other = _walk(program, label, scaled=False, lean=False, deadline=deadline)
    found = [tight for tight in (walked, other) if tight is not None]
    return [min(found, key=partial(faults, program))] if found else []


def _walk(
    program: Program, label: NDArray[np.int64], *, scaled: bool, lean: bool, deadline: float
) -> list[int] | None:
    """Walk from relabelled GM to the asked shape; None if the solver does not get there."""
    here, equal = _loosened(program)
    far = here.cells >= FAR and (
        bool(equal) or uneven(here) or (here.costs.flat and not here.problem.prior.uniform)
    )
    cost = leaning_cost(here, tie_weights(here, 1) if lean else None)
    left = deadline - time.monotonic()
    start = relabelled_basis(here, np.arange(len(label)) if far and likeliest(here) else label)
    method = "simplex" if program.cells > LONG else "dual"
    found = None
    if lean and has_tails(here):
        rows = rows_of(here, cost, scaled=scaled, equal=equal)
        found = walk_tied(here, rows, start, len(equal), scaled=scaled, seconds=left)
    if found is None:
        later = far_rows(here, start) if far else None
        found = solve(
            here,
            cost,
            method=method,
            scaled=scaled,
            seconds=left,
            start=start,
            equal=equal,
            later=later,
        )
    if found is None or here is program:
        return found
    tight = _same(here, found, program)
    if len(tight) == program.cells - len(program.sums):
        return tight
    # An equation that was tight without being needed leaves one constraint too many: the solver
    # drops the right one.
    cost = leaning_cost(program, tie_weights(program, 1) if lean else None)
    return solve(program, cost, scaled=scaled, seconds=left, start=tight) or tight


def _loosened(program: Program) -> tuple[Program, list[tuple[int, int]]]:
    """The program without its equations (but symmetry), and the pairs of variables that they
    make equal.
    """
    problem, shape = program.problem, program.problem.shape
    equations = [row for row in problem.equations if row.free and row.image != "mirror"]
    if not equations:
        return program, []
    names = shape.names - {row.asked_by for row in equations}
    loose = build(replace(problem, shape=Shape(names=names, output_dp=shape.output_dp)))
    cells = [
        row.cells(problem.domain, label)
        for row in equations
        for label in row.labels(problem.domain)
    ]
    pairs = ((int(loose.variable[first]), int(loose.variable[second])) for first, second in cells)
    return loose, list({frozenset(pair): pair for pair in pairs if pair[0] != pair[1]}.values())


def _same(here: Program, tight: list[int], there: Program) -> list[int]:
    """The same constraints in another program for the same matrix, where it has them."""
    to = np.zeros(here.cells, dtype=np.int64)
    to[here.variable.ravel()] = there.variable.ravel()
    known = np.array(tight, dtype=np.int64)
    bounds = known[known >= here.first_bound] - here.first_bound
    ratios = known[known < here.first_bound]
    rows = row_numbers(there, to[here.head[ratios]], to[here.tail[ratios]])
    return sorted({*rows[rows >= 0].tolist(), *(there.first_bound + to[bounds]).tolist()})


def leaning_cost(program: Program, tie: NDArray[np.int64] | None) -> NDArray[np.float64]:
    """The cost for the float solve, leaning toward the tie-break, so that one solve does both.

    Where ties are likely the lean is a ten-thousandth of the cost, and both are magnified to stand
    clear of the solver's tolerances. Elsewhere it is as small as they allow; a prior whose weights
    differ much has no room for it. Without a tie-break it is a mean cost as it is, the largest 1.
    """
    if max(program.scale, *program.cost) <= EXACT and min(program.cost) >= -EXACT:
        cost = np.array(program.cost, dtype=np.float64) / program.scale
    else:
        cost = np.array([value / program.scale for value in program.cost])
    largest = float(np.abs(cost).max()) or 1.0
    if tie is None:
        return cost / largest
    lean: NDArray[np.float64] = tie / tie.max()
    if program.inputs:
        most = (
            max((abs(amount) for entries in program.inputs for _, amount in entries), default=0)
            or 1
        )
        return np.append(1e-4 * most / program.scale / program.problem.size * lean, 1.0)
    if program.costs.flat:
        return (cost / largest + 1e-4 * lean) * 1e4
    return cost if uneven(program) else cost / largest + 1e-7 * lean
