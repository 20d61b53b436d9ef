"""The explicit key set: read from whatever `keys=` is, and the groups in DuckDB brought to it.

Every key once, empty groups too, and no others; see `engines.values` for what a key may become. A
file is read as a source is read: text stays text.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import prod
from typing import Any

import numpy as np
import pyarrow as pa

from discreet.errors import DiscreetError, InvalidData, InvalidInput, did_you_mean
from discreet.tables.asking.question import Question
from discreet.tables.engines.duckdb.connection import connect, identifier, run
from discreet.tables.engines.duckdb.sources.csv_dialect import Reading
from discreet.tables.engines.duckdb.sources.frames import read_frame, to_arrow
from discreet.tables.engines.duckdb.sources.opened import CsvSource, open_source
from discreet.tables.engines.values import (
    ambiguous_column,
    key_lost,
    key_of_other_type,
    missing_counts,
    other_groups,
    repeated_key,
)

MOST_COMBINATIONS = 10_000_000
"""Groups that a mapping of columns to values may make; a file may have more."""


def key_table(keys: Any, by: Sequence[str], columns: Mapping[str, str]) -> pa.Table:
    """Read `keys=`: a file or frame with the `by` columns, a list of keys, or a mapping of
    column to values.
    """
    if isinstance(keys, str | os.PathLike):
        return _key_file(keys, by, columns)
    if (frame := read_frame(keys)) is not None:
        missing = [name for name in by if name not in frame.columns]
        if missing:
            raise InvalidInput("keys", "must have every `by` column", missing[0])
        table = to_arrow(frame.frame, list(by), by)
        return table.read_all() if isinstance(table, pa.RecordBatchReader) else table
    if isinstance(keys, dict):
        if set(keys) != set(by):
            raise InvalidInput(
                "keys", f"must map every `by` column ({', '.join(by)})", ", ".join(map(str, keys))
            )
        return _every_combination({name: keys[name] for name in by})
    elif isinstance(keys, str | bytes) or not isinstance(keys, Iterable):
        raise InvalidInput(
            "keys", "must be a file, a frame, a list of keys or a mapping", type(keys).__name__
        )
    rows = [key if len(by) > 1 or isinstance(key, tuple | list) else (key,) for key in keys]
    if not rows:
        raise InvalidInput("keys", "must name at least one key")
    if any(not isinstance(row, tuple | list) or len(row) != len(by) for row in rows):
        values = "1 value" if len(by) == 1 else f"{len(by)} values"
        raise InvalidInput("keys", f"must have {values} each, one for each `by` column")
    return pa.table({name: _column([row[k] for row in rows]) for k, name in enumerate(by)})


def _every_combination(keys: Mapping[str, Any]) -> pa.Table:
    """The product of some values for each column, the last column changing first."""
    for name, values in keys.items():
        if isinstance(values, str | bytes) or not isinstance(values, Iterable):
            raise InvalidInput(
                "keys", f"must map {name} to a list of values", type(values).__name__
            )
    columns = [_column(list(values)) for values in keys.values()]
    many = prod(map(len, columns))
    if not many:
        raise InvalidInput("keys", "must name at least one key")
    if many > MOST_COMBINATIONS:  # counted, because to make them may take more memory than there is
        rule = f"must make at most {MOST_COMBINATIONS:,} groups of all combinations"
        raise InvalidInput(
            "keys", rule, f"{many:,}", remedy="give a file with the combinations that there are"
        )
    places = np.unravel_index(np.arange(many), [len(column) for column in columns])
    return pa.table(
        {name: column.take(at) for name, column, at in zip(keys, columns, places, strict=True)}
    )


def _column(values: list[Any]) -> pa.Array:
    try:
        return pa.array(values)
    except (
        pa.ArrowException,
        ValueError,
        TypeError,
        ArithmeticError,
    ):  # half a character; a number above 2^63
        pass
    raise InvalidInput(
        "keys", "must hold values of one type in each column", remedy="give an Arrow table"
    )


def _key_file(
    path: str | os.PathLike[str], by: Sequence[str], source: Mapping[str, str]
) -> pa.Table:
    """Read the `by` columns of a file as an Arrow table; in a text file they have the types of
    the source's columns.
    """
    connection = connect()
    try:
        plain = open_source(path, Reading(), connection)
        for name in by:
            if name not in plain.columns:
                remedy = did_you_mean(name, plain.columns)
                raise InvalidInput(
                    "keys", "must have every `by` column", f"without {name}", remedy=remedy
                )
            if name in plain.ambiguous:
                raise ambiguous_column(name)
        typed = Reading(
            types=tuple((name, source[name]) for name in by if source[name] not in ("", "VARCHAR"))
        )
        textual = isinstance(plain, CsvSource)
        chosen = open_source(path, typed, connection) if textual else plain
        table = chosen.attach(connection, needed=by, keys=by)
        columns = ", ".join(map(identifier, by))
        problem: DiscreetError
        try:
            sql = f"SELECT {columns} FROM {table}"
            return run(lambda: connection.sql(sql).to_arrow_table(), parameter="keys")
        except InvalidData as error:
            problem = error
        raise chosen.problem(connection, by) or problem
    except InvalidInput as error:
        error.parameter = "keys"  # the file is the caller's `keys`, however it is read
        raise
    finally:
        connection.close()


def key_kinds(connection: Any, question: Question) -> list[str]:
    """Make the keys the table `given`; return their types, which with a cap are those of the
    published keys.
    """
    connection.register(
        "given", question.keys.rename_columns([f"k{p}" for p in range(len(question.by))])
    )
    kinds = [str(row[1]) for row in connection.execute("DESCRIBE given").fetchall()]
    return ["VARCHAR" if kind.startswith("ENUM") or kind == '"NULL"' else kind for kind in kinds]


def complete(connection: Any, question: Question) -> None:
    """Bring the table `truth` to the key set of the question."""
    places = range(len(question.by))
    given = key_kinds(connection, question)
    kinds = dict(row[:2] for row in connection.execute("DESCRIBE truth").fetchall())
    _make_keyset(connection, question, kinds, given)

    def rows(sql: str) -> list[tuple[Any, ...]]:
        return run(partial(_rows, connection, sql), parameter="keys")

    names = ", ".join(f"k{p}" for p in places)
    # LIMIT, here and below: whether there is one, whichever.
    if rows(f"SELECT 1 FROM keyset GROUP BY {names} HAVING count(*) > 1 LIMIT 1"):
        raise repeated_key()
    same = " AND ".join(f"keyset.k{p} IS NOT DISTINCT FROM truth.k{p}" for p in places)
    strangers = rows(f"SELECT 1 FROM truth WHERE NOT EXISTS (FROM keyset WHERE {same}) LIMIT 1")
    if strangers and question.other_keys == "refuse":
        raise other_groups()
    if isinstance(question.size, int) and rows(
        f"SELECT 1 FROM keyset WHERE NOT EXISTS (FROM truth WHERE {same}) LIMIT 1"
    ):
        raise missing_counts()
    numbers = [name for name in kinds if not name.startswith("k")]
    # A key without rows counts 0; a NULL count of one with rows stays NULL, because it says that a
    # rule is broken.
    filled = ", ".join(
        f"CASE WHEN truth.n IS NULL THEN 0 ELSE truth.{name} END AS {name}" for name in numbers
    )
    ordered = ", ".join(f"keyset.k{p}" for p in places)
    sql = f"SELECT {ordered}, {filled} FROM keyset LEFT JOIN truth ON {same} ORDER BY {ordered}"
    run(lambda: connection.execute(f"CREATE TEMP TABLE completed AS {sql}"))
    connection.execute("DROP TABLE truth; ALTER TABLE completed RENAME TO truth; DROP TABLE keyset")


def _rows(connection: Any, sql: str) -> list[tuple[Any, ...]]:
    return list(connection.execute(sql).fetchall())


def _make_keyset(
    connection: Any, question: Question, kinds: Mapping[str, str], given: Sequence[str]
) -> None:
    """Make the table `keyset` of the keys in the types of the source's columns, or refuse them."""
    chosen = []
    for p, name in enumerate(question.by):
        key, kind = f"k{p}", kinds[f"k{p}"]
        own = (
            kind if pa.types.is_null(question.keys.field(p).type) else given[p]
        )  # NULL has every type
        if (kind == "VARCHAR") != (own == "VARCHAR"):
            raise key_of_other_type(kind, name, own)
        # LIMIT: whether there is one, whichever.
        lost = (
            f"SELECT 1 FROM given WHERE CAST(TRY_CAST({key} AS {kind}) AS {own}) IS "
            f"DISTINCT FROM {key} LIMIT 1"
        )
        if run(partial(_rows, connection, lost), parameter="keys"):
            raise key_lost(kind, name, own)
        cast = f"CAST({key} AS {kind})"
        chosen.append(
            (
                f"CASE WHEN {cast} = 0 THEN 0 ELSE {cast} END"
                if kind in ("FLOAT", "DOUBLE")
                else cast
            )
            + f" AS {key}"
        )
    sql = f"CREATE OR REPLACE TEMP TABLE keyset AS SELECT {', '.join(chosen)} FROM given"
    run(lambda: connection.execute(sql), parameter="keys")
