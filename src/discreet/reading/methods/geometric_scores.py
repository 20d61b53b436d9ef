"""GM's debiased score in closed form, exact and for groups of any size.

An inner output stands for itself; 0 and n stand for the mean of the two-sided geometric tail that was clamped
onto them, so

    v = (-a/(1-a), 1, 2, ..., n-1, n + a/(1-a)),

and the variance scores are 2a/(1-a)^2 inside and half of that at the ends. Nothing has to be solved, and for a
very large group no matrix is written out either: the noise depends on the true count only through its distance
to the ends, and not at all beyond a few multiples of 1/(1-a), so a smaller GM has the same law.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil, log

import numpy as np

from discreet.reading.methods.debiasing import LARGEST_SIZE, NotEstimable, Score, describe

_SAME_LAW = 1e-3  # how much of the noise may reach across half of the smaller group that stands for a large one


def geometric_values(n: int, alpha: Fraction) -> tuple[Fraction, ...]:
    """Return the exact score of every output, for n >= 1.

    >>> [str(v) for v in geometric_values(3, Fraction(1, 2))]
    ['-1', '1', '2', '4']
    """
    tail = alpha / (1 - alpha)
    return (-tail, *(Fraction(i) for i in range(1, n)), n + tail)


def geometric_score(n: int, alpha: Fraction) -> Score:
    """Return the score for the total of a group of size n >= 1 at alpha < 1."""
    exact = geometric_values(n, alpha)
    if n <= LARGEST_SIZE:
        return _described(n, alpha, exact)
    a = float(alpha)
    size = min(ceil(2 * log(1e9) / -log(a)) + 4, LARGEST_SIZE)
    if a ** (size / 2) > _SAME_LAW:
        raise NotEstimable(
            f"the total cannot be debiased for a group of size {n} at alpha = {a:.6g}: the noise reaches across more "
            f"than {LARGEST_SIZE} counts. Use a larger epsilon for groups of this size."
        )
    small = _described(size, alpha, geometric_values(size, alpha))
    variance_score = np.full(n + 1, 2 * a / (1 - a) ** 2)
    variance_score[[0, -1]] /= 2
    values = np.array([float(v) for v in exact])
    return replace(small, values=values, exact=exact, variance_score=variance_score)


def _described(n: int, alpha: Fraction, exact: tuple[Fraction, ...]) -> Score:
    a, counts = float(alpha), np.arange(n + 1, dtype=np.float64)
    array = (1 - a) / (1 + a) * a ** np.abs(counts[:, None] - counts[None, :])
    array[[0, -1]] /= 1 - a
    return describe(array, counts, np.array([float(v) for v in exact]), what="the total", exact=exact)
