"""How much a run does: everything in a full or slow one, little in a bare `pytest`."""

from __future__ import annotations

import os

FULL = os.environ.get("DISCREET_FULL") == "1"
SLOW = FULL or os.environ.get("DISCREET_SLOW") == "1"
QUICK_EXAMPLES = 20
"""Of a law in a quick run, however many it has otherwise."""


def tries(examples: int) -> int:
    """So many examples of a law, or fewer in a quick run."""
    return examples if SLOW else min(examples, QUICK_EXAMPLES)
