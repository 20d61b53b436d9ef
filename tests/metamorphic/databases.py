"""One DuckDB for many cases. Opening a database takes longer than all the rest of a case; a connection takes nothing.

Every engine still has a connection of its own, and with it temporary tables, views and variables of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from unittest.mock import patch

import duckdb

from discreet.tables.engines.duckdb import duckdb_engine as duck
from discreet.tables.engines.duckdb import expressions
from discreet.tables.engines.duckdb.connection import connect

MEMORY = "600MB"


@contextmanager
def one_database() -> Iterator[None]:
    """While this lasts, engines open connections to one database that stays empty, and spellings are looked up once."""
    with (
        patch.object(duck, "connect", lambda **_: _connection()),
        patch.object(expressions, "nearest", _nearest),
    ):
        yield


_nearest = cache(expressions.nearest)
"""Most functions of the catalogue are refused with the nearest that is allowed: for both tables, and in the plans."""


def _connection() -> Any:
    try:
        connection = _database().cursor()
        connection.execute("SET TimeZone = 'UTC'")  # `connect` sets it for the session, which a new connection is not
    except duckdb.Error:  # an internal error of DuckDB's leaves a database that only refuses
        _database.cache_clear()
        connection = _database().cursor()
        connection.execute("SET TimeZone = 'UTC'")
    return connection


@cache
def _database() -> Any:
    return connect(threads=1, memory_limit=MEMORY)


@cache
def of_the_caller() -> Any:
    """A database as a user has one, from which relations come."""
    return duckdb.connect(config={"threads": 1})
