"""What panels are drawn with: lines, bands, marks and words as plain SVG."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from discreet.show.colours import INK, Look
from discreet.show.html import element


def band(ends: Sequence[tuple[tuple[float, float], tuple[float, float]]], look: Look) -> str:
    """What lies between the lower and the upper ends: a light area without an edge, which is no line."""
    shape = " ".join(f"{x:.1f},{y:.1f}" for x, y in [*(low for low, _ in ends), *(most for _, most in reversed(ends))])
    return f'<polygon points="{shape}" fill="{look.colour}" fill-opacity="0.16"/>'


def stroke(points: Sequence[tuple[float, float]], look: Look, width: float) -> str:
    """A line through points; a dash says whose it is, beside its colour."""
    seen = [points[0], *(b for a, b in pairwise(points) if abs(a[0] - b[0]) + abs(a[1] - b[1]) > 0.01)]
    drawn = "L".join(f"{x:.1f} {y:.1f}" for x, y in seen)
    dash = f' stroke-dasharray="{" ".join(f"{d:g}" for d in look.dash)}"' if look.dash[1] else ""
    return f'<path d="M{drawn}" fill="none" stroke="{look.colour}" stroke-width="{width:g}"{dash}/>'


def marker(x: float, y: float, look: Look, scale: float = 1.0) -> str:
    """The mark of a point."""
    r = 2.7 * scale
    if look.marker == "square":
        return f'<rect x="{x - r:.1f}" y="{y - r:.1f}" width="{2 * r:.1f}" height="{2 * r:.1f}" fill="{look.colour}"/>'
    corners = {
        "triangle-up": ((0, -1.2), (1.1, 0.9), (-1.1, 0.9)), "triangle-down": ((0, 1.2), (1.1, -0.9), (-1.1, -0.9)),
        "diamond": ((0, -1.4), (1.2, 0), (0, 1.4), (-1.2, 0)), "triangle-right": ((1.2, 0), (-0.9, 1.1), (-0.9, -1.1)),
    }.get(look.marker)  # fmt: skip
    if corners is None:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{look.colour}"/>'
    shape = " ".join(f"{x + r * a:.1f},{y + r * b:.1f}" for a, b in corners)
    return f'<polygon points="{shape}" fill="{look.colour}"/>'


def written(
    places: Sequence[tuple[float, float, str]], size: float, *, bold: bool = False, at: str = "start", ink: str = INK
) -> str:
    """Words at places."""
    look = {"text_anchor": at, "font_size": f"{size:g}px", "font_weight": "600" if bold else "", "fill": ink}
    return "".join(element("text", said, x=f"{x:.1f}", y=f"{y:.1f}", **look) for x, y, said in places)
