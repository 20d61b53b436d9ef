"""What is wrong with files that DuckDB could not read: found by reading them again, not in what DuckDB said.

An engine's message quotes the value. Its readers know line and column as numbers, or can be asked for them; that is all
an error may name.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

import duckdb
import pyarrow as pa

from discreet.errors import DiscreetError, InvalidData, InvalidInput
from discreet.tables.engines import Expression
from discreet.tables.engines.duckdb.connection import identifier
from discreet.tables.engines.duckdb.sources.csv_dialect import ENCODING, NOT_UTF8
from discreet.tables.engines.duckdb.sources.file_sources import Files, absolute, reader_sql, unpacked
from discreet.tables.engines.duckdb.sources.json_lines import RULE
from discreet.tables.engines.duckdb.sources.records import RecordSource

_MISFIT = "has a value in column {} that its type cannot hold"
_CORRECT = "correct it, or leave the column text and use TRY_CAST"

_LOOKED_AT = 5_000_000  # lines; reading them all again in Python would take longer than a person waits


def file_problem(
    files: Files, types: Mapping[str, str], needed: Sequence[str], connection: Any
) -> DiscreetError | None:
    """The first line or row that cannot be read, as an error that quotes nothing; None if all can be."""
    if files.format == "csv":
        return _csv_problem(files, types, needed, connection)
    if files.format == "json":
        return _json_problem(files, types, needed, connection)
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


def _json_problem(
    files: Files, types: Mapping[str, str], needed: Sequence[str], connection: Any
) -> DiscreetError | None:
    if not needed or _fails(_reading(files, {}, needed), connection):
        for path in files.paths:
            if line := _first_bad_line(path):
                return InvalidData("source", RULE, row=f"line {line} of {path}")
        return InvalidData("source", RULE)
    for name, kind in types.items():
        if name in needed:
            text = reader_sql(files, {}, [name])
            numbered = f"SELECT row_number() OVER (), {identifier(name)} FROM {text}"
            misfit = f"value IS NOT NULL AND TRY_CAST(value AS {kind}) IS NULL"
            sql = f"SELECT min(row) FROM ({numbered}) AS t (row, value) WHERE {misfit}"
            ((row,),) = connection.execute(sql).fetchall()
            if row is not None:
                return InvalidData("source", _MISFIT.format(name), row=row, remedy=_CORRECT)
    return None


def _first_bad_line(path: str) -> int | None:
    """The first line, counted from 1, that is not a JSON object; None if Python finds none soon."""
    try:
        with unpacked(path) as stream:
            for number, line in enumerate(islice(_lines(stream), _LOOKED_AT), start=1):
                if line.strip() and not _is_object(line):
                    return number
    except (OSError, pa.ArrowException):
        pass
    return None


def _lines(stream: Any) -> Any:
    rest = b""
    while block := stream.read(1 << 20):
        *lines, rest = (rest + bytes(block)).split(b"\n")
        yield from lines
    yield rest


def _is_object(line: bytes) -> bool:
    """Whether a line is an object, its names each once; numbers stay text, whatever their length."""
    try:
        value = json.loads(line.decode(), object_pairs_hook=tuple, parse_int=str, parse_float=str)
        json.dumps(value, ensure_ascii=False).encode()  # half a character is not text
    except (ValueError, RecursionError):
        return False
    return isinstance(value, tuple) and len({name for name, _ in value}) == len(value)


def _reading(files: Files, types: Mapping[str, str], needed: Sequence[str], *, more: str = "") -> str:
    columns = ", ".join(map(identifier, needed)) or "1"
    return f"SELECT bit_xor(hash({columns})) FROM {reader_sql(files, types, needed, more=more)}"


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
    as_read = (
        files.format != "parquet" if files else isinstance(source, RecordSource)
    )  # text until `read` says otherwise
    remedy = "to compare it with one, " + (
        f"give `read={{'types': {dict.fromkeys(wrong, 'INTEGER')!r}}}`"
        if as_read
        else "write " + " and ".join(f"TRY_CAST({identifier(name)} AS INTEGER)" for name in wrong)
    )
    return InvalidInput(parameter, f"takes {' and '.join(wrong)} for a number, and the column is text", remedy=remedy)
