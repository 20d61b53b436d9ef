"""A plan in everyday words: what the published numbers of a table will be worth, and what its
lines are about.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from discreet.core.named import NAMED
from discreet.show.plans.verdict_text import beside_counts, margin_number
from discreet.studio.own.coarser_levels import each_of
from discreet.studio.worth import margin_words

if TYPE_CHECKING:
    from discreet.tables.plan_levels import PlannedLevel
    from discreet.tables.plan_lines import Line
    from discreet.tables.plan_totals import PlannedTotal

JOINT, CELLS = "joint", " cells"
"""How a plan names what draws a group's answers: all at once, or one by one."""

_FEW = 6
"""Sizes up to which each has a row of its own: a page is read at a glance, and has fewer rows
than a terminal.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Lines of one kind of number, what it is, and what chance, usual error and margin are
    called for it.
    """

    about: str
    heads: tuple[str, str, str]
    lines: tuple[Line, ...]

    @property
    def in_ranges(self) -> bool:
        """Whether some line stands for several sizes."""
        return any(line.sizes > 1 for line in self.lines)


def commonest(lines: Sequence[Line]) -> Line:
    """The line of the commonest group size, the smaller of two that are as common."""
    return max(lines, key=lambda line: (line.groups, -line.largest))


def people(line: Line) -> str:
    """The sizes of a line: "8", or "8 to 11"."""
    return str(line.n) if line.n == line.largest else f"{line.n} to {line.largest}"


def gist(lines: Sequence[Line]) -> str:
    """Say what to expect of the commonest group size, and in which of a plan's words that ends."""
    line = commonest(lines)
    who = "Your group" if sum(one.groups for one in lines) == 1 else f"A group of {people(line)}"
    off = _off(line)
    if almost_never_off(line):
        what = "is published with almost nobody counted under a wrong answer"
        number = "each of its numbers is" if line.name.endswith(CELLS) else "its number is"
        return f"{who} {what}." if line.name == JOINT else f"{who}: {number} almost never off."
    if line.name == JOINT:
        sure = (
            "it may be all of them"
            if _anything(line)
            else f"with 95% confidence it is at most {line.margin}"
        )
        return (
            f"{who} is published with about {off} counted under a wrong answer; {sure}. "
            f"That is {grade_words(line)}."
        )
    number = "each of its numbers" if line.name.endswith(CELLS) else "its number"
    sure = (
        "it may be anything" if _anything(line) else f"with 95% confidence by at most {line.margin}"
    )
    return (
        f"{who}: {number} is usually off by about {off}, and {sure}. That is {grade_words(line)}."
    )


def total_words(total: PlannedTotal) -> str:
    """What a total is worth beside two counts that it may be, as a plan in a terminal says it;
    needs a margin.
    """
    assert total.width is not None
    if total.width < 1:  # a count is whole, and the margin is half of the width
        return "nearly exact"
    return beside_counts(
        total.width / 2, total.people, "give it" if total.answers > 1 else "say yes"
    )


def grade_words(line: Line) -> str:
    """The grade of a plan; nothing that is drawn by chance is called exact on this page."""
    return "nearly exact" if line.grade == "exact" else line.grade


def of_the_smallest(lines: Sequence[Line]) -> str:
    """Say the same of the smallest group size, where an error weighs most; nothing where that is
    the commonest.
    """
    smallest = min(lines, key=lambda line: line.n)
    usual = commonest(lines)
    if (
        smallest is usual
        or almost_never_off(smallest)
        or (_off(smallest), smallest.margin) == (_off(usual), usual.margin)
    ):
        return ""
    most = "" if _anything(smallest) else f", and at most {smallest.margin}"
    return f"In the smallest it is {_off(smallest)}{most}."


def almost_never_off(line: Line) -> bool:
    """Whether the usual error would be written as none.

    >>> from types import SimpleNamespace as Named
    >>> [almost_never_off(Named(rmse=rmse)) for rmse in (0.04, 0.06)]
    [True, False]
    """
    return line.rmse < 0.05


def likely_count(lines: Sequence[Line]) -> str:
    """Say what the margin is beside a count that is likely, which is much smaller than its group;
    of no data.

    >>> from types import SimpleNamespace as Named
    >>> print(likely_count([Named(name="GM", n=17, largest=17, margin=3, groups=9)]))
    Few are hard to tell from none: if about 1 in 8 say yes, a group of 17 has 2, and ±3 is more
    than that.
    >>> print(likely_count([Named(name="GM cells", n=400, largest=400, margin=6, groups=9)]))
    If about 1 in 8 give an answer, a group of 400 has 50: ±6 is 12% of that.
    """
    line = commonest(lines)
    n, margin = line.largest, line.margin
    if not margin or _anything(line):  # which the page says anyway
        return ""
    some = (n + 4) // 8 or 1
    give, gives = (
        ("give an answer", "gives an answer") if _answers(line) else ("say yes", "says yes")
    )
    off = f"{margin} misplaced" if line.name == JOINT else f"±{margin}"
    if margin < some:  # of one there is no less
        return (
            f"If about 1 in 8 {give}, a group of {n} has {some}: {off} is "
            f"{_percent(margin / some)} of that."
        )
    start = (
        f"if about 1 in 8 {give}, a group of {n} has {some}, and"
        if n >= 8
        else f"if one of {n} {gives},"
    )
    much = "more than" if margin > some else "as much as"
    return f"Few are hard to tell from none: {start} {off} is {much} that."


