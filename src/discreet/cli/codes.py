"""What the codes of the command line mean, for its help: the properties, the losses, the named mechanisms."""

from __future__ import annotations

import re

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

EXPLAINED = "Codes (more: discreet design --help):"
_CODE = re.compile(r"(?<![A-Za-z])(?:L0,1(?![\d.])|[A-Z]+\d?)(?![A-Za-z\d])")


def explained(text: str) -> str:
    """What the codes in a text mean, one below the other for its foot.

    >>> print(explained("Scores: has WH S, L0 0.5"))
    Codes (more: discreet design --help):
      WH  the truth beats blind guessing
      S   yes and no are treated alike
      L0  every wrong answer alike
    """
    words = set(_CODE.findall(text))
    codes = PROPERTY_CODES | LOSS_CODES
    found = {code: meaning for code, meaning in codes.items() if code.partition(":")[0] in words}
    wide = max(map(len, found), default=0)
    return "\n".join([EXPLAINED, *(f"  {code:<{wide}}  {meaning}" for code, meaning in found.items())])


def listed(codes: dict[str, str]) -> str:
    """Lay codes out below each other, as click's help keeps them.

    >>> listed({"F": "fair", "ODP:r": "even"}).splitlines()[3:]
    ['F      fair', 'ODP:r  even']
    """
    wide = max(map(len, codes))
    return "\n\n\b\n" + "\n".join(f"{code:<{wide}}  {meaning}" for code, meaning in codes.items())
