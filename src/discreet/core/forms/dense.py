"""The matrix written out, as integers over one denominator, and what every form of a matrix can
answer (`Form`).

Which forms there are is known to the room as a whole, so `check` and `canonical` look there when
they are called.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import accumulate, chain
from math import gcd, lcm
from operator import lt
from typing import TYPE_CHECKING, Any, Protocol

from discreet.core.rationals import read_fraction, read_list, shown
from discreet.errors import InvalidInput, NotPrivate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DENSE_LIMIT = 512
"""Beyond this n a matrix is not written out: (n+1)^2 integers of many thousand bits fill the
memory.
"""


class Form(Protocol):
    """What every way of storing a matrix can answer."""

    @property
    def n(self) -> int:
        """The group size: counts run over 0..n."""

    def entry(self, i: int, j: int) -> Fraction:
        """Pr[output i | true count j]."""

    def column(self, j: int) -> tuple[list[int], int]:
        """Column j as integers over one denominator."""

    def cumulative_bounds(self, j: int, bits: int) -> tuple[list[int], int]:
        """Integers L_i and e with L_i <= 2^bits (Pr[0|j] + ... + Pr[i|j]) <= L_i + e."""

    def check(self, alpha: Fraction) -> None:
        """Raise `NotPrivate` unless the matrix is non-negative, stochastic by columns and
        alpha-private, exactly.
        """

    def tight_alpha(self) -> Fraction:
        """The largest alpha for which the matrix is alpha-private."""

    def known(self, name: str) -> bool | None:
        """Whether a property holds, by theorem; None where only the written-out matrix can tell."""

    def text(self) -> str:
        """Return the form as canonical text, the same on every machine."""

    def dense(self) -> Dense:
        """Write the matrix out."""

    def floats(self) -> NDArray[np.float64]:
        """Return the matrix as floats [output, true count]."""


@dataclass(frozen=True, slots=True)
class Dense:
    """A matrix of integers over one denominator: Pr[i|j] = rows[i][j] / denominator.

    One person moves the count by at most `step`.
    """

    rows: tuple[tuple[int, ...], ...]
    denominator: int
    step: int = field(default=1, repr=False)

    def __hash__(self) -> int:
        return hash(
            (self.rows[:1], self.denominator)
        )  # the whole of it is long, and equal matrices begin alike

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

    @property
    def symmetric(self) -> bool:
        """Whether it is the same with yes and no exchanged: Pr[i|j] = Pr[n-i|n-j]."""
        return self.rows == tuple([row[::-1] for row in self.rows[::-1]])

    def text(self) -> str:
        """Return the matrix as canonical text."""
        step = f"step {self.step} " if self.step != 1 else ""
        return f"{step}dense {self.denominator:x} " + ";".join(
            ",".join(f"{x:x}" for x in row) for row in self.rows
        )

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

        # a large matrix often has few different entries, and to look one up is quicker than to
        # divide
        rounded = {x: x / self.denominator for x in {*chain.from_iterable(self.rows)}}
        return np.array([[rounded[x] for x in row] for row in self.rows], dtype=np.float64)

    def check(self, alpha: Fraction) -> None:
        """Raise `NotPrivate` unless non-negative, stochastic by columns and alpha-private,
        exactly.
        """
        size, rows = len(self.rows), self.rows
        if (
            type(rows) is not tuple
            or not rows
            or type(self.denominator) is not int
            or self.denominator < 1
        ):
            raise NotPrivate("the matrix must be a tuple of rows over a positive int")
        if type(self.step) is not int or not 1 <= self.step <= max(1, size - 1):
            raise NotPrivate("one person must move the count by at least 1 and at most n")
        for i, row in enumerate(rows):
            if type(row) is not tuple or set(map(type, row)) != {int}:
                # a list could change after it was checked, a NumPy integer can overflow, a float is
                # not exact
                raise NotPrivate(f"row {i} must be a tuple of ints")
            if len(row) != size:
                raise NotPrivate(
                    f"the matrix must be square: row {i} has {len(row)} entries, not {size}"
                )
            if min(row) < 0:
                j = next(j for j, x in enumerate(row) if x < 0)
                raise NotPrivate(
                    f"Pr[{i}|{j}] = {shown(self.entry(i, j))} is negative", cell=(i, j)
                )
        columns = list(zip(*rows, strict=True))
        if self.symmetric:  # what holds of two columns holds of their images
            columns = columns[: (size + self.step + 1) // 2]
        for j, total in enumerate(map(sum, columns)):
            if total != self.denominator:
                value = shown(Fraction(total, self.denominator))
                near = abs(total - self.denominator) * 10**6 < self.denominator
                hint = "; a rounded number is not exact, write a third as '1/3'" if near else ""
                raise NotPrivate(
                    f"column {j} sums to {value}, not 1: it is not a distribution{hint}",
                    cell=(0, j),
                )
        p, q = alpha.numerator, alpha.denominator
        # column after column, so that neighbours in all rows stand equally far apart
        entries = list(chain.from_iterable(columns))
        more, less = [q * x for x in entries], [p * x for x in entries]
        for far in range(1, self.step + 1):
            apart = far * size
            if any(map(lt, more, less[apart:])) or any(map(lt, more[apart:], less)):
                raise self._apart(far, alpha)

    def _apart(self, far: int, alpha: Fraction) -> NotPrivate:
        """The first two entries, `far` columns apart, that differ by more than alpha allows."""
        p, q = alpha.numerator, alpha.denominator
        i, j = next(
            (i, j)
            for i, row in enumerate(self.rows)
            for j, (left, right) in enumerate(zip(row, row[far:], strict=False))
            if q * left < p * right or q * right < p * left
        )
        a, b = shown(self.entry(i, j)), shown(self.entry(i, j + far))
        return NotPrivate(
            f"Pr[{i}|{j}] = {a} and Pr[{i}|{j + far}] = {b} differ by more than a factor of alpha "
            f"= {shown(alpha)}",
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
        raise InvalidInput(
            parameter,
            f"must be a square matrix with n at most {DENSE_LIMIT}",
            matrix,
            remedy=remedy,
        )
    exact: list[list[Fraction]] = []
    for i, row in enumerate(rows):
        values = read_list(row)
        if values is None or len(values) != len(rows):
            raise InvalidInput(
                parameter,
                f"must be square, with {len(rows)} entries in row {i}",
                row,
                remedy=remedy,
            )
        exact.append(
            [
                value
                if type(value) is Fraction
                else read_fraction(f"{parameter}[{i}][{j}]", value)  # any number of digits
                for j, value in enumerate(values)
            ]
        )
    denominator = lcm(*(x.denominator for row in exact for x in row))
    return reduced(
        [[x.numerator * (denominator // x.denominator) for x in row] for row in exact], denominator
    )


def check(form: Form, alpha: Fraction) -> None:
    """Raise `NotPrivate` unless a form is one of the library's own and alpha-private, exactly.

    A subclass or a look-alike could say anything of itself, so it is refused.
    """
    from discreet.core.forms import FORMS

    if type(form) not in FORMS:
        names = ", ".join(kind.__name__ for kind in FORMS)
        rule = f"only {names} can be checked, not {type(form).__name__}"
        raise NotPrivate(rule, remedy="write the matrix out as a Dense")
    form.check(alpha)


def canonical(form: Form) -> Form:
    """Return the one form in which this matrix is stored: a closed form where it is one."""
    from discreet.core.forms import Folded, Geometric, Relabelled, Uniform

    n = form.n
    if isinstance(form, Folded) or (isinstance(form, Dense) and form.step != 1):
        return form.in_lowest_terms()  # the closed forms are of counts that one person moves by one
    if n == 0:
        return Uniform(0)
    if isinstance(form, Dense):
        return _recognised(form.in_lowest_terms())
    if isinstance(form, Relabelled):
        used = {label for chosen in form.labels for label in chosen}
        # an answer that never comes has a row of zeros, as no closed form has
        return form if len(used) <= n else _recognised(form.dense())
    if form.tight_alpha() == 1:
        if not isinstance(form, Geometric):
            return Uniform(n)
        # a coin between 0 and n; equal to a matrix written out only where there can be one
        return _recognised(form.dense()) if n <= DENSE_LIMIT else form
    return Geometric(n, form.tight_alpha()) if n == 1 else form


def _recognised(matrix: Dense) -> Form:
    """Return the closed form that a matrix is, if it is one: row 0 of each begins with a step of
    exactly alpha.
    """
    from discreet.core.forms import ColumnHonest, Fair, Geometric, Uniform, WeaklyHonest
    from discreet.core.forms.column_honest import column_honest_exists, named_by_matrix

    n, (first, second) = matrix.n, matrix.rows[0][:2]
    if not 0 < second <= first:
        return matrix
    # One look at the diagonal, in integers, rules most forms out: EM's is level, WM's is 1/(n+1)
    # inside.
    inside, whole, falls = matrix.rows[1][1], matrix.denominator, second < first
    gm, em, wm = (
        falls and first + second == whole,
        falls and inside == first,
        falls and inside * (n + 1) == whole,
    )
    ends_moved = 2 * second * (first + second) == whole * first
    if not (gm or em or wm or ends_moved) and falls:
        return matrix
    alpha = Fraction(second, first)
    candidates: list[Form] = [] if falls else [Uniform(n)]
    candidates += [Geometric(n, alpha)] * gm + [Fair(n, alpha)] * em
    if wm and n > 1 and n * (1 - alpha) < 2 * alpha:
        candidates.append(WeaklyHonest(n, alpha))
    if ends_moved and column_honest_exists(n, alpha) and named_by_matrix(n, alpha):
        candidates.append(ColumnHonest(n, alpha))
    for candidate in candidates:
        # the corner, then the first column, tell most matrices apart before anything is written out
        if (
            matrix.entry(0, 0) == candidate.entry(0, 0)
            and _begins(matrix, candidate)
            and matrix == candidate.dense()
        ):
            return candidate
    return matrix


def _begins(matrix: Dense, form: Form) -> bool:
    """Whether a form has a matrix's first column."""
    weights, denominator = form.column(0)
    return all(
        row[0] * denominator == x * matrix.denominator
        for row, x in zip(matrix.rows, weights, strict=True)
    )
