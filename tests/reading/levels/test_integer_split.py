"""Whole numbers that add up: nearest by enumeration, deterministic, within bounds at every level."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.amounts import tries
from tests.reading.levels.trees import random_tree

from discreet.errors import InvalidInput
from discreet.reading.levels.integer_split import adding_up, share_out
from discreet.reading.levels.tree import make_tree


def distance(units, values):
    return sum((u - Fraction(float(v))) ** 2 for u, v in zip(units, values, strict=True))


# Multiples of 2^-40, so that a gain is exact in floats: two that differ by less are equal to the program.
VALUES = st.one_of(
    st.floats(-4, 8).map(lambda v: round(v * 2**40) / 2**40),
    st.integers(-12, 24).map(lambda q: q / 4),
)
CHILDREN = st.lists(
    st.tuples(st.integers(0, 3), VALUES),
    min_size=1,
    max_size=5,
)


@settings(max_examples=tries(40))
@given(
    families=st.lists(CHILDREN, min_size=1, max_size=3),
    shares=st.lists(st.floats(0, 1), min_size=3, max_size=3),
)
def test_every_family_gets_the_nearest_split(families, shares):
    sizes = [[n for n, _ in family] for family in families]
    values = [[v for _, v in family] for family in families]
    wholes = [round(share * sum(n)) for share, n in zip(shares, sizes, strict=False)]
    parents = np.repeat(np.arange(len(families)), [len(n) for n in sizes])
    order = np.argsort(
        np.arange(len(parents)) % 3, kind="stable"
    )  # families need not stand together
    flat = np.concatenate(sizes), np.concatenate(values)
    found = np.empty(len(parents), dtype=np.int64)
    found[order] = share_out(np.array(wholes), parents[order], flat[1][order], flat[0][order])
    for family, (n, v) in enumerate(zip(sizes, values, strict=True)):
        units = found[parents == family].tolist()
        assert sum(units) == wholes[family]
        assert all(0 <= u <= most for u, most in zip(units, n, strict=True))
        tables = (t for t in product(*(range(k + 1) for k in n)) if sum(t) == wholes[family])
        assert distance(units, v) == min(distance(t, v) for t in tables)


def test_equal_gains_go_to_the_first_children():
    assert share_out(np.array([2]), np.zeros(4, int), np.full(4, 0.5), np.full(4, 3)).tolist() == [
        1,
        1,
        0,
        0,
    ]


def test_a_tree_of_whole_numbers_adds_up_within_bounds():
    rng = np.random.default_rng(8)
    for shape in [(1, 3, 30), (2, 5, 9, 40), (4,)]:
        tree = random_tree(rng, shape)
        values = [rng.normal(n / 2, 3) for n in tree.sizes]
        found = adding_up(tree, values)
        assert all(
            (x >= 0).all() and (x <= n).all() for x, n in zip(found, tree.sizes, strict=True)
        )
        for level in range(tree.depth - 1):
            assert (tree.sums(level, found[level + 1]) == found[level]).all()
        assert all((a == b).all() for a, b in zip(found, adding_up(tree, values), strict=True))


def test_estimates_that_are_whole_and_add_up_stay_as_they_are():
    rng = np.random.default_rng(9)
    tree = random_tree(rng, (1, 4, 20))
    truth = tree.totals(rng.integers(0, tree.sizes[-1] + 1))
    assert all(
        (a == b).all()
        for a, b in zip(adding_up(tree, [x * 1.0 for x in truth]), truth, strict=True)
    )


def test_estimates_far_outside_are_brought_in():
    tree = make_tree([[9], [5, 4]], [[0, 0]])
    assert [x.tolist() for x in adding_up(tree, [np.array([-3e9]), np.array([1e300, -1e300])])] == [
        [0],
        [0, 0],
    ]
    assert [x.tolist() for x in adding_up(tree, [np.array([5.0]), np.array([1e300, -1e300])])] == [
        [5],
        [5, 0],
    ]


def test_what_cannot_be_shared_is_refused():
    with pytest.raises(InvalidInput, match="at most the children's people"):
        share_out(np.array([9]), np.zeros(2, int), np.zeros(2), np.array([4, 4]))
    tree = make_tree([[9], [5, 4]], [[0, 0]])
    with pytest.raises(InvalidInput, match="one finite number"):
        adding_up(tree, [np.array([np.nan]), np.zeros(2)])
