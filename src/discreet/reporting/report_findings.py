"""What a report says, worked out once from a release: page and spreadsheet show the same findings."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from discreet.reading.estimates import estimate
from discreet.reading.methods.debiasing import NotEstimable
from discreet.reporting.plain_words import listed, unit
from discreet.show.pictures.readings.estimate_rows import Row, added_up_over, parts_of, share_rows, total_rows
from discreet.tables.histogram_lines import histogram_lines
from discreet.tables.plan_lines import Line, plan_lines

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.reading.parts.number_table import NumberTable
    from discreet.tables.published.manifest import CountFacts, Level, Manifest
    from discreet.tables.published.result import Release

FEWEST = 10
"""Groups from which on it is shown how they differ."""


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
                f"No total of {self.name} can be estimated from this release: of groups of some sizes, different true "
                "answers give the same released numbers, or nearly the same."
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
        return {names: total_rows(self.estimate, *names) for names in parts_of(self.estimate, levels)}

    def by(self, names: Sequence[str]) -> str:
        """The keys of some sums in words, with the earlier ones over which these add up."""
        over = added_up_over(self.estimate, names)
        return f"by {listed(tuple(names))}" + (f", over every {listed(over)}" if over else "")

    def change(self, names: Sequence[str] | None) -> Any:
        """What changed since the earlier release by some keys, or of every group; None where nothing can be said."""
        with suppress(NotEstimable):
            return self.estimate.change(self.before, by=None if names is None else list(names), missing="empty")
        return None

    @cached_property
    def quotable(self) -> NumberTable | None:
        """The table that may be quoted."""
        with suppress(NotEstimable):
            table: NumberTable = self.estimate.quotable()
            return table
        return None

    def quotable_by(self, names: Sequence[str]) -> NumberTable | None:
        """The table that may be quoted, of sums of groups; none where group sizes are private."""
        if self.facts.cap or self.quotable is None:
            return None
        table: NumberTable = self.estimate.quotable(*names)
        return table

    @cached_property
    def shares(self) -> list[Row]:
        """How groups differ, or the shares of answers; nothing where there are few groups."""
        if self.unreadable or (self.estimate.groups < FEWEST and not self.answers):
            return []
        with suppress(NotEstimable):
            return share_rows(self.estimate)
        return []


@dataclass(frozen=True, kw_only=True, eq=False)
class Findings:
    """A release as a report reads it."""

    release: Release
    confidence: Fraction
    title: str
    folder: str
    """The name by which commands mention the bundle, quoted for a shell; never the path on a machine."""
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
            drawn = self.release.mechanisms.level(place) if len(self.manifest.levels) > 1 else self.release.mechanisms
            groups = {int(n): number for n, number in level.groups_by_size.items()}
            lines: list[Line] = []
            for facts in level.counts:
                make = histogram_lines if len(facts.answers) > 2 else plan_lines
                lines += make(facts.name, groups, drawn.by_size(facts.name))
            found.append((level, lines))
        return found

    def noisy_groups(self, count: str) -> tuple[int, int]:
        """How many groups of the finest level are too noisy to be read one by one, and how many have people."""
        lines = [line for line in self.lines[0][1] if line.count == count and line.largest]
        return sum(line.groups for line in lines if line.too_noisy), sum(line.groups for line in lines)

    def commonest(self, count: str) -> Mechanism:
        """The mechanism of the size that most groups have (but nobody's): the one whose picture is shown."""
        sizes = {int(n): groups for n, groups in self.manifest.groups_by_size.items()}
        n = max(sizes, key=lambda size: (size > 0, sizes[size], -size))
        return self.release.mechanism(n, count)
