"""The test has teeth: each class of hole, opened again, is found within a few hundred cases."""

from __future__ import annotations

from itertools import count

import pytest
from tests.conftest import require

require("tables")
require("pandas")

import pyarrow as pa
from tests.metamorphic.databases import one_database
from tests.metamorphic.running import Break, run_case

from discreet.tables.engines.duckdb import answer_columns, expressions
from discreet.tables.engines.duckdb import duckdb_engine as duck
from discreet.tables.engines.duckdb.grouping import Grouping
from discreet.tables.engines.duckdb.sources import file_sources as files
from discreet.tables.engines.duckdb.sources import frames as arrow
from discreet.tables.engines.duckdb.sources import opened as sources

pytestmark = pytest.mark.slow
MOVED = ("moved by", "groups, sizes or their order changed")


def first_break(
    source: str, *, capability: str, cases: int, laws: tuple[str, ...], first: int = 0
) -> Break | None:
    """The first case that breaks a law of these kinds; `first` is a case shortly before one that is known to."""
    with one_database():
        for seed in range(first, first + cases):
            for one in run_case(str(seed), source, capability=capability, plan=False).breaks:
                if any(law in one.law for law in laws):
                    return one
    return None


def test_a_function_that_reads_other_rows_is_found(monkeypatch):
    monkeypatch.setattr(expressions, "_check_function", lambda *_: None)
    assert first_break("parquet", capability="bits", cases=600, laws=MOVED, first=400)


def test_two_names_of_one_column_are_found(monkeypatch):
    monkeypatch.setattr(duck.DuckEngine, "behind", lambda self, names: frozenset(names))
    assert first_break("query-parquet", capability="bits", cases=400, laws=MOVED, first=50)


def test_a_row_without_an_answer_is_found(monkeypatch):
    monkeypatch.setattr(answer_columns, "_rules", lambda *_: ("false", "''"))
    assert first_break("arrow", capability="answers", cases=100, laws=("do not add up",), first=10)


def test_a_row_with_neither_of_two_answers_is_found(monkeypatch):
    monkeypatch.setattr(answer_columns, "_rules", lambda *_: ("false", "''"))
    assert first_break(
        "arrow", capability="two answers", cases=100, laws=("counted sizes and counts",)
    )


def test_a_count_of_the_second_of_two_answers_is_found(monkeypatch):
    true = answer_columns.answer_conditions
    monkeypatch.setattr(
        answer_columns, "answer_conditions", lambda *given: iter([*true(*given)][::-1])
    )
    assert first_break(
        "arrow", capability="two answers", cases=100, laws=("counted sizes and counts",)
    )


def test_a_protected_column_that_decides_rows_is_found(monkeypatch):
    from discreet.tables.asking import question

    monkeypatch.setattr(question, "_check_protected", lambda *_: None)
    assert first_break("arrow", capability="bits", cases=400, laws=MOVED)


def test_a_type_guessed_from_all_values_is_found(monkeypatch):
    def guessed(frame, name, *, key):
        column = pa.Array.from_pandas(frame[name])
        return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column

    monkeypatch.setattr(arrow, "pandas_column", guessed)
    assert first_break("pandas", capability="bits", cases=400, laws=MOVED, first=260)


def test_a_name_that_is_globbed_again_is_found(monkeypatch):
    monkeypatch.setattr(files, "exactly", lambda path: path)
    assert first_break(
        "parquet", capability="files", cases=100, laws=(*MOVED, "counted sizes and counts")
    )


def test_a_folder_that_overrides_a_column_is_found(monkeypatch):
    read = sources.parquet_sql
    monkeypatch.setattr(
        sources,
        "parquet_sql",
        lambda files: read(files).replace("hive_partitioning = false", "hive_partitioning = true"),
    )
    assert first_break("parquet", capability="files", cases=100, laws=("counted sizes and counts",))


def test_an_error_that_quotes_its_value_is_found(monkeypatch):
    from discreet.errors import InvalidData
    from discreet.tables.engines.duckdb import connection

    def telling(error, parameter, *, names_only):
        return InvalidData(parameter, f"has a value that its type cannot hold: {error}")

    monkeypatch.setattr(connection, "_translated", telling)
    assert first_break("csv", capability="bits", cases=600, laws=("shows a value",), first=1090)


def test_rows_kept_by_keys_and_then_by_place_are_found(monkeypatch):
    monkeypatch.setattr(
        Grouping, "row_order", lambda self, person, keys, answers: ", ".join(keys) or "1"
    )
    for source in ("arrow", "csv"):
        assert first_break(
            source, capability="reordered", cases=40, laws=("another order of the rows",)
        )


def test_dtypes_that_come_from_who_is_there_are_found(monkeypatch):
    def by_dtype(self, connection, *, needed):
        return self.attach(connection, needed=needed, keys=["clinic"])

    monkeypatch.setattr(arrow.FrameSource, "attach_by_value", by_dtype)
    assert first_break("pandas", capability="present", cases=40, laws=("a refusal depends",))


def test_types_of_keys_that_come_from_who_is_there_are_found(monkeypatch):
    """The keys as they come from the source, and an answer that no dtype decides."""
    from discreet.tables.engines.duckdb import capped_rows

    def typed(frame, name):
        return (
            arrow.pandas_column(frame, name, key=True)
            if name == "clinic"
            else known_texts(frame, name)
        )

    known_texts = arrow.pandas_texts
    monkeypatch.setattr(arrow, "pandas_texts", typed)
    monkeypatch.setattr(capped_rows, "_key", lambda grouping, name, kind: grouping.key(name))
    laws = (
        "a refusal depends",
        "a refusal that is not explained",
        "groups, sizes or their order changed",
    )
    assert first_break("pandas", capability="present", cases=40, laws=laws)


def test_people_kept_in_another_order_each_time_are_found(monkeypatch):
    from discreet.tables.engines.duckdb import capped_rows

    keys = count()
    monkeypatch.setattr(capped_rows, "literal", lambda _: f"'key {next(keys)}'")
    assert first_break("arrow", capability="capped", cases=100, laws=("moved by",))
