"""Columns of dtype object: read value by value, so that nobody's value changes how the others are read."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import pytest
from tests.conftest import require

require("tables")
require("pandas")

import pandas as pd
import pyarrow as pa
from tests.tables.sources import EXACT

import discreet as dc
from discreet.errors import InvalidData, InvalidInput


def released(frame, **words):
    r = dc.release(frame, **{"by": "k", "count": "b", "epsilon": EXACT, **words})
    return [tuple(row.values()) for row in r.table.to_pylist()]


def objects(values, k="x"):
    return pd.DataFrame({"k": [k] * len(values), "b": pd.Series(values, dtype=object)})


def categories(values):
    frame = objects(values)
    return frame.assign(b=frame["b"].astype("category"))


ODD = [
    Decimal("1.000"),
    b"a",
    {"a": 1},
    [1],
    (1,),
    1,
    1.5,
    np.int64(1),
    np.float64(2),
    dt.date(2020, 1, 1),
    2**70,
    1j,
    dt.datetime(2020, 1, 1),
    pd.Timestamp("2020"),
    {1},
    object(),
    float("inf"),
]


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
def test_a_protected_object_that_is_no_text_or_boolean_is_refused_with_the_cast(odd):
    """One Decimal of another scale once moved the count by everybody: '1.5' became '1.500' for all."""
    for frame in (objects(["a", "b", odd]), objects([odd] * 3), objects([True, None, odd])):
        with pytest.raises(
            InvalidData, match=r"column of dtype object, b, .*row [13].*astype"
        ) as caught:
            released(frame, count="b = '1.5'")
        assert caught.value.__context__ is None


@pytest.mark.parametrize("make", [objects, categories])
@pytest.mark.parametrize(
    "other", ["yes", True, False, None, float("nan"), pd.NA, "1.50", "", "true"]
)
def test_one_persons_value_leaves_the_others_as_they_are(make, other):
    """The column is text whatever stands in it, also if nobody else has a value."""
    for rest in ([True, False, None], ["a", "true", None], [None, None, None]):
        counts = ["b IS NULL", "b = 'true'", "coalesce(b, 't') = 'true'", "coalesce(b, 't') = 't'"]
        with_other = released(make([*rest, other]), count=counts, nulls="0")
        without = released(make([*rest, None]), count=counts, nulls="0")
        assert all(abs(a - b) <= 1 for a, b in zip(with_other[0][2:], without[0][2:], strict=True))


def test_booleans_among_objects_are_bits_and_conditions():
    frame = objects([True, None, False, np.True_, "FALSE", " 1 "])
    assert released(frame, nulls="0") == [("x", 6, 3)]
    assert released(frame[:4], count="NOT b", nulls="0") == [("x", 4, 1)]


def test_categories_are_their_values_and_no_others():
    unused = pd.Categorical([True, False, None], categories=[True, False, "zzz", Decimal("1.500")])
    assert released(pd.DataFrame({"k": "x", "b": unused}), nulls="0") == [("x", 3, 1)]
    numbers = pd.Categorical([1, 0, None, 1], categories=[7, 1, 0])
    assert released(pd.DataFrame({"k": "x", "b": numbers}), nulls="0") == [("x", 4, 2)]
    assert released(pd.DataFrame({"k": "x", "b": numbers}), count="b > 0.5", nulls="0") == [
        ("x", 4, 2)
    ]
    with pytest.raises(InvalidData, match="dtype object"):
        released(categories([Decimal("1.0"), Decimal("2.00")]))
    dates = pd.Categorical(pd.to_datetime(["2020-01-01", None]))
    assert released(pd.DataFrame({"k": dates, "b": True}))[1] == (None, 1, 1)


@pytest.mark.parametrize(
    "values",
    [[1, 1.0], [1, True], ["1", 1], [2**53 + 1, 0.5], [b"a", "a"], [Decimal(1), 1], [None, 1, "x"]],
    ids=str,
)
def test_keys_of_mixed_types_are_refused(values):
    frame = pd.DataFrame({"k": pd.Series(values, dtype=object), "b": True})
    with pytest.raises(InvalidData, match=r"k, that mixes types \(row [23]"):
        released(frame)
    with pytest.raises(InvalidInput, match="mixes types|one type"):
        released(pd.DataFrame({"k": ["a"], "b": [True]}), keys=frame[["k"]])


@pytest.mark.parametrize(
    "values",
    [
        ["a", np.str_("b")],
        [1, np.int64(2)],
        [0.5, np.float64(1.5)],
        [False, np.True_],
        [Decimal("1.0"), Decimal("2.00")],
        [b"a", b"b"],
        [dt.date(2020, 1, 1), dt.date(2021, 1, 1)],
        [2**53, 2**53 + 1],
    ],
    ids=str,
)
def test_object_keys_of_one_type(values):
    frame = pd.DataFrame({"k": pd.Series([*values, None, float("nan")], dtype=object), "b": True})
    assert released(frame) == [(values[0], 1, 1), (values[1], 1, 1), (None, 2, 2)]


@pytest.mark.parametrize("bad", ["\ud800hidden", 2**70], ids=["half a character", "2**70"])
def test_what_arrow_cannot_hold_is_named_by_row_only(bad):
    frame = pd.DataFrame({"k": pd.Series([type(bad)(1), bad], dtype=object), "b": ["1", "0"]})
    text = pd.DataFrame(
        {"k": ["x", "y"], "b": pd.Series(["1", "\ud800hidden"], dtype=pd.StringDtype("python"))}
    )
    for source, column in ((frame, "k"), (text, "b"), (objects(["1", "\ud800hidden"]), "b")):
        with pytest.raises(InvalidData, match=f"column {column} .*row 2;") as caught:
            released(source)
        assert caught.value.__context__ is None
        assert "hidden" not in str(caught.value) and str(2**70) not in str(caught.value)
    with pytest.raises(InvalidInput, match="`keys`"):
        released(pd.DataFrame({"k": ["x"], "b": [True]}), keys=[bad])


@pytest.mark.parametrize(
    "column",
    [
        pd.arrays.SparseArray([0, 1, 0]),
        pd.array([1j, 2j, 3j]),
        pd.interval_range(0, 3),
        pd.period_range("2020-01", periods=3, freq="M"),
    ],
    ids=lambda column: str(column.dtype),
)
def test_dtypes_without_one_reading_are_refused(column):
    for frame in (pd.DataFrame({"k": "x", "b": column}), pd.DataFrame({"k": column, "b": True})):
        with pytest.raises(InvalidInput, match="column of dtype .*astype"):
            released(frame)


def test_a_key_may_stand_in_the_index():
    frame = pd.DataFrame({"b": [True, False, True]}, index=pd.Index(["x", "x", "y"], name="k"))
    assert released(frame) == [("x", 2, 1), ("y", 1, 1)]
    levels = pd.MultiIndex.from_tuples([("x", 1), ("x", 2), ("y", 1)], names=["k", None])
    assert released(frame.set_index(levels)) == [("x", 2, 1), ("y", 1, 1)]
    assert released(frame.assign(K="z"), by="K") == [
        ("z", 3, 2)
    ]  # a column hides a level of its name
    with pytest.raises(InvalidInput, match="columns of the source"):
        released(frame.rename_axis(None))
    assert released(frame, by="b", count="k = 'x'") == [(False, 1, 1), (True, 2, 1)]


def test_dtypes_that_say_what_a_value_is():
    for kind in ("boolean", "Int8", "UInt64", "Float32", "int64[pyarrow]", "string", "str"):
        bits = pd.Series(["1", "0", None] if kind in ("string", "str") else [1, 0, None]).astype(
            kind
        )
        assert released(pd.DataFrame({"k": "x", "b": bits}), nulls="0") == [("x", 3, 1)], kind
    assert released(
        pd.DataFrame({"k": "x", "b": pd.Series([True], dtype=pd.ArrowDtype(pa.bool_()))})
    ) == [("x", 1, 1)]
