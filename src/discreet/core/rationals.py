"""Exact numbers as a person gives them: fractions, counts, and the privacy parameter. Standard
library only.

A float is read by its shortest decimal: the 0.9 a person types is 9/10, not 8106479329266893/2**53.
Of distributions that is not enough: floats that stand for thirds do not sum to 1, and are made
exact by `exchange.near_floats`.

The privacy parameter is `alpha` of the paper (Definition 2) and `epsilon` of everybody else. A
mechanism is alpha-private when neighbouring inputs give every output with chances within a factor
of alpha of each other; alpha = exp(-epsilon), so alpha near 1 is strong privacy. exp is irrational,
so a request in epsilon is turned into a rational alpha **at or above** exp(-epsilon), by integer
bounds and not by floats: never weaker than asked, at most one part in 10^9 stronger. The epsilon
asked for is kept as it was, because budgets add in epsilon and 0.5 + 0.5 must be exactly 1. `alpha`
here is not a significance level, as it is in some other libraries.
"""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from discreet.errors import InvalidInput

Exact = int | str | float | Fraction
"""What a person may type for an exact number."""

_NUMBER = re.compile(
    r"\s*[+-]?(\d{1,2000}(/\d{1,2000})?|(\d{0,2000}\.\d{1,2000}|\d{1,2000}\.?)([eE][+-]?\d{1,3})?)\s*"
)
MAX_DIGITS = 2000
"""Digits of a number that a person gives, above and below the line; Python writes no integer of
more than 4,300.
"""
_TOO_LONG = 10**MAX_DIGITS
_WRITTEN = "write a decimal such as 0.9, or a fraction such as 9/10"
_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d{1,20},\d{1,20}\s*")


def read_fraction(parameter: str, value: object) -> Fraction:
    """Read an exact number from a Fraction, int, Decimal, string ("10/11", "0.9") or float.

    >>> read_fraction("alpha", "10/11"), read_fraction("alpha", 0.9)
    (Fraction(10, 11), Fraction(9, 10))
    """
    found = _read_fraction(parameter, value)
    if max(abs(found.numerator), found.denominator) >= _TOO_LONG:
        remedy = "round it, epsilon and alpha to the side of more privacy"
        raise InvalidInput(parameter, f"must have at most {MAX_DIGITS:,} digits", remedy=remedy)
    return found


def _read_fraction(parameter: str, value: object) -> Fraction:
    if type(value) is Fraction:
        return value
    if isinstance(value, bool) or type(value).__name__ == "bool":
        raise InvalidInput(parameter, "must be a number", value, remedy=_WRITTEN)
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
    remedy = _WRITTEN
    if isinstance(value, str) and _DECIMAL_COMMA.fullmatch(text):
        remedy = f"write {text.strip().replace(',', '.')}"
    raise InvalidInput(parameter, "must be a finite number", value, remedy=remedy)


