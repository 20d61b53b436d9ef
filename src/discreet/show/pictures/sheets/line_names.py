"""The names of lines in a panel: beside the line where their maker puts them, or right of the
panel, at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from discreet.show.colours import legible
from discreet.show.pictures.sheets.sheet_parts import Panel
from discreet.show.pictures.sheets.strokes import written

_INSIDE = 7.0
"""Pixels from the first and the last point to the sides of a panel."""
AFTER_DOT = 3.0
"""Pixels from the side of a panel to the name of a line that ends there in a dot."""


def placing(
    panel: Panel, corner: tuple[float, float], size: tuple[float, float]
) -> Callable[[float, float], tuple[float, float]]:
    """Where a point of a panel is in the picture."""
    (left, top), (wide, high) = corner, size

    def at(x: float, y: float) -> tuple[float, float]:
        return left + _INSIDE + (wide - 2 * _INSIDE) * panel.x.place(x), top + high * (
            1 - panel.y.place(y)
        )

    return at


def names_beside(
    panel: Panel,
    corner: tuple[float, float],
    size: tuple[float, float],
    letters: float,
    *,
    phone: bool,
) -> list[str]:
    """The names of lines: beside them, or right of the panel at their ends, none nearer to the
    next than a line.
    """
    at, parts, ended = placing(panel, corner, size), [], []
    for line in panel.lines:
        if line.name and line.name.x is None:
            ended.append((at(*line.points[-1])[1], line.name.said(phone=phone), line.look))
        elif line.name and line.name.x is not None:
            x, y = at(line.name.x, height_at([line.points[0], *line.points], line.name.x))
            y += letters * 0.35 - line.name.side * letters * 0.85
            words, ink = line.name.said(phone=phone), legible(line.look.colour)
            parts.append(written([(x, y, words)], letters, bold=True, at=line.name.at, ink=ink))
    ended.sort(key=lambda each: each[0])
    for y, (_, words, look) in zip(apart([y for y, *_ in ended], letters + 2), ended, strict=True):
        place = (corner[0] + size[0] + AFTER_DOT, y + letters * 0.35, words)
        parts.append(written([place], letters, bold=True, ink=legible(look.colour)))
    return [
        part.replace("<text ", '<text paint-order="stroke" stroke="#fefefe" stroke-width="3" ')
        for part in parts
    ]


def apart(heights: Sequence[float], least: float) -> list[float]:
    """Heights in their order, moved as little as they must to be so far apart: those too near
    spread around their mean.

    >>> apart([10, 10, 50], 8)
    [6.0, 14.0, 50.0]
    """
    groups = list[
        list[float]
    ]()  # of what each height is above its place in a stack; a group shares its mean
    for k, height in enumerate(heights):
        groups.append([height - k * least])
        while len(groups) > 1 and sum(groups[-2]) / len(groups[-2]) > sum(groups[-1]) / len(
            groups[-1]
        ):
            groups[-2:] = [groups[-2] + groups[-1]]
    means = [sum(group) / len(group) for group in groups for _ in group]
    return [mean + k * least for k, mean in enumerate(means)]


def height_at(points: Sequence[tuple[float, float]], x: float) -> float:
    """The height of a line through two points or more at an x."""
    (x0, y0), (x1, y1) = next(
        (two for two in pairwise(points) if two[0][0] <= x <= two[1][0]), points[-2:]
    )
    return y0 + (y1 - y0) * (x - x0) / ((x1 - x0) or 1.0)
