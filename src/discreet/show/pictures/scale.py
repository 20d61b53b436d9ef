"""A group's answers on a scale, as inline SVG: what was true, in grey, and where 95% of the
published numbers lie.

As in `paired`, its attributes say what is where, in steps from the axis, so that a page can narrow
them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.show.colours import TABLE
from discreet.show.pictures.paired import laid, span
from discreet.show.pictures.svg import across, folded, svg, text, ticks
from discreet.show.triangles import answer_rows, over_histograms

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.designer.orbits.cell_by_cell import Cells

_WIDE, _PAD, _HEAD, _INNER, _FOOT, _LINE = 760, 66, 16, 186, 40, 18
_LETTERS = 14
_NARROW, _NARROW_LETTERS = 390, 16
"""Its width and letters on a narrow screen, in the same units: labels are folded to fit there
too.
"""
TRUTH = "#9aa5b0"


def scale_bars(m: Mechanism | Cells) -> str:
    """Draw one true histogram: a bar for each answer's count, a line for 95% of the draws, a dot
    for their average.
    """
    rows = answer_rows(m, confidence="0.95")
    marks = ticks(max(1.0, *(float(max(row["true"], row["high"])) for row in rows)))
    step, narrow = ((wide - _PAD - 6) / len(rows) for wide in (_WIDE, _NARROW))
    labels = [folded(str(row["label"])[:24], _NARROW_LETTERS, narrow)[:3] for row in rows]
    if any(across(words, _NARROW_LETTERS) > narrow for label in labels for words in label):
        lower = max(map(len, labels[::2]))  # every second label, so that a long word has room
        labels = [[""] * (lower * (k % 2)) + label for k, label in enumerate(labels)]
    floor = _HEAD + _INNER
    high = floor + _LINE * max(map(len, labels)) + _FOOT

    def y(value: float) -> float:
        return _HEAD + _INNER * (1 - value / marks[-1])

    parts = []
    for tick in marks:
        look = "#dddddd" if tick else "#767676"
        parts.append(
            f'<line x1="{_PAD}" x2="{_WIDE - 6}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" '
            f'stroke="{look}"'
            f"{span(0, len(rows))}/>"
        )
        parts.append(text(_PAD - 7, y(tick) + 4, f"{tick:g}", _LETTERS, anchor="end"))
    for k, row in enumerate(rows):
        x = _PAD + step * (k + 0.5)
        parts.append(
            f'<rect x="{x - step * 0.3:.1f}" y="{y(row["true"]):.1f}" width="{step * 0.6:.1f}" '
            f'height="{y(0) - y(row["true"]):.1f}" fill="{TRUTH}"{span(k + 0.2, 0.6)}/><line '
            f'x1="{x:.1f}" x2="{x:.1f}" y1="{y(row["low"]):.1f}" y2="{y(row["high"]):.1f}" '
            f'stroke="{TABLE}" stroke-width="4"{span(k + 0.5, 0)}/><circle cx="{x:.1f}" '
            f'cy="{y(row["mean"]):.1f}" r="6.5" fill="{TABLE}"{span(k + 0.5)}/>'
        )
        for line, words in enumerate(labels[k], 1):
            parts.append(text(x, floor + 4 + _LINE * line, words, _LETTERS, more=span(k + 0.5)))
    middle = len(rows) / 2
    parts.append(text(_PAD + middle * step, high - 8, "answer", _LETTERS, more=span(middle)))
    parts.append(
        text(-(_HEAD + _INNER / 2), 16, "people", _LETTERS, more=' transform="rotate(-90)"')
    )
    said = ", ".join(
        f"{row['label']}: {row['true']} true, {row['low']} to {row['high']} published"
        for row in rows
    )
    drawn = f"<g{laid(len(rows), step, pad=_PAD)}>{''.join(parts)}</g>"
    return svg(_WIDE, high, f"Answers of a group of {over_histograms(m).n}. {said}", drawn)
