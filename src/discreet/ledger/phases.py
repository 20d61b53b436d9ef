"""Named points in the course of a release, at each of which tests can stop or kill the process.

    reserving -> reserved -> drawn -> written -> publishing -> renamed -> committed

The ledger and the table writer call `reached(name)`. Outside tests nobody watches and it does nothing. It is a
callback rather than an environment variable so that nothing outside the process can reach it.

`reserving` is passed three times in one reservation: before the lock, under it, and between writing and committing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

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
