"""Where a scale ends: at a round number above all that it must hold."""

from __future__ import annotations

import math

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
    return float(next((f"{each * power:.12g}" for each in _ROUND if each * power >= most * (1 - 1e-9)), 10 * power))
