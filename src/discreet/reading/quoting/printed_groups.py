"""Estimates by key as a terminal shows them: where every row is one group, what to print of it stands beside.

So a group has on the screen the interval that it has in the table to quote and in the report, and not only the one of
its estimate. Sums of groups have one interval everywhere, and are shown as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.reading.parts.subtotal_table import rate_columns
from discreet.reading.parts.whole_numbers import moved
from discreet.reading.quoting.interval_kinds import (
    CREDIBLE,
    KINDS,
    LEAD,
    LITTLE,
    MOVED,
    beside_estimates,
    interval_head,
    too_wide,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.reading.estimates import Estimate
    from discreet.reading.histograms.histogram_estimates import HistogramEstimate
    from discreet.reading.parts.number_table import NumberTable

PRINT, MARKED = "to_print", ""
_ENDS = (f"{PRINT}_low", f"{PRINT}_high")


def printed_by_key(found: Estimate | HistogramEstimate, names: Sequence[str]) -> NumberTable:
    """Return the subtotals by some keys, with the whole number of each group, and its interval, where no two add up."""
    table = found.subtotals(names)
    answers = len(found.answers) if hasattr(found, "answers") else 0
    if len(table) < found.groups * max(answers, 1):
        return table
    quoted = found.quotable(names)
    numbers = [name for name in quoted.columns if name not in quoted.keys]
    (lower, (_, upper)), *_ = quoted.spans.items()
    whole, low, high = (quoted.columns[name] for name in (numbers[1], lower, upper))
    which = {name: table.columns[name] for name in table.columns if name in (*table.keys, "n")}
    estimate, error = ({name: table.columns[name]} for name in ("estimate", "standard_error"))
    head = interval_head(found.confidence)
    rate = rate_columns("share" if answers else "rate", which, table.columns["n"], whole)
    if answers:  # one interval for both numbers, widened where it would not hold the whole one
        columns = {**which, PRINT: whole, "low": low, "high": high, **rate, **estimate, **error}
        spans = {"low": (head, "high")}
    else:
        of_estimate = {name: table.columns[name] for name in ("low", "high")}
        columns = {**which, PRINT: whole, _ENDS[0]: low, _ENDS[1]: high, **rate, **estimate, **of_estimate, **error}
        spans = {_ENDS[0]: (interval_head(found.confidence, CREDIBLE), _ENDS[1]), "low": (head, "high")}
    gave_way = moved(whole, table.columns["estimate"], table.columns["n"])
    if gave_way.any():
        marks = {MARKED: np.where(gave_way, MOVED, "").astype(object)}
        columns = {name: values for part in _after(columns, PRINT, marks) for name, values in part.items()}
    at_end = ((whole == low) | (whole == high)) & (low < high)
    lead = [] if answers else [KINDS, *([LEAD] if at_end.any() else [])]
    little = int(too_wide(low, high, which["n"]).sum()) if "n" in which else 0
    if 2 * little > len(whole):
        lead.append(LITTLE.format(little, len(whole)))
    told = [
        *beside_estimates(answers=bool(answers), moved=bool(gave_way.any())),
        *(note for note in quoted.notes if "widened" in note),
    ]
    order = _sorted(which, names)
    return replace(
        table, keys=(*table.keys, MARKED), columns={name: values[order] for name, values in columns.items()},
        spans=spans, lead=" ".join(lead),
        shares=tuple(rate), spare=("standard_error", *rate),
        notes=(*told, *table.notes[:-1]), brief=(*told, *table.brief[:-1]),
    )  # fmt: skip


def _after(columns: dict[str, Any], name: str, more: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The columns in order, with more of them after one."""
    for each, values in columns.items():
        yield {each: values} | (more if each == name else {})


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
