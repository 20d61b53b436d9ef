"""A release is taken up as it was begun: the same question, and wherever it ends, nothing of an attempt stays behind."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from tests.conftest import require

require("tables")

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from tests.ledger.places import child

import discreet as dc
from discreet.core import progress
from discreet.core.progress import PHASES
from discreet.errors import BudgetError, InvalidInput
from discreet.ledger import open_ledger
from discreet.tables.asking.request import Request, question_digest
from discreet.tables.published import bundle

ROOT = Path(__file__).parents[2]
PEOPLE = pa.table({"clinic": ["a", "a", "b"], "smoker": [True, False, True], "age": [1, 2, 3]})
ASKED = {
    "by": "clinic",
    "count": "smoker",
    "epsilon": "1/2",
    "properties": "F",
    "dataset": "people",
}

# A process that imports once and forks a child for every line: importing takes longer than a release.
KILLED = """
import json, os, sys
import pyarrow as pa
import discreet as dc
from bench.faults.victims import prepare_to_fork
from discreet.core import progress
prepare_to_fork()
people = pa.table({"clinic": ["a", "a", "b"], "smoker": [True, False, True], "age": [1, 2, 3]})
asked = {"by": "clinic", "count": "smoker", "epsilon": "1/2", "properties": "F", "dataset": "people"}
for line in sys.stdin:
    place, output, phase, resume = json.loads(line)
    pid = os.fork()
    if pid == 0:
        progress.watch(lambda reached: os.kill(os.getpid(), 9) if reached == phase else None)
        try:
            dc.release(people, ledger=place, output=output, resume=resume or None, **asked)
        finally:
            os._exit(1)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""


@pytest.fixture
def ledger(tmp_path):
    book = open_ledger(tmp_path / "budget.db")
    book.open("people", budget=1)
    return book


@pytest.fixture(scope="module")
def victims():
    with child(KILLED, cwd=ROOT) as process:
        yield process
        process.stdin.close()


@pytest.fixture
def kill(victims):
    """Kill a release in a phase."""

    def killed(ledger, output, phase, resume=""):
        victims.stdin.write(json.dumps([ledger.where, str(output), phase, resume]) + "\n")
        victims.stdin.flush()
        assert victims.stdout.readline() == "-9\n"

    return killed


def folders(tmp_path, *names):
    for name in names:
        (tmp_path / name).mkdir()
    return [tmp_path / name / "out" for name in names]


def left(tmp_path):
    """Everything that attempts and releases made: hidden folders too."""
    return sorted(str(p.relative_to(tmp_path)) for p in tmp_path.glob("*/*"))


FAST = ("written", "publishing")


@pytest.mark.parametrize(
    "phase", [pytest.param(p, marks=[pytest.mark.slow] * (p not in FAST)) for p in PHASES[1:]]
)
def test_killed_in_each_phase_and_finished_elsewhere(ledger, kill, tmp_path, phase):
    first, second = folders(tmp_path, "first", "second")
    kill(ledger, first, phase)
    (entry,) = ledger._read().reservations.values()
    words = {"ledger": ledger, "resume": entry.release_id, **ASKED}
    if phase in (
        "renamed",
        "committed",
    ):  # it may have been seen: it stays the one release, in the one place
        seen = dc.read_release(first).manifest
        with pytest.raises(
            InvalidInput, match=f"must be where release .* was published.*output='{first}'"
        ):
            dc.release(PEOPLE, output=second, **words)
        assert dc.release(PEOPLE, output=first, **words).manifest == seen
        assert left(tmp_path) == ["first/out"]
    else:
        r = dc.release(PEOPLE, output=second, **words)
        assert dc.read_release(second).manifest == r.manifest
        assert left(tmp_path) == ["second/out"]
        if entry.digest:  # recorded: the same draw, never another
            assert r.manifest.digest == entry.digest
    assert ledger.find(entry.release_id).state == "committed"
    assert ledger.find(entry.release_id).draws == (2 if phase in ("drawn", "written") else 1)
    assert ledger.remaining("people") == Fraction(1, 2)
    ledger.verify()


@pytest.mark.slow
def test_killed_in_one_place_after_another(ledger, kill, tmp_path):
    places = folders(tmp_path, "a", "b", "c", "d")
    kill(ledger, places[0], "reserved")
    (entry,) = ledger.datasets()[0].unfinished
    for place, phase in zip(places[1:], ("drawn", "written", "publishing"), strict=True):
        kill(ledger, place, phase, entry.release_id)
    assert ledger.find(entry.release_id).outputs == tuple(map(str, places[1:]))
    assert len(left(tmp_path)) == 2  # what was written; at `drawn` no folder was made yet
    r = dc.release(PEOPLE, ledger=ledger, output=places[0], resume=entry.release_id, **ASKED)
    assert left(tmp_path) == ["a/out"]
    assert r.manifest.digest == ledger.find(entry.release_id).digest
    assert ledger.find(entry.release_id).outputs[-1] == str(places[0])


