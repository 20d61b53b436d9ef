"""What a plan comes to, in a word for single groups and one for the total, and what helps where
groups are too noisy.

The words follow from how far a number may be off in 95% of draws: beside the size of its group or,
of a total, beside a count that it may be, since what is off by as many as it counts is worth
little. Nothing looks at anybody's answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.core.rationals import read_alpha
from discreet.odds import most_sure
from discreet.tables.plan_lines import GRADES, grade_of, margin_of

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.tables.plan_lines import Line
    from discreet.tables.plan_totals import PlannedTotal
    from discreet.tables.planning import Plan

JOINT, CELLS = "joint", " cells"
"""How lines of histograms are named: drawn whole, and answer by answer."""
SCALE = (
    "good: in 95% of draws off by at most a tenth of the group, and a total by a tenth of the "
    "people counted; usable: at most a quarter; rough: less than half; very rough: less than "
    "three quarters; too noisy: more."
)
"""What the words mean."""
_ROUGH = GRADES.index("rough")
_NEARLY_NONE = 0.1
"""A standard error up to which a total, made whole, is the truth in 95% of draws, by Chebyshev's
inequality.
"""
_ONE_IN = 8
"""Of how many people one is taken to say yes, where a margin is set beside a count."""


def single_group(mechanism: Mechanism) -> str:
    """What the number of one group is worth by itself, as a plan of such groups says it.

    >>> from discreet.core.named import geometric
    >>> single_group(geometric(n=8, epsilon=1)), single_group(geometric(n=2, epsilon=9))
    ('Single groups: rough (off by up to 3 of 8 in 95% of draws).', 'Single groups: exact (in 95% of
    draws).')
    """
    n, margin = mechanism.n, margin_of(mechanism)
    reach = f"off by up to {'all' if margin >= n else f'{margin:,} of'} {n:,} " if margin else ""
    return f"Single groups: {grade_of(margin, n)} ({reach}in 95% of draws)."


def readings(plan: Plan, *, details: bool = False) -> Iterator[str]:
    """What each count is worth, single groups and the total, and what helps; `details`: beside a
    likely count.
    """
    helped: list[Line] = []
    for count, _ in plan.each:
        lines = [line for line in plan.lines if line.count == count and line.largest]
        if not lines:
            continue
        noisy = [line for line in lines if line.too_noisy]
        if 2 * _groups(noisy) > _groups(lines):
            groups = _noisy(lines, noisy)
            helped += lines
        else:
            groups = _graded(lines)
        one = "the count" if plan.groups == 1 else "single groups"
        parts = [f"{one}: {groups}", *_total(plan, count)]
        if len(plan.each) > 1:
            yield f"{count}: {'; '.join(part.replace(': ', ' ', 1) for part in parts)}."
        else:
            yield from (f"{part[:1].upper()}{part[1:]}." for part in parts)
    if helped:
        yield f"What helps: {_help(plan, helped)}"
    if details:
        yield from _likely(plan)


def said_of_groups(plan: Plan) -> bool:
    """Whether `readings` say all that a table of groups would: one count by the usual noise, of
    groups of one size.
    """
    if len(plan.lines) != 1 or plan.levels:
        return False
    (line,) = plan.lines
    return line.name == "GM" and 0 < line.n == line.largest and not line.too_noisy


def said_of_total(plan: Plan, totals: Sequence[PlannedTotal]) -> bool:
    """Whether `readings` say all that a table of sums would: there is the grand total of one
    count alone.
    """
    shown = [total for total in totals if total.asked or not total.properties]
    return [total.by for total in shown] == ["total"] and any(
        "±" in said for said in _total(plan, shown[0].count)
    )


def _total(plan: Plan, count: str) -> Iterator[str]:
    """What the total of a count is worth; nothing where it is a level of its own, or there is no
    estimate.
    """
    released = any(not level.keys for level in plan.levels)
    for total in plan.totals:
        if (
            (total.count, total.by, total.asked) != (count, "total", True)
            or released
            or plan.groups == 1
        ):
            continue
        if total.standard_error is None:
            return
        what, say = (
            ("total of one answer", "give it") if total.answers > 1 else ("total", "say yes")
        )
        if total.width is None:
            yield f"{what}: too noisy (a 95% interval would hold everything that is possible)"
        elif total.width < 1:  # a count is whole, and the margin is half of the width
            yield f"{what}: exact (in 95% of draws)"
        elif total.standard_error <= _NEARLY_NONE:
            yield (
                f"{what}: exact (in 95% of draws; its interval will still reach "
                f"±{total.width / 2:.2g})"
            )
        else:
            yield f"{what}: {beside_counts(total.width / 2, total.people, say)}"
        return


def beside_counts(margin: float, people: int, say: str) -> str:
    """A word for a total beside each of two counts that it may be: half of the people, and few of
    them.

    >>> beside_counts(43.7, 480, "say yes")
    'usable if half say yes (±43.7 of 240), very rough if 1 in 8 do (±43.7 of 60)'
    >>> beside_counts(12.1, 80, "say yes")
    'rough if half say yes (±12.1 of 40), too noisy if 1 in 8 do'
    """
    often, seldom = grade_of(margin, people / 2), grade_of(margin, people / _ONE_IN)
    of_half, of_few = (
        f" (±{margin_number(margin)} of {round(people / part):,})" for part in (2, _ONE_IN)
    )
    if often == GRADES[-1]:
        return f"{often} even if half {say}{of_half}"
    also = "and" if often == seldom else seldom
    return (
        f"{often} if half {say}{of_half}, {also} if 1 in {_ONE_IN} "
        f"do{'' if seldom == GRADES[-1] else of_few}"
    )


def _likely(plan: Plan) -> Iterator[str]:
    """What the margin is beside a likely count: of the size that most groups have, where 1 in 8
    say yes. No data.
    """
    lines = [
        line
        for line in plan.lines
        if line.name != JOINT and not line.name.endswith(CELLS) and line.margin
    ]
    lines = [line for line in lines if line.count == lines[0].count and 2 * line.largest >= _ONE_IN]
    if not lines:
        return
    line = max(lines, key=lambda line: line.groups)
    likely = max(1, round(line.largest / _ONE_IN))
    than = (
        "more than"
        if line.margin > likely
        else "as much as"
        if line.margin == likely
        else "less than"
    )
    start = "If" if len(plan.each) == 1 else f"{line.count}: if"
    yield (
        f"{start} 1 in {_ONE_IN} say yes, about {likely} of a group of {line.largest} do: the "
        f"margin, ±{line.margin}, is {than} that."
    )


def _graded(lines: Sequence[Line]) -> str:
    """The word that at least half of the groups have, how far those may be off, and how many are
    worse.
    """
    groups = _groups(lines)
    kept = [
        0,
        *(
            _groups([line for line in lines if line.grade in GRADES[: k + 1]])
            for k in range(len(GRADES))
        ),
    ]
    most = next(k for k in range(len(GRADES)) if 2 * kept[k + 1] >= groups)
    usual = [line for line in lines if GRADES.index(line.grade) <= max(most, _ROUGH)]
    off = "misplaced: up to" if (worst := _furthest(usual)).name == JOINT else "off by up to"
    mostly = "mostly " if kept[most + 1] < groups else ""
    reach = f"{off} {worst.reach} " if worst.margin else ""
    said = f"{mostly}{GRADES[most]} ({reach}in 95% of draws)"
    of = f" of {groups:,}"
    for grade in GRADES[max(most, _ROUGH) + 1 :]:
        if some := [line for line in lines if line.grade == grade]:
            said, of = f"{said}, {grade} in {_groups(some):,}{of}", ""
    return said


def _furthest(lines: Sequence[Line]) -> Line:
    return max(lines, key=lambda line: (Fraction(line.margin, line.largest), line.largest))


def _groups(lines: Sequence[Line]) -> int:
    return sum(line.groups for line in lines)


def _noisy(lines: Sequence[Line], noisy: Sequence[Line]) -> str:
    """That most groups could be nearly anything."""
    some, groups = _groups(noisy), _groups(lines)
    whole = _groups([line for line in noisy if line.margin >= line.largest])
    where = "" if some == groups else f" in {some:,} of {groups:,}"
    if whole == some:
        return f"too noisy{where} (off by up to the whole group in 95% of draws)"
    all_of_it = f", in {whole:,} by all of it" if whole else ""
    return (
        f"too noisy{where} (off by up to three quarters of the group or more in 95% of "
        f"draws{all_of_it})"
    )


def _help(plan: Plan, lines: Sequence[Line]) -> str:
    """What would make groups less noisy, of what this plan has."""
    fewer = {
        "levels": len(plan.levels) > 1,
        "counts": len(plan.each) > 1,
        "answers": any(line.name == JOINT or line.name.endswith(CELLS) for line in lines),
    }
    words = ["larger groups", *(f"fewer {name}" for name, has in fewer.items() if has)]
    told = [said for count, _ in plan.each for said in _total(plan, count)]
    sums = (
        ""
        if told and all(f": {GRADES[-1]}" in said for said in told)
        else ", or to read sums of groups only"
    )
    return f"{', '.join(words)}{sums}.{_larger_epsilon(plan)}"


def _larger_epsilon(plan: Plan) -> str:
    """The epsilon that is enough, where theorems tell, and what it gives away: the last remedy,
    never a high one.
    """
    from discreet.reading.ahead.enough import AIM, MOST, by_theorem, least_epsilon

    if plan.epsilon >= MOST:
        return ""
    if not by_theorem(plan):
        return " A larger epsilon helps too, and gives away more."
    found = least_epsilon(plan)
    if found is None:
        return f" No epsilon up to {MOST} does."
    sure = f"{most_sure(read_alpha(epsilon=found).value)} sure in place of {most_sure(plan.alpha)}"
    return (
        f" If that cannot be: with epsilon {float(found):g} {AIM}, but that reader can become "
        f"{sure}."
    )


def margin_number(value: float) -> str:
    """A margin or a standard error, with the digits that it is worth; the same wherever a plan says
    it.

    >>> [margin_number(value) for value in (0.0033, 0.525, 9.81, 56.04, 1234.5)]
    ['0.0033', '0.53', '9.8', '56.0', '1,234']
    """
    if value < 1:
        return f"{value:.2g}"
    return f"{value:.1f}" if value < 100 else f"{value:,.0f}"
