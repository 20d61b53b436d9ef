"""Estimates by key as a terminal shows them: where every row is one group, what to print of it stands beside.

So a group has on the screen the interval that it has in the table to quote and in the report: first, with the number
that makes sums right after it. The estimate and its own interval are among the details. Sums of groups have one
interval everywhere, and are shown as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.reading.parts.subtotal_table import rate_columns
from discreet.reading.parts.whole_numbers import moved
from discreet.reading.quoting.interval_kinds import (
    LITTLE,
    MOVED,
    beside_estimates,
    interval_head,
    marks_in_brief,
    says_little,
    too_wide,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.reading.estimates import Estimate
    from discreet.reading.histograms.histogram_estimates import HistogramEstimate
    from discreet.reading.parts.number_table import NumberTable

NUMBER = "number"
_ENDS = (f"{NUMBER}_low", f"{NUMBER}_high")


def printed_by_key(found: Estimate | HistogramEstimate, names: Sequence[str]) -> NumberTable:
    """Return the subtotals by some keys; where no two groups add up, what to quote of each, and the rest in details."""
    from discreet.show.text import details_wanted

    table = found.subtotals(names)
    answers = len(found.answers) if hasattr(found, "answers") else 0
    if len(table) < found.groups * max(answers, 1):
        return table
    quoted = found.quotable(names)
    numbers = [name for name in quoted.columns if name not in quoted.keys]
    (lower, (head, upper)), *_ = quoted.spans.items()
    whole, low, high = (quoted.columns[name] for name in (numbers[1], lower, upper))
    which = {name: table.columns[name] for name in table.columns if name in (*table.keys, "n")}
    gave_way = moved(whole, table.columns["estimate"], table.columns["n"])
    doubted = says_little(whole, low, high, table.columns["n"])
    shown = _shown(whole, doubted, gave_way)
    little = int(too_wide(low, high, table.columns["n"]).sum())
    lead = [LITTLE.format(little, len(whole))] if 2 * little > len(whole) else []
    columns, spans = (
        {**which, **dict(zip(_ENDS, (low, high), strict=True)), NUMBER: shown},
        {_ENDS[0]: (head, _ENDS[1])},
    )
    notes: tuple[str, ...] = marks_in_brief(head, brackets=bool(doubted.any()), moved=bool(gave_way.any()))
    rate: dict[str, Any] = {}
    if details_wanted():
        rate = rate_columns("share" if answers else "rate", which, table.columns["n"], whole)
        more = ["estimate", *(() if answers else ("low", "high")), "standard_error"]  # answers have one interval
        columns |= rate | {name: table.columns[name] for name in more}
        spans |= {} if answers else {"low": (interval_head(found.confidence), "high")}
        widened = [note for note in quoted.notes if "widened" in note]
        notes = (*notes[:-1], *beside_estimates(answers=bool(answers)), *widened, *table.notes[:-1])
    order = _sorted(which, names)
    return replace(
        table, keys=(*table.keys, NUMBER), columns={name: values[order] for name, values in columns.items()},
        spans=spans, lead=" ".join(lead), shares=tuple(rate),
        spare=("standard_error", *rate) if rate else (), notes=notes, brief=notes,
    )  # fmt: skip


def _shown(whole: NDArray[Any], doubted: NDArray[Any], gave_way: NDArray[Any]) -> NDArray[Any]:
    """The numbers as they are printed: in brackets what is not to be quoted alone, marked what was moved."""
    rows = zip(whole.tolist(), doubted.tolist(), gave_way.tolist(), strict=True)
    texts = [(f"({value:,})" if doubt else f"{value:,} ") + (MOVED if mark else " ") for value, doubt, mark in rows]
    widest = max([len(NUMBER), *map(len, texts)])
    return np.array([text.rjust(widest) for text in texts], dtype=object)


def _sorted(columns: Mapping[str, NDArray[Any]], names: Sequence[str]) -> list[int]:
    """The order of the rows by these keys, as they are read: numbers by size, words by letter, what is missing last.

    >>> import numpy as np
    >>> _sorted({"n": np.array([10, 9, 10]), "key": np.array(["b", "a", None])}, ["key"])
    [1, 0, 2]
    """
    keys = [columns[name].tolist() for name in names]

    def place(row: int) -> tuple[tuple[bool, str, Any], ...]:
        values = (key[row] for key in keys)
        return tuple((value is None, type(value).__name__, "" if value is None else value) for value in values)

    return sorted(range(len(next(iter(columns.values())))), key=place)
