"""Where to start: from the optimum without properties, which is known, the asked one is a short walk.

For a mean cost whose loss grows away from the diagonal the optimum without properties is GM with each output
relabelled, and its basis can be written down (`relabelled_basis`). Properties only add rows, so it stays dual
feasible: dual simplex walks from there to the whole shape, in a few hundred steps where a cold start takes many
thousand. Fairness is added as equations between diagonal entries, because its own program has one variable for
all of them.

Everything here is in floats and only suggests a basis; `pivots` decides.
"""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from discreet.core.properties import Shape
from discreet.designer.lp.highs import sizes, solve
from discreet.designer.lp.program import Program, build
from discreet.designer.lp.start_basis import labels, relabelled_basis, row_numbers
from discreet.designer.simplex.tiebreak import leaning_cost, tie_weights

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from discreet.core.certificate import Problem

SMALLEST = 1e-6
"""Entries of about this size and below are near the solver's tolerances: it then works in scaled variables."""


TRY = 60
"""Exact pivots spent on one suggested basis before the next suggestion is tried."""


def candidate_bases(program: Program, *, deadline: float) -> Iterator[tuple[list[int], int]]:
    """Suggest bases, the likeliest first, while there is time; and how many pivots each is worth."""
    problem = program.problem
    scaled = float(problem.alpha) ** problem.n < SMALLEST
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


def on_the_face(
    program: Program, always: list[int], weights: dict[int, float] | None, basis: list[int], *, deadline: float
) -> list[int] | None:
    """Suggest a basis among the points where the constraints in `always` are tight.

    The best for the sum of weight times slack; without weights, the one the tie-break prefers.
    """
    scaled = float(program.problem.alpha) ** program.problem.n < SMALLEST
    cost = np.zeros(program.cells + (1 if program.inputs else 0))
    if weights is None:
        cost[: program.cells] = np.array(tie_weights(program, 1), dtype=np.float64) / (1 << 32)
    else:
        head, tail, ratio = program.head, program.tail, [float(value) for value in program.ratios]
        for k, weight in weights.items():
            if k < program.first_bound:
                cost[head[k]] += weight
                cost[tail[k]] -= weight * ratio[program.ratio[k]]
            elif k < program.first_input:
                cost[k - program.first_bound] += weight
            else:
                cost[-1] += weight * program.scale
                for u, amount in program.inputs[k - program.first_input]:
                    cost[u] -= weight * amount
        # Divided by the largest as the solver sees it, so that what is small beside it is still above tolerances.
        cost /= np.abs(cost[: program.cells] * sizes(program, scaled=scaled)).max() or 1.0
    left = deadline - time.monotonic()
    return solve(program, cost, scaled=scaled, seconds=left, start=basis, fixed=always)


def _known_start(problem: Problem) -> NDArray[np.int64] | None:
    """The labels of GM's outputs, where its basis is a start."""
    if problem.worst_case or problem.alpha == 1 or problem.shape.output_dp == 1 or problem.n < 2:
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
    """The program in which diagonal entries are variables of their own, and the equations fairness adds to it."""
    shape = program.problem.shape
    if "F" not in shape:
        return program, []
    names = shape.names - {"F"}
    loose = build(replace(program.problem, shape=Shape(names=names, output_dp=shape.output_dp)))
    return loose, list(pairwise(dict.fromkeys(loose.variable.diagonal().tolist())))


def _same(here: Program, tight: list[int], there: Program) -> list[int]:
    """The same constraints in another program for the same matrix, where it has them."""
    to = np.zeros(here.cells, dtype=np.int64)
    to[here.variable.ravel()] = there.variable.ravel()
    known = np.array(tight, dtype=np.int64)
    bounds = known[known >= here.first_bound] - here.first_bound
    ratios = known[known < here.first_bound]
    rows = row_numbers(there, to[here.head[ratios]], to[here.tail[ratios]])
    return sorted({*rows[rows >= 0].tolist(), *(there.first_bound + to[bounds]).tolist()})
