"""The key pictures of the paper's figures that have lines: 1, and 8 to 13."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from discreet.paper.contestants import EM, GM, UM, WM, WM_COLUMNS
from discreet.paper.keys.key_parts import GROUP, alone, named_line, several
from discreet.paper.panels import (
    Row,
    as_often_as_a_guess,
    colour_of,
    epsilon_of,
    epsilon_scale,
    over_epsilon,
    plain_scale,
    series_colours,
    tint_of,
)
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
        over_epsilon((r for r in rows if r["case"] == case), "alpha") for case in ("L2, n = 4", "L1, n = 6")
    )
    drawn = dict(zip(series_colours(2), (squares, distance), strict=True))
    always = [max(r["epsilon"] for r in lines if r["exact"] == 1) for lines in drawn.values()]
    said = (f"4 people: always 2\nup to epsilon {always[0]:.2f}", "6 people:\nalways 3")
    panel = Panel(
        title="",
        x=epsilon_scale(),
        y=plain_scale(0, 1.12, (0, 0.25, 0.5, 0.75, 1), "chance of that number, at least", "{:.0%}"),
        lines=[named_line(lines, "epsilon", colour) for colour, lines in drawn.items()],
        words=[
            Words(words, jump, 1, colour, -1, "start") for words, jump, colour in zip(said, always, drawn, strict=True)
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
        GM: Name("usual (GM)"),
        WM: Name("weakly honest (WM)"),
        WM_COLUMNS: Name("and monotone"),
        EM: Name("fair (EM)"),
        UM: Name("a guess (UM)"),
    }
    panel = Panel(
        title="",
        x=plain_scale(2, 25, (2, 8, 14, 20, 25), "people in a group"),
        y=plain_scale(0.92, 2.25, (1, 1.5, 2), "times a blind guess"),
        lines=[named_line(_of(mine, name), "n", colour_of(name), said) for name, said in names.items()],
    )
    return alone(
        panel, "Usual noise is right most often, fair noise beats a guess",
        "how often a number is right; every true count equally likely; epsilon 0.1",
    )  # fmt: skip


def combinations(rows: Sequence[Row], alpha: Fraction) -> Drawn:
    """How often a number is right under weak honesty with more properties, over group size; `sets` says which line."""
    names = {WM: "a row property or none", WM_COLUMNS: "a column property", EM: "fair (EM)"}
    sizes = sorted({row["n"] for row in rows})
    drawn = {name: [as_often_as_a_guess(row) for row in rows if row["sets"] == name] for name in names}
    drawn[UM] = [{"n": n, "exact": 1.0} for n in sizes]
    panel = Panel(
        title="",
        x=plain_scale(sizes[0], sizes[-1], (2, 6, 10, 14), "people in a group"),
        y=plain_scale(0.85, 3, (1, 2, 3), "times a blind guess"),
        lines=[
            named_line(lines, "n", colour_of(name), Name({**names, UM: "a guess (UM)"}[name]))
            for name, lines in drawn.items()
        ],
    )
    return alone(
        panel, "Fairness costs the most, row properties nothing",
        f"how often a number is right; all are weakly honest; epsilon {epsilon_of(float(alpha))}",
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
        panels, "On census data, fair noise is wrong less often",
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
    return alone(panel, "Where answers are mixed, the usual noise errs most", _STRONG)


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
