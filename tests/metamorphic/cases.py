"""A case: one request of one table, and the same of the table in which one person answers otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from tests.metamorphic.outcomes import Counted
from tests.metamorphic.sources import SOURCES
from tests.metamorphic.tables import Table

Expected = list[tuple[int, tuple[int, ...]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One request of one table, and the same of the table in which one person answers otherwise."""

    source: str
    before: Table
    after: Table
    words: Mapping[str, Any]
    query: str = ""
    """A SELECT over {path}, when the source is a query."""
    name: str = "people"
    """The file's name without its ending, in whatever folder."""
    decoy: str = ""
    """A file that is not the source, and holds nothing of what is asked."""
    limit: int = 1
    """How many rows' worth one person may move each count."""
    expected: Expected | None = None
    """Sizes and counts of the first table's groups, where they are easy to tell."""

    def open(self, folder: Path, *, after: bool) -> Any:
        """Make the source; the files of both sides have one name."""
        place = folder / self.name
        place.parent.mkdir(parents=True, exist_ok=True)
        if self.decoy:
            bystander = self.before if after else _flipped(self.before)
            SOURCES[self.source](bystander, folder, self.decoy)
        made = SOURCES[self.source](self.after if after else self.before, place.parent, place.name)
        return self.query.replace("{path}", str(made).replace("'", "''")) if self.query else made

    def told(self) -> str:
        """The case in a line or two."""
        asked = ", ".join(f"{name}={value!r:.300}" for name, value in self.words.items())
        query = f" through {self.query:.300}" if self.query else ""
        return f"{self.source} file {self.name!r}{query}: {asked}\n      changed: {self.before.told(self.after)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Capability:
    """A way to ask: how a case is made, and what may move."""

    name: str
    sources: Sequence[str]
    make: Callable[[Random, str, Path, int], Case]
    moved: Callable[[Case, Counted, Counted], str]
    """Say what moved and must not have, or nothing."""
    refusals_public: bool = False
    """Whether what changes is public, so that a refusal may depend on it."""
    presence_protected: bool = False
    """Whether no refusal may depend on what changes, for whatever reason."""


def _flipped(table: Table) -> Table:
    """Somebody else's table of the same columns: every bit is another one, and there are more rows."""
    columns = []
    for column in table.columns:
        values = column.values
        if column.kind in ("bool", "bit"):
            values = tuple(not value if column.kind == "bool" else 1 - value for value in values)
        columns.append(replace(column, values=values + values[:3]))
    return Table(columns=tuple(columns))
