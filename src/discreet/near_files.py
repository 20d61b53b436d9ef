"""Which file of a folder may be meant by a name that is mistyped."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def near_file(name: str, there: Iterable[str]) -> str:
    """Return the file of a folder that a mistyped name may mean, or nothing; that both end in .csv
    says little.

    >>> (
    ...     near_file("poeple.csv", ["courses.csv", "people.csv"]),
    ...     near_file("survey.csv", ["courses.csv"]),
    ... )
    ('people.csv', '')
    """
    by_stem: dict[str, str] = {}
    for each in sorted(there, key=lambda each: each.rpartition(".")[2] != name.rpartition(".")[2]):
        by_stem.setdefault(each.partition(".")[0].lower(), each)  # the same ending first
    near = get_close_matches(name.partition(".")[0].lower(), by_stem, n=1, cutoff=0.7)
    return by_stem[near[0]] if near else ""
