"""Comparing the rates of two sets of groups.

The noise of different groups, and of different releases, is independent, so a difference of
debiased sums is again a sum of independent terms: the same bounds (`sums`) give its interval.
"""

from __future__ import annotations

from discreet.errors import InvalidInput
from discreet.reading.totals import Histograms, Quantity, quantity, size_of, terms_of


def difference(first: Histograms, second: Histograms, *, confidence: float = 0.95) -> Quantity:
    """Estimate the difference of two rates (first less second), for disjoint sets of groups or
    for two releases.
    """
    (groups, people), (other_groups, other_people) = size_of(first), size_of(second)
    if not people or not other_people:
        raise InvalidInput(
            "difference", "needs people on both sides", f"{people} and {other_people}"
        )
    terms = terms_of(first, 1 / people) + terms_of(second, -1 / other_people)
    return quantity(
        "difference of rates",
        terms,
        confidence=confidence,
        least=-1.0,
        most=1.0,
        groups=groups + other_groups,
    )
