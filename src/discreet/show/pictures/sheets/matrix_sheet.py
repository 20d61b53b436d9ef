"""Matrices beside each other as plain SVG: rounded cells with a small gap, and the truth outlined.

As in every heatmap of the library true counts stand across, published numbers go down, and darker
is likelier. A row without any chance is an empty dashed band left and right of the truth, with a
word in the longer one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from discreet.show.colours import INK, cell_colours
from discreet.show.pictures.sheets.sheet_page import (
    AXIS_INK,
    BELOW,
    PAGES,
    Drawn,
    Page,
    headed,
    whole,
)
from discreet.show.pictures.sheets.strokes import written
from discreet.show.pictures.svg import folded

_EMPTY, _DASHED = "#f3f5f7", "#9a9a9a"
"""The fill of a cell without any chance, and the edge of a band of them."""
_GAP, _ROUND = 2.0, 0.14
"""Pixels between two cells, and the radius of their corners as a share of their side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """The chances [published number][true count] under a name, with what the picture says of it
    below that.

    `words` are written into its cells, `unused` across rows without any chance.
    """

    title: str
    said: str
    chances: Sequence[Sequence[float]]
    words: Sequence[Sequence[str]] = ()
    unused: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixSheet:
    """A title, a line below it, and matrices on one scale of shades that ends at `darkest`."""

    title: str
    line: str
    panels: Sequence[Matrix]
    darkest: float
    columns: tuple[int, int] = (2, 1)
    side: float = 300
    note: str = ""

    def drawn(self) -> Drawn:
        """The picture for a page, which also knows how it looks on a phone."""
        return Drawn.of(self)

    def svg(self, *, phone: bool) -> str:
        """Draw it, with as many matrices in a row as there is room for."""
        page = PAGES[phone]
        parts, y = headed(self.title, self.line, page)
        y += 6
        columns = self.columns[phone]
        unlike = len({len(one.chances) for one in self.panels}) > 1
        between = 26.0 if columns < 3 else 30.0 if unlike else 20.0
        room = (page.inner - _AXIS - between * (columns - 1)) / columns - (
            0 if columns > 2 else _AXIS / 2
        )
        side = min(self.side if not phone else 300.0, room)
        between = min(
            _APART, max(between, (page.inner - _AXIS - columns * side) / max(1, columns - 1))
        )
        for k in range(0, len(self.panels), columns):
            row = self.panels[k : k + columns]
            heads = _heads(row, side, page)
            top = y + max(map(len, heads)) * (page.letters + 4) + (26 if k == 0 else 6)
            if k == 0:  # the titles of axes are said once: above the first row, and below the last
                parts.append(
                    written([(page.left, top - 9, "published number")], page.letters, ink=AXIS_INK)
                )
            for place, (one, lines) in enumerate(zip(row, heads, strict=True)):
                x = page.left + _AXIS + place * (side + between)
                parts += [
                    written(
                        [(x, y + 8 + j * (page.letters + 4), words)],
                        page.letters,
                        bold=bold,
                        ink=ink,
                    )
                    for j, (words, bold, ink) in enumerate(lines)
                ]
                parts += _matrix(one, (x, top), side, self.darkest, page)
                step = side / len(one.chances)
                for j in range(len(one.chances)):
                    middle = (j + 0.5) * step
                    if place == 0 or len(one.chances) != len(row[place - 1].chances):
                        level = top + middle + page.letters * 0.35
                        parts.append(
                            written([(x - 7, level, f"{j}")], page.letters, at="end", ink=AXIS_INK)
                        )
                    parts.append(
                        written(
                            [(x + middle, top + side + page.letters + 5, f"{j}")],
                            page.letters,
                            at="middle",
                            ink=AXIS_INK,
                        )
                    )
            width = len(row) * side + (len(row) - 1) * between
            y = top + side + page.letters + 5
            if k + columns < len(self.panels):
                y += _BETWEEN_ROWS
            else:
                y += page.letters + 9
                middle = page.left + _AXIS + width / 2
                parts.append(
                    written([(middle, y, "true count")], page.letters, at="middle", ink=AXIS_INK)
                )
        return whole(parts, page, y + 14)


_APART = 64.0
"""Pixels between two matrices, at most."""
_AXIS = 20.0
"""Pixels left of a matrix, for its numbers."""
_BETWEEN_ROWS = 26.0
"""Pixels from the numbers below one row of matrices to the titles of the next."""


def _heads(row: Sequence[Matrix], side: float, page: Page) -> list[list[tuple[str, bool, str]]]:
    """The lines above each matrix of a row: whether each is bold, and its ink; all titles end on
    one line.
    """
    titles = [folded(one.title, page.letters, side + 12, bold=True) for one in row]
    most = max(map(len, titles))
    return [
        [(words, True, INK) for words in [""] * (most - len(title)) + title]
        + [(words, False, BELOW) for words in folded(one.said, page.letters, side + 12)]
        for one, title in zip(row, titles, strict=True)
    ]


def _matrix(
    one: Matrix, corner: tuple[float, float], side: float, darkest: float, page: Page
) -> list[str]:
    """Its cells, from back to front: fills, the edges of the truth, words in cells and across
    rows.
    """
    (left, top), step = corner, side / len(one.chances)
    wide, radius = step - _GAP, step * _ROUND
    cells, edges, words = list[str](), list[str](), list[str]()
    for i, row in enumerate(one.chances):
        never = one.unused and not any(row)
        for j, chance in enumerate(row):
            x, y = left + j * step + _GAP / 2, top + i * step + _GAP / 2
            fill, ink = cell_colours(chance, darkest)
            if not never:
                cells.append(
                    _rounded(x, y, (wide, wide), radius, f'fill="{_EMPTY if not chance else fill}"')
                )
            if i == j:
                edges.append(
                    _rounded(
                        x, y, (wide, wide), radius, f'fill="none" stroke="{INK}" stroke-width="1.8"'
                    )
                )
            if one.words and one.words[i][j]:
                size = min(page.letters, step * 0.42)
                place = (x + wide / 2, y + wide / 2 + size * 0.35, one.words[i][j])
                words.append(written([place], size, at="middle", ink=ink))
        if never:
            bands = [(first, last) for first, last in ((0, i), (i + 1, len(row))) if last > first]
            for first, last in bands:
                band = ((last - first) * step - _GAP, wide)
                x, y = left + first * step + _GAP / 2, top + i * step + _GAP / 2
                cells.append(
                    _rounded(
                        x, y, band, radius, f'fill="none" stroke="{_DASHED}" stroke-dasharray="3 3"'
                    )
                )
            first, last = max(bands, key=lambda ends: ends[1] - ends[0])
            letters = min(page.letters, step * 0.7)
            place = (
                left + (first + last) / 2 * step,
                top + (i + 0.5) * step + letters * 0.35,
                one.unused,
            )
            words.append(written([place], letters, at="middle"))
    return [*cells, *edges, *words]


def _rounded(x: float, y: float, size: tuple[float, float], radius: float, look: str) -> str:
    wide, high = size
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" '
        f'rx="{radius:.1f}" {look}/>'
    )
