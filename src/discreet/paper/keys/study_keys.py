"""The key pictures of the studies beyond the paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from discreet.paper.contestants import EM, WM, WM_COLUMNS
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
)
from discreet.show.colours import INK
from discreet.show.pictures.sheets.sheet_page import Drawn
from discreet.show.pictures.sheets.sheet_parts import Name, Panel, Scale, Words

_, _OTHER = series_colours(2)
"""The colour of the one line beside methods that is none; it is far from theirs."""


def coin_toss(lines: Mapping[Fraction, Sequence[Row]], largest: int) -> Drawn:
    """How often the weakly honest mechanism answers by the usual noise, over group size: a line for each alpha."""
    said = [f"epsilon {epsilon_of(float(alpha))}" for alpha in lines]
    names = (Name(said[0], 6.8, -1, "start"), Name(said[1], 13.8, -1, "start"), Name(said[2], 25))
    colours = series_colours(len(said))[::-1]  # the most private first, as in the other pictures
    drawn = [
        named_line(rows, "n", colour, name) for rows, colour, name in zip(lines.values(), colours, names, strict=True)
    ]
    n, share = next(point for point in drawn[1].points if point[0] >= GROUP)
    panel = Panel(
        title="",
        x=plain_scale(2, largest, (2, 8, 15, 20, 25, 30), "people in a group"),
        y=plain_scale(0, 1.12, (0, 0.25, 0.5, 0.75, 1), "usual noise answers", "{:.0%}"),
        lines=drawn,
        words=[
            Words(f"{n:g} people: {share:.0%}", n, share, colours[1], -1, "start"),
            Words("always the usual noise", 30, 1.06, INK, 0, "end"),
        ],
    )
    return alone(
        panel, "The weakly honest mechanism tosses a coin: usual or fair",
        "by chance the usual noise (GM) answers, or else the fair one (EM)",
    )  # fmt: skip


def columns(rows: Sequence[Row]) -> Drawn:
    """How many more numbers are wrong with a column property than with the usual noise, over group size.

    The excess is n times a difference of L0, which is (n+1)/n times the share of wrong numbers.
    """
    alphas = ("9/10", "3/4", "3/5")
    colours = dict(zip(alphas, series_colours(len(alphas)), strict=True))
    mine = [{**row, "exact": row["excess"] / (row["n"] + 1)} for row in rows]
    panel = Panel(
        title="",
        x=plain_scale(2, max(row["n"] for row in mine), (2, 10, 20, 30, 40), "people in a group"),
        y=plain_scale(0, 0.03, (0, 0.01, 0.02, 0.03), "more wrong numbers", "{:.0%}"),
        lines=[
            named_line(
                [row for row in mine if row["alpha"] == alpha], "n", colour,
                Name(f"epsilon {epsilon_of(float(Fraction(alpha)))}"),
            )
            for alpha, colour in colours.items()
        ],
    )  # fmt: skip
    return alone(
        panel, "A column property adds at most 3 wrong numbers in 100",
        "beside the usual noise; all true counts equally likely",
    )  # fmt: skip


def losses(rows: Sequence[Row], n: int) -> Drawn:
    """What properties add to the least error, over epsilon, for the mean distance and its square."""
    drawn = {
        "RM CM F": ("all seven", colour_of(EM)),
        "WH": ("weakly honest", colour_of(WM)),
        "RH": ("row honest", _OTHER),
    }

    def panel(loss: str, title: str, *, named: bool) -> Panel:
        lines = []
        for asked, (said, colour) in drawn.items():
            mine = [
                {**r, "exact": r["premium"]} for r in rows if (r["loss"], r["n"], r["properties"]) == (loss, n, asked)
            ]
            lines.append(
                named_line(over_epsilon(mine, "alpha_value"), "epsilon", colour, Name(said) if named else None)
            )
        y = plain_scale(0, 1, (0, 0.25, 0.5, 0.75, 1), "added error", "{:.0%}")
        return Panel(title=title, x=epsilon_scale(), y=y, lines=lines)

    return several(
        [panel("L1", "mean distance (L1)", named=False), panel("L2", "mean squared distance (L2)", named=True)],
        "With strong privacy most properties add much error",
        f"the best design with a property, beside the best without any; groups of {n}",
    )  # fmt: skip


def fair_beside_best(rows: Sequence[Row], sizes: tuple[int, int]) -> Drawn:
    """How much more the fair mechanism errs than the best with its properties, over epsilon, for two group sizes."""
    small, large = sizes
    of_small, of_large = series_colours(2)
    drawn = {
        large: (of_large, Name(f"groups of {large}", 0.45, 1, "end")),
        small: (of_small, Name(f"groups of {small}", 0.45, -1, "start")),
    }
    panels = []
    for loss, title, high in (("L1", "mean distance (L1)", 0.4), ("L2", "mean squared distance (L2)", 1.0)):
        lines = []
        for n, (colour, name) in drawn.items():
            mine = [
                {**r, "exact": r["EM_over_this"]}
                for r in rows
                if (r["loss"], r["n"], r["properties"]) == (loss, n, "RM CM F")
            ]
            lines.append(named_line(over_epsilon(mine, "alpha_value"), "epsilon", colour, name))
        y = plain_scale(0, high, (0, high / 4, high / 2, 0.75 * high, high), "more error", "{:.0%}")
        panels.append(Panel(title=title, x=epsilon_scale(), y=y, lines=lines))
    return several(
        panels, "With strong privacy fair noise is nearly the best",
        "its error, beside that of the best fair and monotone noise",
    )  # fmt: skip


def output_dp(rows: Sequence[Row]) -> Drawn:
    """What evenness of neighbouring numbers costs, and what it buys, in groups of 8 at epsilon 0.1."""
    mine = [row for row in rows if (row["alpha"], row["n"]) == ("10/11", GROUP)]
    drawn = {
        "none": (_OTHER, Name("no other property", 0.48, 1, "start")),
        "WH": (colour_of(WM), Name("and weakly honest", 0.3, 1)),
        "RM CM": (colour_of(WM_COLUMNS), Name("and monotone", 0.3, -1)),
    }
    x = Scale(low=0, high=1, ticks={0: "not", 0.5: "half", 1: "fully"}, title="how even chances must be")

    def panel(title: str, y: Scale, told: Callable[[Row], Row]) -> Panel:
        return Panel(title=title, x=x, y=y, lines=[
            named_line([told(r) for r in mine if r["properties"] == asked], "beta", colour, name)
            for asked, (colour, name) in drawn.items()
        ])  # fmt: skip

    often = plain_scale(0.98, 1.4, (1, 1.1, 1.2, 1.3, 1.4), "times a blind guess")
    times = plain_scale(0, 10.5, (1, 5, 10), "times the truth")
    return several(
        [
            panel("how often a number is right", often, as_often_as_a_guess),
            panel(
                "the likeliest wrong number", times, lambda r: {**r, "exact": r["spikiness"]}
            ),
        ],
        "Even chances curb the likeliest error, and end in a guess",
        f"even: numbers next to each other are equally likely; groups of {GROUP}, epsilon 0.1",
    )  # fmt: skip


def ranges(
    rows: Sequence[Row], p: float, lines: Mapping[str, tuple[str, Name]], title: str, line: str, *words: Words
) -> Drawn:
    """The error of a sum over cells, by their number, at epsilon 1: ways to answer, or kinds of noise."""
    mine = [r for r in rows if (r["p"], r["epsilon"]) == (p, 1)]
    most = max(r["exact"] for r in mine if r["method"] in lines)
    panel = Panel(
        title="",
        x=plain_scale(1, 16, (1, 4, 8, 12, 16), "cells in the range"),
        y=plain_scale(0, 1.04 * most, range(0, int(most) + 1, 10 if most > 20 else 5), "typical error, in people"),
        lines=[
            named_line([r for r in mine if r["method"] == method], "length", colour, name)
            for method, (colour, name) in lines.items()
        ],
        words=words,
    )
    return alone(panel, title, f"{line}; cells of 5 people, such as age bands; epsilon 1")


def joint(rows: Sequence[Row], names: Mapping[str, tuple[str, Name]]) -> Drawn:
    """What one mechanism for a whole histogram gains, for the largest histogram of the study."""
    cells, n = max((r["cells"], r["n"]) for r in rows)
    mine = [{**r, "exact": r["gain"]} for r in rows if (r["cells"], r["n"], r["epsilon"]) == (cells, n, 1)]
    panel = Panel(
        title="",
        x=Scale(
            low=1 / 6, high=1, ticks={1 / 6: "like any sum", 1: "nothing else does"}, title="how much the total matters"
        ),
        y=plain_scale(0, 0.46, (0, 0.2, 0.4), "error that is saved", "{:.0%}"),
        lines=[
            named_line([r for r in mine if r["loss"] == loss], "whole", colour, name)
            for loss, (colour, name) in names.items()
        ],
    )  # fmt: skip
    return alone(
        panel, "Noise for the whole table helps most if only the total matters",
        f"beside the best noise for each cell by itself; {cells} cells of {n} people; epsilon 1",
    )  # fmt: skip


def gain(rows: Sequence[Row], n: int) -> Drawn:
    """What a design that knows the chance of a yes saves, over that chance: a line for each epsilon."""
    studied = (0.1, 0.5, 1.0, 2.0)
    colours = dict(zip(studied, series_colours(len(studied)), strict=True))
    mine = [{**r, "exact": r["gain"]} for r in rows if (r["measure"], r["n"]) == ("RMSE", n)]
    epsilons = sorted({r["epsilon"] for r in mine} & set(colours))  # a quick run has fewer
    panel = Panel(
        title="",
        x=plain_scale(0.05, 0.5, (0.1, 0.2, 0.3, 0.4, 0.5), "chance of a yes"),
        y=plain_scale(0, 1, (0, 0.25, 0.5, 0.75, 1), "error that is saved", "{:.0%}"),
        lines=[
            named_line([r for r in mine if r["epsilon"] == each], "p", colours[each], Name(f"epsilon {each:g}"))
            for each in epsilons
        ],
    )
    return alone(
        panel, "Knowing the data helps most with strong privacy",
        f"typical error, beside the best of five that do not know them; groups of {n}",
    )  # fmt: skip


def wrong_prior(rows: Sequence[Row], n: int, epsilon: float) -> Drawn:
    """How much larger the error is for a design that took another chance of a yes than that of the data."""
    names = {0.1: Name("designed for 0.1"), 0.3: Name("for 0.3"), 0.5: Name("for 0.5")}
    colours = series_colours(len(names))
    panel = Panel(
        title="",
        x=plain_scale(0.1, 0.9, (0.1, 0.3, 0.5, 0.7, 0.9), "chance of a yes in the data"),
        y=plain_scale(0, 7.6, (1, 3, 5, 7), "times the least error"),
        lines=[
            named_line(
                [
                    {**r, "exact": 1 + r["over_best"]}
                    for r in rows
                    if (r["measure"], r["designed_for"]) == ("RMSE", designed)
                ],
                "p",
                colour,
                name,
            )
            for (designed, name), colour in zip(names.items(), colours, strict=True)
        ],
    )
    return alone(
        panel, "A design for the wrong data may err seven times as much",
        f"typical error, beside the design that knows the data; groups of {n}, epsilon {epsilon:g}",
    )  # fmt: skip
