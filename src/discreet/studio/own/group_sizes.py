"""Group sizes as a person types or pastes them: "80 of 8, 40 of 9", "48 classes of 18 to 28", or
one after another.

Rows of a spreadsheet are read too (`pasted_rows`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from discreet.errors import InvalidInput
from discreet.studio.own.pasted_rows import Rows, read_rows

LARGEST_GROUP = 100_000
MOST_GROUPS = 1_000_000
MOST_SIZES = 400
"""What a plan takes time for: every size has a mechanism of its own."""
_DIGITS, _SHOWN = 7, 20
"""Of a number that is worked with, and of one that is repeated in an error."""
_MANY = re.compile(
    r"(?<![\w.-])(?P<many>\d+)\s*(?:(?:[^\W\d_]+\s+)?of|x|×|\*)\s*"
    r"(?:between\s+(?P<least>\d+)\s+and\s+(?P<most>\d+)|(?P<low>\d+)(?:\s*(?:-|–|—|to)\s*(?P<high>\d+))?)"
    r"(?![\w.])(?:[ \t]+(?!and\b|of\b)[^\W\d_]+)?",
    re.IGNORECASE,
)
"""So many groups of so many people, or of a range; what the groups and the people are may be
said.
"""

_FILLERS = {"and", "people", "persons", "each", "&", "+"}
_REMEDY = (
    'write "80 of 8, 40 of 9" or "48 of 18 to 28", or paste a row for each group with '
    "its number of people last"
)
_SOMEBODY = "must be groups of at least one person"
_NO_LIMIT = "`discreet plan` has no such limit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Groups:
    """What was typed or pasted: how many groups there are of each size, the rows, and what was
    made of ranges.
    """

    sizes: dict[int, int]
    rows: Rows | None = None
    spread: tuple[str, ...] = ()
    """Ranges of sizes over which groups were spread: "48 groups over the sizes from 18 to 28"."""


def read_groups(text: str) -> Groups:
    """Return how many groups there are of each size, the smallest first, and where that comes from.

    >>> (
    ...     read_groups("80 of 8, 40 of 9").sizes,
    ...     read_groups("60 classes of 10 and 2 x 7 people").sizes,
    ... )
    ({8: 80, 9: 40}, {7: 2, 10: 60})
    >>> read_groups("5 groups of 18 to 20 pupils")
    Groups(sizes={18: 2, 19: 1, 20: 2}, rows=None, spread=('5 groups over the sizes from 18 to
    20',))
    >>> read_groups("class,n\\n1a,18\\n1b,27").sizes
    {18: 1, 27: 1}
    """
    found: dict[int, int] = {}
    spread: list[str] = []

    def several(match: re.Match[str]) -> str:
        low, high = match["least"] or match["low"], match["most"] or match["high"]
        if high is None:
            return _add(found, low, match["many"])
        spread.append(_spread(found, match["many"], low, high))
        return " "

    rows = read_rows(text)
    if rows is None:
        _check_no_grid(text)
    for names, size in rows.groups if rows else ():
        _add(found, size, "1")
        if 0 in found:
            place = _line_of(text, (*names, size))
            raise _refused(_SOMEBODY, text, place, text.splitlines()[place - 1])
    for place, line in [] if rows else enumerate(text.splitlines(), 1):
        for entry in re.split(r"[,;]+", line):
            for word in _MANY.sub(several, entry).split():
                if word.lower() in _FILLERS:
                    continue
                if not re.fullmatch(r"[0-9]+", word):
                    raise _refused("must be numbers of people", text, place, entry)
                _add(found, word, "1")
        if 0 in found:
            raise _refused(_SOMEBODY, text, place, line)
    groups = sum(found.values())
    if not groups:
        raise InvalidInput("sizes", _SOMEBODY, remedy=_REMEDY)
    if max(found) > LARGEST_GROUP:
        raise InvalidInput(
            "sizes",
            f"must be at most {LARGEST_GROUP:,} people on this page",
            f"{max(found):,}",
            remedy=_NO_LIMIT,
        )
    if len(found) > MOST_SIZES:
        raise InvalidInput(
            "sizes",
            f"must be at most {MOST_SIZES} different ones on this page",
            len(found),
            remedy=_NO_LIMIT,
        )
    if groups > MOST_GROUPS:
        raise _too_many(f"{groups:,}")
    return Groups(sizes=dict(sorted(found.items())), rows=rows, spread=tuple(spread))


def _check_no_grid(text: str) -> None:
    """Refuse several columns of nothing but numbers: one of them may be the counts that are to
    be protected.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    several = next(
        (place for place, line in enumerate(lines, 1) if re.search(r"\d[\s,;]+\d", line.strip())), 0
    )
    if len(lines) > 1 and several and not _MANY.search(text):
        rule, remedy = (
            "must be one column of numbers",
            "write the sizes alone, all on one line or one on each",
        )
        raise InvalidInput("sizes", rule, found=f"line {several} has several", remedy=remedy)


def _line_of(text: str, cells: Sequence[str]) -> int:
    """Return the number of the line that has these cells, in any order; the last where none does,
    as of quoted ones.

    >>> _line_of("class,n\\n1a,18\\n\\n1b,0", ("1b", "0"))
    4
    """
    lines = text.splitlines()
    split = ([" ".join(cell.split()) for cell in re.split(r"[,;\t]", line)] for line in lines)
    return next(
        (place for place, found in enumerate(split, 1) if sorted(found) == sorted(cells)),
        len(lines),
    )


def _refused(rule: str, text: str, place: int, found: str) -> InvalidInput:
    """Refuse what is typed, by the line that it stands on where there are several. Sizes are
    public, so it is shown.
    """
    said = " ".join(found.split())[:40]
    where = f"{said} (line {place})" if len(text.splitlines()) > 1 else said
    remedy = "leave groups of nobody out" if rule == _SOMEBODY else _REMEDY
    return InvalidInput("sizes", rule, where, remedy=remedy)


def read_sizes(text: str) -> dict[int, int]:
    """Return how many groups there are of each size, the smallest first."""
    return read_groups(text).sizes


def _spread(found: dict[int, int], many: str, low: str, high: str) -> str:
    """Add groups of sizes that lie evenly in a range: some of each, or of few groups from its
    one end to the other.
    """
    for number in (many, low, high):
        _check_digits(number)
    first, last, groups = int(low), int(high), int(many)
    if first > last:
        raise InvalidInput(
            "sizes", "must be ranges from the smaller to the larger", f"{first} to {last}"
        )
    if groups > MOST_GROUPS:
        raise _too_many(f"{groups:,}")
    few = 1 < groups < last - first + 1
    for k in range(groups):
        size = first + (
            (2 * k * (last - first) + groups - 1) // (2 * (groups - 1))
            if few
            else (2 * k + 1) * (last - first + 1) // (2 * groups)
        )
        found[size] = found.get(size, 0) + 1
    return f"{groups:,} group{'' if groups == 1 else 's'} over the sizes from {first} to {last}"


def _add(found: dict[int, int], size: str, many: str) -> str:
    for number in (size, many):
        _check_digits(number)
    found[int(size)] = found.get(int(size), 0) + int(many)
    return " "


def _check_digits(number: str) -> None:
    if len(number) > _DIGITS:
        raise _too_many(number if len(number) <= _SHOWN else f"a number of {len(number)} digits")


def _too_many(found: str) -> InvalidInput:
    rule = (
        f"must be at most {MOST_GROUPS:,} groups of at most {LARGEST_GROUP:,} people on this page"
    )
    return InvalidInput("sizes", rule, found, remedy=_NO_LIMIT)
