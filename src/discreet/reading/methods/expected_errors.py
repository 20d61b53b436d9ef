"""What to expect of a closed form, for many group sizes at once: truth, mean error, RMSE and
margin; no matrix.

Every true count equally likely, a = alpha:

GM   truth (2/(1+a) + (n-1)(1-a)/(1+a)) / (n+1);  an error of at least t on one side has chance a^t
     / (1+a) where there is room for it, so the mean error is 2/((n+1)(1+a)) sum_t (n+1-t) a^t, the
     mean square the same with (2t-1) a^t.
column-honest: GM, and t = (2a-1)/(2a) of the chance a^j/(1+a) of an end j steps away is moved one
step inward, where
     the error is 1 less, or 1 at j = 0: the mean error has 2t/((n+1)(1+a)) (1 - sum_{j>=1} a^j)
     more, the mean square the same with (2j-1) a^j, and the truth 2t(1-a)/((n+1)(1+a)) less.
EM   truth y = 1 / (1 + 2a + 2a^2 + ...), n + 1 terms;  the output of rank i is at distance h =
     ceil(i/2) of a true count with that much room on both sides and at i - j' of the others, so
     that the mean square is y/(n+1) sum_i a^h ((n+1-2h) h^2 + 2 sum_{k=i-h+1}^{i} k^2), and the
     mean error the same without squares.
WM   the mixture of both.        UM   truth 1/(n+1), mean error n(n+2)/(3(n+1)), mean square
     n(n+2)/6.

The sums have only positive terms and are running sums over i: one pass serves all sizes. Where a^h
is no longer seen in a float the sum to infinity takes its place, in closed form. Relative errors
are near 1e-12. The margin is the smallest d with Pr[|Y - j| <= d] >= confidence for every j
(`closed_chances`), found in floats, and decided exactly where floats are too close to tell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, inf, log, log1p

import numpy as np
from numpy.typing import NDArray

from discreet.core.forms import ColumnHonest, Fair, Geometric, Uniform, WeaklyHonest
from discreet.errors import InvalidInput
from discreet.reading.methods.closed_chances import Closed, ClosedChances, first_reaching

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_UNSEEN = (
    60.0  # e^-60 times the cube of the distance it stands beside is below a float's last digit
)
_CHUNK = 1 << 19
_CLOSE = 1e-9
_MOST_TERMS = 1 << 24  # of the sums for one true count: they are held in memory


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Expected:
    """For each size: chance of truth, mean absolute error and RMSE over equally likely true
    counts, and the margin.
    """

    truth: Floats
    error: Floats
    rmse: Floats
    margin: Integers
    """With the confidence asked for, off by at most this, whatever the true count is."""


def expected_errors(
    kind: type[Closed], alpha: Fraction, sizes: Integers, confidence: Fraction
) -> Expected:
    """Return what to expect of a closed form at one alpha, for an array of group sizes.

    >>> found = expected_errors(Geometric, Fraction(1, 2), np.array([8, 10**9]), Fraction(95, 100))
    >>> found.truth.round(3).tolist(), found.margin.tolist()
    ([0.407, 0.333], [4, 4])
    """
    sizes = np.asarray(sizes, dtype=np.int64)
    n = sizes.astype(np.float64)
    truth, error, square = _averages(kind, alpha, np.maximum(sizes, 1))
    nobody = sizes == 0
    return Expected(
        truth=np.where(nobody, 1.0, truth),
        error=np.where(nobody, 0.0, error),
        rmse=np.where(nobody, 0.0, np.sqrt(square)),
        margin=_margins(kind, alpha, sizes, n, confidence),
    )


def _averages(
    kind: type[Closed], alpha: Fraction, sizes: Integers
) -> tuple[Floats, Floats, Floats]:
    n = sizes.astype(np.float64)
    if kind is Uniform:
        return 1 / (n + 1), n * (n + 2) / (3 * (n + 1)), n * (n + 2) / 6
    if kind is Geometric:
        return _geometric(alpha, sizes)
    if kind is ColumnHonest:
        return _geometric(alpha, sizes, moved=float(ColumnHonest(3, alpha).moved))
    if kind is Fair:
        return _fair(alpha, sizes)
    geometric, fair = _geometric(alpha, sizes), _fair(alpha, sizes)
    share = (fair[0] - 1 / (n + 1)) / (fair[0] - float((1 - alpha) / (1 + alpha)))
    truth, error, square = (
        share * g + (1 - share) * f for g, f in zip(geometric, fair, strict=True)
    )
    return truth, error, square


def _geometric(
    alpha: Fraction, sizes: Integers, *, moved: float = 0.0
) -> tuple[Floats, Floats, Floats]:
    a, n = float(alpha), sizes.astype(np.float64)
    inner = float((1 - alpha) / (1 + alpha))
    reach = log_of(alpha)

    def terms(t: Floats) -> Floats:
        power = np.exp(t * reach)
        return np.stack([power, t * power, (2 * t - 1) * power, t * (2 * t - 1) * power])

    rest = float(1 - alpha)
    endless = (
        [a / rest, a / rest**2, a * (1 + a) / rest**2, a * (1 + 3 * a) / rest**3] if rest else []
    )
    one, one_far, two, two_far = running_sums(terms, sizes, _steps(alpha), endless)
    scale = 2 / ((n + 1) * (1 + a))
    truth = (2 / (1 + a) + (n - 1) * inner) / (n + 1) - scale * moved * rest
    error, square = (
        (n + 1) * one - one_far + moved * (1 - one),
        (n + 1) * two - two_far + moved * (1 - two),
    )
    return truth, scale * error, scale * square


def _fair(alpha: Fraction, sizes: Integers) -> tuple[Floats, Floats, Floats]:
    n, reach = sizes.astype(np.float64), log_of(alpha)

    def terms(i: Floats) -> Floats:
        h = np.ceil(i / 2)
        power = np.exp(h * reach)
        # sums of k and k^2 over k = i-h+1..i, the distances from the true counts near the ends
        near = h * (2 * i - h + 1) / 2
        square = h * i * i - i * h * (h - 1) + (h - 1) * h * (2 * h - 1) / 6
        return np.stack(
            [
                power,
                h * power,
                (2 * near - 2 * h * h) * power,
                h * h * power,
                (2 * square - 2 * h**3) * power,
            ]
        )

    # each h twice, and the two terms in brackets add up to 2 h^2 and to (16 h^3 + 2 h) / 3
    a, rest = float(alpha), float(1 - alpha)
    first, second, third = a / rest**2, a * (1 + a) / rest**3, a * (1 + 4 * a + a * a) / rest**4
    endless = [2 * a / rest, 2 * first, 2 * second, 2 * second, (16 * third + 2 * first) / 3]
    whole, one, one_more, two, two_more = running_sums(terms, sizes, 2 * _steps(alpha), endless)
    truth = 1 / (1 + whole)
    return truth, truth * (one + one_more / (n + 1)), truth * (two + two_more / (n + 1))


def running_sums(
    terms: Callable[[Floats], Floats], ends: Integers, unseen: int, endless: Sequence[float]
) -> Floats:
    """Return sum_{t=1}^{end} terms(t) for every end, in one pass of bounded memory; `terms` gives
    rows of several sums.

    Terms after `unseen` are too small to be seen: there the sums to infinity, `endless`, are the
    answer.
    """
    wanted, place = np.unique(np.where(ends > unseen, 0, ends), return_inverse=True)
    found: list[Floats] = []
    carried: Floats | float = 0.0
    for start in range(0, int(wanted[-1]) + 1, _CHUNK):
        stop = min(start + _CHUNK, int(wanted[-1]) + 1)
        # the sum up to 0 is empty, and no term of ours is defined there
        rows = terms(np.arange(max(start, 1), stop, dtype=np.float64))
        sums = np.cumsum(rows, axis=1) + np.asarray(carried).reshape(-1, 1)
        sums = np.concatenate([np.zeros((len(rows), 1)), sums], axis=1) if start == 0 else sums
        found.append(sums[:, wanted[(wanted >= start) & (wanted < stop)] - start])
        carried = sums[:, -1]
    sums = np.concatenate(found, axis=1)[:, place]
    return (
        np.where(ends > unseen, np.array(endless).reshape(-1, 1), sums)
        if (ends > unseen).any()
        else sums
    )


@lru_cache(maxsize=64)
def log_of(alpha: Fraction) -> float:
    """log(alpha), accurate for alpha near 1 too, and for one too small for a float.

    >>> log_of(1 - Fraction(1, 10**20)), round(log_of(Fraction(1, 10**400)))
    (-1e-20, -921)
    """
    return (
        log1p(-float(1 - alpha)) if 2 * alpha > 1 else log(alpha.numerator) - log(alpha.denominator)
    )


def _steps(alpha: Fraction) -> int:
    """The power of alpha from which nothing is seen in a float."""
    reach = -log_of(alpha)
    return ceil(min(_UNSEEN / reach, 2.0**40)) if reach else 2**40


def _margins(
    kind: type[Closed], alpha: Fraction, sizes: Integers, n: Floats, confidence: Fraction
) -> Integers:
    """Bisection in floats for all sizes together; a size whose answer hangs on the last digits
    is done exactly.
    """
    level, reach, a = (
        float(confidence),
        log_of(alpha) if kind is not Uniform else -inf,
        float(alpha),
    )

    def kept(m: Floats) -> Floats:
        """1 - q(m) of `closed_chances`, without the loss of digits for alpha near 1."""
        half = np.ceil(m / 2)
        return np.where(
            m % 2,
            -np.expm1(half * reach),
            (float(1 - alpha) - 2 * a * np.expm1(half * reach)) / (1 + a),
        )

    def chance(d: Floats) -> Floats:
        if kind is Uniform:
            return np.minimum((d + 1) / (n + 1), 1.0)
        beyond = np.exp((d + 1) * reach) / (1 + a)
        far = np.where(2 * (d + 1) <= n, 1 - 2 * beyond, 1 - beyond)
        if kind is Geometric:
            found = far
        elif kind is ColumnHonest:
            stays = 1 - float(ColumnHonest(3, alpha).moved)
            # more than d + 1 away from both ends; or only just, from one or from both
            cases = [2 * d + 4 <= n, 2 * d + 3 == n, 2 * d + 2 == n, d + 2 <= n]
            found = 1 - beyond * np.select(cases, [2, 1 + stays, 2 * stays, 1], stays)
            found = np.minimum(found, np.where(d == 0, 1 - beyond - (1 - stays) / (1 + a), 1.0))
        else:
            near = kept(d) / kept(n)
            if kind is WeaklyHonest:
                truth = float((1 - alpha) / (1 + alpha)) / kept(n)
                share = (truth - 1 / (n + 1)) / (truth - float((1 - alpha) / (1 + alpha)))
                deep = share * far + (1 - share) * kept(np.minimum(2 * d, n)) / kept(n)
                near = share * (1 - beyond) + (1 - share) * near
                near = np.where(2 * (d + 1) <= n, np.minimum(near, deep), near)
            found = near
        return np.where(d >= n, 1.0, found)

    low, high = np.zeros(len(sizes), dtype=np.int64), sizes.copy()
    while (low < high).any():
        middle = (low + high) // 2
        enough = chance(middle.astype(np.float64)) >= level
        high = np.where(enough, middle, high)
        low = np.where(enough, low, np.minimum(middle + 1, high))
    here, before = chance(low.astype(np.float64)), chance(np.maximum(low - 1, 0).astype(np.float64))
    unsure = (low < sizes) & (np.abs(here - level) < _CLOSE) | (low > 0) & (
        np.abs(before - level) < _CLOSE
    )
    for k in np.flatnonzero(unsure):
        size = int(sizes[k])
        form = Uniform(size) if issubclass(kind, Uniform) else kind(size, alpha)
        low[k] = first_reaching(ClosedChances(form=form).worst, size, lambda c: c >= confidence)
    return low


def averages_of(form: Closed) -> dict[str, float]:
    """Bias, RMSE and chance of truth of one closed form over equally likely true counts;
    symmetry leaves no bias.
    """
    alpha = Fraction(1) if isinstance(form, Uniform) else form.alpha
    truth, _, square = _averages(type(form), alpha, np.array([form.n]))
    return {"bias": 0.0, "rmse": float(np.sqrt(square[0])), "truth": float(truth[0])}


def moments_at(form: Closed, j: int) -> tuple[float, float]:
    """Return bias and mean squared error for the true count j, from the chances of an error of at
    least t on each side.

    bias = sum_t (right_t - left_t), mean square = sum_t (2t-1) (right_t + left_t).
    """
    n = form.n
    if isinstance(form, Uniform):
        square = sum(k * (k + 1) * (2 * k + 1) for k in (j, n - j))
        return n / 2 - j, square / 6 / (n + 1)
    if isinstance(form, ColumnHonest):
        ends = [(sign, away, _at_end(form.alpha, away)) for sign, away in ((1, j), (-1, n - j))]
        moved, (bias, mean_square) = float(form.moved), moments_at(form.geometric, j)
        bias += moved * sum(sign * chance for sign, _, chance in ends)
        return bias, mean_square + moved * sum((1 - 2 * away) * chance for _, away, chance in ends)
    if isinstance(form, WeaklyHonest):
        share = float(ClosedChances(form=form).share())
        parts = [moments_at(form.geometric, j), moments_at(form.fair, j)]
        bias, square = (share * g + (1 - share) * f for g, f in zip(*parts, strict=True))
        return bias, square
    if min(n, 2 * _steps(form.alpha)) > _MOST_TERMS:
        rule = f"must be at most {_MOST_TERMS:,} where the noise reaches across so many counts"
        raise InvalidInput("n", rule, n, remedy="use a larger epsilon for groups of this size")
    side = _geometric_side if isinstance(form, Geometric) else _fair_side
    (right, right_square), (left, left_square) = side(form.alpha, j, n), side(form.alpha, n - j, n)
    return right - left, right_square + left_square


def _at_end(alpha: Fraction, away: int) -> float:
    """GM's chance of an end so far away."""
    return float(np.exp(away * log_of(alpha))) / (1 + float(alpha))


def _geometric_side(alpha: Fraction, j: int, n: int) -> tuple[float, float]:
    t = np.arange(1, min(n - j, _steps(alpha)) + 1, dtype=np.float64)
    tail = np.exp(t * log_of(alpha)) / (1 + float(alpha))
    return float(tail.sum()), float(((2 * t - 1) * tail).sum())


def _fair_side(alpha: Fraction, j: int, n: int) -> tuple[float, float]:
    """The side toward n: exponent t up to j + 1 steps, then (j+t+1)//2, over the sum of a
    column.
    """
    reach = log_of(alpha)
    t = np.arange(1, min(n - j, 2 * _steps(alpha)) + 1, dtype=np.float64)
    power = np.exp(np.where(t <= j + 1, t, (j + t + 1) // 2) * reach)
    i = np.arange(1, min(n, 2 * _steps(alpha)) + 1)
    truth = 1 / (1 + np.exp((i + 1) // 2 * reach).sum())
    return float(truth * (t * power).sum()), float(truth * (t * t * power).sum())
