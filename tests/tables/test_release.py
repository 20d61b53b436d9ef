"""One suite for every engine: the same question of the same table gives the same groups, sizes and counts.

Epsilon 200 shows true counts (a draw differs from the truth with chance below 1e-80), so exact equality is asked for.
"""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from tests.conftest import require

require("tables")
require("pandas")
require("polars")

import pyarrow as pa
from tests.tables.sources import ENGINES, EXACT, OTHERS, SPARK, TEXT, as_source

import discreet as dc
from discreet.errors import InvalidData, InvalidInput
from discreet.ledger import open_ledger

pytestmark = pytest.mark.filterwarnings(
    "ignore:PySpark does not yet fully support pandas:FutureWarning"
)

PEOPLE = pa.table(
    {
        "person": ["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"],
        "region": ["01", "01", "1", "1", "1", None, " ", 'é, "q"'],
        "ward": ["x", "x", "x", "y", "y", "x", "x", "z"],
        "smoker": [True, False, True, True, True, False, True, True],
        "age": [20, 40, 20, 50, 60, 70, 10, 30],
    }
)
YOUNG = "CAST(age AS INTEGER) < 35"


@pytest.fixture(params=ENGINES)
def engine(request):
    return request.param


but_for_spark = pytest.mark.parametrize(
    "engine", [kind for kind in ENGINES if kind is not SPARK], indirect=True
)
"""What a value means is asked of Spark in test_values.py: there, each release takes a second."""


@pytest.fixture
def people(engine, tmp_path):
    return lambda table=PEOPLE: as_source(engine, table, tmp_path)


def rows(release):
    """The released table as a list of rows."""
    return [tuple(row.values()) for row in release.table.to_pylist()]


def test_groups_sizes_and_counts(people):
    r = dc.release(people(), by="region", count="smoker", epsilon=EXACT)
    assert rows(r) == [(" ", 1, 1), ("01", 2, 1), ("1", 3, 3), ('é, "q"', 1, 1), (None, 1, 0)]
    assert r.table.schema.names == ["region", "n", "smoker"]
    assert {r.table.schema.field(name).type for name in ("n", "smoker")} == {pa.int64()}


@pytest.mark.parametrize("kind", ["polars", "duckdb", "parquet", *OTHERS])
def test_other_shapes_of_a_source(kind, tmp_path):
    counts = {"smokers": "smoker", "young": YOUNG}
    r = dc.release(
        as_source(kind, PEOPLE, tmp_path), by="ward", count=counts, unit="person", epsilon=EXACT
    )
    assert rows(r) == [("x", 5, 3, 3), ("y", 2, 2, 0), ("z", 1, 1, 1)]


def test_several_keys_several_counts(people):
    counts = {"smokers": "smoker", "young": YOUNG}
    r = dc.release(
        people(),
        by=["ward", "region"],
        count=counts,
        epsilon=EXACT,
        split={"smokers": 1, "young": 3},
    )
    expected = [
        ("x", " ", 1, 1, 1),
        ("x", "01", 2, 1, 1),
        ("x", "1", 1, 1, 1),
        ("x", None, 1, 0, 0),
        ("y", "1", 2, 2, 0),
        ("z", 'é, "q"', 1, 1, 1),
    ]
    assert rows(r) == expected
    assert [Fraction(count.epsilon) for count in r.manifest.counts] == [EXACT / 4, EXACT * 3 / 4]
    assert sum(Fraction(count.epsilon) for count in r.manifest.counts) == EXACT


def test_no_key_is_one_group(people):
    assert rows(dc.release(people(), by=[], count="smoker", epsilon=EXACT)) == [(8, 6)]


def test_a_private_count_stays_within_its_group(people):
    r = dc.release(people(), by="region", count="smoker", epsilon="1/10", properties="F")
    assert all(0 <= count <= n for _, n, count in rows(r))


def test_row_filter(people):
    r = dc.release(people(), by="region", count=YOUNG, where="ward = 'x'", epsilon=EXACT)
    assert rows(r) == [(" ", 1, 1), ("01", 2, 1), ("1", 1, 1), (None, 1, 0)]


