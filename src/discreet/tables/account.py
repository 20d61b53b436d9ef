"""A release's own entry in the ledger, from reservation to commit, and how an interrupted one is taken up again."""

from __future__ import annotations

import os
from pathlib import Path

from discreet.errors import BudgetError, DiscreetError, InvalidInput
from discreet.ledger import Ledger, Reservation, open_ledger
from discreet.ledger.lines import first_budget
from discreet.tables import bundle
from discreet.tables.manifest import Manifest
from discreet.tables.result import Release, read_release


class Spending:
    """The release's own reservation, from `reserve` or `resume` to `commit`."""

    def __init__(self, ledger: str | os.PathLike[str] | Ledger, dataset: str | None, resume: str | None) -> None:
        self.ledger = ledger if isinstance(ledger, Ledger) else open_ledger(ledger)
        self._resume = resume
        self.dataset = dataset if dataset is not None else self._only_dataset()
        self.held: Reservation
        self._asked = ""  # the digest that the ledger was asked to record

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
            f"the ledger has {len(names)} datasets, so which one this release spends is not clear: {remedy}"
        )

    def reserve(self, facts: Manifest) -> None:
        """Set the price aside, or take up the entry of an interrupted release."""
        if self._resume is not None:
            self.held = self.ledger.resume(self._resume, dataset=self.dataset, epsilon=facts.epsilon)
            return
        note = ", ".join(count.name for count in facts.counts)
        self.held = self.ledger.reserve(self.dataset, facts.epsilon, note=note[:200])

    def mark_drawn(self) -> None:
        """Record that words are about to be drawn."""
        self.held = self.ledger.mark_drawn(self.held)

    def mark_publishing(self, digest: str) -> None:
        """Record what is about to be seen."""
        self._asked = digest
        self.held = self.ledger.mark_publishing(self.held, digest=digest)

    @property
    def may_publish(self) -> bool:
        """Whether the ledger may have recorded the finished bundle, even if its answer was lost: then it must stay."""
        if not self._asked or self.held.state != "drawn":
            return bool(self._asked)
        try:
            found = self.ledger.find(self.held.release_id)
        except DiscreetError:
            return True
        return found is None or found.digest in ("", self._asked)  # else another attempt's was recorded

    def told(self) -> str:
        """What an error after the reservation says about the ledger: no budget is spent unreported."""
        entry = self.held
        return (
            f"The ledger keeps {entry.epsilon} of dataset {entry.dataset!r} reserved for this release, which is "
            f"{entry.state}: once the cause is gone, the same call with `resume={entry.release_id!r}` finishes it "
            "without paying again"
        )

    def commit(self) -> None:
        """Record that it was."""
        self.held = self.ledger.commit(self.held)

    def finish_published(self, target: Path | None, *, overwrite: bool) -> Release | None:
        """Finish a release that was interrupted after its digest was recorded: the same bytes, never a new draw."""
        found = None if self._resume is None else self.ledger.find(self._resume)
        if found is None or target is None or found.state not in ("publishing", "committed"):
            return None
        if bundle.holds(target, found.digest) is None:
            left = bundle.attempts(target, found.release_id)
            waiting = next((path for path in left if bundle.holds(path, found.digest)), None)
            if waiting is None:
                return None  # `resume` will say that it cannot be drawn again
            try:
                bundle.publish(waiting, target, found.release_id, overwrite=overwrite)
            except (OSError, InvalidInput) as error:
                if bundle.holds(target, found.digest) is None:  # nobody else has put it there meanwhile
                    if isinstance(error, InvalidInput):
                        raise
                    raise InvalidInput("output", f"cannot be written ({error.strerror})", str(target)) from None
        if found.state == "publishing":
            self.ledger.commit(found)
        return read_release(target)
