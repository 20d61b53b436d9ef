"""The small system that couples the trees of a basis, and its solution.

One unknown per free tree, one equation per column sum (and per tight input of a worst case). Along its row a tree's
entries mostly fall by alpha = p/q from one column to the next, so the second difference of the equations,

    (p^2 + q^2) R_j - p q (R_(j-1) + R_(j+1)),     q R_0 - p R_1 at the edge,

leaves few entries, and without the factor its entries share a column is left with short integers. Solving that costs
a small part of solving the system as it stands; the differences are invertible for p < q, so nothing is lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from flint import fmpq, fmpz, fmpz_mat

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from discreet.designer.program import Program

Terms = list[tuple[int, int]]


class Singular(ArithmeticError):
    """The tight constraints do not determine a point."""


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """`matrix` as it stands; `differences` of its rows, column c of them divided by `content[c]`, are `short`."""

    matrix: fmpz_mat
    differences: list[Terms]
    content: list[fmpz]
    short: fmpz_mat

    def solve(self, right: Sequence[fmpq]) -> list[fmpq]:
        """Solve for the unknowns."""
        apart = [sum((fmpz(c) * right[k] for k, c in terms), start=fmpq(0)) for terms in self.differences]
        return [value / factor for value, factor in zip(_solve(self.short, apart), self.content, strict=True)]

    def solve_transposed(self, right: Sequence[fmpz]) -> list[fmpq]:
        """Solve for the multipliers of the equations that give each unknown what `right` asks."""
        shared = [fmpq(value, factor) for value, factor in zip(right, self.content, strict=True)]
        found = _solve(self.short.transpose(), shared)
        multipliers = [fmpq(0)] * len(found)
        for value, terms in zip(found, self.differences, strict=True):
            for k, c in terms:
                multipliers[k] += fmpz(c) * value
        return multipliers


def couple(program: Program, entries: list[fmpz], rows: int, columns: int) -> System:
    """Prepare the system with the given entries, row by row."""
    whole = [entries[k * columns : (k + 1) * columns] for k in range(rows)]
    differences = _differences(program, rows)
    apart = [_combined(whole, terms) for terms in differences]
    content = [_content(column) for column in zip(*apart, strict=True)] if rows else [fmpz(1)] * columns
    short = [x // factor if x != 0 else x for row in apart for x, factor in zip(row, content, strict=True)]
    return System(
        matrix=fmpz_mat(rows, columns, entries),
        differences=differences,
        content=content,
        short=fmpz_mat(rows, columns, short),
    )


def _combined(rows: list[list[fmpz]], terms: Terms) -> list[fmpz]:
    if len(terms) == 1:
        return rows[terms[0][0]]
    numbered = [(rows[k], fmpz(c)) for k, c in terms]
    if len(terms) == 2:
        (first, a), (second, b) = numbered
        return [a * x + b * y for x, y in zip(first, second, strict=True)]
    (first, a), (second, b), (third, _) = numbered
    return [a * (x + z) + b * y for x, y, z in zip(first, second, third, strict=True)]


def _differences(program: Program, rows: int) -> list[Terms]:
    """Which rows, times what, make each difference: sums in order of their inputs, all or half of them."""
    n, sums = program.problem.n, program.sums.tolist()
    p, q = program.problem.alpha.numerator, program.problem.alpha.denominator
    alone: list[Terms] = [[(k, 1)] for k in range(rows)]
    last = len(sums) - 1
    if p == q or last < 1 or last not in (n, n // 2) or sums != list(range(last + 1)):
        return alone
    found: list[Terms] = [[(0, q), (1, -p)]]
    found += [[(k - 1, -p * q), (k, p * p + q * q), (k + 1, -p * q)] for k in range(1, last)]
    if last == n:
        found.append([(last - 1, -p), (last, q)])
    elif n % 2:  # the next column is this one's mirror image
        found.append([(last - 1, -p * q), (last, p * p + q * q - p * q)])
    else:  # the next column is the previous one's
        found.append([(last - 1, -2 * p * q), (last, p * p + q * q)])
    return found + alone[last + 1 :]


def _content(column: Iterable[fmpz]) -> fmpz:
    """The common factor of a column; 1 if it is empty."""
    *_, last = accumulate((x for x in column if x != 0), fmpz.gcd, initial=fmpz(0))
    return last if last != 0 else fmpz(1)


def common_denominator(values: Iterable[fmpq]) -> fmpz:
    """The least common denominator."""
    common = fmpz(1)
    for value in values:
        common = common.lcm(value.q)
    return common


def over(value: fmpq, common: fmpz) -> fmpz:
    """The numerator of a value over a common denominator."""
    return value.p * (common // value.q)


def _solve(matrix: fmpz_mat, right: Sequence[fmpq]) -> list[fmpq]:
    """Solve an integer system with a rational right side exactly."""
    size = matrix.nrows()
    if size == 0:
        return []
    common = common_denominator(right)
    try:
        solved = matrix.solve(fmpz_mat(size, 1, [over(value, common) for value in right]))
    except ZeroDivisionError:
        raise Singular("the small system is singular") from None
    return [solved[k, 0] / common for k in range(size)]
