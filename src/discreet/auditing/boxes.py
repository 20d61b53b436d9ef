"""Ask a black box: a Python callable, or a command that maps lines of counts to lines of outputs.

Every call gets the same counts, each of 0..n equally often, in one fixed shuffled order. So two
calls can be compared place by place (a generator reseeded for each call repeats itself there), and
neighbouring places hold every pair of counts. A command runs without a shell, with a time limit and
a limit on what it may print.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import numpy as np

from discreet.auditing.draws import Codes, Draws, code_outcomes
from discreet.core.progress import Reporter
from discreet.errors import InvalidInput

Ask = Callable[[Codes], Any]

_BY_ONE = "a callable that takes one count at a time needs `vectorised=False`"
_LINE = 64  # bytes a line of output may take on average
_LAYOUT_SEED = (
    20180411  # the order of the questions is no secret; a fixed one makes an audit repeatable
)


def layout(n: int, rows: int) -> Codes:
    """Return `rows` counts, each of 0..n as often as the others (to within one), in a fixed
    shuffled order.
    """
    return np.random.default_rng(_LAYOUT_SEED).permutation(
        np.arange(rows, dtype=np.int64) % (n + 1)
    )


def ask(box: Ask, *, n: int, draws: int, calls: int, report: Reporter | None = None) -> Draws:
    """Draw from a box in `calls` equal calls, at least `draws` times in all."""
    calls = max(2, min(calls, draws // (n + 1)))
    rows = -(-draws // calls)
    counts = layout(n, rows)
    outcomes = np.empty((calls, rows), dtype=np.int64)
    say = report or Reporter(None)
    for k in range(calls):
        say("asking the box", k, calls)
        outcomes[k] = _answer(box(counts.copy()), n, rows)
    return Draws(
        n=n,
        counts=np.tile(counts, calls),
        outcomes=outcomes.ravel(),
        call=np.repeat(np.arange(calls), rows),
        repeated=True,
    )


def _answer(output: Any, n: int, rows: int) -> Codes:
    length = len(output) if hasattr(output, "__len__") else None
    if length != rows:
        given = "a single value" if length is None else f"{length} outputs"
        raise InvalidInput(
            "box", f"must give one output for each count ({rows} asked)", given, remedy=_BY_ONE
        )
    codes = code_outcomes(output, n)
    if codes.shape != (rows,):
        raise InvalidInput("box", "must give a flat list of outputs", f"shape {codes.shape}")
    return codes


def from_callable(function: Callable[..., Any], *, vectorised: bool) -> Ask:
    """Make a box from a callable that takes an array of counts, or (`vectorised=False`) one count
    at a time.

    Which of the two it is cannot be found out by trying: `count + noise()` written for one count
    accepts an array too, and adds the same draw to every element.
    """

    def run(counts: Codes) -> Any:
        try:
            return (
                function(counts) if vectorised else [function(count) for count in counts.tolist()]
            )
        except Exception as error:
            remedy = _BY_ONE if vectorised else ""
            raise InvalidInput(
                "box",
                f"must answer every count in 0..n; it raised {type(error).__name__}",
                remedy=remedy,
            ) from error

    return run


def split_words(command: str) -> list[str]:
    """Split a command into words as a shell would, and do nothing else that a shell does."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InvalidInput(
            "box", "must be a command that can be split into words", command, remedy=str(error)
        ) from None
    if not words:
        raise InvalidInput("box", "must name a command", command)
    return words


def from_command(command: str | Sequence[str], *, timeout: float) -> Ask:
    """Make a box from a command: counts on standard input, outputs on standard output, one per
    line.
    """
    words = split_words(command) if isinstance(command, str) else [str(word) for word in command]
    if not words:
        raise InvalidInput("box", "must name a command", command)

    def run(counts: Codes) -> list[str]:
        text = "\n".join(map(str, counts.tolist())) + "\n"
        lines = _run(words, text, timeout, limit=_LINE * (counts.size + 16)).splitlines()
        while lines and not lines[-1].strip():
            lines.pop()
        if len(lines) != counts.size:
            raise InvalidInput(
                "box", f"must print one line for each count ({counts.size} asked)", len(lines)
            )
        return lines

    return run


def _run(words: list[str], text: str, timeout: float, limit: int) -> str:
    # counts come from a file and not from a pipe, so that a box which never reads cannot block the
    # writer
    with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as complaint:
        asked.write(text.encode())
        asked.seek(0)
        try:
            process = subprocess.Popen(
                words, stdin=asked, stdout=subprocess.PIPE, stderr=complaint, start_new_session=True
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise InvalidInput(
                "box", "must be a command that runs", words[0], remedy=reason
            ) from None
        late = threading.Event()
        timer = threading.Timer(timeout, _kill, (process, late))
        timer.start()
        try:
            printed = process.stdout.read(limit + 1) if process.stdout else b""
            if len(printed) > limit:
                raise InvalidInput(
                    "box", f"must print at most {limit} bytes for {text.count(chr(10))} counts"
                )
            code = process.wait()
        finally:
            timer.cancel()
            _kill(process)  # nothing when it has ended
            if process.stdout:
                process.stdout.close()
            process.wait()
        if late.is_set():
            remedy = "raise `timeout`, or ask for fewer `draws` or more `calls`"
            raise InvalidInput(
                "box", f"must answer within {timeout:g} seconds per call", words[0], remedy=remedy
            )
        if code != 0:
            raise InvalidInput("box", "must exit with status 0", code, remedy=_last_line(complaint))
    return printed.decode("utf-8", errors="replace")


def _kill(process: subprocess.Popen[bytes], late: threading.Event | None = None) -> None:
    if late is not None:
        late.set()
    if process.returncode is not None:
        return  # its number may already belong to somebody else
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _last_line(complaint: IO[bytes]) -> str:
    end = complaint.seek(0, os.SEEK_END)
    complaint.seek(max(0, end - 400))
    lines = complaint.read().decode("utf-8", errors="replace").strip().splitlines()
    return lines[-1][:160] if lines else "it printed no error"


def looks_like_file(box: object) -> bool:
    """Whether a box given as text or path is a file of pairs and not a command."""
    if isinstance(box, str):
        # "cat pairs.csv" is a command: a name of one word, or the name of a file that exists, is
        # not
        named = Path(box).suffix.lower() in {".csv", ".parquet"}
        return named and (len(box.split()) == 1 or Path(box).is_file())
    return isinstance(box, Path)
