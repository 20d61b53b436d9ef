"""What a release says of itself: to a scheduler by events and logs, to a person by warnings; never data."""

from __future__ import annotations

import json
import logging
import re
import subprocess
import sys
import warnings
from datetime import datetime
from pathlib import Path

import pytest
from tests.cli.test_frame import invoke
from tests.conftest import require

require("tables")

import pyarrow as pa

import discreet as dc
from discreet.errors import (
    DiscreetError,
    HighEpsilon,
    InvalidData,
    InvalidInput,
    NotAccounted,
    NotIdentified,
)
from discreet.ledger import open_ledger
from discreet.tables.asking import request
from discreet.tables.jobs.logs import JsonLines, logging_to

PEOPLE = pa.table({"clinic": ["a", "a", "b"], "smoker": [True, False, True]})
ASKED = {"by": "clinic", "count": "smoker", "epsilon": "1/2", "properties": "F"}


@pytest.fixture
def paid(tmp_path):
    book = open_ledger(tmp_path / "budget.db")
    book.open("people", budget=1)
    return {**ASKED, "ledger": book, "dataset": "people", "output": tmp_path / "out"}


def test_events_carry_the_release_and_the_time(paid):
    events = []
    made = dc.release(PEOPLE, **paid, progress=events.append)
    assert {event.release for event in events} == {made.manifest.release}
    times = [datetime.fromisoformat(event.time) for event in events]
    assert len(times) > 4 and times == sorted(times) and times[0].utcoffset().total_seconds() == 0
    assert events[0].phase == "reading" and events[-1].phase == "done"


def test_the_log_says_start_spend_publish_end(paid, tmp_path):
    with logging_to(str(tmp_path / "log")):
        made = dc.release(PEOPLE, **paid, run_id="2026-11")
        dc.release(PEOPLE, **paid, run_id="2026-11")
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [line["event"] for line in lines] == ["start", "spend", "publish", "end", "already"]
    assert {line["release"] for line in lines} == {made.manifest.release}
    assert {line["level"] for line in lines} == {"INFO"} and all(
        datetime.fromisoformat(line["time"]) for line in lines
    )
    start, spend, publish, end, already = lines
    assert (start["run_id"], start["dataset"]) == ("2026-11", "people")
    assert (spend["epsilon"], spend["dataset"]) == ("1/2", "people")
    assert (publish["path"], publish["sha256"]) == (str(tmp_path / "out"), made.manifest.digest)
    assert end["groups"] == 2 and end["seconds"] >= 0
    assert (already["run_id"], already["path"]) == ("2026-11", str(tmp_path / "out"))
    assert (
        not logging.getLogger("discreet").handlers
        and logging.getLogger("discreet").level == logging.NOTSET
    )


def test_a_failure_is_logged_by_its_kind_alone(paid, tmp_path):
    secret = PEOPLE.set_column(1, "smoker", pa.array([1, 0, 7391]))
    with logging_to(str(tmp_path / "log")), pytest.raises(InvalidData):
        dc.release(secret, **paid)
    start, failed = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert (failed["event"], failed["level"], failed["error"]) == ("fail", "ERROR", "invalid-data")
    assert failed["release"] == start["release"] and "7391" not in (tmp_path / "log").read_text()


def test_what_was_interrupted_is_taken_up_in_the_log(paid, caplog, monkeypatch):
    from discreet.core import progress

    def stop(reached):
        if reached == "written":
            raise KeyboardInterrupt

    monkeypatch.setattr(progress, "_watcher", stop)
    with caplog.at_level("INFO", "discreet"):
        with pytest.raises(KeyboardInterrupt):
            dc.release(PEOPLE, **paid, run_id="7")
        monkeypatch.undo()
        dc.release(PEOPLE, **paid, run_id="7")
    told = [record.discreet["event"] for record in caplog.records]
    assert told == ["start", "spend", "fail", "start", "take up", "publish", "end"]
    assert len({record.discreet["release"] for record in caplog.records}) == 1
    assert re.fullmatch(
        r"take up: release \w{32}, epsilon 1/2, dataset people", caplog.records[4].getMessage()
    )


def test_other_records_become_lines_too():
    record = logging.makeLogRecord({"msg": "%d of %d", "args": (1, 2), "levelname": "WARNING"})
    assert json.loads(JsonLines().format(record))["message"] == "1 of 2"


SILENT = """
import sys

import pyarrow as pa
import discreet as dc
people = pa.table({"clinic": ["a", "a", "b"], "smoker": [True, False, True]})
for _ in range(2):
    dc.release(people, by="clinic", count="smoker", epsilon="1/2", properties="F")
try:
    dc.release(people, by="clinic", count="clinic", epsilon="1/2", properties="F")
except dc.DiscreetError:
    pass
assert "discreet.tables.jobs.logs" not in sys.modules
"""


@pytest.mark.slow
def test_without_a_handler_a_release_is_silent_but_for_two_warnings():
    done = subprocess.run([sys.executable, "-c", SILENT], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == "", done.stderr
    assert done.stderr.count("NotAccounted: nothing accounts for") == 1
    assert done.stderr.count("NotIdentified: each row is taken for another person") == 1
    assert done.stderr.startswith("<string>:8: ") and len(done.stderr.splitlines()) == 2


def test_importing_discreet_does_not_import_logging():
    code = "import discreet, sys; print('logging' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
        == "False\n"
    )


# --- warnings --------------------------------------------------------------------------------------------------------


