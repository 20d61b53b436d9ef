import math
from decimal import Decimal
from fractions import Fraction

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.rationals import (
    SLACK,
    Alpha,
    exp_minus,
    read_alpha,
    read_count,
    read_fraction,
    shown,
    simplest_between,
)
from discreet.errors import InvalidInput


@pytest.mark.parametrize(
    ("given_value", "expected"),
    [
        ("10/11", Fraction(10, 11)),
        ("0.9", Fraction(9, 10)),
        (0.9, Fraction(9, 10)),
        (1, Fraction(1)),
        (Fraction(2, 3), Fraction(2, 3)),
        (Decimal("0.25"), Fraction(1, 4)),
        (np.float64(0.9), Fraction(9, 10)),
        (np.float32(0.1), Fraction(1, 10)),
        (np.int64(3), Fraction(3)),
        (" 1e-3 ", Fraction(1, 1000)),
        (".5", Fraction(1, 2)),
    ],
)
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


LONG = "9" * 5000


@pytest.mark.parametrize(
    "long",
    [
        10**5000,
        -(10**5000),
        10**2000,
        Fraction(1, 10**5000),
        Fraction(10**5000 + 1, 10**5000),
        Decimal("0." + LONG),
        Decimal(LONG),
        LONG,
        f"1/{LONG}",
        f"0.{LONG}",
        f"1e{LONG}",
        f"{'9' * 1500}e999",
    ],
    ids=range(12),
)
def test_numbers_of_thousands_of_digits_are_refused(long):
    """Python writes no integer of more than 4,300 digits, so nothing could be said about them, or kept."""
    for read in (
        read_fraction,
        lambda name, value: read_alpha(epsilon=value),
        lambda name, value: read_alpha(alpha=value),
    ):
        with pytest.raises(
            InvalidInput, match="must have at most 2,000 digits|must be a finite number"
        ) as refused:
            read("epsilon", long)
        assert len(str(refused.value)) < 400 and refused.value.to_dict()


def test_numbers_of_two_thousand_digits_are_read():
    assert read_fraction("epsilon", f"{'9' * 2000}/{'8' * 2000}") == Fraction(
        int("9" * 2000), int("8" * 2000)
    )
    assert read_alpha(epsilon=f"1/{'3' * 10}{'7' * 5}").value < 1


def test_a_count_of_thousands_of_digits_is_refused_without_its_digits():
    with pytest.raises(
        InvalidInput, match="must be at least 0 and at most 5, not a number of thousands of digits"
    ):
        read_count("n", 10**5000, most=5)


def test_a_decimal_comma_is_told_what_was_meant():
    with pytest.raises(InvalidInput, match=r"not 0,5: write 0\.5$"):
        read_fraction("epsilon", "0,5")


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


epsilons = st.one_of(
    st.fractions(Fraction(1, 10**6), 20).filter(lambda x: x > 0),
    st.sampled_from(
        [Fraction(1, 10**15), Fraction(1, 2), Fraction(1, 10), Fraction(1000), Fraction(7, 10**9)]
    ),
)


def arb(x: Fraction):
    return flint.arb(x.numerator) / flint.arb(x.denominator)


@given(epsilons)
def test_exp_bounds_enclose_the_truth(epsilon):
    """Against Arb's ball arithmetic, which nobody here wrote."""
    low, high = exp_minus(epsilon)
    with flint.ctx.workprec(400):
        truth = (-arb(epsilon)).exp()
        assert arb(low) <= truth <= arb(high)
    assert (high - low) < low * epsilon / 10**20


@given(epsilons)
def test_alpha_is_never_weaker_than_epsilon_and_hardly_stronger(epsilon):
    privacy = read_alpha(epsilon=epsilon)
    with flint.ctx.workprec(400):
        assert (-arb(epsilon)).exp() <= arb(privacy.value) <= (-arb(epsilon * (1 - SLACK))).exp()
    assert privacy.epsilon == epsilon


@given(st.fractions(Fraction(1, 10**6), 1 - Fraction(1, 10**14)))  # nearer to 1 is refused
def test_epsilon_of_an_alpha_is_rounded_up(alpha):
    privacy = read_alpha(alpha=alpha)
    with flint.ctx.workprec(400):
        truth = -arb(alpha).log()
        assert truth <= arb(privacy.epsilon)
        assert arb(privacy.epsilon) <= truth * arb(1 + Fraction(1, 10**9))


def test_halves_of_a_budget_make_a_whole():
    assert read_alpha(epsilon=0.5).epsilon + read_alpha(epsilon="1/2").epsilon == 1
    assert sum(read_alpha(epsilon=0.1).epsilon for _ in range(10)) == 1


def test_one_means_the_input_is_ignored():
    assert read_alpha(alpha=1).epsilon == 0
    assert read_alpha(epsilon=0).value == 1


def test_zero_is_refused_with_the_reason():
    with pytest.raises(InvalidInput, match="no privacy at all"):
        read_alpha(alpha=0)


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {"alpha": "1/2", "epsilon": 1},
        {"alpha": 2},
        {"alpha": -0.5},
        {"epsilon": -1},
        {"epsilon": "inf"},
        {"epsilon": 1e9},
        {"epsilon": 1e-30},
        {"alpha": "1e-900"},
        {"alpha": "nan"},
    ],
)
def test_bad_parameters_are_named(bad):
    with pytest.raises(InvalidInput, match="`(alpha|epsilon)`"):
        read_alpha(**bad)


def test_printing_shows_both():
    assert str(read_alpha(alpha="10/11")) == "alpha = 10/11 (epsilon = 0.0953102)"
    assert str(read_alpha(epsilon=0.5)) == "alpha = 0.606531 (epsilon = 0.5)"


@pytest.mark.parametrize(
    ("value", "epsilon"),
    [
        (Fraction(1, 2), Fraction(0)),
        (Fraction(1, 2), Fraction(69, 100)),
        (Fraction(1, 2), Fraction(-1)),
        (Fraction(0), Fraction(1)),
        (Fraction(-1, 2), Fraction(1)),
        (Fraction(3, 2), Fraction(1)),
        (0.5, Fraction(1)),
        (Fraction(1, 2), 1),
    ],
)
def test_no_parameter_is_accounted_at_less_than_it_costs(value, epsilon):
    """ln 2 is 0.6931...: alpha = 1/2 at epsilon = 0.69 would be a release that the ledger undercharges."""
    with pytest.raises(InvalidInput):
        Alpha(value=value, epsilon=epsilon)
    assert Alpha(value=Fraction(1, 2), epsilon=Fraction(7, 10)).epsilon == Fraction(7, 10)


def test_a_parameter_that_was_read_is_taken_as_it_is_and_not_beside_another():
    read = read_alpha(epsilon="1/3")
    assert read_alpha(alpha=read) is read
    with pytest.raises(InvalidInput, match="exactly one"):
        read_alpha(alpha=read, epsilon="1/2")
