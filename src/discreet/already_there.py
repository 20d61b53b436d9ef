"""The error about a file that is to be written and exists already, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable


class AlreadyThere(InvalidInput):
    """What is to be written exists already: the message begins with its name, since nobody may
    have typed it.
    """

    def _fault(self, spell: Callable[[str], str]) -> str:
        return f"{self.value} {spell(self.rule)}"


def another(parameter: str) -> str:
    """What to do about it.

    >>> another("output")
    'choose another `output`, or give `overwrite=True`'
    """
    return f"choose another `{parameter}`, or give `overwrite=True`"
