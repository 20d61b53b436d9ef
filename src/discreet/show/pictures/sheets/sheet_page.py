"""What every sheet has: its place on a page or a phone, a title and a line below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from discreet.show.colours import INK
from discreet.show.html import element
from discreet.show.pictures.svg import folded
from discreet.show.pictures.theme import LETTERS, PAGE
from discreet.show.typeface.faces import FONT, with_letters

AXIS_INK, GRID, EDGE, BELOW = "#222222", "#eeeeee", "#666666", "#444444"


class Page(NamedTuple):
    """How large things are: on a page of the documentation, or on a phone."""

    wide: float
    left: float
    right: float
    title: float
    letters: float
    between: float

    @property
    def inner(self) -> float:
        """What is between the margins."""
        return self.wide - self.left - self.right


PAGES = {False: Page(PAGE, 8, 14, 17, LETTERS, 30), True: Page(352, 8, 12, 15, 12.5, 14)}
"""The page, and the phone."""


class Drawing(Protocol):
    """What can be drawn for a page and for a phone; the note stands below it, where it is shown."""

    @property
    def title(self) -> str: ...  # noqa: D102 - a field
    @property
    def note(self) -> str: ...  # noqa: D102 - a field
    def svg(self, *, phone: bool) -> str: ...  # noqa: D102 - said above


class Drawn(str):
    """A picture, which also knows what it is drawn from."""

    __slots__ = ("sheet",)
    sheet: Drawing

    @classmethod
    def of(cls, sheet: Drawing) -> Drawn:
        """Draw it for a page."""
        made = cls(sheet.svg(phone=False))
        made.sheet = sheet
        return made

    def narrow(self) -> str:
        """Draw it for a phone."""
        return self.sheet.svg(phone=True)


def headed(title: str, line: str, page: Page) -> tuple[list[str], float]:
    """The title and the line below it, and where they end."""
    parts: list[str] = []
    y = 12.0
    for words, size, bold, ink, kind in (
        (title, page.title, True, INK, "text"),
        (line, page.letters, False, BELOW, "subtitle"),
    ):
        lines = folded(words, size, page.inner, bold=bold)
        spans = [
            element("tspan", line, x=f"{page.left:g}", y=f"{y + size + k * (size + 4):.1f}")
            for k, line in enumerate(lines)
        ]
        look = {
            "x": f"{page.left:g}",
            "font_size": f"{size:g}px",
            "font_weight": "600" if bold else "",
            "fill": ink,
        }
        parts.append(
            element("g", element("text", *spans, **look), class_=f"mark-text role-title-{kind}")
        )
        y += len(lines) * (size + 4) + 1
    return parts, y + 6


def whole(parts: Sequence[str], page: Page, foot: float) -> str:
    """The picture, from its parts."""
    sides = f'width="{page.wide:g}" height="{foot:.0f}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {page.wide:g} {foot:.0f}" {sides}'
    return with_letters(
        "\n".join(
            [
                f'{head} font-family="{FONT}">',
                f'<rect {sides} fill="#ffffff"/>',
                *parts,
                "</svg>",
                "",
            ]
        )
    )
