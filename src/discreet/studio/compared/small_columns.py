"""The chances of the answers to one true count, one small picture for each mechanism, all on one
scale.

Another true count is shown in the page (`multiples.js`), which moves the parts by the same rules:
the bar of the truth has its chance written above it, and so do the bars that are higher.
"""

from __future__ import annotations

from collections.abc import Sequence

from discreet.show.cells import whole_percent
from discreet.show.colours import INK
from discreet.show.pictures.svg import svg, text

WIDE, HIGH, HEAD, FOOT, EDGE = 260, 150, 20, 24, 4
_BAND = 'fill="#5b7085" fill-opacity="0.13"'
APART = 44
MOST_NAMED = 2
"""Bars beside the truth's whose chances are written."""


def small_column(
    chances: Sequence[float], count: int, *, top: float, colour: str, title: str
) -> str:
    """Draw one column of a mechanism; `top` is the highest bar of all pictures beside it."""
    step, inner = (WIDE - 2 * EDGE) / len(chances), HIGH - HEAD - FOOT
    floor, last = HIGH - FOOT, len(chances) - 1

    def middle(k: int) -> float:
        return EDGE + (k + 0.5) * step

    def high(k: int) -> float:
        return inner * chances[k] / top if top else 0.0

    parts = [
        f'<rect class="band" x="{EDGE + count * step:.2f}" y="0" width="{step:.2f}" '
        f'height="{floor}" {_BAND}/>'
    ]
    parts += [
        f'<rect class="slim" x="{middle(k) - 0.4 * step:.2f}" y="{floor - high(k):.2f}" '
        f'width="{0.8 * step:.2f}" height="{high(k):.2f}" fill="{colour}"/>'
        for k in range(len(chances))
    ]
    parts.append(
        f'<line x1="{EDGE}" x2="{WIDE - EDGE}" y1="{floor}" y2="{floor}" stroke="#767676"/>'
    )
    named = [count, *written(chances, count)]
    for k in (*named, *[None] * (1 + MOST_NAMED - len(named))):
        at, y, said = (
            (middle(k), floor - high(k) - 5, f"{whole_percent(chances[k])}%")
            if k is not None
            else (0.0, 0.0, "")
        )
        if k == count:
            at = _apart(at, [middle(one) for one in named[1:]])
        parts.append(text(inside(at), y, said, 12, more=f' class="chance" fill="{INK}"'))
    for k, kind in ((0, "end"), (last, "end"), (count, "here")):
        shown = "" if kind == "end" and abs(k - count) * step < 24 else str(k)
        parts.append(text(middle(k), HIGH - 8, shown, 12, more=f' class="{kind}" data-says="{k}"'))
    frame = (
        f' class="small-column" data-step="{step:.5f}" data-inner="{inner}" '
        f'data-floor="{floor}" data-edge="{EDGE}"'
    )
    return svg(WIDE, HIGH, title, f"<g{frame}>{''.join(parts)}</g>")


def written(chances: Sequence[float], count: int) -> list[int]:
    """The answers that are likelier than the truth, where they are one or two; else the likeliest
    of them.

    >>> written([0.4, 0.1, 0.4], 1), written([0.1, 0.5, 0.4], 1), written([0.3, 0.2, 0.25, 0.25], 1)
    ([0, 2], [], [0])
    """
    found = [k for k, chance in enumerate(chances) if chance > chances[count]]
    return found if len(found) <= MOST_NAMED else [max(found, key=lambda k: (chances[k], -k))]


def _apart(x: float, others: Sequence[float]) -> float:
    """Where the truth's chance is written, so far from a higher bar's that both can be read.

    >>> _apart(50, [30]), _apart(50, [20, 200]), _apart(50, [])
    (74, 64, 50)
    """
    near = next((other for other in map(inside, others) if abs(x - other) < APART), None)
    return x if near is None else near + APART * (1 if x > near else -1)


def inside(x: float) -> float:
    """Keep what is written above a bar within the picture."""
    return min(max(x, 20.0), WIDE - 20.0)


def told(name: str, chances: Sequence[float], count: int) -> str:
    """Say what a picture shows, for whoever does not see it.

    >>> told("the usual noise", [0.4, 0.1, 0.5], 1)
    'the usual noise: when the truth is 1, the truth in 10% of cases, and more often 0 (40%), 2
    (50%)'
    """
    more = ", ".join(f"{k} ({whole_percent(chances[k])}%)" for k in written(chances, count))
    start = (
        f"{name}: when the truth is {count}, the truth in {whole_percent(chances[count])}% of cases"
    )
    return f"{start}, and more often {more}" if more else start
