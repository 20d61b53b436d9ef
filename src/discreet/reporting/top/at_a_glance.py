"""The picture at the head of a report: the release on one scale, from nobody to a round share of
everybody.

Of a count of yes or no it has the total, and below it some sums or single groups (`top_rows`), each
with its name. All others are in the tables. Of a question with several answers it has the total of
each. Its rules are those of the tables: a number that is not to be quoted has no mark, an interval
that says next to nothing is pale. What is marked is explained in one line below. A total that would
stand alone has below it how the groups differ, where that is clear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.reading.quoting.interval_kinds import WAS_WIDENED, interval_head
from discreet.reporting import plain_words as words
from discreet.reporting.drawn_tables import key_text, number, scale_text, share_text, span
from discreet.reporting.folded_tables import SHOWN
from discreet.reporting.top.spread import spread, spread_is_drawn
from discreet.reporting.top.top_rows import ANSWERS, keys_drawn
from discreet.show.captions import counting_words
from discreet.show.html import Html, element
from discreet.show.pictures.readings.estimate_rows import PEOPLE, Row
from discreet.show.pictures.readings.round_ends import share_end

if TYPE_CHECKING:
    from discreet.reporting.report_findings import Counted, Findings

_ROW, _HALF = 30, 6
"""Pixels of a line, and half of how high its bar is."""
_ROW_OF_ALL, _HALF_OF_ALL = 60, 14
"""The same of the total, which is the picture's first and largest."""
_SHORT = 20
"""Letters of the names of lines that stand in a narrow column."""
_GRID = (0, 25, 50, 75, 100)


