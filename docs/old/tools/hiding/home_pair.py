"""The pair of pictures that the home page and README lead with: a region with hidden groups, and with us.

Both have the same tiles and the same two months, so that every cell can be compared with that at its place. The arrows
of the first are the steps of docs/hiding.md; at the foot of both stand the patients of the clinic with a new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from tools.drawing import GRID, QUIET, WARNS, WIDE, line, svg, text
from tools.hiding.attack import exact, subtract_both
from tools.hiding.clinics import months, total
from tools.hiding.comparing import EPSILON, METHODS
from tools.hiding.looks import box, words
from tools.hiding.printed_numbers import of_clinics, of_regions, shown
from tools.hiding.steps import GROWN, REGION, attack, region
from tools.people import FOUND, HOLE, KNOWN, MAYBE, YES, arrow, fills, person

LEFT = 8
_TITLE, _LETTER, _FIGURE = 17, 13.5, 16
"""Pixels of the title, of all other letters, and of a number that is exact."""
_text = partial(text, size=_LETTER)
_TILE, _STEP, _HIGH = 38, 45, 30
"""How wide a tile is, from one to the next, and how high."""
_SUM, _SUM_WIDE, _WAY = 284, 60, 331
"""Where the tile of the total begins, how wide it is, and where the ways from it begin."""
_ROWS = {"March": 218, "April": 122}
"""Where the tiles of a month begin; April, with which the attack begins, stands above March."""
_OVER, _UNDER = 82, 286
_PEOPLE = 392
"""Where the patients at the foot stand."""

Cell = tuple[str, str]
"""A look and its words."""


def home_pair() -> dict[str, str]:
    """Both pictures by their names."""
    return {"home-hidden": _hidden(), "home-discreet": _ours()}


def _middle(name: str) -> float:
    """Where the middle of a clinic's tiles is."""
    place = [clinic.name for clinic in region()[0]].index(name)
    return LEFT + place * _STEP + _TILE / 2


def _hidden() -> str:
    """The region with small groups hidden, in both months, and the way by which subtraction finds them."""
    march, april = months()
    known = first, second = tuple(METHODS["... and the next smallest"](month) for month in (march, april))
    found = subtract_both(first, second, march, april)
    cells: list[list[Cell]] = []
    for clinics, seen, left in zip(region(), known, found, strict=True):
        cells.append([])
        for clinic in clinics:
            gone = seen.shown[clinic.name] is None
            assert not gone or clinic.name in exact(left), "every hidden number of the region is found"
            cells[-1].append(("hidden" if gone else "shown", str(clinic.yes)))
    hidden = [{c.name for c in part if c.name in seen.hidden} for part, seen in zip(region(), known, strict=True)]
    (same,), (small,) = hidden[1] - hidden[0], hidden[0] & hidden[1]
    before, after = (next(c for c in month if c.name == GROWN) for month in (march, april))
    assert (after.patients, after.yes) == (before.patients + 1, before.yes + 1)
    assert all(pair[0] == pair[1] for pair in zip(*region(), strict=True) if pair[0].name in (same, small))
    return _page(
        "Hidden, but still found",
        "Patients with diabetes; hatched: a hidden group",
        cells,
        [("shown", str(total(month, REGION))) for month in (march, april)],
        _attack(same, small),
        [KNOWN] * before.yes + [None] * (before.patients - before.yes),
        FOUND,
        (f"{before.yes} of {before.patients}", f"{after.yes} of {after.patients}"),
        ("If nobody left or fell ill,", f"{GROWN}'s new patient has diabetes."),
    )


def _attack(same: str, small: str) -> list[str]:
    """Two groups of the same people, and two steps: from a total to what it gives away, in April and then in March."""
    later, sooner = (step["line"] for step in attack() if step["line"])
    at, one, other = map(_middle, (GROWN, same, small))
    begin, end = _ROWS["April"] + 51, _ROWS["March"] - 4
    half = (begin + end) / 2
    red = partial(arrow, stroke=FOUND[0])
    said = partial(_text, fill=WARNS)
    same_people = [[(x + side, begin), (x + side, end)] for x in (one, other) for side in (-3, 3)]
    return [
        *(line(link, stroke=FOUND[0], width=1.8) for link in same_people),
        *(said((one + other) / 2, half + dy, part, at="middle") for dy, part in ((-3, "the same"), (13, "people"))),
        red([(_WAY, _ROWS["April"] - 6), (_WAY, _OVER), (other, _OVER), (other, _ROWS["April"] - 24)]),
        red([(_WAY, _ROWS["March"] + 36), (_WAY, _UNDER), (at, _UNDER), (at, _ROWS["March"] + 53)]),
        _number(1, _WAY - 157, _OVER - 12),
        said(WIDE - LEFT, _OVER - 7, later, at="end", bold=True),
        _number(2, _WAY - 149, _UNDER + 17),
        said(WIDE - LEFT, _UNDER + 22, sooner, at="end", bold=True),
    ]


