"""Which epsilon makes single groups worth reading: one rule for a plan in a terminal and for the
studio.

The aim is that of a reader of the table: in every group, every number is off by at most half of the
group, with 95% confidence and whatever is true. It is asked of all questions and of all sizes at
once, so whoever takes the epsilon that is named meets no group that is too noisy. Where theorems
say what answers, margins at any epsilon cost next to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.core.forms import Fair, Geometric
from discreet.core.rationals import read_alpha

if TYPE_CHECKING:
    from discreet.reading.methods.closed_chances import Closed
    from discreet.tables.plan_lines import Line
    from discreet.tables.planning import Plan

MOST = Fraction(2)
"""Beyond this epsilon, more of it is no advice: from about 3 on a release protects little
(`discreet.odds`).
"""

AIM = "every number is off by at most half of its group in 95% of draws"
STEP = Fraction(1, 100)
CELLS = " cells"
_KINDS: dict[str, type[Closed]] = {"GM": Geometric, "EM": Fair}
"""What stays what it is at every epsilon."""


def known_to_half(line: Line) -> bool:
    """Whether the numbers of a line are off by at most half of the group, with 95% confidence."""
    return 2 * line.margin <= line.largest


def by_theorem(plan: Plan) -> bool:
    """Whether theorems say what answers at every epsilon, so that nothing has to be designed to
    know it.
    """
    from discreet.tables.histogram_lines import too_large

    answers = {total.count: total.answers for total in plan.totals}
    return plan.contributions == 1 and all(
        line.name.removesuffix(CELLS) in _KINDS
        and (not line.name.endswith(CELLS) or too_large(line.n, answers[line.count]))
        for line in plan.lines
        if line.largest
    )


def merged_known(plan: Plan, size: int) -> bool | None:
    """Whether the aim is reached once all groups have one size; None where no theorem tells."""
    from discreet.tables.histogram_lines import too_large

    answers = {total.count: total.answers for total in plan.totals}
    first = {line.count: line for line in plan.lines if line.largest}
    merged = [
        replace(line, n=size, largest=size, name=f"GM{CELLS}" if answers[count] > 1 else line.name)
        for count, line in first.items()
    ]
    told = [
        line
        for line in merged
        if line.name in _KINDS or (answers[line.count] > 1 and too_large(size, answers[line.count]))
    ]
    if not _reached(plan, told, plan.epsilon):
        return False
    return True if len(told) == len(merged) and plan.contributions == 1 else None


def least_epsilon(plan: Plan) -> Fraction | None:
    """The least epsilon of the release, in hundredths, by which every number is off by at most half
    of its group.

    Lines that no theorem answers are not asked; None where the others need more than `MOST`, or
    where one draw stands for several rows of a person.

    >>> import pyarrow as pa
    >>> from discreet.tables.planning import plan
    >>> people = pa.table({"clinic": ["a"] * 8 + ["b"] * 6, "smoker": [True] * 14})
    >>> at = {
    ...     e: plan(people, by="clinic", count="smoker", epsilon=e)
    ...     for e in ("0.25", "0.64", "0.65")
    ... }
    >>> least_epsilon(at["0.25"]), [all(map(known_to_half, p.lines)) for p in at.values()]
    (Fraction(13, 20), [False, False, True])
    """
    if plan.contributions > 1:
        return None
    asked = [
        line for line in plan.lines if line.largest and line.name.removesuffix(CELLS) in _KINDS
    ]
    low, high = int(plan.epsilon / STEP), int(MOST / STEP)
    if low >= high or not _reached(plan, asked, MOST):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _reached(plan, asked, STEP * middle) else (middle, high)
    return STEP * high


def _reached(plan: Plan, lines: Sequence[Line], epsilon: Fraction) -> bool:
    """Whether all lines are off by at most half of their groups if the release has some epsilon,
    shared as it is.
    """
    from discreet.reading.accuracy import expected

    each, times = dict(plan.each), epsilon / plan.epsilon
    alike: dict[tuple[type[Closed], Fraction], list[int]] = {}
    for line in lines:
        drawn = each[line.count] * times / (2 if line.name.endswith(CELLS) else 1)
        alike.setdefault((_KINDS[line.name.removesuffix(CELLS)], drawn), []).append(line.largest)
    return all(
        2 * int(margin) <= size
        for (kind, drawn), sizes in alike.items()
        for margin, size in zip(
            expected(kind, read_alpha(epsilon=drawn).value, sizes).margin, sizes, strict=True
        )
    )
