"""What a plan foresees of levels and sums: checked against exact variances, and against simulated releases."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from tests.conftest import require

require("tables")

import pyarrow as pa

import discreet as dc
from discreet.reading.histograms.weighted_sums import weighted_score
from discreet.reading.levels.level_noise import geometric_noise
from discreet.reading.levels.tree import make_tree
from discreet.reading.levels.two_passes import make_passes
from discreet.reading.totals import count_score
from discreet.show.plans.own_tables_text import released_alone

SIZES = np.array([2, 3, 5, 8, 12] * 8)
REGION = np.repeat(np.arange(8), 5)


def clinics(sizes=SIZES, region=REGION):
    return pa.table(
        {"region": region, "clinic": np.arange(len(sizes)), "patients": sizes, "ill": sizes // 3}
    )


def plan(table, **words):
    return dc.plan(
        table,
        **{"by": ["region", "clinic"], "count": "ill", "size": "patients", "epsilon": 1, **words},
    )


def test_levels_will_be_as_good_as_simulated_ones_are():
    """300 releases: a root mean square is within 4.1% of its mean for 68 of 100, and here within 20%."""
    levels = plan(clinics(), levels="rollup").levels
    people = np.bincount(REGION, weights=SIZES).astype(int)
    tree = make_tree([[SIZES.sum()], people, SIZES], [np.zeros(8, int), REGION])
    alphas = [np.exp(-float(level.share)) for level in levels[::-1]]
    noises = [
        geometric_noise(n, a, working="uniform") for n, a in zip(tree.sizes, alphas, strict=True)
    ]
    passes, rng = make_passes(tree, [noise.working for noise in noises]), np.random.default_rng(5)
    squares = np.zeros(3)
    for _ in range(300):
        true = tree.totals(rng.integers(0, SIZES + 1))
        drawn = [
            np.clip(x + rng.geometric(1 - a, len(x)) - rng.geometric(1 - a, len(x)), 0, n)
            for x, a, n in zip(true, alphas, tree.sizes, strict=True)
        ]
        fitted = passes.fit([noise.read(y)[0] for noise, y in zip(noises, drawn, strict=True)])
        squares += [np.mean((x - t) ** 2) for x, t in zip(fitted, true, strict=True)]
    found = np.sqrt(squares / 300)
    foreseen = [level.errors[0].standard_error for level in levels[::-1]]
    assert found == pytest.approx(foreseen, rel=0.2)


@pytest.mark.parametrize("levels", ["rollup", pytest.param("cube", marks=pytest.mark.slow)])
def test_a_level_that_matters_more_gets_more(levels):
    equal, nation = (
        plan(clinics(), levels=levels),
        plan(clinics(), levels=levels, level_importance={"total": 5}),
    )
    assert nation.levels[-1].share > equal.levels[-1].share
    assert nation.levels[-1].errors[0].standard_error < equal.levels[-1].errors[0].standard_error
    assert set(equal.levels[0].errors[0].tenth_more) == {level.name for level in equal.levels}


def test_a_cube_whose_margin_adds_nothing_is_planned_as_the_tree_it_is():
    """A clinic is in one region: cells and clinics are the same groups, and one tells what the other does."""
    split = {"total": "1/10", "region": "2/10", "clinic": "1/100"}
    cube = plan(clinics(), levels="cube", level_split=split).levels
    tree = plan(clinics(), levels="rollup", level_split={"total": "1/10", "region": "2/10"}).levels
    assert cube[1].errors[0].standard_error == pytest.approx(
        tree[1].errors[0].standard_error, rel=0.02
    )
    assert cube[0].errors[0].standard_error == pytest.approx(cube[2].errors[0].standard_error)


@pytest.mark.parametrize("properties", [None, "F", "WH"])
@pytest.mark.parametrize("epsilon", ["1", "3/10"])
def test_sums_have_the_variances_of_their_mechanisms(properties, epsilon):
    p = plan(clinics(), properties=properties, epsilon=epsilon)
    designed = dc.design_many(set(SIZES.tolist()), epsilon=epsilon, properties=properties)
    variance = sum(count_score(designed[int(n)]).mean_variance for n in SIZES)
    total, region = (
        next(found for found in p.totals if found.by == by and found.asked)
        for by in ("total", "region")
    )
    assert total.standard_error == pytest.approx(sqrt(variance))
    assert region.standard_error == pytest.approx(sqrt(variance / 8))
    assert (total.sums, region.sums) == (1, 8)
    assert {found.by for found in p.totals} == {"total", "region"}, "a clinic is a group, not a sum"
    for found in p.totals:  # the shape is seen beside others, whichever was asked for
        other = next(
            each
            for each in plan(clinics(), properties=found.properties, epsilon=epsilon).totals
            if each.asked
        )
        if found.by == "total":
            assert found.standard_error == pytest.approx(other.standard_error, rel=1e-6)


def test_many_sizes_are_interpolated_and_cost_little():
    sizes = np.arange(1, 2001)
    p = plan(clinics(sizes, sizes % 10), properties="F", epsilon="1/2")
    designed = dc.design_many([*range(1, 2001, 17)], epsilon="1/2", properties="F")
    variances = np.interp(
        sizes, list(designed), [count_score(m).mean_variance for m in designed.values()]
    )
    total = next(found for found in p.totals if found.by == "total" and found.asked)
    assert total.standard_error == pytest.approx(sqrt(variances.sum()), rel=0.01)


def test_a_plan_says_how_much_noisier_a_shape_makes_sums():
    p = plan(clinics(), properties="F", epsilon="1/2")
    text = str(p)
    said = " ".join(text.split())
    first, plain = (
        next(x for x in p.totals if x.by == "total" and x.properties == shape)
        for shape in ("F", "")
    )
    assert f"Of the total, F makes the 95% margin {first.width / plain.width:.1f} times" in said, (
        "what is shown"
    )
    assert "and the standard error 2.0 times as large as without properties." in said
    assert "as asked" in text and "region, 8" in text
    assert max(map(len, text.splitlines())) <= 80
    two = dc.plan(
        clinics(),
        by=["region"],
        count={"a": "region > 2", "b": "clinic > 3"},
        split=[3, 1],
        public=["region"],
        epsilon=1,
    )
    assert "a: total" in str(two) and "b: total" in str(two)
    assert "Sums, as asked" in two._repr_html_()


def test_what_cannot_be_debiased_has_no_sums_and_no_levels():
    words = {"prior": "Binomial(0.3)", "loss": "L1", "epsilon": "1/10"}
    p = plan(clinics(), levels="rollup", level_split={"total": 0.2, "region": 0.2}, **words)
    assert p.totals[0].standard_error is None and not p.levels[0].errors
    assert "The finest counts have no unbiased estimates" in str(p)


def test_sums_of_answers_have_the_variances_of_their_mechanisms():
    """Whole histograms and cells: the mean over answers of what the estimates of an answer will vary by."""
    sizes = [2] * 8 + [60] * 3
    people = pa.table(
        {
            "group": [g for g, n in enumerate(sizes) for _ in range(n)],
            "mood": ["a", "b", "c"] * 65 + ["a"],
        }
    )
    p = dc.plan(people, by="group", count={"mood": ["a", "b", "c"]}, epsilon=1)
    (total,) = p.totals
    assert (total.by, total.asked, total.answers) == ("total", True, 3)
    joint, cells = dc.design(n=2, categories=3, epsilon=1), dc.geometric(n=60, epsilon="1/2")
    weights = [Fraction(1), Fraction(0), Fraction(0)]
    one, _ = weighted_score(joint.form, tuple(weights))
    variance = 8 * one.mean_variance + 3 * (2 / 3) * count_score(cells).mean_variance
    assert total.standard_error == pytest.approx(variance**0.5)
    said = " ".join(p.text(details=True).split())
    assert "mood: total" in said and "the sum of one answer, on average" in said


def test_a_plan_says_what_each_level_would_be_without_coarser_ones():
    known = {level.name: level.errors[0] for level in plan(clinics(), levels="rollup").levels}
    sums = {total.by: total.standard_error for total in plan(clinics()).totals if total.asked}
    for name in ("region", "total"):
        assert known[name].alone == pytest.approx(sums[name])
    assert known["total"].alone > known["total"].standard_error
    assert known["region,clinic"].alone < known["region,clinic"].standard_error
    (row,) = (
        line
        for line in str(plan(clinics(), levels="rollup")).splitlines()
        if line.startswith("  total  ")
    )
    assert row.split()[3:5] == [
        f"{known['total'].standard_error:.2f}",
        f"{known['total'].alone:.2f}",
    ]


def test_a_margin_that_is_true_of_anything_is_not_shown():
    """Half of all people is a margin of every total; EM's standard error may even exceed it."""
    hopeless, known = (
        plan(clinics(), properties="F", epsilon=epsilon) for epsilon in ("1/10", "1")
    )
    (total,) = (found for found in hopeless.totals if found.asked and found.by == "total")
    assert total.width is None and total.standard_error > SIZES.sum() / 2
    assert "0 to the number of people" in total.no_margin
    assert all(
        found.width > 2 * found.standard_error and not found.no_margin for found in known.totals
    )
    for text in (str(hopeless), hopeless._repr_html_()):
        assert "none (" in text and "too noisy, a 95% interval would hold all" in text
    exceed = "Margins can exceed 1.96 std errors"
    assert (
        "none" not in str(known)
        and exceed in " ".join(known.text(details=True).split())
        and exceed not in str(known)
    )
    assert hopeless.to_dict()["totals"][0]["width"] is None


