"""Random predicates in Spark's SQL: calls of everything that SHOW FUNCTIONS lists, and hostile ones made by hand."""

from __future__ import annotations

import re
from random import Random
from typing import Any

HOSTILE = (
    "SMOKER",
    "`Smoker` = true",
    "sMoKeR IS NULL",
    "s2",
    "S2 = true",
    "people.smoker",
    "age = max(age) OVER ()",
    "max(age) > 3",
    "AGE > 60",
    "age IN (SELECT 75)",
    "EXISTS (SELECT 1)",
    "rand() < 0.5",
    "uuid() LIKE '1%'",
    "now() IS NULL",
    "current_date() > born",
    "monotonically_increasing_id() % 2 = 0",
    "spark_partition_id() = 0",
    "input_file_name() = ''",
    "version() LIKE '4%'",
    "java_method('java.lang.System', 'getProperty', 'java.version') LIKE '1%'",
    "reflect('java.util.UUID', 'randomUUID') LIKE '1%'",
    "raise_error(status) IS NULL",
    "assert_true(age > 3, status) IS NULL",
    "row_number() OVER (ORDER BY age) > 2",
    "explode(tags) > 1",
    "current_user() = ''",
    "current_database() = ''",
    "info.a > 1",
    "INFO.B = 'x'",
    "tags[0] > 1",
    "status = 'now'",
    "exists(tags, x -> x > 1)",
    "aggregate(tags, 0L, (a, x) -> a + x) > 1",
    "transform(tags, x -> age)[0] > 60",
    "true",
    "1 = 1",
    "cast('now' AS timestamp) > seen",
    "unix_timestamp() > 0",
    "`smoker`",
    "collect_list(age)[0] = 1",
    "_metadata IS NULL",
    "count_if(smoker) > 1",
    "lag(smoker) OVER (ORDER BY age)",
    "typeof(amount) = 'decimal(12,3)'",
    "SMOKER AND NOT sMOKER",
)
"""What sees more than its row, or a protected column under another spelling, and some that look alike and do not."""

TWO_NAMES = ("SMOKER", "`Smoker` = true", "s2", "S2 = true", "AGE > 60")
"""Filters that read a protected column under another spelling or another name: asked in every run."""
_CONDITIONS = (
    "cast({} AS string) LIKE '%1%'",
    "{} IS NOT NULL",
    "length(cast({} AS string)) % 2 = 0",
    "cast({} AS string) < 'm'",
    "hash({}) % 2 = 0",
)
_EXAMPLE = re.compile(r"> SELECT (.+?);\s*$", re.MULTILINE)
_LITERAL = re.compile(r"""'[^']*'|"[^"]*"|(?<![\w.'"])\d+(?![\w.'"])""")
_COLUMNS = {
    "'": ("status", "STATUS", "cast(age AS string)", "region"),
    "0": ("age", "cast(age AS int)", "cast(weight AS int)"),
}


def functions(session: Any) -> list[str]:
    """Every function the session knows."""
    return [row[0].rpartition(".")[2] for row in session.sql("SHOW FUNCTIONS").collect()]


def calls(session: Any, rng: Random, name: str) -> list[str]:
    """Conditions on a call as Spark's own manual gives it, with columns in place of literals; the first that binds counts."""
    shown = "\n".join(
        row[0] for row in session.sql(f"DESCRIBE FUNCTION EXTENDED `{name}`").collect()
    )
    examples = [text for text in _EXAMPLE.findall(shown) if " FROM " not in text.upper()]
    example = rng.choice(examples) if examples else f"`{name}`(age)"
    places = [literal.span() for literal in _LITERAL.finditer(example)]
    found = [f"age IS NULL OR ({example}) IS NULL"]
    if places:  # one literal at least becomes a column
        sure = rng.choice(places)
        changed = _LITERAL.sub(lambda one: _column(rng, one[0], sure=one.span() == sure), example)
        found.insert(0, rng.choice(_CONDITIONS).format(f"({changed})"))
    return found


def _column(rng: Random, literal: str, *, sure: bool) -> str:
    return (
        rng.choice(_COLUMNS["0" if literal.isdigit() else "'"])
        if sure or rng.random() < 0.3
        else literal
    )
