"""A run with an id is made once: the table of states at the top of `discreet.tables.jobs.once`, line by line."""

from __future__ import annotations

import fcntl
import json
import re
import shutil
from contextlib import suppress
from fractions import Fraction

import pytest
from bench.faults.kills import PASSINGS
from bench.faults.victims import ASKED as VICTIM
from bench.faults.victims import PEOPLE as PATIENTS
from bench.faults.victims import REFUSED
from tests.cli.test_frame import invoke
from tests.conftest import require

require("tables")

import pyarrow as pa

import discreet as dc
from discreet.core import progress
from discreet.core.progress import PHASES
from discreet.errors import BudgetError, BudgetExceeded, DiscreetError, InvalidInput, Unfinished
from discreet.ledger import open_ledger
from discreet.tables.jobs.once import alone
from discreet.tables.published import bundle

PEOPLE = pa.table({"clinic": ["a", "a", "b"], "smoker": [True, False, True], "age": [1, 2, 3]})
ASKED = {
    "by": "clinic",
    "count": "smoker",
    "epsilon": "1/2",
    "properties": "F",
    "dataset": "people",
}


@pytest.fixture
def ledger(tmp_path):
    book = open_ledger(tmp_path / "budget.db")
    book.open("people", budget=1)
    return book


@pytest.fixture
def run(ledger, tmp_path):
    """Start the run, and have it stop at a phase."""

    def start(phase="", **words):
        def stop(reached):
            if reached == phase:
                raise KeyboardInterrupt

        progress.watch(stop)
        try:
            asked = {
                "ledger": ledger,
                "run_id": "2026-11",
                "output": tmp_path / "out",
                **ASKED,
                **words,
            }
            return dc.release(PEOPLE, **asked)
        finally:
            progress.watch(None)

    return start


def stopped(run, phase, **words):
    with pytest.raises(KeyboardInterrupt):
        run(phase, **words)


def left(tmp_path):
    return sorted(path.name for path in tmp_path.iterdir() if not path.name.startswith("budget.db"))


def kinds(ledger):
    return [entry.kind for entry in ledger.history("people")[1:]]


# --- the table of states ---------------------------------------------------------------------------------------------


def test_new_it_is_released_and_finished_it_is_read_back(run, ledger, tmp_path):
    first = run()
    assert not first.already and first.to_dict()["already"] is False
    assert (first.manifest.caller, first.manifest.release) == (
        "2026-11",
        ledger.find_run("people", "2026-11").release_id,
    )
    head, before = ledger.head(), (tmp_path / "out" / "manifest.json").stat().st_ctime_ns
    again = run()
    assert again.already and again.to_dict()["already"] is True
    assert (again.manifest, again.path) == (first.manifest, first.path)
    assert again.table == first.table
    assert ledger.head() == head and left(tmp_path) == ["out"]
    assert (tmp_path / "out" / "manifest.json").stat().st_ctime_ns == before
    assert run(output=tmp_path / "another").path == tmp_path / "out", "it is where it was published"
    assert run(overwrite=True).already and ledger.head() == head


def test_another_run_of_the_same_question_pays(run, ledger, tmp_path):
    first = run()
    other = run(run_id="2026-12", output=tmp_path / "out2")
    assert other.manifest.release != first.manifest.release
    assert ledger.remaining("people") == 0
    with pytest.raises(BudgetExceeded):
        run(run_id="2027-01", output=tmp_path / "out3")
    assert left(tmp_path) == ["out", "out2"]


def test_ids_are_told_apart_by_dataset(run, ledger, tmp_path):
    ledger.open("others", budget=1)
    run()
    assert not run(dataset="others", output=tmp_path / "out2").already
    assert ledger.remaining("people") == ledger.remaining("others") == Fraction(1, 2)


