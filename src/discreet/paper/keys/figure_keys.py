"""The key pictures of the paper's figures that have lines: 8 to 13."""

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
    plain_scale,
    said_alpha,
    tint_of,
)
from discreet.show.pictures.sheets.sheet_page import AXIS_INK, Drawn
from discreet.show.pictures.sheets.sheet_parts import Name, Note, Panel, Scale, Words

_YES = Scale(
    low=0,
    high=1,
    ticks={0: "nobody", 0.25: "1 in 4", 0.5: "half", 0.75: "3 in 4", 1: "all"},
    title="how many people say yes",
)
_SHADES = (tint_of(GM), tint_of(EM))
"""Between the usual line and the fair one: the colour of the one that is better there."""
_SIZES = plain_scale(2, 20, (2, 8, 14, 20), "people in a group")
_BESIDE_A_GUESS = "right, times as often as a blind guess"


def _of(rows: Sequence[Row], name: str) -> list[Row]:
    return [row for row in rows if row["mechanism"] == name]


def _at(rows: Sequence[Row], name: str, x: str, value: float) -> float:
    """The number of a method at one place."""
    return float(next(row["exact"] for row in _of(rows, name) if row[x] == value))


def scores(rows: Sequence[Row]) -> Drawn:
    """How often a number is right beside a blind guess, over group size, at alpha 10/11."""
    mine = [as_often_as_a_guess(row) for row in rows if row["alpha"] == "10/11"]
    names = {
        GM: Name("usual (GM)", brief="usual"),
        WM: Name("weakly honest (WM)", brief="weakly honest"),
        WM_COLUMNS: Name("weakly honest, monotone", brief="weak, monotone"),
        EM: Name("fair (EM)", brief="fair"),
        UM: Name("a guess (UM)", brief="a guess"),
    }
    met = min(row["n"] for row in _of(mine, WM) if row["exact"] == _at(mine, GM, "n", row["n"]))
    panel = Panel(
        title="",
        x=plain_scale(2, 25, (2, 8, 14, 20, 25), "people in a group"),
        y=plain_scale(0.9, 2.5, (1, 1.5, 2, 2.5), _BESIDE_A_GUESS, "{:g}×"),
        lines=[
            named_line(  # where two lines are one, the thin one is seen on the thick one
                _of(mine, name),
                "n",
                colour_of(name),
                said,
                dashed=name == WM_COLUMNS,
                width=6.5 if name == GM else 2.5,
            )
            for name, said in names.items()
        ],
        notes=[
            Note(
                f"from {met} people on,\nweak honesty is free",
                met - 8.5,
                2.05,
                (met, _at(mine, GM, "n", met)),
                wide=True,
            )
        ],
    )
    return alone(
        panel,
        "Usual noise is right most often, fair noise beats a guess",
        f"every true count equally likely; {said_alpha('10/11')}",
    )


def combinations(rows: Sequence[Row], alpha: Fraction) -> Drawn:
    """How often a number is right under weak honesty with more properties, over group size;
    `sets` says which line.
    """
    names = {WM: "row property or none", WM_COLUMNS: "column property", EM: "fair (EM)"}
    brief = {WM: "row or none", WM_COLUMNS: "column", EM: "fair", UM: "a guess"}
    sizes = sorted({row["n"] for row in rows})
    drawn = {
        name: [as_often_as_a_guess(row) for row in rows if row["sets"] == name] for name in names
    }
    drawn[UM] = [{"n": n, "exact": 1.0} for n in sizes]
    last = {
        name: max((row["n"], row["exact"]) for row in lines)[1] for name, lines in drawn.items()
    }
    panel = Panel(
        title="",
        x=plain_scale(sizes[0], sizes[-1], (2, 6, 10, 14), "people in a group"),
        y=plain_scale(0.85, 3.05, (1, 2, 3), _BESIDE_A_GUESS, "{:g}×"),
        lines=[
            named_line(
                lines,
                "n",
                colour_of(name),
                Name({**names, UM: "a guess (UM)"}[name], brief=brief[name]),
                dashed=name == WM_COLUMNS,
            )
            for name, lines in drawn.items()
        ],
        notes=[
            Note(
                f"fair: {last[EM]:.1f}× instead of {last[WM]:.1f}×",
                sizes[-1] - 2.6,
                1.5,
                (sizes[-1], last[EM]),
                wide=True,
            )
        ],
    )
    return alone(
        panel,
        "Fairness costs the most, row properties nothing",
        f"what is asked beside weak honesty; {said_alpha(alpha)}",
    )


