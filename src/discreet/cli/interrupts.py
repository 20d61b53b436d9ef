"""Whether Ctrl-C was pressed while a command ran.

A signal raises KeyboardInterrupt wherever Python is just then, and a compiled module that is being imported or that
calls back into Python may make another exception of it (an ImportError, for one). So the signal itself is noted here,
and a command that fails after it was interrupted, whatever the exception says.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_pressed = threading.Event()


def pressed() -> bool:
    """Say whether Ctrl-C was pressed since the command began."""
    return _pressed.is_set()


@contextmanager
def noticed() -> Iterator[None]:
    """Note Ctrl-C while this lasts; it still raises KeyboardInterrupt."""
    _pressed.clear()
    ours = (
        threading.current_thread() is threading.main_thread()  # signals are its alone
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler  # not ignored, nor another program's
    )
    if ours:
        signal.signal(signal.SIGINT, _note)
    try:
        yield
    finally:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _note(number: int, frame: FrameType | None) -> None:
    _pressed.set()
    raise KeyboardInterrupt
