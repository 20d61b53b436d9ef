"""The inequalities behind the fit, checked by counting every possible outcome."""

import itertools
import math

import numpy as np
import pytest

from discreet.auditing.fit import fit
from discreet.auditing.tails import log_tail


def outcomes(draws, kinds):
    """Every way to spread draws over kinds."""
    for bars in itertools.combinations(range(draws + kinds - 1), kinds - 1):
        edges = (-1, *bars, draws + kinds - 1)
        yield tuple(b - a - 1 for a, b in itertools.pairwise(edges))


def chance(counts, p):
    log = math.lgamma(sum(counts) + 1) - sum(math.lgamma(c + 1) for c in counts)
    return math.exp(log + sum(c * math.log(q) for c, q in zip(counts, p, strict=True)))


@pytest.mark.parametrize(
    "p", [(1 / 3, 1 / 3, 1 / 3), (0.7, 0.2, 0.1), (0.9, 0.09, 0.01), (0.4, 0.3, 0.2, 0.1)]
)
@pytest.mark.parametrize("draws", [3, 12, 25])
def test_relative_entropy_is_as_rare_as_the_bound_says(p, draws):
    # Agrawal 2020: Pr[N KL >= x] <= exp(D - x) (x/D)^D with D = kinds - 1, for every N
    freedom = len(p) - 1
    found = []
    for counts in outcomes(draws, len(p)):
        x = sum(c * math.log(c / (draws * q)) for c, q in zip(counts, p, strict=True) if c)
        found.append((x, chance(counts, p)))
    found.sort(reverse=True)
    total = 0.0
    for x, weight in found:
        total += weight
        if x > freedom:
            assert total <= math.exp(freedom - x) * (x / freedom) ** freedom * (1 + 1e-9)


@pytest.mark.parametrize("chances", [(0.1, 0.9), (0.05, 0.1, 0.6), (0.01, 0.5, 0.5, 0.99)])
@pytest.mark.parametrize("each", [1, 4, 10])
def test_unequal_coins_have_lighter_tails_than_equal_ones(chances, each):
    # Hoeffding 1956: beyond one past the mean the tail is at most the binomial's with the average chance
    exact = np.ones(1)
    for p in chances * each:
        exact = np.convolve(exact, [1 - p, p])
    tosses = len(chances) * each
    mean = sum(chances) * each
    for k in range(math.ceil(mean + 1), tosses + 1):
        bound = math.exp(float(log_tail(k, tosses, mean / tosses)))
        assert exact[k:].sum() <= bound * (1 + 1e-9) + 1e-15


def test_an_outcome_that_cannot_be_refutes_at_once():
    matrix = np.array([[1.0, 0.5], [0.0, 0.5]])
    tally = np.zeros((6, 2), dtype=np.int64)
    tally[0], tally[1] = (99, 50), (1, 50)
    found = fit(tally, matrix, 1e-6)
    assert found.refuted
    assert found.p_value == 0
    assert found.divergence == math.inf
    assert found.cells == ((0, 0), (1, 0))


def test_a_tally_that_is_exactly_the_claim_has_no_divergence():
    matrix = np.array([[0.75, 0.25], [0.25, 0.75]])
    tally = np.zeros((6, 2), dtype=np.int64)
    tally[:2] = matrix * 400
    found = fit(tally, matrix, 1e-6)
    assert (found.divergence, found.divergence_p_value, found.p_value) == (0, 1, 1)
