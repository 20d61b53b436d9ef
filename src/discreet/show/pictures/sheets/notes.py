"""Words at a point of a picture: beside a dot that marks it, or with a thin line that leads
there.
"""

from __future__ import annotations

from discreet.show.colours import INK, legible
from discreet.show.pictures.sheets.sheet_parts import Note, Words
from discreet.show.pictures.sheets.strokes import written
from discreet.show.pictures.svg import across

_LEADER = "#777777"
_HALO = '<text paint-order="stroke" stroke="#fefefe" stroke-width="4" stroke-linejoin="round" '
"""A rim of the ground around words that lines may pass; pure white in words would be black on a
dark page.
"""
Place = tuple[float, float]


def said(words: Words, place: Place, letters: float) -> list[str]:
    """Words at a point, in lines, with the dot that marks the point where they stand beside it."""
    (x, y), lean = place, {"start": 4.0, "end": -4.0}.get(words.at, 0.0) * bool(words.side)
    lines = words.words.split("\n")
    high = (letters + 3) * (len(lines) - 1)
    first = y + letters * 0.35 - high / 2 - words.side * (high / 2 + letters * 0.5 + 8)
    dot = [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{words.ink}"/>'] if words.side else []
    places = [(x + lean, first + k * (letters + 3), line) for k, line in enumerate(lines)]
    told = written(places, letters, bold=bool(words.side), at=words.at, ink=legible(words.ink))
    return [*dot, told.replace("<text ", _HALO)]


def noted(note: Note, place: Place, point: Place, letters: float) -> list[str]:
    """A sentence in lines around a place, and a thin line from its edge to the ring around a
    point.
    """
    (x, y), (to_x, to_y) = place, point
    lines = note.words.split("\n")
    high = (letters + 3) * len(lines)
    wide = max(across(line, letters) for line in lines) * _NARROWER
    middle = x + {"start": wide / 2, "end": -wide / 2}.get(note.at, 0.0)
    top = y - high / 2
    if (
        top - _CLEAR < to_y < top + high + _CLEAR
    ):  # level with the words: the line begins beside them
        start = (middle + (wide / 2 + 5) * (1 if to_x > middle else -1), y)
    else:
        within = min(max(to_x, middle - wide / 2), middle + wide / 2)
        start = (within, top - 3 if to_y < top else top + high + 2)
    far = max(1.0, ((to_x - start[0]) ** 2 + (to_y - start[1]) ** 2) ** 0.5)
    end = tuple(to + (one - to) * 5.5 / far for one, to in zip(start, point, strict=True))
    told = written(
        [(x, top + letters + k * (letters + 3), one) for k, one in enumerate(lines)],
        letters,
        at=note.at,
    )
    return [
        f'<path d="M{start[0]:.1f} {start[1]:.1f}L{end[0]:.1f} {end[1]:.1f}" stroke="{_LEADER}"/>',
        f'<circle cx="{to_x:.1f}" cy="{to_y:.1f}" r="4.5" fill="#ffffff" stroke="{INK}" '
        'stroke-width="1.5"/>',
        told.replace("<text ", _HALO),
    ]


_CLEAR, _NARROWER = 4.0, 0.86
"""Pixels that a line keeps from words, and how much narrower the letters of pictures are than
DejaVu's.
"""
