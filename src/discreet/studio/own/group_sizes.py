"""Group sizes as a person types or pastes them: "80 of 8, 40 of 9", "60 classes of 10", or one size after another."""

from __future__ import annotations

import re

from discreet.errors import InvalidInput

MOST_PEOPLE = 100_000
MOST_GROUPS = 20_000
_MANY = re.compile(r"(?<![\w.-])(\d{1,7})\s*(?:(?:[^\W\d_]+\s+)?of|x|×|\*)\s*(\d{1,7})(?![\w.])", re.IGNORECASE)
"""So many groups of so many people; what the groups are may be said between."""

_FILLERS = {"and", "people", "persons", "each", "&", "+"}
_REMEDY = 'write "80 of 8, 40 of 9", or the sizes one after another'


def read_sizes(text: str) -> dict[int, int]:
    """Return how many groups there are of each size, the smallest first.

    >>> read_sizes("80 of 8, 40 of 9"), read_sizes("8 8 9"), read_sizes("60 classes of 10 and 2 x 7 people")
    ({8: 80, 9: 40}, {8: 2, 9: 1}, {7: 2, 10: 60})
    """
    found: dict[int, int] = {}
    for entry in re.split(r"[,;\n]+", text):
        alone = _MANY.sub(lambda many: _add(found, int(many[2]), int(many[1])), entry)
        for word in alone.split():
            if word.lower() in _FILLERS:
                continue
            if not re.fullmatch(r"[0-9]{1,7}", word):
                raise InvalidInput("sizes", "must be numbers of people", entry.strip()[:40], remedy=_REMEDY)
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
