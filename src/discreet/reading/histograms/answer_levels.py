"""Questions with several answers at several levels, read together.

Every weighted sum of the answers (an answer's total, the mean of a scale) has one debiased value for each group of each
level, and these are fitted as counts are (`parts.fitting`). The working variance of a group is the same for all sums:
the mean over its answers. So all sums are fitted with the same weights, and the estimates of the answers add up to n in
every group, as the values do; and the covariance of the answers is in each sum's own noise, which is that of the sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.forms import Folded
from discreet.reading.histograms.answer_values import unit_weights
from discreet.reading.histograms.histogram_sample import point_numbers
from discreet.reading.histograms.weighted_sums import weighted_score
from discreet.reading.levels.error_facts import ErrorFacts, facts_of
from discreet.reading.levels.level_noise import noise_of_score, unreleased
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
    from discreet.reading.parts.fitting import Fit


class AnswerLevels:
    """The levels of a question, the finest first; sums of answers are fitted when they are asked for."""

    def __init__(self, levels: Sequence[HistogramSample]) -> None:
        self.levels = levels
        self._fits: dict[Weights, Fit] = {}

    def fit(self, weights: Weights) -> Fit:
        """The estimates of sum_c a_c t_c of every group."""
        if weights not in self._fits:
            finest, *coarser = (measure_answers(level, weights) for level in self.levels)
            self._fits[weights] = fit_levels(finest, coarser)
        return self._fits[weights]

    def sums(self, weights: Weights, names: Sequence[str], confidence: float) -> list[Quantity]:
        """Estimate a weighted sum of the answers for each value of some key columns."""
        part = self.fit(weights).part(names)
        margin, error = part.facts.margins(confidence), part.facts.standard_error
        least, most = (float(end) * part.sizes for end in (min(weights), max(weights)))
        inside = np.clip(part.value, least, most)
        low, high = np.maximum(inside - margin, least), np.minimum(inside + margin, most)
        rows = zip(part.value.tolist(), low.tolist(), high.tolist(), error.tolist(), strict=True)
        told: dict[str, Any] = {"confidence": confidence, "groups": len(self.levels[0]), "method": method(part)}
        return [Quantity(name="total", value=v, low=a, high=b, standard_error=e, **told) for v, a, b, e in rows]

    def answers(self, names: Sequence[str], confidence: float) -> list[dict[str, Quantity]]:
        """Estimate the total of every answer for each value of some key columns."""
        answers = self.levels[0].answers
        each = [self.sums(unit_weights(len(answers), c), names, confidence) for c in range(len(answers))]
        return [dict(zip(answers, row, strict=True)) for row in zip(*each, strict=True)]

    def values(self) -> Floats:
        """The estimates of the finest groups, [group, answer]."""
        k = len(self.levels[0].answers)
        return np.stack([self.fit(unit_weights(k, c)).value for c in range(k)], axis=1)


def measure_answers(sample: HistogramSample, weights: Weights) -> Measured:
    """Read sum_c a_c t_c of every group of one level."""
    values, working = np.zeros(len(sample)), np.zeros(len(sample))
    parts: dict[str, Floats] = {name: np.zeros(len(sample)) for name in ErrorFacts.__slots__}
    for n, rows in sample.rows_by_size():
        if n:
            mechanism = sample.mechanisms[n]
            values[rows], facts = _read(mechanism, sample.outputs[rows], weights)
            working[rows] = _working(mechanism, sample.outputs.shape[1])
            for name, column in parts.items():
                column[rows] = getattr(facts, name)
    return Measured(keys=sample.keys, sizes=sample.sizes, values=values, working=working, facts=ErrorFacts(**parts))


def _read(mechanism: Mechanism, outputs: Integers, weights: Weights) -> tuple[Floats, ErrorFacts]:
    form, k = mechanism.form, outputs.shape[1]
    if isinstance(form, Folded):
        score, place = weighted_score(form, weights)
        kinds = place[point_numbers(form, outputs)]
        return score.values[kinds], _facts(score, score.variance_score[kinds])
    # of two answers only the first was drawn; of more, what the cells lack to n is shared equally among them
    middle = weights[1] if k == 2 else sum(weights, Fraction(0)) / k
    score, values = count_score(mechanism), np.full(len(outputs), float(middle) * mechanism.n)
    facts = facts_of(unreleased(np.ones(len(outputs), dtype=np.int64)), np.zeros(len(outputs)))
    for c in range(1 if k == 2 else k):
        weight = np.full(len(outputs), float(weights[c] - middle))
        values += weight * score.at(outputs[:, c])
        facts = facts.plus(_facts(score, score.variance_at(outputs[:, c])).times(weight))
    return values, facts


def _facts(score: Score, scores: Floats) -> ErrorFacts:
    one = facts_of(noise_of_score(score), np.zeros(1))
    return replace(one.rows(np.zeros(len(scores), dtype=np.int64)), estimated=scores)


def _working(mechanism: Mechanism, k: int) -> float:
    """The mean over answers of an answer's variance, the same whatever is summed."""
    form = mechanism.form
    if isinstance(form, Folded):
        return float(np.mean([weighted_score(form, unit_weights(k, c))[0].mean_variance for c in range(k)]))
    alone = count_score(mechanism).mean_variance
    return alone if k == 2 else alone * (1 - 1 / k)
