"""Predicates and row filters: parsed by DuckDB, checked on the parsed tree, never by looking at the
text.

The guarantee is about one person's bit, so a bit must be a function of that person's own row. What
may stand in an expression is on a list (`functions`): an aggregate, a window, a subquery, a
function that reads a clock, a setting or a file, and whatever nobody has looked at, is refused with
its name. What runs afterwards is SQL made from the checked tree, not the text that was typed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from discreet.errors import InvalidInput, did_you_mean
from discreet.tables.asking.refusals import UnknownColumn
from discreet.tables.engines import Expression, nearest, refused
from discreet.tables.engines.duckdb.connection import connect
from discreet.tables.engines.duckdb.functions import (
    FEWEST_ARGUMENTS,
    PLAIN_TYPES,
    PURE_FUNCTIONS,
    PURE_OPERATORS,
)
from discreet.tables.engines.values import column_or_word

_WHY = {
    "SUBQUERY": "a subquery",
    "WINDOW": "a window function",
    "LAMBDA": "a lambda",
    "STAR": "*",
    "PARAMETER": "a parameter",
    "POSITIONAL_REFERENCE": "a positional reference",
    "DEFAULT": "DEFAULT",
}


def parse(parameter: str, text: str, columns: Mapping[str, str]) -> Expression:
    """Parse `text`, refuse what is not row-local, and resolve its columns among `columns`.

    >>> parse("count", "age < 30", {"Age": "INTEGER"})
    Expression(text='age < 30', sql='(Age < 30)', columns=frozenset({'Age'}), column=None)
    >>> parse("count", "age < avg(age)", {"age": "INTEGER"})
    Traceback (most recent call last):
        ...
    discreet.errors.InvalidInput: `count` must look at one row only, and avg() is an aggregate, not
    age < ...
    """
    return check_tree(parameter, expression_tree(parameter, text), text, columns)


def check_tree(
    parameter: str, tree: dict[str, Any], text: str, columns: Mapping[str, str]
) -> Expression:
    """Check a parsed tree as `parse` does. The tree's column names become those of the source."""
    used: set[str] = set()
    for node in nodes(tree):
        kind = node["class"]
        if node["type"] not in PURE_OPERATORS:
            raise refused(
                parameter, text, f"{_WHY.get(kind, node['type'].lower())} is not row-local"
            )
        if kind == "FUNCTION":
            _check_function(parameter, text, node)
        elif kind == "TYPE":
            _check_type(parameter, text, node)
        elif kind == "COLUMN_REF":
            name = resolve(parameter, node["column_names"][0], columns, text)
            node["column_names"][0] = name
            used.add(name)
    whole = (
        tree["class"] == "COLUMN_REF" and len(tree["column_names"]) == 1
    )  # not a part of a struct
    column = tree["column_names"][0] if whole else None
    return Expression(text=text, sql=_to_sql(tree), columns=frozenset(used), column=column)


def expression_tree(parameter: str, text: str) -> dict[str, Any]:
    """The parsed tree of one expression; the text may hold nothing beside it."""
    if not isinstance(text, str) or not text.strip():
        raise InvalidInput(parameter, "must be an expression", text)
    node = select_node(parameter, f"SELECT ({text}\n)", text)
    # `a) FROM t WHERE (b` would parse too: everything but the one expression must be empty.
    extras = (
        "modifiers",
        "where_clause",
        "group_expressions",
        "group_sets",
        "having",
        "sample",
        "qualify",
    )
    if (
        len(node["select_list"]) != 1
        or any(node[part] for part in extras)
        or node["from_table"]["type"] != "EMPTY"
    ):
        raise InvalidInput(parameter, "must be one expression and nothing else", text)
    tree: dict[str, Any] = node["select_list"][0]
    if tree["alias"]:
        remedy = (
            "write `count={'NAME': 'PREDICATE'}`" if parameter == "count" else "leave the name out"
        )
        raise InvalidInput(parameter, "must not name its result (AS)", found=text, remedy=remedy)
    return tree


def select_node(parameter: str, sql: str, shown: str) -> dict[str, Any]:
    """Parse one SELECT statement to DuckDB's tree."""
    try:
        parsed = json.loads(_answer("json_serialize_sql", sql))
    except RecursionError:
        raise InvalidInput(parameter, "is nested too deeply", found=shown) from None
    if parsed.get("error", True):
        reason = str(parsed.get("error_message", "not a SELECT")).splitlines()[0]
        remedy = "write it like smoker = 'yes' or age >= 65, words between single quotes"
        raise InvalidInput(
            parameter, f"cannot be parsed as SQL ({reason})", found=shown, remedy=remedy
        )
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


