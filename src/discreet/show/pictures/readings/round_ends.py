"""Where a scale ends: at a round number above all that it must hold."""

from __future__ import annotations

import math
from collections.abc import Iterable

from discreet.show.pictures.readings.estimate_rows import Row

_ROUND = (1, 1.5, 2, 3, 4, 5, 6, 8, 10)
"""Where a scale may end, times a power of ten."""


def round_end(most: float) -> float:
    """The least round number that is not below a number.

    >>> round_end(0.31), round_end(17), round_end(0.1), round_end(0)
    (0.4, 20.0, 0.1, 1.0)
    """
    if most <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(most))
    return float(
        next(
            (f"{each * power:.12g}" for each in _ROUND if each * power >= most * (1 - 1e-9)),
            10 * power,
        )
    )


def share_end(rows: Iterable[Row]) -> float:
    """The round share above the largest interval, of the people of its row: all of them at most.

    >>> (
    ...     share_end([Row(n=120, value=40.0, low=29.0, high=51.0), Row(n=480, value=141.0)]),
    ...     share_end([]),
    ... )
    (0.5, 1.0)
    """
    shares = [row.most / row.n for row in rows if row.n]
    return min(1.0, round_end(max(shares))) if shares else 1.0
