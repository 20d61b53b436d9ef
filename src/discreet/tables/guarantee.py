"""The statement of the guarantee, in words a reader of the table can hold us to."""

from __future__ import annotations

from discreet.tables.question import Price, Question


def statement(question: Question, price: Price) -> str:
    """Say what one person's bits can change, at which price, and what is published as it is."""
    epsilon = price.total.epsilon
    k = question.contributions
    whose = "one person"
    basis = "which was checked" if question.unit else "which whoever released the table declared"
    rows = "each person has one row in one group" if k == 1 else f"each person has at most {k} rows"
    if question.size is not None:  # a table of counts has no rows of people
        rows = "each person is counted once, in one group" if k == 1 else f"each person is counted at most {k} times"
    counts = "this count" if len(question.counts) == 1 else f"all {len(question.counts)} counts together"
    return (
        f"Take two tables that differ only in the protected bits of {whose}. The chance of any released table differs "
        f"between the two by a factor of at most exp({epsilon}) (epsilon = {epsilon} for {counts}). "
        f"This holds if {rows}, {basis}. "
        "Keys, who is in which group, and each group's size n are NOT protected: they are published as they are. "
        "If a group's size is itself sensitive, this release does not hide it."
    )
