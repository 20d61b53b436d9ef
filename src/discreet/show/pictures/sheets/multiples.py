"""Small multiples as plain SVG: panels of named lines in rows, titles of axes once.

A sheet is drawn twice from the same values: for a page, and for a phone with fewer panels in a row.
Panels with one scale share its numbers, so that heights in a row can be compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from discreet.show.pictures.sheets.line_names import AFTER_DOT, names_beside, placing
from discreet.show.pictures.sheets.notes import noted, said
from discreet.show.pictures.sheets.sheet_page import (
    AXIS_INK,
    EDGE,
    GRID,
    PAGES,
    Drawn,
    Page,
    headed,
    whole,
)
from discreet.show.pictures.sheets.sheet_parts import Panel
from discreet.show.pictures.sheets.strokes import areas, marker, stroke, written
from discreet.show.pictures.svg import across, folded


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """What is drawn: a title, a line below it, and panels, so many in a row on a page and on a
    phone.
    """

    title: str
    line: str
    panels: Sequence[Panel]
    columns: tuple[int, int] = (4, 2)
    height: float = 190
    note: str = ""

    def drawn(self) -> Drawn:
        """The picture for a page, which also knows how it looks on a phone."""
        return Drawn.of(self)

    def svg(self, *, phone: bool) -> str:
        """Draw it, with as many panels in a row as there is room for."""
        return _draw(self, phone=phone)


def _draw(sheet: Sheet, *, phone: bool) -> str:
    page = PAGES[phone]
    inner = page.inner
    parts, y = headed(sheet.title, sheet.line, page)
    columns = sheet.columns[phone]
    panels = sheet.panels
    rows = [panels[k : k + columns] for k in range(0, len(panels), columns)]
    axes = _axes(rows, page)
    ended = [
        line.name
        for row in rows
        for panel in row[columns - 1 :]
        for line in panel.lines
        if line.name
    ]
    beside = max(
        (
            across(name.said(phone=phone), page.letters, bold=True) + AFTER_DOT
            for name in ended
            if name.x is None
        ),
        default=0.0,
    )
    wide = (inner - sum(axes) - page.between * (len(axes) - 1) - beside) / len(axes)
    tall = wide * 1.1 if columns > 1 else 170.0 if len(panels) > 2 else 190.0
    high = min(sheet.height, max(130.0, tall)) if phone else sheet.height
    alike = len({panel.y.title for panel in panels}) == 1
    for k, row in enumerate(rows):
        below = rows[k + 1] if k + 1 < len(rows) else None
        drawn, y = _row(row, below, page, axes, (wide, high), y, titled=k == 0 or not alike)
        parts += drawn
        y += 20 if below else 0
    return whole(parts, page, y + 8)


def _axes(rows: Sequence[Sequence[Panel]], page: Page) -> list[float]:
    """How many pixels stand left of each column of panels: the numbers of an axis and its title,
    or nothing.
    """
    found = [0.0] * max(map(len, rows))
    for row in rows:
        for k, panel in enumerate(row):
            if k == 0 or panel.y != row[k - 1].y:
                numbers = max(across(words, page.letters) for words in panel.y.ticks.values())
                found[k] = max(found[k], numbers + 8)
    return found


def _row(
    row: Sequence[Panel],
    below: Sequence[Panel] | None,
    page: Page,
    axes: Sequence[float],
    size: tuple[float, float],
    y: float,
    *,
    titled: bool,
) -> tuple[list[str], float]:
    """One row of panels, and where it ends; `titled` says that each axis has its title."""
    (wide, high), letters = size, page.letters
    heads = max(len(_head(panel, wide, letters)) for panel in row)
    units = [
        high * (1 - panel.y.place(max(panel.y.ticks))) for panel in row if titled and panel.y.title
    ]
    top = y + heads * (letters + 3) + 7
    # the title of an axis stands above its top number: below the heads, and well apart from other
    # words
    if units:
        top += max(0.0, letters + 8 - min(units)) + (6 if heads else 9)
    above = y + heads * (letters + 3) - 2
    parts, starts = list[str](), list[float]()
    x = page.left
    for k, panel in enumerate(row):
        x += axes[k]
        starts.append(x)
        numbered = k == 0 or panel.y != row[k - 1].y
        parts += _panel(
            panel,
            (x, top),
            size,
            letters,
            numbered=numbered,
            above=above,
            phone=page is PAGES[True],
        )
        parts += names_beside(panel, (x, top), size, letters, phone=page is PAGES[True])
        if numbered and panel.y.title and titled:
            highest = top + high * (1 - panel.y.place(max(panel.y.ticks)))
            parts.append(
                written([(x - axes[k], highest - letters, panel.y.title)], letters, ink=AXIS_INK)
            )
        x += wide + page.between
    last = (
        top
        + high
        + 8
        + max(words.count("\n") + 1 for p in row for words in p.x.ticks.values()) * (letters + 2)
    )
    if below and {panel.x.title for panel in below} == {panel.x.title for panel in row}:
        return parts, last + 2  # the row below says it
    for title, several in groupby(range(len(row)), key=lambda k: row[k].x.title):
        found = list(several)
        middle = (starts[found[0]] + starts[found[-1]] + wide) / 2
        parts.append(
            written([(middle, last + letters + 5, title)], letters, at="middle", ink=AXIS_INK)
        )
    return parts, last + letters + 11


def _head(panel: Panel, wide: float, letters: float) -> list[str]:
    """The title of a panel, in lines that are no wider than it and most of what is between two
    panels.
    """
    room = wide + 16
    return [
        line for part in panel.title.split("\n") for line in folded(part, letters, room, bold=True)
    ]


def _panel(
    panel: Panel,
    corner: tuple[float, float],
    size: tuple[float, float],
    letters: float,
    *,
    numbered: bool,
    above: float,
    phone: bool,
) -> list[str]:
    """Title, which ends at `above`, tint, grid, and lines of one panel, from back to front."""
    (left, top), (wide, high) = corner, size
    at = placing(panel, corner, size)
    lines = _head(panel, wide, letters)
    places = [
        (left, above - (len(lines) - 1 - k) * (letters + 3), line) for k, line in enumerate(lines)
    ]
    parts = [written(places, letters, bold=True)]
    for value, words in panel.y.ticks.items():
        level = at(panel.x.low, value)[1]
        parts.append(f'<path d="M{left:.1f} {level:.1f}h{wide:.1f}" stroke="{GRID}"/>')
        if numbered:
            parts.append(
                written(
                    [(left - 6, level + letters * 0.35, words)], letters, at="end", ink=AXIS_INK
                )
            )
    parts.append(f'<path d="M{left:.1f} {top + high:.1f}h{wide:.1f}" stroke="{EDGE}"/>')
    for value, words in panel.x.ticks.items():
        x = at(value, panel.y.low)[0]
        below = [
            (x, top + high + 6 + (k + 1) * (letters + 1), line)
            for k, line in enumerate(words.split("\n"))
        ]
        beyond = x + max(across(line, letters) for *_, line in below) / 2 - left - wide
        side = (
            "end" if beyond > _ROOM else "middle"
        )  # within the picture, at the right of the last panel
        parts.append(
            written(
                [(each + 6 * (side == "end"), y, line) for each, y, line in below],
                letters,
                at=side,
                ink=AXIS_INK,
            )
        )
    if panel.shades:
        first, second = ([at(x, y) for x, y in line.points] for line in panel.lines[:2])
        higher, lower = panel.shades
        parts += [*areas(first, second, higher, up=True), *areas(first, second, lower, up=False)]
    for line in panel.lines:
        parts.append(stroke([at(x, y) for x, y in line.points], line.look, line.width))
        dotted = (
            line.points
            if line.marks
            else line.points[-1:]
            if line.name and line.name.x is None
            else ()
        )
        parts += [
            marker(
                *at(x, y), line.look, line.size if line.marks else 1.5 if line.width < 5 else 2.1
            )
            for x, y in dotted
        ]
    for note in panel.notes:
        spot = note.phone if phone and note.phone else (note.x, note.y)
        parts += [] if phone and note.wide else noted(note, at(*spot), at(*note.to), letters)
    return [
        *parts,
        *(part for words in panel.words for part in said(words, at(words.x, words.y), letters)),
    ]


_ROOM = 12.0
"""Pixels that the words of a tick may stand out right of a panel."""
