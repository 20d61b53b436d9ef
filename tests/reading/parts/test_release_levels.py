"""Releases of several levels, read from the bundle and from memory, in Python and from the shell."""

import json
from fractions import Fraction

import numpy as np
import pytest
from tests.cli.test_frame import invoke
from tests.conftest import require

require("tables")

import pyarrow as pa

import discreet as dc
from discreet.errors import InvalidInput

RNG = np.random.default_rng(6)
CLINICS, SIZES = 120, RNG.integers(2, 9, 120)
TRUTH = RNG.binomial(SIZES, 0.3)
COUNTS = pa.table(
    {
        "region": [f"r{k % 5}" for k in range(CLINICS)],
        "clinic": list(range(CLINICS)),
        "people": SIZES,
        "ill": TRUTH,
    }
)
ASKED = {"by": ["region", "clinic"], "count": "ill", "size": "people", "epsilon": 1}
SPLIT = {"total": "1/10", "region": "1/5"}


def test_a_bundle_and_a_release_in_memory_say_the_same(tmp_path):
    r = dc.release(COUNTS, **ASKED, levels="rollup", level_split=SPLIT)
    r.save(tmp_path / "out")
    one, two = dc.estimate(r), dc.estimate(tmp_path / "out")
    assert len(one.coarser) == len(two.coarser) == 2
    for names in ((), ("region",), ("clinic",)):
        assert one.subtotals(*names).to_dict() == two.subtotals(*names).to_dict()
    assert one.adding_up().counts.tolist() == two.adding_up().counts.tolist()


@pytest.mark.slow
def test_levels_are_unbiased_cover_and_beat_a_flat_release_at_the_top():
    """Means within five standard errors, coverage within four of 80 releases: false alarms below 1 in 10,000."""
    repeats, confidence = 80, Fraction(9, 10)
    regions = np.bincount(np.arange(CLINICS) % 5, TRUTH)
    totals, covered = [], np.zeros(6)
    for _ in range(repeats):
        e = dc.estimate(
            dc.release(COUNTS, **ASKED, levels="rollup", level_split=SPLIT), confidence=confidence
        )
        table = e.subtotals("region")
        totals.append(e.total.value)
        covered[:5] += (table["low"] <= regions) & (regions <= table["high"])
        covered[5] += e.total.low <= TRUTH.sum() <= e.total.high
    assert (covered >= 0.9 * repeats - 4 * np.sqrt(0.09 * repeats)).all()
    assert abs(np.mean(totals) - TRUTH.sum()) < 5 * np.std(totals) / np.sqrt(repeats)
    flat = dc.estimate(dc.release(COUNTS, **ASKED))
    assert e.total.standard_error < 0.8 * flat.total.standard_error


def test_subtotals_by_every_set_of_keys_add_up(tmp_path):
    by = {"half": "clinic % 2", "region": "region", "clinic": "clinic"}
    e = dc.estimate(
        dc.release(
            COUNTS,
            **{**ASKED, "by": by},
            levels=[["half", "region", "clinic"], ["half"]],
            level_split={"half": 0.2},
        )
    )
    whole = e.adding_up()
    for names in (
        (),
        ("half",),
        ("region",),
        ("half", "region"),
        ("clinic", "region"),
        ("half", "region", "clinic"),
    ):
        assert e.subtotals(*names)["estimate"].sum() == e.total.value
        assert whole.subtotals(*names)["ill"].sum() == whole.total


def test_a_cube_is_read_and_whole_numbers_follow_its_first_key():
    e = dc.estimate(
        dc.release(
            COUNTS,
            **{
                **ASKED,
                "by": {"half": "clinic % 2", "region": "region"},
                "size": None,
                "count": "ill > 1",
            },
            levels="cube",
        )
    )
    assert (
        e.subtotals("half")["estimate"].sum()
        == e.subtotals("region")["estimate"].sum()
        == e.total.value
    )
    whole = e.adding_up()
    assert (
        whole.subtotals("half")["ill > 1"].sum()
        == whole.total
        == np.clip(np.floor(e.total.value + 0.5), 0, e.people)
    )


def test_levels_of_two_releases_are_one_measurement():
    first = dc.estimate(dc.release(COUNTS, **ASKED, levels="rollup", level_split=SPLIT))
    second = dc.estimate(
        dc.release(COUNTS, **{**ASKED, "by": "region", "size": None, "count": "ill > 1"})
    )
    with pytest.raises(InvalidInput, match="one count"):
        dc.combine(first, second)
    again = dc.estimate(dc.release(COUNTS, **ASKED, levels="rollup", level_split=SPLIT))
    both = dc.combine(first, again, same_quantity=True)
    assert both.total.standard_error < first.total.standard_error
    assert again.change(first).total.value == pytest.approx(again.total.value - first.total.value)


def test_the_shell_reads_levels_together(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    dc.release(COUNTS, **ASKED, levels="rollup", level_split=SPLIT, output="out", adding_up=True)
    e = dc.estimate("out")
    rows = json.loads(invoke("estimate", "out", "--by", "region", "--json"))["rows"]
    assert [row["estimate"] for row in rows] == e.subtotals("region")["estimate"].tolist()
    assert json.loads(invoke("estimate", "out", "--json"))["total"]["value"] == e.total.value
    assert "Verified: every claim" in invoke("verify", "out/proofs.zip")
