"""Predicates and row filters: parsed by DuckDB, checked on the parsed tree, never by looking at the text.

The guarantee is about one person's bit, so a bit must be a function of that person's own row. An aggregate, a
window, a subquery, a join or a volatile function (`random()`, `now()`) breaks that, and is refused with its name.
What runs afterwards is SQL made from the checked tree, not the text that was typed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from discreet.errors import InvalidInput, did_you_mean

# The kinds of node that look at one row and nothing else.
_ROW_LOCAL = frozenset(
    (
        "COLUMN_REF", "CONSTANT", "COMPARISON", "CONJUNCTION", "FUNCTION", "CAST", "CASE", "OPERATOR", "BETWEEN",
        "COLLATE", "TYPE",
    )
)  # fmt: skip
_WHY = {
    "SUBQUERY": "a subquery",
    "WINDOW": "a window function",
    "LAMBDA": "a lambda",
    "STAR": "*",
    "PARAMETER": "a parameter",
    "POSITIONAL_REFERENCE": "a positional reference",
    "DEFAULT": "DEFAULT",
}
# Read the clock or the session although DuckDB's catalogue calls them consistent.
_READS_THE_CLOCK = frozenset(("current_localtime", "current_localtimestamp", "getenv", "version"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """A checked expression: the SQL that runs, and the columns of the source it reads."""

    text: str
    sql: str
    columns: frozenset[str]


def parse(parameter: str, text: str, columns: Mapping[str, str]) -> Expression:
    """Parse `text`, refuse what is not row-local, and resolve its columns among `columns`.

    >>> parse("count", "age < 30", {"Age": "INTEGER"})
    Expression(text='age < 30', sql='(Age < 30)', columns=frozenset({'Age'}))
    >>> parse("count", "age < avg(age)", {"age": "INTEGER"})
    Traceback (most recent call last):
        ...
    discreet.errors.InvalidInput: `count` must look at one row only, and avg() is an aggregate, not age < ...
    """
    return check_tree(parameter, expression_tree(parameter, text), text, columns)


def check_tree(parameter: str, tree: dict[str, Any], text: str, columns: Mapping[str, str]) -> Expression:
    """Check a parsed tree as `parse` does. The tree's column names become those of the source."""
    used: set[str] = set()
    for node in nodes(tree):
        kind = node["class"]
        if kind not in _ROW_LOCAL:
            raise _refused(parameter, text, f"{_WHY.get(kind, kind.lower())} is not row-local")
        if kind == "FUNCTION":
            if why := _function_problem(node):
                raise _refused(parameter, text, why)
        elif kind == "COLUMN_REF":
            name = resolve(parameter, node["column_names"][0], columns)
            node["column_names"][0] = name
            used.add(name)
    return Expression(text=text, sql=_to_sql(tree), columns=frozenset(used))


def expression_tree(parameter: str, text: str) -> dict[str, Any]:
    """The parsed tree of one expression; the text may hold nothing beside it."""
    if not isinstance(text, str) or not text.strip():
        raise InvalidInput(parameter, "must be an expression", text)
    node = select_node(parameter, f"SELECT ({text}\n)", text)
    # `a) FROM t WHERE (b` would parse too: everything but the one expression must be empty.
    extras = ("modifiers", "where_clause", "group_expressions", "group_sets", "having", "sample", "qualify")
    if len(node["select_list"]) != 1 or any(node[part] for part in extras) or node["from_table"]["type"] != "EMPTY":
        raise InvalidInput(parameter, "must be one expression and nothing else", text)
    tree: dict[str, Any] = node["select_list"][0]
    if tree["alias"]:
        remedy = "write `count={'NAME': 'PREDICATE'}`" if parameter == "count" else "leave the name out"
        raise InvalidInput(parameter, "must not name its result (AS)", text, remedy=remedy)
    return tree


def select_node(parameter: str, sql: str, shown: str) -> dict[str, Any]:
    """Parse one SELECT statement to DuckDB's tree."""
    ((answer,),) = _parser().cursor().execute("SELECT json_serialize_sql(?)", [sql]).fetchall()
    try:
        parsed = json.loads(answer)
    except RecursionError:
        raise InvalidInput(parameter, "is nested too deeply", shown) from None
    if parsed.get("error", True):
        reason = str(parsed.get("error_message", "not a SELECT")).splitlines()[0]
        raise InvalidInput(parameter, f"cannot be parsed as SQL ({reason})", shown)
    if len(parsed["statements"]) != 1:
        raise InvalidInput(parameter, "must be one statement", shown)
    node: dict[str, Any] = parsed["statements"][0]["node"]
    if node["type"] != "SELECT_NODE" or node["cte_map"]["map"]:
        raise InvalidInput(parameter, "must be a plain SELECT (no UNION, no WITH)", shown)
    return node


