"""Whether a plan is worth its privacy: a number that may be anything is called so, with what would help.

When that is (`Line.too_noisy`) is the same on this page and in a plan. What would help is planned, not guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.studio.own.plan_words import CELLS, JOINT, commonest

if TYPE_CHECKING:
    from discreet.tables.plan_lines import Line

Alone = Callable[[int, Fraction], "Line"]
"""What a single group of some size gets of a question at some epsilon, without regions."""

_FACTORS = (Fraction(3, 2), Fraction(2), Fraction(3), Fraction(5), Fraction(10))
_JOINT_FACTORS = (Fraction(2),)  # a joint design takes seconds
_LARGER = (2, 3, 4, 6)
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
    remedies: tuple[Remedy, ...]


def judge_lines(
    lines: Sequence[Line], *, each: Fraction, total: Fraction, plain: Sequence[Line], alone: Alone, several: bool
) -> Verdict | None:
    """Return what to say of a question whose groups' numbers may be anything; None where they are of use.

    `each` is the epsilon of one of its draws, `total` that of the release; `plain` are the lines without regions, where
    there are some.
    """
    line = commonest(lines)
    if not line.too_noisy:
        return None
    n, joint = line.largest, line.name == JOINT
    remedies = []
    without = next((one for one in plain if one.largest == n), line)
    if without.margin < line.margin:
        words = f"leave out the regions: then off by at most {without.margin}, usually {without.rmse:.1f}"
        remedies.append(Remedy(words=words, entry="regions"))
    for factor in _JOINT_FACTORS if joint else _FACTORS:
        if total * factor <= HIGH and not (found := alone(n, each * factor)).too_noisy:
            epsilon = f"{float(total * factor):.3g}"
            words = f"about epsilon {epsilon}: then off by at most {found.margin}"
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
    sums = " Sums of many groups may still be of use; their errors stand below." if several else ""
    return Verdict(says=f"Too noisy to be read group by group: {says}.{sums}", remedies=tuple(remedies))
