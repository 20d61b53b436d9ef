"""Progress of long work: small frozen events, for a person or for a program.

Every long verb takes `progress=`, a function of one event: `print` shows them,
`json_lines_to(stream)` writes them for a program, and the command line draws a bar from them.

A release also passes named points, at each of which tests can stop or kill the process:

    reserving -> reserved -> drawn -> written -> publishing -> renamed -> committed

The ledger and `tables.releasing` call `reached(name)`. Outside tests nobody watches and it does
nothing. It is a callback rather than an environment variable so that nothing outside the process
can reach it. `reserving` is passed three times in one reservation: before the lock, under it, and
between writing and committing.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import TextIO

from discreet.errors import DiscreetError


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far the work is: a phase, and within it `done` of `total` steps (0 of 0 where steps
    are not known).
    """

    phase: str
    done: int = 0
    total: int = 0
    seconds: float = 0.0
    """Since the work began."""
    left: float | None = None
    """Seconds that this phase is likely to go on, where that is known better than from the
    steps.
    """
    detail: str = ""
    release: str = ""
    """The id of the release that is being made, where one is."""
    time: str = ""
    """When this was said, in UTC."""

    def __str__(self) -> str:
        part = f" {self.done:,} of {self.total:,}" if self.total else ""
        detail = f": {self.detail}" if self.detail else ""
        return f"[{self.seconds:6.1f} s] {self.phase}{part}{detail}"


Listener = Callable[[Progress], None]


def silent(event: Progress) -> None:
    """Ignore events: for a part of the work whose progress is reported as a whole."""
    del event


def lines_to(stream: TextIO) -> Listener:
    """Print each event for a person.

    >>> import sys
    >>> lines_to(sys.stdout)(Progress(phase="designing", done=3, total=12, seconds=0.25))
    [   0.2 s] designing 3 of 12
    """
    return lambda event: print(event, file=stream, flush=True)


def json_lines_to(stream: TextIO) -> Listener:
    """Print each event for a program, one JSON object on each line.

    >>> import sys
    >>> json_lines_to(sys.stdout)(Progress(phase="counting"))
    {"phase": "counting", "done": 0, "total": 0, "seconds": 0.0, "left": null, "detail": "",
    "release": "", "time": ""}
    """
    return lambda event: print(json.dumps(asdict(event)), file=stream, flush=True)


class Reporter:
    """Reports to a listener, if there is one, with the time so far; phases repeat at most ten
    times a second.
    """

    def __init__(self, listener: Listener | None, release: str = "") -> None:
        self._listener, self.release = listener, release
        self._start = time.monotonic()
        self._last = ("", -1.0)

    @property
    def seconds(self) -> float:
        """Time since the start."""
        return time.monotonic() - self._start

    def __call__(
        self,
        phase: str,
        done: int = 0,
        total: int = 0,
        *,
        left: float | None = None,
        detail: str = "",
    ) -> None:
        """Say where we are."""
        if self._listener is None:
            return
        seconds = self.seconds
        last_phase, last_time = self._last
        if phase == last_phase and done < total and seconds < last_time + 0.1:
            return
        self._last = (phase, seconds)
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        work = Progress(
            phase=phase, done=done, total=total, seconds=seconds, left=left, detail=detail
        )
        self._listener(replace(work, release=self.release, time=now))

    def log(self, event: str, *, failed: bool = False, **facts: object) -> None:
        """Tell Python's logging, as the logger "discreet", where somebody listens: what happened,
        never data.

        A handler finds the event and its facts as a dictionary in `record.discreet`, too.
        """
        import logging  # here: whoever designs imports this module, and needs no log

        logger, level = logging.getLogger("discreet"), logging.ERROR if failed else logging.INFO
        if logger.isEnabledFor(level) and logger.hasHandlers():
            known = {"release": self.release} | {
                name: fact if isinstance(fact, int | float) else str(fact)
                for name, fact in facts.items()
                if fact is not None
            }
            words = ", ".join(f"{name} {fact}" for name, fact in known.items())
            logger.log(level, "%s: %s", event, words, extra={"discreet": {"event": event, **known}})

    @contextmanager
    def failures_logged(self) -> Iterator[None]:
        """Log how the work inside fails, if it does: the kind of error alone, since a message
        may quote data.
        """
        try:
            yield
        except BaseException as error:
            self.log(
                "fail",
                failed=True,
                error=error.code if isinstance(error, DiscreetError) else type(error).__name__,
            )
            raise


PHASES = ("reserving", "reserved", "drawn", "written", "publishing", "renamed", "committed")

_watcher: Callable[[str], None] | None = None


def watch(callback: Callable[[str], None] | None) -> None:
    """Call `callback(phase)` at every phase from now on; None stops watching. For tests.

    >>> watch(print)
    >>> reached("drawn")
    drawn
    >>> watch(None)
    """
    global _watcher  # one per process, as the phases are
    _watcher = callback


def reached(phase: str) -> None:
    """Say that the release has reached `phase`."""
    if _watcher is not None:
        _watcher(phase)
