"""A table of small panels with one line each: a row for each method, a column for each setting, no words inside.

What lies between a line and the level it is measured against is filled, in one colour above it and in another below:
an eye sees where a method wins before it reads a number. Rows and columns have their names at the sides, so no line
needs one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from discreet.show.pictures.sheets.sheet_page import AXIS_INK, BELOW, EDGE, PAGES, Drawn, Page, headed, legend, whole
from discreet.show.pictures.sheets.sheet_parts import Key, Line, Scale
from discreet.show.pictures.sheets.strokes import areas, band, stroke, written
from discreet.show.pictures.svg import across, folded

BETTER, WORSE = "#c4e4c6", "#e8d6f0"
"""Between a line and the level, where it is better and where it is worse: told apart by the colour-blind too."""
DRAWN = "#dceaf5"
"""Below a line that is neither."""
_GROUND, _GRID = "#f6f6f6", "#e2e2e2"
_Points = list[tuple[float, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of panels: its name, the colour of its square, its scale, and a line for each column."""

    name: str
    y: Scale
    lines: Sequence[Line | None]
    colour: str = ""
    alike: str = ""
    """What is said in a panel whose line cannot be told from the level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Rows of panels under columns with names; `level` is what lines are measured against, with its colour."""

    title: str
    line: str
    columns: Sequence[str]
    x: Scale
    rows: Sequence[Row]
    level: tuple[float, str]
    across: tuple[float, str] | None = None
    """Another level to compare with, and its colour."""
    fills: tuple[str, str] = (WORSE, BETTER)
    """Of what is above the level, and below it."""
    keys: Sequence[Key] = ()
    height: float = 74
    note: str = ""

    def drawn(self) -> Drawn:
        """The picture for a page, which also knows how it looks on a phone."""
        return Drawn.of(self)

    def svg(self, *, phone: bool) -> str:
        """Draw it: on a page the names of rows stand left of them, on a phone above."""
        page = PAGES[phone]
        parts, y = headed(self.title, self.line, page)
        keys, y = legend(self.keys, page, y)
        parts += keys
        names = 0.0 if phone else max(_widest(row, page) for row in self.rows) + 16
        numbers = max(across(words, page.letters) for row in self.rows for words in row.y.ticks.values()) + 8
        left = page.left + names + numbers
        between = 14.0 if phone else 22.0
        many = len(self.columns)
        wide = (page.wide - page.right - left - between * (many - 1)) / many
        starts = [left + k * (wide + between) for k in range(many)]
        heads = [_lines(head, page.letters, wide + between - 6) for head in self.columns]
        deep = max(map(len, heads))
        for x, head in zip(starts, heads, strict=True):
            places = [(x, y + (deep - len(head) + k + 1) * (page.letters + 3), line) for k, line in enumerate(head)]
            parts.append(written(places, page.letters, bold=True))
        y += deep * (page.letters + 3) * any(self.columns) + (14 if any(self.columns) else 6)
        high = max(self.height, 64.0) if phone else self.height
        for row in self.rows:
            y = self._row(parts, row, page, starts, (wide, high), y, names)
        return whole(parts, page, self._foot(parts, page, starts, wide, y) + 8)

    def _row(
        self, parts: list[str], row: Row, page: Page, starts: Sequence[float], size: tuple[float, float], y: float,
        names: float,
    ) -> float:  # fmt: skip
        """One row, and where the next begins."""
        letters, (wide, high) = page.letters, size
        said = row.name.split("\n") if names else [_one_line(row.name)]
        first = y + high / 2 - (len(said) - 1) * (letters + 3) / 2 + letters * 0.35 if names else y + letters
        if row.colour:
            parts.append(f'<rect x="{page.left:.1f}" y="{first - 10:.1f}" width="10" height="10" fill="{row.colour}"/>')
        x = page.left + (15 if row.colour else 0)
        parts.append(written([(x, first + k * (letters + 3), line) for k, line in enumerate(said)], letters, bold=True))
        top = y if names else y + letters + 9
        floor = top + high
        for start, line in zip(starts, row.lines, strict=True):
            sides = f'x="{start:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{high:.1f}"'
            parts.append(f'<rect {sides} fill="{_GROUND}"/>')
            parts += _within(row.y, self._filled(line, row, (start, top), size), (start, top), size) if line else []
        for value, words in row.y.ticks.items():
            at = floor - high * row.y.place(value)
            parts += [f'<path d="M{start:.1f} {at:.1f}h{wide:.1f}" stroke="{_GRID}"/>' for start in starts]
            parts.append(written([(starts[0] - 6, at + letters * 0.35, words)], letters, at="end", ink=AXIS_INK))
        for start, line in zip(starts, row.lines, strict=True):
            for value, colour in filter(None, (self.level, self.across)):
                at = floor - high * row.y.place(value)
                parts.append(f'<path d="M{start:.1f} {at:.1f}h{wide:.1f}" stroke="{colour}" stroke-width="1.6"/>')
            if line is None:
                continue
            points = _placed(line.points, self.x, row.y, (start, top), size)
            level = floor - high * row.y.place(self.level[0])
            if row.alike and all(abs(at - level) < line.width for _, at in points):
                place = (start + wide / 2, level - 7, row.alike)
                parts.append(written([place], letters - 1, at="middle", ink=BELOW))
            else:
                parts += _within(row.y, [stroke(points, line.look, line.width)], (start, top), size)
        return floor + (16 if names else 12)

    def _filled(self, line: Line, row: Row, corner: tuple[float, float], size: tuple[float, float]) -> list[str]:
        """What lies between a line and the level, and the band behind the line."""
        points = _placed(line.points, self.x, row.y, corner, size)
        level = corner[1] + size[1] * (1 - row.y.place(self.level[0]))
        parts = []
        flat = [(x, level) for x, _ in points]
        for fill, up in zip(self.fills, (True, False), strict=True):
            parts += areas(flat, points, fill, up=up)
        low = _placed([(x, value) for x, value, _ in line.band], self.x, row.y, corner, size)
        most = _placed([(x, value) for x, _, value in line.band], self.x, row.y, corner, size)
        if any(a[1] - b[1] > line.width + 1 for a, b in zip(low, most, strict=True)):
            parts.append(band(list(zip(low, most, strict=True)), line.look))
        return parts

    def _foot(
        self, parts: list[str], page: Page, starts: Sequence[float], wide: float, y: float
    ) -> float:  # fmt: skip
        """The numbers of the axis below the last row, for every column, and its title; where they end.

        The first and the last number of a column stand within it, so that they never meet those of the next.
        """
        ticks, letters = _fitting(self.x.ticks, wide, page.letters), page.letters
        y -= 8 if page == PAGES[True] else 12
        for start in starts:
            parts.append(f'<path d="M{start:.1f} {y + 2:.1f}h{wide:.1f}" stroke="{EDGE}"/>')
            for value, words in ticks.items():
                x = start + wide * self.x.place(value)
                lines = words.split("\n")
                at = "start" if x < start + 8 else "end" if x > start + wide - 8 else "middle"
                parts.append(f'<path d="M{x:.1f} {y + 2:.1f}v4" stroke="{EDGE}"/>')
                places = [(x, y + 7 + (k + 1) * (letters + 1), line) for k, line in enumerate(lines)]
                parts.append(written(places, letters, at=at, ink=AXIS_INK))
        y += 10 + max(words.count("\n") + 1 for words in ticks.values()) * (letters + 1)
        parts.append(written([(starts[-1] + wide, y + letters + 4, self.x.title)], letters, at="end", ink=BELOW))
        return y + letters + 6


