"""The pair of pictures that the home page and README lead with: a region with hidden groups, and with us.

Both have the same rows and the same two months, so that every cell can be compared with that at its place. The numbers
are those of the pictures of all 24 clinics on docs/hiding.md, and of the steps there.
"""

from __future__ import annotations

from functools import partial

from tools.drawing import GRID, INK, QUIET, WIDE, line, svg, text
from tools.hiding.attack import exact, subtract_both
from tools.hiding.clinics import months, total
from tools.hiding.comparing import EPSILON, METHODS
from tools.hiding.printed_numbers import Printed, of_clinics, of_regions, shown
from tools.hiding.steps import GROWN, REGION, attack, region
from tools.hiding.tiles import LEFT, LOOKS, NIGHT, box

RIGHT = WIDE - 8
_TITLE, _FIGURE, _LETTER = 17, 16, 14
"""Pixels of the title, of a number and of all other letters: few words, so that they can be large side by side."""
_text = partial(text, size=_LETTER)
_MONTHS = {"March": 64, "April": 207}
"""Where the cells of a month begin."""
_NUMBER, _OF = 75, 95
"""From there to the middle of a number, and to the words that say of how many."""
_HEAD, _TOP, _ROW = 70, 78, 30
_SAID = 21
"""Pixels from one line of the words below to the next."""

Pill = tuple[str, str, int, int]
"""Its look, its words, where it begins in its cell, and how wide it is."""
Cell = str | list[Pill]
"""A number as it is, or pills."""


def home_pair() -> dict[str, str]:
    """Both pictures by their names."""
    return {"home-hidden": _hidden(), "home-discreet": _ours()}


def _hidden() -> str:
    """The region with small groups hidden, in both months, with what subtraction finds beside it."""
    march, april = months()
    first, second = (METHODS["... and the next smallest"](month) for month in (march, april))
    found = subtract_both(first, second, march, april)
    cells: list[list[Cell]] = []
    for before, after in zip(*region(), strict=True):
        cells.append([])
        for known, left, clinic in ((first, found[0], before), (second, found[1], after)):
            number = known.shown[clinic.name]
            assert clinic.name in exact(left), "every hidden number of the region is found"
            pills = [("hidden", "hidden", 0, 58), ("back", str(clinic.yes), _NUMBER - 14, 28)]
            cells[-1].append(pills if number is None else str(number))
    cells.append([str(total(month, REGION)) for month in (march, april)])
    gone = [
        {c.name for c in part if c.name in known.hidden} for part, known in zip(region(), (first, second), strict=True)
    ]
    (same,), (small,) = gone[1] - gone[0], gone[0] & gone[1]
    later, sooner = (step["line"] for step in attack() if step["line"])
    before, after = (next(c for c in month if c.name == GROWN) for month in (march, april))
    assert (after.patients, after.yes) == (before.patients + 1, before.yes + 1)
    assert all(pair[0] == pair[1] for pair in zip(*region(), strict=True) if pair[0].name in (same, small))
    return _page(
        "Hidden, but still found",
        "Patients with diabetes",
        cells,
        [
            f"If nobody left or fell ill, {same}, {small} stay the same.",
            f"April: {later} in {small}.",
            f"March: {sooner} in {GROWN}.",
        ],
        f"So {GROWN}'s new patient has diabetes.",
    )


def _ours() -> str:
    """The same region and months as they are published with us: an interval in every cell."""

    def interval(one: Printed) -> Cell:
        return [("private", f"{one.low} to {one.high}", _NUMBER - 55, 69)]

    found = shown()
    cells = [[interval(of_clinics(one)[clinic.name]) for one in found] for clinic in region()[0]]
    cells.append([interval(of_regions(one)[REGION]) for one in found])
    return _page(
        "discreet: nobody is found",
        f"95% intervals; epsilon {EPSILON} a month",
        cells,
        ["Every number is drawn by chance.", "Totals are estimates: there is nothing", "exact to subtract from."],
        "Nobody's answer is ever certain.",
    )


def _page(title: str, below: str, cells: list[list[Cell]], says: list[str], last: str) -> str:
    """Rows of clinics and their sum, each with a cell of both months; then words, of which the last matter most."""
    parts = [text(LEFT, 22, title, size=_TITLE, fill="#000000", bold=True), _text(LEFT, 44, below, fill=QUIET)]
    parts += [_text(x + _NUMBER, _HEAD, month, at="middle", fill=QUIET) for month, x in _MONTHS.items()]
    march, april = region()
    rows = [(a.name, [a.patients, b.patients]) for a, b in zip(march, april, strict=True)]
    rows.append(("total", [sum(c.patients for c in month) for month in (march, april)]))
    for k, ((name, sizes), both) in enumerate(zip(rows, cells, strict=True)):
        y = _TOP + (k + 0.5) * _ROW
        above_sum = k == len(march) - 1
        ends = [(LEFT, y + _ROW / 2), (RIGHT, y + _ROW / 2)]
        parts.append(line(ends, stroke="#767676" if above_sum else GRID, width=2 if above_sum else 1))
        parts.append(_text(LEFT, y + 5, name, bold=name == GROWN))
        for x, cell, people in zip(_MONTHS.values(), both, sizes, strict=True):
            if isinstance(cell, str):
                parts.append(text(x + _NUMBER, y + 5.5, cell, size=_FIGURE, at="middle", bold=True))
            else:
                parts += [piece for pill in cell for piece in _pill(x, y, *pill)]
            parts.append(_text(x + _OF, y + 5, f"of {people}", fill=QUIET))
    place = _TOP + _ROW * [name for name, _ in rows].index(GROWN)
    parts.append(
        f'<rect x="3" y="{place + 0.5:g}" width="{WIDE - 6}" height="{_ROW - 1}" rx="3" fill="none" stroke="{INK}" '
        'stroke-width="2"/>'
    )
    foot = _TOP + _ROW * len(rows) + 26
    parts += [_text(LEFT, foot + _SAID * k, words) for k, words in enumerate(says)]
    foot += _SAID * len(says)
    parts.append(_text(LEFT, foot, last, bold=True))
    return svg(foot + 10, parts)


def _pill(x: int, y: float, look: str, words: str, begin: int, wide: int) -> list[str]:
    ink = f'fill="{LOOKS[look][1]}" data-night="{NIGHT[look][1]}"'
    size = f'font-size="{_FIGURE if look == "back" else _LETTER}"'
    return [
        box(x + begin, round(y) - 12, wide, 24, look),
        f'<text x="{x + begin + wide / 2:g}" y="{y + 5:g}" {ink} {size} font-weight="600" text-anchor="middle">'
        f"{words}</text>",
    ]
