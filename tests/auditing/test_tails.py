"""Clopper-Pearson bounds against exact integer arithmetic."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.amounts import tries

from discreet.auditing.tails import log_extreme, log_tail, lower_bound, upper_bound


def exact_tail(k: int, draws: int, chance: Fraction) -> Fraction:
    """Pr[Binomial(draws, chance) >= k], in integers."""
    a, b = chance.numerator, chance.denominator
    total = sum(math.comb(draws, i) * a**i * (b - a) ** (draws - i) for i in range(k, draws + 1))
    return Fraction(total, b**draws)


@st.composite
def outcomes(draw):
    draws = draw(st.integers(1, 300))
    return draw(st.integers(0, draws)), draws


@settings(max_examples=tries(40), deadline=None)
@given(outcomes(), st.sampled_from([0.3, 0.005, 1e-6, 1e-12]))
def test_a_lower_bound_allows_the_error_stated_and_hardly_less(outcome, error):
    k, draws = outcome
    low = Fraction(float(lower_bound(k, draws, error)))
    if k == 0:
        assert low == 0
        return
    assert exact_tail(k, draws, low) <= Fraction(error)
    assert exact_tail(k, draws, min(Fraction(1), low * Fraction(1000001, 1000000))) > Fraction(
        error
    ) * Fraction(999, 1000)


@settings(max_examples=tries(40), deadline=None)
@given(outcomes(), st.sampled_from([0.3, 0.005, 1e-6, 1e-12]))
def test_an_upper_bound_mirrors_the_lower_one(outcome, error):
    k, draws = outcome
    high = Fraction(float(upper_bound(k, draws, error)))
    if k == draws:
        assert high == 1
        return
    assert exact_tail(draws - k, draws, 1 - high) <= Fraction(error)
    assert abs(float(high) - (1 - float(lower_bound(draws - k, draws, error)))) < 1e-9


@pytest.mark.parametrize("draws", [10**5, 10**7, 10**9])
def test_bounds_hold_at_many_draws_where_logs_of_factorials_are_rough(draws):
    # the tail at the bound, summed term by term from the exact ratio of neighbours, scaled by Stirling's series
    rng = np.random.default_rng(1)
    for k in [*rng.integers(1, draws, 5).tolist(), 1, 2, 30]:
        s = float(lower_bound(k, draws, 1e-6))
        assert tail_by_ratios(k, draws, s) <= 1e-6
        assert tail_by_ratios(k, draws, s) >= 1e-6 * (1 - 1e-4)


def tail_by_ratios(k: int, draws: int, s: float) -> float:
    """The upper tail from Loader's deviance form of the first term, which loses no digits, and term ratios."""

    def stirling_rest(x: int) -> float:
        if x < 16:
            return (
                math.lgamma(x + 1) - (x + 0.5) * math.log(x) + x - 0.5 * math.log(2 * math.pi)
                if x
                else 0.0
            )
        return 1 / (12 * x) - 1 / (360 * x**3)

    def deviance(x: int, mean: float) -> float:
        gap = (x - mean) / mean
        return mean * ((1 + gap) * math.log1p(gap) - gap) if x else mean

    left, mean = draws - k, draws * s
    log_term = stirling_rest(draws) - stirling_rest(k) - stirling_rest(left) - deviance(k, mean)
    log_term += 0.5 * math.log(draws / (2 * math.pi * k * left)) - deviance(left, draws - mean)
    total, term, i = 0.0, 1.0, k
    while term > 1e-16 * max(total, 1) and i <= draws:
        total += term
        term *= (draws - i) / (i + 1) * s / (1 - s)
        i += 1
    return math.exp(log_term) * total


@given(outcomes(), st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50))
@settings(max_examples=tries(40), deadline=None)
def test_tails_are_the_sums_they_stand_for(outcome, chance):
    k, draws = outcome
    if k > draws * chance:
        assert math.isclose(
            math.exp(float(log_tail(k, draws, float(chance)))),
            exact_tail(k, draws, chance),
            rel_tol=1e-9,
        )
    elif k < draws * chance:
        lower = exact_tail(draws - k, draws, 1 - chance)
        assert math.isclose(
            math.exp(float(log_extreme(k, draws, float(chance)))), lower, rel_tol=1e-9
        )


def test_what_is_impossible_has_no_chance():
    assert log_extreme(1, 1000, 0.0) == -math.inf
    assert log_extreme(999, 1000, 1.0) == -math.inf
    assert log_extreme(0, 1000, 0.0) == 0


def test_bounds_cover_as_often_as_they_say():
    # exactly, for every chance on a grid: the coins whose bound lies above the truth have chance <= error together
    draws, error = 40, 0.05
    low = lower_bound(np.arange(draws + 1), draws, error)
    for step in range(1, 100):
        p = step / 100
        wrong = [k for k in range(draws + 1) if low[k] > p]
        missed = sum(math.comb(draws, k) * p**k * (1 - p) ** (draws - k) for k in wrong)
        assert missed <= error
