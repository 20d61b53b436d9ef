"""`verify` finds what was edited, lost, moved or cut off, on both databases; a broken ledger grants nothing."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tests.ledger.places import sql

from discreet.errors import BudgetError
from discreet.ledger import open_ledger
from discreet.ledger.databases.schema import append, rows_from
from discreet.ledger.entries import START, Entry, Head, follow


def chain():
    """The entries of a ledger with one finished release and one reservation."""
    about = {"dataset": "people", "time": "2026-11-15T08:00:00+00:00"}
    first, second = about | {"id": "first"}, about | {"id": "second"}
    steps = [
        about | {"kind": "open", "amount": "1/1"},
        first | {"kind": "reserve", "amount": "1/2"},
        first | {"kind": "draw"},
        first | {"kind": "publish", "digest": "d"},
        first | {"kind": "commit"},
        second | {"kind": "reserve", "amount": "1/4"},
    ]
    head, entries = Head(), []
    for step in steps:
        entries.append(Entry(sequence=head.entries + 1, previous=head.seal, **step))
        head = Head(entries=head.entries + 1, seal=entries[-1].seal)
    return entries


@pytest.fixture
def written(place):
    """A place with six entries and no guards, as someone with the database's password has it."""
    with open_ledger(place)._store.writing() as session:
        append(session, [entry.row for entry in chain()])
        for name in re.findall(r"CREATE TRIGGER (\w+)", " ".join(session.guards)):
            session.execute(
                f"DROP TRIGGER {name}"
                + (" ON discreet_entries" if place.startswith("postgres") else "")
            )
    return place


def rows(place):
    with open_ledger(place)._store.reading() as session:
        return rows_from(session, 1)


def rewrite(place, entries):
    """Replace the whole chain by one that is sealed afresh."""
    sql(place, "DELETE FROM discreet_entries")
    head = Head()
    with open_ledger(place)._store.writing() as session:
        for entry in entries:
            entry = replace(entry, sequence=head.entries + 1, previous=head.seal)
            append(session, [entry.row])
            head = Head(entries=entry.sequence, seal=entry.seal)


def must_be_found(place, match, **arguments):
    with pytest.raises(BudgetError, match=match):
        open_ledger(place).verify(**arguments)


def test_the_entries_under_test_are_what_the_ledger_writes(place):
    ledger = open_ledger(place)
    ledger.open("people", budget=1)
    entry = ledger.mark_drawn(ledger.reserve("people", "1/2", release_id="first"))
    ledger.commit(ledger.mark_publishing(entry, digest="d"))
    ledger.reserve("people", "1/4", release_id="second")
    unsealed = {"time": "", "previous": ""}
    assert [replace(e, **unsealed) for e in ledger.history()] == [
        replace(e, **unsealed) for e in chain()
    ]


def test_an_untouched_ledger_verifies_against_every_head_it_ever_had(written):
    ledger = open_ledger(written)
    for number, _, seal in rows(written):
        assert ledger.verify(f"{number}:{seal}") == ledger.head()
    assert ledger.verify(Head()) == ledger.head()


FORGED = "'{}', '00'"
CHANGES = [
    "UPDATE discreet_entries SET line = ''",
    "UPDATE discreet_entries SET sequence = 9 WHERE sequence = 1",
    "DELETE FROM discreet_entries",
    f"INSERT INTO discreet_entries VALUES (1, {FORGED}) ON CONFLICT (sequence) DO UPDATE SET line = excluded.line",
]
ON_SQLITE = [
    f"INSERT OR REPLACE INTO discreet_entries VALUES (1, {FORGED})",
    f"REPLACE INTO discreet_entries VALUES (2, {FORGED})",
    f"REPLACE INTO discreet_entries VALUES ('2', {FORGED})",
    f"REPLACE INTO discreet_entries VALUES (2.0, {FORGED})",
    f"REPLACE INTO discreet_entries (rowid, line, seal) VALUES (2, {FORGED})",
    f"REPLACE INTO discreet_entries (line, seal, _rowid_) VALUES ({FORGED}, 2)",
    f"REPLACE INTO discreet_entries SELECT sequence, {FORGED} FROM discreet_entries WHERE sequence = 1",
    f"REPLACE INTO discreet_entries VALUES (3, {FORGED}), (3, {FORGED})",
    f"INSERT INTO discreet_entries VALUES (1, {FORGED}) ON CONFLICT DO UPDATE SET line = 'x'",
    f"INSERT INTO discreet_entries VALUES (9, {FORGED})",
    f"INSERT INTO discreet_entries (line, seal) VALUES ({FORGED})",
    "UPDATE OR REPLACE discreet_entries SET sequence = 1 WHERE sequence = 2",
    "UPDATE OR IGNORE discreet_entries SET line = 'x'",
    "UPDATE OR FAIL discreet_entries SET line = 'x'",
    "UPDATE OR ROLLBACK discreet_entries SET line = 'x'",
    "WITH gone AS (SELECT 1 AS n) DELETE FROM discreet_entries WHERE sequence IN gone",
]
ON_POSTGRES = [
    "TRUNCATE discreet_entries",
    f"WITH x AS (UPDATE discreet_entries SET line = 'x' RETURNING 1) SELECT * FROM x, (SELECT {FORGED}) AS y",
    "MERGE INTO discreet_entries e USING (SELECT 1 AS n) s ON e.sequence = s.n WHEN MATCHED THEN DELETE",
    "MERGE INTO discreet_entries e USING (SELECT 1 AS n) s ON e.sequence = s.n WHEN MATCHED THEN UPDATE SET line = ''",
]


