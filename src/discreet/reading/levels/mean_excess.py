"""A margin for sums in which a few terms make most of the noise: the mean excess of Laplace noise.

Write X <= Y in the convex order when E f(X) <= E f(Y) for every convex f. It is kept by weighted
sums of independent terms, and it bounds tails: with the *mean excess* M(d) of Y, the mean of Y over
its largest values of chance d,

    X <= Y  implies  Pr[X >= M(d)] <= d,      because M(d) is at least the mean excess of X.

**Debiased GM is below Laplace noise of scale 1/epsilon, for every size and every true count.** Its
error is v(Y) - j, and v is the mean of the unclamped noise given the clamped output, so by Jensen's
inequality it is below two-sided geometric noise D. And D is below Laplace L: the order holds if the
mean excess of D is at most that of L at every chance d = a^(k+1)/(1+a) where D's is not linear,
that is

    k + 1/(1-a) <= (1 + ln(1/(2d)))/epsilon,   or   a epsilon/(1-a) <= 1 + ln((1+a)/2),

which is an equality in the limit epsilon = 0, and grows apart with epsilon because tanh(epsilon/2)
<= epsilon/2.

For any other mechanism `scale_of` finds the smallest scale in the same way, from its matrix.

So the error of an estimate with weights w is below sum_k |w_k| b_k L_k. Of that sum we keep the
variance 2 sum (w_k b_k)^2 and how concentrated it is, N = sum (w_k b_k)^2 / max (w_k b_k)^2, and
take the mean excess of N equal Laplace variables of the same variance: exact for equal weights,
and, for a few large weights among many small ones, more concentrated than the truth. |sum of N| is
a mixture of gamma laws of shape m = 1..N with weights C(2N-1-m, N-1) 2^m / 2^(2N-1), so that
everything has a closed form.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb, exp, pi, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from discreet.reading.levels.tree import Floats
from discreet.reading.methods.debiasing import NotEstimable

if TYPE_CHECKING:
    from discreet.reading.methods.debiasing import Score

# Laplace terms that are told from the normal limit by more than their number in a line of 1/N
_MOST = 40


def scale_of(score: Score) -> float:
    """Return the smallest scale of Laplace noise that is above a score's noise at every true count.

    >>> from discreet.core.named import geometric
    >>> from discreet.reading.totals import count_score
    >>> scale_of(count_score(geometric(n=30, epsilon=1))) <= 1
    True
    """
    law = score.law()
    if law is None:
        raise NotEstimable(f"the matrix of a group of {score.n} is too large to write out")
    order = np.argsort(law.errors[:, 0])
    chances, off = law.matrix[order], law.errors[order]
    found = 0.0
    for errors, mass in ((off, chances), (-off[::-1], chances[::-1])):
        tail = np.cumsum(mass[::-1], axis=0)[::-1]
        above = np.cumsum((mass * errors)[::-1], axis=0)[::-1]
        used = (tail > 1e-13) & (tail <= 0.5)  # the rest is the other side's
        excess = above[used] / tail[used]
        found = max(found, float((excess / (1 + np.log(1 / (2 * tail[used])))).max(initial=0.0)))
    return found


def mean_excess(rate: float, concentration: Floats) -> Floats:
    """Return, in standard deviations, the mean of the largest values of chance `rate` of N =
    1/concentration terms.

    >>> mean_excess(0.025, np.array([0.0, 1.0])).round(3).tolist()
    [2.338, 2.825]
    """
    knots = _table(rate)
    places = np.array([0.0, *(1 / terms for terms in range(_MOST, 0, -1))])
    return np.interp(concentration, places, knots)


@lru_cache(maxsize=64)
def _table(rate: float) -> Floats:
    z = NormalDist().inv_cdf(1 - rate)
    normal = exp(-z * z / 2) / sqrt(2 * pi) / rate
    return np.array([normal, *(_of_laplace(rate, terms) for terms in range(_MOST, 0, -1))])


def _of_laplace(rate: float, terms: int) -> float:
    """The mean excess of the sum of `terms` Laplace variables, over its standard deviation."""
    weights = [
        comb(2 * terms - 1 - m, terms - 1) * 2**m / 2 ** (2 * terms - 1)
        for m in range(1, terms + 1)
    ]

    def tails(u: float) -> list[float]:
        """Pr[Gamma(m) > u] for m = 1..terms+1."""
        found: list[float] = []
        part = exp(-u)
        for m in range(terms + 1):
            found.append(part + (found[-1] if found else 0.0))
            part *= u / (m + 1)
        return found

    low, high = 0.0, 60.0 + 10 * terms
    for _ in range(80):
        middle = (low + high) / 2
        chance = sum(w * t for w, t in zip(weights, tails(middle), strict=False)) / 2
        low, high = (middle, high) if chance > rate else (low, middle)
    beyond = tails(high)
    mean = sum(w * m * beyond[m] for m, w in enumerate(weights, start=1)) / 2
    return float(mean / rate / sqrt(2 * terms))
