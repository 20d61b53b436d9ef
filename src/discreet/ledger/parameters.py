"""What a caller may type into a ledger besides the names of datasets: ids, free text and amounts."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from discreet.core.rationals import read_fraction
from discreet.errors import InvalidInput
from discreet.ledger.amounts import MAX_DIGITS, write_amount

if TYPE_CHECKING:
    from fractions import Fraction

MAX_TEXT = 2000


def read_id(release_id: str) -> str:
    """Read a release id: 1 to 128 letters, digits and . _ : - of ASCII, so that it can be part of a file's name."""
    if not isinstance(release_id, str) or not re.fullmatch(r"[A-Za-z0-9._:-]{1,128}", release_id):
        raise InvalidInput("release_id", "must be 1 to 128 of A-Z a-z 0-9 . _ : -", release_id)
    return release_id


def read_text(parameter: str, text: str, *, required: bool = False) -> str:
    """Read a note, a reason or a person's name: printable text, kept as it is."""
    if not isinstance(text, str) or (required and not text.strip()):
        raise InvalidInput(parameter, "must say something: it stays in the ledger", text)
    if len(text) > MAX_TEXT:
        raise InvalidInput(parameter, f"must have at most {MAX_TEXT} characters", len(text))
    # Terminal escapes and unpaired surrogates would make history unreadable for the next person.
    if any(unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t" for c in text):
        raise InvalidInput(parameter, "must have no control characters", ascii(text))
    return text


def read_epsilon(parameter: str, value: object) -> Fraction:
    """Read a positive, finite amount, exactly: "1/10", 0.1 (by its shortest decimal), 1."""
    amount = read_fraction(parameter, value)
    if amount <= 0:
        raise InvalidInput(
            parameter, "must be greater than 0", value, remedy="a release without epsilon needs no ledger"
        )
    limit = 3 * MAX_DIGITS  # bits; 600 digits are 1993 bits, so the check stays cheap for any size
    if (
        max(amount.numerator.bit_length(), amount.denominator.bit_length()) > limit
        or len(write_amount(amount)) > MAX_DIGITS
    ):
        raise InvalidInput(
            parameter, f"must have at most {MAX_DIGITS} digits", remedy="round it up to a simpler fraction"
        )
    return amount