def test_the_plan_of_levels_is_tables_and_says_where_levels_are_no_bargain():
    """Four levels of long names: a row for each change, a column for each level, in 80 columns."""
    table = clinics().append_column("the whole long country", pa.array(REGION // 4))
    keys = ["the whole long country", "region", "clinic"]
    ruined = {
        "the whole long country": "49/100",
        "the whole long country,region": "1/100",
        "total": "1/100",
    }
    by_hand, chosen = (
        plan(table, by=keys, levels="rollup", level_split=split) for split in (ruined, None)
    )
    text, short = by_hand.text(details=True), str(by_hand)
    assert max(map(len, text.splitlines())) <= 80 and "a tenth of epsilon more for" not in text
    assert "as planned" not in short and short.index("They cost: ") < short.index("std error"), (
        "what decides is first"
    )
    assert (
        "as planned" in text
        and "more for clinic" in text
        and "more for clinic" in by_hand._repr_html_()
    )
    said = " ".join(text.split())
    assert (
        "They cost: clinic " in said
        and "`level_split={'the whole long country,region': '0.01', " in said
    )
    assert min(level.share for level in chosen.levels) == Fraction(8, 100), (
        "a third of a fourth, in hundredths"
    )
    nothing = " ".join(str(plan(clinics(), levels="rollup", epsilon=8)).split())
    assert (
        "Levels bring nothing here: without `levels` every one of these numbers would be better or"
        in nothing
    )


def test_a_table_that_is_far_worse_than_its_estimates_is_not_to_be_read_alone():
    """Said by the plan and beside the release; of chosen shares too, where levels cannot pay."""
    words = {
        "by": ["region", "clinic"],
        "count": "ill",
        "size": "patients",
        "epsilon": 1,
        "levels": "rollup",
    }
    starved = {"level_split": {"region": "1/100", "total": "1/10"}}
    text = " ".join(str(plan(clinics(), **words, **starved)).split())
    assert (
        "Not to be read alone, the table of region (share 0.01, off by about ±" in text
        and "total (share" not in text
    )
    (note,) = released_alone(dc.release(clinics(), **words, **starved))
    assert "region: share 0.01, its own numbers are off by about ±" in note
