"""The pictures of docs/hiding.md: a tile for each clinic, one for the sum of each region at the end of its row, and
one for the sum of all; legible at the width of a phone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from discreet.show.colours import MARK
from tools.drawing import WIDE, heading, svg, text
from tools.hiding.attack import exact, subtract_both
from tools.hiding.clinics import REGIONS, Month, months, total
from tools.hiding.comparing import EPSILON, METHODS
from tools.hiding.printed_numbers import SHOWN_SEED, Printed, draws, of_all, of_clinics, of_regions, read, widths
from tools.hiding.today import Known

_SIDE, _HIGH, _GAP, _LEFT, _TOP = 42, 50, 3, 8, 54
_NAMED, _ROW = 17, 74
"""Above a row, for the region's name; and from one row to the next."""
_SUMS, _SUM_SIDE = 286, 58
"""Where the tiles of sums begin, and how wide they are."""
LOOKS = {  # fill, ink; every pair has a contrast of 7 to 1 or more
    "shown": ("#ffffff", "#222222"),
    "hidden": ("#4a4a4a", "#ffffff"),
    "back": ("#9b1c1c", "#ffffff"),
    "exact": ("#f9dcd8", "#222222"),
    "private": ("#c9dff2", "#222222"),
    "alone": ("#f2f6fa", "#222222"),
    "little": ("#e2e2e2", "#222222"),
}
NIGHT = {  # the same on a dark page: what is hidden is the darkest, and nothing glares
    "shown": ("#47535d", "#ffffff"),
    "hidden": ("#06080a", "#c3c9ce"),
    "back": ("#9b1c1c", "#ffffff"),
    "exact": ("#5c2320", "#ffffff"),
    "private": ("#1f4a70", "#ffffff"),
    "alone": ("#1c2f3f", "#ffffff"),
    "little": ("#41454a", "#ffffff"),
}
MEANINGS = {
    "shown": "published",
    "hidden": "hidden",
    "back": "hidden, then found",
    "exact": "exact sum",
    "private": "number and interval",
    "alone": "interval alone",
    "little": "says next to nothing",
    "missed": "misses the truth",
}
NO_NUMBER = "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class Cell:
    """A tile: its look, the lines that stand in it, and whether its interval misses the truth."""

    look: str
    lines: tuple[str, ...]
    missed: bool = False


def tiles(title: str, subtitle: str, month: Month, cells: Mapping[str, Cell], whole: Cell, says: Sequence[str]) -> str:
    """Draw a month: a tile for each clinic, each region and all; beside the last, three lines on what is to be seen.

    A legend at the foot says what each look means.
    """
    parts = heading(title, subtitle)
    for row, region in enumerate(REGIONS):
        y = _TOP + row * _ROW + _NAMED
        parts += [
            text(_LEFT, y - 5, region),
            text(_SUMS + _SUM_SIDE, y - 5, f"all of {region}", at="end"),
            *_tile(_SUMS, y, _SUM_SIDE, cells[region]),
        ]
        for column, clinic in enumerate(c for c in month if c.region == region):
            parts += _tile(_LEFT + column * (_SIDE + _GAP), y, _SIDE, cells[clinic.name])
    y = _TOP + len(REGIONS) * _ROW + _NAMED
    parts += [text(_SUMS + _SUM_SIDE, y - 5, f"all {len(month)} clinics", at="end"), *_tile(_SUMS, y, _SUM_SIDE, whole)]
    parts += [text(_LEFT, y + 12 + 17 * k, words) for k, words in enumerate(says)]
    return svg(y + _HIGH + 55, [*parts, *_legend([*cells.values(), whole], y + _HIGH + 12)], wide=WIDE)


