"""Figure 5 drawn as the flowchart it is: four questions, four answers, as plain SVG.

Beside each answer stands what was computed for it: how many of the 128 sets of properties lead there, and its cost.
"""

from __future__ import annotations

from collections.abc import Mapping

from discreet.show.colours import mechanism_colour
from discreet.show.html import element

_WIDE, _HIGH = 700, 552
_FONT = "Arial, Helvetica, Liberation Sans, DejaVu Sans, sans-serif"
_INK, _QUESTION = "#1a1a1a", "#e8f3e8"

Place = tuple[float, float, tuple[str, ...]]

QUESTIONS: dict[str, Place] = {
    "fairness": (350, 110, ("Want", "fairness?")),
    "columns": (470, 235, ("Want a column", "property?")),
    "size": (300, 345, ("Is n at least", "2a/(1-a)?")),
    "honesty": (420, 450, ("Want weak", "honesty?")),
}
"""Where the middle of each question stands, and its words."""

ANSWERS: dict[str, Place] = {
    "EM": (130, 195, ("EM, the fair mechanism",)),
    "WH+CM": (590, 345, ("best with", "WH and CM")),
    "GM": (130, 450, ("GM, the geometric", "mechanism")),
    "WM": (590, 515, ("WM, best with WH",)),
}
ARROWS = (
    ("fairness", "EM", "yes"),
    ("fairness", "columns", "no"),
    ("columns", "WH+CM", "yes"),
    ("columns", "size", "no"),
    ("size", "GM", "yes"),
    ("size", "honesty", "no"),
    ("honesty", "GM", "no"),
    ("honesty", "WM", "yes"),
)
_HALF_WIDE, _HALF_HIGH = 88, 44
_BOX_WIDE = 186


def flowchart(facts: Mapping[str, str], title: str, below: str) -> str:
    """Draw the flowchart; `facts` is a line of words for each answer.

    >>> flowchart({"EM": "64 sets"}, "Figure 5", "").count("<polygon")
    12
    """
    parts = [_text(16, 28, title, size=17, bold=True, at="start"), _text(16, 48, below, at="start")]
    parts += [_arrow(*arrow) for arrow in ARROWS]
    for x, y, words in QUESTIONS.values():
        corners = ((x - _HALF_WIDE, y), (x, y - _HALF_HIGH), (x + _HALF_WIDE, y), (x, y + _HALF_HIGH))
        parts.append(f'<polygon points="{_points(corners)}" fill="{_QUESTION}" stroke="{_INK}"/>')
        parts += _lines(x, y, words)
    for name, (x, y, words) in ANSWERS.items():
        lines = (*words, facts[name]) if name in facts else words
        high = 18 * len(lines) + 14
        colour = mechanism_colour(name)
        parts.append(
            f'<rect x="{x - _BOX_WIDE / 2:g}" y="{y - high / 2:g}" width="{_BOX_WIDE}" height="{high}" rx="8" '
            f'fill="#ffffff" stroke="{colour}" stroke-width="3"/>'
        )
        parts += _lines(x, y, lines)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {_HIGH}" width="{_WIDE}" height="{_HIGH}" '
        f'font-family="{_FONT}">'
    )
    return "\n".join([head, f'<rect width="{_WIDE}" height="{_HIGH}" fill="#ffffff"/>', *parts, "</svg>", ""])


def _lines(x: float, y: float, words: tuple[str, ...]) -> list[str]:
    first = y - 9 * (len(words) - 1) + 5
    return [_text(x, first + 18 * k, line) for k, line in enumerate(words)]


def _text(x: float, y: float, words: str, *, size: int = 13, bold: bool = False, at: str = "middle") -> str:
    look = {"font_size": str(size), "text_anchor": at, "font_weight": "600" if bold else "", "fill": _INK}
    return element("text", words, x=f"{x:g}", y=f"{y:g}", **look)


def _points(corners: tuple[tuple[float, float], ...]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in corners)


def _arrow(source: str, target: str, words: str) -> str:
    """An arrow from a question: sideways out of its corner, then straight down to what comes next."""
    x, y, _ = QUESTIONS[source]
    to_x, to_y, lines = QUESTIONS.get(target) or ANSWERS[target]
    right = to_x > x
    start = x + (_HALF_WIDE if right else -_HALF_WIDE)
    top = to_y - (_HALF_HIGH if target in QUESTIONS else 9 * (len(lines) + 1) + 7)
    if top <= y:  # an answer beside the question
        end = to_x + (-_BOX_WIDE if right else _BOX_WIDE) / 2
        path, tip = (
            f"M{start:g} {y:g}H{end:g}",
            ((end, y), (end + (-9 if right else 9), y - 5), (end + (-9 if right else 9), y + 5)),
        )
    else:
        path, tip = f"M{start:g} {y:g}H{to_x:g}V{top:g}", ((to_x, top), (to_x - 5, top - 9), (to_x + 5, top - 9))
    label = _text(start + (22 if right else -22), y - 7, words)
    return (
        f'<path d="{path}" fill="none" stroke="{_INK}" stroke-width="1.5"/>'
        f'<polygon points="{_points(tip)}" fill="{_INK}"/>{label}'
    )
