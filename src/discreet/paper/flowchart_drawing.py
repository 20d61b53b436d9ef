"""Figure 5 drawn as the flowchart it is: four questions, four answers, as plain SVG.

Beside each answer stands what was computed for it: how many of the 128 sets of properties lead there, and its cost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap

from discreet.paper.contestants import EM, GM, WM, WM_COLUMNS
from discreet.show.colours import looks
from discreet.show.html import element
from discreet.show.pictures.theme import LETTERS
from discreet.show.typeface.faces import FONT, with_letters

_WIDE, _HIGH = 700, 552
_COLOURS = {
    name: look.colour for name, look in zip(("GM", "WM", "WH+CM", "EM"), looks((GM, WM, WM_COLUMNS, EM)), strict=True)
}
"""Those of the mechanisms in all pictures of the paper."""
_INK, _QUIET, _QUESTION = "#222222", "#444444", "#e8f3e8"

Place = tuple[float, float, tuple[str, ...]]

QUESTIONS: dict[str, Place] = {
    "fairness": (350, 110, ("Want", "fairness?")),
    "columns": (470, 235, ("Want a column", "property?")),
    "size": (300, 345, ("Is n at least", "2a/(1-a)?")),
    "honesty": (420, 450, ("Want weak", "honesty?")),
}
"""Where the middle of each question stands, and its words."""

ANSWERS: dict[str, Place] = {
    "EM": (130, 195, ("fair mechanism (EM)",)),
    "WH+CM": (590, 345, ("weakly honest,", "column monotone")),
    "GM": (130, 450, ("the usual noise", "(GM, geometric)")),
    "WM": (590, 515, ("weakly honest (WM)",)),
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


class Flowchart(str):
    """The picture, which also knows how it looks on a phone."""

    __slots__ = ("facts", "said")
    facts: Mapping[str, str]
    said: tuple[str, str]

    def narrow(self) -> str:
        """Draw the questions below each other, each answer beside the question that leads to it."""
        title, below = self.said
        lines = [*wrap(title, 30), *wrap(below, 46)]
        many, inks = len(wrap(title, 30)), ("#000000", _QUIET)
        parts = [
            _text(8, 22 + 18 * k, line, size=15 if k < many else 12.5, bold=k < many, at="start", ink=inks[k >= many])
            for k, line in enumerate(lines)
        ]
        first = 19 * len(lines) + 70
        for k, (name, answer) in enumerate(
            (("fairness", "EM"), ("columns", "WH+CM"), ("size", "GM"), ("honesty", "WM"))
        ):
            y = first + 122 * k
            facts = self.facts if name != "size" else {}  # GM stands here twice, and its sets are told once
            parts += [_question(84, y, QUESTIONS[name][2], 76), *_answer(answer, 265, y, facts, 166)]
            parts += [_straight((160, y), (182, y)), _straight((84, y + _HALF_HIGH), (84, y + 78))]
            parts += [_text(168, y - 9, "yes"), _text(100, y + 64, "no")]
        parts += _answer("GM", 94, first + 4 * 122 - 8, self.facts, 170)
        return _framed(parts, 352, first + 4 * 122 + 38)


def flowchart(facts: Mapping[str, str], title: str, below: str) -> Flowchart:
    """Draw the flowchart; `facts` is a line of words for each answer.

    >>> flowchart({"EM": "64 sets"}, "Figure 5", "").count("<polygon")
    12
    """
    parts = [
        _text(26, 28, title, size=17, bold=True, at="start", ink="#000000"),
        _text(26, 48, below, size=LETTERS, at="start", ink=_QUIET),
    ]
    parts += [_arrow(*arrow) for arrow in ARROWS]
    parts += [_question(*question, _HALF_WIDE) for question in QUESTIONS.values()]
    for name, (x, y, _) in ANSWERS.items():
        parts += _answer(name, x, y, facts, _BOX_WIDE)
    drawn = Flowchart(_framed(parts, _WIDE, _HIGH))
    drawn.facts, drawn.said = facts, (title, below)
    return drawn


def _framed(parts: Sequence[str], wide: float, high: float) -> str:
    size = f'viewBox="0 0 {wide:g} {high:g}" width="{wide:g}" height="{high:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONT}">'
    return with_letters(
        "\n".join([head, f'<rect width="{wide:g}" height="{high:g}" fill="#ffffff"/>', *parts, "</svg>", ""])
    )


def _question(x: float, y: float, words: tuple[str, ...], half: float) -> str:
    corners = ((x - half, y), (x, y - _HALF_HIGH), (x + half, y), (x, y + _HALF_HIGH))
    drawn = f'<polygon points="{_points(corners)}" fill="{_QUESTION}" stroke="{_INK}"/>'
    return "\n".join([drawn, *_lines(x, y, words)])


def _answer(name: str, x: float, y: float, facts: Mapping[str, str], wide: float) -> list[str]:
    words = ANSWERS[name][2]
    lines = (*words, facts[name]) if name in facts else words
    high = 18 * len(lines) + 14
    box = (
        f'<rect x="{x - wide / 2:g}" y="{y - high / 2:g}" width="{wide:g}" height="{high}" rx="8" '
        f'fill="#ffffff" stroke="{_COLOURS[name]}" stroke-width="3"/>'
    )
    return [box, *_lines(x, y, lines)]


def _straight(start: tuple[float, float], end: tuple[float, float]) -> str:
    """An arrow to the right or down."""
    (x, y), (to_x, to_y) = start, end
    tip = (end, (to_x - 9, y - 5), (to_x - 9, y + 5)) if y == to_y else (end, (x - 5, to_y - 9), (x + 5, to_y - 9))
    path = f'<path d="M{x:g} {y:g}L{to_x:g} {to_y:g}" fill="none" stroke="{_INK}" stroke-width="1.5"/>'
    return f'{path}<polygon points="{_points(tip)}" fill="{_INK}"/>'


def _lines(x: float, y: float, words: tuple[str, ...]) -> list[str]:
    first = y - 9 * (len(words) - 1) + 5
    return [_text(x, first + 18 * k, line) for k, line in enumerate(words)]


def _text(
    x: float, y: float, words: str, *, size: float = 13, bold: bool = False, at: str = "middle", ink: str = _INK
) -> str:
    look = {"font_size": f"{size:g}", "text_anchor": at, "font_weight": "600" if bold else "", "fill": ink}
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
