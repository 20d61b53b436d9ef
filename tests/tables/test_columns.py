"""Columns that nobody asks about never matter, and an empty text is what the source, or its owner, says it is."""

from __future__ import annotations

import pytest
from tests.conftest import require

require("tables")
require("pandas")

import pyarrow as pa
import pyarrow.parquet
from tests.tables.sources import EXACT, SPARK, as_source, in_full_runs

import discreet as dc
from discreet.errors import InvalidData, InvalidInput

pytestmark = pytest.mark.filterwarnings(
    "ignore:PySpark does not yet fully support pandas:FutureWarning"
)


def released(source, **asked):
    r = dc.release(source, **{"by": "clinic", "count": "smoker", "epsilon": EXACT, **asked})
    return [tuple(row.values()) for row in r.table.to_pylist()]


# --- columns that are not asked about ---

COLUMNS = {
    "clinic": ["x", "x", "y"],
    "note": ["a", "b", "c"],
    "smoker": [True, False, True],
    "Age": [20, 30, 40],
}
ANSWER = [("x", 2, 1), ("y", 1, 1)]
ODD = [
    ("twice", "twice"),
    ("ill", "ILL"),
    ("", ""),
    ("clinic_1", ""),
    ("note", "NOTE"),
    ("age", "note"),
]
"""Names of two more columns."""


def with_odd_columns(kind, folder, names):
    """The table with two columns more, in a source that can hold them; None in one that cannot."""
    columns = [*COLUMNS.values(), [1, 2, 3], ["p", "q", "r"]]
    listed = [*COLUMNS, *names]
    table = pa.Table.from_arrays([pa.array(values) for values in columns], names=listed)
    if kind == "arrow":
        return table
    if kind == "reader":
        return table.to_reader()
    if kind == "parquet":
        pyarrow.parquet.write_table(table, folder / "people.parquet")
        return folder / "people.parquet"
    if kind == "csv":
        rows = zip(*columns, strict=True)
        lines = [",".join(listed), *(",".join(map(str, row)) for row in rows)]
        (folder / "people.csv").write_text("\n".join(lines) + "\n")
        return folder / "people.csv"
    if kind == "query":
        return f"SELECT * FROM '{with_odd_columns('csv', folder, names)}'"
    if kind == "pandas":
        import pandas

        return pandas.concat(
            [
                pandas.Series(values, name=name)
                for name, values in zip(listed, columns, strict=True)
            ],
            axis=1,
        )
    return as_source(kind, table, folder) if len(set(listed)) == len(listed) else None


@pytest.mark.parametrize(
    "kind", ["csv", "query", "parquet", "arrow", "reader", "pandas", "polars", "polars-lazy", SPARK]
)
@pytest.mark.parametrize("names", ODD, ids=str)
def test_columns_that_nobody_asks_about_do_not_matter(kind, names, tmp_path):
    def source():
        return with_odd_columns(kind, tmp_path, names)

    if source() is None:
        return
    clash = kind == "spark"  # there upper and lower case are one
    assert released(source()) == ANSWER
    assert released(source(), by=[]) == [(3, 2)]
    asked = [
        ("note", "note") in zip(names, names, strict=True),
        "note" in names,
        clash and "NOTE" in names,
    ]
    if any(asked):
        with pytest.raises(InvalidInput, match="several columns of this name"):
            released(source(), by="note")
    else:
        assert [row[1:] for row in released(source(), by="note")] == [(1, 1), (1, 0), (1, 1)]
    for name in (set(names) - {"note"}) & {"twice", "ill", "ILL", "NOTE", "age"}:
        if names.count(name) > 1 or clash:
            with pytest.raises(InvalidInput, match="several columns of this name"):
                released(source(), by=name)
        else:
            assert sum(row[1] for row in released(source(), by=name)) == 3
    if not clash and "ILL" in names:
        with pytest.raises(InvalidInput, match="differ in case alone, and the question uses both"):
            released(source(), by=["ill", "ILL"])


@pytest.mark.parametrize("kind", ["csv", "parquet", "arrow", "pandas", "polars"])
def test_a_column_without_a_name_has_one_or_is_refused_clearly(kind, tmp_path):
    source = with_odd_columns(kind, tmp_path, ("ward", ""))
    if kind == "csv":
        assert len(released(source, by="column5")) == 3
        return
    with pytest.raises(InvalidInput, match="must name columns of the source"):
        released(source, by="")


def test_columns_of_a_frame_whose_names_are_no_text_do_not_matter():
    import pandas

    frame = pandas.DataFrame(
        {"clinic": ["x"], "smoker": [True], 7: [1], ("a", "b"): [2], None: [3]}
    )
    assert released(frame) == [("x", 1, 1)]


