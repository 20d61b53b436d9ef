"""The best answer for each output of GM, seen as evidence about the truth (Ghosh, Roughgarden, Sundararajan).

Seeing GM's output i, the answer r costs `sum_j w_j loss[r][j] a^|i-j|` (up to GM's own scale for i). Of equally good
answers the nearest to i is taken; two equally near are taken by turns, which keeps symmetric problems symmetric.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from discreet.designer.lp.costs import costs_of, geometric_sums

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from discreet.core.certificate import Problem

CLEAR = 1e-9
"""All terms are positive and there are at most 513 of them, so a float sum is off by less than a part in 10^12:
an answer that costs this part more than the least is not the best. The rest is decided in integers."""


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
        return geometric_sums(cost, float(problem.alpha)), 1e-280 * float(cost.max())


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
