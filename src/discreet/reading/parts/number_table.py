"""A table of numbers about released groups: columns of equal length, shown as text and HTML,
exported as frames.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InvalidInput, did_you_mean
from discreet.reading.parts.exported import Exported, all_of_them
from discreet.reading.quoting.interval_kinds import NONE, from_to

_SHOWN = 12
_SPOKEN = {
    name: name.replace("_", " ")
    for name in ("posterior_mean", "credible_low", "credible_high", "n_before")
}
_SPOKEN |= {"n_after": "n after", "standard_error": "std error"}
"""Columns of our own whose names are shown as words; others, which may be a caller's, are shown
as they are.
"""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class NumberTable(Exported):
    """Columns of equal length, one row for each group; `title` and `notes` say what they are."""

    columns: Mapping[str, NDArray[Any]]
    title: str
    keys: tuple[str, ...] = ()
    """The columns that name a group; the others are numbers."""
    lead: str = ""
    """What a text says before the rows, in one sentence."""
    notes: tuple[str, ...] = ()
    brief: tuple[str, ...] = ()
    """What the command line says in place of all notes, unless details are asked for; nothing:
    all.
    """
    places: Mapping[str, int] = field(default_factory=dict)
    """Decimal places to show of a column, where one is not right."""
    spans: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Intervals by the column of their lower end: what to call them, and the column of the upper
    end. Shown as one.
    """
    shares: tuple[str, ...] = ()
    """Columns that are shown in percent."""
    spare: tuple[str, ...] = ()
    """Columns that a text leaves out where it would be too wide, the first first."""
    unseen: tuple[str, ...] = ()
    """Columns that a text leaves out because a head says them; files have them."""

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self.columns:
            raise InvalidInput(
                "column",
                "must be one of the table",
                name,
                remedy=did_you_mean(str(name), self.columns),
            )
        return self.columns[name]

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain values, for JSON; keys that JSON has no form for as text."""
        columns = [[_plain(value) for value in values.tolist()] for values in self.columns.values()]
        rows = [dict(zip(self.columns, row, strict=True)) for row in zip(*columns, strict=True)]
        return {
            "title": self.title,
            "keys": list(self.keys),
            "rows": rows,
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        from discreet.show.text import (
            columns,
            details_wanted,
            fits,
            folded,
            rows_shown,
            table,
            width,
        )

        most, kept = rows_shown(), dict(self.columns)
        left_out: list[str] = []
        for spare in (None, *self.spare):
            if spare is not None:
                kept.pop(spare)
                left_out.append(self._told(spare))
            names, rows = self._first(most, kept)
            layout = " ".join("<0" if name in self.keys else ">0" for name in self._seen(kept))
            lines = table([names, *rows], layout, gap=2)
            if max(map(width, lines)) < columns() and fits(lines):
                break
        numbers = [name for name in names if name not in (*self.keys, "n")]
        if width(lines[0]) > columns() and (common := self._common(numbers)):
            short = [name.removeprefix(common) if name in numbers else name for name in names]
            lines = [*table([short, *rows], layout, gap=2), f"  (columns: {numbers[0]} and so on)"]
        more = [f"  ... and {len(self) - most:,} more: {all_of_them()}"] if len(self) > most else []
        wide = [f"Left out, for want of room: {', '.join(left_out)}."] if left_out else []
        said = self.notes if details_wanted() else self.brief or self.notes
        notes = [
            line
            for note in (*wide, *said)
            for line in folded(note, width=79, first="  ", later="    ")
        ]
        lead = folded(self.lead, width=79, first="  ", later="  ") if self.lead else []
        return "\n".join([self.title, *lead, *lines, *more, *notes])

    def __repr__(self) -> str:
        return f"<{self.title}: {len(self):,} row{'' if len(self) == 1 else 's'}>"

    def _repr_html_(self) -> str:
        from discreet.show import html

        words = {place for place, name in enumerate(self._seen(self.columns)) if name in self.keys}
        names, rows = self._first(_SHOWN, self.columns)
        shown = html.table(names, rows, caption=self.title, words=words)
        more = (
            [f"... and {len(self) - _SHOWN:,} more: {all_of_them()}."] if len(self) > _SHOWN else []
        )
        lead = [self.lead] if self.lead else []
        return html.together(shown, html.note(" ".join([*more, *lead, *self.notes])))

    def _common(self, heads: Sequence[str]) -> str:
        """What the heads of several numbers begin with, as those of one question's answers do."""
        start = min((head[: head.rfind("_") + 1] for head in heads), key=len, default="")
        noted = any(start in note for note in self.notes)  # by their full names
        return (
            start
            if len(heads) > 1 and not noted and all(head.startswith(start) for head in heads)
            else ""
        )

    def _heads(self) -> dict[str, str]:
        """What each column that is shown is called; the upper end of an interval stands beside
        the lower.
        """
        ends = {*self.unseen, *(upper for _, upper in self.spans.values())}
        heads = {name: _SPOKEN.get(name, name) for name in self.columns if name not in ends}
        return heads | {lower: head for lower, (head, _) in self.spans.items()}

    def _told(self, name: str) -> str:
        """A column that is left out, in words: an interval by the number that it is of."""
        return (
            f"interval of the {name.partition('_')[0]}"
            if name in self.spans
            else self._heads()[name]
        )

    def _seen(self, kept: Mapping[str, NDArray[Any]]) -> list[str]:
        return [name for name in self._heads() if name in kept]

    def _first(
        self, most: int, kept: Mapping[str, NDArray[Any]]
    ) -> tuple[list[str], list[list[str]]]:
        """The heads and the first rows of some columns, as text."""
        heads, texts = self._heads(), []
        for name in self._seen(kept):
            cells = self._texts(name, most)
            if name in self.spans:
                ends = self._texts(self.spans[name][1], most)
                cells = list(map(from_to, cells, ends))
            texts.append(cells)
        return [heads[name] for name in self._seen(kept)], [
            list(row) for row in zip(*texts, strict=True)
        ]

    def _texts(self, name: str, most: int) -> list[str]:
        values = self.columns[name][:most].tolist()
        if name in self.shares:
            return [f"{100 * value:z.1f}%" if np.isfinite(value) else "" for value in values]
        return [_text(value, name in self.keys, self.places.get(name, 1)) for value in values]


def _text(value: Any, key: bool, places: int) -> str:
    if key:
        return "NULL" if value is None else str(value)
    if value is None:
        return NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:z,.{places}f}" if isinstance(value, float) else f"{value:,}"


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)  # JSON has no such number
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
