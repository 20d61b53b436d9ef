"""Several releases of one question with several answers, read as one (`reading.combining`).

Every answer is fitted from all levels of all releases with the same weights, so that the estimates
of the answers add up to n in every group, as those of one release do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from discreet.reading.combining import fit_together
from discreet.reading.histograms.answer_levels import AnswerLevels, measure_answers
from discreet.reading.histograms.answer_subtotals import level_means, level_subtotals
from discreet.reading.histograms.answer_totals import (
    OWN,
    as_shares,
    as_totals,
    over,
    read_scores,
    refuse_nobody,
)
from discreet.reading.parts.whole_numbers import WholeNumbers, whole_answers

if TYPE_CHECKING:
    from discreet.reading.histograms.answer_totals import Scores
    from discreet.reading.histograms.histogram_sample import HistogramSample
    from discreet.reading.histograms.weighted_law import Weights
    from discreet.reading.parts.fitting import Fit
    from discreet.reading.parts.number_table import NumberTable
    from discreet.reading.totals import Quantity


class CombinedLevels(AnswerLevels):
    """Every level of every release of a question."""

    def _fitted(self, weights: Weights) -> Fit:
        return fit_together(
            [measure_answers(sample, weights, silent=True) for sample in self._levels]
        )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CombinedAnswers:
    """Several releases of a question read as one; its groups are the finest that any of them
    has.
    """

    releases: int
    samples: tuple[HistogramSample, ...]
    """Every level of every release."""
    levels: CombinedLevels
    confidence: Fraction

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers, in order."""
        return self.levels.answers

    @property
    def people(self) -> int:
        """How many people: the sum of the sizes."""
        return self.levels.people

    @cached_property
    def _sums(self) -> dict[str, Quantity]:
        return self.levels.totals(float(self.confidence))

    @property
    def totals(self) -> dict[str, Quantity]:
        """The number of people with each answer. The estimates add up to `people`."""
        return as_totals(self._sums, self.people)

    @property
    def shares(self) -> dict[str, Quantity]:
        """The share of people with each answer. The estimates add up to 1."""
        refuse_nobody(self.people)
        return as_shares(self._sums, self.people)

    def mean(self, scores: Scores = OWN) -> Quantity:
        """Return the mean over people of their answers' scores, as `HistogramEstimate.mean`
        does.
        """
        refuse_nobody(self.people)
        weights = read_scores(self.samples[0], scores)
        return over(
            self.levels.sums(weights, (), float(self.confidence))[0], self.people, "mean score"
        )

    def subtotals(self, *columns: str | Sequence[str]) -> NumberTable:
        """Return a table of totals and shares by key, as `HistogramEstimate.subtotals` does."""
        return level_subtotals(self.levels, columns, self.confidence)

    def means(self, *columns: str | Sequence[str], scores: Scores = OWN) -> NumberTable:
        """Return a table of the mean of a scale by key, as `HistogramEstimate.means` does."""
        return level_means(
            self.levels, columns, read_scores(self.samples[0], scores), self.confidence
        )

    def adding_up(self) -> WholeNumbers:
        """Return whole histograms that add up, as `HistogramEstimate.adding_up` does."""
        fit = self.levels.fits()[0]
        return whole_answers(
            self.levels, fit.finest.keys, fit.finest.sizes, self.levels.values(), fit.nesting
        )

    def __str__(self) -> str:
        title = (
            f"{self.releases} releases of {self.levels.groups:,} groups together: "
            f"{self.levels.name!r}"
        )
        return "\n".join(
            [title, *(f"  {answer}: {total}" for answer, total in self.totals.items())]
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from discreet.show.html import preformatted

        return preformatted(str(self))


def combine_answers(
    samples: Sequence[HistogramSample], *, releases: int, confidence: Fraction
) -> CombinedAnswers:
    """Combine all levels of several releases of one question; `combining.combine` has checked
    that they belong.
    """
    levels = CombinedLevels(samples)
    levels.fits()  # what cannot be read together is refused now
    return CombinedAnswers(
        releases=releases, samples=tuple(samples), levels=levels, confidence=confidence
    )
