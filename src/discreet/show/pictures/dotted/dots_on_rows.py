"""Dots on rows: a row for each name, a pale line between its dots, and words beside or below
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discreet.show.cells import Rows
from discreet.show.pictures.theme import LETTERS, altair, inline

LINK = "#cfd6dc"
"""Of the line between two dots: it leads the eye, and is no mark of its own."""
ROW_AXIS = {"ticks": False, "domain": False, "grid": True, "gridColor": "#eceff2"}
"""Of the names of rows: a thin line leads from each to its dots."""
_SIZE, _ASIDE, _UNDER = 150, 12, 20
"""Of a dot, in square pixels; and pixels from its middle to words beside it and below it."""
LEFT, RIGHT, INWARD, OUTWARD = "left", "right", "inward", "outward"
"""Where words stand: left or right of a dot; below it, and on from there to the right, or to the
left.
"""
_SET = {
    LEFT: {"align": "right", "dx": -_ASIDE},
    RIGHT: {"align": "left", "dx": _ASIDE},
    INWARD: {"align": "left", "dx": -_ASIDE / 2, "dy": _UNDER},
    OUTWARD: {"align": "right", "dx": _ASIDE / 2, "dy": _UNDER},
}


def dots_on_rows(dots: Rows, names: Sequence[str], x: Any, y: Any, tip: list[Any]) -> list[Any]:
    """The layers of a chart: each of `dots` has a `label`, one of the `names`, a `place`, an `ink`
    and perhaps `words`.

    One that is `hollow` is a ring. Words stand on the `side` of their dot, `bold` ones in its
    colour, darkened to be read (`said_in`).
    """
    alt = altair()
    links = []
    for name in names:
        places = [dot["place"] for dot in dots if dot["label"] == name]
        if len(places) > 1 and min(places) < max(places):
            links.append({"label": name, "place": min(places), "to": max(places)})
    layers = (
        [alt.Chart(inline(links)).mark_rule(color=LINK, strokeWidth=5).encode(x=x, x2="to", y=y)]
        if links
        else []
    )
    for hollow in (False, True):
        some = [dot for dot in dots if bool(dot.get("hollow")) == hollow]
        look = {"fill": "#ffffff", "strokeWidth": 3} if hollow else {"filled": True}
        ink = {
            "stroke" if hollow else "color": (alt.Stroke if hollow else alt.Color)(
                "ink:N", scale=None
            )
        }
        if some:
            base = alt.Chart(inline(some)).mark_point(shape="circle", size=_SIZE, opacity=1, **look)
            layers.append(base.encode(x=x, y=y, tooltip=tip, **ink))
    for side, bold in ((side, bold) for side in _SET for bold in (False, True)):
        some = [
            dot
            for dot in dots
            if dot.get("words") and dot["side"] == side and bool(dot.get("bold")) == bold
        ]
        if some:
            base = alt.Chart(inline(some)).mark_text(
                baseline="middle", fontSize=LETTERS, fontWeight=600 if bold else 400, **_SET[side]
            )
            ink = alt.Color("said_in:N", scale=None) if bold else alt.value("#222222")
            layers.append(base.encode(x=x, y=y, text="words:N", color=ink, tooltip=tip))
    return layers
