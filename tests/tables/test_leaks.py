"""What errors say of data: the first row and the rule. No value, no text of an engine, and never how many rows."""

from __future__ import annotations

import re

import pytest
from tests.conftest import require

require("tables")

import duckdb
import pyarrow as pa
import pyarrow.parquet
from tests.tables.sources import ENGINES, EXACT, as_source

import discreet as dc
from discreet.errors import DiscreetError, InvalidData, InvalidInput
from discreet.tables.engines.duckdb.connection import run

SECRET = "Line 078 line: 078 json UTF-8 unicode CSV parquet magic bytes No space left secret"


def released(source, **words):
    return dc.release(source, **{"by": "clinic", "count": "bit", "epsilon": EXACT, **words})


def test_an_interrupted_query_is_ctrl_c():
    def fails():
        raise duckdb.InterruptException("x")

    with pytest.raises(KeyboardInterrupt):
        run(fails)


@pytest.mark.parametrize(
    "kind", [name for name in dir(duckdb) if name.endswith(("Exception", "Error"))]
)
def test_no_text_of_an_engine_is_shown_or_searched(kind):
    """Whatever stands in a message, the error is that of an empty one: only its type decides."""
    raised = getattr(duckdb, kind)
    if not issubclass(raised, duckdb.Error) or raised is duckdb.InterruptException:
        return

    def told(text, **words):
        def fails():
            raise getattr(duckdb, kind)(text)

        with pytest.raises(DiscreetError) as caught:
            run(fails, **words)
        assert caught.value.__context__ is None
        return type(caught.value), str(caught.value)

    for words in ({}, {"output": True}, {"parameter": "count"}):
        assert told(SECRET, **words) == told("x", **words)


@pytest.fixture(params=ENGINES)
def people(request, tmp_path):
    def made(table):
        return as_source(request.param, table, tmp_path)

    return made


def refused(source, **words):
    """The error, in which no number stands but those of a row, a parameter and 0 or 1."""
    with pytest.raises(InvalidInput) as caught:
        released(source, **words)
    said = str(caught.value)
    left = re.sub(
        r"\(row \d+( below the header line)?;|0 or 1|at least 0|at most 1 row|nulls='[01]'|from 0 to|2\^63",
        "",
        said,
    )
    assert not re.search(r"\d", left), said
    assert "hidden" not in said
    return said


def test_how_many_rows_break_a_rule_is_not_said(people):
    clinic, person = ["a"] * 6, ["p", "q", "r", "s", "t", "u"]
    table = pa.table(
        {"clinic": clinic, "person": person, "bit": pa.array([True, None, None, True, None, True])}
    )
    assert "NULL" in refused(people(table))
    assert "0 or 1" in refused(people(pa.table({"clinic": clinic, "bit": [1, 0, 7, 7, 7, 0]})))
    assert "NULL" in refused(
        people(table.set_column(1, "person", pa.array([None, None, *"rstu"]))), unit="person"
    )
    assert "someone" in refused(
        people(table.set_column(1, "person", pa.array([*"ppqqrr"]))), unit="person"
    )
    assert "keys" in refused(people(table), keys=["b"], nulls="0")
    counts = pa.table({"clinic": [*"abcdef"], "bit": [1, 2, 3, 9, 9, 9], "size": [5] * 6})
    refused(people(counts), size="size")
    refused(people(counts.set_column(2, "size", pa.array([5, None, None, 5, 5, 5]))), size="size")
    assert "more than one row" in refused(
        people(counts.set_column(0, "clinic", pa.array([*"aabbcd"]))), size="size"
    )


def test_the_first_row_is_named_and_counted_from_1(people, request):
    if "spark" in request.node.callspec.id:
        return  # its rows have no order
    table = pa.table(
        {
            "clinic": ["a"] * 4,
            "bit": [1, 0, 7, 7],
            "size": [5, 5, None, 5],
            "who": ["p", "q", None, None],
        }
    )
    assert "row 3" in refused(people(table))
    assert "row 3" in refused(people(table), unit="who", count="bit IS NULL")
    assert "row 3" in refused(people(table), size="size", by=["clinic", "who"])


