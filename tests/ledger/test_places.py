"""Places that are no ledger, or fail: a clear error of ours, never the database's own, and nothing written."""

from __future__ import annotations

import itertools
import os
import random
import resource
import shutil
import sqlite3
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from urllib.parse import quote

import pytest
from bench.faults.servers import Proxy
from tests.ledger.places import sql

from discreet.cli.failures import EXIT_CODES
from discreet.core import progress
from discreet.errors import BudgetError, DiscreetError, InvalidFile, InvalidInput
from discreet.ledger import open_ledger
from discreet.ledger.databases.postgres import PostgresStore
from discreet.ledger.databases.urls import shown, without_secrets


@contextmanager
def powerless():
    """Be a user whom file permissions bind, even when the tests run as root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_folder():
    """A directory that other users can enter, which pytest's own is not."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


# --- SQLite ----------------------------------------------------------------------------------------------------------


def test_a_missing_file_is_made_only_when_wanted(tmp_path):
    path = tmp_path / "budget.db"
    with pytest.raises(
        InvalidFile, match=r"`ledger` must be a ledger; there is no such file \(.*budget\.db\)"
    ):
        open_ledger(path, create=False)
    assert not path.exists()
    open_ledger(path)
    assert open_ledger(path, create=False).datasets() == ()


@pytest.mark.parametrize(
    "name", ["a b.db", "a?mode=memory", "a#b.db", "100%41.db", "é.db", "it's.db", "&immutable=1"]
)
def test_any_file_name_will_do(tmp_path, name):
    open_ledger(tmp_path / name).open("people", budget=1)
    assert [p.name for p in tmp_path.iterdir()] == [name]
    assert open_ledger(str(tmp_path / name), create=False).remaining("people") == 1


def test_a_ledger_stays_the_same_when_the_working_directory_changes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ledger = open_ledger("budget.db")
    ledger.open("people", budget=1)
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    assert ledger.remaining("people") == 1
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize(
    "where",
    ["", " ", ":memory:", "file:x.db", "mysql://user:secret@host/db", None, 3, b"x", "a\0b"],
)
def test_a_place_that_is_none(where):
    with pytest.raises(
        InvalidInput, match="`ledger` must be a path or a postgresql:// URL"
    ) as refused:
        open_ledger(where)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), "1", None])
def test_a_timeout_that_is_none(tmp_path, timeout):
    with pytest.raises(InvalidInput, match="`timeout` must"):
        open_ledger(tmp_path / "budget.db", timeout=timeout)


def test_a_directory(tmp_path):
    with pytest.raises(InvalidFile, match="is a directory"):
        open_ledger(tmp_path)


def test_a_directory_that_is_missing(tmp_path):
    with pytest.raises(InvalidFile, match="must be in a directory that exists"):
        open_ledger(tmp_path / "no" / "budget.db")


def test_a_directory_one_may_not_write(open_folder):
    open_folder.chmod(0o555)
    with powerless(), pytest.raises(InvalidFile, match=r"cannot be created \(Permission denied\)"):
        open_ledger(open_folder / "budget.db")