@pytest.mark.parametrize("moment", ["is_file", "read", "digest"])
def test_another_that_publishes_while_one_looks_is_no_fault(
    ledger, kill, tmp_path, monkeypatch, moment
):
    """Two take up a finished bundle; one moves it into its place while the other looks at it."""
    (output,) = folders(tmp_path, "one")
    kill(ledger, output, "publishing")
    (entry,) = ledger._read().reservations.values()

    def overtaken(look):
        def looked(path, *more):
            monkeypatch.undo()
            for hidden in bundle.attempts(output, entry.release_id):
                hidden.rename(output)
            return look(path, *more)

        return looked

    name = {"is_file": "holds", "read": "read_manifest", "digest": "file_digest"}[moment]
    monkeypatch.setattr(bundle, name, overtaken(getattr(bundle, name)))
    finished = dc.release(PEOPLE, ledger=ledger, output=output, resume=entry.release_id, **ASKED)
    assert finished.manifest.digest == entry.digest
    assert ledger.find(entry.release_id).state == "committed"
    assert left(tmp_path) == ["one/out"]


def test_finished_in_memory_what_was_begun_on_disk(ledger, kill, tmp_path):
    (first,) = folders(tmp_path, "first")
    kill(ledger, first, "written")
    assert len(left(tmp_path)) == 1
    (entry,) = ledger.datasets()[0].unfinished
    assert dc.release(PEOPLE, ledger=ledger, resume=entry.release_id, **ASKED).table.num_rows == 2
    assert left(tmp_path) == []


def test_a_finished_bundle_that_cannot_go_to_its_new_place_waits(ledger, kill, tmp_path):
    first, second = folders(tmp_path, "first", "second")
    kill(ledger, first, "publishing")
    dc.release(PEOPLE, output=second, **{**ASKED, "dataset": None})
    (entry,) = ledger.datasets()[0].unfinished
    words = {"ledger": ledger, "resume": entry.release_id, **ASKED}
    with pytest.raises(InvalidInput, match="`output` came into being meanwhile"):
        dc.release(PEOPLE, output=second, **words)
    assert [name.rpartition(".")[2] for name in left(tmp_path)] == ["partial", "second/out"]
    r = dc.release(PEOPLE, output=second, overwrite=True, **words)
    assert (r.manifest.digest, left(tmp_path)) == (entry.digest, ["second/out"])


OTHERS = {
    "by": ["clinic", "age"],
    "count": ["smoker", "age > 2"],
    "size": 3,
    "properties": "WH",
    "loss": "L1",
    "prior": "Binomial(1/3)",
    "worst_case": True,
    "gap": "1/100",
    "split": {"smoker": 1, "x": 3},
    "unit": "age",
    "contributions": 2,
    "excess": "drop",
    "where": "age > 1",
    "nulls": "0",
    "public": ["age"],
    "keys": ["a", "b", "c"],
    "other_keys": "drop",
    "intervals": 0.95,
}


@pytest.mark.parametrize("phase", ["reserved", "written", "publishing", "committed"])
def test_another_question_is_not_answered_under_the_same_entry(ledger, tmp_path, phase):
    (out,) = folders(tmp_path, "first")

    def stop(reached):
        if reached == phase:
            raise KeyboardInterrupt

    progress.watch(stop)
    try:
        with pytest.raises(KeyboardInterrupt):
            dc.release(PEOPLE, ledger=ledger, output=out, **ASKED)
    finally:
        progress.watch(None)
    (entry,) = ledger._read().reservations.values()
    before, head = left(tmp_path), ledger.head()
    for changed in (
        {"by": []},
        {"count": "age > 1"},
        {"where": "age < 3"},
        {"properties": "WH"},
        {"intervals": 0.9},
    ):
        words = {**ASKED, **changed, "ledger": ledger, "resume": entry.release_id}
        with pytest.raises(
            BudgetError, match="was reserved for another question: repeat the call as it was"
        ):
            dc.release(PEOPLE, output=out, **words)
    assert (left(tmp_path), ledger.head()) == (before, head)
    dc.release(PEOPLE, ledger=ledger, output=out, resume=entry.release_id, **ASKED)
    assert left(tmp_path) == ["first/out"]