def adult(rows: Sequence[Row], targets: Mapping[str, str]) -> Drawn:
    """How many numbers are wrong on the Adult data: usual and fair, a panel for each question."""
    panels = list[Panel]()
    for target, said in targets.items():
        mine = [row for row in rows if row["target"] == target and row["off"] == 0]
        values = {name: _at(mine, name, "n", GROUP) for name in (GM, EM)}
        panels.append(
            Panel(
                title=said,
                x=_SIZES,
                y=plain_scale(0.6, 1, (0.6, 0.8, 1), "wrong numbers", "{:.0%}"),
                lines=[named_line(_of(mine, name), "n", colour_of(name)) for name in (GM, EM)],
                words=[
                    Words(
                        f"{word} {values[name]:.0%}", GROUP, values[name], colour_of(name), side, at
                    )
                    for name, word, side, at in (
                        (GM, "usual", 1.9, "middle"),
                        (EM, "fair", -1, "start"),
                    )
                ]
                + [Words("axis from 60%", 20, 0.63, AXIS_INK, at="end")] * (not panels),
            )
        )
    return several(
        panels,
        "On census data, fair noise is wrong less often",
        f"three yes-or-no questions about the people of the Adult data; {said_alpha('9/10')}",
    )


def binomial(rows: Sequence[Row]) -> Drawn:
    """How many numbers are more than one off, over how many say yes: usual and fair, in groups
    of 8 at alpha 0.91.
    """
    mine = _at_strong(rows)
    panel = Panel(
        title="",
        x=_YES,
        y=plain_scale(0, 1, (0, 0.5, 1), "numbers more than one person off", "{:.0%}"),
        lines=[named_line(_of(mine, name), "p", colour_of(name)) for name in (GM, EM)],
        shades=_SHADES,
        words=_values(
            mine,
            "p",
            0.5,
            {GM: ("usual noise (GM): {:.0%}", 1), EM: ("fair noise (EM): {:.0%}", -1)},
        ),
        notes=[
            Note(
                "nearly all answer alike:\nusual noise misses less often",
                0.2,
                0.24,
                (0.03, 0.6),
                "middle",
            ),
        ],
    )
    return alone(panel, "Fair noise misses less often where answers are mixed", _STRONG)


def rmse(rows: Sequence[Row]) -> Drawn:
    """The typical error over how many say yes: usual, fair and a guess, in groups of 8 at alpha
    0.91.
    """
    mine = _at_strong(rows)
    panel = Panel(
        title="",
        x=_YES,
        y=plain_scale(0, 5, (0, 2.5, 5), "typical error, in people"),
        lines=[
            named_line(
                _of(mine, name),
                "p",
                colour_of(name),
                Name("a guess (UM)", 0.9, at="end", brief="a guess") if name == UM else None,
            )
            for name in (GM, EM, UM)
        ],
        shades=_SHADES,
        words=_values(
            mine,
            "p",
            0.5,
            {GM: ("usual noise (GM): {:.1f}", 1), EM: ("fair noise (EM): {:.1f}", -1)},
        ),
        notes=[
            Note(
                "even a blind guess\nerrs less in the middle",
                0.2,
                1.5,
                (0.2, _at(mine, UM, "p", 0.2)),
            ),
        ],
    )
    return alone(panel, "Where answers are mixed, the usual noise errs most", _STRONG)


def _values(
    rows: Sequence[Row], x: str, at: float, names: Mapping[str, tuple[Any, ...]]
) -> list[Words]:
    """Dots on lines with names and numbers: the words, above (1) or below (-1), and how they are
    set.
    """
    found = [(name, _at(rows, name, x, at), *said) for name, said in names.items()]
    return [
        Words(words.format(value), at, value, colour_of(name), *how)
        for name, value, words, *how in found
    ]


_STRONG = f"groups of {GROUP}; {said_alpha('91/100')}"


def _at_strong(rows: Sequence[Row]) -> list[Row]:
    """The rows of groups of 8 at alpha 0.91."""
    return [row for row in rows if row["alpha"] == 0.91 and row.get("n", GROUP) == GROUP]


def histograms(rows: Sequence[Row]) -> Drawn:
    """How many numbers are more than d off: usual and fair, where half say yes and where one in
    ten does.
    """
    said = {0.5: "half say yes", 0.1: "one in ten says yes"}
    panels = []
    for p, title in said.items():
        mine = [row for row in _at_strong(rows) if row["p"] == p and row["d"] < 7]
        beside = (
            {GM: (1, "start"), EM: (-1, "end")}
            if p == 0.5
            else {GM: (-1, "middle"), EM: (1, "start")}
        )
        panels.append(
            Panel(
                title=title,
                x=plain_scale(0, 6, range(7), "off by more than so many people"),
                y=plain_scale(0, 1, (0, 0.5, 1), "numbers that are so far off", "{:.0%}"),
                lines=[named_line(_of(mine, name), "d", colour_of(name)) for name in (GM, EM)],
                shades=_SHADES,
                words=_values(
                    mine,
                    "d",
                    2,
                    {GM: ("usual {:.0%}", *beside[GM]), EM: ("fair {:.0%}", *beside[EM])},
                ),
            )
        )
    return several(panels, "Where half say yes, fair noise stays nearer the truth", _STRONG)