def test_a_file_that_is_no_database(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("dear diary, " * 100)
    with pytest.raises(InvalidFile, match="this file is not a SQLite database"):
        open_ledger(path)
    assert path.read_text() == "dear diary, " * 100


def test_an_empty_file_is_no_ledger_unless_one_may_be_made(tmp_path):
    path = tmp_path / "empty"
    path.touch()
    with pytest.raises(InvalidFile, match="this place is empty"):
        open_ledger(path, create=False)
    assert path.stat().st_size == 0


def test_a_file_one_may_only_read_can_be_read(open_folder):
    path = open_folder / "budget.db"
    open_ledger(path).open("people", budget=1)
    path.chmod(0o444)
    with powerless():
        ledger = open_ledger(path)
        assert ledger.remaining("people") == 1
        assert ledger.verify().entries == 1
        with pytest.raises(
            BudgetError,
            match="cannot be written; nothing was written: make the file and its directory writable",
        ):
            ledger.reserve("people", 1)
    assert open_ledger(path).remaining("people") == 1


def test_a_file_one_may_not_read(open_folder):
    path = open_folder / "budget.db"
    open_ledger(path)
    path.chmod(0)
    with powerless(), pytest.raises(BudgetError, match="cannot be opened .* check its permissions"):
        open_ledger(path)


def test_a_locked_ledger(tmp_path):
    path = tmp_path / "budget.db"
    open_ledger(path).open("people", budget=1)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    ledger = open_ledger(path, timeout=0.1)
    assert ledger.remaining("people") == 1  # reading goes on
    with pytest.raises(
        BudgetError,
        match=r"stayed locked for 0\.1 s by another process; nothing was written: try again",
    ):
        ledger.reserve("people", 1)
    holder.execute("COMMIT")
    holder.close()
    ledger.reserve("people", 1)


def test_a_reader_that_stays_makes_a_writer_give_up_with_nothing_written(tmp_path):
    path = tmp_path / "budget.db"
    open_ledger(path).open("people", budget=1)
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM discreet_entries").fetchall()
    with pytest.raises(BudgetError, match="stayed locked .* nothing was written"):
        open_ledger(path, timeout=0.1).reserve("people", 1)
    reader.close()
    assert open_ledger(path).remaining("people") == 1


def test_a_ledger_that_vanished_does_not_come_back_empty(tmp_path):
    path = tmp_path / "budget.db"
    ledger = open_ledger(path)
    ledger.open("people", budget=1)
    path.unlink()
    with pytest.raises(InvalidFile, match="the file is gone"):
        ledger.open("people", budget=1)
    assert not path.exists()


def test_a_full_disk(tmp_path):
    path = tmp_path / "budget.db"
    ledger = open_ledger(path)
    ledger.open("people", budget=1)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size, hard))
    try:
        granted, error = _until_refused(ledger)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "is full" in error or "disk I/O error" in error
    assert ledger.verify().entries == 1 + granted
    ledger.reserve("people", "1/1000")


def _until_refused(ledger):
    for granted in range(100):
        try:
            ledger.reserve("people", "1/1000", note="x" * 2000)
        except BudgetError as error:
            return granted, str(error)
    raise AssertionError("the disk never filled")


def test_durable_settings_are_what_the_module_says(tmp_path):
    with open_ledger(tmp_path / "budget.db")._store.writing() as session:
        assert session.execute("PRAGMA synchronous") == [(3,)]  # EXTRA
        assert session.execute("PRAGMA journal_mode") == [("delete",)]


def damaged(data: bytes, chance: random.Random) -> bytes:
    content = bytearray(data)
    for _ in range(chance.choice([1, 1, 2, 30])):
        at = chance.randrange(len(content))
        content[at] = chance.randrange(256)
    kind = chance.random()
    if kind < 0.1:
        del content[chance.randrange(len(content)) :]
    elif kind < 0.2:
        at = chance.randrange(len(content))
        content[at : at + 512] = bytes(512)
    return bytes(content)


@pytest.mark.parametrize("cases", [150, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_damaged_file_gives_our_errors_only_and_never_other_entries(tmp_path, cases):
    path = tmp_path / "budget.db"
    ledger = open_ledger(path)
    ledger.open("people", budget=1)
    for n in range(6):
        ledger.reserve("people", "1/10", note="n" * 300, release_id=f"r{n}")
    entries, head, data = ledger.history(), ledger.head(), path.read_bytes()
    chance = random.Random(cases)
    refused = 0
    for _ in range(cases):
        path.write_bytes(damaged(data, chance))
        try:
            opened = open_ledger(path, create=False, timeout=0.01)
            opened.verify(head)
            assert opened.history() == entries
        except DiscreetError:
            refused += 1
    assert refused > cases // 20


# --- PostgreSQL ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann:se@cret@host/db",
        "postgresql://ann:se/cret@host/db",
        "postgresql://ann:se#cret@host/db",
        "postgresql://ann:se?cret@host/db",
        "postgresql://ann:12/cret@host/db",
        "postgresql://ann:12?cret@host/db",
        "postgresql://ann:[cret@host/db",
        "postgresql://ann:cret@host:port/db",
        "postgresql://ann:cret@host/db?sslmode",
        "postgresql://ann:cret\n@host/db",
    ],
)
def test_a_url_whose_password_might_be_shown_is_refused_without_showing_it(url):
    with pytest.raises(
        InvalidInput, match=r"must be postgresql://user:password@host:port/database \(not shown"
    ) as refused:
        open_ledger(url)
    assert "cret" not in str(refused.value)
    assert refused.value.__cause__ is None


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("postgresql://ann:cret@host:5433/db?sslmode=require", "postgresql://ann@host:5433/db"),
        ("postgres://ann:c%40ret%2F@host/db", "postgresql://ann@host/db"),
        ("postgresql:///db?user=ann&password=cret&host=%2Frun", "postgresql://ann@/run/db"),
        ("postgresql://ann:cr:et@a:1,b:2/db", "postgresql://ann@a:1,b:2/db"),
        ("postgresql://[::1]:5432/db", "postgresql://[::1]:5432/db"),
    ],
)
def test_a_url_is_shown_without_its_password(url, safe):
    assert shown(url) == safe
    assert repr(PostgresStore(url, timeout=1)) == f"PostgresStore({safe!r})"


