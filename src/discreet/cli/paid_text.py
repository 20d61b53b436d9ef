"""What `discreet release` says of paying: what is known better before, what was spent, or that
it was paid already.
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from discreet.cli.shared import say
from discreet.core.rationals import in_decimals
from discreet.errors import DiscreetError

if TYPE_CHECKING:
    from discreet.core.progress import Listener, Progress
    from discreet.tables.published.result import Release


_DECIDED = ("reserving", "drawing", "publishing")
"""Phases in which what was asked is refused no more; with a ledger the first comes just before
it pays.
"""


def saying_first(watch: Listener, settings: dict[str, Any], *, levels: bool) -> Listener:
    """Have notes said once all is checked and nothing is paid: what is refused before that stands
    alone.

    Of words that are compared, and of levels that bring nothing.
    """
    from discreet.cli.commands.plan_command import before, in_vain

    bare, vain = before(settings["count"]), in_vain(settings) if levels else ""
    notes = [f"{kind}: {said}" for kind, said in (("warning", bare), ("note", vain)) if said]

    def listen(event: Progress) -> None:
        if event.phase in _DECIDED:
            while notes:
                say(notes.pop(0), err=True)
        watch(event)

    return listen


def budget_facts(done: Release, ledger: Any) -> dict[str, Any]:
    """What a release left of its budget; nothing where the ledger does not answer, for the
    release is made.
    """
    from discreet.ledger import Ledger, open_ledger

    with suppress(DiscreetError):
        book = ledger if isinstance(ledger, Ledger) else open_ledger(ledger, create=False)
        for account in book.datasets():
            if account.dataset == done.manifest.dataset:
                spent = Fraction(done.manifest.epsilon)
                return {
                    "dataset": account.dataset,
                    "spent": spent,
                    "left": account.remaining,
                    "budget": account.budget,
                }
    return {}


def budget_text(facts: dict[str, Any]) -> str:
    """What was spent and what is left, in a line.

    >>> print(
    ...     budget_text(
    ...         {
    ...             "dataset": "pupils",
    ...             "spent": Fraction(2),
    ...             "left": Fraction(1, 2),
    ...             "budget": Fraction(4),
    ...         }
    ...     )
    ... )
    budget pupils: 2 spent now, 0.5 of 4 left
    """
    spent, left, budget = (in_decimals(facts[name]) for name in ("spent", "left", "budget"))
    return f"budget {facts['dataset']}: {spent} spent now, {left} of {budget} left"


def already_text(done: Release) -> str:
    """That a run was made before, and where it is."""
    facts = done.manifest
    return (
        f"run {facts.caller} was released already, on {facts.created}: nothing was done or spent"
        f"\nrelease {facts.release}, epsilon {in_decimals(Fraction(facts.epsilon))}\nfolder: "
        f"{done.path}"
    )
