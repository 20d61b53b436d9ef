"""Whether a plan is worth its privacy: a number that may be anything is called so, with what would help.

When that is (`Line.too_noisy`) is the same on this page and in a plan. What would help is planned, not guessed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.studio.own.plan_words import CELLS, JOINT, commonest

if TYPE_CHECKING:
    from discreet.tables.plan_lines import Line
    from discreet.tables.planning import Plan

Alone = Callable[[int, Fraction], "Line"]
"""What a single group of some size gets at some epsilon, without regions."""

_FACTORS = (Fraction(3, 2), Fraction(2), Fraction(3), Fraction(5), Fraction(10))
_JOINT_FACTORS = (Fraction(2),)  # a joint design takes seconds
_LARGER = (2, 3, 4, 6)
HIGH = 5
"""An epsilon above which a remedy would be no privacy worth the name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is wrong with the numbers of single groups, and what would help."""

    says: str
    remedies: tuple[str, ...]


def judge_plan(plan: Plan, epsilon: Fraction, *, regions: bool, alone: Alone) -> Verdict | None:
    """Return what to say of a plan whose groups' numbers may be anything; None where they are of use."""
    line = commonest(plan)
    if not line.too_noisy:
        return None
    n, joint = line.largest, line.name == JOINT
    share = plan.levels[0].share if plan.levels else Fraction(1)
    remedies = []
    if regions:
        without = alone(n, epsilon)
        remedies.append(f"leave out the regions: then off by at most {without.margin}, usually {without.rmse:.1f}")
    for factor in _JOINT_FACTORS if joint else _FACTORS:
        if epsilon * factor <= HIGH and not (found := alone(n, epsilon * share * factor)).too_noisy:
            remedies.append(f"about epsilon {float(epsilon * factor):.3g}: then off by at most {found.margin}")
            break
    if not joint:
        for larger in (n * times for times in _LARGER):
            if not (found := alone(larger, epsilon * share)).too_noisy:
                remedies.append(
                    f"merge groups to about {larger} people: then off by at most {found.margin} of {larger}"
                )
                break
    if joint or line.name.endswith(CELLS):
        remedies.append("ask for fewer answers, or for yes or no")
    wrong = f"{line.margin} of {n} people may stand under a wrong answer"
    says = wrong if joint else f"a number from 0 to {n} may be off by {line.margin}"
    sums = "" if plan.groups == 1 else " Sums of many groups may still be of use; their errors stand below."
    return Verdict(says=f"Too noisy to be read group by group: {says}.{sums}", remedies=tuple(remedies))
