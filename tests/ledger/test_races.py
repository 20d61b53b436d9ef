"""Many processes at once, and processes killed with -9: exactly what fits is granted, and nothing granted is forgotten."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from fractions import Fraction

import pytest
from tests.ledger.places import child

from discreet.core.progress import PHASES
from discreet.errors import BudgetError, BudgetExceeded
from discreet.ledger import open_ledger

pytestmark = pytest.mark.slow

PROCESSES = 8

# One process imports and forks the others, which begin together; each says in one line how it ended.
TOGETHER = """
import os, sys
from discreet.errors import BudgetExceeded
from discreet.ledger import open_ledger
place, processes = sys.argv[1], int(sys.argv[2])
if place.startswith("postgresql:"):
    import discreet.ledger.databases.postgres
else:
    import discreet.ledger.databases.sqlite
(ready, here), (start, go), children = os.pipe(), os.pipe(), []
for number in range(processes):
    children.append(os.fork())
    if not children[-1]:
        said, code = [], 1
        try:
            begin()
            os.write(here, b".")
            os.read(start, 1)
            said = work(number)
            code = 0
        finally:
            os.write(1, (" ".join(map(str, said)) + "\\n").encode())
            os._exit(code)
for _ in children:
    os.read(ready, 1)
os.write(go, b"." * processes)
sys.exit(max(os.waitstatus_to_exitcode(os.waitpid(one, 0)[1]) for one in children))
"""

RACER = """
def begin():
    global ledger
    ledger = open_ledger(place, timeout=120)

def work(number):
    tries, epsilon, answers = int(sys.argv[3]), sys.argv[4], []
    for one in range(tries):
        try:
            ledger.reserve("people", epsilon, release_id=f"p{number}-{one}")
            answers.append("granted")
        except BudgetExceeded:
            answers.append("refused")
    return answers
"""

MAKER = """
def begin():
    pass

def work(number):
    ledger = open_ledger(place, timeout=120)
    ledger.open("people", budget=1)
    ledger.reserve("people", "1/8")
    return ["made"]
"""


def together(script, place, *words):
    """Run the script in eight processes at once; return all that they said."""
    with child(script + TOGETHER, place, str(PROCESSES), *words) as racers:
        said = racers.communicate(timeout=300)[0].split()
    assert racers.returncode == 0
    return said


def test_a_writer_excludes_others_before_it_has_read_or_written_anything(place):
    ledger = open_ledger(place)
    ledger.open("people", budget=1)
    impatient = open_ledger(place, timeout=0.1)
    with (
        ledger._store.writing(),
        pytest.raises(BudgetError, match="stayed locked .* nothing was written"),
    ):
        impatient.reserve("people", 1)
    impatient.reserve("people", 1)


def test_eight_processes_race_for_the_last_budget_many_times(place):
    ledger = open_ledger(place)
    ledger.open("people", budget=5)
    answers = together(RACER, place, "10", "3/35")
    assert answers.count("granted") == 58  # 58 * 3/35 <= 5 < 59 * 3/35
    assert ledger.remaining("people") == 5 - 58 * Fraction(3, 35)
    assert ledger.verify().entries == 59


def test_eight_processes_make_one_ledger_at_once(place):
    assert together(MAKER, place) == ["made"] * PROCESSES
    ledger = open_ledger(place)
    assert ledger.remaining("people") == 0
    assert ledger.verify().entries == 1 + PROCESSES


def test_threads_share_one_ledger(place):
    ledger = open_ledger(place)
    ledger.open("people", budget=1)
    answers: list[str] = []

    def work() -> None:
        try:
            ledger.reserve("people", "1/5")
            answers.append("granted")
        except BudgetExceeded:
            answers.append("refused")

    threads = [threading.Thread(target=work) for _ in range(PROCESSES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == ["granted"] * 5 + ["refused"] * 3
    assert ledger.verify().entries == 6


# A child that forks; each grandchild goes the way of a release and kills itself with -9 at the named moment. The
# number after a phase is which passing of it: "reserving" is passed before the lock, under it, and before the commit.
VICTIM = """
import os, signal, sys
from discreet.core import progress
from discreet.ledger import open_ledger
place, hits = sys.argv[1], int(sys.argv[2])
if place.startswith("postgresql:"):
    import discreet.ledger.databases.postgres
