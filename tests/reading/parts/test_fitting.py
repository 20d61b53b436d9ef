"""Estimates that add up: against dense least squares in fractions, with facts that weights written out agree with."""

import numpy as np
import pytest
from tests.reading.levels.trees import least_squares, membership, random_tree

from discreet.errors import InvalidInput
from discreet.reading.levels.error_facts import ErrorFacts, facts_of
from discreet.reading.levels.level_noise import geometric_noise
from discreet.reading.parts.fitting import Fit, transposed
from discreet.reading.parts.measured import Measured


def fields(facts):
    return {name: getattr(facts, name) for name in ErrorFacts.__slots__}


def level(keys, sizes, alpha, rng):
    noise = geometric_noise(sizes, alpha)
    values, scores = noise.read(rng.integers(0, sizes + 1))
    return Measured(
        keys=keys, sizes=sizes, values=values, working=noise.working, facts=facts_of(noise, scores)
    )


def three_levels(seed=3, counts=(1, 3, 8)):
    """A tree as measured levels: its groups are named, and the coarser levels stand in another order."""
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, counts=counts)
    regions = tree.parents[1].astype(object)
    clinics = np.arange(counts[2]).astype(object)
    kinds = (np.arange(counts[2]) % 2).astype(object)
    finest = level({"region": regions, "clinic": clinics, "kind": kinds}, tree.sizes[2], 0.5, rng)
    back = np.arange(counts[1])[::-1]
    middle = level({"region": back.astype(object)}, tree.sizes[1][::-1].copy(), 0.3, rng)
    top = level({}, tree.sizes[0], 0.7, rng)
    return tree, finest, middle, top


def test_the_fit_is_the_best_linear_unbiased_one():
    tree, finest, middle, top = three_levels()
    fit = Fit(finest, [middle, top])
    measured = np.concatenate(membership(tree))
    variances = [*top.working, *middle.working[::-1], *finest.working]
    values = [*top.values, *middle.values[::-1], *finest.values]
    weights = least_squares(measured, variances)
    expected = [float(sum(w * v for w, v in zip(row, values, strict=True))) for row in weights]
    np.testing.assert_allclose(fit.value, expected, atol=1e-9)


def test_parts_add_up_to_wholes_exactly_however_they_are_cut():
    _, finest, middle, top = three_levels(5, (1, 4, 60))
    fit = Fit(finest, [middle, top])
    total = fit.part(()).value[0]
    for names in (
        ["region"],
        ["kind"],
        ["region", "kind"],
        ["clinic"],
        ["region", "clinic", "kind"],
    ):
        assert fit.part(names).value.sum() == total
        assert fit.part(names).sizes.sum() == finest.sizes.sum()
    np.testing.assert_array_equal(fit.every().value, fit.value)


def test_what_is_known_of_a_sum_is_the_same_by_two_passes_and_by_weights_written_out():
    _, finest, middle, top = three_levels(7)
    fit = Fit(finest, [middle, top])
    for names in ((), ("region",), ("region", "kind"), ("region", "clinic", "kind")):
        groups = fit.codes(names)
        for name, expected in fields(fit._crossing(groups)).items():
            np.testing.assert_allclose(
                getattr(fit.part(names).facts, name), expected, atol=1e-9, err_msg=name
            )


def test_a_sum_that_crosses_the_levels_has_the_variance_of_its_weights():
    tree, finest, middle, top = three_levels(9)
    fit = Fit(finest, [middle, top])
    weights = np.array(
        least_squares(
            np.concatenate(membership(tree)), [*top.working, *middle.working[::-1], *finest.working]
        ),
        float,
    )
    worst = np.concatenate([top.facts.worst, middle.facts.worst[::-1], finest.facts.worst])
    for kind, found in enumerate(fit.part(["kind"]).facts.worst):
        assert found == pytest.approx(float((weights[kind::2].sum(axis=0) ** 2) @ worst))


def test_the_transpose_is_the_transpose():
    _, finest, middle, top = three_levels(11)
    fit = Fit(finest, [middle, top])
    tree, levels, passes = fit._base
    found = transposed(passes, np.eye(len(finest.sizes)))
    applied = sum(weights.T @ each.values for weights, each in zip(found, levels, strict=True))
    np.testing.assert_allclose(applied, passes.fit([each.values for each in levels])[-1], atol=1e-9)
    assert tree.depth == 3


def test_levels_of_other_people_and_levels_that_cross_are_refused():
    _, finest, middle, top = three_levels()
    wrong = Measured(
        keys=top.keys, sizes=top.sizes + 1, values=top.values, working=top.working, facts=top.facts
    )
    with pytest.raises(InvalidInput, match="same people"):
        Fit(finest, [wrong]).value  # noqa: B018
    kinds = Measured(
        keys={"kind": middle.keys["region"]},
        sizes=middle.sizes,
        values=middle.values,
        working=middle.working,
        facts=middle.facts,
    )
    with pytest.raises(InvalidInput, match="nested"):
        Fit(finest, [middle, kinds])
    extra = Measured(
        keys={"region": middle.keys["region"] + 1},
        sizes=middle.sizes,
        values=middle.values,
        working=middle.working,
        facts=middle.facts,
    )
    with pytest.raises(InvalidInput, match="same people"):
        Fit(finest, [extra]).value  # noqa: B018
