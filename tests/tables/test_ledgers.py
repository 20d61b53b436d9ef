"""Releases under a ledger, on SQLite and on a real PostgreSQL server: the same budget, the same order, the same end."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.conftest import require

require("tables")

import pyarrow as pa
from bench.faults.servers import Proxy
from tests.ledger.places import child, sql
from tests.ledger.test_places import psycopg_folder

import discreet as dc
from discreet.core import progress
from discreet.errors import BudgetError, BudgetExceeded, DiscreetError, InvalidData
from discreet.ledger import open_ledger
from discreet.sampler.words import SystemWords

pytestmark = pytest.mark.slow

PEOPLE = pa.table({"clinic": ["a", "a", "b"], "smoker": [True, False, True]})
ASKED = {
    "by": "clinic",
    "count": "smoker",
    "epsilon": "1/2",
    "properties": "F",
    "dataset": "people",
}


@pytest.fixture
def ledger(place):
    book = open_ledger(place)
    book.open("people", budget=1)
    return book


@pytest.fixture
def moments():
    """Record every phase, and do something at some of them."""
    seen: list[str] = []
    actions: dict[str, object] = {}

    def watch(phase: str) -> None:
        seen.append(phase)
        if action := actions.pop(phase, None):
            action()

    progress.watch(watch)
    yield seen, actions
    progress.watch(None)


def names(folder):
    return sorted(path.name for path in folder.iterdir() if path.name != "budget.db")


def test_the_price_is_in_the_ledger_before_the_first_word_is_drawn(
    place, ledger, tmp_path, moments, monkeypatch
):
    order, _ = moments
    take = SystemWords.take

    def watched(source, count):
        (entry,) = open_ledger(place).datasets()[0].unfinished
        order.append(f"word, {entry.state}, {ledger.remaining('people')}")
        return take(source, count)

    monkeypatch.setattr(SystemWords, "take", watched)
    r = dc.release(PEOPLE, ledger=place, output=tmp_path / "out", **ASKED)
    told = ["reserving"] * 3 + [
        "reserved",
        "drawn",
        "word, drawn, 1/2",
        "written",
        "publishing",
        "renamed",
        "committed",
    ]
    assert order == told
    kinds = [(entry.kind, entry.id) for entry in ledger.history("people")[1:]]
    assert kinds == [
        (kind, r.manifest.release) for kind in ("reserve", "draw", "publish", "commit")
    ]
    assert ledger.history("people")[3].digest == dc.read_release(tmp_path / "out").manifest.digest
    ledger.verify()


def test_what_does_not_fit_happens_not_at_all(place, ledger, tmp_path, moments):
    dc.release(PEOPLE, ledger=place, **ASKED)
    before = ledger.head()
    order, _ = moments
    order.clear()
    with pytest.raises(BudgetExceeded, match="0.5 of 1 remains") as caught:
        dc.release(PEOPLE, ledger=place, output=tmp_path / "out", **{**ASKED, "epsilon": "51/100"})
    assert caught.value.remaining == Fraction(1, 2)
    assert "drawn" not in order
    assert ledger.head() == before
    assert names(tmp_path) == []
    dc.release(PEOPLE, ledger=place, **ASKED)  # what was said to remain fits
    assert ledger.remaining("people") == 0


def test_ten_tenths_fit_one(place, ledger):
    for _ in range(10):
        dc.release(PEOPLE, ledger=place, **{**ASKED, "epsilon": 0.1})
    with pytest.raises(BudgetExceeded, match="nothing remains of 1"):
        dc.release(PEOPLE, ledger=place, **{**ASKED, "epsilon": "1/1000"})


def test_bad_data_spend_nothing(place, ledger, tmp_path):
    with pytest.raises(InvalidData):
        dc.release(
            PEOPLE.set_column(1, "smoker", pa.array([True, None, True])),
            ledger=place,
            output=tmp_path / "out",
            **ASKED,
        )
    assert ledger.head().entries == 1
    assert names(tmp_path) == []


def test_a_release_started_again_keeps_its_entry(place, ledger, tmp_path, moments):
    _, actions = moments

    def stop():
        raise KeyboardInterrupt

    actions["written"] = stop
    with pytest.raises(KeyboardInterrupt):
        dc.release(PEOPLE, ledger=place, output=tmp_path / "out", **ASKED)
    assert names(tmp_path) == []
    (entry,) = ledger.datasets()[0].unfinished
    assert entry.state == "drawn"
    r = dc.release(PEOPLE, ledger=place, output=tmp_path / "out", resume=entry.release_id, **ASKED)
    assert r.manifest.release == entry.release_id
    assert ledger.remaining("people") == Fraction(1, 2)
    assert [e.kind for e in ledger.history("people")] == [
        "open",
        "reserve",
        "draw",
        "draw",
        "publish",
        "commit",
    ]


RACER = """
import sys
import pyarrow as pa
from bench.faults.servers import Proxy
import discreet as dc
from discreet.errors import BudgetExceeded
people = pa.table({"clinic": ["a", "a", "b"], "smoker": [True, False, True]})
place, output = sys.argv[1:]
asked = dict(by="clinic", count="smoker", epsilon="3/5", properties="F", dataset="people")
dc.plan(people, ledger=place, **asked)  # everything is loaded before the start
print("ready", flush=True)
sys.stdin.readline()
try:
    print(dc.release(people, ledger=place, output=output, **asked).manifest.release)
