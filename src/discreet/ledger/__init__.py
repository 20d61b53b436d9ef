"""The privacy budget of each dataset and what was spent of it: exact, append-only, sealed entry by
entry.

SQLite by default, PostgreSQL by URL; see `discreet.ledger.ledger` for the verbs, `accounts` for the
rules and the argument why they are safe.
"""

from __future__ import annotations

from discreet.ledger.accounts import Account, Reservation
from discreet.ledger.databases.places import open_ledger
from discreet.ledger.entries import Entry, Head
from discreet.ledger.ledger import Ledger

__all__ = ["Account", "Entry", "Head", "Ledger", "Reservation", "open_ledger"]
