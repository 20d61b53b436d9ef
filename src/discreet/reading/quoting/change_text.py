"""Changes as they are read: the total first, rows whose interval excludes 0 marked, every number fit to be quoted.

What is computed on is the table itself: there a change is unbiased, also where it lies outside of what is possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.rationals import in_percent
from discreet.reading.parts.change_table import UNCUT
from discreet.reading.parts.number_table import NumberTable
from discreet.reading.totals import Quantity

MARK = "*"


def change_text(table: NumberTable, totals: Mapping[str, Quantity]) -> str:
    """Changes as text; `totals` are of all groups together, under the names of the answers if there are any."""
    from discreet.show.text import table as laid_out

    title, *rest = str(_marked(table, totals)).split("\n")
    rows = [
        (f"{name}:" if name else "all groups:", f"{q.value:+z,.1f}", f"{in_percent(q.confidence)} interval {_ends(q)}")
        for name, q in totals.items()
    ]
    return "\n".join([title, *laid_out(rows, "<0 >0 <0", gap=2), "", *rest])


def change_html(table: NumberTable, totals: Mapping[str, Quantity]) -> str:
    """Changes for a notebook."""
    from discreet.show import html

    facts = [
        (name or "all groups", f"{q.value:+z,.1f}, {in_percent(q.confidence)} interval {_ends(q)}")
        for name, q in totals.items()
    ]
    return html.together(html.facts(facts), NumberTable._repr_html_(_marked(table, totals)))


def excludes_zero(table: NumberTable) -> NDArray[np.bool_]:
    """Which rows have an interval without 0."""
    found: NDArray[np.bool_] = (table["low"] > 0) | (table["high"] < 0)
    return found


def _marked(table: NumberTable, totals: Mapping[str, Quantity]) -> NumberTable:
    """The table as it is shown: changes within their intervals, and a mark where that is without 0."""
    marked, inside = excludes_zero(table), np.clip(table["change"], table["low"], table["high"])
    cut = int((np.abs(inside - table["change"]) > 0.05).sum())
    columns: dict[str, NDArray[Any]] = {**table.columns, "change": inside}
    if marked.any():
        columns[""] = np.where(marked, MARK, "").astype(object)
    confidence = next(iter(totals.values())).confidence
    notes = (*_notes(int(marked.sum()), len(table), cut, confidence), *(note for note in table.notes if note != UNCUT))
    plain = {field.name: getattr(table, field.name) for field in fields(NumberTable)}
    shown = NumberTable(**plain)
    return replace(shown, columns=columns, keys=(*table.keys, ""), notes=notes)


def _notes(marked: int, rows: int, cut: int, confidence: float) -> Iterator[str]:
    """How many rows are marked beside how many would be by chance; and what was moved to be quoted."""
    by_chance = round(rows * (1 - confidence), 1)
    many = f"up to about {by_chance:.0f}" if by_chance >= 1 else "fewer than one"
    which = f"{MARK} The interval excludes 0 in" if marked else "No interval excludes 0 of"
    count = f"{marked:,} of {rows:,} rows" if marked else f"{rows:,} rows"
    yield f"{which} {count}; by chance {many} would even if nothing had changed."
    if cut:
        some = "1 change" if cut == 1 else f"{cut:,} changes"
        yield f"{some} outside of what is possible: shown at the end of the interval; CSV and JSON are unbiased."


def _ends(total: Quantity) -> str:
    return f"{total.low:+,.0f} to {total.high:+,.0f}"
