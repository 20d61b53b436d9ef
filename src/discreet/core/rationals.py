"""Reading exact numbers, and finding the simplest fraction in an interval. Standard library only.

A float is read by its shortest decimal: the 0.9 a person types is 9/10, not 8106479329266893/2**53.
"""

from __future__ import annotations

import numbers
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

from discreet.errors import InvalidInput

Exact = int | str | float | Fraction
"""What a person may type for an exact number."""

_NUMBER = re.compile(r"\s*[+-]?(\d{1,2000}(/\d{1,2000})?|(\d{0,2000}\.\d{1,2000}|\d{1,2000}\.?)([eE][+-]?\d{1,3})?)\s*")


def read_fraction(parameter: str, value: object) -> Fraction:
    """Read an exact number from a Fraction, int, Decimal, string ("10/11", "0.9") or float.

    >>> read_fraction("alpha", "10/11"), read_fraction("alpha", 0.9)
    (Fraction(10, 11), Fraction(9, 10))
    """
    if type(value) is Fraction:
        return value
    if isinstance(value, bool) or type(value).__name__ == "bool":
        raise InvalidInput(parameter, "must be a number", value, remedy="write it as '9/10', '0.9' or 0.9")
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) < 1000:
        return Fraction(value)
    # float.__repr__ is the shortest decimal; NumPy's own repr would add a type name
    text = float.__repr__(value) if isinstance(value, float) else str(value)
    if isinstance(value, (str, numbers.Real)) and _NUMBER.fullmatch(text):
        try:
            return Fraction(text.replace(" ", ""))
        except ZeroDivisionError:
            pass
    raise InvalidInput(parameter, "must be a finite number", value, remedy="write it as '9/10', '0.9' or 0.9")


def read_count(parameter: str, value: object, *, least: int = 0, most: int | None = None) -> int:
    """Read a whole number of people, rows or steps: an int (NumPy's too), never a bool or a float."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        kind = "the text" if isinstance(value, str) else ""
        raise InvalidInput(parameter, f"must be a whole number, at least {least}", value, kind=kind)
    count = int(value)
    if count < least or (most is not None and count > most):
        upper = "" if most is None else f" and at most {most}"
        raise InvalidInput(parameter, f"must be at least {least}{upper}", count)
    return count


def read_list(value: object) -> list[Any] | None:
    """Return a list from a list, tuple, array or data frame, or None from anything else."""
    value = value.to_numpy() if hasattr(value, "to_numpy") else value
    value = value.tolist() if hasattr(value, "tolist") else value
    return list(value) if isinstance(value, (list, tuple)) else None


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction of smallest denominator in [low, high], by the Stern-Brocot walk.

    >>> simplest_between(Fraction(314, 100), Fraction(315, 100))
    Fraction(22, 7)
    """
    (a, b), (c, d) = low.as_integer_ratio(), high.as_integer_ratio()
    # the last two convergents of the continued fraction that low = a/b and high = c/d share
    before, last = (0, 1), (1, 0)
    while True:
        whole, rest = divmod(a, b)
        if rest and (whole + 1) * d > c:
            a, b, c, d = d, c - whole * d, b, rest
            before, last = last, (whole * last[0] + before[0], whole * last[1] + before[1])
            continue
        whole += rest > 0
        return Fraction(whole * last[0] + before[0], whole * last[1] + before[1])


def shown(value: Fraction, digits: int = 6) -> str:
    """Show a number to a person: the fraction when it is short, else rounded decimals.

    >>> shown(Fraction(10, 11)), shown(Fraction(1, 10**9 + 7))
    ('10/11', '1e-09')
    """
    # long numbers are never turned into text: Python refuses beyond 4,300 digits
    if max(abs(value.numerator), value.denominator) < 10**9 and len(text := str(value)) <= 9:
        return text
    if abs(abs(value.numerator).bit_length() - value.denominator.bit_length()) > 1000:  # beyond what a float holds
        return f"{Decimal(value.numerator) / Decimal(value.denominator):.{digits}g}"
    rounded = f"{float(value):.{digits}g}"
    if rounded == "1" and value != 1:
        return f"1 - {float(1 - value):.{digits}g}" if value < 1 else f"1 + {float(value - 1):.{digits}g}"
    return rounded
