"""Heatmaps for the page as inline SVG, drawn from numbers the library has worked out; and what
pictures are made of.

Fills are attributes, never styles, so that the page's content security policy can forbid everything
inline. A picture is one image to a screen reader, with its gist in words; the numbers themselves
stand in a table beside it.
"""

from __future__ import annotations

import re
from math import floor, log10
from typing import TYPE_CHECKING

from discreet.show.cells import violations, whole_percent
from discreet.show.colours import INK, MARK, MARK_EDGE, ROOT_ABOVE, cell_colours
from discreet.show.html import Html, element, together

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

_SIDE = 360
NUMBERS_UP_TO = 10
"""The largest group whose chances are written into their cells."""


def heatmap(
    m: Mechanism, *, top: float, title: str, column: int | None = None, small: bool = False
) -> str:
    """Draw a matrix: true counts across, published numbers down, the diagonal outlined, broken
    column honesty marked.

    Chances in its cells are in percent, as in the charts, and a triangle is the corner of a cell.
    Cells of one colour are one shape, drawn in units of a cell: a group of 40 has 1,681 of them.
    Where a cell is, the picture's attributes say (`data-pad`, `data-gap`, `data-step`).
    """
    size = m.n + 1
    step = _SIDE / size
    pad, gap = (4, 0) if small else (40, 6)
    shapes: dict[str, list[str]] = {}
    numbers = []
    for i, row in enumerate(m.array.tolist()):
        for j, chance in enumerate(row):
            fill, ink = cell_colours(chance, top, root=m.n > ROOT_ABOVE)
            shapes.setdefault(fill, []).append(f"M{j} {i}h1v1h-1z")
            if size <= NUMBERS_UP_TO + 1 and not small:
                look, height = f' class="number" fill="{ink}"', min(15.0, step * 0.3)
                place = pad + (j + 0.5) * step, gap + (i + 0.5) * step + height * 0.35
                numbers.append(text(*place, whole_percent(chance), height, more=look))
    seam = "" if size > 31 or small else f' stroke="#ffffff" stroke-width="{1 / step:.4f}"'
    drawn = "".join(f'<path fill="{fill}" d="{"".join(found)}"/>' for fill, found in shapes.items())
    parts = [f'<g transform="translate({pad} {gap}) scale({step:.4f})"{seam}>{drawn}</g>', *numbers]
    if not small and not m.satisfies("CH"):
        parts += [
            _triangle(pad + j * step, gap + i * step, step, numbered=bool(numbers))
            for i, j in violations(m, "CH")
        ]
    width = 1.6 if size <= 21 else 0.8
    outline = "".join(f"M{k} {k}h1v1h-1z" for k in range(size))
    frames = "".join(
        f'<path stroke="{stroke}" stroke-width="{wide / step:.4f}" d="{outline}"/>'
        for stroke, wide in ((MARK_EDGE, width + 2), (MARK, width))
    )
    parts.append(
        f'<g transform="translate({pad} {gap}) scale({step:.4f})" fill="none">{frames}</g>'
    )
    if not small:
        parts += _axes(m.n, step, pad, gap)
        if column is not None:
            parts.append(
                f'<rect class="chosen" data-step="{step:.4f}" data-pad="{pad}" data-gap="{gap}" '
                f'x="{pad + column * step:.2f}" y="{gap - 3}" width="{step:.2f}" '
                f'height="{_SIDE + 6}" fill="none" stroke="{INK}" stroke-width="2" '
                'stroke-dasharray="5 3"/>'
            )
    wide, high = (
        (_SIDE + 2 * pad, _SIDE + 2 * gap) if small else (pad + _SIDE + 4, gap + _SIDE + 46)
    )
    return svg(wide, high, title, "".join(parts))


