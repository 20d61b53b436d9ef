"""Names beside the ends of a panel's lines, in place of a legend: each with its marker, moved apart, and led to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from textwrap import wrap
from typing import Any

from discreet.paper.contestants import SAID
from discreet.show.captions import spoken_name, uncoded
from discreet.show.colours import INK, Look
from discreet.show.pictures.line_ends import spaced
from discreet.show.pictures.theme import LETTERS, altair, inline

Row = dict[str, Any]
_APART, _ASIDE = 16.0, 24
"""Pixels from one line of a name to the next, and from the panel to a name."""
_WIDE, _NARROW = "mwMW%=", "fijltrI(),.:/ -'"
_PHONE = 0.4
"""How wide a panel is on a phone, where names above points may not touch either, as a share of its width here."""
_SHORT, _LINE = 8, 16
"""Letters of a name that can stand right above a point; a longer one ends there, above the line that led to it. And
letters of a line of a name beside a panel."""


def called(name: str, said: Mapping[str, str] | None = None) -> str:
    """The name of a series for a reader, in lines; `said` has the names that a figure gives itself.

    >>> called("GM"), called("WM (WH)"), called("CH")
    ('usual (GM)', 'weakly honest\\n(WM)', 'column honest')
    """
    return (said or {}).get(name) or SAID.get(name) or "\n".join(wrap(spoken_name(name), _LINE, break_long_words=False))


def room(names: Sequence[str], said: Mapping[str, str] | None = None) -> int:
    """How many pixels names take beside a panel, in the widest letters that a reader's machine may have."""
    lines = [line for name in names for line in called(name, said).split("\n")]
    return _room(lines)


def _room(lines: Sequence[str]) -> int:
    return _ASIDE + round(max(map(_across, lines), default=0))


def _across(name: str) -> float:
    """About how many pixels a name takes in bold letters of DejaVu Sans, which are a sixth wider than Arial's."""
    shares = (1.0 if c in _WIDE else 0.42 if c in _NARROW else 0.8 if c.isupper() else 0.69 for c in name)
    return LETTERS * sum(shares)


def names_beside(
    lines: Mapping[str, Sequence[Row]], x: str, drawn: Mapping[str, Look], size: tuple[float, float],
    down: Callable[[Row], float], strong: Sequence[str] = (), own: Mapping[str, str] | None = None,
) -> list[Any]:  # fmt: skip
    """Draw the names of lines right of a panel; of a line that ends before the last one does, above its end.

    `size` is the width and height of the panel, and `down` how far from its top a row is, in pixels. Where some are
    `strong`, only their names are bold; `own` has the names that the figure gives itself.
    """
    alt = altair()
    width, height = size
    ends = {name: max(rows, key=lambda row: row[x]) for name, rows in lines.items()}
    last = max(end[x] for end in ends.values())
    beside = sorted((name for name in ends if ends[name][x] == last), key=lambda name: down(ends[name]))
    said = {name: called(name, own) for name in beside}
    layers = []
    for name, place in zip(beside, _places([down(ends[name]) for name in beside], said, height), strict=True):
        told = {"name": said[name], "short": uncoded(said[name]), "long": said[name].count("\n")}
        one, look = alt.Chart(inline([told])), drawn[name]
        first = place - _APART * said[name].count("\n") / 2
        layers += [
            one.mark_rule(color=look.colour, strokeWidth=1).encode(
                x=alt.value(width - 5), x2=alt.value(width + 7), y=alt.value(down(ends[name])), y2=alt.value(place)
            ),
            one.mark_point(filled=True, size=62, opacity=1, color=look.colour, shape=look.marker).encode(
                x=alt.value(width + 12), y=alt.value(place)
            ),
            one.mark_text(
                align="left", baseline="middle", fontSize=LETTERS, color=INK, lineBreak="\n", lineHeight=_APART,
                fontWeight=600 if name in strong or not strong else 400,
            ).encode(x=alt.value(width + 21), y=alt.value(first), text="name:N"),
        ]  # fmt: skip
    # a mark that is not seen keeps the room for wider letters than those that the picture is laid out with
    rooms = [_room([line for name in said.values() for line in kind(name).split("\n")]) for kind in (str, uncoded)]
    edge = alt.Chart(inline([{"room": rooms[0], "less": rooms[0] - rooms[1]}])).mark_point(size=1, opacity=0)
    layers.append(edge.encode(x=alt.value(width + rooms[0]), y=alt.value(height / 2)))
    early = [name for name in ends if name not in beside]
    first_x = min(row[x] for rows in lines.values() for row in rows)
    across = {name: width * (ends[name][x] - first_x) / ((last - first_x) or 1) for name in early}
    for name in early:
        touched = {
            across[other] > across[name]
            for other in early
            if 0 < _PHONE * abs(across[other] - across[name]) < (_across(name) + _across(other)) / 2 + 8
            and abs(down(ends[other]) - down(ends[name])) < _APART
        }
        # of two that would touch, one name ends above its point, and the other begins there
        long = len(name) >= _SHORT
        align = "right" if True in touched or long else "left" if touched else "center"
        moved = {"right": 2 if touched else -2, "left": -2, "center": -2}[align]
        words = alt.Chart(inline([{"name": name, x: ends[name][x]}])).mark_text(
            align=align, baseline="bottom", dx=moved, dy=-7, fontSize=LETTERS,
            fontWeight=600, color=INK,
        )  # fmt: skip
        layers.append(words.encode(x=f"{x}:Q", y=alt.value(down(ends[name])), text="name:N"))
    return layers


def _places(ends: Sequence[float], said: Mapping[str, str], height: float) -> list[float]:
    """Where the middles of names stand: near the ends of their lines, within the height of the panel."""
    tall = [_APART * (1 + name.count("\n")) for name in said.values()]
    inside = [min(max(end, high / 2), height - high / 2) for end, high in zip(ends, tall, strict=True)]
    found = spaced(inside, tall)
    lowest = 0.0
    for k, high in enumerate(tall):  # what would stand above the panel moves down, and only what is in its way
        found[k] = max(found[k], lowest + high / 2)
        lowest = found[k] + high / 2
    highest = max(height, sum(tall))
    for k in reversed(range(len(tall))):
        found[k] = min(found[k], highest - tall[k] / 2)
        highest = found[k] - tall[k] / 2
    return found
