"""Names beside the ends of a panel's lines, in place of a legend: each with its marker, moved apart, and led to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from discreet.show.colours import INK, Look
from discreet.show.pictures.theme import LETTERS, altair, inline

Row = dict[str, Any]
_APART, _ASIDE = 17.0, 24
"""Pixels from one name to the next, and from the panel to a name."""
_WIDE, _NARROW = "mwMW%=", "fijltrI(),.:/ -'"
_SHORT = 8
"""Letters of a name that can stand right above a point; a longer one ends there, above the line that led to it."""


def room(names: Sequence[str]) -> int:
    """How many pixels names take beside a panel, in the widest letters that a reader's machine may have."""
    return _ASIDE + round(max(map(_across, names), default=0))


def _across(name: str) -> float:
    """About how many pixels a name takes in bold letters of DejaVu Sans, which are a sixth wider than Arial's."""
    shares = (1.0 if c in _WIDE else 0.42 if c in _NARROW else 0.8 if c.isupper() else 0.69 for c in name)
    return LETTERS * sum(shares)


def spaced(places: Sequence[float], apart: float, most: float) -> list[float]:
    """Places in rising order, moved as little as can be until they are so far apart, from 0 to `most`.

    >>> spaced([0, 1, 40], 10, 100), spaced([20, 21, 40], 10, 100)
    ([0.0, 10.0, 40.0], [15.5, 25.5, 40.0])
    """
    blocks: list[list[float]] = []  # without the distances that they are to have, neighbours may not fall
    for k, place in enumerate(places):
        blocks.append([place - k * apart])
        while len(blocks) > 1 and _mean(blocks[-2]) > _mean(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    moved = [_mean(block) for block in blocks for _ in block]
    last = len(moved) - 1
    return [min(max(place, 0.0) + k * apart, most - (last - k) * apart) for k, place in enumerate(moved)]


def _mean(block: Sequence[float]) -> float:
    return sum(block) / len(block)


def names_beside(
    lines: Mapping[str, Sequence[Row]], x: str, drawn: Mapping[str, Look], size: tuple[float, float],
    down: Callable[[Row], float],
) -> list[Any]:  # fmt: skip
    """Draw the names of lines right of a panel; of a line that ends before the last one does, above its end.

    `size` is the width and height of the panel, and `down` how far from its top a row is, in pixels.
    """
    alt = altair()
    width, height = size
    ends = {name: max(rows, key=lambda row: row[x]) for name, rows in lines.items()}
    last = max(end[x] for end in ends.values())
    beside = sorted((name for name in ends if ends[name][x] == last), key=lambda name: down(ends[name]))
    layers = []
    for name, place in zip(beside, spaced([down(ends[name]) for name in beside], _APART, height), strict=True):
        one, look = alt.Chart(inline([{"name": name}])), drawn[name]
        layers += [
            one.mark_rule(color=look.colour, strokeWidth=1).encode(
                x=alt.value(width - 5), x2=alt.value(width + 7), y=alt.value(down(ends[name])), y2=alt.value(place)
            ),
            one.mark_point(filled=True, size=62, opacity=1, color=look.colour, shape=look.marker).encode(
                x=alt.value(width + 12), y=alt.value(place)
            ),
            one.mark_text(align="left", baseline="middle", fontSize=LETTERS, fontWeight=600, color=INK).encode(
                x=alt.value(width + 21), y=alt.value(place), text="name:N"
            ),
        ]
    # a mark that is not seen keeps the room for wider letters than those that the picture is laid out with
    edge = alt.Chart(inline([{}])).mark_point(size=1, opacity=0)
    layers.append(edge.encode(x=alt.value(width + room(beside)), y=alt.value(height / 2)))
    early = [name for name in ends if name not in beside]
    first = min(row[x] for rows in lines.values() for row in rows)
    across = {name: width * (ends[name][x] - first) / ((last - first) or 1) for name in early}
    for name in early:
        near = any(
            0 < across[other] - across[name] < (_across(name) + _across(other)) / 2 + 8
            and abs(down(ends[other]) - down(ends[name])) < _APART
            for other in early
        )
        aside = near or len(name) >= _SHORT  # the name ends above its point, where the next one begins
        words = alt.Chart(inline([{"name": name, x: ends[name][x]}])).mark_text(
            align="right" if aside else "center", baseline="bottom", dx=6 if near else -2, dy=-7, fontSize=LETTERS,
            fontWeight=600, color=INK,
        )  # fmt: skip
        layers.append(words.encode(x=f"{x}:Q", y=alt.value(down(ends[name])), text="name:N"))
    return layers
