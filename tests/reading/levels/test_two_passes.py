"""One pass up and one down are generalised least squares: the same weights as a dense solver in fractions."""

from fractions import Fraction

import numpy as np
import pytest
from tests.reading.levels.trees import least_squares, membership, random_tree

from discreet.errors import InvalidInput
from discreet.reading.levels.tree import make_tree
from discreet.reading.levels.two_passes import adding_exactly, make_passes

SHAPES = [(1, 3, 7), (2, 3, 4, 8), (1, 6), (1, 1, 1, 3), (5,)]


def setting(seed, shape, hidden=()):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, shape)
    working = [np.where(n > 0, rng.integers(1, 9, len(n)) / 4.0, 0.0) for n in tree.sizes]
    for level in hidden:
        working[level] = np.where(tree.sizes[level] > 0, np.inf, 0.0)
    return rng, tree, working


def dense_weights(tree, working):
    """Every estimate's weights, by level: sums of the finest groups' weights."""
    finest = np.array(
        least_squares(np.concatenate(membership(tree)), np.concatenate(working)), dtype=object
    )
    return [m.astype(object) @ finest for m in membership(tree)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("hidden", [(), (0,), (1,)])
def test_estimates_and_all_that_is_carried_are_those_of_dense_least_squares(shape, hidden):
    if hidden and max(hidden) >= len(shape) - 1:
        hidden = ()
    rng, tree, working = setting(sum(shape), shape, hidden)
    weights = dense_weights(tree, working)
    passes = make_passes(tree, working)
    values = [np.where(n > 0, rng.normal(size=len(n)), 0.0) for n in tree.sizes]
    terms = [
        np.where(np.isfinite(w) & (n > 0), rng.random(len(n)), 0.0)
        for w, n in zip(working, tree.sizes, strict=True)
    ]
    flat, q = np.concatenate(values), np.concatenate(terms)
    for level, found in enumerate(passes.fit(values)):
        assert np.allclose(found, (weights[level] @ flat).astype(float), atol=1e-12)
    for power in (2, 4):
        for level, found in enumerate(passes.carried(terms, power)):
            assert np.allclose(found, (weights[level] ** power @ q).astype(float), atol=1e-12)
    for level, found in enumerate(passes.largest(terms)):
        assert np.allclose(
            found, (np.abs(weights[level]) * q).max(axis=1).astype(float), atol=1e-12
        )


def test_the_weights_are_unbiased_and_best():
    """Weights of the finest groups' estimates reproduce every table, and no other working variances do better."""
    _, tree, working = setting(5, (1, 3, 7))
    members = np.concatenate(membership(tree))
    weights = np.concatenate(dense_weights(tree, working))
    alive = tree.sizes[-1] > 0
    assert (weights @ members)[:, alive].tolist() == members[:, alive].astype(object).tolist()
    best = make_passes(tree, working).carried(working)
    other = make_passes(tree, [w * np.linspace(1, 3, len(w)) for w in working]).carried(working)
    for a, b in zip(best, other, strict=True):
        assert (a <= b + 1e-12).all()


@pytest.mark.parametrize("shape", SHAPES)
def test_reported_numbers_add_up_exactly_in_any_order(shape):
    rng, tree, working = setting(11, shape)
    values = [np.where(n > 0, 1e6 * rng.normal(size=len(n)), 0.0) for n in tree.sizes]
    fitted = make_passes(tree, working).fit(values)
    exact = adding_exactly(tree, fitted)
    for level in range(tree.depth - 1):
        for group in range(len(tree.sizes[level])):
            children = exact[level + 1][tree.parents[level] == group]
            assert sum(map(Fraction, children.tolist())) == Fraction(float(exact[level][group]))
            assert float(np.sum(rng.permutation(children))) == exact[level][group]
    for before, after, n in zip(fitted, exact, tree.sizes, strict=True):
        assert np.allclose(before, after, rtol=0, atol=1e-6)
        assert (after[n == 0] == 0).all()


def test_a_tree_of_arrays_must_be_one():
    with pytest.raises(InvalidInput, match=r"level 1 has another size|level 0 has another size"):
        make_tree([[5], [2, 2]], [[0, 0]])
    with pytest.raises(InvalidInput, match="must be rows of level 0"):
        make_tree([[4], [2, 2]], [[0, 1]])
    with pytest.raises(InvalidInput, match="for each of the 2 levels but the first"):
        make_tree([[4], [2, 2]], [])
    with pytest.raises(InvalidInput, match="one parent for each of the 2 groups"):
        make_tree([[4], [2, 2]], [[0]])
    with pytest.raises(InvalidInput, match="must be 0 or more"):
        make_tree([[4], [-2, 6]], [[0, 0]])
    with pytest.raises(InvalidInput, match="whole numbers"):
        make_tree([[4], [2.5, 1.5]], [[0, 0]])
    tree = make_tree([[4, 0], [2, 2]], [[0, 0]])  # a parent without children has nobody in it
    with pytest.raises(InvalidInput, match="finest level"):
        make_passes(tree, [np.array([1.0, 0.0]), np.array([np.inf, np.inf])])


def test_many_groups_are_read_block_by_block_to_the_same_end(monkeypatch):
    _, tree, working = setting(7, (1, 3, 7))
    terms = [np.where(n > 0, 1.0, 0.0) for n in tree.sizes]  # many are equally large
    passes = make_passes(tree, working)
    whole = [*passes.carried(terms), *passes.carried(terms, 4), *passes.largest(terms)]
    monkeypatch.setattr("discreet.reading.levels.tree._BLOCK", 2)
    parts = [*passes.carried(terms), *passes.carried(terms, 4), *passes.largest(terms)]
    assert [level.tolist() for level in parts] == [level.tolist() for level in whole]
