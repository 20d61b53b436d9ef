"""The levels above the groups of a table as a person types them: "10", "10 regions", "schools
18, districts 3".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.errors import InvalidInput
from discreet.studio.own.asked_questions import GROUP, PERSON, REGION
from discreet.studio.own.pasted_rows import Rows
from discreet.studio.telling.wording import listed

if TYPE_CHECKING:
    from discreet.tables.plan_levels import PlannedLevel

Levels = tuple[tuple[str, int], ...]
"""The name of each level and how many of it there are, the finest first."""

MOST_LEVELS = 4
_NAMED = re.compile(
    r"(?:(?P<many>[0-9]{1,9})(?:\s+(?P<after>[^\W\d][\w ]*))?|(?P<before>[^\W\d][\w "
    r"]*?):?\s+(?P<last>[0-9]{1,9}))"
)
_REMEDY = 'write "10 regions", or "18 schools, 3 districts"'


def read_levels(text: str, groups: int, rows: Rows | None = None) -> Levels:
    """Return the levels; one that is a number alone is of regions, and one of a single member is
    the total.

    Where the rows that were pasted have columns above the groups, the levels are those.

    >>> read_levels("10", 120), read_levels("districts 3, schools 18", 120), read_levels("", 120)
    ((('region', 10),), (('school', 18), ('district', 3)), ())
    """
    entries = [entry.strip() for entry in re.split(r"[,;\n]+|\band\b", text) if entry.strip()]
    if entries and rows and rows.levels:
        return _of_rows(entries, rows.levels)
    found = [_read(entry) for entry in entries]
    if len(found) > MOST_LEVELS:
        raise InvalidInput("regions", f"must be at most {MOST_LEVELS} on this page", len(found))
    names = [name for name, _ in found]
    for name in names:
        if names.count(name) > 1 or name in (GROUP, PERSON, "total"):
            raise InvalidInput("regions", "must have names of their own", name, remedy=_REMEDY)
    for _, many in found:
        if many > groups:
            raise InvalidInput("regions", "must be at most as many as there are groups", many)
    return tuple(
        sorted(((name, many) for name, many in found if many > 1), key=lambda level: -level[1])
    )


def _of_rows(entries: Sequence[str], levels: Levels) -> Levels:
    """The levels of the rows, all of which are published where one is; what was typed may say
    how many there are.
    """
    typed = {one_of(re.sub(r"[0-9:]+", " ", entry)) for entry in entries}
    if typed != {one_of(name) for name, _ in levels}:
        names = ", ".join(name for name, _ in levels)
        rule = "must be the columns of your rows that stand above the groups"
        raise InvalidInput(
            "regions", rule, ", ".join(entries)[:40], remedy=f'write "{names}", or leave it empty'
        )
    return levels


def _read(entry: str) -> tuple[str, int]:
    match = _NAMED.fullmatch(entry)
    if match is None:
        rule = "must be names with how many there are of each"
        raise InvalidInput("regions", rule, entry[:40], remedy=_REMEDY)
    many = int(match["many"] or match["last"])
    if many < 1:
        raise InvalidInput("regions", "must be at least 1 of each", many)
    return one_of(match["after"] or match["before"] or REGION), many


def one_of(name: str) -> str:
    """The name of one of them, which a column has.

    >>> [one_of(name) for name in ("schools", "Counties", "branches", "campus", "region")]
    ['school', 'county', 'branch', 'campus', 'region']
    """
    name = " ".join(name.lower().split())
    for ending, instead in (
        ("ies", "y"),
        ("ches", "ch"),
        ("sses", "ss"),
        ("ss", "ss"),
        ("us", "us"),
        ("is", "is"),
    ):
        if name.endswith(ending) and len(name) > len(ending) + 1:
            return name.removesuffix(ending) + instead
    return name.removesuffix("s") if len(name) > 3 else name


def keys_of(levels: Levels, own: Sequence[str] = (GROUP,)) -> list[str]:
    """The columns of a release, the coarsest first; `own` are those that the groups have anyway."""
    return [*(name for name, _ in reversed(levels) if name not in own), *own]


def placed(levels: Levels, groups: int) -> dict[str, list[int]]:
    """Where groups stand in the stand-in table: they are dealt out in turn, and so is each level to
    the next.

    >>> placed((("school", 4), ("district", 3)), 8)
    {'school': [0, 1, 2, 3, 0, 1, 2, 3], 'district': [0, 1, 2, 0, 0, 1, 2, 0]}
    """
    found, place = {}, list(range(groups))
    for name, many in levels:
        found[name] = place = [one % many for one in place]
    return found


def split_of(share: Fraction, levels: Levels) -> tuple[tuple[str, str], ...]:
    """The shares of the levels, where groups have `share`: of the rest, the total gets a quarter.

    >>> split_of(Fraction(4, 5), (("school", 18), ("district", 3)))
    (('district,school', '0.075'), ('district', '0.075'), ('total', '0.05'))
    """
    rest, keys = 1 - share, keys_of(levels)[:-1]
    each = f"{float(rest * 3 / 4 / len(levels)):g}"
    return (
        *((",".join(keys[: len(keys) - k]), each) for k in range(len(keys))),
        ("total", f"{float(rest / 4):g}"),
    )


def each_of(name: str) -> str:
    """One of a level, to be spoken of: a column that has no name of its own is named by its place.

    >>> each_of("school"), each_of("first column")
    ('each school', 'each name in the first column')
    """
    return f"each name in the {name}" if name.endswith(" column") else f"each {name}"


def level_titles(levels: Levels) -> str:
    """What is published beside the groups, to begin a sentence with.

    >>> level_titles((("region", 4),)), level_titles((("school", 18), ("district", 3)))
    ('Regions and the total', 'Each school, each district and the total')
    """
    if _regions(levels):
        return "Regions and the total"
    said = listed([*(each_of(name) for name, _ in levels), "the total"], "and")
    return said[:1].upper() + said[1:]


def without(levels: Sequence[tuple[str, int]]) -> str:
    """What a table is called in which only the groups are published."""
    return "without regions" if _regions(levels) else "without other levels"


def dealt(levels: Levels, keys: Sequence[str] = ()) -> str:
    """How the stand-in table was made, unless its levels are columns of the rows that were
    pasted.
    """
    if all(name in keys for name, _ in levels):
        return ""
    to = (
        "to the regions in turn"
        if _regions(levels)
        else "in turn, and so is each level to the next"
    )
    return f"For this plan, groups are dealt out {to}."


def bring_nothing(planned: Sequence[PlannedLevel]) -> bool:
    """Whether no level of a plan has a better estimate than the sums of groups that had all of
    epsilon.
    """
    known = [errors for level in planned for errors in level.errors if errors.alone is not None]
    return bool(known) and all(
        errors.alone <= errors.standard_error for errors in known if errors.alone is not None
    )


def _regions(levels: Sequence[tuple[str, int]]) -> bool:
    return [name for name, _ in levels] == [REGION]
