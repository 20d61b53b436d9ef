"""The key to the colours of all charts, at the head of docs/gallery.md: `python -m tools.colour_key [docs]`."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.drawing import PAGE, PAGE_LEFT, WIDE, heading, rect, svg, text

from discreet.show.colours import CELLS, MARK, PALE, READ, mechanism_colour

MEANINGS = {
    mechanism_colour("GM"): "GM: the usual noise, geometric",
    mechanism_colour("WM"): "WM: weakly honest",
    mechanism_colour("EM"): "EM: fair",
    mechanism_colour("UM"): "UM: blind guessing",
    mechanism_colour("RR"): "RR: randomised response",
    mechanism_colour(""): "a design without a name",
    CELLS: "cells: each answer by itself",
    READ: "what was read from a release",
    MARK: "the truth, where it is known",
}


def key(wide: int) -> str:
    """A swatch and a meaning for each colour: in two columns on a page, in one on a phone."""
    left, columns = (8, 1) if wide == WIDE else (PAGE_LEFT, 2)
    parts, top = heading("One meaning, one colour", left=left), 38
    rows = -(-len(MEANINGS) // columns)
    for place, (colour, meaning) in enumerate(MEANINGS.items()):
        x, y = left + place // rows * (wide // 2 - 10), top + place % rows * 25
        parts += [
            *(
                [rect(x, y, 26, 16, fill=PALE, corner=3), rect(x + 11, y - 2, 4, 20, fill=READ)]
                if colour == READ
                else [rect(x, y, 26, 16, fill=colour, corner=3)]
            ),
            text(x + 36, y + 13, meaning, size=13.5 if columns > 1 else 12.5),
        ]
    return svg(top + rows * 25, parts, wide=wide)


def pictures() -> dict[str, str]:
    """Both pictures by their names."""
    return {"colours": key(PAGE), "colours-narrow": key(WIDE)}


if __name__ == "__main__":
    docs = Path(sys.argv[1] if len(sys.argv) > 1 else "docs")
    for name, drawn in pictures().items():
        (docs / "images" / f"{name}.svg").write_text(drawn, encoding="utf-8")
