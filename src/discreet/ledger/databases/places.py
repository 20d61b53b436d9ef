"""Open a ledger: a path means SQLite, a postgresql:// URL means PostgreSQL."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from discreet.errors import InvalidInput
from discreet.ledger.databases import schema
from discreet.ledger.databases.urls import is_url, refuse_secret
from discreet.ledger.ledger import Ledger

if TYPE_CHECKING:
    from discreet.ledger.databases.schema import Store


def open_ledger(
    ledger: str | os.PathLike[str], *, create: bool = True, timeout: float = 30.0
) -> Ledger:
    """Open a `ledger`: a file (SQLite) or a URL (postgresql://...); made if there is none, unless
    `create` is False.

    A new ledger has no datasets and so grants nothing until `open` gives one a budget.
    `timeout` is how long to wait, in seconds, for other processes and for the server.
    """
    if not isinstance(timeout, int | float) or not 0 < timeout < 86_400:
        raise InvalidInput("timeout", "must be a number of seconds between 0 and 86400", timeout)
    store = _store(ledger, create=create, timeout=timeout)
    # Only an empty place is written to, so a read-only ledger can still be read.
    with store.reading() as session:
        empty = schema.version(session, store.where) is None
    if empty:
        with store.writing(doubt="Open it again to find out.") as session:
            schema.prepare(session, store.where, create=create)
    return Ledger(store)


def _store(where: str | os.PathLike[str], *, create: bool, timeout: float) -> Store:
    if isinstance(where, str) and is_url(where):
        from discreet.ledger.databases.postgres import PostgresStore

        return PostgresStore(where, timeout=timeout)
    if isinstance(where, str) and ("://" in where or where.startswith("file:")):
        scheme = where.partition(":")[0]
        raise InvalidInput("ledger", "must be a path or a postgresql:// URL", f"{scheme}:...")
    if isinstance(where, str):
        refuse_secret(where)
    text = os.fspath(where) if isinstance(where, str | os.PathLike) else None
    if not isinstance(text, str) or not text.strip() or text == ":memory:" or "\0" in text:
        remedy = "a ledger must outlive the process"
        raise InvalidInput("ledger", "must be a path or a postgresql:// URL", where, remedy=remedy)
    from discreet.ledger.databases.sqlite import SqliteStore

    return SqliteStore(text, create=create, timeout=timeout)
