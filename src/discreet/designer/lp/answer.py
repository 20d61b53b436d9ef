"""The linear program's answer: solved in floats, made exact, proven, and the only one.

Where to start: the optimum without properties is known, and the one asked for is a short walk from it.

For a mean cost whose loss grows away from the diagonal the optimum without properties is GM with each output
relabelled, and its basis can be written down (`relabelled_basis`). Properties only add rows, so it stays dual
feasible: dual simplex walks from there to the whole shape, in a few hundred steps where a cold start takes many
thousand. Fairness is added as equations between diagonal entries, because its own program has one variable for
all of them.

Answer r's row of relabelled GM falls by alpha on both sides of the outputs labelled r. An answer that no output is
labelled with has a row of zeros, or of the floor that weak honesty sets; there the multipliers decide which rows are
tight. With the multipliers y of the column sums, `rc[j] = cost[r, j] - y[j]` is what one more unit at (r, j) costs, and
away from the diagonal what the tail of the row costs per unit of its first entry is

    W[j] = rc[j] + ratio * W[j+1],     ratio the smallest allowed (alpha) if W[j+1] >= 0, else the largest:

1/alpha, or 1 with row monotonicity. With these ties every multiplier is non-negative: the basis is dual feasible. For
a prior whose weights differ little the signs are found in floats, otherwise in integers.

Everything here only suggests a basis; `simplex.pivots` decides.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.certificate import Certificate, costs_of
from discreet.core.properties import Shape
from discreet.designer.lp.bounds import best_bound, solve_dual, weighted_bound
from discreet.designer.lp.highs import EVEN, leaning_cost, sizes, solve
from discreet.designer.lp.program import Program, build, cost_array
from discreet.designer.simplex.pivots import Optimum, TooFar, reach_optimum, tie_weights
from discreet.designer.simplex.unfold import is_dual, price, unfold, unfold_floats
from discreet.designer.simplex.vertex import cost_of, matrix_of
from discreet.designer.single import likely_seconds
from discreet.designer.theorems.closed_form import best_labels
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
"""Entries of about this size and below are near the solver's tolerances: it then works in scaled variables."""

FILLED_FROM = 300
"""Beyond this group size a matrix with a column property is filled (`designer.large`): this one takes minutes."""

TRY = 120
"""Exact pivots spent on one suggested basis before the next suggestion is tried."""


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
        if any(not row.image for row in problem.equations) or problem.worst_case or found.stretch:
            return self._written() is not None
        return weighted_bound(self.optimum) == self.cost

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
    proof: Proof | LevelProof | Certificate
    pivots: int = 0


def solve_linear(problem: Problem, *, deadline: float) -> Answer:
    """Solve a problem's linear program; beyond the deadline, return the best bound and feasible vertex reached."""
    if problem.n > FILLED_FROM and time.monotonic() < deadline:
        from discreet.designer.large.level_answer import covers, level_answer

        if covers(problem) and (found := level_answer(problem)) is not None:
            return Answer(form=found[0], proof=found[1])
    program = build(problem)
    explore = partial(suggest_near, program, deadline=deadline)
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
        return _proven(reach_optimum(program, start, deadline=deadline, explore=explore))
    except TooFar as stopped:
        return _unfinished(problem, program, _nearer(nearest, stopped))


def _proven(found: Optimum) -> Answer:
    program, point = found.basis.program, found.vertex
    return Answer(form=matrix_of(program, point), proof=Proof(found, cost_of(program, point)), pivots=found.pivots)


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
    """Suggest bases, the likeliest first, while there is time; and how many pivots each is worth."""
    problem = program.problem
    scaled = far_entries(program)
    if (label := _known_start(problem)) is not None:
        if problem.shape.names <= {"WH", "S"} and problem.shape.output_dp is None:
            # Weak honesty lifts rows to their floors, and rarely moves anything else.
            yield relabelled_basis(program, label), 0
        if (walked := _walk(program, label, scaled=scaled, deadline=deadline)) is not None:
            yield walked, TRY
    large = problem.n > 40 and float(problem.alpha) > 0.75
    cost = leaning_cost(program, tie_weights(program, 1))
    for method in ("ipm", "simplex") if large else ("simplex", "ipm"):
        for scale in (scaled, not scaled):
            left = deadline - time.monotonic()
            if left > 0 and (found := solve(program, cost, method=method, scaled=scale, seconds=left)) is not None:
                yield found, TRY


