"""The processes behind the studio: a question gets one for a limited time, and loses it once nobody
waits for it.

Designs are worked out by solvers that cannot be interrupted, so a question that takes too long, or
whose browser has left, is ended with its process; a fresh one stands ready. The newest idle process
is asked first: it is the one that still knows the designs of the last screen.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Coroutine, Sequence
from dataclasses import asdict
from typing import Any

from discreet.studio.work.answering import Answer, Question

SECONDS = 20.0
"""What one question may take, and how long it may wait for its turn."""

AT_ONCE = 3
"""Questions worked out at the same time; others wait their turn."""

_COMMAND = (sys.executable, "-m", "discreet.studio.work.process")
_SLACK = 5.0
_START = 60.0


class GivenUp(Exception):
    """A question that is not worked out any more; the message says why."""


class Busy(GivenUp):
    """A question whose turn did not come."""


class Pool:
    """Processes that work questions out; `async with` ends them all."""

    def __init__(
        self, *, seconds: float = SECONDS, at_once: int = AT_ONCE, command: Sequence[str] = _COMMAND
    ) -> None:
        self.seconds = seconds
        self.processes: set[Process] = set()
        self._command = (*command, str(seconds + _SLACK))
        self._turns = asyncio.Semaphore(at_once)
        self._starting = asyncio.Lock()
        self._idle: list[Process] = []
        self._background: set[asyncio.Task[None]] = set()
        self._closed = False

    async def __aenter__(self) -> Pool:
        self._later(self._spare())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._closed = True
        for process in list(self.processes):
            self._end(process)
        await asyncio.gather(*self._background)

    async def ask(self, question: Question, seconds: float | None = None) -> Answer:
        """Return the answer; cancelling this ends the work. Raises `GivenUp` when it takes too
        long.
        """
        limit = self.seconds if seconds is None else min(seconds, self.seconds)
        try:
            async with asyncio.timeout(self.seconds):
                await self._turns.acquire()
        except TimeoutError:
            raise Busy("the studio is busy with other designs: try again in a moment") from None
        try:
            process = self._idle.pop() if self._idle else await self._start()
            self._later(self._spare())
            try:
                async with asyncio.timeout(limit):
                    answer = await _exchanged(process, question)
            except BaseException:  # the asker's leaving too, which comes as a cancellation
                self._end(process)
                raise
            self._idle.append(process)
            return answer
        except TimeoutError:
            raise GivenUp(f"this takes longer than {limit:g} s on this page") from None
        except (EOFError, OSError):
            raise GivenUp(
                "the process at work ended without an answer (it may have lacked memory)"
            ) from None
        finally:
            self._turns.release()

    async def _start(self) -> Process:
        """Start a process and wait until it has imported everything: a question's time is its
        own.
        """
        paths = os.pathsep.join(path or "." for path in sys.path)
        # A session of its own: Ctrl+C in the terminal is for the server, which then ends its
        # processes.
        process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=PIPE,
            stdout=PIPE,
            env={**os.environ, "PYTHONPATH": paths},
            start_new_session=True,
        )
        self.processes.add(process)
        try:
            if self._closed or process.stdout is None:
                raise EOFError
            async with asyncio.timeout(_START):
                await process.stdout.readuntil(b"\n")
        except BaseException:
            self._end(process)
            raise
        return process

    async def _spare(self) -> None:
        """Have one idle process, so that nobody waits for one to start; it is the last to be
        asked.
        """
        async with self._starting:
            if not self._idle and not self._closed:
                with contextlib.suppress(EOFError, OSError):  # whoever asks next gets the error
                    self._idle.insert(0, await self._start())

    def _end(self, process: Process) -> None:
        self.processes.discard(process)
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        self._later(_reaped(process))

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)


async def _reaped(process: Process) -> None:
    """Wait until an ended process is gone."""
    await process.wait()


async def _exchanged(process: Process, question: Question) -> Answer:
    """Send a question to a process and read its answer."""
    if process.stdin is None or process.stdout is None:
        raise EOFError
    process.stdin.write(json.dumps(asdict(question)).encode() + b"\n")
    await process.stdin.drain()
    head = json.loads(await process.stdout.readuntil(b"\n"))
    return Answer(**{**head, "body": await process.stdout.readexactly(head["body"])})
