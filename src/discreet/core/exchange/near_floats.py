"""Exact numbers near floats: what a rounded distribution most likely meant, summing to exactly
1.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeGuard

from discreet.core.rationals import read_fraction, shown, simplest_between
from discreet.errors import InvalidInput

NEAR = Fraction(1, 10**6)
"""How far the sum of floats may be from 1, and a chance below 0: more is no rounding."""

_ULP = Fraction(1, 1 << 53)  # half a unit in the last place of a double, relative
_BITS = 64


def has_floats(values: Sequence[object]) -> bool:
    """Whether some number is a float, NumPy's included: then the numbers may have been rounded."""
    return any(_is_float(value) for value in values)


def _is_float(value: object) -> TypeGuard[float]:
    # NumPy's doubles are Python's floats; its shorter and longer ones are not, and it may not be
    # imported here
    return isinstance(value, float) or type(value).__name__ in ("float16", "float32", "longdouble")


def near_distribution(parameter: str, values: Sequence[object]) -> tuple[Fraction, ...]:
    """Return fractions near these numbers, not negative, that sum to exactly 1.

    Each float is read as the simplest fraction that rounds to it; where these sum to 1, that is
    what was meant. Else the floats' own values are divided by their sum and cut to multiples of one
    power of two, so small that none is moved by more than one part in 2^64; what the cut leaves
    over goes to the largest.

    >>> near_distribution("prior", [1 / 3, 1 / 3, 1 / 3])
    (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3))
    >>> sum(near_distribution("prior", [0.1, 0.2, 0.7000000001]))
    Fraction(1, 1)
    """
    exact = [_value(f"{parameter}[{place}]", value) for place, value in enumerate(values)]
    total = sum(exact, Fraction(0))
    if abs(total - 1) > NEAR:
        remedy = (
            f"floats may miss it by {float(NEAR):g}, by rounding; divide them by their sum if "
            "that is meant"
        )
        raise InvalidInput(parameter, "must sum to 1", shown(total), remedy=remedy)
    simple = tuple(_simplest(value) for value in exact)
    return simple if sum(simple) == 1 else _cut([value / total for value in exact])


def _value(parameter: str, value: object) -> Fraction:
    """The exact value of a number; a float's own, not that of its shortest decimal."""
    read = read_fraction(parameter, value)  # refuses what is not finite
    exact = Fraction(float(value)) if _is_float(value) else read
    if exact < -NEAR:
        raise InvalidInput(parameter, "must not be negative", found=shown(exact))
    return max(exact, Fraction(0))


def _simplest(value: Fraction) -> Fraction:
    """The simplest fraction that is the same double."""
    return simplest_between(value * (1 - _ULP), value * (1 + _ULP)) if value else value


def _cut(values: list[Fraction]) -> tuple[Fraction, ...]:
    """Whole multiples of a power of two near values that sum to 1, summing to 1 too."""
    least = min(value for value in values if value)
    whole = 1 << (_BITS + (least.denominator // least.numerator).bit_length())
    parts = [round(value * whole) for value in values]
    parts[parts.index(max(parts))] += whole - sum(parts)
    return tuple(Fraction(part, whole) for part in parts)
