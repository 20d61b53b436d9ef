"""Releases in forked children that meet a fault: `python -m bench.faults.victims`, one line of JSON
a round.

A round is a list of jobs that run at once, each in a child of its own; the answer is a line with
how each ended. A job names its `folder` and the `place` of its ledger, and optionally

    phase, passing, fault    at that passing of that phase (`discreet.core.progress`) the child
                             brings this fault about
    after                    seconds after which, from the start or from that moment, the parent
                             kills it with -9
    output, words            where it writes, and further words for `dc.release`

This process only imports, and forks before any engine has started a thread.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow as pa

from discreet.core.progress import watch
from discreet.errors import DiscreetError, Unfinished
from discreet.tables.releasing import release

GROUPS, PRICE = 40, Fraction(1, 3)
PEOPLE = pa.table(
    {
        "clinic": [f"c{k % GROUPS:02}" for k in range(400)],
        "smoker": [k % 3 == 0 for k in range(400)],
    }
)
ASKED = {
    "by": "clinic",
    "count": "smoker",
    "epsilon": "1/3",
    "properties": "F",
    "dataset": "people",
}
REFUSED = 3
FILLER = ".filler"


def kill(_: str) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fill(rest: str) -> None:
    """Fill the disk of a folder but for some bytes."""
    folder, left = rest.rsplit(":", 1)
    with (Path(folder) / FILLER).open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            file.truncate(max(0, file.tell() - int(left)))


def make_read_only(folder: str) -> None:
    subprocess.run(["mount", "-o", "remount,ro", folder], check=True)


def stop_server(pid: str) -> None:
    """Stop the database at once, as a crash does, and wait until nobody answers."""
    os.kill(int(pid), signal.SIGQUIT)
    for _ in range(2000):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            return
        if state == "Z":  # its parent has yet to ask for it
            return
        time.sleep(0.005)


def end_sessions(url: str) -> None:
    """Have the server end every session but this one."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        others = "pid <> pg_backend_pid() AND backend_type = 'client backend'"
        connection.execute(
            f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE {others}".encode()
        )


def set_clock(offset: str) -> None:
    """Move the clock of this process; libfaketime reads the file anew at every question."""
    Path(os.environ["FAKETIME_TIMESTAMP_FILE"]).write_text(offset)


FAULTS: dict[str, Callable[[str], None]] = {
    "none": lambda _: None,
    "kill": kill,
    "fill": fill,
    "read-only": make_read_only,
    "stop": stop_server,
    "end-sessions": end_sessions,
    "clock": set_clock,
}


def child(job: dict[str, Any], start: int, told: int) -> int:
    """Release under a fault; say what was told, and return the exit code."""
    seen = 0

    def meet(reached: str) -> None:
        nonlocal seen
        if reached == job["phase"]:
            seen += 1
            if seen == job.get("passing", 1):
                name, _, rest = job["fault"].partition(":")
                os.write(told, b"met\n")
                FAULTS[name](rest)

    if "phase" in job:
        watch(meet)
    os.read(start, 1)
    output = Path(job["folder"]) / job.get("output", "out")
    try:
        release(PEOPLE, ledger=job["place"], output=output, **ASKED, **job.get("words", {}))
    except DiscreetError as error:
        os.write(told, str(error).encode())
        return REFUSED
    except BaseException as error:  # anything else is a failure of ours
        os.write(told, f"{type(error).__name__}: {error}".encode()[:500])
        return 1
    return 0


def play(jobs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Run the jobs at once; return how each ended."""
    running = []
    for job in jobs:
        (start, go), (heard, told) = os.pipe(), os.pipe()
        process = os.fork()
        if not process:
            code = 1
            try:
                code = child(job, start, told)
            finally:
                os._exit(code)
        os.close(start)
        os.close(told)
        running.append((job, process, go, heard))
    begun = time.monotonic()
    for _, _, go, _ in running:
        os.write(go, b".")
    return [_end(job, process, go, heard, begun) for job, process, go, heard in running]


def _end(job: dict[str, Any], process: int, go: int, heard: int, begun: float) -> dict[str, Any]:
    """Wait for a child, or kill it when its time has come; say how it ended."""
    told = os.read(heard, len(b"met\n")) if "phase" in job else b""
    met = time.monotonic() if told == b"met\n" else None
    if "after" in job:
        time.sleep(max(0.0, (met or begun) + job["after"] - time.monotonic()))
        os.kill(process, signal.SIGKILL)
    with os.fdopen(heard, "rb") as pipe:
        told = (b"" if met else told) + pipe.read()
    _, status = os.waitpid(process, 0)
    os.close(go)
    return {
        "code": os.waitstatus_to_exitcode(status),
        "met": met is not None,
        "told": told.decode(errors="replace"),
        "seconds": time.monotonic() - (met or begun),  # from the moment, or from the start
    }


def prepare_to_fork() -> None:
    """Import what a release imports on its way, so that not every child has to: three quarters
    of its time.
    """
    names = (
        "designer.many",
        "designer.ranges",
        "sampler.drawing",
        "tables.noise",
        "ledger.databases.sqlite",
    )
    for name in (
        *names,
        "tables.engines.duckdb.duckdb_engine",
        "tables.engines.duckdb.sources.opened",
    ):
        import_module(f"discreet.{name}")
    if find_spec("psycopg"):
        import_module("discreet.ledger.databases.postgres")


def main() -> None:
    warnings.simplefilter(
        "ignore", Unfinished
    )  # several releases of one question at once are what is tried here
    prepare_to_fork()
    for line in sys.stdin:
        print(json.dumps(play(json.loads(line))), flush=True)


class Victims:
    """The process that forks them, for those who write the jobs."""

    def __init__(self, **environment: str) -> None:
        paths = os.pathsep.join(entry for entry in sys.path if entry)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.faults.victims"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": paths, **environment},
            cwd=Path(__file__).parents[2],
        )

    def play(self, *jobs: dict[str, Any]) -> list[dict[str, Any]]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(jobs, default=str) + "\n")
        self._process.stdin.flush()
        found: list[dict[str, Any]] = json.loads(self._process.stdout.readline())
        return found

    def __enter__(self) -> Victims:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(60)
        assert self._process.stdout is not None
        self._process.stdout.close()


if __name__ == "__main__":
    main()
