"""A ledger as a text file: a header line, then one line per entry, "seal line". Works between
databases.

{"discreet": "ledger backup", "format": 1, "head": "12:9f86d0..."}
9f86d0... {"amount":"1/1","by":"",...}
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from discreet.errors import BudgetError, InvalidFile
from discreet.ledger.accounts import Books, fold
from discreet.ledger.entries import follow, read_head
from discreet.proof.files import write_whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from discreet.ledger.entries import Head, Row

FORMAT = 1


def write_backup(path: Path, head: Head, rows: Sequence[Row], *, overwrite: bool) -> None:
    """Write the rows to `path`, whole or not at all, and wait for the disk."""
    if path.exists() and not overwrite:
        raise InvalidFile(
            "path",
            "exists already",
            found=str(path),
            remedy="choose another, or give `overwrite=True`",
        )
    header = json.dumps({"discreet": "ledger backup", "format": FORMAT, "head": str(head)})
    text = "".join([header + "\n", *(f"{seal} {line}\n" for _, line, seal in rows)])
    try:
        write_whole(path, text)
    except OSError as error:
        raise InvalidFile(
            "path", f"cannot be written ({error.strerror})", found=str(path)
        ) from None


def read_backup(path: Path) -> tuple[Books, list[Row]]:
    """Read a backup and check all of it: header, seals, order, rules and head."""
    try:
        header, *lines = path.read_text(encoding="ascii").split("\n")
    except OSError as error:
        raise InvalidFile("path", f"cannot be read ({error.strerror})", found=str(path)) from None
    except UnicodeDecodeError:
        raise InvalidFile(
            "path", "must be a ledger backup; this is not ASCII text", found=str(path)
        ) from None
    head = _head_of(header, path)
    if lines.pop() if lines else "no last newline":
        raise InvalidFile(
            "path", "ends in the middle of a line: the backup is cut off", found=str(path)
        )
    rows = [(number, line[65:], line[:64]) for number, line in enumerate(lines, start=1)]
    try:
        books = fold(Books(), follow(Books().head, rows), written=True)
    except BudgetError as error:
        raise InvalidFile("path", f"is a damaged backup ({error})", found=str(path)) from None
    if books.head != head:
        raise InvalidFile(
            "path",
            f"is a damaged backup: it should end at {head}, not {books.head}",
            found=str(path),
        )
    return books, rows


def _head_of(header: str, path: Path) -> Head:
    try:
        data = json.loads(header)
        ours, form = data["discreet"] == "ledger backup", data["format"]
        head = read_head(data["head"]) if ours and type(form) is int and form == FORMAT else None
    except (ValueError, KeyError, TypeError, RecursionError):
        ours, form, head = False, None, None
    if head is not None:
        return head
    if ours and type(form) is int and form > FORMAT:
        rule = f"is a ledger backup of format {form}; this discreet knows up to {FORMAT}"
        raise InvalidFile("path", rule, found=str(path), remedy="upgrade discreet")
    rule = "must be a ledger backup"
    raise InvalidFile("path", rule, str(path), remedy="discreet ledger backup writes one")