def _answers(line: Line) -> bool:
    """Whether a line is of a question with several answers."""
    return line.name == JOINT or line.name.endswith(CELLS)


def margin_of(line: Line) -> str:
    """The 95% margin of a line; one that is the whole group is called so.

    >>> from types import SimpleNamespace as Named
    >>> [margin_of(Named(name="GM", margin=m, largest=8)) for m in (3, 8)]
    ['±3', '8 of 8']
    """
    return margin_words(line.margin, line.largest).removeprefix("±" if line.name == JOINT else "")


def _anything(line: Line) -> bool:
    """Whether a margin is the whole group, and says nothing."""
    return 0 < line.largest <= line.margin


def _off(line: Line) -> str:
    """The usual error of a line, of how many: as it is written, it is what it is a part of."""
    return f"{f'{line.rmse:.1f}'.removesuffix('.0')} of {line.largest:,}"


def _percent(part: float) -> str:
    """A part in whole percents; one that would be none of them is still some.

    >>> _percent(0.145), _percent(0.003)
    ('14%', 'under 1%')
    """
    return f"{part:.0%}" if part >= 0.01 else "under 1%"


def drawn_by(line: Line) -> str:
    """Name what draws the numbers of a line, its code second.

    >>> from types import SimpleNamespace as Named
    >>> [drawn_by(Named(name=name)) for name in ("GM", "GM cells", "joint", "CM")]
    ['geometric mechanism (GM)', 'geometric mechanism (GM), each answer by itself', 'all answers in
    one draw', 'CM']
    """
    if line.name == JOINT:
        return "all answers in one draw"
    name = line.name.removesuffix(CELLS)
    full = f"{NAMED[name].full} ({name})" if name in NAMED else name
    return f"{full}, each answer by itself" if line.name.endswith(CELLS) else full


def blocks(lines: Sequence[Line]) -> list[Block]:
    """Set apart what errors are not to be compared: all numbers of a group in one draw, and one
    number by itself.
    """
    joint, others = (
        [line for line in lines if (line.name == JOINT) is whole] for whole in (True, False)
    )
    found = []
    if joint:
        about = (
            "All numbers of a group in one draw, so that they add up to the group. Errors count "
            "people who stand under a wrong answer."
        )
        heads = ("all numbers right", "usually misplaced", "at most misplaced (95%)")
        found.append(Block(about=about, heads=heads, lines=_folded(joint)))
    if others:
        about = (
            "Each number drawn by itself, at half of the question's epsilon, because whoever "
            "changes an answer moves two numbers. A group's numbers need not add up to its size."
            if others[0].name.endswith(CELLS)
            else ""
        )
        heads = ("chance of the truth", "usual error", "95% margin")
        found.append(Block(about=about, heads=heads, lines=_folded(others)))
    return found


def _folded(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Many sizes in the ranges of a plan in a terminal; a range has the numbers of its largest
    size.

    The sizes that the page speaks of in a sentence, the commonest and the smallest, have rows of
    their own, so that what is said stands in the table.
    """
    from discreet.tables.plan_lines import size_ranges

    by_size = {line.largest: line for line in lines}
    spoken = sorted({min(by_size), commonest(lines).largest})
    labels = {
        n: f"{line.name} {bisect_left(spoken, n)} {n in spoken}" for n, line in by_size.items()
    }
    found = size_ranges(list(by_size), labels, few=_FEW)
    return tuple(_joined([by_size[n] for n in sizes]) for sizes in found)


def _joined(lines: Sequence[Line]) -> Line:
    sizes, groups = sum(line.sizes for line in lines), sum(line.groups for line in lines)
    return replace(lines[-1], n=min(line.n for line in lines), sizes=sizes, groups=groups)


def level_words(level: PlannedLevel) -> str:
    """Name a level by what its numbers are about."""
    return each_of(level.keys[-1]) if level.keys else "the total of all"


SAID_OF_LINES: tuple[Callable[..., Any], ...] = (
    blocks,
    drawn_by,
    gist,
    level_words,
    likely_count,
    margin_number,
    margin_of,
    of_the_smallest,
    total_words,
)
"""What the template of a plan calls of these, by their names."""