@pytest.mark.parametrize("phase", ["reserved", "drawn", "written"])
def test_what_was_not_published_is_drawn_under_its_entry(run, ledger, tmp_path, phase):
    stopped(run, phase)
    made = run()
    assert not made.already
    assert made.manifest.release == ledger.find_run("people", "2026-11").release_id
    assert kinds(ledger).count("reserve") == 1 and kinds(ledger)[-2:] == ["publish", "commit"]
    assert ledger.remaining("people") == Fraction(1, 2)
    assert run().already and left(tmp_path) == ["out"]


@pytest.mark.parametrize("phase", ["publishing", "renamed"])
def test_what_may_have_been_seen_is_the_same_draw(run, ledger, tmp_path, phase):
    stopped(run, phase)
    recorded = ledger.find_run("people", "2026-11").digest
    made = run()
    assert made.manifest.digest == recorded and not made.already, (
        "the first call that says it is finished"
    )
    assert kinds(ledger) == ["reserve", "draw", "publish", "commit"]
    assert run().already and left(tmp_path) == ["out"]


def test_what_was_recorded_and_lost_is_not_drawn_again(run, ledger, tmp_path):
    stopped(run, "publishing")
    for hidden in tmp_path.glob(".out.*.partial"):
        shutil.rmtree(hidden)
    head = ledger.head()
    with pytest.raises(
        BudgetError,
        match=r"run '2026-11' may have been seen at '.*out' and is no longer there.*`run_id`",
    ):
        run()
    assert ledger.head() == head and left(tmp_path) == []


def test_what_was_finished_and_deleted_is_not_drawn_again(run, ledger, tmp_path):
    run()
    (tmp_path / "out").rename(tmp_path / "elsewhere")
    head = ledger.head()
    with pytest.raises(
        BudgetError, match=r"was published at '.*out' and is no longer there.*put the bundle back"
    ):
        run()
    assert run(output=tmp_path / "elsewhere").already, "a copy will do"
    assert ledger.head() == head and left(tmp_path) == ["elsewhere"]


@pytest.mark.parametrize("phase", ["", "reserved", "written"])
def test_another_release_at_the_output_stays(run, ledger, tmp_path, phase):
    if phase:
        stopped(run, phase)
    other = run(run_id="other")
    head = ledger.head()
    with pytest.raises(InvalidInput, match="exists already.*`output`.*`overwrite=True`"):
        run()
    assert ledger.head() == head and dc.read_release(tmp_path / "out").manifest == other.manifest
    made = run(overwrite=True)
    assert dc.read_release(tmp_path / "out").manifest == made.manifest
    with pytest.raises(BudgetError, match="run 'other' was published"):
        run(run_id="other")


def test_a_release_that_came_to_the_output_of_a_finished_bundle_stays(run, ledger, tmp_path):
    stopped(run, "publishing")
    run(run_id="other")
    with pytest.raises(InvalidInput, match="came into being meanwhile"):
        run()
    recorded = ledger.find_run("people", "2026-11").digest
    assert run(overwrite=True).manifest.digest == recorded


def test_what_was_given_back_is_begun_anew(run, ledger, tmp_path):
    stopped(run, "reserved")
    entry = ledger.find_run("people", "2026-11")
    ledger.release_reservation(entry.release_id, reason="the wrong day", by="Ann Lee")
    assert ledger.find_run("people", "2026-11") is None
    assert run().manifest.release != entry.release_id
    assert ledger.remaining("people") == Fraction(1, 2)


@pytest.mark.parametrize("phase", ["reserved", "written", "publishing", "committed"])
def test_another_question_is_refused_whatever_the_state(run, ledger, phase):
    stopped(run, phase)
    head = ledger.head()
    for changed in ({"by": []}, {"where": "age < 3"}, {"epsilon": "1/4"}):
        with pytest.raises(
            BudgetError, match="run '2026-11' of dataset 'people' asked another question.*`run_id`"
        ):
            run(**changed)
    assert ledger.head() == head


def test_entries_by_hand_that_share_an_id_are_not_guessed_among(run, ledger, tmp_path):
    ledger.reserve("people", "1/8", release_id="x", caller="2026-11")
    ledger.reserve("people", "1/8", release_id="y", caller="2026-11")
    with pytest.raises(BudgetError, match="several entries.*`resume='x'` or `resume='y'`"):
        run()


