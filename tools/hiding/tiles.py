"""The pictures of docs/hiding.md: a tile for each clinic, one for the sum of each region at the end of its row, and
one for the sum of all; legible at the width of a phone.

What is published as it is has a number. What we publish has an interval, and a bar from its one end to the other, on a
line from nobody to everybody, with a tick where there is a number to quote. What a look means stands below the tiles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from discreet.show.colours import MARK
from tools.drawing import WIDE, heading, svg, text
from tools.hiding.attack import exact, subtract_both
from tools.hiding.clinics import REGIONS, Month, months, total
from tools.hiding.comparing import EPSILON, METHODS
from tools.hiding.printed_numbers import SHOWN_SEED, Printed, draws, of_all, of_clinics, of_regions, read, widths
from tools.hiding.today import Known

SIDE, HIGH, GAP, LEFT, _TOP = 42, 44, 3, 8, 56
_NAMED, _ROW = 17, 69
"""Above a row, for the region's name; and from one row to the next."""
SUMS, SUM_SIDE = 286, 58
"""Where the tiles of sums begin, and how wide they are."""
LOOKS = {  # fill, ink; every pair has a contrast of 7 to 1 or more
    "shown": ("#ffffff", "#222222"),
    "hidden": ("#4a4a4a", "#ffffff"),
    "back": ("#9b1c1c", "#ffffff"),
    "exact": ("#f9dcd8", "#222222"),
    "private": ("#c9dff2", "#222222"),
    "alone": ("#c9dff2", "#222222"),
    "little": ("#e2e2e2", "#222222"),
}
NIGHT = {  # the same on a dark page: what is hidden is the darkest, and nothing glares
    "shown": ("#47535d", "#ffffff"),
    "hidden": ("#06080a", "#c3c9ce"),
    "back": ("#9b1c1c", "#ffffff"),
    "exact": ("#5c2320", "#ffffff"),
    "private": ("#1f4a70", "#ffffff"),
    "alone": ("#1f4a70", "#ffffff"),
    "little": ("#41454a", "#ffffff"),
}
BAR, LINE = ("#0b4f85", "#cfe6fa"), ("#7793aa", "#8fa9bf")
"""Of an interval, and of the line that it lies on, by day and by night."""
NO_NUMBER = "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class Cell:
    """A tile: its look, the lines that stand in it, what we print there, and whether its interval misses the truth."""

    look: str
    lines: tuple[str, ...]
    missed: bool = False
    printed: Printed | None = None


Key = tuple[Cell, str]
"""A small tile and what it means."""


def tiles(
    title: str, subtitle: str, month: Month, cells: Mapping[str, Cell], whole: Cell, key: Sequence[Key | str],
    says: Sequence[str],
) -> str:  # fmt: skip
    """Draw a month: a tile for each clinic, each region and all; beside the last, what looks mean, and words below."""
    parts = heading(title, subtitle)
    for row, region in enumerate(REGIONS):
        y = _TOP + row * _ROW + _NAMED
        parts += [text(LEFT, y - 5, region), text(SUMS + SUM_SIDE, y - 5, f"all of {region}", at="end")]
        parts += tile(SUMS, y, SUM_SIDE, cells[region])
        clinics = [c for c in month if c.region == region]
        for column, clinic in enumerate(clinics):
            parts += tile(LEFT + column * (SIDE + GAP), y, SIDE, cells[clinic.name])
        if any(cells[clinic.name].missed for clinic in clinics):
            parts.append(text(LEFT + SIDE, y - 5, "outlined: misses the truth"))
    y = _TOP + len(REGIONS) * _ROW + _NAMED
    parts += [text(SUMS + SUM_SIDE, y - 5, f"all {len(month)} clinics", at="end"), *tile(SUMS, y, SUM_SIDE, whole)]
    for k, one in enumerate(key):
        top = y - 14 + 21 * k
        if isinstance(one, str):
            parts.append(text(LEFT, top + 12, one))
            continue
        cell, words = one
        parts += [*_key(LEFT, top, cell), text(LEFT + 32, top + 12, words)]
    parts += [text(LEFT, y + HIGH + 24 + 17 * k, words) for k, words in enumerate(says)]
    return svg(y + HIGH + 24 + 17 * len(says), parts, wide=WIDE)


def _key(x: int, y: int, cell: Cell) -> list[str]:
    """A small tile."""
    inside = bar(x + 3, y + 8, 20, cell.printed) if cell.printed else []
    return [box(x, y, 26, 16, cell.look), *inside]


def tile(x: int, y: int, wide: int, cell: Cell) -> list[str]:
    """A box and what stands in it: a number and of how many, or an interval above its bar."""
    ink = f'fill="{LOOKS[cell.look][1]}" data-night="{NIGHT[cell.look][1]}"'
    if cell.printed:
        sizes: tuple[tuple[int, int, int], ...] = ((12, 18, 600),)
    else:
        sizes = ((17, 28, 600),) if len(cell.lines) == 1 else ((16, 20, 600), (12, 36, 400))
    lines = (
        f'<text x="{x + wide // 2}" text-anchor="middle" {ink} y="{y + down}" font-size="{size}" '
        f'font-weight="{weight}">{words}</text>'
        for words, (size, down, weight) in zip(cell.lines, sizes, strict=True)
    )
    mark = bar(x + 4, y + 31, wide - 8, cell.printed) if cell.printed else []
    return [box(x, y, wide, HIGH, cell.look, MARK if cell.missed else ""), *lines, *mark]


