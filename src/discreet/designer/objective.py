"""What is minimised: the cost in integers, the tie-break after it, and the best answer to each output of GM.

*Which optimum, when there are many*: a stated rule, so that every run, machine and solver gives one matrix. In order:

1. If prior and loss are symmetric, only symmetric matrices are considered (Theorem 1: nothing is lost).
2. Among the optima, the matrix with the smallest `sum_ij weight(i, j, 1) * Pr[i|j]`, where

       weight(i, j, level) = (i - j)^2 * 2^32 + h(i, j, level)

   and h is a fixed 32-bit hash of its arguments (the upper half of splitmix64 at
   `level * 2^48 + i * 2^24 + j`). In words: the least squared error, with the hash to leave no ties.
3. If that still left a tie, the smallest sum at level 2, then 3, and so on.

The rule is applied exactly. The multipliers of the optimal basis are computed for the cost and for the levels; when
every tight inequality has a multiplier that is lexicographically positive, no other matrix has the same cost and
the same sums, so the answer is *proven* unique and cannot depend on how it was found.

*The best answers to GM* (Ghosh, Roughgarden, Sundararajan): seeing its output i as evidence about the truth, the answer
r costs `sum_j w_j loss[r][j] a^|i-j|` (up to GM's own scale for i). Of equally good answers the nearest to i is taken;
two equally near are taken by turns, which keeps symmetric problems symmetric.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import inf, lcm
from operator import lt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from discreet.core.certificate import Problem
    from discreet.core.forms import Dense
    from discreet.core.losses import Loss, Prior
    from discreet.designer.lp.program import Program

LEVELS = 4
"""How many levels the tie-break has; the first has always been enough."""

EVEN = 1000
"""Weights of a prior that differ by less than this factor are nearly even."""

CLEAR = 1e-9
"""All terms are positive and there are at most 513 of them, so a float sum is off by less than a part in 10^12:
an answer that costs this part more than the least is not the best. The rest is decided in integers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """`loss[i][j] / loss_scale` is the cost of answer i when the truth is j, `weight[j] / weight_scale` the prior.

    `flat` says that the mean cost alone is likely to leave many optima: some input has no weight, or some answer
    costs no more than one nearer the truth. A loss that grows strictly away from the diagonal rarely leaves any.
    """

    loss: tuple[tuple[int, ...], ...]
    loss_scale: int
    weight: tuple[int, ...]
    weight_scale: int
    flat: bool

    @property
    def scale(self) -> int:
        """The scale of `weight * loss`."""
        return self.loss_scale * self.weight_scale


def costs_of(problem: Problem) -> Costs:
    """Return a problem's costs as integers."""
    return _costs(problem.loss, problem.prior)


