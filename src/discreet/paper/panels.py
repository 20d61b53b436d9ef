"""What the paper's pictures are made of: lines in the colours of the methods, and axes in everyday
words.

Lines are exact numbers. Simulated ones stay in the data files; the verdicts say how far they are
off.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import log
from typing import Any

from discreet.paper.contestants import ORDER, WM, WM_COLUMNS
from discreet.show.colours import INK, OTHERS, Look, between, looks
from discreet.show.pictures.sheets.sheet_parts import Line, Name, Scale

Row = dict[str, Any]


def colour_of(name: str) -> str:
    """The one colour of a method of the experiments: of the two weakly honest ones the second is
    far darker.

    By night, when light and dark are exchanged, it is far lighter.
    """
    colours = {each: look.colour for each, look in zip(ORDER, looks(ORDER), strict=True)}
    return between(colours[WM], INK, 0.54) if name == WM_COLUMNS else colours[name]


def series_colours(count: int) -> tuple[str, ...]:
    """The colours of so many lines that are no method: epsilons, group sizes, designs for different
    data.

    Green is left out, which means the one design of a picture, and crimson, which is much like fair
    noise by night.
    """
    return OTHERS[2 : count + 2]


def tint_of(name: str) -> str:
    """What fills the area in which a method is the better one: its colour, very pale."""
    return between("#ffffff", colour_of(name), 0.2)


def drawn_line(
    rows: Iterable[Row], x: str, look: Look, *, width: float = 2.5, name: Name | None = None
) -> Line:
    """One line, from rows with `exact`."""
    mine = sorted(rows, key=lambda row: row[x])
    return Line(points=[(row[x], row["exact"]) for row in mine], look=look, width=width, name=name)


def as_often_as_a_guess(row: Row) -> Row:
    """The row with how often a number is right, in times of a blind guess: all true counts are
    equally likely.

    A guess is right with chance 1/(n+1), and L0 is the share of wrong numbers times (n+1)/n: 1 + n
    (1 - L0) times.

    >>> as_often_as_a_guess({"n": 8, "exact": 0.95})["exact"]
    1.4
    """
    return {**row, "exact": round(1 + row["n"] * (1 - row["exact"]), 12)}


def plain_scale(
    low: float, high: float, ticks: Sequence[float], title: str = "", form: str = "{:g}"
) -> Scale:
    """A scale with these ticks, each as `form` writes it."""
    return Scale(low=low, high=high, ticks={tick: form.format(tick) for tick in ticks}, title=title)


def said_alpha(alpha: Fraction | str) -> str:
    """The paper's alpha, as it prints it, and the epsilon that it is.

    >>> said_alpha(Fraction(9, 10)), said_alpha("10/11")
    ('alpha 0.9 (epsilon 0.11)', 'alpha 10/11 (epsilon 0.1)')
    """
    written, epsilon = _written(alpha)
    return f"alpha {written} (epsilon {epsilon})"


ALPHA_HEAD = "alpha (epsilon)"
"""The head of a column of a table that holds alphas."""


def alpha_cell(alpha: Fraction | str | float) -> str:
    """The same in a column of a table.

    >>> alpha_cell(0.91), alpha_cell("2/3")
    ('0.91 (0.09)', '2/3 (0.41)')
    """
    written, epsilon = _written(str(alpha))
    return f"{written} ({epsilon})"


def _written(alpha: Fraction | str) -> tuple[str, str]:
    exact = Fraction(alpha)
    return f"{float(exact):g}" if 100 % exact.denominator == 0 else str(exact), epsilon_of(
        float(exact)
    )


def epsilon_of(alpha: float) -> str:
    """The epsilon of an alpha, rounded: alpha = exp(-epsilon).

    >>> epsilon_of(0.9), epsilon_of(0.995)
    ('0.11', '0.005')
    """
    epsilon = -log(alpha) if alpha < 1 else 0.0
    return f"{epsilon:.2g}" if epsilon < 0.0095 else f"{epsilon:.2f}".rstrip("0").rstrip(".")