def _legend(cells: Sequence[Cell], y: int) -> list[str]:
    """What the looks mean, two in a row; in one order in every picture."""
    used = {cell.look for cell in cells} | {"missed" for cell in cells if cell.missed}
    parts = []
    for place, look in enumerate(look for look in MEANINGS if look in used):
        x, top = _LEFT + 168 * (place % 2), y + 20 * (place // 2)
        edge = MARK if look == "missed" else ""
        parts += [_box(x, top, 13, 13, "alone" if edge else look, edge), text(x + 19, top + 11, MEANINGS[look])]
    return parts


def _tile(x: int, y: int, wide: int, cell: Cell) -> list[str]:
    """A box and its lines: a number, its interval if it has one, and of how many."""
    ink = f'fill="{LOOKS[cell.look][1]}" data-night="{NIGHT[cell.look][1]}"'
    sizes = ((15, 16, 600), (12, 31, 400), (12, 45, 400)) if len(cell.lines) == 3 else ((16, 22, 600), (12, 39, 400))
    lines = (
        f'<text x="{x + wide // 2}" text-anchor="middle" {ink} y="{y + down}" font-size="{size}" '
        f'font-weight="{weight}">{words}</text>'
        for words, (size, down, weight) in zip(cell.lines, sizes, strict=True)
    )
    return [_box(x, y, wide, _HIGH, cell.look, MARK if cell.missed else ""), *lines]


def _box(x: int, y: int, wide: int, high: int, look: str, edge: str = "") -> str:
    """A rectangle; docs/.site/night.py takes the fill in `data-night` for a dark page."""
    stroke = f'stroke="{edge}" stroke-width="2.6"' if edge else 'stroke="#767676"'
    fills = f'fill="{LOOKS[look][0]}" data-night="{NIGHT[look][0]}"'
    return f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" {fills} {stroke}/>'


def printed_cell(one: Printed, truth: int) -> Cell:
    """What a publisher prints of a clinic or a sum; and whether that misses the truth, which we made up."""
    look = "little" if one.little else "alone" if one.number is None else "private"
    number = NO_NUMBER if one.number is None else str(one.number)
    return Cell(look, (number, f"{one.low} to {one.high}", f"of {one.people}"), not one.low <= truth <= one.high)


def hidden_cells(month: Month, known: Known) -> tuple[dict[str, Cell], Cell]:
    """A month with numbers hidden, and with the sums that are published beside it."""
    clinics = {
        c.name: Cell("hidden", ("?", f"of {c.patients}"))
        if (number := known.shown[c.name]) is None
        else Cell("shown", (str(number), f"of {c.patients}"))
        for c in month
    }
    people = {region: sum(c.patients for c in month if c.region == region) for region in REGIONS}
    regions = {region: Cell("exact", (str(total(month, region)), f"of {people[region]}")) for region in REGIONS}
    whole = sum(clinic.yes for clinic in month)
    return clinics | regions, Cell("exact", (str(whole), f"of {sum(people.values())}"))


def private(month: Month) -> str:
    """The same month with us: the first release of its seed, as it would be printed."""
    found = read(month, next(draws(month, SHOWN_SEED)))
    clinics, regions, whole = of_clinics(found), of_regions(found), of_all(found)
    cells = {c.name: printed_cell(clinics[c.name], c.yes) for c in month}
    cells |= {region: printed_cell(regions[region], total(month, region)) for region in REGIONS}
    quoted = sum(one.number is not None for one in clinics.values())
    clinic, region, every = (f"{width:.0%}" for width in widths(found))
    return tiles(
        f"discreet leaves none of the {len(month)} out",
        f"epsilon {EPSILON}; 95% credible, for sums 95% confidence",
        month,
        cells,
        printed_cell(whole, sum(c.yes for c in month)),
        [
            f"{quoted} of {len(month)} have a number to quote.",
            f"Intervals span {clinic} of a clinic's patients,",
            f"{region} of a region's, and {every} of all.",
        ],
    )


def pictures() -> dict[str, str]:
    """Every picture of the page by its name."""
    march, april = months()
    method = METHODS["... and the next smallest"]
    first, second = method(march), method(april)
    early, _ = subtract_both(first, second, march, april)
    back = exact(early) & set(first.hidden)
    shown, whole = hidden_cells(march, first)
    undone = {
        name: Cell("back", (str(early[name][0]), cell.lines[1])) if name in back else cell
        for name, cell in shown.items()
    }
    by_cases = METHODS["counts of 1 to 4 hidden, and the next smallest"](march)
    mostly, _ = hidden_cells(march, by_cases)
    gone, lost = len(first.hidden), len(by_cases.hidden)
    counted = "patients with diabetes, of all, in each clinic"
    return {
        "hiding-few-people": tiles(
            f"Hiding small groups loses {gone} of 24",
            counted,
            march,
            shown,
            whole,
            [f"{gone} of 24 have no number.", "Sums are published, and exact."],
        ),
        "hiding-back": tiles(
            f"Subtracting gives {len(back)} of the {gone} back",
            "from exact sums and the next month's table",
            march,
            undone,
            whole,
            [f"{gone} of 24 have no number.", "A sum less the known numbers", "gives the hidden one."],
        ),
        "hiding-few-cases": tiles(
            f"Hiding small counts loses {lost} of 24",
            "counts from 1 to 4, and the next smallest",
            march,
            mostly,
            whole,
            [f"{lost} of 24 have no number.", "Sums are published, and exact."],
        ),
        "hiding-private": private(march),
    }