@lru_cache(maxsize=32)
def _costs(loss: Loss, prior: Prior) -> Costs:
    n = loss.n
    if (by_distance := loss.by_distance) is None:
        exact = loss.matrix
    else:
        exact = tuple(tuple(by_distance[abs(i - j)] for j in range(n + 1)) for i in range(n + 1))
    loss_scale = lcm(*{value.denominator for row in exact for value in row})
    weight_scale = lcm(*{w.denominator for w in prior.weights})
    whole = tuple(tuple(v.numerator * (loss_scale // v.denominator) for v in row) for row in exact)
    return Costs(
        loss=whole,
        loss_scale=loss_scale,
        weight=tuple(w.numerator * (weight_scale // w.denominator) for w in prior.weights),
        weight_scale=weight_scale,
        flat=0 in prior.weights or not all(_rises(column, j) for j, column in enumerate(zip(*whole, strict=True))),
    )


def _rises(column: Sequence[int], j: int) -> bool:
    """Whether costs rise strictly on both sides of the truth."""
    right, left = column[j:], column[j::-1]
    return all(map(lt, right, right[1:])) and all(map(lt, left, left[1:]))


def cost_of_matrix(problem: Problem, matrix: Dense) -> Fraction:
    """Return a matrix's cost exactly: the mean over the prior, or (n+1) times its largest term."""
    costs = costs_of(problem)
    columns = zip(*(map(int.__mul__, *pair) for pair in zip(costs.loss, matrix.rows, strict=True)), strict=True)
    at = [w * sum(column) for w, column in zip(costs.weight, columns, strict=True)]
    total = (problem.n + 1) * max(at) if problem.worst_case else sum(at)
    return Fraction(total, costs.scale * matrix.denominator)


def tie_weights(program: Program, level: int) -> list[int]:
    """Fold the tie-break's weights onto the program's variables."""
    size = program.problem.n + 1
    i, j = np.indices((size, size))
    weight = (i - j) ** 2 * (1 << 32) + _hash(i, j, level)
    folded = np.zeros(program.cells, dtype=np.int64)
    np.add.at(folded, program.variable.ravel(), weight.ravel())
    return [int(value) for value in folded]


def _hash(i: NDArray[np.int64], j: NDArray[np.int64], level: int) -> NDArray[np.int64]:
    """Compute the upper 32 bits of splitmix64, a fixed mixing of 64-bit integers."""
    z = ((level << 48) + (i << 24) + j).astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(32)).astype(np.int64)


def leaning_cost(program: Program, tie: list[int]) -> NDArray[np.float64]:
    """The cost for the float solve, leaning toward the tie-break, so that one solve does both.

    Where ties are likely the lean is a ten-thousandth of the cost, and both are magnified to stand clear of the
    solver's tolerances. Elsewhere it is as small as they allow; a prior whose weights differ much has no room for it.
    """
    cost = np.array([value / program.scale for value in program.cost])
    lean = np.array(tie, dtype=np.float64) / max(tie)
    if program.inputs:
        most = max((abs(amount) for entries in program.inputs for _, amount in entries), default=0) or 1
        return np.append(1e-4 * most / program.scale / (program.problem.n + 1) * lean, 1.0)
    largest = float(np.abs(cost).max()) or 1.0
    if program.costs.flat:
        return (cost / largest + 1e-4 * lean) * 1e4
    weights = program.costs.weight
    return cost / largest + 1e-7 * lean if max(weights) <= EVEN * min(weights) else cost


@lru_cache(maxsize=32)
def best_labels(problem: Problem) -> tuple[tuple[int, ...], ...]:
    """The best answer for each output, or both where two are equally good and equally near."""
    expected, error = _expected_floats(problem)
    # not `<=`: where a number is too large for a float nothing is ruled out
    best = expected.argmin(axis=1)
    close = ~(expected > (expected[np.arange(len(best)), best] * (1 + CLEAR) + error)[:, None])
    labels: list[tuple[int, ...]] = [(r,) for r in best.tolist()]
    if np.count_nonzero(close) > len(labels):  # a tie, or nearly one
        for i in np.flatnonzero(close.sum(axis=1) > 1).tolist():
            labels[i] = _nearest_best(problem, i, np.flatnonzero(close[i]).tolist())
    return tuple(labels)


def _expected_floats(problem: Problem) -> tuple[NDArray[np.float64], float]:
    """What answer r costs on output i, [i, r], nearly; and how far off numbers near a float's least may be."""
    loss, counts = problem.loss, np.arange(problem.n + 1)
    if (by_distance := loss.by_distance) is None:
        cost = np.array([[_float(c) for c in row] for row in loss.matrix])
    else:
        cost = np.array([_float(c) for c in by_distance])[np.abs(counts[:, None] - counts)]
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        if not problem.prior.uniform:
            cost *= np.array([_float(w) for w in problem.prior.weights])
        return _geometric_sums(cost, float(problem.alpha)), 1e-280 * float(cost.max())


def _float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return inf


def _nearest_best(problem: Problem, i: int, answers: Iterable[int]) -> tuple[int, ...]:
    """Of the answers to output i that are cheapest, exactly, the nearest to i: one, or one on each side."""
    costs, (p, q) = costs_of(problem), problem.alpha.as_integer_ratio()
    seen = [w * p ** abs(i - j) * q ** (problem.n - abs(i - j)) for j, w in enumerate(costs.weight)]
    price = {r: sum(map(int.__mul__, seen, costs.loss[r])) for r in answers}
    least = min(price.values())
    near = min(abs(r - i) for r in price if price[r] == least)
    return tuple(r for r in price if price[r] == least and abs(r - i) == near)


def _geometric_sums(cost: NDArray[np.float64], alpha: float) -> NDArray[np.float64]:
    """What each answer costs on each output of GM, nearly: `[i, r]` is `sum_j cost[r, j] * alpha^|i-j|`.

    A product of matrices; where that would wake threads, which cost more than it, two passes from both sides.

    >>> _geometric_sums(np.array([[0.0, 1.0], [1.0, 0.0]]), 0.5).tolist()
    [[0.5, 1.0], [1.0, 0.5]]
    """
    if len(cost) <= 64:
        counts = np.arange(float(len(cost)))
        product: NDArray[np.float64] = alpha ** np.abs(counts[:, None] - counts) @ cost.T
        return product
    before, after = np.array(cost.T), np.zeros_like(cost.T)
    for j in range(1, len(before)):
        before[j] += alpha * before[j - 1]
        after[-1 - j] = alpha * (after[-j] + cost[:, -j])
    return before + after
