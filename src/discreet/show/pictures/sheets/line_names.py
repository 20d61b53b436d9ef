"""The names of lines in a panel: where their maker puts them, at their ends, or where there is room for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from discreet.show.colours import legible
from discreet.show.pictures.sheets.call_outs import called_out
from discreet.show.pictures.sheets.sheet_parts import Line, Panel
from discreet.show.pictures.sheets.strokes import written
from discreet.show.pictures.svg import across

_INSIDE = 7.0
"""Pixels from the first and the last point to the sides of a panel."""


def placing(
    panel: Panel, corner: tuple[float, float], size: tuple[float, float]
) -> Callable[[float, float], tuple[float, float]]:
    """Where a point of a panel is in the picture."""
    (left, top), (wide, high) = corner, size

    def at(x: float, y: float) -> tuple[float, float]:
        return left + _INSIDE + (wide - 2 * _INSIDE) * panel.x.place(x), top + high * (1 - panel.y.place(y))

    return at


def names_beside(panel: Panel, corner: tuple[float, float], size: tuple[float, float], letters: float) -> list[str]:
    """The names of lines: beside them, or right of the panel at their ends, none nearer to the next than a line."""
    at, parts, ended = placing(panel, corner, size), [], []
    clear = list(places_clear(panel, corner, size, letters))
    for line, x, y in clear:
        parts.append(written([(x, y, _words(line))], letters, bold=True, at="middle", ink=legible(line.look.colour)))
    taken = [
        (
            x - across(_words(line), letters, bold=True) / 2,
            y - letters,
            x + across(_words(line), letters, bold=True) / 2,
            y + 3,
        )
        for line, x, y in clear
    ]
    named = {id(line) for line, *_ in clear}
    unnamed = (
        []
        if panel.remark
        else [k for k, line in enumerate(panel.lines) if line.name and line.name.free and id(line) not in named]
    )
    parts += called_out(
        panel,
        (*corner, corner[0] + size[0], corner[1] + size[1]),
        [[at(*point) for point in line.points] for line in panel.lines],
        [at(note.x, note.y) for note in panel.notes],
        at(panel.x.low, panel.across[0])[1] if panel.across else None,
        taken,
        unnamed,
        letters,
    )
    for line in panel.lines:
        if line.name and line.name.free:
            continue
        if line.name and line.name.x is None:
            ended.append((at(*line.points[-1])[1], line))
        elif line.name and line.name.x is not None:
            x, y = at(line.name.x, height_at([line.points[0], *line.points], line.name.x))
            y += letters * 0.35 - line.name.side * letters * 0.85
            parts.append(
                written([(x, y, line.name.words)], letters, bold=True, at=line.name.at, ink=legible(line.look.colour))
            )
    lowest = 0.0
    for y, line in sorted(ended, key=lambda one: one[0]):
        lowest = max(y + letters * 0.35, lowest + letters + 2)
        place = (corner[0] + size[0] + 2, lowest, _words(line))
        parts.append(written([place], letters, bold=True, ink=legible(line.look.colour)))
    return [part.replace("<text ", '<text paint-order="stroke" stroke="#ffffff" stroke-width="3" ') for part in parts]


def places_clear(
    panel: Panel, corner: tuple[float, float], size: tuple[float, float], letters: float
) -> Iterator[tuple[Line, float, float]]:
    """Where free names can stand, each near to its own line and clear of the others: middle and foot of the words."""
    at = placing(panel, corner, size)
    if panel.remark:  # which says that the lines cannot be told apart
        return
    level = [[at(panel.x.low, panel.across[0]), at(panel.x.high, panel.across[0])]] if panel.across else []
    drawn = [[at(*point) for point in line.points] for line in panel.lines]
    taken: list[tuple[float, float, float, float]] = []
    for k, line in enumerate(panel.lines):
        if not (line.name and line.name.free):
            continue
        others = [*drawn[:k], *drawn[k + 1 :], *level]
        half = across(_words(line), letters, bold=True) / 2 + 2
        best = max(_tried(drawn[k], others, half, letters, corner, size, taken), default=None)
        if best is not None and best[0] > 0:
            _, x, foot = best
            taken.append((x - half, foot - letters, x + half, foot + 3))
            yield line, x, foot


def _tried(
    own: Sequence[tuple[float, float]], others: Sequence[Sequence[tuple[float, float]]], half: float, letters: float,
    corner: tuple[float, float], size: tuple[float, float], taken: Sequence[tuple[float, float, float, float]],
) -> Iterator[tuple[float, float, float]]:  # fmt: skip
    """Places above and below a line, each with how much farther other lines are than its own: (room, middle, foot)."""
    (left, top), (wide, high) = corner, size
    for k in range(61):
        x = left + half + (wide - 2 * half) * k / 60
        if not (left <= x - half and x + half <= left + wide and own[0][0] <= x <= own[-1][0]):
            continue
        spread = [x + half * part / 6 for part in range(-6, 7)]
        mine = [height_at(own, place) for place in spread if own[0][0] <= place <= own[-1][0]]
        for foot in (min(mine) - _APART, max(mine) + _APART + _TALL * letters):
            head = foot - _TALL * letters
            box = (x - half, head, x + half, foot)
            inside = top + 2 <= head and foot <= top + high - 3
            if not inside or any(a < box[2] and box[0] < c and b < foot and head < d for a, b, c, d in taken):
                continue
            near = min(_gap(height_at(own, place), head, foot) for place in spread)
            far = [_gap(height_at(line, place), head, foot) for line in others for place in spread]
            steep = max(mine) - min(mine)
            yield min(min(far, default=_FAR), _FAR) - near - _CLEAR - 0.2 * steep, x, foot


_TALL, _APART, _CLEAR, _FAR = 0.78, 4.0, 2.0, 30.0
"""How tall capitals are, as a share of their size; pixels from words to their line; how much farther others must be,
and from where on farther is no better."""


def _gap(y: float, head: float, foot: float) -> float:
    """How far a height is from words between two others."""
    return max(head - y, y - foot, 0.0)


def _words(line: Line) -> str:
    return line.name.words if line.name else ""


def height_at(points: Sequence[tuple[float, float]], x: float) -> float:
    """The height of a line through two points or more at an x."""
    (x0, y0), (x1, y1) = next((two for two in pairwise(points) if two[0][0] <= x <= two[1][0]), points[-2:])
    return y0 + (y1 - y0) * (x - x0) / ((x1 - x0) or 1.0)
