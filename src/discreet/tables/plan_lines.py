"""The lines of a plan: group sizes in ranges, and what to expect of the mechanisms that answer
them.

A table of people may have thousands of different sizes, and what one buys changes ever more slowly
as n grows. So few sizes are listed one by one, and many in ranges that double: 1, 2, 3-4, 5-8,
9-16, and so on. Sizes answered by different mechanisms, or that deserve another of the `GRADES`,
are in different lines. What a line says of accuracy is that of its largest size.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, repeat
from typing import TYPE_CHECKING, Any

from discreet.choosing.contenders import label_of
from discreet.core.family import range_words

if TYPE_CHECKING:
    from discreet.core.family import BySize
    from discreet.core.mechanism import Mechanism

ONE_BY_ONE = 12
"""Different sizes up to which each has a line of its own."""


GRADES = ("exact", "good", "usable", "rough", "very rough", "too noisy")
"""What is said of a group's number by how far it may be off beside the group: the best first."""
_PARTS = {"good": 10, "usable": 4, "rough": 2}
"""By what part of the group a number may be off, at most, to be called so; one that is off by
half is not rough.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One count and a range of group sizes: their mechanism, and what to expect of it at the
    largest of them.
    """

    count: str
    n: int
    """The smallest size of the line."""
    largest: int
    sizes: int
    """How many different sizes there are from `n` to `largest` that this mechanism answers."""
    groups: int
    """How many groups have one of these sizes."""
    mechanism: str
    """The content id of the mechanism of the largest size."""
    name: str
    """What a reader calls it: GM, WM, EM, UM, or the properties it was designed for."""
    method: str
    properties: str
    truth: float
    """Chance of the true count, averaged over all true counts."""
    rmse: float
    """Root mean squared error, averaged likewise."""
    margin: int
    """The private count is at most this far from the true one with 95% confidence, whatever the
    true one is.
    """
    width: int
    """The width of that interval, cut to 0..n."""

    @property
    def too_noisy(self) -> bool:
        """Whether a single number is of no use by itself: its margin is three quarters of the
        group or more.
        """
        return self.grade == "too noisy"

    @property
    def very_rough(self) -> bool:
        """Whether a single number says little by itself: its margin is half of the group or
        more, and not too noisy.
        """
        return self.grade == "very rough"

    @property
    def grade(self) -> str:
        """How far a number may be off beside its group, in a word: one of `GRADES`."""
        return grade_of(self.margin, self.largest)

    @property
    def reach(self) -> str:
        """How far a number may be off beside the size of its group: "8 of 20", as plan and
        studio say it.
        """
        return (
            f"all {self.largest}"
            if self.margin >= self.largest
            else f"{self.margin} of {self.largest}"
        )


def plan_lines(count: str, groups: Mapping[int, int], mechanisms: BySize) -> list[Line]:
    """The lines of one count, whose groups of each size are drawn from the mechanism of that
    size.
    """
    ranges = [
        part
        for sizes in size_ranges(groups, _labels(mechanisms))
        for part in ([sizes] if len(sizes) == 1 else _graded(sizes, mechanisms[sizes[-1]]))
    ]
    found = _expected([mechanisms[sizes[-1]] for sizes in ranges])
    lines = []
    for sizes, facts in zip(ranges, found, strict=True):
        held = sum(groups[n] for n in sizes)
        lines.append(
            Line(count=count, n=sizes[0], largest=sizes[-1], sizes=len(sizes), groups=held, **facts)
        )
    return lines


def grade_of(margin: float, n: float) -> str:
    """What is said of a number that may be this far off in a group, or beside a count, of n.

    >>> [grade_of(3, n) for n in (4, 6, 11, 12, 30)]
    ['too noisy', 'very rough', 'rough', 'usable', 'good']
    """
    if n and 2 * margin >= n:
        return "too noisy" if 4 * margin >= 3 * n else "very rough"
    if not margin:
        return "exact"
    return next(name for name, part in _PARTS.items() if part * margin <= n)


def margin_of(mechanism: Mechanism) -> int:
    """How far a number of a mechanism may be off in 95% of draws, whatever is true; as
    `Line.margin`.
    """
    return int(_expected([mechanism])[0]["margin"])