def nodes(tree: object) -> Iterator[dict[str, Any]]:
    """Every expression node of a parsed tree, whatever the fields that hold them are called."""
    waiting = [tree]  # a list of our own: a deep expression would exhaust Python's
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            if "class" in item:
                yield item
            waiting.extend(reversed(item.values()))
        elif isinstance(item, list):
            waiting.extend(reversed(item))


def resolve(parameter: str, name: str, columns: Mapping[str, str]) -> str:
    """The column of the source that `name` means: exact, or the only one that differs in case."""
    if name in columns:
        return name
    folded = [column for column in columns if column.casefold() == name.casefold()]
    if len(folded) == 1:
        return folded[0]
    if name.lower() in _catalogue() and not folded:
        raise InvalidInput(parameter, f"must look at one row only, and {name} is not a column of the source")
    raise InvalidInput(parameter, "must name columns of the source", name, remedy=did_you_mean(name, columns))


def _function_problem(node: dict[str, Any], seen: frozenset[str] = frozenset()) -> str:
    """Say why a function call is not a function of one row, or nothing."""
    name = node["function_name"].lower()
    if node.get("filter") or node.get("distinct") or node["order_bys"]["orders"]:
        return f"{name}() with FILTER, DISTINCT or ORDER BY is an aggregate"
    if name in seen:
        return ""
    kinds = _catalogue().get(name)
    if kinds is None:
        return f"{name}() is not a known scalar function"
    callable_here = [one for one in kinds if one[0] in ("scalar", "macro", "aggregate", "window")]
    if not callable_here:  # unnest, read_csv, ...: one row becomes several, or a file is read
        return f"{name}() is a table function"
    for kind, stability, definition, parameters in callable_here:
        if kind in ("aggregate", "window"):
            return f"{name}() is {'an aggregate' if kind == 'aggregate' else 'a window function'}"
        if kind == "scalar" and (stability != "CONSISTENT" or name in _READS_THE_CLOCK):
            return f"{name}() is volatile"
        if kind == "macro":
            for inner in nodes(expression_tree("macro", definition)):
                if inner["class"] not in _ROW_LOCAL:
                    return f"{name}() is not row-local"
                # A name that is no parameter of the macro is a word such as current_timestamp.
                if inner["class"] == "COLUMN_REF" and inner["column_names"][0] not in parameters:
                    return f"{name}() is volatile"
                if inner["class"] == "FUNCTION" and (why := _function_problem(inner, seen | {name})):
                    return f"{name}() uses {why}"
    arguments = node.get("arguments", node.get("children", []))
    return "age() of one argument reads the clock" if name == "age" and len(arguments) < 2 else ""


def _to_sql(tree: dict[str, Any]) -> str:
    """SQL text of the checked tree, written by the parser that read it."""
    node = select_node("expression", "SELECT 1", "SELECT 1")
    node["select_list"] = [tree]
    whole = json.dumps({"error": False, "statements": [{"node": node, "named_param_map": []}]})
    ((sql,),) = _parser().cursor().execute("SELECT json_deserialize_sql(?)", [whole]).fetchall()
    return str(sql).removeprefix("SELECT ")


def _refused(parameter: str, text: str, why: str) -> InvalidInput:
    return InvalidInput(
        parameter, f"must look at one row only, and {why}", text, remedy="prepare the column before the release"
    )


@cache
def _parser() -> Any:
    """One empty in-memory database that parses and never sees data."""
    from discreet.tables.engines.connection import connect

    return connect(threads=1)  # no threads of its own, so that a process may fork afterwards


@cache
def _catalogue() -> dict[str, list[tuple[str, str, str, tuple[str, ...]]]]:
    """Every function DuckDB knows: name -> its kinds with stability, macro text and the macro's parameters."""
    sql = (
        "SELECT DISTINCT lower(function_name), function_type, coalesce(stability, ''), coalesce(macro_definition, ''), "
        "parameters FROM duckdb_functions()"
    )
    rows = _parser().cursor().execute(sql)
    known: dict[str, list[tuple[str, str, str, tuple[str, ...]]]] = {}
    for name, kind, stability, definition, parameters in rows.fetchall():
        known.setdefault(name, []).append((kind, stability, definition, tuple(parameters or ())))
    return known
