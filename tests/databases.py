"""One DuckDB for many tests. Opening a database takes longer than all the rest of a small release; a connection nothing.

Every engine still has a connection of its own, and with it temporary tables, views and variables of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from unittest.mock import patch

import duckdb

from discreet.tables.engines.duckdb import duckdb_engine as engine
from discreet.tables.engines.duckdb.connection import connect


@contextmanager
def one_database(*, whatever_is_asked: bool = False, **settings: Any) -> Iterator[None]:
    """While this lasts, engines open connections to one database that stays empty.

    An engine that is asked for a memory limit or for threads has a database of its own, unless `whatever_is_asked`.
    """

    def connected(**asked: Any) -> Any:
        own = asked.get("memory_limit") is not None or asked.get("threads") is not None
        return connect(**asked) if own and not whatever_is_asked else connection(**settings)

    with patch.object(engine, "connect", connected):
        yield


def connection(**settings: Any) -> Any:
    """A connection to the one database with these settings."""
    try:
        return _session(**settings)
    except duckdb.Error:  # an internal error of DuckDB's leaves a database that only refuses
        _database.cache_clear()
        return _session(**settings)


def _session(**settings: Any) -> Any:
    session = _database(**settings).cursor()
    session.execute(
        "SET TimeZone = 'UTC'"
    )  # `connect` sets it for the session, which a new connection is not
    return session


@cache
def _database(**settings: Any) -> Any:
    return connect(
        threads=1, **settings
    )  # no threads of its own, so that a process may fork afterwards
