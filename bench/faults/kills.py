"""Killed with -9: in each named phase, and at random moments."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench.faults.judging import Outcome, demand, prepare, settle
from bench.faults.victims import Victims
from discreet.core.progress import PHASES

PASSINGS = {"reserving": 3}
"""Phases that one release passes more than once."""

Fresh = Callable[[Path], str]
"""Makes a place for the ledger of the case in a folder."""


def in_each_phase(
    victims: Victims, folder: Path, where: str, fresh: Fresh, tries: int
) -> Iterator[Outcome]:
    """Yield an outcome for each phase, its passings in turn."""
    for phase in PHASES:
        outcome = Outcome(fault=f"killed: {phase}", where=where)
        for number in range(max(tries, PASSINGS.get(phase, 1))):
            case = folder / f"{phase}-{number}"
            job = {"phase": phase, "passing": 1 + number % PASSINGS.get(phase, 1), "fault": "kill"}
            outcome.case(killed, outcome, victims, case, fresh, job)
        yield outcome


def at_random_moments(
    victims: Victims, folder: Path, where: str, fresh: Fresh, tries: int
) -> Iterator[Outcome]:
    """Kill at moments spread over the whole way of a release, and over its end, where the ledger
    and the disk are.

    One that ends before is no hit, and those after it are killed earlier than it was: whatever else
    the machine does meanwhile, one is hit in the end.
    """
    chance = random.Random(0)
    watched = {"phase": "reserving", "fault": "none"}
    for name, words in {"from the start": {}, "from the reservation": watched}.items():
        outcome = Outcome(fault=f"killed: at a random moment {name}", where=where)
        way = folder / f"way {name}"
        way.mkdir()
        prepare(way, place := fresh(way))
        latest = victims.play({"folder": way, "place": place, **words})[0]["seconds"]
        while outcome.tried < tries or not (outcome.hits or outcome.failures):
            moment, hits = chance.uniform(0, latest), outcome.hits
            case = folder / f"{name} {outcome.tried}"
            outcome.case(killed, outcome, victims, case, fresh, {**words, "after": moment})
            if outcome.hits == hits:
                latest = moment
        yield outcome


def killed(
    outcome: Outcome, victims: Victims, case: Path, fresh: Fresh, job: dict[str, Any]
) -> str | None:
    case.mkdir()
    prepare(case, place := fresh(case))
    (end,) = victims.play({"folder": case, "place": place, **job})
    demand("after" in job or end["code"] == -signal.SIGKILL, f"was not killed: {end}")
    state = settle(outcome, case, place, end)
    return state if end["code"] == -signal.SIGKILL else None
