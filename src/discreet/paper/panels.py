"""Panels of the paper's figures: a row for each method, which shows what it does beside a base method.

Lines are exact numbers. Simulated ones stay in the data files; the verdicts say how far they are off.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import exp, log
from typing import Any

from discreet.paper.contestants import EM, GM, ORDER, UM, WM, WM_COLUMNS
from discreet.paper.panel_names import called
from discreet.show.colours import Look, between, looks
from discreet.show.pictures.sheets import panel_rows
from discreet.show.pictures.sheets.sheet_parts import Key, Line, Name, Scale, stepped

Row = dict[str, Any]
METHODS = (UM, WM, WM_COLUMNS, EM)
_MOVED = ("exact", "least", "largest")
"""What is on the scale of a panel."""
_BROAD = 0.05
"""How wide a band must be, as a share of the axis, to be in the legend."""


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
    rows: Sequence[Row], y: Scale, at: str, series: str, values: Iterable[Any], *,
    base: str = GM, methods: Sequence[str] = METHODS,
) -> list[panel_rows.Row]:  # fmt: skip
    """A row for each method and a column for each value of `series`; the base lies level at 0.

    `at` is the field along the axis. Where a line is below the base, its method is better.
    """
    columns = list(values)
    found = []
    for name in methods:
        mine = [r for r in rows if r["mechanism"] == name]
        found.append(method_row(name, [[r for r in mine if r[series] == value] for value in columns], at, y, base))
    return found


def method_row(
    name: str, lines: Sequence[Sequence[Row]], at: str, y: Scale, base: str, *, said: str = ""
) -> panel_rows.Row:
    """The row of one method: a line for each column; `said` stands below its name."""
    colour = colour_of(name)
    return panel_rows.Row(
        name="\n".join(filter(None, (called(name), said))),
        y=y,
        lines=[drawn_line(line, at, Look(colour, [1, 0], "circle"), width=2.4) for line in lines],
        colour=colour,
        alike="as usual" if base == GM else "as a guess",
    )


def keys_beside(rows: Sequence[panel_rows.Row], base: str) -> list[Key]:
    """The legend: the base, what is better and worse than it, and what a band is where one is broad enough to see."""
    usual = "the usual noise" if base == GM else "a guess"
    broad = [
        line.look
        for row in rows
        for line in row.lines
        if line
        for _, low, most in line.band
        if most - low > _BROAD * (row.y.high - row.y.low)
    ]
    keys = [
        Key(words=usual, look=Look(colour_of(base), [1, 0], "circle")),
        Key(words="better", fill=panel_rows.BETTER),
        Key(words="worse", fill=panel_rows.WORSE),
    ]
    ranges = [Key(words="range over all optima", fill=between("#ffffff", look.colour, 0.3)) for look in broad[:1]]
    return [*keys, *ranges]


POINTS = " points"
"""The unit of differences between percentages."""


def signed_scale(rows: Iterable[Row], title: str, zero: str, unit: str = "", *, most: float | None = None) -> Scale:
    """One scale for all panels, from the least to the largest of what is drawn; 0 has the name of the base.

    With `most` it is cut off there. A unit that is a word stands at the highest number alone.
    """
    values = [row[key] for row in rows for key in _MOVED if row.get(key) is not None]
    low, high = min(*values, 0.0), max(*values, 0.0)
    high = high if most is None else min(high, most)
    room = 0.05 * (high - low)
    places = stepped(low - room, high + room, 5)
    first = max((value for value in places if value), default=0.0)
    ticks = {
        value: signed(value, unit if value == first or unit != POINTS else "") if value else zero for value in places
    }
    return Scale(low=low - room, high=high + room, ticks=ticks, title=title, cut=most is not None)


def signed(value: float, unit: str = "") -> str:
    """A difference, with its sign.

    >>> signed(2.0), signed(-0.5, "%")
    ('+2', '−0.5%')
    """
    return f"{'+' if value > 0 else '−'}{abs(value):g}{unit}"


def kept(row: Row) -> Row:
    """The row with the share of the usual noise's lead over a guess that is kept: 1 for GM, 0 for guessing.

    L0 is 1 for guessing and 2a/(1+a) for GM, whatever n is (Theorem 3).

    >>> round(kept({"alpha": "2/3", "exact": 0.85})["exact"], 9)
    0.75
    """
    alpha = float(Fraction(row["alpha"]))
    return {**row, "exact": (1 - row["exact"]) * (1 + alpha) / (1 - alpha)}


KEPT = Scale(
    low=-0.04, high=1.08, ticks={0: "guess", 0.25: "25%", 0.5: "50%", 0.75: "75%", 1: "usual"}, title="lead kept"
)
"""The scale of `kept`."""


def plain_scale(low: float, high: float, ticks: Sequence[float], title: str = "", form: str = "{:g}") -> Scale:
    """A scale with these ticks, each as `form` writes it."""
    return Scale(low=low, high=high, ticks={tick: form.format(tick) for tick in ticks}, title=title)


def alpha_scale(low: float, high: float, ticks: Sequence[float]) -> Scale:
    """An axis of alpha, which says below each tick the epsilon in brackets: it falls from left to right."""
    said = {tick: f"{tick:g}\n({epsilon_of(tick)})" for tick in ticks}
    return Scale(low=low, high=high, ticks=said, title="alpha (epsilon)")


def epsilon_scale(largest: float = 0.7, least: float = 0, ticks: Sequence[float] = (0.7, 0.5, 0.3, 0.1, 0)) -> Scale:
    """An axis of alpha that is numbered by round epsilons alone, each where it is: they fall from left to right."""
    places = {exp(-epsilon): f"{epsilon:g}" for epsilon in ticks}
    return Scale(low=exp(-largest), high=exp(-least), ticks=places, title="epsilon: more private →")


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