def _number(step: int, x: float, y: float) -> str:
    """The number of a step of the attack, on its arrow."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="9" {fills(HOLE)}/>' + words(x, y + 4.5, str(step), "back", size=12.5)


def _ours() -> str:
    """The same region and months as they are published with us: an interval in every cell."""
    releases = shown()
    cells: list[list[Cell]] = []
    for release, clinics in zip(releases, region(), strict=True):
        printed = [of_clinics(release)[clinic.name] for clinic in clinics]
        cells.append([("private", f"{one.low}–{one.high}") for one in printed])
    sums = [of_regions(release)[REGION] for release in releases]
    march, april = (of_clinics(release)[GROWN] for release in releases)
    middle = LEFT + (_SUM - LEFT - 8) / 2
    between = (_ROWS["March"] + _ROWS["April"]) / 2 + 26
    return _page(
        "discreet: nobody is found",
        f"95% intervals; epsilon {EPSILON} a month",
        cells,
        [("private", f"{one.low}–{one.high}") for one in sums],
        [
            _text(WIDE - LEFT, _OVER + 2, "the total is an estimate too", at="end", fill=QUIET),
            _text(WIDE - LEFT, _UNDER + 4, "nothing exact to subtract from", at="end", fill=QUIET),
            _text(middle + 20, between, "drawn afresh each month", at="middle", fill=QUIET),
        ],
        [YES] * april.low + [MAYBE] * (april.high - april.low - 1) + [None] * (april.people - april.high),
        MAYBE,
        (f"{march.low}–{march.high} of {march.people}", f"{april.low}–{april.high} of {april.people}"),
        ("Every number is drawn by chance.", "Nobody's answer is ever certain."),
    )


def _page(
    title: str,
    below: str,
    cells: list[list[Cell]],
    sums: list[Cell],
    steps: Sequence[str],
    patients: Sequence[tuple[str, str] | None],
    newcomer: tuple[str, str],
    counts: tuple[str, str],
    last: tuple[str, str],
) -> str:
    """Two rows of tiles that add up to a total each; below them the patients of one clinic, of whom the last is new."""
    parts = [text(LEFT, 22, title, size=_TITLE, fill="#000000", bold=True)]
    parts.append(_text(LEFT, 44, below, fill=QUIET))
    for (month, y), row, clinics, whole in zip(_ROWS.items(), cells, region(), sums, strict=True):
        first = month == "April"
        parts.append(_text(LEFT, y - (28 if first else 12), month, bold=True))
        for place, (clinic, cell) in enumerate(zip(clinics, row, strict=True)):
            x = LEFT + place * _STEP
            if first:
                parts.append(
                    _text(x + _TILE / 2, y - 8, clinic.name, at="middle", fill=QUIET, bold=clinic.name == GROWN)
                )
            parts += _tile(x, y, _TILE, cell, clinic.patients)
            if cell[0] != "private":  # they add up, and whoever subtracts counts on it
                last_one = place == len(row) - 1
                parts.append(
                    _text(
                        x + _TILE + (9 if last_one else 3.5), y + 20, "=" if last_one else "+", at="middle", fill=QUIET
                    )
                )
        if first:
            parts.append(_text(_SUM + 2, y - 8, "total", fill=QUIET))
        parts += _tile(_SUM, y, _SUM_WIDE, whole, sum(clinic.patients for clinic in clinics))
    parts += [*steps, line([(LEFT, _UNDER + 38), (WIDE - LEFT, _UNDER + 38)], stroke=GRID, width=1)]
    return svg(_PEOPLE + 62, [*parts, *_waiting(patients, newcomer, counts, last)])


def _waiting(
    patients: Sequence[tuple[str, str] | None],
    newcomer: tuple[str, str],
    counts: tuple[str, str],
    last: tuple[str, str],
) -> list[str]:
    """The patients of the clinic with a new one, and what becomes of them."""
    new = LEFT + 236
    return [
        _text(LEFT, _PEOPLE - 46, f"{GROWN} in April: {counts[1]}", bold=True),
        _text(WIDE - LEFT, _PEOPLE - 46, f"March: {counts[0]}", at="end", fill=QUIET),
        *(person(LEFT + 12 + 30 * k, _PEOPLE, 36, fill) for k, fill in enumerate(patients)),
        _text(new - 32, _PEOPLE - 10, "+", at="middle", fill=QUIET),
        person(new, _PEOPLE, 36, newcomer),
        *(_text(new + 20, _PEOPLE + dy, part, fill=QUIET) for dy, part in ((-14, "the new"), (2, "patient"))),
        _text(LEFT, _PEOPLE + 28, last[0]),
        _text(LEFT, _PEOPLE + 48, last[1], bold=True),
    ]


def _tile(x: float, y: float, wide: float, cell: Cell, people: int) -> list[str]:
    """A number or an interval, and below it of how many; what is hidden is found in a hole of its tile."""
    look, said = cell
    middle, gone = x + wide / 2, look == "hidden"
    parts = [box(x, y, wide, _HIGH, look)]
    if gone:
        parts.append(f'<circle cx="{middle:g}" cy="{y + _HIGH / 2:g}" r="11.5" {fills(HOLE)}/>')
    size = _LETTER if look == "private" else _FIGURE
    parts.append(words(middle, y + _HIGH / 2 + 0.36 * size, said, "back" if gone else look, size=size))
    of = partial(_text, words=f"of {people}", fill=QUIET)  # of a total clear of the way that begins there
    return [*parts, of(x + 2, y + _HIGH + 16) if x == _SUM else of(middle, y + _HIGH + 16, at="middle")]