def resolve(parameter: str, name: str, columns: Mapping[str, str], text: str = "") -> str:
    """The column of the source that `name` means in `text`: exact, or the only one that differs
    in case.
    """
    if name in columns:
        return name
    folded = [column for column in columns if column.casefold() == name.casefold()]
    if len(folded) == 1:
        return folded[0]
    if name.lower() in _catalogue() and not folded:
        rule = f"must look at one row only, and {name} is not a column of the source"
        raise InvalidInput(parameter, rule, remedy=did_you_mean(name, columns))
    remedy = column_or_word(name, text, columns)
    error = UnknownColumn(parameter, "must name columns of the source", name, remedy=remedy)
    error.known = tuple(columns)
    raise error


def _check_function(parameter: str, text: str, node: dict[str, Any]) -> None:
    """Refuse a call of what is not on the list of pure functions, naming it and the nearest that
    is.
    """
    name = node["function_name"].lower()
    if node["schema"] or node["catalog"]:
        # Not a schema only: `smoker.contains('1')` is DuckDB's other way to write contains(smoker,
        # '1').
        dotted = ".".join(
            part for part in (node["catalog"], node["schema"], node["function_name"]) if part
        )
        remedy = f"write {name}(x, ...) instead of x.{name}(...)"
        raise refused(parameter, text, f"what {dotted}() reads is not known", remedy)
    if node.get("filter") or node.get("distinct") or node["order_bys"]["orders"]:
        raise refused(
            parameter, text, f"{name}() with FILTER, DISTINCT or ORDER BY is an aggregate"
        )
    if name not in PURE_FUNCTIONS:
        raise refused(
            parameter, text, f"{name}() {_what_it_is(name)}", nearest(name, PURE_FUNCTIONS)
        )
    if len(node.get("arguments", node.get("children", ()))) < FEWEST_ARGUMENTS.get(name, 0):
        raise refused(
            parameter,
            text,
            f"{name}() of fewer than {FEWEST_ARGUMENTS[name]} arguments reads the clock",
        )


def _check_type(parameter: str, text: str, node: dict[str, Any]) -> None:
    name = node["type_name"].lower()
    if node["schema"] or node["catalog"] or name not in PLAIN_TYPES:
        raise refused(
            parameter, text, f"{name} is not a type of plain values", nearest(name, PLAIN_TYPES)
        )


def _what_it_is(name: str) -> str:
    """Say what kind of function this is, for the error only: what is allowed is a list."""
    kinds = _catalogue().get(name, frozenset())
    for kind, words in (("aggregate", "is an aggregate"), ("window", "is a window function")):
        if kind in kinds:
            return words
    if not kinds:
        return "is not a known scalar function"
    if not kinds & {
        "scalar",
        "macro",
        "volatile",
    }:  # unnest, read_csv, ...: one row becomes several, or a file is read
        return "is a table function"
    return "is volatile" if "volatile" in kinds else "is not on the list of pure functions"


def _to_sql(tree: dict[str, Any]) -> str:
    """SQL text of the checked tree, written by the parser that read it."""
    node = select_node("expression", "SELECT 1", "SELECT 1")
    node["select_list"] = [tree]
    whole = json.dumps({"error": False, "statements": [{"node": node, "named_param_map": []}]})
    return _answer("json_deserialize_sql", whole).removeprefix("SELECT ")


@lru_cache(maxsize=256)
def _answer(function: str, text: str) -> str:
    """What the parser makes of a text. A plan and its release ask the same, and every expression
    starts alike.
    """
    ((answer,),) = _parser().cursor().execute(f"SELECT {function}(?)", [text]).fetchall()
    return str(answer)


@cache
def _parser() -> Any:
    """One empty in-memory database that parses and never sees data."""
    return connect(threads=1)  # no threads of its own, so that a process may fork afterwards


@cache
def _catalogue() -> dict[str, frozenset[str]]:
    """Every function DuckDB knows, by name: what kinds there are of it, "volatile" among them."""
    kind = (
        "CASE WHEN coalesce(stability, 'CONSISTENT') = 'CONSISTENT' THEN function_type ELSE "
        "'volatile' END"
    )
    rows = (
        _parser()
        .cursor()
        .execute(f"SELECT lower(function_name), list({kind}) FROM duckdb_functions() GROUP BY 1")
    )
    return {name: frozenset(kinds) for name, kinds in rows.fetchall()}
