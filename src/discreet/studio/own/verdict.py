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
"""Sizes that are named one by one; of more, the first and the last."""


def judge_lines(lines: Sequence[Line]) -> str:
    """Return what to say of the sizes whose numbers may be anything; nothing where all are of use."""
    noisy = [line for line in lines if line.too_noisy]
    if not noisy:
        return ""
    line = commonest(noisy)
    n, anything = line.largest, line.margin >= line.largest
    if line.name == JOINT:
        says = f"{f'all {n}' if anything else f'{line.margin} of {n}'} people may stand under a wrong answer"
    elif anything:
        says = f"in a group of {n}, any number from 0 to {n} may be published, whatever is true"
    else:
        says = f"a number from 0 to {n} may be off by {line.margin}"
    return f"{_which(noisy, lines)}: {says}."


def _which(noisy: Sequence[Line], lines: Sequence[Line]) -> str:
    """Say of which groups single numbers cannot be read."""
    if len(noisy) == len(lines):
        return "Too noisy to be read group by group"
    bad, every = (sum(line.groups for line in some) for some in (noisy, lines))
    named = [people(line) for line in noisy] if len(noisy) <= _NAMED else [f"{noisy[0].n} to {noisy[-1].largest}"]
    return f"Groups of {listed(named, 'and')} ({bad:,} of {every:,} groups) are too noisy to be read one by one"
