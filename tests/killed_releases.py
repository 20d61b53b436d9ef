"""Run by the kill tests: releases in forked children that kill themselves with -9 at a named moment.

    python killed_releases.py FOLDER PHASE HITS     one child for each hit, each in FOLDER/hit-K with a ledger of its own
    python killed_releases.py FOLDER time HITS      killed by the parent after a random time instead

The parent only imports, and forks before any engine has started a thread.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path

import pyarrow as pa

from discreet.ledger import open_ledger
from discreet.ledger.phases import watch
from discreet.tables.releasing import release

PEOPLE = pa.table({"clinic": [f"c{k % 40:02}" for k in range(400)], "smoker": [k % 3 == 0 for k in range(400)]})
ASKED = {"by": "clinic", "count": "smoker", "epsilon": "1/3", "properties": "F", "dataset": "people"}
OFTEN = {"reserving": 3}
"""Phases that one release passes more than once."""


def child(folder: Path, phase: str, occurrence: int) -> None:
    folder.mkdir()
    open_ledger(folder / "budget.db").open("people", budget=1)
    seen = 0

    def kill(reached: str) -> None:
        nonlocal seen
        if reached == phase:
            seen += 1
            if seen == occurrence:
                os.kill(os.getpid(), signal.SIGKILL)

    watch(kill)
    (folder / "ready").touch()
    release(PEOPLE, ledger=folder / "budget.db", output=folder / "out", **ASKED)


def main(folder: Path, phase: str, hits: int) -> None:
    chance = random.Random(0)
    for k in range(hits):
        place = folder / f"hit-{k:03}"
        process = os.fork()
        if not process:
            try:
                child(place, phase, 1 + k % OFTEN.get(phase, 1))
            finally:
                os._exit(0)
        if phase == "time":
            while not (place / "ready").exists():
                time.sleep(0.001)
            time.sleep(chance.uniform(0, 0.25))
            os.kill(process, signal.SIGKILL)
        _, status = os.waitpid(process, 0)
        print(place.name, os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
