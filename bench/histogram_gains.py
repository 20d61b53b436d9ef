"""What the joint design of a histogram gains over its counts one by one, and what fairness and honesty cost there."""

from __future__ import annotations

import numpy as np

import discreet as dc
from discreet.core.histogram import Histogram, misplaced

MOST_OUTPUTS = 20_000
"""Outputs of k counts, each in 0..n, for which the best reading is worked out: all of them are enumerated."""


def best_reading(n: int, k: int, epsilon: float) -> float:
    """The mean number misplaced, uniform over histograms, of k counts by GM at `epsilon` each, read as is best.

    Whatever was drawn is read as the histogram with the fewest people misplaced on average, given all k counts.
    """
    points = Histogram(n, k).points
    gm = np.array(dc.geometric(n=n, epsilon=repr(epsilon)).array)
    far = np.array([[misplaced(a, b) for b in points] for a in points], dtype=float)
    chances = np.ones((1, len(points)))
    for answer in range(k):
        column = gm[:, [point[answer] for point in points]]
        chances = (chances[:, None, :] * column[None, :, :]).reshape(-1, len(points))
    return float((chances @ far).min(axis=1).sum() / len(points))
