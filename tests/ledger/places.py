"""Where ledgers are tested: a SQLite file, and a real PostgreSQL server started for the session on a unix socket."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from bench.faults.servers import PostgresServer
from tests.conftest import require

import discreet

if TYPE_CHECKING:
    from bench.faults.victims import Victims

SOURCE = str(Path(discreet.__file__).parents[1])


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A server for the whole session."""
    require("postgres")
    with PostgresServer() as server:
        yield server


@pytest.fixture(scope="session")
def postgres(postgres_server: PostgresServer) -> Callable[[], str]:
    """A function that returns the URL of a fresh, empty place on the server.

    Tests allow a ledger little time; connecting is not what they are about, and takes long on a busy machine.
    """
    return lambda: postgres_server.fresh().replace("&options=", "&connect_timeout=300&options=")


@pytest.fixture(scope="session")
def victims() -> Iterator[Victims]:
    """The process whose children release under faults; it has imported everything, so they begin at once."""
    from bench.faults.victims import Victims

    with Victims() as victims:
        yield victims


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place for a ledger, on each database in turn."""
    if request.param == "sqlite":
        return str(tmp_path / "budget.db")
    return str(request.getfixturevalue("postgres")())


def sql(place: str, *statements: str) -> list[tuple[Any, ...]]:
    """Do to a ledger's database what the ledger itself never would; return the last statement's rows."""
    if place.startswith("postgresql:"):
        import psycopg

        with psycopg.connect(place, autocommit=True) as connection:
            for statement in statements:
                cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []
    connection = sqlite3.connect(place, isolation_level=None)
    try:
        for statement in statements:
            rows = connection.execute(statement).fetchall()
        return rows
    finally:
        connection.close()


def child(script: str, *arguments: str, **options: Any) -> subprocess.Popen[str]:
    """Start another Python process that has `discreet` and runs `script`."""
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments], env=environment, **pipes, **options
    )
