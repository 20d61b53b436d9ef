"""The lines to type that errors about a ledger recommend, with the names that are known."""

from __future__ import annotations

import shlex


def line(verb: str, where: str, *words: str) -> str:
    """Return a line for the shell; `where` is the ledger as it may be shown, without a password.

    >>> line("open", "budget.db", "north clinics", "--budget", "1")
    "discreet ledger open budget.db 'north clinics' --budget 1"
    """
    return shlex.join(["discreet", "ledger", verb, where, *words])


def first_budget(where: str) -> str:
    """Return the line for a ledger without datasets: the name in it is the reader's to choose."""
    return f"{line('open', where, 'people', '--budget', '1')} (people being a name of your choice)"
