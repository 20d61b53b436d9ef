"""Heatmaps for the page as inline SVG, drawn from numbers the library has worked out; and what pictures are made of.

Fills are attributes, never styles, so that the page's content security policy can forbid everything inline. A
picture is one image to a screen reader, with its gist in words; the numbers themselves stand in a table beside it.
"""

from __future__ import annotations

from math import floor, log10
from typing import TYPE_CHECKING

from discreet.show.cells import violations
from discreet.show.colours import INK, MARK, cell_colours
from discreet.show.html import Html, element, together

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

_SIDE = 360
_NUMBERS_UP_TO = 10


def heatmap(m: Mechanism, *, top: float, title: str, column: int | None = None, small: bool = False) -> str:
    """Draw a matrix: true counts across, outputs down, the diagonal outlined, broken column honesty marked.

    Cells of one colour are one shape, drawn in units of a cell: a group of 40 has 1,681 of them. Where a cell is, the
    picture's attributes say (`data-pad`, `data-gap`, `data-step`).
    """
    size = m.n + 1
    step = _SIDE / size
    pad, gap = (4, 0) if small else (40, 6)
    shapes: dict[str, list[str]] = {}
    numbers = []
    for i, row in enumerate(m.array.tolist()):
        for j, chance in enumerate(row):
            fill, ink = cell_colours(chance, top)
            shapes.setdefault(fill, []).append(f"M{j} {i}h1v1h-1z")
            if size <= _NUMBERS_UP_TO + 1 and not small:
                look, height = f' class="number" fill="{ink}"', min(15.0, step * 0.3)
                place = pad + (j + 0.5) * step, gap + (i + 0.5) * step + height * 0.35
                numbers.append(text(*place, _short(chance), height, more=look))
    seam = "" if size > 31 or small else f' stroke="#ffffff" stroke-width="{1 / step:.4f}"'
    drawn = "".join(f'<path fill="{fill}" d="{"".join(found)}"/>' for fill, found in shapes.items())
    parts = [f'<g transform="translate({pad} {gap}) scale({step:.4f})"{seam}>{drawn}</g>', *numbers]
    if not small and not m.satisfies("CH"):
        parts += [_triangle(pad + j * step, gap + i * step, step, corner=bool(numbers)) for i, j in violations(m, "CH")]
    width = 1.6 if size <= 21 else 0.8
    outline = "".join(f"M{k} {k}h1v1h-1z" for k in range(size))
    parts.append(
        f'<g transform="translate({pad} {gap}) scale({step:.4f})"><path fill="none" stroke="{MARK}" '
        f'stroke-width="{width / step:.4f}" d="{outline}"/></g>'
    )
    if not small:
        parts += _axes(m.n, step, pad, gap)
        if column is not None:
            parts.append(
                f'<rect class="chosen" data-step="{step:.4f}" data-pad="{pad}" data-gap="{gap}" '
                f'x="{pad + column * step:.2f}" y="{gap - 3}" width="{step:.2f}" '
                f'height="{_SIDE + 6}" fill="none" stroke="{INK}" stroke-width="2" stroke-dasharray="5 3"/>'
            )
    wide, high = (_SIDE + 2 * pad, _SIDE + 2 * gap) if small else (pad + _SIDE + 4, gap + _SIDE + 46)
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
    parts.append(text(-(gap + _SIDE / 2), 12, "answer", 13, more=' class="axis" transform="rotate(-90)"'))
    return parts


def minor(k: int, most: int) -> str:
    """Mark the labels that a narrow screen leaves out: all but every fifth of many, every second of some."""
    keep = 1 if most < 9 else 2 if most < 14 else 5
    return "" if k % keep == 0 else ' class="minor"'


def _triangle(x: float, y: float, step: float, *, corner: bool) -> str:
    half = max(2.0, min(6.0, step * 0.16))
    middle, top = (x + step - half - 2, y + 2) if corner else (x + step / 2, y + step / 2 - half)
    points = (
        f"{middle:.1f},{top:.1f} {middle - half:.1f},{top + 1.7 * half:.1f} {middle + half:.1f},{top + 1.7 * half:.1f}"
    )
    return f'<polygon points="{points}" fill="{MARK}" stroke="#ffffff" stroke-width="0.6"/>'


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


def text(x: float, y: float, words: object, size: float, *, anchor: str = "middle", more: str = "") -> str:
    """Return words at a place of a picture."""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size:.1f}"'
    return f"<text {place}{more}>{together(words)}</text>"


def _short(chance: float) -> str:
    if chance == 0:
        return "0"
    return ".00" if chance < 0.005 else "1" if chance > 0.995 else f"{chance:.2f}".lstrip("0")
