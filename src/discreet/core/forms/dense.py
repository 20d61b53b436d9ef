"""The matrix written out: integers over one denominator, checked in integers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import accumulate, chain
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

from discreet.core.rationals import read_fraction, read_list, shown
from discreet.errors import InvalidInput, NotPrivate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DENSE_LIMIT = 512
"""Beyond this n a matrix is not written out: (n+1)^2 integers of many thousand bits fill the memory."""


@dataclass(frozen=True, slots=True)
class Dense:
    """A matrix of integers over one denominator: Pr[i|j] = rows[i][j] / denominator.

    One person moves the count by at most `step`.
    """

    rows: tuple[tuple[int, ...], ...]
    denominator: int
    step: int = field(default=1, repr=False)

    @property
    def n(self) -> int:
        """The group size."""
        return len(self.rows) - 1

    def entry(self, i: int, j: int) -> Fraction:
        """Pr[i|j]."""
        return Fraction(self.rows[i][j], self.denominator)

    def column(self, j: int) -> tuple[list[int], int]:
        """Column j as integers over one denominator."""
        return [row[j] for row in self.rows], self.denominator

    def cumulative_bounds(self, j: int, bits: int) -> tuple[list[int], int]:
        """Integers L_i <= 2^bits CDF(i) <= L_i + 1."""
        sums = accumulate(row[j] for row in self.rows)
        return [(total << bits) // self.denominator for total in sums], 1

    def tight_alpha(self) -> Fraction:
        """The smallest ratio of neighbouring entries (0 where a zero stands beside a chance)."""
        small, large = 1, 1
        for row in self.rows:
            for far in range(1, self.step + 1):
                for left, right in zip(row, row[far:], strict=False):
                    low, high = (left, right) if left < right else (right, left)
                    if low * large < high * small:
                        small, large = low, high
        return Fraction(small, large)

    def known(self, name: str) -> bool | None:
        """Nothing is known by theorem of a matrix that was written out."""
        return None

    def text(self) -> str:
        """Return the matrix as canonical text."""
        step = f"step {self.step} " if self.step != 1 else ""
        return f"{step}dense {self.denominator:x} " + ";".join(",".join(f"{x:x}" for x in row) for row in self.rows)

    def dense(self) -> Dense:
        """Return the matrix itself."""
        return self

    def in_lowest_terms(self) -> Dense:
        """Return it with the least denominator, so that equal matrices are equal values."""
        common = gcd(self.denominator, *chain.from_iterable(self.rows))
        if common == 1:
            return self
        return replace(reduced([list(row) for row in self.rows], self.denominator), step=self.step)

    def floats(self) -> NDArray[np.float64]:
        """Return the matrix as floats, each correctly rounded."""
        import numpy as np

        return np.array([[x / self.denominator for x in row] for row in self.rows], dtype=np.float64)

    def check(self, alpha: Fraction) -> None:
        """Raise `NotPrivate` unless non-negative, stochastic by columns and alpha-private, exactly."""
        size, rows = len(self.rows), self.rows
        if type(rows) is not tuple or not rows or type(self.denominator) is not int or self.denominator < 1:
            raise NotPrivate("the matrix must be a tuple of rows over a positive int")
        if type(self.step) is not int or not 1 <= self.step <= max(1, size - 1):
            raise NotPrivate("one person must move the count by at least 1 and at most n")
        for i, row in enumerate(rows):
            if type(row) is not tuple or set(map(type, row)) != {int}:
                # a list could change after it was checked, a NumPy integer can overflow, a float is not exact
                raise NotPrivate(f"row {i} must be a tuple of ints")
            if len(row) != size:
                raise NotPrivate(f"the matrix must be square: row {i} has {len(row)} entries, not {size}")
            for j, x in enumerate(row):
                if x < 0:
                    raise NotPrivate(f"Pr[{i}|{j}] = {shown(self.entry(i, j))} is negative", cell=(i, j))
        for j in range(size):
            total = sum(row[j] for row in rows)
            if total != self.denominator:
                value = shown(Fraction(total, self.denominator))
                near = abs(total - self.denominator) * 10**6 < self.denominator
                hint = "; a rounded number is not exact, write a third as '1/3'" if near else ""
                raise NotPrivate(f"column {j} sums to {value}, not 1: it is not a distribution{hint}", cell=(0, j))
        p, q = alpha.numerator, alpha.denominator
        for i, row in enumerate(rows):
            for far in range(1, self.step + 1):
                for j, (left, right) in enumerate(zip(row, row[far:], strict=False)):
                    if q * left < p * right or q * right < p * left:
                        a, b = shown(self.entry(i, j)), shown(self.entry(i, j + far))
                        raise NotPrivate(
                            f"Pr[{i}|{j}] = {a} and Pr[{i}|{j + far}] = {b} differ by more than a factor of "
                            f"alpha = {shown(alpha)}",
                            cell=(i, j),
                        )


def reduced(rows: list[list[int]], denominator: int) -> Dense:
    """Return a `Dense` in lowest terms, so that equal matrices are equal values."""
    common = gcd(denominator, *(x for row in rows for x in row))
    return Dense(tuple(tuple(x // common for x in row) for row in rows), denominator // common)


def mixed(share: Fraction, first: Dense, second: Dense) -> Dense:
    """Return share * first + (1 - share) * second."""
    a = share.numerator * second.denominator
    b = (share.denominator - share.numerator) * first.denominator
    rows = [
        [a * x + b * y for x, y in zip(left, right, strict=True)]
        for left, right in zip(first.rows, second.rows, strict=True)
    ]
    return reduced(rows, share.denominator * first.denominator * second.denominator)


def dense_from(matrix: Any, parameter: str = "matrix") -> Dense:
    """Read rows [output][true count] of exact numbers.

    >>> dense_from([["2/3", "1/3"], ["1/3", "2/3"]])
    Dense(rows=((2, 1), (1, 2)), denominator=3)
    """
    rows = read_list(matrix)
    remedy = "give n+1 rows of n+1 exact numbers; rows[i][j] is Pr[i|j]"
    if not rows or len(rows) > DENSE_LIMIT + 1:
        raise InvalidInput(parameter, f"must be a square matrix with n at most {DENSE_LIMIT}", matrix, remedy=remedy)
    exact: list[list[Fraction]] = []
    for i, row in enumerate(rows):
        values = read_list(row)
        if values is None or len(values) != len(rows):
            raise InvalidInput(parameter, f"must be square, with {len(rows)} entries in row {i}", row, remedy=remedy)
        exact.append([read_fraction(f"{parameter}[{i}][{j}]", value) for j, value in enumerate(values)])
    denominator = lcm(*(x.denominator for row in exact for x in row))
    return reduced([[x.numerator * (denominator // x.denominator) for x in row] for row in exact], denominator)
