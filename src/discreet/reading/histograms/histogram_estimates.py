"""What a released question with several answers says: totals, shares, means of scales,
differences, single groups.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.errors import InvalidInput
from discreet.reading.group_table import GroupTable
from discreet.reading.histograms.answer_levels import AnswerLevels
from discreet.reading.histograms.answer_subtotals import means, subtotals
from discreet.reading.histograms.answer_totals import (
    OWN,
    Scores,
    answer_contrast,
    answer_sums,
    as_shares,
    as_totals,
    contrast_weights,
    mean_difference,
    mean_score,
    over,
    read_scores,
    refuse_nobody,
)
from discreet.reading.histograms.answer_values import STILL, unit_weights, unreadable_note
from discreet.reading.histograms.histogram_group import HistogramGroup, read_group
from discreet.reading.histograms.histogram_sample import drawn_together
from discreet.reading.histograms.histogram_table import answer_table
from discreet.reading.methods.debiasing import NotEstimable
from discreet.reading.parts.whole_numbers import WholeNumbers, whole_answers
from discreet.reading.quoting.interval_kinds import (
    NONE,
    from_to,
    interval_head,
    part_head,
    rule,
    saying_which,
    says_little,
)
from discreet.reading.strata import column_names, rows_by_key
from discreet.reading.totals import outside_note

if TYPE_CHECKING:
    from discreet.core.losses import PriorLike
    from discreet.reading.histograms.histogram_sample import HistogramSample
    from discreet.reading.histograms.weighted_law import Weights
    from discreet.reading.parts.answer_change import AnswerChange
    from discreet.reading.parts.number_table import NumberTable
    from discreet.reading.totals import Quantity

NOTE = (
    "Totals add up to the number of people and shares to 1, exactly; single estimates may "
    "be negative or too large."
)
CELLS = (
    "Where answers were drawn cell by cell, what they lacked to n in a group was shared equally "
    "among them."
)
_FOLD: dict[str, Any] = {"width": 79, "first": "  ", "later": "    "}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class HistogramEstimate:
    """What the released groups say together; every interval is for the true answers of these
    very groups.
    """

    sample: HistogramSample
    confidence: Fraction
    coarser: tuple[HistogramSample, ...] = ()
    """The release's other levels: totals, shares, means, subtotals and whole numbers read all
    levels together.
    """

    @property
    def groups(self) -> int:
        """How many groups."""
        return len(self.sample)

    @property
    def people(self) -> int:
        """How many people: the sum of the sizes."""
        return self.sample.people

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers, in order."""
        return self.sample.answers

    @cached_property
    def totals(self) -> dict[str, Quantity]:
        """The number of people with each answer: unbiased, with its interval. The estimates add
        up to `people`.
        """
        return as_totals(self._sums, self.people)

    @cached_property
    def shares(self) -> dict[str, Quantity]:
        """The share of people with each answer. The estimates add up to 1."""
        refuse_nobody(self.people)
        return as_shares(self._sums, self.people)

    @cached_property
    def levels(self) -> AnswerLevels:
        """The estimates of the groups from all levels, which add up."""
        return AnswerLevels([self.sample, *self.coarser])

    @property
    def _levels(self) -> AnswerLevels | None:
        return self.levels if self.coarser else None

    @cached_property
    def _sums(self) -> dict[str, Quantity]:
        if self._levels is not None:
            return self._levels.totals(float(self.confidence))
        return answer_sums(self.sample, confidence=float(self.confidence))

    def subtotals(self, *columns: str | Sequence[str]) -> NumberTable:
        """Return a table of totals and shares by key, `e.subtotals("region")`: a row for each
        region and answer.
        """
        found = subtotals(self.sample, column_names(columns), self.confidence, self._levels)
        return saying_which(found, answers=True)

    def means(self, *columns: str | Sequence[str], scores: Scores = OWN) -> NumberTable:
        """Return a table of the mean of a scale by key, `e.means("region")`; scores as in
        `mean`.
        """
        return means(self.sample, column_names(columns), scores, self.confidence, self._levels)

    def mean(self, scores: Scores = OWN) -> Quantity:
        """Return the mean over people of their answers' scores: `e.mean({"never": 0, "former": 1,
        "current": 2})`.

        Answers that are numbers have their own scores.
        """
        if self._levels is not None:
            return self._of_all_levels(read_scores(self.sample, scores), "mean score")
        return mean_score(self.sample, scores, confidence=float(self.confidence))

    def contrast(self, first: str, second: str) -> Quantity:
        """Return the share of one answer less the share of another, with an interval."""
        if self._levels is not None:
            return self._of_all_levels(
                contrast_weights(self.sample, first, second), "difference of shares"
            )
        return answer_contrast(self.sample, first, second, confidence=float(self.confidence))

    def _of_all_levels(self, weights: Weights, name: str) -> Quantity:
        refuse_nobody(self.people)
        return over(self.levels.sums(weights, (), float(self.confidence))[0], self.people, name)

    def difference(
        self, other: HistogramEstimate, answer: str | None = None, *, scores: Scores | None = None
    ) -> Quantity:
        """Return an answer's share, or the mean of a scale, here less there: of two strata, or of
        two releases.

        All levels of a release are read together; strata (`by`) have one.
        """
        if (answer is None) == (scores is None):
            raise InvalidInput("answer", "must be given, or `scores`, and not both")
        if scores is not None:
            weights, name = read_scores(self.sample, scores), "difference of means"
        else:
            weights, name = (
                unit_weights(len(self.answers), self.sample.answer(str(answer))),
                "difference of shares",
            )
        if self.coarser or other.coarser:
            from discreet.reading.parts.answer_change import level_difference

            return level_difference(self, other, weights, name)
        return mean_difference(
            self.sample, other.sample, weights, name=name, confidence=float(self.confidence)
        )

    def change(
        self,
        earlier: HistogramEstimate,
        *,
        by: str | Sequence[str] | None = None,
        missing: str = "refuse",
    ) -> AnswerChange:
        """Return how many more people gave each answer than in `earlier`, for each group (or `by`
        key) and in total.

        A group that only one of them has is refused, or with `missing="empty"` has nobody in the
        other.
        """
        from discreet.reading.parts.answer_change import answer_change

        return answer_change(self, earlier, by=by, missing=missing)

    def group(self, index: int, prior: PriorLike = None) -> HistogramGroup:
        """Read one group by its row: the posterior of its histogram and of each answer, and
        intervals.
        """
        if not 0 <= index < self.groups:
            raise InvalidInput("index", f"must be in 0..{self.groups - 1}", index)
        n = int(self.sample.sizes[index])
        if n == 0:
            raise InvalidInput(
                "index", "must be of a group with people", index, remedy="an empty group is known"
            )
        outputs = self.sample.outputs[index].tolist()
        return read_group(
            self.sample.mechanisms[n],
            outputs,
            self.answers,
            prior=prior,
            confidence=self.confidence,
        )

    def table(self) -> GroupTable:
        """Read every group by itself: a row for each group and answer, with its unbiased value
        and interval.
        """
        return answer_table(self.sample, self.confidence)

    def adding_up(self) -> WholeNumbers:
        """Return whole histograms of every group and every sum of groups: answers add up to n,
        parts to wholes.
        """
        if self._levels is not None:
            nesting = self._levels.fits()[0].nesting
            return whole_answers(
                self.sample, self.sample.keys, self.sample.sizes, self._levels.values(), nesting
            )
        values = self.table().columns["unbiased"].reshape(self.sample.outputs.shape)
        if not np.isfinite(values).all():
            raise NotEstimable(
                unreadable_note(self.sample.name, [m for m, _ in self.sample.tallies]), remedy=STILL
            )
        return whole_answers(self.sample, self.sample.keys, self.sample.sizes, values)

    def quotable(self, *columns: str | Sequence[str], details: bool = False) -> NumberTable:
        """Return the table that people may quote: confidence intervals, and a whole number where
        one may stand.

        `details` adds the whole number of every row, whose sums are right.
        """
        from discreet.reading.quoting.quotable_table import what_to_quote

        return what_to_quote(self, columns).table(details=details)

    def by(self, *columns: str | Sequence[str]) -> dict[Any, HistogramEstimate]:
        """Split into strata by key columns, as `Estimate.by`: {value: estimate}, or by tuples
        for several columns.
        """
        names = column_names(columns)
        strata = self.strata(names)
        return {key[0]: part for key, part in strata.items()} if len(names) == 1 else dict(strata)

    def strata(self, columns: Sequence[str]) -> dict[tuple[Any, ...], HistogramEstimate]:
        """Split into strata: {(value, ...): estimate}, a tuple for one column too."""
        return {
            key: HistogramEstimate(
                sample=self.sample.part(np.array(rows)), confidence=self.confidence
            )
            for key, rows in rows_by_key(self.sample, columns).items()
        }

    # --- how it looks
    # ---------------------------------------------------------------------------------------

    def _title(self) -> str:
        groups = f"{self.groups:,} group{'' if self.groups == 1 else 's'}"
        return (
            f"Estimate of {self.sample.name!r}: {groups}, {self.sample.origin.counted(self.people)}"
        )

    def __repr__(self) -> str:
        return f"<{self._title()}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the estimates as plain values, for JSON."""
        return {
            "count": self.sample.name,
            "release": self.sample.release,
            "groups": self.groups,
            "people": self.people,
            "confidence": float(self.confidence),
            "answers": [
                {
                    "answer": name,
                    "total": plain_quantity(self.totals[name]),
                    "share": plain_quantity(self.shares[name]),
                }
                for name in self.answers
            ],
            "note": self._note(),
        }

    def _head(self) -> tuple[str, ...]:
        return (
            "",
            "total",
            interval_head(self.confidence),
            "share",
            part_head("share", self.confidence),
        )

    def lines(self) -> Iterator[tuple[str, ...]]:
        """One line of text for each answer: total and share with their intervals."""
        for name, total in self.totals.items():
            share = self.shares[name]
            yield (
                name,
                f"{total.value:z,.1f}",
                from_to(f"{total.low:,.0f}", f"{total.high:,.0f}"),
                f"{share.value:z.1%}",
                from_to(f"{share.low:.1%}", f"{share.high:.1%}"),
            )

    def __str__(self) -> str:
        from discreet.show.text import details_wanted, folded, table

        try:
            head, *rows = self._head(), *self.lines()
            numbers = self._numbers()
            shown = [
                (row[0], row[2], number, row[1], *row[3:])
                for row, number in zip((head, *rows), ("number", *numbers), strict=True)
            ]
            lines = table(shown, "<6 >16 >8 >9 >7 >16")
        except NotEstimable as error:
            return "\n".join((self._title(), *folded(str(error), **_FOLD)))
        method = next(iter(self.totals.values())).method
        first = f"{rule(dashes=NONE in numbers)} The total is for arithmetic."
        said = (
            f"intervals: {method}",
            self._note() if details_wanted() else " ".join(self._outside()),
        )
        notes = [line for text in said for line in folded(text, **_FOLD)]
        return "\n".join((self._title(), *folded(first, **_FOLD), *lines, *notes))

    def _numbers(self) -> list[str]:
        """The whole number of each answer, as the report has it, or a dash."""
        whole = self.adding_up().totals.values()
        return [
            NONE if says_little(number, total.low, total.high, self.people) else f"{number:,}"
            for number, total in zip(whole, self.totals.values(), strict=True)
        ]

    def _note(self) -> str:
        together = all(drawn_together(m, len(self.answers)) for m, _ in self.sample.tallies)
        return " ".join([*self._outside(), NOTE if together else f"{NOTE} {CELLS}"])

    def _outside(self) -> tuple[str, ...]:
        found = list(self.totals.values())
        return outside_note(
            [q.value for q in found], [q.low for q in found], [q.high for q in found]
        )

    def _repr_html_(self) -> str:
        from discreet.show import html

        try:
            rows = list(self.lines())
        except NotEstimable:
            return html.preformatted(str(self))
        method = next(iter(self.totals.values())).method
        note = html.note(f"Intervals: {method}. {self._note()}")
        return html.together(html.table(self._head(), rows, caption=self._title(), words={0}), note)


def plain_quantity(quantity: Quantity) -> dict[str, Any]:
    """One estimated number as plain values."""
    return {
        "value": quantity.value,
        "low": quantity.low,
        "high": quantity.high,
        "standard_error": quantity.standard_error,
        "method": quantity.method,
    }
