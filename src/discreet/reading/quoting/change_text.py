"""Changes as they are read: the total first, then in how many rows anything changed, and of many
rows only those.

What is computed on is the table itself: there a change is unbiased, also where it lies outside of
what is possible.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.rationals import in_percent
from discreet.reading.parts.change_table import UNCUT
from discreet.reading.parts.number_table import NumberTable
from discreet.reading.totals import Quantity

MARK = "*"


FEW = 30
"""Rows up to which a table of changes is shown whole; of a longer one, only rows whose interval
excludes 0.
"""


def change_text(table: NumberTable, totals: Mapping[str, Quantity]) -> str:
    """Changes as text; `totals` are of all groups together, under the names of the answers if
    there are any.
    """
    from discreet.show.text import EVERY, folded, rows_shown
    from discreet.show.text import table as laid_out

    rows = [
        (
            f"{name}:" if name else "all groups:",
            f"{q.value:+z,.1f}",
            f"{in_percent(q.confidence)} interval {_ends(q)}",
        )
        for name, q in totals.items()
    ]
    first = [table.title, *laid_out(rows, "<0 >0 <0", gap=2)]
    shown = _shown(table, every=rows_shown() >= EVERY)
    sign = f"{MARK} " if "" in shown.columns else ""
    for said in (in_total(totals), f"{sign}{verdict(table, totals)}"):
        first += ["", *folded(said, first="  ", later="  ")] if said else []
    if not len(shown):
        return "\n".join(
            [
                *first,
                *(line for note in shown.notes for line in folded(note, first="  ", later="  ")),
            ]
        )
    return "\n".join([*first, "", *str(shown).split("\n")[1:]])


def change_html(table: NumberTable, totals: Mapping[str, Quantity]) -> str:
    """Changes for a notebook."""
    from discreet.show import html

    facts = [
        (name or "all groups", f"{q.value:+z,.1f}, {in_percent(q.confidence)} interval {_ends(q)}")
        for name, q in totals.items()
    ]
    shown = _shown(table)
    rows = NumberTable._repr_html_(shown) if len(shown) else html.note(" ".join(shown.notes))
    said = " ".join(filter(None, (in_total(totals), verdict(table, totals))))
    return html.together(html.facts(facts), html.note(said), rows)


def excludes_zero(table: NumberTable) -> NDArray[np.bool_]:
    """Which rows have an interval without 0."""
    found: NDArray[np.bool_] = (table["low"] > 0) | (table["high"] < 0)
    return found


def _shown(table: NumberTable, *, every: bool = False) -> NumberTable:
    """The table as it is shown: changes within their intervals, a mark where that is without 0,
    and few other rows.
    """
    from discreet.show.text import in_words_of

    marked, inside = excludes_zero(table), np.clip(table["change"], table["low"], table["high"])
    kept = np.ones(len(table), dtype=np.bool_) if every or len(table) <= FEW else marked
    cut = int((np.abs(inside - table["change"])[kept] > 0.05).sum())
    columns: dict[str, NDArray[Any]] = {**table.columns, "change": inside}
    if marked.any() and not (marked == kept).all():
        columns[""] = np.where(marked, MARK, "").astype(object)
    notes = [note for note in table.notes if note != UNCUT]
    if cut:
        some = "1 change" if cut == 1 else f"{cut:,} changes"
        notes.insert(
            0,
            f"{some} outside of what is possible: shown at the end of the interval; CSV and JSON "
            "are unbiased.",
        )
    if not kept.all():
        where = in_words_of("to_csv", "--all-rows")
        notes.insert(0, f"{_LEFT_OUT.format(rows=int((~kept).sum()), where=where)}.")
    plain = {field.name: getattr(table, field.name) for field in fields(NumberTable)}
    shown = {name: values[kept] for name, values in columns.items()}
    return replace(NumberTable(**plain), columns=shown, keys=(*table.keys, ""), notes=tuple(notes))


_LEFT_OUT = "{rows:,} rows whose interval holds 0 are not shown: {where} has them"


def in_total(totals: Mapping[str, Quantity]) -> str:
    """Whether a change shows in total, and of which answers; nothing where it does not."""
    changed = [name for name, q in totals.items() if q.low > 0 or q.high < 0]
    of = f" of {', '.join(changed)}" if any(changed) else ""
    return f"In total a change{of} shows: the interval excludes 0." if changed else ""


def verdict(table: NumberTable, totals: Mapping[str, Quantity]) -> str:
    """In how many rows something changed, beside how many would say so by chance."""
    marked, rows = int(excludes_zero(table).sum()), len(table)
    by_chance = round(rows * (1 - next(iter(totals.values())).confidence), 1)
    many = f"up to about {by_chance:.0f}" if by_chance >= 1 else "fewer than one"
    none = "Of rows by themselves none shows one" if in_total(totals) else "No change shows"
    found = (
        f"The interval excludes 0 in {marked:,} of"
        if marked
        else f"{none}: the interval holds 0 in all"
    )
    return f"{found} {rows:,} rows; by chance {many} would exclude it even if nothing had changed."


def _ends(total: Quantity) -> str:
    return f"{total.low:+,.0f} to {total.high:+,.0f}"
