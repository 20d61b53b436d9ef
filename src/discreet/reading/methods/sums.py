"""Valid confidence intervals for a sum of independent noise terms, from one group to millions.

The debiased total errs by E = sum_k w_k (v_k(Y_k) - f(x_k)), a sum of independent terms of mean 0
whose laws are known up to the true counts x_k. Three bounds on its tails, chosen by the groups and
their matrices alone (never by the released numbers):

Few groups: the worst case, exactly. F_k(t) bounds Pr[error of k groups > t] when somebody who sees
all earlier errors chooses each x so as to make it as likely as possible:

    F_0(t) = [t < 0],      F_k(t) = max_x sum_i Pr[i|x] F_{k-1}(t - w_k (v_i - f(x))).

True counts that do not look at the noise can only do better, so the interval covers for *every*
configuration of true counts. No normal approximation and no variance estimate is involved; t lives
on a grid and is rounded against us. For groups so large that this recursion is too much work,
Chernoff's bound takes its place: inf_s (log(1/rate) + sum_k max_x log E exp(s error)) / s; and for
those whose noise reaches across thousands of counts Cantelli's, sqrt(sum_k V_max (1 - rate) /
rate), which needs no law.

Many groups of which at most twenty make up the noise (a large group among small ones, or two strata
of very different size): Chernoff's bound, with every group's worst true count. "Make up" means that
the sum of the groups' worst variances is at most twenty times the largest of them.

Many groups: the normal limit with what it needs at finite size. The variance sum_k V(x_k) is
estimated without bias by S = sum_k s(Y_k) and replaced by an upper limit U that a tenth of the
error rate pays for: with W(x) = Var s(Y) and known bounds W(x) <= W_max, W(x) <= r V(x), solve U =
S + z sqrt(min(sum W_max, r U)), and never more than the worst case sum V_max. The remaining error
rate goes to z sqrt(U), plus the Cornish-Fisher term (z^2 - 1)/6 * max_x k3(x)/V(x) for the largest
skewness any true counts could give, plus half the widest gap between neighbouring score values,
because the sum moves in steps (for n = 1 it is a binomial).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from discreet.reading.methods.debiasing import Law, NotEstimable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from discreet.reading.methods.debiasing import Floats, Integers, Score

FEW_GROUPS = 20
WORST_CASE = "a bound for few groups that holds at every true count"
CHERNOFF = "Chernoff's bound, which holds at every true count"
NORMAL = (
    "the normal limit for many groups, with room for noise that is lopsided or larger than "
    "estimated"
)
VARIANCE_SHARE = 0.1  # of the error rate, for the upper limit on the variance
_WORK = 1e8  # multiplications that the worst case may cost: a tenth of a second
_COARSEST = 1_000  # grid cells below which the recursion would be too rough to be worth it
_GRID_PER_GROUP = (
    25  # grid cells per standard deviation and group: rounding adds at most 1/25 standard deviation
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Term:
    """Groups that share a mechanism and a weight: the score, the weight, and how often each
    output was released.
    """

    score: Score
    outputs: Floats
    """How often each output of `support` was released."""
    support: Integers | None = None
    """The outputs that were released; None for all of 0..n."""
    weight: float = 1.0

    @cached_property
    def groups(self) -> int:
        """How many groups."""
        return int(self.outputs.sum())

    @cached_property
    def value(self) -> float:
        """The debiased estimate of sum_k w f(x_k)."""
        return float(self.weight * (self.outputs @ self.score.at(self._support)))

    @cached_property
    def law(self) -> Law:
        """Pr[i | x] and w (v_i - f(x)), by output and true count, where that is not too large."""
        law = self.score.law()
        if law is None:
            raise NotEstimable(f"the law of a group of {self.score.n} is too large to write out")
        return Law(matrix=law.matrix, errors=np.asarray(self.weight * law.errors))

    @property
    def reach(self) -> tuple[float, float]:
        """The largest error that one group can make, to the right and to the left."""
        right, left = self.score.reach if self.weight >= 0 else self.score.reach[::-1]
        return abs(self.weight) * right, abs(self.weight) * left

    @property
    def most(self) -> float:
        """The largest w^2 V(x)."""
        return self.weight**2 * self.score.worst_variance

    @property
    def least(self) -> float:
        """The smallest."""
        return self.weight**2 * self.score.least_variance

    @cached_property
    def estimated_variance(self) -> float:
        """The unbiased estimate of sum_k w^2 V(x_k)."""
        return float(self.weight**2 * (self.outputs @ self.score.variance_at(self._support)))

    @property
    def _support(self) -> Integers:
        return np.arange(len(self.outputs)) if self.support is None else self.support


def standard_error(terms: Sequence[Term]) -> float:
    """Return the estimated standard deviation of the sum, kept within what the matrices allow.

    The unbiased variance estimate can fall outside [sum min V, sum max V], where the truth
    certainly lies.
    """
    low = sum(t.groups * t.least for t in terms)
    high = sum(t.groups * t.most for t in terms)
    return float(np.sqrt(min(max(sum(t.estimated_variance for t in terms), low), high)))


def margins(terms: Sequence[Term], confidence: float) -> tuple[float, float]:
    """Return (below, above) such that estimate - below <= truth <= estimate + above with the
    confidence stated.
    """
    used = [t for t in terms if t.groups and t.weight and t.most > 0]
    if not used:
        return 0.0, 0.0
    rate, kind = (1 - confidence) / 2, method(used)
    if kind == WORST_CASE:
        # in one order, whichever answer comes first: the bound holds in any, and need be worked out
        # once
        structure = tuple(
            sorted(
                ((t.score, t.groups, t.weight) for t in used), key=lambda t: (t[2], t[0].n, t[1])
            )
        )
        found = _kept_worst_case(structure, rate, 1.0), _kept_worst_case(structure, rate, -1.0)
    elif kind == CHERNOFF:
        found = _chernoff(used, rate, 1.0), _chernoff(used, rate, -1.0)
    else:
        found = _normal(used, confidence)
    # The error takes few values for small groups: a miss by float rounding must not turn one of
    # them away.
    return found[0] * (1 + 1e-9), found[1] * (1 + 1e-9)


def method(terms: Sequence[Term]) -> str:
    """Name the bound that `margins` uses; groups, weights and matrices decide, never the
    released numbers.
    """
    groups = sum(t.groups for t in terms)
    if groups <= FEW_GROUPS:
        return WORST_CASE
    largest = max(t.most for t in terms)
    effective = sum(t.groups * t.most for t in terms) / largest if largest else groups
    return CHERNOFF if effective <= FEW_GROUPS else NORMAL


@lru_cache(maxsize=1024)
def _kept_worst_case(
    structure: tuple[tuple[Score, int, float], ...], rate: float, sign: float
) -> float:
    """The worst case of groups by their scores, numbers and weights: parts of one table are
    often made alike.
    """
    return _worst_case(
        [Term(score=s, outputs=np.array([float(g)]), weight=w) for s, g, w in structure], rate, sign
    )


def _worst_case(terms: Sequence[Term], rate: float, sign: float) -> float:
    """The smallest t on a grid with sup Pr[sign * error > t] <= rate."""
    groups = sum(t.groups for t in terms)
    deviation = float(np.sqrt(sum(t.groups * t.most for t in terms)))
    farthest = sum(t.groups * t.reach[0 if sign > 0 else 1] for t in terms)
    most = int(_WORK / sum(t.groups * t.score.law_cells for t in terms))
    if most < _COARSEST:
        return _chernoff(terms, rate, sign)
    bottom, top = -6 * deviation, min(10 * deviation, farthest + deviation / 100)
    cells = min(int(max(_GRID_PER_GROUP * groups, 200) * (top - bottom) / deviation), most)
    unit = (top - bottom) / cells
    grid = bottom + unit * np.arange(cells + 1)
    tail = (grid < 0).astype(np.float64)
    for term in terms:
        law = term.law
        # A step beyond the whole grid is as good as one across it, however rare and far it is.
        shifts = np.clip(np.ceil(sign * law.errors / unit - 1e-9), -cells, cells).astype(np.int64)
        for _ in range(term.groups):
            tail = _one_more(tail, shifts, law.matrix)
    enough = np.flatnonzero(tail <= rate)
    return float(min(grid[enough[0]], farthest)) if len(enough) else farthest


def _chernoff(terms: Sequence[Term], rate: float, sign: float) -> float:
    """Chernoff's bound with the worst true count of every group; any s > 0 is valid, so the best of
    a grid is.

    Where a law is too large to write out, Cantelli's bound, which knows the worst variance only:
    Pr[error > t] <= V / (V + t^2).
    """
    deviation = float(np.sqrt(sum(t.groups * t.most for t in terms)))
    farthest = sum(t.groups * t.reach[0 if sign > 0 else 1] for t in terms)
    if any(t.score.log_mean is None and not np.isfinite(t.score.law_cells) for t in terms):
        return float(min(deviation * np.sqrt((1 - rate) / rate), farthest))
    means = [_log_mean(t, sign) for t in terms]
    # Noise that is nearly always 0 is governed by its rare steps, which are many deviations wide:
    # there s is small.
    widest = max(max(t.reach) for t in terms)
    finer = (
        max(0, int(np.ceil(np.log(0.05 * widest / deviation) / np.log(400) * 59)))
        if widest > deviation
        else 0
    )
    grid = 0.05 * 400 ** (np.arange(-finer, 60) / 59) / deviation

    @cache
    def bound(k: int) -> float:
        exponent = -float(np.log(rate))
        exponent += sum(
            t.groups * max(mean(float(grid[k])), 0.0) for t, mean in zip(terms, means, strict=True)
        )
        return exponent / float(grid[k])

    # The exponent is convex in s, so the bound falls and then rises: the best of the grid is found
    # by halving.
    low, high = 0, len(grid) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if bound(middle) <= bound(middle + 1) else (middle + 1, high)
    return float(min(bound(low), farthest))


def _log_mean(term: Term, sign: float) -> Callable[[float], float]:
    """The function s -> max_x log E exp(s sign error)."""
    known = term.score.log_mean
    if known is not None:
        return lambda s: known(s * abs(term.weight))
    law = term.law
    # A chance too small for a float is left out, which adds as little to the rate.
    log_law = np.log(law.matrix, out=np.full_like(law.matrix, -np.inf), where=law.matrix > 0)

    def mean(s: float) -> float:
        tilted = s * sign * law.errors + log_law
        shift = tilted.max(axis=0)
        return float((shift + np.log(np.exp(tilted - shift).sum(axis=0))).max())

    return mean


def _one_more(tail: Floats, shifts: np.typing.NDArray[np.int64], matrix: Floats) -> Floats:
    """F_k from F_{k-1}: the average over outputs at the worst true count."""
    cells = len(tail)
    largest = int(np.abs(shifts).max())
    # Below the grid a tail is at most 1; above it at most the last value: both round against us.
    padded = np.concatenate([np.ones(largest), tail, np.full(largest, tail[-1])])
    worst = np.zeros(cells)
    for x in range(matrix.shape[1]):
        mean = np.zeros(cells)
        for i in np.flatnonzero(matrix[:, x]):
            start = largest - shifts[i, x]
            mean += matrix[i, x] * padded[start : start + cells]
        np.maximum(worst, mean, out=worst)
    return worst


def _normal(terms: Sequence[Term], confidence: float) -> tuple[float, float]:
    """Margins from the normal limit, with an upper limit on the variance and the largest
    possible skewness.
    """
    rate = 1 - confidence
    bound = _variance_limit(terms, NormalDist().inv_cdf(1 - VARIANCE_SHARE * rate))
    z = NormalDist().inv_cdf(1 - (1 - VARIANCE_SHARE) * rate / 2)
    # A negative weight mirrors the noise, so right and left change places.
    skews = [(t.score.skew if t.weight > 0 else t.score.skew[::-1], abs(t.weight)) for t in terms]
    right, left = (
        max(skew[side] * weight for skew, weight in skews) * (z * z - 1) / 6 for side in (0, 1)
    )
    farthest, nearest = (sum(t.groups * t.reach[side] for t in terms) for side in (0, 1))
    step = max(abs(t.weight) * t.score.step for t in terms)
    spread = z * float(np.sqrt(bound)) + step / 2
    return min(spread + right, farthest), min(spread + left, nearest)


def _variance_limit(terms: Sequence[Term], z: float) -> float:
    """An upper confidence limit on sum_k w^2 V(x_k)."""
    estimate = sum(t.estimated_variance for t in terms)
    worst = sum(t.groups * t.most for t in terms)
    flat = sum(t.groups * t.weight**4 * t.score.score_noise[0] for t in terms)
    ratio = max(t.weight**2 * t.score.score_noise[1] for t in terms)
    # U = S + z sqrt(r U) solved for sqrt(U); and U = S + z sqrt(sum W_max).
    half = z * np.sqrt(ratio) / 2
    self_bounded = (half + np.sqrt(max(half * half + estimate, 0.0))) ** 2
    return float(min(self_bounded, max(estimate, 0.0) + z * np.sqrt(flat), worst))
