"""What a command says while it is at work, on standard error: its progress, and warnings, to which
a bar gives way.

Progress is a bar on a terminal, a line now and then elsewhere, JSON for programs, or nothing.
Click's own bar is not used: it knows neither phases, nor work whose length is unknown, nor elapsed
time, stands still while nothing is finished, and breaks on a narrow terminal.
"""

from __future__ import annotations

import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO, TypeVar

import click

from discreet.cli.existing import OneOf
from discreet.cli.shared import ASIDE, WIDEST, Words, say, terminal_columns
from discreet.core.progress import Listener, Progress, json_lines_to
from discreet.errors import NotAccounted, NotIdentified, spelled

F = TypeVar("F", bound=Callable[..., Any])

_TICK = 0.2
_PATIENCE = 0.4  # a bar for less than this is a flicker
_FIRST_LINE, _LINE_EVERY = 5.0, 15.0
_BAR = 24


def progress_options(command: F) -> F:
    """Add --progress and --quiet."""
    ways = OneOf(["auto", "bar", "lines", "json", "none"])
    about = "auto, bar, lines, json or none; auto: a bar on a terminal."
    command = click.option(
        "--quiet", "-q", "progress", flag_value="none", help="Show no progress."
    )(command)
    return click.option("--progress", type=ways, default="auto", metavar="HOW", help=about)(command)


@contextmanager
def watching(way: str) -> Iterator[Watcher]:
    """Show the progress of what is done inside; the terminal is left clean, even after an error."""
    watcher = Watcher(way, sys.stderr)
    context = click.get_current_context(silent=True)
    if context is not None:
        context.meta[ASIDE] = watcher.aside
    try:
        yield watcher
    finally:
        if context is not None:
            del context.meta[ASIDE]
        watcher.close()


class Watcher:
    """A listener that shows events as they come, and time as it passes."""

    def __init__(self, way: str, stream: TextIO) -> None:
        bar = way == "bar" or (way == "auto" and stream.isatty())
        self._stream, self._bar = stream, bar
        self._json: Listener | None = json_lines_to(stream) if way == "json" else None
        self._start = self._phase_start = time.monotonic()
        self._event: Progress | None = None
        self._heard = self._start
        self._shown = ""
        self._next_line = self._start + _FIRST_LINE
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._clock: threading.Thread | None = None
        if bar or way in ("auto", "lines"):
            self._clock = threading.Thread(target=self._run, daemon=True)
            self._clock.start()

    def __call__(self, event: Progress) -> None:
        """Take note of an event; it is shown at the next tick of the clock."""
        if self._json is not None:
            with suppress(OSError):  # nobody reads any more; the work goes on
                self._json(event)
            return
        with self._lock:
            self._heard = time.monotonic()
            if self._event is None or event.phase != self._event.phase:
                self._phase_start = self._heard
            self._event = event

    def say(self, text: str) -> None:
        """Print a line of the result while the work goes on."""
        say(text)  # which has the line give way

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Clear the line, and draw none while something else is printed inside."""
        with self._lock:
            self._erase()
            yield

    def give_way(self) -> None:
        """Clear the line for what somebody else prints."""
        with self._lock:
            self._erase()

    def close(self) -> None:
        """Stop, and leave nothing behind."""
        self._ended.set()
        if self._clock is not None:
            self._clock.join()
        self._erase()

    def _run(self) -> None:
        while not self._ended.wait(_TICK):
            with self._lock:
                now = time.monotonic()
                if self._event is None or now < self._start + _PATIENCE:
                    continue
                if self._bar:
                    self._draw(now)
                elif now >= self._next_line:
                    self._next_line = now + _LINE_EVERY
                    self._write(f"discreet: {line(self._event, *self._times(now))}\n")

    def _times(self, now: float) -> tuple[float, float | None]:
        """Seconds since the start, and seconds left of the phase: as reported, or else at the
        rate so far.
        """
        event = self._event
        if event is None:
            return now - self._start, None
        if event.left is not None:
            return now - self._start, max(0.0, event.left - (now - self._heard))
        left = (
            (self._heard - self._phase_start) / event.done * (event.total - event.done)
            if event.done
            else None
        )
        return now - self._start, None if left is None else max(0.0, left - (now - self._heard))

    def _draw(self, now: float) -> None:
        if self._event is None:
            return
        text = bar_line(
            self._event, *self._times(now), width=min(WIDEST, terminal_columns(self._stream)) - 1
        )
        if text != self._shown:
            self._write("\r" + text.ljust(len(self._shown)))
            self._shown = text

    def _erase(self) -> None:
        if self._shown:
            # two more for the ^C that a terminal writes after the bar
            self._write(
                "\r" + " " * min(len(self._shown) + 2, terminal_columns(self._stream) - 1) + "\r"
            )
            self._shown = ""

    def _write(self, text: str) -> None:
        with suppress(OSError):  # a terminal that has gone away must not stop a release
            self._stream.write(text)
            self._stream.flush()


def line(event: Progress, seconds: float, left: float | None) -> str:
    """Describe an event in plain words.

    >>> line(Progress(phase="designing", done=12, total=60), 17.2, 65.0)
    'designing 12 of 60, 0:17, about 1:05 left'
    """
    count = f" {event.done:,} of {event.total:,}" if event.total else ""
    return f"{event.phase}{count}, {_times(seconds, left)}"


def bar_line(event: Progress, seconds: float, left: float | None, *, width: int) -> str:
    """Draw an event in at most `width` columns; what does not fit is left out, the least important
    first.

    >>> event = Progress(phase="designing", done=12, total=60, detail="n = 9")
    >>> bar_line(event, 17.2, 65.0, width=79)
    'designing [####....................] 12 of 60, 0:17, about 1:05 left  n = 9'
    >>> bar_line(event, 17.2, 65.0, width=39)
    'designing 12 of 60, 0:17'
    """
    plain = barred = line(event, seconds, left)
    size = min(_BAR, width - len(plain) - 3)
    if event.total and size >= _BAR // 2:
        full = size * min(event.done, event.total) // event.total
        barred = (
            f"{event.phase} [{'#' * full}{'.' * (size - full)}]{plain.removeprefix(event.phase)}"
        )
    choices = (
        f"{barred}  {event.detail}".rstrip(),
        barred,
        plain,
        line(event, seconds, None),
        event.phase,
    )
    return next((text for text in choices if len(text) <= width), event.phase[: max(0, width)])


def _times(seconds: float, left: float | None) -> str:
    return _spoken(seconds) + (
        f", about {_spoken(left)} left" if left is not None and left >= 0.5 else ""
    )


def _spoken(seconds: float) -> str:
    """Seconds as minutes:seconds, or hours:minutes:seconds."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


@contextmanager
def spoken_warnings(clear_line: Callable[[], None]) -> Iterator[None]:
    """Print warnings in the words of the command line, once `clear_line` has made a progress bar
    give way to them.
    """
    words = Words(click.get_current_context())

    def speak(message: Any, category: type[Warning], *_: Any, **__: Any) -> None:
        said = next(
            (short for kind, short in _SHORT.items() if issubclass(category, kind)), str(message)
        )
        clear_line()
        say(f"warning: {spelled(said, words)}", err=True)

    with warnings.catch_warnings():
        warnings.showwarning = speak
        yield


_SHORT = {
    NotAccounted: "nothing adds up what releases cost: add `ledger` FILE `dataset` NAME",
    NotIdentified: "no `unit`: nothing checks who is who. Whoever has more rows than are paid for "
    "loses more than epsilon says: add `unit` COLUMN",
}
"""What is said of an option that is missed, and what to add."""
