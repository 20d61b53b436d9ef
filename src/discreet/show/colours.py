"""Colours, dashes and markers: one set for each series of a figure, one fill for each chance in a
matrix.

The rule, for every picture and for both schemes of a page:

- A named mechanism has one colour (`discreet.core.named.NAMED`); F, the fair design, that of EM.
- A design without a name is green. So is the best joint draw of a histogram, which is one. `cells`,
  which draws each answer by itself, is violet.
- Several of one mechanism, such as two epsilons of GM, are shades of its colour. So are the two
  mechanisms that the paper calls WM: "WM (WH)", which is WM, and "WM (WH RM CM)", in whichever
  picture they are.
- Several designs without a name, and other series that are no mechanism, have hues of their own
  (`OTHERS`).
- What was read from a release is navy on pale blue, as in its report, whichever mechanism made it;
  answers in their order are shades of slate.
- The truth is black on a white edge, which no mechanism is; a corner of that kind marks a cell that
  breaks a rule.

Hues differ, not only lightness: on a dark page light and dark are exchanged, and a dark blue there
is a light blue. Series also differ in dash and marker, so that a figure survives a black-and-white
printer and colour blindness. Matrices run from white to one dark hue in even steps, so that darker
means likelier; those of large groups along the square root of the chance, as their scale says.
Everything drawn takes its colours from here: tables, SVG and Altair's charts alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

from discreet.core.named import NAMED
from discreet.errors import InvalidInput

DESIGN = "#009E73"
"""Of a design that has no name of its own; no named mechanism has it."""
CELLS = "#7A5CC7"
TABLE = NAMED["GM"].colour
"""Of the plan of a table, whatever draws its numbers: what that is, words say."""
OTHERS = (
    DESIGN,
    "#8A4B12",
    "#2F3FA8",
    "#333333",
    "#0B7A85",
    "#7D7D7D",
    "#C23B22",
    "#4A6B12",
    "#5B4A8A",
    "#8C1D6F",
)
"""Of series of one figure that are no named mechanism, in their order: hues that differ, none of
them a mechanism's.
"""
_OWN = [one.colour for one in NAMED.values()]
COLOURS = (*_OWN[:2], DESIGN, *_OWN[2:], CELLS)
DASHES = (
    [1, 0],
    [6, 3],
    [2, 2],
    [8, 3, 2, 3],
    [4, 2],
    [10, 4],
    [1, 3],
    [5, 1],
    [3, 6],
    [7, 2, 1, 2],
)
_STAR = (
    "M0,-1.15L0.29,-0.40L1.09,-0.36L0.48,0.15L0.68,0.93"
    "L0,0.50L-0.68,0.93L-0.48,0.15L-1.09,-0.36L-0.29,-0.40Z"
)
_TIMES = "M0,0.4L0.6,1L1,0.6L0.4,0L1,-0.6L0.6,-1L0,-0.4L-0.6,-1L-1,-0.6L-0.4,0L-1,0.6L-0.6,1Z"
MARKERS = (
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "cross",
    "triangle-down",
    "triangle-right",
    "triangle-left",
    _STAR,
    _TIMES,
)
_WAYS = {"joint": DESIGN, "cells": CELLS, "F": NAMED["EM"].colour}
"""The ways to release a histogram that are no named mechanism; F is also what is asked of EM."""
_ITSELF = ("WM (WH)",)
"""Labels that say more than a name, of the mechanism itself."""
_SPARE = (2, 8, 5, 9, 7, 6, 4, 3, 1, 0)
"""Whose dash and marker others take, in order: first what no mechanism has, last those of GM, WM
and EM.
"""

RAMP = (
    "#ffffff",
    "#cde1f1",
    "#96c5e0",
    "#62a8d2",
    "#3a88c1",
    "#1b68ad",
    "#094a91",
    "#082f69",
    "#04183c",
)
"""The fills of a matrix, white to navy, in even steps: each is darker than the last by the same
amount to the eye.

That is an eighth of the way in lightness (L* of CIELAB, from 100 to 9), so that no edge is seen
which the chances do not have.
"""
ROOT_ABOVE = 12
"""The group size above which fills follow the square root of a chance.

