"""Whether a plan is worth its privacy: a number that may be anything is called so, with what would help.

When that is (`Line.too_noisy`) is the same on this page and in a plan. What would help is planned, not guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.studio.own.plan_words import CELLS, JOINT, commonest, people
from discreet.studio.telling.wording import listed

if TYPE_CHECKING:
    from discreet.tables.plan_lines import Line

Alone = Callable[[int, Fraction], "Line"]
"""What a single group of some size gets of a question at some epsilon, without regions."""

_FACTORS = (Fraction(3, 2), Fraction(2), Fraction(3), Fraction(5), Fraction(10))
_JOINT_FACTORS = (Fraction(2),)  # a joint design takes seconds
_LARGER = (2, 3, 4, 6)
_NAMED = 4
"""Sizes that are named one by one; of more, the first and the last."""

HIGH = 5
"""An epsilon above which a remedy would be no privacy worth the name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """What would help, in words, and which entry to change to what, where one does it."""

    words: str
    entry: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is wrong with the numbers of single groups, and what would help."""

    says: str
    several: bool
    """Whether there are sums of groups, which may be of use nevertheless."""
    remedies: tuple[Remedy, ...]


def judge_lines(
    lines: Sequence[Line], *, each: Fraction, total: Fraction, plain: Sequence[Line], alone: Alone, several: bool
) -> Verdict | None:
    """Return what to say of the sizes whose numbers may be anything; None where all are of use.

    `each` is the epsilon of one of its draws, `total` that of the release; `plain` are the lines without regions, where
    there are some. What would help is planned for the commonest of these sizes.
    """
    noisy = [line for line in lines if line.too_noisy]
    if not noisy:
        return None
    line = commonest(noisy)
    n, joint = line.largest, line.name == JOINT
    who = f"groups of {n} are " if len(noisy) > 1 else ""
    remedies = []
    without = next((one for one in plain if one.largest == n), line)
    if without.margin < line.margin:
        words = f"leave out the regions: then {who}off by at most {without.margin}, usually {without.rmse:.1f}"
        remedies.append(Remedy(words=words, entry="regions"))
    for factor in _JOINT_FACTORS if joint else _FACTORS:
        if total * factor <= HIGH and not (found := alone(n, each * factor)).too_noisy:
            epsilon = f"{float(total * factor):.3g}"
            words = f"about epsilon {epsilon}: then {who}off by at most {found.margin}"
            remedies.append(Remedy(words=words, entry="epsilon", value=epsilon))
            break
    if not joint:
        for larger in (n * times for times in _LARGER):
            if not (found := alone(larger, each)).too_noisy:
                words = f"merge groups to about {larger} people: then off by at most {found.margin} of {larger}"
                remedies.append(Remedy(words=words))
                break
    if joint or line.name.endswith(CELLS):
        remedies.append(Remedy(words="ask for fewer answers, or for yes or no"))
    wrong = f"{line.margin} of {n} people may stand under a wrong answer"
    says = wrong if joint else f"a number from 0 to {n} may be off by {line.margin}"
    return Verdict(says=f"{_which(noisy, lines)}: {says}.", several=several, remedies=tuple(remedies))


def _which(noisy: Sequence[Line], lines: Sequence[Line]) -> str:
    """Say of which groups single numbers cannot be read."""
    if len(noisy) == len(lines):
        return "Too noisy to be read group by group"
    bad, every = (sum(line.groups for line in some) for some in (noisy, lines))
    named = [people(line) for line in noisy] if len(noisy) <= _NAMED else [f"{noisy[0].n} to {noisy[-1].largest}"]
    return f"Groups of {listed(named, 'and')} ({bad:,} of {every:,} groups) are too noisy to be read one by one"
