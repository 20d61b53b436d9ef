"""What a plan says of each group size, as bars: how much of a group is usually wrong, and at most.

A bar is as long as the group. Its full part is what a number is usually off by, its pale part what
it is off by at most with 95% confidence. A bar whose pale part reaches the dotted line, at half of
the group, is called very rough, and one that reaches the dashed line, at three quarters, too noisy
(`Line.very_rough`, `Line.too_noisy`), as in a plan. All have one colour: what draws a size is said
in words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from discreet.show.colours import INK, TABLE
from discreet.studio.own.plan_words import (
    CELLS,
    JOINT,
    almost_never_off,
    blocks,
    grade_words,
    people,
)

if TYPE_CHECKING:
    from discreet.tables.plan_lines import Line

_LIMITS = {50: "1.5 3", 75: "4 3"}
"""Where numbers are very rough and where too noisy, in percent of the group, with the dashes of
the line there.
"""
_TRACK = 'fill="#5b7085" fill-opacity="0.13"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One row of the picture: of which groups, what is said of them, and the bar itself."""

    who: str
    says: str
    grade: str
    """The word that a plan has for it."""
    kind: str
    """How it is set: noisy, rough or near."""
    picture: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Bars of one measure, and what they measure."""

    caption: str
    bars: tuple[Bar, ...]


def size_charts(lines: Sequence[Line], without: Mapping[int, float]) -> list[Chart]:
    """Draw every row of a question's tables, what is measured differently in charts of their own.

    `without` has the usual errors that sizes have without coarser levels.
    """
    found = blocks(lines)
    return [
        Chart(
            caption=_caption(block.lines, alone=len(found) == 1),
            bars=tuple(_bar(line, without.get(line.largest)) for line in block.lines),
        )
        for block in found
    ]


def table_colour() -> str:
    """Return the colour of what a plan draws, for its legends."""
    return TABLE


def why_it_jumps(lines: Sequence[Line]) -> str:
    """Say why a larger group may get the worse word: nothing where none does, among the rows
    that are shown.
    """
    from discreet.tables.plan_lines import GRADES

    for block in blocks(lines):
        places = [GRADES.index(line.grade) for line in block.lines]
        if places != sorted(places, reverse=True):
            return (
                "Margins are whole numbers, so they grow in steps: of two sizes that lie close, "
                "the larger may get the worse word."
            )
    return ""


def _caption(lines: Sequence[Line], *, alone: bool) -> str:
    """Say what is measured, and of which groups where there are others."""
    name = lines[0].name
    if name == JOINT:
        measure, drawn = (
            "how many people may stand under a wrong answer",
            "Small groups, all answers in one draw",
        )
    elif name.endswith(CELLS):
        measure, drawn = (
            "how far each number may be off",
            "Larger groups, each answer drawn by itself",
        )
    else:
        measure, drawn = "how far a group's number may be off", ""
    return measure.capitalize() if alone else f"{drawn}: {measure}"


def _bar(line: Line, plain: float | None) -> Bar:
    n = line.largest
    most = f"maybe all {n}" if line.margin >= n else f"at most {line.margin}"
    off = "misplaced" if line.name == JOINT else "off by"
    says = f"{off} {line.rmse:.{1 if line.rmse >= 0.95 else 2}f}, {most}"
    return Bar(
        who=f"{line.groups:,} group{'' if line.groups == 1 else 's'} of {people(line)}",
        says=f"almost never {off.removesuffix(' by')}" if almost_never_off(line) else says,
        grade=grade_words(line),
        kind="noisy" if line.too_noisy else "rough" if line.very_rough else "near",
        picture=_drawn(line, plain),
    )


def _drawn(line: Line, plain: float | None) -> str:
    usual, most = (min(100.0, 100 * value / line.largest) for value in (line.rmse, line.margin))
    parts = [
        f'<rect width="100" height="16" {_TRACK}/>',
        f'<rect width="{most:.1f}" height="16" fill="{TABLE}" fill-opacity="0.35"/>',
        f'<rect width="{usual:.1f}" height="16" fill="{TABLE}"/>',
    ]
    if plain is not None:
        parts.append(_mark(min(100.0, 100 * plain / line.largest), 'stroke-width="3"'))
    parts += [
        _mark(place, f'stroke-width="1.5" stroke-dasharray="{dashes}"')
        for place, dashes in _LIMITS.items()
    ]
    inside = "".join(parts)
    return f'<svg viewBox="0 0 100 16" preserveAspectRatio="none" aria-hidden="true">{inside}</svg>'


def _mark(place: float, look: str) -> str:
    return (
        f'<line x1="{place:.1f}" x2="{place:.1f}" y1="0" y2="16" stroke="{INK}" {look} '
        'vector-effect="non-scaling-stroke"/>'
    )