Such a matrix has no numbers in its cells and a few large chances at its ends, beside which all
others would look alike.
"""
TURN = 0.55
"""How far up the ramp white has a contrast of 4.5 to 1: up to there numbers are black, beyond it
white.
"""
NIGHT_TURN = 0.422
"""The same for a dark page, on which light and dark are exchanged, the fills of a ramp from its
ground to pale blue.
"""
ONE_INK = 0.34
"""How far up the ramp black has a contrast of 4.5 to 1, also on a page that turns a whole
picture over.
"""

READ = "#00416a"
ORDERED = ("#7f93a8", "#1b2733")
"""The ends of one hue, light to dark: for answers in their order. Both are legible on white and
on a dark page.
"""
PALE = "#8fbce0"
"""Of bars behind marks in `READ`: both are those of a report on a white page
(reporting/report.css).
"""
PUBLISHED = "#cdd2d7"
"""Of the published numbers themselves, noise and all."""

GREY = "#8c8c8c"
INK, PALE_INK = "#000000", "#ffffff"
MARK, MARK_EDGE = INK, PALE_INK
"""Of the truth, wherever it is known and marked, and of a cell that breaks a rule; and of the edge
around it.

With its edge a mark is seen on every fill, on a dark page too, where the two are exchanged.
"""
SAME_INK = "#000001"
"""Black to the eye, and to be left black on a dark page: of numbers between the two turns."""


class Look(NamedTuple):
    """How one series of a figure is drawn."""

    colour: str
    dash: list[int]
    marker: str


def looks(labels: Iterable[str], of: Mapping[str, str] | None = None) -> list[Look]:
    """Return how each series is drawn: a named mechanism always alike, several of it in shades,
    others in other hues.

    A label that is a name decides; of others `of` may say which named mechanism they are, or "" for
    none.

    >>> [look.colour for look in looks(["EM", "WH CM", "GM"])]
    ['#CC79A7', '#009E73', '#0072B2']
    """
    names = list(labels)
    if len(names) > len(COLOURS):
        raise InvalidInput("series", f"must be at most {len(COLOURS)} in one figure", len(names))
    kinds: dict[str, list[str]] = {}
    for name in names:
        said = None if name in NAMED else (of or {}).get(name)
        colour = _by_label(name) if said is None else mechanism_colour(said)
        kinds.setdefault(colour, []).append(name)
    places = {members[0]: COLOURS.index(colour) for colour, members in kinds.items()}
    left = (place for place in _SPARE if place not in places.values())
    hues: dict[str, str] = {}
    for colour, members in kinds.items():
        plain = [
            name for name in members if name in NAMED or name in _ITSELF
        ]  # a name alone keeps the very colour
        rest = [name for name in members if name not in plain]
        own = list(OTHERS) if colour == DESIGN else shades(colour, len(members))
        several = own[len(plain) : len(members)]
        if (
            plain and len(rest) == 1 and colour != DESIGN
        ):  # dark enough to be told apart, and still the same hue
            several = [between(colour, INK, _DARKER)]
        hues |= dict.fromkeys(plain, colour) | dict(zip(rest, several, strict=True))
    chosen = {name: places[name] if name in places else next(left) for name in names}
    return [Look(hues[name], DASHES[chosen[name]], MARKERS[chosen[name]]) for name in names]


def _by_label(label: str) -> str:
    """The colour that a label asks for: its first word may be a mechanism's name, or its last
    words, after a comma.

    >>> (
    ...     _by_label("WM (WH)") == _by_label("of each cell, WM") == _by_label("WM"),
    ...     _by_label("L1, CM") == DESIGN,
    ... )
    (True, True)
    """
    words = (label.partition(" ")[0], label.rpartition(", ")[2].partition(" ")[0])
    named = next((NAMED[word] for word in words if word in NAMED), None)
    return named.colour if named is not None else _WAYS.get(label, DESIGN)


def mechanism_colour(name: str, otherwise: str = DESIGN) -> str:
    """Return the one colour of a named mechanism, or that of a design without a name.

    >>> mechanism_colour("GM"), mechanism_colour("")
    ('#0072B2', '#009E73')
    """
    return NAMED[name].colour if name in NAMED else otherwise


def shades(colour: str, count: int, least: float = 3.0) -> list[str]:
    """Return so many shades of a colour, light to dark, each legible as a line; one alone is the
    colour itself.

    The lightest has a contrast of `least` with white; the darkest is deep, but far enough from
    black to keep its hue.

    >>> shades("#0072B2", 1), shades("#0072B2", 3)
    (['#0072B2'], ['#4c9cc9', '#2676a3', '#00507d'])
    """
    if count < 2:
        return [colour] * count
    tints = [between(colour, PALE_INK, k / 50) for k in range(50, 0, -1)]
    light, dark = (
        _lightest([*tints, *_deeper(colour)], contrast) for contrast in (least, _DEEPEST)
    )
    return [between(light, dark, k / (count - 1)) for k in range(count)]


def legible(colour: str) -> str:
    """Return the colour, or as much darker as words in it need to be read on white and on a pale
    tint.

    >>> legible("#CC79A7"), legible("#0072B2")
    ('#a55280', '#0072B2')
    """
    return _lightest([colour, *_deeper(colour)], _READ_WELL)


def _deeper(colour: str) -> list[str]:
    """The colour, then with less and less of the grey in it, and then towards black."""
    parts = [int(colour[c : c + 2], 16) for c in (1, 3, 5)]
    clear = "#" + "".join(f"{part - round(_CLEARED * min(parts)):02x}" for part in parts)
    return [between(colour, clear, k / 50) for k in range(51)] + [
        between(clear, INK, k / 50) for k in range(51)
    ]


def _lightest(colours: Iterable[str], least: float) -> str:
    """The first of colours, light to dark, that has this contrast with white; the last where
    none has.
    """
    last = INK
    for last in colours:
        if _contrast_on_white(last) >= least:
            break
    return last


_DARKER = 0.4
"""How far the one other of a mechanism is from its colour to black."""
_READ_WELL = 5.0
"""The contrast with white that is one of 4.5 to 1 with the tint of a panel."""
_DEEPEST, _CLEARED = 8.5, 0.7
"""The contrast of the darkest of several shades with white, and how much of the grey in a colour
it loses.
"""


def _contrast_on_white(colour: str) -> float:
    return 1.05 / (_luminance(*(int(colour[c : c + 2], 16) for c in (1, 3, 5))) + 0.05)


def ordered(count: int) -> list[str]:
    """Return so many shades of one hue, light to dark: the colours of answers that have an order.

    >>> ordered(2) == list(ORDERED), ordered(1)
    (True, ['#1b2733'])
    """
    return [between(*ORDERED, k / (count - 1) if count > 1 else 1.0) for k in range(count)]


def between(one: str, other: str, place: float) -> str:
    """Return the colour so far on the way from one to the other, from 0 to 1.

    >>> between("#000000", "#ffffff", 0.2)
    '#333333'
    """
    low, high = (tuple(int(colour[c : c + 2], 16) for c in (1, 3, 5)) for colour in (one, other))
    return "#" + "".join(
        f"{round(a + (b - a) * place):02x}" for a, b in zip(low, high, strict=True)
    )


@lru_cache(maxsize=4096)  # a matrix has most of its chances several times
def cell_colours(chance: float, top: float, *, root: bool = False) -> tuple[str, str]:
    """Return the fill of a chance on the even ramp from white (0) to navy (`top`), and the ink that
    reads well on it.

    With `root` the place on the ramp is the square root of the share.

    >>> (
    ...     cell_colours(0, 1),
    ...     cell_colours(1, 1),
    ...     cell_colours(0.25, 1, root=True) == cell_colours(0.5, 1),
    ... )
    (('#ffffff', '#000000'), ('#04183c', '#ffffff'), True)
    """
    place = min(1.0, chance / top) if top else 0.0
    place = sqrt(place) if root else place
    at = place * (len(RAMP) - 1)
    k = min(int(at), len(RAMP) - 2)
    return between(RAMP[k], RAMP[k + 1], at - k), _ink(place)


def _ink(place: float) -> str:
    return PALE_INK if place > TURN else SAME_INK if place > NIGHT_TURN else INK


def _luminance(*parts: int) -> float:
    """The relative luminance of a colour, from 0 to 1 (Web Content Accessibility Guidelines 2)."""
    linear = [
        c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4
        for c in (part / 255 for part in parts)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
