"""`smallest=5`: groups of fewer people are not published one by one, but as one row for each
parent.

What the row is: **one group of its own**, the people of all groups that are withheld in one parent
(the keys but the last), drawn once. Sizes are public, so which groups are merged says nothing about
anybody's bits; every person is still in one group of the table, so the price is the same; and the
merged group has a size, a mechanism and a proof like others, so that everything that reads a table
reads it too, and sums hold. To draw the small groups one by one and publish the sum of what came
out would add up the noise of all of them, and would be no mechanism's output.

A remainder that is itself below `smallest` would be the small group it should not show (or a few of
them), so the parent's next smallest groups go into it until it is not. A parent with fewer people
in all is refused. A group of nobody is published as it is: there is nobody in it to be withheld.

In the table a row that stands for others has no value (NULL) in the last key, and says in the key
`withheld` how many groups it stands for; in all other rows that is 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from discreet.core.rationals import read_count
from discreet.errors import InvalidInput
from discreet.tables.engines import Expression

if TYPE_CHECKING:
    from discreet.tables.asking.question import Question

WITHHELD = "withheld"
"""The key that says how many groups a row stands for."""


def withheld_words(smallest: int) -> str:
    """What the key `withheld` is, in words; they stand in the manifest."""
    return (
        f"how many groups of fewer than {smallest} people (and next smallest ones) the row stands "
        "for"
    )


def merged_apart(told: Sequence[str], smallest: int) -> tuple[tuple[str, ...], str]:
    """Part keys in words from that which says how many groups are merged, and say that in a
    sentence of its own.

    >>> merged_apart(["region", f"withheld = {withheld_words(5)}"], 5)
    (('region',), 'Groups of fewer than 5 people become one row, and withheld says of how many')
    """
    keys = tuple(key for key in told if key != f"{WITHHELD} = {withheld_words(smallest)}")
    said = f"Groups of fewer than {smallest} people become one row, and {WITHHELD} says of how many"
    return keys, said if len(keys) < len(told) else ""


def with_smallest(question: Question, given: Any, columns: Mapping[str, str]) -> Question:
    """Return the question with groups below a size merged: with the key that says so, which
    every row begins with 0.
    """
    smallest = read_count("smallest", given, least=2, most=2**62)
    if not question.by:
        raise InvalidInput(
            "smallest", "needs `by`", remedy="one count of the whole table has no smaller groups"
        )
    if any(column.casefold() == WITHHELD for column in (*columns, *question.by)):
        rule = f"adds a column named {WITHHELD}, and the source has one"
        raise InvalidInput("smallest", rule, remedy="rename it")
    last = question.by[-1]
    if any(last in keys for keys in question.levels[1:]):
        rule = f"merges groups of the last key, {last}, so that no coarser level can have it"
        raise InvalidInput(
            "smallest",
            rule,
            remedy="order `by` so that the finest key is the last, or leave the level out",
        )
    zero = Expression(text=withheld_words(smallest), sql="CAST(0 AS BIGINT)", columns=frozenset())
    keys = question.keys
    if keys is not None:
        import pyarrow as pa

        keys = keys.append_column(WITHHELD, pa.array([0] * len(keys), pa.int64()))
    by = (*question.by, WITHHELD)
    levels, made = (by, *question.levels[1:]), (*question.made, (WITHHELD, zero))
    return replace(question, by=by, levels=levels, made=made, keys=keys, smallest=smallest)


def too_few_people(smallest: int) -> InvalidInput:
    """The error about a parent that has fewer people than a group may have."""
    rule = (
        "must not be above the people that all groups of one parent have together, and some "
        "parent has fewer"
    )
    remedy = "leave such groups out with `where`, or merge them by a coarser key"
    return InvalidInput("smallest", rule, smallest, remedy=remedy)
