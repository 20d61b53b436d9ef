"""Estimates of all levels: unbiased, adding up, and covered as often as stated, by simulation."""

import numpy as np
import pytest
from bench.levels import FALSE_ALARM, covered, errors_of_the_table, settings

from discreet.errors import InvalidInput
from discreet.reading.levels.error_facts import interval_ends
from discreet.reading.levels.level_estimates import estimate_levels
from discreet.reading.levels.level_noise import geometric_noise, unreleased
from discreet.reading.levels.tree import make_tree

TREE = make_tree([[30], [18, 12], [6, 6, 6, 6, 6, 0]], [[0, 0], [0, 0, 0, 1, 1, 1]])


@pytest.mark.parametrize(
    "setting", settings(16, seed=5), ids=lambda s: "-".join(map(str, s.values()))
)
def test_no_level_is_covered_less_often_than_stated(setting):
    """A one-sided binomial test with a false-alarm rate of 1e-6; the bench does it for 200 settings."""
    for level in covered(setting, 200, seed=9):
        assert level["chance"] >= FALSE_ALARM


def test_the_errors_of_a_known_simulation_are_reproduced():
    rows = errors_of_the_table(5, 8)
    assert all(cell["holds"] for row in rows for cell in row["linear"])


def test_an_interval_that_begins_at_nobody_begins_at_0():
    ends = interval_ends(np.array([-0.0, 1e-12, 0.4]), np.array([3.0, 1e-12, 0.5]), 0.0, 6.0)
    assert not np.signbit(ends).any() and ends[0].tolist() == [0, 0, 0]


def test_everything_is_known_of_a_group_of_nobody_and_ends_are_possible_whole_numbers():
    noises = [
        geometric_noise(TREE.sizes[0], 0.9),
        unreleased(TREE.sizes[1]),
        geometric_noise(TREE.sizes[2], 0.5),
    ]
    outputs = [np.array([30]), None, np.array([6, 6, 6, 0, 0, 0])]
    found = estimate_levels(TREE, noises, outputs)
    for sizes, estimate in zip(TREE.sizes, found, strict=True):
        assert (estimate.low == np.round(estimate.low)).all()
        assert (estimate.high == np.round(estimate.high)).all()
        assert (
            (estimate.low >= 0) & (estimate.low <= estimate.high) & (estimate.high <= sizes)
        ).all()
        assert (estimate.working_error <= estimate.worst_error + 1e-12).all()
        assert (estimate.standard_error <= estimate.worst_error + 1e-12).all()
    for level in (0, 1):
        assert (TREE.sums(level, found[level + 1].value) == found[level].value).all()
    assert found[2].value[5] == found[2].high[5] == found[2].standard_error[5] == 0


def test_a_second_level_narrows_the_first_and_a_flat_release_is_the_debiased_sum():
    parents = np.zeros(60, dtype=int)
    tree = make_tree([[600], np.full(60, 10)], [parents])
    outputs = np.tile([0, 3, 10], 20)
    flat = estimate_levels(
        tree, [unreleased(tree.sizes[0]), geometric_noise(tree.sizes[1], 0.5)], [None, outputs]
    )
    assert flat[0].normal.all()
    assert flat[0].value[0] == pytest.approx(20 * (-1 + 3 + 11))
    both = [geometric_noise(n, 0.5) for n in tree.sizes]
    top = estimate_levels(tree, both, [np.array([260]), outputs])[0]
    assert top.high[0] - top.low[0] < flat[0].high[0] - flat[0].low[0]


def test_outputs_that_do_not_fit_are_refused():
    noises = [geometric_noise(n, 0.5) for n in TREE.sizes]
    good = [np.array([9]), np.array([5, 4]), np.zeros(6, dtype=int)]
    for level, wrong, rule in [
        (0, None, "has a share"),
        (1, np.array([5]), "one for each of its 2 groups"),
        (2, np.array([7, 0, 0, 0, 0, 0]), r"0\.\.6 for a group of 6 \(row 1\)"),
    ]:
        with pytest.raises(InvalidInput, match=rule):
            estimate_levels(
                TREE, noises, [wrong if k == level else given for k, given in enumerate(good)]
            )
    with pytest.raises(InvalidInput, match="confidence"):
        estimate_levels(TREE, noises, good, confidence=1.0)
