"""Spark tasks interrupted: workers killed midway and retried, attempts run twice at once, executors
killed.

A cluster of a master and two workers on this machine. Rows must be the same whichever attempt they
come from; a release that writes must be whole, and paid once.
"""

from __future__ import annotations

import importlib.util
import os
import random
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

import discreet as dc
from bench.faults.judging import Outcome, demand, judge, only, prepare
from bench.faults.victims import ASKED, PEOPLE
from discreet.errors import DiscreetError

GROUPS, SIZE = 600, 5


def missing() -> str:
    """What is missing for a cluster, or nothing."""
    absent = [name for name in ("pyspark", "pandas") if importlib.util.find_spec(name) is None]
    if absent:
        return f"Python package {absent[0]}"
    return "" if shutil.which("java") else "a Java runtime"


def outcomes(folder: Path, tries: int) -> Iterator[Outcome]:
    """Yield an outcome for each way to interrupt."""
    if lacking := missing():
        yield Outcome(
            fault="Spark tasks interrupted", where="Spark", note=f"not tried: {lacking} is missing"
        )
        return
    import pyspark
    from tests.tables.sources import spark_session

    spark = spark_session()
    where = f"Spark {pyspark.__version__}"
    rows = range(GROUPS * SIZE)
    people = spark.createDataFrame(
        pa.table(
            {"clinic": [f"c{k % GROUPS:04}" for k in rows], "smoker": [k % 3 == 0 for k in rows]}
        )
    ).repartition(4)
    released = dc.release(people, by="clinic", count="smoker", epsilon=1, properties="F").frame
    first = collected(released)
    outcome = Outcome(
        fault="worker of a task killed after its first rows, task retried", where=where
    )
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "50")
    for number in range(tries):
        outcome.case(_retried, released, first, folder / f"retried-{number}")
    spark.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")
    yield outcome
    outcome = Outcome(fault="slow task run a second time at once (speculation)", where=where)
    for number in range(-(-tries // 3)):
        outcome.case(_speculated, released, first, folder / f"speculated-{number}")
    yield outcome
    people = spark.createDataFrame(PEOPLE).repartition(4)
    begun = time.monotonic()
    _interrupted(Outcome(fault="none", where=where), people, folder / "whole", None, 0.0)
    whole = time.monotonic() - begun
    for name, called in {
        "Python worker": "pyspark.daemon",
        "executor": "CoarseGrainedExecutorBackend",
    }.items():
        outcome, chance = (
            Outcome(fault=f"{name} killed at a random moment of a release", where=where),
            random.Random(3),
        )
        for number in range(tries if name == "Python worker" else -(-tries // 2)):
            moment = chance.uniform(0, whole)
            outcome.case(_interrupted, outcome, people, folder / f"{name}-{number}", called, moment)
        yield outcome


def collected(frame: Any) -> list[tuple[Any, ...]]:
    """Evaluate a frame."""
    return [tuple(row) for row in frame.collect()]


def die_once(folder: str) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Kill the Python worker of each task's first attempt after a batch has passed: Spark runs
    the task again.
    """

    def die(batches: Iterator[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        task = TaskContext.get()
        for place, batch in enumerate(batches):
            yield batch
            if place == 0 and task.attemptNumber() == 0:
                (Path(folder) / f"{task.partitionId()}").touch()
                os.kill(os.getpid(), signal.SIGKILL)

    return die


def slow_once(folder: str) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Note what each attempt sees; the first attempt of partition 0 then dawdles, so that Spark
    starts another.
    """

    def watch(batches: Iterator[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        task = TaskContext.get()
        seen = list(batches)
        note = Path(folder) / f"{task.partitionId()}-{task.attemptNumber()}"
        note.write_text(repr([batch.to_pydict() for batch in seen]))
        if task.partitionId() == 0 and task.attemptNumber() == 0:
            time.sleep(30)
        yield from seen

    return watch


def _retried(released: Any, first: list[tuple[Any, ...]], folder: Path) -> str | None:
    folder.mkdir()
    folder.chmod(0o777)
    again = collected(released.mapInArrow(die_once(str(folder)), released.schema))
    demand(again == first, "a task retried gave other rows")
    return "same rows" if list(folder.iterdir()) else None


def _speculated(released: Any, first: list[tuple[Any, ...]], folder: Path) -> str | None:
    folder.mkdir()
    folder.chmod(0o777)
    again = collected(released.mapInArrow(slow_once(str(folder)), released.schema))
    attempts = [path.read_text() for path in folder.iterdir() if path.name.startswith("0-")]
    demand(again == first and len(set(attempts)) == 1, "two attempts gave different rows")
    return "same rows" if len(attempts) > 1 else None


def _interrupted(
    outcome: Outcome, people: Any, case: Path, called: str | None, moment: float
) -> str | None:
    """Release with Spark under a ledger while processes of that name are killed; take it up
    again if it failed.
    """
    place = str(case / "budget.db")
    prepare(case, place)
    killed: list[int] = []

    def strike() -> None:
        time.sleep(moment)
        for pid in descendants(str(called)):
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)

    thread = threading.Thread(target=strike)
    if called:
        thread.start()
    try:
        dc.release(people, ledger=place, output=case / "out", **ASKED)
        ended = "released"
    except DiscreetError:
        ended = "refused"
    finally:
        if called:
            thread.join()
    held = judge(case, place)
    demand((only(held) == "committed") == (ended == "released"), f"{ended}, but is {only(held)}")
    if ended == "refused":
        resume = held[0].release_id if held else None
        dc.release(people, ledger=place, output=case / "out", resume=resume, **ASKED)
        demand(only(judge(case, place)) == "committed", "could not be taken up")
        outcome.taken_up += 1
    return ended if killed else None


def descendants(called: str) -> list[int]:
    """The processes that come from this one and have this in their command."""
    parents, commands = {}, {}
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                parents[int(path.name)] = int(
                    (path / "stat").read_text().rsplit(")", 1)[1].split()[1]
                )
                commands[int(path.name)] = (path / "cmdline").read_text()
            except OSError:  # it has ended meanwhile
                continue

    def ours(pid: int) -> bool:
        return pid == os.getpid() or (pid in parents and ours(parents[pid]))

    return [pid for pid, command in commands.items() if called in command and ours(pid)]
