"""Which tables of several levels are not to be read alone: those of levels with little of epsilon.

A level is published as a table of its own numbers, and estimated from all levels together. With a
very small share the first is far worse than the second, and whoever opens the file must be told.
Shares that are chosen come to that where levels cannot pay (`level_shares.least_part`); shares and
importances given by hand can.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.core.rationals import in_decimals
from discreet.tables.histogram_lines import histogram_lines
from discreet.tables.plan_lines import Line, plan_lines

if TYPE_CHECKING:
    from discreet.tables.plan_levels import PlannedLevel
    from discreet.tables.published.result import Release

_MUCH_WORSE = 3
"""How many times the error of its estimates a table's own error may be before that is said."""


def planned_alone(levels: tuple[PlannedLevel, ...]) -> Iterator[str]:
    """A sentence on the levels whose own tables will be much worse than their estimates."""
    found = []
    for level in levels[1:]:
        for known in level.errors[:1]:
            lines = [line for line in level.lines if line.count == known.count]
            if _error(lines) > _MUCH_WORSE * known.standard_error:
                named = level.name.replace(",", ", ")
                found.append(
                    f"{named} (share {in_decimals(level.share)}, off by about ±{_margin(lines):,})"
                )
    if found:
        tables = (
            "Not to be read alone, the table of"
            if len(found) == 1
            else "Not to be read alone, the tables of"
        )
        yield f"{tables} {'; '.join(found)}. Read the estimates, which fit all levels."


def released_alone(release: Release) -> Iterator[str]:
    """A line for each table of a release that is much worse than sums of a finer one."""
    levels = release.manifest.levels
    lines = [_lines(release, place) for place in range(len(levels))]
    for place, level in enumerate(levels):
        # over all groups: the sum of squares of a level's own errors, and of each finer level's
        own, finer = (
            _squares(lines[place]),
            [
                _squares(lines[other])
                for other in range(place)
                if set(level.keys) <= set(levels[other].keys)
            ],
        )
        # an estimate from both has at most the square own * finer / (own + finer)
        if finer and own + min(finer) > _MUCH_WORSE**2 * min(finer):
            yield (
                f"{level.table or 'the table of ' + (', '.join(level.keys) or 'the total')}: "
                f"share {in_decimals(Fraction(level.share))}, its own numbers are off by about "
                f"±{_margin(lines[place]):,}: read the estimates, which fit all levels"
            )


def _lines(release: Release, place: int) -> list[Line]:
    """What one level's first count was drawn from."""
    level = release.manifest.levels[place]
    facts, sizes = level.counts[0], {int(n): groups for n, groups in level.groups_by_size.items()}
    make = histogram_lines if facts.answers else plan_lines
    return make(facts.name, sizes, release.mechanisms.level(place).by_size(facts.name))


def _margin(lines: Iterable[Line]) -> int:
    return max((line.margin for line in lines), default=0)


def _squares(lines: Iterable[Line]) -> float:
    return sum(line.groups * line.rmse**2 for line in lines)


def _error(lines: list[Line]) -> float:
    """The root mean square, over a level's groups, of how far off its own numbers are."""
    groups = sum(line.groups for line in lines if line.largest)
    return float((_squares(lines) / max(groups, 1)) ** 0.5)
