"""The numbers a released question is read for: totals and shares of answers, the mean of a scale,
differences.

Each is a weighted sum of the answers (`weighted_sums`). What is estimated is a fact about these
very groups, not about a population they were drawn from, and intervals are made and cut as in
`reading.totals`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from discreet.core.rationals import Exact, read_fraction, shown
from discreet.errors import InvalidInput
from discreet.reading.histograms.answer_values import unit_weights
from discreet.reading.histograms.histogram_table import group_intervals
from discreet.reading.histograms.weighted_sums import terms_of_answers
from discreet.reading.totals import ONE_GROUP, Quantity, quantity, whole_ends

if TYPE_CHECKING:
    from discreet.reading.histograms.histogram_sample import HistogramSample
    from discreet.reading.histograms.weighted_law import Weights

Scores = Mapping[str, Exact] | str
"""The score of each answer of a scale; "own" where the answers are numbers."""

OWN = "own"
_LARGEST_SCORE = 10**100
"""Sums of squares of such scores are numbers that a float can hold."""


def answer_totals(sample: HistogramSample, *, confidence: float = 0.95) -> dict[str, Quantity]:
    """Estimate the total of each answer; the estimates add up to the number of people, exactly."""
    return as_totals(answer_sums(sample, confidence=confidence), sample.people)


def answer_shares(sample: HistogramSample, *, confidence: float = 0.95) -> dict[str, Quantity]:
    """Estimate the share of people with each answer; the estimates add up to 1, exactly."""
    refuse_nobody(sample.people)
    return as_shares(answer_sums(sample, confidence=confidence), sample.people)


def answer_sums(sample: HistogramSample, *, confidence: float) -> dict[str, Quantity]:
    """Estimate the total of each answer as a number that need not be whole: totals and shares are
    made of these.

    Of one group, with the interval that it has in every table.
    """
    found = {}
    for c, answer in enumerate(sample.answers):
        terms, known = terms_of_answers(sample, unit_weights(len(sample.answers), c))
        most = float(sample.people)
        found[answer] = quantity(
            "total",
            terms,
            confidence=confidence,
            least=0.0,
            most=most,
            groups=len(sample),
            start=known,
        )
    if len(sample) == 1:
        ends = group_intervals(sample, Fraction(str(confidence)))
        for answer, low, high in zip(
            found, ends["low"].tolist(), ends["high"].tolist(), strict=True
        ):
            found[answer] = replace(
                found[answer], low=float(low), high=float(high), method=ONE_GROUP
            )
    return found


def as_totals(sums: Mapping[str, Quantity], people: int) -> dict[str, Quantity]:
    """Sums as totals, which are whole numbers."""
    found = {}
    for name, q in sums.items():
        low, high = whole_ends(q.low, q.high, min(max(q.value, 0.0), float(people)))
        found[name] = replace(q, low=low, high=high)
    return _adding_up(found, people)


def as_shares(sums: Mapping[str, Quantity], people: int) -> dict[str, Quantity]:
    """Sums as shares of the people."""
    return _adding_up({name: over(q, people, "share") for name, q in sums.items()}, 1)


def over(q: Quantity, people: int, name: str) -> Quantity:
    """A sum over people as a mean of theirs."""
    error = q.standard_error / people
    return replace(
        q,
        name=name,
        value=q.value / people,
        low=q.low / people,
        high=q.high / people,
        standard_error=error,
    )


def mean_score(sample: HistogramSample, scores: Scores, *, confidence: float = 0.95) -> Quantity:
    """Estimate the mean over people of their answers' scores."""
    return _mean(sample, read_scores(sample, scores), name="mean score", confidence=confidence)


def answer_contrast(
    sample: HistogramSample, first: str, second: str, *, confidence: float = 0.95
) -> Quantity:
    """Estimate the share of one answer less the share of another."""
    return _mean(
        sample,
        contrast_weights(sample, first, second),
        name="difference of shares",
        confidence=confidence,
    )


def contrast_weights(sample: HistogramSample, first: str, second: str) -> Weights:
    """One answer less another."""
    weights = [Fraction(0)] * len(sample.answers)
    weights[sample.answer(first, "first")] += 1
    weights[sample.answer(second, "second")] -= 1
    if not any(weights):
        raise InvalidInput("second", "must be another answer", second)
    return tuple(weights)


