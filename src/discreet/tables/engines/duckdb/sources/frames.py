"""Frames in memory as a source: pandas, Polars, Arrow and DuckDB relations, all by way of Arrow.

Only the columns a release needs are converted. A frame is read where it lies; a reader, a lazy frame or a relation can
be read only once (or might not repeat itself), so its columns are copied into the engine's own temporary table first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from discreet.errors import InvalidData, InvalidInput
from discreet.tables.engines.duckdb.connection import identifier, run
from discreet.tables.engines.duckdb.sources.pandas_columns import pandas_column, pandas_names, pandas_texts


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameSource:
    """A frame in memory, or a stream of batches."""

    frame: Any
    columns: dict[str, str]
    once: bool

    def attach(self, connection: Any, *, needed: Sequence[str], keys: Sequence[str]) -> str:
        """Make the needed columns readable by `connection`; return what to write after FROM."""
        frame = to_arrow(self.frame, list(needed), keys) if needed else self._rows_alone()
        run(lambda: connection.register("frame", frame))
        if not self.once:
            return "frame"
        run(lambda: connection.execute("CREATE TEMP TABLE copied AS FROM frame"))
        connection.unregister("frame")
        return "copied"

    def attach_by_value(self, connection: Any, *, needed: Sequence[str]) -> str:
        """The same, with every column of a pandas frame as text: its dtypes may depend on who is in it."""
        if not _is_pandas(self.frame):
            return self.attach(connection, needed=needed, keys=())
        frame = pa.table({name: pandas_texts(self.frame, name) for name in needed})
        run(lambda: connection.register("frame", frame))
        return "frame"

    def _rows_alone(self) -> Any:
        """One column, for the number of rows; of pandas without its values, which may have no one type."""
        first = list(self.columns)[:1]
        if _is_pandas(self.frame):
            return pa.table({first[0]: pa.nulls(len(self.frame))})
        return to_arrow(self.frame, first, ())

    def problem(self, connection: Any, needed: Sequence[str]) -> None:
        """Nothing can be found: columns were converted one by one, and a stream is gone."""

    def check_unchanged(self) -> None:
        """Nothing to check: what lies in memory is the caller's."""


def read_frame(source: Any) -> FrameSource | None:
    """Recognise a frame by the package it comes from; None when it is not one."""
    package = type(source).__module__.partition(".")[0]
    name = type(source).__name__
    if package == "pandas" and name == "DataFrame":
        return FrameSource(frame=source, columns=_named(pandas_names(source)), once=False)
    if package == "polars" and name in ("DataFrame", "LazyFrame"):
        names = source.collect_schema().names() if name == "LazyFrame" else source.columns
        return FrameSource(frame=source, columns=_named(names), once=False)
    if isinstance(source, pa.Table | pa.RecordBatch):
        return FrameSource(frame=source, columns=_named(source.schema.names), once=False)
    if isinstance(source, pa.RecordBatchReader):
        return FrameSource(frame=source, columns=_named(source.schema.names), once=True)
    if isinstance(source, list | tuple) and source and all(isinstance(one, pa.RecordBatch) for one in source):
        return FrameSource(frame=_joined(source), columns=_named(source[0].schema.names), once=False)
    if package in ("_duckdb", "duckdb") and name == "DuckDBPyRelation":
        return FrameSource(frame=source, columns=_named(run(lambda: source.columns)), once=True)
    if package == "pyarrow" and hasattr(source, "scanner"):  # a dataset, whose module need not be loaded for this
        return FrameSource(frame=source, columns=_named(source.schema.names), once=True)
    if hasattr(source, "__arrow_c_stream__"):
        try:
            reader = pa.RecordBatchReader.from_stream(source)
        except pa.ArrowException:  # a single column, say
            return None
        return FrameSource(frame=reader, columns=_named(reader.schema.names), once=True)
    return None


def _is_pandas(frame: Any) -> bool:
    return type(frame).__module__.partition(".")[0] == "pandas"


def to_arrow(frame: Any, needed: list[str], keys: Sequence[str]) -> Any:
    """The needed columns of a frame as Arrow, of which `keys` are keys."""
    package = type(frame).__module__.partition(".")[0]
    if _is_pandas(frame):
        return pa.table({name: pandas_column(frame, name, key=name in keys) for name in needed})
    if package == "polars":
        return _from_polars(frame, needed)
    if package in ("_duckdb", "duckdb"):
        return run(lambda: frame.project(_columns_of(frame, needed)).to_arrow_reader(122_880))
    if hasattr(frame, "scanner"):
        return frame.scanner(columns=needed).to_reader()
    if isinstance(frame, pa.RecordBatchReader):
        places = [frame.schema.get_field_index(name) for name in needed]
        schema = pa.schema([frame.schema.field(place) for place in places])
        return pa.RecordBatchReader.from_batches(
            schema, (pa.RecordBatch.from_arrays([b.column(p) for p in places], schema=schema) for b in frame)
        )
    return frame.select(needed)


def _joined(batches: Sequence[pa.RecordBatch]) -> pa.Table:
    try:
        return pa.Table.from_batches(batches)
    except pa.ArrowException:
        pass
    raise InvalidInput("source", "must be batches of one schema")


def _columns_of(relation: Any, needed: Sequence[str]) -> str:
    """What to select of a relation. Arrow has no time with a zone: as text it keeps the zone, so keys stay apart."""
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))
    names = [(identifier(name), types[name]) for name in needed]
    return ", ".join(
        f"CAST({name} AS VARCHAR) AS {name}" if kind in ("TIME WITH TIME ZONE", "BIT") else name for name, kind in names
    )


def _from_polars(frame: Any, needed: list[str]) -> pa.Table:
    """Collect a lazy frame; what Polars says of a failure may quote a value, so it is not passed on."""
    from polars.exceptions import PolarsError

    chosen = frame.select(needed)
    for name, kind in chosen.collect_schema().items():
        if str(kind) in ("Object", "Int128", "UInt128"):
            rule = f"has a column of type {kind}, which Arrow does not know"
            raise InvalidInput("source", rule, found=name, remedy="cast it in Polars first")
    try:
        return (chosen.collect() if type(frame).__name__ == "LazyFrame" else chosen).to_arrow()
    except (PolarsError, pa.ArrowException):
        pass
    raise InvalidData("source", "is a Polars frame that cannot be collected")


def _named(names: Iterable[Any]) -> dict[str, str]:
    """Column names as they are, each once; DuckDB says their types when the frame is attached."""
    listed = list(names)
    if not listed:
        raise InvalidInput("source", "has no columns")
    for name in listed:
        if not isinstance(name, str):
            raise InvalidInput("source", "must have text as column names", name)
    folded = [name.casefold() for name in listed]
    twice = [name for name in listed if folded.count(name.casefold()) > 1] if len(set(folded)) < len(folded) else []
    if twice:
        raise InvalidInput("source", "has two columns of one name (case does not tell them apart)", found=twice[0])
    return dict.fromkeys(listed, "")
