"""Numbers with their intervals as the report draws them: a bar, a mark on it, and the interval in
words at its end.

Several answers stand by answer, their groups below each other, so that groups are compared side by
side; of one group alone they stand below its name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from discreet.show.cells import Rows
from discreet.show.colours import GREY, INK, PALE, READ
from discreet.show.pictures.readings.estimate_rows import PEOPLE, Row
from discreet.show.pictures.readings.round_ends import share_end
from discreet.show.pictures.readings.told_apart import named_in
from discreet.show.pictures.svg import across
from discreet.show.pictures.theme import LETTERS, altair, inline, tips

WIDTH, LINE, BOLD, LONGEST = 545, 23, 8.2, 260
"""Pixels: of a panel, from line to line, of a bold letter at least, and of names beside a panel
at most.
"""
_BAR, _MARK, _GAP = 12, 18, 12
"""Pixels of a bar, of its mark, and from the panel to the words at its end."""
_BAND, _TRACK = "#f1f3f5", "#f1f4f7"
"""Of a heading, and of the line that a bar lies on."""
FAINT, _FAINT_LETTERS = ("#d3e3f0", "#8fa6b8"), "#5b6670"
"""Of a bar that the title does not name and of its mark, and of its words."""
_TICKS = 5
"""Marks of a scale that are asked for: a drawing has at most eight then."""
_CUT = "M-0.3,1L0.3,-1"
"""The slash at an end that was cut at 0."""


def interval_bars(
    rows: Sequence[Row],
    answers: Sequence[str],
    aside: int,
    *,
    whole: bool = False,
    end: float | None = None,
    said: str = "",
) -> Any:
    """The panel: names end at its axis, and have at least `aside` pixels.

    `whole` numbers are to be printed: one has no mark where its interval alone is to be quoted. A
    scale without an `end` ends at a round share above the largest interval. Groups and answers that
    the picture's title has `said` are strong and bold, the others faint.
    """
    alt = altair()
    most = max([*(row.most for row in rows), 0.0])
    sizes = {row.n for row in rows}
    (n,) = sizes if len(sizes) == 1 else (None,)
    end = end or (n * share_end(rows) if n and most > 0 else None)
    data, names, headings, bold = _lines(rows, answers, said, whole=whole, sized=n is not None)
    strong = {"test": f"indexof({sorted(bold)}, datum.value) >= 0", "value": 700}
    slashed = any(row["cut"] for row in data)
    wide = aside or round(BOLD * max(map(len, names)))
    axis = alt.Axis(
        labelLimit=LONGEST,
        labelPadding=13 if slashed else 7,
        ticks=False,
        labelExpr=f"{json.dumps(names)}[datum.value]",
        labelFontWeight={"condition": strong, "value": 400},
        **({"minExtent": wide} if headings or aside else {}),
    )
    y = alt.Y("line:O", title=None, scale=alt.Scale(domain=list(range(len(names)))), axis=axis)
    tip = tips(
        label="group",
        **({"series": "answer"} if answers else {}),
        value="number",
        low="from",
        high="to",
    )
    ends = [each for row in rows for each in (row.value, row.low, row.high) if each is not None]
    least = min(0.0, *ends) if ends else 0.0
    domain = [least, end if end and end >= most else max(1.0, most) * 1.05]
    of = f", of {n:,}{' in each' if len(rows) > max(1, len(answers)) else ''}" if n else ""
    x = {
        "title": f"number of people{of}",
        "scale": alt.Scale(domain=domain, nice=end is None),
        "axis": alt.Axis(tickMinStep=1, tickCount=_TICKS, grid=True, domain=False, ticks=False),
    }
    low, high, value = alt.X("low:Q", **x), "high:Q", alt.X("value:Q", **x)
    ink, fill, letters = (alt.Color(f"{hue}:N", scale=None) for hue in ("ink", "fill", "letters"))
    base = alt.Chart(inline(data)).encode(y=y, tooltip=tip)
    bar = {"height": _BAR, "cornerRadius": 2}
    if headings:
        band = alt.Chart(inline([{"line": k, "label": names[k]} for k in headings])).encode(y=y)
        behind = band.mark_rect(color=_BAND, cornerRadius=3)
    else:
        behind = base.mark_bar(color=_TRACK, **bar).encode(
            x=alt.value(0), x2=alt.value(alt.expr("width"))
        )
    known = base.transform_filter("datum.low !== null && datum.high !== null")
    marks = base.mark_tick(thickness=3, size=_MARK, opacity=1).encode(x=value, color=ink)
    words = base.mark_text(align="left", dx=_GAP, fontSize=LETTERS)
    layers = [
        behind,
        known.mark_bar(**bar).encode(x=low, x2=high, color=fill),
        marks.transform_filter("datum.value !== null"),
        words.encode(x=alt.value(alt.expr("width")), text="said:N", color=letters),
    ]
    if slashed:
        slash = base.mark_point(
            shape=_CUT, size=200, strokeWidth=2, opacity=1, filled=False, xOffset=-3
        )
        layers.append(slash.encode(x=low, color=ink).transform_filter("datum.cut"))
    return alt.layer(*layers).properties(width=WIDTH, height=alt.Step(LINE))


def words_wide(rows: Sequence[Row]) -> int:
    """Pixels that the words at the ends of bars take."""
    sized = len({row.n for row in rows}) == 1
    return _GAP + round(
        max((across(_interval(row, sized=sized), LETTERS) for row in rows), default=0)
    )


def cut_at_0(row: Row) -> bool:
    """Whether an interval of an estimate was cut, for no number of people is below 0."""
    return (
        row.low == 0
        and row.high is not None
        and row.error is not None
        and 2 * row.value - row.high < -0.5
    )


def _lines(
    rows: Sequence[Row], answers: Sequence[str], said: str, *, whole: bool, sized: bool
) -> tuple[Rows, list[str], list[int], set[int]]:
    """The data of the lines, all their names, and which of them are headings and which bold."""
    named, answered = named_in(said, [row.label for row in rows]), named_in(said, answers)
    by_answer = bool(answers) and len({row.keys for row in rows}) > 1
    data: Rows = []
    names: list[str] = []
    headings, bold = list[int](), set[int]()
    above = None
    for row in _ordered(rows, answers) if by_answer else rows:
        heading = row.answer if by_answer else _sized(row)
        if answers and heading != above:
            headings.append(len(names))
            names.append(heading)
            if (row.answer in answered if by_answer else row.label in named) or not (
                named or answered
            ):
                bold.add(headings[-1])
        above = heading
        chosen = (not named or row.label in named) and (not answered or row.answer in answered)
        if chosen and (named or answered):
            bold.add(len(names))
        strong = GREY if row.answer == PEOPLE else READ
        data.append(
            {
                "line": len(names),
                "label": row.label,
                "series": row.answer,
                "low": row.low,
                "high": row.high,
                "value": None if whole and row.doubted else row.value,
                "ink": strong if chosen else FAINT[1],
                "fill": PALE if chosen else FAINT[0],
                "letters": INK if chosen else _FAINT_LETTERS,
                "cut": not whole and cut_at_0(row),
                "said": _interval(row, sized=sized),
                "brief": _interval(row, sized=True),
            }
        )
        names.append(row.label if by_answer or not answers else row.answer)
    return data, names, headings, bold


def _ordered(rows: Sequence[Row], answers: Sequence[str]) -> Iterator[Row]:
    """The rows of one answer after those of the other."""
    for answer in answers:
        yield from (row for row in rows if row.answer == answer)


def _sized(row: Row) -> str:
    return row.label if row.n is None else f"{row.label} (n = {row.n:,})"


def _interval(row: Row, *, sized: bool) -> str:
    """An interval in words; of how many people, unless the axis is `sized` and says so."""
    if row.low is None or row.high is None:
        return ""
    of = "" if sized or row.n is None else f" of {row.n:,}"
    low, high = (f"{max(0, round(each)):,}" for each in (row.low, row.high))
    return f"{low}{of}" if low == high else f"{low} to {high}{of}"