def bar(x: float, y: float, wide: float, one: Printed) -> list[str]:
    """An interval on a line from nobody to everybody, with a tick at its number if it has one."""

    def piece(low: float, high: float, thick: float, colours: tuple[str, str], least: float = 0.0) -> str:
        begin, end = (x + wide * end / one.people for end in (low, high))
        place = f'x="{begin:.4g}" y="{y - thick / 2:.4g}" width="{max(end - begin, least):.4g}" height="{thick:g}"'
        return f'<rect {place} fill="{colours[0]}" data-night="{colours[1]}"/>'

    parts = [piece(0, one.people, 2, LINE), piece(one.low, one.high, 6, BAR, 2.0)]
    if one.number is not None:
        at = x + wide * one.number / one.people
        for half, high, colours in ((2.2, 12, ("#ffffff", "#1f4a70")), (1.2, 15, ("#000000", "#ffffff"))):
            parts.append(
                f'<rect class="tick" x="{at - half:.4g}" y="{y - high / 2:.4g}" width="{2 * half:g}" height="{high}" '
                f'fill="{colours[0]}" data-night="{colours[1]}"/>'
            )
    return parts


def box(x: int, y: int, wide: int, high: int, look: str, edge: str = "") -> str:
    """A rectangle; docs/.site/night.py takes the fill in `data-night` for a dark page."""
    stroke = f'stroke="{edge}" stroke-width="2.6"' if edge else 'stroke="#767676"'
    fills = f'fill="{LOOKS[look][0]}" data-night="{NIGHT[look][0]}"'
    return f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" {fills} {stroke}/>'


def printed_cell(one: Printed, truth: int) -> Cell:
    """What a publisher prints of a clinic or a sum; and whether that misses the truth, which we made up."""
    look = "little" if one.little else "alone" if one.number is None else "private"
    number = NO_NUMBER if one.number is None else str(one.number)
    missed = not one.low <= truth <= one.high
    return Cell(look, (number, f"{one.low} to {one.high}", f"of {one.people}"), missed, one)


def drawn(cell: Cell) -> Cell:
    """Of what is printed, the interval alone stands there in letters."""
    return replace(cell, lines=cell.lines[1:2])


def hidden_cells(month: Month, known: Known) -> tuple[dict[str, Cell], Cell]:
    """A month with numbers hidden, and with the sums that are published beside it."""
    clinics = {
        c.name: Cell("hidden", ("?", f"of {c.patients}"))
        if (number := known.shown[c.name]) is None
        else Cell("shown", (str(number),))
        for c in month
    }
    regions = {region: Cell("exact", (str(total(month, region)),)) for region in REGIONS}
    return clinics | regions, Cell("exact", (str(sum(clinic.yes for clinic in month)),))


def private(month: Month) -> str:
    """The same month with us: the first release of its seed, as it would be printed."""
    found = read(month, next(draws(month, SHOWN_SEED)))
    clinics, regions, whole = of_clinics(found), of_regions(found), of_all(found)
    cells = {c.name: drawn(printed_cell(clinics[c.name], c.yes)) for c in month}
    cells |= {region: drawn(printed_cell(regions[region], total(month, region))) for region in REGIONS}
    quoted, little = (
        sum(flags) for flags in zip(*[(c.number is not None, c.little) for c in clinics.values()], strict=True)
    )
    clinic, region, every = (f"{width:.0%}" for width in widths(found))

    def example(look: str, low: int, high: int, number: int | None = None) -> Cell:
        return Cell(look, (), False, Printed(number=number, low=low, high=high, people=8))

    return tiles(
        f"discreet gives all {len(month)} an interval",
        f"epsilon {EPSILON}; 95% credible, for sums 95% confidence",
        month,
        cells,
        drawn(printed_cell(whole, sum(c.yes for c in month))),
        [
            (example("alone", 1, 6), "from 0 to all patients of the clinic"),
            (example("private", 1, 6, 3), f"tick: a number to quote, {quoted} of {len(month)}"),
            (example("little", 0, 6), f"says next to nothing: {little}"),
        ],
        [
            f"Intervals span {clinic} of a clinic's patients, {region} of",
            f"a region's, and {every} of all.",
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
    small: Key = (Cell("hidden", ()), "under 5 people, or next smallest")
    few: Key = (Cell("hidden", ()), "a count of 1 to 4, or next smallest")
    sums: Key = (Cell("exact", ()), "totals are published, and exact")
    counted = "patients with diabetes in each clinic"
    says = [f"{gone} of 24 clinics have no number.", "The rule is public, and so are the totals."]
    return {
        "hiding-few-people": tiles(
            f"Hiding small groups loses {gone} of 24", counted, march, shown, whole, [small, sums], says
        ),
        "hiding-back": tiles(
            f"{len(back)} of {gone} hidden numbers are found",
            "patients with diabetes, after subtracting",
            march,
            undone,
            whole,
            [(Cell("back", ()), "hidden, then found"), (Cell("hidden", ()), "still hidden"), sums],
            ["The totals of two months, less the numbers that", "are known, give hidden ones away."],
        ),
        "hiding-few-cases": tiles(
            f"Hiding small counts loses {lost} of 24",
            counted,
            march,
            mostly,
            whole,
            [few, sums],
            [f"{lost} of 24 clinics have no number.", "The rule is public, and so are the totals."],
        ),
        "hiding-private": private(march),
    }
