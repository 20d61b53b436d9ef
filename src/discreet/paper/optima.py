"""The range of a number over all optima: what the words "the best mechanism with these properties"
leave open.

Many mechanisms with WH, RM and CM have the least L0, and so have many with WH alone, up to the size
from which GM is weakly honest. The paper does not say which one it draws. A number that is linear
in the entries (the chance of being more than d off, a mean squared error, for true counts with
given weights) has a least and a largest value over them, and takes every value between, because the
optima are a convex set:

    least, largest   sum_ij loss_ij Pr[i|j]
    subject to       columns sum to 1, privacy, WH or RM and CM (which imply WH), and trace = the
                     largest trace

The largest trace is that of the certified design, in fractions; the two ends are found in floats,
to about 1e-8.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from discreet.designer.lp.float_minimum import minimise
from discreet.paper.contestants import WM, WM_COLUMNS, named
from discreet.paper.judging import Held, Places, Range, count

if TYPE_CHECKING:
    from numpy.typing import NDArray

OPEN = (WM, WM_COLUMNS)
"""The mechanisms of the experiments that the paper names by properties alone."""

_TOLERANCE = 1e-9


def with_both(sentence: Callable[[str], Places]) -> dict[str, Held]:
    """Try a sentence about WM with each mechanism of that name."""
    return {name: count(sentence(name)) for name in OPEN}


def beyond(weights: NDArray[np.float64], d: int) -> NDArray[np.float64]:
    """Return the loss whose mean is the chance of an answer more than d off, for true counts
    with these weights.
    """
    return (_distances(len(weights)) > d) * weights


def squares(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the loss whose mean is the mean squared error."""
    return _distances(len(weights)) ** 2 * weights


def over_optima(name: str, n: int, alpha: Fraction, loss: NDArray[np.float64]) -> Range:
    """Return the range of a mean loss over all optima: of WH, RM and CM, or of WH alone.

    >>> found = over_optima(WM_COLUMNS, 4, Fraction(91, 100), squares(np.full(5, 0.2)))
    >>> f"{found.low:.4f} {found.high:.4f}"
    '3.6110 3.7735'
    """
    low, high = (sign * _end(name, n, alpha, tuple((sign * loss).ravel())) for sign in (1, -1))
    return Range(
        min(low, high), max(low, high)
    )  # a single optimum comes out twice, in either order


@lru_cache(maxsize=4096)
def _end(name: str, n: int, alpha: Fraction, loss: tuple[float, ...]) -> float:
    cost = np.array(loss)
    rows, least, most = _face(name, n, alpha)
    found = minimise(cost, rows, least=least, most=most, bounds=(0, 1), tolerance=_TOLERANCE)
    return float(found.values @ cost)


@lru_cache(maxsize=64)
def _face(
    name: str, n: int, alpha: Fraction
) -> tuple[Sequence[dict[int, float]], list[float], list[float]]:
    """Return the rows of the optimal face and their bounds: entry (i, j) is variable i (n+1) +
    j.
    """
    size, a = n + 1, float(alpha)
    best = named(name, n, alpha)
    trace = float(sum((best.truth(j) for j in range(size)), Fraction(0)))
    truths = [{j * size + j: 1.0} for j in range(size)]
    ratios: list[dict[int, float]] = []
    for i in range(size):
        for j in range(size):
            here = i * size + j
            if i != j:
                inner = here + (
                    1 if j < i else -1
                )  # the neighbour in the row that is nearer to the diagonal
                nearer = here + (size if i < j else -size)  # and the one in the column
                ratios.append({here: 1.0, inner: -a})
                ratios += (
                    [{inner: 1.0, here: -1.0}, {nearer: 1.0, here: -1.0}]
                    if name == WM_COLUMNS
                    else [{inner: 1.0, here: -a}]
                )
    rows = [
        *({i * size + j: 1.0 for i in range(size)} for j in range(size)),
        {j * size + j: 1.0 for j in range(size)},
        *truths,
        *ratios,
    ]
    least = [*[1.0] * size, trace, *[1 / size] * size, *[0.0] * len(ratios)]
    most = [*[1.0] * size, *[np.inf] * (1 + size + len(ratios))]
    return rows, least, most


def _distances(size: int) -> NDArray[np.int64]:
    i = np.arange(size)
    found: NDArray[np.int64] = np.abs(i[:, None] - i[None, :])
    return found
