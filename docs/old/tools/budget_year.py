"""The picture of docs/ledger.md: one budget shared out among the releases of a year, and how exact each of them is.

`python -m tools.budget_year [docs]`. The margins are those of the library's own plans of docs/files/people.csv.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

from tools.drawing import BASE, GRID, LINES, PAGE, PAGE_LEFT, QUIET, WIDE, heading, line, svg, text
from tools.people import MAYBE, YES, fills

import discreet as dc

BUDGET = 2
TIMES = (1, 2, 4, 12)
"""How many releases a year."""
PEOPLE = Path(__file__).parents[1] / "docs" / "files" / "people.csv"


def margins() -> list[float]:
    """The 95% margin of the total of each release."""
    answers = {"smoker": ["yes", "no"]}
    found = []
    for times in TIMES:
        epsilon = Fraction(BUDGET, times)
        plan = dc.plan(str(PEOPLE), by="clinic", count=answers, unit="person", epsilon=epsilon)
        width = plan.totals[0].width
        assert width is not None, "a count of one question has a total"
        found.append(width / 2)
    return found


def budget_year(whole: int, off: list[float]) -> str:
    """A row for each way to share the budget out: its parts, and beside or below them the margin of a total."""
    page = whole == PAGE
    left, size = (PAGE_LEFT, LINES[True]) if page else (8.0, LINES[False])
    title = f"A budget of {BUDGET}, shared out: fewer releases are more exact"
    told = "left: its parts; right: the 95% margin of a total of 480 people"
    if not page:
        title, told = "Fewer releases are more exact", f"a budget of {BUDGET} in parts; 95% margin of a total"
    parts = heading(title, told, left=left)
    top, row, high = (66, 44, 24) if page else (62, 76, 22)
    start, wide = (116.0, 236.0) if page else (8.0, whole - 16.0)
    middle, scale = (518.0, 0.72) if page else (whole / 2 + 24, 1.05)
    for k, (times, error) in enumerate(zip(TIMES, off, strict=True)):
        y = top + k * row + (0 if page else 18)
        each = Fraction(BUDGET, times)
        said = f"{times} a year" if page else f"{times} a year, epsilon {each}" + (" each" if times > 1 else "")
        parts.append(text(left, y + (17 if page else -7), said, size=size, bold=True))
        piece = wide / times
        for place in range(times):
            x = start + place * piece
            box = f'width="{piece - 3:.1f}" height="{high}" rx="4" {fills(MAYBE)}'
            parts.append(f'<rect x="{x:.1f}" y="{y:g}" {box}/>')
            if page and times <= 4:
                parts.append(text(x + piece / 2 - 1, y + 17, f"{each}", size=size, at="middle"))
        if page and times > 4:
            parts.append(text(start + wide + 4, y + 17, f"{each} each", size=size))
        at = y + (high / 2 if page else high + 16)
        ends = [(middle - scale * error, at), (middle + scale * error, at)]
        parts += [
            line([(middle, at - 9), (middle, at + 9)], stroke=BASE, width=1),
            f'<line x1="{ends[0][0]:.1f}" y1="{at:g}" x2="{ends[1][0]:.1f}" y2="{at:g}" stroke="{YES[0]}" '
            'stroke-width="5" stroke-linecap="round"/>',
        ]
        x, anchor = (whole - left, "end") if page else (8.0, "start")
        parts.append(text(x, at + 5, f"±{error:.1f}", size=size, bold=True, at=anchor, fill=QUIET))
        if k:
            over = y - (row - high) / 2 if page else y - 28
            parts.append(line([(left, over), (whole - left, over)], stroke=GRID, width=1))
    return svg(top + len(TIMES) * row + (0 if page else 4), parts, wide=whole)


def pictures() -> dict[str, str]:
    """The picture for a page and for a phone."""
    off = margins()
    return {"budget-year": budget_year(PAGE, off), "budget-year-narrow": budget_year(WIDE, off)}


if __name__ == "__main__":
    docs = Path(sys.argv[1] if len(sys.argv) > 1 else "docs")
    for name, drawn in pictures().items():
        (docs / "images" / f"{name}.svg").write_text(drawn, encoding="utf-8")