# --- what it takes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"ledger": None, "dataset": None}, "`run_id` needs `ledger`, which remembers the run"),
        ({"output": None}, "`run_id` needs `output`, where the run is found again"),
        (
            {"resume": "x"},
            "`run_id` must not be given together with `resume` .2026-11.: the id of the run finds",
        ),
        ({"output": "/"}, "/ exists already"),
        ({"output": "no/such/out"}, "`output` must be in a folder that exists"),
        ({"output": "x" * 300}, "`output`"),
        ({"run_id": ""}, "`run_id` must be 1 to 128 of A-Z a-z 0-9"),
        ({"run_id": "November 2026"}, "`run_id` must be 1 to 128 of A-Z a-z 0-9"),
        ({"run_id": 11}, "`run_id` must be 1 to 128 of A-Z a-z 0-9 . _ : -, not 11"),
    ],
)
def test_what_it_takes(run, ledger, words, told):
    with pytest.raises(InvalidInput, match=told):
        run(**words)
    assert kinds(ledger) == []


def test_the_id_feeds_no_randomness(run, ledger, tmp_path):
    """Two runs of one id, under two ledgers, of 40 groups: they agree in all with chance below 1e-8."""
    other = open_ledger(tmp_path / "other.db")
    other.open("people", budget=1)
    words, both = {**VICTIM, "run_id": "2026-11"}, (("one", ledger), ("two", other))
    made = [
        dc.release(PATIENTS, ledger=book, output=tmp_path / name, **words) for name, book in both
    ]
    assert made[0].table != made[1].table
    assert len({one.manifest.release for one in made}) == 2


def test_what_can_be_read_only_once_is_still_answered(run):
    made = run(by=iter(["clinic"]), count=iter(["smoker"]), keys=iter(["a", "b", "c"]))
    assert made.table.num_rows == 3
    assert run(by=["clinic"], count="smoker", keys=["c", "b", "a"]).already


# --- at once ---------------------------------------------------------------------------------------------------------


def test_while_another_process_is_at_work_one_tries_again_later(run, ledger, tmp_path):
    with alone(tmp_path / "out"):
        with pytest.raises(
            InvalidInput, match="`output` is being written by another process .*out.*later"
        ) as caught:
            run()
        assert caught.value.code == "unavailable" and kinds(ledger) == []
    assert left(tmp_path) == []
    run()
    with alone(tmp_path / "out"):
        assert run().already, "who only reads waits for nobody"


def test_a_lock_that_a_dead_process_left_holds_nobody_up(run, tmp_path):
    (tmp_path / ".out.lock").touch()
    run()
    assert left(tmp_path) == ["out"]


def test_without_locks_the_ledger_decides(run, ledger, tmp_path, monkeypatch):
    """A second process, whose disk knows no locks, takes the run up while the first one draws."""

    def none(*_):
        raise OSError("no locks here")

    monkeypatch.setattr(fcntl, "flock", none)
    second = []

    def overtake(reached):
        if reached == "written" and not second:
            second.append(None)
            second[0] = dc.release(
                PEOPLE, ledger=ledger, run_id="2026-11", output=tmp_path / "two", **ASKED
            )

    progress.watch(overtake)
    try:
        with pytest.raises(BudgetError, match="drawn again") as caught:
            dc.release(PEOPLE, ledger=ledger, run_id="2026-11", output=tmp_path / "one", **ASKED)
    finally:
        progress.watch(None)
    assert caught.value.code == "changed-meanwhile"
    assert kinds(ledger) == ["reserve", "draw", "draw", "publish", "commit"]
    assert run(output=tmp_path / "one").path == tmp_path / "two", "who tries again finds it"
    assert left(tmp_path) == ["two"]


