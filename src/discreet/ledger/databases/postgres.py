"""A ledger in a PostgreSQL database, for processes on several machines.

Exclusion. A writer takes one advisory lock for the length of its transaction, before it reads
anything. Under READ COMMITTED every later statement sees all that earlier holders committed, so
nothing needs to be retried, as it would under SERIALIZABLE. Should anyone write past the lock, the
primary key refuses a second entry of the same number.

Durability. A server told not to wait for the disk (`synchronous_commit = off`) is overruled for
these transactions.

Which schema. A search path says where names are looked up today: one `CREATE SCHEMA`, or another
setting of the role, and the same URL would mean another, empty place. So the ledger is looked for
in the catalogue, which knows all tables of the database whatever the path and the rights: the one
ledger there is, or the one in the schemas that the URL itself names
(`?options=-csearch_path%3Dname`). Several are refused until the URL names one. Every transaction
then resolves names in that schema alone, and a store that has found its ledger never looks again.

The URL may hold a password. It is shown nowhere: errors name user, host and database only, and a
URL in which a password might be taken for another part (an unescaped `@`, `/` or `#`) is refused
before anything else sees it.
"""

from __future__ import annotations

import re
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, urlsplit

from discreet.errors import BudgetError, DiscreetError, InvalidInput, MissingExtra
from discreet.ledger.databases.schema import NOTHING_WRITTEN, in_doubt, stayed_locked
from discreet.ledger.databases.urls import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import psycopg

# "discre": one ledger per database is the rule, and sharing a lock would do no harm
LOCK = 0x646973637265


