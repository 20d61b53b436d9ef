"""The pictures of docs/hiding.md: a tile for each clinic, one for the sum of each region at the end of its row, and
one for the sum of all; legible at the width of a phone.

What is published as it is has a number. What we publish has a number where one can be quoted, and its interval below;
elsewhere its interval alone.
What a look means stands below the tiles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from discreet.show.colours import MARK
from tools.drawing import QUIET, WIDE, heading, svg, text
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
    "alone": ("#ffffff", "#222222"),
}
NIGHT = {  # the same on a dark page: what is hidden is the darkest, and nothing glares
    "shown": ("#47535d", "#ffffff"),
    "hidden": ("#06080a", "#c3c9ce"),
    "back": ("#9b1c1c", "#ffffff"),
    "exact": ("#4d4638", "#ffffff"),
    "private": ("#1f4a70", "#ffffff"),
    "alone": ("#1d2327", "#ffffff"),
}
EDGES = {"alone": 'stroke="#0b4f85" stroke-width="1.8"'}
"""Of an interval that stands alone: blue like a number to quote, and not filled."""
MISSED = f'stroke="{MARK}" stroke-width="2.6" stroke-dasharray="6 3"'
"""Of an interval that misses the truth: not printed by anybody, so it is no full line."""
NO_NUMBER = "\N{EN DASH}"
"""Of a row of a table."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A tile: its look, the lines that stand in it, and whether its interval misses the truth."""

    look: str
    lines: tuple[str, ...]
    missed: bool = False


Key = tuple[Cell, str]
"""A small tile and what it means."""


def tiles(
    title: str, subtitle: str, month: Month, cells: Mapping[str, Cell], whole: Cell, key: Sequence[Key],
    says: Sequence[str],
) -> str:  # fmt: skip
    """Draw a month: a tile for each clinic, each region and all; beside the last, what looks mean, and words below."""
    parts = heading(title, subtitle)
    for row, region in enumerate(REGIONS):
        y = _TOP + row * _ROW + _NAMED
        parts.append(text(SUMS + SUM_SIDE, y - 6, f"all {region}", at="end", fill=QUIET))
        parts += _tile(SUMS, y, SUM_SIDE, cells[region])
        for column, clinic in enumerate(c for c in month if c.region == region):
            x = LEFT + column * (SIDE + GAP)
            parts.append(text(x + SIDE / 2, y - 6, clinic.name, at="middle", fill=QUIET))
            parts += _tile(x, y, SIDE, cells[clinic.name])
    y = _TOP + len(REGIONS) * _ROW + _NAMED
    parts.append(text(SUMS + SUM_SIDE, y - 6, f"all {len(month)} clinics", at="end", fill=QUIET))
    parts += _tile(SUMS, y, SUM_SIDE, whole)
    for k, (cell, words) in enumerate(key):
        top = y - 14 + 21 * k
        parts += [*_key(LEFT, top, cell), text(LEFT + 32, top + 12, words)]
    foot = y + max(HIGH, 21 * len(key) - 12) + 24
    parts += [text(LEFT, foot + 17 * k, words) for k, words in enumerate(says)]
    return svg(foot + 17 * len(says), parts, wide=WIDE)


def _key(x: int, y: int, cell: Cell) -> list[str]:
    """A small tile."""
    inside = [_words(x + 13, y + 12, cell.look, 11, 600, line) for line in cell.lines]
    return [box(x, y, 26, 16, cell.look, missed=cell.missed), *inside]


def _tile(x: int, y: int, wide: int, cell: Cell) -> list[str]:
    """A box and what stands in it: a number, and below it of how many or from where to where; or an interval alone."""
    alone = (12, 27, 600) if cell.look == "alone" else (17, 28, 600)
    sizes = (alone,) if len(cell.lines) == 1 else ((16, 20, 600), (12, 36, 400))
    lines = (
        _words(x + wide // 2, y + down, cell.look, size, weight, words)
        for words, (size, down, weight) in zip(cell.lines, sizes, strict=True)
    )
    return [box(x, y, wide, HIGH, cell.look, missed=cell.missed), *lines]


def _words(x: int, y: int, look: str, size: int, weight: int, words: str) -> str:
    ink = f'fill="{LOOKS[look][1]}" data-night="{NIGHT[look][1]}"'
    return f'<text x="{x}" text-anchor="middle" {ink} y="{y}" font-size="{size}" font-weight="{weight}">{words}</text>'


def box(x: int, y: int, wide: int, high: int, look: str, *, missed: bool = False) -> str:
    """A rectangle; docs/.site/night.py takes the fill in `data-night` for a dark page."""
    stroke = MISSED if missed else EDGES.get(look, 'stroke="#767676"')
    fills = f'fill="{LOOKS[look][0]}" data-night="{NIGHT[look][0]}"'
    return f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" {fills} {stroke}/>'


def printed_cell(one: Printed, truth: int) -> Cell:
    """What a publisher prints of a clinic or a sum; and whether that misses the truth, which we made up."""
    interval, missed = f"{one.low} to {one.high}", not one.low <= truth <= one.high
    return (
        Cell("alone", (interval,), missed)
        if one.number is None
        else Cell("private", (str(one.number), interval), missed)
    )


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
    cells = {c.name: printed_cell(clinics[c.name], c.yes) for c in month}
    cells |= {region: printed_cell(regions[region], total(month, region)) for region in REGIONS}
    looks = [cells[c.name].look for c in month]
    missed = sum(cells[c.name].missed for c in month)
    clinic, region, every = (f"{width:.0%}" for width in widths(found))
    return tiles(
        f"discreet gives all {len(month)} an interval",
        f"epsilon {EPSILON}; 95% credible, for sums 95% confidence",
        month,
        cells,
        printed_cell(whole, sum(c.yes for c in month)),
        [
            (Cell("private", ()), f"number and interval: {looks.count('private')} of {len(month)}"),
            (Cell("alone", ()), f"its interval alone: {looks.count('alone')} of {len(month)}"),
            (Cell("alone", (), True), f"misses the truth: {missed} (only we can know)"),
        ],
        [f"Intervals span {clinic} of a clinic's patients, {region} of", f"a region's, and {every} of all."],
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
