"""The picture at the head of docs/epsilon.md: how sure a reader becomes of one answer, as dots of a hundred."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tools.drawing import LINES, PAGE, PAGE_LEFT, QUIET, heading, svg, text
from tools.people import FOUND, fills

BEFORE = ("#c3ccd4", "#4d5963")
"""Of what a reader thought before."""
LEARNT = ("#2b6cb0", "#79b4ea")
"""Of what the release adds at most; from epsilon 3 on, where it protects little, that is red."""
SHOWN = ("0.5", "1", "2", "3")
_A_ROW = 10


def belief(whole: int, sure: Callable[[Fraction], float]) -> str:
    """A hundred dots for each epsilon, as many of them full as the reader is sure in percent."""
    page = whole == PAGE
    left, size = (PAGE_LEFT, LINES[True]) if page else (8.0, LINES[False])
    most = f"from 50% to about {sure(Fraction(1)):.0%} at epsilon 1"
    told = ["about how sure of your answer somebody can", "become, at most, who knows all others"]
    title = f"What one release may add: {most}" if page else most.capitalize()
    told = [" ".join(told)] if page else told
    parts = heading(title, *told, left=left)
    step, across = (10.4, 5) if page else (9.6, 3)
    wide = _A_ROW * step
    gap = (whole - left - (26 if page else 8) - across * wide) / (across - 1)
    for k, epsilon in enumerate((None, *SHOWN)):
        percent = round(100 * sure(Fraction(epsilon))) if epsilon else 50
        row, column = divmod(k, across)
        x, y = left + column * (wide + gap), (76 if page else 92) + row * (wide + 82)
        strong = FOUND if epsilon == "3" else LEARNT
        ink = QUIET if epsilon is None else strong[0]
        little = strong is FOUND and epsilon is not None
        parts += [
            text(x, y + 8, f"{percent}%", size=26, bold=True, fill=ink),
            *(_dot(x, y + 24, step, place, percent, strong) for place in range(100)),
            text(x, y + wide + 44, f"epsilon {epsilon}" if epsilon else "before", size=size, bold=epsilon == "1"),
            *([text(x, y + wide + 62, "protects little", size=size, fill=ink)] if little else []),
        ]
    bottom = (76 if page else 92) + (1 if page else 2) * (wide + 82) - 8
    return svg(bottom, parts, wide=whole)


def _dot(x: float, y: float, step: float, place: int, percent: int, strong: tuple[str, str]) -> str:
    """A dot of the hundred, which are filled row by row from below."""
    row, column = divmod(place, _A_ROW)
    cx, cy = x + (column + 0.5) * step, y + (_A_ROW - row - 0.5) * step
    look = fills(BEFORE if place < 50 else strong) if place < percent else 'fill="none" stroke="#c9ced3"'
    return f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{0.38 * step:.2f}" {look}/>'
