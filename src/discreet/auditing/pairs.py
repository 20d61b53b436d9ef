"""Read a table of input/output pairs that were drawn elsewhere: CSV, Parquet, Arrow, a data
frame, two arrays.
"""

from __future__ import annotations

import csv
from array import array
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from discreet.auditing.draws import MAX_N, Draws, as_number, code_outcomes, read_inputs
from discreet.errors import InvalidFile, InvalidInput, MissingExtra, did_you_mean

MAX_ROWS = 10**8
"""The most rows read from a file."""


def read_pairs(table: Any, *, n: int | None, columns: Sequence[str] | None) -> Draws:
    """Read pairs (true count, output) from a table, in its order; the first two columns unless
    named.

    >>> read_pairs(([0, 1, 1], [0, 2, 1]), n=2, columns=None).tally[:3].tolist()
    [[1, 0, 0], [0, 1, 0], [0, 1, 0]]
    """
    if columns is not None and (isinstance(columns, str) or len(columns) != 2):
        raise InvalidInput(
            "columns", "must name the column of true counts and that of outputs", columns
        )
    inputs, outputs = (np.asarray(c) for c in _two_columns(table, columns))
    if inputs.shape != outputs.shape or inputs.ndim != 1:
        raise InvalidInput(
            "box", "must have two columns of one length", f"{inputs.shape} and {outputs.shape}"
        )
    if not inputs.size:
        raise InvalidInput("box", "must have at least one row")
    size = _largest(inputs) if n is None else n
    counts = read_inputs(inputs, size, "box")
    return Draws(
        n=size,
        counts=counts,
        outcomes=code_outcomes(outputs, size),
        call=np.zeros(counts.size, dtype=np.int64),
    )


def _largest(inputs: Any) -> int:
    codes = read_inputs(inputs, MAX_N, "box")
    return int(codes.max())


def _two_columns(table: Any, columns: Sequence[str] | None) -> tuple[Any, Any]:
    if isinstance(table, (str, Path)):
        path = Path(table)
        return _csv(path, columns) if path.suffix.lower() == ".csv" else _parquet(path, columns)
    if isinstance(table, tuple) and len(table) == 2:
        return table
    if isinstance(table, np.ndarray) and table.ndim == 2 and table.shape[1] == 2:
        return table[:, 0], table[:, 1]
    names = _names(table)
    if names is None:
        remedy = "a callable, a command, a CSV or Parquet file, a table, or a pair of arrays"
        raise InvalidInput(
            "box",
            "must be something to ask or a table of pairs",
            type(table).__name__,
            remedy=remedy,
        )
    first, second = _chosen(names, columns)
    return table[first], table[second]


def _names(table: Any) -> list[str] | None:
    if isinstance(table, Mapping):
        return [str(name) for name in table]
    names = getattr(table, "column_names", None)
    if names is None and hasattr(table, "columns") and hasattr(table, "__getitem__"):
        names = table.columns
    return None if names is None else [str(name) for name in names]


def _chosen(names: Sequence[str], columns: Sequence[str] | None) -> tuple[str, str]:
    if columns is None:
        if len(names) < 2:
            raise InvalidInput(
                "box", "must have a column of true counts and one of outputs", list(names)
            )
        return names[0], names[1]
    for name in columns:
        if name not in names:
            raise InvalidInput(
                "columns", "must be in the table", name, remedy=did_you_mean(name, names)
            )
    return columns[0], columns[1]


def _csv(path: Path, columns: Sequence[str] | None) -> tuple[Any, Any]:
    inputs, outputs = array("d"), array("d")  # eight bytes a number, however the file writes it
    try:
        with path.open(newline="", encoding="utf-8") as lines:
            reader = csv.reader(lines)
            names = [name.strip() for name in next(reader, [])]
            first, second = (names.index(name) for name in _chosen(names, columns))
            for row in islice(reader, MAX_ROWS):
                if row:
                    inputs.append(as_number(row[first] if first < len(row) else ""))
                    outputs.append(as_number(row[second] if second < len(row) else ""))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InvalidFile(
            "box", "must be a readable CSV file", str(path), remedy=_reason(error)
        ) from None
    return np.frombuffer(inputs), np.frombuffer(outputs)


def _parquet(path: Path, columns: Sequence[str] | None) -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet as parquet
    except ImportError:
        raise MissingExtra("tables", "reading Parquet") from None
    try:
        with parquet.ParquetFile(path) as source:
            first, second = _chosen(source.schema_arrow.names, columns)
            if source.metadata.num_rows > MAX_ROWS:
                raise InvalidFile("box", f"must have at most {MAX_ROWS} rows", str(path))
            table = source.read(columns=[first, second])
    except (OSError, pyarrow.ArrowException, UnicodeDecodeError) as error:
        raise InvalidFile(
            "box", "must be a readable Parquet file", str(path), remedy=_reason(error)
        ) from None
    return table[first].to_numpy(), table[second].to_numpy()


def _reason(error: Exception) -> str:
    reason = getattr(error, "strerror", None) or str(error)
    return str(reason).splitlines()[0][:120] if str(reason) else type(error).__name__
