"""Estimates by key as a terminal shows them: what to print of each row stands in it, and the rule
above the rows.

So a row has on the screen the interval that it has in the table to quote and in the report: first,
with the number to quote after it, or a dash where the interval alone is to be quoted. Of single
groups the estimate and its own interval are among the details. Sums of groups have one interval
everywhere, and their estimates stand beside.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.reading.parts.key_codes import code, read_names
from discreet.reading.parts.subtotal_table import rate_columns
from discreet.reading.parts.whole_numbers import moved
from discreet.reading.quoting.interval_kinds import (
    LITTLE,
    MOVED,
    NO_NUMBER,
    NONE,
    WAS_MOVED,
    beside_estimates,
    interval_kind,
    marks_in_brief,
    rule,
    too_wide,
)
from discreet.reading.quoting.quotable_table import what_to_quote
from discreet.reading.quoting.quoted import NUMBER, free

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.reading.estimates import Estimate
    from discreet.reading.histograms.histogram_estimates import HistogramEstimate
    from discreet.reading.parts.number_table import NumberTable

_ENDS = (f"{NUMBER}_low", f"{NUMBER}_high")
_LONG = 30
"""Rows from which on it is said how to get fewer, or a file."""
_DECIMALS = "The estimate with its decimals is for arithmetic."
_ARITHMETIC = f"{_DECIMALS[:-1]}; its standard error: --details."


def printed_by_key(found: Estimate | HistogramEstimate, names: Sequence[str]) -> NumberTable:
    """Return the subtotals by some keys with what to quote of each; of single groups, the rest
    is among the details.
    """
    from discreet.show.text import details_wanted

    table = found.subtotals(names)
    answers = len(found.answers) if hasattr(found, "answers") else 0
    quoted = what_to_quote(found, names)
    whole, low, high, head = quoted.whole, quoted.low, quoted.high, quoted.head
    which = {name: table.columns[name] for name in table.columns if name in (*table.keys, "n")}
    gave_way = moved(whole, table.columns["estimate"], table.columns["n"])
    doubted = quoted.doubted
    sums = sums_are_made(found, names)
    marked = (
        gave_way & ~doubted & (sums or details_wanted())
    )  # of single groups no estimate stands beside
    dashes = bool(doubted.any())
    shown = _shown(whole, doubted, marked)
    long = _long(found, names, len(whole))
    little = int(too_wide(low, high, table.columns["n"]).sum())
    lead = [
        rule(dashes=dashes),
        *([LITTLE.format(little, len(whole))] if 2 * little > len(whole) else []),
    ]
    called = free(NUMBER, which)
    columns, spans = (
        {**which, **dict(zip(_ENDS, (low, high), strict=True)), called: shown},
        {_ENDS[0]: (head, _ENDS[1])},
    )
    order = reading_order(which, names)
    if sums:
        left_out = (*which, "low", "high", *([] if details_wanted() else ["standard_error"]))
        columns |= {name: values for name, values in table.columns.items() if name not in left_out}
        said = (*([NO_NUMBER] if dashes else []), *([WAS_MOVED] if marked.any() else []))
        spare = sorted(
            (name for name in table.spare if name in columns),
            key=lambda name: name not in table.spans,
        )
        return replace(
            table,
            keys=(*table.keys, called),
            columns={name: values[order] for name, values in columns.items()},
            spans=spans | {low: ends for low, ends in table.spans.items() if low != "low"},
            spare=tuple(spare),
            lead=" ".join(lead),
            notes=(*table.notes[:-1], *said, _DECIMALS, *long),
            brief=(*table.brief, *said[dashes:], _ARITHMETIC, *long),
        )
    notes: tuple[str, ...] = marks_in_brief(
        quoted.which, dashes=dashes and details_wanted(), moved=bool(marked.any())
    )
    rate: dict[str, Any] = {}
    if details_wanted():
        rate = rate_columns(
            "share" if answers else "rate",
            which,
            table.columns["n"],
            np.where(doubted, np.nan, whole),
        )
        more = [
            "estimate",
            *(() if answers else ("low", "high")),
            "standard_error",
        ]  # answers have one interval
        columns |= rate | {name: table.columns[name] for name in more}
        spans |= (
            {}
            if answers
            else {
                _ENDS[0]: (quoted.which, _ENDS[1]),
                "low": (interval_kind(found.confidence), "high"),
            }
        )
        notes = (
            *notes[:-1],
            *beside_estimates(answers=bool(answers)),
            *quoted.was_widened,
            *table.notes[:-1],
        )
    return replace(
        table,
        keys=(*table.keys, called),
        columns={name: values[order] for name, values in columns.items()},
        spans=spans,
        lead=" ".join(lead),
        shares=tuple(rate),
        spare=("standard_error", *rate) if rate else (),
        notes=(*notes, *long),
        brief=(*notes, *long),
    )


def _long(found: Estimate | HistogramEstimate, names: Sequence[str], rows: int) -> tuple[str, ...]:
    """How to get fewer rows of a long table, or a file: the other key that makes the fewest
    groups, if any does.
    """
    if rows < _LONG:
        return ()
    keys = found.sample.keys
    groups = {
        key: code(keys, read_names([key], tuple(keys)), len(found.sample)).groups for key in keys
    }
    fewest = min(groups, key=lambda key: groups[key])
    less = [fewest] != list(names) and 2 * groups[fewest] <= rows
    fewer = f"--by {shlex.quote(fewest)}" if less else "leave out --by"
    return (f"Fewer rows: {fewer}. The whole table as a file: --csv FILE.",)


def to_quote(found: Estimate | HistogramEstimate, names: Sequence[str]) -> list[dict[str, Any]]:
    """What a terminal shows of each row, for a script: its interval, and the number or nothing.

    Rows are in the order of `subtotals`. An interval says of which kind it is.
    """
    quoted = what_to_quote(found, names)
    columns = (values.tolist() for values in (quoted.numbers, quoted.low, quoted.high))
    return [
        {"number": number, "low": low, "high": high, "interval": quoted.which}
        for number, low, high in zip(*columns, strict=True)
    ]


def _shown(whole: NDArray[Any], doubted: NDArray[Any], marked: NDArray[Any]) -> NDArray[Any]:
    """The numbers as they are printed: a dash for what is not to be quoted, a mark after what
    was moved.
    """
    rows = zip(whole.tolist(), doubted.tolist(), marked.tolist(), strict=True)
    after = " " if marked.any() else ""
    texts = [
        NONE + after if doubt else f"{value:,}{MOVED if mark else after}"
        for value, doubt, mark in rows
    ]
    widest = max([len(NUMBER), *map(len, texts)])
    return np.array([text.rjust(widest) for text in texts], dtype=object)


def sums_are_made(found: Any, names: Sequence[str]) -> bool:
    """Whether these keys make sums of groups: not where they tell all groups apart."""
    keys = found.sample.keys
    return code(keys, read_names(names, tuple(keys)), len(found.sample)).groups < len(found.sample)


def reading_order(columns: Mapping[str, NDArray[Any]], names: Sequence[str]) -> list[int]:
    """The order of the rows by these keys, as they are read: numbers by size, words by letter, what
    is missing last.

    >>> import numpy as np
    >>> reading_order({"n": np.array([10, 9, 10]), "key": np.array(["10a", "5a", None])}, ["key"])
    [1, 0, 2]
    """
    keys = [columns[name].tolist() for name in names]

    def place(row: int) -> tuple[tuple[bool, str, Any], ...]:
        values = (key[row] for key in keys)
        return tuple(
            (value is None, type(value).__name__, "" if value is None else _natural(value))
            for value in values
        )

    return sorted(range(len(next(iter(columns.values())))), key=place)


def _natural(value: Any) -> Any:
    """A label by which class 5a comes before 10a: numbers inside it are compared as numbers,
    then the label itself.
    """
    if not isinstance(value, str):
        return value
    parts = re.split(
        r"([0-9]+)", value
    )  # words and numbers by turns, so that like is compared with like
    # by length, then digit by digit: Python makes no integer of thousands of digits
    told = (
        (len(number := part.lstrip("0")), number) if place % 2 else part
        for place, part in enumerate(parts)
    )
    return list(told), value
