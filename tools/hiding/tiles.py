"""The two pictures of docs/hiding.md: a tile for each clinic, one for the sum of each region at the end of its row, and
one for the sum of all; each once for a page and once for a phone.

What is published as it is has a number. What is hidden is dark, and red where subtraction finds it. What we publish
has its interval, and a number before or above it where one may be quoted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tools.drawing import LINES, PAGE, PAGE_LEFT, QUIET, WIDE, heading, svg, text
from tools.hiding.attack import exact, subtract_both
from tools.hiding.clinics import REGIONS, Clinic, Month, months, total
from tools.hiding.comparing import EPSILON, METHODS
from tools.hiding.printed_numbers import Printed, of_all, of_clinics, of_regions, shown
from tools.hiding.today import THRESHOLD

LEFT = 8
LOOKS = {  # fill, ink; every pair has a contrast of 7 to 1 or more
    "shown": ("#ffffff", "#222222"),
    "hidden": ("#4a4a4a", "#ffffff"),
    "back": ("#9b1c1c", "#ffffff"),
    "private": ("#c9dff2", "#222222"),
}
NIGHT = {  # the same on a dark page: what is hidden is the darkest, and nothing glares
    "shown": ("#47535d", "#ffffff"),
    "hidden": ("#06080a", "#c3c9ce"),
    "back": ("#9b1c1c", "#ffffff"),
    "private": ("#1f4a70", "#ffffff"),
}

Place = tuple[float, int]
"""How far from the middle of their tile words stand, as a share of its width, and their foot from its top in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where everything stands, in pixels."""

    wide: int
    left: int
    side: int
    """How wide the tile of a clinic is, and how high any tile."""
    high: int
    gap: int
    sums: int
    """Where the tiles of sums begin, and how wide they are."""
    sum_side: int
    row: int
    """From one row to the next; a name stands above each tile."""
    figure: int
    """The size of a number; and of what stands in a tile beside it, or alone."""
    letter: int
    both: tuple[Place, Place]
    """Where a number and its words stand together."""
    alone: int
    """The foot of either where it stands alone."""
    line: int
    """From one line of words to the next."""


ON_PAGE = Layout(
    wide=PAGE, left=PAGE_LEFT, side=80, high=36, gap=4, sums=548, sum_side=114, row=61,
    figure=18, letter=15, both=((-0.3, 24), (0.12, 24)), alone=24, line=22,
)  # fmt: skip
ON_PHONE = Layout(
    wide=WIDE, left=LEFT, side=43, high=44, gap=3, sums=286, sum_side=58, row=69,
    figure=17, letter=12, both=((0, 20), (0, 36)), alone=28, line=18,
)  # fmt: skip
_TOP, _NAMED = 60, 17
"""From the top to the first row, and from a row's top to its tiles."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A tile: its look, a number, and words about it; one of them may be empty."""

    look: str
    number: str
    words: str = ""


Key = tuple[str, str]
"""A look and what it means."""


def tiles(layout: Layout, title: str, below: str, month: Month, cells: Mapping[str, Cell], key: Sequence[Key]) -> str:
    """Draw a month: a tile for each clinic, each region and all; and beside the last, what looks mean."""
    at, size = layout, LINES[layout is ON_PAGE]
    parts = heading(title, below, left=at.left)
    ends = at.sums + at.sum_side
    for row, region in enumerate(REGIONS):
        y = _TOP + row * at.row + _NAMED
        parts.append(text(ends, y - 6, f"all {region}", size=size, at="end", fill=QUIET))
        parts += _tile(at, at.sums, y, at.sum_side, cells[region])
        for column, clinic in enumerate(c for c in month if c.region == region):
            x = at.left + column * (at.side + at.gap)
            parts.append(text(x + at.side / 2, y - 6, clinic.name, size=size, at="middle", fill=QUIET))
            parts += _tile(at, x, y, at.side, cells[clinic.name])
    y = _TOP + len(REGIONS) * at.row + _NAMED
    parts.append(text(ends, y - 6, f"all {len(month)} clinics", size=size, at="end", fill=QUIET))
    parts += _tile(at, at.sums, y, at.sum_side, cells["all"])
    for k, (look, words) in enumerate(key):
        place = y - 14 + at.line * k
        parts += [box(at.left, place, 26, 17, look), text(at.left + 33, place + 13, words, size=size)]
    return svg(y + at.high + 12, parts, wide=at.wide)


def _tile(at: Layout, x: int, y: int, wide: int, cell: Cell) -> list[str]:
    """A box and what stands in it."""
    places = at.both if cell.number and cell.words else ((0, at.alone), (0, at.alone))
    inside = zip((cell.number, cell.words), (at.figure, at.letter), (600, 400), places, strict=True)
    ink = f'fill="{LOOKS[cell.look][1]}" data-night="{NIGHT[cell.look][1]}"'
    drawn = [
        f'<text x="{x + round((0.5 + across) * wide)}" text-anchor="middle" {ink} y="{y + down}" '
        f'font-size="{size}" font-weight="{weight}">{words}</text>'
        for words, size, weight, (across, down) in inside
        if words
    ]
    return [box(x, y, wide, at.high, cell.look), *drawn]


def box(x: int, y: int, wide: int, high: int, look: str) -> str:
    """A rectangle; docs/.site/night.py takes the fill in `data-night` for a dark page."""
    fills = f'fill="{LOOKS[look][0]}" data-night="{NIGHT[look][0]}"'
    return f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" {fills} stroke="#767676"/>'


def printed_cell(one: Printed) -> Cell:
    """What a publisher prints of a clinic or a sum."""
    return Cell("private", "" if one.number is None else str(one.number), f"{one.low} to {one.high}")


def _hidden(layout: Layout) -> str:
    """A month with small groups hidden, and what subtraction finds of them with the help of the next."""
    march, april = months()
    method = METHODS["... and the next smallest"]
    first, second = method(march), method(april)
    early, _ = subtract_both(first, second, march, april)
    back = exact(early) & set(first.hidden)

    def cell(clinic: Clinic) -> Cell:
        number, of = first.shown[clinic.name], f"of {clinic.patients}"
        if number is not None:
            return Cell("shown", str(number), of)
        return Cell("back", str(early[clinic.name][0]), of) if clinic.name in back else Cell("hidden", "?", of)

    people = {region: sum(c.patients for c in march if c.region == region) for region in REGIONS}
    cells = {c.name: cell(c) for c in march}
    cells |= {region: Cell("shown", str(total(march, region)), f"of {people[region]}") for region in REGIONS}
    cells["all"] = Cell("shown", str(sum(c.yes for c in march)), f"of {sum(people.values())}")
    return tiles(
        layout,
        f"1. Hidden: {len(first.hidden)} of {len(march)}, and {len(back)} still found",
        "Patients with diabetes in March",
        march,
        cells,
        [("hidden", f"hidden: under {THRESHOLD}, or next smallest"), ("back", "found, if nobody left or fell ill")],
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
        [("private", f"an interval; in {numbers} of {len(march)} a number too")],
    )


def pictures() -> dict[str, str]:
    """Both pictures of the page by their names, with their places in its order in their titles."""
    return {
        name + end: draw(layout)
        for name, draw in (("hiding-back", _hidden), ("hiding-private", _private))
        for end, layout in (("", ON_PAGE), ("-narrow", ON_PHONE))
    }
