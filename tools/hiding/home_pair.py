"""The pair of pictures that the home page and README lead with: a region with hidden groups, and with us.

Both have the same rows: the clinics of the region, the region and all clinics. The numbers are those of the pictures of
all 24 clinics on docs/hiding.md.
"""

from __future__ import annotations

from collections.abc import Iterable

from tools.drawing import GRID, LINES, QUIET, WIDE, heading, line, svg, text
from tools.hiding.attack import exact, newcomers, subtract_both
from tools.hiding.clinics import Month, months
from tools.hiding.comparing import EPSILON, METHODS, surest
from tools.hiding.printed_numbers import SHOWN_SEED, Printed, draws, of_all, of_clinics, of_regions, read
from tools.hiding.steps import attack
from tools.hiding.tiles import LEFT, LOOKS, NIGHT, NO_NUMBER, box

REGION = "West"
"""Of the attack that docs/hiding.md goes through step by step."""
RIGHT = WIDE - 8
_PEOPLE, _PUBLISHED, _FOUND = 122, 192, 290
"""Where the columns of the left picture stand: patients end there, the other two have their middle there."""
_BARS, _LONG, _INTERVAL = 134, 96, 289
"""Where the bars of the right picture begin, how long they are, and where intervals end."""
BAR, LINE = ("#0b4f85", "#cfe6fa"), ("#7793aa", "#8fa9bf")
"""Of an interval, and of the line that it lies on, by day and by night."""
CLEAR, TICK = ("#ffffff", "#1f4a70"), ("#000000", "#ffffff")
"""Around the tick of a number, and of the tick."""
_KEY, _HEAD, _TOP, _ROW, _SUM_GAP = 66, 90, 98, 26, 48


def home_pair() -> dict[str, str]:
    """Both pictures by their names."""
    march, april = months()
    return {"home-hidden": _hidden(march, april), "home-discreet": _ours(march)}


def _hidden(march: Month, april: Month) -> str:
    """The region with small groups hidden; and the same once both months' tables have been subtracted."""
    method = METHODS["... and the next smallest"]
    first, second = method(march), method(april)
    early, late = subtract_both(first, second, march, april)
    clinics = tuple(c for c in march if c.region == REGION)
    back = {c.name for c in clinics} & exact(early) & set(first.hidden)
    known = [c.name for c in clinics if c.name in newcomers(early, late, march, april) and c.name in back]
    hidden = sum(c.name in first.hidden for c in clinics)
    assert len(back) == hidden == 2, "the words below speak of both"
    parts = heading("Small groups hidden, and found again", "patients with diabetes in six clinics")
    parts += [text(x, _HEAD, words, at="middle", fill=QUIET) for x, words in _columns("published", "readers work out")]
    for k, clinic in enumerate(clinics):
        shown = first.shown[clinic.name]
        y, found = _middle(k), (clinic.name in back, shown if shown is not None else early[clinic.name][0])
        parts += _named(y, clinic.name, clinic.patients)
        parts += _pill(_PUBLISHED, y, "hidden", "hidden", 58) if shown is None else _number(_PUBLISHED, y, shown)
        parts += _pill(_FOUND, y, "back", str(found[1]), 40) if found[0] else _number(_FOUND, y, found[1])
    sums = (
        (f"all {REGION}", [c for c in march if c.region == REGION]),
        (f"all {len(march)} clinics", march),
    )
    for k, (name, some) in enumerate(sums, len(clinics)):
        parts += _named(_middle(k), name, sum(c.patients for c in some))
        parts += [one for x in (_PUBLISHED, _FOUND) for one in _number(x, _middle(k), sum(c.yes for c in some))]
    after = next(c for c in april if c.name == known[0])
    assert after.yes > next(c.yes for c in clinics if c.name == known[0])
    later, sooner = (step["line"] for step in attack() if step["line"])
    says = [
        f"{REGION}'s total, less its five other clinics:",
        f"next month {later} in {(back - {known[0]}).pop()},",
        f"this month {sooner} in {known[0]}.",
        f"Next month {known[0]} has {after.yes}: the one new patient's yes.",
    ]
    return _page(parts, len(clinics), "Sums, published and exact", says)


def _ours(march: Month) -> str:
    """The same region as it is published with us: an interval in every row, and a number where one can be quoted."""
    found = read(march, next(draws(march, SHOWN_SEED)))
    printed = of_clinics(found)
    clinics = tuple(c for c in march if c.region == REGION)
    parts = heading("discreet: every group, nobody found", f"patients with diabetes in six clinics; epsilon {EPSILON}")
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


def _columns(*words: str) -> Iterable[tuple[int, str]]:
    return zip((_PUBLISHED, _FOUND), words, strict=True)


def _middle(row: int) -> float:
    """The middle of a row; those of sums stand apart, below words of their own."""
    return _TOP + (row + 0.5) * _ROW + (_SUM_GAP if row >= _SUMS_FROM else 0)


_SUMS_FROM = 6


def _named(y: float, name: str, people: int) -> list[str]:
    return [text(LEFT, y + 4.5, name), text(_PEOPLE, y + 4.5, str(people), at="end", fill=QUIET)]


def _number(x: float, y: float, number: int) -> list[str]:
    return [text(x, y + 5, str(number), size=LINES[False] + 1.5, at="middle", bold=True)]


def _pill(x: int, y: float, look: str, words: str, wide: int) -> list[str]:
    ink = f'fill="{LOOKS[look][1]}" data-night="{NIGHT[look][1]}"'
    letters = f'font-size="{LINES[False] + (1.5 if look == "back" else 0):g}" font-weight="600" text-anchor="middle"'
    return [
        box(x - wide // 2, round(y) - 10, wide, 20, look),
        f'<text x="{x}" y="{y + 4.5:g}" {ink} {letters}>{words}</text>',
    ]


def _page(parts: list[str], clinics: int, sums: str, says: list[str]) -> str:
    """Lines between rows, and words below them."""
    assert clinics == _SUMS_FROM
    rows = clinics + 2
    rules = [line([(LEFT, y), (RIGHT, y)], stroke=GRID, width=1) for y in (_middle(k) + _ROW / 2 for k in range(rows))]
    rules.append(line([(LEFT, y := _middle(clinics - 1) + _ROW / 2), (RIGHT, y)], stroke="#767676", width=2))
    parts.append(text(LEFT, y + 27, sums, size=LINES[False] + 0.5, bold=True))
    parts.append(text(_PEOPLE, _HEAD, "patients", at="end", fill=QUIET))
    foot = _middle(rows - 1) + _ROW / 2 + 24
    words = [text(LEFT, foot + 17 * k, sentence) for k, sentence in enumerate(says)]
    return svg(foot + 17 * len(says), [*rules, *parts, *words])
