"""What DuckDB says when data are wrong, without the data.

DuckDB quotes the offending value ("Could not convert string '...' to INT32"), which is what we protect. Every
statement runs through `run`, which keeps the line number and the kind of trouble and drops the text, and the raised
error has no link back to the original one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

import duckdb

from discreet.errors import DiscreetError, InvalidData, InvalidInput

T = TypeVar("T")


def run(action: Callable[[], T], *, parameter: str = "source", output: bool = False) -> T:
    """Do `action`; a DuckDB error becomes one of ours that quotes no value.

    >>> run(lambda: duckdb.connect().execute("SELECT CAST('secret' AS INTEGER)"), parameter="count")
    Traceback (most recent call last):
        ...
    discreet.errors.InvalidData: `count` has a value that its type cannot hold (the value is not shown ...): ...
    """
    try:
        return action()
    except duckdb.Error as error:
        problem = _translated(error, "output" if output else parameter)
    raise problem  # outside the handler, so that the original is not its context


def _translated(error: duckdb.Error, parameter: str) -> DiscreetError:
    text = str(error)
    first = text.splitlines()[0]
    line = re.search(r"[Ll]ine:? (\d+)", text)
    row = f"at line {line[1]}" if line else None
    if "json" in first.lower():
        rule = "must be JSON lines: an object on each line, each name once, in UTF-8 without a byte-order mark"
        return InvalidData(parameter, rule, row=row)
    if isinstance(error, duckdb.OutOfMemoryException):
        return DiscreetError("DuckDB ran out of memory: raise `memory_limit`, or free space for its temporary files")
    if isinstance(error, duckdb.BinderException | duckdb.CatalogException | duckdb.ParserException):
        # These come before any row is read and quote SQL only.
        remedy = "columns of text files are text: cast them, or give `read={'types': {'age': 'INTEGER'}}`"
        return InvalidInput(parameter, f"is not accepted by DuckDB ({first})", remedy=remedy)
    if "utf-8" in text.lower() or "unicode" in text.lower():
        remedy = "give `read={'encoding': 'latin-1'}` or another"
        return InvalidData(parameter, "has text that is not UTF-8", row=row, remedy=remedy)
    if isinstance(error, duckdb.IOException):
        reason = "no space is left" if "No space left" in text else first.removeprefix("IO Error: ")
        return InvalidInput(parameter, f"cannot be {'written' if parameter == 'output' else 'read'} ({reason})")
    if isinstance(error, duckdb.ConversionException | duckdb.OutOfRangeException | duckdb.DataError):
        remedy = "use TRY_CAST and say what NULL means (`nulls='0'` or `nulls='1'`), or correct the row"
        return InvalidData(parameter, "has a value that its type cannot hold", row=row, remedy=remedy)
    if isinstance(error, duckdb.InvalidInputException) and ("magic bytes" in text or "parquet" in text.lower()):
        return InvalidInput(parameter, "is not a readable Parquet file")
    if "CSV" in first:
        remedy = "correct the line, or give `read={'delimiter': ';'}`, or its quote or escape"
        return InvalidData(
            parameter, "has a line that does not fit its names, quotes or line ends", row=row, remedy=remedy
        )
    return InvalidData(parameter, f"cannot be read ({type(error).__name__})", row=row, remedy="check `read`")
