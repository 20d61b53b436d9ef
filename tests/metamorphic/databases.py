"""One DuckDB for many cases, and one more as a caller has it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from unittest.mock import patch

import duckdb
from tests import databases

from discreet.tables.engines.duckdb import expressions

MEMORY = "600MB"
_nearest = cache(expressions.nearest)


@contextmanager
def one_database() -> Iterator[None]:
    """While this lasts, engines open connections to one database that stays empty, and spellings are looked up once.

    Most functions of the catalogue are refused with the nearest that is allowed: for both tables, and in the plans.
    """
    with (
        databases.one_database(whatever_is_asked=True, memory_limit=MEMORY),
        patch.object(expressions, "nearest", _nearest),
    ):
        yield


@cache
def of_the_caller() -> Any:
    """A database as a user has one, from which relations come."""
    return duckdb.connect(config={"threads": 1})
