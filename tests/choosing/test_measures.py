"""The measures in a table are the scores, biases and chances of truth that the mechanism itself reports."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from tests.amounts import tries
from tests.strategies import mechanisms

import discreet as dc
from discreet.choosing.measures import briefly, measure


@given(m=mechanisms())
@settings(max_examples=tries(40), deadline=None)
def test_measures_are_the_mechanism_s_own_scores(m):
    for prior in (None, "Binomial(1/3)"):
        found = measure(m, prior)
        assert found.l0 == m.score("L0", prior)
        assert found.l01 == m.score("L0,1", prior)
        assert found.l1 == m.score("L1", prior)
        assert found.l2 == m.score("L2", prior)
        assert found.worst_bias == max(abs(m.bias(j)) for j in range(m.n + 1))
        assert found.least_truth == min(m.truth(j) for j in range(m.n + 1))
    assert measure(m).mean_truth == sum(m.truth(j) for j in range(m.n + 1)) / Fraction(m.n + 1)


def test_nobody_in_the_group_costs_nothing():
    found = measure(dc.geometric(n=0, alpha="1/2"))
    assert (found.l0, found.l01, found.l2, found.least_truth) == (0, 0, 0, 1)


@pytest.mark.parametrize(
    "value", [0, 1e-12, 0.00099999, 0.001, 9.99996, 99.9999, 999.999, 9999.99, 999_999.9, 3e10]
)
def test_numbers_fit_six_characters_and_stay_true(value):
    text = briefly(value)
    assert len(text) <= 6
    assert float(text) == pytest.approx(value, rel=0.05)
