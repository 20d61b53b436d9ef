"""The pictures of docs/epsilon.md and of the home page: `python -m tools.epsilon_pictures [docs]`.

All chances are those of the library's own matrices.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import exp
from pathlib import Path

from tools.belief import belief
from tools.drawing import (
    BASE,
    GRID,
    LINES,
    NO,
    PAGE,
    PAGE_LEFT,
    PLAIN,
    WIDE,
    YES,
    bars,
    heading,
    line,
    svg,
    text,
)
from tools.people import fills

from discreet.core.named import geometric
from discreet.designer.single import design
from discreet.show.colours import mechanism_colour

N = 8
LITTLE, PINK = 0.95, fills(("#f8e3e1", "#4a2625"))
"""Somebody who was 50% sure and becomes surer than this has met little protection (`discreet.odds`); its colour."""
SHOWN = ("0.5", "3")
"""The values of epsilon that have a picture each: one that is advised, and one beyond."""
EXAMPLE = "0.1"
MONTHLY = {"1": PLAIN, "0.25": PLAIN, EXAMPLE: "#1f5fbf", "0.01": PLAIN}
"""The epsilons of the picture of years. The line that the page speaks of is in colour, and thicker."""
YEAR, MONTHS = 12, 24
TIMES = {0: "0", 6: "6", YEAR: "12 months", 18: "18", MONTHS: "24"}
BESIDE = {"1": -9, "0.25": 23, "0.1": 17, "0.01": -19}
"""How far below its mark the name of a line stands: where it has room."""
STRONG, TRUTH = "1/4", 1
SLIDER = (
    *(f"{k / 20:g}" for k in range(1, 21)), *(f"{k / 4:g}" for k in range(5, 9)), *(f"{k / 2:g}" for k in range(5, 11)),
)  # fmt: skip
"""The values of epsilon that the figure on the page can be moved through."""


def surest(epsilon: Fraction | float, before: float = 0.5) -> float:
    """How sure anybody can become of a person's answer who thought it had the chance `before`."""
    odds = before / (1 - before) * exp(epsilon)
    return odds / (1 + odds)


def _percent(row: tuple[Fraction, ...]) -> list[float]:
    return [float(chance) for chance in row]


def two_worlds(epsilon: str) -> str:
    """What is published about a group of 8 if your answer is no (3 said yes) and if it is yes (4 said yes)."""
    m = geometric(n=N, epsilon=epsilon)
    return bars(
        f"Epsilon {epsilon}: at most about {surest(Fraction(epsilon)):.0%} sure",
        "chance of each number, by your answer",
        [_percent(m.column(3)), _percent(m.column(4))],
        [NO, YES],
        names=["you said no", "you said yes"],
    )


def script() -> str:
    """The file docs/figures/worlds-numbers.js: both distributions at every epsilon of the slider, and the bound."""
    places = []
    for epsilon in SLIDER:
        m = geometric(n=N, epsilon=epsilon)
        no, yes = ([float(f"{float(chance):.6g}") for chance in m.column(j)] for j in (3, 4))
        places.append({"epsilon": epsilon, "bound": float(f"{exp(float(epsilon)):.6g}"), "no": no, "yes": yes})
    shown = {"start": SLIDER.index("1"), "places": places}
    return f"// Written by `python -m tools.epsilon_pictures`.\nwindow.WORLDS = {json.dumps(shown)};\n"


def years(whole: int) -> str:
    """How sure anybody can become from monthly releases, over two years, in a picture so many pixels wide."""
    start = 8 if whole == WIDE else PAGE_LEFT
    left, top, high = start + 42, 106 if whole == PAGE else 122, 240
    wide = whole - left - 16
    size = LINES[whole == PAGE]
    told = ["about how sure of your answer somebody can", "become, at most, who knows all others"]
    told = [" ".join(told)] if whole == PAGE else told
    parts = heading("Every month, a small epsilon adds up", *told, left=start)
    parts += [
        f'<rect x="{start}" y="{top - 46}" width="22" height="14" rx="2" {PINK}/>',
        text(start + 30, top - 34, "over 95%: little is protected", size=size),
    ]

    def at(month: float, sure: float) -> tuple[float, float]:
        return left + wide * month / MONTHS, top + high * (1 - sure) / 0.5

    band = high * (1 - LITTLE) / 0.5
    parts.append(f'<rect x="{left}" y="{top}" width="{wide}" height="{band:g}" {PINK}/>')
    for share in (50, 75, 95, 100):
        _, y = at(0, share / 100)
        parts += [
            line([(left, y), (left + wide, y)], stroke=GRID, width=1),
            text(left - 6, y + 5, f"{share}%", size=size, at="end"),
        ]
    for month, said in TIMES.items():
        side = "end" if month == MONTHS else "middle"
        x = left + wide if month == MONTHS else at(month, 0)[0]
        parts.append(text(x, top + high + 20, said, size=size, at=side, bold=month == YEAR))
    parts.append(line([at(YEAR, 1), at(YEAR, 0.5)], stroke=GRID, width=1))
    for monthly, colour in MONTHLY.items():
        # a step up with every release, and level until the next
        points = [at(k + late, surest(Fraction(monthly) * k)) for k in range(MONTHS) for late in (0, 1)]
        points.append(at(MONTHS, surest(Fraction(monthly) * MONTHS)))
        parts.append(line(points, stroke=colour, width=4 if monthly == EXAMPLE else 2))
        sure = surest(Fraction(monthly) * YEAR)
        x, y = at(YEAR, sure)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{colour}"/>')
        said = f"epsilon {monthly}: {'>99%' if sure > 0.99 else f'{sure:.0%}'}"
        parts.append(text(x + 9, y + BESIDE[monthly], said, size=size, fill=colour, bold=True))
    parts.append(line([(left, top + high), (left + wide, top + high)], stroke=BASE, width=1))
    return svg(top + high + 34, parts, wide=whole)


