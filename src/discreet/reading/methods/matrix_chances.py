"""How far off any mechanism may be, read off its matrix; and averages of chances under a prior
that is not uniform.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol

from discreet.reading.methods.closed_chances import BITS, EXACT_SIZE

if TYPE_CHECKING:
    from discreet.core.forms import Form
    from discreet.core.losses import Prior


class Chances(Protocol):
    """Chances of being within d of the truth, exact in a small group and else rounded down; d is
    at most n.
    """

    @property
    def n(self) -> int:
        """The group size."""

    def at(self, j: int, d: int) -> Fraction:
        """Pr[|Y - j| <= d] for the true count j."""

    def worst(self, d: int) -> Fraction:
        """The least such chance over all true counts."""

    def average(self, d: int) -> Fraction:
        """The mean over true counts."""


class Weighed:
    """The same chances as another's, their mean taken under a prior."""

    def __init__(self, chances: Chances, prior: Prior) -> None:
        self._chances, self._prior = chances, prior
        self.at, self.worst = chances.at, chances.worst

    @property
    def n(self) -> int:
        """The group size."""
        return self._chances.n

    def average(self, d: int) -> Fraction:
        """sum_j w_j Pr[within d | j]; of a large group in integers over 2^192, rounded down."""
        if d >= self.n:
            return Fraction(1)
        pairs = [(w, self.at(j, d)) for j, w in enumerate(self._prior.weights) if w]
        if self.n <= EXACT_SIZE:
            return sum((w * chance for w, chance in pairs), Fraction(0))
        total = sum(_floor(w) * _floor(chance) for w, chance in pairs)
        return Fraction(total >> BITS, 1 << BITS)


class MatrixChances:
    """The chances of a matrix that is written out, from the running sums of its columns."""

    def __init__(self, form: Form) -> None:
        self._form = form
        self._columns: dict[int, tuple[list[int], int, int]] = {}

    @property
    def n(self) -> int:
        """The group size."""
        return self._form.n

    def at(self, j: int, d: int) -> Fraction:
        """Pr[|Y - j| <= d]; of a large group a lower bound over 2^192, tight to 2^-150."""
        n = self.n
        if d >= n:
            return Fraction(1)
        below, slack, denominator = self._below(j)
        inside = below[min(n, j + d) + 1] - below[max(0, j - d)] - (slack if j > d else 0)
        return Fraction(max(inside, 0), denominator)

    def worst(self, d: int) -> Fraction:
        """The least such chance over all true counts."""
        return min(self.at(j, d) for j in range(self.n + 1))

    def average(self, d: int) -> Fraction:
        """The mean over all true counts, each equally likely."""
        return sum((self.at(j, d) for j in range(self.n + 1)), Fraction(0)) / (self.n + 1)

    def _below(self, j: int) -> tuple[list[int], int, int]:
        if j not in self._columns:
            if self.n <= EXACT_SIZE:
                numerators, denominator = self._form.column(j)
                self._columns[j] = [0, *accumulate(numerators)], 0, denominator
            else:
                lower, slack = self._form.cumulative_bounds(j, BITS)
                self._columns[j] = [0, *lower], slack, 1 << BITS
        return self._columns[j]


def _floor(value: Fraction) -> int:
    return (value.numerator << BITS) // value.denominator
