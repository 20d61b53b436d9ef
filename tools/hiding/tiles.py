"""The pictures of docs/hiding.md: one tile for each clinic, a row for each region, legible at the width of a phone."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction

from discreet.core.named import geometric
from discreet.reading.group import one_group
from discreet.show.colours import MARK
from tools.drawing import heading, svg, text
from tools.hiding.attack import exact, subtract_both
from tools.hiding.clinics import REGIONS, Clinic, Month, months
from tools.hiding.comparing import EPSILON, METHODS

_SIDE, _GAP, _LEFT, _TOP = 44, 4, 58, 58
_SEED = 3
LOOKS = {  # fill, ink; every pair has a contrast of 7 to 1 or more
    "shown": ("#ffffff", "#222222"),
    "hidden": ("#4a4a4a", "#ffffff"),
    "back": ("#9b1c1c", "#ffffff"),
    "private": ("#dbe9f6", "#222222"),
    "missed": ("#dbe9f6", "#222222"),
}
NIGHT = {  # the same on a dark page: what is hidden is the darkest, and nothing glares
    "shown": ("#47535d", "#ffffff"),
    "hidden": ("#06080a", "#c3c9ce"),
    "back": ("#9b1c1c", "#ffffff"),
    "private": ("#1f4a70", "#ffffff"),
    "missed": ("#1f4a70", "#ffffff"),
}
MEANINGS = {
    "shown": "published",
    "hidden": "hidden",
    "back": "hidden, and found",
    "private": "holds the truth",
    "missed": "misses it (up to 1 in 20 may)",
}


def tiles(title: str, subtitle: str, month: Month, cells: Mapping[str, tuple[str, str]]) -> str:
    """Draw a month: for each clinic a look, what stands in its tile, and its size below.

    A legend at the foot says what each look means.
    """
    wide = _LEFT + 6 * (_SIDE + _GAP) + 8
    foot = _TOP + len(REGIONS) * (_SIDE + _GAP) + 8
    parts = heading(title, subtitle)
    for row, region in enumerate(REGIONS):
        y = _TOP + row * (_SIDE + _GAP)
        parts.append(text(8, y + 27, region))
        for column, clinic in enumerate(c for c in month if c.region == region):
            look, words = cells[clinic.name]
            ink = f'fill="{LOOKS[look][1]}" data-night="{NIGHT[look][1]}"'
            x = _LEFT + column * (_SIDE + _GAP)
            parts.append(_tile(x, y, _SIDE, look))
            middle = f'x="{x + _SIDE // 2}" text-anchor="middle" {ink}'
            said = words.replace(
                " to ", '<tspan font-size="11" font-weight="400"> to </tspan>'
            )  # room for wide letters
            parts.append(f'<text {middle} y="{y + 21}" font-size="15" font-weight="600">{said}</text>')
            parts.append(f'<text {middle} y="{y + 37}" font-size="12">of {clinic.patients}</text>')
    x = 8
    used = {look for look, _ in cells.values()}
    for look in (look for look in LOOKS if look in used):  # in one order in every picture
        parts.append(_tile(x, foot, 13, look) + text(x + 19, foot + 11, MEANINGS[look]))
        x += 19 + 7 * len(MEANINGS[look]) + 14
    return svg(foot + 24, parts, wide=wide)


def _tile(x: int, y: int, side: int, look: str) -> str:
    """A square; docs/.site/night.py takes the fill in `data-night` for a dark page."""
    fills = f'fill="{LOOKS[look][0]}" data-night="{NIGHT[look][0]}"'
    if look != "missed":
        return f'<rect x="{x}" y="{y}" width="{side}" height="{side}" {fills} stroke="#767676"/>'
    # the broad edge reaches no farther in than a thin one would, so that it stays clear of the words
    return f'<rect x="{x}" y="{y}" width="{side}" height="{side}" {fills} stroke="{MARK}" stroke-width="2.6"/>'


def pictures() -> dict[str, str]:
    """Every picture of the page by its name."""
    march, april = months()
    method = METHODS["... and the next smallest"]
    first, second = method(march), method(april)
    early, _ = subtract_both(first, second, march, april)
    back = exact(early) & set(first.hidden)
    shown = {
        name: ("hidden", "?") if number is None else ("shown", str(number)) for name, number in first.shown.items()
    }
    undone = {name: ("back", str(early[name][0])) if name in back else cell for name, cell in shown.items()}
    by_cases = METHODS["counts of 1 to 4 hidden, and the next smallest"](march).shown
    mostly = {name: ("hidden", "?") if number is None else ("shown", str(number)) for name, number in by_cases.items()}
    draw = random.Random(_SEED)  # noqa: S311 - one drawing for a picture of made-up people; a release has its own door
    drawn = {
        c.name: draw.choices(range(c.patients + 1), [float(p) for p in _column(c.patients, c.yes)])[0] for c in march
    }
    private = {c.name: _read(c, drawn[c.name]) for c in march}
    held = sum(look == "private" for look, _ in private.values())
    lost = sum(look == "hidden" for look, _ in mostly.values())
    return {
        "hiding-few-people": tiles(
            f"Hiding small groups loses {len(first.hidden)} of 24",
            "patients with diabetes, of all, in each clinic",
            march,
            shown,
        ),
        "hiding-back": tiles(
            f"Subtracting gives {len(back)} of the {len(first.hidden)} back",
            "from the totals and the next month's table",
            march,
            undone,
        ),
        "hiding-few-cases": tiles(
            f"Hiding small counts loses {lost} of 24",
            "counts from 1 to 4, and the next smallest",
            march,
            mostly,
        ),
        "hiding-private": tiles(
            "discreet publishes all 24",
            f"95% intervals at epsilon {EPSILON}; {held} of 24 hold the truth",
            march,
            private,
        ),
    }


def _column(n: int, j: int) -> tuple[Fraction, ...]:
    return geometric(n=n, epsilon=EPSILON).column(j)


def _read(clinic: Clinic, released: int) -> tuple[str, str]:
    """What a reader quotes of a released number, its interval; and whether that holds the truth, which we made up."""
    low, high = one_group(geometric(n=clinic.patients, epsilon=EPSILON), released).interval
    return "private" if low <= clinic.yes <= high else "missed", f"{low} to {high}"
