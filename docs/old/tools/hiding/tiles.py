"""The two pictures of docs/hiding.md: a tile for each clinic with its people as dots below it, and at the end of its
row one for the sum of its region; each once for a page and once for a phone.

What is published as it is has a number. What is hidden is dark, and what subtraction finds of it is red, as on the home
page. What we publish has its interval, and a number before or above it where one may be quoted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tools.drawing import LINES, PAGE, PAGE_LEFT, QUIET, WIDE, heading, svg, text
from tools.hiding.attack import exact, subtract_both
from tools.hiding.clinics import REGIONS, Clinic, Month, months, total
from tools.hiding.comparing import EPSILON, METHODS
from tools.hiding.looks import box, words
from tools.hiding.printed_numbers import Printed, of_all, of_clinics, of_regions, shown
from tools.hiding.today import THRESHOLD
from tools.people import FOUND, HOLE, KNOWN, MAYBE, YES, dots, fills

LEFT = 8
Place = tuple[float, int]
"""How far from the middle of their tile words stand, as a share of its width, and their foot from its top in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where everything stands, in pixels."""

    wide: int
    left: int
    first: int
    """Where the first tile begins, how wide the tile of a clinic is, from one to the next, and how high any tile."""
    side: int
    step: int
    high: int
    sums: int
    """Where the tiles of sums begin, and how wide they are."""
    sum_side: int
    row: int
    """From one row to the next; a name stands above each tile, and its people below."""
    a_row: int
    dot: float
    """How many people stand in a row, and from one to the next."""
    figure: int
    """The size of a number; and of what stands in a tile beside it, or alone."""
    letter: float
    both: tuple[Place, Place]
    """Where a number and its words stand together."""
    alone: int
    """The foot of either where it stands alone."""
    region: tuple[int, int]
    """How far below the top of its tiles the name of a region stands; and where, from the left."""


ON_PAGE = Layout(
    wide=PAGE, left=PAGE_LEFT, first=88, side=68, step=78, high=34, sums=560, sum_side=102, row=82, a_row=10, dot=6.8,
    figure=17, letter=14, both=((-0.24, 23), (0.14, 22)), alone=23, region=(23, PAGE_LEFT),
)  # fmt: skip
ON_PHONE = Layout(
    wide=WIDE, left=LEFT, first=LEFT, side=38, step=45, high=40, sums=284, sum_side=60, row=112, a_row=5, dot=7.2,
    figure=16, letter=12.5, both=((0, 17), (0, 34)), alone=25, region=(-26, LEFT),
)  # fmt: skip
_TOP = 62
"""From the top to the first row."""
DOTS = {"exact": (1, 1, (KNOWN, MAYBE)), "between": (1, 2, (YES, MAYBE))}
"""Dots of three people that say what their fills mean: so many are full, so many at most pale."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A tile: its look, a number, and words about it; one of them may be empty. Then its people, as far as is known."""

    look: str
    number: str
    words: str = ""
    low: int = 0
    high: int = 0


Key = tuple[str, str]
"""A look and what it means."""


def tiles(layout: Layout, title: str, below: str, month: Month, cells: Mapping[str, Cell], key: Sequence[Key]) -> str:
    """Draw a month: a tile for each clinic, each region and all; and beside the last, what looks mean."""
    at, size = layout, LINES[layout is ON_PAGE]
    parts = heading(title, below, left=at.left)
    named = 22 if at is ON_PAGE else 42
    for row, region in enumerate(REGIONS):
        y = _TOP + row * at.row + named
        down, x = at.region
        parts.append(text(x, y + down, region, size=size, bold=True))
        clinics = [c for c in month if c.region == region]
        for column, clinic in enumerate(clinics):
            x = at.first + column * at.step
            parts.append(text(x + at.side / 2, y - 7, clinic.name, size=size, at="middle", fill=QUIET))
            parts += _tile(at, x, y, at.side, cells[clinic.name], clinic.patients)
            if cells[region].look == "shown":  # what is exact adds up, and whoever subtracts counts on it
                last = column == len(clinics) - 1
                across = (x + at.side + at.sums) / 2 if last else x + (at.side + at.step) / 2
                parts.append(
                    text(across, y + at.high / 2 + 5, "=" if last else "+", size=size, at="middle", fill=QUIET)
                )
        parts += _sum(at, y, cells[region], sum(clinic.patients for clinic in clinics))
    y = _TOP + len(REGIONS) * at.row + (8 if at is ON_PAGE else 12)
    parts.append(text(at.sums - 10, y + at.high / 2 + 5, "all regions", size=size, at="end", bold=True))
    parts += _sum(at, y, cells["all"], sum(clinic.patients for clinic in month))
    y += 0 if at is ON_PAGE else at.high + 34
    for k, (look, said) in enumerate(key):
        place = y + 24 * k
        parts += [*_sample(at.left, place, look), text(at.left + 42, place + 13.5, said, size=size)]
    return svg(y + max(24 * len(key), at.high + 22 if at is ON_PAGE else 0) + 6, parts, wide=at.wide)


