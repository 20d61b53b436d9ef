"""Single groups on the page: a whole number to quote, what is known of it, and which numbers say too little to quote.

Whether a group is too noisy is one rule everywhere, three quarters of the group: of the margin before anything is drawn
(`Line.too_noisy`, which a plan says), and of the interval of what was drawn. Such a number stands in brackets.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from discreet.reporting import plain_words as words
from discreet.reporting.drawn_tables import SHARE, Of, bar, note, number, scale_name, table
from discreet.show.html import Html, element, together

if TYPE_CHECKING:
    from discreet.reading.parts.number_table import NumberTable
    from discreet.reporting.report_findings import Counted, Findings

SHOWN, QUOTED, NOISY_SHOWN = 100, 1_000, 20
"""Rows on the page: of a table of sums, of the table to quote, and of one that is too noisy. The spreadsheet and the
CSV file have all."""

_BRACKETS = (
    "In brackets: numbers that say too little to be quoted alone, as their interval is three quarters of the group or "
    "more."
)
_ENDS = (
    "Where the {} stands at an end of its interval, far from the best guess, that is no mistake: it is spread as "
    "widely as what was released, so that sums are right. The best guess of one group leans towards what groups have "
    "on average."
)


def groups_title(findings: Findings) -> str:
    """What the section is called: no table to quote where most groups of every count are too noisy."""
    every = [counted for counted in findings.counts if counted.quotable is not None]
    noisy = bool(every) and all(words.too_noisy(findings, counted) for counted in every)
    return "Single groups: too noisy to quote" if noisy else "The table to quote"


def quoted_groups(findings: Findings, counted: Counted) -> Iterator[Html]:
    """The table of one count's groups, with a warning above it where most are too noisy."""
    found = counted.quotable
    if found is None:
        yield element("p", f"There is no table of {counted.name} to quote, as there are no totals.")
        return
    warning = words.too_noisy(findings, counted)
    yield element("p", element("strong", warning) if warning else _which(found, counted))
    shown = NOISY_SHOWN if warning else QUOTED
    answers = len(counted.answers) or 1
    shown = max(shown - shown % answers, answers)  # no group is cut in two
    head, body, doubted = _rows(found, counted, shown, "whole number" if warning else "quote")
    caption = f"{counted.name}, group by group" if warning else f"{counted.name}, to be quoted"
    number_name = "whole number" if warning else "number to quote"
    if doubted:
        yield element("p", _BRACKETS)
    if _has_mean(found):
        yield element("p", _ENDS.format(number_name))
    if len(found) > shown:
        cut = f"Below are the first {shown:,} of {len(found):,} rows."
        yield element("p", element("strong", cut), f" {whole_table(findings, counted)}")
    marks = f". Shaded: the interval; upright line: the {number_name}"
    caption += f"{marks}; dot: the best guess" if _has_mean(found) else marks
    yield table(head, body, caption=caption, numbers=range(len(found.keys), len(head) - 1), drawn=True)
    yield note(" ".join(_page_notes(found.notes, counted.name)))


def _which(found: NumberTable, counted: Counted) -> Html:
    """Which number of a row is the one to print."""
    guess = (
        " The best guess alone is for somebody who asks about one group and no other: sums of best guesses are wrong."
        if _has_mean(found)
        else ""
    )
    return together(
        element("strong", f"Print the number under “{counted.name}: quote”, with its interval."),
        f" These numbers are whole and possible, and all their sums are right.{guess}",
    )


def _rows(found: NumberTable, counted: Counted, shown: int, named: str) -> tuple[list[object], list[list[Any]], bool]:
    """The head and the rows of the table, and whether some number is not to be quoted; `named` is their column."""
    names, keys = list(found.columns), len(found.keys)
    sized = len(names) - keys - (4 if _has_mean(found) else 3)
    columns = {name: values[:shown].tolist() for name, values in found.columns.items()}
    most = max([*columns[names[-1]], *columns[names[keys + sized]], 1])
    head = [*found.keys, *([counted.unit] if sized else []), f"{counted.name}: {named}"]
    head += [*(["best guess alone"] if _has_mean(found) else []), "interval", SHARE if sized else scale_name(most)]
    body: list[list[Any]] = []
    doubted = False
    for row in zip(*columns.values(), strict=True):
        whole, *mean, low, high = row[keys + sized :]
        group = ["(none)" if key is None else str(key) for key in row[:keys]]
        size = row[keys] if sized else 0
        doubt = size > 0 and 4 * (high - low) >= 3 * size
        doubted |= doubt
        quoted = Of(f"({whole:,})" if doubt else f"{whole:,}", size, doubted=doubt) if sized else f"{whole:,}"
        drawn = bar(low, high, whole, row[keys] if sized else most, guess=mean[0] if mean else None)
        guesses = [number(value, 1) for value in mean]
        body.append([*group, *([f"{size:,}"] if sized else []), quoted, *guesses, f"{low:,} to {high:,}", drawn])
    return list(head), body, doubted


def _has_mean(found: NumberTable) -> bool:
    return any(name.endswith("_mean") for name in found.columns if name not in found.keys)


def _page_notes(notes: Sequence[str], name: str) -> list[str]:
    """The notes of a table, with its columns named as on the page."""
    names = {
        f"{name}_whole": "Quote",
        f"{name}_mean, {name}_from, {name}_to": "Best guess and interval",
        "from, to": "Interval",
    }
    for column, said in names.items():
        notes = [note.replace(f"{column}:", f"{said}:") for note in notes]
    return [note.replace("`subtotals`", "in the section on totals") for note in notes]


def whole_table(findings: Findings, counted: Counted) -> str:
    """Where all rows are."""
    folder = findings.folder
    count = f" --count {shlex.quote(counted.name)}" if len(findings.counts) > 1 else ""
    return f"The whole table: discreet report {folder} -o report.xlsx, or discreet estimate {folder}{count} --csv FILE."
