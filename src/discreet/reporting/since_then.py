"""What changed since an earlier release, on the page: in all, and by every key that makes sums.

A change has the noise of both releases, so a single small group hardly ever shows one: those are in
the spreadsheet.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from discreet.reading.parts.change_table import Change
from discreet.reading.quoting.change_text import in_total, verdict
from discreet.reading.quoting.interval_kinds import from_to, interval_head
from discreet.reporting.drawn_tables import bar, note, number, table
from discreet.show.html import Html, element
from discreet.show.pictures.readings.round_ends import round_end

if TYPE_CHECKING:
    from discreet.reading.parts.answer_change import AnswerChange
    from discreet.reading.totals import Quantity
    from discreet.reporting.report_findings import Counted, Findings
    from discreet.tables.published.result import Release

_MOST = 100
"""Rows of a table on the page."""


def changed_title(findings: Findings) -> str:
    """What was compared, by the names of the folders: those say which months they are of, and a
    run's date does not.
    """
    named = [_named(release) for release in (findings.earlier, findings.release)]
    return (
        f"What changed from {named[0]} to {named[1]}"
        if all(named) and named[0] != named[1]
        else "What changed"
    )


def _named(release: Release | None) -> str:
    return "" if release is None or release.path is None else release.path.name


def _told(release: Release) -> str:
    facts, name = release.manifest, _named(release)
    return f"{f'{name}, ' if name else ''}release {facts.release[:8]}, made on {facts.created[:10]}"


def since_then(findings: Findings) -> Iterator[Html]:
    """The tables of every count, and how to read them."""
    if findings.earlier is not None:
        yield element("p", f"Earlier: {_told(findings.earlier)}. Later: {_told(findings.release)}.")
    for counted in findings.counts:
        yield from _changes(counted, interval_head(findings.confidence))
    yield note(
        "Right of the line at 0 there are more now. The shaded bar is the interval, with the "
        "noise of both releases; one that excludes 0 shows a change. A key that only one of the "
        "releases has counts as nobody in the other. Changes of single groups are in the "
        "spreadsheet."
    )


def _changes(counted: Counted, kind: str) -> Iterator[Html]:
    """The tables of one count; `kind` is what their intervals are called."""
    whole = counted.change(())
    if whole is None:
        yield element(
            "p",
            f"What changed of {counted.spoken} cannot be estimated, as one of the releases has no "
            "totals.",
        )
        return
    totals = totals_of(whole)
    rows = [([name or "all groups"], q.value, q.low, q.high) for name, q in totals.items()]
    found = {
        names: part
        for names in counted.parts
        if (part := counted.change(names)) and len(part) <= _MOST
    }
    bodies = {names: _rows(part) for names, part in found.items()}
    ends = [
        abs(end)
        for body in (rows, *bodies.values())
        for *_, low, high in body
        for end in (low, high)
    ]
    most = round_end(
        max(1.0, *ends)
    )  # one scale for all tables: bars below each other can be compared
    yield _drawn(["what"], kind, rows, f"{counted.words}, change in total", most)
    if said := in_total(totals):
        yield element("p", said)
    for names, part in found.items():
        yield _drawn(
            [*part.keys], kind, bodies[names], f"{counted.words}, change {counted.by(names)}", most
        )
        yield element("p", verdict(part, totals))


_Rows = list[tuple[list[str], Any, Any, Any]]
"""Of each row its keys, the change, and the ends of its interval."""


def _rows(part: Change | AnswerChange) -> _Rows:
    columns = [part[name].tolist() for name in (*part.keys, "change", "low", "high")]
    return [
        (["(none)" if key is None else str(key) for key in row[:-3]], *row[-3:])
        for row in zip(*columns, strict=True)
    ]


def totals_of(found: Change | AnswerChange) -> dict[str, Quantity]:
    """The changes of all groups together, under the names of the answers if there are any."""
    return {"": found.total} if isinstance(found, Change) else dict(found.totals)


def _drawn(keys: list[str], kind: str, rows: _Rows, caption: str, most: float) -> Html:
    """A table whose bars are on a scale from `-most` to `most`."""
    head = [*keys, kind, "change", f"-{number(most)} to 0 to +{number(most)}"]
    body = [
        [
            *named,
            from_to(_signed(low), _signed(high)),
            _signed(min(max(value, low), high), 1),
            bar(low, high, min(max(value, low), high), most, -most),
        ]
        for named, value, low, high in rows
    ]
    numbers = range(len(keys), len(head) - 1)
    return table(head, body, caption=caption, numbers=numbers, drawn=True, strong=numbers[0])


def _signed(value: float, places: int = 0) -> str:
    text = number(value, places)
    return text if text.startswith("-") or not text.strip("0.,") else f"+{text}"