def at_a_glance(findings: Findings, shown: int = SHOWN) -> Iterator[Html]:
    """A picture of each count, and what is drawn how; a count of which nothing can be estimated
    has a sentence.
    """
    lines = {
        counted.name: _lines(findings, counted)
        for counted in findings.counts
        if not counted.unreadable
    }
    drawn = [line for some in lines.values() for line in some]
    share = share_end(line.row for line in drawn)  # one scale for all pictures
    for counted in findings.counts:
        if counted.unreadable:
            yield element("p", counted.unreadable)
        else:
            yield _picture(findings, counted, lines[counted.name], share)
    if drawn:
        yield element("p", *_explained(findings, drawn, share, shown), class_="note")
    for counted in findings.counts:
        if spread_is_drawn(findings, counted):
            yield from spread(findings, counted)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A row of the picture: of the total, of a sum, or of a `single` group, which may be too
    noisy to quote.
    """

    row: Row
    all_: bool = False
    single: bool = False
    noisy: bool = False

    @property
    def marked(self) -> bool:
        return not (self.noisy or self.row.doubted)

    @property
    def pale(self) -> bool:
        return self.noisy or self.row.says_little


def finding(counted: Counted, level: Fraction) -> str:
    """The main result in one sentence, as the picture's title; of several answers, the one that
    leads, if one does.

    The interval alone: the number stands beside it. A line that is copied by itself must not sound
    certain.
    """
    row, *others = counted.sums[()]
    likely = "Probably" if level > 1 / 2 else "Perhaps"
    if others:
        if leads := _leading([row, *others]):
            of = f" of {leads.n:,} {counted.unit}" if leads.n else f" {counted.unit}"
            between = f"between {number(leads.low)} and {number(leads.high)}{of}"
            return (
                f"{likely} more “{leads.answer}” than any other answer to “{counted.name}”: "
                f"{between}"
            )
        return f"Answers to \u201c{counted.name}\u201d" + (
            f", of {row.n:,} {counted.unit}" if row.n else ""
        )
    facts = counted.facts
    doing = counting_words(facts.name, facts.definition, people=counted.unit == "people")
    share = (f" of {row.n:,} {counted.unit}" if row.n is not None else "") + f" {doing}"
    if words.says_nothing(row):
        return f"How many{share}, this release does not tell: every number is possible"
    low, high = number(row.low), number(row.high)
    return f"{likely} {low}{share}" if low == high else f"{likely} between {low} and {high}{share}"


def _leading(rows: Sequence[Row]) -> Row | None:
    """The answer whose interval lies above those of all others, where one does."""
    first, *others = sorted(
        (row for row in rows if row.answer != PEOPLE), key=lambda row: -row.value
    )
    clear = all((first.low or 0.0) > (row.high or 0.0) for row in others)
    return first if others and clear else None


def _lines(findings: Findings, counted: Counted) -> list[_Line]:
    """The rows that are drawn."""
    lines = [_Line(row=row, all_=not row.answer) for row in counted.sums[()][:ANSWERS]]
    if not (names := keys_drawn(findings, counted)):
        return lines
    if names in counted.sums:
        return lines + [_Line(row=row) for row in counted.sums[names]]
    noisy = bool(words.too_noisy(findings, counted))
    return lines + [_Line(row=row, single=True, noisy=noisy) for row in counted.groups if row.n]


def _picture(findings: Findings, counted: Counted, lines: Sequence[_Line], share: float) -> Html:
    end = None
    if counted.facts.cap:  # sizes are private: everybody is the most that could be counted
        end = float(counted.facts.cap * findings.manifest.groups)
    left_out = len(counted.sums[()]) - ANSWERS
    long = max(len(_name(line)) for line in lines) > _SHORT
    return element(
        "figure",
        element(
            "figcaption",
            element("strong", finding(counted, findings.confidence)),
            element("span", _below(findings, counted, left_out)),
        ),
        element(
            "div",
            *(_drawn(line, end, share) for line in lines),
            _axis(end, share, counted.unit),
            class_="lines long" if long else "lines",
        ),
        class_="glance",
    )


def _below(findings: Findings, counted: Counted, left_out: int) -> str:
    """The line below the title: how sure that is, and the number that may stand beside the
    interval.
    """
    (row, *others), level = counted.sums[()], interval_head(findings.confidence)
    if others:
        more = f"; {left_out} more answers below" if left_out > 0 else ""
        return f"How many gave each answer, with its {level}{more}"
    if words.says_nothing(row) or row.doubted:
        return level
    return f"{level}; as one number, about {number(words.possible(row))}"


def _x(value: float | None, end: float) -> float:
    return 100 * min(max((value or 0.0) / end, 0.0), 1.0)


def _drawn(line: _Line, end: float | None, share: float) -> Html:
    """A line: its name, its bar, and its interval in words, with the number that may stand after
    it.
    """
    row = line.row
    about = f", about {number(words.possible(row))}" if line.marked and row.low != row.high else ""
    of = [element("span", f" of {row.n:,}", class_="quiet")] if row.n is not None else []
    said = element(
        "span", element("b", span(row)), *of, element("span", about, class_="quiet"), class_="said"
    )
    drawn = _bar(line, end or share * (row.n or 1))
    look = "line all" if line.all_ else "line"
    return element("div", element("span", _name(line), class_="name"), drawn, said, class_=look)


def _name(line: _Line) -> str:
    return line.row.answer or ", ".join(map(key_text, line.row.keys)) or "all groups"


def _bar(line: _Line, end: float) -> Html:
    """A bar with its mark on a track from 0 to an end, as wide as there is room."""
    row, half, high = (
        line.row,
        _HALF_OF_ALL if line.all_ else _HALF,
        _ROW_OF_ALL if line.all_ else _ROW,
    )
    left, right = _x(row.low, end), _x(row.high, end)
    wide = max(right - left, 0.4)  # an interval of one number is seen too, around its mark
    left = min(max((left + right - wide) / 2, 0.0), 100 - wide)
    look, top = "span pale" if line.pale else "span", high / 2 - half
    parts = [
        f'<path class="track" d="M0 {top:g}h100v{2 * half}h-100z"/>',
        f'<path class="grid" d="{"".join(f"M{x} 0v{high}" for x in _GRID)}"/>',
        f'<path class="{look}" d="M{left:.2f} {top:g}h{wide:.2f}v{2 * half}h-{wide:.2f}z"/>',
    ]
    if line.marked:  # it stands out over its bar
        parts.append(
            f'<path class="tick" d="M{_x(row.value, end):.2f} {top - 4:g}v{2 * half + 8}"/>'
        )
    return element(
        "svg",
        Html("".join(parts)),
        viewBox=f"0 0 100 {high}",
        height=str(high),
        preserveAspectRatio="none",
        focusable="false",
        aria_hidden="true",
    )


def _axis(end: float | None, share: float, unit: str) -> Html:
    """The ends of the scale and its middle."""
    last = "100% (everybody)" if share == 1 else f"{share_text(share)} of the {unit}"
    ends = ["0% (nobody)", share_text(share / 2), last]
    if end is not None:
        ends = scale_text(end, lambda each: f"{each:,.10g}", whole=True).split(" to ")
    return element(
        "div",
        element("span", *(element("span", each) for each in ends), class_="axis"),
        class_="line ends",
    )


def _explained(
    findings: Findings, lines: Sequence[_Line], share: float, shown: int
) -> Iterator[str | Html]:
    """What is drawn how, as far as it is there, and where the single groups are."""
    if any(line.marked for line in lines):
        each = "Each bar is an" if len(lines) > 1 else "The bar is the"
        yield f"{each} interval; the mark is the number to quote after it."
        if not all(line.marked for line in lines):
            yield " A bar without a mark has no number to quote."
    else:
        yield "Each bar is an interval."
    if any(line.pale for line in lines):
        yield " A pale bar says next to nothing."
    if share < 1:
        yield f" The scale ends at {share_text(share)}."
    if any(line.row.widened for line in lines):
        yield f" {WAS_WIDENED}"
    most = max((len(counted.groups) for counted in findings.counts), default=0)
    if most > 1 and not any(line.single for line in lines):
        yield " "
        yield element("a", _where(findings, most, shown), href="#the-numbers-to-quote")


def _where(findings: Findings, most: int, shown: int) -> str:
    """Which groups are in the tables: all of them, unless there are too many or they are too
    noisy.
    """
    noisy = any(words.too_noisy(findings, counted) for counted in findings.counts)
    if noisy or most > shown:
        return "The tables below have more."
    keys = findings.manifest.keys
    nested = not findings.counts[0].crossed(keys[-1:])
    each = words.level_words(keys[-1:] if nested else keys)
    return f"{each.capitalize()} is in the tables below."
