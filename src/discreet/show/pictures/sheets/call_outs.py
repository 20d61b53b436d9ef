"""Words inside a panel that need room: names that find none at their line, notes at a point, and what a tint means.

Each stands where no line is. A short rule leads from it to the place that it speaks of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from discreet.show.colours import legible
from discreet.show.pictures.sheets.sheet_parts import Panel
from discreet.show.pictures.sheets.strokes import written
from discreet.show.pictures.svg import across, folded

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""
_RULE, _SOFT = "#666666", "#4d4d4d"
_STEP = 4.0
"""Pixels between two places that are tried."""
_CROSSED = 45.0
"""Pixels of way that a rule across another line counts for."""
_SEEN = 2.0
"""Pixels from all others that a line must be somewhere to have a name of its own."""
_FAR, _TRIED = 16.0, 150
"""Pixels from which on another line is far, and how many places are tried for that."""
_NEAR = 5.0
"""Pixels between words and any line."""


class Room(NamedTuple):
    """A panel as it is drawn: its sides, its lines in pixels, and what has words already."""

    sides: Box
    lines: Sequence[Sequence[Point]]
    taken: list[Box]
    letters: float

    def places(self, wide: float, high: float, within: Box | None = None) -> Iterator[Box]:
        """Boxes of this size that no line crosses and that touch no words."""
        left, top, right, foot = within or self.sides
        steps = [dot for line in self.lines for dot in _dotted(line)]
        y = top + 2
        while y + high <= foot - 2:
            level = [x for x, at in steps if y - _NEAR < at < y + high + _NEAR]
            x = left + 3
            while x + wide <= right - 2:
                box = (x, y, x + wide, y + high)
                clear = not any(x - _NEAR < at < x + wide + _NEAR for at in level)
                if clear and not any(_touch(box, other) for other in self.taken):
                    yield box
                x += _STEP
            y += _STEP

    def led_to(self, words: str, point: Point, *, bold: bool, ink: str, own: int | None = None) -> list[str]:
        """Words as near to a point as there is room, and a rule to it; nothing where there is none."""
        size = self.letters - (0 if bold else 1)
        most = max(90.0, (self.sides[2] - self.sides[0]) * 0.55)
        lines = folded(words, size, most, bold=bold)
        wide, high = max(across(line, size, bold=bold) for line in lines), len(lines) * (size + 2)
        others = [line for k, line in enumerate(self.lines) if k != own]

        def costs(box: Box) -> float:
            start = _side(box, point)
            crossed = sum(_crosses(start, _short(start, point), line) for line in others)
            way = hypot(start[0] - point[0], start[1] - point[1])
            return way + _CROSSED * crossed + (30 if way < 8 and own is None else 0)

        dots = [dot for line in others for dot in _dotted(line)]

        def mistaken(box: Box) -> float:
            """How easily words are read as the name of another line: by how near one is."""
            near = min((hypot(*_gaps(box, dot)) for dot in dots), default=_FAR)
            return costs(box) + (3 * max(0.0, _FAR - near) if bold else 0.0)

        box = min(sorted(self.places(wide, high), key=costs)[:_TRIED], key=mistaken, default=None)
        if box is None:
            return []
        self.taken.append(box)
        start = _side(box, point)
        rule = f"M{start[0]:.1f} {start[1]:.1f}L{point[0]:.1f} {point[1]:.1f}"
        parts = [f'<path d="{rule}" fill="none" stroke="{_RULE}" stroke-width="1"/>']
        parts.append(f'<circle cx="{point[0]:.1f}" cy="{point[1]:.1f}" r="2.4" fill="{_RULE}"/>')
        # words end where their rule begins
        at, x = ("end", box[2]) if start[0] >= box[2] else ("start", box[0])
        if start[0] not in (box[0], box[2]):
            at, x = "middle", (box[0] + box[2]) / 2
        places = [(x, box[1] + (k + 1) * (size + 2) - 3.5, line) for k, line in enumerate(lines)]
        return [*parts, written(places, size, bold=bold, at=at, ink=ink)]


def called_out(
    panel: Panel, sides: Box, lines: Sequence[Sequence[Point]], points: Sequence[Point], level: float | None,
    taken: Sequence[Box], unnamed: Sequence[int], letters: float,
) -> list[str]:  # fmt: skip
    """What a panel says besides the names that stand at their lines; `points` are those of its notes, in pixels."""
    across_it = [[(sides[0], level), (sides[2], level)]] if level is not None else []
    room = Room(sides, [*lines, *across_it], list(taken), letters)
    parts = []
    for note, point in zip(panel.notes, points, strict=True):
        parts += room.led_to(note.words, point, bold=False, ink=_SOFT)
    for k in unnamed:
        seen = _clearest(room.lines, k)
        below = [j for j in unnamed if j < k and _covers(room.lines[k], room.lines[j])]
        if below and not seen:  # lines that are one have one name, of the one on top
            seen = _clearest([line for j, line in enumerate(room.lines) if j not in below], k - len(below))
        words = ", ".join(name.words for j in (*below, k) if (name := panel.lines[j].name))
        if seen and words:
            parts += room.led_to(words, seen, bold=True, ink=legible(panel.lines[k].look.colour), own=k)
    if panel.ground and level is not None:
        parts += _on_ground(panel.ground, room, (sides[0], level, sides[2], sides[3]))
    return parts


def _on_ground(words: str, room: Room, tint: Box) -> list[str]:
    """What the tint of a panel means, in it: in one line or in two, as far down and to the left as there is room."""
    size = room.letters - 1.5
    whole = across(words, size)
    for wide in (whole + 1, whole * 0.62, whole * 0.45):
        lines = folded(words, size, wide)
        shape = max(across(line, size) for line in lines), len(lines) * (size + 2)
        box = max(room.places(*shape, tint), key=lambda one: one[3] * 2 - one[0], default=None)
        if box:
            room.taken.append(box)
            places = [(box[0], box[1] + (k + 1) * (size + 2) - 3.5, line) for k, line in enumerate(lines)]
            return [written(places, size, ink="#3d6b47")]
    return []


def _dotted(line: Sequence[Point]) -> Iterator[Point]:
    """Points along a line, none farther than two pixels from the next."""
    for (x0, y0), (x1, y1) in pairwise([line[0], *line]):
        steps = max(1, round(hypot(x1 - x0, y1 - y0) / 2))
        yield from ((x0 + (x1 - x0) * k / steps, y0 + (y1 - y0) * k / steps) for k in range(steps + 1))


def _touch(one: Box, other: Box) -> bool:
    return one[0] < other[2] + 4 and other[0] < one[2] + 4 and one[1] < other[3] + 2 and other[1] < one[3] + 2


def _side(box: Box, point: Point) -> Point:
    """Where the rule of a box begins: beside its words, or below or above their middle."""
    left, top, right, foot = box
    x, y = point
    if x > right or x < left:
        return (right + 3, (top + foot) / 2) if x > right else (left - 3, (top + foot) / 2)
    return ((left + right) / 2, foot + 1) if y > foot else ((left + right) / 2, top - 1)


def _short(start: Point, point: Point) -> Point:
    """The end of a rule, three pixels before the line that it leads to."""
    way = hypot(point[0] - start[0], point[1] - start[1]) or 1.0
    part = max(0.0, 1 - 3 / way)
    return start[0] + (point[0] - start[0]) * part, start[1] + (point[1] - start[1]) * part


def _crosses(a: Point, b: Point, line: Sequence[Point]) -> bool:
    def turn(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return any(turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0 for c, d in pairwise(line))


def _gaps(box: Box, dot: Point) -> Point:
    """How far a dot is beside a box, and above or below it."""
    return max(box[0] - dot[0], dot[0] - box[2], 0.0), max(box[1] - dot[1], dot[1] - box[3], 0.0)


def _covers(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Whether no point of the other line is seen beside the one."""
    dots = list(_dotted(one))
    return all(min(hypot(x - a, y - b) for a, b in dots) < _SEEN for x, y in _dotted(other))


def _clearest(lines: Sequence[Sequence[Point]], own: int) -> Point | None:
    """The point of a line that is farthest from all other lines; nothing where it lies on others all the way."""
    others = [dot for k, line in enumerate(lines) if k != own for dot in _dotted(line)]
    dots = list(_dotted(lines[own]))[::4]

    def far(dot: Point) -> float:
        return min((hypot(dot[0] - x, dot[1] - y) for x, y in others), default=99.0)

    middle = (dots[0][0] + dots[-1][0]) / 2
    best = max(dots, key=lambda dot: (min(far(dot), _FAR), -abs(dot[0] - middle)))
    return best if far(best) >= _SEEN else None
