"""Frames in memory as a source: pandas, Polars, Arrow and DuckDB relations, all by way of Arrow.

Only the columns a release needs are converted. A frame is read where it lies; a reader, a lazy
frame or a relation can be read only once (or might not repeat itself), so its columns are copied
into the engine's own temporary table first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from discreet.errors import InvalidData, InvalidInput
from discreet.tables.engines.duckdb.connection import identifier, run
from discreet.tables.engines.duckdb.sources.pandas_columns import (
    pandas_column,
    pandas_names,
    pandas_texts,
)
from discreet.tables.engines.empty_texts import Empty


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameSource:
    """A frame in memory, or a stream of batches."""

    frame: Any
    columns: dict[str, str]
    ambiguous: frozenset[str]
    once: bool
    empty: Empty

    def attach(self, connection: Any, *, needed: Sequence[str], keys: Sequence[str]) -> str:
        """Make the needed columns readable by `connection`; return what to write after FROM."""
        frame = to_arrow(self.frame, list(needed), keys) if needed else self._rows_alone()
        run(lambda: connection.register("frame", frame))
        if self.once:
            run(lambda: connection.execute("CREATE TEMP TABLE copied AS FROM frame"))
            connection.unregister("frame")
        return without_empty("copied" if self.once else "frame", self.empty, connection)

    def attach_by_value(self, connection: Any, *, needed: Sequence[str]) -> str:
        """The same, with every column of a pandas frame as text: its dtypes may depend on who is
        in it.
        """
        if not _is_pandas(self.frame):
            return self.attach(connection, needed=needed, keys=())
        frame = pa.table({name: pandas_texts(self.frame, name) for name in needed})
        run(lambda: connection.register("frame", frame))
        return without_empty("frame", self.empty, connection)

    def _rows_alone(self) -> Any:
        """One column, for the number of rows; of pandas without its values, which may have no
        one type.
        """
        if _is_pandas(self.frame):
            return pa.table({"rows": pa.nulls(len(self.frame))})
        return to_arrow(
            self.frame, [name for name in self.columns if name not in self.ambiguous][:1], ()
        )

    def problem(self, connection: Any, needed: Sequence[str]) -> None:
        """Nothing can be found: columns were converted one by one, and a stream is gone."""

    def check_unchanged(self) -> None:
        """Nothing to check: what lies in memory is the caller's."""


def without_empty(table: str, empty: Empty, connection: Any) -> str:
    """The FROM item in which empty texts are NULL, where they are declared to be missing."""
    if empty == Empty():
        return table
    described = run(lambda: connection.execute(f"DESCRIBE FROM {table}").fetchall())
    types = {str(name): str(kind) for name, kind, *_ in described}
    texts = map(
        identifier, empty.among(types, lambda kind: kind == "VARCHAR" or kind.startswith("ENUM"))
    )
    columns = ", ".join(f"nullif(CAST({text} AS VARCHAR), '') AS {text}" for text in texts)
    return f"(SELECT * REPLACE ({columns}) FROM {table})" if columns else table


def read_frame(source: Any, empty: Empty | None = None) -> FrameSource | None:
    """Recognise a frame by the package it comes from; None when it is not one."""
    package = type(source).__module__.partition(".")[0]
    name = type(source).__name__
    frame, once, folded = source, False, False
    if package == "pandas" and name == "DataFrame":
        names = pandas_names(source)
    elif package == "polars" and name in ("DataFrame", "LazyFrame"):
        names = source.collect_schema().names() if name == "LazyFrame" else source.columns
    elif isinstance(source, pa.Table | pa.RecordBatch):
        names = source.schema.names
    elif isinstance(source, pa.RecordBatchReader):
        names, once = source.schema.names, True
    elif (
        isinstance(source, list | tuple)
        and source
        and all(isinstance(one, pa.RecordBatch) for one in source)
    ):
        frame, names = _joined(source), source[0].schema.names
    elif package in ("_duckdb", "duckdb") and name == "DuckDBPyRelation":
        names, once, folded = run(lambda: source.columns), True, True
    elif package == "pyarrow" and hasattr(
        source, "scanner"
    ):  # a dataset, whose module need not be loaded for this
        names, once = source.schema.names, True
    elif hasattr(source, "__arrow_c_stream__"):
        try:
            frame = pa.RecordBatchReader.from_stream(source)
        except pa.ArrowException:  # a single column, say
            return None
        names, once = frame.schema.names, True
    else:
        return None
    columns, ambiguous = distinct(names, folded=folded)
    return FrameSource(
        frame=frame, columns=columns, ambiguous=ambiguous, once=once, empty=empty or Empty()
    )


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
            schema,
            (
                pa.RecordBatch.from_arrays([b.column(p) for p in places], schema=schema)
                for b in frame
            ),
        )
    return frame.select(needed)


def _joined(batches: Sequence[pa.RecordBatch]) -> pa.Table:
    try:
        return pa.Table.from_batches(batches)
    except pa.ArrowException:
        pass
    raise InvalidInput("source", "must be batches of one schema")


def _columns_of(relation: Any, needed: Sequence[str]) -> str:
    """What to select of a relation. Arrow has no time with a zone: as text it keeps the zone, so
    keys stay apart.
    """
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))
    names = [(identifier(name), types[name]) for name in needed]
    return ", ".join(
        f"CAST({name} AS VARCHAR) AS {name}" if kind in ("TIME WITH TIME ZONE", "BIT") else name
        for name, kind in names
    )


def _from_polars(frame: Any, needed: list[str]) -> pa.Table:
    """Collect a lazy frame; what Polars says of a failure may quote a value, so it is not passed
    on.
    """
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


def distinct(
    names: Iterable[Any], *, folded: bool = False
) -> tuple[dict[str, str], frozenset[str]]:
    """The names by which columns can be asked for, and those that several have; what is no text, or
    empty, is no name.

    `folded` says that upper and lower case are one to whoever looks the columns up.

    >>> distinct(["a", "b", "a", "", 3])
    ({'a': '', 'b': ''}, frozenset({'a'}))
    """
    listed = list(names)
    if not listed:
        raise InvalidInput("source", "has no columns")
    texts = [name for name in listed if isinstance(name, str) and name]
    times = Counter(name.casefold() if folded else name for name in texts)
    several = frozenset(name for name in texts if times[name.casefold() if folded else name] > 1)
    return dict.fromkeys(texts, ""), several  # DuckDB says their types when the frame is attached
