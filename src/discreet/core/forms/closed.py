"""The closed forms: matrices given by n and alpha alone.

Geometric     Pr[i|j] = s_i a^|i-j|,  s_0 = s_n = 1/(1+a), else (1-a)/(1+a)     (Figure 3 of the
              paper)
Fair          Pr[i|j] = y a^e(i,j),   e = min(j-i, ceil((n-i)/2)) for j >= i, else min(i-j,
              ceil(i/2))
WeaklyHonest  lambda Geometric + (1-lambda) Fair; the interior diagonal is exactly 1/(n+1)
Uniform       Pr[i|j] = 1/(n+1)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING

from discreet.core.forms.dense import DENSE_LIMIT, Dense, reduced
from discreet.core.forms.fixed_point import cumulative, power_at_most, power_bounds, powers_below
from discreet.core.rationals import shown
from discreet.errors import InvalidInput, NotPrivate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SEVEN = frozenset({"RH", "RM", "CH", "CM", "WH", "F", "S"})
"""What the paper's theorems speak of: of any other property the written-out matrix decides."""


def _written_out(form: Geometric | Fair | WeaklyHonest | Uniform) -> Dense:
    if form.n > DENSE_LIMIT:
        raise InvalidInput("n", f"must be at most {DENSE_LIMIT} to write the matrix out", form.n)
    columns = [form.column(j) for j in range(form.n + 1)]
    return reduced(
        [list(row) for row in zip(*(weights for weights, _ in columns), strict=True)], columns[0][1]
    )


def _require(
    form: Geometric | Fair | WeaklyHonest | Uniform, exists: bool, alpha: Fraction
) -> None:
    """Check a closed form: it has no free entries, so its theorem's conditions are all there is to
    check.

    The theorems are in docs/paper/claims; the tests hold each of them against every entry, up to n
    = 64.
    """
    alpha_is_exact = isinstance(form, Uniform) or type(form.alpha) is Fraction
    if (
        type(form.n) is not int or not alpha_is_exact
    ):  # a NumPy integer can overflow, a float is not exact
        raise NotPrivate(f"{type(form).__name__} needs n as an int and alpha as a Fraction")
    if not exists:
        raise NotPrivate(f"there is no {form.text()}: n or alpha is outside its definition")
    if form.tight_alpha() < alpha:
        raise NotPrivate(
            f"the matrix is private for alpha = {shown(form.tight_alpha())}, not for {shown(alpha)}"
        )


