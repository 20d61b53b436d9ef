"""Whether numbers can be told apart, from each other or from the rate of all: what titles of
pictures may say.

And which groups a title names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import hypot
from statistics import NormalDist

from discreet.show.pictures.readings.estimate_rows import Row


def too_noisy(rows: Sequence[Row], confidence: float) -> bool:
    """Whether no two of several estimates differ by more than their noise: |a - b| <= z sqrt(s_a^2
    + s_b^2).

    Overlapping intervals would say less: two may overlap, and the difference still be beyond its
    own noise.

    >>> rows = [Row(value=value, error=4.0) for value in (38.3, 38.8, 33.6)]
    >>> (
    ...     too_noisy(rows, 0.95),
    ...     too_noisy([*rows, Row(value=50.0, error=4.0)], 0.95),
    ...     too_noisy(rows[:1], 0.95),
    ... )
    (True, False, False)
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    known = [(row.value, row.error) for row in rows if row.error is not None]
    return 1 < len(known) == len(rows) and all(
        abs(one - other) <= z * hypot(error, its)
        for (one, error), (other, its) in combinations(known, 2)
    )


def beside_rate(rows: Sequence[Row], total: float) -> tuple[int, int]:
    """How many intervals lie wholly below, and wholly above, the rate that a total is of the people
    of all rows.

    >>> beside_rate(
    ...     [Row(n=8, value=1.0, low=0.0, high=1.0), Row(n=8, value=3.0, low=0.0, high=6.0)], 4.0
    ... )
    (1, 0)
    """
    people = sum(row.n or 0 for row in rows) or 1
    expected = [total * (row.n or 0) / people for row in rows]
    below = sum((row.high or 0.0) < middle for row, middle in zip(rows, expected, strict=True))
    above = sum((row.low or 0.0) > middle for row, middle in zip(rows, expected, strict=True))
    return below, above


def several(many: int, names: Sequence[str]) -> str:
    """So many values of some keys, in words.

    >>> (
    ...     several(4, ["region"]),
    ...     several(3, ["city"]),
    ...     several(9, ["region", "sex"]),
    ...     several(2, ["ward_id"]),
    ... )
    ('4 regions', '3 cities', 'the 9', 'the 2')
    """
    if len(names) != 1 or not names[0].isalpha():
        return f"the {many}"
    name = names[0]
    return (
        f"{many} {name[:-1]}ies"
        if name[-1] == "y" and name[-2:-1] not in "aeou"
        else f"{many} {name}s"
    )


def named_in(title: str, labels: Iterable[str]) -> set[str]:
    """The groups that a title names, where it names some of them; of groups with numbers for names,
    none.

    >>> sorted(
    ...     named_in(
    ...         "Kitchen errs less than North East",
    ...         ["Kitchen", "East", "North East", "Care", "Kit"],
    ...     )
    ... )
    ['Kitchen', 'North East']
    >>> named_in("Kitchen and Care", ["Kitchen", "Care"]), named_in("2 of 3 err", ["2", "3", "4"])
    (set(), set())
    """
    every = {label for label in labels if any(map(str.isalpha, label))}
    longest = "|".join(re.escape(label) for label in sorted(every, key=len, reverse=True))
    found = set(re.findall(rf"(?<!\w)(?:{longest})(?!\w)", title)) if every else set()
    return found if found < every else set()
