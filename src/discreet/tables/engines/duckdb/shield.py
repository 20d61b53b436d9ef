"""What DuckDB says when data are wrong, without the data.

DuckDB quotes the offending value ("Could not convert string '...' to INT32"), which is what we protect. Every
statement runs through `run`, which tells errors apart by their type alone: their texts are neither shown nor searched,
because a value may stand in them and look like anything. Which row it was is found by queries of our own (see
`tables.diagnosis`). The raised error has no link back to the original one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import duckdb

from discreet.errors import DiscreetError, InvalidData, InvalidInput

T = TypeVar("T")


def run(action: Callable[[], T], *, parameter: str = "source", output: bool = False, names_only: bool = False) -> T:
    """Do `action`; a DuckDB error becomes one of ours that quotes no value.

    `names_only` says that the action reads no rows (it binds or describes): then what DuckDB says is about names and
    types, and is shown.

    >>> run(lambda: duckdb.connect().execute("SELECT CAST('secret' AS INTEGER)"), parameter="count")
    Traceback (most recent call last):
        ...
    discreet.errors.InvalidData: `count` has a value that its type cannot hold (the value is not shown ...): ...
    """
    try:
        return action()
    except duckdb.Error as error:
        problem = _translated(error, "output" if output else parameter, names_only=names_only)
    raise problem  # outside the handler, so that the original is not its context


def _translated(error: duckdb.Error, parameter: str, *, names_only: bool) -> DiscreetError:
    kind = type(error).__name__
    if isinstance(error, duckdb.OutOfMemoryException):
        remedy = "raise `memory_limit`, or free space for its temporary files"
        return DiscreetError("DuckDB ran out of memory", remedy=remedy, code="out-of-memory")
    if parameter == "output":
        return InvalidInput(parameter, f"cannot be written ({kind})", remedy="is there space left, and may you write?")
    if isinstance(error, duckdb.BinderException | duckdb.CatalogException | duckdb.ParserException):
        reason = str(error).splitlines()[0] if names_only else kind
        remedy = "columns of text files are text: cast them, or give `read={'types': {'age': 'INTEGER'}}`"
        return InvalidInput(parameter, f"is not accepted by DuckDB ({reason})", remedy=remedy)
    if isinstance(error, duckdb.ConversionException | duckdb.OutOfRangeException | duckdb.DataError):
        remedy = "use TRY_CAST and say what NULL means (`nulls='0'` or `nulls='1'`), or correct the row"
        return InvalidData(parameter, "has a value that its type cannot hold", remedy=remedy)
    return InvalidData(parameter, f"cannot be read ({kind})", remedy="check `read`")
