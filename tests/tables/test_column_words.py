"""A released table says of each column what it is: in memory and in Parquet."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from tests.conftest import require

require("tables")

import pyarrow as pa
import pyarrow.parquet

import discreet as dc
from discreet.tables.engines import DESCRIPTION

PEOPLE = pa.table(
    {
        "region": list("nnns"),
        "clinic": list("aabc"),
        "age": [20, 70, 30, 40],
        "smoker": [1, 0, 1, 0],
        "mood": ["low", "high", "low", "low"],
    }
)
ASKED = {
    "by": ["region", "clinic"],
    "count": {"smoker": "smoker", "old": "age > 64", "mood": ["low", "mid", "high"]},
    "epsilon": 1,
}


def words(schema):
    return {field.name: field.metadata[DESCRIPTION.encode()].decode() for field in schema}


def test_every_column_of_a_parquet_table_is_described(tmp_path):
    made = dc.release(PEOPLE, **ASKED, intervals="0.95", output=tmp_path / "out")
    found = words(pyarrow.parquet.read_schema(tmp_path / "out" / "table.parquet"))
    assert list(found) == made.table.column_names and found == words(made.table.schema)
    assert found["clinic"] == "key of the group, published as it is" and found["n"].startswith(
        "size of the group"
    )
    assert (
        found["old"] == "private count: age > 64"
        and found["mood_mid"] == "private count of the answer mid to mood"
    )
    assert (
        "it may lie outside 0..n" in found["smoker_estimate"]
        and "of the 0.95 confidence" in found["smoker_low"]
    )


def test_so_are_the_tables_of_other_levels_and_of_a_release_that_is_saved(tmp_path):
    asked = {
        "by": ["region", "clinic"],
        "count": "smoker",
        "epsilon": 1,
        "levels": "rollup",
        "adding_up": True,
    }
    saved = dc.release(PEOPLE, **asked).save(tmp_path / "out")
    for table in ("table", "table-region", "table-total"):
        found = words(pyarrow.parquet.read_schema(tmp_path / "out" / f"{table}.parquet"))
        assert found["smoker_whole"] == "whole number for smoker, made so that all sums are right"
    assert dc.read_release(tmp_path / "out").manifest == saved.manifest


@pytest.mark.parametrize(
    "keys",
    [
        pa.array(["a", "b"]),
        pa.array(["a", "b"], pa.large_string()),
        pa.array([1, 2], pa.int16()),
        pa.array([date(2026, 1, 1), date(2026, 1, 2)]),
        pa.array([datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC)]),
        pa.array([Decimal("1.50"), Decimal("2.00")]),
    ],
    ids=lambda keys: str(keys.type),
)
def test_keys_stay_what_they_were(tmp_path, keys):
    held = dc.release(pa.table({"key": keys, "bit": [1, 0]}), by="key", count="bit", epsilon=1)
    held.save(tmp_path / "out")
    kept = pyarrow.parquet.read_table(tmp_path / "out" / "table.parquet")
    assert kept["key"].to_pylist() == held.table["key"].to_pylist() == keys.to_pylist()
