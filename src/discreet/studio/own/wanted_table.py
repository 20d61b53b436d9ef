"""A table of which only the group sizes are known, as it is asked for, and the library's plan of
it.

The plan is made of a stand-in table with a row for each group and its size, in which nobody
answered anything: a plan reads sizes and keys, never an answer. So it takes as long for ten people
as for millions; only sizes that differ cost time. Where there are coarser levels, groups are dealt
out to them in turn, unless rows were pasted that say where each belongs. Privacy and properties are
those chosen for the table, not those of the design on the screen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from discreet.core.properties import read_shape
from discreet.core.rationals import Alpha, read_alpha
from discreet.errors import InvalidInput, MissingExtra
from discreet.studio.own.asked_questions import GROUP, Asked, read_questions
from discreet.studio.own.coarser_levels import Levels, keys_of, placed, read_levels, split_of
from discreet.studio.own.group_sizes import read_groups
from discreet.studio.own.pasted_rows import Rows
from discreet.studio.settings import read_privacy

if TYPE_CHECKING:
    from discreet.studio.settings import Reading
    from discreet.tables.planning import Plan

Sizes = tuple[tuple[int, int], ...]
Pairs = tuple[tuple[str, Any], ...]

SHARES = {"": "chosen for you", "0.8": "80% to the groups", "0.5": "half to the groups"}
"""How epsilon may be shared where coarser levels are published too; of the rest, the total gets
a quarter.
"""

_SIZE = "_people"
"""The column of the stand-in table that says how many people a group has."""

_CHOSEN = ("", "best")
"""What leaves the choice to the library, in addresses of today and of earlier versions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a plan is asked for: sizes with their numbers of groups, questions, levels, privacy
    and properties.
    """

    sizes: Sizes
    questions: tuple[Asked, ...]
    price: Pairs
    levels: Levels = ()
    """Those above the groups, the total aside."""
    split: Pairs = ()
    shape: str = ""
    rows: Rows | None = None
    """The groups as they were pasted, by their names."""
    spread: tuple[str, ...] = ()
    """Ranges of sizes over which groups were spread."""
    counted: str = ""
    """The column with the number of people, where the file has a row of counts for each group."""

    @property
    def keys(self) -> list[str]:
        """The columns of the release, the coarsest first."""
        return keys_of(self.levels, self.rows.keys if self.rows and self.rows.keys else (GROUP,))

    @property
    def epsilon(self) -> Fraction:
        """What the whole release costs."""
        return self._privacy.epsilon

    @property
    def alpha(self) -> Fraction:
        """The same as the least ratio of two chances."""
        return self._privacy.value

    @property
    def _privacy(self) -> Alpha:
        return read_alpha(**dict(self.price))

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

    def resized(self, sizes: Sizes) -> Wanted:
        """The same questions of other groups."""
        return replace(self, sizes=sizes, rows=None, spread=())

    def alone(self, epsilon: Fraction) -> Wanted:
        """The same without other levels, at some epsilon."""
        return replace(self, levels=(), split=(), price=(("epsilon", epsilon),))


def read_table(reading: Reading) -> Wanted:
    """Read the table of a setting, at its privacy and with the table's properties."""
    s = reading.setting
    unit, privacy = s.table_price
    read_privacy(unit, privacy)
    groups, questions = read_groups(s.sizes), read_questions(s.questions)
    levels = read_levels(s.regions, sum(groups.sizes.values()), groups.rows)
    keys = {name for name, _ in levels} | set(groups.rows.keys if groups.rows else ())
    if both := keys & {asked.name for asked in questions}:
        raise InvalidInput("questions", "must not have the name of a level", found=min(both))
    if s.who in keys | {asked.name for asked in questions}:
        raise InvalidInput("who", "must not be a question or name a group", found=s.who)
    if s.counted and (answers := next((asked.name for asked in questions if asked.answers), "")):
        rule = (
            "must be a column of counts, without answers, because the file has a row of counts "
            "for each group"
        )
        raise InvalidInput(
            "questions",
            rule,
            found=answers,
            remedy="write the names of its columns, one on each line",
        )
    if s.counted in keys | {asked.name for asked in questions}:
        raise InvalidInput(
            "questions", "must not be the column with the number of people", found=s.counted
        )
    return Wanted(
        sizes=tuple(groups.sizes.items()),
        questions=questions,
        price=((unit, privacy),),
        rows=groups.rows,
        spread=groups.spread,
        counted=s.counted,
        levels=levels,
        split=_split(s.share, levels),
        shape=str(read_shape(s.wishes.split())),
    )


def readable(wanted: Wanted) -> Wanted:
    """Return the same table, with answers whose sums could not be estimated from one draw drawn
    one by one.
    """
    found = wanted.plan()
    unreadable = {
        total.count for total in found.totals if total.answers > 1 and total.standard_error is None
    }
    if not unreadable:
        return wanted
    questions = (
        replace(asked, cells=asked.cells or asked.name in unreadable) for asked in wanted.questions
    )
    return replace(wanted, questions=tuple(questions))


@lru_cache(maxsize=64)  # moving what a plan does not depend on, and moving back, costs nothing
def _planned(wanted: Wanted) -> Plan:
    from discreet.tables.planning import plan

    count = {asked.name: _count(asked, k) for k, asked in enumerate(wanted.questions)}
    found: Plan = plan(
        _stand_in(wanted),
        by=wanted.keys,
        count=count,
        size=_SIZE,
        levels="rollup" if wanted.levels else None,
        level_split=dict(wanted.split) or None,
        **dict((*wanted.price, *wanted.wished)),
    )
    return found


def _stand_in(wanted: Wanted) -> Any:
    """Return a row for each group, with its size; a plan reads no other number of it."""
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingExtra("tables", "a plan of your table") from None
    pasted = [(names, int(n)) for names, n in wanted.rows.groups] if wanted.rows else []
    groups = [n for _, n in pasted] or [n for n, many in wanted.sizes for _ in range(many)]
    columns: dict[str, Any] = placed(wanted.levels, len(groups)) | {GROUP: range(len(groups))}
    if wanted.rows and wanted.rows.keys:
        columns |= {
            key: [names[k] for names, _ in pasted] for k, key in enumerate(wanted.rows.keys)
        }
    nobody = pa.repeat(0, len(groups))
    found = {key: pa.array(columns[key]) for key in wanted.keys}
    found |= {
        column: nobody for k, asked in enumerate(wanted.questions) for column in _columns(asked, k)
    }
    return pa.table(found | {_SIZE: pa.array(groups)})


def _columns(asked: Asked, k: int) -> list[str]:
    """What the columns of the k-th question's answers are called in the stand-in table."""
    return [f"_{k}_{answer}" for answer in range(len(asked.answers))] or [asked.name]


def _count(asked: Asked, k: int) -> Any:
    """The question as `dc.plan` takes it of a table of counts."""
    if not asked.several:  # of two answers the first is counted
        return _columns(asked, k)[0]
    answers = dict(zip(asked.answers, _columns(asked, k), strict=True))
    return {"answers": answers, "cells": True} if asked.cells else answers


def _split(share: str, levels: Levels) -> Pairs:
    """The shares of the levels and of the total; none where the library chooses them.

    >>> _split("0.8", (("region", 10),)), _split("0.8", ()), _split("", (("region", 10),))
    ((('region', '0.15'), ('total', '0.05')), (), ())
    """
    if share not in (*SHARES, *_CHOSEN):
        raise InvalidInput(
            "share", f"must be one of {', '.join(filter(None, SHARES))}, or empty", share
        )
    return () if share in _CHOSEN or not levels else split_of(Fraction(share), levels)
