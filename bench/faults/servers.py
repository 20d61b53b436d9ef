"""A real PostgreSQL server of one's own on a unix socket, and a line to it that can be cut."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

BINARIES = Path("/usr/lib/postgresql")


def missing() -> str:
    """What is missing for a server, or nothing."""
    import importlib.util

    if importlib.util.find_spec("psycopg") is None:
        return "Python package psycopg"
    return "" if list(BINARIES.glob("*/bin/initdb")) else "a PostgreSQL server"


class PostgresPlaces:
    """Places for ledgers on a server that runs."""

    def __init__(self, base: str) -> None:
        self.base = base
        self._names = (f"place{os.getpid()}_{number}" for number in itertools.count())

    def run(self, statement: str) -> list[tuple[Any, ...]]:
        """Run one statement as the administrator."""
        import psycopg

        with psycopg.connect(self.base, autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def fresh(self) -> str:
        """Return the URL of a new, empty place."""
        name = next(self._names)
        self.run(f"CREATE SCHEMA {name}")
        return f"{self.base}&options=-csearch_path%3D{name}"

    @property
    def version(self) -> str:
        return str(self.run("SHOW server_version")[0][0]).split()[0]


class PostgresServer(PostgresPlaces):
    """A server in a folder of its own; nothing of it is kept.

    Faults here end processes, never the machine, so the server need not wait for the disk: what it
    has written the kernel keeps.
    """

    def __init__(self) -> None:
        self._binaries = max(BINARIES.glob("*/bin"), key=lambda path: float(path.parent.name))
        self.folder = Path(
            tempfile.mkdtemp(prefix="ledger-")
        )  # short: a socket's path has at most 107 bytes
        super().__init__(
            f"postgresql:///postgres?host={quote(str(self.folder), safe='')}&user=postgres"
        )
        user = (
            {"user": "postgres"} if os.geteuid() == 0 else {}
        )  # the server refuses to run as root
        if user:
            shutil.chown(self.folder, "postgres", "postgres")
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._common: dict[str, Any] = {"cwd": self.folder, **quiet, **user}
        initdb = [
            self._binaries / "initdb",
            "-D",
            "data",
            "-A",
            "trust",
            "-U",
            "postgres",
            "-E",
            "UTF8",
            "--no-sync",
        ]
        subprocess.run(initdb, check=True, **self._common)
        self.start()

    def start(self) -> None:
        """Start the server and wait until it answers; one that runs is left alone."""
        import psycopg

        options = [
            "-c",
            "listen_addresses=",
            "-c",
            "fsync=off",
            "-c",
            f"unix_socket_directories={self.folder}",
        ]
        self._server = subprocess.Popen(
            [self._binaries / "postgres", "-D", "data", *options], **self._common
        )
        for attempt in itertools.count():
            try:
                self.run("SELECT 1")
                return
            except psycopg.OperationalError:
                if attempt > 400 or self._server.poll() is not None:
                    raise
                time.sleep(0.05)

    @property
    def pid(self) -> int:
        """The server's first process."""
        return self._server.pid

    def recover(self) -> None:
        """Wait for a server that was told to stop, and start it again."""
        self._server.wait(60)
        self.start()

    def close(self) -> None:
        """Stop at once and forget everything."""
        if self._server.poll() is None:
            self._server.send_signal(signal.SIGQUIT)
            self._server.wait(30)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> PostgresServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Proxy:
    """Stands between a client and the server and cuts the line at a commit, before or after passing
    it on.

    `at` is which commit, 1 for the first; 0 is every one.
    """

    def __init__(self, server: Path, folder: Path, *, deliver: bool, at: int = 0) -> None:
        self._server, self._deliver, self._at, self.commits = server, deliver, at, 0
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / ".s.PGSQL.5432"))
        self._listener.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            upstream = socket.socket(socket.AF_UNIX)
            upstream.connect(str(self._server / ".s.PGSQL.5432"))
            back = threading.Thread(target=self._back, args=(upstream, client), daemon=True)
            back.start()
            while data := client.recv(65536):
                if b"COMMIT\0" in data:
                    self.commits += 1
                    if self._at in (0, self.commits):
                        client.shutdown(socket.SHUT_RDWR)  # the answer, if any, never arrives
                        if self._deliver:
                            upstream.sendall(data)
                        break
                upstream.sendall(data)
            client.close()
            upstream.shutdown(socket.SHUT_WR)
            back.join()
            upstream.close()

    @staticmethod
    def _back(upstream: socket.socket, client: socket.socket) -> None:
        try:
            while data := upstream.recv(65536):
                client.sendall(data)
        except OSError:
            while upstream.recv(65536):
                pass