def test_two_that_find_no_entry_reserve_once(ledger, tmp_path):
    def overtake(reached):
        if reached == "reserving":
            progress.watch(None)
            ledger.reserve("people", "1/2", caller="2026-11", once=True)

    progress.watch(overtake)
    try:
        with pytest.raises(
            BudgetError, match="run '2026-11' was begun by another process meanwhile"
        ) as caught:
            dc.release(PEOPLE, ledger=ledger, run_id="2026-11", output=tmp_path / "out", **ASKED)
    finally:
        progress.watch(None)
    assert caught.value.code == "unavailable"
    assert kinds(ledger) == ["reserve"] and left(tmp_path) == []


# --- noticed without an id -------------------------------------------------------------------------------------------


def test_an_unfinished_release_of_the_same_question_is_noticed(run, ledger, tmp_path):
    stopped(run, "drawn", run_id=None)
    (entry,) = ledger.unfinished("people")
    with pytest.raises(
        Unfinished, match=f"`resume='{entry.release_id}'` finishes it without paying again"
    ):
        run(run_id=None)  # warnings are errors in tests: nothing was paid
    assert kinds(ledger) == ["reserve", "draw"]
    with pytest.raises(Unfinished, match="and is drawn"):
        run()
    run(run_id=None, resume=entry.release_id)
    run(run_id="2026-12", output=tmp_path / "out2")


def test_an_unfinished_run_is_noticed_by_its_id(run, ledger, tmp_path):
    stopped(run, "drawn")
    with pytest.raises(Unfinished, match="`run_id='2026-11'` finishes it"):
        run(run_id=None)
    run(run_id=None, where="age < 9")  # another question
    assert ledger.remaining("people") == 0
    assert kinds(ledger).count("commit") == 1


def test_a_run_of_another_id_is_another_run(run, tmp_path):
    stopped(run, "drawn")
    assert not run(run_id="2026-12", output=tmp_path / "out2").already


# --- from the shell --------------------------------------------------------------------------------------------------


def test_from_the_shell_and_from_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text("clinic,smoker\na,1\na,0\nb,1\n")
    invoke("ledger", "open", "budget.db", "people", "--budget", "1")
    asked = [
        "people.csv",
        "--by",
        "clinic",
        "--count",
        "smoker",
        "--epsilon",
        "1/2",
        "-p",
        "F",
        "--ledger",
        "budget.db",
    ]
    asked += ["--dataset", "people", "-o", "out", "--run-id", "2026-11"]
    invoke("release", *asked, "--save-config", "job.toml")
    assert 'run_id = "2026-11"' in (tmp_path / "job.toml").read_text()
    first = json.loads(invoke("release", *asked, "--json"))
    again = json.loads(invoke("release", "--config", "job.toml", "--json"))
    assert (first["already"], again["already"]) == (False, True)
    assert again["release"] == first["release"] and again["path"] == str(tmp_path / "out")
    text = invoke("release", "--config", "job.toml")
    assert (
        "run 2026-11 was released already" in text
        and "nothing was done or spent" in text
        and "folder: " in text
    )
    told = invoke("release", *asked, "--where", "clinic <> 'b'", code=2)
    assert "asked another question" in told and "another --run-id" in told
    assert "--run-id must not be given together with --resume" in invoke(
        "release", *asked, "--resume", "x", code=2
    )
    assert "unfinished" not in invoke("plan", "--config", "job.toml"), "a plan needs no run"
    with alone(tmp_path / "out2"):
        invoke("release", *asked[:-4], "-o", "out2", "--run-id", "2026-12", code=4)


