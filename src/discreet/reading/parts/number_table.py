"""A table of numbers about released groups: columns of equal length, shown as text and HTML, exported as frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InvalidInput, did_you_mean
from discreet.reading.parts.exported import ALL_OF_THEM, Exported

_SHOWN = 12
_SPOKEN = ("standard_error", "posterior_mean", "credible_low", "credible_high", "n_before", "n_after")
"""Columns of our own whose names are shown as words; others, which may be a caller's, are shown as they are."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class NumberTable(Exported):
    """Columns of equal length, one row for each group; `title` and `notes` say what they are."""

    columns: Mapping[str, NDArray[Any]]
    title: str
    keys: tuple[str, ...] = ()
    """The columns that name a group; the others are numbers."""
    notes: tuple[str, ...] = ()
    places: Mapping[str, int] = field(default_factory=dict)
    """Decimal places to show of a column, where one is not right."""

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self.columns:
            raise InvalidInput("column", "must be one of the table", name, remedy=did_you_mean(str(name), self.columns))
        return self.columns[name]

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain values, for JSON; keys that JSON has no form for as text."""
        columns = [[_plain(value) for value in values.tolist()] for values in self.columns.values()]
        rows = [dict(zip(self.columns, row, strict=True)) for row in zip(*columns, strict=True)]
        return {"title": self.title, "keys": list(self.keys), "rows": rows, "notes": list(self.notes)}

    def __str__(self) -> str:
        from discreet.show.text import columns, folded, rows_shown, table

        most = rows_shown()
        layout = " ".join("<0" if name in self.keys else ">0" for name in self.columns)
        names = [name.replace("_", " ") if name in _SPOKEN else name for name in self.columns]
        rows = self._first(most)
        lines = table([names, *rows], layout, gap=2)
        if len(lines[0]) > columns() and (common := self._common()):
            short = [name.removeprefix(common) for name in names]
            first = next(name for name in names if name.startswith(common))
            lines = [*table([short, *rows], layout, gap=2), f"  (columns: {first} and so on)"]
        more = [f"  ... and {len(self) - most:,} more: {ALL_OF_THEM}"] if len(self) > most else []
        notes = [line for note in self.notes for line in folded(note, first="  ", later="  ")]
        return "\n".join([self.title, *lines, *more, *notes])

    def __repr__(self) -> str:
        return f"<{self.title}: {len(self):,} row{'' if len(self) == 1 else 's'}>"

    def _repr_html_(self) -> str:
        from discreet.show import html

        words = {place for place, name in enumerate(self.columns) if name in self.keys}
        names = [name.replace("_", " ") if name in _SPOKEN else name for name in self.columns]
        shown = html.table(names, self._first(), caption=self.title, words=words)
        more = [f"... and {len(self) - _SHOWN:,} more: {ALL_OF_THEM}."] if len(self) > _SHOWN else []
        return html.together(shown, html.note(" ".join([*more, *self.notes])))

    def _common(self) -> str:
        """What the names of all numbers but the size begin with, as those of one question's answers do."""
        others = [name for name in self.columns if name not in (*self.keys, "n")]
        common, line, _ = others[0].rpartition("_") if len(others) > 1 else ("", "", "")
        found = common + line
        told = any(found in note for note in self.notes)  # by their full names
        return "" if told or not all(name.startswith(found) for name in others) else found

    def _first(self, most: int = _SHOWN) -> list[list[str]]:
        first = {name: values[:most].tolist() for name, values in self.columns.items()}
        texts = [
            [_text(value, name in self.keys, self.places.get(name, 1)) for value in values]
            for name, values in first.items()
        ]
        return [list(row) for row in zip(*texts, strict=True)]


def _text(value: Any, key: bool, places: int) -> str:
    if key:
        return "NULL" if value is None else str(value)
    return f"{value:z,.{places}f}" if isinstance(value, float) else f"{value:,}"


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)  # JSON has no such number
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
