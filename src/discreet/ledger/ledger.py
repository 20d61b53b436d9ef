"""The ledger: budgets of datasets, and what was reserved and released of them.

    ledger = open_ledger("budget.db")                       # or "postgresql://..."
    ledger.open("people", budget=1)
    entry = ledger.reserve("people", "1/10", note="smokers by clinic", release_id="2026-11")
    entry = ledger.mark_drawn(entry)                        # before the first random word
    entry = ledger.mark_publishing(entry, digest=...)       # before the file appears
    ledger.commit(entry)                                    # after

Every verb is one transaction: read what is new, check it, apply the rules of `accounts`, add one
entry. The first verb of a process checks the whole chain, later ones what was added since, so a
broken ledger grants nothing.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.core.progress import reached
from discreet.errors import BudgetError
from discreet.ledger.accounts import Books, fold, refuse_if_too_much
from discreet.ledger.backups import read_backup, write_backup
from discreet.ledger.databases import schema
from discreet.ledger.entries import Entry, Head, broken, follow, must_pass_through, read_head
from discreet.ledger.names import read_name
from discreet.ledger.parameters import read_epsilon, read_id, read_text, write_amount
from discreet.ledger.steps import begun_meanwhile, is_repeat, refuse_another, refuse_if_overtaken

if TYPE_CHECKING:
    import os
    from fractions import Fraction

    from discreet.core.rationals import Exact
    from discreet.ledger.accounts import Account, Reservation
    from discreet.ledger.databases.schema import Session, Store
    from discreet.ledger.entries import Kind, Row


class Ledger:
    """A ledger in one place. Holds no connection; may be shared by threads and survives a fork."""

    __slots__ = ("_books", "_store")

    def __init__(self, store: Store) -> None:
        self._store = store
        self._books = Books(where=store.where)

    def __repr__(self) -> str:
        return f"Ledger({self._store.where!r})"

    @property
    def where(self) -> str:
        """Where the ledger is, as it may be shown: without a password."""
        return self._store.where

    # --- budgets
    # ----------------------------------------------------------------------------------------------

    def open(self, dataset: str, *, budget: Exact) -> Account:
        """Give a dataset its budget. Opening it again with the same budget changes nothing; with
        another is refused.
        """
        amount = read_epsilon("budget", budget)
        with self._store.writing(
            doubt=f"ledger.datasets() tells whether {dataset!r} is open."
        ) as session:
            books = self._caught_up(session)
            dataset = read_name("dataset", dataset, books.accounts)
            known = books.accounts.get(dataset)
            if known is None or known.budget != amount:
                books = _add(
                    session, books, kind="open", dataset=dataset, amount=write_amount(amount)
                )
        return self._account(books, dataset)

    def set_budget(self, dataset: str, budget: Exact, *, reason: str, by: str) -> Account:
        """Change a budget, up or down, but not below what is spent. Who and why stay in the
        ledger for good.
        """
        amount = read_epsilon("budget", budget)
        signed = _signed(reason, by)
        with self._store.writing(doubt="ledger.history(dataset) tells.") as session:
            books = self._caught_up(session)
            dataset = read_name("dataset", dataset, books.accounts)
            books = _add(
                session,
                books,
                kind="budget",
                dataset=dataset,
                amount=write_amount(amount),
                **signed,
            )
        return self._account(books, dataset)

    # --- the steps of a release
    # ----------------------------------------------------------------------------------------------

    def reserve(
        self,
        dataset: str,
        epsilon: Exact,
        *,
        note: str = "",
        release_id: str | None = None,
        question: str = "",
        caller: str = "",
        once: bool = False,
    ) -> Reservation:
        """Set `epsilon` aside: it counts as spent from here on. BudgetExceeded if it does not fit:
        nothing happened.

        `question` is a digest of what will be asked: drawing for another is then refused. `caller`
        is your own id of the run; with `once` it is refused where a run of the dataset has it
        already.
        """
        amount = read_epsilon("epsilon", epsilon)
        release_id = secrets.token_hex(16) if release_id is None else read_id(release_id)
        given = (("note", note), ("question", question), ("caller", caller))
        texts = {name: read_text(name, text) for name, text in given}
        reached("reserving")
        with self._store.writing(doubt=f"ledger.find({release_id!r}) tells.") as session:
            books = self._caught_up(session)
            dataset = read_name("dataset", dataset, books.accounts)
            if once and books.run(dataset, caller) is not None:
                raise begun_meanwhile(caller)
            reached("reserving")
            fields = {"dataset": dataset, "id": release_id, "amount": write_amount(amount), **texts}
            books = _add(session, books, kind="reserve", **fields)
            reached("reserving")
        reached("reserved")
        return books.reservations[release_id]

    def mark_drawn(
        self, reservation: Reservation, *, question: str = "", output: str = ""
    ) -> Reservation:
        """Say that words are about to be drawn; call it before the first. The amount can then not
        be given back.

        `output` is where they will be written, so that whoever resumes the release finds what this
        attempt left. A `question` other than the reservation's is refused.
        """
        question = read_text("question", question)
        return self._advance(reservation, "draw", reach="drawn", question=question, output=output)

    def mark_publishing(self, reservation: Reservation, *, digest: str = "") -> Reservation:
        """Say that the finished file (`digest`, such as its sha256) is about to appear; call it
        before the rename.

        Refused when another process has drawn for this release since: its file is the one to
        publish. Repeated with the same non-empty digest it changes nothing.
        """
        return self._advance(
            reservation, "publish", reach="publishing", digest=read_text("digest", digest)
        )

    def commit(self, reservation: Reservation, *, note: str = "", output: str = "") -> Reservation:
        """Say that the file has appeared, at `output` if not where it was drawn. Repeating it
        changes nothing.
        """
        return self._advance(
            reservation, "commit", reach="committed", note=read_text("note", note), output=output
        )

    def release_reservation(
        self, release_id: str | Reservation, *, reason: str, by: str
    ) -> Reservation:
        """Give an abandoned reservation back: a person's decision. Refused once a word may have
        been drawn.
        """
        release_id = read_id(release_id if isinstance(release_id, str) else release_id.release_id)
        signed = _signed(reason, by)
        with self._store.writing(doubt=f"ledger.find({release_id!r}) tells.") as session:
            books = self._caught_up(session)
            dataset = books.reservation(release_id).dataset
            books = _add(session, books, kind="release", dataset=dataset, id=release_id, **signed)
        return books.reservations[release_id]

    def find(self, release_id: str) -> Reservation | None:
        """Return the reservation of a release as it stands, or None. Its `state` says how far it
        came.

        The answer is final even after a connection was lost: a commit that is still under way is
        waited for.
        """
        return self._read(settled=True).reservations.get(read_id(release_id))

    def find_run(self, dataset: str, caller: str) -> Reservation | None:
        """Return the reservation of the run with your own id `caller`, or None; like `find` the
        answer is final.

        One that was given back is no longer the run's. Several, made by hand, are refused: which is
        meant is not clear.
        """
        books = self._read(settled=True)
        return books.run(
            books.account(read_name("dataset", dataset, books.accounts)).dataset, caller
        )

    def resume(
        self,
        release_id: str,
        *,
        dataset: str | None = None,
        epsilon: Exact | None = None,
        question: str = "",
    ) -> Reservation:
        """Take up an interrupted release under its own entry: nothing more is charged, and it may
        draw afresh.

        Only while nothing can have been published (`reserved` or `drawn`; the argument is in
        `accounts`). `dataset`, `epsilon` and `question`, if given, must be those of the entry.
        """
        books = self._read()
        found = books.reservation(read_id(release_id))
        if dataset is not None and read_name("dataset", dataset, books.accounts) != found.dataset:
            raise BudgetError(
                f"release {release_id!r} was reserved for dataset {found.dataset!r}, not "
                f"{dataset!r}"
            )
        amount = found.epsilon if epsilon is None else read_epsilon("epsilon", epsilon)
        refuse_another(found, amount, question)
        return found

    # --- reading
    # ----------------------------------------------------------------------------------------------

    def remaining(self, dataset: str) -> Fraction:
        """Return what may still be reserved for a dataset, as an exact Fraction."""
        books = self._read()
        return books.account(read_name("dataset", dataset, books.accounts)).remaining

    def refuse_if_too_much(self, dataset: str, epsilon: Exact) -> None:
        """Raise BudgetExceeded where `epsilon` would not fit now. Nothing is reserved: `reserve`
        decides, later.
        """
        books = self._read()
        account = books.account(read_name("dataset", dataset, books.accounts))
        refuse_if_too_much(books, account, read_epsilon("epsilon", epsilon))

    def datasets(self) -> tuple[Account, ...]:
        """Return every dataset's account, in the order they were opened."""
        books = self._read()
        return tuple(self._account(books, name) for name in books.accounts)

    def unfinished(self, dataset: str) -> tuple[Reservation, ...]:
        """Return the reservations of a dataset that were neither committed nor given back."""
        books = self._read()
        return books.unfinished(
            books.account(read_name("dataset", dataset, books.accounts)).dataset
        )

    def states(self) -> dict[str, Reservation]:
        """Return every reservation as it stands, by the id of its release."""
        return dict(self._read().reservations)

    def history(self, dataset: str | None = None) -> tuple[Entry, ...]:
        """Return a dataset's entries, or all of them, in the order they were made."""
        if dataset is not None:
            books = self._read()
            dataset = books.account(read_name("dataset", dataset, books.accounts)).dataset
        with self._store.reading() as session:
            entries = tuple(follow(Head(), self._rows(session)))
        return tuple(e for e in entries if dataset is None or e.dataset == dataset)

    def head(self) -> Head:
        """Return the end of the chain. Keep its text elsewhere: `verify(head)` then shows
        rollback and truncation.
        """
        return self._read().head

    def verify(self, head: Head | str | None = None) -> Head:
        """Check every entry from the first, and that the chain still goes through `head`; return
        its end.

        Raises BudgetError naming the first entry that is edited, missing, moved, cut off or against
        the rules.
        """
        books, rows = self._checked()
        if head is not None:
            must_pass_through(read_head(head), rows, "the head that was kept")
        return books.head

    # --- backup
    # ----------------------------------------------------------------------------------------------

    def backup(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Head:
        """Write all entries to a text file that `restore` reads, into either kind of database."""
        books, rows = self._checked()
        write_backup(Path(path), books.head, rows, overwrite=overwrite)
        return books.head

    def restore(self, path: str | os.PathLike[str], *, by: str = "") -> Head:
        """Add the entries of a backup that this ledger lacks; it must be empty or hold the backup's
        first entries.

        So restoring never forgets an entry. What was spent after the backup was made is not in it:
        `verify` with the last head you kept says whether that is so.
        """
        saved, saved_rows = read_backup(Path(path))
        by = read_text("by", by)
        with self._store.writing(doubt="ledger.head() tells.") as session:
            mine = self._caught_up(session).head
            shared = min(mine.entries, saved.head.entries)
            if shared and self._rows(session, shared)[0] != saved_rows[shared - 1]:
                raise BudgetError(
                    "the backup and this ledger have diverged",
                    remedy="restore it into a new ledger",
                )
            if shared == saved.head.entries:
                raise BudgetError(
                    f"this ledger holds all {shared} entries of the backup: there is nothing to "
                    "restore"
                )
            schema.append(session, saved_rows[mine.entries :])
            note = (
                f"restored entries {mine.entries + 1} to {saved.head.entries} from a backup "
                f"ending at {saved.head}"
            )
            books = _add(session, saved, kind="restore", note=note, by=by)
        return books.head

    # --- internal
    # ----------------------------------------------------------------------------------------------

    def _advance(
        self, reservation: Reservation, kind: Kind, *, reach: str, **fields: str
    ) -> Reservation:
        release_id = reservation.release_id
        with self._store.writing(doubt=f"ledger.find({release_id!r}) tells.") as session:
            books = self._caught_up(session)
            now = books.reservation(release_id)
            if not is_repeat(reservation, now, kind, fields):
                refuse_if_overtaken(reservation, now, kind)
                books = _add(
                    session, books, kind=kind, dataset=now.dataset, id=release_id, **fields
                )
        reached(reach)
        return books.reservations[release_id]

    def _read(self, *, settled: bool = False) -> Books:
        with self._store.reading(settled=settled) as session:
            return self._caught_up(session)

    def _caught_up(self, session: Session) -> Books:
        """Return the books as of this transaction, checking what was added since they were last
        read.
        """
        books = self._books
        rows = self._rows(session, books.head.entries)
        if books.head.entries:  # the last entry known must still be there, as it was
            if not rows or (rows[0][0], rows[0][2]) != (books.head.entries, books.head.seal):
                raise broken(
                    f"entry {books.head.entries}, which this process has seen, is gone or replaced"
                )
            rows = rows[1:]
        books = fold(books, follow(books.head, rows), written=True)
        self._books = books
        return books

    def _checked(self) -> tuple[Books, list[Row]]:
        """Return everything, checked from the first entry, and against what this process has
        seen before.
        """
        seen = self._books.head  # taken first: another thread may move it while we read
        with self._store.reading() as session:
            rows = self._rows(session)
        books = fold(Books(where=self.where), follow(Head(), rows), written=True)
        must_pass_through(seen, rows, "what this process has seen")
        return books, rows

    def _rows(self, session: Session, start: int = 1) -> list[Row]:
        if schema.version(session, self.where) is None:
            raise BudgetError(
                f"the ledger {self.where!r} was emptied or replaced since it was opened",
                remedy="open it again",
            )
        return schema.rows_from(session, start)

    @staticmethod
    def _account(books: Books, dataset: str) -> Account:
        return replace(books.account(dataset), unfinished=books.unfinished(dataset))


def _add(session: Session, books: Books, *, kind: Kind, **fields: str) -> Books:
    """Add one entry after `books`, if the rules allow it, and return the books after it."""
    time = datetime.now(UTC).isoformat(timespec="seconds")
    texts: dict[str, Any] = dict(fields)
    entry = Entry(
        sequence=books.head.entries + 1, previous=books.head.seal, time=time, kind=kind, **texts
    )
    after = fold(books, [entry])
    schema.append(session, [entry.row])
    return after


def _signed(reason: str, by: str) -> dict[str, str]:
    return {
        "note": read_text("reason", reason, required=True),
        "by": read_text("by", by, required=True),
    }
