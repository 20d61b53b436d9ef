"""A ledger in one SQLite file: the default, for the processes of one machine.

Durability. The journal mode stays DELETE and `synchronous` is EXTRA. With FULL, a power cut just
after a commit may bring the deleted journal back and so undo the commit: a release would be public
and its entry gone. EXTRA also syncs the directory, so a reservation that returned stays. WAL would
be faster, but keeps the newest entries in a second file, and whoever copies the first alone would
lose spending.

Exclusion. `BEGIN IMMEDIATE` takes the one write lock before anything is read, so two processes
cannot both see the same remainder. SQLite's locks are not reliable on network drives: several
machines share a ledger by PostgreSQL.

Guards. REPLACE deletes the row in its way without asking the trigger on DELETE, so a third trigger
stands before every INSERT: an entry must have the next number.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from discreet.errors import BudgetError, DiscreetError, InvalidFile
from discreet.ledger.databases.schema import NOTHING_WRITTEN, in_doubt, stayed_locked
from discreet.ledger.parameters import NoLedger
from discreet.near_files import near_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class SqliteSession:
    """One transaction on one connection."""

    guards = tuple(
        f"CREATE TRIGGER discreet_no_{name} BEFORE {verb} ON discreet_entries {condition}BEGIN "
        "SELECT RAISE(ABORT, 'ledger entries are only ever added'); END"
        for name, verb, condition in (
            ("update", "UPDATE", ""),
            ("delete", "DELETE", ""),
            (
                "replace",
                "INSERT",
                "WHEN NEW.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM "
                "discreet_entries) ",
            ),
        )
    )

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def execute(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run one statement; return its rows."""
        return self._connection.execute(sql, tuple(values)).fetchall()

    def tables(self) -> set[str]:
        """Return the names of the tables that exist."""
        return {
            name for (name,) in self.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        }


class SqliteStore:
    """A SQLite file as a place for a ledger."""

    def __init__(self, path: str | os.PathLike[str], *, create: bool, timeout: float) -> None:
        # Absolute, so that changing the working directory later does not silently mean another
        # ledger.
        self.path = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow a link for good
        self.where = str(path)
        self._timeout = timeout
        try:
            folder, there = self.path.is_dir(), self.path.exists()
        except OSError as error:  # a name too long, a folder that may not be looked into
            raise InvalidFile(
                "ledger", f"cannot be reached ({error.strerror})", found=self.where
            ) from None
        if folder:
            raise InvalidFile(
                "ledger", "is a directory", found=self.where, remedy="name a file in it"
            )
        if not there:
            self._make(create=create)

    def _make(self, *, create: bool) -> None:
        if not self.path.parent.is_dir():
            raise InvalidFile(
                "ledger", "must be in a directory that exists", self.where, remedy="create it first"
            )
        if not create:
            raise NoLedger("must be a ledger; there is no such file", self.where, self._beside())
        try:
            os.close(os.open(self.path, os.O_CREAT | os.O_WRONLY, 0o666))
        except OSError as error:
            raise InvalidFile(
                "ledger", f"cannot be created ({error.strerror})", found=self.where
            ) from None

    def _beside(self) -> str:
        """The database in the same folder that a mistyped name may mean: the nearest, or the
        only one.
        """
        there = [
            each for each in self.path.parent.iterdir() if each.is_file() and _is_database(each)
        ]
        near = near_file(self.path.name, [each.name for each in there])
        name = near or (there[0].name if len(there) == 1 else "")
        return str(self.path.with_name(name)) if name else ""

    @contextmanager
    def reading(self, *, settled: bool = False) -> Iterator[SqliteSession]:
        """Open a transaction that sees one consistent state; works on a read-only file.

        It is always settled: a commit to a file is over when its process is.
        """
        with self._translated(NOTHING_WRITTEN), closing(self._connect()) as connection:
            connection.execute("BEGIN")
            yield SqliteSession(connection)
            connection.execute("ROLLBACK")

    @contextmanager
    def writing(self, *, doubt: str = "") -> Iterator[SqliteSession]:
        """Open a transaction under SQLite's one write lock."""
        with closing(self._connect_for_writing()) as connection:
            with self._translated(NOTHING_WRITTEN):
                connection.execute("BEGIN IMMEDIATE")
                yield SqliteSession(connection)
            with self._translated(in_doubt(doubt)):
                connection.execute("COMMIT")

    def _connect_for_writing(self) -> sqlite3.Connection:
        with self._translated(NOTHING_WRITTEN):
            return self._connect()

    def _connect(self) -> sqlite3.Connection:
        # mode=rw never creates: a ledger that vanished must not come back empty. On a read-only
        # file it reads.
        uri = f"file:{quote(os.fsencode(self.path))}?mode=rw"
        connection = sqlite3.connect(uri, uri=True, timeout=self._timeout, isolation_level=None)
        try:
            connection.execute("PRAGMA synchronous = EXTRA")
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def _translated(self, outcome: str) -> Iterator[None]:
        try:
            yield
        except DiscreetError:
            raise
        except sqlite3.Error as error:
            raise self._explained(error, outcome) from None
        except UnicodeError:  # Python's module meets damaged text before SQLite notices the damage
            raise self._damaged() from None

    def _explained(self, error: sqlite3.Error, outcome: str) -> DiscreetError:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the primary code
        if code == sqlite3.SQLITE_NOTADB:
            return InvalidFile(
                "ledger", "must be a ledger; this file is not a SQLite database", found=self.where
            )
        if code == sqlite3.SQLITE_CORRUPT:
            return self._damaged()
        if code == sqlite3.SQLITE_CANTOPEN:
            if not self.path.exists():
                return InvalidFile(
                    "ledger",
                    "must be a ledger; the file is gone",
                    found=self.where,
                    remedy="bring it back",
                )
            return BudgetError(
                f"the ledger {self.where!r} cannot be opened ({error}); nothing was written",
                remedy="check its permissions",
            )
        if code == sqlite3.SQLITE_BUSY:  # also at COMMIT: SQLite then keeps nothing once we close
            remedy = "try again, or find the process that holds it"
            return stayed_locked(repr(self.where), self._timeout, remedy=remedy)
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
            return BudgetError(
                f"the ledger {self.where!r} cannot be written; nothing was written",
                remedy="make the file and its directory writable",
            )
        if code == sqlite3.SQLITE_FULL:
            rule = f"the disk of the ledger {self.where!r} is full; nothing was written"
            return BudgetError(rule, remedy="make room", code="unavailable")
        return BudgetError(
            f"the ledger {self.where!r} failed ({error}); {outcome}", code="unavailable"
        )

    def _damaged(self) -> InvalidFile:
        remedy = "keep the file, and restore the last backup into a new ledger"
        return InvalidFile("ledger", "is a damaged database", found=self.where, remedy=remedy)


def _is_database(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            return opened.read(16) == b"SQLite format 3\0"
    except OSError:
        return False
