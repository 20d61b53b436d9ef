"""Weighted sums of all groups' answers, unbiased and with intervals: totals, shares, means of
scales, differences.

Every such number is sum_g sum_c a_c t_gc for weights a: one answer's total has a = (0, .., 1, ..,
0), the mean of a scale has its scores over the number of people, a difference of two answers has 1
and -1. A group contributes a term with the law of its noise, and the bounds of `methods.sums` make
the interval, as for counts:

    drawn together       sum_c a_c v_c(o), with the values of `answer_values` and the law of
                         `weighted_law`
    one of two answers   (a_1 - a_2) v(y) + a_2 n, with v the debiased count
    cell by cell         sum_c (a_c - m) v(y_c) + m n, with m the mean of the weights

The debiased counts of cells add up to n in expectation only. Taking an equal share of the rest from
each makes them add up, keeps them unbiased, and is the least-squares choice; the third line is what
that gives. Cells are drawn independently, so each is a term of its own. Weights, and not released
numbers, decide every bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from discreet.core.forms import Folded
from discreet.reading.histograms.answer_values import answer_values
from discreet.reading.histograms.histogram_sample import point_numbers
from discreet.reading.histograms.weighted_law import points_of, weighted_law
from discreet.reading.methods.debiasing import describe
from discreet.reading.methods.sums import Term
from discreet.reading.totals import count_score

if TYPE_CHECKING:
    from discreet.reading.histograms.histogram_sample import HistogramSample
    from discreet.reading.histograms.weighted_law import Weights
    from discreet.reading.methods.debiasing import Integers, Score
    from discreet.reading.totals import Tally


@lru_cache(maxsize=256)
def weighted_score(form: Folded, weights: Weights) -> tuple[Score, Integers]:
    """Return the debiased score of a weighted sum, by kinds of outputs, and the kind of each output
    (-1: never given).

    Exchanging answers of one class exchanges their weights, so there is one score for all orders of
    the weights.

    >>> from discreet.core.histogram import Histogram
    >>> form = Folded(Histogram(1, 3), (0, 0, 0), (2, 1), 4)
    >>> score, kind = weighted_score(form, (Fraction(0), Fraction(1), Fraction(2)))
    >>> score.values[kind].tolist()
    [5.0, 1.0, -3.0]
    """
    order = sorted(range(len(weights)), key=lambda c: (form.classes[c], -weights[c]))
    slots = sorted(range(len(weights)), key=lambda c: form.classes[c])
    taken = [
        answer for _, answer in sorted(zip(slots, order, strict=True))
    ]  # whose weight each answer is given
    score, place = _ordered_score(form, tuple(weights[c] for c in taken))
    return score, place[point_numbers(form, points_of(form)[:, taken])]


@lru_cache(maxsize=256)
def _ordered_score(form: Folded, weights: Weights) -> tuple[Score, Integers]:
    values, law = answer_values(form), weighted_law(form, weights)
    place = np.where(law.given, np.cumsum(law.given) - 1, -1)[law.kind]
    used, first = np.unique(place, return_index=True)
    at = values[first[used >= 0]] @ np.array([float(a) for a in weights])
    wanted = np.array([float(f) for f in law.target])
    return describe(law.chances[law.given], wanted, at, what="the sum", n=form.n), place


def terms_of_answers(
    sample: HistogramSample, weights: Sequence[Fraction], scale: float = 1.0
) -> tuple[list[Term], float]:
    """Return the terms of scale * sum_g sum_c a_c t_gc, and the part of it that no noise is in."""
    terms: list[Term] = []
    known = 0.0
    for mechanism, tallies in sample.tallies:
        form, groups = mechanism.form, tallies[0].groups
        if len(set(weights)) == 1:  # the same for every answer: nothing but people is counted
            known += scale * float(weights[0]) * mechanism.n * groups
        elif isinstance(form, Folded):
            score, place = weighted_score(form, tuple(weights))
            times = np.zeros(score.n + 1)
            np.add.at(times, place[tallies[0].outputs], tallies[0].times)
            terms.append(Term(score=score, outputs=times, weight=scale))
        else:
            middle = weights[1] if len(weights) == 2 else sum(weights, Fraction(0)) / len(weights)
            terms += _cell_terms(
                count_score(mechanism), tallies, [weight - middle for weight in weights], scale
            )
            known += scale * float(middle) * mechanism.n * groups
    return terms, known


def _cell_terms(
    score: Score, tallies: list[Tally], weights: list[Fraction], scale: float
) -> list[Term]:
    """A term for the cells of each weight other than 0."""
    alike: dict[Fraction, list[Tally]] = {}
    for weight, drawn in zip(
        weights, tallies, strict=False
    ):  # of two answers only the first was drawn
        alike.setdefault(weight, []).append(drawn)
    return [
        Term(
            score=score,
            outputs=np.concatenate([drawn.times for drawn in same]),
            support=np.concatenate([drawn.outputs for drawn in same]),
            weight=scale * float(weight),
        )
        for weight, same in alike.items()
        if weight
    ]
