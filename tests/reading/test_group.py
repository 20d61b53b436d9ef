"""One group: likelihood, posterior, intervals, several releases."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from discreet.core.named import fair, geometric, uniform
from discreet.errors import InvalidInput
from discreet.reading.group import intervals, one_group


def test_likelihood_and_posterior_are_the_row_of_the_matrix():
    m = fair(n=4, alpha="2/3")
    g = one_group(m, 1)
    row = [m[1, j] for j in range(5)]
    assert g.likelihood == tuple(row)
    assert g.posterior == tuple(p / sum(row) for p in row)
    assert g.likeliest == (1,)
    assert g.interval == intervals(m, Fraction(19, 20))[1]
    assert sum(g.posterior[g.credible[0] : g.credible[1] + 1]) >= Fraction(19, 20)


def test_a_prior_moves_the_posterior_and_not_the_confidence_interval():
    m = geometric(n=4, alpha="2/3")
    flat, informed = one_group(m, 3), one_group(m, 3, prior="Binomial(1/10)")
    assert informed.mean < flat.mean
    assert informed.interval == flat.interval
    assert informed.prior == "Binomial(1/10)"


def test_the_uniform_mechanism_leaves_the_prior_as_it_was():
    g = one_group(uniform(n=3), 2, prior="Binomial(1/2)")
    assert g.posterior == (Fraction(1, 8), Fraction(3, 8), Fraction(3, 8), Fraction(1, 8))
    assert g.likeliest == (0, 1, 2, 3)


def test_two_releases_multiply_and_their_joint_interval_covers():
    first, second, level = geometric(n=3, alpha="1/2"), fair(n=3, alpha="2/3"), Fraction(9, 10)
    for x in range(4):
        covered = Fraction(0)
        for y, z in product(range(4), repeat=2):
            low, high = one_group([first, second], [y, z], confidence=level).interval
            covered += first[y, x] * second[z, x] * (low <= x <= high)
        assert covered >= level
    g = one_group([first, second], [1, 2])
    assert g.likelihood == tuple(first[1, j] * second[2, j] for j in range(4))


def test_many_releases_fall_back_to_what_their_intervals_share():
    ms = [geometric(n=8, alpha="1/3")] * 5
    low, high = one_group(ms, [4, 4, 5, 4, 3], confidence=0.9).interval
    assert low <= 4 <= high
    assert high - low < 8


def test_it_prints_within_80_columns_and_in_a_notebook():
    g = one_group(geometric(n=8, epsilon=1), 3)
    assert max(map(len, str(g).splitlines())) <= 80
    assert "Released 3 for a group of 8" in str(g)
    assert "Released 3" in g._repr_html_()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"output": 9}, "output.*at most 4"),
        ({"output": -1}, "output.*at least 0"),
        ({"output": 1.5}, "output.*whole number"),
        ({"output": [1, 2]}, "one number for each of 1"),
        ({"output": 1, "confidence": 1}, "confidence.*between 0 and 1"),
        ({"output": 1, "confidence": 0}, "confidence.*between 0 and 1"),
        ({"output": 4, "prior": [1, 0, 0, 0]}, r"prior.*n\+1 = 5 weights"),
    ],
)
def test_bad_input_names_what_is_wrong(arguments, message):
    with pytest.raises(InvalidInput, match=message):
        one_group(geometric(n=4, alpha="1/2"), **arguments)


def test_very_large_groups_are_sent_to_the_table():
    with pytest.raises(InvalidInput, match=r"at most 512.*table\(\)"):
        one_group(geometric(n=600, alpha="1/2"), 3)


def test_releases_of_one_group_have_one_size():
    with pytest.raises(InvalidInput, match="one size"):
        one_group([geometric(n=4, alpha="1/2"), geometric(n=5, alpha="1/2")], [1, 1])
