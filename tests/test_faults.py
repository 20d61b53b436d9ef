"""Faults really performed on releases, few of each here and many in `python -m bench.faults`: nothing lost or paid twice.

What must hold after each is in `bench.faults.judging`.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.conftest import require

require("tables")

from bench.faults import clocks, connections, disks, kills, races, servers
from bench.faults.judging import Broken, Outcome, judge, only, prepare, take_up
from bench.faults.victims import ASKED, PEOPLE, PRICE, REFUSED

import discreet as dc
from discreet.core.progress import PHASES
from discreet.errors import BudgetError
from discreet.ledger import open_ledger

SQLITE = ("SQLite", lambda case: str(case / "budget.db"))
AFTER = {"reserving": "nothing", "written": "drawn", "renamed": "publishing"}


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database(request):
    """The name of a database, and how to have a fresh place on it."""
    if request.param == "sqlite":
        return SQLITE
    server = request.getfixturevalue("postgres_server")
    return f"PostgreSQL {server.version}", lambda _: server.fresh()


@pytest.fixture
def server(request):
    """A PostgreSQL server, where there can be one."""
    return None if servers.missing() else request.getfixturevalue("postgres_server")


def check(found, *, hits=None):
    """No outcome has a failure; what could be hit was."""
    found = list(found)
    assert found
    assert [failure for outcome in found for failure in outcome.failures] == []
    if hits is not None:
        assert {outcome.fault: outcome.hits for outcome in found if outcome.hits != hits} == {}
    return found


@pytest.mark.slow
def test_killed_in_each_phase(victims, tmp_path, database):
    for phase, outcome in zip(
        PHASES, check(kills.in_each_phase(victims, tmp_path, *database, 1)), strict=True
    ):
        assert outcome.hits == kills.PASSINGS.get(phase, 1)
        assert dict(outcome.found) == {AFTER.get(phase, phase): outcome.hits}
        assert outcome.taken_up == (0 if phase == "committed" else outcome.hits)


@pytest.mark.slow
def test_killed_at_any_moment(victims, tmp_path, database):
    found = check(kills.at_random_moments(victims, tmp_path, *database, 3))
    assert all(outcome.hits for outcome in found)


@pytest.mark.slow
def test_several_at_once(victims, tmp_path, database):
    check(races.outcomes(victims, tmp_path, *database, 1), hits=1)


@pytest.mark.slow
def test_a_disk_that_fills_or_becomes_read_only(server):
    found = list(disks.outcomes(1, server))
    if isinstance(found[0], Outcome):
        pytest.skip(found[0].note)
    assert [failure for row in found for failure in row["failures"]] == []
    assert sum(row["hits"] for row in found) > len(found) / 2


@pytest.mark.slow
@pytest.mark.postgres
def test_a_database_that_goes_away(victims, tmp_path, postgres_server):
    named = {
        outcome.fault: outcome
        for outcome in check(connections.outcomes(victims, tmp_path, postgres_server, 1))
    }
    certain = [outcome for fault, outcome in named.items() if "random" not in fault]
    assert [outcome.hits for outcome in certain] == [1] * (2 + 8 + 7)


@pytest.mark.slow
def test_a_clock_set_back(tmp_path, server):
    require("clock")
    check(clocks.outcomes(tmp_path, 1, server), hits=1)


# --- that the judge would notice -------------------------------------------------------------------------------------


@pytest.fixture
def case(tmp_path):
    """A folder with a committed release, and its ledger."""
    place = str(tmp_path / "budget.db")
    prepare(tmp_path, place)
    dc.release(PEOPLE, ledger=place, output=tmp_path / "out", **ASKED)
    assert only(judge(tmp_path, place)) == "committed"
    return tmp_path, place


def test_the_judge_sees_half_a_file(case):
    folder, place = case
    table = folder / "out" / "table.parquet"
    table.write_bytes(table.read_bytes()[:-1])
    with pytest.raises(dc.DiscreetError, match="was changed"):
        judge(folder, place)


def test_the_judge_sees_a_release_without_its_entry(case):
    folder, place = case
    dc.release(PEOPLE, output=folder / "unpaid", **{**ASKED, "dataset": None})
    with pytest.raises(Broken, match="a release without its entry"):
        judge(folder, place)


def test_the_judge_sees_one_release_twice_and_an_open_folder(case):
    folder, place = case
    subprocess.run(["cp", "-r", folder / "out", folder / "copy"], check=True)
    with pytest.raises(Broken, match="one release in two places"):
        judge(folder, place)
    (folder / "copy").rename(folder / ".copy")
    (folder / ".copy").chmod(0o755)
    with pytest.raises(Broken, match="can be read by others"):
        judge(folder, place)


def test_the_judge_sees_what_was_paid_twice(case):
    folder, place = case
    open_ledger(place).reserve("people", PRICE)
    with pytest.raises(Broken, match="2 entries for one release"):
        only(judge(folder, place))


# --- single moments --------------------------------------------------------------------------------------------------


def test_what_may_have_been_seen_is_never_drawn_again(victims, tmp_path):
    place = str(tmp_path / "budget.db")
    prepare(tmp_path, place)
    victims.play({"folder": tmp_path, "place": place, "phase": "publishing", "fault": "kill"})
    (hidden,) = (path for path in tmp_path.iterdir() if path.name.endswith(".partial"))
    for file in hidden.iterdir():
        if file.is_file():
            file.unlink()
    (entry,) = judge(tmp_path, place)
    with pytest.raises(BudgetError, match="cannot be drawn again"):
        dc.release(PEOPLE, ledger=place, output=tmp_path / "out", resume=entry.release_id, **ASKED)
    assert not (tmp_path / "out").exists()


def test_a_manifest_cut_short_by_a_kill_does_not_hide_the_finished_one(victims, tmp_path):
    place = str(tmp_path / "budget.db")
    prepare(tmp_path, place)
    victims.play({"folder": tmp_path, "place": place, "phase": "publishing", "fault": "kill"})
    held = judge(tmp_path, place)
    (another := tmp_path / f".out.{held[0].release_id}.aaaaaaaa.partial").mkdir(mode=0o700)
    (another / "manifest.json").write_text('{"format": "discr')
    take_up(tmp_path, place, held)


def test_an_attempt_that_another_has_overtaken_leaves_the_others_folder_alone(tmp_path):
    """One is held up after its draw while another takes the release up, publishes, and ends."""
    place = str(tmp_path / "budget.db")
    prepare(tmp_path, place)
    ledger = open_ledger(place)
    entry = ledger.reserve("people", PRICE)
    words = {"ledger": place, "output": tmp_path / "out", "resume": entry.release_id, **ASKED}
    from discreet.core import progress

    def overtake(phase):
        if phase == "written":
            progress.watch(None)
            dc.release(PEOPLE, **words)

    progress.watch(overtake)
    try:
        with pytest.raises(dc.DiscreetError):
            dc.release(PEOPLE, **words)
    finally:
        progress.watch(None)
    assert only(judge(tmp_path, place)) == "committed"
    assert {path.name for path in tmp_path.iterdir()} == {"budget.db", "out"}


def test_a_release_id_that_begins_like_another_keeps_its_folder(tmp_path):
    from discreet.tables.published import bundle

    mine, other = bundle.start(tmp_path / "out", "a"), bundle.start(tmp_path / "out", "a.b")
    assert bundle.attempts(tmp_path / "out", "a") == [mine]
    assert bundle.attempts(tmp_path / "out", "a.b") == [other]


def test_errors_that_are_not_ours_are_failures(victims, tmp_path):
    place = str(tmp_path / "budget.db")
    prepare(tmp_path, place)
    (end,) = victims.play({"folder": tmp_path, "place": place, "words": {"no such word": 1}})
    assert end["code"] == 1
    assert end["told"].startswith("TypeError")
    (end,) = victims.play({"folder": Path("/proc"), "place": place})
    assert end["code"] == REFUSED
