"""The numbers to quote on the page: totals, sums and single groups, each with its interval, long tables folded.

Which number is not to be quoted alone is one rule everywhere (`interval_kinds.says_little`): such a number stands in
brackets, and what that means stands beside the table. Of single groups the interval stands first, for it is what to
quote; the number that makes sums right stands after it.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from statistics import median
from typing import TYPE_CHECKING

from discreet.reading.quoting.interval_kinds import (
    ALONE,
    CONFIDENCE,
    CREDIBLE,
    TWO_KINDS,
    WAS_MOVED,
    interval_head,
    not_alone,
)
from discreet.reporting import plain_words as words
from discreet.reporting.answer_grid import fits, grid
from discreet.reporting.drawn_tables import Heads, note, number, number_table, says_little
from discreet.reporting.folded_tables import FEW, folded, in_groups, pieces
from discreet.show.html import Html, element

if TYPE_CHECKING:
    from discreet.reporting.report_findings import Counted, Findings
    from discreet.show.pictures.readings.estimate_rows import Row

SHOWN, NOISY_SHOWN = 10_000, 20
"""Groups of a table on the page, and of one that is too noisy. The spreadsheet and the CSV file have all."""

_FIRST, _SECOND = "Quote the interval first.", "Beside it stands the number by which all sums are right."
_BRACKETS = "(In brackets): not to be quoted alone, because {}."
_ENDS = (
    "A number may stand at an end of its interval: numbers are as wide apart as what was released, so that sums are "
    "right, and intervals also use what groups have on average."
)


def off_by(findings: Findings) -> str:
    """How far the number of one group may be off, for who reads nothing else: to the further end of its interval.

    That is the median over the groups; of several counts, the least and the most of them.
    """
    rows = [counted.groups for counted in findings.counts if len(counted.groups) > 1]
    far = [median(max(row.value - (row.low or 0.0), (row.high or 0.0) - row.value) for row in some) for some in rows]
    if not far or max(far) < 1:
        return ""
    ends = list(dict.fromkeys(number(round(each)) for each in (min(far), max(far))))
    who = words.unit(findings.manifest)
    who = who if ends != ["1"] else {"people": "person", "rows": "row"}[who]
    return f"The number of a single group may be off by about {' to '.join(ends)} {who}: do not rank groups by it."


def quoted_numbers(findings: Findings) -> Iterator[Html]:
    """How to read the numbers, and the tables of every count."""
    counts = findings.counts
    readable = [counted for counted in counts if not counted.unreadable]
    if readable:
        yield from _how_to_read(findings, readable)
    for counted in counts:
        if len(counts) > 1:
            yield element("h3", counted.name)
        if counted.unreadable:
            yield element("p", f"{counted.unreadable} So there is no table of it to quote.")
            continue
        yield from _sums(findings, counted)
        if findings.manifest.keys:
            yield from _groups(findings, counted)
    if readable:
        yield from _about_intervals(findings, readable)


def _how_to_read(findings: Findings, counts: Sequence[Counted]) -> Iterator[Html]:
    whole = "They are whole and possible, and they add up."
    if findings.manifest.cap:
        whole = "Sums are unbiased estimates, with a decimal; numbers of single groups are whole and possible."
    seen = f" Shaded: the interval; upright line: the number{_as_shares(findings)}."
    yield element("p", element("strong", "Print these numbers, each with its interval."), f" {whole}{seen}")


def _about_intervals(findings: Findings, counts: Sequence[Counted]) -> Iterator[Html]:
    """What an interval says, below the tables."""
    guessed = any(counted.guessed for counted in counts) and bool(findings.manifest.keys)
    kinds = TWO_KINDS if guessed else ALONE
    yield note(f"Intervals are about the noise of this release, and not about sampling. {kinds}")


def _as_shares(findings: Findings) -> str:
    """What bars are shares of, and which tables have one scale."""
    if findings.manifest.cap:
        return ""
    whole = f", both as a share of the {words.unit(findings.manifest)} of the row, on the scale in the table's head"
    return f"{whole}: one for all sums of a count, another for its single groups" if findings.manifest.keys else whole


def _marks(rows: Sequence[Row], who: str) -> Iterator[str]:
    """What brackets and marks in a table mean, where it has some."""
    if any(map(says_little, rows)):
        yield _BRACKETS.format(not_alone(who))
    if any(row.moved for row in rows):
        yield WAS_MOVED


def _sums(findings: Findings, counted: Counted) -> Iterator[Html]:
    """The total and every table of sums."""
    exact = not counted.facts.cap
    number, places = ("number", 0) if exact else ("estimate", 1)
    interval = f"{interval_head(findings.confidence)} interval"
    heads = Heads(number=number, interval=interval, unit=counted.unit, places=places)
    for said in _marks([row for rows in counted.sums.values() for row in rows], counted.unit):
        yield element("p", said)
    every = heads.drawn_for(counted.sums.values())  # shares of the total and of each part can be compared
    for names, rows in counted.sums.items():
        caption = f"{counted.name}: {counted.by(names) if names else 'in total'}"
        drawn = every if exact else heads.drawn_for([rows])
        tables = list(_tables(findings, counted, in_groups(rows), names, drawn, caption))
        if counted.crossed(names):  # 7a of one school and 7a of another: seldom what is asked
            yield folded(caption, f"({len(in_groups(rows)):,} sums)", *tables)
        else:
            yield from tables


def _groups(findings: Findings, counted: Counted) -> Iterator[Html]:
    """The table of one count's groups, with a warning above it where most are too noisy."""
    warning = words.too_noisy(findings, counted)
    kind = CREDIBLE if counted.guessed else CONFIDENCE
    interval = f"{interval_head(findings.confidence, kind)} interval"
    heads = Heads(number="number", interval=interval, unit=counted.unit, first=True)
    groups = in_groups(counted.groups)
    if not groups:
        yield element("p", f"There is no table of single groups of {counted.name} to quote.")
        return
    names = tuple(findings.manifest.keys)
    caption = f"{counted.name}: {counted.by(names)}"
    if warning:
        yield element("p", element("strong", warning))
        groups, every = groups[:NOISY_SHOWN], len(groups)
        heads, wide = heads.drawn_for(groups), _has_columns(groups)
        drawn = _table(groups, names, heads, f"{caption}, too noisy to quote", wide=wide, titled=False)
        marks = [note(said) for said in _marks([row for rows in groups for row in rows], counted.unit)]
        more = f"{len(groups):,} groups" if len(groups) == every else f"the first {len(groups):,} of {every:,} groups"
        yield folded(f"{caption}, too noisy to quote", f"({more})", *marks, drawn)
        if len(groups) < every:
            yield note(whole_table(findings, counted))
        return
    said = " ".join([_SECOND, *_marks(counted.groups[: SHOWN * len(groups[0])], counted.unit)])
    yield element("p", element("strong", _FIRST), f" {said}")
    if counted.guessed:
        yield note(_ENDS)
    tables = list(_tables(findings, counted, groups, names, heads.drawn_for(groups[:SHOWN]), caption))
    if counted is findings.counts[0] or len(tables) > 1:
        yield from tables
    else:  # of several questions, the groups of the first are open
        yield folded(caption, f"({len(groups):,} groups)", *tables)
    if said := counted.widened:
        yield note(said)


