"""What is wrong with files that DuckDB could not read: found by reading them again, not in what
DuckDB said.

An engine's message quotes the value. Its readers know line and column as numbers, or can be asked
for them; that is all an error may name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import duckdb

from discreet.errors import DiscreetError, InvalidData, InvalidInput
from discreet.tables.engines import Expression
from discreet.tables.engines.duckdb.connection import identifier
from discreet.tables.engines.duckdb.sources.file_sources import Files, parquet_sql


def parquet_problem(files: Files, needed: Sequence[str], connection: Any) -> DiscreetError | None:
    """That these columns of the files cannot be read; None if they can be."""
    columns = ", ".join(map(identifier, needed)) or "1"
    if _fails(f"SELECT bit_xor(hash({columns})) FROM {parquet_sql(files)}", connection):
        return InvalidInput(
            "source", "is not a readable Parquet file", found=", ".join(files.paths)
        )
    return None


def cast_problem(
    table: str, casts: Mapping[str, tuple[str, str]], connection: Any, place: Callable[[int], str]
) -> InvalidData | None:
    """The first row of a table whose text does not become a value of its column's type.

    `casts` has, for each such column, the SQL of its text and its type; `place` says how a row is
    counted.
    """
    for name, (text, kind) in casts.items():
        # Rows of files keep their order in DuckDB, so their numbers are those of the file.
        numbered = f"SELECT row_number() OVER () AS row, {text} AS text FROM {table}"
        sql = (
            f"SELECT min(row) FROM ({numbered}) WHERE text IS NOT NULL AND TRY_CAST(text AS "
            f"{kind}) IS NULL"
        )
        try:
            ((row,),) = connection.execute(sql).fetchall()
        except duckdb.Error:  # the rows themselves cannot be read
            return None
        if row is not None:
            rule = f"has a value in column {name} that its type cannot hold"
            remedy = "correct it, or leave the column text and use TRY_CAST"
            return InvalidData("source", rule, row=row, place=place(row), remedy=remedy)
    return None


def _fails(sql: str, connection: Any) -> bool:
    try:
        connection.execute(sql).fetchall()
    except duckdb.Error:
        return True
    return False


def text_for_number(
    source: object,
    connection: Any,
    parameter: str,
    expression: Expression,
    types: Mapping[str, str],
) -> InvalidInput | None:
    """The error about an expression that takes a column of text for a number; None where it does
    not.

    No row is read: the expression is only described, over columns of these types.
    """
    texts = sorted(name for name in expression.columns if types.get(name) == "VARCHAR")
    if not expression.columns <= types.keys():
        return None

    def fits(numbers: Sequence[str]) -> bool:
        kinds = {name: "INTEGER" if name in numbers else types[name] for name in expression.columns}
        columns = ", ".join(
            f"CAST(NULL AS {kind}) AS {identifier(name)}" for name, kind in kinds.items()
        )
        return not _fails(f"DESCRIBE SELECT {expression.sql} FROM (SELECT {columns})", connection)

    wrong = next(
        (some for some in [*([name] for name in texts), texts] if some and fits(some)), None
    )
    if wrong is None:
        return None
    as_read = hasattr(source, "dialect")  # a CSV file: text until `read` says otherwise
    remedy = "to compare it with one, " + (
        f"give `read={{'types': {dict.fromkeys(wrong, 'INTEGER')!r}}}`"
        if as_read
        else "write " + " and ".join(f"TRY_CAST({identifier(name)} AS INTEGER)" for name in wrong)
    )
    return InvalidInput(
        parameter,
        f"takes {' and '.join(wrong)} for a number, and the column is text",
        remedy=remedy,
    )
