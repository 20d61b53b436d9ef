"""Our own DuckDB: in memory, closed to the caller's variables, installing nothing, and quoting no
value.

What it spills is not encrypted: DuckDB writes encrypted files only with an extension (httpfs) that
its wheel lacks.

DuckDB's errors quote the offending value ("Could not convert string '...' to INT32"), which is what
we protect. Every statement runs through `run`, which tells errors apart by their type alone: their
texts are neither shown nor searched, because a value may appear in them and look like anything.
Which row it was is found by queries of our own (see `diagnosis`). The raised error has no link back
to the original one.

A column may be called `"; DROP TABLE x; --` or `n` or `größe`: nothing of it reaches a parser
unquoted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from discreet.core.rationals import read_count
from discreet.errors import DiscreetError, InvalidData, InvalidInput

T = TypeVar("T")

_SIZE = re.compile(r"\s*(\d{1,15}(?:\.\d{1,15})?)\s*([KMGT]?)(I?)B\s*", re.IGNORECASE)
_APART = 192 * 2**20
"""Bytes that Python, Arrow and what DuckDB does not count take beside what DuckDB does: up to
161 MiB were measured.
"""
_LEAST = 256 * 2**20
"""The least limit of a process. With less than this, DuckDB cannot group a file of some
megabytes.
"""


def connect(
    *, memory_limit: str | None = None, threads: int | None = None, spill: Path | None = None
) -> Any:
    """Open an empty in-memory database that sees no variables of the caller and installs
    nothing.
    """
    config: dict[str, Any] = {
        "python_enable_replacements": False,
        "autoinstall_known_extensions": False,
    }
    if memory_limit is not None:
        limit = _read_limit(memory_limit)
        config["memory_limit"] = f"{min(limit * 4 // 5, limit - _APART)}B"
    if threads is not None:
        config["threads"] = read_count("threads", threads, least=1, most=1024)
    config["temp_directory"] = "" if spill is None else str(spill)
    connection = run(lambda: duckdb.connect(":memory:", config=config), parameter="memory_limit")
    connection.execute("SET TimeZone = 'UTC'")  # the same key on every machine
    _without_bar(connection)
    # Memory of the grouping goes back before the writing needs some; else DuckDB keeps up to half a
    # gigabyte of it. Not for less than this: giving those back would cost more than a small file.
    connection.execute("SET allocator_bulk_deallocation_flush_threshold = '48MB'")
    return connection


def _read_limit(given: Any) -> int:
    """Read a limit of the whole process, in bytes."""
    size = _SIZE.fullmatch(str(given))
    if size is None:
        raise InvalidInput("memory_limit", "must be a size", given, remedy="such as '1GiB'")
    number, unit, binary = size.groups()
    limit = int(
        Fraction(number) * (1024 if binary else 1000) ** (" KMGT".index(unit.upper() or " "))
    )
    if limit >= 2**60:  # more than a machine has, and than DuckDB can read
        raise InvalidInput("memory_limit", "must be a size", given, remedy="such as '1GiB'")
    if limit < _LEAST:
        rule = (
            "must be at least 256MiB: it is for the whole process, and Python and DuckDB alone "
            "take 160MiB"
        )
        raise InvalidInput("memory_limit", rule, found=given, remedy="such as '1GiB'")
    return limit


def _without_bar(connection: Any) -> None:
    """Show no progress bar: `progress=` is ours. DuckDB's fails in a notebook without
    ipywidgets.
    """
    ((shown,),) = connection.execute("SELECT current_setting('enable_progress_bar')").fetchall()
    if shown:
        connection.execute("SET enable_progress_bar = false")


def run(
    action: Callable[[], T],
    *,
    parameter: str = "source",
    output: bool = False,
    names_only: bool = False,
) -> T:
    """Do `action`; a DuckDB error becomes one of ours that quotes no value.

    `names_only` says that the action reads no rows (it binds or describes): then what DuckDB says
    is about names and types, and is shown.

    >>> run(lambda: duckdb.connect().execute("SELECT CAST('secret' AS INTEGER)"), parameter="count")
    Traceback (most recent call last):
        ...
    discreet.errors.InvalidData: `count` has a value that its type cannot hold (the value is not
    shown ...): ...
    """
    problem: BaseException
    try:
        return action()
    except duckdb.InterruptException:
        problem = KeyboardInterrupt()
    except duckdb.Error as error:
        problem = _translated(error, "output" if output else parameter, names_only=names_only)
    raise problem  # outside the handler, so that the original is not its context


def _translated(error: duckdb.Error, parameter: str, *, names_only: bool) -> DiscreetError:
    kind = type(error).__name__
    if isinstance(error, duckdb.OutOfMemoryException):
        remedy = "raise `memory_limit`, or free space for its temporary files"
        return DiscreetError("DuckDB ran out of memory", remedy=remedy, code="out-of-memory")
    if parameter == "output":
        return InvalidInput(
            parameter,
            f"cannot be written ({kind})",
            remedy="is there space left, and may you write?",
        )
    if isinstance(error, duckdb.BinderException | duckdb.CatalogException | duckdb.ParserException):
        reason = str(error).splitlines()[0] if names_only else kind
        remedy = (
            "columns of text files are text: cast them, or give `read={'types': {'age': "
            "'INTEGER'}}`"
        )
        return InvalidInput(parameter, f"is not accepted by DuckDB ({reason})", remedy=remedy)
    if isinstance(
        error, duckdb.ConversionException | duckdb.OutOfRangeException | duckdb.DataError
    ):
        remedy = (
            "use TRY_CAST and say what NULL means (`nulls='0'` or `nulls='1'`), or correct the row"
        )
        return InvalidData(parameter, "has a value that its type cannot hold", remedy=remedy)
    return InvalidData(parameter, f"cannot be read ({kind})", remedy="check `read`")


def identifier(name: str) -> str:
    """Quote a column or table name.

    >>> identifier('we"ird; --')
    '"we""ird; --"'
    """
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Quote a text constant.

    >>> literal("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"