def _axes(n: int, step: float, pad: float, gap: float) -> list[str]:
    every = next(k for k in (1, 2, 5, 10) if (n + 1) / k <= 21 or k == 10)
    size = max(9.0, min(13.0, step * 0.5 * every))
    parts = []
    for k in range(0, n + 1, every):
        middle = (k + 0.5) * step
        faint = minor(k // every, n // every)
        parts.append(text(pad - 8, gap + middle + size * 0.35, k, size, anchor="end", more=faint))
        parts.append(text(pad + middle, gap + _SIDE + 20, k, size, more=faint))
    parts.append(text(pad + _SIDE / 2, gap + _SIDE + 40, "true count", 13, more=' class="axis"'))
    parts.append(
        text(
            -(gap + _SIDE / 2),
            12,
            "published number",
            13,
            more=' class="axis" transform="rotate(-90)"',
        )
    )
    return parts


def minor(k: int, most: int) -> str:
    """Mark the labels that a narrow screen leaves out: all but every fifth of many, every second
    of some.
    """
    keep = 1 if most < 9 else 2 if most < 14 else 5
    return "" if k % keep == 0 else ' class="minor"'


def _triangle(x: float, y: float, step: float, *, numbered: bool) -> str:
    """Fill the upper right corner of a cell, as the charts do: clear of its number, or most of a
    small cell.
    """
    side = step * (0.3 if numbered else 0.6)
    right, top = x + step - 1.5, y + 1.5
    points = f"{right - side:.1f},{top:.1f} {right:.1f},{top:.1f} {right:.1f},{top + side:.1f}"
    return f'<polygon points="{points}" fill="{MARK}" stroke="{MARK_EDGE}" stroke-width="0.6"/>'


_SCALE_PARTS, _SCALE_WIDE, _SCALE_EDGE, _SCALE_APART = 32, 200, 20, 0.15
_SCALE_MARKS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def colour_scale(top: float, *, root: bool) -> str:
    """Draw the colours of a heatmap as a bar with round chances below it, each where its colour
    is.
    """
    power = 2 if root else 1
    step = _SCALE_WIDE / _SCALE_PARTS
    parts = []
    for k in range(_SCALE_PARTS):
        fill, _ = cell_colours(top * ((k + 0.5) / _SCALE_PARTS) ** power, top, root=root)
        # each part reaches under the next, or seams would show
        parts.append(
            f'<rect x="{_SCALE_EDGE + k * step:.1f}" width="{step + 0.5:.1f}" height="12" '
            f'fill="{fill}"/>'
        )
    frame = (
        f'x="{_SCALE_EDGE}" y="0.5" width="{_SCALE_WIDE}" height="11.5" fill="none" stroke="{INK}"'
    )
    parts.append(f'<rect {frame} stroke-width="0.5"/>')
    for chance, place in _scale_marks(top, power):
        x = _SCALE_EDGE + _SCALE_WIDE * place
        parts.append(f'<path d="M{x:.1f} 12v4" stroke="{INK}"/>')
        parts.append(text(x, 28, f"{100 * chance:.3g}%", 12))
    return svg(
        _SCALE_WIDE + 2 * _SCALE_EDGE, 31, "Colours and the chances they stand for", "".join(parts)
    )


def _scale_marks(top: float, power: int) -> list[tuple[float, float]]:
    """Round chances up to the darkest, and where on the bar they are, none too near to the next."""
    found = [(0.0, 0.0)]
    for chance in _SCALE_MARKS:
        place = (chance / top) ** (1 / power)
        if place <= 1.0001 and place - found[-1][1] >= _SCALE_APART:
            found.append((chance, place))
    return found


def ticks(top: float) -> list[float]:
    """Return three to six round values from 0 up to the first that is not below `top`."""
    unit = 10.0 ** floor(log10(top))
    step = next(unit * k for k in (0.2, 0.5, 1.0, 2.0) if top / (unit * k) <= 5)
    count = next(k for k in range(1, 8) if k * step >= top * 0.999)
    return [k * step for k in range(count + 1)]


def svg(wide: float, high: float, title: str, inside: str) -> str:
    """Return a picture that is one image to a screen reader, with its gist in words."""
    box = f"0 0 {wide:.0f} {high:.0f}"
    return element("svg", Html(inside), role="img", aria_label=title, viewBox=box, fill=INK)


def text(
    x: float, y: float, words: object, size: float, *, anchor: str = "middle", more: str = ""
) -> str:
    """Return words at a place of a picture."""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size:.1f}"'
    return f"<text {place}{more}>{together(words)}</text>"


_WIDE, _NARROW = "mwMW%=+", "fijltrI(),.:/ -'"
_TOGETHER = re.compile(r"(?<==) | (?==)|(?<=alpha) (?=\d)|(?<=epsilon) (?=\d)")


def across(words: str, size: float, *, bold: bool = False) -> float:
    """About how many pixels words take in DejaVu Sans, whose letters are a sixth wider than
    Arial's.
    """
    shares = (
        0.95 if c in _WIDE else 0.4 if c in _NARROW else 0.75 if c.isupper() else 0.63
        for c in words
    )
    return sum(shares) * size * (1.13 if bold else 1.0)


def folded(words: str, size: float, wide: float, *, bold: bool = False) -> list[str]:
    """The words in lines that are no wider than `wide`; "n = 8" and "epsilon 0.11" stay in one
    piece.

    >>> folded("groups, epsilon 0.11", 10, 70)
    ['groups,', 'epsilon\\xa00.11']
    """
    lines = [""]
    for word in _TOGETHER.sub("\xa0", words).split(" "):
        longer = f"{lines[-1]} {word}".strip()
        lines = [*lines[:-1], longer] if across(longer, size, bold=bold) <= wide else [*lines, word]
    return [line for line in lines if line]
