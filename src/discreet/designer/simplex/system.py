"""The small system that couples the trees of a basis, and its solution.

One unknown per free tree, one equation per column sum (and per tight input of a worst case). Along
its row a tree's entries mostly fall by alpha = p/q from one column to the next, so the second
difference of the equations,

    (p^2 + q^2) R_j - p q (R_(j-1) + R_(j+1)),     q R_0 - p R_1 at the edge,

leaves few entries, and without the factor its entries share a column is left with short integers.
Solving that costs a small part of solving the system as it stands; the differences are invertible
for p < q, so nothing is lost. A system of few equations between short integers is solved as it
stands: that is done before the differences are written down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from flint import fmpq, fmpz, fmpz_mat

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from discreet.designer.lp.program import Program

Whole: TypeAlias = int | fmpz
"""Python's integers are made faster, FLINT's are multiplied faster."""
Terms = list[tuple[int, int]]
Line = dict[int, Whole]
ZERO = fmpz(0)
"""To compare with: a plain 0 would be converted each time."""


SHORT, FEW = 350, 7500
"""Entries of up to so many bits are short, and so many bits in a column of them are few."""


class Singular(ArithmeticError):
    """The tight constraints do not determine a point."""


class Contradictory(ArithmeticError):
    """No point keeps every row; only rows of the caller's own can do that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """`entries` as they stand, row by row; `differences` of the rows, column c divided by
    `content[c]`, are `short`.

    There are none of a system that is solved as it stands, `dense`.
    """

    rows: int
    columns: int
    entries: list[Whole]
    differences: list[Terms]
    content: list[fmpz]
    short: list[Line]
    dense: fmpz_mat | None = None

    @property
    def matrix(self) -> fmpz_mat:
        """The system as it stands."""
        return fmpz_mat(self.rows, self.columns, self.entries) if self.dense is None else self.dense

    def solve(self, right: Sequence[fmpq]) -> list[fmpq]:
        """Solve for the unknowns."""
        if not self.short:
            return _solve_matrix(self.matrix, right)
        apart = [
            sum((fmpz(c) * right[k] for k, c in terms), start=fmpq(0)) for terms in self.differences
        ]
        return [
            value / factor
            for value, factor in zip(_solve(self.short, apart), self.content, strict=True)
        ]

    def solve_transposed(self, right: Sequence[Whole]) -> list[fmpq]:
        """Solve for the multipliers of the equations that give each unknown what `right` asks."""
        if not self.short:
            return _solve_matrix(self.matrix.transpose(), [fmpq(value) for value in right])
        turned: list[Line] = [{} for _ in range(self.columns)]
        for k, line in enumerate(self.short):
            for c, x in line.items():
                turned[c][k] = x
        found = _solve(
            turned, [fmpq(value, factor) for value, factor in zip(right, self.content, strict=True)]
        )
        multipliers = [fmpq(0)] * len(found)
        for value, terms in zip(found, self.differences, strict=True):
            for k, c in terms:
                multipliers[k] += fmpz(c) * value
        return multipliers


def integers(program: Program) -> type[Whole]:
    """The kind of integers that the bases of a program are worked out in: Python's where its
    powers are short.
    """
    return int if _bits(program) <= SHORT else fmpz


def _bits(program: Program) -> int:
    return program.problem.n * sum(
        ratio.denominator.bit_length() for ratio in program.ratios[1:] if ratio
    )


def couple(program: Program, entries: list[Whole], rows: int, columns: int) -> System:
    """Prepare the system with the given entries, row by row."""
    bits = _bits(program)
    if bits <= SHORT and bits * rows <= FEW and not program.inputs and not program.extras:
        dense = fmpz_mat(rows, columns, entries)
        return System(
            rows=rows,
            columns=columns,
            entries=entries,
            differences=[],
            content=[],
            short=[],
            dense=dense,
        )
    whole = [entries[k * columns : (k + 1) * columns] for k in range(rows)]
    differences = _differences(program, rows)
    kind = integers(program)
    apart = [
        {c: x for c, x in enumerate(_combined(whole, terms, kind)) if x} for terms in differences
    ]
    content = [fmpz(0)] * columns
    for line in apart:
        for c, x in line.items():
            content[c] = content[c].gcd(x)
    return System(
        rows=rows,
        columns=columns,
        entries=entries,
        differences=differences,
        content=[x if x != 0 else fmpz(1) for x in content],
        short=[{c: x // content[c] for c, x in line.items()} for line in apart],
    )


def _combined(rows: list[list[Whole]], terms: Terms, kind: type[Whole]) -> list[Whole]:
    if len(terms) == 1:
        return rows[terms[0][0]]
    numbered = [(rows[k], kind(c)) for k, c in terms]
    if len(terms) == 2:
        (first, a), (second, b) = numbered
        return [a * x + b * y for x, y in zip(first, second, strict=True)]
    (first, a), (second, b), (third, _) = numbered
    return [a * (x + z) + b * y for x, y, z in zip(first, second, third, strict=True)]


def _differences(program: Program, rows: int) -> list[Terms]:
    """Which rows, times what, make each difference: sums in order of their inputs, all or half
    of them.
    """
    n, sums = program.problem.n, program.sums.tolist()
    p, q = program.problem.alpha.numerator, program.problem.alpha.denominator
    alone: list[Terms] = [[(k, 1)] for k in range(rows)]
    last = len(sums) - 1
    if (
        program.problem.over is not None
        or p == q
        or last < 1
        or last not in (n, n // 2)
        or sums != list(range(last + 1))
    ):
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


def common_denominator(values: Iterable[fmpq]) -> fmpz:
    """The least common denominator."""
    common = fmpz(1)
    for value in values:
        common = common.lcm(value.q)
    return common


def over(value: fmpq, common: fmpz) -> fmpz:
    """The numerator of a value over a common denominator."""
    return value.p * (common // value.q)


def _solve(lines: list[Line], right: Sequence[fmpq]) -> list[fmpq]:
    """Solve a square system exactly: first what one equation settles by itself, last what no
    other equation needs.
    """
    first, last = _order(lines)
    found: list[fmpq | None] = [None] * len(lines)
    placed = {k for k, _ in (*first, *last)}
    core = [k for k in range(len(lines)) if k not in placed]
    for k, c in first:
        found[c] = _left(lines[k], right[k], found, c) / lines[k][c]
    if core:
        unknown = sorted(set(range(len(lines))) - {c for _, c in (*first, *last)})
        for c, value in zip(unknown, _solve_dense(lines, core, unknown, right, found), strict=True):
            found[c] = value
    for k, c in reversed(last):
        found[c] = _left(lines[k], right[k], found, c) / lines[k][c]
    return [value for value in found if value is not None]


def _left(line: Line, right: fmpq, found: Sequence[fmpq | None], unknown: int = -1) -> fmpq:
    """What an equation leaves to its unknowns once the others are found."""
    for c, x in line.items():
        if c != unknown and (value := found[c]) is not None:
            right -= x * value
    return right


def _order(lines: list[Line]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Pairs of an equation and its unknown: those solved first, in order, and those solved last,
    in reverse order.
    """
    across = [set(line) for line in lines]
    down: list[set[int]] = [set() for _ in lines]
    for k, line in enumerate(lines):
        for c in line:
            down[c].add(k)
    first: list[tuple[int, int]] = []
    last: list[tuple[int, int]] = []
    waiting = [(False, k) for k in range(len(lines))] + [(True, c) for c in range(len(lines))]
    while waiting:
        is_column, k = waiting.pop()
        mine, others = (down, across) if is_column else (across, down)
        if len(mine[k]) != 1:
            continue
        (other,) = mine[k]
        (last if is_column else first).append((other, k) if is_column else (k, other))
        for each in others[other]:
            mine[each].discard(other)
            waiting.append((is_column, each))
        others[other] = set()
    return first, last


def _solve_dense(
    lines: list[Line],
    core: list[int],
    unknown: list[int],
    right: Sequence[fmpq],
    found: Sequence[fmpq | None],
) -> list[fmpq]:
    """Solve what is left of the equations in `core` for the unknowns left."""
    rest = [_left(lines[k], right[k], found) for k in core]
    size = len(core)
    return _solve_matrix(
        fmpz_mat(size, size, [lines[k].get(c, 0) for k in core for c in unknown]), rest
    )


def _solve_matrix(matrix: fmpz_mat, right: Sequence[fmpq]) -> list[fmpq]:
    """Solve a square system as it stands."""
    common, size = common_denominator(right), len(right)
    try:
        solved = matrix.solve(fmpz_mat(size, 1, [over(value, common) for value in right]))
    except ZeroDivisionError:
        raise Singular("the small system is singular") from None
    return [value / common for value in solved.entries()]
