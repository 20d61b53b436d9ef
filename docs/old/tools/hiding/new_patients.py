"""The picture of all methods side by side in docs/hiding.md: of which new patients the answer becomes known."""

from __future__ import annotations

from tools.drawing import GRID, INK, LINES, PAGE, PAGE_LEFT, QUIET, WARNS, heading, line, svg, text
from tools.hiding.clinics import months
from tools.hiding.comparing import EPSILON, METHODS, outcome
from tools.people import FOUND, MAYBE, person

NEWCOMERS = 8
"""So many clinics have a new patient in April."""
OURS = f"discreet, epsilon {EPSILON} a month"
_NAMES = {
    "... and the next smallest": ("and the next smallest",),
    "counts of 1 to 4 hidden, and the next smallest": ("counts of 1 to 4 hidden,", "and the next smallest"),
}


def known() -> dict[str, tuple[int, int]]:
    """Of how many new patients the answer is known for certain, and how many clinics are hidden; last with us."""
    found = {name: outcome(method, *months()) for name, method in METHODS.items()}
    # every number of GM is possible at every true count, so that none is ever ruled out
    return {name: (one.newcomers, one.hidden) for name, one in found.items()} | {OURS: (0, 0)}


def new_patients(whole: int) -> str:
    """A row of the new patients for each method, below its name on a phone."""
    page = whole == PAGE
    left, size = (PAGE_LEFT, LINES[True]) if page else (8.0, LINES[False])
    told = ["red: known for certain from March and April,", "if nobody left or fell ill; blue: never certain"]
    title = "Eight new patients, and whose answer is found" if page else "Whose answer is found"
    parts = heading(title, *([" ".join(told)] if page else told), left=left)
    top, row, start, step = (66, 50, 258, 34) if page else (80, 66, 8, 30)
    for k, (name, (count, hidden)) in enumerate(known().items()):
        y = top + k * row
        said = _NAMES.get(name, (name,)) if page else (name.removeprefix("... "),)
        ours = name == OURS
        foot = y + (38 if page else 54)
        first = y + (28 - 8 * (len(said) - 1) if page else 14)
        parts += [text(left, first + 17 * at, words, size=size, bold=ours) for at, words in enumerate(said)]
        for place in range(NEWCOMERS):
            look = FOUND if place < count else MAYBE if ours else None
            parts.append(person(start + 12 + place * step, foot, 32, look))
        found, x = f"{count} found" if count or not page else "none found", start + NEWCOMERS * step + 12
        lost = f"{hidden}{' of 24' if page else ''} hidden" if hidden or not page else "none hidden"
        parts += [
            text(x, foot - 17, found, size=size, bold=True, fill=WARNS if count else INK),
            text(x, foot + 1, lost, size=size, fill=QUIET),
        ]
        if k:
            parts.append(line([(left, y - 3), (whole - left, y - 3)], stroke=GRID, width=1))
    foot = top + len(known()) * row
    return svg(foot + 4, parts, wide=whole)
