"""The list of pure functions against DuckDB's own catalogue: what is on it may be, and the rest is refused."""

from __future__ import annotations

import re

import pytest
from tests.conftest import require

require("tables")

import pyarrow as pa
import pyarrow.parquet

import discreet as dc
from discreet.errors import InvalidInput
from discreet.tables import engines
from discreet.tables.engines.duckdb.connection import connect, identifier
from discreet.tables.engines.duckdb.expressions import expression_tree, nodes, parse
from discreet.tables.engines.duckdb.functions import (
    FEWEST_ARGUMENTS,
    PLAIN_TYPES,
    PURE_FUNCTIONS,
    PURE_OPERATORS,
)

AGE = {"age": "INTEGER"}

# Settings and session, environment, catalogue, serialisation, files, random words, time, sequences, messages.
NEVER = re.compile(
    r"current_|setting|session|(^|_)user$|(^|_)role$|getvariable|version|connection|transaction|txid|query|search_path"
    r"|getenv|host|inet_|secret|^pg_|_oid$|has_.*privilege|description$|format_type|typeof|get_type|alias|stats|vector_type"
    r"|serialize|json_copy|_to_json|^to_json|parquet|read_|write_|glob|^parse_|path_join|dirname|filename|hive|block_size|checkpoint"
    r"|random|uuid|gen_|setseed|sample|reservoir|approx|now$|today|localtime|clock|^ago$|timezone|sleep"
    r"|nextval|currval|setval|sequence|error|assert|log_message|enum_|__internal|invoke|aggr(egate)?$|icu_|collate_"
)


def catalogue() -> dict[str, set[tuple[str, str | None]]]:
    rows = (
        connect()
        .execute("SELECT lower(function_name), function_type, stability FROM duckdb_functions()")
        .fetchall()
    )
    known: dict[str, set[tuple[str, str | None]]] = {}
    for name, kind, stability in rows:
        known.setdefault(name, set()).add((kind, stability))
    return known


@pytest.mark.slow
def test_whatever_duckdb_knows_is_allowed_or_refused_by_the_list_alone(monkeypatch) -> None:
    """Each function of the catalogue is called once: those on the list pass, all others are refused by name."""
    monkeypatch.setattr(
        engines, "get_close_matches", lambda _, words, **__: words
    )  # looking for the nearest takes longest
    known = catalogue()
    assert len(known) > 1000
    for name in known:
        call = (
            f"{identifier(name)}({', '.join(['age'] * max(1, FEWEST_ARGUMENTS.get(name, 0)))}) = 1"
        )
        if name in PURE_FUNCTIONS:
            assert parse("count", call, AGE).columns == {"age"}
            continue
        with pytest.raises(InvalidInput, match="one row only") as refusal:
            parse("count", call, AGE)
        assert f"{name}()" in str(refusal.value) or "row-local" in str(
            refusal.value
        )  # unpack() is no function


def test_what_is_on_the_list_is_a_consistent_scalar_of_this_version() -> None:
    known = catalogue()
    allowed = {("scalar", "CONSISTENT"), ("macro", None)}
    for name in PURE_FUNCTIONS:
        assert known[name] & allowed, f"{name} is no scalar function of this DuckDB"
        # A table function of the same name cannot be called in an expression; an aggregate could.
        assert known[name] <= allowed | {("table", None)}, f"{name} is more than a pure function"


def test_what_reads_more_than_its_arguments_is_never_on_the_list() -> None:
    assert sorted(name for name in PURE_FUNCTIONS if NEVER.search(name)) == []
    seen = {name for name in catalogue() if NEVER.search(name)}
    assert seen >= {
        "json_serialize_plan",
        "json_serialize_sql",
        "json_deserialize_sql",
        "current_setting",
        "getvariable",
        "nextval",
        "random",
        "uuid",
        "now",
        "today",
        "current_database",
        "pg_typeof",
        "stats",
        "error",
        "write_log",
        "version",
        "in_search_path",
        "list_aggregate",
        "enum_range",
        "read_csv",
        "glob",
        "query",
        "timezone",
        "sleep_ms",
        "ago",
    }


def test_nothing_on_the_list_takes_a_lambda() -> None:
    rows = connect().execute(
        "SELECT lower(function_name) FROM duckdb_functions() WHERE 'LAMBDA' IN parameter_types"
    )
    takes_a_lambda = {name for (name,) in rows.fetchall()}
    assert "list_transform" in takes_a_lambda
    assert not takes_a_lambda & PURE_FUNCTIONS


