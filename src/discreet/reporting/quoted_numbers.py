"""The numbers to quote on the page: totals, sums and single groups, each with its interval, long
tables folded.

The interval stands first everywhere, for it is what to quote. Which number is not to be quoted is
one rule everywhere (`interval_kinds.says_little`): a dash stands in its place, no mark is drawn,
and one line above the tables says so.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING

from discreet.reading.quoting.interval_kinds import (
    ALONE,
    INTERVAL_ALONE,
    TWO_KINDS,
    WAS_WIDENED,
    WIDENED,
    from_to,
    interval_head,
)
from discreet.reporting import plain_words as words
from discreet.reporting.answer_grid import fits, grid
from discreet.reporting.drawn_tables import Heads, key, note, number, number_table
from discreet.reporting.folded_tables import FEW, NOISY_SHOWN, SHOWN, folded, in_groups, pieces
from discreet.show.html import Html, element
from discreet.show.pictures.readings.round_ends import share_end

if TYPE_CHECKING:
    from discreet.reporting.report_findings import Counted, Findings
    from discreet.show.pictures.readings.estimate_rows import Row

_FIRST = "Quote the interval first."


def how_wide(findings: Findings) -> str:
    """How wide the interval of one group is, for who reads nothing else.

    That is the median over the groups; of several counts, the least and the most of them.
    """
    rows = [counted.groups for counted in findings.counts if len(counted.groups) > 1]
    far = [median((row.high or 0.0) - (row.low or 0.0) for row in some) for some in rows]
    if not far or max(far) < 1:
        return ""
    wide = from_to(*(number(round(each)) for each in (min(far), max(far))))
    who = words.unit(findings.manifest)
    who = who if wide != "1" else {"people": "person", "rows": "row"}[who]
    return (
        f"Of a typical single group the {interval_head(findings.confidence)} is {wide} {who} "
        "wide, from its low end to its high end. So do not rank groups by their numbers."
    )


def quoted_numbers(findings: Findings, shown: int = SHOWN) -> Iterator[Html]:
    """How to read the numbers, and the tables of every count, each of so many groups."""
    counts = findings.counts
    readable = [counted for counted in counts if not counted.unreadable]
    if readable:
        yield from _how_to_read(findings, readable)
    for counted in counts:
        if len(counts) > 1:
            yield element("h3", counted.words)
        if counted.unreadable:
            yield element("p", f"{counted.unreadable} So there is no table of it to quote.")
            continue
        yield from _sums(findings, counted, shown)
        if findings.manifest.keys:
            yield from _groups(findings, counted, shown)
    if readable:
        yield from _about_intervals(findings, readable)


def _how_to_read(findings: Findings, counts: Sequence[Counted]) -> Iterator[Html]:
    whole = "The number beside it is a whole number that the group can have."
    if findings.manifest.cap:
        whole = (
            "Sums are unbiased estimates, with a decimal; that of a group is a whole number it "
            "can have."
        )
    yield element("p", element("strong", _FIRST), f" {whole}")
    rows = (
        row
        for counted in counts
        for some in (*counted.sums.values(), counted.groups)
        for row in some
    )
    if any(row.doubted for row in rows):
        yield element("p", INTERVAL_ALONE)
    if said := _scales(findings, counts):
        yield key(said, [row for rows in _with_bars(counts) for row in rows])


def _with_bars(counts: Sequence[Counted]) -> list[list[Row]]:
    """The rows of every table."""
    return [rows for counted in counts for rows in (*counted.sums.values(), counted.groups) if rows]


def _scales(findings: Findings, counts: Sequence[Counted]) -> str:
    """What bars are on, where sizes are public."""
    if findings.manifest.cap:
        return ""
    who, plain = words.unit(findings.manifest), Heads(number="", interval="")
    tables = [[rows] for rows in _with_bars(counts)]
    if not tables:
        return ""
    scales = {_in_people(findings, plain, groups).counts for groups in tables}
    shares = f"shares of the {who} of the row"
    if True not in scales:
        return f"Bars are intervals, as {shares}; the mark is the number."
    more = f" or, in percent, as {shares}" if False in scales else ""
    return f"Bars are intervals, on a scale of {who}{more}; the mark is the number."


def _in_people(findings: Findings, heads: Heads, groups: list[list[Row]]) -> Heads:
    """The heads of a table, on a scale of people where single groups have one size, and all
    groups of this table.
    """
    return heads.counting(groups) if len(findings.manifest.groups_by_size) == 1 else heads


def _about_intervals(findings: Findings, counts: Sequence[Counted]) -> Iterator[Html]:
    """What an interval says, below the tables, and why some were widened."""
    if any(counted.widened for counted in counts):
        yield note(WAS_WIDENED)
    guessed = any(counted.guessed for counted in counts) and bool(findings.manifest.keys)
    kinds = TWO_KINDS if guessed else ALONE
    yield note(f"Intervals are about the noise of this release, and not about sampling. {kinds}")


def _sums(findings: Findings, counted: Counted, most: int) -> Iterator[Html]:
    """The total and every table of sums."""
    exact = not counted.facts.cap
    number, places = ("number", 0) if exact else ("estimate", 1)
    heads = Heads(
        number=number, interval=interval_head(findings.confidence), unit=counted.unit, places=places
    )
    end = share_end(row for rows in counted.sums.values() for row in rows)  # one scale for all
    for names, rows in counted.sums.items():
        caption = f"{counted.words}, {counted.by(names) if names else 'in total'}"
        drawn = replace(heads, end=end) if exact else heads.drawn_for(rows)
        tables = list(_tables(findings, counted, in_groups(rows), names, drawn, caption, most))
        if counted.crossed(names):  # 7a of one school and 7a of another: seldom what is asked
            yield folded(caption, f"({len(in_groups(rows)):,} sums)", *tables)
        else:
            yield from tables


def _groups(findings: Findings, counted: Counted, most: int) -> Iterator[Html]:
    """The table of one count's groups, with a warning above it where most are too noisy."""
    warning = words.too_noisy(findings, counted)
    groups = in_groups(counted.groups)
    if not groups:
        yield element("p", f"There is no table of single groups of {counted.spoken} to quote.")
        return
    heads = Heads(number="number", interval=interval_head(findings.confidence), unit=counted.unit)
    heads = heads.up_to(counted.facts.cap) if counted.facts.cap else heads
    if len(findings.manifest.groups_by_size) > 1:
        heads = replace(heads, end=share_end(counted.groups))
    names = tuple(findings.manifest.keys)
    caption = f"{counted.words}, {counted.by(names)}"
    if warning:
        yield element("p", element("strong", warning))
        shown = groups[: min(most, NOISY_SHOWN)]
        heads = _in_people(findings, heads, shown)
        drawn = _table(
            shown,
            names,
            heads,
            f"{caption}, too noisy to quote",
            wide=_has_columns(shown),
            titled=False,
        )
        many = f"{len(shown):,} groups"
        more = (
            many
            if len(shown) == len(groups)
            else f"the first {len(shown):,} of {len(groups):,} groups"
        )
        yield folded(f"{caption}, too noisy to quote", f"({more})", drawn)
        if len(shown) < len(groups):
            yield note(whole_table(findings, counted))
        return
    tables = list(_tables(findings, counted, groups, names, heads, caption, most))
    if counted is findings.counts[0] or len(tables) > 1:
        yield from tables
    else:  # of several questions, the groups of the first are open
        yield folded(caption, f"({len(groups):,} groups)", *tables)


