"""What a `source` can be: files, a query, or a frame. Each knows how DuckDB is to read it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from discreet.errors import DiscreetError, InvalidInput, did_you_mean
from discreet.tables.engines import Expression
from discreet.tables.engines.duckdb.connection import identifier, literal, run
from discreet.tables.engines.duckdb.diagnosis import file_problem
from discreet.tables.engines.duckdb.sources.csv_dialect import Dialect, Reading
from discreet.tables.engines.duckdb.sources.file_sources import Files, exactly, find_files, reader_sql
from discreet.tables.engines.duckdb.sources.frames import read_frame
from discreet.tables.engines.duckdb.sources.queries import read_query

_QUERY = re.compile(r"\s*(select|from|with|values)\b", re.IGNORECASE)


class Source(Protocol):
    """A table of people, or of counts, that DuckDB can read."""

    @property
    def columns(self) -> Mapping[str, str]:
        """Names of the columns, with types where they are known without reading rows."""

    def attach(self, connection: Any, *, needed: Sequence[str], keys: Sequence[str]) -> str:
        """Make `needed` readable by `connection`, `keys` being those whose type matters; return the FROM item."""

    def problem(self, connection: Any, needed: Sequence[str]) -> DiscreetError | None:
        """What is wrong with the source, when reading `needed` of it failed; None if nothing is found."""

    def check_unchanged(self) -> None:
        """Raise if the source is known to have changed since it was opened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSource:
    """Files that one of DuckDB's readers reads."""

    files: Files
    reading: Reading
    columns: Mapping[str, str]

    def attach(self, connection: Any, *, needed: Sequence[str], keys: Sequence[str]) -> str:
        """Say how the files are read, with the types of the columns that are not text."""
        return reader_sql(self.files, dict(self.reading.types))

    def check_unchanged(self) -> None:
        """Compare size, time and identity of every file with what they were."""
        self.files.check_unchanged()

    def place(self, row: int) -> str:
        """How a row of CSV files is counted: an editor counts the header too. Its line is not said.

        Values may hold line ends, and whether some above the row do is not for an error to tell.
        """
        if self.files.dialect is None or not self.files.dialect.header:
            return ""
        if len(self.files.paths) > 1:
            return f"row {row} of all files together, without header lines"
        return f"row {row} below the header line"

    def problem(self, connection: Any, needed: Sequence[str]) -> DiscreetError | None:
        """Look for it in the files."""
        return file_problem(self.files, dict(self.reading.types), needed or list(self.columns)[:1], connection.cursor())


@dataclass(frozen=True, slots=True, kw_only=True)
class QuerySource:
    """`SELECT ... FROM 'file' WHERE ...`: a file seen through checked, row-local expressions."""

    base: FileSource
    items: Mapping[str, Expression]
    where: Expression | None

    @property
    def columns(self) -> Mapping[str, str]:
        """What the query selects."""
        return dict.fromkeys(self.items, "")

    def behind(self, names: Iterable[str]) -> frozenset[str]:
        """The file's columns from which the selected columns `names` are made."""
        return frozenset().union(*(self.items[name].columns for name in names))

    def attach(self, connection: Any, *, needed: Sequence[str], keys: Sequence[str]) -> str:
        """Put the query, rebuilt from its checked parts, where a table would stand."""
        table = self.base.attach(connection, needed=self._read(needed), keys=sorted(self.behind(keys)))
        chosen = ", ".join(f"{self.items[name].sql} AS {identifier(name)}" for name in needed) or "0 AS none"
        name = identifier("discreet file" + "'" * sum(map(len, self.base.columns)))  # longer than any column's name
        return f"(SELECT {chosen} FROM {table} AS {name}{f' WHERE {self.where.sql}' if self.where else ''})"

    def problem(self, connection: Any, needed: Sequence[str]) -> DiscreetError | None:
        """Look for it in the file."""
        return self.base.problem(connection, self._read(needed))

    def _read(self, needed: Sequence[str]) -> list[str]:
        return sorted(self.behind(needed) | (self.where.columns if self.where else frozenset()))

    def check_unchanged(self) -> None:
        """Compare the file with what it was."""
        self.base.check_unchanged()


