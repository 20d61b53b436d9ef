"""A command that is too long for a line, continued so that it can be copied whole."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.cli.shared import quoted
from discreet.show.text import columns, with_backslashes


def continued(words: Sequence[str], *, first: str = "", width: int = 0) -> list[str]:
    """A command in lines that end in a backslash where another follows; no option is parted from
    what it takes.

    >>> words = ["discreet", "plan", "people.csv", "--by", "clinic", "--total"]
    >>> print(*continued(words, width=32), sep="\\n")
    discreet plan people.csv \\
        --by clinic --total
    """
    return with_backslashes([*map(quoted, words)], width or columns(), first=first)
