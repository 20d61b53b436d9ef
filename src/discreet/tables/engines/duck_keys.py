"""The explicit key set in DuckDB: every key once, empty groups too, and no others.

A key is brought to the type of the source's column only if nothing is lost on the way: 1.5 is no key of a column of
whole numbers, and text is never a number.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from discreet.errors import InvalidInput
from discreet.tables.engines.shield import run
from discreet.tables.question import Question


def complete(connection: Any, question: Question) -> None:
    """Bring the table `truth` to the key set of the question."""
    places = range(len(question.by))
    connection.register("given", question.keys.rename_columns([f"k{p}" for p in places]))
    kinds = dict(row[:2] for row in connection.execute("DESCRIBE truth").fetchall())
    _make_keyset(connection, question, kinds)

    def rows(sql: str) -> list[tuple[Any, ...]]:
        return run(partial(_rows, connection, sql), parameter="keys")

    names = ", ".join(f"k{p}" for p in places)
    if rows(f"SELECT 1 FROM keyset GROUP BY {names} HAVING count(*) > 1 LIMIT 1"):
        raise InvalidInput("keys", "must name each key once")
    same = " AND ".join(f"keyset.k{p} IS NOT DISTINCT FROM truth.k{p}" for p in places)
    strangers = rows(f"SELECT 1 FROM truth WHERE NOT EXISTS (FROM keyset WHERE {same}) LIMIT 1")
    if strangers and question.other_keys == "refuse":
        rule = "has groups whose key is not in `keys`"
        raise InvalidInput("source", rule, remedy="add the keys, or leave those rows out with `other_keys='drop'`")
    if isinstance(question.size, int) and rows(
        f"SELECT 1 FROM keyset WHERE NOT EXISTS (FROM truth WHERE {same}) LIMIT 1"
    ):
        rule = "names groups the source has no count for, and `size` says they are not empty"
        raise InvalidInput("keys", rule, remedy="add their counts, or give sizes as a column")
    numbers = [name for name in kinds if not name.startswith("k")]
    # A key without rows counts 0; a NULL count of one with rows stays NULL, because it says that a rule is broken.
    filled = ", ".join(f"CASE WHEN truth.n IS NULL THEN 0 ELSE truth.{name} END AS {name}" for name in numbers)
    ordered = ", ".join(f"keyset.k{p}" for p in places)
    sql = f"SELECT {ordered}, {filled} FROM keyset LEFT JOIN truth ON {same} ORDER BY {ordered}"
    run(lambda: connection.execute(f"CREATE TEMP TABLE completed AS {sql}"))
    connection.execute("DROP TABLE truth; ALTER TABLE completed RENAME TO truth; DROP TABLE keyset")


def _rows(connection: Any, sql: str) -> list[tuple[Any, ...]]:
    return list(connection.execute(sql).fetchall())


def _make_keyset(connection: Any, question: Question, kinds: Mapping[str, str]) -> None:
    """Make the table `keyset` of the keys in the types of the source's columns, or refuse them."""
    given = dict(row[:2] for row in connection.execute("DESCRIBE given").fetchall())
    chosen = []
    for p, name in enumerate(question.by):
        key, kind, own = f"k{p}", kinds[f"k{p}"], given[f"k{p}"]
        if (kind == "VARCHAR") != (own == "VARCHAR"):
            rule = f"must have the type of the source's column, {kind}, for {name}"
            raise InvalidInput("keys", rule, own, remedy="'01' and 1 are different keys")
        lost = f"SELECT 1 FROM given WHERE CAST(TRY_CAST({key} AS {kind}) AS {own}) IS DISTINCT FROM {key} LIMIT 1"
        if run(partial(_rows, connection, lost), parameter="keys"):
            rule = f"must be values of the source's column {name}, {kind}, and not all can be"
            raise InvalidInput("keys", rule, own)
        cast = f"CAST({key} AS {kind})"
        chosen.append(
            (f"CASE WHEN {cast} = 0 THEN 0 ELSE {cast} END" if kind in ("FLOAT", "DOUBLE") else cast) + f" AS {key}"
        )
    sql = f"CREATE OR REPLACE TEMP TABLE keyset AS SELECT {', '.join(chosen)} FROM given"
    run(lambda: connection.execute(sql), parameter="keys")
