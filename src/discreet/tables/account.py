"""A release's own entry in the ledger, from reservation to commit, and how an interrupted one is
taken up again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.core.rationals import read_alpha
from discreet.errors import BudgetError, DiscreetError, InvalidInput, Unfinished, warn
from discreet.ledger import Ledger, Reservation, open_ledger
from discreet.ledger.accounts import other_question
from discreet.ledger.parameters import first_budget
from discreet.tables.published import bundle
from discreet.tables.published.result import Release, read_release

if TYPE_CHECKING:
    from discreet.tables.asking.request import Budget, Delivery, Request


class Spending:
    """The release's own reservation, from `reserve` or `resume` to `commit`."""

    def __init__(
        self,
        budget: Budget,
        delivery: Delivery | None = None,
        question: str = "",
        release_id: str = "",
    ) -> None:
        ledger = budget.ledger
        self.ledger = (
            ledger if isinstance(ledger, Ledger) else open_ledger(ledger or "", create=False)
        )
        self._resume = None if delivery is None else delivery.resume
        self._run_id = (None if delivery is None else delivery.run_id) or ""
        self._question, self._release_id = question, release_id
        self.dataset = budget.dataset if budget.dataset is not None else self._only_dataset()
        self.held: Reservation
        self._asked = ""  # the digest that the ledger was asked to record
        self.paid = self._resume is not None
        """Whether something may have been set aside for this release: an answer of the ledger's
        may be lost.
        """

    def _only_dataset(self) -> str:
        names = [account.dataset for account in self.ledger.datasets()]
        if len(names) == 1:
            return names[0]
        remedy = (
            f"give `dataset`, one of {', '.join(names)}"
            if names
            else f"open a budget first with: {first_budget(self.ledger.where)}"
        )
        raise BudgetError(
            f"the ledger has {len(names)} datasets, so which one this release spends is not clear",
            remedy=remedy,
        )

    def refuse_if_too_dear(self, request: Request) -> None:
        """Refuse what the budget cannot pay before the table is read; `reserve` asks again, and
        what it says counts.

        An epsilon that cannot be read is refused where prices are read.
        """
        if self._resume is not None:  # which is paid for
            return
        try:
            price = read_alpha(alpha=request.alpha, epsilon=request.epsilon).epsilon
        except DiscreetError:
            return
        if price:
            self.ledger.refuse_if_too_much(self.dataset, price)

    def reserve(self, epsilon: str, *, note: str) -> bool:
        """Set the price aside, or take up the entry of an interrupted release, which pays
        nothing more (False).
        """
        if self._resume is not None:
            self.held = self.ledger.resume(
                self._resume, dataset=self.dataset, epsilon=epsilon, question=self._question
            )
            return False
        self._notice_unfinished()
        self.paid = True
        self.held = self.ledger.reserve(
            self.dataset,
            epsilon,
            note=note[:200],
            release_id=self._release_id,
            question=self._question,
            caller=self._run_id,
            once=bool(self._run_id),
        )
        return True

    def _notice_unfinished(self) -> None:
        """Say, before anything is spent, that the same question was begun and not finished: that
        needs no payment.

        A run with an id of its own was told apart from other runs by whoever gave the ids.
        """
        for left in self.ledger.unfinished(self.dataset):
            if left.question == self._question and not (left.caller and self._run_id):
                typed = (
                    f"`run_id={left.caller!r}`" if left.caller else f"`resume={left.release_id!r}`"
                )
                warn(
                    f"release {left.release_id!r} of the same question was begun at {left.time} "
                    f"and is {left.state}: unless another process is at work on it, {typed} "
                    "finishes it without paying again. This release is a new one, and pays",
                    Unfinished,
                )

    @property
    def names(self) -> dict[str, Any]:
        """What the manifest says of the account: the dataset, and the caller's own id of the
        run.
        """
        return {"dataset": self.dataset, "caller": self.held.caller}

    def mark_drawn(self, target: Path | None) -> None:
        """Record that words are about to be drawn, and where they will be written."""
        output = "" if target is None else str(target)
        self.held = self.ledger.mark_drawn(self.held, question=self._question, output=output)

    def mark_publishing(self, digest: str) -> None:
        """Record what is about to be seen."""
        self._asked = digest
        self.held = self.ledger.mark_publishing(self.held, digest=digest)

    @property
    def may_publish(self) -> bool:
        """Whether the ledger may have recorded the finished bundle, even if its answer was lost:
        then it must stay.
        """
        if not self._asked or self.held.state != "drawn":
            return bool(self._asked)
        try:
            found = self.ledger.find(self.held.release_id)
        except DiscreetError:
            return True
        return found is None or found.digest in (
            "",
            self._asked,
        )  # else another attempt's was recorded

    def consequence(self) -> str:
        """What an error after the reservation says about the ledger: no budget is spent
        unreported.
        """
        entry = self.held
        again = (
            "the same call again"
            if self._run_id
            else f"the same call with `resume={entry.release_id!r}`"
        )
        return (
            f"The ledger keeps {entry.epsilon} of dataset {entry.dataset!r} reserved for this "
            f"release, which is {entry.state}: once the cause is gone, {again} finishes it "
            "without paying again"
        )

    def explain(self, problem: BaseException) -> None:
        """Have an error that ends a release say what the ledger keeps."""
        if isinstance(problem, DiscreetError):
            problem.consequence = self.consequence()
        else:
            problem.add_note(self.consequence())  # a person who pressed Ctrl-C wants to know too

    def clear(self) -> None:
        """Throw away what earlier attempts left, wherever they wrote: none of it can be
        published any more.
        """
        _clear(self.held)

    def finish(self, made: Release) -> None:
        """Record the end. If that fails everything is spent and counted already; what was made
        must not be lost.
        """
        try:
            self.held = self.ledger.commit(self.held)
        except DiscreetError as error:
            if made.path is not None:
                error.consequence = f"The release is in its place. {self.consequence()}"
                raise
            rule = (
                f"{error}. The release is made and paid for; the ledger keeps it as "
                f"{self.held.state}"
            )
            warn(rule, RuntimeWarning)

    def finish_published(self, target: Path | None, *, overwrite: bool) -> Release | None:
        """Finish a release that was interrupted after its digest was recorded: the same bytes,
        never a new draw.

        They are taken from wherever an attempt hid them. One that has appeared elsewhere stays
        there, in one place.
        """
        found = None if self._resume is None else self.ledger.find(self._resume)
        if found is None or found.state not in ("publishing", "committed"):
            return None
        if found.question not in ("", self._question):
            raise other_question(found)
        if target is None:
            return None  # `resume` will say that it cannot be drawn again
        if bundle.holds(target, found.digest) is None:
            waiting = _finished(found, target)
            try:
                if waiting is not None:
                    _put(waiting, target, found.release_id, overwrite=overwrite)
                elif bundle.holds(target, found.digest) is None:
                    return None  # likewise
            except (OSError, InvalidInput) as error:
                if (
                    bundle.holds(target, found.digest) is None
                ):  # nobody else has put it there meanwhile
                    if isinstance(error, InvalidInput):
                        raise
                    raise InvalidInput(
                        "output", f"cannot be written ({error.strerror})", found=str(target)
                    ) from None
        if found.state == "publishing":
            self.ledger.commit(found, output=str(target))
        _clear(found)
        return read_release(target)


