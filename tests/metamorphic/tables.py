"""A random table, and the copy in which one person answers otherwise."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from tests.metamorphic.values import FREEDOMS, KINDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A named column: its kind, how the source holds it, and what one person may put into it."""

    name: str
    kind: str
    values: tuple[Any, ...]
    variant: str = "plain"
    freedom: str = "typed"

    def changed(self, rng: Random, rows: Collection[int]) -> Column:
        """The column with other values in these rows, as far as the source allows."""
        other = FREEDOMS[self.freedom.removesuffix("-not-null")]
        values = list(self.values)
        for row in rows:
            new = other(rng, KINDS[self.kind], values[row])
            while new is None and self.freedom.endswith("-not-null"):
                new = other(rng, KINDS[self.kind], values[row])
            values[row] = new
        return replace(self, values=tuple(values))


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Columns of one length."""

    columns: tuple[Column, ...]

    def __getitem__(self, name: str) -> Column:
        return next(column for column in self.columns if column.name == name)

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in order."""
        return tuple(column.name for column in self.columns)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.columns[0].values)

    def with_column(self, column: Column) -> Table:
        """The table with a column of that name replaced."""
        return Table(
            columns=tuple(column if one.name == column.name else one for one in self.columns)
        )

    def changed(self, rng: Random, rows: Collection[int], names: Collection[str]) -> Table:
        """The table after the person of these rows changed all of these columns."""
        return Table(
            columns=tuple(
                one.changed(rng, rows) if one.name in names else one for one in self.columns
            )
        )

    def told(self, other: Table) -> str:
        """Where the other table differs, for a description."""
        if self.rows != other.rows:
            return f"{self.rows} rows -> {other.rows}"
        parts = []
        for mine, theirs in zip(self.columns, other.columns, strict=True):
            for row, (old, new) in enumerate(zip(mine.values, theirs.values, strict=True)):
                if old is not new and repr(old) != repr(new):
                    shown = f"{mine.name} ({mine.kind}, {mine.variant}) row {row}: {old!r:.60} -> {new!r:.60}"
                    parts.append(shown)
        return "; ".join(parts)