def _tables(
    findings: Findings,
    counted: Counted,
    groups: list[list[Row]],
    names: Sequence[str],
    heads: Heads,
    caption: str,
    most: int,
) -> Iterator[Html]:
    """A table, or its pieces where it is long."""
    if len(groups) > most:
        cut = f"Below are the first {most:,} of {len(groups):,} groups."
        yield element("p", element("strong", cut), f" {whole_table(findings, counted)}")
        groups = groups[:most]
    heads = _in_people(findings, heads, groups)
    wide = bool(names) and _has_columns(groups)
    lines = 1 if wide else len(groups[0])
    found = pieces(names, groups, lines)
    if len(found) == 1:
        yield _table(groups, names, heads, caption, wide=wide)
        return
    yield element("h4", caption)
    if wide:
        yield note("Below each interval: the number.")
    for place, piece in enumerate(found):
        title = f"{counted.words}, {piece.title}"
        drawn = _table(
            piece.groups, piece.names, heads, f"{title} ({caption})", wide=wide, titled=False
        )
        some = "1 group" if len(piece.groups) == 1 else f"{len(piece.groups):,} groups"
        first = place == 0 and len(piece.groups) * lines <= FEW and counted is findings.counts[0]
        widened = sum(row.widened for rows in piece.groups for row in rows)
        marked = f", {WIDENED} in {widened:,}" if widened else ""
        yield folded(piece.title, f"({some}{marked})", drawn, open_=first)


def _has_columns(groups: list[list[Row]]) -> bool:
    """Whether the answers of many groups have columns, so that a group is one row."""
    answers = [row.answer for row in groups[0]]
    return len(groups) * len(answers) > FEW and fits(answers)


def _table(
    groups: list[list[Row]],
    names: Sequence[str],
    heads: Heads,
    caption: str,
    *,
    wide: bool,
    titled: bool = True,
) -> Html:
    if wide:
        return grid(groups, names, heads, caption=caption, titled=titled)
    return number_table(
        [row for rows in groups for row in rows], names, heads, caption=caption, titled=titled
    )


def whole_table(findings: Findings, counted: Counted) -> str:
    """Where all rows are."""
    folder = findings.folder
    count = f" --count {shlex.quote(counted.name)}" if len(findings.counts) > 1 else ""
    return (
        f"The whole table: discreet report {folder} -o report.xlsx, or discreet estimate "
        f"{folder}{count} --csv FILE."
    )
