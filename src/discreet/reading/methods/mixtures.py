"""The maximum-likelihood mixture: weights p of known components that make the observed outputs
likeliest.

Maximise l(p) = sum_i w_i log(sum_c L[i, c] p_c) over distributions p, w summing to 1. With the
slopes D_c = sum_i w_i L[i, c] / (L p)_i the maximum is at most log(max_c D_c) above l(p), because l
is concave: the search knows when it is done.

It begins with EM steps p_c <- p_c D_c, taken three at a time (SQUAREM), which always climb but may
crawl. Where they do, Newton's method goes on (Kim, Carbonetto, Stephens and Anitescu, 2020): -l(p)
+ sum_c p_c has its minimum over p >= 0 at the same p, its second-order model there is x^T H x / 2 +
(1 - 2D)^T x with H = L^T diag(w / (L p)^2) L, and the model's minimum over x >= 0 is found by an
active set (Lawson and Hanson, 1974). A step that does not climb is shortened.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_MOST_STEPS = 20_000
_PATIENCE = 30  # EM steps before Newton's are tried
_NEWTON_STEPS = 40
_RIDGE = 1e-10  # of the mean curvature: components that are nearly alike leave H nearly singular


def mixture(
    likelihood: Floats, weights: Floats, *, tolerance: float = 1e-8
) -> tuple[Floats, float]:
    """Return the likeliest p and the certified gap, which is at most `tolerance` unless rounding
    is in the way.
    """
    used = weights > 0
    table, share = likelihood[used], weights[used] / weights.sum()
    p = np.full(table.shape[1], 1 / table.shape[1])
    gap = np.inf
    for step in range(_MOST_STEPS):
        if step == _PATIENCE:
            p = _newton(table, share, p, tolerance)
        first = _slope(table, share, p)
        gap = float(np.log(first.max()))
        if gap <= tolerance:
            break
        one = p * first
        two = one * _slope(table, share, one)
        r, v = one - p, two - 2 * one + p
        length = -max(1.0, float(np.sqrt((r @ r) / max(v @ v, 1e-300))))
        leap = np.maximum(p - 2 * length * r + length * length * v, 0.0)
        leap /= leap.sum()
        better = _height(table, share, leap) >= _height(table, share, two)
        # A leap that loses, or that rules out an output that was seen, is not taken: plain EM
        # always climbs.
        p = leap * _slope(table, share, leap) if better else two
        p = p / p.sum()
    return p, max(gap, 0.0)


def _slope(table: Floats, share: Floats, p: Floats) -> Floats:
    return np.asarray(table.T @ (share / (table @ p)))


def _height(table: Floats, share: Floats, p: Floats) -> float:
    return float(share @ np.log(np.maximum(table @ p, 1e-300)))


def _newton(table: Floats, share: Floats, p: Floats, tolerance: float) -> Floats:
    """Climb from p by Newton's steps as long as they do climb."""
    height = _height(table, share, p)
    for _ in range(_NEWTON_STEPS):
        slope = _slope(table, share, p)
        if np.log(slope.max()) <= tolerance:
            break
        scaled = table * (np.sqrt(share) / (table @ p))[:, None]
        curvature = scaled.T @ scaled
        curvature[np.diag_indices_from(curvature)] += _RIDGE * np.trace(curvature) / len(p)
        wanted = _least_over_positive(curvature, 1 - 2 * slope, p > 1e-9)
        if not wanted.sum() > 0:
            break
        wanted = wanted / wanted.sum()
        length, climbed = 1.0, False
        while length > 1e-6 and not climbed:
            tried = (1 - length) * p + length * wanted
            new = _height(table, share, tried)
            climbed = new > height
            length /= 2
        if not climbed:
            break
        p, height = tried, new
    # an outright zero could never grow again in the EM steps that follow
    mixed = (1 - 1e-12) * p + 1e-12 / len(p)
    return np.asarray(mixed / mixed.sum())


def _least_over_positive(curvature: Floats, linear: Floats, free: NDArray[np.bool_]) -> Floats:
    """The minimum of x^T H x / 2 + b^T x over x >= 0, by an active set that begins with some
    free components.
    """
    x = np.zeros(len(linear))
    free = free.copy()
    for _ in range(3 * len(linear)):
        inside = np.flatnonzero(free)
        best = np.zeros(len(linear))
        best[inside] = np.linalg.solve(curvature[np.ix_(inside, inside)], -linear[inside])
        below = inside[best[inside] <= 0]
        if len(below) and x[below].max() <= 0:
            free[below] = False  # the start was no feasible point yet
            continue
        if len(below):
            stop = x[below] / (x[below] - best[below])
            x = x + stop.min() * (best - x)
            free[below[np.argmin(stop)]] = False
            x[~free] = 0.0
            continue
        x = best
        slope = curvature @ x + linear
        slope[free] = 0.0
        if slope.min() >= -1e-12 * np.abs(linear).max():
            break
        free[int(np.argmin(slope))] = True
    return x
