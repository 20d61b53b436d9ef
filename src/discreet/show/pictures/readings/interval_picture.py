"""Confidence intervals of published numbers, as bars: how long they are, where they lie, and why one may seem odd."""

from __future__ import annotations

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
_PALE = 0.3
"""How opaque an interval is that is not highlighted, where others are."""


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
    things: Any, *, confidence: Exact = "0.95", highlight: Sequence[int] = (), title: str | None = None
) -> Any:
    """Draw the exact confidence interval of every published number: how wide, and where.

    With `highlight` the intervals of these numbers are in full colour, and those of all others are pale.
    """
    alt = altair()
    mechanisms = labelled(things)
    n = max(m.n for m in mechanisms.values())
    shown = set(range(n + 1)) if isinstance(highlight, str) else set(highlight) or set(range(n + 1))
    if isinstance(highlight, str) or not shown <= set(range(n + 1)):
        raise InvalidInput("highlight", f"must be published numbers, from 0 to {n}", highlight)
    rows = [{**row, "strong": row["output"] in shown} for row in interval_rows(mechanisms, confidence)]
    width = max(_WIDTH, min(900, (n + 1) * (16 if n <= 12 else max(3, 200 // (n + 1))) * len(mechanisms)))
    placed = _names_in_place(rows, n, width)
    legend = len(mechanisms) > 1 and not placed
    look = series(list(mechanisms), points=n <= 30, of=which_named(mechanisms), legend=legend)
    x = alt.X("output:O", title="published number", axis=whole_ticks(n, ordinal=True))
    shift = alt.XOffset("series:N", scale=alt.Scale(domain=list(mechanisms), paddingOuter=0.3))
    level = read_confidence(confidence)
    inside = {"scale": alt.Scale(domain=[0, max(n, 1)], nice=False), "axis": whole_ticks(n)}
    y = alt.Y("low:Q", title=f"true count, {percent(level)} interval", **inside)
    tip = tips(series="mechanism", output="published number", low="from", high="to")
    base = alt.Chart(inline(rows)).encode(x=x, xOffset=shift, color=look["color"], tooltip=tip)
    pale = {"opacity": alt.condition("datum.strong", alt.value(1), alt.value(_PALE))}
    layers = [base.mark_rule(strokeWidth=3.5 if n <= 20 else 1.5).encode(y=y, y2="high:Q", **pale)]
    # round whatever the series: a triangle at an end would be an arrow; colour and place tell series apart
    dot = {"filled": True, "size": 60, "opacity": 1, "shape": "circle"}
    if n <= 30:
        layers += [base.mark_point(**dot).encode(y=end, **pale) for end in (y, alt.Y("high:Q"))]
    if placed:
        inks = dict(zip(mechanisms, look["color"].to_dict()["scale"]["range"], strict=True))
        placed = [{**row, "ink": legible(inks[row["series"]])} for row in placed]
        named = alt.Chart(inline(placed)).encode(x=x, y=alt.Y("level:Q", **inside))
        layers.append(named.mark_point(**dot).encode(color=look["color"]))
        words = named.mark_text(align="left", dx=9, fontWeight=600, fontSize=LETTERS)
        layers.append(words.encode(text="text:N", color=alt.Color("ink:N", scale=None)))
    first = next(iter(mechanisms.values()))
    lengths = {name: _mean_width(m, level) for name, m in mechanisms.items()}
    means = ", ".join(f"{uncoded(spoken_name(name))} {length:.2f}" for name, length in lengths.items())
    where = f"{setting(first)}; " if one_setting(mechanisms) else ""
    one = "true counts equally likely"  # what the average in the title is over
    told = f"{where}{percent(level)} confidence; {f'average length: {means}' if len(lengths) > 1 else one}"
    said = next((words for m in mechanisms.values() if (words := why_longer(m, level))), "")
    chart = alt.layer(*layers)
    chart = page_wide(chart, _HEIGHT) if width <= _WIDEST else chart.properties(width=width, height=_HEIGHT)
    default = of_intervals(mechanisms, lengths, "Which true counts fit a published number")
    return finished(chart, title or default, "\n".join(filter(None, (told, said))))


def _names_in_place(rows: Rows, n: int, width: int) -> Rows:
    """The names of two series in the corner below the intervals of the largest numbers; none without room there."""
    names = list(dict.fromkeys(row["series"] for row in rows))
    said = [spoken_name(name) for name in names]
    reach = ceil((14 + max(across(words, LETTERS, bold=True) for words in said)) * (n + 1) / max(width, _WIDEST))
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

    An interval holds the true counts for which its number is not too rare. Ends that follow the order of the numbers
    are to be had (`reading.group` takes them for very large groups), but their intervals are longer on average.

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