@but_for_spark
def test_explicit_keys_give_empty_groups_and_refuse_strangers(people):
    keys = ["1", "01", "none such", None]
    with pytest.raises(InvalidInput, match="has groups whose key"):
        dc.release(people(), by="region", count="smoker", keys=keys, epsilon=EXACT)
    r = dc.release(
        people(), by="region", count="smoker", keys=keys, other_keys="drop", epsilon=EXACT
    )
    assert rows(r) == [("01", 2, 1), ("1", 3, 3), ("none such", 0, 0), (None, 1, 0)]


def test_keys_as_a_product_of_columns(people):
    keys = {"ward": ["x", "y"], "region": ["01", "1"]}
    r = dc.release(
        people(), by=["ward", "region"], count="smoker", keys=keys, other_keys="drop", epsilon=EXACT
    )
    assert rows(r) == [("x", "01", 2, 1), ("x", "1", 1, 1), ("y", "01", 0, 0), ("y", "1", 2, 2)]


@but_for_spark
def test_a_null_bit_is_refused_or_counted_as_told(people):
    table = PEOPLE.set_column(
        3, "smoker", pa.array([True, None, None, True, True, False, True, True])
    )
    with pytest.raises(InvalidData, match="NULL") as caught:
        dc.release(people(table), by="ward", count="smoker", epsilon=EXACT)
    assert not re.search(r"row\(s\)|\b[34] ", str(caught.value))  # a first row, but never how many
    as_zero = dc.release(people(table), by="ward", count="smoker", epsilon=EXACT, nulls="0")
    as_one = dc.release(people(table), by="ward", count="smoker", epsilon=EXACT, nulls="1")
    assert rows(as_zero) == [("x", 5, 2), ("y", 2, 2), ("z", 1, 1)]
    assert rows(as_one) == [("x", 5, 4), ("y", 2, 2), ("z", 1, 1)]
    with pytest.raises(InvalidData, match="NULL"):
        dc.release(
            people(table), by="ward", count="smoker", epsilon=EXACT, keys=["x", "y", "z", "none"]
        )
    with pytest.raises(InvalidInput, match="must not drop"):
        dc.release(people(table), by="ward", count="smoker", epsilon=EXACT, nulls="drop")


@but_for_spark
def test_bits_may_be_numbers(people):
    table = PEOPLE.set_column(3, "smoker", pa.array([1, 0, 1, 1, 1, 0, 1, 1]))
    assert rows(dc.release(people(table), by="ward", count="smoker", epsilon=EXACT)) == [
        ("x", 5, 3),
        ("y", 2, 2),
        ("z", 1, 1),
    ]


@but_for_spark
def test_a_number_that_is_no_bit_is_refused_without_being_shown(people):
    table = PEOPLE.set_column(3, "smoker", pa.array([1, 0, 1, 77, 1, 0, 1, 1]))
    with pytest.raises(InvalidData, match="must be true or false, or 0 or 1") as caught:
        dc.release(people(table), by="ward", count="smoker", epsilon=EXACT)
    assert "77" not in str(caught.value)


@but_for_spark
def test_unit_checks_that_people_are_in_one_group_once(people):
    assert dc.release(
        people(), by="ward", count="smoker", unit="person", epsilon=1
    ).manifest.contributions_checked
    again = PEOPLE.set_column(
        0, "person", pa.array(["p1", "p1", "p3", "p4", "p3", "p6", "p7", "p8"])
    )
    with pytest.raises(
        InvalidInput,
        match=r"at most 1 row each, and in column \w+ someone has more: name the column that tells people apart",
    ):
        dc.release(people(again), by="ward", count="smoker", unit="person", epsilon=1)
    paid = dc.release(
        people(again), by="ward", count="smoker", unit="person", contributions=2, epsilon=1
    )
    assert Fraction(paid.manifest.counts[0].epsilon) == Fraction(1, 2)
    kept = dc.release(
        people(again), by="ward", count="smoker", unit="person", excess="drop", epsilon=1
    )
    sizes = [row[1] for row in rows(kept)]
    assert sizes in ([4, 1, 1], [3, 2, 1])  # of p3's rows the one in x stays, or the one in y
    unknown = PEOPLE.set_column(0, "person", pa.array([None, *PEOPLE["person"].to_pylist()[1:]]))
    with pytest.raises(InvalidInput, match="must not be empty"):
        dc.release(people(unknown), by="ward", count="smoker", unit="person", epsilon=1)


