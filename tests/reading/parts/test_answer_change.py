"""Questions with several answers at several levels: differences, changes and several releases read as one."""

import json
import re

import numpy as np
import pytest
from tests.cli.test_frame import invoke
from tests.conftest import require

require("tables")

import pyarrow as pa

import discreet as dc
from discreet.errors import InvalidInput
from discreet.reading.histograms.histogram_estimates import HistogramEstimate
from discreet.reading.histograms.histogram_sample import HistogramSample

ANSWERS = ["never", "former", "current"]
SCALE = {"never": 0, "former": 1, "current": 2}
LEVELS = {"levels": "rollup", "level_split": {"total": 0.2, "region": 0.3}}


def people(seed, clinics=12):
    rng = np.random.default_rng(seed)
    clinic = np.repeat(np.arange(clinics), rng.integers(1, 4, clinics))
    answer = rng.choice(3, len(clinic), p=[0.5, 0.2, 0.3])
    return pa.table(
        {
            "region": [f"r{c % 3}" for c in clinic],
            "clinic": clinic,
            "smoking": [ANSWERS[c] for c in answer],
        }
    )


def read(table, by=("region", "clinic"), **more):
    asked = {"by": list(by), "count": {"smoking": ANSWERS}, "epsilon": 4}
    return dc.estimate(dc.release(table, **asked, **more))


MAY, JUNE = people(1), people(2)


@pytest.fixture(scope="module")
def may():
    return read(MAY, **LEVELS)


@pytest.fixture(scope="module")
def june():
    return read(JUNE, **LEVELS)


def test_a_difference_is_that_of_what_both_releases_say_at_all_levels(may, june):
    for answer in ANSWERS:
        found = june.difference(may, answer)
        assert found.value == pytest.approx(june.shares[answer].value - may.shares[answer].value)
        squares = [e.shares[answer].standard_error ** 2 for e in (may, june)]
        # not exactly: what each is kept within, and what both are kept within together, differ
        assert found.standard_error == pytest.approx(np.sqrt(sum(squares)), rel=0.05)
        assert -1 <= found.low <= found.high <= 1 and found.groups == may.groups + june.groups
    means = june.difference(may, scores=SCALE)
    assert means.value == pytest.approx(june.mean(SCALE).value - may.mean(SCALE).value)
    with pytest.raises(InvalidInput, match="`other` must be different releases"):
        may.difference(may, "never")


def test_changes_of_answers_add_up_and_say_their_direction(may, june):
    found = june.change(may, missing="empty")
    assert found.keys == ("region", "clinic", "answer")
    rows = found["change"].reshape(-1, 3)
    grown = (found["n_after"] - found["n_before"]).reshape(-1, 3)[:, 0]
    np.testing.assert_allclose(rows.sum(axis=1), grown, atol=1e-9)
    for place, answer in enumerate(ANSWERS):
        total = found.totals[answer]
        assert total.value == pytest.approx(june.totals[answer].value - may.totals[answer].value)
        assert rows[:, place].sum() == pytest.approx(total.value)
        assert total.low <= total.high
    assert (found["low"] <= found["high"]).all() and (found["high"] <= found["n_after"]).all()
    text = str(found)
    assert "above 0 there are more in the second" in text and "\n  never: " in text
    assert list(found.to_dict()["totals"]) == ANSWERS


def test_a_change_by_key_is_that_of_the_level(may, june):
    found = june.change(may, by="region")
    assert len(found) == 9
    for place, answer in enumerate(ANSWERS):
        before, after = (
            e.subtotals("region")["estimate"].reshape(-1, 3)[:, place] for e in (may, june)
        )
        assert found["change"].reshape(-1, 3)[:, place].tolist() == pytest.approx(
            (after - before).tolist()
        )
        assert found["change"].reshape(-1, 3)[:, place].sum() == pytest.approx(
            found.totals[answer].value
        )
    counts = [
        dc.estimate(
            dc.release(
                t, by=["region", "clinic"], count="smoking = 'current'", epsilon=1, levels="rollup"
            )
        )
        for t in (MAY, JUNE)
    ]
    by_region = counts[1].change(counts[0], by="region")
    assert by_region["change"].sum() == pytest.approx(by_region.total.value)
    assert counts[1].difference(counts[0]).value == pytest.approx(
        counts[1].rate.value - counts[0].rate.value
    )