for moment in sys.argv[3:]:
    phase, passing = moment.split("-")
    for hit in range(hits):
        pid = os.fork()
        if pid == 0:
            seen = []
            def watcher(reached):
                seen.append(reached)
                if reached == phase and seen.count(phase) == int(passing):
                    os.kill(os.getpid(), signal.SIGKILL)
            progress.watch(watcher)
            ledger = open_ledger(place)
            entry = ledger.reserve("people", "1/100", release_id=f"{moment}-{hit}")
            entry = ledger.mark_drawn(entry)
            progress.reached("written")
            entry = ledger.mark_publishing(entry, digest="d")
            progress.reached("renamed")
            ledger.commit(entry)
            os._exit(1)
        _, status = os.waitpid(pid, 0)
        if not (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL):
            sys.exit(f"not killed: {status}")
print("done")
"""

AFTER = {
    "reserving": None,
    "reserved": "reserved",
    "drawn": "drawn",
    "written": "drawn",
    "publishing": "publishing",
    "renamed": "publishing",
    "committed": "committed",
}
MOMENTS = ("reserving-1", "reserving-2", "reserving-3", *(f"{phase}-1" for phase in PHASES[1:]))
HITS = 2


def test_killed_in_each_phase_several_times(place):
    assert tuple(AFTER) == PHASES
    ledger = open_ledger(place)
    ledger.open("people", budget=1)
    victim = child(VICTIM, place, str(HITS), *MOMENTS)
    assert victim.communicate(timeout=300)[0] == "done\n"
    again = open_ledger(place)
    found = {moment: [again.find(f"{moment}-{hit}") for hit in range(HITS)] for moment in MOMENTS}
    states = {
        moment: [entry and entry.state for entry in entries] for moment, entries in found.items()
    }
    assert states == {moment: [AFTER[moment.partition("-")[0]]] * HITS for moment in MOMENTS}
    counted = sum(state is not None for entries in states.values() for state in entries)
    assert counted == HITS * (len(PHASES) - 1)
    assert ledger.remaining("people") == 1 - Fraction(counted, 100)
    ledger.verify()
    for hit in range(
        HITS
    ):  # nothing was drawn: a person may give it back, and the amount is there again
        ledger.release_reservation(f"reserved-1-{hit}", reason="killed by a test", by="test")
    assert ledger.remaining("people") == 1 - Fraction(counted - HITS, 100)


RESERVER = """
import sys
from discreet.ledger import open_ledger
ledger = open_ledger(sys.argv[1], timeout=300)
number = 0
while True:
    release_id = f"{sys.argv[2]}-{number}"
    print("asked", release_id, flush=True)
    ledger.reserve("people", "1/1000", release_id=release_id)
    print("granted", release_id, flush=True)
    number += 1
"""


KILLS = 6


def test_killed_at_any_moment_never_under_counted(place):
    """Every reservation that was answered is in the ledger; of those only asked for, at most the last may be."""
    ledger = open_ledger(place)
    ledger.open("people", budget=100)
    chance = random.Random(7)
    granted: set[str] = set()
    asked: set[str] = set()
    for hit in range(KILLS):
        reserver = child(RESERVER, place, f"hit{hit}")
        assert reserver.stdout.readline().startswith("asked")
        time.sleep(chance.uniform(0, 0.1))
        os.kill(reserver.pid, signal.SIGKILL)
        with reserver:  # read, not communicate: that would lose what readline has read ahead
            lines = [f"asked hit{hit}-0", *reserver.stdout.read().splitlines()]
        granted |= {
            line.split()[1] for line in lines if line.startswith("granted ") and line.count("-")
        }
        asked |= {
            line.split()[1] for line in lines if line.startswith("asked ") and line.count("-")
        }
    with ledger._store.writing():  # a server may still be at the last commit of one that was killed
        pass
    written = {entry.id for entry in ledger.history() if entry.kind == "reserve"}
    assert granted <= written <= asked
    assert len(written - granted) <= KILLS
    assert ledger.remaining("people") == 100 - Fraction(len(written), 1000)
    ledger.verify()
