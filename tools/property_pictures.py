"""The pictures of docs/properties.md, one for each property: `python -m tools.property_pictures [folder]`.

Each shows a mechanism for groups of 4 that lacks the property, with the cells at fault marked.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from discreet.core.named import geometric
from discreet.core.transforms import postprocess
from discreet.show.cells import cells, largest
from tools.drawing import SECOND, rect, svg, text

_CELL, _LEFT, _TOP = 42, 34, 8


def broken() -> dict[str, Any]:
    """For every property a mechanism for n = 4 that lacks it."""
    gm = geometric(n=4, alpha="9/10")
    swapped = postprocess(gm, [[int(i == (0, 3, 2, 1, 4)[j]) for j in range(5)] for i in range(5)])
    lopsided = postprocess(gm, [[int(i == min(j, 3)) for j in range(5)] for i in range(5)])
    return {"RH": swapped, "RM": swapped, "CH": gm, "CM": gm, "WH": gm, "F": gm, "S": lopsided}


def matrix(m: Any, mark: str) -> str:
    """Draw a matrix, true counts across and outputs down; faults have a thick frame and a triangle."""
    parts, marks = [], []
    for cell in cells(m, mark, top=largest(m)):
        x, y = _LEFT + cell["count"] * _CELL, _TOP + cell["output"] * _CELL
        parts.append(rect(x, y, _CELL, _CELL, fill=cell["fill"], stroke="#ffffff"))
        number = f"{cell['probability']:.3f}".lstrip("0") if cell["probability"] else "0"
        parts.append(text(x + _CELL / 2, y + _CELL / 2 + 9, number, size=13, at="middle", fill=cell["ink"]))
        if cell["diagonal"]:
            marks.append(
                f'<rect x="{x + 1}" y="{y + 1}" width="{_CELL - 2}" height="{_CELL - 2}" fill="none" stroke="#000000"/>'
            )
        if cell["broken"]:
            marks.append(
                f'<path d="M{x + _CELL - 15} {y + 14}h12l-6 -10z" fill="{SECOND}" stroke="#ffffff" stroke-width="1"/>'
            )
    for k in range(5):
        parts.append(text(_LEFT - 8, _TOP + k * _CELL + 26, str(k), size=13, at="end"))
        parts.append(text(_LEFT + (k + 0.5) * _CELL, _TOP + 5 * _CELL + 17, str(k), size=13, at="middle"))
    parts.append(text(_LEFT + 2.5 * _CELL, _TOP + 5 * _CELL + 34, "true count", size=13, at="middle"))
    return svg(_TOP + 5 * _CELL + 42, [*parts, *marks], wide=_LEFT + 5 * _CELL + 8)


def pictures() -> dict[str, str]:
    """Every picture by its name."""
    return {f"property-{name.lower()}": matrix(m, name) for name, m in broken().items()}


if __name__ == "__main__":
    for name, drawn in pictures().items():
        (Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images") / f"{name}.svg").write_text(drawn, encoding="utf-8")
