"""What a `source` can be: files, a query, or a frame. Each knows how DuckDB is to read it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from discreet.errors import DiscreetError, InvalidInput, did_you_mean
from discreet.tables.engines import Expression
from discreet.tables.engines.duckdb.connection import identifier, literal, run
from discreet.tables.engines.duckdb.diagnosis import cast_problem, parquet_problem
from discreet.tables.engines.duckdb.sources.csv_dialect import (
    Dialect,
    Reading,
    read_dialect,
    without_names,
)
from discreet.tables.engines.duckdb.sources.csv_rows import CsvRows, first_width
from discreet.tables.engines.duckdb.sources.file_sources import (
    Files,
    beginning,
    find_files,
    parquet_sql,
)
from discreet.tables.engines.duckdb.sources.frames import distinct, read_frame, without_empty
from discreet.tables.engines.duckdb.sources.queries import read_query
from discreet.tables.engines.empty_texts import Empty, not_a_file
from discreet.tables.engines.values import ambiguous_column

_QUERY = re.compile(r"\s*(select|from|with|values)\b", re.IGNORECASE)


class Source(Protocol):
    """A table of people, or of counts, that DuckDB can read."""

    @property
    def columns(self) -> Mapping[str, str]:
        """Names of the columns, with types where they are known without reading rows."""

    @property
    def ambiguous(self) -> frozenset[str]:
        """The names that several columns have; to ask for one is an error, to leave them alone
        is none.
        """

    def attach(self, connection: Any, *, needed: Sequence[str], keys: Sequence[str]) -> str:
        """Make `needed` readable by `connection`, `keys` being those whose type matters; return
        the FROM item.
        """

    def problem(self, connection: Any, needed: Sequence[str]) -> DiscreetError | None:
        """What is wrong with the source, when reading `needed` of it failed; None if nothing is
        found.
        """

    def check_unchanged(self) -> None:
        """Raise if the source is known to have changed since it was opened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParquetSource:
    """Parquet files, which DuckDB reads."""

    files: Files
    columns: Mapping[str, str]
    ambiguous: frozenset[str]
    called: Mapping[str, str]
    """What DuckDB calls the columns, where that differs: of `a` and `A` the second one is `A_1`."""
    empty: Empty

    def attach(self, connection: Any, *, needed: Sequence[str], keys: Sequence[str]) -> str:
        """Say how the files are read."""
        table = parquet_sql(self.files)
        if needed and self.called:
            names = ((self.called.get(name, name), name) for name in needed)
            chosen = ", ".join(f"{identifier(old)} AS {identifier(new)}" for old, new in names)
            table = f"(SELECT {chosen} FROM {table})"
        return without_empty(table, self.empty, connection)

    def check_unchanged(self) -> None:
        """Compare size, time and identity of every file with what they were."""
        self.files.check_unchanged()

    def place(self, row: int) -> str:
        """Rows of Parquet files are counted from 1."""
        return ""

    def problem(self, connection: Any, needed: Sequence[str]) -> DiscreetError | None:
        """Look for it in the files."""
        return parquet_problem(self.files, needed or list(self.columns)[:1], connection.cursor())


@dataclass(slots=True, kw_only=True)
class CsvSource:
    """CSV files, which `csv_rows` reads: text, of which an empty one is a missing value, and
    types by casting it.
    """

    files: Files
    dialect: Dialect
    above: Mapping[str, int]
    """How many bytes stand above the rows of each file."""
    columns: Mapping[str, str]
    ambiguous: frozenset[str]
    types: Mapping[str, str]
    rows: CsvRows | None = field(default=None, init=False)

    def attach(self, connection: Any, *, needed: Sequence[str], keys: Sequence[str]) -> str:
        """Register the rows under a name; return the FROM item that names the columns and gives
        them their types.
        """
        # To count rows takes one column, whichever: its values are not looked at.
        names = list(needed) or list(self.dialect.names)[:1]
        ((threads,),) = connection.execute("SELECT current_setting('threads')").fetchall()
        self.rows = CsvRows(
            files=list(self.above.items()),
            dialect=self.dialect,
            columns=[self.dialect.names.index(name) for name in names],
            workers=min(int(threads), _WORKERS),
        )
        rows = self.rows
        run(lambda: connection.register(_CSV, rows))
        values = [
            f"{_cast(self._text(name), self.types.get(name))} AS {identifier(name)}"
            for name in names
        ]
        return f"(SELECT {', '.join(values)} FROM {identifier(_CSV)})"

    def _text(self, name: str) -> str:
        """The SQL of a column's text, ready to be cast."""
        text = f"nullif({identifier(str(self.dialect.names.index(name)))}, '')"
        decimal = self.dialect.decimal
        if self._swaps(name):
            text = f"translate({text}, {literal(f'{decimal}.')}, {literal(f'.{decimal}')})"
        return exactly(text, self.types.get(name, ""))

    def _swaps(self, name: str) -> bool:
        """Whether a column holds numbers with another sign than a point; a point is then none."""
        return (
            self.dialect.decimal != "." and _FRACTIONS.match(self.types.get(name, "")) is not None
        )

    def check_unchanged(self) -> None:
        """Compare size, time and identity of every file with what they were."""
        self.files.check_unchanged()

    def place(self, row: int) -> str:
        """How a row is counted: an editor counts the header too. Its line is not said.

        Values may hold line ends, and whether some above the row do is not for an error to tell.
        """
        if not self.dialect.header:
            return ""
        if len(self.files.paths) > 1:
            return f"row {row} of all files together, without header lines"
        return f"row {row} below the header line"

    def problem(self, connection: Any, needed: Sequence[str]) -> DiscreetError | None:
        """What the reader stopped at; else the first value that is not of its type."""
        casts = {
            name: (self._text(name), self.types[name]) for name in needed if name in self.types
        }
        found: DiscreetError | None = None
        if self.rows is None or self.rows.problem is None:
            found = cast_problem(identifier(_CSV), casts, connection, self.place)
        # What stopped the first reading, or this one.
        problem = None if self.rows is None else self.rows.problem
        if problem is None or isinstance(problem, DiscreetError):
            return problem or found
        raise problem  # Ctrl-C


