"""What the noise of one level can do: debiased values, variances and bounds, one number for each
group.

For GM everything has a closed form, whatever the size. With t = a/(1-a), V = 2a/(1-a)^2 (the
variance of noise that is not clamped) and P(j) = (a^j + a^(n-j))/(1+a) (the chance that output 0 or
n is released at the true count j):

    value                v_i = i, with -t at 0 and n + t at n
    variance             V (1 - P(j)/2), largest in the middle
    variance score       V inside, V/2 at 0 and n; its own variance is V^2/4 P(1-P)
    skewness             largest at j = 0: sum of v^3 Pr[.|0], over the variance there
    scale                1/epsilon (see `mean_excess`)

Weights of estimates use one fixed *working variance* for each group, never the outputs: that of the
middle count, or the mean under a stated prior (every count as likely, or each person counted with a
given rate). A group of nobody has value 0 and no noise. A level that is not released has no
information: infinite working variance, weight 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from discreet.core.forms import ColumnHonest, Fair, Geometric, WeaklyHonest
from discreet.errors import InvalidInput
from discreet.reading.levels.mean_excess import scale_of
from discreet.reading.levels.tree import Floats, Integers, blocks
from discreet.reading.methods.closed_matrix import same_law
from discreet.reading.methods.closed_scores import closed_score
from discreet.reading.methods.debiasing import moved
from discreet.reading.totals import count_score

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.reading.methods.debiasing import Score

Working = str | float | Fraction
"""Where the working variance is taken: "middle", "uniform", or the rate of a binomial prior."""
Reader = Callable[[Integers], tuple[Floats, Floats]]
_LEAST = 1e-300
_RATIO_AT = 2 - np.sqrt(2)  # where P(1-P)/(1-P/2) is largest


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LevelNoise:
    """Facts about every group's noise that are public before anything is drawn."""

    working: Floats
    """The variance that weights are made with; infinite where nothing is released."""
    worst: Floats
    least: Floats
    """The largest and the smallest variance over true counts."""
    scale: Floats
    """Of the Laplace law that bounds the noise (`mean_excess`)."""
    skew: Floats
    """The largest third moment over variance, to either side."""
    score_noise: tuple[Floats, Floats]
    """Of the variance score: its largest variance, and the largest ratio of that to the variance
    itself.
    """
    step: Floats
    """The widest gap between neighbouring values."""
    read: Reader
    """Outputs to debiased values and variance scores."""

    @property
    def released(self) -> bool:
        """Whether the level tells anything."""
        return bool(np.isfinite(self.working).all())


def unreleased(sizes: Integers) -> LevelNoise:
    """Return the noise of a level whose share is 0: no information, but about groups of nobody."""
    none = np.zeros(len(sizes))
    working = np.where(sizes > 0, np.inf, 0.0)
    return LevelNoise(
        working=working,
        worst=none,
        least=none,
        scale=none,
        skew=none,
        score_noise=(none, none),
        step=none,
        read=lambda outputs: (np.zeros(len(outputs)), np.zeros(len(outputs))),
    )


