"""The key pictures of the studies beyond the paper that have lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from discreet.paper.keys.key_parts import GROUP, alone, named_line
from discreet.paper.panels import Row, epsilon_of, plain_scale, series_colours
from discreet.show.pictures.sheets.sheet_page import Drawn
from discreet.show.pictures.sheets.sheet_parts import Name, Note, Panel, Words


def coin_toss(lines: Mapping[str, Sequence[Row]], largest: int) -> Drawn:
    """How often the weakly honest mechanism answers by the usual noise, over group size: a line
    for each epsilon.
    """
    names = dict(
        zip(lines, ((6.3, -1, "start"), (11.5, -1, "start"), (25, 1, "middle")), strict=True)
    )
    first, second, third = series_colours(3)
    colours = (second, first, third)  # the one in the middle is read closely
    drawn = [
        named_line(rows, "n", colour, Name(f"epsilon {epsilon}", *names[epsilon]))
        for (epsilon, rows), colour in zip(lines.items(), colours, strict=True)
    ]
    middle = dict(drawn[1].points)
    whole = min(n for n, share in middle.items() if share == 1)
    panel = Panel(
        title="",
        x=plain_scale(2, largest, (2, 8, 15, 20, 25, 30), "people in a group"),
        y=plain_scale(0, 1.02, (0, 0.5, 1), "share of the usual noise (GM)", "{:.0%}"),
        lines=drawn,
        words=[
            Words(f"{GROUP} people: {middle[GROUP]:.0%}", GROUP, middle[GROUP], first, -1, "start")
        ],
        notes=[
            Note(
                f"from {whole:g} people on it is\nthe usual noise itself",
                whole + 5,
                0.66,
                (whole, 1),
                "middle",
                (whole + 4.5, 0.66),
            )
        ],
    )
    return alone(
        panel,
        "Weak honesty becomes the usual noise as groups grow",
        "the weakly honest mechanism (WM) tosses a coin: usual noise, or else fair noise (EM)",
    )


def columns(rows: Sequence[Row]) -> Drawn:
    """How many more numbers are wrong with a column property than with the usual noise, over group
    size.

    The excess is n times a difference of L0, which is (n+1)/n times the share of wrong numbers.
    """
    alphas = ("3/4", "9/10", "3/5")
    colours = dict(zip(alphas, series_colours(len(alphas)), strict=True))
    mine = [{**row, "exact": row["excess"] / (row["n"] + 1)} for row in rows]
    most = max((row for row in mine if row["alpha"] in alphas), key=lambda row: row["exact"])
    said = [f"{float(Fraction(a)):g}" for a in sorted(alphas, key=Fraction)]
    told = [epsilon_of(float(a)) for a in said]
    panel = Panel(
        title="",
        x=plain_scale(2, max(row["n"] for row in mine), (2, 10, 20, 30, 40), "people in a group"),
        y=plain_scale(
            0, 0.031, (0, 0.01, 0.02, 0.03), "more wrong numbers than with usual noise", "{:.0%}"
        ),
        lines=[
            named_line(
                [row for row in mine if row["alpha"] == alpha],
                "n",
                colour,
                Name(f"alpha {float(Fraction(alpha)):g}"),
            )
            for alpha, colour in colours.items()
        ],
        notes=[
            Note(
                f"the most: {100 * most['exact']:.1f} in 100,\nin groups of {most['n']}",
                17,
                0.0245,
                (most["n"], most["exact"]),
            )
        ],
    )
    return alone(
        panel,
        "A column property adds at most 3 wrong numbers in 100",
        f"alpha {', '.join(said)} (epsilon {', '.join(told)})",
    )


def ranges(
    rows: Sequence[Row],
    p: float,
    lines: Mapping[str, tuple[str, Name]],
    ends: Mapping[str, tuple[str, int]],
    tree: str,
) -> Drawn:
    """The error of a sum over cells, by their number, at epsilon 1; `ends` have their numbers,
    and `tree` a note.
    """
    mine = [r for r in rows if (r["p"], r["epsilon"]) == (p, 1)]
    most = max(r["exact"] for r in mine if r["method"] in lines)
    last = {r["method"]: (r["length"], r["exact"]) for r in sorted(mine, key=lambda r: r["length"])}
    panel = Panel(
        title="",
        x=plain_scale(1, 16, (1, 4, 8, 12, 16), "cells in the range"),
        y=plain_scale(0, 1.04 * most, range(0, int(most) + 1, 10), "typical error, in people"),
        lines=[
            named_line([r for r in mine if r["method"] == method], "length", colour, name)
            for method, (colour, name) in lines.items()
        ],
        words=[
            Words(f"{last[method][1]:{form}}", *last[method], lines[method][0], side, "end")
            for method, (form, side) in ends.items()
        ],
        notes=[Note("16 cells are\none block", 13, 7.9, last[tree], phone=(12, 8))],
    )
    return alone(
        panel,
        "For a sum over many cells, add up the cells",
        "half say yes; cells of 5 people, such as age bands; epsilon 1",
    )


def wrong_prior(rows: Sequence[Row], n: int, epsilon: float) -> Drawn:
    """How much larger the error is for a design that took another chance of a yes than that of
    the data.
    """
    names = {
        0.1: Name("designed for 0.1", brief="for 0.1"),
        0.3: Name("for 0.3"),
        0.5: Name("for 0.5"),
    }
    colours = series_colours(len(names))
    lines = [
        named_line(
            [
                {**r, "exact": 1 + r["over_best"]}
                for r in rows
                if (r["measure"], r["designed_for"]) == ("RMSE", each)
            ],
            "p",
            colour,
            name,
        )
        for (each, name), colour in zip(names.items(), colours, strict=True)
    ]
    panel = Panel(
        title="",
        x=plain_scale(0.1, 0.9, (0.1, 0.3, 0.5, 0.7, 0.9), "chance of a yes in the data"),
        y=plain_scale(0, 7.6, (1, 3, 5, 7), "typical error, times the least possible", "{:g}×"),
        lines=lines,
        notes=[
            Note(
                "made for 1 yes in 10,\nused where 9 say yes",
                0.56,
                5.7,
                lines[0].points[-1],
                "middle",
                (0.42, 5.7),
            ),
            Note("each is best where\nit was made for", 0.28, 3.7, (0.3, 1), "middle"),
        ],
    )
    return alone(
        panel,
        "A design for the wrong data may err seven times as much",
        f"three designs for groups of {n}; epsilon {epsilon:g}",
    )
