"""Killed with -9 in each named phase: never under-counted, never a release without its entry, never half a file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from tests.conftest import require

require("tables")

import tests.killed_releases as killed

import discreet as dc
from discreet.errors import BudgetError
from discreet.ledger import open_ledger

pytestmark = pytest.mark.slow
HITS = 20
PRICE = Fraction(1, 3)


def run(folder: Path, phase: str, hits: int) -> list[int]:
    path = os.pathsep.join(entry for entry in sys.path if entry)
    words = [sys.executable, killed.__file__, str(folder), phase, str(hits)]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": path})
    return [int(line.split()[1]) for line in done.stdout.splitlines()]


def check(folder: Path) -> str:
    """What must hold wherever a process died; returns how far it came."""
    ledger = open_ledger(folder / "budget.db")
    ledger.verify()
    (account,) = ledger.datasets()
    entry = account.unfinished[0] if account.unfinished else None
    state = entry.state if entry else "committed" if account.spent else "nothing"
    assert account.spent == (0 if state == "nothing" else PRICE)
    visible = {path.name for path in folder.iterdir() if not path.name.startswith(".")} - {"budget.db-journal"}
    hidden = [path for path in folder.iterdir() if path.name.startswith(".")]
    assert visible <= {"budget.db", "ready", "out"}
    assert all(path.stat().st_mode & 0o077 == 0 for path in hidden)
    if (folder / "out").exists():
        found = dc.read_release(folder / "out")  # checks every digest
        assert found.table.num_rows == 40
        assert state in ("publishing", "committed")
        recorded = [e.digest for e in ledger.history() if e.kind == "publish"]
        assert recorded == [found.manifest.digest]
    return state


def resume(folder: Path) -> None:
    """A release started again keeps its entry and ends as one whole release for one price."""
    ledger = open_ledger(folder / "budget.db")
    (account,) = ledger.datasets()
    release = account.unfinished[0].release_id if account.unfinished else None
    r = dc.release(killed.PEOPLE, ledger=ledger, output=folder / "out", resume=release, **killed.ASKED)
    assert ledger.datasets()[0].spent == PRICE
    assert ledger.datasets()[0].unfinished == ()
    assert dc.read_release(folder / "out").manifest == r.manifest
    if release:
        assert r.manifest.release == release
    left = {path.name for path in folder.iterdir()} - {"ready"}
    assert left == {"budget.db", "out"}


@pytest.mark.parametrize(
    ("phase", "states"),
    [
        ("reserving", {"nothing", "reserved"}),
        ("reserved", {"reserved"}),
        ("drawn", {"drawn"}),
        ("written", {"drawn"}),
        ("publishing", {"publishing"}),
        ("renamed", {"publishing"}),
        ("committed", {"committed"}),
    ],
)
def test_killed_in_a_phase(tmp_path, phase, states):
    codes = run(tmp_path, phase, HITS)
    assert codes == [-signal.SIGKILL] * HITS
    for folder in sorted(tmp_path.iterdir()):
        assert check(folder) in states
        assert (folder / "out").exists() == (phase in ("renamed", "committed"))
        if phase != "committed":
            resume(folder)
            assert check(folder) == "committed"


def test_killed_at_any_time(tmp_path):
    codes = run(tmp_path, "time", 60)
    assert set(codes) <= {0, -signal.SIGKILL}
    states = set()
    for folder in sorted(tmp_path.iterdir()):
        states.add(state := check(folder))
        if state != "committed":
            resume(folder)
    assert len(states) > 1


def test_what_may_have_been_seen_is_never_drawn_again(tmp_path):
    assert run(tmp_path, "publishing", 1) == [-signal.SIGKILL]
    (folder,) = tmp_path.iterdir()
    (hidden,) = (path for path in folder.iterdir() if path.name.endswith(".partial"))
    for file in hidden.iterdir():
        if file.is_file():
            file.unlink()
    entry = open_ledger(folder / "budget.db").datasets()[0].unfinished[0]
    with pytest.raises(BudgetError, match="cannot be drawn again"):
        dc.release(
            killed.PEOPLE, ledger=folder / "budget.db", output=folder / "out", resume=entry.release_id, **killed.ASKED
        )
    assert not (folder / "out").exists()
