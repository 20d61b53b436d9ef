"""A list of dicts as a source: every column is text, made from each value alone, as in JSON lines.

Python has types of values and none of columns, so the type of one would be made from everybody's. Here each value has
its own text, by a list of what is allowed: text as it is; true, false; a whole number by its digits; a float as the
double it is, and by its digits if that is whole and below 2^53; a Decimal, a date, a time and a UUID as Python writes
them; None, NaN, NaT, a missing name and anything else are NULL. (To refuse what is not on the list would show that
somebody has it; a bit that is NULL is refused unless `nulls` says what it counts as.) `read={"types": {...}}` casts the
text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from functools import partial
from typing import Any
from uuid import UUID

import numpy as np
import pyarrow as pa

from discreet.errors import DiscreetError, InvalidData, InvalidInput
from discreet.tables.engines.duckdb.connection import identifier, run

_MOST_BITS = 4_096  # of a whole number: Python does not write much longer ones


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordSource:
    """Rows in memory, each a dict."""

    rows: Sequence[dict[Any, Any]]
    columns: Mapping[str, str]
    types: Mapping[str, str]

    def attach(self, connection: Any, *, needed: Sequence[str], keys: Sequence[str]) -> str:
        """Copy the needed columns as text; return the FROM item, which casts those that have a type."""
        chosen = list(needed) or list(self.columns)[:1]
        table = pa.table({name: self._texts(name) for name in chosen})
        run(lambda: connection.register("records", table))
        return f"(SELECT {', '.join(map(self._cast, chosen))} FROM records)"

    def _cast(self, name: str) -> str:
        column = identifier(name)
        return f"CAST({column} AS {self.types[name]}) AS {column}" if name in self.types else column

    def _texts(self, name: str) -> pa.Array:
        return pa.array([_text(row.get(name)) for row in self.rows], pa.large_string())

    def problem(self, connection: Any, needed: Sequence[str]) -> DiscreetError | None:
        """The first row whose text its type cannot hold."""
        for name in needed:
            if name not in self.types:
                continue
            column, kind = identifier(name), self.types[name]
            wrong = f"SELECT {column} IS NOT NULL AND TRY_CAST({column} AS {kind}) IS NULL FROM records"
            found = run(partial(connection.execute, wrong)).fetchall()
            for row, (bad,) in enumerate(found, start=1):
                if bad:
                    rule = f"has a value in column {name} that its type cannot hold"
                    return InvalidData("source", rule, row=row, remedy="correct it, or leave the column text")
        return None

    def check_unchanged(self) -> None:
        """Nothing to check: what lies in memory is the caller's."""


def is_records(source: Any) -> bool:
    """Whether a source is a list of dicts."""
    return isinstance(source, list | tuple) and bool(source) and all(isinstance(row, dict) for row in source)


def record_names(rows: Sequence[dict[Any, Any]]) -> list[tuple[str, str]]:
    """The names that occur in any row, in alphabetical order, so that no row decides the order."""
    names = {name for row in rows for name in row}
    for name in names:
        if not isinstance(name, str):
            raise InvalidInput("source", "must have text as column names", type(name).__name__)
    if not names:
        raise InvalidInput("source", "has no columns")
    return [(name, "VARCHAR") for name in sorted(names)]


def _text(value: object) -> str | None:
    """The text of one value, whatever the others are; None for what is not on the list."""
    return next((write(value) for kinds, write in _WRITERS if isinstance(value, kinds)), None)


def _whole(value: Any) -> str | None:
    number = int(value)
    return str(number) if number.bit_length() <= _MOST_BITS else None


def _float(value: Any) -> str | None:
    number = float(value)
    if math.isnan(number):
        return None
    return str(int(number)) if abs(number) < 2**53 and number == int(number) else repr(number)


def _decimal(value: Decimal) -> str | None:
    return None if value.is_nan() else str(value)


def _str(value: str) -> str | None:
    try:
        value.encode()
    except UnicodeEncodeError:
        return None  # half a character
    return str.__str__(value)


_WRITERS: tuple[tuple[tuple[type, ...], Callable[[Any], str | None]], ...] = (
    ((str,), _str),
    ((bool, np.bool_), lambda bit: "true" if bit else "false"),
    ((int, np.integer), _whole),
    ((float, np.floating), _float),
    ((Decimal,), _decimal),
    ((date, datetime, time, UUID), lambda value: str(value) if value == value else None),  # pandas' NaT is a datetime
)
"""What a value may be, and its text; the first that fits."""
