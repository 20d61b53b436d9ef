"""The column-honest optimum: GM followed by 0 -> 1 and n -> n-1 with a fixed chance, for n >= 3 and
1/2 < a <= 2/3.

GM gives its ends too much where a > 1/2: in column 1 the answer 0 is likelier than the truth. With
t = (2a-1)/(2a) of each end's chance moved one step inward, Pr[0|1] = Pr[1|1], and (up to a = 2/3)
no column is dishonest any more:

    Pr[0|j] = a^j / (2a(1+a))                          a 0 of GM that stayed, 1-t = 1/(2a)
    Pr[1|j] = Pr[0|j] for j >= 1,   Pr[1|0] = (2a(1-a) + (2a-1)/a) / (2(1+a))
    Pr[i|j] = (1-a)/(1+a) a^|i-j|   for 2 <= i <= n-2,     Pr[i|j] = Pr[n-i|n-j] beyond

The theorem is ours (beyond-columns.md). It is post-processed GM, hence as private. Of the
properties: rows fall away from the diagonal because Pr[1|0] <= Pr[1|1]; columns do because Pr[1|2]
<= Pr[2|2], which says a/2 <= 1-a and so ends the interval. Weak honesty follows from column
honesty, symmetry from the definition.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import TYPE_CHECKING

from discreet.core.forms.closed import Geometric, powers_of
from discreet.core.forms.dense import DENSE_LIMIT, Dense
from discreet.core.forms.fixed_point import cumulative, powers_below
from discreet.core.rationals import shown
from discreet.errors import InvalidInput, NotPrivate

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

_SHORT = 1 << 40


def column_honest_exists(n: int, alpha: Fraction) -> bool:
    """Whether the theorem speaks of this n and alpha.

    >>> column_honest_exists(3, Fraction(2, 3)), column_honest_exists(3, Fraction(1, 2))
    (True, False)
    """
    return n >= 3 and 2 * alpha > 1 and 3 * alpha <= 2


def named_by_matrix(n: int, alpha: Fraction) -> bool:
    """Whether the matrix is short enough to be written out (as the verifier says it), and is named
    by what it holds.

    Such matrices were designed by linear program before the theorem was known, and an id never
    changes. Beyond this size it is named by n and alpha; a longer matrix that somebody wrote out
    stays as it was written.
    """
    return n <= DENSE_LIMIT and (n + 1) ** 2 * (n * alpha.denominator.bit_length()) ** 2 <= _SHORT


@dataclass(frozen=True, slots=True)
class ColumnHonest:
    """The best mechanism with honest columns: L0, uniform prior, n >= 3, 1/2 < alpha <= 2/3.

    >>> form = ColumnHonest(3, Fraction(3, 5))
    >>> [str(form.entry(i, 1)) for i in range(4)]
    ['5/16', '5/16', '3/16', '3/16']
    """

    n: int
    alpha: Fraction

    @property
    def moved(self) -> Fraction:
        """The chance t = (2a-1)/(2a) that an answer of GM at an end is moved one step inward."""
        return (2 * self.alpha - 1) / (2 * self.alpha)

    @property
    def geometric(self) -> Geometric:
        """GM, of which it is made."""
        return Geometric(self.n, self.alpha)

    def entry(self, i: int, j: int) -> Fraction:
        """Pr[i|j]."""
        a = self.alpha
        if 2 * i > self.n:
            i, j = self.n - i, self.n - j
        if i >= 2:
            return (1 - a) / (1 + a) * a ** abs(i - j)
        if i == 1 and j == 0:
            return (2 * a * (1 - a) + (2 * a - 1) / a) / (2 * (1 + a))
        return a**j / (2 * a * (1 + a))

    def _scales(self) -> tuple[int, int, int]:
        """What goes with powers of alpha = p/q, over 2p(p+q): in rows 0 and 1, in inner rows,
        moved from 0 to 1.
        """
        p, q = self.alpha.numerator, self.alpha.denominator
        return q * q, 2 * p * (q - p), (2 * p - q) * q

    def _column(self, j: int, power: Sequence[int]) -> list[int]:
        """Column j in units of 1 / (2p(p+q)), from (exact or rounded) powers of alpha."""
        n = self.n
        end, inner, moved = self._scales()
        weights = [inner * power[abs(i - j)] for i in range(n + 1)]
        weights[0] = weights[1] = end * power[j]
        weights[n] = weights[n - 1] = end * power[n - j]
        if j == 0:
            weights[1] = moved * power[0] + inner * power[1]
        if j == n:
            weights[n - 1] = moved * power[0] + inner * power[1]
        return weights

    def column(self, j: int) -> tuple[list[int], int]:
        """Column j as integers over one denominator, 2p (p+q) q^n for alpha = p/q."""
        p, q = self.alpha.numerator, self.alpha.denominator
        power = powers_of(self.alpha, self.n)
        return self._column(j, power), 2 * p * (p + q) * power[0]

    def cumulative_bounds(self, j: int, bits: int) -> tuple[list[int], int]:
        """Bounds of the cumulative chances, from powers rounded down; no scale is above q^2."""
        powers, slack = powers_below(self.alpha, self.n, bits)
        return cumulative(self._column(j, powers), self.alpha.denominator**2 * slack, bits)

    def check(self, alpha: Fraction) -> None:
        """Post-processed GM: it has no free entries, so the theorem's conditions are all there
        is to check.
        """
        if type(self.n) is not int or type(self.alpha) is not Fraction:
            raise NotPrivate("ColumnHonest needs n as an int and alpha as a Fraction")
        if not column_honest_exists(self.n, self.alpha):
            raise NotPrivate(
                "there is a column-honest closed form for n >= 3 and 1/2 < alpha <= 2/3 only"
            )
        if self.alpha < alpha:
            raise NotPrivate(
                f"the matrix is private for alpha = {shown(self.alpha)}, not for {shown(alpha)}"
            )

    def tight_alpha(self) -> Fraction:
        """Row 0 falls by exactly alpha at every step."""
        return self.alpha

    def known(self, name: str) -> bool | None:
        """All but fairness: the truth is likelier at 0 and n than elsewhere."""
        return {
            "RM": True,
            "RH": True,
            "CM": True,
            "CH": True,
            "WH": True,
            "S": True,
            "F": False,
        }.get(name)

    def text(self) -> str:
        """Return the canonical text: that of the matrix where it is short."""
        if not named_by_matrix(self.n, self.alpha):
            return f"column-honest {self.n} {self.alpha.numerator:x}/{self.alpha.denominator:x}"
        return self.dense().text()

    def dense(self) -> Dense:
        """Write the matrix out, in lowest terms; rows 2..n-2 hold n-1 different numbers in all."""
        n = self.n
        if n > DENSE_LIMIT:
            raise InvalidInput("n", f"must be at most {DENSE_LIMIT} to write the matrix out", n)
        p, q = self.alpha.numerator, self.alpha.denominator
        power, (end, inner, moved) = powers_of(self.alpha, self.n), self._scales()
        first, inside = [end * x for x in power], [inner * x for x in power]
        beside = moved * power[0] + inner * power[1]
        whole = 2 * p * (p + q) * power[0]
        common = gcd(whole, beside, *first, *inside[: n - 1 if n > 3 else 0])
        first, inside = [x // common for x in first], [x // common for x in inside]
        second = [beside // common, *first[1:]]
        rows = [tuple(inside[abs(i - j)] for j in range(n + 1)) for i in range(2, n - 1)]
        ends = [tuple(first), tuple(second)]
        return Dense((*ends, *rows, *(row[::-1] for row in reversed(ends))), whole // common)

    def floats(self) -> NDArray[np.float64]:
        """Return the matrix as floats."""
        matrix, moved = self.geometric.floats(), float(self.moved)
        for end, inward in ((0, 1), (-1, -2)):
            matrix[inward] += moved * matrix[end]
            matrix[end] *= float(1 - self.moved)
        return matrix
