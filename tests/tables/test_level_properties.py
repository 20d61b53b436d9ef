"""Shapes of coarser levels that are named: planned, designed, published, verified and read."""

from __future__ import annotations

import pytest
from tests.conftest import require
from tests.tables.bundles import manifest_of, write_manifest

require("tables")

import numpy as np
import pyarrow as pa

import discreet as dc
from discreet.errors import Contradiction, InvalidFile, InvalidInput, NotProven
from discreet.reading.levels.level_noise import noise_by_mechanism
from discreet.reading.levels.mean_excess import scale_of
from discreet.reading.totals import count_score
from discreet.tables.asking.request import Request, question_digest

SIZES = [4, 6, 9, 5, 4, 7]
COUNTS = pa.table(
    {
        "region": ["n", "n", "n", "s", "s", "s"],
        "clinic": list("abcabc"),
        "people": SIZES,
        "ill": [1, 2, 3, 0, 4, 2],
    }
)
ASKED = {
    "by": ["region", "clinic"],
    "count": "ill",
    "size": "people",
    "epsilon": 1,
    "levels": "rollup",
}
SPLIT = {"level_split": {"region": "1/5", "total": "1/5"}}


def test_a_named_level_has_its_shape_from_the_plan_to_the_estimates(tmp_path):
    words = {**ASKED, **SPLIT, "properties": "WH", "level_properties": {"region": "F"}}
    planned = dc.plan(COUNTS, **words)
    assert [level.properties for level in planned.levels] == ["WH", "F", ""]
    assert "Shapes: WH for clinic, F for region; the others use GM." in str(planned)
    dc.release(COUNTS, **words, adding_up=True, output=tmp_path / "out")
    r = dc.read_release(tmp_path / "out")  # which checks the bundle
    assert [level.properties for level in r.manifest.levels] == ["WH", "F", ""]
    assert r.level(1).mechanism(19, "ill").satisfies("F") and not r.level(2).mechanism(
        35, "ill"
    ).satisfies("F")
    e = dc.estimate(r)
    assert e.subtotals("region")["estimate"].sum() == e.total.value
    assert e.adding_up().total == r.tables["total"]["ill_whole"][0].as_py()


def test_fair_regions_are_noisier_and_the_plan_and_the_split_know():
    def regions(**more):
        return dc.plan(COUNTS, **ASKED, **more).levels[1]

    plain, fair = regions(**SPLIT), regions(**SPLIT, level_properties={"region": "F"})
    assert fair.errors[0].standard_error > plain.errors[0].standard_error
    assert {line.name for line in fair.lines} == {"EM"} and {line.name for line in plain.lines} == {
        "GM"
    }
    weight = {"level_importance": {"region": 9}}
    assert regions(**weight).share != regions(**weight, level_properties={"region": "F"}).share


def test_estimates_are_unbiased_with_a_shape_at_every_level():
    """The means over 500 equal regions within 5 standard errors of the truth: a false alarm in about 10^6 runs."""
    regions = 500
    table = pa.table(
        {
            "region": np.repeat(np.arange(regions), 3),
            "clinic": [*range(3)] * regions,
            "people": [4, 6, 9] * regions,
            "ill": [1, 0, 7] * regions,
        }
    )
    levels = [["region", "clinic"], ["region"]]
    asked = {
        **ASKED,
        "epsilon": 4,
        "levels": levels,
        "level_split": {"region": "1/2"},
        "properties": "F",
    }
    e = dc.estimate(dc.release(table, **asked, level_properties={("region",): "F"}))
    values = np.column_stack([e.fit.value.reshape(regions, 3), e.subtotals("region")["estimate"]])
    error = values.std(axis=0) / np.sqrt(regions)
    assert (np.abs(values.mean(axis=0) - [1, 0, 7, 8]) < 5 * error).all()


def test_spellings_of_one_question_have_one_name():
    def digest(given):
        return question_digest(
            Request(by=["a", "b"], count="ill", epsilon=1, levels="rollup", level_properties=given)
        )

    assert digest({"a": "WH CM"}) == digest({("a",): ["CM", "WH"]}) != digest({"a": "WH"})
    assert digest({"total": "F"}) == digest({(): "F"}) != digest(None)


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        (
            {"levels": None, "level_properties": {"region": "F"}},
            "`level_properties` needs `levels`",
        ),
        ({"level_properties": "F"}, "must be shapes by the name of a level, not F: such as"),
        (
            {"level_properties": {"regoin": "F"}},
            "must name levels of the release, not regoin: did you mean region",
        ),
        ({"level_properties": {"region": "XX"}}, r"`level_properties` has an unknown name \(XX\)"),
        (
            {"level_properties": {"region,clinic": "F"}},
            "must name coarser levels, not region,clinic: the finest level",
        ),
        ({"level_properties": {"total": "F", (): "WH"}}, r"must not name a level twice \(total\)"),
    ],
)
def test_what_cannot_be_asked_is_refused(given, rule):
    with pytest.raises(InvalidInput, match=rule):
        dc.plan(COUNTS, **{**ASKED, **given})


def test_what_could_not_be_read_is_refused_before_it_is_paid():
    large = pa.table(
        {"region": ["n", "s"], "clinic": ["a", "b"], "people": [3000, 3000], "ill": [5, 6]}
    )
    split = {"region": "1/100", "total": "1/100"}
    for verb in (dc.plan, dc.release):
        with pytest.raises(
            InvalidInput,
            match="must leave level total readable .*too large.*larger share of epsilon",
        ):
            verb(large, **ASKED, level_split=split, level_properties={"total": "F"})
    people = pa.table({"region": ["n"] * 6, "clinic": list("aabbcc"), "mood": list("abcabc")})
    asked = {
        "by": ["region", "clinic"],
        "epsilon": 1,
        "levels": "rollup",
        "level_properties": {"region": "F"},
    }
    with pytest.raises(
        InvalidInput, match=r"is for counts, and coarser levels draw each .* \(mood\)"
    ):
        dc.plan(people, **asked, count={"mood": ["a", "b", "c"]})


def test_another_shape_in_the_manifest_is_refused(tmp_path):
    dc.release(COUNTS, **ASKED, **SPLIT, level_properties={"region": "F"}, output=tmp_path / "out")
    for shape in ("", "F S", "f", "WH"):
        manifest = manifest_of(tmp_path / "out")
        manifest["levels"][1]["properties"] = shape
        write_manifest(tmp_path / "out", manifest)
        # "f" is not how a manifest writes it, whatever the mechanisms are
        with pytest.raises(InvalidFile if shape == "f" else Contradiction, match="properties"):
            dc.read_release(tmp_path / "out")


def test_the_bound_of_a_large_group_is_that_of_a_smaller_one_that_errs_alike():
    for n in (200, 201):
        large = dc.fair(n=n, epsilon=1)
        kinds, _ = noise_by_mechanism([large])
        assert kinds.scale[0] == pytest.approx(scale_of(count_score(large)), rel=1e-12)


def test_a_shape_that_takes_a_program_too_large_is_refused():
    large = pa.table(
        {"region": ["n", "s"], "clinic": ["a", "b"], "people": [300, 300], "ill": [5, 6]}
    )
    shape = {"level_properties": {"total": "ODP:9/10"}}
    with pytest.raises(NotProven, match="n = 600 is too large for the linear program"):
        dc.release(large, **ASKED, **SPLIT, **shape)
