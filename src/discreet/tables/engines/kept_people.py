"""Which rows and which people are counted where not all can be: the orders that all engines share.

    a person's rows      by SHA-256 of a key, the person and the row's keys, then by the keys
                         themselves; rows equal in their keys by SHA-256 of the same and their
                         answers, then by the answers themselves
    the people of a      by SHA-256 of the key and the person's text, then by that text
    group, under a cap

Answers are what a row adds to the counts: the numbers of its answers (and that it breaks a rule),
and never the text they are read from. So a text that becomes longer with the same answer exchanges
no row, and answers do not decide in which group a row is kept. Both orders are total whatever the
hash does, and made of that person alone: no place in a file, thread or other person decides. Rows
that are equal in keys and answers are interchangeable, because they add the same to the same group.
Under a cap, rows without a person are nobody's and are left out.
"""

from __future__ import annotations

from discreet.errors import InvalidInput
from discreet.sampler.keyed import ReleaseSecret

PUBLIC_KEY = "discreet: which rows of a person are kept"
"""The key without a cap. Sizes are public there, so a plan and every release of a table keep the
same rows.
"""


def order_key() -> str:
    """The key under a cap: one for each engine, drawn before any row is read, and the same in
    all of its statements.
    """
    return ReleaseSecret.fresh().reveal().hex()


def not_a_person(kind: str, name: str) -> InvalidInput:
    """The error about a column whose values have more than one text, or whose texts are not one
    to one.
    """
    remedy = "with `cap` people are put in order by it; number them, or write a text for each"
    return InvalidInput(
        "unit",
        f"must be a column of texts or whole numbers, and {kind} is not",
        name,
        remedy=remedy,
    )
