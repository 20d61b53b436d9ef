"""Run damaged inputs through every target and keep whatever crashes, hangs or swallows memory.

A case fails when it raises anything but a `DiscreetError`, takes longer than `SECONDS`, or meets the memory limit.
Guidance by coverage: an input that reaches a line of `discreet` which no input reached before is kept and damaged
further. Everything follows from the seed and the number of the case, so a failure can be repeated.
"""

from __future__ import annotations

import random
import resource
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from tests.fuzz.targets import Target, clean

import discreet
from discreet.errors import DiscreetError

SECONDS = 60.0  # of the clock, on a busy machine too
POOL = 400
CORPUS = Path(__file__).with_name("corpus")
_SOURCE = str(Path(discreet.__file__).parent)


class Hang(BaseException):
    """A case took too long; not an Exception, so that nobody catches it on the way."""


@dataclass(slots=True)
class Tally:
    """What happened to one target's cases."""

    name: str
    cases: int = 0
    accepted: int = 0
    refused: int = 0
    lines: int = 0
    slowest: float = 0.0
    failures: list[tuple[str, bytes]] = field(default_factory=list)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `Hang` in the main thread when time is up."""

    def stop(signum: int, frame: FrameType | None) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def lines_reached(seen: set[tuple[str, int]]) -> Iterator[None]:
    """Add every line of discreet that runs to `seen`."""

    def inside(frame: FrameType, event: str, argument: Any) -> Any:
        seen.add((frame.f_code.co_filename, frame.f_lineno))
        return inside

    def enter(frame: FrameType, event: str, argument: Any) -> Any:
        return inside if frame.f_code.co_filename.startswith(_SOURCE) else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        yield
    finally:
        sys.settrace(before)


def outcome(target: Target, data: bytes, folder: Path, *, again: bool = True) -> str:
    """Return "accepted", "refused", or what went wrong; what took too long is run once more, lest it was the machine."""
    try:
        with time_limit(SECONDS), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            target.run(data, folder)
    except DiscreetError as error:
        text = str(error)
        return (
            "refused"
            if text and len(text) < 2000
            else f"an error message of {len(text)} characters"
        )
    except Hang:
        if again:
            clean(folder)
            return outcome(target, data, folder, again=False)
        return f"took more than {SECONDS:g} seconds"
    except MemoryError:
        return "ran out of memory"
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return f"{type(error).__name__}: {error}"[:300]
    return "accepted"


def fuzz(target: Target, cases: int, seed: int = 0, *, guided: bool = True) -> Tally:
    """Damage and run `cases` inputs."""
    tally = Tally(name=target.name)
    seen: set[tuple[str, int]] = set()
    pool = [*target.seeds(), *corpus(target.name)]
    rng = random.Random(f"{target.name} {seed}")
    with tempfile.TemporaryDirectory(prefix="discreet-fuzz-") as name:
        folder = Path(name)
        for case in range(cases):
            source = pool[case] if case < len(pool) else rng.choice(pool)
            data = source if case < len(pool) else rng.choice(target.mutators)(source, rng)
            started, before = time.perf_counter(), len(seen)
            if guided and target.guided:
                with lines_reached(seen):
                    result = outcome(target, data, folder)
                if len(seen) > before and len(pool) < POOL and len(data) < 20_000:
                    pool.append(data)
            else:
                result = outcome(target, data, folder)
            tally.slowest = max(tally.slowest, time.perf_counter() - started)
            tally.cases += 1
            if result in ("accepted", "refused"):
                tally.accepted += result == "accepted"
                tally.refused += result == "refused"
            elif len(tally.failures) < 50:
                tally.failures.append((result, data))
            if case % 200 == 0:
                clean(folder)
    tally.lines = len(seen)
    return tally


def corpus(name: str) -> list[bytes]:
    """Return the kept inputs of a target, in order."""
    return [path.read_bytes() for path in sorted((CORPUS / name).glob("*"))]


def limit_memory(megabytes: int) -> None:
    """Let an allocation beyond the limit fail: a case that needs it is a failure, not a dead machine."""
    most = megabytes << 20
    with suppress(ValueError, OSError):  # not every system has such a limit
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def peak_megabytes() -> float:
    """Return the largest size this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
