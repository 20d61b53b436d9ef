"""What a plan buys, size by size: a block for each kind of number.

Of a count a row says how far that count is off; of a histogram drawn whole, how many people are
misplaced. The two are not to be compared, so they stand in blocks of their own, under names of
their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from discreet.show import html
from discreet.show.plans.verdict_text import CELLS, JOINT, SCALE, readings
from discreet.show.text import WIDTH, columns, fits, folded, table
from discreet.tables.plan_lines import grade_of, size_ranges

if TYPE_CHECKING:
    from discreet.tables.plan_lines import Line
    from discreet.tables.planning import Plan

_PLAN = ("count", "n", "groups", "right", "off by", "95% within", "mechanism")
_MEANING = (
    "right: how often the true count is released, off by: its typical error (RMSE), both on "
    "average over all true counts from 0 to n. 95% within: the error in 95% of draws, whatever is "
    "true."
)
_WHOLE_PLAN = ("question", "n", "groups", "all right", "misplaced", "95% at most", "mechanism")
_WHOLE = (
    "all right: how often every number is right, misplaced: people who typically stand under a "
    "wrong answer, both on average over all true histograms. 95% at most: no more of them in 95% "
    "of draws, whatever is true."
)
_WHOLE_BRIEFLY = "95% at most: people who stand under a wrong answer, in 95% of draws."
_RANGES = (
    "A row of several sizes has the numbers of its largest; its words are those of the "
    "smallest and the largest."
)
_RANGES_BRIEFLY = "A row of several sizes has the numbers of its largest."
_USUAL = "GM"
_NAMES = {
    "GM": "geometric noise, the usual noise",
    "WM": "the best weakly honest noise",
    "EM": "the best fair noise",
    "UM": "blind guessing",
    "joint": "all answers in one draw",
    "GM cells": "each answer by itself, by geometric noise: its counts need not add up to n",
}
"""What mechanisms are called in the last column, in a few words."""
_WORTH, _READING = "one group", 36
"""The last column, where there is room for it, and the most that it takes."""
_OF_DETAILS = slice(3, 5)
"""The columns of averages, which are shown with details only."""
_Block = tuple[str, tuple[str, ...], list[list[str]]]
"""A title, heads and rows."""
_FEW, _FEWER = 6, 2
"""Sizes of a count that are listed one by one, unless details are asked for; of each of several
counts, fewer.
"""


def bought_lines(plan: Plan, *, details: bool = True) -> list[str]:
    """What a plan buys as lines of text; without `details`, more than a few sizes in ranges."""
    bought = plan if details else folded_sizes(plan)
    blocks = _blocks(bought)
    longest = max((len(row[0]) for *_, rows in blocks for row in rows), default=0)
    lines: list[str] = []
    for block in blocks:
        shown = _shown(block, longest, details=details, worth=True)
        if not fits(shown):  # no room for what a number of one group is worth
            shown = _shown(block, longest, details=details, worth=False)
        lines += shown
    said = _meanings(bought) if details else _briefly(bought)
    notes = [line for words in said for line in folded(words, width=79, first="  ", later="  ")]
    return [*lines, "", *notes] if notes else lines


def _shown(block: _Block, longest: int, *, details: bool, worth: bool) -> list[str]:
    """A block as a table: with mechanisms where not all are the usual one, and with what one
    group is `worth`.
    """
    title, head, rows = block if details else _without_averages(block)
    named = details or any(name != _USUAL for *_, name, _ in rows)
    room = columns() - WIDTH
    room -= _READING if worth and room >= _READING else 0
    top = (*head[:-1], *([head[-1]] if named else []), *([_WORTH] if worth else []))
    cut = [
        (count, *numbers, *([_cut(name, 16)] if named else []), *([grades] if worth else []))
        for count, *numbers, name, grades in rows
    ]
    others = [
        max(6, *(len(row[place]) for row in (top, *cut)))
        for place in range(1, len(head) - 1 + named)
    ]
    # what others leave to the count
    widest = max(6, min(16 + room, longest, WIDTH + room - 3 - sum(others) - 2 * len(others)))
    layout = f"<{widest} >4" + " >6" * (len(head) - 3) + " <0" * (named + worth)
    table_rows = [top, *((_cut(row[0], widest), *row[1:]) for row in cut)]
    return ["", *([f"  {title}"] if title else []), *table(table_rows, layout, gap=2)]


def _without_averages(block: _Block) -> _Block:
    """A block with what is true of 95% of draws alone; neighbouring sizes of which that is the
    same are one row.
    """
    title, head, rows = block
    shown = [[*row] for row in (head, *rows)]
    for row in shown:
        del row[_OF_DETAILS]
    merged = []
    for (count, *said), alike in groupby(shown[1:], key=lambda row: (row[0], *row[3:])):
        some = list(alike)
        first, last = some[0][1].partition("-")[0], some[-1][1].rpartition("-")[2]
        groups = sum(int(row[2].replace(",", "")) for row in some)
        merged.append([count, first if first == last else f"{first}-{last}", f"{groups:,}", *said])
    return title, tuple(shown[0]), merged


def folded_sizes(plan: Plan) -> Plan:
    """Return the plan with more than a few sizes of a count and mechanism in ranges, as the
    studio shows them.
    """
    lines: list[Line] = []
    few = _FEW if len(plan.each) == 1 else _FEWER
    for _, alike in groupby(plan.lines, key=lambda line: (line.count, line.name)):
        by_size = {line.largest: line for line in alike}
        for sizes in size_ranges(
            list(by_size), {n: line.name for n, line in by_size.items()}, few=few
        ):
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
    return html.together(
        *parts, html.note(" ".join(_meanings(plan))), *map(html.note, readings(plan))
    )


def _meanings(plan: Plan) -> list[str]:
    """What the columns are, said once of each kind of block."""
    whole = [line.name == JOINT for line in plan.lines]
    said = [*([_WHOLE] if any(whole) else []), *([] if all(whole) else [_MEANING])]
    made = dict.fromkeys(line.name for line in plan.lines)
    names = [f"{name}: {_NAMES[name]}." for name in made if name in _NAMES]
    return [*said[:-1], " ".join([said[-1], *([_RANGES] if plan.in_ranges else []), *names]), SCALE]


def _briefly(plan: Plan) -> Iterator[str]:
    """What a reader could take for something else, in a line each, and what is not the usual
    noise.
    """
    made = dict.fromkeys(line.name for line in plan.lines if line.name != _USUAL)
    names = [f"{name}: {_NAMES[name]}." for name in made if name in _NAMES]
    if any(line.name == JOINT for line in plan.lines):
        yield _WHOLE_BRIEFLY
    if plan.in_ranges:
        yield _RANGES_BRIEFLY
    yield from names


def _blocks(plan: Plan) -> list[_Block]:
    """Title, heads and rows of each block: whole histograms, their counts one by one, plain
    counts.
    """
    kinds = {
        "Drawn as one histogram: people misplaced": [
            line for line in plan.lines if line.name == JOINT
        ],
        "Drawn answer by answer: the count of one answer": [
            x for x in plan.lines if x.name.endswith(CELLS)
        ],
    }
    kinds["Counts"] = [
        line for line in plan.lines if not any(line in lines for lines in kinds.values())
    ]
    found = [(title, lines) for title, lines in kinds.items() if lines]
    return [
        (
            title if len(found) > 1 or title != "Counts" else "",
            _WHOLE_PLAN if lines[0].name == JOINT else _PLAN,
            _rows(plan, lines),
        )
        for title, lines in found
    ]


def _rows(plan: Plan, lines: Sequence[Line]) -> list[list[str]]:
    """A row for each size or, if there are many, each range; neighbouring ranges that read the same
    are merged.

    Counts that are all alike have the same rows.
    """
    rows: list[list[str]] = []
    for said, alike in groupby(
        lines, key=lambda line: (*_said(line), 0 if plan.in_ranges else line.n)
    ):
        some = list(alike)
        first, last = some[0].n, some[-1].largest
        count, *numbers, name, _ = map(str, said)
        sizes = str(first) if first == last else f"{first}-{last}"
        rows.append(
            [count, sizes, f"{sum(line.groups for line in some):,}", *numbers, name, _worth(some)]
        )
    by_count = [[row[1:] for row in rows if row[0] == count] for count, _ in plan.each]
    if len(by_count) > 1 and all(each == by_count[0] for each in by_count):
        return [["each count", *row] for row in by_count[0]]
    return rows


def _worth(lines: Sequence[Line]) -> str:
    """What the numbers of single groups are worth: the grades from the smallest size to the
    largest.
    """
    grades = dict.fromkeys((grade_of(lines[0].margin, lines[0].n), lines[-1].grade))
    return " to ".join(grades)


def _said(line: Line) -> tuple[str, ...]:
    margin = str(line.margin) if line.name == JOINT else f"±{line.margin}"
    return line.count, _percent(line.truth), f"{line.rmse:.2f}", margin, line.name


def _percent(chance: float) -> str:
    return ">99.9%" if 0.999 < chance < 1 else f"{chance:.1%}"


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 3]}..."
