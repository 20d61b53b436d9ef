"""Where to start: from the optimum without properties, which is known, the asked one is a short walk.

For a mean cost whose loss grows away from the diagonal the optimum without properties is GM with each output
relabelled (Ghosh et al.), and its basis can be written down. Properties only add rows, so it stays dual
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

from discreet.designer.canonical import leaning_cost, tie_weights
from discreet.designer.costs import costs_of, geometric_sums
from discreet.designer.program import Program, build
from discreet.designer.solver import solve
from discreet.properties import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from discreet.certificate import Problem

SMALLEST = 1e-6
"""Entries of about this size and below are near the solver's tolerances: it then works in scaled variables."""


def candidate_bases(program: Program, *, deadline: float) -> Iterator[list[int]]:
    """Suggest bases, the likeliest first, while there is time."""
    scaled = float(program.problem.alpha) ** program.problem.n < SMALLEST
    if (walked := _walk(program, scaled=scaled, deadline=deadline)) is not None:
        yield walked
    large = program.problem.n > 40 and float(program.problem.alpha) > 0.75
    cost = leaning_cost(program, tie_weights(program, 1))
    for method in ("ipm", "simplex") if large else ("simplex", "ipm"):
        for scale in (scaled, not scaled):
            left = deadline - time.monotonic()
            if left > 0 and (found := solve(program, cost, method=method, scaled=scale, seconds=left)) is not None:
                yield found


def on_the_face(
    program: Program, always: list[int], weights: dict[int, float] | None, basis: list[int], *, deadline: float
) -> list[int] | None:
    """Suggest a basis among the points where the constraints in `always` are tight.

    The best for the sum of weight times slack; without weights, the one the tie-break prefers.
    """
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
        cost /= np.abs(cost).max() or 1.0
    scaled = float(program.problem.alpha) ** program.problem.n < SMALLEST
    left = min(deadline - time.monotonic(), 1 + (program.problem.n / 50) ** 3)
    return solve(program, cost, scaled=scaled, seconds=left, start=basis, fixed=always)


def _walk(program: Program, *, scaled: bool, deadline: float) -> list[int] | None:
    """Walk from relabelled GM to the asked shape by dual simplex; None where that start is not known."""
    problem = program.problem
    if problem.worst_case or problem.alpha == 1 or problem.shape.output_dp == 1 or problem.n < 2:
        return None
    label = _labels(problem)
    if (np.diff(label) < 0).any():
        return None
    here, equal = _loosened(program)
    cost = leaning_cost(here, tie_weights(here, 1))
    # Far longer than the walk takes; if it is stuck, the cold solvers have their turn.
    left = min(deadline - time.monotonic(), 1 + (problem.n / 50) ** 3)
    start = _relabelled_basis(here, label)
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


def _labels(problem: Problem) -> NDArray[np.int64]:
    """The best answer for each output of GM, in floats; in a symmetric problem, the same read backwards."""
    n = problem.n
    costs = costs_of(problem)
    weights = np.array([w / costs.weight_scale for w in costs.weight])
    loss = np.array([[value / costs.loss_scale for value in row] for row in costs.loss])
    # Each output's costs are divided by the largest, so that the tolerance for ties means the same for all.
    expected = geometric_sums(loss * weights, float(problem.alpha)).T
    expected = expected / np.abs(expected).max(axis=0, initial=0, where=expected > 0)[None, :].clip(min=1e-300)
    least = expected.min(axis=0)
    label = (expected <= least + 1e-12).argmax(axis=0)
    if problem.prior.symmetric and problem.loss.symmetric:
        half = n // 2
        label[half + 1 :] = n - label[: n - half][::-1]
    return np.asarray(label, dtype=np.int64)


def _relabelled_basis(program: Program, label: NDArray[np.int64]) -> list[int]:
    """The basis of relabelled GM: answer r's row falls by alpha on both sides of the outputs labelled r."""
    n, variable = program.problem.n, program.variable
    low, high = np.arange(n + 1), np.arange(n + 1)
    for answer in range(n + 1):
        if len(mine := np.flatnonzero(label == answer)):
            low[answer], high[answer] = mine[0], mine[-1]
    unused = np.setdiff1d(np.arange(n + 1), label)
    r, j = np.indices((n + 1, n + 1))
    step = np.where(j < low[:, None], 1, -1)
    tied = (j < low[:, None]) | (j > high[:, None])
    rows = _row_numbers(program, variable[r, j][tied], variable[r, (j + step) % (n + 1)][tied])
    return sorted({*rows[rows >= 0].tolist(), *(program.first_bound + variable[unused, unused]).tolist()})


def _row_numbers(program: Program, head: NDArray[np.int64], tail: NDArray[np.int64]) -> NDArray[np.int64]:
    """The ratio rows of pairs of variables, -1 where the program has none; its rows are sorted by pair."""
    pairs = program.head * program.cells + program.tail
    wanted = head * program.cells + tail
    place = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
    return np.where(pairs[place] == wanted, place, -1)


def _same(here: Program, tight: list[int], there: Program) -> list[int]:
    """The same constraints in another program for the same matrix, where it has them."""
    to = np.zeros(here.cells, dtype=np.int64)
    to[here.variable.ravel()] = there.variable.ravel()
    known = np.array(tight, dtype=np.int64)
    bounds = known[known >= here.first_bound] - here.first_bound
    ratios = known[known < here.first_bound]
    rows = _row_numbers(there, to[here.head[ratios]], to[here.tail[ratios]])
    return sorted({*rows[rows >= 0].tolist(), *(there.first_bound + to[bounds]).tolist()})
