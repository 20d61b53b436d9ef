"""The pictures of docs/properties.md, one for each property: `python -m tools.property_pictures [folder]`.

Each shows two mechanisms for groups of 4: one that lacks the property, with the cells at fault marked, and one that has
it.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from textwrap import wrap
from typing import Any

from discreet.core.named import fair, geometric, weakly_honest
from discreet.core.rationals import read_alpha
from discreet.core.transforms import postprocess
from discreet.show.captions import privacy_words
from discreet.show.cells import cells, largest
from discreet.show.colours import MARK
from tools.drawing import GRID, rect, svg, text

ALPHA = "3/4"
_KEY_SIZE = 14
_CELL, _START, _TOP, _LINE = 50, 26, 96, 29
_LEFT, _BETWEEN = _START + 42, 52
"""Pixels: of a cell, to the words of a picture, to its matrices, letters of a line of a title, to the first cell, and
between the two."""
_WEDGE = 13
_NARROWER, _EDGE = 18, 8
"""Pixels that a phone has less on the left, and those at its right edge."""
_PRIVACY = privacy_words(Fraction(ALPHA), read_alpha(alpha=ALPHA).epsilon)
_WORDS = {
    "RH": ("Answers 1 and 3 are likeliest where they are wrong", "Every answer is likeliest where it is true"),
    "RM": ("Answers 1 and 3 get likelier away from their truth", "Every answer gets less likely away from its truth"),
    "CH": ("The truth is not always the likeliest answer", "The truth is the likeliest answer"),
    "CM": ("0 and 4 are likelier than answers nearer the truth", "No answer is likelier than one nearer the truth"),
    "WH": ("1, 2 and 3 are told less often than by a guess", "Every truth is told as often as by a guess, or more"),
    "F": ("0 and 4 are told more often than 1, 2 and 3", "Every truth is told equally often"),
    "S": ("0 is often published, 4 never", "Turned by half a turn it is the same"),
}
"""What one sees in the matrix that lacks a property, and in the one that has it."""


def pairs() -> dict[str, tuple[tuple[str, Any], tuple[str, Any]]]:
    """For every property a mechanism for n = 4 that lacks it, and one that has it, each with its name."""
    gm = geometric(n=4, alpha=ALPHA)
    em, wm = fair(n=4, alpha=ALPHA), weakly_honest(n=4, alpha=ALPHA)
    swapped = postprocess(gm, [[int(i == (0, 3, 2, 1, 4)[j]) for j in range(5)] for i in range(5)])
    lopsided = postprocess(gm, [[int(i == min(j, 3)) for j in range(5)] for i in range(5)])
    return {
        "RH": (("usual (GM), 1 and 3 exchanged", swapped), ("usual (GM)", gm)),
        "RM": (("usual (GM), 1 and 3 exchanged", swapped), ("usual (GM)", gm)),
        "CH": (("usual (GM)", gm), ("fair (EM)", em)),
        "CM": (("usual (GM)", gm), ("fair (EM)", em)),
        "WH": (("usual (GM)", gm), ("weakly honest (WM)", wm)),
        "F": (("usual (GM)", gm), ("fair (EM)", em)),
        "S": (("usual (GM), 3 published for 4", lopsided), ("usual (GM)", gm)),
    }


_KEY = ("chances in percent; framed: the truth;", "triangle: where the property fails")
"""What is drawn: below the matrices in one line, and on a phone in two."""


def matrix(m: Any, mark: str, title: str, name: str, *, left: float, top: float) -> list[str]:
    """Draw a matrix in percent: true counts across, published numbers down; truth framed, faults with a triangle."""
    start = left - 42
    parts = [text(start, 20 + 20 * k, line, size=16, bold=True) for k, line in enumerate(wrap(title, _LINE))]
    parts += [text(start, 62, name, size=_KEY_SIZE), text(start, 81, f"groups of 4, {_PRIVACY}", size=_KEY_SIZE)]
    marks: list[str] = []
    empty: list[str] = []
    for cell in cells(m, mark, top=top):
        x, y = left + cell["count"] * _CELL, _TOP + cell["output"] * _CELL
        parts.append(rect(x, y, _CELL, _CELL, fill=cell["fill"], stroke="#ffffff"))
        if not cell["probability"]:  # a white cell is seen by its border
            empty.append(rect(x + 0.5, y + 0.5, _CELL - 1, _CELL - 1, fill="none", stroke=GRID))
        number = f"{100 * cell['probability']:.0f}"
        parts.append(text(x + _CELL / 2, y + _CELL / 2 + 8, number, size=17, at="middle", fill=cell["ink"]))
        if cell["diagonal"]:
            side = _CELL - 3
            marks.append(
                f'<rect x="{x + 1.5:g}" y="{y + 1.5:g}" width="{side}" height="{side}" fill="none" '
                f'stroke="{MARK}" stroke-width="2"/>'
            )
        if cell["broken"]:  # the same corner as in heatmaps
            corner = f"M{x + _CELL - 2 - _WEDGE:g} {y + 2:g}h{_WEDGE}v{_WEDGE}z"
            marks.append(f'<path d="{corner}" fill="{MARK}" stroke="#ffffff"/>')
    for k in range(5):
        parts.append(text(left - 8, _TOP + k * _CELL + 30, str(k), size=15, at="end"))
        parts.append(text(left + (k + 0.5) * _CELL, _TOP + 5 * _CELL + 20, str(k), size=15, at="middle"))
    parts.append(text(left + 2.5 * _CELL, _TOP + 5 * _CELL + 44, "true count", size=15, at="middle"))
    middle = _TOP + 2.5 * _CELL
    turned = text(0, 0, "published number", size=15, at="middle")
    return [*parts, *empty, *marks, f'<g transform="translate({left - 30:g} {middle:g}) rotate(-90)">{turned}</g>']


def pair(name: str, *, narrow: bool = False) -> str:
    """Draw the two mechanisms of a property on one scale of colours, side by side; for a phone one below the other."""
    (poor, lacks), (good, has) = pairs()[name]
    without, with_it = _WORDS[name]
    top = largest(lacks, has)
    high = _TOP + 5 * _CELL + 54
    start = _LEFT - _NARROWER if narrow else _LEFT
    second = start if narrow else _LEFT + 5 * _CELL + _BETWEEN + 42
    parts = matrix(lacks, name, without, poor, left=start, top=top)
    below = matrix(has, name, with_it, good, left=second, top=top)
    if narrow:
        below = [f'<g transform="translate(0 {high + 16})">', *below, "</g>"]
        high = 2 * high + 16
    key = _KEY if narrow else (" ".join(_KEY),)
    below += [text(start - 42, high + 12 + 20 * k, words, size=_KEY_SIZE) for k, words in enumerate(key)]
    return svg(high + 20 * len(key), [*parts, *below], wide=second + 5 * _CELL + (_EDGE if narrow else _START))


def pictures() -> dict[str, str]:
    """Every picture by its name."""
    return {
        f"property-{name.lower()}{'-narrow' * narrow}": pair(name, narrow=narrow)
        for name in pairs()
        for narrow in (False, True)
    }


if __name__ == "__main__":
    for name, drawn in pictures().items():
        (Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images") / f"{name}.svg").write_text(drawn, encoding="utf-8")