def _within(
    scale: Scale, parts: list[str], corner: tuple[float, float], size: tuple[float, float]
) -> list[str]:  # fmt: skip
    """Parts of a panel, and none of them beyond it where its scale is cut off."""
    if not scale.cut:
        return parts
    place = " ".join(f"{each:.1f}" for each in (*corner, *size))
    sides = f'x="{corner[0]:.1f}" y="{corner[1]:.1f}" width="{size[0]:.1f}" height="{size[1]:.1f}"'
    return [f'<svg {sides} viewBox="{place}">', *parts, "</svg>"]


def _widest(row: Row, page: Page) -> float:
    words = max(row.name.split("\n"), key=lambda line: across(line, page.letters, bold=True))
    return across(words, page.letters, bold=True) + (15 if row.colour else 0)


def _one_line(name: str) -> str:
    """A name of several lines in one; a line that follows a whole name is set off.

    >>> _one_line("weakly honest,\\nmonotone"), _one_line("fair (EM)\\np = 0.5")
    ('weakly honest, monotone', 'fair (EM), p = 0.5')
    """
    return re.sub(r"(?<=\))\n(?=\w)", ", ", name).replace("\n", " ")


def _lines(words: str, letters: float, most: float) -> list[str]:
    return [line for part in words.split("\n") for line in folded(part, letters, most, bold=True)]


def _placed(
    points: Sequence[tuple[float, float]], x: Scale, y: Scale, corner: tuple[float, float], size: tuple[float, float]
) -> _Points:
    (left, top), (wide, high) = corner, size
    return [(left + wide * x.place(one), top + high * (1 - y.place(other))) for one, other in points]


def _fitting(ticks: Mapping[float, str], wide: float, letters: float) -> Mapping[float, str]:
    """As many ticks as have room beside each other: all, or every second, and so on; the first always."""
    places = list(ticks)
    most = max(across(line, letters) for words in ticks.values() for line in words.split("\n"))
    while len(places) > 2 and len(places) * (most + 8) > wide + most:
        places = places[::2]
    return {place: ticks[place] for place in places}