@pytest.mark.parametrize(
    ("url", "plain", "secrets"),
    [
        (
            "postgresql://ann:cret@host:5433/db?sslmode=require",
            "postgresql://ann@host:5433/db?sslmode=require",
            "password",
        ),
        ("postgres://ann:c%40ret%2F@[::1]:5,b:6/db", "postgres://ann@[::1]:5,b:6/db", "password"),
        (
            "postgresql:///db?host=%2Frun&user=ann&password=cret",
            "postgresql:///db?host=%2Frun&user=ann",
            "password",
        ),
        (
            "postgresql:///db?%70assword=cret&options=-cx%3Dy%20-cz%3D1",
            "postgresql:///db?options=-cx%3Dy%20-cz%3D1",
            "password",
        ),
        (
            "postgresql://h/db?oauth_client_secret=cret&sslpassword=cret",
            "postgresql://h/db",
            "oauth_client_secret sslpassword",
        ),
        ("postgresql://ann:cret@h/db?password=cret", "postgresql://ann@h/db", "password"),
        ("postgresql://h/db?something_new=cret", "postgresql://h/db", "something_new"),
        ("postgresql://ann@h/db?passfile=%2Fx", "postgresql://ann@h/db?passfile=%2Fx", ""),
    ],
)
def test_what_is_written_of_a_url_holds_no_secret(url, plain, secrets):
    assert without_secrets(url) == (plain, tuple(secrets.split()))
    assert without_secrets(plain) == (plain, ())


@pytest.mark.postgres
def test_a_url_without_its_password_still_opens_the_ledger(postgres):
    url = postgres()
    open_ledger(url).open("people", budget=1)
    assert open_ledger(without_secrets(url + "&password=cret")[0]).remaining("people") == 1


@pytest.mark.postgres
def test_a_server_that_cannot_be_reached(postgres, tmp_path):
    url = f"postgresql://ann:topsecret@/db?host={quote(str(tmp_path), safe='')}"
    with pytest.raises(
        BudgetError, match=r"cannot be reached \(.*nothing was written: check that the server runs"
    ) as failed:
        open_ledger(url)
    assert "topsecret" not in str(failed.value)
    assert failed.value.__suppress_context__


@pytest.mark.postgres
@pytest.mark.parametrize("password", ["&password=topsecret", ""])
def test_a_wrong_password_is_no_reason_to_try_again(postgres_server, password, monkeypatch):
    """A scheduler that repeats what ends with `unavailable` would lock the user out."""
    monkeypatch.delenv("PGPASSWORD", raising=False)
    monkeypatch.setenv("PGPASSFILE", os.devnull)
    rules = Path(postgres_server.folder) / "data" / "pg_hba.conf"
    rules.write_text(f"local all locked scram-sha-256\n{rules.read_text()}")
    postgres_server.run("DROP ROLE IF EXISTS locked")
    postgres_server.run("CREATE ROLE locked LOGIN PASSWORD 'right'")
    postgres_server.run("SELECT pg_reload_conf()")
    url = postgres_server.base.replace("user=postgres", "user=locked")
    failed = None
    while failed is None:  # the server reads its rules when it comes to it
        try:
            open_ledger(url + password)
            time.sleep(0.05)
        except BudgetError as error:
            failed = error
    assert failed.code == "ledger-refused" and EXIT_CODES[failed.code] == 2
    assert "refused user or password; nothing was written" in str(
        failed
    ) and "topsecret" not in str(failed)
    with pytest.raises(
        BudgetError
    ) as refused:  # another user's trouble is still of a server that cannot be reached
        open_ledger(f"{postgres_server.base}&dbname=nowhere")
    assert refused.value.code == "unavailable"