class PostgresSession:
    """One transaction on one connection."""

    guards = (
        "CREATE OR REPLACE FUNCTION discreet_only_add() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'ledger entries are only ever added'; END $$",
        "CREATE TRIGGER discreet_only_add BEFORE UPDATE OR DELETE OR TRUNCATE ON discreet_entries "
        "FOR EACH STATEMENT EXECUTE FUNCTION discreet_only_add()",
    )

    def __init__(self, connection: psycopg.Connection[Any], schema: str) -> None:
        self._connection = connection
        self._schema = schema
        # pg_temp is named because a path that does not name it begins with it
        self.execute(
            "SELECT pg_catalog.set_config('search_path', quote_ident(?) || ', pg_temp', true)",
            (schema,),
        )

    def execute(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run one statement; return its rows."""
        cursor = self._connection.execute(sql.replace("?", "%s").encode(), tuple(values) or None)
        return cursor.fetchall() if cursor.description else []

    def tables(self) -> set[str]:
        """Return the names of the tables that exist in the ledger's schema."""
        sql = "SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = ?"
        return {name for (name,) in self.execute(sql, (self._schema,))}


class PostgresStore:
    """A PostgreSQL database as a place for a ledger."""

    def __init__(self, url: str, *, timeout: float) -> None:
        self.where = shown(url)
        self._url = url
        self._timeout = timeout
        self._schema = ""  # of the ledger, once it is found

    def __repr__(self) -> str:
        return f"PostgresStore({self.where!r})"

    @contextmanager
    def reading(self, *, settled: bool = False) -> Iterator[PostgresSession]:
        """Open a transaction that sees one consistent state; `settled`: after every writer has
        let go of the lock.
        """
        with closing(self._connect()) as connection, self._translated(NOTHING_WRITTEN):
            # in a transaction of its own, because the next one sees what there is when it begins
            if settled:
                connection.execute("BEGIN READ ONLY")
                self._lock(connection)
                connection.execute("ROLLBACK")
            connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield self._session(connection)
            connection.execute("ROLLBACK")

    @contextmanager
    def writing(self, *, doubt: str = "") -> Iterator[PostgresSession]:
        """Open a transaction under the ledger's lock."""
        with closing(self._connect()) as connection:
            with self._translated(NOTHING_WRITTEN):
                connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
                # set_config(..., true) lasts for the transaction; stronger settings than "on" are
                # left alone.
                connection.execute(
                    "SELECT set_config('synchronous_commit', 'on', true) "
                    "WHERE current_setting('synchronous_commit') IN ('off', 'local')"
                )
                self._lock(connection)
                yield self._session(connection)
            with self._translated(in_doubt(doubt)):
                done = connection.execute("COMMIT")
            if done.statusmessage != "COMMIT":
                rule = (
                    f"the ledger at {self.where} rolled the transaction back; nothing was written"
                )
                raise BudgetError(rule, code="unavailable")

    def _session(self, connection: psycopg.Connection[Any]) -> PostgresSession:
        """Use the ledger's schema or, where there is no ledger yet, the one to create it in."""
        if not self._schema:
            held = find_schemas(
                connection, named="options" in dict(parse_qsl(urlsplit(self._url).query))
            )
            if len(held) > 1:
                rule = (
                    f"must name one of the schemas that hold a ledger ({', '.join(held)}); "
                    "which is meant is not clear"
                )
                remedy = (
                    f"add `?options=-csearch_path%3D{quote(held[0])}` to the URL (with & after "
                    "other options)"
                )
                raise InvalidInput("ledger", rule, found=self.where, remedy=remedy)
            if not held:
                ((here,),) = connection.execute("SELECT pg_catalog.current_schema()").fetchall()
                if here is None:
                    rule, remedy = (
                        "must name a schema that exists",
                        "create the schema, or name another",
                    )
                    raise InvalidInput("ledger", rule, found=self.where, remedy=remedy)
                return PostgresSession(connection, here)
            usable = "SELECT pg_catalog.has_schema_privilege(%s, 'USAGE')"
            if connection.execute(usable, (held[0],)).fetchall() != [(True,)]:
                raise BudgetError(
                    f"the ledger at {self.where} may not be used this way (it is in the schema "
                    f"{held[0]!r}, which this user may not use); nothing was written",
                    remedy="grant the user USAGE of the schema",
                )
            self._schema = held[0]
        return PostgresSession(connection, self._schema)

    def _lock(self, connection: psycopg.Connection[Any]) -> None:
        """Take the ledger's lock for the transaction, or give up after the time allowed."""
        connection.execute(
            "SELECT set_config('lock_timeout', %s, true)", (f"{int(self._timeout * 1000)}ms",)
        )
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
            if _wrong_password(
                error
            ):  # to try again later would not help, and may lock the user out
                raise BudgetError(
                    f"the ledger at {self.where} refused user or password; nothing was written",
                    remedy="check both: the password may be in the URL, in PGPASSWORD or in "
                    "~/.pgpass",
                ) from None
            raise BudgetError(
                f"the ledger at {self.where} cannot be reached ({_reason(error)}); nothing was "
                "written",
                remedy="check that the server runs, and that user and database are right",
                code="unavailable",
            ) from None
        except psycopg.Error:  # libpq quotes what it could not parse: never pass that on
            rule = "must be a PostgreSQL URL that libpq can read"
            raise InvalidInput(
                "ledger", rule, remedy="see its list of connection options"
            ) from None

    @contextmanager
    def _translated(self, outcome: str) -> Iterator[None]:
        import psycopg

        try:
            yield
        except DiscreetError:
            raise
        except psycopg.errors.LockNotAvailable:
            raise stayed_locked(f"at {self.where}", self._timeout, remedy="try again") from None
        except (
            psycopg.errors.InsufficientPrivilege,
            psycopg.errors.ReadOnlySqlTransaction,
        ) as error:
            raise BudgetError(
                f"the ledger at {self.where} may not be used this way ({_reason(error)}); nothing "
                "was written",
                remedy="the user needs to create and read tables and add rows, on the primary "
                "server",
            ) from None
        except psycopg.Error as error:
            rule = f"the ledger at {self.where} failed ({_reason(error)}); {outcome}"
            raise BudgetError(rule, code="unavailable") from None


def find_schemas(connection: psycopg.Connection[Any], *, named: bool) -> list[str]:
    """Return the schemas of the database that hold a ledger; with `named` only those that the
    URL's path names.
    """
    rows = connection.execute(
        "SELECT DISTINCT schemaname FROM pg_catalog.pg_tables WHERE tablename IN "
        "('discreet_schema', 'discreet_entries') AND left(schemaname::text, 3) <> 'pg_' ORDER BY 1"
    )
    held = [name for (name,) in rows.fetchall()]
    setting = connection.execute(
        "SELECT setting, source, current_user::text FROM pg_catalog.pg_settings WHERE name = "
        "'search_path'"
    )
    ((path, source, user),) = setting.fetchall()
    if (
        not named or source != "client"
    ):  # the path is the role's, the database's, the server's or the environment's
        return held
    parts = [part.strip() for part in re.findall(r'"(?:[^"]|"")*"|[^,]+', path)]
    names = {part[1:-1].replace('""', '"') if part[:1] == '"' else part.lower() for part in parts}
    return [name for name in held if name in names or (name == user and "$user" in names)]


def _wrong_password(error: psycopg.OperationalError) -> bool:
    """Whether the server wanted a password and got none, or the wrong one.

    libpq keeps no code of an error before there is a connection, so its words decide, which are
    English unless the server's `lc_messages` is not. A server that has no room for another
    connection may have read a password too.
    """
    connection = error.pgconn
    if connection is None or not connection.used_password:
        return False
    return connection.needs_password or "password authentication failed" in _reason(error)


def _reason(error: psycopg.Error) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return "; ".join(lines)[:300] or type(error).__name__
