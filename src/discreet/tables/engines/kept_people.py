"""Who is counted under a cap: the order of people that all engines share, and what a person's column may hold.

The order is by SHA-256 of a key and the person's text, then by that text: total, whatever the hash does, and made of
the person alone. One row of a person is taken, the first by its keys and then by its answers: which one is decided by
this person's rows alone. Rows without a person are nobody's, and are left out.
"""

from __future__ import annotations

from discreet.errors import InvalidInput
from discreet.sampler.keyed import ReleaseSecret


def order_key() -> str:
    """A key of its own for each release, drawn before any row is read."""
    return ReleaseSecret.fresh().reveal().hex()


def not_a_person(kind: str, name: str) -> InvalidInput:
    """The error about a column whose values have more than one text, or whose texts are not one to one."""
    remedy = "with `cap` people are put in order by it; number them, or write a text for each"
    return InvalidInput("unit", f"must be a column of texts or whole numbers, and {kind} is not", name, remedy=remedy)
