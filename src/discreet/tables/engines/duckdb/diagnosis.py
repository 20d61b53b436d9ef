"""What is wrong with files that DuckDB could not read: found by reading them again, not in what DuckDB said.

An engine's message quotes the value. Its readers know line and column as numbers, or can be asked for them; that is all
an error may name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import duckdb

from discreet.errors import DiscreetError, InvalidData, InvalidInput
from discreet.tables.engines import Expression
from discreet.tables.engines.duckdb.connection import identifier
from discreet.tables.engines.duckdb.sources.csv_dialect import ENCODING, NOT_UTF8
from discreet.tables.engines.duckdb.sources.file_sources import Files, absolute, reader_sql, unpacked

_MISFIT = "has a value in column {} that its type cannot hold"
_CORRECT = "correct it, or leave the column text and use TRY_CAST"


def file_problem(
    files: Files, types: Mapping[str, str], needed: Sequence[str], connection: Any
) -> DiscreetError | None:
    """The first line or row that cannot be read, as an error that quotes nothing; None if all can be."""
    if files.format == "csv":
        return _csv_problem(files, types, needed, connection)
    if _fails(_reading(files, {}, needed), connection):
        return InvalidInput("source", "is not a readable Parquet file", found=", ".join(files.paths))
    return None


def _csv_problem(
    files: Files, types: Mapping[str, str], needed: Sequence[str], connection: Any
) -> DiscreetError | None:
    """DuckDB keeps a table of the lines it rejects, with their numbers."""
    if not _fails(_reading(files, types, needed), connection):
        return None
    remedy = "correct the line, or give `read={'delimiter': ';'}`, or its quote or escape"
    unfit = "has a line that does not fit its names, quotes or line ends"
    if _fails(_reading(files, types, needed, more="store_rejects = true"), connection):
        return InvalidData("source", unfit, remedy=remedy)
    found = connection.execute(
        "SELECT file_path, byte_position, line, column_name, error_type::VARCHAR FROM reject_errors JOIN reject_scans "
        "USING (scan_id, file_id)"
    ).fetchall()
    if not found:
        return InvalidData("source", unfit, remedy=remedy)
    places = {absolute(path): place for place, path in enumerate(files.paths)}
    place, position, record, column, kind = min((places[path], *facts) for path, *facts in found)
    plain = files.dialect is not None and files.dialect.encoding == "utf-8"
    line = _line_at(files.paths[place], position) if plain else record
    row = f"line {line} of {files.paths[place]}"
    if kind == "INVALID ENCODING":
        return InvalidData("source", f"{NOT_UTF8}, in column {column}", row=row, remedy=ENCODING)
    if kind == "CAST":
        return InvalidData("source", _MISFIT.format(column), row=row, remedy=_CORRECT)
    return InvalidData("source", unfit, row=row, remedy=remedy)


def _line_at(path: str, position: int) -> int:
    """The line of a byte, both counted from 1: DuckDB counts records, and a quoted value may hold line ends."""
    ends = {b"\n": 0, b"\r": 0}
    with unpacked(path) as stream:
        while position > 1 and (block := stream.read(min(position - 1, 1 << 20))):
            position -= len(block)
            ends = {end: number + block.count(end) for end, number in ends.items()}
    return 1 + (ends[b"\n"] or ends[b"\r"])


def _reading(files: Files, types: Mapping[str, str], needed: Sequence[str], *, more: str = "") -> str:
    columns = ", ".join(map(identifier, needed)) or "1"
    return f"SELECT bit_xor(hash({columns})) FROM {reader_sql(files, types, more=more)}"


def _fails(sql: str, connection: Any) -> bool:
    try:
        connection.execute(sql).fetchall()
    except duckdb.Error:
        return True
    return False


def text_for_number(
    source: object, connection: Any, parameter: str, expression: Expression, types: Mapping[str, str]
) -> InvalidInput | None:
    """The error about an expression that takes a column of text for a number; None where it does not.

    No row is read: the expression is only described, over columns of these types.
    """
    texts = sorted(name for name in expression.columns if types.get(name) == "VARCHAR")
    if not expression.columns <= types.keys():
        return None

    def fits(numbers: Sequence[str]) -> bool:
        kinds = {name: "INTEGER" if name in numbers else types[name] for name in expression.columns}
        columns = ", ".join(f"CAST(NULL AS {kind}) AS {identifier(name)}" for name, kind in kinds.items())
        return not _fails(f"DESCRIBE SELECT {expression.sql} FROM (SELECT {columns})", connection)

    wrong = next((some for some in [*([name] for name in texts), texts] if some and fits(some)), None)
    if wrong is None:
        return None
    files = getattr(source, "files", None)
    as_read = files is not None and files.format == "csv"  # text until `read` says otherwise
    remedy = "to compare it with one, " + (
        f"give `read={{'types': {dict.fromkeys(wrong, 'INTEGER')!r}}}`"
        if as_read
        else "write " + " and ".join(f"TRY_CAST({identifier(name)} AS INTEGER)" for name in wrong)
    )
    return InvalidInput(parameter, f"takes {' and '.join(wrong)} for a number, and the column is text", remedy=remedy)
