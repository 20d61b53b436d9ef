"""What a ledger is made of: entries that are only ever added, each sealed to the one before it.

An entry is a line of canonical JSON. Its seal is `sha256("discreet ledger 1\\n" + line)`, and the
line holds the seal of the entry before it, so an entry cannot be edited, dropped or moved without
breaking every seal that follows. What a chain alone cannot show is its own end being cut off, or
all of it being written anew: for that there is the `Head` (how many entries, and the last seal), 70
characters to keep somewhere else.

An entry has fourteen fields, all of them in every entry, empty where the kind does not use them:

    format, sequence, previous   1; the entry's number, from 1; the seal of the entry before it, at
                                 first 64 zeros
    time, kind, by, note         when, in UTC, for people; one of `Kind`; who; why
    dataset, id, amount          which data; which release; the budget (open, budget) or the epsilon
                                 (reserve), exactly
    digest                       SHA-256 of the manifest (publish)
    question                     the digest of what is asked (reserve, draw),
                                 `discreet.tables.asking.request`
    output                       where a draw is written, on the machine that draws (draw; commit
                                 where it is another)
    caller                       the caller's own id of the run (reserve)

A format above 1 is refused with the advice to upgrade.

This module is pure: no database, no clock, no rules. Meanings never change once written; a new
meaning gets a new kind.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from discreet.errors import BudgetError, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

FORMAT = 1
START = "0" * 64

# open     a dataset gets its budget               budget   the budget is changed, with a reason
# reserve  an amount counts as spent from here on  release  a person gives an undrawn reservation
#          back
# draw     words are about to be drawn             publish  the drawn file, named by digest, is
#          about to appear
# commit   the file has appeared                   restore  the entries above came from a backup
Kind = Literal["open", "budget", "reserve", "draw", "publish", "commit", "release", "restore"]

Row = tuple[int, str, str]
"""How an entry is stored: its number, its line, its seal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The end of a chain: how many entries there are and the seal of the last. Keep it elsewhere.

    >>> str(Head(entries=0, seal=START))[:10]
    '0:00000000'
    """

    entries: int = 0
    seal: str = START

    def __str__(self) -> str:
        return f"{self.entries}:{self.seal}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the ledger; the module says what each field is. `time` is for people; order is
    `sequence`.
    """

    sequence: int
    previous: str
    time: str
    kind: Kind
    dataset: str = ""
    id: str = ""
    amount: str = ""
    note: str = ""
    by: str = ""
    digest: str = ""
    question: str = ""
    output: str = ""
    caller: str = ""
    format: int = FORMAT

    @property
    def line(self) -> str:
        """Return the entry as canonical JSON: sorted keys, no spaces, ASCII. One entry has one
        line.
        """
        return _CANONICAL.encode({name: getattr(self, name) for name in _FIELDS})

    @property
    def seal(self) -> str:
        """Return the entry's hash, which the next entry repeats as `previous`."""
        return seal_of(self.line)

    @property
    def row(self) -> Row:
        """Return what is stored."""
        return self.sequence, self.line, self.seal


_FIELDS: dict[str, type] = {
    name: int if name in ("sequence", "format") else str
    for name in sorted(Entry.__dataclass_fields__)
}
_CANONICAL = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True)  # the keys come sorted


def seal_of(line: str) -> str:
    """Return sha256("discreet ledger 1\\n" + line); the prefix keeps these hashes apart from all
    others.
    """
    return hashlib.sha256(
        b"discreet ledger 1\n" + line.encode("utf-8", "surrogatepass")
    ).hexdigest()


def read_head(head: Head | str) -> Head:
    """Read a head from its text, "12:9f86d0...".

    >>> read_head("0:" + START) == Head()
    True
    """
    if isinstance(head, Head):
        return head
    match = (
        re.fullmatch(r"([0-9]{1,18}):([0-9a-f]{64})", head.strip())
        if isinstance(head, str)
        else None
    )
    if match is None:
        remedy = "copy it as discreet ledger verify, or ledger.head(), printed it"
        raise InvalidInput(
            "head", "must be a number of entries, a colon and 64 hex digits", head, remedy=remedy
        )
    return Head(entries=int(match[1]), seal=match[2])


def follow(head: Head, rows: Iterable[Row]) -> Iterator[Entry]:
    """Check that `rows` continue the chain that ends at `head`, and yield their entries.

    Raises BudgetError at the first row that is missing, moved, edited or unreadable. Entries
    yielded before that are sound; nothing after it can be trusted.
    """
    entries, seal = head.entries, head.seal
    for sequence, line, stored in rows:
        entries += 1
        if sequence != entries:
            missing = f"{entries}" if sequence <= entries + 1 else f"{entries} to {sequence - 1}"
            raise broken(f"entry {missing} is missing or out of order")
        entry = _read_entry(entries, line)
        if seal_of(line) != stored:
            raise broken(f"entry {entries} was edited: its text does not match its seal")
        if entry.sequence != entries:
            raise broken(f"entry {entries} was moved: it was written as number {entry.sequence}")
        if entry.previous != seal:
            raise broken(
                f"entry {entries} does not follow entry {entries - 1}: one of them was edited or "
                "replaced"
            )
        seal = stored
        yield entry


def must_pass_through(head: Head, rows: Sequence[Row], whose: str) -> None:
    """Check that a whole chain still goes through `head`."""
    if len(rows) < head.entries:
        raise broken(
            f"it ends at entry {len(rows)}, but {whose} says there were {head.entries}: entries "
            "were cut off"
        )
    if head.entries and rows[head.entries - 1][2] != head.seal:
        raise broken(
            f"entry {head.entries} is not the one {whose} names: it was rolled back or rewritten"
        )


def _read_entry(number: int, line: str) -> Entry:
    """Read one line strictly: exactly the known fields, of the known types, written canonically."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise broken(f"entry {number} is unreadable") from None
    if not isinstance(data, dict):
        raise broken(f"entry {number} does not have the fields of an entry")
    form = data.get("format")
    if type(form) is int and form > FORMAT:
        raise BudgetError(
            f"entry {number} of the ledger is of format {form}; this discreet knows up to {FORMAT}",
            remedy="upgrade discreet",
        )
    if form != FORMAT or data.keys() != _FIELDS.keys():
        raise broken(f"entry {number} does not have the fields of an entry")
    if any(type(data[name]) is not kind for name, kind in _FIELDS.items()):
        raise broken(f"entry {number} has a field of the wrong type")
    if data["kind"] not in get_args(Kind):
        raise broken(
            f"entry {number} is of an unknown kind, perhaps of a newer version of discreet"
        )
    entry = Entry(**data)
    if entry.line != line:
        raise broken(f"entry {number} was edited: it is not written canonically")
    return entry


def broken(what: str) -> BudgetError:
    """Return the error for a chain that cannot be trusted."""
    remedy = (
        "grant nothing from it; find out who changed it, then restore a backup into a new ledger"
    )
    return BudgetError(f"the ledger's chain is broken: {what}", remedy=remedy, code="broken-chain")
