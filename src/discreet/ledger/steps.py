"""Steps of a release taken twice or too late: what a process may still do with its reservation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.errors import BudgetError
from discreet.ledger.accounts import other_question
from discreet.ledger.parameters import show

if TYPE_CHECKING:
    from fractions import Fraction

    from discreet.ledger.accounts import Reservation
    from discreet.ledger.entries import Kind


def is_repeat(held: Reservation, now: Reservation, kind: Kind, fields: dict[str, str]) -> bool:
    """Say whether the step was taken already, as after a lost answer: then taking it again shows
    nothing new.
    """
    if kind == "publish":
        same = fields["digest"] != "" and (now.digest, now.draws) == (fields["digest"], held.draws)
        return now.state == "publishing" and same
    return kind == "commit" and now.state == "committed"


def refuse_if_overtaken(held: Reservation, now: Reservation, kind: Kind) -> None:
    """Draws are numbered: whoever holds an older number was overtaken by a process that resumed
    the release.
    """
    if (held.dataset, held.epsilon) != (now.dataset, now.epsilon):
        raise BudgetError(
            f"the reservation of release {now.release_id!r} belongs to another ledger"
        )
    if (
        kind in ("publish", "commit")
        and now.state in ("drawn", "publishing", "committed")
        and now.draws != held.draws
    ):
        raise BudgetError(
            f"release {now.release_id!r} was resumed elsewhere and drawn again",
            remedy="discard this file; the later draw is the one to publish",
            code="changed-meanwhile",
        )


def refuse_another(found: Reservation, epsilon: Fraction, question: str) -> None:
    """Only the release that was reserved may be taken up, and only while nothing can have been
    published.
    """
    name = found.release_id
    if epsilon != found.epsilon:
        raise BudgetError(
            f"release {name!r} was reserved with epsilon {show(found.epsilon)}",
            remedy="resume it with that, or make another release",
        )
    if question and found.question and question != found.question:
        raise other_question(found)
    if found.state not in ("reserved", "drawn"):
        where = f" (it was to be at {found.outputs[-1]!r})" if found.outputs else ""
        raise BudgetError(
            f"release {name!r} is {found.state}{where} and cannot be drawn again",
            remedy="make a new release",
        )


def begun_meanwhile(caller: str) -> BudgetError:
    """Return the error for a run that another process has reserved for since this one looked."""
    rule = f"run {caller!r} was begun by another process meanwhile; nothing was reserved"
    return BudgetError(
        rule, remedy="try again later: what that one has finished is then found", code="unavailable"
    )
