"""A problem's costs as integers: loss over one scale, prior over another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import lcm
from operator import lt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from discreet.core.certificate import Problem
    from discreet.core.losses import Loss, Prior


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


def geometric_sums(cost: NDArray[np.float64], alpha: float) -> NDArray[np.float64]:
    """What each answer costs on each output of GM, nearly: `[i, r]` is `sum_j cost[r, j] * alpha^|i-j|`.

    A product of matrices; where that would wake threads, which cost more than it, two passes from both sides.

    >>> geometric_sums(np.array([[0.0, 1.0], [1.0, 0.0]]), 0.5).tolist()
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
