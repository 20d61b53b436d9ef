"""What is shown of a plan: each question's lines, what they are worth, and the line that
releases the table itself.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING

from discreet.core.properties import read_shape
from discreet.errors import DiscreetError
from discreet.odds import most_sure, protects_little
from discreet.studio.own.asked_questions import PERSON, Asked, empty_options
from discreet.studio.own.coarser_levels import Levels
from discreet.studio.own.plan_words import commonest
from discreet.studio.own.table_pictures import histogram
from discreet.studio.own.verdict import allowed, judge_lines
from discreet.studio.own.wanted_table import Pairs, Wanted, read_table, readable
from discreet.tables.plan_lines import GRADES, grade_of

if TYPE_CHECKING:
    from discreet.studio.own.pasted_rows import Rows
    from discreet.studio.settings import Reading
    from discreet.tables.plan_lines import Line
    from discreet.tables.plan_totals import PlannedTotal
    from discreet.tables.planning import Plan

LIKELIEST = "CH"
"""The property that nothing is likelier than the truth."""

UNSAID = "yes"
"""How a yes is written until somebody says otherwise: a release refuses a file with any word but
this and no.
"""

_SPREADS = 1.96
"""Standard errors in the margin of a level's estimate, about, with 95% confidence."""

TABLE, COUNTS, LEDGER, DATASET = "people.csv", "counts.csv", "budget.db", "people"
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
    allowed: str
    """What rough numbers allow."""
    without: dict[int, float]
    """Where there are coarser levels: the usual error of each size without them."""
    picture: str = ""
    about: str = ""
    """What one group's answers become, where there are several."""
    beaten: str = ""
    """What is likelier than the truth in the picture."""
    mended: bool = False
    """Whether the property that nothing is can be had."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTable:
    """A plan, what it says of each question, and the lines to copy."""

    plan: Plan
    epsilon: Fraction
    """What the whole release costs."""
    parts: tuple[Part, ...]
    later: tuple[str, ...] = ()
    """Questions whose draws are still to be designed; what is said of them is of each answer
    drawn by itself.
    """
    people: int
    most_sure: str
    """How sure somebody who knows all others can become of one person's answers."""
    protects_little: bool
    opening: str
    """The line that gives the table a budget, once."""
    line: str
    """The line that releases the table and books what that costs."""
    file: str
    """What the file is called."""
    columns: tuple[str, ...]
    """The columns that the lines speak of; the first says who a row is about, or how many people
    a group has.
    """
    counted: bool = False
    """Whether the file has a row of counts for each group."""
    levels: Levels
    """Those above the groups, the finest first."""
    spread: tuple[str, ...] = ()
    """Ranges of sizes over which groups were spread."""
    unsaid: tuple[str, ...] = ()
    """Questions of yes or no of which nobody has said how a yes is written."""
    says_empty: bool = False
    """Whether it is said what an empty answer counts as."""
    rows: Rows | None = None
    """The groups as they were pasted, whose columns are the keys of the lines."""

    unasked: bool = False
    """Whether no question is typed."""

    @property
    def held(self) -> bool:
        """Whether the line that releases it waits: rows are of a file, and nobody said how a
        question is written.
        """
        return bool(self.rows and self.rows.headed and self.unsaid)

    @property
    def nearly_exact(self) -> bool:
        """Whether 95% of the numbers or more are the truth, in every size."""
        return all(line.grade == "exact" for part in self.parts for line in part.lines)

    @property
    def sums_of_use(self) -> bool:
        """Whether the total of all groups is not too noisy itself, even if half say yes; smaller
        sums are noisier.
        """
        if self.plan.groups == 1:
            return False
        sums = [
            one
            for part in self.parts
            for one in part.totals
            if one.by == "total" and one.width is not None
        ]
        levels = [
            error.standard_error
            for level in self.plan.levels
            if not level.keys
            for error in level.errors
        ]
        margins = [one.width / 2 for one in sums if one.width is not None]
        margins += [_SPREADS * error for error in levels]
        return any(grade_of(margin, self.people / 2) != GRADES[-1] for margin in margins)

    @property
    def noisy(self) -> tuple[Part, ...]:
        """The questions of which some numbers may be anything, as far as is known."""
        return tuple(
            part for part in self.parts if part.verdict and part.asked.name not in self.later
        )


def plan_table(reading: Reading) -> OwnTable:
    """Plan a table of the sizes, levels and questions of a setting."""
    return _shown(reading, readable(read_table(reading)))


def plan_at_once(reading: Reading) -> OwnTable | None:
    """Plan it with every answer drawn by itself: no design takes long. None if no question has
    several answers.
    """
    wanted = read_table(reading)
    later = tuple(asked.name for asked in wanted.questions if asked.several)
    if not later:
        return None
    questions = tuple(replace(asked, cells=asked.several) for asked in wanted.questions)
    return replace(_shown(reading, replace(wanted, questions=questions)), later=later)