_CSV = "discreet csv"
_WORKERS = 4
"""Threads that parse; DuckDB takes what they make in one."""
_FRACTIONS = re.compile(r"DECIMAL|NUMERIC|DOUBLE|FLOAT|REAL", re.IGNORECASE)


def exactly(text: str, kind: str) -> str:
    """The SQL of a text that can be cast to a type only if nothing is lost.

    A cast by itself rounds 1.5 to a whole number and cuts the hour off a date: it repairs.
    """
    upper = kind.upper()
    if _WHOLE.fullmatch(upper):
        sound = f"regexp_full_match({text}, '\\s*[+-]?[0-9]+\\s*')"
    elif decimal := _DECIMAL.match(upper):
        wide = f"DECIMAL(38, {38 - int(decimal[1]) + int(decimal[2])})"
        sound = f"TRY_CAST({text} AS {upper}) = TRY_CAST({text} AS {wide})"
    elif upper == "DATE":
        sound = f"TRY_CAST(TRY_CAST({text} AS DATE) AS TIMESTAMP) = TRY_CAST({text} AS TIMESTAMP)"
    else:
        return text
    return f"CASE WHEN {text} IS NULL OR {sound} THEN {text} ELSE 'not of this type' END"


_WHOLE = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|INT[1248]|SHORT|LONG|SIGNED")
_DECIMAL = re.compile(r"(?:DECIMAL|NUMERIC|DEC)\((\d+), ?(\d+)\)")


def _cast(text: str, kind: str | None) -> str:
    return text if kind is None else f"CAST({text} AS {kind})"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuerySource:
    """`SELECT ... FROM 'file' WHERE ...`: a file seen through checked, row-local expressions."""

    base: ParquetSource | CsvSource
    items: Mapping[str, Expression]
    where: Expression | None

    @property
    def ambiguous(self) -> frozenset[str]:
        """What the query selects of columns that are not told apart."""
        return frozenset(
            name for name, item in self.items.items() if item.columns & self.base.ambiguous
        )

    @property
    def columns(self) -> Mapping[str, str]:
        """What the query selects."""
        return dict.fromkeys(self.items, "")

    def behind(self, names: Iterable[str]) -> frozenset[str]:
        """The file's columns from which the selected columns `names` are made."""
        return frozenset().union(*(self.items[name].columns for name in names))

    def attach(self, connection: Any, *, needed: Sequence[str], keys: Sequence[str]) -> str:
        """Put the query, rebuilt from its checked parts, where a table would stand."""
        table = self.base.attach(
            connection, needed=self._read(needed), keys=sorted(self.behind(keys))
        )
        chosen = (
            ", ".join(f"{self.items[name].sql} AS {identifier(name)}" for name in needed)
            or "0 AS none"
        )
        name = identifier(
            "discreet file" + "'" * sum(map(len, self.base.columns))
        )  # longer than any column's name
        return (
            f"(SELECT {chosen} FROM {table} AS "
            f"{name}{f' WHERE {self.where.sql}' if self.where else ''})"
        )

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
        if where is not None and where.columns & base.ambiguous:
            raise ambiguous_column(min(where.columns & base.ambiguous))
        return QuerySource(base=base, items=items, where=where)
    if isinstance(source, str | os.PathLike):
        source = [source]
    if (
        isinstance(source, list | tuple)
        and source
        and all(isinstance(one, str | os.PathLike) for one in source)
    ):
        return _open_files(tuple(os.fspath(one) for one in source), reading, connection)
    frame = read_frame(source, reading.empty)
    if frame is None:
        rule = (
            "must be a path, a query, a pandas, Polars, Arrow or DuckDB table, or a Spark DataFrame"
        )
        remedy = "give batches as `pyarrow.RecordBatchReader.from_batches(schema, batches)`"
        if isinstance(source, list | tuple):
            remedy = (
                "declare types: `pyarrow.Table.from_pylist(rows, "
                "schema=pyarrow.schema([('clinic', 'string')]))`"
            )
        raise InvalidInput("source", rule, type(source).__name__, remedy=remedy)
    if reading.of_files:
        raise not_a_file(reading.of_files[0])
    reading.empty.check(frame.columns)
    return frame