def test_no_statement_changes_an_entry(place):
    """Whatever a statement is called: an entry that is there stays."""
    ledger = open_ledger(place)
    ledger.open("people", budget=1)
    ledger.reserve("people", "1/2", release_id="first")
    before, head = rows(place), ledger.head()
    for statement in CHANGES + (ON_POSTGRES if place.startswith("postgres") else ON_SQLITE):
        with pytest.raises(Exception, match="only ever added"):
            sql(place, statement)
        assert rows(place) == before
    assert open_ledger(place).verify(head) == head
    assert sql(place, "SELECT version FROM discreet_schema") == [(1,)]
    ledger.reserve("people", "1/2", release_id="second")


@pytest.mark.parametrize("number", range(1, 7))
def test_an_edited_entry(written, number):
    sql(
        written,
        f"UPDATE discreet_entries SET line = replace(line, '1/2', '1/9') || ' ' WHERE sequence = {number}",
    )
    must_be_found(written, f"entry {number} ")
    for act in (
        lambda ledger: ledger.reserve("people", "1/100"),
        lambda ledger: ledger.remaining("people"),
        lambda ledger: ledger.backup("never"),
    ):
        with pytest.raises(BudgetError, match=f"entry {number} "):
            act(open_ledger(written))


@pytest.mark.parametrize("number", range(1, 6))
def test_a_missing_entry(written, number):
    sql(written, f"DELETE FROM discreet_entries WHERE sequence = {number}")
    must_be_found(written, f"entry {number} is missing")


@pytest.mark.parametrize("number", range(1, 6))
def test_two_entries_that_changed_places(written, number):
    sql(
        written,
        f"UPDATE discreet_entries SET sequence = 99 WHERE sequence = {number}",
        f"UPDATE discreet_entries SET sequence = {number} WHERE sequence = {number + 1}",
        f"UPDATE discreet_entries SET sequence = {number + 1} WHERE sequence = 99",
    )
    must_be_found(written, f"entry {number} was moved")


def test_an_entry_whose_seal_was_made_to_fit(written):
    number, line, _ = rows(written)[1]
    (entry,) = (e for e in open_ledger(written).history() if e.sequence == number)
    cheaper = replace(entry, amount="1/9")
    sql(
        written,
        f"UPDATE discreet_entries SET line = '{cheaper.line}', seal = '{cheaper.seal}' WHERE sequence = {number}",
    )
    assert line != cheaper.line
    must_be_found(written, f"entry {number + 1} does not follow entry {number}")


@pytest.mark.parametrize("left", range(6))
def test_a_cut_off_end_shows_against_a_head_kept_elsewhere(written, left):
    kept = str(open_ledger(written).head())
    sql(written, f"DELETE FROM discreet_entries WHERE sequence > {left}")
    assert open_ledger(written).verify().entries == left  # the chain alone cannot know
    must_be_found(
        written, f"it ends at entry {left}, but the head that was kept says there were 6", head=kept
    )


def test_a_chain_written_anew_shows_against_a_head_kept_elsewhere(written):
    kept = open_ledger(written).head()
    entries = list(follow(Head(), rows(written)))
    entries[1] = replace(entries[1], amount="1/9")
    rewrite(written, entries)
    assert open_ledger(written).verify().entries == 6
    must_be_found(written, "entry 6 is not the one the head that was kept names", head=kept)


def test_a_rollback_followed_by_other_entries_shows(written):
    kept = open_ledger(written).head()
    sql(written, "DELETE FROM discreet_entries WHERE sequence > 1")
    ledger = open_ledger(written)
    for n in range(7):
        ledger.reserve("people", "1/10", release_id=f"again{n}")
    must_be_found(written, "entry 6 is not the one", head=kept)


def test_well_sealed_entries_that_break_a_rule(written):
    opened, reserved, drawn, *_ = follow(Head(), rows(written))
    rewrite(written, [opened, replace(reserved, amount="2/1")])
    must_be_found(written, r"entry 2 breaks a rule \(epsilon 2 does not fit")
    given_back = replace(drawn, kind="release", note="give me", by="me")
    rewrite(written, [opened, reserved, drawn, given_back])
    must_be_found(
        written, r"entry 4 breaks a rule \(release 'first' is drawn, so 'release' is refused"
    )


def test_a_process_notices_what_happens_behind_its_back(written):
    for damage in (
        "DELETE FROM discreet_entries WHERE sequence = 6",
        "DELETE FROM discreet_entries",
    ):
        ledger = open_ledger(written)
        ledger.head()
        sql(written, damage)
        with pytest.raises(BudgetError, match=r"entry [56]"):
            ledger.reserve("people", "1/100")
        with pytest.raises(BudgetError, match="what this process has seen"):
            ledger.verify()
        if damage.endswith("6"):
            open_ledger(written).reserve("people", "1/4", release_id="other")
            with pytest.raises(BudgetError, match="is gone or replaced"):
                ledger.remaining("people")


def test_a_ledger_replaced_by_an_empty_one_is_noticed(written):
    ledger = open_ledger(written)
    ledger.head()
    sql(written, "DROP TABLE discreet_entries", "DROP TABLE discreet_schema")
    with pytest.raises(BudgetError, match="was emptied or replaced since it was opened"):
        ledger.reserve("people", "1/100")


def test_the_head_of_an_empty_ledger(place):
    ledger = open_ledger(place)
    assert ledger.head() == ledger.verify() == Head(entries=0, seal=START)
