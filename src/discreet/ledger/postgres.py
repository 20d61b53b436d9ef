"""A ledger in a PostgreSQL database, for processes on several machines.

Exclusion. A writer takes one advisory lock for the length of its transaction, before it reads anything. Under READ
COMMITTED every later statement sees all that earlier holders committed, so nothing needs to be retried, as it would
under SERIALIZABLE. Should anyone write past the lock, the primary key refuses a second entry of the same number.

Durability. A server told not to wait for the disk (`synchronous_commit = off`) is overruled for these transactions.

The URL may hold a password. It is shown nowhere: errors name user, host and database only, and a URL in which a
password might be taken for another part (an unescaped `@`, `/` or `#`) is refused before anything else sees it.
"""

from __future__ import annotations

import re
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit

from discreet.errors import BudgetError, DiscreetError, InvalidInput, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import psycopg

LOCK = 0x646973637265  # "discre": one ledger per database is the rule, and sharing a lock would do no harm


class PostgresSession:
    """One transaction on one connection."""

    guards = (
        "CREATE OR REPLACE FUNCTION discreet_only_add() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'ledger entries are only ever added'; END $$",
        "CREATE TRIGGER discreet_only_add BEFORE UPDATE OR DELETE OR TRUNCATE ON discreet_entries "
        "FOR EACH STATEMENT EXECUTE FUNCTION discreet_only_add()",
    )

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def execute(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run one statement; return its rows."""
        cursor = self._connection.execute(sql.replace("?", "%s").encode(), tuple(values) or None)
        return cursor.fetchall() if cursor.description else []

    def tables(self) -> set[str]:
        """Return the names of the tables that exist in the schema this connection writes to."""
        return {name for (name,) in self.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")}


class PostgresStore:
    """A PostgreSQL database as a place for a ledger."""

    def __init__(self, url: str, *, timeout: float) -> None:
        self.where = shown(url)
        self._url = url
        self._timeout = timeout

    def __repr__(self) -> str:
        return f"PostgresStore({self.where!r})"

    @contextmanager
    def reading(self, *, settled: bool = False) -> Iterator[PostgresSession]:
        """Open a transaction that sees one consistent state; `settled`: after every writer has let go of the lock."""
        with closing(self._connect()) as connection, self._translated("nothing was written"):
            if settled:  # in a transaction of its own, because the next one sees what there is when it begins
                connection.execute("BEGIN READ ONLY")
                self._lock(connection)
                connection.execute("ROLLBACK")
            connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield PostgresSession(connection)
            connection.execute("ROLLBACK")

    @contextmanager
    def writing(self, *, doubt: str = "") -> Iterator[PostgresSession]:
        """Open a transaction under the ledger's lock."""
        with closing(self._connect()) as connection:
            with self._translated("nothing was written"):
                connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
                # set_config(..., true) lasts for the transaction; stronger settings than "on" are left alone.
                connection.execute(
                    "SELECT set_config('synchronous_commit', 'on', true) "
                    "WHERE current_setting('synchronous_commit') IN ('off', 'local')"
                )
                self._lock(connection)
                yield PostgresSession(connection)
            with self._translated(f"whether it was written is not known. {doubt}".strip()):
                done = connection.execute("COMMIT")
            if done.statusmessage != "COMMIT":
                raise BudgetError(f"the ledger at {self.where} took the transaction back; nothing was written")

    def _lock(self, connection: psycopg.Connection[Any]) -> None:
        """Take the ledger's lock for the transaction, or give up after the time allowed."""
        connection.execute("SELECT set_config('lock_timeout', %s, true)", (f"{int(self._timeout * 1000)}ms",))
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))

    def _connect(self) -> psycopg.Connection[Any]:
        try:
            import psycopg
        except ImportError:
            raise MissingExtra("postgres", "a ledger in PostgreSQL") from None
        # A server that falls silent must become an error, not a process that waits for ever.
        given = dict(parse_qsl(urlsplit(self._url).query))
        extra: dict[str, Any] = {"connect_timeout": max(2, int(self._timeout))}
        extra["tcp_user_timeout"] = int(self._timeout * 1000) + 5000
        for name in given.keys() & extra.keys():
            del extra[name]
        try:
            return psycopg.connect(self._url, autocommit=True, prepare_threshold=None, **extra)
        except psycopg.OperationalError as error:
            raise BudgetError(
                f"the ledger at {self.where} cannot be reached ({_reason(error)}); nothing was written: "
                "check that the server runs and that user, password and database are right"
            ) from None
        except psycopg.Error:  # libpq quotes what it could not parse: never pass that on
            rule = "must be a PostgreSQL URL that libpq can read"
            raise InvalidInput("ledger", rule, remedy="see its list of connection options") from None

    @contextmanager
    def _translated(self, outcome: str) -> Iterator[None]:
        import psycopg

        try:
            yield
        except DiscreetError:
            raise
        except psycopg.errors.LockNotAvailable:
            raise BudgetError(
                f"the ledger at {self.where} stayed locked for {self._timeout:g} s by another process; "
                "nothing was written: try again"
            ) from None
        except (psycopg.errors.InsufficientPrivilege, psycopg.errors.ReadOnlySqlTransaction) as error:
            raise BudgetError(
                f"the ledger at {self.where} may not be used this way ({_reason(error)}); nothing was written: "
                "the user needs to create and read tables and add rows, on the primary server"
            ) from None
        except psycopg.Error as error:
            raise BudgetError(f"the ledger at {self.where} failed ({_reason(error)}); {outcome}") from None


def shown(url: str) -> str:
    """Return the URL as it may be shown, and refuse one whose password might be mistaken for something else.

    >>> shown("postgresql://ann:secret@db.example:5433/budgets?sslmode=require")
    'postgresql://ann@db.example:5433/budgets'
    """
    rule = "must be postgresql://user:password@host:port/database (not shown: it may hold a password)"
    remedy = "write special characters in the password as %40 (@), %2F (/), %23 (#), %3F (?)"
    hidden = InvalidInput("ledger", rule, remedy=remedy)
    try:
        parts = urlsplit(url)
        options = dict(parse_qsl(parts.query, strict_parsing=True)) if parts.query else {}
    except ValueError:
        raise hidden from None
    before, _, hosts = parts.netloc.rpartition("@")
    if "@" in before + parts.path + parts.query or "#" in url or not url.isprintable():
        raise hidden
    if not all(_HOST.fullmatch(host) for host in hosts.split(",")):
        raise hidden
    user = unquote(before.partition(":")[0]) or options.get("user", "")
    return f"postgresql://{user + '@' if user else ''}{hosts or options.get('host', '')}{parts.path}"


_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]]*)(:[0-9]{1,5})?")


def _reason(error: psycopg.Error) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return "; ".join(lines)[:300] or type(error).__name__
