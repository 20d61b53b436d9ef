"""Confidence intervals of published numbers, as bars: how long they are, where they lie, and why
one may seem odd.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

from discreet.core.rationals import Exact
from discreet.errors import InvalidInput
from discreet.reading.group import intervals as intervals_of
from discreet.reading.group import read_confidence
from discreet.show.captions import labelled, percent, setting, spoken_name, uncoded
from discreet.show.cells import Rows
from discreet.show.colours import legible
from discreet.show.pictures.curves import one_setting, series, which_named, whole_ticks
from discreet.show.pictures.headlines import listed, of_intervals
from discreet.show.pictures.svg import across
from discreet.show.pictures.theme import LETTERS, altair, finished, inline, page_wide, tips

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

_WIDTH, _HEIGHT, _WIDEST = 444, 290, 580
_LINE, _BESIDE = 25, 0.2
"""Pixels from one row to the next, and room for the words beside an interval, as a share of the
scale.
"""


def interval_rows(things: Any, confidence: Exact = "0.95") -> Rows:
    """The confidence interval of every published number of every mechanism."""
    level = read_confidence(confidence)
    rows: Rows = []
    for name, m in labelled(things).items():
        table = intervals_of(m, level)
        rows += [
            {"series": name, "output": i, "low": low, "high": high, "width": high - low}
            for i, (low, high) in enumerate(zip(table.low, table.high, strict=True))
        ]
    return rows


def intervals(
    things: Any,
    *,
    confidence: Exact = "0.95",
    numbers: Sequence[int] = (),
    title: str | None = None,
) -> Any:
    """Draw the exact confidence interval of every published number: how wide, and where.

    With `numbers` only the intervals of these published numbers are drawn, each in a row with its
    ends in words.
    """
    alt = altair()
    mechanisms = labelled(things)
    n = max(m.n for m in mechanisms.values())
    if isinstance(numbers, str) or not set(numbers) <= set(range(n + 1)):
        raise InvalidInput("numbers", f"must be published numbers, from 0 to {n}", numbers)
    rows = interval_rows(mechanisms, confidence)
    level = read_confidence(confidence)
    lengths = {name: _mean_width(m, level) for name, m in mechanisms.items()}
    default = of_intervals(mechanisms, lengths, "Which true counts fit a published number")
    first = next(iter(mechanisms.values()))
    where = f"{setting(first)}; " if one_setting(mechanisms) else ""
    if numbers:
        chosen = [
            row for number in dict.fromkeys(numbers) for row in rows if row["output"] == number
        ]
        told = f"{where}lines: true counts in the {percent(level)} interval"
        return finished(_in_rows(chosen, mechanisms, n), title or default, told)
    width = max(
        _WIDTH, min(900, (n + 1) * (16 if n <= 12 else max(3, 200 // (n + 1))) * len(mechanisms))
    )
    placed = _names_in_place(rows, n, width)
    legend = len(mechanisms) > 1 and not placed
    look = series(list(mechanisms), points=n <= 30, of=which_named(mechanisms), legend=legend)
    x = alt.X("output:O", title="published number", axis=whole_ticks(n, ordinal=True))
    shift = alt.XOffset("series:N", scale=alt.Scale(domain=list(mechanisms), paddingOuter=0.3))
    inside = {"scale": alt.Scale(domain=[0, max(n, 1)], nice=False), "axis": whole_ticks(n)}
    y = alt.Y("low:Q", title=f"true count, {percent(level)} interval", **inside)
    tip = tips(series="mechanism", output="published number", low="from", high="to")
    base = alt.Chart(inline(rows)).encode(x=x, xOffset=shift, color=look["color"], tooltip=tip)
    layers = [base.mark_rule(strokeWidth=3.5 if n <= 20 else 1.5).encode(y=y, y2="high:Q")]
    # round whatever the series: a triangle at an end would be an arrow; colour and place tell
    # series apart
    dot = {"filled": True, "size": 60, "opacity": 1, "shape": "circle"}
    if n <= 30:
        layers += [base.mark_point(**dot).encode(y=end) for end in (y, alt.Y("high:Q"))]
    if placed:
        inks = dict(zip(mechanisms, look["color"].to_dict()["scale"]["range"], strict=True))
        placed = [{**row, "ink": legible(inks[row["series"]])} for row in placed]
        named = alt.Chart(inline(placed)).encode(x=x, y=alt.Y("level:Q", **inside))
        layers.append(named.mark_point(**dot).encode(color=look["color"]))
        words = named.mark_text(align="left", dx=9, fontWeight=600, fontSize=LETTERS)
        layers.append(words.encode(text="text:N", color=alt.Color("ink:N", scale=None)))
    means = ", ".join(
        f"{uncoded(spoken_name(name))} {length:.2f}" for name, length in lengths.items()
    )
    one = "true counts equally likely"  # what the average in the title is over
    told = (
        f"{where}{percent(level)} confidence; "
        f"{f'average length: {means}' if len(lengths) > 1 else one}"
    )
    said = next((words for m in mechanisms.values() if (words := why_longer(m, level))), "")
    chart = alt.layer(*layers)
    chart = (
        page_wide(chart, _HEIGHT)
        if width <= _WIDEST
        else chart.properties(width=width, height=_HEIGHT)
    )
    return finished(chart, title or default, "\n".join(filter(None, (told, said))))


def _in_rows(rows: Rows, mechanisms: dict[str, Mechanism], n: int) -> Any:
    """The intervals of a few published numbers: a row each below the name of the number, and its
    ends beside it.
    """
    alt = altair()
    names: list[str] = []
    headings: list[int] = []
    data: Rows = []
    for before, row in zip([None, *rows], rows, strict=False):
        if before is None or before["output"] != row["output"]:
            headings.append(len(names))
            names.append(f"published {row['output']}")
        data.append({**row, "line": len(names), "text": f"{row['low']} to {row['high']}"})
        names.append(spoken_name(row["series"]).replace("\n", " "))
    bold = {"test": f"indexof({headings}, datum.value) >= 0", "value": 700}
    axis = alt.Axis(
        labelExpr=f"{json.dumps(names)}[datum.value]",
        labelLimit=220,
        labelPadding=7,
        ticks=False,
        labelFontWeight={"condition": bold, "value": 400},
    )
    y = alt.Y("line:O", title=None, scale=alt.Scale(domain=list(range(len(names)))), axis=axis)
    inside = alt.Scale(domain=[0, max(n, 1) * (1 + _BESIDE)], nice=False)
    across = {
        "title": "true count",
        "scale": inside,
        "axis": whole_ticks(n, domain=False, ticks=False),
    }
    tip = tips(series="mechanism", output="published number", low="from", high="to")
    colour = series(list(mechanisms), of=which_named(mechanisms), legend=False)["color"]
    bands = (
        alt.Chart(inline([{"line": k} for k in headings]))
        .mark_rect(color="#f1f3f5", cornerRadius=3)
        .encode(y=y)
    )
    base = alt.Chart(inline(data)).encode(y=y, color=colour, tooltip=tip)
    low, high = alt.X("low:Q", **across), alt.X("high:Q", **across)
    spans = base.mark_rule(strokeWidth=5, strokeOpacity=0.55).encode(x=low, x2="high:Q")
    dots = [
        base.mark_point(filled=True, size=80, opacity=1, shape="circle").encode(x=end)
        for end in (low, high)
    ]
    words = alt.Chart(inline(data)).mark_text(
        align="left", dx=10, fontSize=LETTERS, color="#222222"
    )
    return page_wide(
        alt.layer(bands, spans, *dots, words.encode(x=high, y=y, text="text:N")), alt.Step(_LINE)
    )


def _names_in_place(rows: Rows, n: int, width: int) -> Rows:
    """The names of two series in the corner below the intervals of the largest numbers; none
    without room there.
    """
    names = list(dict.fromkeys(row["series"] for row in rows))
    said = [spoken_name(name) for name in names]
    reach = ceil(
        (14 + max(across(words, LETTERS, bold=True) for words in said))
        * (n + 1)
        / max(width, _WIDEST)
    )
    near = [row["low"] for row in rows if row["output"] >= n - reach]
    if len(names) != 2 or n < 4 or reach > n or min(near) < _FREE * n:
        return []
    return [
        {"series": name, "output": n - reach, "level": level * n, "text": words}
        for name, words, level in zip(names, said, _LEVELS, strict=True)
    ]


_LEVELS, _FREE = (0.18, 0.09), 0.25
"""Where names stand, and down to where intervals may reach above them, as shares of the height."""


def why_longer(m: Mechanism, level: Fraction) -> str:
    """Say why 0 leaves larger true counts open than 1 does, where that is so; "" elsewhere.

    An interval holds the true counts for which its number is not too rare. Ends that follow the
    order of the numbers are to be had (`reading.group` takes them for very large groups), but their
    intervals are longer on average.

    >>> from discreet.core.named import geometric
    >>> why_longer(geometric(n=8, epsilon="1/2"), Fraction(95, 100))
    'Published 0 leaves more open than 1: true counts 5 and 6 publish 0 more often than 1.'
    """
    if m.n < 2:
        return ""
    table = intervals_of(m, level)
    farther = list(range(table.high[1] + 1, table.high[0] + 1))
    if not farther or any(m[0, j] <= m[1, j] for j in farther):
        return ""
    told = listed(farther) if len(farther) < 3 else f"{farther[0]} to {farther[-1]}"
    many = "true counts" if len(farther) > 1 else "true count"
    verb = "publish" if len(farther) > 1 else "publishes"
    return f"Published 0 leaves more open than 1: {many} {told} {verb} 0 more often than 1."


def _mean_width(m: Mechanism, level: Fraction) -> float:
    """The mean of high - low when true counts are equally likely."""
    table = intervals_of(m, level)
    chance = m.array.mean(axis=1)
    return float(sum(p * (table.high[i] - table.low[i]) for i, p in enumerate(chance)))
