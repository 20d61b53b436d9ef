"""A group's answers on a scale, as inline SVG: what was true, and where the published numbers lie.

As in `paired`, its attributes say what is where, in steps from the axis, so that a page can narrow them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.core.mechanism import Mechanism
from discreet.show.colours import CELLS, DESIGN, INK
from discreet.show.pictures.paired import laid, span
from discreet.show.pictures.svg import svg, text, ticks
from discreet.show.triangles import answer_rows, over_histograms

if TYPE_CHECKING:
    from discreet.designer.orbits.cell_by_cell import Cells

_WIDE, _HIGH, _PAD, _FOOT, _HEAD = 760, 260, 66, 58, 16


def scale_bars(m: Mechanism | Cells) -> str:
    """Draw one true histogram: a bar for each answer's count, a line for 90% of the draws, a dot for their mean."""
    rows, colour = answer_rows(m), DESIGN if isinstance(m, Mechanism) else CELLS
    marks = ticks(max(1.0, *(float(max(row["true"], row["high"])) for row in rows)))
    step, inner = (_WIDE - _PAD - 6) / len(rows), _HIGH - _FOOT - _HEAD

    def y(value: float) -> float:
        return _HEAD + inner * (1 - value / marks[-1])

    parts = []
    for tick in marks:
        look = "#dddddd" if tick else "#767676"
        parts.append(
            f'<line x1="{_PAD}" x2="{_WIDE - 6}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" stroke="{look}"'
            f"{span(0, len(rows))}/>"
        )
        parts.append(text(_PAD - 7, y(tick) + 4, f"{tick:g}", 12, anchor="end"))
    for k, row in enumerate(rows):
        x = _PAD + step * (k + 0.5)
        parts.append(
            f'<rect x="{x - step * 0.3:.1f}" y="{y(row["true"]):.1f}" width="{step * 0.6:.1f}" '
            f'height="{y(0) - y(row["true"]):.1f}" fill="{colour}" fill-opacity="0.45"{span(k + 0.2, 0.6)}/>'
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{y(row["low"]):.1f}" y2="{y(row["high"]):.1f}" stroke="{INK}" '
            f'stroke-width="3"{span(k + 0.5, 0)}/><circle cx="{x:.1f}" cy="{y(row["mean"]):.1f}" r="5" '
            f'fill="{INK}"{span(k + 0.5)}/>'
        )
        parts.append(text(x, _HIGH - _FOOT + 23, str(row["label"])[:18], 13, more=span(k + 0.5)))
    middle = len(rows) / 2
    parts.append(
        text(_PAD + middle * step, _HIGH - 6, "bar: truth; line: 90% of draws; dot: mean", 12.5, more=span(middle))
    )
    parts.append(text(-(_HEAD + inner / 2), 16, "people", 12.5, more=' transform="rotate(-90)"'))
    said = ", ".join(f"{row['label']}: {row['true']} true, {row['low']} to {row['high']} published" for row in rows)
    drawn = f"<g{laid(len(rows), step, pad=_PAD)}>{''.join(parts)}</g>"
    return svg(_WIDE, _HIGH, f"Answers of a group of {over_histograms(m).n}. {said}", drawn)
