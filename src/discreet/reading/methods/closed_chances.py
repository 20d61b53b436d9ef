"""How far off a closed form may be, for groups of any size: chances within a distance, without a
matrix.

With a = alpha, j the true count and j' = min(j, n - j) its distance to the nearer end:

GM   the noise reaches beyond d on one side with chance g = a^(d+1) / (1+a), unless the end is
     nearer than that: Pr[|Y - j| <= d] = 1 - g [d < j] - g [d < n - j].
column-honest: as GM, but of a chance at an end t = (2a-1)/(2a) is found one step inward. So g is
(1-t) g where the end
     is d + 1 away, and at the end itself t/(1+a) is missing for d = 0. Least at j = 0, d + 1 or d +
     2.
EM   a column holds 1, a, a, a^2, a^2, ... in the order of distance, and within d of j lie the first
     m + 1 of them, m = min(d + min(d, j'), n). With q(2h-1) = a^h and q(2h) = 2 a^(h+1) / (1+a) the
     first m + 1 add up to (1 - q(m)) (1+a)/(1-a), so that Pr[|Y - j| <= d] = (1 - q(m)) / (1 -
     q(n)), least at j = 0.
WM   the mixture of both, least at j = 0 or at j = d + 1: up to d the fair part grows with j' and
     the geometric part does not fall, and beyond d + 1 neither changes.
UM   the number of outputs within reach, over n + 1.

Exact up to n = 128. Beyond, powers of alpha are rounded to a fixed number of bits and what that can
do is taken off, so that a chance is never overstated, and by less than 2^-150 understated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from discreet.core.forms import ColumnHonest, Fair, Form, Geometric, Uniform, WeaklyHonest

EXACT_SIZE = 128
BITS = 192
_ONE = Fraction(1)

Closed = Geometric | Fair | WeaklyHonest | ColumnHonest | Uniform


def closed(form: Form) -> Closed | None:
    """The form itself if it is given by its kind, n and alpha alone."""
    return (
        form if isinstance(form, (Geometric, Fair, WeaklyHonest, ColumnHonest, Uniform)) else None
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class ClosedChances:
    """Chances of being within a distance of the truth, for a closed form of any size."""

    form: Closed
    _powers: dict[int, Fraction] = field(default_factory=dict, repr=False)

    @property
    def n(self) -> int:
        """The group size."""
        return self.form.n

    def at(self, j: int, d: int) -> Fraction:
        """Pr[|Y - j| <= d] for the true count j."""
        return self._stated(self._at(j, d)) if d < self.n else _ONE

    def worst(self, d: int) -> Fraction:
        """The least such chance over all true counts."""
        if d >= self.n:
            return _ONE
        # WM's two candidates serve it, GM, EM and UM: GM is least at d + 1 where that is a true
        # count, the others at 0.
        candidates = [0, d + 1] if 2 * (d + 1) <= self.n else [0]
        if isinstance(self.form, ColumnHonest):
            candidates = [j for j in (0, d + 1, d + 2) if j <= self.n]
        return self._stated(min(self._at(j, d) for j in candidates))

    def average(self, d: int) -> Fraction:
        """The mean over all true counts, each equally likely."""
        return self._stated(self._average(d)) if d < self.n else _ONE

    def _at(self, j: int, d: int) -> Fraction:
        n, form = self.n, self.form
        if isinstance(form, Uniform):
            return Fraction(min(j + d, n) - max(j - d, 0) + 1, n + 1)
        if isinstance(form, ColumnHonest):
            return 1 - self._short(form, j, d) - self._short(form, n - j, d)
        geometric = fair = Fraction(0)
        if not isinstance(form, Fair):
            geometric = 1 - ((d < j) + (d < n - j)) * self._beyond(d)
        if not isinstance(form, Geometric):
            fair = (1 - self._rest(min(d + min(d, j, n - j), n))) / (1 - self._rest(n))
        return self._mixed(geometric, fair)

    def _average(self, d: int) -> Fraction:
        """GM: 2 (n-d) of the 2 (n+1) sides have room for more than d. EM: d true counts at
        either end lack it.
        """
        n, form = self.n, self.form
        if isinstance(form, Uniform):
            # pairs (i, j) at distance k > d: 2 (n + 1 - k) of them
            return 1 - Fraction((n - d) * (n - d + 1), (n + 1) ** 2)
        if isinstance(form, ColumnHonest):
            far = (
                (n - d - 1) * self._beyond(d)
                + self._short(form, d + 1, d)
                + (self._short(form, 0, 0) if not d else 0)
            )
            return 1 - 2 * far / (n + 1)
        geometric = fair = Fraction(0)
        if not isinstance(form, Fair):
            geometric = 1 - Fraction(2 * (n - d), n + 1) * self._beyond(d)
        if not isinstance(form, Geometric):
            top = min(2 * d, n)
            missing = (n + 1 - 2 * (top - d)) * self._rest(top) + 2 * self._rests(d, top)
            fair = (1 - missing / (n + 1)) / (1 - self._rest(n))
        return self._mixed(geometric, fair)

    def _short(self, form: ColumnHonest, room: int, d: int) -> Fraction:
        """Column-honest: the chance of more than d off toward an end that is `room` steps away."""
        if room > d:
            return self._beyond(d) * (1 if room > d + 1 else 1 - form.moved)
        return form.moved / (1 + self._alpha) if room == d == 0 else Fraction(0)

    def _mixed(self, geometric: Fraction, fair: Fraction) -> Fraction:
        if not isinstance(self.form, WeaklyHonest):
            return fair if isinstance(self.form, Fair) else geometric
        share = self.share()
        return share * geometric + (1 - share) * fair

    def share(self) -> Fraction:
        """WM's share of GM, (y - 1/(n+1)) / (y - y_GM), with y_GM = (1-a)/(1+a) and y = y_GM /
        (1 - q(n)) of EM.
        """
        a = self._alpha
        least = (1 - a) / (1 + a)
        diagonal = least / (1 - self._rest(self.n))
        return (diagonal - Fraction(1, self.n + 1)) / (diagonal - least)

    def whole(self) -> Fraction:
        """EM: the sum of a column's powers in units of (1+a)/(1-a), that of an endless one; 1 -
        q(n).
        """
        return 1 - self._rest(self.n)

    def upper_tail(self, y: int, j: int) -> Fraction:
        """EM: Pr[Y >= y | j] for j <= y: outputs i up to 2j+1 have a^(i-j), later ones
        a^ceil(i/2).
        """
        end, start, a = min(2 * j + 1, self.n), max(y, 2 * j + 2), self._alpha
        near = (
            (self._power(y - j) - self._power(end + 1 - j)) / (1 + a) if y <= end else Fraction(0)
        )
        far = self._rest(start - 1) - self._rest(self.n) if start <= self.n else Fraction(0)
        return (near + far) / self.whole()

    def _beyond(self, d: int) -> Fraction:
        return self._power(d + 1) / (1 + self._alpha)

    def _rest(self, m: int) -> Fraction:
        """q(m), the part of an endless column that comes after its first m + 1 entries."""
        half = (m + 1) // 2
        return self._power(half) if m % 2 else 2 * self._power(half + 1) / (1 + self._alpha)

    def _rests(self, first: int, end: int) -> Fraction:
        """q(first) + ... + q(end - 1); neighbours q(2h-1) + q(2h) = a^h (1+3a)/(1+a) make a
        geometric series.
        """
        a, total = self._alpha, Fraction(0)
        if first < end and first % 2 == 0:
            total, first = total + self._rest(first), first + 1
        if first < end and end % 2 == 0:
            end -= 1
            total += self._rest(end)
        if first < end:
            low, high = (first + 1) // 2, (end + 1) // 2
            total += (self._power(low) - self._power(high)) / (1 - a) * (1 + 3 * a) / (1 + a)
        return total

    @property
    def _alpha(self) -> Fraction:
        return Fraction(1) if isinstance(self.form, Uniform) else self.form.alpha

    def _power(self, k: int) -> Fraction:
        """a^k, exactly in a small group, else to so many bits that no chance is off by 2^-BITS.

        A chance is made of at most 8 powers, each at most n + 1 times and over at most (1-a)^3.
        """
        if k not in self._powers:
            extra = 3 * (self.n + 2).bit_length() + 4 * self._alpha.denominator.bit_length()
            exact = self.n <= EXACT_SIZE
            self._powers[k] = (
                self._alpha**k if exact else power_below(self._alpha, k, BITS + extra + 16)
            )
        return self._powers[k]

    def _stated(self, chance: Fraction) -> Fraction:
        if self.n <= EXACT_SIZE:
            return chance
        # one unit for the rounding of the powers, and at most one for this one
        return Fraction(max((chance.numerator << BITS) // chance.denominator - 1, 0), 1 << BITS)


def first_reaching(
    chance: Callable[[int], Fraction], last: int, enough: Callable[[Fraction], bool]
) -> int:
    """The smallest d with enough(chance(d)), for chances that do not fall; `last` is always enough.

    >>> first_reaching(lambda d: Fraction(d, 10), 10, lambda c: c >= Fraction(1, 2))
    5
    """
    low, high = 0, last
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(chance(middle)) else (middle + 1, high)
    return low


def power_below(alpha: Fraction, k: int, bits: int) -> Fraction:
    """Return a^k or at most 2^-bits less, for 0 < alpha <= 1, by squaring: work like log k.

    Rounding down loses less than 1 at each product, a square doubles what was lost, and no factor
    is above 1.

    >>> (
    ...     power_below(Fraction(1, 2), 3, 64),
    ...     0 <= Fraction(2, 3) ** 50 - power_below(Fraction(2, 3), 50, 64) < 2**-64,
    ... )
    (Fraction(1, 8), True)
    """
    places = bits + 2 * k.bit_length() + 2
    base, power = (alpha.numerator << places) // alpha.denominator, 1 << places
    while k:
        if k & 1:
            power = power * base >> places
        base = base * base >> places
        k >>= 1
    return Fraction(power, 1 << places)