def test_a_row_of_csv_files_is_named_so_that_it_is_found_in_an_editor(tmp_path):
    """Its line is not said: whether values above it hold line ends is not for an error to tell."""
    (tmp_path / "a.csv").write_text('clinic,bit,note\na,1,"two\nlines"\nb,7,\n')
    assert "(row 2 below the header line;" in refused(tmp_path / "a.csv")
    both = [tmp_path / "a.csv", tmp_path / "b.csv"]
    both[1].write_text("clinic,bit,note\nb,1,\n")
    with pytest.raises(
        InvalidData, match="row 2 of all files together, without header lines;"
    ) as caught:
        released(both)
    assert caught.value.row == 2 and caught.value.to_dict()["row"] == 2, "a program gets the number"
    with pytest.raises(InvalidData, match=r"\(row 1;"):
        released(f"SELECT * FROM '{tmp_path / 'a.csv'}' WHERE clinic = 'b'")


def test_a_table_of_counts_without_size_is_told_of_size(people):
    counts = pa.table({"clinic": ["a", "b"], "bit": [1, 12], "patients": [10, 20]})
    assert (
        "if each row is a group with its count, name the column with how many people it has: `size='COLUMN'`"
        in refused(people(counts))
    )


def test_text_in_another_encoding_blames_the_file_and_its_column(tmp_path):
    path = tmp_path / "p.csv"
    path.write_bytes("clinic,bit\na,1\nMünchen,1\nKöln,0\n".encode("latin-1"))
    with pytest.raises(InvalidData) as caught:
        released(path)
    said = str(caught.value)
    assert said.startswith("`source` has text that is not UTF-8, in column clinic (line 3 of ")
    assert "latin-1" in said and str(path) in said and "nchen" not in said and "count" not in said
    assert caught.value.__context__ is None
    assert released(path, read={"encoding": "latin-1"}).table["clinic"].to_pylist() == [
        "Köln",
        "München",
        "a",
    ]
    path.write_bytes("clinic,bit,größe\na,1,1\n".encode("latin-1"))
    with pytest.raises(InvalidData, match="not UTF-8 .*header"):
        released(path)


@pytest.mark.parametrize(
    ("lines", "place"),
    [
        ("a,1,1\na,hidden,0\nb,hidden,1\n", "column age .*row 11 of all files"),
        ("a,1,1\na,1\nb,hidden,1,1\n", "does not fit .*line 3 of .*1.csv"),
        ('a,1,1\n"x\ny",1,1\na,Line 078,1\n', "column age .*row 12 of all files"),
        ('a,1,1\n\n"x\r\n\ny",hidden,1\n', "column age .*row 11 of all files"),
        ('a,1,1\n"hidden"x,1,1\n', "does not fit .*line 3 of .*1.csv"),
        ('a,1,1\n\n"x\r\n\ny",1,1\na\n', "does not fit .*line 7 of .*1.csv"),
    ],
)
def test_lines_that_do_not_fit_are_found_by_number_and_values_by_row(tmp_path, lines, place):
    for k in range(2):
        (tmp_path / f"{k}.csv").write_text(
            "clinic,age,bit\n" + ("a,1,1\n" * 9 if k == 0 else lines)
        )
    read = {"types": {"age": "INTEGER"}}
    with pytest.raises(InvalidData, match=place) as caught:
        released(
            [tmp_path / "0.csv", tmp_path / "1.csv"], count="age < 3", where="bit = '1'", read=read
        )
    assert "hidden" not in str(caught.value) and "078" not in str(caught.value)


def test_a_failing_expression_is_blamed_and_not_the_source(tmp_path):
    table = pa.table({"clinic": ["a", "b"], "code": ["1", SECRET], "bit": [True, False]})
    for source in (table, as_source("csv", table, tmp_path), as_source("parquet", table, tmp_path)):
        for parameter, words in (
            ("count", {"count": "code::INTEGER = 1"}),
            ("where", {"where": "code::INTEGER = 1"}),
        ):
            with pytest.raises(InvalidData, match=f"^`{parameter}` has a value") as caught:
                released(source, **words)
            assert "secret" not in str(caught.value) and "078" not in str(caught.value)


def test_text_that_is_no_utf8_in_parquet_shows_nothing(tmp_path):
    bad = pa.array([b"a", b"hidden\xff"]).view(pa.string())
    table = pa.table({"clinic": bad, "bit": [True, False]})
    pa.parquet.write_table(table, tmp_path / "p.parquet")
    with pytest.raises(DiscreetError) as caught:
        released(tmp_path / "p.parquet")
    assert "hidden" not in str(caught.value)
