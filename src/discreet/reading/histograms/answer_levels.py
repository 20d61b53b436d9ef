"""Questions with several answers at several levels, read together.

Every weighted sum of the answers (an answer's total, the mean of a scale) has one debiased value
for each group of each level, and these are fitted as counts are (`parts.fitting`). The working
variance of a group is the same for all sums: the mean over its answers. So all sums are fitted with
the same weights, and the estimates of the answers add up to n in every group, as the values do; and
the covariance of the answers is in each sum's own noise, which is that of the sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.forms import Folded
from discreet.reading.histograms.answer_values import unit_weights
from discreet.reading.histograms.histogram_sample import point_numbers
from discreet.reading.histograms.weighted_sums import weighted_score
from discreet.reading.levels.error_facts import ErrorFacts, facts_of
from discreet.reading.levels.level_noise import noise_of_score, unreleased
from discreet.reading.methods.debiasing import NotEstimable
from discreet.reading.parts.crossing import fit_levels
from discreet.reading.parts.measured import Measured
from discreet.reading.parts.subtotal_table import method
from discreet.reading.totals import Quantity, count_score

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.reading.histograms.histogram_sample import HistogramSample
    from discreet.reading.histograms.weighted_law import Weights
    from discreet.reading.levels.tree import Floats, Integers
    from discreet.reading.methods.debiasing import Score
    from discreet.reading.parts.fitting import Fit, Part


class AnswerLevels:
    """The levels of a question, the finest first; sums of answers are fitted when they are asked
    for.
    """

    def __init__(self, levels: Sequence[HistogramSample]) -> None:
        self._levels = levels
        self._fits: dict[Weights, Fit] = {}
        self.answers, self.name = levels[0].answers, levels[0].name

    def fit(self, weights: Weights) -> Fit:
        """The estimates of sum_c a_c t_c of every group."""
        if weights not in self._fits:
            self._fits[weights] = self._fitted(weights)
        return self._fits[weights]

    def _fitted(self, weights: Weights) -> Fit:
        finest, *coarser = (measure_answers(level, weights) for level in self._levels)
        return fit_levels(finest, coarser)

    def fits(self) -> list[Fit]:
        """The estimates of every answer."""
        return [self.fit(unit_weights(len(self.answers), c)) for c in range(len(self.answers))]

    @property
    def groups(self) -> int:
        """How many finest groups there are."""
        return len(self.fits()[0].finest.sizes)

    @property
    def people(self) -> int:
        """How many people are in them."""
        return int(self.fits()[0].finest.sizes.sum())

    def sums(self, weights: Weights, names: Sequence[str], confidence: float) -> list[Quantity]:
        """Estimate a weighted sum of the answers for each value of some key columns."""
        part = self.fit(weights).part(names)
        margin, error = part.facts.margins(confidence), part.facts.standard_error
        least, most = (float(end) * part.sizes for end in (min(weights), max(weights)))
        inside = np.clip(part.value, least, most)
        low, high = np.maximum(inside - margin, least), np.minimum(inside + margin, most)
        rows = zip(part.value.tolist(), low.tolist(), high.tolist(), error.tolist(), strict=True)
        told: dict[str, Any] = {
            "confidence": confidence,
            "groups": self.groups,
            "method": method(part),
        }
        return [
            Quantity(name="total", value=v, low=a, high=b, standard_error=e, **told)
            for v, a, b, e in rows
        ]

    def totals(self, confidence: float) -> dict[str, Quantity]:
        """Estimate the total of every answer."""
        k = len(self.answers)
        each = [self.sums(unit_weights(k, c), (), confidence)[0] for c in range(k)]
        return dict(zip(self.answers, each, strict=True))

    def parts(self, names: Sequence[str]) -> list[Part]:
        """The groups that some key columns make, of every answer; in each the answers add up to n
        exactly.

        The last answer takes what is left in the last digits, in every sum the same, so that parts
        add up too.
        """
        found = [fit.part(names) for fit in self.fits()]
        rest = found[0].sizes - np.sum([part.value for part in found[:-1]], axis=0)
        return [*found[:-1], replace(found[-1], value=rest)]

    def values(self) -> Floats:
        """The estimates of the finest groups, [group, answer]."""
        return np.stack([fit.value for fit in self.fits()], axis=1)


def measure_answers(sample: HistogramSample, weights: Weights, *, silent: bool = False) -> Measured:
    """Read sum_c a_c t_c of every group of one level.

    A mechanism that tells nothing is refused, or `silent`: without weight.
    """
    values, working = np.zeros(len(sample)), np.zeros(len(sample))
    parts: dict[str, Floats] = {name: np.zeros(len(sample)) for name in ErrorFacts.__slots__}
    for n, rows in sample.rows_by_size():
        if n:
            mechanism = sample.mechanisms[n]
            try:
                known = answer_variance(mechanism, sample.outputs.shape[1])
            except NotEstimable:
                if not silent:
                    raise
                working[rows] = np.inf
                continue
            values[rows], facts = _read(mechanism, sample.outputs[rows], weights)
            working[rows] = known
            for name, column in parts.items():
                column[rows] = getattr(facts, name)
    return Measured(
        keys=sample.keys,
        sizes=sample.sizes,
        values=values,
        working=working,
        facts=ErrorFacts(**parts),
    )


def _read(mechanism: Mechanism, outputs: Integers, weights: Weights) -> tuple[Floats, ErrorFacts]:
    form, k = mechanism.form, outputs.shape[1]
    if isinstance(form, Folded):
        score, place = weighted_score(form, weights)
        kinds = place[point_numbers(form, outputs)]
        return score.values[kinds], _facts(score, score.variance_score[kinds])
    # of two answers only the first was drawn; of more, what the cells lack to n is shared equally
    # among them
    middle = weights[1] if k == 2 else sum(weights, Fraction(0)) / k
    score, values = count_score(mechanism), np.full(len(outputs), float(middle) * mechanism.n)
    facts = facts_of(unreleased(np.ones(len(outputs), dtype=np.int64)), np.zeros(len(outputs)))
    for c in range(1 if k == 2 else k):
        weight = np.full(len(outputs), float(weights[c] - middle))
        values += weight * score.at(outputs[:, c])
        facts = facts.plus(_facts(score, score.variance_at(outputs[:, c])).times(weight))
    return values, facts


def _facts(score: Score, scores: Floats) -> ErrorFacts:
    return replace(_of_one(score).rows(np.zeros(len(scores), dtype=np.int64)), estimated=scores)


@lru_cache(maxsize=4096)  # every answer of a question that is drawn cell by cell has the same score
def _of_one(score: Score) -> ErrorFacts:
    return facts_of(noise_of_score(score), np.zeros(1))


def answer_variance(mechanism: Mechanism, k: int) -> float:
    """The mean over answers of the variance of an answer's value in one group; the same whatever
    is summed.
    """
    form = mechanism.form
    if isinstance(form, Folded):
        return float(
            np.mean([weighted_score(form, unit_weights(k, c))[0].mean_variance for c in range(k)])
        )
    alone = count_score(mechanism).mean_variance
    return alone if k == 2 else alone * (1 - 1 / k)
