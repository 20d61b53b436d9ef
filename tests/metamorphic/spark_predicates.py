"""Random predicates in Spark's SQL: calls of everything that SHOW FUNCTIONS lists, and hostile ones made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

HOSTILE = (
    "SMOKER", "`Smoker` = true", "sMoKeR IS NULL", "s2", "S2 = true", "people.smoker", "age = max(age) OVER ()", "max(age) > 3",
    "AGE > 60", "age IN (SELECT 75)", "EXISTS (SELECT 1)", "rand() < 0.5", "uuid() LIKE '1%'", "now() IS NULL", "current_date() > born",
    "monotonically_increasing_id() % 2 = 0", "spark_partition_id() = 0", "input_file_name() = ''", "version() LIKE '4%'",
    "java_method('java.lang.System', 'getProperty', 'java.version') LIKE '1%'", "reflect('java.util.UUID', 'randomUUID') LIKE '1%'",
    "raise_error(status) IS NULL", "assert_true(age > 3, status) IS NULL", "row_number() OVER (ORDER BY age) > 2", "explode(tags) > 1",
    "current_user() = ''", "current_database() = ''", "info.a > 1", "INFO.B = 'x'", "tags[0] > 1", "status = 'now'",
    "exists(tags, x -> x > 1)", "aggregate(tags, 0L, (a, x) -> a + x) > 1", "transform(tags, x -> age)[0] > 60", "true", "1 = 1",
    "cast('now' AS timestamp) > seen", "unix_timestamp() > 0", "`smoker`", "collect_list(age)[0] = 1", "_metadata IS NULL",
    "count_if(smoker) > 1", "lag(smoker) OVER (ORDER BY age)", "typeof(amount) = 'decimal(12,3)'", "SMOKER AND NOT sMOKER",
)  # fmt: skip
"""What sees more than its row, or a protected column under another spelling, and some that look alike and do not."""

_ARGUMENTS = {
    "text": ("status", "STATUS", "cast(age AS string)", "region", "'yes'", "'%1%'", "'year'", "'a,b'", "'$.a'", "'[1]'"),
    "number": ("age", "AGE", "weight", "amount", "1", "2", "10", "cast(age AS int)", "0.5D", "cast(1 AS int)"),
    "time": ("born", "seen", "date'2020-01-01'", "timestamp'2020-01-01 00:00:00'", "cast(status AS date)"),
    "nested": ("tags", "info", "array(age, 1)", "map('a', status)", "named_struct('a', age)", "array(status)"),
    "other": ("smoker", "blob", "true", "NULL", "x -> x", "(x, y) -> x", "interval 1 day", "cast(status AS binary)"),
}
_SHAPES = (
    ("text",), ("number",), ("time",), ("nested",), ("other",), (), ("text", "text"), ("number", "number"), ("time", "number"),
    ("time", "time"), ("nested", "nested"), ("nested", "number"), ("nested", "other"), ("text", "number"), ("text", "time"),
    ("text", "text", "text"), ("text", "number", "number"), ("number", "number", "number"), ("nested", "other", "other"),
)  # fmt: skip
_CONDITIONS = (
    "cast({} AS string) LIKE '%1%'", "{} IS NOT NULL", "length(cast({} AS string)) % 2 = 0", "cast({} AS string) < 'm'",
    "hash({}) % 2 = 0",
)  # fmt: skip


def functions(session: Any) -> list[str]:
    """Every function the session knows."""
    return [row[0].rpartition(".")[2] for row in session.sql("SHOW FUNCTIONS").collect()]


def calls(rng: Random, name: str, attempts: int = 8) -> list[str]:
    """Conditions on calls of one function with guessed arguments, to be tried until one binds."""
    found = []
    for shape in _ordered(rng, attempts):
        arguments = ", ".join(rng.choice(_ARGUMENTS[kind]) for kind in shape)
        call = f"{name}({arguments})" if name.isidentifier() else f"`{name}`({arguments})"
        found.append(rng.choice(_CONDITIONS).format(call))
    return found


def _ordered(rng: Random, attempts: int) -> Sequence[tuple[str, ...]]:
    return rng.sample(_SHAPES, attempts)