def far_entries(program: Program) -> bool:
    """Whether entries far from the diagonal may be so small that the variables had better be scaled."""
    return bool(sizes(program, scaled=True).min() < SMALLEST)


def suggest_near(
    program: Program, basis: Basis, point: Vertex, duals: list[Dual], preferred: bool, *, deadline: float
) -> list[int] | None:
    """Suggest a basis near one that is not right: refined, or, of the optima, the one that the tie-break prefers."""
    left = deadline - time.monotonic()
    if not preferred:
        from discreet.designer.lp.refinement import refined

        return refined(basis, point, duals, seconds=left)
    scaled = far_entries(program)
    cost = np.zeros(program.cells + (1 if program.inputs else 0))
    cost[: program.cells] = np.array(tie_weights(program, 1), dtype=np.float64) / (1 << 32)
    always = [k for k, amount in duals[0].signed.items() if amount > 0]
    return solve(program, cost, scaled=scaled, seconds=left, start=basis.tight, fixed=always)


def _known_start(problem: Problem) -> NDArray[np.int64] | None:
    """The labels of GM's outputs, where its basis is a start."""
    if (
        problem.over is not None
        or problem.worst_case
        or problem.alpha == 1
        or problem.shape.output_dp == 1
        or problem.n < 2
    ):
        return None
    label = labels(problem)
    return None if (np.diff(label) < 0).any() else label


def _walk(program: Program, label: NDArray[np.int64], *, scaled: bool, deadline: float) -> list[int] | None:
    """Walk from relabelled GM to the asked shape by dual simplex; None if the solver does not get there."""
    here, equal = _loosened(program)
    cost = leaning_cost(here, tie_weights(here, 1))
    left = deadline - time.monotonic()
    start = relabelled_basis(here, label)
    found = solve(here, cost, scaled=scaled, seconds=left, start=start, equal=equal)
    if found is None or here is program:
        return found
    tight = _same(here, found, program)
    if len(tight) == program.cells - len(program.sums):
        return tight
    # An equation that was tight without being needed leaves one constraint too many: the solver drops the right one.
    cost = leaning_cost(program, tie_weights(program, 1))
    return solve(program, cost, scaled=scaled, seconds=left, start=tight) or tight


def _loosened(program: Program) -> tuple[Program, list[tuple[int, int]]]:
    """The program without its equations (but symmetry), and the pairs of variables that they make equal."""
    problem, shape = program.problem, program.problem.shape
    equations = [row for row in problem.equations if row.free and row.image != "mirror"]
    if not equations:
        return program, []
    names = shape.names - {row.asked_by for row in equations}
    loose = build(replace(problem, shape=Shape(names=names, output_dp=shape.output_dp)))
    cells = [row.cells(problem.domain, label) for row in equations for label in row.labels(problem.domain)]
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


def labels(problem: Problem) -> NDArray[np.int64]:
    """The best answer for each output of GM; in a symmetric problem, the same read backwards."""
    problem = _evened(problem)
    label = np.array([chosen[0] for chosen in best_labels(problem)])
    if problem.prior.symmetric and problem.loss.symmetric:
        half = problem.n // 2
        label[half + 1 :] = problem.n - label[: problem.n - half][::-1]
    return label


def _evened(problem: Problem) -> Problem:
    """Where symmetry is asked for, a matrix costs as much under the mean of the prior and its image: ask with that."""
    if "S" not in problem.shape or problem.prior.symmetric or not problem.loss.symmetric:
        return problem
    weights = problem.prior.weights
    even = tuple((a + b) / 2 for a, b in zip(weights, reversed(weights), strict=True))
    return replace(problem, prior=replace(problem.prior, chance=None, table=even))


