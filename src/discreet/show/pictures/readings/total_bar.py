"""The total of everybody as one bar: its interval and the estimate, on a line from nobody to
everybody.
"""

from __future__ import annotations

from typing import Any

from discreet.show.captions import percent
from discreet.show.colours import PALE, READ
from discreet.show.pictures.readings.estimate_rows import total_rows
from discreet.show.pictures.theme import LETTERS, altair, inline, tips

_HIGH, _BAR, _TRACK = 44, 20, "#eef1f4"
"""Pixels of the panel and of its bar; and the colour of the line that it lies on."""
_CLOSE = 0.12
"""How near to an end of the line an interval leaves no room for a number, as a share of it."""


def total_bar(found: Any, aside: int, width: int) -> Any:
    """The chart, its name as wide as `aside`; None where sizes are private, or nothing is known
    of the interval.
    """
    (row,) = total_rows(found)
    if not row.n or row.low is None or row.high is None:
        return None
    alt = altair()
    low, high, value = (min(max(end, 0.0), float(row.n)) for end in (row.low, row.high, row.value))
    one = {"label": "all", "low": low, "high": high, "value": value, "none": 0, "everybody": row.n}
    marks = [0, row.n / 2, row.n] if row.n % 2 == 0 else [0, row.n]
    axis = alt.Axis(values=marks, format=",d", ticks=False, domain=False, labelBound=False)
    across = {"title": None, "axis": axis, "scale": alt.Scale(domain=[0, row.n], nice=False)}
    beside = alt.Axis(
        labelFontWeight=600, ticks=False, domain=False, labelPadding=7, minExtent=aside
    )
    base = alt.Chart(inline([one])).encode(
        y=alt.Y("label:N", title=None, axis=beside),
        tooltip=tips(value="estimate", low="from", high="to"),
    )
    bar = {"height": _BAR, "cornerRadius": 3}
    layers = [
        base.mark_bar(color=_TRACK, **bar).encode(x=alt.X("none:Q", **across), x2="everybody:Q"),
        base.mark_bar(color=PALE, **bar).encode(x=alt.X("low:Q", **across), x2="high:Q"),
        base.mark_tick(color=READ, opacity=1, thickness=4, size=_BAR + 10).encode(
            x=alt.X("value:Q", **across)
        ),
    ]
    for end, side, aside_of, room in (("low", "right", -8, low), ("high", "left", 8, row.n - high)):
        if room >= _CLOSE * row.n:
            words = base.mark_text(
                align=side, dx=aside_of, fontSize=LETTERS, fontWeight=600, color=READ
            )
            layers.append(
                words.encode(
                    x=alt.X(f"{end}:Q", **across), text=alt.Text(f"{end}:Q", format=",.0f")
                )
            )
    return alt.layer(*layers).properties(width=width, height=_HIGH)


def in_all(found: Any) -> str:
    """Where the total of everybody lies, below a title that says what it is."""
    (row,) = total_rows(found)
    low, high = (f"{max(0, round(end or 0.0)):,}" for end in (row.low, row.high))
    return f"{percent(found.confidence)} interval of the total: {low} to {high}"
