"""Figure 5 drawn as the flowchart it is: four questions, each with its answer beside it, as plain
SVG.

Yes leads to the right and no leads down, on a page as on a phone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from discreet.paper.contestants import EM, GM, WM, WM_COLUMNS
from discreet.paper.panels import colour_of
from discreet.show.colours import between
from discreet.show.html import element
from discreet.show.pictures.sheets.sheet_page import PAGES, headed, whole

_INK, _QUESTION, _QUESTION_NIGHT = "#222222", "#eaeef1", "#364047"
GROUND = "#1d2327"
"""Of a dark page."""

STEPS = (
    (("Want fairness?",), EM, ("fair mechanism (EM)",)),
    (("Want a column", "property?"), WM_COLUMNS, ("weakly honest,", "column monotone")),
    (("Is n at least", "2a/(1-a)?"), GM, ("the usual noise (GM)",)),
    (("Want weak", "honesty?"), WM, ("weakly honest (WM)",)),
)
"""The words of each question from the top down, and of the answer if it is yes."""
_OTHERWISE = (GM, ("the usual noise (GM)",))
"""The answer where all were no."""


class _Size(NamedTuple):
    """How large things are: a question, an answer, how far rows are apart, and where both
    columns stand.
    """

    asked: float
    box: float
    questions: float
    answers: float


_SIZES = {False: _Size(230, 250, 124, 548), True: _Size(140, 138, 78, 271)}
_HIGH, _ROW = 50.0, 86.0
"""Of a question or an answer, and from one row to the next."""


class Flowchart(str):
    """The picture, which also knows how it looks on a phone."""

    __slots__ = ("said",)
    said: tuple[str, str]

    def narrow(self) -> str:
        """Draw it for a phone."""
        return _draw(*self.said, phone=True)


def flowchart(title: str, below: str) -> Flowchart:
    """Draw the flowchart.

    >>> flowchart("Figure 5", "").count("<polygon")
    8
    """
    drawn = Flowchart(_draw(title, below, phone=False))
    drawn.said = (title, below)
    return drawn


def _draw(title: str, below: str, *, phone: bool) -> str:
    page, size = PAGES[phone], _SIZES[phone]
    parts, top = headed(title, below, page)
    x, aside = size.questions, size.answers
    y = top + _HIGH / 2 + 8
    for words, name, answer in STEPS:
        parts.append(
            _box(x, y, size.asked, 25, f'fill="{_QUESTION}" data-night="{_QUESTION_NIGHT}"')
        )
        parts += _lines(x, y, words, page.letters)
        start, end = x + size.asked / 2, aside - size.box / 2
        parts.append(_arrow((start, y), (end, y)))
        parts.append(_text((start + end) / 2 - 3, y - 7, "yes", page.letters))
        parts += _answer(name, aside, y, answer, size.box, page.letters)
        parts.append(_arrow((x, y + _HIGH / 2), (x, y + _ROW - _HIGH / 2)))
        parts.append(_text(x + 16, y + _ROW / 2 + 3, "no", page.letters))
        y += _ROW
    name, answer = _OTHERWISE
    parts += _answer(name, x, y, answer, size.asked, page.letters)
    return whole(parts, page, y + _HIGH / 2 + 14)


def _answer(
    name: str, x: float, y: float, words: Sequence[str], wide: float, letters: float
) -> list[str]:
    colour = colour_of(name)
    tints = f'fill="{between("#ffffff", colour, 0.14)}" data-night="{between(GROUND, colour, 0.3)}"'
    return [
        _box(x, y, wide, 8, f'{tints} stroke="{colour}" stroke-width="2.5"'),
        *_lines(x, y, words, letters),
    ]


def _box(x: float, y: float, wide: float, corner: float, look: str) -> str:
    place = f'x="{x - wide / 2:g}" y="{y - _HIGH / 2:g}" width="{wide:g}" height="{_HIGH:g}"'
    return f'<rect {place} rx="{corner:g}" {look}/>'


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> str:
    """An arrow to the right or down."""
    (x, y), (to_x, to_y) = start, end
    tip = (
        (end, (to_x - 9, y - 5), (to_x - 9, y + 5))
        if y == to_y
        else (end, (x - 5, to_y - 9), (x + 5, to_y - 9))
    )
    path = (
        f'<path d="M{x:g} {y:g}L{to_x:g} {to_y:g}" fill="none" stroke="{_INK}" stroke-width="1.5"/>'
    )
    return f'{path}<polygon points="{_points(tip)}" fill="{_INK}"/>'


def _lines(x: float, y: float, words: Sequence[str], letters: float) -> list[str]:
    first = y - 9 * (len(words) - 1) + 5
    return [_text(x, first + 18 * k, line, letters) for k, line in enumerate(words)]


def _text(x: float, y: float, words: str, letters: float) -> str:
    return element(
        "text",
        words,
        x=f"{x:g}",
        y=f"{y:g}",
        font_size=f"{letters:g}",
        text_anchor="middle",
        fill=_INK,
    )


def _points(corners: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in corners)
