"""Range queries over a histogram of small groups: what a range's answer costs, exactly, and a joint
design by LP.

B cells of n people each, every person in one cell, one private bit each; cell b counts x_b ones,
and a range asks for x_l + ... + x_r. All ways of answering below are epsilon-private for one
person's bit:

    per cell      each cell with epsilon (different people); a range is the sum of its cells
    per range     every range by itself; a person sits in up to ceil(B/2) floor(B/2 + 1) ranges, and
                  epsilon is split
    dyadic        a binary tree of blocks; a person sits in log2(B) + 1 of them, epsilon is split,
                  ranges are sums
    joint         one mechanism on whole histograms, designed by a linear program for the mean loss
                  over all ranges

The errors of the first three follow from the matrices: with Binomial(n, p) cells, bias b(j) and
variance v(j), a sum of independent answers has mean square error sum (E v + Var b) + (sum E b)^2.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.named import geometric
from discreet.designer.lp.float_minimum import minimise
from discreet.paper.simulation import binomial_weights, expected_square

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.core.mechanism import Mechanism


@dataclass(frozen=True, slots=True, kw_only=True)
class Errors:
    """What one answer adds to a sum: its mean bias, and the variance around it (over data and
    noise).
    """

    bias: float
    variance: float


def ranges(cells: int) -> list[tuple[int, int]]:
    """Return all ranges [l, r] over the cells.

    >>> ranges(2)
    [(0, 0), (0, 1), (1, 1)]
    """
    return [(left, right) for left in range(cells) for right in range(left, cells)]


def most_ranges(cells: int) -> int:
    """Return how many ranges the middle cell is in: the number by which epsilon is split.

    >>> most_ranges(4), most_ranges(5)
    (6, 9)
    """
    return max((b + 1) * (cells - b) for b in range(cells))


def blocks(left: int, right: int, cells: int) -> list[int]:
    """Return the sizes of the dyadic blocks that make up a range; `cells` is a power of two.

    >>> blocks(1, 6, 8)
    [1, 2, 2, 1]
    """

    def cut(start: int, size: int) -> list[int]:
        if right < start or left >= start + size:
            return []
        if left <= start and start + size - 1 <= right:
            return [size]
        return cut(start, size // 2) + cut(start + size // 2, size // 2)

    return cut(0, cells)


def errors(m: Mechanism, p: float) -> Errors:
    """Return bias and variance of the answer as released, on Binomial(n, p) data."""
    weights, i = binomial_weights(m.n, p), np.arange(m.n + 1)
    bias = m.array.T @ i - i
    mean = float(bias @ weights)
    return Errors(bias=mean, variance=expected_square(m, weights) - mean**2)


def unbiased_errors(m: Mechanism, p: float) -> Errors:
    """Return bias (none) and variance of the answer debiased by the inverse matrix."""
    weights, i = binomial_weights(m.n, p), np.arange(m.n + 1)
    scores = np.linalg.solve(m.array.T, i.astype(float))
    variance = m.array.T @ scores**2 - i**2
    return Errors(bias=0.0, variance=float(variance @ weights))


def summed(parts: list[Errors]) -> float:
    """Return the root mean square error of a sum of independent answers."""
    return float(
        np.sqrt(sum(part.variance for part in parts) + sum(part.bias for part in parts) ** 2)
    )


# --- the joint design
# ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Joint:
    """A mechanism on whole histograms in floats: matrix [output, truth] over `histograms`. A
    study, not for release.
    """

    histograms: tuple[tuple[int, ...], ...]
    matrix: NDArray[np.float64]
    cost: float


def histograms(cells: int, n: int) -> tuple[tuple[int, ...], ...]:
    """Return all histograms of `cells` counts in 0..n."""
    return tuple(product(range(n + 1), repeat=cells))


def range_loss(cells: int, n: int, power: float, whole: float | None = None) -> NDArray[np.float64]:
    """Return the loss of answering one histogram when another is true: the mean over ranges of
    |error|^power.

    All ranges weigh alike, or the whole histogram weighs `whole` and the other ranges share the
    rest.
    """
    all_ranges, points = ranges(cells), histograms(cells, n)
    answers = np.array(
        [[sum(point[left : right + 1]) for left, right in all_ranges] for point in points]
    )
    gap = np.abs(answers[:, None, :] - answers[None, :, :]).astype(float)
    rest = len(all_ranges) - 1
    share = 1 / len(all_ranges) if whole is None else whole
    weights = [
        share if each == (0, cells - 1) else (1 - share) / max(rest, 1) for each in all_ranges
    ]
    loss: NDArray[np.float64] = ((gap > 0) if power == 0 else gap**power) @ np.array(weights)
    return loss


def joint(cells: int, n: int, alpha: float, power: float, whole: float | None = None) -> Joint:
    """Return the optimum over all mechanisms on whole histograms, for uniform histograms."""
    points = histograms(cells, n)
    index = {point: k for k, point in enumerate(points)}
    size = len(points)
    loss = range_loss(cells, n, power, whole) / size
    rows = [{i * size + j: 1.0 for i in range(size)} for j in range(size)]
    for point, j in index.items():
        for cell in range(cells):
            up = (*point[:cell], point[cell] + 1, *point[cell + 1 :])
            if up in index:
                for i in range(size):
                    x, y = i * size + j, i * size + index[up]
                    rows += [{x: 1.0, y: -alpha}, {y: 1.0, x: -alpha}]
    ratios = len(rows) - size
    found = minimise(
        loss.ravel(),
        rows,
        least=[1.0] * size + [0.0] * ratios,
        most=[1.0] * size + [np.inf] * ratios,
        bounds=(0.0, 1.0),
    )
    return Joint(histograms=points, matrix=found.values.reshape(size, size), cost=found.cost)


def product_cost(m: Mechanism, cells: int, power: float, whole: float | None = None) -> float:
    """Return the same cost for answering each cell on its own with one mechanism."""
    matrix: NDArray[Any] = m.array
    for _ in range(cells - 1):
        matrix = np.kron(matrix, m.array)
    return float((matrix * range_loss(cells, m.n, power, whole)).sum() / len(matrix))


@lru_cache(maxsize=256)
def truncated(n: int, alpha: Fraction) -> Mechanism:
    """GM, for blocks and ranges of any size."""
    return geometric(n=n, alpha=alpha)