@pytest.mark.postgres
def test_an_option_that_libpq_does_not_know(postgres):
    with pytest.raises(InvalidInput, match="that libpq can read") as refused:
        open_ledger("postgresql://ann:topsecret@host/db?pasword=topsecret")
    assert "topsecret" not in str(refused.value)


@pytest.mark.postgres
def test_a_postgres_ledger_shows_no_password(postgres):
    ledger = open_ledger(postgres() + "&password=topsecret")
    assert "topsecret" not in repr(ledger) + ledger.where
    assert ledger.where.startswith("postgresql://postgres@")


@pytest.mark.postgres
def test_an_empty_schema_is_no_ledger_unless_one_may_be_made(postgres):
    with pytest.raises(InvalidFile, match="this place is empty"):
        open_ledger(postgres(), create=False)


@pytest.mark.postgres
def test_a_user_without_rights(postgres):
    url = postgres()
    open_ledger(url).open("people", budget=1)
    schema = url.rpartition("%3D")[2]
    sql(
        url,
        f"CREATE ROLE reader_{schema} LOGIN",
        f"GRANT USAGE ON SCHEMA {schema} TO reader_{schema}",
        f"GRANT SELECT ON discreet_entries, discreet_schema TO reader_{schema}",
    )
    ledger = open_ledger(url.replace("user=postgres", f"user=reader_{schema}"))
    assert ledger.remaining("people") == 1
    with pytest.raises(
        BudgetError, match="may not be used this way .*permission denied.*nothing was written"
    ):
        ledger.reserve("people", 1)
    assert open_ledger(url).remaining("people") == 1


@pytest.mark.postgres
def test_a_postgres_ledger_that_stays_locked(postgres):
    import psycopg

    from discreet.ledger.databases.postgres import LOCK

    url = postgres()
    open_ledger(url).open("people", budget=1)
    with psycopg.connect(url) as holder:
        holder.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        ledger = open_ledger(url, timeout=0.1)
        assert ledger.remaining("people") == 1
        with pytest.raises(
            BudgetError, match=r"stayed locked for 0\.1 s by another process; nothing was written"
        ):
            ledger.reserve("people", 1)
    ledger.reserve("people", 1)


@pytest.mark.postgres
def test_find_waits_for_a_commit_that_is_under_way(postgres):
    """A client that lost its connection at the commit asks at once: the server may not have come to it yet."""
    url = postgres()
    ledger = open_ledger(url)
    ledger.open("people", budget=1)
    passed, written, go = [], threading.Event(), threading.Event()

    def slow(phase: str) -> None:
        passed.append(phase)
        if len(passed) == 3:  # between writing and committing
            written.set()
            go.wait(120)

    def reserve() -> None:
        progress.watch(slow)
        open_ledger(url).reserve("people", 1, release_id="r")

    with ThreadPoolExecutor(2) as pool:
        try:
            writer = pool.submit(reserve)
            assert written.wait(120)
            answer = pool.submit(open_ledger(url).find, "r")
            assert not wait([answer], timeout=0.3).done
            go.set()
            assert answer.result(120).release_id == "r"
            writer.result(120)
        finally:
            go.set()
            progress.watch(None)


