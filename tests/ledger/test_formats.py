"""Backups and schemas: what was written stays readable, and no spending is lost on the way."""

from __future__ import annotations

import shutil
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.ledger.places import sql

from discreet.errors import BudgetError, InvalidFile
from discreet.ledger import open_ledger
from discreet.ledger.backups import read_backup
from discreet.ledger.databases.schema import append
from discreet.ledger.databases.sqlite import SqliteStore

FIXTURES = Path(__file__).parent.parent / "fixtures"
HEAD = (FIXTURES / "ledger.head").read_text()


def check_fixture(ledger):
    """What the fixtures say, written down when they were made."""
    ledger.verify(HEAD)
    people, clinics = ledger.datasets()
    assert (people.dataset, people.budget, people.remaining) == ("people", 2, Fraction(31, 20))
    assert (clinics.dataset, clinics.budget, clinics.remaining) == (
        "cliniques d'été",
        Fraction(1, 3),
        Fraction(1, 3),
    )
    assert [r.release_id for r in people.unfinished] == ["crashed", "idle", "asked"]
    states = {name: ledger.find(name).state for name in ("monthly", "crashed", "idle", "abandoned")}
    assert states == {
        "monthly": "committed",
        "crashed": "publishing",
        "idle": "reserved",
        "abandoned": "released",
    }
    assert ledger.find("monthly").draws == 2
    made = ledger.find("asked")
    assert (made.state, made.draws, made.question, made.caller) == (
        "publishing",
        2,
        "ab" * 32,
        "run 7 of ann",
    )
    assert made.outputs == ("/data/première", "/data/second\udcff")
    assert ledger.find("idle").question == ""


def test_a_file_is_read_and_added_to(tmp_path):
    shutil.copy(FIXTURES / "ledger.db", tmp_path / "budget.db")
    ledger = open_ledger(tmp_path / "budget.db", create=False)
    check_fixture(ledger)
    assert str(ledger.head()) == HEAD
    ledger.reserve("people", "31/20")
    assert ledger.remaining("people") == 0


def test_who_only_looks_changes_nothing(tmp_path):
    place = str(tmp_path / "budget.db")
    shutil.copy(FIXTURES / "ledger.db", place)
    before = Path(place).read_bytes()
    ledger = open_ledger(place)
    check_fixture(ledger)
    ledger.history(), ledger.verify(), ledger.backup(tmp_path / "saved")
    with pytest.raises(BudgetError, match="does not fit"):
        ledger.reserve("people", 3)
    assert Path(place).read_bytes() == before
    assert (tmp_path / "saved").read_bytes() == (FIXTURES / "ledger.backup").read_bytes()


def test_a_release_that_was_reserved_without_a_question_is_drawn_for_one(tmp_path):
    shutil.copy(FIXTURES / "ledger.db", tmp_path / "budget.db")
    ledger = open_ledger(tmp_path / "budget.db")
    ledger.resume("idle", question="whatever: nobody recorded one")
    entry = ledger.mark_drawn(ledger.find("idle"), question="q", output="/out")
    assert (entry.question, entry.outputs) == ("q", ("/out",))
    ledger.verify(HEAD)


def test_a_ledger_that_cannot_be_written_is_read(tmp_path, monkeypatch):
    place = tmp_path / "budget.db"
    shutil.copy(FIXTURES / "ledger.db", place)
    monkeypatch.setattr(SqliteStore, "writing", None)
    check_fixture(open_ledger(place))


def test_a_backup_is_restored_into_either_database(place):
    ledger = open_ledger(place)
    ledger.restore(FIXTURES / "ledger.backup", by="ann")
    check_fixture(ledger)
    last = ledger.history()[-1]
    assert (last.kind, last.by) == ("restore", "ann")
    assert last.note.endswith(f"from a backup ending at {HEAD}")


def test_a_newer_version_is_refused_and_left_alone(place):
    open_ledger(place).open("people", budget=1)
    ledger = open_ledger(place)
    sql(place, "UPDATE discreet_schema SET version = 2")
    for use in (lambda: open_ledger(place), lambda: ledger.reserve("people", 1)):
        with pytest.raises(
            InvalidFile, match="schema version 2; this discreet knows up to 1.*upgrade discreet"
        ):
            use()
    sql(place, "UPDATE discreet_schema SET version = 1")
    assert ledger.remaining("people") == 1


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM discreet_schema",
        "INSERT INTO discreet_schema VALUES (1)",
        "UPDATE discreet_schema SET version = 0",
        "UPDATE discreet_schema SET version = -1",
        "DROP TABLE discreet_schema",
        "DROP TABLE discreet_entries",
    ],
)
def test_a_schema_that_makes_no_sense_is_damage_not_an_empty_ledger(place, damage):
    open_ledger(place).open("people", budget=1)
    sql(place, damage)
    with pytest.raises(InvalidFile, match="damaged"):
        open_ledger(place)


def test_a_ledger_lives_beside_tables_of_others(place):
    sql(place, "CREATE TABLE mine (x INTEGER)")
    open_ledger(place).open("people", budget=1)
    assert sql(place, "SELECT * FROM mine") == []