def test_without_a_ledger_it_is_said_once(paid, monkeypatch):
    monkeypatch.setattr(request, "_told", set())
    with pytest.warns(NotAccounted, match="`ledger` and `dataset` name a budget that does") as told:
        dc.release(PEOPLE, **ASKED)
    (one,) = (each for each in told if each.category is NotAccounted)
    assert one.filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error", NotAccounted)
        dc.release(PEOPLE, **ASKED)
    monkeypatch.setattr(request, "_told", set())
    with warnings.catch_warnings():
        warnings.simplefilter("error", NotAccounted)
        dc.plan(PEOPLE, **ASKED)  # spends nothing
        dc.release(PEOPLE, **paid)
        with pytest.raises(DiscreetError):
            dc.release(PEOPLE, **{**ASKED, "by": "ward"})  # nor does what is refused


@pytest.mark.parametrize("verb", [dc.plan, dc.release])
def test_rows_that_nobody_tells_apart_are_said_to_be_people(verb):
    said = "each row is taken for another person, and nothing checks it: `unit` names the column that says who is who"
    with pytest.warns(NotIdentified, match=said) as told:
        verb(PEOPLE, **ASKED)
    assert told[0].filename == __file__
    with pytest.warns(
        NotIdentified,
        match="no more than 2 rows are taken to be of one person, and nothing checks it",
    ):
        verb(PEOPLE, **ASKED, contributions=2)
    named = PEOPLE.append_column("id", pa.array([1, 2, 3]))
    with warnings.catch_warnings():
        warnings.simplefilter("error", NotIdentified)
        verb(named, **ASKED, unit="id")
        verb(
            pa.table({"clinic": ["a"], "smoker": [1], "n": [2]}), **ASKED, size="n"
        )  # counts have no rows of people


def test_the_warning_of_rows_does_not_depend_on_who_repeats(monkeypatch):
    def told(ids):
        with pytest.warns(NotIdentified) as found:
            dc.release(PEOPLE.append_column("id", pa.array(ids)), **ASKED)
        return [str(each.message) for each in found if each.category is NotIdentified]

    assert told([1, 2, 3]) == told([1, 1, 1])


@pytest.mark.parametrize("verb", [dc.plan, dc.release])
def test_a_high_epsilon_is_said_in_words(verb):
    said = "epsilon 3 protects little: a reader who knows everybody else's answer goes from 50% to at most 95.3% sure"
    with pytest.warns(HighEpsilon, match=said) as told:
        verb(PEOPLE, **{**ASKED, "epsilon": 3})
    assert next(each for each in told if each.category is HighEpsilon).filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error", HighEpsilon)
        verb(PEOPLE, **{**ASKED, "epsilon": "2.94"})


def test_a_high_epsilon_made_an_error_spends_nothing(paid):
    paid["ledger"].open("rich", budget=20)
    with warnings.catch_warnings():
        warnings.simplefilter("error", HighEpsilon)
        with pytest.raises(HighEpsilon):
            dc.release(PEOPLE, **{**paid, "dataset": "rich", "alpha": "1/100000", "epsilon": None})
    assert paid["ledger"].head().entries == 2


@pytest.mark.parametrize("verb", [dc.plan, dc.release])
def test_a_dataset_without_a_ledger_is_refused(verb):
    with pytest.raises(
        InvalidInput,
        match="`dataset` names a budget, which is in a ledger .people.: give `ledger` too",
    ):
        verb(PEOPLE, **ASKED, dataset="people")


def test_from_the_shell(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(request, "_told", set())
    Path("people.csv").write_text("clinic,smoker\na,1\na,0\nb,1\n")
    asked = ["people.csv", "--by", "clinic", "--count", "smoker", "-p", "F", "--epsilon"]
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        text = invoke("release", *asked, "1", "-o", "out")
        assert (
            "warning: nothing adds up what releases cost: add --ledger FILE --dataset NAME\n"
            in text
        )
        assert "warning: no --unit: nothing checks who is who" in text
        assert (
            "Whoever has more rows than are paid for loses more than epsilon says: add --unit COLUMN"
            in text
        )
        assert "if each row is another person, which no file can show" in " ".join(
            invoke("verify", "out").split()
        )
        text = invoke("plan", *asked, "11")
        assert (
            "warning: epsilon 11 protects little: " in text
            and "warning: no --unit: nothing checks who is who" in text
        )
    word = [
        "people.csv",
        "--by",
        "clinic",
        "--count",
        "smoker = 'sever'",
        "--epsilon",
        "1",
        "-o",
        "word",
    ]
    text = invoke("release", *word)
    assert text.count("warning: only rows where smoker is exactly 'sever' are counted") == 1
    assert "To refuse other words: --answers smoker sever,OTHER" in text
    assert "--answers smoker sever,OTHER" in invoke("plan", *word[:-2])
    poor = invoke(
        "release", *word[:-2], "--ledger", "none.db", "--dataset", "x", "-o", "poor", code=2
    )
    assert "exactly" not in poor and "note:" not in poor, "an error stands alone"
    assert "--dataset names a budget" in invoke(
        "release", *asked, "1", "-o", "x", "--dataset", "people", code=2
    )
    invoke("ledger", "open", "budget.db", "people", "--budget", "1")
    words = ["--ledger", "budget.db", "-o", "paid", "--log", "log", "--progress", "json"]
    told = invoke("release", *asked, "1", *words, "--json")
    events = [json.loads(line) for line in told.splitlines() if line.startswith('{"phase"')]
    (release,) = {event["release"] for event in events}
    lines = [json.loads(line) for line in Path("log").read_text().splitlines()]
    assert {line["release"] for line in lines} == {release} and len(lines) == 4
    assert "--log cannot be written" in invoke(
        "release", *asked, "1", "-o", "x", "--log", "no/such/log", code=2
    )
