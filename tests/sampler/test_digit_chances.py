"""Chances of digits: bounds that hold the exact number, and comparisons that have exactly its chance."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.sampler.sampler_support import outcomes

from discreet.core.forms import ColumnHonest
from discreet.sampler.digit_chances import AtLeast, MovedInward, SetDigit, first_word, settle

ALPHAS = [
    Fraction(text) for text in ("10/11", "1/2", "3/4", "1/3", "1/1000", "999999/1000000", "1")
]


def exact(chance):
    """The number itself, written out."""
    if isinstance(chance, MovedInward):
        return ColumnHonest(3, chance.alpha).moved
    power = chance.alpha ** (2**chance.i)
    return power if isinstance(chance, AtLeast) else power / (1 + power)


CHANCES = [kind(alpha, i) for kind in (SetDigit, AtLeast) for alpha in ALPHAS for i in range(6)]
CHANCES += [MovedInward(Fraction(text)) for text in ("51/100", "3/5", "2/3", "39750/65537")]


@pytest.mark.parametrize("chance", CHANCES, ids=str)
def test_bounds_hold_the_number_and_are_close(chance):
    for bits in (1, 5, 64, 200):
        low, high = chance.bounds(bits)
        assert low <= exact(chance) * 2**bits <= high
        assert 0 <= high - low <= 3
        assert high <= 2**bits


@pytest.mark.parametrize("chance", CHANCES, ids=str)
@pytest.mark.parametrize("bits", [1, 3, 64])
def test_one_word_is_a_tie_and_no_other(chance, bits):
    word = first_word(chance, bits)
    assert 0 <= word < 2**bits
    assert word <= exact(chance) * 2**bits <= word + 1


@pytest.mark.parametrize("chance", CHANCES, ids=str)
def test_over_every_word_yes_has_exactly_its_chance(chance):
    """What more words leave open shrinks to nothing, and the truth always lies within it."""
    bits = 3
    tie = first_word(chance, bits)

    def answer(more):
        attempts = iter(range(1, 10))
        return settle(chance, tie, lambda: more(next(attempts)), bits)

    for depth in (0, 1, 2):
        yes, still_open = Fraction(tie, 2**bits), Fraction(0)  # the words below the tie say yes
        for value, share in outcomes(answer, bits, depth):
            yes += share / 2**bits if value else 0
            still_open += share / 2**bits if value is None else 0
        assert yes <= exact(chance) <= yes + still_open
        assert still_open <= Fraction(3, 2 ** (bits * (depth + 1)))


def test_digits_of_a_nation_are_settled_without_writing_powers_out():
    """2^29 places behind the point: zero words say nothing until there are enough of them, any other word says no."""
    digit = SetDigit(Fraction(10, 11), 29)
    assert first_word(digit) == 0
    assert settle(digit, 0, lambda: 1) is False
    near = SetDigit(Fraction(999_999_999, 10**9), 29)
    assert abs(first_word(near) / 2**64 - 0.3689) < 1e-4


def test_a_certain_yes_is_a_yes_for_every_word():
    sure = AtLeast(Fraction(1), 30)
    assert first_word(sure) == 2**64 - 1
    assert settle(sure, 2**64 - 1, lambda: 2**64 - 1) is True
