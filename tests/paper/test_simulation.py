"""Simulation: seeded, on public data only, and around exact expectations."""

from fractions import Fraction

import numpy as np
import pytest

from discreet.core.losses import read_prior
from discreet.core.named import fair, uniform
from discreet.paper.figures.adult import hypergeometric_weights
from discreet.paper.simulation import (
    binomial_groups,
    binomial_weights,
    expected_beyond,
    expected_square,
    shuffled_groups,
    simulate,
    spread,
    wrong_beyond,
)


def test_the_same_seed_gives_the_same_draws_and_another_seed_others():
    m, counts = fair(n=8, alpha="9/10"), binomial_groups(8, 0.3, 2, "a")
    assert (simulate(m, counts, "x") == simulate(m, counts, "x")).all()
    assert (simulate(m, counts, "x") != simulate(m, counts, "y")).any()
    assert (binomial_groups(8, 0.3, 2, "a") != binomial_groups(8, 0.3, 2, "b")).any()


def test_ten_thousand_people_make_as_many_full_groups_as_fit():
    assert binomial_groups(12, 0.5, 3, "a").shape == (3, 833)


def test_gathering_people_arbitrarily_keeps_everyone_once():
    bits = np.arange(10) < 4
    groups = shuffled_groups(bits, 5, 6, "a")
    assert groups.shape == (6, 2)
    assert (groups.sum(axis=1) == 4).all()


@pytest.mark.parametrize("p", [0.0, 0.25, 1.0])
def test_exact_expectations_are_the_scores_under_a_binomial_prior(p):
    n, m = 6, fair(n=6, alpha="10/11")
    prior = read_prior(f"Binomial({Fraction(p)})", n)
    weights = binomial_weights(n, p)
    assert weights == pytest.approx([float(w) for w in prior.weights])
    # the score carries the factor (n+1)/n, the fraction of groups does not
    assert expected_beyond(m, weights, 1) == pytest.approx(
        float(m.score("L0,1", prior)) * n / (n + 1)
    )
    assert expected_square(m, weights) == pytest.approx(float(m.score("L2", prior)))


def test_hypergeometric_weights_are_a_distribution_with_the_right_mean():
    weights = hypergeometric_weights(100, 30, 8)
    assert weights.sum() == pytest.approx(1)
    assert weights @ np.arange(9) == pytest.approx(2.4)


def test_guessing_is_wrong_with_chance_n_over_n_plus_1():
    """60,000 draws; six standard deviations: a false alarm in 10^9 runs."""
    counts = binomial_groups(4, 0.5, 24, "seed")
    wrong = wrong_beyond(simulate(uniform(n=4), counts, "draws"), counts, 0).mean()
    assert abs(wrong - 0.8) < 6 * (0.8 * 0.2 / counts.size) ** 0.5


def test_one_repetition_has_no_spread():
    assert np.isnan(spread(np.array([1.0])).deviation)
