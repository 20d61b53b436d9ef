"""A command that is too long for a line, continued so that it can be copied whole."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.cli.shared import quoted
from discreet.show.text import columns


def continued(words: Sequence[str], *, first: str = "", width: int = 0) -> list[str]:
    """A command in lines that end in a backslash where another follows; no option is parted from what it takes.

    >>> print(*continued(["discreet", "plan", "people.csv", "--by", "clinic", "--total"], width=32), sep="\\n")
    discreet plan people.csv \\
        --by clinic --total
    """
    parts = list[str]()
    for word in words:
        if parts and not word.startswith("-"):
            parts[-1] += f" {quoted(word)}"
        else:
            parts.append(quoted(word))
    lines = [first + parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + len(part) + 3 > (width or columns()):
            lines[-1] += " \\"
            lines.append(f"{' ' * len(first)}    {part}")
        else:
            lines[-1] += f" {part}"
    return lines
