"""Several ways to release one true histogram, by how often each answer is right: a row for each
answer.
"""

from __future__ import annotations

from typing import Any

from discreet.show.captions import way_words
from discreet.show.cells import Rows
from discreet.show.colours import legible, looks
from discreet.show.pictures.dotted.dots_on_rows import LEFT, RIGHT, ROW_AXIS, dots_on_rows
from discreet.show.pictures.theme import LETTERS, altair, inline, page_wide, tips

_ROW, _FIRST, _ABOVE, _ROOM = 38, 20, 21, 1.38
"""Pixels of a row, of all besides, and from a dot up to its name; and where the scale ends, past
the largest chance.
"""


def right_answers(chances: dict[str, Rows], order: list[str]) -> Any:
    """Draw how often each answer's true number is published, by each way; the first row has the
    names of the ways.
    """
    alt = altair()
    right = {
        name: [row for row in rows if row["truth"]] for name, rows in chances.items()
    }  # an answer each, in order
    names = [
        f"{answer}: {row['people']}"
        for answer, row in zip(order, next(iter(right.values())), strict=True)
    ]
    dots: Rows = []
    for answer, label in enumerate(names):
        row = [
            {
                "label": label,
                "way": name,
                "place": right[name][answer]["probability"],
                "ink": look.colour,
                "said_in": legible(look.colour),
            }
            for name, look in zip(right, looks(right), strict=True)
        ]
        row.sort(key=lambda dot: float(dot["place"]))
        for dot, side in (
            (row[0], LEFT),
            (row[-1], RIGHT),
        ):  # of more than two only the ends have room
            dot |= {"side": side, "words": f"{dot['place']:.0%}", "bold": True}
        dots += row
    top = max(dot["place"] for dot in dots) * _ROOM or 1.0
    axis = alt.Axis(format=".3~%", tickCount=4, ticks=False, domain=False)
    x = alt.X(
        "place:Q",
        title="chance that the true number is published",
        axis=axis,
        scale=alt.Scale(domain=[0, top]),
    )
    y = alt.Y("label:N", title=None, sort=names, axis=alt.Axis(labelLimit=200, **ROW_AXIS))
    tip = tips(label="answer, true number", place="chance")
    layers = dots_on_rows(dots, names, x, y, tip)
    layers += _named(dots, x, y) if len(right) == 2 else _keyed(dots, x, y)
    chart = alt.layer(*layers).resolve_scale(color="independent")
    return page_wide(chart, _ROW * len(names) + _FIRST)


def _named(dots: Rows, x: Any, y: Any) -> list[Any]:
    """The names of two ways, above the two dots that leave the left one the most room."""
    alt = altair()
    first = max((dot for dot in dots if dot["side"] == LEFT), key=lambda dot: float(dot["place"]))[
        "label"
    ]
    layers = []
    for dot in (dot for dot in dots if dot["label"] == first):
        inward = {LEFT: "right", RIGHT: "left"}[dot["side"]]
        words = {
            "align": inward,
            "dy": -_ABOVE,
            "fontSize": LETTERS,
            "fontWeight": 600,
            "color": dot["said_in"],
        }
        name = {**dot, "name": way_words(dot["way"])}
        layers.append(alt.Chart(inline([name])).mark_text(**words).encode(x=x, y=y, text="name:N"))
    return layers


def _keyed(dots: Rows, x: Any, y: Any) -> list[Any]:
    """The names of more ways, in a legend above."""
    alt = altair()
    inks = {way_words(dot["way"]): dot["ink"] for dot in dots}
    scale = alt.Scale(domain=list(inks), range=list(inks.values()))
    box = alt.Legend(
        title=None, orient="top", symbolOpacity=1, symbolStrokeWidth=0, symbolSize=110, columns=3
    )
    named = [{**dot, "name": way_words(dot["way"])} for dot in dots]
    base = alt.Chart(inline(named)).mark_point(filled=True, shape="circle", opacity=0)
    return [base.encode(x=x, y=y, color=alt.Color("name:N", scale=scale, legend=box))]
