"""The pair of pictures that the home page and README lead with: a region with hidden groups, and with us.

Both have the same rows: what is published, and what a reader makes of it. The numbers are those of the pictures of all
24 clinics on docs/hiding.md.
"""

from __future__ import annotations

from tools.drawing import QUIET, WIDE, heading, svg, text
from tools.hiding.attack import exact, newcomers, subtract_both
from tools.hiding.clinics import Month, months, total
from tools.hiding.comparing import EPSILON, METHODS, surest
from tools.hiding.printed_numbers import SHOWN_SEED, draws, of_all, of_clinics, of_regions, read
from tools.hiding.tiles import GAP, LEFT, SIDE, SUM_SIDE, SUMS, Cell, bar, drawn, hidden_cells, printed_cell, tile

REGION = "West"
"""Of the attack that docs/hiding.md goes through step by step."""
_ROWS, _BARS, _BAR_ROW, _FOOT = (98, 186), 196, 27, 268
_AT, _LONG = 104, 150
"""Where the bars of shares begin, and how long they are."""


def home_pair() -> dict[str, str]:
    """Both pictures by their names."""
    march, april = months()
    return {"home-hidden": _hidden(march, april), "home-discreet": _ours(march)}


def _hidden(march: Month, april: Month) -> str:
    """The region with small groups hidden; and the same once both months' tables have been subtracted."""
    method = METHODS["... and the next smallest"]
    first, second = method(march), method(april)
    early, late = subtract_both(first, second, march, april)
    shown, _ = hidden_cells(march, first)
    clinics = tuple(c for c in march if c.region == REGION)
    back = [c.name for c in clinics if c.name in exact(early) & set(first.hidden)]
    undone = shown | {name: Cell("back", (str(early[name][0]), shown[name].lines[1])) for name in back}
    known = [c.name for c in clinics if c.name in newcomers(early, late, march, april) and c.name in back]
    hidden = sum(c.name in first.hidden for c in clinics)
    parts = heading("Hidden, and found again", f"patients with diabetes in region {REGION}")
    parts += _row(0, f"published: {hidden} small groups hidden", clinics, shown)
    parts += _row(1, "what a reader works out", clinics, undone)
    assert len(back) == hidden == 2, "the words below speak of both"
    says = [
        "With next month's table, two subtractions give",
        f"both numbers back, and the answer of {known[0]}'s",
        "one new patient.",
    ]
    return _page(parts, says)


def _ours(march: Month) -> str:
    """The same region as it is published with us; and what a reader makes of that: clearer and clearer sums."""
    found = read(march, next(draws(march, SHOWN_SEED)))
    printed, regions, whole = of_clinics(found), of_regions(found), of_all(found)
    clinics = tuple(c for c in march if c.region == REGION)
    cells = {c.name: drawn(printed_cell(printed[c.name], c.yes)) for c in clinics}
    cells[REGION] = drawn(printed_cell(regions[REGION], total(march, REGION)))
    parts = heading(
        "discreet: all published, nobody found", f"epsilon {EPSILON}; bar: 95% interval, tick: number to quote"
    )
    parts += _row(0, "published: every group", clinics, cells)
    parts.append(text(LEFT, _ROWS[1] - 22, "a group is rough, sums are clearer", bold=True))
    typical = sorted(clinics, key=lambda c: printed[c.name].share)[len(clinics) // 2]
    rows = [(f"clinic {typical.name}", printed[typical.name]), (f"all {REGION}", regions[REGION])]
    for k, (name, one) in enumerate([*rows, (f"all {len(march)} clinics", whole)]):
        y = _BARS + k * _BAR_ROW - 10
        parts += [text(LEFT, y, name), *bar(_AT, y - 4, _LONG, one)]
        parts.append(text(WIDE - 8, y, f"{one.low} to {one.high} of {one.people}", at="end"))
    says = [
        "No subtraction finds more. A reader who knows all",
        f"but one patient's answers becomes at most {surest(EPSILON):.0%}",
        "sure of the last one, from 50% before.",
    ]
    return _page(parts, says)


def _row(at: int, title: str, clinics: Month, cells: dict[str, Cell]) -> list[str]:
    """A tile for each clinic and one for the region's sum, below their names."""
    y = _ROWS[at]
    parts = [text(LEFT, y - 22, title, bold=True)]
    for column, clinic in enumerate(clinics):
        x = LEFT + column * (SIDE + GAP)
        parts += [
            text(x + SIDE / 2, y - 5, clinic.name, at="middle", fill=QUIET),
            *tile(x, y, SIDE, cells[clinic.name]),
        ]
    parts.append(text(SUMS + SUM_SIDE / 2, y - 5, f"all {REGION}", at="middle", fill=QUIET))
    return [*parts, *tile(SUMS, y, SUM_SIDE, cells[REGION])]


def _page(parts: list[str], says: list[str]) -> str:
    words = [text(LEFT, _FOOT + 17 * k, sentence) for k, sentence in enumerate(says)]
    return svg(_FOOT + 17 * len(says), [*parts, *words])
