"""Whole histograms that add up: the nearest of all tables, by enumeration."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.reading.levels.trees import random_tree

from discreet.errors import InvalidInput
from discreet.reading.levels.histogram_split import histograms_adding_up
from discreet.reading.levels.tree import make_tree


def rows_of(n, answers):
    return [row for row in product(range(n + 1), repeat=answers) if sum(row) == n]


def distance(table, values):
    return sum(
        (int(u) - Fraction(float(v))) ** 2
        for u, v in zip(np.ravel(table), np.ravel(values), strict=True)
    )


@pytest.mark.parametrize("seed", range(60))
def test_children_get_the_nearest_table_with_the_parents_margins(seed):
    rng = np.random.default_rng(seed)
    answers = int(rng.integers(2, 4))
    sizes = rng.integers(0, 4, int(rng.integers(2, 5)))
    tree = make_tree([[int(sizes.sum())], sizes], [np.zeros(len(sizes), dtype=int)])
    spread = 3.0 if seed % 2 else 0.5
    values = rng.normal(sizes[:, None] / answers, spread, (len(sizes), answers))
    if seed % 3 == 0:
        values = np.round(values * 2) / 2  # ties
    above = rng.normal(sizes.sum() / answers, 2.0, (1, answers))
    top, parts = histograms_adding_up(tree, [above, values])
    assert (parts.sum(axis=1) == sizes).all()
    assert (parts.sum(axis=0) == top[0]).all()
    assert (parts >= 0).all()
    assert distance(top, above) == min(
        distance(t, above) for t in rows_of(int(sizes.sum()), answers)
    )
    tables = product(*(rows_of(int(n), answers) for n in sizes))
    allowed = [t for t in tables if (np.sum(t, axis=0) == top[0]).all()]
    assert float(distance(parts, values)) == pytest.approx(
        float(min(distance(t, values) for t in allowed)), abs=1e-12
    )


def test_large_families_add_up_and_the_result_is_one():
    rng = np.random.default_rng(2)
    tree = random_tree(rng, (1, 4, 300), most=12)
    values = [rng.normal(n[:, None] / 4, 4.0, (len(n), 4)) for n in tree.sizes]
    found = histograms_adding_up(tree, values)
    for level, table in enumerate(found):
        assert (table >= 0).all()
        assert (table.sum(axis=1) == tree.sizes[level]).all()
        if level:
            assert (tree.sums(level - 1, table) == found[level - 1]).all()
    again = histograms_adding_up(tree, values)
    assert all((a == b).all() for a, b in zip(found, again, strict=True))


def test_two_answers_are_one_count():
    """With answers (yes, no) the squares are twice those of yes alone, so the split is the count's."""
    from discreet.reading.levels.integer_split import adding_up

    rng = np.random.default_rng(3)
    tree = random_tree(rng, (1, 3, 25), most=8)
    yes = [rng.normal(n / 2, 2.0) for n in tree.sizes]
    both = [np.stack([y, n - y], axis=1) for y, n in zip(yes, tree.sizes, strict=True)]
    counts, tables = adding_up(tree, yes), histograms_adding_up(tree, both)
    for count, table, y in zip(counts, tables, yes, strict=True):
        assert ((count - y) ** 2).sum() == pytest.approx(((table[:, 0] - y) ** 2).sum())


def test_values_must_be_rows_of_numbers():
    tree = make_tree([[3]], [])
    with pytest.raises(InvalidInput, match="row of finite numbers"):
        histograms_adding_up(tree, [np.array([1.0])])
