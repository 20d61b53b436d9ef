"""The plan of a table of which only the group sizes are known, and the line that releases the table itself.

The library's own plan is made of a stand-in table with these sizes, in which nobody answered anything: a plan reads
sizes and keys, never an answer. Where there are regions, groups are dealt out to them in turn. The properties are those
chosen for the table, not those of the design on the screen.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, Any

from discreet.core.properties import read_shape
from discreet.core.rationals import read_count
from discreet.errors import InvalidInput, MissingExtra
from discreet.studio.designs import valid
from discreet.studio.own.asked_questions import GROUP, PERSON, REGION, Asked, read_questions
from discreet.studio.own.group_sizes import read_sizes
from discreet.studio.own.plan_words import commonest
from discreet.studio.own.table_pictures import histogram
from discreet.studio.own.verdict import Verdict, judge_lines

if TYPE_CHECKING:
    from discreet.studio.settings import Reading
    from discreet.tables.plan_lines import Line
    from discreet.tables.plan_totals import PlannedTotal
    from discreet.tables.planning import Plan

Sizes = tuple[tuple[int, int], ...]
Pairs = tuple[tuple[str, Any], ...]

TABLE, LEDGER, DATASET = "people.csv", "budget.db", "people"
"""What the files and the budget are called."""

SHARES = {"": "80% to the groups", "0.5": "half to the groups", "best": "best for all levels"}
"""How epsilon may be shared where regions and the total are published too; of the rest, regions get three quarters."""

_FIRST = "0.8"
"""The groups' share unless another is chosen: they are what most tables are made for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What a plan says of one question."""

    asked: Asked
    lines: tuple[Line, ...]
    commonest: Line
    totals: tuple[PlannedTotal, ...]
    """The sums of the shape asked for."""
    verdict: Verdict | None = None
    """What is said of numbers that may be anything."""
    without: dict[int, float]
    """Where there are regions: the usual error of each size without them."""
    picture: str = ""
    about: str = ""
    """What one group's answers become, where there are several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTable:
    """A plan, what it says of each question, and the lines to copy."""

    plan: Plan
    parts: tuple[Part, ...]
    people: int
    opening: str
    """The line that gives the table a budget, once."""
    line: str
    """The line that releases the table and books what that costs."""
    columns: tuple[str, ...]
    """The columns that the lines speak of."""


def plan_table(reading: Reading) -> OwnTable:
    """Plan a table of the sizes, regions and questions of a setting, at its privacy and with the table's properties."""
    valid(reading)
    s = reading.setting
    sizes, questions = read_sizes(s.sizes), read_questions(s.questions)
    regions = read_count(
        "regions", int(s.regions) if s.regions.isascii() and s.regions.isdigit() else s.regions or 1, least=1
    )
    if regions > sum(sizes.values()):
        raise InvalidInput("regions", "must be at most as many as there are groups", regions)
    split, shape = _split(s.share, regions), str(read_shape(s.wishes.split()))
    groups = tuple(sizes.items())
    price, wished = ((s.unit, s.privacy),), (("properties", shape),) if shape else ()
    found = _planned(groups, regions, questions, (*price, *wished), split)
    if unreadable := {total.count for total in found.totals if total.answers > 1 and total.standard_error is None}:
        questions = tuple(replace(asked, cells=asked.cells or asked.name in unreadable) for asked in questions)
        found = _planned(groups, regions, questions, (*price, *wished), split)
    plain = _planned(groups, 1, questions, (*price, *wished)) if regions > 1 else None
    return OwnTable(
        plan=found,
        parts=tuple(_part(found, plain, asked, wished) for asked in questions),
        people=sum(n * many for n, many in sizes.items()),
        opening=shlex.join(["discreet", "ledger", "open", LEDGER, DATASET, "--budget", _budget(reading)]),
        line=_line(reading, regions, questions, split, shape),
        columns=(PERSON, *([REGION] if regions > 1 else []), GROUP, *(asked.name for asked in questions)),
    )


