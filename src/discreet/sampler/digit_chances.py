"""Chances of binary digits of a geometric number, compared with random words exactly and never
written out.

With P(G = g) = (1-a) a^g the binary digits of G are independent: a^g is the product of a^(2^i) over
the digits i that are 1, so

    P(digit i is 1) = a^(2^i) / (1 + a^(2^i))          (`SetDigit`)
    P(G >= 2^i)     = a^(2^i)                           (`AtLeast`), independent of the digits below
                    i.

As a fraction a^(2^i) has about 2^i digits (i = 29 for a group of 10^9), so a chance p is known by
integer bounds, low <= 2^bits p <= high, for as many bits as somebody asks for. A word w of 64 bits
holds the first digits of a uniform point u, w <= 2^64 u < w + 1, and the answer is "yes" iff u < p.
With t <= 2^64 p <= t + 1 (`first_word`)

    w < t  proves u < p,   w > t  proves u >= p,   w = t  is a tie,

and a tie takes more words and asks for bounds of as many bits until they decide (`settle`). So
"yes" has chance exactly p for ideal words, and a tie has chance 2^-64.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from discreet.core.forms.fixed_point import power_bounds

WORD_BITS = 64


class Chance(Protocol):
    """A number p between 0 and 1, known as closely as wanted."""

    def bounds(self, bits: int) -> tuple[int, int]:
        """Integers low and high with low <= 2^bits p <= high, at most 3 apart."""


@dataclass(frozen=True, slots=True)
class AtLeast:
    """That a geometric number is 2^i or more: a^(2^i).

    >>> AtLeast(Fraction(1, 2), 3).bounds(10)
    (4, 4)
    """

    alpha: Fraction
    i: int

    def bounds(self, bits: int) -> tuple[int, int]:
        """The power by squaring, rounded both ways."""
        return power_bounds(self.alpha, 1 << self.i, bits)


@dataclass(frozen=True, slots=True)
class SetDigit:
    """That digit i of a geometric number is 1: x / (1 + x) with x = a^(2^i).

    >>> SetDigit(Fraction(1, 3), 0).bounds(10)  # 1/4, exactly
    (256, 256)
    """

    alpha: Fraction
    i: int

    def bounds(self, bits: int) -> tuple[int, int]:
        """Exact bounds for digit 0; for the others those of x, since x / (1 + x) grows, and slower
        than x.

        Only digit 0 can have a chance of finitely many binary digits that x does not have: p + q is
        a power of two for alpha = 1/3 and the like, but a sum of two coprime squares is one only if
        both are 1. So `first_word` ends.
        """
        p, q = self.alpha.numerator, self.alpha.denominator
        if self.i == 0:
            return (p << bits) // (p + q), -(-(p << bits) // (p + q))
        one = 1 << bits
        low, high = AtLeast(self.alpha, self.i).bounds(bits)
        return (low << bits) // (one + low), -(-(high << bits) // (one + high))


@dataclass(frozen=True, slots=True)
class MovedInward:
    """That an end of GM is moved inward, which makes its columns honest: (2a-1)/(2a), exactly, for
    alpha above 1/2.

    >>> MovedInward(Fraction(2, 3)).bounds(10)  # 1/4
    (256, 256)
    """

    alpha: Fraction

    def bounds(self, bits: int) -> tuple[int, int]:
        """The fraction, rounded both ways."""
        p, q = self.alpha.numerator, self.alpha.denominator
        return ((2 * p - q) << bits) // (2 * p), -(-((2 * p - q) << bits) // (2 * p))


def first_word(chance: Chance, word_bits: int = WORD_BITS) -> int:
    """The word t with t <= 2^word_bits p <= t + 1: only this word is a tie.

    >>> first_word(SetDigit(Fraction(1, 2), 0), 4)  # 16/3
    5
    """
    spare = word_bits
    while True:
        low, high = chance.bounds(word_bits + spare)
        word = min(
            low >> spare, (1 << word_bits) - 1
        )  # for p = 1 the last word, and a tie says yes
        if high <= (word + 1) << spare:
            return word
        spare *= 2


def settle(chance: Chance, word: int, more: Callable[[], int], word_bits: int = WORD_BITS) -> bool:
    """Finish a comparison whose word was a tie: lengthen the point until bounds of that length
    decide.
    """
    point, bits = word, word_bits
    while True:
        point, bits = (point << word_bits) | more(), bits + word_bits
        low, high = chance.bounds(bits)
        if point < low:
            return True
        if point >= high:
            return False
