"""Random predicates: plain ones, calls of every function in DuckDB's catalogue, and hostile ones made by hand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from tests.metamorphic.values import BITS

NUMERIC = ("bit", "byte", "int", "uint", "float", "float32", "decimal", "wide-decimal")


_WORDS = ("where", "select", "row", "frame", "truth")


def mentioned(text: str, names: Iterable[str]) -> frozenset[str]:
    """Which of these columns an expression names, outside texts and whatever an engine takes it for."""
    bare = re.sub(r"'(?:[^']|'')*'", "''", text).casefold()
    found = set()
    for name in names:
        folded = name.casefold()
        quoted = re.search(f'"{re.escape(folded.replace(chr(34), chr(34) * 2))}"(?!\\()', bare)
        if quoted or (folded not in _WORDS and re.search(rf'(?<![\w"]){re.escape(folded)}(?![\w"(])', bare)):
            found.add(name)
    return frozenset(found)


@dataclass(slots=True)
class Writer:
    """Writes expressions over some columns."""

    rng: Random
    kinds: Mapping[str, str]
    """The columns that may be used, with their kinds."""
    path: str = ""
    """The source's file, for functions that would read it."""
    peek: Sequence[str] = ()
    """Columns that a text inside a function may name: those of everybody."""

    def column(self, name: str | None = None) -> str:
        """A column as it may be written: quoted, bare, or in another letter case."""
        name = name or self.rng.choice(list(self.kinds))
        spelled = self.rng.choice((name, name, name, name.upper(), name.lower(), name.swapcase(), name.replace("s", "ſ")))
        bare = spelled.isidentifier() and spelled.lower() not in _WORDS and self.rng.random() < 0.5
        return spelled if bare else '"' + spelled.replace('"', '""') + '"'

    def cast(self, kind: str) -> str:
        """A column brought to a type, so that a file whose columns are text takes the same predicates."""
        return f"TRY_CAST({self.column()} AS {kind})"

    def plain(self) -> str:
        """A condition of the sort that people write."""
        rng, x = self.rng, self.column()
        text, number = f"CAST({x} AS VARCHAR)", f"TRY_CAST({x} AS DOUBLE)"
        forms = (
            f"{text} = '{rng.choice(('1', 'yes', 'true', '1.5', '30.000', '2.50'))}'",
            f"{text} LIKE '%{rng.choice(('0', '.', 'e', '1'))}'",
            f"{text} IN ('1', 'yes', '1.500')",
            f"length({text}) {rng.choice(('>', '<', '='))} {rng.randint(1, 9)}",
            f"{text} {rng.choice(('<', '>='))} '{rng.choice('135mn')}'",
            f"{text} IS DISTINCT FROM 'yes'",
            f"{number} {rng.choice(('<', '>', '=', '<>'))} {rng.choice((0, 1, 2, 30, 75))}",
            f"{number} BETWEEN 1 AND 50",
            f"{x} IS NULL",
            f"{x} IS NOT NULL",
            f"typeof({x}) = '{rng.choice(('VARCHAR', 'BIGINT', 'DOUBLE', 'DECIMAL(4,3)'))}'",
            f"CASE WHEN {number} > 5 THEN true ELSE {text} = 'yes' END",
            f"coalesce({number}, 0) % 2 = 1",
            f"{x} = {x}",
        )
        return rng.choice(forms)

    def call(self, place: int | None = None) -> str:
        """A call of a function of the catalogue, as a condition; `place` walks through all of them."""
        known = catalogue()
        name, kind, returned, types, parameters, more = known[self.rng.randrange(len(known)) if place is None else place]
        types = [*types, *([more] * self.rng.randint(0, 2) if more else [])]
        if kind == "macro":
            types = ["ANY"] * len(parameters)
        arguments = [self.argument(one) for one in types]
        if "optimize" in parameters or self.rng.random() < 0.05:  # options by name
            arguments = [
                f"{option} := {value}" if k and option.isidentifier() else value
                for k, (option, value) in enumerate(zip(parameters, arguments, strict=False))
                if not k or self.rng.random() < 0.5
            ]
        call = f'"{name}"({", ".join(arguments)})'
        if kind in ("table", "table_macro", "pragma"):
            return f"(SELECT count(*) FROM {call}) > {self.rng.randint(0, 5)}"
        if kind == "window":
            call += " OVER ()"
        return call if returned == "BOOLEAN" else self.condition(call)

    def condition(self, value: str) -> str:
        """A condition on a value of any type."""
        text = f"CAST({value} AS VARCHAR)"
        return self.rng.choice(
            (
                f"{text} LIKE '%{self.rng.choice('0123456789aeTEM')}%'",
                f"length({text}) % 2 = {self.rng.randint(0, 1)}",
                f"{text} < '{self.rng.choice('0159Mamz{')}'",
                f"{value} IS NOT NULL",
                f"hash({value}) % 2 = 0",
                f"md5({text}) < '8'",
            )
        )

    def argument(self, kind: str) -> str:
        """An argument of a type in a signature."""
        rng = self.rng
        if kind.endswith("]"):
            inner = kind[: kind.rindex("[")]
            return f"[{', '.join(self.argument(inner) for _ in range(3 if kind.endswith('[3]') else rng.randint(1, 2)))}]"
        if kind in ("ANY", "T", "K", "V", "VARIANT"):
            return self.column() if rng.random() < 0.7 else rng.choice(("1", "'a'", "[1, 2]", "NULL", "{'a': 1}", self.sql()))
        if kind == "VARCHAR":
            if rng.random() < 0.55:
                return f"CAST({self.column()} AS VARCHAR)"
            return rng.choice(("'a'", "'yes'", "'%1%'", "'1.5'", "'2020-01-01'", "'year'", "'$.a'", "','", self.sql(), self.file()))
        if kind == "LAMBDA":
            return rng.choice(("lambda x: x", "lambda x, y: x", "lambda x: x IS NOT NULL"))
        if kind.startswith("MAP"):
            return f"MAP {{'a': {self.column()}}}"
        if kind.startswith(("STRUCT", "TUPLE", "UNION")):
            return rng.choice((f"{{'a': {self.column()}}}", f"row({self.column()}, 1)", f"union_value(a := {self.column()})"))
        if kind == "BOOLEAN":
            return rng.choice(("true", "false", self.cast("BOOLEAN")))
        if kind == "JSON":
            return rng.choice((f"to_json({self.column()})", '\'{"a": [1, 2]}\'::JSON'))
        if kind.endswith("INT") or kind in ("INTEGER", "DOUBLE", "FLOAT", "DECIMAL", "UINTEGER", "BIGNUM"):
            return rng.choice((self.cast(kind), self.cast(kind), str(rng.choice((0, 1, 2, 3, 7, 20)))))
        return rng.choice((self.cast(kind), f"NULL::{kind}", f"'1'::{kind}" if kind in ("BLOB", "BIT") else self.cast(kind)))

    def file(self) -> str:
        """The name of the source's file, or a place that tells of more than one row."""
        places = ("threads", "memory_limit", "HOME", "temp", "truth", "frame", "main", "TimeZone", "access_mode")
        return _quoted(self.path if self.path and self.rng.random() < 0.6 else self.rng.choice(places))

    def sql(self) -> str:
        """SQL inside a text: a question about everybody."""
        table = self.rng.choice((_quoted(self.path or "none.parquet"), _quoted(self.path or "none.parquet"), "truth", "frame"))
        if not self.peek:
            return _quoted(f"SELECT 1 FROM {table}")
        name = '"' + self.rng.choice(list(self.peek)) + '"'
        limit = self.rng.choice(("60", "75", "'yes'", "0", "1", "50"))
        return _quoted(
            self.rng.choice(
                (f"SELECT 1 FROM {table} WHERE {name} > {limit}", f"SELECT max({name}) FROM {table}", f"FROM {table} WHERE {name} = 1")
            )
        )

    def hostile(self) -> str:
        """A condition that sees more than its row, or a column it must not see, unless it is refused."""
        rng, x = self.rng, self.column()
        if rng.random() < 0.5 and self.peek:
            other = rng.choice(list(self.peek))
            return rng.choice([form.format(x=x, name='"' + other + '"') for form in _WITHIN])
        name = '"' + rng.choice(list(self.peek) or ["none"]) + '"'
        file = _quoted(self.path or "none.parquet")
        query = _quoted(f"SELECT 1 FROM {file} WHERE {name} > {rng.choice((60, 75))}")
        return rng.choice([form.format(x=x, name=name, file=file, query=query) for form in _BEYOND])

    def any(self, place: int | None = None) -> str:
        """A condition of any sort."""
        chance = self.rng.random()
        if chance < 0.3:
            return self.plain()
        if chance < 0.42:
            return self.hostile()
        if chance < 0.5:
            left, right = self.plain(), self.call(place)
            return self.rng.choice((f"({left}) AND ({right})", f"({left}) OR NOT ({right})", f"CASE WHEN {left} THEN {right} END"))
        return self.call(place)

    def bit(self) -> str | None:
        """A column that holds bits, if there is one."""
        bits = [name for name, kind in self.kinds.items() if kind in BITS]
        return self.rng.choice(bits) if bits else None