def geometric_noise(
    sizes: Integers, alpha: float | Fraction, *, working: Working = "middle"
) -> LevelNoise:
    """Return the noise of GM at one alpha for groups of any sizes, by the closed forms above.

    >>> noise = geometric_noise(np.array([3, 0]), 0.5)
    >>> noise.read(np.array([0, 0]))[0].tolist(), noise.worst.tolist()
    ([-1.0, 0.0], [3.0, 0.0])
    """
    a, n = _alpha(alpha), np.asarray(sizes, dtype=np.int64)
    if a == 0:
        raise InvalidInput("alpha", "must leave some noise: it must be above 0", alpha)
    somebody, full = n > 0, 2 * a / (1 - a) ** 2
    fewest = (a ** (n // 2) + a ** (n - n // 2)) / (1 + a)  # P at the middle count
    most = (1 + a**n) / (1 + a)
    nearest_half = np.clip(0.5, fewest, most)
    at_ratio = np.clip(_RATIO_AT, fewest, most)
    inner = np.where(n > 1, 1 / (1 - a), (1 + a) / (1 - a))

    def kept(values: Floats) -> Floats:
        return np.where(somebody, values, 0.0)

    return LevelNoise(
        working=kept(full * (1 - _ends(n, a, working) / 2)),
        worst=kept(full * (1 - fewest / 2)),
        least=kept(full * (1 - most / 2)),
        scale=kept(np.full(len(n), -1 / np.log(a))),
        skew=kept(_skew(n, a)),
        score_noise=(
            kept(full**2 / 4 * nearest_half * (1 - nearest_half)),
            kept(full / 4 * at_ratio * (1 - at_ratio) / (1 - at_ratio / 2)),
        ),
        step=kept(inner),
        read=lambda outputs: geometric_values(n, a, outputs),
    )


def geometric_values(sizes: Integers, alpha: float, outputs: Integers) -> tuple[Floats, Floats]:
    """Return debiased values and variance scores of what GM released for groups of some sizes."""
    tail, full = alpha / (1 - alpha), 2 * alpha / (1 - alpha) ** 2
    values, scores = np.zeros(len(outputs)), np.zeros(len(outputs))
    for rows in blocks(len(outputs)):
        n, found = np.broadcast_to(sizes, outputs.shape)[rows], outputs[rows]
        at_zero, at_top = found == 0, found == n
        values[rows] = np.where(n > 0, found - tail * at_zero + tail * at_top, 0.0)
        scores[rows] = np.where(n > 0, np.where(at_zero | at_top, full / 2, full), 0.0)
    return values, scores


def mechanism_noise(
    mechanisms: Sequence[Mechanism], which: Integers, *, working: Working = "middle"
) -> LevelNoise:
    """Return the noise of groups of which each has one of some mechanisms, of any shape."""
    kinds, read = noise_by_mechanism(mechanisms, working=working)
    which = np.asarray(which, dtype=np.int64)
    columns = {
        name: getattr(kinds, name)[which]
        for name in ("working", "worst", "least", "scale", "skew", "step")
    }
    first, second = kinds.score_noise
    return LevelNoise(
        **columns,
        score_noise=(first[which], second[which]),
        read=lambda outputs: read(which, outputs),
    )


def noise_by_mechanism(
    mechanisms: Sequence[Mechanism], *, working: Working = "middle"
) -> tuple[LevelNoise, Callable[[Integers, Integers], tuple[Floats, Floats]]]:
    """Return the noise of one group of each mechanism, and what reads outputs of groups with any of
    them.

    GM's closed forms are used where the mechanism is GM. Raises `NotEstimable` for a mechanism that
    cannot be debiased.
    """
    sizes = np.array([m.n for m in mechanisms], dtype=np.int64)
    alphas = {_geometric(m) for m in mechanisms if m.n}
    if len(alphas) == 1 and None not in alphas:
        alpha = alphas.pop() or 0.0
        return geometric_noise(sizes, alpha, working=working), (
            lambda which, outputs: geometric_values(sizes[which], alpha, outputs)
        )
    parts = [_one(m, working) for m in mechanisms]

    def column(of: Callable[[LevelNoise], Floats]) -> Floats:
        return np.array([float(of(part)[0]) for part in parts])

    def read(which: Integers, outputs: Integers) -> tuple[Floats, Floats]:
        values, variances = np.zeros(len(outputs)), np.zeros(len(outputs))
        order = np.argsort(which, kind="stable")
        ends = np.searchsorted(which[order], np.arange(len(parts) + 1))
        for index, part in enumerate(parts):
            rows = order[ends[index] : ends[index + 1]]
            values[rows], variances[rows] = part.read(outputs[rows])
        return values, variances

    kinds = LevelNoise(
        working=column(lambda part: part.working),
        worst=column(lambda part: part.worst),
        least=column(lambda part: part.least),
        scale=column(lambda part: part.scale),
        skew=column(lambda part: part.skew),
        step=column(lambda part: part.step),
        score_noise=(
            column(lambda part: part.score_noise[0]),
            column(lambda part: part.score_noise[1]),
        ),
        read=lambda outputs: read(np.arange(len(parts)), outputs),
    )
    return kinds, read


def _geometric(mechanism: Mechanism) -> float | None:
    """GM's alpha, if it is GM; one of which nothing is left in a float makes noise of which
    nothing is left either.
    """
    form = mechanism.form
    return (
        max(float(form.alpha), _LEAST)
        if isinstance(form, Geometric) and 0 < form.alpha < 1
        else None
    )


def _one(mechanism: Mechanism, working: Working) -> LevelNoise:
    """The noise of one mechanism, as a level of one group whose `read` takes any number of
    outputs.
    """
    size = np.array([mechanism.n], dtype=np.int64)
    if mechanism.n == 0:
        return geometric_noise(
            size, Fraction(1, 2), working=working
        )  # nobody: any alpha says the same
    if (alpha := _geometric(mechanism)) is not None:
        return geometric_noise(size, alpha, working=working)
    form, scale = mechanism.form, None
    if isinstance(form, Fair | WeaklyHonest | ColumnHonest) and form.alpha < 1:
        # the matrix that takes long is that of one size for all larger ones, which err alike
        scale = _scale(type(form)(same_law(form.alpha, form.n), form.alpha))
    return noise_of_score(count_score(mechanism), working=working, scale=scale)


@lru_cache(maxsize=4096)
def _scale(form: Fair | WeaklyHonest | ColumnHonest) -> float:
    return scale_of(closed_score(form))


def noise_of_score(
    score: Score, *, working: Working = "middle", scale: float | None = None
) -> LevelNoise:
    """Return the noise of a debiased score, as a level of one group whose `read` takes any
    number of outputs.
    """

    def one(value: float) -> Floats:
        return np.array([value])

    return LevelNoise(
        working=one(working_variance(score, working)),
        worst=one(score.worst_variance),
        least=one(float(score.variance.min())),
        scale=one(scale_of(score) if scale is None else scale),
        skew=one(max(score.skew)),
        score_noise=(one(score.score_noise[0]), one(score.score_noise[1])),
        step=one(score.step),
        read=lambda outputs: (score.at(outputs), score.variance_at(outputs)),
    )


def _alpha(alpha: float | Fraction) -> float:
    if not 0 <= alpha < 1:
        rule = "must be below 1 for outputs that tell something, and not negative"
        raise InvalidInput("alpha", rule, alpha, remedy="a level that is not released has no alpha")
    return float(alpha)


def _ends(n: Integers, a: float, working: Working) -> Floats:
    """The chance of output 0 or n at the middle count, or its mean under a prior."""
    if working == "middle":
        return np.asarray((a ** (n // 2) + a ** (n - n // 2)) / (1 + a))
    if working == "uniform":
        return np.asarray(2 * (1 - a ** (n + 1.0)) / ((n + 1) * (1 - a) * (1 + a)))
    rate = _rate(working)
    return np.asarray(((1 - rate + rate * a) ** n + (rate + (1 - rate) * a) ** n) / (1 + a))


def working_variance(score: Score, working: Working) -> float:
    """The variance at the middle count, or its mean under a prior."""
    if working == "uniform":
        return score.mean_variance
    size = len(score.variance) - 1
    if working == "middle":
        return float(score.variance[size // 2])
    rate = _rate(working)
    if (
        size < score.n
    ):  # so large that the binomial is at its mean, and most counts are like the middle one
        mean = np.array([round(rate * score.n)])
        return float(score.variance[mean - moved(size, score.n, mean)][0])
    prior = np.zeros(size + 1)
    prior[0] = 1.0
    for _ in range(size):
        prior = (1 - rate) * prior + rate * np.concatenate([[0.0], prior[:-1]])
    return float(score.variance @ prior)


def _rate(working: Working) -> float:
    if isinstance(working, str) or not 0 <= working <= 1:
        rule = "must be 'middle', 'uniform' or the rate of a binomial prior, in 0..1"
        raise InvalidInput("working", rule, working)
    return float(working)


def _skew(n: Integers, a: float) -> Floats:
    """The largest third moment over variance of GM's debiased noise: at the true count 0, by one
    sum for all sizes.
    """
    tail = a / (1 - a)
    # beyond `reach` no digit of the sums is left: a^d d^3 is below the rounding of a float
    reach = min(int(n.max(initial=1)), int(np.ceil(60 / -np.log(a))) + 200)
    d = np.arange(reach + 1, dtype=np.float64)
    below = np.concatenate([[0.0], np.cumsum((1 - a) * d**3 * a**d)])  # below[m]: over d < m
    size = np.minimum(n, reach)
    third = (below[size] + (size + tail) ** 3 * a**size - tail**3) / (1 + a)
    variance = 2 * a / (1 - a) ** 2 * (1 - (1 + a**n) / (1 + a) / 2)
    return np.asarray(third / variance)