except BudgetExceeded as error:
    print("refused", error.remaining)
"""


def test_two_releases_race_for_the_last_budget(place, ledger, tmp_path):
    racers = [child(RACER, place, str(tmp_path / f"out{k}")) for k in range(2)]
    for racer in racers:
        assert racer.stdout.readline() == "ready\n"
    for racer in racers:
        racer.stdin.write("go\n")
        racer.stdin.flush()
    answers = sorted(racer.communicate(timeout=300)[0].strip() for racer in racers)
    assert all(racer.returncode == 0 for racer in racers)
    assert answers.count("refused 2/5") == 1
    (made,) = names(tmp_path)
    assert dc.read_release(tmp_path / made).manifest.release in answers
    assert ledger.remaining("people") == Fraction(2, 5)
    assert ledger.datasets()[0].unfinished == ()


def outage(url, allowed):
    """Let the server refuse new connections, or take them again."""
    sql(
        url.replace("/postgres?", "/template1?"),
        f"ALTER DATABASE postgres ALLOW_CONNECTIONS {allowed}",
    )


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("moment", "state", "shown"),
    [("reserved", "reserved", False), ("written", "drawn", False), ("renamed", "publishing", True)],
)
def test_a_server_that_goes_away_midway(postgres, tmp_path, moments, moment, state, shown):
    url = postgres()
    ledger = open_ledger(url)
    ledger.open("people", budget=1)
    moments[1][moment] = lambda: outage(url, "false")
    try:
        with pytest.raises(BudgetError, match="cannot be reached") as caught:
            dc.release(PEOPLE, ledger=url, output=tmp_path / "out", **ASKED)
    finally:
        outage(url, "true")
    assert (tmp_path / "out").exists() == shown
    (entry,) = ledger.datasets()[0].unfinished
    assert entry.state == state
    assert f"resume={entry.release_id!r}" in str(caught.value)
    drawn = dc.read_release(tmp_path / "out").manifest if shown else None
    r = dc.release(PEOPLE, ledger=url, output=tmp_path / "out", resume=entry.release_id, **ASKED)
    assert drawn in (None, r.manifest)  # what was seen is not drawn again
    assert names(tmp_path) == ["out"]
    assert ledger.datasets()[0].unfinished == ()
    assert ledger.remaining("people") == Fraction(1, 2)


@pytest.mark.postgres
def test_a_release_in_memory_is_not_lost_with_the_server(postgres, moments):
    url = postgres()
    ledger = open_ledger(url)
    ledger.open("people", budget=1)
    moments[1]["publishing"] = lambda: outage(url, "false")
    try:
        with pytest.warns(RuntimeWarning, match="made and paid for"):
            r = dc.release(PEOPLE, ledger=url, **ASKED)
    finally:
        outage(url, "true")
    assert r.table.num_rows == 2
    (entry,) = ledger.datasets()[0].unfinished
    assert (entry.state, entry.digest) == ("publishing", r.manifest.digest)


@pytest.mark.postgres
@pytest.mark.parametrize(
    "moment", ["reserving", "reserved", "drawn", "written", "publishing", "renamed"]
)
@pytest.mark.parametrize("deliver", [False, True], ids=["not delivered", "delivered"])
def test_a_connection_cut_at_the_next_commit(postgres, tmp_path, moments, moment, deliver):
    """Nobody can know whether the entry was written. Whichever it was, one release comes of it, for one price."""
    url = postgres()
    ledger = open_ledger(url)
    ledger.open("people", budget=1)
    with psycopg_folder(url) as (server, folder):
        from urllib.parse import quote

        (folder / ".s.PGSQL.5432").symlink_to(server / ".s.PGSQL.5432")
        proxies = []

        def cut():
            (folder / ".s.PGSQL.5432").unlink()
            proxies.append(Proxy(server, folder, deliver=deliver))

        moments[1][moment] = cut
        doubtful = open_ledger(
            url.replace(quote(str(server), safe=""), quote(str(folder), safe=""))
        )
        with pytest.raises(DiscreetError, match="whether it was written is not known"):
            dc.release(PEOPLE, ledger=doubtful, output=tmp_path / "out", **ASKED)
        proxies[0].close()
    reserved = [entry.id for entry in ledger.history("people") if entry.kind == "reserve"]
    assert len(reserved) == (0 if moment == "reserving" and not deliver else 1)
    resume = reserved[0] if reserved else None
    before = dc.read_release(tmp_path / "out").manifest if (tmp_path / "out").exists() else None
    r = dc.release(PEOPLE, ledger=url, output=tmp_path / "out", resume=resume, **ASKED)
    assert before in (None, r.manifest)
    assert names(tmp_path) == ["out"]
    assert dc.read_release(tmp_path / "out").manifest == r.manifest
    assert ledger.remaining("people") == Fraction(1, 2)
    assert ledger.datasets()[0].unfinished == ()
    ledger.verify()
