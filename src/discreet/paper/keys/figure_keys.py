"""The key pictures of the paper's figures 9 to 13."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from discreet.paper.contestants import EM, GM, UM, WM, WM_COLUMNS
from discreet.paper.keys.key_parts import GROUP, alone, named_line, several
from discreet.paper.panels import Row, as_often_as_a_guess, colour_of, epsilon_of, epsilon_scale, plain_scale, tint_of
from discreet.show.pictures.sheets.sheet_page import Drawn
from discreet.show.pictures.sheets.sheet_parts import Name, Panel, Scale, Words

_YES = Scale(
    low=0, high=1, ticks={0: "nobody", 0.25: "1 in 4", 0.5: "half", 0.75: "3 in 4", 1: "all"},
    title="how many people say yes",
)  # fmt: skip
_SHADES = (tint_of(GM), tint_of(EM))
"""Between the usual line and the fair one: the colour of the one that is better there."""
_SIZES = plain_scale(2, 20, (2, 8, 14, 20), "people in a group")


def _of(rows: Sequence[Row], name: str) -> list[Row]:
    return [row for row in rows if row["mechanism"] == name]


def _at(rows: Sequence[Row], name: str, x: str, value: float) -> float:
    """The number of a method at one place."""
    return float(next(row["exact"] for row in _of(rows, name) if row[x] == value))


def anomalies(rows: Sequence[Row]) -> Drawn:
    """How surely two designs with no property asked publish one number, over epsilon, and where one jumps."""
    squares, distance = (
        sorted((r for r in rows if r["case"] == case), key=lambda r: r["alpha"]) for case in ("L2, n = 4", "L1, n = 6")
    )
    first = next(r for r in squares if r["exact"] == 1)
    panel = Panel(
        title="",
        x=epsilon_scale(),
        y=plain_scale(0, 1.12, (0, 0.25, 0.5, 0.75, 1), "chance of that number, at least", "{:.0%}"),
        lines=[
            named_line(squares, "alpha", colour_of(EM), Name("4 people: publishes 2", 0.6, 1.3)),
            named_line(distance, "alpha", colour_of(GM), Name("6 people: publishes 3", 0.68, -1.2)),
        ],
        words=[
            Words(f"from epsilon {epsilon_of(first['alpha'])} on: always 2", first["alpha"], 1, colour_of(EM), 1, "end")
        ],
    )
    return alone(
        panel, "Near epsilon 0 these two designs always publish one number",
        "whatever the truth is; no property asked",
    )  # fmt: skip


def scores(rows: Sequence[Row]) -> Drawn:
    """How often a number is right beside a blind guess, over group size, at epsilon 0.1."""
    mine = [as_often_as_a_guess(row) for row in rows if row["alpha"] == "10/11"]
    names = {
        GM: Name("usual noise (GM)", 12.6, 1.2, "end"),
        WM: Name("weakly honest (WM)", 25),
        WM_COLUMNS: Name("and monotone", 25),
        EM: Name("fair (EM)", 21, -1.6, "start"),
    }
    names[WM] = Name("weakly honest (WM)", 17.4, 1, "end")
    names[WM_COLUMNS] = Name("and monotone", 20.4, 1.1, "end")
    panel = Panel(
        title="",
        x=plain_scale(2, 25, (2, 8, 14, 20, 25), "people in a group"),
        y=plain_scale(0.92, 2.3, (1, 1.5, 2), "right so many times as often as a blind guess", "{:g}"),
        lines=[named_line(_of(mine, name), "n", colour_of(name), said) for name, said in names.items()],
        across=(1, colour_of(UM)),
    )
    return alone(
        panel, "Fair noise is right more often than a guess, the usual noise most often",
        "every true count equally likely; epsilon 0.1",
    )  # fmt: skip


def adult(rows: Sequence[Row], targets: Mapping[str, str]) -> Drawn:
    """How many numbers are wrong on the Adult data: usual and fair, a panel for each question."""
    panels = []
    for target, said in targets.items():
        mine = [row for row in rows if row["target"] == target and row["off"] == 0]
        values = {name: _at(mine, name, "n", GROUP) for name in (GM, EM)}
        panels.append(
            Panel(
                title=said,
                x=_SIZES,
                y=plain_scale(0.6, 1, (0.6, 0.7, 0.8, 0.9, 1), "wrong numbers", "{:.0%}"),
                lines=[
                    named_line(_of(mine, GM), "n", colour_of(GM), Name("usual", 16, 1)),
                    named_line(_of(mine, EM), "n", colour_of(EM), Name("fair", 16, -1)),
                ],
                words=[
                    Words(f"{values[name]:.0%}", GROUP, values[name], colour_of(name), side, at)
                    for name, side, at in ((GM, 1, "end"), (EM, -1, "start"))
                ],
            )
        )
    return several(
        panels, "On census data, fair noise is wrong less often than the usual noise",
        "three yes-or-no questions about the people of the Adult data; epsilon 0.11",
    )  # fmt: skip


def binomial(rows: Sequence[Row]) -> Drawn:
    """How many numbers are more than one off, over how many say yes: usual and fair, in groups of 8 at epsilon 0.09."""
    mine = _at_strong(rows)
    panel = Panel(
        title="",
        x=_YES,
        y=plain_scale(0, 1, (0, 0.25, 0.5, 0.75, 1), "numbers more than one person off", "{:.0%}"),
        lines=[named_line(_of(mine, name), "p", colour_of(name)) for name in (GM, EM)],
        shades=_SHADES,
        words=[
            *_values(mine, "p", 0.5, {GM: ("usual noise (GM): {:.0%}", 1), EM: ("fair (EM): {:.0%}", -1)}),
            Words("fair misses\nless often", 0.5, 0.125, colour_of(EM)),
            Words("usual misses\nless often", 0, 0.125, colour_of(GM), 0, "start"),
            Words("usual misses\nless often", 1, 0.125, colour_of(GM), 0, "end"),
        ],
    )
    return alone(panel, "Fair noise misses less often where answers are mixed", _STRONG)


def rmse(rows: Sequence[Row]) -> Drawn:
    """The typical error over how many say yes: usual, a guess and fair, in groups of 8 at epsilon 0.09."""
    mine = _at_strong(rows)
    panel = Panel(
        title="",
        x=_YES,
        y=plain_scale(0, 5, range(6), "typical error, in people"),
        lines=[named_line(_of(mine, name), "p", colour_of(name)) for name in (GM, UM, EM)],
        words=[
            *_values(mine, "p", 0.5, {GM: ("usual noise (GM): {:.1f}", 1), EM: ("fair (EM): {:.1f}", -1)}),
            Words("guess (UM)", 0.5, 3.27, colour_of(UM)),
        ],
    )
    return alone(panel, "With strong privacy the usual noise mostly errs more than a guess", _STRONG)


def _values(rows: Sequence[Row], x: str, at: float, names: Mapping[str, tuple[Any, ...]]) -> list[Words]:
    """Dots on lines with names and numbers: the words, above (1) or below (-1), and how they are set."""
    found = [(name, _at(rows, name, x, at), *said) for name, said in names.items()]
    return [Words(words.format(value), at, value, colour_of(name), *how) for name, value, words, *how in found]


_STRONG = f"groups of {GROUP}; epsilon 0.09"


def _at_strong(rows: Sequence[Row]) -> list[Row]:
    """The rows of groups of 8 at alpha 0.91, which is epsilon 0.09."""
    return [row for row in rows if row["alpha"] == 0.91 and row.get("n", GROUP) == GROUP]


def histograms(rows: Sequence[Row]) -> Drawn:
    """How many numbers are more than d off: usual and fair, where half say yes and where one in ten does."""
    said = {0.5: "half say yes", 0.1: "one in ten says yes"}
    panels = []
    for p, title in said.items():
        mine = [row for row in _at_strong(rows) if row["p"] == p and row["d"] < 7]
        beside = {GM: (1, "start"), EM: (-1, "end")} if p == 0.5 else {GM: (-1, "middle"), EM: (1, "start")}
        panels.append(
            Panel(
                title=title,
                x=plain_scale(0, 6, range(7), "off by more than so many people"),
                y=plain_scale(0, 1, (0, 0.25, 0.5, 0.75, 1), "numbers that are so far off", "{:.0%}"),
                lines=[named_line(_of(mine, name), "d", colour_of(name)) for name in (GM, EM)],
                shades=_SHADES,
                words=_values(
                    mine, "d", 2, {GM: ("usual {:.0%}", *beside[GM]), EM: ("fair {:.0%}", *beside[EM])}
                ),
            )
        )  # fmt: skip
    return several(panels, "Where half say yes, fair noise stays nearer the truth", _STRONG)
