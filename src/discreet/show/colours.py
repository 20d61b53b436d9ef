"""Colours, dashes and markers: one set for each series of a figure, one fill for each chance in a matrix.

Colours are the Okabe-Ito set and two more, which people with the common kinds of colour blindness can tell apart;
series also differ in dash and marker, so that a figure survives a black-and-white printer. Matrices run from white to
one dark hue, so that darker means likelier. Everything drawn takes its colours from here: tables, SVG and Altair's
charts alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from discreet.core.named import NAMED
from discreet.errors import InvalidInput

_OWN = [one.colour for one in NAMED.values()]
COLOURS = (*_OWN[:2], "#009E73", *_OWN[2:])
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 2], [10, 4], [1, 3], [5, 1], [3, 6])
_STAR = "M0,-1.15L0.29,-0.40L1.09,-0.36L0.48,0.15L0.68,0.93L0,0.50L-0.68,0.93L-0.48,0.15L-1.09,-0.36L-0.29,-0.40Z"
MARKERS = (
    "circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left", _STAR,
)  # fmt: skip
RAMP = ("#ffffff", "#dbe9f6", "#a6cee3", "#5ba3cf", "#2171b5", "#08306b")
PALE_RAMP = (*RAMP[:3], "#77b3d6")
"""For charts with a number in every cell: black reads well on it, and white once light and dark are exchanged."""
BEND = 0.7
"""Fills are bent toward small chances: off the diagonal is where mechanisms differ."""

ORDERED = ("#5f93c9", "#0b2350")
"""The ends of one hue, light to dark: for answers in their order. Both are legible on white and on a dark page."""

MARK = COLOURS[1]
GREY = "#8c8c8c"
INK, PALE_INK = "#000000", "#ffffff"
DESIGN = COLOURS[2]
"""Of a design that has no name of its own; no named mechanism has it."""
_JOINTLY = {"joint": DESIGN, "cells": NAMED["staircase"].colour}
"""The two ways to release a histogram, which no picture shows beside a staircase."""
_UNNAMED = (2, 8, 5, 7, 6, 4, 3, 1, 0)
"""Which colours others take, in order: first what no mechanism has, last those of GM, WM and EM."""


class Look(NamedTuple):
    """How one series of a figure is drawn."""

    colour: str
    dash: list[int]
    marker: str


def looks(labels: Iterable[str]) -> list[Look]:
    """Return how each series is drawn: a named mechanism always alike, the others with what is left, in order.

    >>> [look.colour for look in looks(["EM", "WH CM", "GM"])]
    ['#CC79A7', '#009E73', '#0072B2']
    """
    names = list(labels)
    if len(names) > len(COLOURS):
        raise InvalidInput("series", f"must be at most {len(COLOURS)} in one figure", len(names))
    places: dict[str, int] = {}
    for label in names:
        named = NAMED.get(label.partition(" ")[0])  # "WM (WH)" is WM; a second WM in the same figure is not
        colour = named.colour if named is not None else _JOINTLY.get(label)
        if colour is not None and (place := COLOURS.index(colour)) not in places.values():
            places[label] = place
    left = (place for place in _UNNAMED if place not in set(places.values()))
    chosen = [places[label] if label in places else next(left) for label in names]
    return [Look(COLOURS[place], DASHES[place], MARKERS[place]) for place in chosen]


def mechanism_colour(name: str, otherwise: str = DESIGN) -> str:
    """Return the one colour of a named mechanism, or that of a design without a name.

    >>> mechanism_colour("GM"), mechanism_colour("")
    ('#0072B2', '#009E73')
    """
    return NAMED[name].colour if name in NAMED else otherwise


def ordered(count: int) -> list[str]:
    """Return so many shades of one hue, light to dark: the colours of answers that have an order.

    >>> ordered(2) == list(ORDERED), ordered(1)
    (True, ['#0b2350'])
    """
    return [_between(*ORDERED, k / (count - 1) if count > 1 else 1.0) for k in range(count)]


def _between(one: str, other: str, place: float) -> str:
    low, high = (tuple(int(colour[c : c + 2], 16) for c in (1, 3, 5)) for colour in (one, other))
    return "#" + "".join(f"{round(a + (b - a) * place):02x}" for a, b in zip(low, high, strict=True))


@lru_cache(maxsize=4096)  # a matrix has most of its chances several times
def cell_colours(chance: float, top: float) -> tuple[str, str]:
    """Return the fill of a chance on the ramp from white (0) to dark blue (`top`), and the ink that reads well on it.

    >>> cell_colours(0, 1), cell_colours(1, 1)
    (('#ffffff', '#000000'), ('#08306b', '#ffffff'))
    """
    place = (chance / top) ** BEND * (len(RAMP) - 1) if top else 0.0
    k = min(int(place), len(RAMP) - 2)
    fill = _between(RAMP[k], RAMP[k + 1], place - k)
    dark = _luminance(*(int(fill[c : c + 2], 16) for c in (1, 3, 5))) < _ALIKE
    return fill, PALE_INK if dark else INK


_ALIKE = 0.179
"""The luminance on which black and white read alike, at a contrast of 4.58 to 1."""


def _luminance(*parts: int) -> float:
    """The relative luminance of a colour, from 0 to 1 (Web Content Accessibility Guidelines 2)."""
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (part / 255 for part in parts)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
