"""Heatmaps for the page as inline SVG, drawn from numbers the library has worked out; and what pictures are made of.

Fills are attributes, never styles, so that the page's content security policy can forbid everything inline. A
picture is one image to a screen reader, with its gist in words; the numbers themselves stand in a table beside it.
"""

from __future__ import annotations

from math import floor, log10
from typing import TYPE_CHECKING

from discreet.show.cells import cells
from discreet.show.colours import INK, MARK
from discreet.show.html import Html, element, together

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

_SIDE = 360
_NUMBERS_UP_TO = 10


def heatmap(m: Mechanism, *, top: float, title: str, column: int | None = None, small: bool = False) -> str:
    """Draw a matrix: true counts across, outputs down, the diagonal outlined, broken column honesty marked."""
    size = m.n + 1
    step = _SIDE / size
    pad, gap = (4, 0) if small else (40, 6)
    parts = []
    for cell in cells(m, None if small else "CH", top=top):
        x, y = pad + cell["count"] * step, gap + cell["output"] * step
        seam = "" if size > 31 or small else ' stroke="#ffffff"'
        where = "" if small else f' data-count="{cell["count"]}" data-answer="{cell["output"]}"'
        parts.append(
            f'<rect x="{x:.2f}" y="{y:.2f}" width="{step:.2f}" height="{step:.2f}" fill="{cell["fill"]}"{seam}{where}/>'
        )
        if small:
            continue
        if cell["broken"]:
            parts.append(_triangle(x, y, step, corner=size <= _NUMBERS_UP_TO + 1))
        if size <= _NUMBERS_UP_TO + 1:
            size_of_text = min(15.0, step * 0.3)
            look = f' class="number" fill="{cell["ink"]}"'
            middle = y + step / 2 + size_of_text * 0.35
            parts.append(text(x + step / 2, middle, _short(cell["probability"]), size_of_text, more=look))
    width = 1.6 if size <= 21 else 0.8
    parts += [
        f'<rect x="{pad + k * step + width / 2:.2f}" y="{gap + k * step + width / 2:.2f}" width="{step - width:.2f}" '
        f'height="{step - width:.2f}" fill="none" stroke="{MARK}" stroke-width="{width}"/>'
        for k in range(size)
    ]
    if not small:
        parts += _axes(m.n, step, pad, gap)
        if column is not None:
            parts.append(
                f'<rect class="chosen" data-step="{step:.4f}" data-pad="{pad}" '
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
