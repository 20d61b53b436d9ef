"""A run with an id of its own is made once: repeated, it finishes what was begun, or does nothing
at all.

The id is the caller's, such as "2026-11", and stands in the ledger's entry and in the manifest
(`caller`). It names the run and nothing else: the id of the release stays random, and no word that
is drawn depends on either.

What happens follows from the entry that the dataset has under the id, and from what is at `output`:

    entry                   at `output`                      what happens
    ----------------------  -------------------------------
                            ---------------------------------------------------------
    none, or given back     nothing                          released
    none, or given back     another release, or other files  refused, unless `overwrite` replaces
                            the release
    reserved, drawn         nothing                          taken up: drawn (again) under its
                            entry, unpaid
    reserved, drawn         another release                  refused, unless `overwrite` replaces it
    publishing              the release that was recorded    marked as finished: the crash came
                            between the two
    publishing              nothing; it is hidden nearby     moved to its place and marked as
                            finished
    publishing              nothing, nor anywhere else       refused: it may have been seen, so it
                            is not drawn again
    committed               the release that was recorded    nothing: it is read back, `already` is
                            true
    committed               anything; it is where it was     nothing: likewise, from where it was
                            published
    committed               nothing, nor where it was        refused: it is gone, and not drawn
                            again
    any, another question   anything                         refused, whatever the state

Whether another process is at work is told by a lock beside the output, which goes with its process.
Where there is no such lock (two machines, two outputs) the ledger alone decides, as it does for
`resume`: one payment, and only the latest draw may be published. Who comes too late is told to try
again later.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from discreet.core.progress import Reporter
from discreet.errors import BudgetError, InvalidInput
from discreet.ledger import Ledger, Reservation
from discreet.ledger.parameters import read_id
from discreet.tables.account import Spending
from discreet.tables.asking.request import (
    Budget,
    Request,
    parameters,
    question_digest,
    repeatable,
    taken,
)
from discreet.tables.published import bundle
from discreet.tables.published.result import Release, read_release


def once(given: dict[str, Any], release: Callable[[dict[str, Any]], Release]) -> Release:
    """Make the run that `given` asks for, unless it was made: `release` makes one, or takes one
    up.
    """
    run_id = _read_run_id(given)
    book = Spending(taken(Budget, given))
    request = repeatable(taken(Request, given))
    words = {name: getattr(request, name) for name in parameters(Request)}
    given = {**given, **words, "ledger": book.ledger, "dataset": book.dataset}
    target, asked = bundle.place_of(given["output"]), question_digest(request)
    found = _begun(book.ledger, book.dataset, run_id, asked)
    if found is not None and found.state == "committed":
        if os.path.lexists(lock_of(target)):
            with suppress(InvalidInput), alone(target):
                pass  # takes away the lock of a process that was killed once it had finished
        return _published(found, target)
    with alone(target):
        found = _begun(
            book.ledger, book.dataset, run_id, asked
        )  # again: it may have been finished meanwhile
        if found is None:
            return release(given)
        if found.state == "committed":
            return _published(found, target)
        if found.state == "publishing" and not bundle.found(
            found.digest, target, found.outputs, found.release_id
        ):
            raise _gone(found, "may have been seen")
        return release({**given, "resume": found.release_id})


def _read_run_id(given: dict[str, Any]) -> str:
    run_id = given["run_id"]
    try:
        read_id(run_id)
    except InvalidInput as error:
        raise InvalidInput("run_id", error.rule, run_id) from None
    if given["resume"] is not None:
        remedy = "the id of the run finds its entry by itself"
        raise InvalidInput(
            "run_id", "must not be given together with `resume`", found=run_id, remedy=remedy
        )
    for name, why in (
        ("ledger", "which remembers the run"),
        ("output", "where the run is found again"),
    ):
        if given[name] is None:
            raise InvalidInput("run_id", f"needs `{name}`, {why}")
    return str(run_id)


def _begun(ledger: Ledger, dataset: str, run_id: str, asked: str) -> Reservation | None:
    """The entry of the run, if there is one; it must ask the same."""
    found = ledger.find_run(dataset, run_id)
    if found is not None and found.question not in ("", asked):
        raise BudgetError(
            f"run {run_id!r} of dataset {dataset!r} asked another question (release "
            f"{found.release_id!r})",
            remedy="repeat the call as it was (groups, counts, filter, privacy, design), or "
            "choose another `run_id`",
        )
    return found


def _published(found: Reservation, target: Path) -> Release:
    """Read back what a run has published: at the output, or where it was put then."""
    for place in dict.fromkeys((target, *map(Path, reversed(found.outputs)))):
        if bundle.holds(place, found.digest) is not None:
            Reporter(None, found.release_id).log("already", run_id=found.caller, path=place)
            return replace(read_release(place), already=True)
    raise _gone(found, "was published")


def _gone(found: Reservation, why: str) -> BudgetError:
    where = f" at {found.outputs[-1]!r}" if found.outputs else ""
    return BudgetError(
        f"run {found.caller!r} {why}{where} and is no longer there; it is not drawn again for the "
        "same price",
        remedy="put the bundle back (a copy will do), or choose another `run_id`, which pays again",
    )


def lock_of(target: Path) -> Path:
    """The file that is locked while a run is made at `target`."""
    return target.parent / f".{target.name}.lock"


@contextmanager
def alone(target: Path) -> Iterator[None]:
    """Be the only process that makes a run at `target` on this machine; it ends with the
    process, however that ends.
    """
    place = lock_of(target)
    lock = _locked(place)
    try:
        yield
    finally:
        if lock is not None:
            with suppress(OSError):
                # before it is let go: whoever waited for this file finds that it is no longer the
                # lock
                place.unlink()
            os.close(lock)


def _locked(place: Path) -> int | None:
    """Take the lock, or say that it is taken. None where there can be none: the ledger alone
    decides then.
    """
    while True:
        try:
            lock = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except (OSError, ValueError):  # no such folder, or no such name: the release will say so
            return None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(lock).st_ino == place.stat().st_ino:
                return lock
        except BlockingIOError:
            os.close(lock)
            remedy = "try again later: what that one has finished is then found"
            raise InvalidInput(
                "output",
                "is being written by another process",
                found=str(place.parent / place.name[1:-5]),
                remedy=remedy,
                code="unavailable",
            ) from None
        except FileNotFoundError:
            pass  # removed by its holder just now
        except OSError:  # a disk that knows no locks
            os.close(lock)
            place.unlink(missing_ok=True)
            return None
        os.close(lock)