def _is_there(path: str) -> bool:
    """Whether a file has this name; a long query is not a name that a file system accepts."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def _open_files(
    patterns: tuple[str, ...], reading: Reading, connection: Any
) -> ParquetSource | CsvSource:
    if any("://" in pattern for pattern in patterns):
        rule = "must be local files"
        raise InvalidInput("source", rule, patterns[0], remedy="download it first, or use Spark")
    files = find_files(patterns, reading)
    if files.format == "csv":
        dialect, above = read_dialect({path: beginning(path) for path in files.paths}, reading)
        if not dialect.header:
            path, begin = next(iter(above.items()))
            dialect = replace(dialect, names=without_names(first_width(path, begin, dialect)))
        columns, ambiguous = distinct(dialect.names)
        columns = _typed(dict.fromkeys(columns, "VARCHAR"), reading, connection)
        reading.empty.check(columns)
        return CsvSource(
            files=files,
            dialect=dialect,
            above=above,
            columns=columns,
            ambiguous=ambiguous,
            types=dict(reading.types),
        )
    columns, ambiguous, called = _parquet_columns(files, connection)
    reading.empty.check(columns)
    if len(files.paths) > 1:
        _check_one_schema(files, columns, connection)
    return ParquetSource(
        files=files, columns=columns, ambiguous=ambiguous, called=called, empty=reading.empty
    )


def _parquet_columns(
    files: Files, connection: Any
) -> tuple[dict[str, str], frozenset[str], dict[str, str]]:
    """The columns with their types, the names that several have, and what DuckDB calls them all."""
    described = _looked_up(f"DESCRIBE FROM {parquet_sql(files)}", files, connection)
    types = {str(name): str(kind) for name, kind, *_ in described}
    stored = _looked_up(f"SELECT name FROM parquet_schema({files.listed})", files, connection)
    if types.keys() <= {str(name) for (name,) in stored}:
        return types, frozenset(), {}
    import pyarrow.parquet

    names = pyarrow.parquet.read_schema(files.paths[0]).names
    columns, ambiguous = distinct(names)
    called = dict(zip(names, types, strict=True))
    return {name: types[called[name]] for name in columns}, ambiguous, called


def _typed(columns: dict[str, str], reading: Reading, connection: Any) -> dict[str, str]:
    """The columns, with the types that `read` gives to some."""
    for name, kind in reading.types:
        if name not in columns:
            raise InvalidInput(
                "read",
                "gives a type to a column that the source lacks",
                found=name,
                remedy=did_you_mean(name, columns),
            )
        columns[name] = _known_type(kind, connection)
    return columns


def _looked_up(sql: str, files: Files, connection: Any) -> list[tuple[Any, ...]]:
    """What DuckDB finds in the files; when it cannot read them, what is wrong with them."""
    try:
        return list(run(lambda: connection.execute(sql).fetchall()))
    except InvalidInput as error:
        problem = error
    raise parquet_problem(files, (), connection.cursor()) or problem


def _check_one_schema(files: Files, columns: Mapping[str, str], connection: Any) -> None:
    """Refuse Parquet files whose columns have other types: DuckDB would make the 1 of one file
    the "1" of another.
    """
    kinds = "list_sort(list(concat_ws('/', type, converted_type, logical_type::VARCHAR)))"
    by_file = (
        f"SELECT file_name, name, {kinds} AS kinds FROM parquet_schema({files.listed}) "
        "GROUP BY file_name, name"
    )
    sql = (
        f"SELECT name FROM ({by_file}) GROUP BY name HAVING count(DISTINCT kinds) > 1 OR "
        f"count(*) < {len(files.paths)}"
    )
    other = {str(name) for (name,) in _looked_up(sql, files, connection)}
    for name in columns:
        if name in other:
            rule = "has files in which a column is missing or of another type"
            raise InvalidInput("source", rule, found=name, remedy="give them one schema first")


def _known_type(kind: str, connection: Any) -> str:
    """A type's name is letters, digits and brackets; nothing else reaches the parser."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_ ]*(\(\d+(, ?\d+)?\))?", kind):
        raise InvalidInput(
            "read",
            "names an unknown type",
            found=kind,
            remedy="use a DuckDB type such as 'INTEGER'",
        )
    run(
        lambda: connection.execute(f"SELECT CAST(NULL AS {kind})").fetchall(),
        parameter="read",
        names_only=True,
    )
    return kind
