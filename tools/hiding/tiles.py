"""The pictures of docs/hiding.md: a tile for each clinic, one for the sum of each region at the end of its row, and
one for the sum of all; legible at the width of a phone.

What is published as it is has a number. What we publish has a number where one can be quoted, and its interval below;
elsewhere its interval alone. What a look means stands below the tiles. What is as in the picture before is pale.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tools.drawing import QUIET, WIDE, heading, svg, text
from tools.hiding.attack import exact, subtract_both
from tools.hiding.clinics import REGIONS, Month, months, total
from tools.hiding.comparing import EPSILON, METHODS
from tools.hiding.printed_numbers import Printed, of_all, of_clinics, of_regions, shown, widths
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
    "private": ("#c9dff2", "#222222"),
    "same": ("#ffffff", "#595959"),
    "same hidden": ("#ececec", "#484848"),
}
NIGHT = {  # the same on a dark page: what is hidden is the darkest, and nothing glares
    "shown": ("#47535d", "#ffffff"),
    "hidden": ("#06080a", "#c3c9ce"),
    "back": ("#9b1c1c", "#ffffff"),
    "private": ("#1f4a70", "#ffffff"),
    "same": ("#1d2327", "#b9c1c7"),
    "same hidden": ("#14181b", "#a9b1b7"),
}
PALE = {"shown": "same", "hidden": "same hidden"}
"""How these look where they stand for the second time."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A tile: its look, and the lines that stand in it."""

    look: str
    lines: tuple[str, ...]


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
    return [box(x, y, 26, 16, cell.look), *inside]


def _tile(x: int, y: int, wide: int, cell: Cell) -> list[str]:
    """A box and what stands in it: a number, and below it of how many or from where to where; or an interval alone."""
    alone = (12, 27, 400) if cell.look == "private" else (17, 28, 600)
    sizes = (alone,) if len(cell.lines) == 1 else ((16, 20, 600), (12, 36, 400))
    lines = (
        _words(x + wide // 2, y + down, cell.look, size, weight, words)
        for words, (size, down, weight) in zip(cell.lines, sizes, strict=True)
    )
    return [box(x, y, wide, HIGH, cell.look), *lines]


def _words(x: int, y: int, look: str, size: int, weight: int, words: str) -> str:
    ink = f'fill="{LOOKS[look][1]}" data-night="{NIGHT[look][1]}"'
    return f'<text x="{x}" text-anchor="middle" {ink} y="{y}" font-size="{size}" font-weight="{weight}">{words}</text>'


def box(x: int, y: int, wide: int, high: int, look: str) -> str:
    """A rectangle; docs/.site/night.py takes the fill in `data-night` for a dark page."""
    fills = f'fill="{LOOKS[look][0]}" data-night="{NIGHT[look][0]}"'
    edge = "#c4c4c4" if look in PALE.values() else "#767676"
    return f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" {fills} stroke="{edge}"/>'


def printed_cell(one: Printed) -> Cell:
    """What a publisher prints of a clinic or a sum."""
    interval = f"{one.low} to {one.high}"
    return Cell("private", (interval,) if one.number is None else (str(one.number), interval))


def hidden_cells(month: Month, known: Known) -> tuple[dict[str, Cell], Cell]:
    """A month with numbers hidden, and with the sums that are published beside it."""
    clinics = {
        c.name: Cell("hidden", ("?", f"of {c.patients}"))
        if (number := known.shown[c.name]) is None
        else Cell("shown", (str(number),))
        for c in month
    }
    regions = {region: Cell("shown", (str(total(month, region)),)) for region in REGIONS}
    return clinics | regions, Cell("shown", (str(sum(clinic.yes for clinic in month)),))


def private(month: Month, title: str) -> str:
    """The same month with us, as it would be printed."""
    found = shown()[0]
    printed = of_clinics(found)
    cells = {name: printed_cell(one) for name, one in (printed | of_regions(found)).items()}
    numbers = sum(one.number is not None for one in printed.values())
    clinic, region, every = (f"{width:.0%}" for width in widths(found))
    return tiles(
        title,
        f"patients with diabetes, March; epsilon {EPSILON} a month",
        month,
        cells,
        printed_cell(of_all(found)),
        [
            (Cell("private", ()), "a 95% interval"),
            (Cell("private", ("4",)), f"a number too: {numbers} of {len(month)}"),
        ],
        [f"Intervals span {clinic} of a clinic's patients, {region} of", f"a region's, and {every} of all."],
    )


def pictures() -> dict[str, str]:
    """Every picture of the page by its name, with their places in its order in their titles."""
    march, april = months()
    method = METHODS["... and the next smallest"]
    first, second = method(march), method(april)
    early, _ = subtract_both(first, second, march, april)
    back = exact(early) & set(first.hidden)
    cells, whole = hidden_cells(march, first)
    undone = {
        name: Cell("back", (str(early[name][0]), cell.lines[1])) if name in back else Cell(PALE[cell.look], cell.lines)
        for name, cell in cells.items()
    }
    by_cases = METHODS["counts of 1 to 4 hidden, and the next smallest"](march)
    mostly, _ = hidden_cells(march, by_cases)
    gone, lost = len(first.hidden), len(by_cases.hidden)
    counted = "patients with diabetes, March"
    return {
        "hiding-few-people": tiles(
            f"1. Hiding small groups loses {gone} of 24",
            counted,
            march,
            cells,
            whole,
            [(Cell("hidden", ()), "under 5 people, or next smallest")],
            ["Every other number is exact, and so are the", "totals. The rule is public."],
        ),
        "hiding-back": tiles(
            f"2. {len(back)} of these {gone} are found again",
            "the same table, after subtracting",
            march,
            undone,
            Cell("same", whole.lines),
            [(Cell("back", ()), "hidden, then found"), (Cell("same hidden", ()), "still hidden")],
            ["Totals of March and April, less the numbers", "that are known, give hidden ones away."],
        ),
        "hiding-few-cases": tiles(
            f"3. Hiding small counts loses {lost} of 24",
            counted,
            march,
            mostly,
            whole,
            [(Cell("hidden", ()), "a count of 1 to 4, or next smallest")],
            ["Every other number is exact, and so are the", "totals. The rule is public."],
        ),
        "hiding-private": private(march, f"4. discreet gives all {len(march)} an interval"),
    }
