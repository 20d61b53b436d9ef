"""Several levels on Spark: sums of counts that are computed once, and draws of their own at every level."""

from __future__ import annotations

import pytest
from tests.conftest import require

require("spark")

import pyarrow as pa
from tests.tables.sources import quick_spark_session, spark_folder
from tests.tables.test_levels import BY, PEOPLE, SURELY

import discreet as dc

pytestmark = [
    pytest.mark.spark,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]


def test_levels_are_those_of_the_other_engine():
    frame = quick_spark_session().createDataFrame(PEOPLE)
    split = {"region": "1/5", "clinic": "1/5", "total": "1/5"}
    asked = {"by": BY, "count": "ill", "epsilon": SURELY, "levels": "cube", "level_split": split}
    here, there = (
        dc.release(PEOPLE, **asked),
        dc.release(frame, output=spark_folder() / "levels", **asked),
    )
    for name, table in dc.read_release(there.path).tables.items():
        assert sorted(map(str, table.to_pylist())) == sorted(
            map(str, here.tables[name].to_pylist())
        ), name
    chosen = asked | {"level_split": None, "epsilon": 1, "level_properties": {"region": "F"}}
    here, there = (
        [(level.name, level.share) for level in dc.plan(data, **chosen).levels]
        for data in (PEOPLE, frame)
    )
    assert here == there
    shaped = dc.release(frame, **chosen | {"level_split": split})
    assert [level.properties for level in shaped.manifest.levels] == ["", "F", "", ""]
    assert shaped.level(1).mechanism(4).satisfies("F") and sorted(
        shaped.tables["region"]["n"].to_pylist()
    ) == [
        1,
        2,
        3,
        4,
    ]


def test_equal_keys_and_sizes_at_two_levels_are_drawn_apart():
    """300 groups of two that agree with chance below 0.7 each: all of them do with chance below 1e-46."""
    keys = [f"k{place:03}" for place in range(300) for _ in range(2)]
    table = pa.table({"row": keys, "column": keys, "ill": [True, False] * 300})
    split = {"row": "1/4", "column": "1/4", "total": "1/4"}
    asked = {
        "by": ["row", "column"],
        "count": "ill",
        "epsilon": 4,
        "levels": "cube",
        "level_split": split,
    }
    r = dc.release(quick_spark_session().createDataFrame(table), **asked)
    rows, columns = (r.tables[name]["ill"].to_pylist() for name in ("row", "column"))
    assert r.level(1).mechanism(2).id == r.level(2).mechanism(2).id == r.mechanism(2).id
    assert len(rows) == 300 and rows != columns != r.table["ill"].to_pylist() != rows
    assert r.tables["row"]["ill"].to_pylist() == rows, "and evaluated again it is the same"
