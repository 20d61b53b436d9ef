"""The tables of a ledger, the same in both databases.

    discreet_schema   (version)                one row
    discreet_entries  (sequence, line, seal)   one row per entry; the primary key allows no number
                      twice

Statements are written with `?` and only use what SQLite and PostgreSQL share; what differs (locks,
guards against UPDATE and DELETE, error codes) is in sqlite.py and postgres.py. Every function here
runs inside a transaction of the caller, so creating happens whole or not at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from discreet.errors import BudgetError, InvalidFile
from discreet.ledger.entries import broken
from discreet.ledger.parameters import NoLedger

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from contextlib import AbstractContextManager

    from discreet.ledger.entries import Row

VERSION = 1


class Session(Protocol):
    """An open transaction."""

    @property
    def guards(self) -> tuple[str, ...]:
        """Statements that make the database itself refuse to change, replace or delete an
        entry.
        """
        ...

    def execute(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run one statement with `?` placeholders; return its rows."""
        ...

    def tables(self) -> set[str]:
        """Return the names of the tables that exist."""
        ...


class Store(Protocol):
    """A place that holds a ledger. A connection per transaction, so it survives forks, threads
    and restarts.
    """

    where: str
    """The place as it may be shown: without a password."""

    def reading(self, *, settled: bool = False) -> AbstractContextManager[Session]:
        """Open a transaction that sees one consistent state.

        `settled` first waits for a commit that is under way, whose client may have lost its
        connection.
        """
        ...

    def writing(self, *, doubt: str = "") -> AbstractContextManager[Session]:
        """Open a transaction that excludes every other writer, durable when the block ends.

        An error leaves everything as it was. Only a connection lost during the commit itself leaves
        that open; the error then says so and adds `doubt`, which tells how to find out.
        """
        ...


NOTHING_WRITTEN = "nothing was written"


def in_doubt(doubt: str) -> str:
    """Say what a failed COMMIT leaves open; `doubt` says how to find out."""
    return f"whether it was written is not known. {doubt}".strip()


def stayed_locked(place: str, timeout: float, *, remedy: str) -> BudgetError:
    """Return the error for a ledger that another process holds for too long."""
    rule = (
        f"the ledger {place} stayed locked for {timeout:g} s by another process; {NOTHING_WRITTEN}"
    )
    return BudgetError(rule, remedy=remedy, code="unavailable")


_CREATE = (
    "CREATE TABLE discreet_schema (version INTEGER NOT NULL)",
    "CREATE TABLE discreet_entries (sequence INTEGER PRIMARY KEY, line TEXT NOT NULL, seal TEXT "
    "NOT NULL)",
)


def prepare(session: Session, where: str, *, create: bool) -> None:
    """Create the tables if there are none. Needs a writing session."""
    if version(session, where) is not None:
        return
    if not create:
        raise NoLedger("must be a ledger; this place is empty", where)
    for statement in _CREATE:
        session.execute(statement)
    for guard in session.guards:
        session.execute(guard)
    session.execute("INSERT INTO discreet_schema (version) VALUES (?)", (VERSION,))


def version(session: Session, where: str) -> int | None:
    """Return the schema version, or None if nothing was ever created; refuse a newer one and
    other people's tables.
    """
    tables = session.tables()
    if "discreet_schema" not in tables:
        if "discreet_entries" in tables:
            raise InvalidFile(
                "ledger", "holds entries without a schema version: it is damaged", found=where
            )
        return None
    rows = session.execute("SELECT version FROM discreet_schema")
    if len(rows) != 1 or type(rows[0][0]) is not int or rows[0][0] < 1:
        raise InvalidFile("ledger", "has no readable schema version: it is damaged", found=where)
    found: int = rows[0][0]
    if found > VERSION:
        rule = f"is a ledger of schema version {found}; this discreet knows up to {VERSION}"
        raise InvalidFile("ledger", rule, found=where, remedy="upgrade discreet")
    if "discreet_entries" not in tables:
        raise InvalidFile("ledger", "has lost its table of entries: it is damaged", found=where)
    return found


def rows_from(session: Session, sequence: int) -> list[Row]:
    """Return the stored rows from number `sequence` on, in their order."""
    rows = session.execute(
        "SELECT sequence, line, seal FROM discreet_entries WHERE sequence >= ? ORDER BY sequence",
        (sequence,),
    )
    if any(
        type(n) is not int or type(line) is not str or type(seal) is not str
        for n, line, seal in rows
    ):
        raise broken("a stored entry is not text")
    return [(n, line, seal) for n, line, seal in rows]


def append(session: Session, rows: Iterable[Row]) -> None:
    """Add rows at the end. The primary key refuses a number that is taken."""
    for row in rows:
        session.execute("INSERT INTO discreet_entries (sequence, line, seal) VALUES (?, ?, ?)", row)