def _graded(sizes: list[int], mechanism: Mechanism) -> list[list[int]]:
    """A range that the mechanism of its largest size stands for, in parts that deserve one grade
    each.

    What has no closed form is judged by the margin of its largest size, which smaller ones hardly
    fall below.
    """
    from discreet.reading.accuracy import expected
    from discreet.reading.methods.closed_chances import closed

    form = closed(mechanism.form)
    margins = (
        repeat(mechanism.accuracy().margin)
        if form is None
        else expected(type(form), mechanism.alpha, sizes).margin
    )
    grades = groupby(
        zip(sizes, margins, strict=False), key=lambda each: grade_of(int(each[1]), each[0])
    )
    return [[n for n, _ in part] for _, part in grades]


def _labels(mechanisms: BySize) -> dict[int, str]:
    """What tells sizes of different answers apart: a family is one, and mechanisms of one name
    are.
    """
    found = {n: label_of(mechanism) for n, mechanism in mechanisms.single.items()}
    for family in mechanisms.families:
        for low, high in family.sizes:
            inside = mechanisms.sizes[
                bisect_left(mechanisms.sizes, low) : bisect_right(mechanisms.sizes, high)
            ]
            found |= dict.fromkeys(inside, family.id)
    return found


def size_ranges(
    sizes: Sequence[int] | Mapping[int, int], label: Mapping[int, str], *, few: int = ONE_BY_ONE
) -> list[list[int]]:
    """Few sizes one by one; many in doubling ranges, those of one label together.

    >>> size_ranges([3, 8], {3: "GM", 8: "GM"})
    [[3], [8]]
    >>> [(found[0], found[-1]) for found in size_ranges(range(20), dict.fromkeys(range(20), "GM"))]
    [(0, 0), (1, 1), (2, 2), (3, 4), (5, 8), (9, 16), (17, 19)]
    """
    if len(sizes) <= few:
        return [[n] for n in sorted(sizes)]
    ranges: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for n in sorted(sizes):
        ranges[(n - 1).bit_length() if n else -1, label[n]].append(n)
    return list(ranges.values())  # in the order of their smallest sizes


def sizes_words(some: Sequence[int], all_sizes: Mapping[int, int]) -> str:
    """Some of a table's sizes in words, those that follow each other there as a range.

    >>> sizes_words([1, 3, 9], {1: 5, 3: 5, 8: 5, 9: 5})
    '1-3 9'
    """
    place = {n: k for k, n in enumerate(sorted(all_sizes))}
    runs: list[list[int]] = []
    for n in some:
        if runs and place[n] == place[runs[-1][-1]] + 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    return " ".join(range_words(run[0], run[-1]) for run in runs)


def _expected(mechanisms: Sequence[Mechanism]) -> list[dict[str, Any]]:
    """What to expect of each: closed forms of one kind all at once, without their matrices;
    others by theirs.
    """
    from discreet.reading.accuracy import expected
    from discreet.reading.methods.closed_chances import Closed, closed

    alike: defaultdict[tuple[type[Closed], Fraction], list[int]] = defaultdict(list)
    facts: list[dict[str, Any]] = []
    for place, mechanism in enumerate(mechanisms):
        facts.append(
            {
                "mechanism": mechanism.id,
                "name": label_of(mechanism),
                "method": mechanism.origin.method,
                "properties": str(mechanism.shape),
            }
        )
        if (form := closed(mechanism.form)) is not None:
            alike[type(form), mechanism.alpha].append(place)
            continue
        found = mechanism.accuracy()
        facts[place] |= {"truth": found.truth, "rmse": found.rmse, "margin": found.margin}
    for (kind, alpha), places in alike.items():
        several = expected(kind, alpha, [mechanisms[place].n for place in places])
        for k, place in enumerate(places):
            facts[place] |= {
                "truth": float(several.truth[k]),
                "rmse": float(several.rmse[k]),
                "margin": int(several.margin[k]),
            }
    for one, mechanism in zip(facts, mechanisms, strict=True):
        one["width"] = min(2 * one["margin"], mechanism.n)
    return facts
