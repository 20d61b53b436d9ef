"""Closed forms of GM's noise are those of its matrix, and Laplace noise of scale 1/epsilon is above it."""

from fractions import Fraction

import numpy as np
import pytest

from discreet.core.named import fair, geometric, uniform
from discreet.errors import InvalidInput
from discreet.reading.levels.level_noise import geometric_noise, mechanism_noise, unreleased
from discreet.reading.levels.mean_excess import mean_excess, scale_of
from discreet.reading.methods.debiasing import NotEstimable
from discreet.reading.totals import count_score

SIZES = [1, 2, 3, 8, 40]


@pytest.mark.parametrize("alpha", [Fraction(1, 20), Fraction(1, 2), Fraction(9, 10)])
@pytest.mark.parametrize("n", SIZES)
def test_closed_forms_are_those_of_the_matrix(n, alpha):
    score = count_score(geometric(n=n, alpha=alpha))
    noise = geometric_noise(np.full(n + 1, n), alpha)
    values, variances = noise.read(np.arange(n + 1))
    assert np.allclose(values, score.values)
    assert np.allclose(score.matrix.T @ variances, score.variance)
    assert noise.worst[0] == pytest.approx(score.variance.max())
    assert noise.least[0] == pytest.approx(score.variance.min())
    assert noise.working[0] == pytest.approx(score.variance[n // 2])
    assert noise.skew[0] == pytest.approx(max(score.skew))
    assert noise.step[0] == pytest.approx(score.step)
    assert noise.score_noise[0][0] >= score.score_noise[0] - 1e-9
    assert noise.score_noise[1][0] >= score.score_noise[1] - 1e-9
    assert noise.scale[0] >= scale_of(score) * (1 - 1e-9)
    for working, prior in [("uniform", np.full(n + 1, 1 / (n + 1))), (0.3, _binomial(n, 0.3))]:
        mean = geometric_noise(np.array([n]), alpha, working=working).working[0]
        assert mean == pytest.approx(score.variance @ prior), working


def _binomial(n, rate):
    prior = np.ones(1)
    for _ in range(n):
        prior = np.convolve(prior, [1 - rate, rate])
    return prior


@pytest.mark.parametrize("make", [fair, geometric])
@pytest.mark.parametrize("n", [1, 3, 8])
def test_laplace_noise_of_the_scale_is_above_in_the_convex_order(make, n):
    """E(e - u)+ <= E(L - u)+ for all u, on both sides and at every true count; and a smaller scale would not do."""
    score = count_score(make(n=n, alpha=Fraction(1, 2)))
    scale = scale_of(score)
    grid = np.linspace(0, 40, 4001)
    nearest = np.inf
    for x in range(n + 1):
        for sign in (1, -1):
            errors = sign * score.law().errors[:, x]
            losses = np.maximum(errors[:, None] - grid, 0).T @ score.matrix[:, x]
            bound = scale / 2 * np.exp(-grid / scale)
            assert (losses <= bound * (1 + 1e-9) + 1e-12).all()
            some = losses > 1e-6
            nearest = min(nearest, (bound[some] / losses[some]).min())
    assert nearest < 1.001


def test_mean_excess_is_that_of_laplace_and_normal_and_grows_with_concentration():
    for rate in (0.05, 0.025, 0.005):
        one = (1 + np.log(1 / (2 * rate))) / np.sqrt(
            2
        )  # (quantile + 1) over the standard deviation
        found = mean_excess(rate, np.array([0.0, 0.01, 0.1, 0.5, 1.0]))
        assert found[-1] == pytest.approx(one)
        assert (np.diff(found) > 0).all()
    rng = np.random.default_rng(3)
    draws = np.sort(rng.laplace(size=(400_000, 2)).sum(axis=1) / 2)
    assert mean_excess(0.025, np.array([0.5]))[0] == pytest.approx(draws[-10_000:].mean(), rel=0.02)


def test_any_mechanisms_have_their_own_scores_and_gm_the_closed_form():
    mechanisms = [geometric(n=5, alpha="1/2"), fair(n=3, alpha="1/2"), geometric(n=0, alpha="1/2")]
    which = np.array([1, 0, 2, 0])
    noise = mechanism_noise(mechanisms, which, working="uniform")
    values, variances = noise.read(np.array([3, 5, 0, 2]))
    fair_score = count_score(mechanisms[1])
    assert values.tolist() == pytest.approx([fair_score.values[3], 6.0, 0.0, 2.0])
    assert variances[0] == pytest.approx(fair_score.variance_score[3])
    assert noise.working[0] == pytest.approx(fair_score.variance.mean())
    assert noise.worst[2] == noise.scale[2] == 0
    binomial = mechanism_noise(mechanisms, which, working=0.25).working[0]
    assert binomial == pytest.approx(fair_score.variance @ _binomial(3, 0.25))
    assert mechanism_noise(mechanisms, which).working[0] == pytest.approx(fair_score.variance[1])


def test_what_tells_nothing_is_refused_or_has_no_weight():
    with pytest.raises(NotEstimable):
        mechanism_noise([uniform(n=3)], np.array([0]))
    with pytest.raises(InvalidInput, match="alpha"):
        geometric_noise(np.array([3]), 1)
    with pytest.raises(InvalidInput, match="some noise"):
        geometric_noise(np.array([3]), 0)
    with pytest.raises(InvalidInput, match="working"):
        geometric_noise(np.array([3]), 0.5, working="median")
    noise = unreleased(np.array([3, 0]))
    assert noise.working.tolist() == [np.inf, 0.0]
    assert not noise.released
