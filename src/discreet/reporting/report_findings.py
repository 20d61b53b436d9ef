"""What a report says, worked out once from a release: page and spreadsheet show the same
findings.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.reading.estimates import estimate
from discreet.reading.methods.debiasing import NotEstimable
from discreet.reading.quoting.quotable_table import what_to_quote
from discreet.reporting.plain_words import listed, unit
from discreet.show.captions import count_words, spoken_count
from discreet.show.pictures.readings.estimate_rows import (
    Row,
    added_up_over,
    parts_of,
    quoted_rows,
    share_rows,
    total_rows,
)
from discreet.tables.histogram_lines import histogram_lines
from discreet.tables.plan_lines import Line, plan_lines

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.reading.parts.whole_numbers import WholeNumbers
    from discreet.reading.quoting.quoted import Quoted
    from discreet.tables.published.manifest import CountFacts, Level, Manifest
    from discreet.tables.published.result import Release

FEWEST = 10
"""Groups from which on it is shown how they differ."""
_MOSTLY = 0.8
"""The part of numbers that is drawn right where they are said to be nearly exact."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Counted:
    """What is known of one count, or of one question with several answers."""

    facts: CountFacts
    estimate: Any
    levels: tuple[Level, ...]
    unit: str = "people"
    """What is counted: people, or rows."""
    before: Any = None
    """The estimate of an earlier release, where what changed is reported."""

    @property
    def name(self) -> str:
        """Its name in the release."""
        return self.facts.name

    @property
    def words(self) -> str:
        """Its name for a heading."""
        return count_words(self.facts.name, self.facts.definition)

    @property
    def spoken(self) -> str:
        """Its name within a sentence."""
        return spoken_count(self.facts.name, self.facts.definition)

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers of a question with several."""
        return self.facts.answers

    @cached_property
    def unreadable(self) -> str:
        """That there are no estimates, where there are none, in words for the public."""
        try:
            total_rows(self.estimate)
        except NotEstimable:
            return (
                f"No total of {self.spoken} can be estimated from this release: of groups of some "
                "sizes, different true answers give the same released numbers, or nearly the same."
            )
        return ""

    @cached_property
    def totals(self) -> list[Row]:
        """The total, or that of each answer."""
        return [] if self.unreadable else total_rows(self.estimate)

    @cached_property
    def parts(self) -> dict[tuple[str, ...], list[Row]]:
        """Subtotals by the key columns that make them."""
        if self.unreadable:
            return {}
        levels = [level.keys for level in self.levels]
        return {
            names: total_rows(self.estimate, *names) for names in parts_of(self.estimate, levels)
        }

    def by(self, names: Sequence[str]) -> str:
        """The keys of some sums in words, with the earlier ones over which these add up."""
        over = added_up_over(self.estimate, names)
        return f"by {listed(tuple(names))}" + (f", over every {listed(over)}" if over else "")

    def crossed(self, names: Sequence[str]) -> bool:
        """Whether these sums add up groups over an earlier key."""
        return bool(names) and bool(added_up_over(self.estimate, names))

    def change(self, names: Sequence[str] | None) -> Any:
        """What changed since the earlier release by some keys, or of every group; None where
        nothing can be said.
        """
        with suppress(NotEstimable):
            return self.estimate.change(
                self.before, by=None if names is None else list(names), missing="empty"
            )
        return None

    @cached_property
    def quoted(self) -> Quoted | None:
        """What may be quoted of every single group."""
        with suppress(NotEstimable):
            return what_to_quote(self.estimate)
        return None

    @cached_property
    def sums(self) -> dict[tuple[str, ...], list[Row]]:
        """The total and the sums of groups as people quote them: whole numbers; estimates where
        sizes are private.
        """
        found = {(): self.totals, **self.parts}
        if self.facts.cap or self.unreadable:
            return found
        whole = self.estimate.adding_up()
        return {names: _whole(rows, whole, names) for names, rows in found.items()}

    @cached_property
    def groups(self) -> list[Row]:
        """Every single group, or answer of one, as people quote it; none where there are no
        keys, only a total.
        """
        return (
            quoted_rows(self.quoted)
            if self.quoted is not None and self.estimate.sample.keys
            else []
        )

    @cached_property
    def wide(self) -> int:
        """How many numbers of single groups have intervals that say next to nothing."""
        return sum(row.says_little for row in self.groups)

    @property
    def guessed(self) -> bool:
        """Whether the interval of a single group is a credible one: not of a question with
        several answers.
        """
        return not self.answers and not self.facts.cap

    @property
    def widened(self) -> bool:
        """Whether an interval was widened to hold its number."""
        return any(row.widened for rows in (*self.sums.values(), self.groups) for row in rows)

    @cached_property
    def shares(self) -> list[Row]:
        """How groups differ, or the shares of answers; nothing where there are few groups."""
        if self.unreadable or (self.estimate.groups < FEWEST and not self.answers):
            return []
        with suppress(NotEstimable):
            return share_rows(self.estimate)
        return []


def _whole(rows: list[Row], whole: WholeNumbers, names: Sequence[str]) -> list[Row]:
    """Rows with whole numbers for their estimates, in intervals that hold them."""
    table = whole.subtotals(*names)
    numbers = np.stack([table[column] for column in whole.columns], axis=1).reshape(-1).tolist()
    return [_holding(row, value) for row, value in zip(rows, numbers, strict=True)]


def _holding(row: Row, value: float) -> Row:
    low, high = row.low or 0.0, row.high or 0.0
    return replace(
        row,
        value=value,
        low=min(low, value),
        high=max(high, value),
        widened=not low <= value <= high,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Findings:
    """A release as a report reads it."""

    release: Release
    confidence: Fraction
    title: str
    folder: str
    """The name by which commands mention the bundle, quoted for a shell; never the path on a
    machine.
    """
    publisher: str = ""
    """Who publishes the release, for its citation; nothing where nobody said."""
    earlier: Release | None = None
    """An earlier release, to say what changed since."""

    @property
    def manifest(self) -> Manifest:
        """The public facts."""
        return self.release.manifest

    @cached_property
    def counts(self) -> tuple[Counted, ...]:
        """Each count with what is known of it."""
        return tuple(
            Counted(
                facts=facts,
                estimate=self._read(self.release, facts.name),
                levels=self.manifest.levels,
                unit=unit(self.manifest),
                before=None if self.earlier is None else self._read(self.earlier, facts.name),
            )
            for facts in self.manifest.counts
        )

    def _read(self, release: Release, count: str) -> Any:
        return estimate(release, count=count, confidence=self.confidence)

    @cached_property
    def people(self) -> int | None:
        """How many people (or rows, where these are counted), where that is public."""
        sizes = self.manifest.groups_by_size
        return None if self.manifest.cap else sum(int(n) * groups for n, groups in sizes.items())

    @cached_property
    def lines(self) -> list[tuple[Level, list[Line]]]:
        """What each level's counts were drawn from, by group size."""
        found = []
        for place, level in enumerate(self.manifest.levels):
            drawn = (
                self.release.mechanisms.level(place)
                if len(self.manifest.levels) > 1
                else self.release.mechanisms
            )
            groups = {int(n): number for n, number in level.groups_by_size.items()}
            lines: list[Line] = []
            for facts in level.counts:
                make = histogram_lines if facts.answers else plan_lines
                lines += make(facts.name, groups, drawn.by_size(facts.name))
            found.append((level, lines))
        return found

    @property
    def mostly_exact(self) -> bool:
        """Whether most numbers of the finest level are drawn as they are in the data."""
        lines = [line for line in self.lines[0][1] if line.largest]
        right = sum(line.groups * line.truth for line in lines)
        return right >= _MOSTLY * sum(line.groups for line in lines) > 0

    def noisy_groups(self, count: str) -> tuple[int, int]:
        """How many groups of the finest level are too noisy to be read one by one, and how many
        have people.
        """
        lines = [line for line in self.lines[0][1] if line.count == count and line.largest]
        return sum(line.groups for line in lines if line.too_noisy), sum(
            line.groups for line in lines
        )

    def drawn_from(self, count: str, n: int) -> str:
        """The name of the mechanism that a count of the finest level was drawn from in groups of
        n.
        """
        return next(
            line.name
            for line in self.lines[0][1]
            if line.count == count and line.n <= n <= line.largest
        )

    def commonest(self, count: str) -> Mechanism:
        """The mechanism of the size that most groups have (but nobody's): the one whose picture
        is shown.
        """
        sizes = {int(n): groups for n, groups in self.manifest.groups_by_size.items()}
        n = max(sizes, key=lambda size: (size > 0, sizes[size], -size))
        return self.release.mechanism(n, count)
