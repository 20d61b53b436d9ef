"""Where a walk starts: the optimum without properties is known, and the one asked for is a short
walk from it.

For a mean cost whose loss grows away from the diagonal the optimum without properties is GM with
each output relabelled, and its basis can be written down (`relabelled_basis`). Properties only add
rows, so it stays dual feasible: simplex in the dual program walks from there to the whole shape, in
a few hundred steps where a cold start takes many thousand. Fairness is added as equations between
diagonal entries, because its own program has one variable for all of them.

Answer r's row of relabelled GM falls by alpha on both sides of the outputs labelled r. An answer
that no output is labelled with has a row of zeros, or of the floor that weak honesty sets; there
the multipliers decide which rows are tight. With the multipliers y of the column sums, `rc[j] =
cost[r, j] - y[j]` is what one more unit at (r, j) costs, and away from the diagonal what the tail
of the row costs per unit of its first entry is

    W[j] = rc[j] + ratio * W[j+1],     ratio the smallest allowed (alpha) if W[j+1] >= 0, else the
                                       largest:

1/alpha, or 1 with row monotonicity. With these ties every multiplier is non-negative: the basis is
dual feasible. For a prior whose weights differ little the signs are found in floats, otherwise in
integers.

Everything here only suggests a basis; `simplex.pivots` decides.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.certificate import costs_of
from discreet.designer.lp.highs import EVEN, uneven
from discreet.designer.lp.program import KINDS, cost_array
from discreet.designer.theorems.closed_form import best_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from discreet.core.certificate import Problem
    from discreet.designer.lp.program import Program


NEAR, NEAR_UNEVEN = 1, 3
"""How far from the diagonal a long walk looks at first, and under a prior whose weights differ
much.
"""


def known_start(problem: Problem) -> NDArray[np.int64] | None:
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


def labels(problem: Problem) -> NDArray[np.int64]:
    """The best answer for each output of GM; in a symmetric problem, the same read backwards."""
    problem = _evened(problem)
    label = np.array([chosen[0] for chosen in best_labels(problem)])
    if problem.prior.symmetric and problem.loss.symmetric:
        half = problem.n // 2
        label[half + 1 :] = problem.n - label[: problem.n - half][::-1]
    return label


def _evened(problem: Problem) -> Problem:
    """Where symmetry is asked for, a matrix costs as much under the mean of the prior and its
    image: ask with that.
    """
    if "S" not in problem.shape or problem.prior.symmetric or not problem.loss.symmetric:
        return problem
    weights = problem.prior.weights
    even = tuple((a + b) / 2 for a, b in zip(weights, reversed(weights), strict=True))
    return replace(problem, prior=replace(problem.prior, chance=None, table=even))


def relabelled_basis(program: Program, label: NDArray[np.int64]) -> list[int]:
    """The tight constraints of relabelled GM in a program that has one variable for each entry,
    or pair of entries.
    """
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
    return sorted(
        {*rows[rows >= 0].tolist(), *(program.first_bound + variable[unused, unused]).tolist()}
    )


def row_numbers(
    program: Program, head: NDArray[np.int64], tail: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The ratio rows of pairs of variables, -1 where the program has none; its rows are sorted
    by pair.
    """
    pairs = program.head * program.cells + program.tail
    wanted = head * program.cells + tail
    place = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
    return np.where(pairs[place] == wanted, place, -1)


def likeliest(program: Program) -> bool:
    """Whether the truth is to be the likeliest answer and nothing else counts: GM as it is is
    then the nearer start.
    """
    names = program.problem.shape.names
    return (
        program.problem.loss.tail == 0
        and "CH" in names
        and "CM" not in names
        and not uneven(program)
    )


def far_rows(program: Program, start: Sequence[int]) -> NDArray[np.int64]:
    """The rows of properties about entries that are not near the diagonal, those of a start apart.

    Without them a walk is shorter, and so is the walk from its end to the whole shape: where one
    walk would be long, both take less time together. Where the weights of a prior differ much, a
    little more is near the diagonal.
    """
    near = NEAR_UNEVEN if uneven(program) else NEAR
    far = np.maximum(program.distance[program.head], program.distance[program.tail]) > near
    far[program.kind == KINDS.index("dp")] = False
    far[[k for k in start if k < program.first_bound]] = False
    return np.flatnonzero(far)


def _rising(
    problem: Problem, label: NDArray[np.int64], unused: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Where rows of answers without outputs rise, or stay level, from an entry's neighbour
    toward it.
    """
    problem = _evened(problem)
    n, costs = problem.n, costs_of(problem)
    exact = max(costs.weight) > EVEN * min(costs.weight)
    p, q = problem.alpha.as_integer_ratio() if exact else (float(problem.alpha), 1.0)
    kind = object if exact else np.float64
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
    """Whether the part of a row from column j on, seen from the left, costs less than 0, so
    should be large.
    """
    negative, exact = np.zeros(rest.shape, dtype=bool), rest.dtype == object
    high = 1 if level else q if exact else 1 / p
    for line, signs in zip(rest.tolist(), negative, strict=True):
        scale: float = 1
        value = line[-1]
        for j in range(len(line) - 1, 0, -1):
            below = value < 0
            if below:
                signs[j] = True
            more = line[j - 1]
            # value / scale is W: the scale takes the ratio's denominator, so that integers stay
            # integers
            if exact:
                scale *= (1 if level else p) if below else q
                more *= scale
            value = more + value * (high if below else p)
    return negative
