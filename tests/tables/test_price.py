"""How a price is shared out: what the draws come to is never below what is stated, exactly."""

from fractions import Fraction
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.rationals import MAX_EPSILON, epsilon_below, exp_minus, product_below, read_alpha
from discreet.errors import InvalidInput
from discreet.tables.asking.price import read_price
from discreet.tables.asking.question import Count, Question
from discreet.tables.engines import Expression

WEIGHTS = st.lists(
    st.fractions(min_value="1/50", max_value=9, max_denominator=60), min_size=1, max_size=4
)
ROWS = st.integers(1, 7)
BELOW_ONE = st.fractions(min_value="1/500", max_value="499/500", max_denominator=10**6)
EPSILONS = st.fractions(min_value="1/1000", max_value=40, max_denominator=10**4)


def question(weights, contributions):
    bit = Expression(text="bit", sql="", columns=frozenset({"bit"}))
    counts = tuple(
        Count(
            name=f"c{place}",
            asked=f"c{place}",
            expression=bit,
            share=Fraction(weight) / sum(map(Fraction, weights)),
        )
        for place, weight in enumerate(weights)
    )
    return Question(
        by=("g",),
        counts=counts,
        size=None,
        where=None,
        unit=None,
        contributions=contributions,
        excess="refuse",
        nulls="refuse",
        keys=None,
        other_keys="refuse",
        confidence=None,
    )


def whole(price, contributions):
    return prod(draw.value for draw in price.each) ** contributions


@given(weights=WEIGHTS, contributions=ROWS, alpha=BELOW_ONE)
def test_draws_shared_out_of_an_alpha_come_to_at_least_that_alpha(weights, contributions, alpha):
    price = read_price(question(weights, contributions), epsilon=None, alpha=alpha)
    assert price.total.value == alpha
    assert whole(price, contributions) >= alpha
    assert sum(draw.epsilon for draw in price.each) * contributions == price.total.epsilon


@given(weights=WEIGHTS, contributions=ROWS, epsilon=EPSILONS)
def test_draws_shared_out_of_an_epsilon_come_to_at_least_the_alpha_stated(
    weights, contributions, epsilon
):
    price = read_price(question(weights, contributions), epsilon=epsilon, alpha=None)
    assert price.total.epsilon == epsilon
    assert exp_minus(epsilon)[1] <= price.total.value <= whole(price, contributions)
    assert sum(draw.epsilon for draw in price.each) * contributions == epsilon
    # a draw is the one that its share of epsilon alone would give: designs are found again
    assert [draw.value for draw in price.each] == [
        read_alpha(epsilon=draw.epsilon).value for draw in price.each
    ]


@pytest.mark.parametrize("alpha", ["10/11", "1/2", "999999/1000000"])
@pytest.mark.parametrize("contributions", [2, 10**6])
def test_what_is_lost_by_rounding_is_a_part_in_a_thousand_million(alpha, contributions):
    price = read_price(question([1, 2, 4], contributions), epsilon=None, alpha=alpha)
    for draw in price.each:
        assert exp_minus(draw.epsilon * (1 - Fraction(2, 10**9)))[0] >= draw.value
    assert product_below((draw.value for draw in price.each), contributions) >= Fraction(alpha)


def test_one_draw_takes_the_price_as_it_is():
    assert read_price(question([1], 1), epsilon=None, alpha="10/11").each == (
        read_alpha(alpha="10/11"),
    )
    assert read_price(question([1], 1), epsilon="1/2", alpha=None).each == (
        read_alpha(epsilon="1/2"),
    )
    with pytest.raises(InvalidInput, match="must be less than 1: otherwise the table says nothing"):
        read_price(question([1, 1], 1), epsilon=None, alpha=1)


@given(alpha=BELOW_ONE)
def test_an_epsilon_below_is_below_and_near(alpha):
    low, high = epsilon_below(alpha), read_alpha(alpha=alpha).epsilon
    assert exp_minus(low)[0] >= alpha >= exp_minus(high)[1]
    assert 0 <= high - low <= high / 10**9


@given(alphas=st.lists(BELOW_ONE, max_size=5), times=st.integers(0, 40))
def test_a_product_is_rounded_down_and_hardly(alphas, times):
    exact = prod(alphas, start=Fraction(1)) ** times
    assert exact * (1 - Fraction(1, 10**70)) <= product_below(alphas, times) <= exact


@pytest.mark.slow
def test_the_smallest_alpha_there_is_can_be_multiplied_too():
    smallest = read_alpha(epsilon=MAX_EPSILON).value
    assert 0 < product_below([smallest] * 3, 1000) <= smallest**3000
