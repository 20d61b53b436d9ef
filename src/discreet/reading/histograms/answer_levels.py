"""Several tables of one release about the same people, read as one: the weight of each.

Each level of a release (teams, regions, all) was drawn by itself, so each gives an unbiased estimate of the same sum
with independent noise. They are averaged with weights inverse to their worst noise, summed over the answers. Weights
are fixed by the mechanisms, never by what came out, so the average is unbiased; and they are the same for all answers,
so that estimates still add up. A level from which nothing can be estimated has no weight.

A part of the groups is read from those levels that have its key columns; so the parts of a release that has several
levels add up to the whole in expectation, and not exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.reading.histograms.answer_values import unit_weights
from discreet.reading.methods.debiasing import NotEstimable
from discreet.reading.strata import rows_by_key

if TYPE_CHECKING:
    from fractions import Fraction

    from discreet.reading.histograms.histogram_sample import HistogramSample
    from discreet.reading.methods.sums import Term

    OneLevel = Callable[[HistogramSample, Sequence[Fraction], float], tuple[list[Term], float]]


def level_weights(sample: HistogramSample, read: OneLevel) -> list[tuple[HistogramSample, float]]:
    """Return the levels that tell something, each with its weight; weights add up to 1."""
    if not sample.coarser:
        return [(sample, 1.0)]
    k, noise, reason = len(sample.answers), [], None
    for level in (replace(sample, coarser=()), *sample.coarser):
        try:
            terms = [term for c in range(k) for term in read(level, unit_weights(k, c), 1.0)[0]]
        except NotEstimable as error:
            reason = reason or error
            continue
        noise.append((level, sum(term.groups * term.most for term in terms)))
    if not noise:
        raise reason or NotEstimable("there is no level")
    if known := [level for level, variance in noise if variance == 0]:
        return [(known[0], 1.0)]  # nobody is in these groups
    total = sum(1 / variance for _, variance in noise)
    return [(level, 1 / variance / total) for level, variance in noise]


def strata(sample: HistogramSample, columns: Sequence[str]) -> dict[tuple[Any, ...], HistogramSample]:
    """Split by the values of some key columns, with those coarser levels that have them."""
    found = {key: sample.part(np.array(rows)) for key, rows in rows_by_key(sample, columns).items()}
    levels = [level for level in sample.coarser if set(columns) <= set(level.keys)]
    rows_of = [(level, rows_by_key(level, columns)) for level in levels]
    for key, part in found.items():
        coarser = [level.part(np.array(rows[key])) for level, rows in rows_of if key in rows]
        found[key] = replace(part, coarser=tuple(level for level in coarser if level.people == part.people))
    return found