@dataclass(frozen=True, slots=True)
class Uniform:
    """UM, Definition 5 of the paper: every answer has chance 1/(n+1), whatever the truth."""

    n: int

    def entry(self, i: int, j: int) -> Fraction:
        """Pr[i|j]."""
        return Fraction(1, self.n + 1)

    def column(self, j: int) -> tuple[list[int], int]:
        """Column j as integers over one denominator."""
        return [1] * (self.n + 1), self.n + 1

    def cumulative_bounds(self, j: int, bits: int) -> tuple[list[int], int]:
        """Integers L_i <= 2^bits CDF(i) <= L_i + 1."""
        return [((i + 1) << bits) // (self.n + 1) for i in range(self.n + 1)], 1

    def check(self, alpha: Fraction) -> None:
        """Columns are distributions that ignore the input."""
        _require(self, self.n >= 0, alpha)

    def tight_alpha(self) -> Fraction:
        """1: the output ignores the input."""
        return Fraction(1)

    def known(self, name: str) -> bool | None:
        """UM has all seven properties (Theorem 2), and output DP at every ratio."""
        return True if name in _SEVEN or name == "ODP" else None

    def text(self) -> str:
        """Return the canonical text."""
        return f"uniform {self.n}"

    def dense(self) -> Dense:
        """Write the matrix out."""
        return _written_out(self)

    def floats(self) -> NDArray[np.float64]:
        """Return the matrix as floats."""
        import numpy as np

        return np.full((self.n + 1, self.n + 1), 1 / (self.n + 1))


@dataclass(frozen=True, slots=True)
class Geometric:
    """GM, Definition 4 of the paper with the noise law's slip mended: (1-a)/(1+a) a^|d|, clamped
    to 0..n.
    """

    n: int
    alpha: Fraction

    def entry(self, i: int, j: int) -> Fraction:
        """Pr[i|j]."""
        a = self.alpha
        scale = 1 / (1 + a) if i in (0, self.n) else (1 - a) / (1 + a)
        return scale * a ** abs(i - j)

    def column(self, j: int) -> tuple[list[int], int]:
        """Column j as integers over one denominator, (p+q) q^n for alpha = p/q."""
        p, q = self.alpha.numerator, self.alpha.denominator
        powers = powers_of(self.alpha, self.n)
        weights = [(q - p) * powers[abs(i - j)] for i in range(self.n + 1)]
        weights[0], weights[-1] = q * powers[j], q * powers[self.n - j]
        return weights, (p + q) * powers[0]

    def cumulative_bounds(self, j: int, bits: int) -> tuple[list[int], int]:
        """Bounds of the cumulative chances, from powers rounded down."""
        p, q = self.alpha.numerator, self.alpha.denominator
        powers, slack = powers_below(self.alpha, self.n, bits)
        low = [(q - p) * powers[abs(i - j)] for i in range(self.n + 1)]
        low[0], low[-1] = q * powers[j], q * powers[self.n - j]
        return cumulative(low, q * slack, bits)

    def check(self, alpha: Fraction) -> None:
        """The geometric series clamped to 0..n is a distribution; a step along a row is a factor
        of alpha.
        """
        _require(self, self.n >= 1 and 0 < self.alpha <= 1, alpha)

    def tight_alpha(self) -> Fraction:
        """Every DP inequality is tight."""
        return self.alpha

    def known(self, name: str) -> bool | None:
        """Lemmas 2 and 3, which hold from n = 2 on; at n = 1 GM is randomized response and has
        them all.
        """
        n, a = self.n, self.alpha
        return {
            "RM": True,
            "RH": True,
            "S": True,
            "WH": n <= 1 or n * (1 - a) >= 2 * a,
            "CM": n <= 1 or a <= Fraction(1, 2),
            "CH": n <= 1 or a <= Fraction(1, 2),
            "F": n <= 1,
        }.get(name)

    def text(self) -> str:
        """Return the canonical text."""
        return f"geometric {self.n} {self.alpha.numerator:x}/{self.alpha.denominator:x}"

    def dense(self) -> Dense:
        """Write the matrix out."""
        return _written_out(self)

    def floats(self) -> NDArray[np.float64]:
        """Return the matrix as floats."""
        import numpy as np

        a = float(self.alpha)
        counts = np.arange(self.n + 1)
        scale = np.full(self.n + 1, (1 - a) / (1 + a))
        scale[[0, -1]] = 1 / (1 + a)
        matrix: NDArray[np.float64] = scale[:, None] * a ** np.abs(counts[:, None] - counts)
        return matrix


@dataclass(frozen=True, slots=True)
class Fair:
    """EM, Theorem 4 of the paper: the best fair mechanism, with all seven properties.

    Its columns are permutations of column 0, so y is one over the sum of column 0's powers, n odd
    or even.
    """

    n: int
    alpha: Fraction

    def exponent(self, i: int, j: int) -> int:
        """The power of alpha at (i, j): the distance, capped. It changes by at most 1 along a
        row.
        """
        return min(j - i, (self.n - i + 1) // 2) if j >= i else min(i - j, (i + 1) // 2)

    def entry(self, i: int, j: int) -> Fraction:
        """Pr[i|j]; `diagonal_bounds` says what the powers of column 0 add up to."""
        n, a = self.n, self.alpha
        if a == 1:
            return Fraction(1, n + 1)
        truth = (1 - a) / (1 + a - (1 + a if n % 2 else 2) * a ** (n // 2 + 1))
        return truth * a ** self.exponent(i, j)

    def column(self, j: int) -> tuple[list[int], int]:
        """Column j as integers over one denominator."""
        n, powers = self.n, powers_of(self.alpha, (self.n + 1) // 2)
        # `exponent`, above and on or below the diagonal
        weights = [powers[min(j - i, (n - i + 1) // 2)] for i in range(j)]
        weights += [powers[min(i - j, (i + 1) // 2)] for i in range(j, n + 1)]
        return weights, sum(weights)  # a permutation of column 0's

    def cumulative_bounds(self, j: int, bits: int) -> tuple[list[int], int]:
        """Bounds of the cumulative chances, from powers rounded down."""
        powers, slack = powers_below(self.alpha, self.n, bits)
        return cumulative([powers[self.exponent(i, j)] for i in range(self.n + 1)], slack, bits)

    def diagonal_bounds(self, bits: int) -> tuple[int, int]:
        """Return integers around 2^bits y, y being the diagonal.

        The powers of column 0 add up to (1 + a - 2 a^(n/2+1)) / (1-a) for even n and (1+a) (1 -
        a^((n+1)/2)) / (1-a) for odd n; a bound of the power, close even beside 1-a, bounds them.
        """
        n, a = self.n, self.alpha
        if a == 1:
            return (1 << bits) // (n + 1), -(-(1 << bits) // (n + 1))
        precision = bits + 8 + 2 * a.denominator.bit_length()
        low, high = (Fraction(p, 1 << precision) for p in power_bounds(a, n // 2 + 1, precision))
        least, most = (1 + a - (1 + a if n % 2 else 2) * power for power in (high, low))
        return floor((1 - a) * 2**bits / most), ceil((1 - a) * 2**bits / least)

    def check(self, alpha: Fraction) -> None:
        """Theorem 4: columns are permutations of column 0; a step along a row is a factor of
        alpha or 1.
        """
        _require(self, self.n >= 0 and 0 < self.alpha <= 1, alpha)

    def tight_alpha(self) -> Fraction:
        """Rows step by exactly alpha, or not at all."""
        return self.alpha

    def known(self, name: str) -> bool | None:
        """Theorem 4: all seven properties, for every n and alpha."""
        return True if name in _SEVEN else None

    def text(self) -> str:
        """Return the canonical text."""
        return f"fair {self.n} {self.alpha.numerator:x}/{self.alpha.denominator:x}"

    def dense(self) -> Dense:
        """Write the matrix out."""
        return _written_out(self)

    def floats(self) -> NDArray[np.float64]:
        """Return the matrix as floats."""
        import numpy as np

        i, j = np.indices((self.n + 1, self.n + 1))
        above = np.minimum(j - i, (self.n - i + 1) // 2)
        powers = float(self.alpha) ** np.where(j >= i, above, np.minimum(i - j, (i + 1) // 2))
        matrix: NDArray[np.float64] = powers / powers[:, 0].sum()
        return matrix


@dataclass(frozen=True, slots=True)
class WeaklyHonest:
    """WM: lambda GM + (1-lambda) EM, for 2 <= n < 2a/(1-a); its interior diagonal is exactly
    1/(n+1).

    The optimum of L0 under weak honesty, in closed form (ours, not the paper's; the proof is in
    docs/paper).
    """

    n: int
    alpha: Fraction

    def weight(self) -> Fraction:
        """lambda = (y_EM - 1/(n+1)) / (y_EM - y_GM), the share of GM."""
        y = self.fair.entry(0, 0)
        return (y - Fraction(1, self.n + 1)) / (y - self.geometric.entry(1, 1))

    @property
    def fair(self) -> Fair:
        """The fair part."""
        return Fair(self.n, self.alpha)

    @property
    def geometric(self) -> Geometric:
        """The geometric part."""
        return Geometric(self.n, self.alpha)

    def entry(self, i: int, j: int) -> Fraction:
        """Pr[i|j]."""
        share = self.weight()
        return share * self.geometric.entry(i, j) + (1 - share) * self.fair.entry(i, j)

    def column(self, j: int) -> tuple[list[int], int]:
        """Column j as integers over one denominator."""
        share = self.weight()
        (first, d), (second, e) = self.geometric.column(j), self.fair.column(j)
        a, b = share.numerator * e, (share.denominator - share.numerator) * d
        return [
            a * x + b * y for x, y in zip(first, second, strict=True)
        ], share.denominator * d * e

    def cumulative_bounds(self, j: int, bits: int) -> tuple[list[int], int]:
        """Bounds from the bounds of both parts and of lambda, which grows with y_EM because y_GM
        < 1/(n+1).
        """
        precision = bits + 16 + 2 * self.n.bit_length()
        one = 1 << precision
        guess, flat = Fraction(one, self.n + 1), one * self.geometric.entry(1, 1)
        low, high = ((y - guess) / (y - flat) for y in self.fair.diagonal_bounds(precision))
        share, spread = int(low * one), int((high - low) * one) + 2
        first, e1 = self.geometric.cumulative_bounds(j, precision)
        second, e2 = self.fair.cumulative_bounds(j, precision)
        shift = 2 * precision - bits
        rest = one - share - spread
        sums = [share * g + rest * f >> shift for g, f in zip(first, second, strict=True)]
        return sums, ((2 * spread + e1 + e2 + 2) * one >> shift) + 2

    def check(self, alpha: Fraction) -> None:
        """A mixture of two private mechanisms, where lambda lies between 0 and 1."""
        _require(
            self,
            2 <= self.n < 2 * self.alpha / (1 - self.alpha) if 0 < self.alpha < 1 else False,
            alpha,
        )

    def tight_alpha(self) -> Fraction:
        """Row 0 falls by exactly alpha at its first step in both parts."""
        return self.alpha

    def known(self, name: str) -> bool | None:
        """The mixture keeps what GM and EM share; weak honesty by construction.

        Rows fall away from the diagonal, so column honesty can only fail where row 0 outgrows the
        interior diagonal, first in column 1. Columns fall in both parts but between rows 0 and 1,
        where GM rises: at even n EM is level there in the last column, so the mixture rises; at odd
        n column 1 decides again.
        """
        if name == "CH":
            return self._column_honest()
        if name == "CM":
            return self.n % 2 == 1 and self._column_honest()
        return {"RM": True, "RH": True, "S": True, "WH": True, "F": False}.get(name)

    def _column_honest(self) -> bool:
        """Whether Pr[0|1] <= u = 1/(n+1), at any n.

        With y and g the diagonals of EM and of GM inside, Pr[0|1] = a ((y-u)/(1+a) + (u-g) y) /
        (y-g), so it says y K <= R with K = a/(1+a) + a (u-g) - u and R = u (2a-1)/(1+a), which is
        positive here; and y = (1-a) / (1+a - 2 a^(n/2+1)) for even n, (1-a) / ((1+a) (1 -
        a^((n+1)/2))) for odd n: a bound on a power.
        """
        n, a, u = self.n, self.alpha, Fraction(1, self.n + 1)
        g, share = (1 - a) / (1 + a), a / (1 + a)
        first, rest = share + a * (u - g) - u, u * (2 * a - 1) / (1 + a)
        room = rest * (1 + a) - (1 - a) * first
        return power_at_most(
            a, (n + 1) // 2 + (n % 2 == 0), room / (rest * (1 + a if n % 2 else 2))
        )

    def text(self) -> str:
        """Return the canonical text."""
        return f"weakly-honest {self.n} {self.alpha.numerator:x}/{self.alpha.denominator:x}"

    def dense(self) -> Dense:
        """Write the matrix out."""
        return _written_out(self)

    def floats(self) -> NDArray[np.float64]:
        """Return the matrix as floats."""
        share = float(self.weight())
        return share * self.geometric.floats() + (1 - share) * self.fair.floats()


def powers_of(alpha: Fraction, top: int) -> list[int]:
    """Return p^k q^(top-k) for k = 0..top, alpha being p/q."""
    p, q = alpha.numerator, alpha.denominator
    powers = [q**top]
    for _ in range(top):
        powers.append(powers[-1] // q * p)
    return powers
