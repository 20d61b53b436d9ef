"""The plan of a table of which only the group sizes are known, and the line that releases the table itself.

The library's own plan is made of a stand-in table with these sizes, in which nobody answered anything: a plan reads
sizes and keys, never an answer. Where there are regions, groups are dealt out to them in turn.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, Any

from discreet.core.rationals import read_count
from discreet.errors import InvalidInput, MissingExtra
from discreet.studio.designs import valid
from discreet.studio.own.group_sizes import read_sizes
from discreet.studio.own.verdict import Verdict, judge_plan
from discreet.studio.taking.code_lines import objective_words

if TYPE_CHECKING:
    from discreet.studio.settings import Reading
    from discreet.tables.plan_lines import Line
    from discreet.tables.plan_totals import PlannedTotal
    from discreet.tables.planning import Plan

Sizes = tuple[tuple[int, int], ...]
Split = tuple[tuple[str, str], ...]

MOST_ANSWERS = 12
GROUP, REGION, COUNT, PERSON = "group", "region", "answer", "person"
"""What the columns are called in the line, to be replaced by the table's own."""

TABLE, LEDGER, DATASET = "people.csv", "budget.db", "people"
"""What the files and the budget are called."""


SHARES = {"": "best for all levels", "0.5": "half to the groups", "0.8": "80% to the groups"}
"""How epsilon may be shared where regions and the total are published too; of the rest, regions get three quarters."""

_SCALE = "One group of {n} as an example: what was true, and what may be published."


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTable:
    """A plan, the line to copy, and a picture of what one group's answers become, where there are several."""

    plan: Plan
    people: int
    opening: str
    """The line that gives the table a budget, once."""
    line: str
    """The line that releases the table and books what that costs."""
    columns: tuple[str, ...]
    """The columns that the lines speak of."""
    verdict: Verdict | None = None
    """What is said of numbers that may be anything."""
    without: dict[int, float] = field(default_factory=dict)
    """Where there are regions: the usual error of each size without them."""
    picture: str = ""
    about: str = ""

    @property
    def totals(self) -> list[PlannedTotal]:
        """The sums of the shape asked for."""
        return [total for total in self.plan.totals if total.asked]


def plan_table(reading: Reading) -> OwnTable:
    """Plan a table of the sizes, regions and answers of a setting, at its privacy and with its properties."""
    _, _, shape = valid(reading)
    s = reading.setting
    sizes, answers = read_sizes(s.sizes), _answers(s.answers)
    regions = read_count("regions", int(s.regions) if s.regions.isdigit() else s.regions or 1, least=1)
    if regions > sum(sizes.values()):
        raise InvalidInput("regions", "must be at most as many as there are groups", regions)
    split = _split(s.share, regions)
    asked: dict[str, Any] = {s.unit: s.privacy, "properties": str(shape), "loss": s.loss, "worst_case": s.worst_case}
    if s.prior != "uniform":
        asked["prior"] = tuple(reading.prior) if isinstance(reading.prior, list) else reading.prior
    words = tuple(answers)
    key = (tuple(sizes.items()), regions, words, tuple(asked.items()), split)
    found = _planned(*key)
    picture, about = _pictured(*key) if answers else ("", "")

    def alone(n: int, epsilon: Fraction) -> Line:
        wanted = {name: value for name, value in asked.items() if name not in ("epsilon", "alpha")}
        return _planned(((n, 1),), 1, words, (("epsilon", epsilon), *wanted.items())).lines[0]

    plain = _planned(tuple(sizes.items()), 1, words, tuple(asked.items())).lines if regions > 1 else ()
    return OwnTable(
        plan=found,
        verdict=judge_plan(found, found.epsilon, regions=regions > 1, alone=alone),
        without={line.largest: line.rmse for line in plain},
        people=sum(n * many for n, many in sizes.items()),
        opening=shlex.join(["discreet", "ledger", "open", LEDGER, DATASET, "--budget", _budget(reading)]),
        line=_line(reading, regions, answers, split),
        columns=(PERSON, *([REGION] if regions > 1 else []), GROUP, COUNT),
        picture=picture,
        about=about,
    )


@lru_cache(maxsize=64)  # moving what a plan does not depend on, and moving back, costs nothing
def _planned(
    sizes: Sizes, regions: int, answers: tuple[str, ...], asked: tuple[tuple[str, Any], ...], split: Split = ()
) -> Plan:
    from discreet.tables.planning import plan

    count: Any = {COUNT: list(answers)} if answers else COUNT
    by, levels = ([REGION, GROUP], "rollup") if regions > 1 else (GROUP, None)
    table = _stand_in(dict(sizes), regions, answers)
    found: Plan = plan(table, by=by, count=count, levels=levels, level_split=dict(split) or None, **dict(asked))
    return found