def _part(found: Plan, plain: Plan | None, asked: Asked, wished: Pairs) -> Part:
    """What a plan says of one question; `plain` is the plan without regions, where there are some."""

    def alone(n: int, epsilon: Fraction) -> Line:
        return _planned(((n, 1),), 1, (asked,), (("epsilon", epsilon), *wished)).lines[0]

    lines, others = (
        tuple(line for line in (one.lines if one else ()) if line.count == asked.name) for one in (found, plain)
    )
    common, each = commonest(lines), dict(found.each)[asked.name]
    picture, about = _pictured(common.largest, asked, each, common.name, wished) if asked.answers else ("", "")
    return Part(
        asked=asked,
        lines=lines,
        commonest=common,
        totals=tuple(total for total in found.totals if total.asked and total.count == asked.name),
        verdict=judge_lines(
            lines,
            each=each,
            total=found.epsilon,
            plain=others,
            alone=alone,
            several=found.groups > 1,
        ),
        without={line.largest: line.rmse for line in others},
        picture=picture,
        about=about,
    )


@lru_cache(maxsize=64)  # moving what a plan does not depend on, and moving back, costs nothing
def _planned(sizes: Sizes, regions: int, questions: tuple[Asked, ...], wanted: Pairs, split: Pairs = ()) -> Plan:
    from discreet.tables.planning import plan

    count = {asked.name: asked.count for asked in questions}
    by, levels = ([REGION, GROUP], "rollup") if regions > 1 else (GROUP, None)
    table = _stand_in(dict(sizes), regions, questions)
    found: Plan = plan(table, by=by, count=count, levels=levels, level_split=dict(split) or None, **dict(wanted))
    return found


@lru_cache(maxsize=16)
def _pictured(n: int, asked: Asked, epsilon: Fraction, drawn_by: str, wished: Pairs) -> tuple[str, str]:
    return histogram(n, asked.answers, epsilon, drawn_by, dict(wished))


def _stand_in(sizes: dict[int, int], regions: int, questions: tuple[Asked, ...]) -> Any:
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingExtra("tables", "a plan of your table") from None
    groups = [n for n, many in sizes.items() for _ in range(many)]
    rows = [k for k, n in enumerate(groups) for _ in range(n)]
    columns: dict[str, list[Any]] = {REGION: [k % regions for k in rows], GROUP: rows}
    for asked in questions:
        columns[asked.name] = [asked.answers[0] if asked.answers else False] * len(rows)
    return pa.table(columns)


def _split(share: str, regions: int) -> Pairs:
    """The shares of regions and of the total; none where the library chooses them.

    >>> _split("", 10), _split("", 1), _split("best", 10)
    ((('region', '0.15'), ('total', '0.05')), (), ())
    """
    if share not in SHARES:
        raise InvalidInput("share", f"must be one of {', '.join(filter(None, SHARES))}, or empty", share)
    if share == "best" or regions == 1:
        return ()
    rest = 1 - Fraction(share or _FIRST)
    return (REGION, f"{float(rest * 3 / 4):g}"), ("total", f"{float(rest / 4):g}")


def _line(reading: Reading, regions: int, questions: tuple[Asked, ...], split: Pairs, shape: str) -> str:
    """Return the command that releases the table itself."""
    s = reading.setting
    words = ["discreet", "release", TABLE]
    words += ["--by", REGION, "--by", GROUP, "--levels", "rollup"] if regions > 1 else ["--by", GROUP]
    for level, part in split:
        words += ["--level-split", f"{level}={part}"]
    for asked in questions:
        words += asked.options
    words += ["--unit", PERSON, f"--{s.unit}", s.privacy, *(["--properties", shape] if shape else [])]
    return shlex.join([*words, "--ledger", LEDGER, "--dataset", DATASET, "--output", "published"])


def _budget(reading: Reading) -> str:
    """What this one release costs, as one would type it: epsilon, or the next hundredth above it."""
    s, (_, privacy, _) = reading.setting, valid(reading)
    return s.privacy if s.unit == "epsilon" else f"{ceil(100 * privacy.epsilon) / 100:g}"
