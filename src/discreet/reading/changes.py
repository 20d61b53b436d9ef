"""Comparing two sets of groups, and merging several releases of the same people.

The noise of different groups, and of different releases, is independent, so a difference or a weighted mean of
debiased sums is again a sum of independent terms: the same bounds (`sums`) give its interval.

Released numbers do not add up across releases: the private count of a region and the private counts of its
districts, released separately, carry noise of their own, and so do two releases of one table. Within *one*
release the debiased totals of parts do add up to the debiased total of the whole. Two releases are two
measurements of one truth: merge them, do not choose the nicer one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.errors import InvalidInput
from discreet.reading.methods.sums import Term
from discreet.reading.totals import (
    Histograms,
    Quantity,
    count_score,
    quantity,
    size_of,
    terms_of,
)


def difference(first: Histograms, second: Histograms, *, confidence: float = 0.95) -> Quantity:
    """Estimate the difference of two rates (first less second), for disjoint sets of groups or for two releases."""
    (groups, people), (other_groups, other_people) = size_of(first), size_of(second)
    if not people or not other_people:
        raise InvalidInput("difference", "needs people on both sides", f"{people} and {other_people}")
    terms = terms_of(first, 1 / people) + terms_of(second, -1 / other_people)
    return quantity(
        "difference of rates", terms, confidence=confidence, least=-1.0, most=1.0, groups=groups + other_groups
    )


def combined_total(releases: Sequence[Histograms], *, confidence: float = 0.95) -> Quantity:
    """Estimate the total of one set of groups from several releases of it.

    Each release gives the same groups in the same classes: `releases[r][c]` is (mechanism, tally) of class
    c. Within a class the releases are weighted by the inverse of their mean noise variance over true counts,
    which the matrices alone fix, so the result stays unbiased.
    """
    classes = len(releases[0])
    if any(len(r) != classes for r in releases):
        raise InvalidInput("releases", "must be of the same groups", "different numbers of classes")
    terms: list[Term] = []
    for c in range(classes):
        parts = [release[c] for release in releases]
        if len({(m.n, seen.groups) for m, seen in parts}) != 1:
            raise InvalidInput("releases", "must be of the same groups", "different sizes or numbers of groups")
        if not parts[0][0].n or not parts[0][1].groups:
            continue
        precision = np.array([1 / max(count_score(m).mean_variance, 1e-12) for m, _ in parts])
        weights = precision / precision.sum()
        terms += [
            Term(score=count_score(m), outputs=seen.times, support=seen.outputs, weight=float(w))
            for (m, seen), w in zip(parts, weights, strict=True)
        ]
    groups, people = size_of(releases[0])
    return quantity("total", terms, confidence=confidence, least=0.0, most=float(people), groups=groups, whole=True)
