"""A list of dicts as a source: text by text, as JSON lines are."""

from datetime import date
from decimal import Decimal
from uuid import UUID

import numpy as np
import pytest
from tests.conftest import require

require("tables")

import discreet as dc
from discreet.errors import InvalidData, InvalidInput
from discreet.tables.engines.duckdb.sources.records import _text

ROWS = [
    {"clinic": "north", "smoker": True, "age": 31},
    {"clinic": "north", "smoker": 0, "age": 64.0, "note": "x"},
    {"clinic": "south", "smoker": "1", "age": 20},
]


def counted(rows=ROWS, **asked):
    made = dc.release(rows, **{"by": "clinic", "count": "smoker", "epsilon": 200, **asked})
    return dict(zip(*(made.table[name].to_pylist() for name in made.table.column_names[::2]), strict=True))


def test_rows_are_counted():
    assert counted() == {"north": 1, "south": 1}
    assert counted(tuple(ROWS)) == counted()
    assert dc.plan(ROWS, by=["clinic"], count="smoker", epsilon=1).groups == 2


def test_a_type_is_given_not_guessed():
    assert counted(count={"old": "age > 30"}, read={"types": {"age": "INTEGER"}}) == {"north": 2, "south": 0}
    with pytest.raises(InvalidInput, match=r"'types': \{'age'"):
        counted(count={"old": "age > 30"})
    with pytest.raises(InvalidData, match=r"column age that its type cannot hold \(row 4"):
        counted(
            [*ROWS, {"clinic": "south", "smoker": 1, "age": "old"}],
            count={"old": "age > 30"},
            read={"types": {"age": "INTEGER"}},
        )
    with pytest.raises(InvalidInput, match="did you mean age"):
        counted(read={"types": {"aeg": "INTEGER"}})


def test_each_value_has_its_own_text():
    for value, text in (
        ("yes", "yes"), (True, "true"), (np.False_, "false"), (7, "7"), (np.int8(7), "7"), (7.0, "7"), (0.5, "0.5"),
        (-0.0, "0"), (2.0**60, "1.152921504606847e+18"), (10**40, str(10**40)), (None, None), (float("nan"), None),
        (Decimal("1.50"), "1.50"), (date(2026, 1, 2), "2026-01-02"), (UUID(int=1), str(UUID(int=1))),
        (b"yes", None), ([1], None), ({"a": 1}, None), (1j, None), ("\ud800", None), (10**5000, None), (object(), None),
    ):  # fmt: skip
        assert _text(value) == text


def test_what_is_missing_is_null():
    with pytest.raises(InvalidData, match=r"`smoker` .*NULL.*\(row 4"):
        counted([*ROWS, {"clinic": "south"}])
    assert counted([*ROWS, {"clinic": "south", "smoker": [1]}], nulls="0") == {"north": 1, "south": 1}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "or a list of dicts, not list"),
        ([{}], "has no columns"),
        ([{"a": 1}, 3], "or a list of dicts, not list"),
        ([{1: 1}], "must have text as column names, not int"),
        ([{"a": 1, "A": 1}], "two columns of one name"),
        ([{"a": 1, "b": 1, "a + b": 1}], "could be an expression of others"),
    ],
)
def test_what_is_no_list_of_rows_is_refused(rows, said):
    with pytest.raises(InvalidInput, match=said):
        dc.plan(rows, by=[], count="a", epsilon=1)


def test_no_time_of_pandas_is_null():
    pandas = pytest.importorskip("pandas")
    assert _text(pandas.NaT) is None and _text(pandas.Timestamp("2026-11-16")) == "2026-11-16 00:00:00"
