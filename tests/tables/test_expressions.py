"""Predicates: what looks at one row passes, what looks further is refused by what it is, not by how it is spelt."""

from __future__ import annotations

import duckdb
import pytest
from tests.conftest import require

require("tables")

from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import InvalidInput
from discreet.tables.engines.duckdb.connection import identifier
from discreet.tables.engines.duckdb.expressions import parse
from discreet.tables.engines.duckdb.sources.queries import read_query

COLUMNS = {
    "age": "INTEGER",
    "Smoker": "BOOLEAN",
    'we"ird; DROP TABLE x; --': "VARCHAR",
    "größe": "DOUBLE",
    "count": "INTEGER",
}


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("age < 30", {"age"}),
        ("AGE BETWEEN 18 AND 30 AND smoker", {"age", "Smoker"}),
        ("coalesce(größe, 0) > 1.5 OR NOT Smoker", {"größe", "Smoker"}),
        ("CASE WHEN age IS NULL THEN false ELSE age % 2 = 0 END", {"age"}),
        (
            'TRY_CAST("we""ird; DROP TABLE x; --" AS INTEGER) IN (1, 2)',
            {'we"ird; DROP TABLE x; --'},
        ),
        (
            'lower("we""ird; DROP TABLE x; --") LIKE \'a%\' -- a comment',
            {'we"ird; DROP TABLE x; --'},
        ),
        ('"count" = 1', {"count"}),
        ("nullif(age, 0) > split_part('a,b', ',', 1)::INTEGER", {"age"}),
        ("list_contains([1, 2], age)", {"age"}),
        ("true", set()),  # the question refuses it: test_a_condition_without_a_column_is_refused
        ("TRY(CAST(age AS DATE)) < DATE '2026-01-01' + INTERVAL 1 DAY", {"age"}),
        ("age(DATE '2026-01-01', CAST(age AS DATE)) > INTERVAL 18 YEAR", {"age"}),
        (
            "regexp_matches(CAST(age AS VARCHAR), '^1') OR age COLLATE NOCASE SIMILAR TO 'x'",
            {"age"},
        ),
        (
            "extract(year FROM CAST(age AS DATE)) = 2020 AND {'a': age}.a = 1 AND [age, 2][1] = 1",
            {"age"},
        ),
    ],
)
def test_row_local_predicates_pass_with_the_columns_they_read(text: str, used: set[str]) -> None:
    assert parse("count", text, COLUMNS).columns == used


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("age > avg(age)", "aggregate"),
        ("count(*) > 3", "aggregate"),
        ("max(age) OVER () = age", "window"),
        ("row_number() OVER (ORDER BY age) < 3", "window"),
        ("age = (SELECT max(age) FROM x)", "subquery"),
        ("EXISTS (SELECT 1)", "subquery"),
        ("age IN (SELECT 1)", "subquery"),
        ("random() < 0.5", "volatile"),
        ("uuid() IS NOT NULL", "volatile"),
        ("nextval('s') = 1", "volatile"),
        ("now() > TIMESTAMP '2026-01-01'", "volatile"),
        ("current_setting('threads') = '2'", "volatile"),
        ("current_date > DATE '2026-01-01'", "current_date is not a column"),
        ("ago(INTERVAL 1 DAY) > DATE '2026-01-01'", "ago.. is not on the list"),
        ("age(TIMESTAMP '2026-01-01') > INTERVAL 1 DAY", "clock"),
        (
            "current_localtimestamp() > TIMESTAMP '2026-01-01'",
            "current_localtimestamp.. is not on the list",
        ),
        ("error('x') IS NULL", "volatile"),
        ("sleep_ms(10) IS NULL", "volatile"),
        ("weighted_avg(age, 1) > 2", "weighted_avg.. is not on the list"),
        ("generate_subscripts([1], 1) = 1", "generate_subscripts.. is not on the list"),
        ("unnest([age]) = 1", "not a known scalar|table function"),
        ("age = ?", "parameter"),
        ("#1", "positional"),
        ("no_such_function(age)", "not a known scalar"),
        ("list_filter([1], x -> x > age)", "list_filter.. is not on the list"),
        ("list_contains([1], x -> x > age)", "lambda"),
        ("grouping(age) = 1", "grouping_function is not row-local"),
        ("CAST(age AS TIMESTAMP) AT TIME ZONE 'CET' IS NULL", "timezone.. is not on the list"),
        ("COLUMNS('a.*')", "row-local"),
    ],
)
def test_whatever_looks_beyond_the_row_is_refused(text: str, why: str) -> None:
    with pytest.raises(InvalidInput, match=f"(?s){why}"):
        parse("count", text, COLUMNS)


