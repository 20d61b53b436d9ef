"""Amounts of epsilon as exact text, "3/10". One amount has one text, so a seal over the text is one over the amount."""

from __future__ import annotations

from fractions import Fraction

from discreet.errors import BudgetError

MAX_DIGITS = 600  # of one amount's text: far below Python's limit of 4,300 for reading an integer


def read_amount(text: str) -> Fraction:
    """Read "3/10" strictly: positive, in lowest terms, so that an amount has one text.

    >>> read_amount("3/10")
    Fraction(3, 10)
    """
    numerator, slash, denominator = text.partition("/")
    digits = numerator + denominator
    if slash and digits.isascii() and digits.isdecimal() and numerator and denominator and len(text) <= MAX_DIGITS:
        top, bottom = int(numerator), int(denominator)
        if top > 0 and bottom > 0 and write_amount(Fraction(top, bottom)) == text:
            return Fraction(top, bottom)
    raise BudgetError("an entry's amount is not a positive fraction in lowest terms")


def write_amount(amount: Fraction) -> str:
    """Write an amount as "numerator/denominator", the 1 included."""
    return f"{amount.numerator}/{amount.denominator}"


def show(amount: Fraction, *, up: bool = False) -> str:
    """Show an amount to a person: exactly if short, else as a decimal, rounded so that what is shown still fits.

    >>> (
    ...     show(Fraction(3, 10)),
    ...     show(Fraction(10**30 + 1, 3 * 10**30)),
    ...     show(Fraction(10**30 + 1, 3 * 10**30), up=True),
    ... )
    ('3/10', '0.333333333333', '0.333333333334')
    """
    if amount.numerator.bit_length() + amount.denominator.bit_length() <= 64:
        return str(amount)
    scaled = amount * 10**12
    whole = -(-scaled.numerator // scaled.denominator) if up else scaled.numerator // scaled.denominator
    return f"{whole // 10**12}.{whole % 10**12:012d}"
