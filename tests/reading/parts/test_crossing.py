"""Two keys that cross: against dense least squares in fractions, and read through estimates."""

from fractions import Fraction

import numpy as np
import pytest
from tests.reading.levels.trees import least_squares
from tests.reading.parts.test_fitting import level
from tests.reading.parts.test_subtotals import sample

import discreet as dc
from discreet.reading.estimates import Estimate
from discreet.reading.levels.cube import CubeFit, cube_margins, make_cube
from discreet.reading.levels.level_noise import geometric_noise
from discreet.reading.parts.crossing import CrossedFit, fit_levels

ROWS, COLUMNS = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 0, 1, 1])
SIZES = np.array([3, 5, 2, 6, 4])
MEASURED = np.array(
    [
        [1] * 5,
        *([int(r == k) for r in ROWS] for k in range(3)),
        *([int(c == k) for c in COLUMNS] for k in range(2)),
        *np.eye(5, dtype=int),
    ]
)


def levels(seed=1):
    rng = np.random.default_rng(seed)
    keys = {"region": ROWS.astype(object), "sex": COLUMNS.astype(object)}
    finest = level(keys, SIZES, 0.5, rng)
    regions = level(
        {"region": np.arange(3).astype(object)}, np.bincount(ROWS, SIZES).astype(int), 0.6, rng
    )
    sexes = level(
        {"sex": np.arange(2).astype(object)}, np.bincount(COLUMNS, SIZES).astype(int), 0.7, rng
    )
    return finest, regions, sexes, level({}, np.array([20]), 0.8, rng)


def test_cells_and_margins_are_the_best_linear_unbiased_ones():
    finest, regions, sexes, total = levels()
    fit = fit_levels(finest, [sexes, total, regions])
    assert isinstance(fit, CrossedFit)
    every = [total, regions, sexes, finest]
    weights = least_squares(MEASURED, np.concatenate([each.working for each in every]))
    values = np.concatenate([each.values for each in every])
    cells = np.array(
        [float(sum(w * Fraction(v) for w, v in zip(row, values, strict=True))) for row in weights]
    )
    np.testing.assert_allclose(fit.value, cells, atol=1e-9)
    worst = np.concatenate([each.facts.worst for each in every])
    for names, sums in (
        ((), MEASURED[:1]),
        (("region",), MEASURED[1:4]),
        (("sex",), MEASURED[4:6]),
        (("region", "sex"), np.eye(5)),
    ):
        part = fit.part(names)
        np.testing.assert_allclose(part.value, sums @ cells, atol=1e-9)
        np.testing.assert_allclose(
            part.facts.worst, (sums @ np.array(weights, float)) ** 2 @ worst, atol=1e-9
        )
        assert part.value.sum() == fit.part(()).value[0]


def test_margins_of_error_are_those_of_the_cube():
    finest, regions, sexes, total = levels()
    fit = fit_levels(finest, [sexes, total, regions])
    noises = [
        geometric_noise(each.sizes, alpha)
        for each, alpha in ((total, 0.8), (regions, 0.6), (sexes, 0.7), (finest, 0.5))
    ]
    cube = CubeFit(make_cube(ROWS, COLUMNS, SIZES), [noise.working for noise in noises])
    for names, expected in zip(
        [(), ("region",), ("sex",), ("region", "sex")], cube_margins(cube, noises), strict=True
    ):
        np.testing.assert_allclose(fit.part(names).facts.margins(0.95), expected)


def test_a_margin_that_was_not_released_is_left_out():
    finest, regions, sexes, _ = levels()
    weights = least_squares(
        MEASURED[1:], np.concatenate([each.working for each in (regions, sexes, finest)])
    )
    values = np.concatenate([each.values for each in (regions, sexes, finest)])
    np.testing.assert_allclose(
        fit_levels(finest, [regions, sexes]).value, np.array(weights, float) @ values, atol=1e-9
    )


def crossed(**words):
    keys = {"region": list("nnss"), "sex": list("fmfm")}
    finest, top = sample([1, 4, 2, 0], [3, 5, 2, 6], keys), sample([9], [16], {}, alpha="1/5")
    margins = (
        sample([6, 2], [8, 8], {"region": ["n", "s"]}),
        sample([4, 5], [5, 11], {"sex": ["f", "m"]}),
    )
    return Estimate(sample=finest, coarser=(*margins, top), confidence=Fraction(95, 100), **words)


def test_an_estimate_reads_all_levels_together():
    e = crossed()
    alone = Estimate(sample=e.sample, confidence=e.confidence)
    assert e.total.standard_error < alone.total.standard_error
    assert (
        e.total.value
        == e.subtotals("region")["estimate"].sum()
        == e.subtotals("sex")["estimate"].sum()
    )
    assert e.rate.value == e.total.value / 16 and e.mean.value == e.total.value / 4
    assert e.to_dict()["total"]["value"] == e.total.value
    whole = e.adding_up()
    assert whole.subtotals("sex")["smoker"].sum() == whole.total == round(e.total.value)
    other = crossed()
    assert e.change(other).total.value == pytest.approx(e.total.value - other.total.value)


def test_levels_of_several_releases_are_combined():
    e, regions = (
        crossed(),
        Estimate(
            sample=sample([5, 4], [8, 8], {"region": ["n", "s"]}, alpha="1/6"),
            confidence=Fraction(95, 100),
        ),
    )
    both = dc.combine(e, regions)
    assert (
        both.subtotals("region")["standard_error"] < e.subtotals("region")["standard_error"]
    ).all()
    assert "2 releases of 4 groups" in str(both)
