"""Names at the ends of lines, in place of a legend: where they have room."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from discreet.show.cells import Rows
from discreet.show.colours import INK
from discreet.show.pictures.theme import altair, inline

_APART, _ASIDE, _LONGEST = 15.0, 9.0, 16
"""Pixels from one name to the next, pixels that a name may stand above the end of its line, and letters of a name."""


def line_ends(rows: Rows, x: str, y: str, labels: Sequence[str], height: float, *, from_0: bool) -> Rows | None:
    """Where the names of lines stand, at their last points; None where two would touch, or lines end at several places.

    >>> two = [{"series": "a", "n": 1, "v": 0.5}, {"series": "b", "n": 1, "v": 1.0}]
    >>> line_ends(two, "n", "v", ["a", "b"], 100, from_0=True)
    [{'series': 'a', 'n': 1, 'v': 0.5, 'moved': 0.0}, {'series': 'b', 'n': 1, 'v': 1.0, 'moved': 0.0}]
    >>> line_ends([{**row, "v": 1} for row in two], "n", "v", ["a", "b"], 100, from_0=True)
    """
    last = {label: max((row for row in rows if row["series"] == label), key=lambda row: row[x]) for label in labels}
    if len({row[x] for row in last.values()}) > 1 or max(map(len, labels)) > _LONGEST:
        return None
    values = [row[y] for row in rows]
    low, high = min(values), max(values)
    low = min(low, 0.0) if from_0 else low
    pixels = height / ((high - low) or 1.0)
    ordered = sorted(last.values(), key=lambda row: row[y])
    places: list[float] = []
    for row in ordered:
        wanted = (row[y] - low) * pixels
        places.append(wanted if not places else max(wanted, places[-1] + _APART))
    moved = [place - (row[y] - low) * pixels for place, row in zip(places, ordered, strict=True)]
    if max(moved, default=0.0) > _ASIDE or any(b - a < _APART - 1e-9 for a, b in pairwise(places)):
        return None
    return [{**row, "moved": round(shift, 1)} for row, shift in zip(ordered, moved, strict=True)]


def names_at(ends: Rows, x: Any, y: Any, tip: list[Any]) -> list[Any]:
    """Draw the names."""
    alt = altair()
    return [
        alt.Chart(inline([end]))
        .mark_text(align="left", dx=9, dy=-end["moved"], fontSize=12.5, fontWeight=600, color=INK)
        .encode(x=x, y=y, text="series:N", tooltip=tip)
        for end in ends
    ]
