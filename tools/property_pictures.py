"""The pictures of docs/properties.md, one for each property: `python -m tools.property_pictures [folder]`.

Each shows two mechanisms for groups of 4: one that lacks the property, with the cells at fault marked, and one that has
it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from discreet.core.named import fair, geometric, weakly_honest
from discreet.core.rationals import read_alpha
from discreet.core.transforms import postprocess
from discreet.show.cells import cells, largest
from discreet.show.colours import MARK
from discreet.show.pictures.theme import HEADINGS
from tools.drawing import LINES, PAGE, PAGE_LEFT, heading, rect, svg, text

ALPHA = "3/4"
_CELL, _TOP = 46, 108
"""Pixels: of a cell, and to the first."""
_LEFT, _BETWEEN = 42, 80
"""From the words of a panel to its matrix, and between the two panels."""
_WEDGE = 13
_PRIVACY = f"epsilon = {float(read_alpha(alpha=ALPHA).epsilon):.3g}"
_SAID = (f"chances in %; n = 4, {_PRIVACY};", "outlined: the truth; triangle: breaks the rule")
"""The line below the title; on a phone two."""
_WORDS = {
    "RH": (
        "Row honesty: an answer is likeliest where it is true",
        "1 and 3 are likelier at other truths",
        "each is likeliest at its truth",
    ),
    "RM": (
        "Row monotonicity: answers fade away from their truth",
        "1 and 3 get likelier far from their truth",
        "every answer fades",
    ),
    "CH": (
        "Column honesty: the truth is the likeliest answer",
        "0 and 4 are often likelier than the truth",
        "the truth is always likeliest",
    ),
    "CM": (
        "Column monotonicity: no rise away from the truth",
        "0 and 4 often beat a nearer answer",
        "chances never rise away from the truth",
    ),
    "WH": (
        "Weak honesty: no truth is told less than by guessing",
        "1, 2, 3 are told in 14%, a guess in 20%",
        "every truth is told in 20% or more",
    ),
    "F": ("Fairness: every truth is told equally often", "0 and 4 are told most often", "every truth is told in 28%"),
    "S": ("Symmetry: turned by half a turn, it is the same", "0 comes often, 4 never", "0 comes as often as 4"),
}
"""What the property says, and what one sees in the matrix that lacks it and in the one that has it."""


def pairs() -> dict[str, tuple[tuple[str, Any], tuple[str, Any]]]:
    """For every property a mechanism for n = 4 that lacks it, and one that has it, each with its name."""
    gm = geometric(n=4, alpha=ALPHA)
    em, wm = fair(n=4, alpha=ALPHA), weakly_honest(n=4, alpha=ALPHA)
    swapped = postprocess(gm, [[int(i == (0, 3, 2, 1, 4)[j]) for j in range(5)] for i in range(5)])
    lopsided = postprocess(gm, [[int(i == min(j, 3)) for j in range(5)] for i in range(5)])
    return {
        "RH": (("usual, 1 and 3 exchanged", swapped), ("usual (GM)", gm)),
        "RM": (("usual, 1 and 3 exchanged", swapped), ("usual (GM)", gm)),
        "CH": (("usual (GM)", gm), ("fair (EM)", em)),
        "CM": (("usual (GM)", gm), ("fair (EM)", em)),
        "WH": (("usual (GM)", gm), ("weakly honest (WM)", wm)),
        "F": (("usual (GM)", gm), ("fair (EM)", em)),
        "S": (("usual, 3 published for 4", lopsided), ("usual (GM)", gm)),
    }


def matrix(m: Any, mark: str, name: str, seen: str, *, start: float, page: bool, top: float) -> list[str]:
    """Draw a matrix in percent: true counts across, published numbers down; truth framed, faults with a triangle."""
    left, size = start + _LEFT, LINES[page]
    parts = [
        text(start, _TOP - 32, name, size=HEADINGS if page else 13, bold=True, fill="#000000"),
        text(start, _TOP - 13, seen, size=size),
    ]
    marks: list[str] = []
    empty: list[str] = []
    for cell in cells(m, mark, top=top):
        x, y = left + cell["count"] * _CELL, _TOP + cell["output"] * _CELL
        parts.append(rect(x, y, _CELL, _CELL, fill=cell["fill"], stroke="#ffffff"))
        if not cell["probability"]:  # a white cell is seen by its border
            empty.append(rect(x + 0.5, y + 0.5, _CELL - 1, _CELL - 1, fill="none", stroke="#d0d0d0"))
        number = f"{100 * cell['probability']:.0f}"
        parts.append(text(x + _CELL / 2, y + _CELL / 2 + 5, number, size=size, at="middle", fill=cell["ink"]))
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
        parts.append(text(left - 8, _TOP + k * _CELL + 28, str(k), size=size, at="end"))
        parts.append(text(left + (k + 0.5) * _CELL, _TOP + 5 * _CELL + 18, str(k), size=size, at="middle"))
    parts.append(text(left + 2.5 * _CELL, _TOP + 5 * _CELL + 39, "true count", size=size, at="middle"))
    middle = _TOP + 2.5 * _CELL
    turned = text(0, 0, "published number", size=size, at="middle")
    return [*parts, *empty, *marks, f'<g transform="translate({left - 29:g} {middle:g}) rotate(-90)">{turned}</g>']


def pair(name: str, *, narrow: bool = False) -> str:
    """Draw the two mechanisms of a property on one scale of colours, side by side; for a phone one below the other."""
    (poor, lacks), (good, has) = pairs()[name]
    title, without, with_it = _WORDS[name]
    top = largest(lacks, has)
    high = _TOP + 5 * _CELL + 52
    start = 8 if narrow else PAGE_LEFT
    second = start if narrow else start + _LEFT + 5 * _CELL + _BETWEEN
    parts = matrix(lacks, name, f"lacks it: {poor}", without, start=start, page=not narrow, top=top)
    below = matrix(has, name, f"has it: {good}", with_it, start=second, page=not narrow, top=top)
    if not narrow:
        return svg(high, [*heading(title, " ".join(_SAID), left=start), *parts, *below], wide=PAGE)
    what, _, says = title.partition(": ")
    said = heading(what, says, *_SAID)
    parts, below = (
        [f'<g transform="translate(0 {down})">', *panel, "</g>"] for down, panel in ((34, parts), (high - 22, below))
    )
    return svg(2 * high - 22, [*said, *parts, *below])


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
