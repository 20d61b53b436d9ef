"""What a bit, a missing bit, a count, a key and a person are: the table of `engines.values`, asked of every engine.

Epsilon 200 shows true counts (a draw differs from the truth with chance below 1e-80), so exact equality is asked for.
"""

from __future__ import annotations

import math
from decimal import Decimal

import pytest
from tests.conftest import require

require("tables")
require("pandas")
require("polars")

import pyarrow as pa
from tests.tables.sources import EXACT, SPARK, as_source, in_full_runs

import discreet as dc
from discreet.errors import InvalidData, InvalidInput
from discreet.tables.engines import values

pytestmark = pytest.mark.filterwarnings(
    "ignore:PySpark does not yet fully support pandas:FutureWarning"
)

ALL = ["arrow", "csv", *in_full_runs("polars", "duckdb", "parquet"), SPARK]
TYPED = ["arrow", *in_full_runs("polars", "duckdb", "parquet"), SPARK]


def released(kind, folder, columns, **asked):
    source = as_source(kind, pa.table(columns), folder)
    made = dc.release(source, **{"by": "k", "count": "b", "epsilon": EXACT, **asked})
    return [tuple(row.values()) for row in made.table.to_pylist()]


def refused(kind, folder, columns, rule, **asked):
    """That the rule is named, and no value of a protected column is."""
    with pytest.raises(InvalidInput) as caught:
        released(kind, folder, columns, **asked)
    assert rule in str(caught.value)
    return caught.value


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize(
    "bits",
    [[True, False, True], [1, 0, 1], ["1", "0", "true"], [" TRUE", "false ", "True"]],
    ids=str,
)
def test_a_bit_is_true_or_false_or_0_or_1(kind, bits, tmp_path):
    assert released(kind, tmp_path, {"k": ["x", "x", "x"], "b": bits}) == [("x", 3, 2)]


@pytest.mark.parametrize("kind", TYPED)
@pytest.mark.parametrize(
    "bits", [[1.0, -0.0, 1.0], [Decimal("1.00"), Decimal("0.00"), Decimal("1.00")]], ids=str
)
def test_a_number_is_a_bit_whatever_its_type(kind, bits, tmp_path):
    assert released(kind, tmp_path, {"k": ["x", "x", "x"], "b": bits}) == [("x", 3, 2)]


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("bit", [7, "yes", "", "truee"])
def test_anything_else_breaks_a_rule_that_is_named(kind, bit, tmp_path):
    missing = kind == "csv" and bit == ""
    error = refused(kind, tmp_path, {"k": ["x"], "b": [bit]}, "NULL" if missing else values.BIT)
    assert isinstance(error, InvalidData) and (
        not bit or str(bit) not in str(error.rule).replace("'yes'", "")
    )


@pytest.mark.parametrize("kind", TYPED)
@pytest.mark.parametrize("bit", [0.5, math.nan, math.inf, -1.0])
def test_a_number_that_is_no_bit(kind, bit, tmp_path):
    refused(kind, tmp_path, {"k": ["x"], "b": [bit]}, values.BIT)


@pytest.mark.parametrize("kind", ALL)
def test_a_missing_bit_is_refused_or_counted_and_never_dropped(kind, tmp_path):
    table = {"k": ["x", "x", "y"], "b": pa.array([True, None, None], pa.bool_())}
    refused(kind, tmp_path, table, "NULL")
    assert released(kind, tmp_path, table, nulls="0") == [("x", 2, 1), ("y", 1, 0)]
    assert released(kind, tmp_path, table, nulls="1") == [("x", 2, 2), ("y", 1, 1)]
    refused(kind, tmp_path, table, "must not drop rows", nulls="drop")


@pytest.mark.parametrize("kind", ALL)
def test_a_predicate_that_is_null_is_a_missing_bit(kind, tmp_path):
    table = {"k": ["x", "x"], "age": pa.array([20, None], pa.int64())}
    asked = {"count": {"young": "CAST(age AS INTEGER) < 35"}}
    refused(kind, tmp_path, table, "NULL", **asked)
    assert released(kind, tmp_path, table, nulls="0", **asked) == [("x", 2, 1)]
    assert released(kind, tmp_path, table, nulls="1", **asked) == [("x", 2, 2)]


@pytest.mark.parametrize("kind", ALL)
def test_a_count_and_a_size_are_whole_and_a_count_is_at_most_its_size(kind, tmp_path):
    asked = {"by": "k", "count": "c", "size": "s"}
    assert released(kind, tmp_path, {"k": ["x", "y"], "c": [2, 0], "s": [3, 0]}, **asked) == [
        ("x", 3, 2),
        ("y", 0, 0),
    ]
    assert released(kind, tmp_path, {"k": ["x"], "c": [" 2 "], "s": ["03"]}, **asked) == [
        ("x", 3, 2)
    ]
    for count in (4, -1, None, "two", "1.5", "9" * 19):
        kinds = {"c": pa.array([count], pa.int64() if count is None else None)}
        refused(kind, tmp_path, {"k": ["x"], "s": [3], **kinds}, "`c` ", **asked)
    for size in (-1, None, "three"):
        kinds = {"s": pa.array([size], pa.int64() if size is None else None)}
        refused(kind, tmp_path, {"k": ["x"], "c": [0], **kinds}, values.SIZE, **asked)
    refused(
        kind, tmp_path, {"k": ["x", "x"], "c": [1, 1], "s": [2, 2]}, "more than one row", **asked
    )