def test_two_releases_of_the_same_people_are_averaged_and_add_up(may):
    again = read(MAY, **LEVELS)
    both = dc.combine(may, again)
    assert both.answers == tuple(ANSWERS) and both.people == may.people
    assert sum(q.value for q in both.totals.values()) == both.people
    for answer in ANSWERS:  # equal mechanisms have equal weights
        mean = (may.totals[answer].value + again.totals[answer].value) / 2
        assert both.totals[answer].value == pytest.approx(mean, abs=1e-6)
        assert both.totals[answer].standard_error < may.totals[answer].standard_error
    assert both.mean(SCALE).value == pytest.approx(
        both.shares["former"].value + 2 * both.shares["current"].value
    )
    regions = both.subtotals("region")
    assert (
        regions["estimate"].reshape(-1, 3).sum(axis=1).tolist()
        == regions["n"].reshape(-1, 3)[:, 0].tolist()
    )
    assert both.means("region", scores=SCALE)["n"].sum() == both.people
    whole = both.adding_up()
    assert (whole.counts.sum(axis=1) == whole.sizes).all() and whole.total == both.people
    assert "2 releases of 12 groups together" in str(both)


def test_releases_of_other_levels_are_fitted_together_and_what_tells_nothing_has_no_weight():
    clinics, regions = read(MAY), read(MAY, by=["region"])
    both = dc.combine(clinics, regions)
    assert len(both.subtotals("region", "clinic")) == 3 * clinics.groups
    for answer in ANSWERS:
        assert both.totals[answer].standard_error < clinics.totals[answer].standard_error
    useless = HistogramEstimate(
        sample=_always_the_same(clinics.sample), confidence=clinics.confidence
    )
    with_it = dc.combine(clinics, useless)
    for answer in ANSWERS:
        assert with_it.totals[answer].value == pytest.approx(clinics.totals[answer].value)


def _always_the_same(sample):
    """A release of the same groups, cell by cell, whose outputs ignore the data."""
    flat = {n: dc.uniform(n=n) for n in np.unique(sample.sizes).tolist()}
    outputs = np.zeros_like(sample.outputs)
    outputs[:, 0] = sample.sizes
    return HistogramSample(
        answers=sample.answers,
        sizes=sample.sizes,
        outputs=outputs,
        mechanisms=flat,
        keys=sample.keys,
        name=sample.name,
    )


def test_what_is_not_the_same_question_is_refused(may):
    count = dc.estimate(
        dc.release(MAY, by="region", count={"smoking": "smoking = 'current'"}, epsilon=1)
    )
    other = dc.estimate(
        dc.release(MAY, by=["region", "clinic"], count={"smoking": ANSWERS[::-1]}, epsilon=1)
    )
    for wrong, rule in (
        (count, "must have the same answers"),
        (other, "must have the same answers"),
    ):
        with pytest.raises(InvalidInput, match=rule):
            dc.combine(may, wrong)
    with pytest.raises(
        InvalidInput, match="must be different releases, not the same release twice"
    ):
        dc.combine(may, may)
    with pytest.raises(InvalidInput, match="must be what `dc.estimate` gives, not WholeNumbers"):
        dc.combine(may, may.adding_up())
    with pytest.raises(
        InvalidInput, match="`earlier` must have the same answers, not current, former, never"
    ):
        may.change(other)
    with pytest.raises(
        InvalidInput, match="must be the estimate of a question with several answers"
    ):
        may.change(count)
    with pytest.raises(InvalidInput, match="`earlier` must be different releases"):
        may.change(may)


@pytest.mark.slow
def test_changes_of_answers_from_the_shell(tmp_path):
    words = {"by": ["region"], "count": {"smoking": ANSWERS}, "epsilon": 4}
    for name, table in (("may", MAY), ("june", JUNE)):
        dc.release(table, **words, output=tmp_path / name)
    asked = ["estimate", str(tmp_path / "june"), "--change-from", str(tmp_path / "may")]
    assert list(json.loads(invoke(*asked, "--json"))["totals"]) == ANSWERS
    assert re.search(
        r"^  current: +[+-]\d+\.\d  95% interval", invoke(*asked, "--by", "region"), re.MULTILINE
    )
    assert "leave out --scores" in invoke(*asked, "--scores", "never=1", code=2)
