"""Where ledgers are tested: a SQLite file, and a real PostgreSQL server started for the session on a unix socket."""

from __future__ import annotations

import itertools
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from tests.conftest import require

import discreet

SOURCE = str(Path(discreet.__file__).parents[1])


@pytest.fixture(scope="session")
def postgres() -> Iterator[Callable[[], str]]:
    """Start a server; yield a function that returns the URL of a fresh, empty place on it."""
    require("postgres")
    import psycopg

    binaries = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: float(p.parent.name))
    folder = Path(tempfile.mkdtemp(prefix="ledger-"))  # short: a socket's path has at most 107 bytes
    user = {"user": "postgres"} if os.geteuid() == 0 else {}  # the server refuses to run as root
    if user:
        import shutil

        shutil.chown(folder, "postgres", "postgres")
    common: dict[str, Any] = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **user}
    initdb = [binaries / "initdb", "-D", "data", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync"]
    subprocess.run(initdb, check=True, **common)
    # fsync=off: these tests kill processes, not the machine
    options = ["-c", "listen_addresses=", "-c", "fsync=off", "-c", "unix_socket_directories=" + str(folder)]
    server = subprocess.Popen([binaries / "postgres", "-D", "data", *options], **common)
    base = f"postgresql:///postgres?host={quote(str(folder), safe='')}&user=postgres"
    try:
        for attempt in itertools.count():
            try:
                admin = psycopg.connect(base, autocommit=True)
                break
            except psycopg.OperationalError:
                if attempt > 200 or server.poll() is not None:
                    raise
                time.sleep(0.05)
        names = (f"place{n}" for n in itertools.count())

        def fresh() -> str:
            name = next(names)
            admin.execute(f"CREATE SCHEMA {name}".encode())
            return f"{base}&options=-csearch_path%3D{name}"

        with admin:
            yield fresh
    finally:
        server.send_signal(signal.SIGQUIT)  # at once: nothing of it is kept
        server.wait(30)
        subprocess.run(["rm", "-rf", str(folder)], check=False)


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
    return subprocess.Popen([sys.executable, "-c", script, *arguments], env=environment, **pipes, **options)
