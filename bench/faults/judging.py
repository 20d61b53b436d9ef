"""What must hold whatever happened to a release, and how it is taken up again.

1. Never under-counted: the ledger verifies, and each entry counts with its whole price, once.
2. Never a release without its entry: what is visible has the digest that the ledger recorded before
   it appeared.
3. Never half a file: what is visible reads whole, every digest checked; what is unfinished is its
   owner's alone.
4. Never twice: what may have been seen stays byte for byte; taken up again, a release ends whole,
   for one price.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import discreet as dc
from bench.faults.victims import ASKED, FILLER, GROUPS, PEOPLE, PRICE, REFUSED
from discreet.ledger import Ledger, Reservation, open_ledger

RULES = "under-counted, without its entry, half a file, drawn or paid twice"


class Broken(AssertionError):
    """Something that must always hold did not."""


def demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Broken(otherwise)


@dataclass(slots=True, kw_only=True)
class Outcome:
    """One kind of fault on one database: how often it was tried, how often it struck, and what
    was found.
    """

    fault: str
    where: str
    tried: int = 0
    hits: int = 0
    found: Counter[str] = field(default_factory=Counter)
    taken_up: int = 0
    failures: list[str] = field(default_factory=list)
    note: str = ""

    def case(self, work: Callable[..., str | None], *words: Any) -> None:
        """Count one try: `work` returns what was found when the fault struck, None when it did
        not.
        """
        self.tried += 1
        try:
            found = work(*words)
        except Exception as error:
            self.failures.append(f"{type(error).__name__}: {error}"[:300])
            return
        if found is not None:
            self.hits += 1
            self.found[found] += 1

    def to_dict(self) -> dict[str, Any]:
        return {
            "fault": self.fault,
            "where": self.where,
            "tried": self.tried,
            "hits": self.hits,
            "found": dict(sorted(self.found.items())),
            "taken_up": self.taken_up,
            "failures": self.failures,
            "note": self.note,
        }


def prepare(folder: Path, place: str, *, budget: int = 1) -> None:
    """Make the folder of a case and give its people a budget."""
    folder.mkdir(exist_ok=True)
    open_ledger(place).open("people", budget=budget)


def judge(folder: Path, place: str) -> list[Reservation]:
    """Ask what must hold of one folder and its ledger; return the entries of all its releases."""
    ledger = open_ledger(place, create=False)
    ledger.verify()
    (account,) = ledger.datasets()
    entries = ledger.history("people")
    held = [_entry(ledger, entry.id) for entry in entries if entry.kind == "reserve"]
    demand(account.spent == PRICE * len(held), f"{len(held)} entries, but {account.spent} spent")
    demand(account.spent <= account.budget, "more spent than there was")
    recorded = {entry.id: entry.digest for entry in entries if entry.kind == "publish"}
    shown: set[str] = set()
    for path in folder.iterdir():
        if path.name.startswith(".") and path.name != FILLER:
            demand(path.stat().st_mode & 0o077 == 0, f"{path.name} can be read by others")
        elif path.is_dir():
            found = dc.read_release(path)  # checks every digest
            demand(found.table.num_rows == GROUPS, "rows are missing")
            demand(
                recorded.get(found.manifest.release) == found.manifest.digest,
                "a release without its entry",
            )
            demand(found.manifest.release not in shown, "one release in two places")
            shown.add(found.manifest.release)
    return held


def _entry(ledger: Ledger, release: str) -> Reservation:
    found = ledger.find(release)
    demand(found is not None, "an entry is gone")
    assert found is not None
    return found


def only(held: Sequence[Reservation]) -> str:
    """How far the one release of a folder came."""
    demand(len(held) <= 1, f"{len(held)} entries for one release")
    return held[0].state if held else "nothing"


def take_up(folder: Path, place: str, held: Sequence[Reservation]) -> None:
    """Start the one release of a folder again: it keeps its entry, and ends whole, for one
    price, with nothing over.
    """
    before = {
        path.name: path.read_bytes()
        for path in sorted((folder / "out").rglob("*"))
        if path.is_file()
    }
    entry = held[0] if held else None
    made = dc.release(
        PEOPLE,
        ledger=place,
        output=folder / "out",
        resume=entry.release_id if entry else None,
        **ASKED,
    )
    (after,) = judge(folder, place)
    demand(after.state == "committed", f"taken up, it is {after.state}")
    demand(
        dc.read_release(folder / "out").manifest == made.manifest,
        "taken up, it is not what was returned",
    )
    if entry:
        demand(after.release_id == entry.release_id, "taken up, it has another entry")
        demand(entry.digest in ("", after.digest), "taken up, it is not what was recorded before")
    now = {
        path.name: path.read_bytes()
        for path in sorted((folder / "out").rglob("*"))
        if path.is_file()
    }
    demand(not before or before == now, "what was seen has changed")
    left = {path.name for path in folder.iterdir()} - {"budget.db", "out", FILLER}
    demand(not left, f"left over: {sorted(left)}")


def settle(outcome: Outcome, folder: Path, place: str, end: dict[str, Any]) -> str:
    """Judge a case that was struck, take it up again, judge it once more; return how far it had
    come.
    """
    demand(end["code"] in (0, -9, REFUSED), f"an error that is not ours: {end['told']}")
    held = judge(folder, place)
    state = only(held)
    demand(end["code"] != 0 or state == "committed", f"returned, but is {state}")
    if state != "committed":
        take_up(folder, place, held)
        outcome.taken_up += 1
    return state