# --- backups ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def ledger(place):
    ledger = open_ledger(place)
    ledger.open("people", budget=1)
    ledger.reserve("people", "1/4", release_id="a", note='naïve "quotes"\nand lines')
    return ledger


def test_a_backup_brings_everything_back_elsewhere(ledger, tmp_path):
    head = ledger.backup(tmp_path / "saved")
    assert head == ledger.head()
    other = open_ledger(tmp_path / "other.db")
    assert other.restore(tmp_path / "saved").entries == head.entries + 1
    assert other.verify(head) == other.head()
    assert other.history("people") == ledger.history("people")
    assert other.datasets() == ledger.datasets()


def test_restoring_forgets_nothing(ledger, tmp_path):
    ledger.backup(tmp_path / "saved")
    with pytest.raises(
        BudgetError, match="holds all 2 entries of the backup: there is nothing to restore"
    ):
        ledger.restore(tmp_path / "saved")
    ledger.reserve("people", "1/4")
    before = ledger.head()
    with pytest.raises(
        BudgetError, match="holds all 2 entries of the backup: there is nothing to restore"
    ):
        ledger.restore(tmp_path / "saved")
    assert ledger.head() == before


def test_a_backup_that_goes_further_is_caught_up_with(ledger, tmp_path):
    ledger.backup(tmp_path / "old")
    ledger.reserve("people", "1/4", release_id="b")
    ledger.backup(tmp_path / "new")
    rolled_back = open_ledger(tmp_path / "rolled back.db")  # as from a snapshot of the disk
    with rolled_back._store.writing() as session:
        append(session, read_backup(tmp_path / "old")[1])
    rolled_back.restore(tmp_path / "new")
    assert rolled_back.verify(ledger.head()).entries == 4
    assert rolled_back.remaining("people") == Fraction(1, 2)
    forked = open_ledger(tmp_path / "forked.db")
    forked.restore(tmp_path / "old")
    with pytest.raises(BudgetError, match="the backup and this ledger have diverged"):
        forked.restore(tmp_path / "new")


def test_an_old_backup_shows_against_the_head_that_was_kept(ledger, tmp_path):
    ledger.backup(tmp_path / "saved")
    ledger.reserve("people", "1/4", release_id="after the backup"[:5])
    kept = str(ledger.head())
    other = open_ledger(tmp_path / "other.db")
    other.restore(tmp_path / "saved")
    with pytest.raises(BudgetError, match="entry 3 is not the one the head that was kept names"):
        other.verify(kept)


def test_a_backup_of_another_ledger_is_refused(ledger, tmp_path):
    other = open_ledger(tmp_path / "other.db")
    for name in ("x", "y", "z"):
        other.open(name, budget=1)
    other.backup(tmp_path / "saved")
    before = ledger.head()
    with pytest.raises(BudgetError, match="the backup and this ledger have diverged"):
        ledger.restore(tmp_path / "saved")
    assert ledger.head() == before


def test_a_backup_does_not_overwrite_unless_told(ledger, tmp_path):
    path = tmp_path / "saved"
    path.write_text("precious")
    with pytest.raises(InvalidFile, match="`path` exists already"):
        ledger.backup(path)
    assert path.read_text() == "precious"
    ledger.backup(path, overwrite=True)
    assert read_backup(path)[0].head == ledger.head()
    assert sorted(p.name for p in tmp_path.iterdir() if p.name != "budget.db") == ["saved"]


@pytest.mark.parametrize("name", ["no/such/folder", ""])
def test_a_backup_to_nowhere(ledger, tmp_path, name):
    with pytest.raises(InvalidFile, match="`path`"):
        ledger.backup(tmp_path / name, overwrite=True)


def test_a_backup_that_is_none(tmp_path):
    ledger = open_ledger(tmp_path / "budget.db")
    for content in (
        b"",
        b"\xff\xfe",
        b"{}",
        b"[]\n",
        b"null\n",
        b'{"discreet": "ledger backup", "format": 0, "head": ""}\n',
        b'{"discreet": "ledger backup", "format": true, "head": ""}\n',
    ):
        (tmp_path / "saved").write_bytes(content)
        with pytest.raises(InvalidFile, match="`path` must be a ledger backup"):
            ledger.restore(tmp_path / "saved")
    (tmp_path / "saved").write_bytes(b'{"discreet": "ledger backup", "format": 2, "head": ""}\n')
    with pytest.raises(
        InvalidFile, match="is a ledger backup of format 2; this discreet knows up to 1.*upgrade"
    ):
        ledger.restore(tmp_path / "saved")
    for missing in (tmp_path / "missing", tmp_path):
        with pytest.raises(InvalidFile, match="`path` cannot be read"):
            ledger.restore(missing)
    assert ledger.head().entries == 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_change_to_a_backup_is_found(tmp_path, data):
    content = (FIXTURES / "ledger.backup").read_bytes()
    at = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        changed = content[:at] + bytes([data.draw(st.integers(0, 255))]) + content[at + 1 :]
    else:
        changed = content[:at]
    path = tmp_path / "changed"
    path.write_bytes(changed)
    try:
        books, rows = read_backup(path)
    except InvalidFile:
        return
    # A header may be spelt differently and mean the same; the entries may not.
    assert str(books.head) == HEAD
    assert rows == read_backup(FIXTURES / "ledger.backup")[1]
