"""A clock that is set back by more than a year, on the way of a release.

The machine's own clock is everybody's, so the child's alone is moved: libfaketime stands before the
C library and answers every question for the time of day, and reads anew each time how far it is to
be off. That it was off is seen in the ledger: times of entries fall. Time that only counts on (the
monotonic clock) is left alone, as it is when a real clock is set.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.faults.judging import Outcome, demand, prepare, settle
from bench.faults.kills import Fresh
from bench.faults.servers import PostgresPlaces
from bench.faults.victims import Victims
from discreet.core.progress import PHASES
from discreet.ledger import open_ledger

BACK = "-400d"
LIBRARIES = ("/usr/lib/*/faketime/libfaketime.so.1", "/usr/lib/faketime/libfaketime.so.1")


def library() -> Path | None:
    """Return where libfaketime is."""
    root = Path("/")
    return next((path for pattern in LIBRARIES for path in root.glob(pattern[1:])), None)


def outcomes(folder: Path, tries: int, server: PostgresPlaces | None) -> Iterator[Outcome]:
    """Yield an outcome for each phase from which the clock is behind, with SQLite and on a
    server.
    """
    found = library()
    if found is None:
        yield Outcome(
            fault="clock set back",
            where="all",
            note="not tried: libfaketime is missing (Debian: libfaketime)",
        )
        return
    clock = folder / "clock"
    clock.write_text("+0")
    words = {
        "LD_PRELOAD": str(found),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    with Victims(**words) as victims:
        yield from _on(
            folder, "SQLite", lambda case: str(case / "budget.db"), victims, clock, tries
        )
        if server is not None:
            where = f"PostgreSQL {server.version}"
            yield from _on(folder, where, lambda _: server.fresh(), victims, clock, tries)


def _on(
    folder: Path, where: str, fresh: Fresh, victims: Victims, clock: Path, tries: int
) -> Iterator[Outcome]:
    for phase in PHASES[:-1]:
        outcome = Outcome(fault=f"clock set back 400 days: {phase}", where=where)
        for number in range(tries):
            case = folder / f"{where}-{phase}-{number}"
            job = {"phase": phase, "fault": f"clock:{BACK}"}
            outcome.case(_behind, outcome, victims, case, fresh, clock, job)
        yield outcome


def _behind(
    outcome: Outcome, victims: Victims, case: Path, fresh: Fresh, clock: Path, job: dict[str, Any]
) -> str | None:
    clock.write_text("+0")
    case.mkdir()
    prepare(case, place := fresh(case))
    (end,) = victims.play({"folder": case, "place": place, **job})
    demand(end["code"] == 0, f"did not release: {end}")
    state = settle(outcome, case, place, end)
    times = [entry.time for entry in open_ledger(place).history()]
    return state if sorted(times) != times else None