_WITHIN = (
    "{x} = max({name}) OVER ()",
    "count(*) FILTER (WHERE {name} IS NULL) > 1",
    "row_number() OVER (ORDER BY {name}) > 3",
    "lag({name}) OVER () IS NULL",
    "stats({name}) LIKE '%75%'",
    "list_max([{x}, {name}]) IS NOT NULL",
    "frame.{name} IS NULL",
    '"discreet source".{name} IS NULL',
    "{name} IS NULL",
    "TRY_CAST({name} AS DOUBLE) > 60",
    "COLUMNS(*) IS NULL",
    "COLUMNS(c -> true) IS NULL",
    "{name} IS NOT DISTINCT FROM avg({name})",
    "CAST({name} AS VARCHAR) COLLATE NOCASE = 'YES'",
)
"""Of the columns of the table, in ways that see other rows or columns of a role they must not have."""
_BEYOND = (
    "json_serialize_plan({query}, optimize := true) LIKE '%EMPTY_RESULT%'",
    "{x} IS NULL OR json_serialize_plan({query}, optimize := true) LIKE '%EMPTY_RESULT%'",
    "contains(json_serialize_plan({query}, optimize := true)::VARCHAR, 'EMPTY_RESULT')",
    "length(json_serialize_plan({query}, optimize := true)::VARCHAR) % 2 = 0",
    "{x} = (SELECT max({name}) FROM {file})",
    "EXISTS (FROM {file} WHERE {name} > 75)",
    "(SELECT count(*) FROM read_text({file})) > 0",
    "(SELECT max(size) FROM read_blob({file})) % 2 = 0",
    "{x} IN (SELECT {name} FROM {file})",
    "query({query}) IS NULL",
    "rowid % 2 = 0",
    "file_row_number % 2 = 0",
    "filename LIKE '%1%'",
    "random() < 0.5",
    "getvariable('a') IS NULL",
    "current_setting('threads') = '1'",
    "nextval('s') > 1",
    "unnest([true, false])",
    "true",
)
"""Of everybody, through files, plans, settings and chance."""


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


@cache
def catalogue() -> list[tuple[str, str, str, list[str], list[str], str]]:
    """Every function DuckDB knows: name, kind, what it returns, its parameters' types and names, and what may follow."""
    import duckdb

    sql = (
        "SELECT DISTINCT replace(function_name, '\"', '\"\"'), function_type, coalesce(return_type, ''), "
        "coalesce(parameter_types, []), coalesce(parameters, []), coalesce(varargs, '') FROM duckdb_functions() "
        "ORDER BY ALL"
    )
    rows: list[Any] = duckdb.connect().execute(sql).fetchall()
    # one aggregate of each name, else they would be a third of all
    seen: set[str] = set()
    kept = []
    for row in rows:
        if row[1] == "scalar" or (row[1], row[0]) not in seen:
            seen.add((row[1], row[0]))
            kept.append((row[0], row[1], row[2], [one or "ANY" for one in row[3]], list(row[4]), row[5]))
    return kept