def _shown(reading: Reading, wanted: Wanted) -> OwnTable:
    found = wanted.plan()
    plain = replace(wanted, levels=(), split=()).plan() if wanted.levels else None
    return OwnTable(
        plan=found,
        epsilon=wanted.epsilon,
        parts=tuple(_part(found, plain, asked, wanted) for asked in wanted.questions),
        people=wanted.people,
        most_sure=most_sure(wanted.alpha),
        protects_little=protects_little(wanted.alpha),
        opening=shell_line(
            ["discreet", "ledger", "open", LEDGER, DATASET, "--budget", _budget(wanted)]
        ),
        line=_line(reading, wanted),
        file=reading.setting.file or (COUNTS if wanted.counted else TABLE),
        counted=bool(wanted.counted),
        columns=(
            wanted.counted or reading.setting.who or PERSON,
            *wanted.keys,
            *(one.name for one in wanted.questions),
        ),
        unsaid=tuple(
            one.name
            for one in wanted.questions
            if not one.answers and not reading.setting.yes and not wanted.counted
        ),
        unasked=not reading.setting.questions.strip(),
        says_empty=bool(reading.setting.empty),
        levels=wanted.levels,
        spread=wanted.spread,
        rows=wanted.rows,
    )


def _part(found: Plan, plain: Plan | None, asked: Asked, wanted: Wanted) -> Part:
    """What a plan says of one question; `plain` is the plan without coarser levels, where there
    are some.
    """
    lines, others = (
        tuple(line for line in (one.lines if one else ()) if line.count == asked.name)
        for one in (found, plain)
    )
    common, each = commonest(lines), dict(found.each)[asked.name]
    picture = about = beaten = ""
    if asked.several:
        picture, about, beaten = _pictured(common.largest, asked, each, common.name, wanted.wished)
    return Part(
        asked=asked,
        epsilon=each,
        lines=lines,
        commonest=common,
        totals=tuple(
            total
            for total in found.totals
            if total.asked and total.count == asked.name and _wanted_sum(total.by, wanted.rows)
        ),
        verdict=judge_lines(lines),
        allowed=allowed(lines),
        without={line.largest: line.rmse for line in others},
        picture=picture,
        about=about,
        beaten=beaten,
        mended=bool(beaten) and _mended(wanted, asked, common, each),
    )


def _wanted_sum(by: str, rows: Rows | None) -> bool:
    """Whether anybody asks for the sums by a column: not where a name of it recurs, as "1a" does
    in every school.
    """
    return not (rows and by in rows.keys and rows.recurs(by))


def _mended(wanted: Wanted, asked: Asked, line: Line, each: Fraction) -> bool:
    """Whether groups of one size can have the truth as their likeliest result, and be drawn and
    read as they are.
    """
    shape = str(read_shape([*wanted.shape.split(), LIKELIEST]))
    alone = replace(
        wanted.alone(each).resized(((line.largest, line.groups),)), questions=(asked,), shape=shape
    )
    try:
        return readable(alone).plan().lines[0].name == line.name
    except DiscreetError:
        return False


@lru_cache(maxsize=16)
def _pictured(
    n: int, asked: Asked, epsilon: Fraction, drawn_by: str, wished: Pairs
) -> tuple[str, str, str]:
    return histogram(n, asked.answers, epsilon, drawn_by, dict(wished))


def _line(reading: Reading, wanted: Wanted) -> str:
    """Return the command that releases the table itself."""
    s = reading.setting
    yes = s.yes or UNSAID
    words = ["discreet", "release", s.file or (COUNTS if wanted.counted else TABLE)]
    words += [word for key in wanted.keys for word in ("--by", key)]
    words += ["--levels", "rollup"] if wanted.levels else []
    for level, part in wanted.split:
        words += ["--level-split", f"{level}={part}"]
    for asked in wanted.questions:
        words += asked.options("" if wanted.counted else yes)
    if wanted.counted:
        words += ["--size", wanted.counted]
    else:
        words += [*empty_options(wanted.questions, s.empty, yes), "--unit", s.who or PERSON]
    ((unit, privacy),) = wanted.price
    words += [f"--{unit}", privacy, *(["--properties", wanted.shape] if wanted.shape else [])]
    return shell_line(
        [
            *words,
            "--ledger",
            LEDGER,
            "--dataset",
            DATASET,
            "--output",
            "published",
            "--format",
            "csv",
        ]
    )


def shell_line(words: Sequence[str]) -> str:
    """Write words for a shell; around single quotes, which SQL uses, with double ones.

    >>> print(shell_line(["--count-as", "smoker", "smoker = 'yes'", "--by", "a clinic"]))
    --count-as smoker "smoker = 'yes'" --by 'a clinic'
    """
    return " ".join(
        f'"{word}"' if "'" in word and not set(word) & set('"$`\\!') else shlex.quote(word)
        for word in words
    )


def _budget(wanted: Wanted) -> str:
    """Room for this release alone, as one would type it: its epsilon, or the next hundredth
    above it.
    """
    return f"{ceil(100 * wanted.epsilon) / 100:g}"