def _tables(
    findings: Findings,
    counted: Counted,
    groups: list[list[Row]],
    names: Sequence[str],
    heads: Heads,
    caption: str,
) -> Iterator[Html]:
    """A table, or its pieces where it is long."""
    if len(groups) > SHOWN:
        cut = f"Below are the first {SHOWN:,} of {len(groups):,} groups."
        yield element("p", element("strong", cut), f" {whole_table(findings, counted)}")
        groups = groups[:SHOWN]
    wide = bool(names) and _has_columns(groups)
    lines = 1 if wide else len(groups[0])
    found = pieces(names, groups, lines)
    if len(found) == 1:
        yield _table(groups, names, heads, caption, wide=wide)
        return
    yield element("h4", caption)
    if wide:
        below = "Below each interval: the number." if heads.first else f"Below each number: its {heads.interval}."
        yield note(below)
    for place, piece in enumerate(found):
        title = f"{counted.name}: {piece.title}"
        drawn = _table(piece.groups, piece.names, heads, f"{title} ({caption})", wide=wide, titled=False)
        some = "1 group" if len(piece.groups) == 1 else f"{len(piece.groups):,} groups"
        first = place == 0 and len(piece.groups) * lines <= FEW and counted is findings.counts[0]
        yield folded(piece.title, f"({some})", drawn, open_=first)


def _has_columns(groups: list[list[Row]]) -> bool:
    """Whether the answers of many groups have columns, so that a group is one row."""
    answers = [row.answer for row in groups[0]]
    return len(groups) * len(answers) > FEW and fits(answers)


def _table(
    groups: list[list[Row]], names: Sequence[str], heads: Heads, caption: str, *, wide: bool, titled: bool = True
) -> Html:
    if wide:
        return grid(groups, names, heads, caption=caption, titled=titled)
    return number_table([row for rows in groups for row in rows], names, heads, caption=caption, titled=titled)


def whole_table(findings: Findings, counted: Counted) -> str:
    """Where all rows are."""
    folder = findings.folder
    count = f" --count {shlex.quote(counted.name)}" if len(findings.counts) > 1 else ""
    return f"The whole table: discreet report {folder} -o report.xlsx, or discreet estimate {folder}{count} --csv FILE."
