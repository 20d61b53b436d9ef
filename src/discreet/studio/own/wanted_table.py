"""A table of which only the group sizes are known, as it is asked for, and the library's plan of it.

The plan is made of a stand-in table with these sizes, in which nobody answered anything: a plan reads sizes and keys,
never an answer. Where there are regions, groups are dealt out to them in turn. The properties are those chosen for the
table, not those of the design on the screen.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from discreet.core.properties import read_shape
from discreet.core.rationals import read_count
from discreet.errors import InvalidInput, MissingExtra
from discreet.studio.designs import valid
from discreet.studio.own.asked_questions import GROUP, REGION, Asked, read_questions
from discreet.studio.own.group_sizes import read_sizes

if TYPE_CHECKING:
    from discreet.studio.settings import Reading
    from discreet.tables.planning import Plan

Sizes = tuple[tuple[int, int], ...]
Pairs = tuple[tuple[str, Any], ...]

SHARES = {"": "80% to the groups", "0.5": "half to the groups", "best": "best for all levels"}
"""How epsilon may be shared where regions and the total are published too; of the rest, regions get three quarters."""

_FIRST = "0.8"
"""The groups' share unless another is chosen: they are what most tables are made for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a plan is asked for: sizes with their numbers of groups, questions, regions, privacy and properties."""

    sizes: Sizes
    questions: tuple[Asked, ...]
    price: Pairs
    regions: int = 1
    split: Pairs = ()
    shape: str = ""

    @property
    def people(self) -> int:
        """How many people there are in all groups."""
        return sum(n * many for n, many in self.sizes)

    @property
    def wished(self) -> Pairs:
        """The properties, as `dc.plan` and `dc.design` take them."""
        return (("properties", self.shape),) if self.shape else ()

    def plan(self) -> Plan:
        """The library's plan of it."""
        return _planned(self)

    def alone(self, epsilon: Fraction) -> Wanted:
        """The same without regions, at some epsilon."""
        return replace(self, regions=1, split=(), price=(("epsilon", epsilon),))


def read_table(reading: Reading) -> Wanted:
    """Read the table of a setting, at its privacy and with the table's properties."""
    valid(reading)
    s = reading.setting
    sizes, questions = read_sizes(s.sizes), read_questions(s.questions)
    if s.regions and not re.fullmatch(r"[0-9]{1,9}", s.regions):
        raise InvalidInput("regions", "must be a whole number, at least 1, or empty", s.regions[:20])
    regions = read_count("regions", int(s.regions or 1), least=1)
    if regions > sum(sizes.values()):
        raise InvalidInput("regions", "must be at most as many as there are groups", regions)
    return Wanted(
        sizes=tuple(sizes.items()),
        questions=questions,
        price=((s.unit, s.privacy),),
        regions=regions,
        split=_split(s.share, regions),
        shape=str(read_shape(s.wishes.split())),
    )


def readable(wanted: Wanted) -> Wanted:
    """Return the same table, with answers whose sums could not be estimated from one draw drawn one by one."""
    found = wanted.plan()
    unreadable = {total.count for total in found.totals if total.answers > 1 and total.standard_error is None}
    if not unreadable:
        return wanted
    questions = (replace(asked, cells=asked.cells or asked.name in unreadable) for asked in wanted.questions)
    return replace(wanted, questions=tuple(questions))


@lru_cache(maxsize=64)  # moving what a plan does not depend on, and moving back, costs nothing
def _planned(wanted: Wanted) -> Plan:
    from discreet.tables.planning import plan

    count = {asked.name: asked.count for asked in wanted.questions}
    by, levels = ([REGION, GROUP], "rollup") if wanted.regions > 1 else (GROUP, None)
    found: Plan = plan(
        _stand_in(wanted),
        by=by,
        count=count,
        levels=levels,
        level_split=dict(wanted.split) or None,
        **dict((*wanted.price, *wanted.wished)),
    )
    return found


def _stand_in(wanted: Wanted) -> Any:
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingExtra("tables", "a plan of your table") from None
    groups = [n for n, many in wanted.sizes for _ in range(many)]
    rows = [k for k, n in enumerate(groups) for _ in range(n)]
    columns: dict[str, list[Any]] = {REGION: [k % wanted.regions for k in rows], GROUP: rows}
    for asked in wanted.questions:
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
