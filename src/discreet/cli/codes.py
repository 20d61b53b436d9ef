"""What the codes of the command line mean, for its help: the properties, the losses, the named mechanisms."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from discreet.core.properties import PROPERTIES
from discreet.show.text import folded

if TYPE_CHECKING:
    from discreet.core.properties import Shape

PROPERTY_CODES = {
    "RH": "no other count makes an answer likelier",
    "RM": "an answer fades as the truth moves away",
    "CH": "the truth is the likeliest answer",
    "CM": "answers nearer the truth are likelier",
    "WH": "the truth beats blind guessing",
    "F": "each count has the same chance of truth",
    "S": "yes and no are treated alike",
    "ODP:r": "neighbouring answers are within ratio r",
}
LOSS_CODES = {
    "L0": "every wrong answer alike",
    "L1": "by its distance",
    "L2": "by its distance squared",
    "L0,1": "every answer more than 1 off alike",
}
MECHANISM_CODES = {
    "GM": "geometric noise cut off at 0 and n: the usual method",
    "WM": "the best weakly honest mechanism",
    "EM": "the best fair mechanism",
    "UM": "blind guessing",
    "RR": "randomised response",
    "Laplace": "rounded and clamped",
    "exponential": "less likely the further from the truth",
    "staircase": "width 2: protects counts that differ by up to 2",
}

_BRIEFLY = {
    "RH": "rows peak at the truth",
    "RM": "rows fall away from it",
    "CH": "truth is likeliest",
    "CM": "nearer is likelier",
    "WH": "truth beats guessing",
    "F": "same chance of truth",
    "S": "yes and no alike",
    "ODP": "neighbours within a ratio",
    "L0": "wrong answers, guessing 1",
    "L0,1": "more than 1 off",
    "L1": "distance",
    "L2": "distance squared",
}
"""A few words on each, for the line below a result; the sentences are in the help."""
_TIE = "\u00a0"  # no line is broken between a code and what it means
_CODE = re.compile(r"(?<![A-Za-z])(?:L0,1(?![\d.])|[A-Z]+\d?)(?![A-Za-z\d])")


def explained(*texts: str) -> str:
    """What the codes in some texts mean, in one line for the foot of a result.

    >>> print(explained("CH or CM", "F"))
    Codes: CH truth is likeliest, CM nearer is likelier, F same chance of truth
      (all: discreet design --help)
    """
    words = set(_CODE.findall(" ".join(texts)))
    found = [f"{code}{_TIE}{meaning}" for code, meaning in _BRIEFLY.items() if code in words]
    said = f"Codes: {', '.join(found)} (all: discreet design --help)" if found else "Codes: discreet design --help"
    return "\n".join(folded(said, later="  ")).replace(_TIE, " ")


def told_apart(shapes: Iterable[Shape]) -> str:
    """The codes that some of these have and others lack; of one, those it lacks.

    >>> from discreet.core.properties import read_shape
    >>> told_apart([read_shape("WH CM"), read_shape("F CM")])
    'WH F'
    """
    sets = [set(shape) for shape in shapes]
    shared = set.intersection(*sets) if sets else set()
    told = set.union(*sets) - shared if len(sets) > 1 else set(PROPERTIES) - shared
    return " ".join(name for name in PROPERTIES if name in told)


def listed(codes: dict[str, str]) -> str:
    """Lay codes out below each other, as click's help keeps them.

    >>> listed({"F": "fair", "ODP:r": "even"}).splitlines()[3:]
    ['F      fair', 'ODP:r  even']
    """
    wide = max(map(len, codes))
    return "\n\n\b\n" + "\n".join(f"{code:<{wide}}  {meaning}" for code, meaning in codes.items())
