"""Panels of the paper's figures: one for each method, what it does beside a base method as lines, told apart by shade.

Lines are exact numbers. Simulated ones stay in the data files; the verdicts say how far they are off.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import log
from typing import Any

from discreet.paper.contestants import EM, GM, ORDER, UM, WM, WM_COLUMNS
from discreet.paper.panel_names import called
from discreet.show.colours import MARKERS, Look, looks, shades
from discreet.show.pictures.sheets.sheet_parts import Line, Name, Note, Panel, Scale, stepped

Row = dict[str, Any]
METHODS = (UM, WM, WM_COLUMNS, EM)
_MOVED = ("exact", "least", "largest")
"""What is on the scale of a panel."""
_QUIET = ("#858585", "#5c5c5c")
"""The greys of lines that are no example: two, so that an eye can follow each where they cross."""
_ON_TINT = 3.4
"""The contrast with white that is one of 3 to 1 with the tint of a panel."""
_BROAD = 0.05
"""How wide a band must be, as a share of the axis, to be named."""
_SAME = 0.01
"""How far from the base a line can be, as a share of the axis, and not be told from it."""


def against(rows: Sequence[Row], base: str, *, by: Sequence[str], times: float = 1.0, ratio: bool = False) -> list[Row]:
    """The rows as differences from the series `base` at the same place, which `by` says; it then lies at 0.

    With `ratio`, as shares of what the base has there.

    >>> two = [{"n": 2, "mechanism": name, "exact": value} for name, value in (("GM", 0.5), ("EM", 0.25))]
    >>> [row["exact"] for row in against(two, "GM", by=["n"], times=100)]
    [0.0, -25.0]
    >>> [row["exact"] for row in against(two, "GM", by=["n"], times=100, ratio=True)]
    [0.0, -50.0]
    """

    def place(row: Row) -> tuple[Any, ...]:
        return tuple(row[name] for name in by)

    zero = {place(row): row["exact"] for row in rows if row["mechanism"] == base}
    found = []
    for row in rows:
        here = zero[place(row)]
        factor = times / here if ratio else times
        moved = {key: factor * (row[key] - here) for key in _MOVED if row.get(key) is not None}
        found.append({**row, **moved})
    return found


def colour_of(name: str) -> str:
    """The one colour of a method of the experiments."""
    return dict(zip(ORDER, looks(ORDER), strict=True))[name].colour


def toned(colour: str, count: int) -> list[Look]:
    """How so many lines of one method are drawn: shades of its colour, light to dark, legible on a tint too."""
    return [Look(tone, [1, 0], mark) for tone, mark in zip(shades(colour, count, _ON_TINT), MARKERS, strict=False)]


def led(colour: str, count: int) -> list[Look]:
    """How so many lines of one method are drawn where the last is the example: that in its colour, the others grey."""
    *others, last = toned(colour, count)
    greys = [look._replace(colour=grey) for look, grey in zip(others, _QUIET, strict=False)]
    return [*greys, last._replace(colour=toned(colour, 3)[0].colour)]


def drawn_line(
    rows: Iterable[Row], x: str, look: Look, *, width: float = 2.2, marks: bool = False, name: Name | None = None
) -> Line:
    """One line, from rows with `exact`; a band where they have `least` and `largest`."""
    mine = sorted(rows, key=lambda row: row[x])
    return Line(
        points=[(row[x], row["exact"]) for row in mine],
        look=look,
        width=width,
        band=[(row[x], row["least"], row["largest"]) for row in mine if row.get("least") is not None],
        marks=marks,
        name=name,
    )


def beside_base(
    rows: Sequence[Row], x: Scale, y: Scale, at: str, series: str, values: Mapping[Any, str], *,
    base: str = GM, methods: Sequence[str] = METHODS, said: str = "",
) -> list[Panel]:  # fmt: skip
    """A panel for each method, with a line for each value of `series`; the base lies level at 0.

    The last value is the example, in the colour of the method; the others are grey. `at` is the field along the axis,
    and `said` stands after the name of each method. Lines that are one have one name; where none can be told from the
    base, words stand in place of the panel. The first panel says what its tint means, and one what its band is.
    """
    usual = "the usual noise" if base == GM else "a guess"
    panels: list[Panel] = []
    for name in methods:
        tones = led(colour_of(name), len(values))
        last = list(values)[-1]
        lines = [
            drawn_line(
                (r for r in rows if r["mechanism"] == name and r[series] == value),
                at,
                tone,
                width=2.8 if value == last else 1.5,
                name=Name(own, free=True),
            )
            for (value, own), tone in zip(values.items(), tones, strict=True)
        ]
        title = ", ".join(filter(None, (called(name).replace("\n", " "), said)))
        far = max(abs(value) for line in lines for _, value in line.points) / (y.high - y.low)
        if len({tuple((place, round(value, 9)) for place, value in line.points) for line in lines}) == 1:
            lines = [replace(lines[-1], name=Name("all alike", free=True))]
        panels.append(
            Panel(
                title=title, x=x, y=y, lines=lines, colour=colour_of(name), across=(0, colour_of(base)), better=True,
                ground="" if panels else f"better than {usual}",
                instead=f"The same as {usual}, or so near that no line would be seen beside it." * (far < _SAME),
            )
        )  # fmt: skip
    return _with_band_named(panels)


def _with_band_named(panels: list[Panel]) -> list[Panel]:
    """The panels, with a note at the widest band of all: what it is."""
    bands = [
        (most - low, k, place, (value + (most if most - value > value - low else low)) / 2)
        for k, panel in enumerate(panels)
        for line in panel.lines
        for (at, value), (place, low, most) in product(line.points, line.band)
        if at == place
    ]
    wide, k, place, value = max(bands, default=(0.0, 0, 0.0, 0.0))
    if bands and wide > _BROAD * (panels[k].y.high - panels[k].y.low):
        panels[k] = noted(panels[k], Note("range over all optima", place, value))
    return panels


def noted(panel: Panel, *notes: Note) -> Panel:
    """The panel with notes more."""
    return replace(panel, notes=(*panel.notes, *notes))


def signed_scale(rows: Iterable[Row], title: str, zero: str, unit: str = "") -> Scale:
    """One scale for all panels, from the least to the largest of what is drawn; 0 has the name of the base."""
    values = [row[key] for row in rows for key in ("exact", "least", "largest") if row.get(key) is not None]
    low, high = min(*values, 0.0), max(*values, 0.0)
    room = 0.05 * (high - low)
    ticks = {value: signed(value, unit) if value else zero for value in stepped(low - room, high + room)}
    return Scale(low=low - room, high=high + room, ticks=ticks, title=title)


def signed(value: float, unit: str = "") -> str:
    """A difference, with its sign.

    >>> signed(2.0), signed(-0.5, "%")
    ('+2', '−0.5%')
    """
    return f"{'+' if value > 0 else '−'}{abs(value):g}{unit}"


def kept(row: Row) -> Row:
    """The row with the share of the usual noise's gain on a guess that is kept: 1 for GM, 0 for guessing.

    L0 is 1 for guessing and 2a/(1+a) for GM, whatever n is (Theorem 3).

    >>> round(kept({"alpha": "2/3", "exact": 0.85})["exact"], 9)
    0.75
    """
    alpha = float(Fraction(row["alpha"]))
    return {**row, "exact": (1 - row["exact"]) * (1 + alpha) / (1 - alpha)}


KEPT = Scale(
    low=-0.04, high=1.08, ticks={0: "guess", 0.25: "25%", 0.5: "50%", 0.75: "75%", 1: "usual"}, title="gain kept"
)
"""The scale of `kept`."""


def plain_scale(low: float, high: float, ticks: Sequence[float], title: str = "", form: str = "{:g}") -> Scale:
    """A scale with these ticks, each as `form` writes it."""
    return Scale(low=low, high=high, ticks={tick: form.format(tick) for tick in ticks}, title=title)


def alpha_scale(low: float, high: float, ticks: Sequence[float]) -> Scale:
    """An axis of alpha, which says below each tick the epsilon in brackets: it falls from left to right."""
    said = {tick: f"{tick:g}\n({epsilon_of(tick)})" for tick in ticks}
    return Scale(low=low, high=high, ticks=said, title="alpha (epsilon)")


def epsilon_of(alpha: float) -> str:
    """The epsilon of an alpha, rounded: alpha = exp(-epsilon).

    >>> epsilon_of(0.9), epsilon_of(0.995)
    ('0.11', '0.005')
    """
    epsilon = -log(alpha) if alpha < 1 else 0.0
    return f"{epsilon:.2g}" if epsilon < 0.0095 else f"{epsilon:.2f}".rstrip("0").rstrip(".")


def with_epsilon(alpha: Fraction | float | str) -> str:
    """The epsilon of an alpha, and the alpha as the paper has it, in words.

    >>> with_epsilon(0.9), with_epsilon("2/3")
    ('epsilon 0.11 (alpha 0.9)', 'epsilon 0.41 (alpha 2/3)')
    """
    return f"epsilon {epsilon_of(float(Fraction(alpha)))} (alpha {alpha})"