def _sample(x: float, y: float, look: str) -> list[str]:
    """A tile of a look, small, or dots of one."""
    if look in DOTS:
        yes, most, pairs = DOTS[look]
        return [dots(x + 16, y + 4.5, 3, yes=yes, most=most, pairs=pairs, step=10)]
    hole = f'<circle cx="{x + 16}" cy="{y + 9}" r="6.5" {fills(HOLE)}/>' if look == "back" else ""
    return [box(x, y, 32, 18, "hidden" if look == "back" else look), hole]


def _sum(at: Layout, y: float, cell: Cell, people: int) -> list[str]:
    """The tile of a sum, and below it of how many people."""
    of = text(
        at.sums + at.sum_side / 2, y + at.high + 17, f"of {people}", size=LINES[at is ON_PAGE], at="middle", fill=QUIET
    )
    return [*_tile(at, at.sums, y, at.sum_side, cell, 0), of]


def _tile(at: Layout, x: float, y: float, wide: float, cell: Cell, people: int) -> list[str]:
    """A box, what stands in it, and its people."""
    found = cell.look == "back"
    middle = x + wide / 2
    parts = [box(x, y, wide, at.high, "hidden" if found else cell.look)]
    if found:
        parts.append(f'<circle cx="{middle:g}" cy="{y + at.high / 2:g}" r="13" {fills(HOLE)}/>')
    places = at.both if cell.number and cell.words else ((0, at.alone), (0, at.alone))
    inside = zip((cell.number, cell.words), (at.figure, at.letter), (True, not cell.number), places, strict=True)
    for said, size, bold, (across, down) in inside:
        if said:
            parts.append(words(middle + across * wide, y + down, said, cell.look, size=size, bold=bold))
    if people:
        pairs = (YES if cell.look == "private" else FOUND if found else KNOWN, MAYBE)
        drawn = dots(
            middle, y + at.high + 6, people, yes=cell.low, most=cell.high, pairs=pairs, a_row=at.a_row, step=at.dot
        )
        parts.append(drawn)
    return parts


def printed_cell(one: Printed) -> Cell:
    """What a publisher prints of a clinic or a sum."""
    return Cell("private", "" if one.number is None else str(one.number), f"{one.low}–{one.high}", one.low, one.high)


def _hidden(layout: Layout) -> str:
    """A month with small groups hidden, and what subtraction finds of them with the help of the next."""
    march, april = months()
    method = METHODS["... and the next smallest"]
    first, second = method(march), method(april)
    early, _ = subtract_both(first, second, march, april)
    back = exact(early) & set(first.hidden)

    def cell(clinic: Clinic) -> Cell:
        number = first.shown[clinic.name]
        if number is not None:
            return Cell("shown", str(number), low=number)
        found = clinic.yes if clinic.name in back else 0
        return Cell("back", str(early[clinic.name][0]), low=found) if found else Cell("hidden", "?")

    cells = {c.name: cell(c) for c in march}
    cells |= {region: Cell("shown", str(total(march, region))) for region in REGIONS}
    cells["all"] = Cell("shown", str(sum(c.yes for c in march)))
    return tiles(
        layout,
        f"1. Hidden: {len(first.hidden)} of {len(march)}, and {len(back)} still found",
        "Patients with diabetes in March",
        march,
        cells,
        [
            ("hidden", f"hidden: under {THRESHOLD}, or next smallest"),
            ("back", "found, if nobody left or fell ill"),
            ("exact", "each dot a patient; full: has diabetes"),
        ],
    )


def _private(layout: Layout) -> str:
    """The same month with us, as it would be printed."""
    found, (march, _) = shown()[0], months()
    printed = of_clinics(found)
    cells = {name: printed_cell(one) for name, one in (printed | of_regions(found)).items()}
    cells["all"] = printed_cell(of_all(found))
    numbers = sum(one.number is not None for one in printed.values())
    return tiles(
        layout,
        f"2. discreet: all {len(march)} shown, none found",
        f"March as 95% intervals; epsilon {EPSILON} a month",
        march,
        cells,
        [
            ("private", f"an interval; in {numbers} of {len(march)} a number too"),
            ("between", "patients: full to its lower end, pale to its upper"),
        ],
    )


def pictures() -> dict[str, str]:
    """Both pictures of the page by their names, with their places in its order in their titles."""
    return {
        name + end: draw(layout)
        for name, draw in (("hiding-back", _hidden), ("hiding-private", _private))
        for end, layout in (("", ON_PAGE), ("-narrow", ON_PHONE))
    }