def test_an_ambiguous_name_is_refused_in_every_role(tmp_path):
    (tmp_path / "p.csv").write_text("clinic,smoker,a,a\nx,1,1,1\n")
    for asked in (
        {"unit": "a"},
        {"where": "a = '1'"},
        {"count": "a"},
        {"count": "a = '1'"},
        {"by": {"k": "left(a, 1)"}},
    ):
        for ask in (dc.plan, dc.release):
            with pytest.raises(InvalidInput, match=r"several columns of this name.*\(a\)"):
                ask(
                    tmp_path / "p.csv", **{"by": "clinic", "count": "smoker", "epsilon": 1, **asked}
                )
    with pytest.raises(InvalidInput, match="several columns of this name"):
        dc.plan(
            f"SELECT clinic, smoker FROM '{tmp_path / 'p.csv'}' WHERE a = '1'",
            by="clinic",
            count="smoker",
            epsilon=1,
        )
    with pytest.raises(InvalidInput, match="several columns of this name"):
        released(pa.table({"a": ["1"], "smoker": [True]}), by="a", keys=tmp_path / "p.csv")


# --- an empty text ---

BLANKS = {
    "person": ["1", "2", "3", "4"],
    "clinic": ["x", "", "x", ""],
    "smoker": ["1", "0", "", ""],
    "mood": ["good", "", "bad", "good"],
}
TYPED = ["arrow", "pandas", "reader", *in_full_runs("polars", "duckdb", "parquet"), SPARK]


@pytest.mark.parametrize("quote", ['""', ""])
def test_a_blank_cell_of_a_csv_file_is_missing_quoted_or_not(quote, tmp_path):
    """R's `write.csv` and Python's QUOTE_ALL write blank cells as two quotes."""
    rows = zip(*([value or quote for value in values] for values in BLANKS.values()), strict=True)
    path = tmp_path / "p.csv"
    path.write_text("".join(",".join(row) + "\n" for row in ([*BLANKS], *rows)))
    assert_missing(path, {})


@pytest.mark.parametrize("kind", TYPED)
@pytest.mark.parametrize(
    "empty", ["missing", dict.fromkeys(BLANKS, "missing")], ids=["every column", "by name"]
)
def test_an_empty_text_of_a_source_with_types_is_missing_where_that_is_declared(
    kind, empty, tmp_path
):
    assert_missing(lambda: as_source(kind, pa.table(BLANKS), tmp_path), {"read": {"empty": empty}})


def assert_missing(source, read):
    """Keys, answers, bits, predicates, filters and people take the blank cells of BLANKS for missing."""

    def ask(**asked):
        return released(source() if callable(source) else source, **read, **asked)

    assert ask(nulls="0") == [("x", 2, 1), (None, 2, 0)]
    assert ask(nulls="1") == [("x", 2, 2), (None, 2, 1)]
    with pytest.raises(InvalidData, match="NULL"):
        ask()
    assert ask(by=[], count={"b": "smoker = '1'"}, nulls="1") == [(4, 3)]
    assert ask(by=[], count={"b": "smoker IS NULL"}) == [(4, 2)]
    assert ask(where="clinic = ''", keys=["x"], nulls="0") == [("x", 0, 0)]
    assert ask(where="clinic IS NULL", nulls="0") == [(None, 2, 0)]
    answers = {"mood": {"answers": ["good", "bad", "unsaid"], "nulls": "unsaid"}}
    assert ask(by=[], count=answers) == [(4, 2, 1, 1)]
    with pytest.raises(InvalidData, match="must not be empty"):
        ask(unit="clinic", by=[], nulls="0")


@pytest.mark.parametrize("kind", TYPED)
def test_an_empty_text_of_a_source_with_types_is_a_value_and_the_error_says_the_line_to_write(
    kind, tmp_path
):
    def source():
        return as_source(kind, pa.table(BLANKS), tmp_path)

    assert released(source(), count={"b": "smoker = '1'"}) == [("", 2, 0), ("x", 2, 1)]
    line = r"read=\{'empty': 'missing'\}"
    with pytest.raises(InvalidData, match=f"true or false.*{line}"):
        released(source(), nulls="0")
    answers = {"mood": {"answers": ["good", "bad", "unsaid"], "nulls": "unsaid"}}
    with pytest.raises(InvalidData, match=f"(?s)one of the answers.*{line}"):
        released(source(), count=answers)


@pytest.mark.parametrize(
    ("read", "message"),
    [
        ({"empty": "drop"}, "needs empty as 'missing'"),
        ({"empty": {"clinik": "missing"}}, "did you mean clinic"),
        ({"empty": {"age": "missing"}}, "a column that is"),
        ({"delimiter": ";"}, "an option for files"),
        ({"types": {"age": "INTEGER"}}, "an option for files"),
    ],
)
@pytest.mark.parametrize("kind", ["arrow", SPARK])
def test_what_cannot_be_declared_is_refused(kind, read, message, tmp_path):
    table = pa.table({"clinic": ["x"], "smoker": [True], "age": [3]})
    with pytest.raises(InvalidInput, match=message):
        released(as_source(kind, table, tmp_path), by=["clinic", "age"], read=read)
