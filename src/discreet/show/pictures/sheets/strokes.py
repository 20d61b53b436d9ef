"""What panels are drawn with: lines, areas, marks and words as plain SVG."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from discreet.show.colours import INK, Look
from discreet.show.html import element


def areas(
    one: Sequence[tuple[float, float]], other: Sequence[tuple[float, float]], fill: str, *, up: bool
) -> list[str]:
    """What lies between two lines with the same xs where the other is the higher one (`up`), or the
    lower.

    >>> areas([(0, 6), (2, 6)], [(0, 4), (2, 8)], "#fff", up=True)
    ['<polygon points="0.0,4.0 1.0,6.0 1.0,6.0 0.0,6.0" fill="#fff"/>']
    """
    runs: list[list[tuple[float, float, float]]] = [
        []
    ]  # x and both heights, while the other is on that side
    for ((x0, a0), (x1, a1)), ((_, b0), (_, b1)) in zip(
        pairwise(one), pairwise(other), strict=True
    ):
        first, last = ((a0 - b0), (a1 - b1)) if up else ((b0 - a0), (b1 - a1))
        if first > 0 and not runs[-1]:
            runs[-1].append((x0, a0, b0))
        if first * last < 0:
            part = first / (first - last)
            level = a0 + part * (a1 - a0)
            runs[-1].append((x0 + part * (x1 - x0), level, level))
        if last > 0 or (first > 0 and last == 0):
            runs[-1] += [] if runs[-1] else [(x0, a0, b0)]
            runs[-1].append((x1, a1, b1))
        if last <= 0 and runs[-1]:
            runs.append([])
    return [
        f'<polygon points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in shape)}" fill="{fill}"/>'
        for run in runs
        if (shape := [*((x, b) for x, _, b in run), *((x, a) for x, a, _ in reversed(run))])
    ]


def stroke(points: Sequence[tuple[float, float]], look: Look, width: float) -> str:
    """A line through points; a dash says whose it is, beside its colour."""
    seen = [
        points[0],
        *(b for a, b in pairwise(points) if abs(a[0] - b[0]) + abs(a[1] - b[1]) > 0.01),
    ]
    drawn = "L".join(f"{x:.1f} {y:.1f}" for x, y in seen)
    dash = f' stroke-dasharray="{" ".join(f"{d:g}" for d in look.dash)}"' if look.dash[1] else ""
    return (
        f'<path d="M{drawn}" fill="none" stroke="{look.colour}" stroke-width="{width:g}" '
        f"{_ENDS}{dash}/>"
    )


_ENDS = 'stroke-linecap="round" stroke-linejoin="round"'


def marker(x: float, y: float, look: Look, scale: float = 1.0) -> str:
    """The mark of a point."""
    r = 2.7 * scale
    if look.marker == "square":
        return (
            f'<rect x="{x - r:.1f}" y="{y - r:.1f}" width="{2 * r:.1f}" '
            f'height="{2 * r:.1f}" fill="{look.colour}"/>'
        )
    corners = {
        "triangle-up": ((0, -1.2), (1.1, 0.9), (-1.1, 0.9)),
        "triangle-down": ((0, 1.2), (1.1, -0.9), (-1.1, -0.9)),
        "diamond": ((0, -1.4), (1.2, 0), (0, 1.4), (-1.2, 0)),
        "triangle-right": ((1.2, 0), (-0.9, 1.1), (-0.9, -1.1)),
    }.get(look.marker)
    if corners is None:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{look.colour}"/>'
    shape = " ".join(f"{x + r * a:.1f},{y + r * b:.1f}" for a, b in corners)
    return f'<polygon points="{shape}" fill="{look.colour}"/>'


def written(
    places: Sequence[tuple[float, float, str]],
    size: float,
    *,
    bold: bool = False,
    at: str = "start",
    ink: str = INK,
) -> str:
    """Words at places."""
    look = {
        "text_anchor": at,
        "font_size": f"{size:g}px",
        "font_weight": "600" if bold else "",
        "fill": ink,
    }
    return "".join(
        element("text", said, x=f"{x:.1f}", y=f"{y:.1f}", **look) for x, y, said in places
    )