def relabelled_basis(program: Program, label: NDArray[np.int64]) -> list[int]:
    """The tight constraints of relabelled GM in a program that has one variable for each entry, or pair of entries."""
    n, variable = program.problem.n, program.variable
    answers = np.arange(n + 1)
    # The labels rise: the outputs of an answer are neighbours.
    low, high = np.searchsorted(label, answers), np.searchsorted(label, answers, side="right") - 1
    unused = np.flatnonzero(high < low)
    low[unused] = high[unused] = unused
    before = answers < low[:, None]
    tied = before | (answers > high[:, None])
    nearer = np.where(before, answers + 1, answers - 1)
    head, tail = variable, variable[answers[:, None], nearer]
    if len(unused):
        swapped = np.zeros(tied.shape, dtype=bool)
        swapped[unused] = _rising(program.problem, label, unused)
        head, tail = np.where(swapped, tail, head), np.where(swapped, head, tail)
    rows = row_numbers(program, head[tied], tail[tied])
    return sorted({*rows[rows >= 0].tolist(), *(program.first_bound + variable[unused, unused]).tolist()})


def row_numbers(program: Program, head: NDArray[np.int64], tail: NDArray[np.int64]) -> NDArray[np.int64]:
    """The ratio rows of pairs of variables, -1 where the program has none; its rows are sorted by pair."""
    pairs = program.head * program.cells + program.tail
    wanted = head * program.cells + tail
    place = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
    return np.where(pairs[place] == wanted, place, -1)


def _rising(problem: Problem, label: NDArray[np.int64], unused: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Where rows of answers without outputs rise, or stay level, from an entry's neighbour toward it."""
    problem = _evened(problem)
    n, costs = problem.n, costs_of(problem)
    uneven = max(costs.weight) > EVEN * min(costs.weight)
    p, q = problem.alpha.as_integer_ratio() if uneven else (float(problem.alpha), 1.0)
    kind = object if uneven else np.float64
    powers = np.array([p**d * q ** (n - d) for d in range(n + 1)], dtype=kind)
    distance = np.abs(np.arange(n + 1)[:, None] - np.arange(n + 1))
    cost = cost_array(problem, kind) * np.array(costs.weight, dtype=kind)
    expected = (cost[label] * powers[distance]).sum(axis=1)
    # The inverse of GM, up to its scale, is a second difference.
    sums = (p * p + q * q) * expected
    sums[:-1] -= p * q * expected[1:]
    sums[1:] -= p * q * expected[:-1]
    sums[[0, -1]] -= p * p * expected[[0, -1]]
    rest = cost[unused] * ((q * q - p * p) * q**n) - sums
    # to the right of the diagonal, and to its left read backwards
    both = _tails(np.concatenate([rest, rest[:, ::-1]]), p, q, level="RM" in problem.shape)
    right, left = both[: len(unused)], both[len(unused) :, ::-1]
    return np.asarray(np.where(np.arange(n + 1) > unused[:, None], right, left), dtype=bool)


def _tails(rest: NDArray[Any], p: float, q: float, *, level: bool) -> NDArray[np.bool_]:
    """Whether the part of a row from column j on, seen from the left, costs less than 0, so should be large."""
    negative = np.zeros(rest.shape, dtype=bool)
    value, scale, exact = rest[:, -1], np.ones_like(rest[:, -1]), rest.dtype == object
    high = 1 if level else q if exact else 1 / p
    for j in range(rest.shape[1] - 1, 0, -1):
        negative[:, j] = below = np.asarray(value < 0, dtype=bool)
        more = rest[:, j - 1]
        if exact:  # value / scale is W: the scale takes the ratio's denominator, so that integers stay integers
            scale = scale * np.where(below, 1 if level else p, q)
            more = more * scale
        value = more + value * np.where(below, high, p)
    return negative
