"""Exact binomial tails and Clopper-Pearson bounds, for whole arrays, without SciPy.

The chance of k or more successes in N draws of chance s is the incomplete beta function,

    U(k; N, s) = sum_{i >= k} C(N, i) s^i (1-s)^(N-i) = I_s(k, N-k+1),

evaluated by its continued fraction (Lentz's method). The Clopper-Pearson lower bound is the s at
which U equals the allowed error. log U is an increasing concave function of log s (the beta density
is log-concave there), so every Newton step lands **at or below** the solution: stopping early errs
on the safe side, never on the other.

The rounding of `math.lgamma` is at most a few units in the last place, under 1e-5 for the 10^9
draws allowed; that much of the error rate is given away, so that a bound holds in floats as it does
on paper.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

MAX_DRAWS = 10**9
"""The most draws of one input for which the stated rounding holds."""

_GIVEN_AWAY = 1e-5
_TINY = 1e-300
_PRECISION = 1e-13

Floats = NDArray[np.float64]


def log_tail(successes: ArrayLike, draws: ArrayLike, chance: ArrayLike) -> Floats:
    """Return log Pr[X >= successes] for X ~ Binomial(draws, chance), for successes at or above the
    mean.

    >>> round(float(np.exp(log_tail(9, 10, 0.5))), 12)  # 11 / 1024
    0.0107421875
    """
    k, total, s = np.broadcast_arrays(_floats(successes), _floats(draws), _floats(chance))
    flat = [np.ravel(a) for a in (k, total, s)]
    with np.errstate(divide="ignore"):
        x = np.log(flat[2])
    return _log_upper(flat[0], flat[1], x, _log_choose(flat[0], flat[1]))[0].reshape(k.shape)


def log_extreme(
    successes: ArrayLike,
    draws: ArrayLike,
    chance: ArrayLike,
    *,
    slack: float = 0.0,
    deviations: float = 0.0,
) -> Floats:
    """Return the log of the chance of a count as far out on its own side of the mean: double it for
    both sides.

    A count within `slack`, or within so many standard deviations, of the mean is unremarkable and
    gets log 1 = 0.
    """
    k, total, p = np.broadcast_arrays(_floats(successes), _floats(draws), _floats(chance))
    room = np.maximum(slack, deviations * np.sqrt(total * p * (1 - p)))
    above, below = k > total * p + room, k < total * p - room
    answer = np.zeros(k.shape)
    answer[above] = log_tail(k[above], total[above], p[above])
    answer[below] = log_tail((total - k)[below], total[below], 1 - p[below])
    return answer


def lower_bound(successes: ArrayLike, draws: ArrayLike, error: float) -> Floats:
    """Return the Clopper-Pearson lower bound on the chance of success: it exceeds the truth with
    chance <= error.

    >>> print(f"{float(lower_bound(10, 10, 0.025)):.4f}")  # 0.025 ** (1/10)
    0.6915
    """
    return np.exp(_log_lower(successes, draws, error)) * (1 - 1e-12)


def upper_bound(successes: ArrayLike, draws: ArrayLike, error: float) -> Floats:
    """Return the Clopper-Pearson upper bound: it is below the truth with chance <= error.

    >>> print(
    ...     f"{float(upper_bound(0, 1000, 0.05)):.6f}"
    ... )  # 1 - 0.05 ** (1/1000): the "rule of three"
    0.002991
    """
    k, total = np.broadcast_arrays(_floats(successes), _floats(draws))
    return np.minimum(1.0, -np.expm1(_log_lower(total - k, total, error)) * (1 + 1e-12))


def _log_lower(successes: ArrayLike, draws: ArrayLike, error: float) -> Floats:
    k, total = np.broadcast_arrays(_floats(successes), _floats(draws))
    shape = k.shape
    answer = np.full(k.size, -np.inf)
    some = np.flatnonzero(np.ravel(k) > 0)
    if some.size:
        answer[some] = _solve(
            np.ravel(k)[some], np.ravel(total)[some], math.log(error * (1 - _GIVEN_AWAY))
        )
    return answer.reshape(shape)


def _solve(k: Floats, total: Floats, target: float) -> Floats:
    choose = _log_choose(k, total)
    # Bernstein's inequality: a start below the solution but near it
    share, width = k / total, -2 * target / total
    x = np.log(
        np.maximum(share - np.sqrt(share * (1 - share) * width) - width, share * math.exp(target))
    )
    for _ in range(60):
        value, slope = _log_upper(k, total, x, choose)
        step = (target - value) / slope
        x = np.minimum(x + step, -1e-16)
        if float(np.max(np.abs(step))) < 1e-12:
            break
    # one last step cannot overshoot but for rounding: keep what was checked to be at or below the
    # target
    value, slope = _log_upper(k, total, x, choose)
    return np.where(value > target, x - 2 * (value - target) / slope - 1e-13, x)


def _log_upper(k: Floats, total: Floats, x: Floats, choose: Floats) -> tuple[Floats, Floats]:
    """Return log U at s = exp(x) and its derivative in x, which is k / ((1-s) h), h the
    continued fraction.
    """
    s, rest = np.exp(x), -np.expm1(x)
    h = _continued_fraction(k, total - k + 1, s)
    with np.errstate(divide="ignore", invalid="ignore"):
        failures = np.where(total > k, (total - k) * np.log(rest), 0.0)
        value = choose + k * x + failures + np.log(rest * h)
        value = np.where(k == total, k * x, np.where(k == 0, 0.0, value))
        slope = np.where(k == total, k, k / (rest * h))
    return np.minimum(value, 0.0), slope


def _continued_fraction(a: Floats, b: Floats, s: Floats) -> Floats:
    """Return h of I_s(a, b) = s^a (1-s)^b / (a B(a, b)) * h, by the modified Lentz method."""
    c = np.ones_like(s)
    d = 1 / _away(1 - (a + b) * s / (a + 1))
    h = d.copy()
    live = np.arange(s.size)
    for m in range(1, 100_000):
        aa, bb, ss, hh, dd, cc = a[live], b[live], s[live], h[live], d[live], c[live]
        even = m * (bb - m) * ss / ((aa + 2 * m - 1) * (aa + 2 * m))
        dd, cc = 1 / _away(1 + even * dd), _away(1 + even / cc)
        hh = hh * dd * cc
        odd = -(aa + m) * (aa + bb + m) * ss / ((aa + 2 * m) * (aa + 2 * m + 1))
        dd, cc = 1 / _away(1 + odd * dd), _away(1 + odd / cc)
        change = dd * cc
        hh = hh * change
        h[live], d[live], c[live] = hh, dd, cc
        live = live[np.abs(change - 1) > _PRECISION]
        if not live.size:
            break
    return h


def _away(x: Floats) -> Floats:
    return np.where(np.abs(x) < _TINY, _TINY, x)


def _log_choose(k: Floats, total: Floats) -> Floats:
    lgamma = math.lgamma
    pairs = zip(k.tolist(), total.tolist(), strict=True)
    return np.array([lgamma(t + 1) - lgamma(c + 1) - lgamma(t - c + 1) for c, t in pairs])


def _floats(x: ArrayLike) -> Floats:
    return np.asarray(x, dtype=np.float64)