def test_macros_on_the_list_are_made_of_what_is_on_it() -> None:
    rows = connect().execute(
        "SELECT lower(function_name), macro_definition, parameters FROM duckdb_functions() WHERE function_type = 'macro'"
    )
    exact = {
        "any_value",
        "avg",
        "bit_and",
        "bit_or",
        "bit_xor",
        "bool_and",
        "bool_or",
        "count",
        "first",
        "last",
        "max",
        "median",
        "min",
        "product",
        "stddev_pop",
        "stddev_samp",
        "string_agg",
        "sum",
        "var_pop",
        "var_samp",
    }
    checked = 0
    for name, definition, parameters in rows.fetchall():
        if name not in PURE_FUNCTIONS:
            continue
        checked += 1
        for node in nodes(expression_tree("macro", definition)):
            assert node["type"] in PURE_OPERATORS
            if node["class"] == "COLUMN_REF":
                assert node["column_names"][0] in parameters
            elif node["class"] == "FUNCTION" and node["function_name"] == "list_aggr":
                # An aggregate over one row's own list, always the same one.
                assert node["arguments"][1]["expression"]["literal"]["text"] in exact
            elif node["class"] == "FUNCTION":
                assert node["function_name"] in PURE_FUNCTIONS
                assert not node["schema"]
    assert checked > 30


def test_types_are_a_list_too() -> None:
    known = {
        name.lower()
        for (name,) in connect().execute("SELECT type_name FROM duckdb_types()").fetchall()
    }
    assert known >= PLAIN_TYPES
    for name in known:
        if name in PLAIN_TYPES:
            continue
        with pytest.raises(InvalidInput, match="is not a type of plain values|cannot be parsed"):
            parse("count", f"CAST(age AS {identifier(name)}) IS NULL", AGE)
    with pytest.raises(InvalidInput, match=r"(?s)regclass is not a type .* allowed: "):
        parse("count", "CAST(age AS regclass) IS NULL", AGE)


@pytest.mark.parametrize(
    ("text", "near"),
    [
        (
            "json_serialize_plan('SELECT 1') LIKE '%'",
            r"json_serialize_plan\(\) is not on .* allowed: \w+",
        ),
        ("starts_wiht(age, 'x')", r"starts_wiht\(\) is not a known .* allowed: starts_with\b"),
        ("list_transfrom([1], 2) = [age]", "allowed: list"),
        ("sum(age) > 3", r"sum\(\) is an aggregate"),
    ],
)
def test_the_error_names_the_function_and_the_nearest_allowed_one(text: str, near: str) -> None:
    with pytest.raises(InvalidInput, match=near):
        parse("count", text, AGE)


@pytest.mark.parametrize(
    "text", ["age.lower() = 'x'", "x.age.contains('1')", "main.lower(age)", "age.nullif(1) = 2"]
)
def test_a_function_behind_a_dot_is_refused_because_it_hides_a_column(text: str) -> None:
    """DuckDB reads `age.lower()` as lower(age), and its parsed tree names no column."""
    with pytest.raises(InvalidInput, match=r"is not known, .*write \w+\(x, \.\.\.\) instead"):
        parse("where", text, {"age": "VARCHAR"})


def test_a_predicate_sees_no_statistics_of_everybody(tmp_path) -> None:
    """The attack that showed the deny-list: a plan's text tells whether anybody in any file is above 75."""
    path = tmp_path / "people.parquet"
    pyarrow.parquet.write_table(pa.table({"g": ["a", "b"], "age": [76, 20]}), path)
    spy = f"json_serialize_plan('SELECT 1 FROM ''{path}'' WHERE age > 75', optimize := true) LIKE '%EMPTY_RESULT%'"
    for words in (
        {"count": f"age > 3 AND {spy}"},
        {"count": "age > 3", "where": f"g = 'a' AND {spy}"},
    ):
        with pytest.raises(InvalidInput, match="json_serialize_plan"):
            dc.release(path, by="g", epsilon=1, **words)
    with pytest.raises(InvalidInput, match="json_serialize_plan"):
        dc.release(
            f"SELECT g, age > 3 AND {spy} AS bit FROM '{path}'", by="g", count="bit", epsilon=1
        )
    with pytest.raises(InvalidInput, match="json_serialize_plan"):
        dc.release(
            f"SELECT g, age FROM '{path}' WHERE g = 'a' AND {spy}",
            by="g",
            count="age > 3",
            epsilon=1,
        )