def test_an_entry_made_by_hand_is_bound_by_its_first_draw(ledger, kill, tmp_path):
    (out,) = folders(tmp_path, "first")
    entry = ledger.reserve("people", "1/2")
    kill(ledger, out, "written", entry.release_id)
    with pytest.raises(BudgetError, match="another question"):
        dc.release(
            PEOPLE,
            ledger=ledger,
            output=out,
            resume=entry.release_id,
            **{**ASKED, "where": "age > 1"},
        )
    dc.release(PEOPLE, ledger=ledger, output=out, resume=entry.release_id, **ASKED)


# --- the digest ------------------------------------------------------------------------------------------------------

QUESTION = {name: value for name, value in ASKED.items() if name != "dataset"}


def digest(**asked):
    return question_digest(Request(**asked))


@pytest.mark.parametrize("name", OTHERS)
def test_everything_that_decides_what_is_released_is_in_the_digest(name):
    value = pa.table({"clinic": OTHERS["keys"]}) if name == "keys" else OTHERS[name]
    assert digest(**{**QUESTION, name: value}) != digest(**QUESTION)


def test_epsilon_and_alpha_are_in_the_digest():
    plain = {**QUESTION, "epsilon": None}
    found = [
        digest(**{**plain, **one}) for one in ({"epsilon": 1}, {"epsilon": 2}, {"alpha": "1/2"})
    ]
    assert len(set(found)) == 3


def test_one_question_has_one_digest_however_it_is_typed(tmp_path):
    same = {
        "by": ["clinic"],
        "count": {"smoker": "smoker"},
        "epsilon": 0.5,
        "properties": ["f"],
        "split": [7],
        "loss": "l0",
        "prior": " Uniform",
        "contributions": 1,
        "nulls": "refuse",
        "public": [],
        "gap": None,
    }
    assert digest(**same) == digest(**QUESTION)
    keys = [("a", 1), ("b", None), ("a", 2)]
    tables = [
        pa.table({"x": [k for k, _ in rows], "y": [k for _, k in rows]})
        for rows in (keys, keys[::-1])
    ]
    chunked = pa.concat_tables([tables[0].slice(0, 1), tables[0].slice(1)])
    assert len({digest(**QUESTION, keys=table) for table in (*tables, chunked)}) == 1
    assert digest(**QUESTION, keys=tables[0].slice(1)) != digest(**QUESTION, keys=tables[0])
    for name in ("k.csv", "moved.csv"):
        (tmp_path / name).write_text("clinic\na\n")
    assert digest(**QUESTION, keys=tmp_path / "k.csv") == digest(
        **QUESTION, keys=str(tmp_path / "moved.csv")
    )
    (tmp_path / "k.csv").write_text("clinic\nb\n")
    assert digest(**QUESTION, keys=tmp_path / "k.csv") != digest(
        **QUESTION, keys=tmp_path / "moved.csv"
    )


def test_the_digest_is_fixed_for_good():
    assert digest(**QUESTION) == "8db1215a51adca6163304c3e3100f7295c631e09b2ea70e684944b26282d41fe"
    assert (
        digest(
            **QUESTION,
            where="age > 17",
            prior={3: ["1/4", 0.25, "1/2", 0]},
            loss=[[0, 1], [1, 0]],
            nulls=0,
            size="n",
            intervals="0.95",
        )
        == "9cbf3474cf80acd9c3dce06590f16fdc60b19daa5dc5a46015a2edf6829021cb"
    )


words = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary(), st.just(object())
)
anything = st.recursive(
    words, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=5
)


@given(st.dictionaries(st.sampled_from(sorted(set(OTHERS) - {"keys"})), anything))
def test_anything_has_a_digest(changed):
    """What is no question is refused by who reads it, in its own words."""
    assert len(digest(**{**QUESTION, **changed})) == 64


def test_what_can_be_read_only_once_is_still_answered(ledger, tmp_path):
    words = {
        "by": iter(["clinic"]),
        "count": iter(["smoker"]),
        "keys": iter(["a", "b", "c"]),
        "public": iter([]),
    }
    r = dc.release(PEOPLE, ledger=ledger, **{**ASKED, **words})
    assert r.table.num_rows == 3
    (entry,) = [entry for entry in ledger.history() if entry.kind == "reserve"]
    asked = {**QUESTION, "keys": pa.table({"clinic": ["a", "b", "c"]})}
    assert entry.question == digest(**asked)
