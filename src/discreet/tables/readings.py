"""Unbiased estimates and intervals beside the private counts: look-ups of (size, output), so they cost no privacy.

For an output i of the mechanism M of size n the estimate is v_i with sum_i v_i M[i, j] = j for every true count j, and
the interval is the exact confidence interval of `estimation.intervals`. Both are functions of output, n and mechanism
alone. An estimate may lie outside 0..n: that is what being unbiased takes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.core.mechanism import Mechanism


class Readings:
    """Estimates and intervals of every output of every size, in flat tables."""

    def __init__(self, by_size: Mapping[int, Mechanism], confidence: Fraction) -> None:
        from discreet.reading.group import intervals
        from discreet.reading.totals import count_score

        self._sizes = np.array(sorted(by_size), dtype=np.int64)
        estimates: list[float] = []
        low: list[int] = []
        high: list[int] = []
        starts = []
        for size in self._sizes.tolist():
            starts.append(len(low))
            found = intervals(by_size[size], confidence)
            low += found.low
            high += found.high
            estimates += count_score(by_size[size]).values.tolist() if size else [0.0]
        self._starts = np.array(starts, dtype=np.int64)
        self._estimates, self._low, self._high = np.array(estimates), np.array(low), np.array(high)

    def columns(
        self, sizes: NDArray[np.int64], outputs: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
        """Estimate, low and high for each released count."""
        places = self._starts[np.searchsorted(self._sizes, sizes)] + outputs
        return self._estimates[places], self._low[places], self._high[places]


def readings_of(mechanisms: Sequence[Mapping[int, Mechanism]], confidence: Fraction | None) -> list[Readings] | None:
    """The look-ups of each count, or nothing when none were asked for."""
    return None if confidence is None else [Readings(by_size, confidence) for by_size in mechanisms]
