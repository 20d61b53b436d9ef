"""The basis of the optimum without properties: GM with each output relabelled (Ghosh et al.), written down.

Answer r's row falls by alpha on both sides of the outputs labelled r. An answer that no output is labelled with has a
row of zeros, or of its weak honesty's floor; there the multipliers decide which rows are tight. With the multipliers y
of the column sums, `rc[j] = cost[r, j] - y[j]` is what one more unit at (r, j) costs, and away from the diagonal what
the tail of the row costs per unit of its first entry is

    W[j] = rc[j] + ratio * W[j+1],     ratio the smallest allowed (alpha) if W[j+1] >= 0, else the largest:

1/alpha, or 1 with row monotonicity. Tied so, every multiplier is non-negative: the basis is dual feasible.

For a prior whose weights differ little floats tell the signs; else all is done in integers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.designer.labels import best_labels
from discreet.designer.lp.costs import costs_of
from discreet.designer.simplex.tiebreak import EVEN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.core.certificate import Problem
    from discreet.designer.lp.program import Program


def labels(problem: Problem) -> NDArray[np.int64]:
    """The best answer for each output of GM; in a symmetric problem, the same read backwards."""
    label = np.array([chosen[0] for chosen in best_labels(problem)])
    if problem.prior.symmetric and problem.loss.symmetric:
        half = problem.n // 2
        label[half + 1 :] = problem.n - label[: problem.n - half][::-1]
    return label


def relabelled_basis(program: Program, label: NDArray[np.int64]) -> list[int]:
    """The tight constraints of relabelled GM in a program that has one variable for each entry, or pair of entries."""
    n, variable = program.problem.n, program.variable
    low, high = np.arange(n + 1), np.arange(n + 1)
    for answer in range(n + 1):
        if len(mine := np.flatnonzero(label == answer)):
            low[answer], high[answer] = mine[0], mine[-1]
    unused = np.setdiff1d(np.arange(n + 1), label)
    r, j = np.indices((n + 1, n + 1))
    step = np.where(j < low[:, None], 1, -1)
    tied = (j < low[:, None]) | (j > high[:, None])
    head, tail = variable[r, j], variable[r, (j + step) % (n + 1)]
    if len(unused):
        swapped = np.zeros_like(tied)
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
    n, costs = problem.n, costs_of(problem)
    uneven = max(costs.weight) > EVEN * min(costs.weight)
    p, q = problem.alpha.as_integer_ratio() if uneven else (float(problem.alpha), 1.0)
    kind = object if uneven else np.float64
    powers = np.array([p**d * q ** (n - d) for d in range(n + 1)], dtype=kind)
    cost = np.array(costs.loss, dtype=kind) * np.array(costs.weight, dtype=kind)
    distance = np.abs(np.subtract.outer(np.arange(n + 1), np.arange(n + 1)))
    expected = (cost[label] * powers[distance]).sum(axis=1)
    # The inverse of GM, up to its scale, is a second difference.
    sums = (p * p + q * q) * expected
    sums[:-1] -= p * q * expected[1:]
    sums[1:] -= p * q * expected[:-1]
    sums[[0, -1]] -= p * p * expected[[0, -1]]
    rest = cost[unused] * ((q * q - p * p) * q**n) - sums
    level = "RM" in problem.shape
    right = _tails(rest, p, q, level=level)
    left = _tails(rest[:, ::-1], p, q, level=level)[:, ::-1]
    return np.asarray(np.where(np.arange(n + 1) > unused[:, None], right, left), dtype=bool)


def _tails(rest: NDArray[Any], p: float, q: float, *, level: bool) -> NDArray[np.bool_]:
    """Whether what lies from column j on, seen from the left, has a negative worth, so that it should be large."""
    negative = np.zeros(rest.shape, dtype=bool)
    value, scale = rest[:, -1], np.ones_like(rest[:, -1])
    high, low = (1, 1) if level else (q, p)
    for j in range(rest.shape[1] - 1, 0, -1):
        negative[:, j] = below = np.asarray(value < 0, dtype=bool)
        # value / scale is W: the scale takes the ratio's denominator, so that integers stay integers
        scale = scale * np.where(below, low, q)
        value = rest[:, j - 1] * scale + value * np.where(below, high, p)
    return negative
