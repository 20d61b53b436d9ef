"""The statement of the guarantee, in words a reader of the table can hold us to, and what it does not cover.

Wordings are versioned and frozen: a manifest's statement is checked against its wording made anew from its facts, so
a wording that was ever published stays here as it was, and a better one gets the next number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """The facts that the statement is made of."""

    epsilon: Fraction
    counts: int
    contributions: int
    checked: bool
    """Whether that nobody has more rows was checked, or declared."""
    of_people: bool
    """Whether the source was a table of people; else one of counts."""


WORDING = 1
"""The wording that new releases are stated in."""


def statement(promise: Promise, wording: int = WORDING) -> str:
    """Say what one person's bits can change, at which price, and what is published as it is."""
    return WORDINGS[wording](promise)


def _first(promise: Promise) -> str:
    epsilon, k = promise.epsilon, promise.contributions
    basis = "which was checked" if promise.checked else "which whoever released the table declared"
    rows = "each person has one row in one group" if k == 1 else f"each person has at most {k} rows"
    if not promise.of_people:  # a table of counts has no rows of people
        rows = "each person is counted once, in one group" if k == 1 else f"each person is counted at most {k} times"
    counts = "this count" if promise.counts == 1 else f"all {promise.counts} counts together"
    return (
        "Take two tables that differ only in the protected bits of one person. The chance of any released table "
        f"differs between the two by a factor of at most exp({epsilon}) (epsilon = {epsilon} for {counts}). "
        f"This holds if {rows}, {basis}. "
        "Keys, who is in which group, and each group's size n are NOT protected: they are published as they are. "
        "If a group's size is itself sensitive, this release does not hide it."
    )


WORDINGS: Mapping[int, Callable[[Promise], str]] = {1: _first}


def public_here(*, keys: Sequence[str], size: str, where: str, unit: str) -> str:
    """Name what is treated as public because groups, sizes and rows are made of it.

    >>> public_here(keys=["region", "clinic"], size="n", where="age > 17", unit="")
    'region, clinic (keys), n (size of each group), age > 17 (filter of rows): published or used as they are'
    """
    roles = {
        "keys" if len(keys) > 1 else "key": ", ".join(keys),
        "size of each group": size,
        "filter of rows": where,
        "who is who": unit,
    }
    named = ", ".join(f"{what} ({role})" for role, what in roles.items() if what)
    return f"{named}: published or used as they are"


def rows_selected(where: str | None, filtered_by: frozenset[str]) -> str:
    """The filter of rows in words: the one given, and the columns of the one in a query that is the source."""
    own = f"the source's own filter reads {', '.join(sorted(filtered_by))}" if filtered_by else ""
    return "; ".join(part for part in (where or "", own) if part)