@pytest.mark.postgres
def test_a_server_told_not_to_wait_for_the_disk_is_overruled(postgres):
    url = postgres().replace("options=", "options=-csynchronous_commit%3Doff%20")
    with open_ledger(url)._store.writing() as session:
        assert session.execute("SHOW synchronous_commit") == [("on",)]
    stronger = url.replace("commit%3Doff", "commit%3Dremote_apply")
    with open_ledger(stronger)._store.writing() as session:
        assert session.execute("SHOW synchronous_commit") == [("remote_apply",)]


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("passing", "said"), [(2, "nothing was written"), (3, "ledger.find('r') tells.")]
)
def test_a_session_ended_by_the_server(postgres, passing, said):
    """Before the entry is sent the error can say that nothing was written; later the client learns it at the commit."""
    url = postgres()
    ledger = open_ledger(url)
    ledger.open("people", budget=1)
    passed = []

    def cut(phase: str) -> None:
        passed.append(phase)
        if len(passed) == passing:
            ours = "pid <> pg_backend_pid() AND state = 'idle in transaction'"
            sql(url, f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE {ours}")

    progress.watch(cut)
    try:
        with pytest.raises(BudgetError) as failed:
            ledger.reserve("people", 1, release_id="r")
    finally:
        progress.watch(None)
    assert str(failed.value).endswith(said)
    assert ledger.find("r") is None
    ledger.reserve("people", 1, release_id="r")


@pytest.mark.postgres
@pytest.mark.parametrize("deliver", [False, True])
def test_a_connection_lost_at_the_commit_says_so_and_how_to_find_out(postgres, deliver):
    url = postgres()
    ledger = open_ledger(url)
    ledger.open("people", budget=1)
    with psycopg_folder(url) as (server, folder):
        proxy = Proxy(server, folder, deliver=deliver)
        doubtful = open_ledger(
            url.replace(quote(str(server), safe=""), quote(str(folder), safe=""))
        )
        with pytest.raises(BudgetError, match="whether it was written is not known") as failed:
            doubtful.reserve("people", 1, release_id="r")
        proxy.close()
    assert str(failed.value).endswith("ledger.find('r') tells.")
    found = ledger.find("r")
    assert (found is not None) == deliver
    # Either way the release goes on under one entry, and is paid once.
    entry = ledger.resume("r") if found else ledger.reserve("people", 1, release_id="r")
    assert ledger.mark_drawn(entry).state == "drawn"
    assert ledger.remaining("people") == 0


@contextmanager
def psycopg_folder(url: str):
    from psycopg.conninfo import conninfo_to_dict

    folder = Path(tempfile.mkdtemp(prefix="px-"))
    try:
        yield Path(conninfo_to_dict(url)["host"]), folder
    finally:
        shutil.rmtree(folder)


# --- one URL, one ledger ---------------------------------------------------------------------------------------------


@pytest.fixture
def database(postgres_server):
    """The URL of a database of its own for a user who may do everything in it, and a way to run statements there."""
    name = f"own{next(_databases)}"
    postgres_server.run(f"CREATE ROLE {name} LOGIN")
    postgres_server.run(f"CREATE DATABASE {name} OWNER {name}")
    admin = postgres_server.base.replace("/postgres?", f"/{name}?")
    return (
        admin.replace("user=postgres", f"user={name}"),
        lambda *statements: sql(admin, *statements),
        name,
    )


_databases = itertools.count()


def spend(url):
    ledger = open_ledger(url)
    ledger.open("people", budget=1)
    ledger.reserve("people", "1/2", release_id="r")
    return ledger


@pytest.mark.postgres
@pytest.mark.parametrize(
    "change",
    [
        "CREATE SCHEMA {user} AUTHORIZATION {user}",
        "ALTER ROLE {user} SET search_path = elsewhere, public",
        "ALTER ROLE {user} SET search_path = elsewhere",
        "ALTER DATABASE {user} SET search_path = elsewhere",
        "REVOKE USAGE ON SCHEMA public FROM PUBLIC",
        "CREATE SCHEMA {user} AUTHORIZATION {user}; CREATE VIEW {user}.discreet_schema AS SELECT 2 AS version; "
        "CREATE VIEW {user}.discreet_entries AS SELECT 1 AS sequence, '' AS line, '' AS seal WHERE false",
    ],
)
def test_the_same_url_never_means_another_ledger(database, change):
    """The schema is found where the ledger was made, not where the search path points today."""
    url, run, user = database
    held = spend(url)
    run(
        "CREATE SCHEMA elsewhere",
        f"GRANT ALL ON SCHEMA elsewhere TO {user}",
        change.format(user=user),
    )
    if change.startswith(
        "REVOKE"
    ):  # known to be there, and not to be read: never a new one instead
        run(
            f"ALTER DATABASE {user} SET search_path = elsewhere",
            f"REVOKE ALL ON SCHEMA public FROM {user}",
        )
        run("ALTER SCHEMA public OWNER TO postgres")
        with pytest.raises(BudgetError, match="may not be used this way"):
            open_ledger(url)
    else:
        again = open_ledger(url)
        assert again.remaining("people") == Fraction(1, 2)
        assert held.verify() == again.head()
        again.reserve("people", "1/2")
        assert held.remaining("people") == 0
    found = run("SELECT schemaname::text FROM pg_tables WHERE tablename = 'discreet_entries'")
    assert found == [("public",)]


@pytest.mark.postgres
def test_several_ledgers_in_a_database_are_told_apart_by_the_url(database):
    url, run, user = database
    first = spend(url)
    run(
        f"CREATE SCHEMA other AUTHORIZATION {user}",
        f'CREATE SCHEMA "Odd, Name" AUTHORIZATION {user}',
    )
    named = {
        name: f"{url}&options=-csearch_path%3D{quote(name)}"
        for name in ("other", "public", '"Odd,\\ Name"')
    }
    assert open_ledger(named["public"]).remaining("people") == Fraction(1, 2)
    assert (
        open_ledger(named["other"]).datasets() == ()
    )  # a schema of its own name is a ledger of its own
    open_ledger(named["other"]).open("firms", budget=3)
    with pytest.raises(
        InvalidInput, match=r"schemas that hold a ledger \(other, public\).*csearch_path%3Dother"
    ):
        open_ledger(url)
    assert first.remaining("people") == Fraction(
        1, 2
    )  # a process that has found its ledger keeps it
    open_ledger(named['"Odd,\\ Name"']).open("oddities", budget=2)
    for name, held in (("other", "firms"), ("public", "people"), ('"Odd,\\ Name"', "oddities")):
        assert [account.dataset for account in open_ledger(named[name]).datasets()] == [held]
    both = f"{url}&options=-csearch_path%3Dother%2Cpublic"
    with pytest.raises(InvalidInput, match="must name one of the schemas"):
        open_ledger(both)


@pytest.mark.postgres
def test_a_path_of_the_url_itself_is_pinned_too(database):
    url, run, user = database
    both = f"{url}&options=-csearch_path%3D%22%24user%22%2Clater%2Cpublic"
    spend(both)
    run(f"CREATE SCHEMA later AUTHORIZATION {user}", f"CREATE SCHEMA {user} AUTHORIZATION {user}")
    assert open_ledger(both).remaining("people") == Fraction(1, 2)
    run("CREATE SCHEMA empty", f"GRANT ALL ON SCHEMA empty TO {user}")
    with pytest.raises(InvalidFile, match="this place is empty"):
        open_ledger(f"{url}&options=-csearch_path%3Dempty", create=False)


@pytest.mark.postgres
def test_a_url_that_names_no_schema_there_is(postgres):
    with pytest.raises(InvalidInput, match="`ledger` must name a schema that exists"):
        open_ledger(postgres().rpartition("%3D")[0] + "%3Dnone_such")


@pytest.mark.parametrize(
    "slip",
    [
        "postgresql:/ann:cret@host/db",
        "postgresql:ann:cret@host/db",
        " Postgres:ann:cret@host/db",
        "host=db user=ann password=cret",
        "dbname=x PASSWORD = 'cret'",
    ],
)
def test_a_slip_in_a_url_does_not_show_its_password(slip):
    with pytest.raises(InvalidInput, match="not shown: it may hold a password") as refused:
        open_ledger(slip)
    assert "cret" not in str(refused.value) + repr(refused.value)


def test_a_mistyped_file_is_answered_with_the_ledger_beside_it(tmp_path):
    """A new ledger would begin at nothing spent: it is offered only where there is none."""
    open_ledger(tmp_path / "budget.db").open("patients", budget=1)
    (tmp_path / "people.csv").write_text("person\n1\n", encoding="utf-8")
    for name in ("budgets.db", "other.db"):
        with pytest.raises(
            InvalidFile, match=r"did you mean .*budget\.db\? A new ledger would forget"
        ) as refused:
            open_ledger(tmp_path / name, create=False)
        assert "make one with" not in str(refused.value) and not (tmp_path / name).exists()
    alone = tmp_path / "alone"
    alone.mkdir()
    with pytest.raises(InvalidFile, match="make one with"):
        open_ledger(alone / "budget.db", create=False)