@pytest.mark.parametrize("kind", TYPED)
def test_a_count_of_any_type_is_whole(kind, tmp_path):
    asked = {"count": "c", "size": "s"}
    assert released(kind, tmp_path, {"k": ["x"], "c": [2.0], "s": [3.0]}, **asked) == [("x", 3, 2)]
    assert released(kind, tmp_path, {"k": ["x"], "c": [True], "s": [1]}, **asked) == [("x", 1, 1)]
    for count in (1.5, math.nan, math.inf, -0.5):
        refused(kind, tmp_path, {"k": ["x"], "c": [count], "s": [3.0]}, "`c` ", **asked)


@pytest.mark.parametrize("kind", ALL)
def test_null_is_a_key_of_its_own_after_all_others_and_texts_are_as_they_are(kind, tmp_path):
    keys = ["1", None, "01", " ", "1", None]
    found = released(kind, tmp_path, {"k": keys, "b": [True] * 6})
    assert found == [(" ", 1, 1), ("01", 1, 1), ("1", 2, 2), (None, 2, 2)]


@pytest.mark.parametrize("kind", TYPED)
def test_both_zeros_are_one_key_and_so_are_all_that_are_not_a_number(kind, tmp_path):
    found = released(kind, tmp_path, {"k": [0.0, -0.0, math.nan, 1.5, -math.nan], "b": [True] * 5})
    assert [(str(key), n, count) for key, n, count in found] == [
        ("0.0", 2, 2),
        ("1.5", 1, 1),
        ("nan", 2, 2),
    ]


@pytest.mark.parametrize("kind", TYPED)
def test_an_explicit_key_loses_nothing_on_its_way(kind, tmp_path):
    table = {"k": [1, 2], "b": [True, False]}
    assert released(kind, tmp_path, table, keys=[3.0, 2.0, 1.0]) == [
        (1, 1, 1),
        (2, 1, 0),
        (3, 0, 0),
    ]
    refused(kind, tmp_path, table, "not all can be", keys=[1.5, 2.0])
    refused(kind, tmp_path, table, "'01' and 1 are different keys", keys=["1", "2"])
    zeros = {"k": [0.0, -0.0], "b": [True, False]}
    found = released(kind, tmp_path, zeros, keys=[-0.0, 1.0])
    assert [(str(key), n, count) for key, n, count in found] == [("0.0", 2, 1), ("1.0", 0, 0)]
    refused(kind, tmp_path, zeros, "each key once", keys=[-0.0, 0.0])


@pytest.mark.parametrize("kind", ALL)
def test_explicit_keys_are_all_there_is(kind, tmp_path):
    table = {"k": ["x", "y", None], "b": [True, True, True]}
    every = pa.table({"k": pa.array(["x", "z", None], pa.string())})
    refused(kind, tmp_path, table, "not in `keys`", keys=every)
    found = released(kind, tmp_path, table, keys=every, other_keys="drop")
    assert found == [("x", 1, 1), ("z", 0, 0), (None, 1, 1)]
    refused(kind, tmp_path, table, "each key once", keys=["x", "y", "x"])
    counts = {"k": ["x"], "c": [1]}
    refused(kind, tmp_path, counts, "not empty", keys=["x", "y"], count="c", size=4)


@pytest.mark.parametrize("kind", ALL)
def test_a_person_is_known_and_pays_for_every_row(kind, tmp_path):
    table = {"k": ["x", "y", "x"], "b": [True, True, False], "p": ["a", "a", "c"]}
    refused(
        kind,
        tmp_path,
        {**table, "p": ["a", None, "c"]},
        "so that people can be told apart",
        unit="p",
    )
    refused(kind, tmp_path, table, "someone has more", unit="p")
    kept = released(kind, tmp_path, table, unit="p", excess="drop")
    assert kept in (
        [("x", 2, 1)],
        [("x", 1, 0), ("y", 1, 1)],
    )  # which of two rows stays is drawn for each release
    assert released(kind, tmp_path, table, unit="p", contributions=2, epsilon=2 * EXACT) == [
        ("x", 2, 1),
        ("y", 1, 1),
    ]


# --- answers ---


@pytest.mark.parametrize("kind", ALL)
def test_an_answer_is_the_same_text_and_other_values_and_null_are_counted_as_is_said(
    kind, tmp_path
):
    table = {"k": ["x"] * 4, "b": ["never", "Never", "former", "former"]}
    asked = {"b": {"answers": ["never", "former"], "other": "rest"}}
    assert released(kind, tmp_path, table, count=asked) == [("x", 4, 1, 2, 1)]
    error = refused(
        kind, tmp_path, table, values.ANSWER, count={"b": ["never", "former", "current"]}
    )
    assert "Never" not in str(error)
    gaps = {"k": ["x", "x"], "b": ["never", None]}
    refused(kind, tmp_path, gaps, "NULL", count={"b": ["never", "former"]})
    unknown = {"answers": ["never", "former"], "nulls": "unknown"}
    assert released(kind, tmp_path, gaps, count={"b": unknown}) == [("x", 2, 1, 0, 1)]