def open_source(source: Any, reading: Reading, connection: Any) -> Source:
    """Find out what `source` is and which columns it has; no bit is looked at."""
    if isinstance(source, str) and _QUERY.match(source) and not _is_there(source):
        query = read_query(source)
        base = _open_files((query.path,), reading, connection)
        items, where = query.over(base.columns)
        return QuerySource(base=base, items=items, where=where)
    if isinstance(source, str | os.PathLike):
        source = [source]
    if isinstance(source, list | tuple) and source and all(isinstance(one, str | os.PathLike) for one in source):
        return _open_files(tuple(os.fspath(one) for one in source), reading, connection)
    frame = read_frame(source)
    if frame is None:
        rule = "must be a path, a query, a pandas, Polars, Arrow or DuckDB table, or a Spark DataFrame"
        remedy = "give batches as `pyarrow.RecordBatchReader.from_batches(schema, batches)`"
        if isinstance(source, list | tuple):
            remedy = "declare types: `pyarrow.Table.from_pylist(rows, schema=pyarrow.schema([('clinic', 'string')]))`"
        raise InvalidInput("source", rule, type(source).__name__, remedy=remedy)
    return frame


def _is_there(path: str) -> bool:
    """Whether a file has this name; a long query is not a name that a file system accepts."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def _open_files(patterns: tuple[str, ...], reading: Reading, connection: Any) -> FileSource:
    if any("://" in pattern for pattern in patterns):
        rule = "must be local files"
        raise InvalidInput("source", rule, patterns[0], remedy="download it first, or use Spark")
    files = find_files(patterns, reading)
    if files.dialect is not None:
        columns = _distinct([(name, "VARCHAR") for name in files.dialect.names])
        if files.dialect.skip and files.dialect.header:
            _check_skipped(files, files.dialect, connection)
    else:
        columns = _distinct(_looked_up(f"DESCRIBE FROM {reader_sql(files, {})}", files, connection))
    if files.format == "parquet" and len(files.paths) > 1:
        _check_one_schema(files, columns, connection)
    return FileSource(files=files, reading=reading, columns=_typed(columns, reading, connection))


def _typed(columns: dict[str, str], reading: Reading, connection: Any) -> dict[str, str]:
    """The columns, with the types that `read` gives to some."""
    for name, kind in reading.types:
        if name not in columns:
            raise InvalidInput(
                "read", "gives a type to a column that the source lacks", found=name, remedy=did_you_mean(name, columns)
            )
        columns[name] = _known_type(kind, connection)
    return columns


def _check_skipped(files: Files, dialect: Dialect, connection: Any) -> None:
    """Check that DuckDB finds the header after skipped lines: a quote in one of those may open a longer record."""
    arguments = ", ".join(dialect.arguments({}, header=False))
    for path in files.paths:
        sql = f"FROM read_csv({literal(exactly(path))}, {arguments}) LIMIT 1"
        if not any(map(dialect.is_header, _looked_up(sql, files, connection))):
            rule = "has skipped lines whose quotes hide the header from DuckDB"
            raise InvalidInput("source", rule, found=path, remedy="cut those lines off")


def _looked_up(sql: str, files: Files, connection: Any) -> list[tuple[Any, ...]]:
    """What DuckDB finds in the files; when it cannot read them, what is wrong with them."""
    try:
        return list(run(lambda: connection.execute(sql).fetchall()))
    except InvalidInput as error:
        problem = error
    raise file_problem(files, {}, (), connection.cursor()) or problem


def _check_one_schema(files: Files, columns: Mapping[str, str], connection: Any) -> None:
    """Refuse Parquet files whose columns have other types: DuckDB would make the 1 of one file the "1" of another."""
    kinds = "list_sort(list(concat_ws('/', type, converted_type, logical_type::VARCHAR)))"
    by_file = f"SELECT file_name, name, {kinds} AS kinds FROM parquet_schema({files.listed}) GROUP BY file_name, name"
    sql = (
        f"SELECT name FROM ({by_file}) GROUP BY name HAVING count(DISTINCT kinds) > 1 OR count(*) < {len(files.paths)}"
    )
    other = {str(name) for (name,) in _looked_up(sql, files, connection)}
    for name in columns:
        if name in other:
            rule = "has files in which a column is missing or of another type"
            raise InvalidInput("source", rule, found=name, remedy="give them one schema first")


def _known_type(kind: str, connection: Any) -> str:
    """A type's name is letters, digits and brackets; nothing else reaches the parser."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_ ]*(\(\d+(, ?\d+)?\))?", kind):
        raise InvalidInput("read", "names an unknown type", found=kind, remedy="use a DuckDB type such as 'INTEGER'")
    run(lambda: connection.execute(f"SELECT CAST(NULL AS {kind})").fetchall(), parameter="read", names_only=True)
    return kind


def _distinct(described: list[tuple[Any, ...]]) -> dict[str, str]:
    columns = {str(name): str(kind) for name, kind, *_ in described}
    folded = {name.casefold() for name in columns}
    if len(columns) < len(described) or len(folded) < len(columns):
        raise InvalidInput("source", "has two columns of one name (upper and lower case are the same to DuckDB)")
    return columns
