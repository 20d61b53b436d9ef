"""Whether a plan is worth its privacy: sizes whose numbers may be anything are called so.

When that is (`Line.too_noisy`) is the same on this page and in a plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from discreet.studio.own.plan_words import JOINT, commonest, people
from discreet.studio.telling.wording import listed

if TYPE_CHECKING:
    from discreet.tables.plan_lines import Line

_NAMED = 4
"""Sizes that are named one by one; of more, the first and the last of each run."""


def judge_lines(lines: Sequence[Line]) -> str:
    """Return what to say of the sizes whose numbers may be anything; nothing where all are of
    use.
    """
    noisy = [line for line in lines if line.too_noisy]
    if not noisy:
        return ""
    kinds = [[line for line in noisy if (line.name == JOINT) is joint] for joint in (True, False)]
    says = [(_says(some[0]) if len(some) == 1 else _says_of_all(some)) for some in kinds if some]
    if len(says) > 1:  # each is true of sizes of its own
        says = [
            f"groups of {_sizes(some, lines)}: {said}"
            for some, said in zip(kinds, says, strict=True)
        ]
    return f"{_which(noisy, lines)}: {'; '.join(says)}."


def allowed(lines: Sequence[Line]) -> str:
    """Say what rough numbers allow, as a report does; nothing of others, and of too noisy ones
    the page says more.
    """
    line = commonest(lines)
    if line.grade not in ("rough", "very rough"):
        return ""
    rank = "." if sum(one.groups for one in lines) == 1 else ", and do not rank groups by it."
    if line.name == JOINT:
        return f"Say beside the numbers how many may be misplaced{rank.replace('it', 'them')}"
    return f"Print each number with its interval{rank}"


def _says(line: Line) -> str:
    """Say what may become of the numbers of one size."""
    n = line.largest
    if line.name == JOINT:
        return f"{_of_people(line)} people may stand under a wrong answer"
    if _anything(line):
        return f"in a group of {n}, any number from 0 to {n} may be published, whatever is true"
    return f"a number from 0 to {n} may be off by {line.margin}"


def _says_of_all(lines: Sequence[Line]) -> str:
    """Say what may become of the numbers of several sizes: what is true of each, and that of the
    ends.
    """
    joint = lines[0].name == JOINT
    if all(map(_anything, lines)):
        if joint:
            return "everybody in a group may stand under a wrong answer"
        return "any number from 0 to the whole group may be published, whatever is true"
    ends = f"{_of_people(lines[0])} in the smallest of them, {_of_people(lines[-1])} in the largest"
    if joint:
        return f"three quarters of a group or more may stand under a wrong answer: {ends}"
    return f"a number may be off by three quarters of its group or more: {ends}"


def _anything(line: Line) -> bool:
    return line.margin >= line.largest


def _of_people(line: Line) -> str:
    return f"all {line.largest}" if _anything(line) else f"{line.margin} of {line.largest}"


def _which(noisy: Sequence[Line], lines: Sequence[Line]) -> str:
    """Say of which groups single numbers cannot be read."""
    if len(noisy) == len(lines):
        return "Too noisy to be read group by group"
    bad, every = (sum(line.groups for line in some) for some in (noisy, lines))
    which = _sizes(noisy, lines)
    return f"Groups of {which} ({bad:,} of {every:,} groups) are too noisy to be read one by one"


def _sizes(some: Sequence[Line], lines: Sequence[Line]) -> str:
    """Name sizes one by one, or, where they are many, by runs that have no other size of the
    table within them.
    """
    if len(some) <= _NAMED:
        return listed([people(line) for line in some], "and")
    runs: list[list[Line]] = []
    for before, line in zip([None, *lines], lines, strict=False):
        if line in some:
            if before in some and runs:
                runs[-1].append(line)
            else:
                runs.append([line])
    return listed(
        [people(run[0]) if len(run) == 1 else f"{run[0].n} to {run[-1].largest}" for run in runs],
        "and",
    )
