"""The distribution of true counts: unbiased, projected, likeliest."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.amounts import tries

from discreet.core.named import fair, geometric, uniform
from discreet.reading.distribution import distribution, invert_histogram, to_simplex
from discreet.reading.methods.debiasing import NotEstimable
from discreet.reading.methods.mixtures import mixture

NAMED = {"GM": geometric, "EM": fair}


@settings(max_examples=tries(30), deadline=None)
@given(
    truth=st.lists(st.integers(0, 50), min_size=2, max_size=9).filter(any),
    alpha=st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20),
    build=st.sampled_from([geometric, fair]),
)
def test_the_expected_histogram_gives_the_true_distribution_back_exactly(truth, alpha, build):
    """Linear and right on expectations, hence unbiased: M^-1 (M t) = t as rationals."""
    n = len(truth) - 1
    m = build(n=n, alpha=alpha)
    expected = [sum(m[i, j] * t for j, t in enumerate(truth)) for i in range(n + 1)]
    scale = int(np.lcm.reduce([e.denominator for e in expected], dtype=object))
    back = invert_histogram(m.form, [int(e * scale) for e in expected])
    assert back == tuple(Fraction(t, sum(truth)) for t in truth)


@given(point=st.lists(st.floats(-3, 3), min_size=1, max_size=9))
def test_the_projection_is_the_nearest_distribution(point):
    p = to_simplex(np.array(point))
    assert p.min() >= 0
    assert p.sum() == pytest.approx(1)
    # Optimality: the gradient (p - point) is smallest, and equal, where p is positive.
    gradient = p - np.array(point)
    assert (gradient >= gradient[p > 0].max() - 1e-9).all()


@pytest.mark.parametrize("alpha", ["1/10", "1/2", "9/10"])
@pytest.mark.parametrize("name", NAMED)
def test_the_likeliest_distribution_is_certified(name, alpha):
    m = NAMED[name](n=8, alpha=alpha)
    rng = np.random.default_rng(5)
    outputs = rng.multinomial(500, m.array @ np.full(9, 1 / 9))
    p, gap = mixture(m.array, outputs.astype(float))
    assert p.min() >= 0
    assert p.sum() == pytest.approx(1)
    assert gap <= 1e-6
    best = outputs @ np.log(m.array @ p)
    for other in rng.dirichlet(np.ones(9), size=200):
        assert outputs @ np.log(m.array @ other) <= best + 500 * gap + 1e-9


def test_the_likeliest_distribution_is_the_unbiased_one_when_that_is_a_distribution():
    m = geometric(n=3, alpha="1/5")
    d = distribution(m.form, [40, 30, 20, 10])
    assert min(d.estimate) > 0
    assert np.allclose(d.likeliest, d.estimate, atol=1e-5)
    assert np.allclose(d.projected, d.estimate)
    assert sum(d.unbiased) == 1


def test_estimates_come_near_the_truth_with_many_groups():
    m = geometric(n=6, alpha="1/2")
    truth = np.array([0.4, 0.25, 0.15, 0.1, 0.05, 0.03, 0.02])
    outputs = np.random.default_rng(3).multinomial(200_000, m.array @ truth)
    d = distribution(m.form, outputs)
    assert np.abs(d.estimate - truth).max() < 5 * d.standard_error.max()
    assert (d.low <= truth).all()
    assert (truth <= d.high).all()
    assert np.abs(d.likeliest - truth).max() < 0.02


def test_intervals_stay_in_range_and_hold_the_cut_estimate():
    d = distribution(fair(n=5, alpha="9/10").form, [3, 0, 0, 1, 0, 0])
    inside = np.clip(d.estimate, 0, 1)
    assert (d.low >= 0).all()
    assert (d.high <= 1).all()
    assert (d.low <= inside).all()
    assert (inside <= d.high).all()


def test_it_prints_within_80_columns():
    text = str(distribution(geometric(n=3, alpha="1/2").form, [5, 4, 3, 2]))
    assert max(map(len, text.splitlines())) <= 80
    assert "14 groups of size 3" in text


def test_the_uniform_mechanism_is_refused():
    with pytest.raises(NotEstimable, match=r"singular.*posterior"):
        distribution(uniform(n=3).form, [1, 2, 3, 4])


def test_hopeless_privacy_is_refused():
    with pytest.raises(NotEstimable, match="distribution of true counts cannot be estimated"):
        distribution(geometric(n=3, alpha="999/1000").form, [1, 2, 3, 4])
