"""What is known of the noise of many estimates: enough for their standard errors and for honest
intervals.

The noise of an estimate is sum_k W_k e_k, with fixed weights W and independent debiased errors e.
Of the errors ten facts are kept (`LevelNoise`), each carried as a sum of W^2 q, one as a sum of W^4
q, or as a maximum of |W| q. So they can be added (a subtotal, the difference of two releases) and
scaled without another look at the weights.

An interval is made by one of two bounds, chosen by sizes, weights and mechanisms alone, never by
what was released:

- many terms (the worst variances add up to more than twenty times the largest one): the normal
  limit, as in `methods.sums`, with an upper limit on the variance that a tenth of the error rate
  pays for, the largest skewness that true counts could give, and half the widest step;
- otherwise the mean excess of Laplace noise (`mean_excess`), which holds at every true count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.reading.levels.mean_excess import mean_excess
from discreet.reading.levels.tree import Floats, Integers, sum_by
from discreet.reading.methods.sums import FEW_GROUPS, VARIANCE_SHARE

if TYPE_CHECKING:
    from discreet.reading.levels.level_noise import LevelNoise

MEAN_EXCESS = "a bound that holds at every true count"
_SUMS = ("estimated", "least", "worst", "laplace", "flat")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ErrorFacts:
    """One number for each estimate."""

    estimated: Floats
    """The variance, estimated from the release without bias."""
    least: Floats
    worst: Floats
    """The smallest and the largest variance that true counts could give."""
    laplace: Floats
    """The variance of the Laplace noise that bounds it."""
    flat: Floats
    """The largest variance of the variance score: the sum of W^4 q."""
    one_worst: Floats
    one_laplace: Floats
    """The standard deviation of the largest term, at worst and of Laplace noise."""
    ratio: Floats
    """The square root of the largest ratio of the variance score's variance to the variance."""
    skew: Floats
    step: Floats
    """The largest third moment over variance, and the widest gap between neighbouring values."""

    @property
    def many(self) -> NDArray[np.bool_]:
        """Whether the noise is made of more than twenty terms' worth."""
        return np.asarray(self.worst > FEW_GROUPS * self.one_worst**2)

    @property
    def standard_error(self) -> Floats:
        """From the release, kept within what the mechanisms allow."""
        return np.sqrt(np.clip(self.estimated, self.least, self.worst))

    def rows(self, rows: Any) -> ErrorFacts:
        """The facts of some estimates."""
        return self._each(lambda name, values: values[rows])

    def plus(self, other: ErrorFacts) -> ErrorFacts:
        """The facts of the sum, or of the difference, of estimates with independent noise."""
        join = {True: np.add, False: np.maximum}
        return self._each(lambda name, values: join[name in _SUMS](values, getattr(other, name)))

    def times(self, weights: Floats) -> ErrorFacts:
        """The facts of the estimates times fixed weights."""
        size = np.abs(weights)
        power = {"flat": 4} | dict.fromkeys(("estimated", "least", "worst", "laplace"), 2)
        return self._each(lambda name, values: values * size ** power.get(name, 1))

    def summed(self, index: Integers, groups: int) -> ErrorFacts:
        """The facts of sums of estimates with independent noise, by index."""

        def gather(name: str, values: Floats) -> Floats:
            if name in _SUMS:
                return sum_by(index, values, groups)
            found = np.zeros(groups)
            np.maximum.at(found, index, values)
            return found

        return self._each(gather)

    def margins(self, confidence: float) -> Floats:
        """The margin of each estimate to either side, with the confidence stated."""
        few, many = self._mean_excess((1 - confidence) / 2), self.many
        return np.where(many, self._normal(1 - confidence), few) if many.any() else few

    def _mean_excess(self, rate: float) -> Floats:
        total = self.laplace
        concentration = np.divide(
            self.one_laplace**2, total, out=np.ones(len(total)), where=total > 0
        )
        return np.sqrt(total) * mean_excess(rate, np.minimum(concentration, 1.0))

    def _normal(self, rate: float) -> Floats:
        """The margins of `methods.sums` for many terms, for all estimates at once."""
        z = NormalDist().inv_cdf(1 - (1 - VARIANCE_SHARE) * rate / 2)
        paid = NormalDist().inv_cdf(1 - VARIANCE_SHARE * rate)
        half = paid * self.ratio / 2
        self_bounded = (half + np.sqrt(np.maximum(half**2 + self.estimated, 0.0))) ** 2
        plain = np.maximum(self.estimated, 0.0) + paid * np.sqrt(self.flat)
        bound = np.minimum(np.minimum(self_bounded, plain), self.worst)
        return np.asarray(z * np.sqrt(bound) + self.skew * (z * z - 1) / 6 + self.step / 2)

    def _each(self, change: Callable[[str, Floats], Floats]) -> ErrorFacts:
        return ErrorFacts(
            **{field.name: change(field.name, getattr(self, field.name)) for field in fields(self)}
        )


def facts_of(noise: LevelNoise, scores: Floats) -> ErrorFacts:
    """Return the facts of single values: their noise, and their variance scores.

    >>> from discreet.reading.levels.level_noise import geometric_noise
    >>> noise = geometric_noise(np.array([3, 3]), 0.5)
    >>> both = facts_of(noise, noise.read(np.array([0, 1]))[1]).summed(np.array([0, 0]), 1)
    >>> both.estimated.tolist(), both.worst.tolist()
    ([6.0], [6.0])
    """
    flat, ratio = noise.score_noise
    return ErrorFacts(
        estimated=scores,
        least=noise.least,
        worst=noise.worst,
        laplace=2 * noise.scale**2,
        flat=flat,
        one_worst=np.sqrt(noise.worst),
        one_laplace=np.sqrt(2.0) * noise.scale,
        ratio=np.sqrt(ratio),
        skew=noise.skew,
        step=noise.step,
    )


def interval_ends(value: Floats, margin: Floats, least: Any, most: Any) -> tuple[Floats, Floats]:
    """Lay intervals around estimates cut to what is possible, and move their ends inwards to whole
    numbers.

    The guard absorbs float rounding; the estimate cut to the range stays inside. Adding 0 makes a 0
    of -0.0.
    """
    inside = np.clip(value, least, most)
    low, high = np.maximum(inside - margin, least), np.minimum(inside + margin, most)
    low = np.ceil(low - 1e-9 * (1 + np.abs(low)))
    high = np.floor(high + 1e-9 * (1 + np.abs(high)))
    return np.minimum(low, np.floor(inside)) + 0.0, np.maximum(high, np.ceil(inside)) + 0.0
