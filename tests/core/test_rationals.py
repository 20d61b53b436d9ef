import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.rationals import read_count, read_fraction, shown, simplest_between
from discreet.errors import InvalidInput


@pytest.mark.parametrize(
    ("given_value", "expected"),
    [
        ("10/11", Fraction(10, 11)), ("0.9", Fraction(9, 10)), (0.9, Fraction(9, 10)), (1, Fraction(1)),
        (Fraction(2, 3), Fraction(2, 3)), (Decimal("0.25"), Fraction(1, 4)), (np.float64(0.9), Fraction(9, 10)),
        (np.float32(0.1), Fraction(1, 10)), (np.int64(3), Fraction(3)), (" 1e-3 ", Fraction(1, 1000)), (".5", Fraction(1, 2)),
    ],
)  # fmt: skip
def test_numbers_are_read_as_people_write_them(given_value, expected):
    assert read_fraction("alpha", given_value) == expected


@pytest.mark.parametrize(
    "bad",
    [
        True,
        np.bool_(True),
        math.nan,
        math.inf,
        -math.inf,
        "",
        "x",
        "1/0",
        "1e999999999",
        "0x10",
        None,
        [1],
        Decimal("NaN"),
        "1/2/3",
    ],
)
def test_what_is_not_a_finite_number_is_refused_by_name(bad):
    with pytest.raises(InvalidInput, match="`alpha` must be a"):
        read_fraction("alpha", bad)


@given(st.fractions(0, 10), st.fractions(0, 1))
def test_the_simplest_fraction_lies_between_and_none_is_simpler(low, width):
    high = low + width
    best = simplest_between(low, high)
    assert low <= best <= high
    if best.denominator <= 60:
        for q in range(1, best.denominator):
            assert math.ceil(low * q) > high * q, "a smaller denominator would have done"


def test_counts_are_whole_numbers():
    assert read_count("n", np.int8(4)) == 4
    for bad in (True, 1.0, "4", -1, None):
        with pytest.raises(InvalidInput, match="`n` must be"):
            read_count("n", bad)
    with pytest.raises(InvalidInput, match="at most 5"):
        read_count("n", 6, most=5)


def test_numbers_beyond_floats_are_shown_too():
    assert shown(Fraction(10) ** 999) == "1.00000e+999"
    assert shown(Fraction(-1, 10**999)) == "-1e-999"


def test_numbers_near_one_are_not_shown_as_one():
    assert shown(1 - Fraction(1, 10**12)) == "1 - 1e-12"
    assert shown(1 + Fraction(1, 10**12)) == "1 + 1e-12"