def answers() -> dict[str, str]:
    """One of eight said yes: what the usual noise, GM, publishes, and what `CM` does, which docs/choosing.md advises.

    `CM` is advised to whoever reads single numbers as they stand, from epsilon 1/4 to 0.7.
    """
    usual = geometric(n=N, epsilon=STRONG).column(TRUTH)
    advised = design(n=N, epsilon=STRONG, properties="CM").column(TRUTH)
    near = [[advised[k] for k in range(N + 1) if abs(k - TRUTH) == far] for far in range(N)]
    assert all(min(one) >= max(other) for one, other in pairwise(near))
    return {
        "home-usual": hundred_draws("The usual noise (GM)", usual, mechanism_colour("GM")),
        "home-advised": hundred_draws("No farther answer likelier (CM)", advised, mechanism_colour("")),
    }


def hundred_draws(title: str, chances: Sequence[Fraction], colour: str) -> str:
    """A hundred draws as dots above the numbers that they publish; where the truth is published they are full."""
    privacy = f"epsilon = {float(Fraction(STRONG)):g}"
    told = f"right in {float(chances[TRUTH]):.1%}, a wrong 0 in {float(chances[0]):.1%}; {privacy}"
    a_row, dot, step, foot = 4, 7.6, 37.2, 164.0
    parts = heading(title, told)
    for k, (chance, draws) in enumerate(zip(chances, of_hundred(chances), strict=True)):
        middle = 8 + (k + 0.5) * step
        for place in range(draws):
            x = middle + (place % a_row - (a_row - 1) / 2) * dot
            y = foot - (place // a_row + 0.5) * dot
            pale = "" if k == TRUTH else ' fill-opacity="0.5"'
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.1" fill="{colour}"{pale}/>')
        above = foot - -(-draws // a_row) * dot - 6
        parts.append(text(middle, above, f"{100 * float(chance):.1f}", at="middle", bold=k == TRUTH))
        parts.append(text(middle, foot + 18, str(k), at="middle", bold=k == TRUTH))
    parts.append(line([(8, foot + 2), (WIDE - 8, foot + 2)], stroke=BASE, width=1))
    parts.append(text(8 + (TRUTH + 0.5) * step, foot + 34, "truth", at="middle", bold=True))
    parts.append(text(8 + (N / 2 + 1.5) * step, foot + 34, "published number; a dot: 1 in 100", at="middle"))
    return svg(foot + 44, parts)


def of_hundred(chances: Sequence[Fraction]) -> list[int]:
    """A hundred draws shared out by these chances; what is left over goes to the largest rests."""
    whole = [int(100 * chance) for chance in chances]
    rests = sorted(range(len(whole)), key=lambda k: 100 * chances[k] - whole[k], reverse=True)
    for k in rests[: 100 - sum(whole)]:
        whole[k] += 1
    return whole


def pictures() -> dict[str, str]:
    """Every picture by its name."""
    worlds = {f"epsilon-{epsilon.replace('.', '')}": two_worlds(epsilon) for epsilon in SHOWN}
    sure = {"epsilon-sure": belief(PAGE, surest), "epsilon-sure-narrow": belief(WIDE, surest)}
    return {**worlds, **sure, "epsilon-years": years(PAGE), "epsilon-years-narrow": years(WIDE), **answers()}


if __name__ == "__main__":
    docs = Path(sys.argv[1] if len(sys.argv) > 1 else "docs")
    for name, drawn in pictures().items():
        (docs / "images" / f"{name}.svg").write_text(drawn, encoding="utf-8")
    (docs / "figures" / "worlds-numbers.js").write_text(script(), encoding="utf-8")
