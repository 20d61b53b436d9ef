"""A cube's fit is generalised least squares, on two-way tables with holes, and that of a tree where it is one."""

from itertools import product

import numpy as np
import pytest
from tests.reading.levels.trees import least_squares

from discreet.errors import InvalidInput
from discreet.reading.levels.cube import CubeFit, cube_adding_up, cube_margins, make_cube
from discreet.reading.levels.level_noise import geometric_noise
from discreet.reading.levels.mean_excess import mean_excess
from discreet.reading.levels.tree import make_tree
from discreet.reading.levels.two_passes import make_passes


def random_cube(rng, rows, columns):
    places = np.array(list(product(range(rows), range(columns))))
    kept = rng.random(len(places)) < 0.8
    kept[[0, -1]] = True
    chosen = rng.permutation(places[kept])
    return make_cube(chosen[:, 0], chosen[:, 1], rng.integers(0, 5, len(chosen)))


def membership(cube):
    cells = len(cube.row)
    rows = np.arange(len(cube.sizes[1]))[:, None] == cube.row
    columns = np.arange(len(cube.sizes[2]))[:, None] == cube.column
    return [
        np.ones((1, cells), dtype=int),
        rows.astype(int),
        columns.astype(int),
        np.eye(cells, dtype=int),
    ]


@pytest.mark.parametrize("shape", [(2, 4), (4, 2), (3, 3)])
@pytest.mark.parametrize("hidden", [(), (0,), (1,), (2,), (0, 1), (0, 1, 2)])
def test_estimates_and_variances_are_those_of_dense_least_squares(shape, hidden):
    rng = np.random.default_rng(sum(shape) + 10 * len(hidden) + sum(hidden))
    cube = random_cube(rng, *shape)
    working = [np.where(n > 0, rng.integers(1, 9, len(n)) / 4.0, 0.0) for n in cube.sizes]
    for level in hidden:
        working[level] = np.where(cube.sizes[level] > 0, np.inf, 0.0)
    terms = [np.where(np.isfinite(w) & (w > 0), rng.random(len(w)), 0.0) for w in working]
    values = [np.where(n > 0, rng.normal(size=len(n)), 0.0) for n in cube.sizes]
    cells = np.array(
        least_squares(np.concatenate(membership(cube)), np.concatenate(working)), dtype=object
    )
    fit = CubeFit(cube, working)
    estimates, variances = fit.fit(values), fit.carried(terms)
    for level, members in enumerate(membership(cube)):
        weights = (members.astype(object) @ cells).astype(float)
        assert np.allclose(estimates[level], weights @ np.concatenate(values), atol=1e-10)
        assert np.allclose(variances[level], weights**2 @ np.concatenate(terms), atol=1e-10)


def test_a_cube_with_one_margin_is_a_tree():
    rng = np.random.default_rng(4)
    cube = random_cube(rng, 5, 3)
    tree = make_tree(
        [cube.sizes[0], cube.sizes[1], cube.sizes[3]], [np.zeros(len(cube.sizes[1]), int), cube.row]
    )
    noises = [geometric_noise(n, a) for n, a in zip(tree.sizes, (0.9, 0.8, 0.5), strict=True)]
    values = [rng.normal(size=len(n)) * (n > 0) for n in tree.sizes]
    passes = make_passes(tree, [noise.working for noise in noises])
    nothing = np.where(cube.sizes[2] > 0, np.inf, 0.0)
    fit = CubeFit(cube, [noises[0].working, noises[1].working, nothing, noises[2].working])
    for found, wanted in ((fit.fit, passes.fit), (fit.carried, passes.carried)):
        given = values if found == fit.fit else [noise.worst for noise in noises]
        result = found([given[0], given[1], np.zeros(len(nothing)), given[2]])
        for a, b in zip((result[0], result[1], result[3]), wanted(given), strict=True):
            assert np.allclose(a, b, atol=1e-10)


def test_whole_cells_add_up_to_all_margins_and_stay_within_bounds():
    rng = np.random.default_rng(6)
    cube = random_cube(rng, 6, 5)
    total, rows, columns, cells = cube_adding_up(
        cube, cube.totals(rng.normal(cube.sizes[3] / 2, 2.0))
    )
    assert (cells >= 0).all()
    assert (cells <= cube.sizes[3]).all()
    assert total[0] == rows.sum() == columns.sum() == cells.sum()
    assert (np.bincount(cube.column, weights=cells, minlength=len(columns)) == columns).all()


def test_margins_are_the_mean_excess_of_one_laplace_term():
    cube = make_cube(np.array([0]), np.array([0]), np.array([10]))
    noises = [geometric_noise(n, np.exp(-1.0)) for n in cube.sizes]
    fit = CubeFit(cube, [np.full(1, np.inf)] * 3 + [noises[3].working])
    silent = [geometric_noise(np.array([0]), 0.5)] * 3
    for margin in cube_margins(fit, [*silent, noises[3]]):
        assert margin[0] == pytest.approx(np.sqrt(2) * mean_excess(0.025, np.ones(1))[0])


def test_a_cube_must_be_one():
    with pytest.raises(InvalidInput, match="a cell twice"):
        make_cube(np.array([0, 0]), np.array([1, 1]), np.array([2, 3]))
    with pytest.raises(InvalidInput, match="one for each cell"):
        make_cube(np.array([0, 0]), np.array([1]), np.array([2, 3]))
    with pytest.raises(InvalidInput, match="0 or more"):
        make_cube(np.array([0]), np.array([0]), np.array([-1]))
    with pytest.raises(InvalidInput, match="rollup"):
        make_cube(np.array([10**4]), np.array([10**4]), np.array([1]))
    cube = make_cube(np.array([0]), np.array([0]), np.array([3]))
    with pytest.raises(InvalidInput, match="cells"):
        CubeFit(cube, [np.full(1, np.inf)] * 4)
