"""People as marks, and arrows: what the documentation's drawings tell their stories with.

A person is drawn as in the studio's story; where many stand in one picture, each is a dot. A full one said yes, an
empty one said no, and a pale one may have said either.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, sin

from tools.drawing import INK

YES, MAYBE = ("#2b6cb0", "#b5dafa"), ("#a9cdec", "#4580b5")
"""The fills of a dot that said yes and of one that may have, by day and by night, in what is published with noise."""
KNOWN = ("#222222", "#f2f4f5")
"""Of a dot that said yes where the number is exact."""
FOUND = ("#b3201b", "#e4605a")
"""Of one that was hidden, and is found."""
HOLE = ("#b3201b", "#b83029")
"""Of the hole in a tile through which its number is read, which is white on it."""
RING = "#7c848b"


def fills(pair: tuple[str, str]) -> str:
    """A fill, and the one that docs/.site/night.py takes on a dark page."""
    return f'fill="{pair[0]}" data-night="{pair[1]}"'


def person(x: float, y: float, tall: float, pair: tuple[str, str] | None, *, ring: str = RING, dash: str = "") -> str:
    """A person whose feet stand at y, with x at the middle; without a fill an outline."""
    head, half = 0.19 * tall, 0.26 * tall
    body = 0.54 * tall
    fill = fills(pair) if pair else 'fill="none"'
    line = f' stroke="{pair[0] if pair else ring}" stroke-width="1.6"' + (f' stroke-dasharray="{dash}"' if dash else "")
    shape = f"M{x - half:.1f} {y:.1f}v{half - body:.1f}a{half:.1f} {half:.1f} 0 0 1 {2 * half:.1f} 0v{body - half:.1f}z"
    return (
        f'<circle cx="{x:.1f}" cy="{y - tall + head:.1f}" r="{head:.1f}" {fill}{line}/>'
        f'<path d="{shape}" {fill}{line} stroke-linejoin="round"/>'
    )


def dots(
    x: float,
    y: float,
    people: int,
    *,
    yes: int = 0,
    most: int = 0,
    pairs: tuple[tuple[str, str], tuple[str, str]] = (YES, MAYBE),
    a_row: int = 5,
    step: float = 7.2,
) -> str:
    """People as dots, with x at the middle and y at the top: `yes` of them full, up to `most` pale, the rest empty."""
    drawn = []
    wide = min(people, a_row)
    for k in range(people):
        cx = x + (k % a_row - (wide - 1) / 2) * step
        cy = y + (k // a_row + 0.5) * step
        full = pairs[0] if k < yes else pairs[1] if k < most else None
        radius = 0.39 * step
        look = fills(full) if full else f'fill="none" stroke="{RING}"'
        drawn.append(f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{radius if full else radius - 0.5:.2f}" {look}/>')
    return "".join(drawn)


def arrow(
    points: Sequence[tuple[float, float]],
    *,
    stroke: str = INK,
    width: float = 1.8,
    round_by: float = 10,
    dash: str = "",
) -> str:
    """A line through points with round corners and a full head at its end."""
    (x, y), before = points[-1], points[-2]
    turn = atan2(y - before[1], x - before[0])
    stop = (x - 6 * cos(turn), y - 6 * sin(turn))
    path = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for (ax, ay), (bx, by), (cx, cy) in zip(points, points[1:-1], [*points[2:-1], stop], strict=False):
        near, far = (min(round_by, (abs(bx - px) + abs(by - py)) / 2) for px, py in ((ax, ay), (cx, cy)))
        into, out = atan2(ay - by, ax - bx), atan2(cy - by, cx - bx)
        path += f"L{bx + near * cos(into):.1f} {by + near * sin(into):.1f}"
        path += f"Q{bx:.1f} {by:.1f} {bx + far * cos(out):.1f} {by + far * sin(out):.1f}"
    path += f"L{stop[0]:.1f} {stop[1]:.1f}"
    wings = [(x - 9 * cos(turn + side), y - 9 * sin(turn + side)) for side in (-0.45, 0.45)]
    head = " ".join(f"{px:.1f},{py:.1f}" for px, py in (wings[0], (x, y), wings[1]))
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<path d="{path}" fill="none" stroke="{stroke}" stroke-width="{width:g}" stroke-linecap="round"{dashes}/>'
        f'<polygon points="{head}" fill="{stroke}"/>'
    )
