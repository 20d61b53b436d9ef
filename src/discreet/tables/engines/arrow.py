"""Frames in memory as a source: pandas, Polars, Arrow and DuckDB relations, all by way of Arrow.

Only the columns a release needs are converted. A frame is read where it lies; a reader, a lazy frame or a relation can
be read but once (or might not repeat itself), so its columns are copied into the engine's own temporary table first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from discreet.errors import InvalidData, InvalidInput
from discreet.tables.engines.shield import run
from discreet.tables.sql import identifier


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameSource:
    """A frame in memory, or a stream of batches."""

    frame: Any
    columns: dict[str, str]
    once: bool

    def attach(self, connection: Any, *, needed: Sequence[str], keys: Sequence[str]) -> str:
        """Make the needed columns readable by `connection`; return what to write after FROM."""
        # To count rows takes one column, whichever: its values are not looked at.
        chosen = list(needed) or list(self.columns)[:1]
        connection.register("frame", _to_arrow(self.frame, chosen, keys))
        if not self.once:
            return "frame"
        run(lambda: connection.execute("CREATE TEMP TABLE copied AS FROM frame"))
        connection.unregister("frame")
        return "copied"

    def check_unchanged(self) -> None:
        """Nothing to check: what lies in memory is the caller's."""


def read_frame(source: Any) -> FrameSource | None:
    """Recognise a frame by the package it comes from; None when it is not one."""
    package = type(source).__module__.partition(".")[0]
    name = type(source).__name__
    if package == "pandas" and name == "DataFrame":
        return FrameSource(frame=source, columns=_named(source.columns), once=False)
    if package == "polars" and name in ("DataFrame", "LazyFrame"):
        names = source.collect_schema().names() if name == "LazyFrame" else source.columns
        return FrameSource(frame=source, columns=_named(names), once=False)
    if isinstance(source, pa.Table | pa.RecordBatch):
        return FrameSource(frame=source, columns=_named(source.schema.names), once=False)
    if isinstance(source, pa.RecordBatchReader):
        return FrameSource(frame=source, columns=_named(source.schema.names), once=True)
    if package in ("_duckdb", "duckdb") and name == "DuckDBPyRelation":
        return FrameSource(frame=source, columns=_named(source.columns), once=True)
    if hasattr(source, "__arrow_c_stream__"):
        reader = pa.RecordBatchReader.from_stream(source)
        return FrameSource(frame=reader, columns=_named(reader.schema.names), once=True)
    return None


def key_table(keys: Any, by: Sequence[str]) -> pa.Table:
    """Read `keys=`: a frame with the `by` columns, a list of keys, or a mapping of column to values (their product)."""
    if (frame := read_frame(keys)) is not None:
        missing = [name for name in by if name not in frame.columns]
        if missing:
            raise InvalidInput("keys", "must have every `by` column", missing[0])
        table = _to_arrow(frame.frame, list(by), by)
        return table.read_all() if isinstance(table, pa.RecordBatchReader) else table
    if isinstance(keys, dict):
        if set(keys) != set(by):
            raise InvalidInput("keys", f"must map every `by` column ({', '.join(by)})", ", ".join(map(str, keys)))
        from itertools import product

        keys = list(product(*(list(keys[name]) for name in by)))
    elif isinstance(keys, str | bytes) or not isinstance(keys, Iterable):
        raise InvalidInput("keys", "must be a file, a frame, a list of keys or a mapping", type(keys).__name__)
    rows = [key if len(by) > 1 or isinstance(key, tuple | list) else (key,) for key in keys]
    if any(not isinstance(row, tuple | list) or len(row) != len(by) for row in rows):
        raise InvalidInput("keys", f"must have {len(by)} value(s) each, one for each `by` column")
    try:
        return pa.table({name: pa.array([row[k] for row in rows]) for k, name in enumerate(by)})
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        pass
    raise InvalidInput("keys", "must hold values of one type in each column", remedy="give an Arrow table")


def _to_arrow(frame: Any, needed: list[str], keys: Sequence[str]) -> Any:
    package = type(frame).__module__.partition(".")[0]
    if package == "pandas":
        return _from_pandas(frame, needed, keys)
    if package == "polars":
        return _from_polars(frame, needed)
    if package in ("_duckdb", "duckdb"):
        relation = frame.project(", ".join(map(identifier, needed)))
        return run(lambda: relation.to_arrow_reader(122_880))
    if isinstance(frame, pa.RecordBatchReader):
        places = [frame.schema.get_field_index(name) for name in needed]
        schema = pa.schema([frame.schema.field(place) for place in places])
        return pa.RecordBatchReader.from_batches(
            schema, (pa.RecordBatch.from_arrays([b.column(p) for p in places], schema=schema) for b in frame)
        )
    return frame.select(needed)


def _from_polars(frame: Any, needed: list[str]) -> pa.Table:
    """Collect a lazy frame; what Polars says of a failure may quote a value, so it is not passed on."""
    from polars.exceptions import PolarsError

    chosen = frame.select(needed)
    try:
        return (chosen.collect() if type(frame).__name__ == "LazyFrame" else chosen).to_arrow()
    except PolarsError:
        pass
    raise InvalidData("source", "is a lazy frame that cannot be collected")


def _from_pandas(frame: Any, needed: list[str], keys: Sequence[str]) -> pa.Table:
    """Convert column by column, so that an error names the column and not the value."""
    columns = {}
    for name in needed:
        series, why = frame[name], ""
        try:
            column = pa.Array.from_pandas(series)
            column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
            why = "mixes types"
        # Arrow guesses an object column's type from all its rows, so one person's value could change everybody's.
        guessed = not why and series.dtype == object and name not in keys
        if guessed and (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
            why = "is of dtype object, whose numbers have no one type"
        if why:
            raise InvalidInput("source", f"has a column that {why}", name, remedy="give it a dtype with .astype(...)")
        columns[name] = column
    return pa.table(columns)


def _named(names: Iterable[Any]) -> dict[str, str]:
    """Column names as they are, each once; types are asked of DuckDB when the frame is attached."""
    listed = list(names)
    for name in listed:
        if not isinstance(name, str):
            raise InvalidInput("source", "must have text as column names", name)
    folded = [name.casefold() for name in listed]
    twice = [name for name in listed if folded.count(name.casefold()) > 1] if len(set(folded)) < len(folded) else []
    if twice:
        raise InvalidInput("source", "has two columns of one name (case does not tell them apart)", twice[0])
    return dict.fromkeys(listed, "")
