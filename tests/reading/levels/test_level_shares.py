"""Shares from sizes alone: near the best of all, exact, and what they promise is what the estimates have."""

from fractions import Fraction

import numpy as np
import pytest

from discreet.errors import InvalidInput
from discreet.reading.levels.level_noise import geometric_noise
from discreet.reading.levels.level_shares import (
    FINEST_AT_MOST,
    choose_shares,
    geometric_at,
    least_part,
    outlook,
    read_shares,
)
from discreet.reading.levels.tree import make_tree
from discreet.reading.levels.two_passes import make_passes


def even_tree(regions, clinics, n):
    """So many regions of so many clinics of n people."""
    groups = regions * clinics
    parents = [np.zeros(regions, int), np.repeat(np.arange(regions), clinics)]
    return make_tree([[groups * n], np.full(regions, clinics * n), np.full(groups, n)], parents)


def errors(tree, epsilon, shares):
    """The standard error of each level, with nothing but `make_passes`."""
    working = [
        geometric_noise(n, np.exp(-epsilon * float(s))).working
        if s
        else np.where(n > 0, np.inf, 0.0)
        for n, s in zip(tree.sizes, shares, strict=True)
    ]
    finite = [np.where(np.isfinite(w), w, 0.0) for w in working]
    return np.array([np.sqrt(v.mean()) for v in make_passes(tree, working).carried(finite)])


@pytest.mark.parametrize(
    ("tree", "importance"),
    [
        (even_tree(2, 4, 10), [1, 2, 2]),
        pytest.param(even_tree(6, 10, 5), [3, 1, 1], marks=pytest.mark.slow),
        pytest.param(even_tree(4, 1, 9), [1, 2, 3], marks=pytest.mark.slow),
    ],
)
def test_no_shares_in_steps_of_a_tenth_are_better(tree, importance):
    alone = np.array(
        [
            errors(tree, 1.0, at)[level]
            for level, at in enumerate([(0.99, 0, 0.01), (0, 0.99, 0.01), (0, 0, 1)])
        ]
    )
    chosen = choose_shares(tree, 1.0, importance=importance)
    assert sum(chosen) == 1
    grid = [(a / 10, b / 10, 1 - (a + b) / 10) for a in range(1, 9) for b in range(1, 10 - a)]
    costs = [
        np.array(importance) @ (errors(tree, 1.0, shares) / alone) for shares in (chosen, *grid)
    ]
    assert costs[0] == min(costs)


@pytest.mark.parametrize(
    ("tree", "epsilon"),
    [(even_tree(10, 20, 6), 1.0), pytest.param(even_tree(20, 20, 7), 0.25, marks=pytest.mark.slow)],
)
def test_no_level_is_ruined_for_another_unless_somebody_asked_for_it(tree, epsilon):
    """Coarser levels are no noisier than sums of a release of the finest alone, which becomes at most half as noisy again."""
    without = errors(tree, epsilon, (0, 0, 1)) * [1, 1, FINEST_AT_MOST]
    chosen = errors(tree, epsilon, choose_shares(tree, epsilon))
    assert (chosen <= without * 1.000001).all()
    alone = [
        errors(tree, epsilon, at)[level]
        for level, at in enumerate([(0.99, 0, 0.01), (0, 0.99, 0.01), (0, 0, 1)])
    ]
    steps = [
        (a / 100, b / 100, 1 - (a + b) / 100) for a in range(11, 30, 3) for b in range(11, 30, 3)
    ]
    grid = [errors(tree, epsilon, shares) for shares in steps]
    assert (chosen / alone).sum() <= min(
        (row / alone).sum() for row in grid if (row <= without).all()
    )
    free = errors(tree, epsilon, choose_shares(tree, epsilon, importance=[3, 1, 1]))
    assert (free > without).any()


@pytest.mark.parametrize(
    ("regions", "clinics", "epsilon"),
    [
        (2, 4, 3.0),
        pytest.param(2, 4, 1.0, marks=pytest.mark.slow),
        (3, 48, 1.0),
        pytest.param(40, 2, 0.2, marks=pytest.mark.slow),
    ],
)
def test_no_level_is_starved_unless_somebody_asked_for_it(regions, clinics, epsilon):
    """Each has a third of an equal share at least, also where levels cannot pay: its own table is published too."""
    tree = even_tree(regions, clinics, 10)
    assert min(choose_shares(tree, epsilon)) >= Fraction(least_part(3), 100) == Fraction(11, 100)
    assert min(choose_shares(tree, epsilon, importance=[1, 1, 50])) < Fraction(5, 100)


