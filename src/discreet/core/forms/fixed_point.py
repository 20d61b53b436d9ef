"""Integer bounds of powers of alpha and of a column's cumulative chances, without the huge exact
numbers.

At n = 100,000 an exact entry has a million digits; a draw needs the first 64 bits of a chance, and
more only in a tie. These bounds give any number of bits with a proven error, so sampling stays
exact.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import accumulate


def power_bounds(alpha: Fraction, exponent: int, bits: int) -> tuple[int, int]:
    """Return low and high with low <= 2^bits alpha^exponent <= high, at most 2 apart, by squaring
    along the exponent.

    Numbers are up to 1, so a squaring at most doubles an error, and each rounding adds 1 to it:
    after d digits of the exponent it is below 2^(d+1) on either side, which is nothing once d + 2
    spare bits are dropped.

    >>> (
    ...     power_bounds(Fraction(1, 2), 3, 10),
    ...     power_bounds(1 - Fraction(1, 10**9), 10**9, 20),
    ... )  # 2^20 / e = 385749.5
    ((128, 128), (385749, 385750))
    """
    p, q = alpha.numerator, alpha.denominator
    spare = exponent.bit_length() + 2
    precision = bits + spare
    low = high = 1 << precision
    for digit in f"{exponent:b}":
        low, high = low * low >> precision, -(-high * high >> precision)
        if digit == "1":
            low, high = low * p // q, -(-high * p // q)
    return low >> spare, -(-high >> spare)


@lru_cache(maxsize=8)
def powers_below(alpha: Fraction, top: int, bits: int) -> tuple[tuple[int, ...], int]:
    """Return F_k and slack with F_k <= 2^P alpha^k < F_k + slack, k = 0..top, P large enough for
    `bits` in sums.

    Rounding down loses less than 1 at each step, and alpha <= 1 never makes an earlier loss grow.
    """
    precision = bits + 2 * (top + 2).bit_length() + alpha.denominator.bit_length() + 16
    powers = [1 << precision]
    for _ in range(top):
        powers.append(powers[-1] * alpha.numerator // alpha.denominator)
    return tuple(powers), top + 1


def cumulative(low: list[int], slack: int, bits: int) -> tuple[list[int], int]:
    """Return integers L_i and e with L_i <= 2^bits CDF(i) <= L_i + e from weights low by less than
    `slack` each.

    With S_i the sum of the low weights to i, s the whole slack and T the true total, S_n <= T <=
    S_n + s, so S_i / (S_n + s) <= CDF(i) <= (S_i + s) / S_n, and these differ by at most 2 s / S_n.
    """
    sums = list(accumulate(low))
    least, whole = sums[-1], slack * len(low)
    return [(s << bits) // (least + whole) for s in sums], ((2 * whole) << bits) // least + 2


def power_at_most(alpha: Fraction, exponent: int, bound: Fraction) -> bool:
    """Whether alpha^exponent <= bound, exactly: by enclosures that get closer, and at last by the
    number itself.

    >>> (
    ...     power_at_most(Fraction(1, 2), 10, Fraction(1, 1024)),
    ...     power_at_most(Fraction(1, 2), 9, Fraction(1, 1024)),
    ... )
    (True, False)
    >>> power_at_most(1 - Fraction(1, 10**9), 10**9, Fraction(3678794411, 10**10))
    True
    """
    bits = 128
    while bits < exponent * alpha.denominator.bit_length():
        low, high = power_bounds(alpha, exponent, bits)
        if high * bound.denominator <= bound.numerator << bits:
            return True
        if low * bound.denominator > bound.numerator << bits:
            return False
        bits *= 4
    return alpha**exponent <= bound
