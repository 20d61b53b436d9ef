"""The pair of pictures that the home page and README lead with: a region with hidden groups, and with us.

Both have the same rows: the clinics of the region, the region and all clinics. The first has two months, so that every
number of its subtractions stands in it. The numbers are those of the pictures of all 24 clinics on docs/hiding.md.
"""

from __future__ import annotations

from tools.drawing import GRID, INK, LINES, QUIET, WIDE, heading, line, svg, text
from tools.hiding.attack import exact, subtract_both
from tools.hiding.clinics import Month, months
from tools.hiding.comparing import EPSILON, METHODS, surest
from tools.hiding.printed_numbers import SHOWN_SEED, Printed, draws, of_all, of_clinics, of_regions, read
from tools.hiding.steps import attack
from tools.hiding.tiles import LEFT, LOOKS, NIGHT, NO_NUMBER, box

REGION = "West"
"""Of the attack that docs/hiding.md goes through step by step."""
RIGHT = WIDE - 8
_PEOPLE, _EARLY, _LATE, _FOUND = 122, 184, 237, 314
"""Where the columns stand: patients end there, and those of the first picture have their middle there."""
_GROWN = 25
"""How much farther to the right patients of two months end."""
_STEP = 7.5
"""Half of how wide the ring around the number of a step is."""
_BARS, _LONG, _INTERVAL = 134, 96, 289
"""Where the bars of the right picture begin, how long they are, and where intervals end."""
BAR, LINE = ("#0b4f85", "#cfe6fa"), ("#7793aa", "#8fa9bf")
"""Of an interval, and of the line that it lies on, by day and by night."""
CLEAR, TICK = ("#ffffff", "#1f4a70"), ("#000000", "#ffffff")
"""Around the tick of a number, and of the tick."""
_KEY, _HEAD, _TOP, _ROW, _SUM_GAP = 66, 90, 98, 26, 48
_SAID, _LINES = 19, 4
"""Pixels from one line of the words below to the next; and for how many lines both pictures have room."""


def home_pair() -> dict[str, str]:
    """Both pictures by their names."""
    march, april = months()
    return {"home-hidden": _hidden(march, april), "home-discreet": _ours(march)}


def _hidden(march: Month, april: Month) -> str:
    """The region with small groups hidden, as published in two months, and what follows from that in three steps."""
    method = METHODS["... and the next smallest"]
    early, late = method(march), method(april)
    found = exact(subtract_both(early, late, march, april)[0])
    clinics = tuple(c for c in march if c.region == REGION)
    known = {a.name: (a, b) for a, b in zip(march, april, strict=True)}
    small = next(c.name for c in clinics if {c.name} <= {*early.hidden} & {*late.hidden})
    (same,) = (c.name for c in clinics if c.name in {*late.hidden} - {*early.hidden})
    (grown,) = (c.name for c in clinics if c.name in {*early.hidden} - {*late.hidden})
    steps = (same, small, grown)
    assert {*steps} <= found, "the words below speak of all three"
    parts = heading("Small groups hidden, and found again", "patients with diabetes in six clinics")
    heads = ((_EARLY, "March"), (_LATE, "April"), (_FOUND - 14, "found again"))
    parts += [text(x, _HEAD, words, at="middle", fill=QUIET) for x, words in heads]
    for k, clinic in enumerate(clinics):
        y = _middle(k)
        parts += _named(y, clinic.name, *(c.patients for c in known[clinic.name]))
        for x, month in ((_EARLY, early), (_LATE, late)):
            shown = month.shown[clinic.name]
            parts += _pill(x, y, "hidden", "hidden", 50) if shown is None else _number(x, y, shown)
        if clinic.name in steps:
            parts += _ring(_FOUND - 34, y, steps.index(clinic.name) + 1)
            parts += _pill(_FOUND, y, "back", str(clinic.yes), 40)
    whole = {f"all {REGION}": REGION, f"all {len(march)} clinics": ""}
    for k, (name, region) in enumerate(whole.items(), len(clinics)):
        months_of = [[c for c in month if c.region.startswith(region)] for month in (march, april)]
        parts += _named(_middle(k), name, *(sum(c.patients for c in some) for some in months_of))
        for x, some in zip((_EARLY, _LATE), months_of, strict=True):
            parts += _number(x, _middle(k), sum(c.yes for c in some))
    later, sooner = (step["line"] for step in attack() if step["line"])
    before, after = known[grown]
    one, other = known[same]
    assert one.patients == other.patients
    assert (after.patients, after.yes) == (before.patients + 1, before.yes + 1)
    says = [
        f"{same} has the same patients, so {one.yes} in April too.",
        f"April: {later} in {small}.",
        f"March: {sooner} in {grown}.",
        f"So {grown} grew from {before.yes} to {after.yes}: its new patient has diabetes.",
    ]
    return _page(parts, len(clinics), "Sums, published and exact", says, steps=len(steps), shift=_GROWN)


