"""A database that goes away: sessions ended by the server, lines cut at a commit, the server
stopped midway.
"""

from __future__ import annotations

import random
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from bench.faults.judging import Outcome, demand, prepare, settle
from bench.faults.servers import PostgresServer, Proxy
from bench.faults.victims import REFUSED, Victims, end_sessions
from discreet.core.progress import PHASES

COMMITS = ("reservation", "draw", "publication", "end")
"""The commits of one release, in order."""


def outcomes(
    victims: Victims, folder: Path, server: PostgresServer, tries: int
) -> Iterator[Outcome]:
    """Yield an outcome for each way to lose a database."""
    where = f"PostgreSQL {server.version}"
    for passing in (2, 3):
        outcome = Outcome(
            fault=f"session ended by the server: reserving ({passing} of 3)", where=where
        )
        job = {"phase": "reserving", "passing": passing, "fault": f"end-sessions:{server.base}"}
        for number in range(tries):
            outcome.case(_lost, outcome, victims, folder / f"ended-{passing}-{number}", server, job)
        yield outcome
    outcome, chance = (
        Outcome(fault="session ended by the server: at random moments", where=where),
        random.Random(1),
    )
    for number in range(tries):
        outcome.case(_harassed, outcome, victims, folder / f"random-{number}", server, chance)
    yield outcome
    for at, name in enumerate(COMMITS, 1):
        for deliver in (False, True):
            way = "after it arrived" if deliver else "before it arrived"
            outcome = Outcome(fault=f"line cut at the commit of the {name}, {way}", where=where)
            for number in range(tries):
                case = folder / f"cut-{at}-{deliver:d}-{number}"
                outcome.case(_cut, outcome, victims, case, server, at, deliver)
            yield outcome
    for phase in PHASES:
        outcome = Outcome(fault=f"server stopped at once: {phase}", where=where)
        for number in range(tries):
            outcome.case(_stopped, outcome, victims, folder / f"{phase}-{number}", server, phase)
        yield outcome


def _begin(case: Path, server: PostgresServer) -> str:
    place = server.fresh()
    prepare(case, place)
    return place


def _lost(
    outcome: Outcome, victims: Victims, case: Path, server: PostgresServer, job: dict[str, Any]
) -> str | None:
    place = _begin(case, server)
    (end,) = victims.play({"folder": case, "place": place, **job})
    demand(end["met"], "the moment was not reached")
    state = settle(outcome, case, place, end)
    return state if end["code"] == REFUSED else None


def _harassed(
    outcome: Outcome, victims: Victims, case: Path, server: PostgresServer, chance: random.Random
) -> str | None:
    """End every session again and again while the release runs, starting somewhere on its way."""
    place, over = _begin(case, server), threading.Event()

    def harass() -> None:
        time.sleep(chance.uniform(0, 0.15))
        while not over.is_set():
            end_sessions(server.base)
            time.sleep(chance.uniform(0, 0.02))

    thread = threading.Thread(target=harass)
    thread.start()
    try:
        (end,) = victims.play({"folder": case, "place": place})
    finally:
        over.set()
        thread.join()
    state = settle(outcome, case, place, end)
    return state if end["code"] == REFUSED else None


def _cut(
    outcome: Outcome, victims: Victims, case: Path, server: PostgresServer, at: int, deliver: bool
) -> str | None:
    place = _begin(case, server)
    socket = Path(tempfile.mkdtemp(prefix="px-"))
    proxy = Proxy(server.folder, socket, deliver=deliver, at=at)
    try:
        through = place.replace(quote(str(server.folder), safe=""), quote(str(socket), safe=""))
        (end,) = victims.play({"folder": case, "place": through})
    finally:
        proxy.close()
        shutil.rmtree(socket)
    demand(end["code"] == REFUSED, f"nobody noticed: {end}")
    demand(
        "whether it was written is not known" in end["told"],
        f"does not say what is not known: {end['told']}",
    )
    return settle(outcome, case, place, end)


def _stopped(
    outcome: Outcome, victims: Victims, case: Path, server: PostgresServer, phase: str
) -> str | None:
    place = _begin(case, server)
    try:
        (end,) = victims.play(
            {"folder": case, "place": place, "phase": phase, "fault": f"stop:{server.pid}"}
        )
    finally:
        server.recover()
    demand(end["met"], "the moment was not reached")
    # after the last commit there is nothing left to ask the server
    demand(end["code"] == (0 if phase == "committed" else REFUSED), f"ended otherwise: {end}")
    return settle(outcome, case, place, end)