@lru_cache(maxsize=16)
def _pictured(
    sizes: Sizes, regions: int, answers: tuple[str, ...], asked: tuple[tuple[str, Any], ...], split: Split = ()
) -> tuple[str, str]:
    return _histogram(_planned(sizes, regions, answers, asked, split), dict(sizes), answers, dict(asked))


def _answers(text: str) -> list[str]:
    """Read the answers of a question; none mean yes or no."""
    found = [word.strip() for word in text.replace(";", ",").split(",") if word.strip()]
    if found and not 3 <= len(found) <= MOST_ANSWERS:
        remedy = "leave the entry empty for yes or no"
        raise InvalidInput("answers", f"must be 3 to {MOST_ANSWERS} answers, with commas between", text, remedy=remedy)
    return found


def _stand_in(sizes: dict[int, int], regions: int, answers: Sequence[str]) -> Any:
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingExtra("tables", "a plan of your table") from None
    groups = [n for n, many in sizes.items() for _ in range(many)]
    rows = [k for k, n in enumerate(groups) for _ in range(n)]
    answer = answers[0] if answers else False
    return pa.table({REGION: [k % regions for k in rows], GROUP: rows, COUNT: [answer] * len(rows)})


def _histogram(found: Plan, sizes: dict[int, int], answers: Sequence[str], asked: dict[str, Any]) -> tuple[str, str]:
    """Draw what becomes of one group of the commonest size: three answers as a triangle, more as bars of a scale."""
    from discreet.core.mechanism import Mechanism
    from discreet.designer import design
    from discreet.designer.orbits.cell_by_cell import cells
    from discreet.show.pictures.scale import scale_bars
    from discreet.show.triangles import falling, over_histograms, triangle_svg

    n = max(sizes, key=lambda size: (sizes[size], size))
    epsilon = dict(found.each)[COUNT]
    joint = any(line.name == "joint" and line.n <= n <= line.largest for line in found.lines)
    wanted = {name: value for name, value in asked.items() if name not in ("epsilon", "alpha")}
    m = design(n=n, categories=list(answers), epsilon=epsilon, **wanted) if joint else None
    if isinstance(m, Mechanism):
        truth = falling(over_histograms(m))
        if len(answers) == 3:
            counts = ", ".join(f"{many} {answer}" for many, answer in zip(truth, answers, strict=True))
            about = (
                f"What a group of {n} may be published as, if the truth is {counts} (outlined): each hexagon is one "
                "possible result, with its chance. Each corner is a group of one mind."
            )
            return str(triangle_svg(m, truth)), about
        return scale_bars(m), _SCALE.format(n=n)
    drawn = cells(n=n, categories=list(answers), epsilon=epsilon)
    return scale_bars(drawn), _SCALE.format(n=n)


def _split(share: str, regions: int) -> Split:
    """The shares of regions and of the total, where the groups' is chosen.

    >>> _split("0.8", 10), _split("0.8", 1), _split("", 10)
    ((('region', '0.15'), ('total', '0.05')), (), ())
    """
    if share not in SHARES:
        raise InvalidInput("share", f"must be one of {', '.join(filter(None, SHARES))}, or empty", share)
    if not share or regions == 1:
        return ()
    rest = 1 - Fraction(share)
    return (REGION, f"{float(rest * 3 / 4):g}"), ("total", f"{float(rest / 4):g}")


def _line(reading: Reading, regions: int, answers: list[str], split: Split) -> str:
    """Return the command that releases the table itself."""
    s = reading.setting
    words = ["discreet", "release", TABLE]
    words += ["--by", REGION, "--by", GROUP, "--levels", "rollup"] if regions > 1 else ["--by", GROUP]
    for level, part in split:
        words += ["--level-split", f"{level}={part}"]
    for answer in answers:
        words += ["--answer", COUNT, answer]
    if not answers:
        words += ["--count", COUNT]
    words += ["--unit", PERSON, f"--{s.unit}", s.privacy, *objective_words(reading)]
    return shlex.join([*words, "--ledger", LEDGER, "--dataset", DATASET, "--output", "published"])


def _budget(reading: Reading) -> str:
    """What this one release costs, as one would type it: epsilon, or the next hundredth above it."""
    s, (_, privacy, _) = reading.setting, valid(reading)
    return s.privacy if s.unit == "epsilon" else f"{ceil(100 * privacy.epsilon) / 100:g}"