def _ours(march: Month) -> str:
    """The same region as it is published with us: an interval in every row, and a number where one can be quoted."""
    found = read(march, next(draws(march, SHOWN_SEED)))
    printed = of_clinics(found)
    clinics = tuple(c for c in march if c.region == REGION)
    parts = heading("discreet: every group, nobody found", f"patients with diabetes in March; epsilon {EPSILON}")
    parts += _key()
    most = max(c.patients for c in clinics)
    below = _middle(len(clinics)) - _ROW / 2 - 1
    for y, end in ((_HEAD, str(most)), (below, "all")):
        parts += [text(_BARS, y, "0", at="middle", fill=QUIET), text(_BARS + _LONG, y, end, at="middle", fill=QUIET)]
    parts.append(text(_INTERVAL, _HEAD, "interval", at="end", fill=QUIET))
    parts.append(text(RIGHT, _HEAD, "number", at="end", fill=QUIET))
    rows = [(c.name, printed[c.name]) for c in clinics]
    rows += [(f"all {REGION}", of_regions(found)[REGION]), (f"all {len(march)} clinics", of_all(found))]
    for k, (name, one) in enumerate(rows):
        y = _middle(k)
        number = NO_NUMBER if one.number is None else str(one.number)
        parts += [*_named(y, name, one.people), *_bar(_BARS, y, one, most if k < len(clinics) else one.people)]
        parts.append(text(_INTERVAL, y + 4.5, f"{one.low} to {one.high}", at="end", bold=True))
        parts.append(text(RIGHT, y + 4.5, number, at="end"))
    says = [
        "No subtraction finds more. A reader who knows all",
        f"but one patient's answers becomes at most {surest(EPSILON):.0%}",
        "sure of the last one, from 50% before.",
    ]
    return _page(parts, len(clinics), "Sums, each on a scale of its own", says)


def _key() -> list[str]:
    """What a bar, the tick on it and the line below it are, above the rows."""
    y = _KEY - 4.5
    shapes = [(8, 20, 6, BAR), (126, 2.4, 15, TICK), (198, 20, 2, LINE), (198, 1.5, 10, LINE), (216.5, 1.5, 10, LINE)]
    return [
        *(_piece(x, y, wide, high, colours, "key") for x, wide, high, colours in shapes),
        *(
            text(x, _KEY, words, fill=QUIET)
            for x, words in ((34, "95% interval"), (134, "number"), (224, "all patients"))
        ),
    ]


def _piece(x: float, y: float, wide: float, high: float, colours: tuple[str, str], kind: str) -> str:
    """A rectangle from x on around the height y, by day and by night."""
    place = f'x="{x:g}" y="{y - high / 2:g}" width="{wide:.4g}" height="{high:g}"'
    return f'<rect class="{kind}" {place} fill="{colours[0]}" data-night="{colours[1]}"/>'


def _bar(x: float, y: float, one: Printed, most: int) -> list[str]:
    """An interval on a line from nobody to everybody, marked at both ends; with a tick at its number if it has one.

    `most` people are as long as bars can be.
    """
    step = _LONG / most
    parts = [_piece(end - 0.75, y, 1.5, 10, LINE, "end") for end in (x, x + step * one.people)]
    parts.append(_piece(x, y, step * one.people, 2, LINE, "all"))
    parts.append(_piece(x + step * one.low, y, max(2.0, step * (one.high - one.low)), 6, BAR, "interval"))
    if one.number is not None:
        at = x + step * one.number
        parts += [_piece(at - 2.2, y, 4.4, 12, CLEAR, "clear"), _piece(at - 1.2, y, 2.4, 15, TICK, "tick")]
    return parts


def _middle(row: int) -> float:
    """The middle of a row; those of sums stand apart, below words of their own."""
    return _TOP + (row + 0.5) * _ROW + (_SUM_GAP if row >= _SUMS_FROM else 0)


_SUMS_FROM = 6


def _named(y: float, name: str, people: int, later: int | None = None) -> list[str]:
    """A row's name and its patients; of two months both numbers, where they differ."""
    right = _PEOPLE + (0 if later is None else _GROWN)
    said = str(people) if later in (None, people) else f"{people} \N{RIGHTWARDS ARROW} {later}"
    return [text(LEFT, y + 4.5, name), text(right, y + 4.5, said, at="end", fill=QUIET)]


def _ring(x: float, y: float, number: int) -> list[str]:
    """The number of a step in a ring."""
    return [
        f'<circle cx="{x:g}" cy="{y:g}" r="{_STEP}" fill="none" stroke="{INK}"/>',
        text(x, y + 4, str(number), size=11, at="middle", bold=True),
    ]


def _number(x: float, y: float, number: int) -> list[str]:
    return [text(x, y + 5, str(number), size=LINES[False] + 1.5, at="middle", bold=True)]


def _pill(x: int, y: float, look: str, words: str, wide: int) -> list[str]:
    ink = f'fill="{LOOKS[look][1]}" data-night="{NIGHT[look][1]}"'
    letters = f'font-size="{LINES[False] + (1.5 if look == "back" else 0):g}" font-weight="600" text-anchor="middle"'
    return [
        box(x - wide // 2, round(y) - 10, wide, 20, look),
        f'<text x="{x}" y="{y + 4.5:g}" {ink} {letters}>{words}</text>',
    ]


def _page(parts: list[str], clinics: int, sums: str, says: list[str], *, steps: int = 0, shift: int = 0) -> str:
    """Lines between rows, and words below them, of which the first have the numbers of steps."""
    assert clinics == _SUMS_FROM
    rows = clinics + 2
    rules = [line([(LEFT, y), (RIGHT, y)], stroke=GRID, width=1) for y in (_middle(k) + _ROW / 2 for k in range(rows))]
    rules.append(line([(LEFT, y := _middle(clinics - 1) + _ROW / 2), (RIGHT, y)], stroke="#767676", width=2))
    parts.append(text(LEFT, y + 27, sums, size=LINES[False] + 0.5, bold=True))
    parts.append(text(_PEOPLE + shift, _HEAD, "patients", at="end", fill=QUIET))
    foot = _middle(rows - 1) + _ROW / 2 + 24
    for k, sentence in enumerate(says):
        y = foot + _SAID * k
        parts += _ring(LEFT + _STEP, y - 4.5, k + 1) if k < steps else []
        parts.append(text(LEFT + (2 * _STEP + 6 if k < steps else 0), y, sentence))
    return svg(foot + _SAID * _LINES, [*rules, *parts])
