"""Intervals of sums: exact enumeration for a few groups, simulation for more, and how much wider than an oracle's.

Simulations are seeded; a coverage below nominal by four Monte Carlo standard deviations fails, which a sound interval
does with chance below 1 in 30,000 per case.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from tests.reading.simulation import coverage, coverages, histograms

from discreet.core.named import fair, geometric, weakly_honest
from discreet.reading.methods.debiasing import score
from discreet.reading.methods.sums import (
    CHERNOFF,
    FEW_GROUPS,
    NORMAL,
    Term,
    _chernoff,
    _worst_case,
    margins,
    method,
    standard_error,
)
from discreet.reading.totals import count_score

LEVELS = (0.9, 0.95, 0.99)
NAMED = {"GM": geometric, "EM": fair, "WM": weakly_honest}


def situations(n, groups):
    rng = np.random.default_rng(7)
    return {
        "binomial": rng.binomial(n, 0.3, groups),
        "zeros": np.zeros(groups, dtype=int),
        "ends": np.where(np.arange(groups) % 2, n, 0),
        "middle": np.full(groups, n // 2),
        "skewed": np.minimum(rng.geometric(0.6, groups) - 1, n),
    }


@pytest.mark.parametrize(("n", "groups"), [(1, 1), (1, 4), (2, 3), (4, 2), (8, 1)])
@pytest.mark.parametrize("alpha", ["1/10", "1/2", "9/10"])
@pytest.mark.parametrize("build", [geometric, fair], ids=["GM", "EM"])
def test_few_groups_cover_for_every_configuration_of_true_counts(build, alpha, n, groups):
    """Enumerated: all true counts, all outputs; nothing is simulated."""
    s = count_score(build(n=n, alpha=alpha))
    term = Term(score=s, outputs=np.eye(n + 1)[0] * groups)
    for level in LEVELS:
        below, above = margins([term], level)
        for counts in product(range(n + 1), repeat=groups):
            if list(counts) != sorted(counts):
                continue
            chance = np.ones(1)
            error = np.zeros(1)
            for x in counts:
                chance = np.multiply.outer(chance, s.matrix[:, x]).ravel()
                error = np.add.outer(error, s.values - x).ravel()
            covered = chance[(error <= below + 1e-9) & (error >= -above - 1e-9)].sum()
            assert covered >= level - 1e-12


@pytest.mark.parametrize("groups", [5, FEW_GROUPS, FEW_GROUPS + 1, 100])
def test_totals_cover_and_stay_near_the_oracle(groups):
    for name, n, alpha, factor in (
        ("GM", 8, "607/1000", 1.6),
        ("EM", 4, "1/2", 1.8),
        ("WM", 8, "9/10", 1.35),
    ):
        s = count_score(NAMED[name](n=n, alpha=alpha))
        for counts in situations(n, groups).values():
            covered, wider = coverage(s, counts, 0.95, 400, seed=groups)
            assert covered >= 0.95 - 4 * np.sqrt(0.95 * 0.05 / 400)
            assert wider <= factor


# How much wider than the oracle an interval for a total may be, by the number of groups: docs/old/intervals.md states these.
STATED = {3: 2.8, 10: 2.8, 20: 2.8, 21: 2.2, 50: 1.8, 200: 1.4, 1000: 1.25}


def check(cases, repeats, factor=None):
    """Each case by itself, and each confidence over all cases, where a small lack would show.

    `cases` yields (what, score, true counts); four Monte Carlo standard deviations are allowed both times.
    """
    hits = {level: [] for level in LEVELS}
    for what, s, counts in cases:
        for level, (covered, wider) in zip(
            LEVELS, coverages(s, counts, LEVELS, repeats, seed=11), strict=True
        ):
            hits[level].append(covered)
            assert covered >= level - 4 * np.sqrt(level * (1 - level) / repeats), (
                what,
                level,
                covered,
            )
            assert factor is None or wider <= factor, (what, level, wider)
    for level, found in hits.items():
        assert np.mean(found) >= level - 4 * np.sqrt(level * (1 - level) / (repeats * len(found)))


@pytest.mark.slow
@pytest.mark.parametrize("groups", STATED)
@pytest.mark.parametrize("name", NAMED)
def test_totals_at_length(name, groups):
    """Mechanisms x n x alpha x true counts x confidence, 60 repetitions each; every n meets every alpha twice or more."""
    cases = []
    for one, n in enumerate((1, 2, 4, 8, 12)):
        for two, alpha in enumerate(("1/10", "1/2", "607/1000", "9/10", "10/11")):
            turn = (one + two + list(STATED).index(groups)) % 3 == 0
            if turn and (name == "GM" or n > 1):  # at n = 1 all three are randomized response
                s = count_score(NAMED[name](n=n, alpha=alpha))
                cases += [
                    ((n, alpha, kind), s, counts) for kind, counts in situations(n, groups).items()
                ]
    check(cases, 60, STATED[groups])


# The same for the shares of single counts, alpha >= 1/2.
STATED_SHARES = {5: 4.0, 20: 4.0, 21: 3.6, 50: 2.7, 200: 1.8, 1000: 1.4}


@pytest.mark.slow
@pytest.mark.parametrize("groups", STATED_SHARES)
@pytest.mark.parametrize("name", ["GM", "EM"])
def test_shares_of_single_counts_at_length(name, groups):
    """The entries of the distribution: rare events included, where normal intervals usually fail; each n in its turn."""
    for alphas, factor in (
        (("1/100", "1/10"), None),
        (("1/2", "607/1000", "9/10"), STATED_SHARES[groups]),
    ):
        cases = []
        for one, n in enumerate((2, 8)):
            for alpha in alphas[(one + list(STATED_SHARES).index(groups)) % 2 :: 2]:
                m = NAMED[name](n=n, alpha=alpha)
                for j in sorted({0, 1, n // 2}):
                    s = score(m.form, [int(x == j) for x in range(n + 1)])
                    cases += [
                        ((n, alpha, j, kind), s, counts)
                        for kind, counts in situations(n, groups).items()
                    ]
        check(cases, 50, factor)


def test_the_worst_case_is_never_beyond_chernoff():
    for build in (geometric, fair):
        s = count_score(build(n=6, alpha="3/4"))
        term = Term(score=s, outputs=np.eye(7)[2] * 12)
        for rate in (0.05, 0.005):
            assert _worst_case([term], rate, 1.0) <= _chernoff([term], rate, 1.0)


def test_chernoff_takes_over_for_large_groups_and_still_covers():
    s = count_score(geometric(n=120, alpha="9/10"))
    covered, wider = coverage(s, [3] * 10 + [117] * 10, 0.9, 300, seed=3)
    assert covered >= 0.9
    assert wider < 2.2


@pytest.mark.parametrize("build", [geometric, fair])
def test_chernoff_is_narrow_where_noise_is_nearly_always_0(build):
    s = count_score(build(n=200, epsilon=20))
    assert (
        0
        < _chernoff([Term(score=s, outputs=np.array([6.0]), support=np.array([30]))], 0.025, 1.0)
        < 1
    )


def test_weights_scale_the_interval_and_mixed_sizes_add_up():
    terms = [
        Term(
            score=count_score(geometric(n=n, alpha="1/2")), outputs=np.full(n + 1, 3.0), weight=2.0
        )
        for n in (2, 5)
    ]
    halves = [Term(score=t.score, outputs=t.outputs) for t in terms]
    assert np.allclose(
        np.array(margins(terms, 0.95)), 2 * np.array(margins(halves, 0.95)), rtol=1e-6
    )
    assert standard_error(terms) == pytest.approx(2 * standard_error(halves))
    assert method(terms * 3) == NORMAL


@pytest.mark.parametrize("alpha", ["1/20", "1/2"])
def test_one_noisy_group_among_many_quiet_ones_still_covers(alpha):
    """A normal limit does not hold when one group makes the noise: 120 repetitions at 90%, false alarm below 1 in 10,000."""
    quiet, noisy = (
        count_score(geometric(n=4, alpha="1/10")),
        count_score(geometric(n=6, alpha=alpha)),
    )
    rng, counts, covered = np.random.default_rng(8), rng_counts(4, 200), 0
    weights = (1.0, 20.0)
    for _ in range(120):
        one = Term(score=quiet, outputs=histograms(quiet, counts, 1, rng)[0], weight=weights[0])
        two = Term(score=noisy, outputs=histograms(noisy, [1], 1, rng)[0], weight=weights[1])
        below, above = margins([one, two], 0.9)
        value, truth = one.value + two.value, weights[0] * counts.sum() + weights[1] * 1
        covered += value - below <= truth <= value + above
    assert method([one, two]) == CHERNOFF
    assert covered >= 120 * 0.9 - 4 * np.sqrt(120 * 0.09)


def rng_counts(n, groups):
    return np.random.default_rng(1).binomial(n, 0.4, groups)


def test_a_negative_weight_mirrors_the_margins():
    s = count_score(geometric(n=6, alpha="1/5"))
    outputs = np.array([30.0, 10, 5, 1, 0, 0, 0])
    below, above = margins([Term(score=s, outputs=outputs)], 0.9)
    assert below != pytest.approx(above) or s.skew[0] == pytest.approx(s.skew[1])
    mirrored = margins([Term(score=s, outputs=outputs, weight=-1.0)], 0.9)
    assert mirrored == pytest.approx((above, below))


def test_noise_that_is_rare_beyond_measure_is_no_trouble():
    """Epsilon = 40: an error has chance 1e-17, and the grid must not grow with how far it would be."""
    s = count_score(geometric(n=4, epsilon=40))
    assert max(margins([Term(score=s, outputs=np.array([1.0, 1, 1, 0, 0]))], 0.95)) < 1


def test_no_noise_no_margin():
    s = count_score(geometric(n=0, alpha="1/2"))
    assert margins([Term(score=s, outputs=np.array([5.0]))], 0.95) == (0.0, 0.0)
    assert margins([], 0.95) == (0.0, 0.0)


def test_the_standard_error_stays_within_what_the_matrix_allows():
    """The unbiased variance estimate of one extreme output can leave the possible range; the standard error cannot."""
    s = count_score(fair(n=8, alpha="9/10"))
    for i in range(9):
        e = standard_error([Term(score=s, outputs=np.eye(9)[i])])
        assert np.sqrt(s.variance.min()) <= e <= np.sqrt(s.variance.max())
