"""Small signs for the boxes of `tools.ways`, each 30 pixels wide and high, with its corner at (x, y)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tools.drawing import PLAIN, WARNS
from tools.people import KNOWN, MAYBE, YES, fills, person

from discreet.core.named import fair

Sign = Callable[[float, float], str]
_PAPER = fills(("#ffffff", "#2b343a"))


def _path(shape: str, *, fill: str = 'fill="none"', stroke: str = PLAIN, width: float = 1.6) -> str:
    line = f'stroke="{stroke}" stroke-width="{width:g}" stroke-linejoin="round" stroke-linecap="round"'
    return f'<path d="{shape}" {fill} {line}/>'


def _dot(x: float, y: float, radius: float, look: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {look}/>'


def people(x: float, y: float) -> str:
    """Three people, of whom one said yes."""
    looks = (None, KNOWN, None)
    return "".join(person(x + 4 + 11 * k, y + 28, 23, look) for k, look in enumerate(looks))


def lock(x: float, y: float) -> str:
    """What nobody else sees."""
    shackle = _path(f"M{x + 9} {y + 13}v-4a6 6 0 0 1 12 0v4", stroke=WARNS, width=2.2)
    return f'{shackle}<rect x="{x + 5}" y="{y + 13}" width="20" height="14" rx="3" {fills((WARNS, "#e4605a"))}/>'


def question(x: float, y: float) -> str:
    """Two sliders: how large groups are, and how private."""
    bars = _path(f"M{x + 2} {y + 9}h26M{x + 2} {y + 21}h26")
    return bars + _dot(x + 19, y + 9, 4.5, fills(YES)) + _dot(x + 10, y + 21, 4.5, fills(YES))


def design(x: float, y: float) -> str:
    """A corner of straight lines, where the best is found."""
    shape = _path(f"M{x + 2} {y + 27}V{y + 10}L{x + 13} {y + 3}L{x + 25} {y + 9}L{x + 28} {y + 27}z", fill=fills(MAYBE))
    return shape + _dot(x + 25, y + 9, 4.5, fills(YES))


def mechanism(x: float, y: float) -> str:
    """The fair mechanism for four people, shaded by its chances."""
    m = fair(n=4, epsilon=1)
    cells = [
        f'<rect x="{x + 6 * j:g}" y="{y + 6 * i:g}" width="5.4" height="5.4" rx="1" {fills(YES)} '
        f'fill-opacity="{float(m[i, j] / m[0, 0]):.2f}"/>'
        for i in range(5)
        for j in range(5)
    ]
    return "".join(cells)


def dice(x: float, y: float) -> str:
    """What is drawn by chance."""
    square = (
        f'<rect x="{x + 2}" y="{y + 2}" width="26" height="26" rx="5" {_PAPER} stroke="{PLAIN}" stroke-width="1.6"/>'
    )
    pips = ((9, 9), (21, 9), (15, 15), (9, 21), (21, 21))
    return square + "".join(_dot(x + dx, y + dy, 2.6, fills(YES)) for dx, dy in pips)


def purse(x: float, y: float) -> str:
    """A budget of which a part is spent."""
    whole = (
        f'<rect x="{x + 1}" y="{y + 9}" width="28" height="12" rx="6" {_PAPER} stroke="{PLAIN}" stroke-width="1.6"/>'
    )
    return whole + f'<rect x="{x + 3}" y="{y + 11}" width="13" height="8" rx="4" {fills(YES)}/>'


def interval(x: float, y: float) -> str:
    """An estimate and how sure it is."""
    ends = _path(f"M{x + 2} {y + 15}h26M{x + 2} {y + 10}v10M{x + 28} {y + 10}v10", stroke=YES[0], width=2)
    return ends + _dot(x + 15, y + 15, 4.5, fills(YES))


def tiles(x: float, y: float) -> str:
    """A table that anybody may see."""
    places = [(column, row) for row in range(3) for column in range(3)]
    return "".join(
        f'<rect x="{x + 1 + 10 * column:g}" y="{y + 3 + 9 * row:g}" width="8.4" height="7" rx="1.5" '
        f"{fills(MAYBE if (row + column) % 2 else YES)}/>"
        for column, row in places
    )


def page(x: float, y: float) -> str:
    """A page to send."""
    sheet = _path(f"M{x + 5} {y + 2}h14l6 6v20h-20z", fill=_PAPER)
    bars = ((9, 18, 6), (14, 13, 11), (19, 20, 4))
    return sheet + "".join(
        f'<rect x="{x + dx}" y="{y + dy}" width="3.6" height="{tall}" {fills(YES)}/>' for dx, dy, tall in bars
    )


def lens(x: float, y: float) -> str:
    """Look at it closely."""
    return _path(f"M{x + 19} {y + 19}l8 8", width=3) + _dot(
        x + 13, y + 13, 9, f'{_PAPER} stroke="{PLAIN}" stroke-width="1.8"'
    )


SIGNS: Mapping[str, Sign] = {
    sign.__name__: sign
    for sign in (people, lock, question, design, mechanism, dice, purse, interval, tiles, page, lens)
}