def total(values: Iterable[Fraction]) -> Fraction:
    """Add up fractions in integers over one denominator: many times faster than one by one.

    >>> total([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)])
    Fraction(1, 1)
    """
    pairs = [value.as_integer_ratio() for value in values]
    common = math.lcm(*(q for _, q in pairs))
    return Fraction(sum(p * (common // q) for p, q in pairs), common)


def read_count(parameter: str, value: object, *, least: int = 0, most: int | None = None) -> int:
    """Read a whole number of people, rows or steps: an int (NumPy's too), never a bool or a
    float.
    """
    # a plain int first: the question to an abstract class is slow, and a table has a great many
    # sizes
    if type(value) is not int and (
        isinstance(value, bool) or not isinstance(value, numbers.Integral)
    ):
        kind = "the text" if isinstance(value, str) else ""
        raise InvalidInput(parameter, f"must be a whole number, at least {least}", value, kind=kind)
    count = int(value)
    if count < least or (most is not None and count > most):
        upper = "" if most is None else f" and at most {most}"
        raise InvalidInput(parameter, f"must be at least {least}{upper}", count)
    return count


def read_seconds(seconds: float | None) -> float | None:
    """Read a time limit; None where the caller did not say."""
    value = None if seconds is None else read_fraction("seconds", seconds)
    if value is not None and not 0 <= value <= 10_000_000:
        raise InvalidInput("seconds", "must be between 0 and 10,000,000", seconds)
    return None if value is None else float(value)


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
    if (
        abs(abs(value.numerator).bit_length() - value.denominator.bit_length()) > 1000
    ):  # beyond what a float holds
        return f"{Decimal(value.numerator) / Decimal(value.denominator):.{digits}g}"
    rounded = f"{float(value):.{digits}g}"
    if rounded == "1" and value != 1:
        return (
            f"1 - {float(1 - value):.{digits}g}"
            if value < 1
            else f"1 + {float(value - 1):.{digits}g}"
        )
    return rounded


def in_decimals(value: Fraction) -> str:
    """Show an amount, such as epsilon or a share, as people write it: a short decimal where it is
    one exactly.

    >>> in_decimals(Fraction(3, 2)), in_decimals(Fraction(1, 3)), in_decimals(Fraction(2))
    ('1.5', '1/3', '2')
    """
    if 10**6 % value.denominator == 0 and abs(value.numerator) < 10**9:
        return f"{Decimal(value.numerator) / Decimal(value.denominator):f}"
    return shown(value)


SLACK = Fraction(1, 10**9)
"""How much stronger than asked, as a part of epsilon, the rational alpha may be."""

MAX_EPSILON = 1000
MIN_EPSILON = Fraction(1, 10**15)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alpha:
    """An exact privacy parameter: the rational alpha, and the rational epsilon it is accounted at.

    >>> read_alpha(epsilon=0.5).epsilon + read_alpha(epsilon="1/2").epsilon
    Fraction(1, 1)
    >>> print(read_alpha(alpha="10/11"))
    alpha = 10/11 (epsilon = 0.0953102)
    """

    value: Fraction
    epsilon: Fraction

    def __post_init__(self) -> None:
        """Refuse an epsilon below -ln(alpha): a release would be accounted at less than it
        costs.
        """
        remedy = "give `alpha` or `epsilon` to the function that wants it"
        for name, given in (("value", self.value), ("epsilon", self.epsilon)):
            if type(given) is not Fraction:
                raise InvalidInput(name, "must be a Fraction", given, remedy=remedy)
        if not 0 < self.value <= 1:
            raise InvalidInput("value", "must be in (0, 1]", shown(self.value), remedy=remedy)
        if self.epsilon < 0 or (
            self.value < 1 and (self.epsilon == 0 or exp_minus(self.epsilon)[1] > self.value)
        ):
            rule = f"must be at least -ln(alpha) for alpha = {shown(self.value)}"
            raise InvalidInput("epsilon", rule, shown(self.epsilon), remedy=remedy)

    def __str__(self) -> str:
        return f"alpha = {shown(self.value)} (epsilon = {float(self.epsilon):.6g})"


def read_alpha(*, alpha: Exact | Alpha | None = None, epsilon: Exact | None = None) -> Alpha:
    """Read the privacy parameter from exactly one of `alpha` and `epsilon`; an `Alpha` is taken
    as it is.
    """
    if alpha is None and epsilon is None:
        raise InvalidInput("epsilon", "or `alpha` must be given", remedy="e.g. `epsilon=0.5`")
    if alpha is not None and epsilon is not None:
        raise InvalidInput(
            "epsilon",
            "or `alpha` must be given, exactly one of them",
            "both",
            remedy="leave one out",
        )
    if isinstance(alpha, Alpha):
        return alpha
    if epsilon is not None:
        return _from_epsilon(read_fraction("epsilon", epsilon))
    return _from_alpha(read_fraction("alpha", alpha))


@lru_cache(maxsize=256)  # a table's many group sizes share one
def _from_epsilon(epsilon: Fraction) -> Alpha:
    if epsilon == 0:
        return Alpha(value=Fraction(1), epsilon=epsilon)
    if not MIN_EPSILON <= epsilon <= MAX_EPSILON:
        rule = (
            "must be 0, or at least 1e-15"
            if 0 < epsilon < 1
            else f"must be above 0, and at most {MAX_EPSILON}"
        )
        raise InvalidInput("epsilon", rule, shown(epsilon), remedy="typical values are 0.1 to 2")
    # Rounding toward more privacy: the lower end is an upper bound of exp(-epsilon).
    low = exp_minus(epsilon)[1]
    high = exp_minus(epsilon * (1 - SLACK))[0]
    return Alpha(value=simplest_between(low, high), epsilon=epsilon)


@lru_cache(maxsize=256)
def _from_alpha(alpha: Fraction) -> Alpha:
    if alpha == 0:
        raise InvalidInput(
            "alpha",
            "must be above 0",
            0,
            remedy="alpha = 0 is no privacy at all (epsilon infinite): publish the counts",
        )
    if not 0 < alpha <= 1:
        raise InvalidInput(
            "alpha",
            "must be in (0, 1]",
            shown(alpha),
            remedy="alpha is exp(-epsilon); 1 ignores the input (epsilon 0)",
        )
    return Alpha(value=alpha, epsilon=_epsilon_above(alpha))


def _epsilon_above(alpha: Fraction) -> Fraction:
    """Return a short decimal at or above -ln(alpha), proven by `exp_minus`: accounted never
    below what is spent.
    """
    if alpha == 1:
        return Fraction(0)
    guess, scale = _near(alpha)
    candidate = Fraction(math.ceil(Fraction(guess) * scale), scale)
    while exp_minus(candidate)[1] > alpha:
        candidate += Fraction(1, scale)
    return candidate


def epsilon_below(alpha: Fraction) -> Fraction:
    """Return a short decimal at or below -ln(alpha), proven in the same way, for alpha < 1.

    Draws whose epsilons add up to it have alphas whose product is at least alpha: what is shared
    out is rounded toward more privacy.
    """
    guess, scale = _near(alpha)
    candidate = Fraction(math.floor(Fraction(guess) * scale), scale)
    while exp_minus(candidate)[0] < alpha:
        candidate -= Fraction(1, scale)
    return candidate


def product_below(alphas: Iterable[Fraction], times: int) -> Fraction:
    """Return a rational at or below the product of alphas, each `times` over: exact to 70 digits,
    however many.

    >>> product_below([Fraction(1, 2), Fraction(3, 4)], 2)
    Fraction(9, 64)
    """
    whole = Fraction(1)
    for alpha in alphas:
        square, left = alpha, times
        while left:
            if left & 1:
                whole = _rounded_down(whole * square)
            square, left = _rounded_down(square * square), left >> 1
    return whole


def _rounded_down(value: Fraction) -> Fraction:
    """The value, cut to 256 binary digits where it has more."""
    if value.denominator.bit_length() <= 512:
        return value
    places = 256 + value.denominator.bit_length() - value.numerator.bit_length()
    return Fraction((value.numerator << places) // value.denominator, 1 << places)


def _near(alpha: Fraction) -> tuple[float, int]:
    """-ln(alpha) by floats, and the scale at which it has eleven digits."""
    near_one = alpha > Fraction(1, 2)
    guess = (
        -math.log1p(-float(1 - alpha))
        if near_one
        else math.log(alpha.denominator) - math.log(alpha.numerator)
    )
    if not MIN_EPSILON <= guess <= MAX_EPSILON:
        raise InvalidInput(
            "alpha",
            f"must be exp(-epsilon) for an epsilon between 1e-15 and {MAX_EPSILON}",
            shown(alpha),
        )
    return guess, 10 ** (10 - math.floor(math.log10(guess)))


def exp_minus(x: Fraction) -> tuple[Fraction, Fraction]:
    """Return rationals (low, high) with low <= exp(-x) <= high, for x > 0, tight to 40 digits of x.

    exp(r) for r = x / 2^m <= 1/2 by its series in integers, rounded down and up (the tail after
    term t is at most t, since the terms at least halve); then m squarings, again rounded outward;
    then the reciprocal.
    """
    halvings = max(0, math.ceil(x).bit_length() + 1)
    p, q = x.numerator, x.denominator << halvings
    bits = 160 + 2 * halvings + (x.denominator // p).bit_length()
    one = 1 << bits
    low = high = term_low = term_high = one
    k = 0
    while term_high > 1:
        k += 1
        term_low = term_low * p // (q * k)
        term_high = -(-term_high * p // (q * k))
        low += term_low
        high += term_high
    high += term_high
    for _ in range(halvings):
        low = low * low >> bits
        high = -(-high * high >> bits)
    return Fraction(one, high), Fraction(one, low)


def in_percent(share: Fraction | float) -> str:
    """Write a share, such as a confidence, in percent.

    >>> in_percent(0.95), in_percent(Fraction(999, 1000))
    ('95%', '99.9%')
    """
    return f"{100 * float(share):.6g}%"


def log2_of(top: int, bottom: int) -> float:
    """Return the logarithm of `top / bottom`, two positive integers, which may be too small or
    large for a float.

    >>> log2_of(1, 2**2000)
    -2000.0
    """
    return math.log2(top) - math.log2(bottom)
