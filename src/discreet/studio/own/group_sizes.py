"""Group sizes as a person types or pastes them: "80 of 8, 40 of 9", or one size after another."""

from __future__ import annotations

import re

from discreet.errors import InvalidInput

MOST_PEOPLE = 100_000
MOST_GROUPS = 20_000
_MANY = re.compile(r"(\d{1,7})\s*(?:of|x|×)\s*(\d{1,7})", re.IGNORECASE)
_REMEDY = 'write "80 of 8, 40 of 9", or the sizes one after another'


def read_sizes(text: str) -> dict[int, int]:
    """Return how many groups there are of each size, the smallest first.

    >>> read_sizes("80 of 8, 40 of 9"), read_sizes("8 8 9")
    ({8: 80, 9: 40}, {8: 2, 9: 1})
    """
    found: dict[int, int] = {}
    alone = _MANY.sub(lambda many: _add(found, int(many[2]), int(many[1])), text)
    for word in re.split(r"[\s,;]+", alone):
        if not word:
            continue
        if not re.fullmatch(r"[0-9]{1,7}", word):
            raise InvalidInput("sizes", "must be numbers of people", word[:20], remedy=_REMEDY)
        _add(found, int(word), 1)
    groups, people = sum(found.values()), sum(n * many for n, many in found.items())
    if 0 in found or not groups:
        raise InvalidInput("sizes", "must be groups of at least one person", text[:40], remedy=_REMEDY)
    if groups > MOST_GROUPS or people > MOST_PEOPLE:
        rule = f"must be at most {MOST_GROUPS:,} groups and {MOST_PEOPLE:,} people on this page"
        raise InvalidInput("sizes", rule, f"{groups:,} and {people:,}", remedy="`discreet plan` has no such limit")
    return dict(sorted(found.items()))


def _add(found: dict[int, int], size: int, many: int) -> str:
    found[size] = found.get(size, 0) + many
    return " "
