"""Unusual tables: what has one clear reading is released as it is, everything else is refused by an error of ours."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import pytest
from tests.conftest import require

require("tables")
require("pandas")
require("polars")

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
from tests.tables.sources import EXACT

import discreet as dc
from discreet.errors import DiscreetError, InvalidData, InvalidInput

BITS = [True, False, True]


def released(source, **words):
    r = dc.release(source, **{"by": "k", "count": "b", "epsilon": EXACT, **words})
    return [tuple(row.values()) for row in r.table.to_pylist()]


def arrow(values, kind=None, bits=BITS):
    return pa.table({"k": pa.array(values, kind), "b": bits})


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([Decimal("1.50"), Decimal("2.50")], pa.decimal128(38, 2)),
        ([dt.date(1500, 1, 1), dt.date(2020, 1, 1)], pa.date64()),
        (["a", "b"], pa.large_string()),
        (["a", "b"], pa.string_view()),
        ([b"aa", b"bb"], pa.binary(2)),
        (["a", "a\0b"], pa.string()),
        (["a", "b"], pa.dictionary(pa.int8(), pa.string())),
        ([5, 6], pa.dictionary(pa.int8(), pa.int64())),
        ([dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 2)], pa.timestamp("s")),
    ],
    ids=str,
)
def test_arrow_keys(values, kind):
    assert released(arrow([*values, None], kind)) == [
        (values[0], 1, 1),
        (values[1], 1, 0),
        (None, 1, 1),
    ]


def test_times_are_in_utc_whatever_zone_they_came_in():
    moment = dt.datetime(2026, 3, 29, 0, 30, tzinfo=dt.UTC)
    expected = [(moment, 3, 2)]
    for zone in ("UTC", "Europe/Berlin", "Asia/Kolkata"):
        assert released(arrow([moment] * 3, pa.timestamp("us", zone))) == expected
        frame = pd.DataFrame({"k": pd.to_datetime([moment] * 3).tz_convert(zone), "b": BITS})
        assert released(frame) == expected
        with duckdb.connect() as connection:
            connection.execute(f"SET TimeZone = '{zone}'")
            same = (
                "SELECT TIMESTAMPTZ '2026-03-29 00:30:00+00' AS k, unnest([true, false, true]) AS b"
            )
            assert released(connection.sql(same)) == expected


@pytest.mark.parametrize(
    "series",
    [
        pd.array(["x", "y", None], dtype="string"),
        pd.array(["x", "y", None], dtype=pd.ArrowDtype(pa.string())),
        pd.Categorical(["x", "y", None]),
        pd.Categorical(["x", "y", None], categories=["y", "x"], ordered=True),
        pd.Series(["x", "y", None], dtype=object),
    ],
    ids=lambda series: str(series.dtype),
)
def test_pandas_keys(series):
    assert released(pd.DataFrame({"k": series, "b": BITS})) == [
        ("x", 1, 1),
        ("y", 1, 0),
        (None, 1, 1),
    ]


@pytest.mark.parametrize(
    "bits",
    [
        pd.array([True, False, None], dtype="boolean"),
        pd.array([1, 0, None], dtype="Int64"),
        pd.array([1.0, 0.0, None]),
        pd.array([1, 0, None], dtype=pd.ArrowDtype(pa.uint8())),
        pd.Series([True, False, None], dtype=object),
        pd.Categorical([1, 0, None]),
        pd.array(["1", "false", None], dtype="string"),
    ],
    ids=lambda series: str(series.dtype),
)
def test_pandas_bits(bits):
    frame = pd.DataFrame({"k": ["x", "y", "z"], "b": bits})
    with pytest.raises(InvalidData, match="NULL"):
        released(frame)
    assert released(frame, nulls="1") == [("x", 1, 1), ("y", 1, 0), ("z", 1, 1)]


@pytest.mark.parametrize(
    "series",
    [
        pl.Series(["x", "y", None], dtype=pl.Enum(["y", "x"])),
        pl.Series(["x", "y", None], dtype=pl.Categorical),
        pl.Series(["x", "y", None]),
    ],
    ids=lambda series: str(series.dtype),
)
def test_polars_keys_eager_and_lazy(series):
    frame = pl.DataFrame({"k": series, "b": BITS, "more": [1, 2, 3]})
    expected = [("x", 1, 1), ("y", 1, 0), (None, 1, 1)]
    assert released(frame) == expected
    assert released(frame.lazy().filter(pl.col("more") < 9)) == expected


def batches():
    yield from [pa.record_batch({"k": ["x", "y"], "b": [True, False]})] * 3


@pytest.mark.parametrize(
    "source",
    [
        list(batches()),
        tuple(batches()),
        pa.dataset.dataset(list(batches())),
        pa.Table.from_batches(list(batches())).to_reader(),
        pa.RecordBatchReader.from_batches(next(batches()).schema, batches()),
    ],
    ids=lambda source: type(source).__name__,
)
def test_batches(source):
    assert released(source) == [("x", 3, 3), ("y", 3, 0)]


def test_a_generator_has_no_schema_and_is_told_how_to_get_one():
    with pytest.raises(InvalidInput, match="from_batches"):
        released(batches())


def test_relations_of_other_connections():
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t AS SELECT range % 2 AS k, range % 3 = 0 AS b FROM range(12)")
    assert released(connection.table("t")) == [(0, 6, 2), (1, 6, 2)]
    assert released(connection.sql("FROM t WHERE k = 1")) == [(1, 6, 2)]
    assert released(connection.sql("SELECT (['x', 'y'][k + 1])::ENUM('y', 'x') AS k, b FROM t"))[
        0
    ] == ("x", 6, 2)
    zones = "SELECT unnest(['10:00:00+02', '10:00:00+00'])::TIMETZ AS k, true AS b"
    assert [row[1:] for row in released(connection.sql(zones))] == [
        (1, 1),
        (1, 1),
    ]  # two moments, two groups
    closed = connection.sql("FROM t")
    connection.close()
    with pytest.raises(DiscreetError, match="source"):
        released(closed)


@pytest.mark.parametrize(
    ("source", "match"),
    [
        (arrow([[1], [2], None]), "scalar"),
        (arrow([{"a": 1}, {"a": 2}, None]), "scalar"),
        (arrow([[("a", 1)], [], None], pa.map_(pa.string(), pa.int64())), "scalar"),
        (arrow([None, None, None]), "scalar"),
        (arrow([1, 2, None], pa.duration("s")), "scalar"),
        (arrow([Decimal(1), Decimal(2), None], pa.decimal256(60, 2)), "source"),
        (arrow(np.array([1, 2, 3], np.float16)), "source"),
        (arrow(["x", "y", "z"], bits=[[1], [0], [1]]), "bits or numbers"),
        (arrow(["x", "y", "z"], bits=pa.array([1, 0, 1], pa.date32())), "bits or numbers"),
        (arrow(["x", "y", "z"], bits=[1.0, 0.0, float("nan")]), "0 or 1"),
        (
            pd.DataFrame({"k": pd.period_range("2020-01", periods=3, freq="M"), "b": BITS}),
            "dtype period",
        ),
        (pd.DataFrame({"k": pd.interval_range(0, 3), "b": BITS}), "dtype interval"),
        (pl.DataFrame({"k": pl.Series([object()] * 3, dtype=pl.Object), "b": BITS}), "Object"),
        (pl.DataFrame({"k": pl.Series([1, 2, 3]).cast(pl.Int128), "b": BITS}), "Int128"),
        (pl.Series("k", [1, 2]), "source"),
        ([*batches(), pa.record_batch({"k": [1], "b": [True]})], "one schema"),
        (pa.table({}), "no columns"),
        (pd.DataFrame(), "no columns"),
        (pd.DataFrame({"k": [], "b": []}), "no rows"),
        (pl.DataFrame(), "no columns"),
        (arrow([], pa.string(), pa.array([], pa.bool_())), "no rows"),
    ],
)
def test_what_has_no_clear_reading_is_refused(source, match):
    with pytest.raises(DiscreetError, match=match):
        released(source)


def test_small_and_wide_and_empty_tables():
    assert released(arrow(["x"], bits=[True])) == [("x", 1, 1)]
    assert released(arrow([], pa.string(), pa.array([], pa.bool_())), keys=["x", "y"]) == [
        ("x", 0, 0),
        ("y", 0, 0),
    ]
    wide = pa.table({**{f"c{k}": [k, k, k] for k in range(3000)}, "k": ["x", "y", "z"], "b": BITS})
    assert released(wide, where="c7 = 7") == [("x", 1, 1), ("y", 1, 0), ("z", 1, 1)]


@pytest.mark.parametrize(
    ("keys", "match"),
    [
        ([1.5, 2.0], "not all can be"),
        ([1, 2, 400], "not all can be"),
        (["1", "2"], "type"),
        ([], "at least one"),
        ([None, 1], ""),
    ],
    ids=str,
)
def test_keys_that_are_no_values_of_the_column(keys, match):
    source = arrow([1, 2], pa.int8(), BITS[:2])
    if keys == [None, 1]:
        assert released(source, keys=keys, other_keys="drop") == [(1, 1, 1), (None, 0, 0)]
        return
    with pytest.raises(InvalidInput, match=match):
        released(source, keys=keys)
    assert released(source, keys=[2.0, 1.0]) == [(1, 1, 1), (2, 1, 0)]


def test_minus_zero_is_zero_in_the_key_set_too():
    found = released(arrow([0.0, -0.0, float("nan")]), keys=[-0.0, float("nan"), 1.0])
    assert [str(row[0]) for row in found] == ["0.0", "1.0", "nan"]
    assert [row[1:] for row in found] == [(2, 1), (0, 0), (1, 1)]
    with pytest.raises(InvalidInput, match="once"):
        released(arrow([0.0, -0.0, 1.0]), keys=[-0.0, 0.0, 1.0])


def test_counts_of_unusual_types():
    def at(counts, sizes, **words):
        return released(pa.table({"k": ["x", "y"], "b": counts, "s": sizes}), size="s", **words)

    assert at([Decimal("3.0"), Decimal("4.0")], [5.0, 5.0]) == [("x", 5, 3), ("y", 5, 4)]
    assert at([True, False], [1, 1]) == [("x", 1, 1), ("y", 1, 0)]
    assert at([" 3", "4"], ["5", "5 "]) == [("x", 5, 3), ("y", 5, 4)]
    for counts, sizes in (
        ([3, 4], [float("inf"), 5]),
        ([3, 4], [float("nan"), 5]),
        ([3, 4], ["1e3", "5"]),
    ):
        with pytest.raises(InvalidInput, match="size"):
            at(counts, sizes)
    with pytest.raises(InvalidData, match="above its size"):
        at(pa.array([2**63, 1], pa.uint64()), [5, 5])
    with pytest.raises(InvalidInput, match="size"):
        released(arrow(["x", "y"], bits=[3, 4]), size=2**70)


@pytest.mark.slow
def test_many_sizes_and_a_large_one():
    """Every size has a mechanism of its own; those of an empty group and of a hundred thousand people too."""
    sizes = np.array([*range(400), 100_000])
    table = pa.table({"k": sizes, "b": sizes // 2, "s": sizes})
    r = dc.release(table, by="k", count="b", size="s", epsilon=1)
    assert len(r.manifest.groups_by_size) == len(sizes)
    drawn = r.table["b"].to_numpy()
    assert ((drawn >= 0) & (drawn <= sizes)).all()
    assert abs(drawn - sizes // 2).max() < 60  # each beyond 60 has chance below 1e-25
