"""Pictures for the page as inline SVG: heatmaps and paired bars, drawn from numbers the library has worked out.

Fills are attributes, never styles, so that the page's content security policy can forbid everything inline. A
picture is one image to a screen reader, with its gist in words; the numbers themselves stand in a table beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10
from typing import TYPE_CHECKING

from discreet.show.cells import cells
from discreet.show.colours import COLOURS, INK, MARK
from discreet.show.html import Html, element, together

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

LEFT, RIGHT = COLOURS[1], COLOURS[0]
"""The rival's colour and the design's: vermilion and blue, which every common kind of colour blindness tells apart."""

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
        where = "" if small else f' data-count="{cell["count"]}"'
        rect = (
            f'<rect x="{x:.2f}" y="{y:.2f}" width="{step:.2f}" height="{step:.2f}" fill="{cell["fill"]}"{seam}{where}>'
        )
        if small:
            parts.append(rect + "</rect>")
            continue
        parts.append(f"{rect}<title>{_spoken(cell['output'], cell['count'], cell['probability'])}</title></rect>")
        if cell["broken"]:
            parts.append(_triangle(x, y, step, corner=size <= _NUMBERS_UP_TO + 1))
        if size <= _NUMBERS_UP_TO + 1:
            size_of_text = min(15.0, step * 0.3)
            look = f' class="number" fill="{cell["ink"]}"'
            middle = y + step / 2 + size_of_text * 0.35
            parts.append(_text(x + step / 2, middle, _short(cell["probability"]), size_of_text, more=look))
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
                f'<rect class="chosen" x="{pad + column * step:.2f}" y="{gap - 3}" width="{step:.2f}" '
                f'height="{_SIDE + 6}" fill="none" stroke="{INK}" stroke-width="2" stroke-dasharray="5 3"/>'
            )
    wide, high = (_SIDE + 2 * pad, _SIDE + 2 * gap) if small else (pad + _SIDE + 4, gap + _SIDE + 46)
    return _svg(wide, high, title, "".join(parts))


def _axes(n: int, step: float, pad: float, gap: float) -> list[str]:
    every = next(k for k in (1, 2, 5, 10) if (n + 1) / k <= 21 or k == 10)
    size = max(9.0, min(13.0, step * 0.5 * every))
    parts = []
    for k in range(0, n + 1, every):
        middle = (k + 0.5) * step
        minor = _minor(k // every, n // every)
        parts.append(_text(pad - 8, gap + middle + size * 0.35, k, size, anchor="end", more=minor))
        parts.append(_text(pad + middle, gap + _SIDE + 20, k, size, more=minor))
    parts.append(_text(pad + _SIDE / 2, gap + _SIDE + 40, "true count", 13, more=' class="axis"'))
    parts.append(_text(-(gap + _SIDE / 2), 12, "answer", 13, more=' class="axis" transform="rotate(-90)"'))
    return parts


def _minor(k: int, most: int) -> str:
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


def bars(
    left: Sequence[float], right: Sequence[float], *, names: tuple[str, str], title: str, across: str, mark: int | None
) -> str:
    """Draw two series of chances as paired bars over 0..n; `mark` points at the true count."""
    wide, high, pad, foot, head = 760, 260, 48, 54, 24
    top = max(*left, *right, 1e-12)
    ticks = _ticks(top)
    top = max(top, ticks[-1])
    step = (wide - pad - 6) / len(left)
    inner = high - foot - head

    def y(value: float) -> float:
        return head + inner * (1 - value / top)

    parts = []
    for tick in ticks:
        parts.append(
            f'<line x1="{pad}" x2="{wide - 6}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" '
            f'stroke="{"#dddddd" if tick else "#767676"}"/>'
        )
        parts.append(_text(pad - 7, y(tick) + 4, f"{tick:.3g}", 12, anchor="end"))
    every = 1 if len(left) <= 25 else 2
    for k, pair in enumerate(zip(left, right, strict=True)):
        x = pad + k * step
        bold = k == mark
        if bold:
            parts.append(f'<rect x="{x:.1f}" y="{head - 20}" width="{step:.1f}" height="{inner + 20}" fill="#eef1f4"/>')
            parts.append(_text(x + step / 2, head - 6, "truth", 11))
        for side, (value, colour, name) in enumerate(zip(pair, (LEFT, RIGHT), names, strict=True)):
            parts.append(
                f'<rect x="{x + step * (0.12 + 0.38 * side):.2f}" y="{y(value):.2f}" width="{step * 0.36:.2f}" '
                f'height="{max(0.0, head + inner - y(value)):.2f}" fill="{colour}">'
                f"<title>{together(name)}: {value:.4f} at {k}</title></rect>"
            )
        if k % every == 0:
            weight = ' font-weight="700"' if bold else ""
            minor = "" if bold else _minor(k // every, (len(left) - 1) // every)
            parts.append(_text(x + step / 2, high - foot + 21, k, 12, more=weight + minor))
    parts.append(_text(pad + (wide - pad) / 2, high - 6, across, 12.5))
    return _svg(wide, high, title, "".join(parts))


def _ticks(top: float) -> list[float]:
    """Return three to six round values from 0 up to the first that is not below `top`."""
    unit = 10.0 ** floor(log10(top))
    step = next(unit * k for k in (0.2, 0.5, 1.0, 2.0) if top / (unit * k) <= 5)
    count = next(k for k in range(1, 8) if k * step >= top * 0.999)
    return [k * step for k in range(count + 1)]


def _svg(wide: float, high: float, title: str, inside: str) -> str:
    box = f"0 0 {wide:.0f} {high:.0f}"
    return element("svg", Html(inside), role="img", aria_label=title, viewBox=box, fill=INK)


def _text(x: float, y: float, words: object, size: float, *, anchor: str = "middle", more: str = "") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size:.1f}"'
    return f"<text {place}{more}>{together(words)}</text>"


def _spoken(i: int, j: int, chance: float) -> str:
    return f"true count {j}, answer {i}: {chance:.4f}"


def _short(chance: float) -> str:
    if chance == 0:
        return "0"
    return ".00" if chance < 0.005 else "1" if chance > 0.995 else f"{chance:.2f}".lstrip("0")