def test_counts_level(people):
    counts = pa.table({"clinic": ["b", "a", "c"], "size": [5, 3, 0], "ill": [5, 1, 0]})
    r = dc.release(people(counts), by="clinic", count="ill", size="size", epsilon=EXACT)
    assert rows(r) == [("a", 3, 1), ("b", 5, 5), ("c", 0, 0)]
    r = dc.release(people(counts), by="clinic", count="ill", size=7, epsilon=EXACT)
    assert rows(r) == [("a", 7, 1), ("b", 7, 5), ("c", 7, 0)]
    r = dc.release(
        people(counts),
        by="clinic",
        count="ill",
        size="size",
        epsilon=EXACT,
        keys=["a", "b", "c", "d"],
    )
    assert rows(r)[-1] == ("d", 0, 0)


@but_for_spark
@pytest.mark.parametrize(
    ("sizes", "counts"),
    [
        ([5, 3, 1], [5, 4, 0]),
        ([5, 3, 1], [5, -1, 0]),
        ([5, 3, 1], [5, 1.5, 0]),
        ([5, 3, 1], [5, None, 0]),
        ([5, -3, 1], [5, 1, 0]),
        ([5, None, 1], [1, 1, 1]),
    ],
    ids=["above its size", "negative", "fractional", "NULL", "negative size", "NULL size"],
)
def test_counts_level_refuses_what_is_no_count(people, sizes, counts):
    table = pa.table({"clinic": ["b", "a", "c"], "size": sizes, "ill": counts})
    with pytest.raises(InvalidInput) as caught:
        dc.release(people(table), by="clinic", count="ill", size="size", epsilon=EXACT)
    assert "-1" not in str(caught.value)
    assert "1.5" not in str(caught.value)


def test_counts_level_refuses_a_key_twice(people):
    table = pa.table({"clinic": ["a", "a", "c"], "size": [5, 3, 1], "ill": [1, 1, 1]})
    with pytest.raises(InvalidInput, match="some key is in more than one row"):
        dc.release(people(table), by="clinic", count="ill", size="size", epsilon=EXACT)


def test_protected_columns_decide_neither_groups_nor_rows(people):
    with pytest.raises(InvalidInput, match=r"`by` must not use a column that a count reads"):
        dc.release(people(), by=["ward", "age"], count=YOUNG, epsilon=1)
    with pytest.raises(InvalidInput, match=r"`where` must not use"):
        dc.release(people(), by="ward", count=YOUNG, where="CAST(age AS INTEGER) > 18", epsilon=1)
    with pytest.raises(InvalidInput, match=r"`unit` names the column .* smoker is counted"):
        dc.release(people(), by="ward", count="smoker", unit="smoker", epsilon=1)
    told = dc.release(
        people(), by="ward", count=f"{YOUNG} AND ward = 'x'", public=["ward"], epsilon=EXACT
    )
    assert rows(told) == [("x", 5, 3), ("y", 2, 0), ("z", 1, 0)]


@pytest.mark.parametrize("by", ["person", ["ward", "person"], {"who": "person"}], ids=str)
def test_keys_that_say_who_somebody_is_are_refused_before_anything_is_paid(people, by, tmp_path):
    ledger = open_ledger(tmp_path / "budget.db")
    ledger.open("people", budget=1)
    asked = {"by": by, "count": "smoker", "unit": "person", "epsilon": 1}
    for verb, words in ((dc.plan, {}), (dc.release, {"ledger": ledger, "dataset": "people"})):
        for levels in (None, "rollup"):
            with pytest.raises(
                InvalidInput,
                match=r"`by` and `unit` must not be the same column \(person\): .* each group would be one",
            ):
                verb(people(), **asked, **words, levels=levels)
    assert ledger.remaining("people") == 1


