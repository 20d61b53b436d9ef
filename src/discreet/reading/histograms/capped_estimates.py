"""What a release with private group sizes says (`cap=N`): totals of each answer and of people, for
people kept.

Every group has N places, and "absent" is the answer of those that nobody takes. A total is unbiased
for the people that were counted, at most N of each group: how many there are beyond, nothing in the
release can say. The number of people is what the absent places leave of all places, so it is the
sum of the answers' totals, exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from discreet.errors import InvalidInput
from discreet.reading.histograms.answer_totals import answer_totals
from discreet.reading.histograms.histogram_estimates import plain_quantity
from discreet.reading.histograms.histogram_group import HistogramGroup, read_group
from discreet.reading.histograms.histogram_table import answer_table
from discreet.reading.methods.debiasing import NotEstimable
from discreet.reading.quoting.interval_kinds import from_to, interval_head
from discreet.reading.strata import column_names, rows_by_key

if TYPE_CHECKING:
    from discreet.core.losses import PriorLike
    from discreet.reading.group_table import GroupTable
    from discreet.reading.histograms.histogram_sample import HistogramSample
    from discreet.reading.parts.number_table import NumberTable
    from discreet.reading.totals import Quantity

_FOLD: dict[str, Any] = {"width": 76, "first": "  ", "later": "  "}
PEOPLE = "people"


class NotWithCap(InvalidInput, AttributeError):
    """Something that an estimate has where the number of people is known, and not with a cap."""


_RATIOS = ("shares", "mean", "means", "contrast", "difference")
_NOT_MADE = ("subtotals", "adding_up", "change")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CappedEstimate:
    """What the released groups say together; every interval is for the people of these very
    groups that were kept.
    """

    sample: HistogramSample
    confidence: Fraction
    cap: int

    @property
    def groups(self) -> int:
        """How many groups."""
        return len(self.sample)

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers that people gave, in order."""
        return self.sample.answers[:-1]

    @property
    def full(self) -> int:
        """In how many groups no place was released as absent: these may have people beyond the
        cap.
        """
        return int((self.sample.outputs[:, -1] == 0).sum())

    @cached_property
    def _places(self) -> dict[str, Quantity]:
        return answer_totals(self.sample, confidence=float(self.confidence))

    @property
    def totals(self) -> dict[str, Quantity]:
        """The number of people kept with each answer: unbiased, with its interval. The estimates
        add up to `people`.
        """
        return {name: self._places[name] for name in self.answers}

    @property
    def people(self) -> Quantity:
        """The number of people kept: unbiased, with its interval."""
        absent, places = self._places[self.sample.answers[-1]], self.cap * self.groups
        return replace(
            absent, value=places - absent.value, low=places - absent.high, high=places - absent.low
        )

    def group(self, index: int, prior: PriorLike = None) -> HistogramGroup:
        """Read one group by its row: the posterior of its places and of each answer, absent
        among them.
        """
        if not 0 <= index < self.groups:
            raise InvalidInput("index", f"must be in 0..{self.groups - 1}", index)
        outputs = self.sample.outputs[index].tolist()
        mechanism = self.sample.mechanisms[self.cap]
        return read_group(
            mechanism, outputs, self.sample.answers, prior=prior, confidence=self.confidence
        )

    def table(self) -> GroupTable:
        """Read every group by itself: a row for each group and answer, absent among them."""
        return answer_table(self.sample, self.confidence)

    def quotable(self, *columns: str | Sequence[str], details: bool = False) -> NumberTable:
        """Return the table that people may quote: each group's answers and people as whole numbers
        that add up.

        With private group sizes there is none of sums, so `columns` are refused. Every number may
        be printed, so `details` add nothing but the same numbers again, as `whole`.
        """
        from discreet.reading.quoting.quotable_table import what_to_quote

        return what_to_quote(self, columns).table(details=details)

    def by(self, *columns: str | Sequence[str]) -> dict[Any, CappedEstimate]:
        """Split into strata by key columns, as `Estimate.by`: {value: estimate}, or by tuples
        for several columns.
        """
        names = column_names(columns)
        strata = self.strata(names)
        return {key[0]: part for key, part in strata.items()} if len(names) == 1 else dict(strata)

    def strata(self, columns: Sequence[str]) -> dict[tuple[Any, ...], CappedEstimate]:
        """Split into strata: {(value, ...): estimate}, a tuple for one column too."""
        rows = rows_by_key(self.sample, columns)
        return {
            key: replace(self, sample=self.sample.part(np.array(chosen)))
            for key, chosen in rows.items()
        }

    def __getattr__(self, name: str) -> NoReturn:
        """Say why what other estimates have is not here."""
        if name in _RATIOS:
            rule = (
                "cannot be had with a cap, where people are estimated too and a ratio of two "
                "estimates is biased"
            )
            raise NotWithCap(
                name,
                rule,
                remedy="`totals` and `people` are unbiased; divide one by the other knowingly",
            )
        if name in _NOT_MADE:
            raise NotWithCap(
                name, "cannot be had with a cap", remedy="`by` reads each part, with its `totals`"
            )
        raise AttributeError(
            f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self
        )

    # --- how it looks
    # ---------------------------------------------------------------------------------------

    def _title(self) -> str:
        groups = f"{self.groups:,} group{'' if self.groups == 1 else 's'}"
        return (
            f"Estimate of {self.sample.name!r}: {groups}, of each at most {self.cap} people counted"
        )

    def __repr__(self) -> str:
        return f"<{self._title()}>"

    @property
    def note(self) -> str:
        """What the cap may have cost."""
        some = "1 group was" if self.full == 1 else f"{self.full:,} groups were"
        return (
            f"Totals are of people kept, at most {self.cap} of each group: people beyond that are "
            f"in none of them, and nothing in the release says how many they are. {some} released "
            "without an absent place; where a group has more people than the cap, totals are too "
            "small. Totals of answers add up to the people, exactly."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the estimates as plain values, for JSON."""
        return {
            "count": self.sample.name,
            "release": self.sample.release,
            "groups": self.groups,
            "cap": self.cap,
            "full_groups": self.full,
            "confidence": float(self.confidence),
            PEOPLE: plain_quantity(self.people),
            "answers": [
                {"answer": name, "total": plain_quantity(self.totals[name])}
                for name in self.answers
            ],
            "note": self.note,
        }

    def lines(self) -> list[tuple[str, ...]]:
        """One line of text for each answer, and one for people: the total and its interval."""
        return [
            (
                name,
                f"{q.value:z,.1f}",
                from_to(f"{q.low:,.0f}", f"{q.high:,.0f}"),
                f"{q.standard_error:,.1f}",
            )
            for name, q in (*self.totals.items(), (PEOPLE, self.people))
        ]

    def _head(self, error: str) -> tuple[str, ...]:
        return "", "unbiased", interval_head(self.confidence), error

    def __str__(self) -> str:
        from discreet.show.text import folded, table

        try:
            lines = table([self._head("std error"), *self.lines()], "<6 >12 >20 >12")
        except NotEstimable as error:
            return "\n".join((self._title(), *folded(str(error), **_FOLD)))
        how = f"  intervals: {self.people.method}"
        return "\n".join((self._title(), *lines, how, *folded(self.note, **_FOLD)))

    def _repr_html_(self) -> str:
        from discreet.show import html

        try:
            rows = self.lines()
        except NotEstimable:
            return html.preformatted(str(self))
        note = html.note(f"Intervals: {self.people.method}. {self.note}")
        return html.together(
            html.table(self._head("standard error"), rows, caption=self._title(), words={0}), note
        )
