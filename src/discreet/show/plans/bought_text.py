"""What a plan buys, size by size: a block for each kind of number, and a verdict where most groups will say little.

Of a count a row says how far that count is off; of a histogram drawn whole, how many people are misplaced. The two are
not to be compared, so they stand in blocks of their own, under names of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from discreet.core.rationals import shown
from discreet.show import html
from discreet.show.text import folded, table

if TYPE_CHECKING:
    from discreet.tables.plan_lines import Line
    from discreet.tables.planning import Plan

_PLAN = ("count", "n", "groups", "truth", "RMSE", "95% within", "mechanism")
_MEANING = (
    "truth: the chance that the true count is released. RMSE: how far off it typically is. 95% within: at most so far "
    "off in 95% of draws, whatever is true."
)
_WHOLE_PLAN = ("question", "n", "groups", "all right", "misplaced", "95% at most", "mechanism")
_WHOLE = (
    "all right: the chance that every number of the group is right. misplaced: how many people typically stand under a "
    "wrong answer. 95% at most: no more of them in 95% of draws, whatever is true."
)
_RANGES = "A range of sizes has the accuracy of its largest."
_JOINT, CELLS = "joint", " cells"


def bought_lines(plan: Plan) -> list[str]:
    """What a plan buys as lines of text."""
    lines: list[str] = []
    blocks = _blocks(plan)
    longest = max((len(row[0]) for *_, rows in blocks for row in rows), default=0)
    for title, head, rows in blocks:
        sizes, names = (max(len(row[place]) for row in rows) for place in (1, -1))
        widest = max(6, min(16, longest, 38 - max(5, sizes) - max(9, min(16, names))))  # what others leave to the count
        cut = [(_cut(count, widest), *numbers, f" {_cut(name, 16)}") for count, *numbers, name in rows]
        lines += ["", *([f"  {title}"] if title else [])]
        lines += table([(*head[:-1], f" {head[-1]}"), *cut], f"<{widest} >5 >9 >7 >7 >10 <0")
    for words in _meanings(plan):
        lines += folded(words, width=79, first="  ", later="  ")
    for words in verdicts(plan):
        lines += ["", *folded(words, width=79, first="  ", later="  ")]
    return lines


def bought_html(plan: Plan) -> html.Html:
    """What a plan buys as tables, and what their numbers mean."""
    blocks = _blocks(plan)
    parts = [html.table(head, rows, caption=title, words={0, len(head) - 1}) for title, head, rows in blocks]
    return html.together(*parts, html.note(" ".join(_meanings(plan))), *map(html.note, verdicts(plan)))


def _meanings(plan: Plan) -> list[str]:
    """What the columns are, said once of each kind of block."""
    whole = [line.name == _JOINT for line in plan.lines]
    said = [*([_WHOLE] if any(whole) else []), *([] if all(whole) else [_MEANING])]
    return [*said[:-1], " ".join([said[-1], *([_RANGES] if plan.in_ranges else [])])]


def verdicts(plan: Plan) -> Iterator[str]:
    """Say so where most groups of a count could be nearly anything, and what helps."""
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
            f"{which} noisy to read group by group: in {noisy:,} of {groups:,} groups the 95% margin is three quarters "
            f"of the group or more{all_of_it}. What helps: {_help(plan, lines)}."
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
    return [f"a larger epsilon (with {float(found):g} in place of {shown(plan.epsilon)} {AIM})"], ""


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
        rows.append([count, sizes, f"{sum(line.groups for line in some):,}", *numbers, name])
    by_count = [[row[1:] for row in rows if row[0] == count] for count, _ in plan.each]
    if len(by_count) > 1 and all(each == by_count[0] for each in by_count):
        return [["each count", *row] for row in by_count[0]]
    return rows


def _said(line: Line) -> tuple[str, ...]:
    margin = str(line.margin) if line.name == _JOINT else f"±{line.margin}"
    return line.count, f"{line.truth:.3f}", f"{line.rmse:.2f}", margin, line.name


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 3]}..."