def test_the_ledger_shows_how_far_each_came(run, ledger, tmp_path):
    run()
    stopped(run, "drawn", run_id="2026-12", output=tmp_path / "out2")
    text = invoke("ledger", "show", ledger.where, "people")
    assert "smoker run 2026-11\n" in text and "smoker run 2026-12 (unfinished: drawn)" in text
    left = [Fraction(row) for row in re.findall(r"(?:open|reserve) +[\d.]+ +([\d.]+)\b", text)]
    assert (
        len(left) == 3
        and left == sorted(left, reverse=True)
        and left[-1] == ledger.remaining("people")
    )
    assert "with --run-id 2026-12 finishes" in text
    told = json.loads(invoke("ledger", "show", ledger.where, "people", "--json"))
    assert [entry["state"] for entry in told if entry["kind"] == "reserve"] == [
        "published",
        "unfinished: drawn",
    ]
    assert "1 unfinished" in invoke("ledger", "show", ledger.where)
    (account,) = json.loads(invoke("ledger", "show", ledger.where, "--json"))
    assert account["unfinished"] == [ledger.find_run("people", "2026-12").release_id]


# --- killed ----------------------------------------------------------------------------------------------------------


MOMENTS = [(phase, passing) for phase in PHASES for passing in range(1, 1 + PASSINGS.get(phase, 1))]


def check_runs(book, folder, runs):
    """Each was paid for once, drawn and shown once, and nothing else is left."""
    history = book.history("people")
    for kind in ("reserve", "publish", "commit"):
        assert len([entry for entry in history if entry.kind == kind]) == len(runs)
    for run_id in runs:
        entry = book.find_run("people", run_id)
        shown = dc.read_release(folder / run_id).manifest
        assert (shown.release, shown.digest, shown.caller) == (
            entry.release_id,
            entry.digest,
            run_id,
        )
    assert sorted(
        path.name for path in folder.iterdir() if not path.name.startswith("budget")
    ) == sorted(runs)
    assert book.datasets()[0].unfinished == ()
    book.verify()


@pytest.mark.slow
def test_stopped_at_every_moment_and_repeated_until_it_succeeds(place, tmp_path, monkeypatch):
    """As if killed: what is hidden stays, and nobody tidies up."""
    book = open_ledger(place)
    book.open("people", budget=20)
    everywhere = [(f"run-{phase}-{passing}", [(phase, passing)]) for phase, passing in MOMENTS]
    for run_id, moments in [*everywhere, ("again-and-again", MOMENTS)]:
        words = {**ASKED, "ledger": place, "run_id": run_id, "output": tmp_path / run_id}
        for phase, passing in moments:
            with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
                passed = []

                def stop(reached, phase=phase, passing=passing, passed=passed, patch=patch):
                    passed.extend([reached] * (reached == phase))
                    if len(passed) == passing:
                        patch.setattr(bundle, "discard", lambda folder: None)
                        raise KeyboardInterrupt

                patch.setattr(progress, "_watcher", stop)
                dc.release(PEOPLE, **words)
        assert dc.release(PEOPLE, **words).already is (phase == "committed")
        assert dc.release(PEOPLE, **words).already
    check_runs(book, tmp_path, [run_id for run_id, _ in everywhere] + ["again-and-again"])


@pytest.mark.slow
def test_killed_and_repeated_until_it_succeeds(victims, place, tmp_path):
    """The same command, really killed with -9 again and again, each attempt coming a step further; and four at once."""
    book = open_ledger(place)
    book.open("people", budget=20)
    job = {"folder": tmp_path, "place": place, "output": "killed", "words": {"run_id": "killed"}}
    raced = {"folder": tmp_path, "place": place, "output": "raced", "words": {"run_id": "raced"}}
    for phase in ("reserved", "drawn", "written", "publishing", "committed"):
        (end,) = victims.play({**job, "phase": phase, "fault": "kill"})
        assert end["code"] == -9, (phase, end)
    assert victims.play(job)[0]["code"] == 0
    assert {end["code"] for end in victims.play(raced, raced, raced)} <= {0, REFUSED}
    assert victims.play(raced)[0]["code"] == 0
    check_runs(book, tmp_path, ["killed", "raced"])


def test_errors_say_what_the_same_call_does(run, ledger, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(bundle, "make_durable", full)
    with pytest.raises(DiscreetError, match="the same call again finishes it without paying again"):
        run()
    monkeypatch.undo()
    assert not run().already and kinds(ledger).count("reserve") == 1
