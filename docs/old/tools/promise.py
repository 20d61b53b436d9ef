"""The picture of docs/guarantee.md: one person answers otherwise, and every number keeps nearly its chance.

`python -m tools.promise [docs]`. The chances are those of the library's own matrix.
"""

from __future__ import annotations

import sys
from math import exp
from pathlib import Path

from tools.drawing import LINES, NO, PAGE, PAGE_LEFT, WIDE, YES, heading, line, svg, text
from tools.people import KNOWN, arrow, fills, person

from discreet.core.named import geometric

N, OTHERS, EPSILON = 8, 3, "1"
"""A group, how many of the others said yes, and the epsilon."""
NIGHTS = {NO: "#e8963c", YES: "#35a9b5"}


def promise(whole: int) -> str:
    """The group twice, and between its answers the chances of every number: up if you said no, down if you said yes."""
    page = whole == PAGE
    left, size = (PAGE_LEFT, LINES[True]) if page else (8.0, LINES[False])
    m = geometric(n=N, epsilon=EPSILON)
    no, yes = ([float(chance) for chance in m.column(count)] for count in (OTHERS, OTHERS + 1))
    most = f"{exp(float(EPSILON)):.3g}"
    title = f"Your answer changes each chance by a factor of {most} at most" if page else f"A factor of {most} at most"
    told = f"chance of each published number, at epsilon {EPSILON}"
    parts = heading(title, told, left=left)
    step, high = (35.0, 92.0) if page else (37.0, 96.0)
    start = whole - 26 - step * (N + 1) if page else (whole - step * (N + 1)) / 2
    top = 72 if page else 130
    axis = top + high
    scale = (high - 20) / max(*no, *yes)
    for k in range(N + 1):
        x = start + (k + 0.5) * step
        parts.append(text(x, axis + 19, str(k), size=size, at="middle", bold=k == OTHERS + 1))
        for chances, colour, up in ((no, NO, True), (yes, YES, False)):
            tall = scale * chances[k]
            y = axis - tall if up else axis + 28
            fill = fills((colour, NIGHTS[colour]))
            parts.append(f'<rect x="{x - 12:.1f}" y="{y:.1f}" width="24" height="{tall:.1f}" rx="2" {fill}/>')
            if k == OTHERS + 1:
                said = text(x, y - 6 if up else y + tall + 16, f"{chances[k]:.1%}", size=size, at="middle", bold=True)
                parts.append(said)
    x = start + (OTHERS + (4.5 if page else 4.15)) * step
    parts += [
        text(x, axis + 28 + high - 40, "4 is published", size=size, at="middle"),
        text(x, axis + 28 + high - 21, f"{most} times as often", size=size, at="middle", bold=True),
    ]
    ends = (start, start + step * (N + 1))
    parts += [line([(x, y) for x in ends], stroke="#b9bfc5", width=1) for y in (axis + 2, axis + 26)]
    for colour, said, full in ((NO, "you said no", False), (YES, "you said yes", True)):
        above = not full
        if page:
            foot, x = (axis - 22 if above else axis + 92), left
            parts.append(arrow([(start - 66, foot - 17), (start - 16, foot - 17)]))
        else:
            foot, x = (top - 12 if above else axis + 28 + high + 40), 8
        parts += _group(x, foot, (28 if page else 29), colour, full)
        parts.append(text(x, foot - 42, said, size=size, bold=True, fill=colour))
    return svg((axis + 28 + high + (8 if page else 52)), parts, wide=whole)


def _group(x: float, foot: float, step: float, colour: str, full: bool) -> list[str]:
    """The others, of whom some said yes, and you."""
    drawn = [person(x + 10 + k * step, foot, 34, KNOWN if k < OTHERS else None) for k in range(N - 1)]
    you = person(x + 10 + (N - 1) * step, foot, 34, (colour, NIGHTS[colour]) if full else None, ring=colour)
    return [*drawn, you]


def pictures() -> dict[str, str]:
    """The picture for a page and for a phone."""
    return {"promise": promise(PAGE), "promise-narrow": promise(WIDE)}


if __name__ == "__main__":
    docs = Path(sys.argv[1] if len(sys.argv) > 1 else "docs")
    for name, drawn in pictures().items():
        (docs / "images" / f"{name}.svg").write_text(drawn, encoding="utf-8")