@pytest.mark.parametrize(
    ("parameter", "words"),
    [
        (
            "where",
            {"by": "ward", "count": "smoker", "where": "CAST(SMOKER AS VARCHAR(9)) = 'true'"},
        ),
        ("by", {"by": "smoker", "count": "CAST(Smoker AS VARCHAR(9)) = 'true'"}),
        ("by", {"by": ["ward", "smoker"], "count": {"bits": "SMOKER"}}),
        ("unit", {"by": "ward", "count": "PERSON = 'p1'", "unit": "person"}),
    ],
)
def test_a_protected_column_in_another_case_is_the_same_column(people, parameter, words):
    rule = (
        r"names the column .* (?i:person) is counted"
        if parameter == "unit"
        else "must not use a column that a count"
    )
    with pytest.raises(InvalidInput, match=rf"`{parameter}` {rule}"):
        dc.release(people(), **words, epsilon=1)
    with pytest.raises(InvalidInput, match=rf"`{parameter}` {rule}"):
        dc.plan(people(), **words, epsilon=1)


@pytest.mark.parametrize("text", ["1 = 1", "true", "'smoker' = 'yes'", "upper('yes') LIKE 'Y%'"])
def test_a_condition_without_a_column_is_refused(people, text):
    """It would publish everybody, or nobody, under the name of a question."""
    with pytest.raises(
        InvalidInput, match=r"`count` must read a column of the source, .*'single quotes'"
    ):
        dc.release(people(), by="ward", count={"smokers": text}, epsilon=1)
    with pytest.raises(InvalidInput, match="`where` must read a column of the source"):
        dc.release(people(), by="ward", count="smoker", where=text, epsilon=1)


@pytest.mark.parametrize(
    "bad",
    [
        "max(age) > 3",
        "rand() < 0.5",
        "CAST(age AS INTEGER) = (SELECT 3)",
        "row_number() OVER (ORDER BY age) = 1",
    ],
)
def test_predicates_look_at_one_row(people, bad):
    with pytest.raises(InvalidInput):
        dc.release(people(), by="ward", count=bad, epsilon=1)


def test_a_misspelt_column_gets_the_near_one(people):
    with pytest.raises(InvalidInput, match="did you mean ward"):
        dc.release(people(), by="wrad", count="smoker", epsilon=1)
    with pytest.raises(InvalidInput, match="did you mean smoker"):
        dc.release(people(), by="ward", count="smokr", epsilon=1)


def test_a_predicate_that_is_not_a_condition_is_refused(people):
    with pytest.raises(InvalidInput, match="true or false"):
        dc.release(people(), by="ward", count="CAST(age AS INTEGER) + 1", epsilon=1)


def test_a_conversion_error_does_not_show_the_value(people):
    table = PEOPLE.set_column(
        4, "age", pa.array(["20", "secret", "20", "50", "60", "70", "10", "30"])
    )
    with pytest.raises(InvalidData) as caught:
        dc.release(people(table), by="ward", count=YOUNG, epsilon=1)
    assert "secret" not in str(caught.value)
    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None


def test_the_bundle_of_any_engine_reads_back(people, tmp_path, engine):
    r = dc.release(people(), by=["ward"], count="smoker", epsilon=EXACT, output=tmp_path / "out")
    again = dc.read_release(tmp_path / "out")
    assert rows(again) == rows(r) == [("x", 5, 3), ("y", 2, 2), ("z", 1, 1)]
    assert again.manifest == r.manifest
    assert again.mechanism(5).n == 5
    assert r.manifest.engine == ("spark" if engine == "spark" else "duckdb")