def mean_difference(
    sample: HistogramSample,
    other: HistogramSample,
    weights: Weights,
    *,
    name: str,
    confidence: float = 0.95,
) -> Quantity:
    """Estimate a mean per person in one set of groups less the same in another, or in another
    release.
    """
    refuse_nobody(sample.people)
    refuse_nobody(other.people)
    if sample.answers != other.answers:
        raise InvalidInput("other", "must have the same answers", ", ".join(other.answers))
    terms, known = terms_of_answers(sample, weights, 1 / sample.people)
    less, besides = terms_of_answers(other, weights, -1 / other.people)
    span = float(max(weights) - min(weights))
    return quantity(
        name,
        [*terms, *less],
        confidence=confidence,
        least=-span,
        most=span,
        groups=len(sample) + len(other),
        start=known + besides,
    )


def read_scores(sample: HistogramSample, scores: Scores) -> Weights:
    """Read a score for every answer, exactly."""
    remedy = f"give a score for each of {', '.join(sample.answers)}"
    if isinstance(scores, str) and scores == OWN:
        scores = _own(sample)
    if not isinstance(scores, Mapping):
        raise InvalidInput(
            "scores", "must map each answer to a number", type(scores).__name__, remedy=remedy
        )
    for name in scores:
        sample.answer(name, "scores")
    if missing := [name for name in sample.answers if name not in scores]:
        raise InvalidInput("scores", f"lacks the answer {missing[0]}", remedy=remedy)
    weights = tuple(read_fraction("scores", scores[name]) for name in sample.answers)
    if max(map(abs, weights)) > _LARGEST_SCORE:
        raise InvalidInput(
            "scores", "must be between -1e100 and 1e100", shown(max(weights, key=abs))
        )
    if len(set(weights)) == 1:
        raise InvalidInput(
            "scores",
            "must not all be equal",
            found=str(weights[0]),
            remedy="every mean is that number",
        )
    return weights


def _own(sample: HistogramSample) -> dict[str, Fraction]:
    """The answers of a scale that are numbers themselves."""
    found = {}
    for name in sample.answers:
        try:
            found[name] = read_fraction("scores", name)
        except InvalidInput:
            remedy = f"give a score for each of {', '.join(sample.answers)}"
            rule = f"must be given, as the answer {name} is no number"
            raise InvalidInput("scores", rule, remedy=remedy) from None
    return found


def refuse_nobody(people: int) -> None:
    """Refuse a share where there is nobody to have it."""
    if not people:
        raise InvalidInput("groups", "must have people for shares and means", people)


def _mean(sample: HistogramSample, weights: Weights, *, name: str, confidence: float) -> Quantity:
    """Estimate a mean over people."""
    refuse_nobody(sample.people)
    terms, known = terms_of_answers(sample, weights, 1 / sample.people)
    return quantity(
        name,
        terms,
        confidence=confidence,
        least=float(min(weights)),
        most=float(max(weights)),
        groups=len(sample),
        start=known,
    )


def _adding_up(found: Mapping[str, Quantity], whole: int) -> dict[str, Quantity]:
    values = adding_up_exactly([q.value for q in found.values()], whole)
    return {
        name: replace(q, value=value)
        for (name, q), value in zip(found.items(), values, strict=True)
    }


def adding_up_exactly(values: Sequence[float], whole: int) -> list[float]:
    """Round values that add up to a whole number, but for rounding, so that floats add them up to
    it exactly.

    All become multiples of one power of two, so coarse that no sum of them is rounded and so fine
    that nothing is lost (about 14 digits); the largest takes what is left.

    >>> third = 1 / 3
    >>> (
    ...     sum([third, third, third - 1e-16, 0.0]) == 1,
    ...     sum(adding_up_exactly([third, third, third - 1e-16, 0.0], 1)) == 1,
    ... )
    (False, True)
    """
    size = max(max(map(abs, values)), whole, 1) * len(values)
    unit = 2.0 ** (int(np.ceil(np.log2(size))) - 51)
    steps = [round(value / unit) for value in values]
    steps[int(np.argmax(np.abs(values)))] += round(whole / unit) - sum(steps)
    return [step * unit for step in steps]