@pytest.mark.parametrize("kind", TYPED)
def test_an_answer_that_is_a_whole_number_is_compared_by_value(kind, tmp_path):
    columns = {
        "i": [2, 1],
        "f": [2.0, 1.0],
        "d": [Decimal("2.00"), Decimal("1.00")],
        "t": ["2", "1"],
    }
    asked = {name: [1, "2", 3] for name in columns}
    found = released(kind, tmp_path, {"k": ["x", "x"], **columns}, count=asked, epsilon=4 * EXACT)
    assert found == [("x", 2, *[1, 1, 0] * 4)]


@pytest.mark.parametrize("kind", ALL)
def test_of_predicates_exactly_one_holds(kind, tmp_path):
    table = {"k": ["x", "x", "y"], "b": ["u", "v", "w"]}
    asked = {"q": {"u": "b = 'u'", "more": "b <> 'u'"}}
    assert released(kind, tmp_path, table, count=asked) == [("x", 2, 1), ("y", 1, 0)]
    refused(kind, tmp_path, table, values.ONE_ANSWER, count={"q": {"u": "b = 'u'", "w": "b = 'w'"}})
    three = {"q": {"u": "b = 'u'", "v": "b = 'v'", "more": "b NOT IN ('u', 'v')"}}
    assert released(kind, tmp_path, table, count=three) == [("x", 2, 1, 1, 0), ("y", 1, 0, 0, 1)]
    refused(
        kind, tmp_path, table, values.ONE_ANSWER, count={"q": {**three["q"], "more": "b <> 'u'"}}
    )


@pytest.mark.parametrize("kind", ALL)
def test_the_counts_of_a_groups_answers_add_up_to_its_size(kind, tmp_path):
    table = {"k": ["x", "y"], "n": [3, 2], "b": [1, 0], "c": [2, 2]}
    asked = {"q": {"low": "b", "high": "c"}}
    assert released(kind, tmp_path, table, count=asked, size="n") == [("x", 3, 1), ("y", 2, 0)]
    refused(kind, tmp_path, {**table, "c": [2, 1]}, values.ADDS_UP, count=asked, size="n")
    table, asked = {**table, "d": [0, 0]}, {"q": {"low": "b", "high": "c", "none": "d"}}
    assert released(kind, tmp_path, table, count=asked, size="n") == [
        ("x", 3, 1, 2, 0),
        ("y", 2, 0, 2, 0),
    ]
    refused(kind, tmp_path, {**table, "c": [2, 1]}, values.ADDS_UP, count=asked, size="n")


@pytest.mark.parametrize("kind", ALL)
def test_of_two_answers_the_first_is_counted_and_a_row_with_neither_is_refused(kind, tmp_path):
    table = {"k": ["x", "x", "y"], "b": ["yes", "no", "no"]}
    assert released(kind, tmp_path, table, count={"b": ["yes", "no"]}) == [("x", 2, 1), ("y", 1, 0)]
    assert released(kind, tmp_path, table, count={"b": ["no", "yes"]}) == [("x", 2, 1), ("y", 1, 1)]
    for wrong in (["Yes", "no"], ["yes", "No"], ["yes ", "no"]):
        said = str(refused(kind, tmp_path, table, values.ANSWER, count={"b": wrong}))
        for word in (*wrong, "'yes'"):  # the asker's own words, and the example of an empty value
            said = said.replace(word, "")
        assert "yes" not in said, "but in what was asked"
    others = {"b": {"answers": ["yes"], "other": "rest"}}
    assert released(kind, tmp_path, table, count=others) == [("x", 2, 1), ("y", 1, 0)]
    gaps = {"k": ["x", "x", "y"], "b": ["yes", None, "no"]}
    refused(kind, tmp_path, gaps, "NULL", count={"b": ["yes", "no"]})
    for asked, found in [
        ({"count": {"b": ["yes", "no"]}, "nulls": "0"}, 1),
        ({"count": {"b": ["yes", "no"]}, "nulls": "1"}, 2),
        ({"count": {"b": {"answers": ["yes", "no"], "nulls": "no"}}}, 1),
        (
            {"count": {"b": {"answers": ["yes", "no"], "nulls": "yes"}}, "nulls": "0"},
            2,
        ),  # it says so itself
    ]:
        assert released(kind, tmp_path, gaps, **asked) == [("x", 2, found), ("y", 1, 0)]
    numbers = {"k": ["x", "x"], "b": [2, 1]}
    assert released(kind, tmp_path, numbers, count={"b": [2, 1]}) == [("x", 2, 1)]
    refused(kind, tmp_path, numbers, values.ANSWER, count={"b": [2, 0]})
