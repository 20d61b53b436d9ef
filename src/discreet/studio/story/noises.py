"""The kinds of noise that the story compares: what each is called, and its mechanism."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

PATIENTS = 8
"""Of the clinic that the story is about."""

EPSILON = "1"
"""What a release is advised to begin with: most screens are told at it."""

STRICT = "0.25"
"""Strong privacy: what a sum costs there."""

SMALL = "0.5"
"""Where kinds of noise differ, and neither is a blind guess at any true count: one of them is at
0.25.
"""

NOTHING_FROM = "0.7"
"""From this epsilon on we advise to ask for nothing: the usual noise has column monotonicity by
itself.
"""


class Noise(NamedTuple):
    """One kind of noise."""

    words: str
    named: str
    """The mechanism whose colour it has; none for a design without a name."""
    properties: tuple[str, ...]


NOISES = {
    "usual": Noise("Usual noise", "GM", ()),
    "near": Noise("No farther answer likelier", "", ("CM",)),
}


@cache
def noise(kind: str, n: int, epsilon: str) -> Mechanism:
    """Return the best mechanism that has what this kind of noise is asked for.

    >>> f"{float(noise('near', 8, '0.5')[1, 1]):.1%}"
    '31.1%'
    """
    from discreet.designer import design

    return design(n=n, epsilon=epsilon, properties=NOISES[kind].properties, cache=False)