@contextmanager
def unpaid(book: Spending | None) -> Iterator[None]:
    """Have what is refused before a budget paid say so; the ledger's own refusals say it
    themselves.
    """
    try:
        yield
    except DiscreetError as error:
        if book is not None and not (
            book.paid or error.consequence or isinstance(error, BudgetError)
        ):
            error.consequence = "Nothing was spent."
        raise


def _finished(found: Reservation, target: Path) -> Path | None:
    """The finished bundle of a release: hidden beside its place, or where an earlier attempt was
    to publish it.
    """
    for output in found.outputs:
        if Path(output) != target and bundle.holds(Path(output), found.digest):
            rule = f"must be where release {found.release_id!r} was published"
            raise InvalidInput(
                "output", rule, str(target), remedy=f"resume with `output={output!r}`, then copy it"
            )
    places = dict.fromkeys((target, *map(Path, found.outputs)))
    left = (path for place in places for path in bundle.attempts(place, found.release_id))
    return next((path for path in left if bundle.holds(path, found.digest)), None)


def _put(finished: Path, target: Path, release: str, *, overwrite: bool) -> None:
    """Show a finished bundle at its place: rename one that is beside it, copy one that may be on
    another disk.
    """
    if finished.parent == target.parent:
        bundle.publish(finished, target, release, overwrite=overwrite)
        return
    folder = bundle.copy(finished, target, release)
    try:
        bundle.publish(folder, target, release, overwrite=overwrite)
    except BaseException:
        bundle.discard(folder)  # the bundle it was copied from still waits
        raise


def _clear(held: Reservation) -> None:
    for output in held.outputs:
        for left in bundle.attempts(Path(output), held.release_id):
            bundle.discard(left)