@pytest.mark.parametrize(
    "text",
    [
        "age < 30) FROM x WHERE (true",
        "age < 30), (1",
        "1; SELECT 2",
        "age <",
        "age AS a",
        "age < 30 -- )",
        "",
        "(age) LIMIT (1",
        "DROP TABLE x",
    ],
)
def test_text_that_is_not_one_expression_is_refused(text: str) -> None:
    if text == "age < 30 -- )":  # a comment is no harm
        assert parse("count", text, COLUMNS).sql == "(age < 30)"
        return
    with pytest.raises(InvalidInput):
        parse("count", text, COLUMNS)


def test_a_misspelt_column_gets_the_near_one() -> None:
    with pytest.raises(InvalidInput, match="did you mean Smoker"):
        parse("count", "smokr", COLUMNS)


@pytest.mark.slow
@settings(deadline=None)
@given(st.text(min_size=1).filter(lambda name: "\0" not in name and name.isprintable()))
def test_any_column_name_survives_quoting_and_parsing(name: str) -> None:
    checked = parse("count", f"{identifier(name)} = 1", {name: "INTEGER"})
    assert checked.columns == {name}
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE t ({identifier(name)} INTEGER); INSERT INTO t VALUES (1)")
    assert connection.execute(f"SELECT {checked.sql} FROM t").fetchall() == [(True,)]


@pytest.mark.parametrize(
    "text",
    [
        "SELECT a FROM 'x.csv' JOIN 'y.csv' USING (a)",
        "SELECT a FROM 'x.csv', 'y.csv'",
        "SELECT DISTINCT a FROM 'x.csv'",
        "SELECT a FROM 'x.csv' LIMIT 3",
        "SELECT a, count(*) FROM 'x.csv' GROUP BY a",
        "SELECT a FROM (SELECT 1 AS a)",
        "SELECT a FROM read_csv('x.csv')",
        "WITH t AS (SELECT 1 AS a) SELECT a FROM t",
        "SELECT a FROM 'x.csv' UNION ALL SELECT a FROM 'y.csv'",
        "SELECT a FROM 'x.csv' USING SAMPLE 10%",
        "SELECT a FROM 'x.csv' TABLESAMPLE 10%",
        "SELECT a FROM 'x.csv' QUALIFY true",
        "SELECT * EXCLUDE (a) FROM 'x.csv'",
        "SELECT a FROM 'x.csv'; DROP TABLE x",
        "SELECT a FROM main.people",
    ],
)
def test_queries_that_mix_rows_are_refused_as_a_source(text: str) -> None:
    with pytest.raises(InvalidInput):
        read_query(text)


def test_a_query_keeps_track_of_what_its_columns_are_made_of() -> None:
    query = read_query(
        "SELECT p.clinic, p.age < 30 AS young, * FROM 'people.csv' AS p WHERE region = 'x'"
    )
    with pytest.raises(InvalidInput, match="two columns of one name"):
        query.over({"clinic": "", "age": "", "region": ""})
    query = read_query(
        "SELECT p.clinic, p.age < 30 AS young FROM 'people.csv' AS p WHERE region = 'x'"
    )
    items, where = query.over({"clinic": "", "age": "", "region": ""})
    assert {name: set(item.columns) for name, item in items.items()} == {
        "clinic": {"clinic"},
        "young": {"age"},
    }
    assert where is not None
    assert where.columns == {"region"}


def test_a_computed_column_without_a_name_is_refused() -> None:
    with pytest.raises(InvalidInput, match="with AS"):
        read_query("SELECT a + 1 FROM 'x.csv'").over({"a": ""})
