"""The matrix that belongs to a point of the program of thresholds: columns filled level, one from
the other.

Above the diagonal, column j+1 is made from column j. Its entries must sum to t_j, be at least a
times and at most once their left neighbour (privacy, row monotonicity) and at most d_{j+1} (column
honesty). Of all ways to do that take the most level one: entry i is `min(max(w, low_i), high_i)`
for one water level w. A column that falls away from the diagonal makes the next one fall too, so
column monotonicity comes by itself, and weak honesty with it. Below the diagonal stands the mirror
image.

Whether there is room can be said without the matrix, by conditions at each threshold that are
proven to suffice (docs/old/paper/beyond-columns.md): `has_room` for filling level, `can_be_filled`
for filling in some way. Equal entries stay equal, so a column is kept as runs of them.

Numbers are Python's fractions or python-flint's: nothing here but sums, products and comparisons.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Any

from discreet.designer.large.symmetric_program import Point
from discreet.errors import NotProven

BACK = 64
"""How many columns before a doubtful one `can_be_filled` begins."""

NEAR = 16
"""How many runs of equal entries next to the diagonal `can_be_filled` keeps apart."""

Runs = list[tuple[int, Any]]
"""A column from output 0 to its diagonal: how often, and which number."""


def has_room(point: Point) -> bool:
    """Whether filling level provably succeeds: at every threshold t_j + s_j <= 1 and one of

    (i) t_j = a (1 - s_j): the lower bounds are the column; (ii) d_{j+1} >= d_j: only the neighbours
    bound from above; (iii) t_{j-1} = j d_j: the neighbour column is level, and (j+1) d_{j+1} >= t_j
    is honesty itself.
    """
    return not _crowded(point, point.diagonal)


def _crowded(point: Point, d: list[Any]) -> list[int]:
    """The thresholds j at which these conditions do not say that column j+1 has room."""
    a, t = point.a, point.below
    n = len(t)
    return [
        j
        for j in range(n)
        if t[j] + t[n - 1 - j] > 1
        or not (
            d[j + 1] >= d[j] or t[j] == a * (1 - t[n - 1 - j]) or (t[j - 1] if j else 0) == j * d[j]
        )
    ]


def can_be_filled(point: Point) -> bool:
    """Whether some matrix with WH, RM, CM and S provably belongs to a point that keeps every row:
    in O(n).

    Where the conditions of `has_room` do not say so, the entries next to the diagonal are followed
    for a few columns.
    """
    t, d = point.below, point.diagonal
    crowded = set(_crowded(point, d))
    column, following = None, -1
    for j in sorted({k for c in crowded for k in range(max(0, c - BACK), c + 1)}):
        if column is None or following != j or (j and t[j - 1] == j * d[j]):
            column = _column(t, d, j)
        column, following = column.next(point.a, d[j + 1], t[j]), j + 1
        if column is None and j in crowded:
            return False
    return True


def _column(t: list[Any], d: list[Any], j: int) -> _Near:
    """What is known of column j by itself: it is level, or no entry exceeds its own diagonal or
    its neighbour's.
    """
    if j == 0 or t[j - 1] == j * d[j]:
        return _Near([(j + 1, d[j])], 0 * d[j], 0 * d[j])
    return _Near([(1, d[j])], t[j - 1], min(d[j], d[j - 1]))


@dataclass(frozen=True, slots=True)
class _Near:
    """What is known of a column down to its diagonal: the runs next to it, of the rest its sum
    and largest entry.
    """

    runs: Runs
    rest: Any
    largest: Any

    def next(self, a: Any, inner: Any, total: Any) -> _Near | None:
        """The next column, with `inner` on its diagonal and a sum of `total` above it; None if this
        does not say.

        The rest keeps its size, or is scaled by one factor, which needs to know no more of it.
        """
        counts, rest, largest = [count for count, _ in self.runs], self.rest, self.largest
        low, high = [a * x for _, x in self.runs], [min(inner, x) for _, x in self.runs]
        if low[-1] > inner or (rest and largest > inner):
            return None
        least = sum(map(mul, counts, low))
        if rest and total - rest < least:
            factor = (total - least) / rest
            if factor < a:
                return None
            values, rest, largest = low, factor * rest, factor * largest
        elif total - rest <= sum(map(mul, counts, high)):
            values = level(low, high, total - rest, counts)
        else:
            return None
        if values[0] < largest:
            return None
        runs = _joined([*zip(counts, values, strict=True), (1, inner)])
        while len(runs) > NEAR:
            count, largest = runs.pop(0)
            rest += count * largest
        return _Near(runs, rest, largest)


def fill(point: Point) -> list[list[Any]]:
    """Return the matrix, rows[i][j] = Pr[i|j]; `NotProven` where a column cannot be filled."""
    n = len(point.below)
    rows = [[point.a] * (n + 1) for _ in range(n + 1)]
    for j, runs in enumerate(_columns(point)):
        i = 0
        for count, value in runs:
            for _ in range(count):
                rows[i][j] = rows[n - i][n - j] = value
                i += 1
    return rows


def _columns(point: Point) -> Iterator[Runs]:
    """The columns down to their diagonals."""
    a, d = point.a, point.diagonal
    runs = [(1, d[0])]
    yield runs
    for inner, total in zip(d[1:], point.below, strict=True):
        counts, low = [count for count, _ in runs], [a * x for _, x in runs]
        if sum(map(mul, counts, low)) == total and low[-1] <= inner:
            values = low  # no more than privacy asks for
        else:
            values = level(low, [min(inner, x) for _, x in runs], total, counts)
        runs = _joined([*zip(counts, values, strict=True), (1, inner)])
        yield runs


def _joined(runs: Runs) -> Runs:
    """The same with equal neighbours as one run."""
    found: Runs = []
    for count, value in runs:
        if found and found[-1][1] == value:
            count += found.pop()[0]
        found.append((count, value))
    return found


def level(low: Sequence[Any], high: Sequence[Any], total: Any, counts: Sequence[int]) -> list[Any]:
    """Return the most level values between `low` and `high`, each so often, that sum to `total`:
    one level, clamped.

    >>> from fractions import Fraction
    >>> level([Fraction(0), Fraction(1, 2)], [Fraction(1), Fraction(1)], Fraction(1), [1, 1])
    [Fraction(1, 2), Fraction(1, 2)]
    """
    amount = sum(map(mul, counts, low))
    most = sum(map(mul, counts, high))
    if any(x > y for x, y in zip(low, high, strict=True)) or not amount <= total <= most:
        raise NotProven("a column cannot be filled between its neighbours' bounds")
    # between two marks the clamped sum grows linearly by the number of values that float there
    marks = sorted(
        [(x, c) for x, c in zip(low, counts, strict=True)]
        + [(y, -c) for y, c in zip(high, counts, strict=True)],
        key=lambda mark: mark[0],
    )
    surface, floating = marks[0][0], 0
    for mark, change in marks:
        grown = amount + floating * (mark - surface)
        if grown >= total:
            break
        amount, surface = grown, mark
        floating += change
    water = surface + (total - amount) / floating if floating and amount < total else surface
    return [min(max(water, x), y) for x, y in zip(low, high, strict=True)]
