"""Estimates of every group of every level, with standard errors and intervals, from what was released.

The noise of an estimate is sum_k W_k e_k, with fixed weights W and independent debiased errors e (`two_passes`). Its
interval is made by one of two bounds, chosen by sizes, weights and mechanisms alone, never by what was released:

- many terms (the worst variances add up to more than twenty times the largest one): the normal limit, as in
  `methods.sums`, with an upper limit on the variance that a tenth of the error rate pays for, the largest skewness that
  true counts could give, and half the widest step;
- otherwise the mean excess of Laplace noise (`mean_excess`), which holds at every true count.

Intervals are laid around the estimate cut to what is possible, 0..n, and cut in turn; their ends are whole numbers,
because the truth is one. The estimates themselves are not cut, and add up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InvalidInput
from discreet.reading.levels.level_noise import LevelNoise
from discreet.reading.levels.mean_excess import mean_excess
from discreet.reading.levels.tree import Floats, Integers, Levels, Tree
from discreet.reading.levels.two_passes import Passes, adding_exactly, make_passes
from discreet.reading.methods.sums import FEW_GROUPS, VARIANCE_SHARE

MEAN_EXCESS = "mean excess of Laplace noise, which holds at every true count"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LevelEstimate:
    """One level's groups: unbiased values that add up, standard errors and intervals."""

    value: Floats
    standard_error: Floats
    """From the release, kept within what the mechanisms allow."""
    working_error: Floats
    worst_error: Floats
    """Of the value, where the working variances are the true ones, and at the worst true counts."""
    low: Floats
    high: Floats
    normal: NDArray[np.bool_]
    """Whose interval rests on the normal limit; the others' on the mean excess."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Spread:
    """What is known of the estimates' noise before anything is drawn."""

    working: Levels
    worst: Levels
    """Variances of the estimates: at the working variances, and at the worst true counts."""
    many: tuple[NDArray[np.bool_], ...]
    """Whether the noise is made of more than twenty terms' worth."""


def estimate_levels(
    tree: Tree, noises: Sequence[LevelNoise], outputs: Sequence[Integers | None], *, confidence: float = 0.95
) -> tuple[LevelEstimate, ...]:
    """Estimate every group of every level; `outputs` is None for a level that was not released.

    >>> import numpy as np
    >>> from discreet.reading.levels.level_noise import geometric_noise
    >>> from discreet.reading.levels.tree import make_tree
    >>> tree = make_tree([[50], [20, 30]], [[0, 0]])
    >>> noises = [geometric_noise(size, 0.5) for size in tree.sizes]
    >>> top, parts = estimate_levels(tree, noises, [np.array([20]), np.array([11, 12])])
    >>> top.value.round(2).tolist(), parts.value.round(2).tolist()
    ([21.0], [10.0, 11.0])
    """
    if not 0 < confidence < 1:
        raise InvalidInput("confidence", "must be between 0 and 1", confidence)
    passes = make_passes(tree, [noise.working for noise in noises])
    read = [_read(tree, level, noise, outputs) for level, noise in enumerate(noises)]
    values = adding_exactly(tree, passes.fit([values for values, _ in read]))
    estimated = passes.carried([scores for _, scores in read])
    least = passes.carried([noise.least for noise in noises])
    known = spread(passes, noises)
    below = margins(passes, noises, known, estimated, confidence)
    found = []
    for level, sizes in enumerate(tree.sizes):
        error = np.sqrt(np.clip(estimated[level], least[level], known.worst[level]))
        low, high = _ends(values[level], below[level], sizes)
        found.append(
            LevelEstimate(
                value=values[level],
                standard_error=error,
                working_error=np.sqrt(known.working[level]),
                worst_error=np.sqrt(known.worst[level]),
                low=low,
                high=high,
                normal=known.many[level],
            )
        )
    return tuple(found)


def spread(passes: Passes, noises: Sequence[LevelNoise]) -> Spread:
    """Return the variances of the estimates, and which of them are made of many terms."""
    working = passes.carried([np.where(np.isfinite(noise.working), noise.working, 0.0) for noise in noises])
    worst = passes.carried([noise.worst for noise in noises])
    largest = passes.largest([np.sqrt(noise.worst) for noise in noises])
    many = tuple(total > FEW_GROUPS * one**2 for total, one in zip(worst, largest, strict=True))
    # sums without one part can miss 0 by rounding
    return Spread(working=_positive(working), worst=_positive(worst), many=many)


