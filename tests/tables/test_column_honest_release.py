"""A table released with honest columns where a theorem answers: one small proof for every size from 3 on."""

from __future__ import annotations

import zipfile

import numpy as np
import pytest
from tests.conftest import require

require("tables")

import pyarrow as pa

import discreet as dc
from discreet.core.forms import ColumnHonest
from discreet.proof import examine

SIZES = [1, 2, 3, 4, 31, 40, 200, 300, 100_000]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    output = tmp_path_factory.mktemp("column-honest") / "out"
    truth = [n // 3 for n in SIZES * 20]
    table = pa.table({"g": [f"g{k:03}" for k in range(len(truth))], "n": SIZES * 20, "c": truth})
    dc.release(
        table,
        by="g",
        count="c",
        size="n",
        epsilon="1/2",
        properties="WH CM",
        intervals="0.9",
        output=output,
    )
    return output, np.array(truth)


def test_one_proof_answers_for_every_size_from_three_on(bundle):
    output, _ = bundle
    with zipfile.ZipFile(output / "proofs.zip") as container:
        files = [container.read(each) for each in container.infolist()]
    assert sum(map(len, files)) < 8000
    reports = [examine(data, write_out=False) for data in files]
    assert len(reports) == 3  # GM for one person, a linear program for two
    ((family, document),) = [found for found in reports if found[0].n == max(SIZES)]
    assert family.optimal
    assert family.sizes == ((3, max(SIZES)),)
    assert (document["kind"], document["version"]) == ("column-honest", 1)


def test_what_was_released_is_read_without_a_matrix(bundle):
    output, truth = bundle
    release = dc.read_release(output)
    assert type(release.mechanism(40).form) is ColumnHonest
    estimate = dc.estimate(release, confidence="0.999999")
    assert estimate.total.low <= truth.sum() <= estimate.total.high
    columns = release.table.to_pydict()
    covered = sum(
        low <= j <= high
        for low, j, high in zip(columns["c_low"], truth, columns["c_high"], strict=True)
    )
    assert covered >= 0.7 * len(truth)  # of 180 at 0.9 each: fewer with chance below 1e-12
    table = estimate.table().columns
    assert (np.abs(table["posterior_mean"] - truth) < 60).all()


def test_a_plan_says_what_to_expect_of_it():
    table = pa.table({"g": ["a", "b"], "n": [5, 10**8], "c": [3, 1]})
    plan = dc.plan(table, by="g", count="c", size="n", epsilon="1/2", properties="CM")
    assert [line.name for line in plan.lines] == ["CM", "CM"]
    assert plan.lines[1].margin == 6
