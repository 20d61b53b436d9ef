"""Figure 5 drawn as the flowchart it is: four questions, each with its answer beside it, as plain SVG.

Yes leads to the right and no leads down, on a page as on a phone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from discreet.paper.contestants import EM, GM, WM, WM_COLUMNS
from discreet.paper.panels import colour_of
from discreet.show.html import element
from discreet.show.pictures.sheets.sheet_page import PAGES, headed, whole

_INK, _QUESTION = "#222222", "#e8f3e8"

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
    """How large things are: half a question, an answer, how far rows are apart, and where both columns stand."""

    half_wide: float
    half_high: float
    box: float
    row: float
    questions: float
    answers: float


_SIZES = {False: _Size(100, 42, 230, 106, 200, 500), True: _Size(76, 42, 148, 112, 84, 266)}


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
    12
    """
    drawn = Flowchart(_draw(title, below, phone=False))
    drawn.said = (title, below)
    return drawn


def _draw(title: str, below: str, *, phone: bool) -> str:
    page, size = PAGES[phone], _SIZES[phone]
    parts, top = headed(title, below, page)
    x, aside = size.questions, size.answers
    y = top + size.half_high + 8
    for words, name, answer in STEPS:
        corners = (
            (x - size.half_wide, y),
            (x, y - size.half_high),
            (x + size.half_wide, y),
            (x, y + size.half_high),
        )
        parts.append(f'<polygon points="{_points(corners)}" fill="{_QUESTION}" stroke="{_INK}"/>')
        parts += _lines(x, y, words, page.letters)
        end = aside - size.box / 2
        parts.append(_arrow((x + size.half_wide, y), (end, y)))
        parts.append(_text((x + size.half_wide + end) / 2, y - 7, "yes", page.letters))
        parts += _answer(name, aside, y, answer, size.box, page.letters)
        following = y + size.row - (size.half_high if name != STEPS[-1][1] else _HIGH / 2)
        parts.append(_arrow((x, y + size.half_high), (x, following)))
        parts.append(_text(x + 16, (y + size.half_high + following) / 2 + 4, "no", page.letters))
        y += size.row
    name, answer = _OTHERWISE
    parts += _answer(name, x, y, answer, min(size.box, 2 * (x - page.left)), page.letters)
    return whole(parts, page, y + _HIGH / 2 + 14)


_HIGH = 50.0
"""Of an answer."""


def _answer(name: str, x: float, y: float, words: Sequence[str], wide: float, letters: float) -> list[str]:
    box = (
        f'<rect x="{x - wide / 2:g}" y="{y - _HIGH / 2:g}" width="{wide:g}" height="{_HIGH:g}" rx="8" '
        f'fill="#ffffff" stroke="{colour_of(name)}" stroke-width="3"/>'
    )
    return [box, *_lines(x, y, words, letters)]


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> str:
    """An arrow to the right or down."""
    (x, y), (to_x, to_y) = start, end
    tip = (end, (to_x - 9, y - 5), (to_x - 9, y + 5)) if y == to_y else (end, (x - 5, to_y - 9), (x + 5, to_y - 9))
    path = f'<path d="M{x:g} {y:g}L{to_x:g} {to_y:g}" fill="none" stroke="{_INK}" stroke-width="1.5"/>'
    return f'{path}<polygon points="{_points(tip)}" fill="{_INK}"/>'


def _lines(x: float, y: float, words: Sequence[str], letters: float) -> list[str]:
    first = y - 9 * (len(words) - 1) + 5
    return [_text(x, first + 18 * k, line, letters) for k, line in enumerate(words)]


def _text(x: float, y: float, words: str, letters: float) -> str:
    return element("text", words, x=f"{x:g}", y=f"{y:g}", font_size=f"{letters:g}", text_anchor="middle", fill=_INK)


def _points(corners: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in corners)