def margins(
    passes: Passes, noises: Sequence[LevelNoise], known: Spread, estimated: Levels, confidence: float
) -> Levels:
    """Return for every estimate the margin to either side, with the confidence stated.

    `estimated` is the unbiased estimate of each estimate's variance, from the release.
    """
    few = _mean_excess(passes, noises, (1 - confidence) / 2)
    if not any(level.any() for level in known.many):
        return few
    many = _normal(passes, noises, known, estimated, 1 - confidence)
    return tuple(np.where(m, a, b) for m, a, b in zip(known.many, many, few, strict=True))


def _mean_excess(passes: Passes, noises: Sequence[LevelNoise], rate: float) -> Levels:
    variance = _positive(passes.carried([2 * noise.scale**2 for noise in noises]))
    largest = passes.largest([np.sqrt(2.0) * noise.scale for noise in noises])
    found = []
    for total, one in zip(variance, largest, strict=True):
        concentration = np.divide(one**2, total, out=np.ones(len(total)), where=total > 0)
        found.append(np.sqrt(total) * mean_excess(rate, np.minimum(concentration, 1.0)))
    return tuple(found)


def _normal(passes: Passes, noises: Sequence[LevelNoise], known: Spread, estimated: Levels, rate: float) -> Levels:
    """The margins of `methods.sums` for many terms, for all estimates at once."""
    z = NormalDist().inv_cdf(1 - (1 - VARIANCE_SHARE) * rate / 2)
    paid = NormalDist().inv_cdf(1 - VARIANCE_SHARE * rate)
    flat = _positive(passes.carried([noise.score_noise[0] for noise in noises], power=4))
    ratio = passes.largest([np.sqrt(noise.score_noise[1]) for noise in noises])
    skew = passes.largest([noise.skew for noise in noises])
    step = passes.largest([noise.step for noise in noises])
    found = []
    for level, worst in enumerate(known.worst):
        half = paid * ratio[level] / 2
        self_bounded = (half + np.sqrt(np.maximum(half**2 + estimated[level], 0.0))) ** 2
        plain = np.maximum(estimated[level], 0.0) + paid * np.sqrt(flat[level])
        bound = np.minimum(np.minimum(self_bounded, plain), worst)
        found.append(z * np.sqrt(bound) + skew[level] * (z * z - 1) / 6 + step[level] / 2)
    return tuple(found)


def _read(tree: Tree, level: int, noise: LevelNoise, outputs: Sequence[Integers | None]) -> tuple[Floats, Floats]:
    sizes, given = tree.sizes[level], outputs[level]
    if given is None:
        if noise.released and sizes.any():
            raise InvalidInput("outputs", f"of level {level} must be given, for it has a share")
        return np.zeros(len(sizes)), np.zeros(len(sizes))
    released = np.asarray(given, dtype=np.int64)
    if released.shape != sizes.shape:
        rule = f"of level {level} must be one for each of its {len(sizes)} groups"
        raise InvalidInput("outputs", rule, len(released))
    wrong = np.flatnonzero((released < 0) | (released > sizes))
    if len(wrong):
        row = int(wrong[0])
        rule = f"of level {level} must be in 0..{sizes[row]} for a group of {sizes[row]} (row {row + 1})"
        raise InvalidInput("outputs", rule, int(released[row]))
    return noise.read(released)


def _ends(value: Floats, margin: Floats, sizes: Integers) -> tuple[Floats, Floats]:
    """The ends of the intervals, moved inwards to whole numbers; the guard absorbs float rounding."""
    inside = np.clip(value, 0, sizes)
    low, high = np.maximum(inside - margin, 0), np.minimum(inside + margin, sizes)
    low = np.ceil(low - 1e-9 * (1 + np.abs(low)))
    high = np.floor(high + 1e-9 * (1 + np.abs(high)))
    return np.minimum(low, np.floor(inside)), np.maximum(high, np.ceil(inside))


def _positive(levels: Levels) -> Levels:
    return tuple(np.maximum(level, 0.0) for level in levels)
