"""Own rows in a proof file: read, held against the matrix, and charged for by their multipliers.

    ROWS     [{"name": text, "rows": [{"cells": [[i, j, INT], ...], "least": INT}, ...]}, ...]: each
             row says that the sum of INT * Pr[i|j] over its cells, each named once, is at least
             `least`; numbers may be negative

A multiplier ["own", a, b, 0, INT] belongs to row b of set a, and is not negative. A problem that is
"derivable" is about mechanisms that are GM followed by a random map (`derivation_checks`).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from discreet.errors import ProofFailed
from discreet.proof.own.derivation_checks import check_derives, through_geometric
from discreet.proof.reading import (
    MAX_ROWS,
    MAX_VALUES,
    MAX_WORK,
    Form,
    invalid,
    read_fields,
    read_hex,
    read_integer,
    read_list,
    read_text,
)

MAX_SETS = 64


class OwnRows:
    """The own rows of a problem: `sets[a][b]` is a list of cells (i, j, number), and what they
    come to at least.
    """

    def __init__(self, written: Any, n: int, derived: Fraction | None = None) -> None:
        self.derived = derived
        """The alpha of the GM that only what derives from it is meant; None: all mechanisms."""
        self.names: list[str] = []
        self.sets: list[list[tuple[list[tuple[int, int, int]], int]]] = []
        self._charged: set[tuple[int, int]] = set()
        for one in read_list(written, "rows", most=MAX_SETS):
            name, rows = read_fields(one, "rows", "name", "rows")
            self.names.append(read_text(name))
            self.sets.append([_read_row(row, n) for row in read_list(rows, "rows", most=MAX_ROWS)])
        self.bits = max(
            (
                abs(c).bit_length()
                for rows in self.sets
                for cells, least in rows
                for c in (least, *_numbers(cells))
            ),
            default=0,
        )
        self.cells = sum(len(cells) for rows in self.sets for cells, _ in rows)

    def __bool__(self) -> bool:
        return bool(self.sets) or self.derived is not None

    @property
    def words(self) -> str:
        """How a report names them."""
        rows = f" and the own rows {', '.join(map(repr, self.names))}" if self.sets else ""
        return rows if self.derived is None else f"{rows} that derives from GM"

    def seen(self, left: list[list[int]], common: int) -> tuple[list[list[int]], int]:
        """What is left of the costs, over `common`, by the entries that are free: those of M, or
        those of T.
        """
        if self.derived is None:
            return left, common
        left, times = through_geometric(left, self.derived)
        return left, common * times

    def check(self, form: Form) -> None:
        """Check that the matrix has every row."""
        self._limit(form.denominator.bit_length())
        if self.derived is not None:
            check_derives(form, self.derived)
        if form.rows is None and self.sets:
            raise ProofFailed(
                "rows: the matrix is too large to write out, so own rows cannot be checked"
            )
        for name, rows in zip(self.names, self.sets, strict=True):
            for number, (cells, least) in enumerate(rows):
                if (
                    form.rows
                    and sum(c * form.rows[i][j] for i, j, c in cells) < least * form.denominator
                ):
                    raise ProofFailed(f"rows: row {number} of {name!r} does not hold")

    def charge(self, name: tuple[int, int, int], amount: int, charge: list[list[int]]) -> int:
        """Charge the entries of one row for its multiplier, once; return what its right-hand
        side comes to.
        """
        a, b, c = name
        if c or a >= len(self.sets) or b >= len(self.sets[a]) or (a, b) in self._charged:
            invalid("multipliers", "have an index that is no own row, or name one twice")
        self._charged.add((a, b))
        self._limit(amount.bit_length())
        cells, least = self.sets[a][b]
        for i, j, number in cells:
            charge[i][j] += amount * number
        return amount * least

    def _limit(self, bits: int) -> None:
        if max(1, self.cells) * max(30, self.bits) * max(30, bits) > MAX_WORK:
            invalid(
                "file",
                "is too much work: the cells of its own rows times the bits of their numbers "
                "exceed the limit",
            )


def _numbers(cells: list[tuple[int, int, int]]) -> list[int]:
    return [c for *_, c in cells]


def _read_row(written: Any, n: int) -> tuple[list[tuple[int, int, int]], int]:
    given, least = read_fields(written, "rows", "cells", "least")
    cells = []
    for cell in read_list(given, "rows", most=MAX_VALUES):
        i, j, c = read_list(cell, "rows", 3)
        place = read_integer(i, "rows", n), read_integer(j, "rows", n)
        cells.append((*place, read_hex(c, "rows", signed=True)))
    if not cells or len({(i, j) for i, j, _ in cells}) != len(cells):
        invalid("rows", "must name at least one cell, and each once")
    return cells, read_hex(least, "rows", signed=True)


MORE = ("rows", "derivable")
"""The optional fields of a PROBLEM."""


def own_rows_of(
    problem: Any, n: int, form: Form | None = None, alpha: Fraction | None = None
) -> tuple[dict[str, Any], OwnRows]:
    """Take what a PROBLEM has more apart from its other fields; check that a matrix has it, if
    one is given.
    """
    if not isinstance(problem, dict) or problem.get("derivable", True) is not True:
        invalid("problem", "must be an object, and `derivable` true where it has that field")
    own = OwnRows(problem.get("rows", []), n, alpha if "derivable" in problem else None)
    if form is not None:
        own.check(form)
    return {name: value for name, value in problem.items() if name not in MORE}, own
