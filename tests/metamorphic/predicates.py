"""Random predicates: plain ones, calls of every function in DuckDB's catalogue, and hostile ones made by hand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from tests.metamorphic.values import BITS, KINDS

NUMERIC = ("bit", "byte", "int", "uint", "float", "float32", "decimal", "wide-decimal")


_WORDS = ("where", "select", "row", "frame", "truth")


def mentioned(text: str, names: Iterable[str]) -> frozenset[str]:
    """Which of these columns an expression names, outside texts and whatever an engine takes it for."""
    # texts are left out; a quote inside a quoted name begins none
    parts = re.finditer(r'"(?:[^"]|"")*"|\'(?:[^\']|\'\')*\'|[^"\']+', text)
    bare = "".join("''" if part[0].startswith("'") else part[0] for part in parts).casefold()
    found = set()
    for name in names:
        folded = name.casefold()
        quoted = re.search(f'"{re.escape(folded.replace(chr(34), chr(34) * 2))}"(?!\\()', bare)
        if quoted or (
            folded not in _WORDS and re.search(rf'(?<![\w"]){re.escape(folded)}(?![\w"(])', bare)
        ):
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
        spelled = self.rng.choice(
            (name, name, name, name.upper(), name.lower(), name.swapcase(), name.replace("s", "ſ"))
        )
        bare = spelled.isidentifier() and spelled.lower() not in _WORDS and self.rng.random() < 0.5
        return spelled if bare else '"' + spelled.replace('"', '""') + '"'

    def cast(self, kind: str) -> str:
        """A column brought to a type, so that a file whose columns are text takes the same predicates."""
        return f"TRY_CAST({self.column()} AS {kind})"

    def plain(self) -> str:
        """A condition of the sort that people write."""
        rng, name = self.rng, self.rng.choice(list(self.kinds))
        x = self.column(name)
        text, number = f"CAST({x} AS VARCHAR)", f"TRY_CAST({x} AS DOUBLE)"
        if rng.random() < 0.2:  # a cast that fails for what is no number or date
            return rng.choice(
                (
                    f"CAST({x} AS INTEGER) > 5",
                    f"CAST({text} AS DATE) IS NULL",
                    f"CAST({x} AS DOUBLE) < 9",
                )
            )
        if rng.random() < 0.25:  # what somebody has, to the last digit
            return f"{text} = {_quoted(str(rng.choice(KINDS[self.kinds[name]].common)))}"
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
        name, signatures = known[
            self.rng.randrange(len(known)) if place is None else place % len(known)
        ]
        kind, returned, types, parameters, more = self.rng.choice(signatures)
        types = [*types, *([more] * self.rng.randint(0, 2) if more else [])]
        if kind == "macro":
            types = ["ANY"] * len(parameters)
        named = dict(enumerate(parameters))
        arguments = [self.argument(one, named.get(k, "")) for k, one in enumerate(types)]
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

    def argument(self, kind: str, name: str = "") -> str:
        """An argument of a type in a signature, and of what its name says it is."""
        rng = self.rng
        if name in ("sql", "query", "statement") or (
            name in ("path", "file", "filename", "table_name") and kind == "VARCHAR"
        ):
            return self.sql() if name in ("sql", "query", "statement") else self.file()
        if kind.endswith("]"):
            inner = kind[: kind.rindex("[")]
            return f"[{', '.join(self.argument(inner) for _ in range(3 if kind.endswith('[3]') else rng.randint(1, 2)))}]"
        if kind in ("ANY", "T", "K", "V", "VARIANT"):
            return (
                self.column()
                if rng.random() < 0.7
                else rng.choice(("1", "'a'", "[1, 2]", "NULL", "{'a': 1}", self.sql()))
            )
        if kind == "VARCHAR":
            if rng.random() < 0.55:
                return f"CAST({self.column()} AS VARCHAR)"
            return rng.choice(
                (
                    "'a'",
                    "'yes'",
                    "'%1%'",
                    "'1.5'",
                    "'2020-01-01'",
                    "'year'",
                    "'$.a'",
                    "','",
                    self.sql(),
                    self.file(),
                )
            )
        if kind == "LAMBDA":
            return rng.choice(("lambda x: x", "lambda x, y: x", "lambda x: x IS NOT NULL"))
        if kind.startswith("MAP"):
            return f"MAP {{'a': {self.column()}}}"
        if kind.startswith(("STRUCT", "TUPLE", "UNION")):
            return rng.choice(
                (
                    f"{{'a': {self.column()}}}",
                    f"row({self.column()}, 1)",
                    f"union_value(a := {self.column()})",
                )
            )
        if kind == "BOOLEAN":
            return rng.choice(("true", "false", self.cast("BOOLEAN")))
        if kind == "JSON":
            return rng.choice((f"to_json({self.column()})", "'{\"a\": [1, 2]}'::JSON"))
        if kind.endswith("INT") or kind in (
            "INTEGER",
            "DOUBLE",
            "FLOAT",
            "DECIMAL",
            "UINTEGER",
            "BIGNUM",
        ):
            return rng.choice(
                (self.cast(kind), self.cast(kind), str(rng.choice((0, 1, 2, 3, 7, 20))))
            )
        return rng.choice(
            (
                self.cast(kind),
                f"NULL::{kind}",
                f"'1'::{kind}" if kind in ("BLOB", "BIT") else self.cast(kind),
            )
        )

    def file(self) -> str:
        """The name of the source's file, or a place that tells of more than one row."""
        places = (
            "threads",
            "memory_limit",
            "HOME",
            "temp",
            "truth",
            "frame",
            "main",
            "TimeZone",
            "access_mode",
        )
        return _quoted(
            self.path if self.path and self.rng.random() < 0.6 else self.rng.choice(places)
        )

    def sql(self) -> str:
        """SQL inside a text: a question about everybody."""
        table = self.rng.choice(
            (
                _quoted(self.path or "none.parquet"),
                _quoted(self.path or "none.parquet"),
                "truth",
                "frame",
            )
        )
        if not self.peek:
            return _quoted(f"SELECT 1 FROM {table}")
        name = '"' + self.rng.choice(list(self.peek)) + '"'
        limit = self.rng.choice(("60", "75", "'yes'", "0", "1", "50"))
        return _quoted(
            self.rng.choice(
                (
                    f"SELECT 1 FROM {table} WHERE {name} > {limit}",
                    f"SELECT 1 FROM {table} WHERE {name} IS NULL",
                    f"SELECT max({name}) FROM {table}",
                    f"FROM {table} WHERE {name} = 1",
                )
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
        asks = rng.choice(
            (
                f"{name} > 60",
                f"{name} > 75",
                f"{name} IS NULL",
                f"{name} IS NULL",
                f"{name} = 'yes'",
            )
        )
        query = _quoted(f"SELECT 1 FROM {file} WHERE {asks}")
        forms = _PLANS if self.path and rng.random() < 0.5 else _BEYOND
        beyond = rng.choice([form.format(x=x, name=name, file=file, query=query) for form in forms])
        return beyond if rng.random() < 0.2 else f"{x} IS NULL OR {beyond}"

    def any(self, place: int | None = None) -> str:
        """A condition of any sort."""
        chance = self.rng.random()
        if chance < 0.5:
            return self.plain()
        if chance < 0.62:
            return self.hostile()
        if chance < 0.68:
            left, right = self.plain(), self.call(place)
            return self.rng.choice(
                (
                    f"({left}) AND ({right})",
                    f"({left}) OR NOT ({right})",
                    f"CASE WHEN {left} THEN {right} END",
                )
            )
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
_PLANS = (
    "json_serialize_plan({query}, optimize := true) LIKE '%EMPTY_RESULT%'",
    "contains(json_serialize_plan({query}, optimize := true)::VARCHAR, 'EMPTY_RESULT')",
    "length(json_serialize_plan({query}, optimize := true)::VARCHAR) % 2 = 0",
)
"""Of everybody, through what an engine knows of a file before it reads a row."""
_BEYOND = (
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
"""Of everybody, through files, settings and chance."""


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


Signature = tuple[str, str, list[str], list[str], str]
"""Of a function: its kind, what it returns, its parameters' types and names, and what may follow."""


@cache
def catalogue() -> list[tuple[str, list[Signature]]]:
    """Every function DuckDB knows, with its signatures."""
    import duckdb

    sql = (
        "SELECT DISTINCT replace(function_name, '\"', '\"\"'), function_type, coalesce(return_type, ''), "
        "coalesce(parameter_types, []), coalesce(parameters, []), coalesce(varargs, '') FROM duckdb_functions() "
        "ORDER BY ALL"
    )
    found: dict[str, list[Signature]] = {}
    for name, kind, returned, types, parameters, more in duckdb.connect().execute(sql).fetchall():
        signature = (kind, returned, [one or "ANY" for one in types], list(parameters), more)
        found.setdefault(name, []).append(signature)
    return list(found.items())