@pytest.mark.parametrize(
    ("regions", "clinics", "epsilon"),
    [
        (2, 4, 3.0),
        pytest.param(3, 12, 1.0, marks=pytest.mark.slow),
        (12, 3, 2.0),
        pytest.param(18, 5, 1.0, marks=pytest.mark.slow),
    ],
)
def test_the_finest_level_is_never_more_than_half_as_noisy_again(regions, clinics, epsilon):
    """Also where levels cannot pay: then the coarser ones come as near to their sums as that leaves."""
    tree = even_tree(regions, clinics, 23)
    without, chosen = (
        errors(tree, epsilon, (0, 0, 1)),
        errors(tree, epsilon, choose_shares(tree, epsilon)),
    )
    assert chosen[-1] <= FINEST_AT_MOST * without[-1] == 1.5 * without[-1]
    steps = [
        (a / 100, b / 100, 1 - (a + b) / 100) for a in range(11, 26, 5) for b in range(11, 26, 5)
    ]
    rows = [
        row
        for shares in steps
        if (row := errors(tree, epsilon, shares))[-1] <= FINEST_AT_MOST * without[-1]
    ]
    worst = max((chosen / without)[:-1].max(), 1.0)
    assert rows and worst <= min(max((row / without)[:-1].max(), 1.0) for row in rows) + 1e-6


def test_what_is_foreseen_is_the_estimates_own_variance_and_a_tenth_is_moved():
    tree = even_tree(5, 6, 7)
    shares = (Fraction(1, 10), Fraction(0), Fraction(9, 10))
    found = outlook(tree, 1.0, shares)
    noises = [
        geometric_noise(n, np.exp(-float(s))) if s else None
        for n, s in zip(tree.sizes, shares, strict=True)
    ]
    working = [noise.working if noise else np.full(5, np.inf) for noise in noises]
    terms = [noise.working if noise else np.zeros(5) for noise in noises]
    for level, variance in enumerate(make_passes(tree, working).carried(terms)):
        assert found[level].standard_error == pytest.approx(np.sqrt(variance.mean()))
        assert found[level].worst_error >= found[level].standard_error - 1e-12
    after = outlook(tree, 1.0, ("1/5", "0", "4/5"))
    assert found[0].tenth_more == pytest.approx([one.standard_error for one in after])
    flat = outlook(tree, 1.0, (0, 0, 1))
    assert found[0].tenth_less == pytest.approx([one.standard_error for one in flat])
    assert found[1].tenth_less is None
    assert flat[2].tenth_more is None
    assert found[2].tenth_more is None


def test_importance_moves_epsilon_and_a_prior_changes_what_is_foreseen():
    tree = even_tree(20, 20, 7)
    equal, nation = choose_shares(tree, 1.0), choose_shares(tree, 1.0, importance=[4, 1, 1])
    assert nation[0] > equal[0]
    rare = outlook(tree, 1.0, equal, noises=[geometric_at(0.05)] * 3)
    assert rare[2].standard_error < outlook(tree, 1.0, equal)[2].standard_error


def test_shares_are_exact_and_checked():
    assert read_shares(3, ["1/10", 0.2, "0.7"]) == (
        Fraction(1, 10),
        Fraction(1, 5),
        Fraction(7, 10),
    )
    for wrong, rule in [
        (["1/2", "1/2"], "each of the 3 levels"),
        ([0.5, 0.6, -0.1], "add up to 1"),
        ([0.5, 0.2, 0.2], "add up to 1"),
        ([0.5, 0.5, 0], "finest level"),
    ]:
        with pytest.raises(InvalidInput, match=rule):
            read_shares(3, wrong)
    tree = even_tree(2, 2, 3)
    for wrong in ([1, 1], [0, 0, 0], [1, -1, 1]):
        with pytest.raises(InvalidInput, match="importance"):
            choose_shares(tree, 1.0, importance=wrong)
    with pytest.raises(InvalidInput, match="epsilon"):
        choose_shares(tree, 0.0)
