"""What is shown of a plan: each question's lines, what they are worth, and the line that releases the table itself."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING

from discreet.studio.designs import valid
from discreet.studio.own.asked_questions import GROUP, PERSON, REGION, Asked
from discreet.studio.own.plan_words import commonest
from discreet.studio.own.table_pictures import histogram
from discreet.studio.own.verdict import judge_lines
from discreet.studio.own.wanted_table import Pairs, Wanted, read_table, readable

if TYPE_CHECKING:
    from discreet.studio.settings import Reading
    from discreet.tables.plan_lines import Line
    from discreet.tables.plan_totals import PlannedTotal
    from discreet.tables.planning import Plan

TABLE, LEDGER, DATASET = "people.csv", "budget.db", "people"
"""What the files and the budget are called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What a plan says of one question."""

    asked: Asked
    epsilon: Fraction
    """What one of its draws costs."""
    lines: tuple[Line, ...]
    commonest: Line
    totals: tuple[PlannedTotal, ...]
    """The sums of the shape asked for."""
    verdict: str
    """What is said of numbers that may be anything; empty where none may be."""
    without: dict[int, float]
    """Where there are regions: the usual error of each size without them."""
    picture: str = ""
    about: str = ""
    """What one group's answers become, where there are several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTable:
    """A plan, what it says of each question, and the lines to copy."""

    plan: Plan
    epsilon: Fraction
    """What the whole release costs."""
    parts: tuple[Part, ...]
    later: tuple[Asked, ...] = ()
    """Questions whose plan is still to be made."""
    people: int
    opening: str
    """The line that gives the table a budget, once."""
    line: str
    """The line that releases the table and books what that costs."""
    columns: tuple[str, ...]
    """The columns that the lines speak of."""

    @property
    def noisy(self) -> tuple[Part, ...]:
        """The questions of which some numbers may be anything."""
        return tuple(part for part in self.parts if part.verdict)


def plan_table(reading: Reading) -> OwnTable:
    """Plan a table of the sizes, regions and questions of a setting."""
    return _shown(reading, readable(read_table(reading)))


def plan_counts(reading: Reading) -> OwnTable | None:
    """Plan its questions of yes or no alone, at their part of epsilon: no design takes long. None if there are none."""
    wanted, (_, privacy, _) = read_table(reading), valid(reading)
    counts = tuple(asked for asked in wanted.questions if not asked.several)
    if not counts or len(counts) == len(wanted.questions):
        return None
    part = privacy.epsilon * Fraction(len(counts), len(wanted.questions))
    found = _shown(reading, replace(wanted, questions=counts, price=(("epsilon", part),)))
    return replace(found, later=tuple(asked for asked in wanted.questions if asked.several))


def _shown(reading: Reading, wanted: Wanted) -> OwnTable:
    found = wanted.plan()
    plain = replace(wanted, regions=1, split=()).plan() if wanted.regions > 1 else None
    return OwnTable(
        plan=found,
        epsilon=valid(reading)[1].epsilon,
        parts=tuple(_part(found, plain, asked, wanted.wished) for asked in wanted.questions),
        people=wanted.people,
        opening=shell_line(["discreet", "ledger", "open", LEDGER, DATASET, "--budget", _budget(reading)]),
        line=_line(reading, wanted),
        columns=(PERSON, *([REGION] if wanted.regions > 1 else []), GROUP, *(one.name for one in wanted.questions)),
    )


def _part(found: Plan, plain: Plan | None, asked: Asked, wished: Pairs) -> Part:
    """What a plan says of one question; `plain` is the plan without regions, where there are some."""
    lines, others = (
        tuple(line for line in (one.lines if one else ()) if line.count == asked.name) for one in (found, plain)
    )
    common, each = commonest(lines), dict(found.each)[asked.name]
    picture, about = _pictured(common.largest, asked, each, common.name, wished) if asked.several else ("", "")
    return Part(
        asked=asked,
        epsilon=each,
        lines=lines,
        commonest=common,
        totals=tuple(total for total in found.totals if total.asked and total.count == asked.name),
        verdict=judge_lines(lines),
        without={line.largest: line.rmse for line in others},
        picture=picture,
        about=about,
    )


@lru_cache(maxsize=16)
def _pictured(n: int, asked: Asked, epsilon: Fraction, drawn_by: str, wished: Pairs) -> tuple[str, str]:
    return histogram(n, asked.answers, epsilon, drawn_by, dict(wished))


def _line(reading: Reading, wanted: Wanted) -> str:
    """Return the command that releases the table itself."""
    s = reading.setting
    words = ["discreet", "release", TABLE]
    words += ["--by", REGION, "--by", GROUP, "--levels", "rollup"] if wanted.regions > 1 else ["--by", GROUP]
    for level, part in wanted.split:
        words += ["--level-split", f"{level}={part}"]
    for asked in wanted.questions:
        words += asked.options(s.yes)
    words += ["--unit", PERSON, f"--{s.unit}", s.privacy, *(["--properties", wanted.shape] if wanted.shape else [])]
    return shell_line([*words, "--ledger", LEDGER, "--dataset", DATASET, "--output", "published"])


def shell_line(words: Sequence[str]) -> str:
    """Write words for a shell; around single quotes, which SQL uses, with double ones.

    >>> print(shell_line(["--count-as", "smoker", "smoker = 'yes'", "--by", "a clinic"]))
    --count-as smoker "smoker = 'yes'" --by 'a clinic'
    """
    return " ".join(
        f'"{word}"' if "'" in word and not set(word) & set('"$`\\!') else shlex.quote(word) for word in words
    )


def _budget(reading: Reading) -> str:
    """What this one release costs, as one would type it: epsilon, or the next hundredth above it."""
    s, (_, privacy, _) = reading.setting, valid(reading)
    return s.privacy if s.unit == "epsilon" else f"{ceil(100 * privacy.epsilon) / 100:g}"
