"""What a plan buys, size by size: a block for each kind of number, and a verdict where most groups will say little.

Of a count a row says how far that count is off; of a histogram drawn whole, how many people are misplaced. The two are
not to be compared, so they stand in blocks of their own, under names of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING

from discreet.core.family import range_words
from discreet.core.rationals import in_decimals
from discreet.show import html
from discreet.show.text import WIDTH, columns, folded, table
from discreet.tables.plan_lines import GRADES, grade_of, size_ranges

if TYPE_CHECKING:
    from discreet.tables.plan_lines import Line
    from discreet.tables.planning import Plan

_PLAN = ("count", "n", "groups", "right", "off by", "95% within", "mechanism")
_MEANING = (
    "right: how often the true count is released, off by: its typical error (RMSE), both on average over all true "
    "counts from 0 to n. 95% within: the error in 95% of draws, whatever is true."
)
_BRIEFLY = "right, off by: on average over all true counts. 95% within: whatever is true."
_WHOLE_PLAN = ("question", "n", "groups", "all right", "misplaced", "95% at most", "mechanism")
_WHOLE = (
    "all right: how often every number is right, misplaced: people who typically stand under a wrong answer, "
    "both on average over all true histograms. 95% at most: no more of them in 95% of draws, whatever is true."
)
_WHOLE_BRIEFLY = "all right, misplaced: on average over all true histograms. 95% at most: whatever is true."
_RANGES = "A range of sizes has the accuracy of its largest."
_JOINT, CELLS, _USUAL = "joint", " cells", "GM"
_HALF = GRADES.index("within half of it")
_NAMES = {
    "GM": "geometric noise, the usual method",
    "WM": "the best weakly honest noise",
    "EM": "the best fair noise",
    "UM": "blind guessing",
    "joint": "all answers in one draw",
    "GM cells": "each answer by itself, by geometric noise: its counts need not add up to n",
}
"""What mechanisms are called in the last column, in a few words."""
_WORTH, _READING = "one group", 36
"""The last column of a wide terminal, and the room that it takes."""
_ONE_IN = 8
"""Of how many people one is taken to say yes, where a margin is set beside a count."""
_FEW, _FEWER = 6, 2
"""Sizes of a count that are listed one by one, unless details are asked for; of each of several counts, fewer."""


def bought_lines(plan: Plan, *, details: bool = True) -> list[str]:
    """What a plan buys as lines of text; without `details`, more than a few sizes in ranges."""
    lines: list[str] = []
    bought = plan if details else folded_sizes(plan)
    blocks = _blocks(bought)
    longest = max((len(row[0]) for *_, rows in blocks for row in rows), default=0)
    wide = columns() >= WIDTH + _READING  # a wider terminal has room for what a number of one group is worth
    named = details or any(line.name != _USUAL for line in plan.lines)
    room = columns() - WIDTH - (_READING if wide else 0)
    for title, head, rows in blocks:
        sizes, names = (max(len(row[place]) for row in rows) for place in (1, -2))
        # what others leave to the count
        widest = max(6, min(16 + room, longest, 38 + room - max(5, sizes) - max(9, min(16, names))))
        cut = [
            (
                _cut(count, widest),
                *numbers,
                *([f" {_cut(name, 16)}"] if named else []),
                *([f"  {worth}"] if wide else []),
            )
            for count, *numbers, name, worth in rows
        ]
        lines += ["", *([f"  {title}"] if title else [])]
        top = (*head[:-1], *([f" {head[-1]}"] if named else []), *([f"  {_WORTH}"] if wide else []))
        lines += table([top, *cut], f"<{widest} >5 >9 >7 >7 >10" + " <0" * (named + wide))
    for words in _meanings(bought) if details else _briefly(bought):
        lines += folded(words, width=79, first="  ", later="  ")
    return lines


def folded_sizes(plan: Plan) -> Plan:
    """Return the plan with more than a few sizes of a count and mechanism in ranges, as the studio shows them."""
    lines: list[Line] = []
    few = _FEW if len(plan.each) == 1 else _FEWER
    for _, alike in groupby(plan.lines, key=lambda line: (line.count, line.name)):
        by_size = {line.largest: line for line in alike}
        for sizes in size_ranges(list(by_size), {n: line.name for n, line in by_size.items()}, few=few):
            some = [by_size[n] for n in sizes]
            groups, many = sum(line.groups for line in some), sum(line.sizes for line in some)
            lines.append(replace(some[-1], n=some[0].n, sizes=many, groups=groups))
    return replace(plan, lines=tuple(lines))


def bought_html(plan: Plan) -> html.Html:
    """What a plan buys as tables, and what their numbers mean."""
    blocks = _blocks(plan)
    parts = [
        html.table((*head, _WORTH), rows, caption=title, words={0, len(head) - 1, len(head)})
        for title, head, rows in blocks
    ]
    return html.together(*parts, html.note(" ".join(_meanings(plan))), *map(html.note, verdicts(plan)))


def _meanings(plan: Plan) -> list[str]:
    """What the columns are, said once of each kind of block."""
    whole = [line.name == _JOINT for line in plan.lines]
    said = [*([_WHOLE] if any(whole) else []), *([] if all(whole) else [_MEANING])]
    made = dict.fromkeys(line.name for line in plan.lines)
    names = [f"{name}: {_NAMES[name]}." for name in made if name in _NAMES]
    return [*said[:-1], " ".join([said[-1], *([_RANGES] if plan.in_ranges else []), *names])]


def _briefly(plan: Plan) -> Iterator[str]:
    """What the columns are, in a line for each kind of block, and what is not the usual method."""
    whole = {line.name == _JOINT for line in plan.lines}
    made = dict.fromkeys(line.name for line in plan.lines if line.name != _USUAL)
    names = [f"{name}: {_NAMES[name]}." for name in made if name in _NAMES]
    ranges = [_RANGES] if plan.in_ranges else []
    yield from [*([_WHOLE_BRIEFLY] if True in whole else []), *([_BRIEFLY] if False in whole else [])]
    if ranges or names:
        yield " ".join([*ranges, *names])


def readings(plan: Plan) -> Iterator[str]:
    """A sentence for each count: how far off its groups are, or that they are too noisy, and what helps."""
    noisy = dict(_noisy(plan))
    for count, _ in plan.each:
        lines = [line for line in plan.lines if line.count == count and line.largest]
        if count in noisy:
            yield noisy[count]
        elif lines:
            yield f"{count}: {_graded(lines)}."
    yield from _likely(plan)


def _likely(plan: Plan) -> Iterator[str]:
    """What the margin is beside a likely count: of the size that most groups have, where 1 in 8 say yes. No data."""
    lines = [line for line in plan.lines if line.name != _JOINT and not line.name.endswith(CELLS) and line.margin]
    lines = [line for line in lines if line.count == lines[0].count and 2 * line.largest >= _ONE_IN]
    if not lines:
        return
    line = max(lines, key=lambda line: line.groups)
    likely = max(1, round(line.largest / _ONE_IN))
    than = "more than" if line.margin > likely else "as much as" if line.margin == likely else "less than"
    start = "If" if len(plan.each) == 1 else f"{line.count}: if"
    group = f"a group of {line.largest} has about {likely}"
    yield f"{start} 1 in {_ONE_IN} say yes, {group}: ±{line.margin} is {than} that."


def _graded(lines: Sequence[Line]) -> str:
    """How far off single groups are beside their sizes: the grade that at least half of them have, and the worst."""
    groups = _groups(lines)
    kept = [0, *(_groups([line for line in lines if line.grade in GRADES[: k + 1]]) for k in range(len(GRADES)))]
    most = next(k for k in range(len(GRADES)) if 2 * kept[k + 1] >= groups)
    usual = [line for line in lines if GRADES.index(line.grade) <= max(most, _HALF)]
    worst = max(usual, key=lambda line: (Fraction(line.margin, line.largest), line.largest))
    sizes = range_words(min(line.n for line in lines), max(line.largest for line in lines))
    off = "off by up to" if worst.name != _JOINT else "misplaced: up to"
    off = f"{off} {worst.reach} in 95% of draws" if worst.margin else "in 95% of draws"
    mostly = "mostly " if kept[most + 1] < groups else ""
    said = f"{mostly}{GRADES[most].replace(' it', ' the group')}, {off} (groups of {sizes})"
    for grade in GRADES[max(most, _HALF) + 1 :]:
        if some := [line for line in lines if line.grade == grade]:
            furthest = max(some, key=lambda line: (Fraction(line.margin, line.largest), line.largest))
            better = [x.n for x in lines if GRADES.index(x.grade) < GRADES.index(grade)]
            # a margin is a whole number, so of two sizes the larger one may be off by the larger part
            jumps = any(n < line.n for n in better for line in some)
            which = "" if not better else ", as margins are whole" if jumps else ", the smaller ones"
            said += f"; {grade} in {_groups(some):,} of {groups:,} groups{which} (up to {furthest.reach})"
    return said


def _groups(lines: Sequence[Line]) -> int:
    return sum(line.groups for line in lines)


def verdicts(plan: Plan) -> Iterator[str]:
    """Say so where most groups of a count could be nearly anything, and what helps."""
    yield from dict(_noisy(plan)).values()


def _noisy(plan: Plan) -> Iterator[tuple[str, str]]:
    """The counts of which most groups could be nearly anything, and what helps."""
    for count, _ in plan.each:
        lines = [line for line in plan.lines if line.count == count and line.largest]
        groups = sum(line.groups for line in lines)
        noisy = sum(line.groups for line in lines if line.too_noisy)
        if not lines or 2 * noisy <= groups:
            continue
        whole = sum(line.groups for line in lines if line.margin >= line.largest)
        all_of_it = f" (in {whole:,}, all of it)" if whole else ""
        which = f"{count}: too" if len(plan.each) > 1 else "Too"
        yield (
            count,
            f"{which} noisy to read group by group: in {noisy:,} of {groups:,} groups the 95% margin is three quarters "
            f"of the group or more{all_of_it}. What helps: {_help(plan, lines)}.",
        )


def _help(plan: Plan, lines: Sequence[Line]) -> str:
    """What would make groups less noisy, of what this plan has."""
    fewer = {
        "levels": len(plan.levels) > 1,
        "counts": len(plan.each) > 1,
        "answers": any(line.name == _JOINT or line.name.endswith(CELLS) for line in lines),
    }
    epsilon, none = _larger_epsilon(plan)
    words = [*epsilon, *(f"fewer {name}" for name, has in fewer.items() if has), "larger groups"]
    return f"{', '.join(words)}{none}; or read sums of groups only"


def _larger_epsilon(plan: Plan) -> tuple[list[str], str]:
    """The epsilon by which every number is off by at most half of its group, where theorems tell; or none."""
    from discreet.reading.ahead.enough import AIM, MOST, by_theorem, least_epsilon

    if not by_theorem(plan):
        return ["a larger epsilon"], ""
    found = least_epsilon(plan)
    if found is None:
        return [], f" (an epsilon up to {MOST} does not)"
    return [f"a larger epsilon (with {float(found):g} in place of {in_decimals(plan.epsilon)} {AIM})"], ""


def _blocks(plan: Plan) -> list[tuple[str, tuple[str, ...], list[list[str]]]]:
    """Title, heads and rows of each block: whole histograms, their counts one by one, plain counts."""
    kinds = {
        "Drawn as one histogram: people misplaced": [line for line in plan.lines if line.name == _JOINT],
        "Drawn answer by answer: the count of one answer": [x for x in plan.lines if x.name.endswith(CELLS)],
    }
    kinds["Counts"] = [line for line in plan.lines if not any(line in lines for lines in kinds.values())]
    found = [(title, lines) for title, lines in kinds.items() if lines]
    return [
        (
            title if len(found) > 1 or title != "Counts" else "",
            _WHOLE_PLAN if lines[0].name == _JOINT else _PLAN,
            _rows(plan, lines),
        )
        for title, lines in found
    ]


def _rows(plan: Plan, lines: Sequence[Line]) -> list[list[str]]:
    """A row for each size or, if there are many, each range; neighbouring ranges that read the same are merged.

    Counts that are all alike have the same rows.
    """
    rows: list[list[str]] = []
    for said, alike in groupby(lines, key=lambda line: (*_said(line), 0 if plan.in_ranges else line.n)):
        some = list(alike)
        first, last = some[0].n, some[-1].largest
        count, *numbers, name, _ = map(str, said)
        sizes = str(first) if first == last else f"{first}-{last}"
        rows.append([count, sizes, f"{sum(line.groups for line in some):,}", *numbers, name, _worth(some)])
    by_count = [[row[1:] for row in rows if row[0] == count] for count, _ in plan.each]
    if len(by_count) > 1 and all(each == by_count[0] for each in by_count):
        return [["each count", *row] for row in by_count[0]]
    return rows


def _worth(lines: Sequence[Line]) -> str:
    """What the numbers of single groups are worth: the grades from the smallest size to the largest."""
    grades = dict.fromkeys((grade_of(lines[0].margin, lines[0].n), lines[-1].grade))
    return " to ".join(grades)


def _said(line: Line) -> tuple[str, ...]:
    margin = str(line.margin) if line.name == _JOINT else f"±{line.margin}"
    return line.count, _percent(line.truth), f"{line.rmse:.2f}", margin, line.name


def _percent(chance: float) -> str:
    return ">99.9%" if 0.999 < chance < 1 else f"{chance:.1%}"


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 3]}..."
