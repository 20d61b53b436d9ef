"""The pictures of docs/epsilon.md and of the home page: `python -m tools.epsilon_pictures [docs]`.

All chances are those of the library's own matrices.
"""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from math import exp
from pathlib import Path

from discreet.core.named import fair, geometric
from discreet.show.colours import mechanism_colour
from tools.drawing import FIRST, GRID, INK, PAGE, PAGE_LEFT, SECOND, THIRD, WIDE, bars, heading, line, svg, text

N = 8
MEANINGS = {
    "0.1": "your answer hardly shows",
    "0.5": "it shows a little",
    "1": "it shows somewhat",
    "3": "it nearly shows",
}
MONTHLY = {"0.01": (FIRST, ""), "0.1": (SECOND, "6 3"), "1": (THIRD, "2 2")}
STRONG = "1/4"
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
        f"epsilon {epsilon}",
        [MEANINGS[epsilon]],
        [_percent(m.column(3)), _percent(m.column(4))],
        [THIRD, FIRST],
        most=1,
        across="published number",
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
    """How sure anybody can become from monthly releases, over ten years, in a picture so many pixels wide."""
    told = ["monthly releases: how sure anybody can become", "of one answer, from 50% before"]
    told = told if whole == WIDE else [" ".join(told)]
    start = 8 if whole == WIDE else PAGE_LEFT
    left, top, high = start + 36, 70 + 17 * len(told), 190
    wide = whole - left - 16
    parts = heading("Small epsilons add up over ten years", *told, left=start)
    for share in (50, 75, 100):
        y = top + high * (100 - share) / 50
        parts += [
            line([(left, y), (left + wide, y)], stroke=GRID, width=1),
            text(left - 6, y + 5, f"{share}%", at="end"),
        ]
    for year in range(0, 11, 2):
        parts.append(text(left + wide * year / 10, top + high + 18, str(year), at="middle"))
    parts.append(text(left + wide / 2, top + high + 36, "years", at="middle"))
    for monthly, (colour, dash) in MONTHLY.items():
        points = [
            (left + wide * month / 120, top + high * (1 - surest(Fraction(monthly) * month)) / 0.5)
            for month in range(121)
        ]
        parts.append(line(points, stroke=colour, dash=dash, width=2.5))
    places = {"0.01": (0.55, 0.76, "0.01 a month"), "0.1": (0.36, 0.1, "0.1 a month"), "1": (0.62, -0.125, "1 a month")}
    for monthly, (x, y, words) in places.items():
        parts.append(text(left + wide * x, top + high * y + 14, words, fill=MONTHLY[monthly][0], bold=True))
    parts.append(line([(left, top + high), (left + wide, top + high)], stroke=INK, width=1))
    return svg(top + high + 46, parts, wide=whole)


def answers() -> dict[str, str]:
    """Four of eight said yes: what the usual method, GM, publishes, and what the best fair mechanism does."""
    usual, best = geometric(n=N, epsilon=STRONG).column(4), fair(n=N, epsilon=STRONG).column(4)
    ends = float(usual[0] + usual[N])
    return {
        "home-usual": bars(
            "The usual method (GM)",
            [
                f"epsilon {float(Fraction(STRONG)):g}: publishes 0 or 8 in {ends:.1%}",
                f"of all cases, and the truth in {float(usual[4]):.1%}",
            ],
            [_percent(usual)],
            [mechanism_colour("GM")],
            truth=4,
            most=0.25,
            across="published number",
        ),
        "home-fair": bars(
            "With fairness asked for (EM)",
            [f"epsilon {float(Fraction(STRONG)):g}: the truth is the likeliest", f"number, with {float(best[4]):.1%}"],
            [_percent(best)],
            [mechanism_colour("EM")],
            truth=4,
            most=0.25,
            across="published number",
        ),
    }


def pictures() -> dict[str, str]:
    """Every picture by its name."""
    worlds = {f"epsilon-{epsilon.replace('.', '')}": two_worlds(epsilon) for epsilon in MEANINGS}
    return {**worlds, "epsilon-years": years(PAGE), "epsilon-years-narrow": years(WIDE), **answers()}


if __name__ == "__main__":
    docs = Path(sys.argv[1] if len(sys.argv) > 1 else "docs")
    for name, drawn in pictures().items():
        (docs / "images" / f"{name}.svg").write_text(drawn, encoding="utf-8")
    (docs / "figures" / "worlds-numbers.js").write_text(script(), encoding="utf-8")