def test_estimates_and_intervals_are_functions_of_output_size_and_mechanism(people):
    asked = {
        "by": "ward",
        "count": ["smoker", YOUNG],
        "epsilon": 2,
        "properties": "F",
        "intervals": "9/10",
    }
    r = dc.release(people(), **asked)
    names = ["smoker", "smoker_estimate", "smoker_low", "smoker_high"]
    assert r.table.column_names == [
        "ward",
        "n",
        *names,
        YOUNG,
        *(f"{YOUNG}_{part}" for part in ("estimate", "low", "high")),
    ]
    for row in r.table.to_pylist():
        m = r.mechanism(row["n"], "smoker")
        low, high = dc.one_group(m, row["smoker"], confidence="9/10").interval
        assert (row["smoker_low"], row["smoker_high"]) == (low, high)
        assert low <= row["smoker"] <= high
    assert r.manifest.confidence == "9/10"
    with pytest.raises(InvalidInput, match="confidence"):
        dc.release(people(), **{**asked, "intervals": 95})


def test_plan_reads_no_bit(people, engine):
    # A bit column that would break any release is not even looked at.
    broken = PEOPLE.set_column(3, "smoker", pa.array([9, None, 9, 9, 9, 9, 9, 9]))
    p = dc.plan(people(broken), by="ward", count=["smoker", YOUNG], epsilon=1, properties="F")
    assert [(line.count, line.n, line.groups) for line in p.lines] == [
        ("smoker", 1, 1),
        ("smoker", 2, 1),
        ("smoker", 5, 1),
        (YOUNG, 1, 1),
        (YOUNG, 2, 1),
        (YOUNG, 5, 1),
    ]
    assert dict(p.each) == {"smoker": Fraction(1, 2), YOUNG: Fraction(1, 2)}
    assert p.unread == (("smoker",) if engine in TEXT else ()), (
        "of a text file every column is text"
    )
    whole = dc.plan(people(broken), by=[], count="smoker", epsilon=1, properties="F")
    assert [(line.n, line.groups) for line in whole.lines] == [(8, 1)]
    if engine in TEXT:
        return  # text has no types to check a release's result against
    with pytest.raises(InvalidData):
        dc.release(people(broken), by="ward", count=["smoker", YOUNG], epsilon=1)


def test_a_key_in_two_rows_of_a_table_of_counts_is_found_wherever_they_stand():
    """NULL and NaN are keys like others: two of them are one group twice, one is not."""
    rows = {
        "NULL": [("a", None), ("b", None), (None, 1.0), (None, None)],
        "NaN": [("a", float("nan")), ("b", float("nan")), ("b", 1.0)],
        "plain": [("b", 2.0), ("a", 2.0), ("a", 1.0)],
    }
    for keys in rows.values():
        for again in (None, 0, 1):
            all_of_them = [*keys, *([] if again is None else [keys[again]])]
            table = pa.table(
                {
                    "k": pa.array([k for k, _ in all_of_them]),
                    "d": pa.array([d for _, d in all_of_them], pa.float64()),
                    "n": [5] * len(all_of_them),
                    "x": [2] * len(all_of_them),
                }
            )
            asked = {"by": ["k", "d"], "count": "x", "size": "n", "epsilon": 1}
            if again is None:
                assert dc.release(table, **asked).manifest.groups == len(keys)
            else:
                with pytest.raises(InvalidInput, match="in more than one row"):
                    dc.release(table, **asked)


def test_an_answer_of_the_ledger_that_is_lost_is_never_called_nothing_spent(tmp_path, monkeypatch):
    book = dc.open_ledger(tmp_path / "budget.db")
    book.open("people", budget=2)
    whole = type(book).reserve

    def lost(self, *asked, **more):
        whole(self, *asked, **more)
        raise dc.DiscreetError("the answer was lost")

    monkeypatch.setattr(type(book), "reserve", lost)
    people = pa.table({"clinic": ["a", "a", "b"], "ill": [0, 1, 1]})
    with pytest.raises(dc.DiscreetError) as caught:
        dc.release(people, by="clinic", count="ill", epsilon=1, ledger=book, dataset="people")
    assert book.remaining("people") == 1 and "Nothing was spent" not in str(caught.value)
