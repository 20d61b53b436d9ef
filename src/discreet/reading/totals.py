"""Unbiased totals, means and rates of many groups, with intervals.

The true counts of the released groups are fixed numbers; the only thing random is the mechanism's
noise, whose law is known. So `total` estimates sum_k x_k of *these* groups, not of a population
they were drawn from. The terms are described in `sums`.

An estimate can fall outside the possible range (0 to the number of people); it is reported as it
is, because cutting it would bias sums of estimates. Its interval is laid around the nearest
possible value, estimate cut to the range, and then cut itself: that can only move the interval
towards the truth, and it never becomes empty or falsely short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.core.forms import ColumnHonest, Fair, Geometric, Uniform, WeaklyHonest
from discreet.reading.methods.closed_scores import closed_score
from discreet.reading.methods.debiasing import LARGEST_SIZE, SINGULAR, NotEstimable, Score, score
from discreet.reading.methods.sums import Term, margins, method, standard_error

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.reading.methods.debiasing import Floats, Integers


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tally:
    """Which outputs were released, in ascending order, and how often each."""

    outputs: Integers
    times: Floats

    @property
    def groups(self) -> int:
        """How many groups."""
        return int(self.times.sum())


def tally(outputs: Integers) -> Tally:
    """Count how often each output occurs; a group may be so large that no array holds all that
    could.

    >>> tally(np.array([7, 0, 7])).times.tolist()
    [1.0, 2.0]
    """
    seen, times = np.unique(outputs, return_counts=True)
    return Tally(outputs=seen, times=times.astype(np.float64))


Histograms = Sequence[tuple["Mechanism", Tally]]
"""One entry per mechanism: how often it released each output."""


def outside_note(values: Any, low: Any, high: Any) -> tuple[str, ...]:
    """Why some estimates lie outside their intervals, where some do.

    >>> outside_note([-27.2, 3.0], [0, 0], [47, 9])[0][:47]
    '1 estimate is below 0 or above n: it is kept, s'
    """
    value, least, most = (np.asarray(each, dtype=np.float64) for each in (values, low, high))
    many = int(((value < least - 0.05) | (value > most + 0.05)).sum())
    if not many:
        return ()
    which, kept, its = (
        ("estimate is", "it is", "its interval is")
        if many == 1
        else ("estimates are", "they are", "their intervals are")
    )
    return (
        f"{many:,} {which} below 0 or above n: {kept} kept, so that sums stay right, and {its} "
        "laid around the nearest possible number.",
    )


def wider_note(low: Any, high: Any, error: Any, confidence: float) -> str:
    """Say that some intervals are wider than the normal law alone would make them, where some are.

    It follows how they were made, which is the reason.

    >>> wider_note([62, 50], [91, 70], [6.4, 5.2], 0.95)
    ', so some are wider than 1.96 std errors'
    """
    least, most, errors = (np.asarray(each, dtype=np.float64) for each in (low, high, error))
    normal = NormalDist().inv_cdf((1 + float(confidence)) / 2)
    wider = (most - least) / 2 > 1.01 * normal * errors
    if not wider.any():
        return ""
    return f", so {'' if wider.all() else 'some are '}wider than {normal:.3g} std errors"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """An estimate of one number: unbiased value, standard error, interval, and how the interval
    was made.
    """

    name: str
    value: float
    low: float
    high: float
    standard_error: float
    confidence: float
    groups: int
    method: str

    def __float__(self) -> float:
        return self.value

    @property
    def outside(self) -> str:
        """Why the value lies outside its interval, if it does: only the interval is cut to what
        is possible.
        """
        places, ends = self._places
        if round(self.value, places) > round(self.high, places):
            return f"above the possible {self.high:,.{ends}f}: kept, to stay unbiased"
        if round(self.value, places) < round(self.low, places):
            return f"below the possible {self.low:,.{ends}f}: kept, to stay unbiased"
        return ""

    @property
    def wider(self) -> str:
        """That the interval is wider than the normal law alone would make it, if it is: it
        follows `method`.
        """
        return wider_note(self.low, self.high, self.standard_error, self.confidence)

    @property
    def _places(self) -> tuple[int, int]:
        return (1, 0) if self.name in ("total", "change") else (4, 4)

    def __str__(self) -> str:
        places, ends = self._places
        return (
            f"{self.name} {self.value:z,.{places}f} [{self.low:z,.{ends}f}, "
            f"{self.high:z,.{ends}f}] at {self.confidence}, {self.groups:,} "
            f"group{'' if self.groups == 1 else 's'}"
            + (f" ({self.outside})" if self.outside else "")
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from discreet.show.html import preformatted

        return preformatted(str(self))


@lru_cache(maxsize=1024)
def count_score(mechanism: Mechanism) -> Score:
    """Return the debiased score of a mechanism's outputs: v with sum_i v_i Pr[i|x] = x.

    >>> from discreet.core.named import geometric
    >>> [str(v) for v in count_score(geometric(n=3, alpha="1/2")).exact]
    ['-1', '1', '2', '4']
    """
    form = mechanism.form
    if (
        isinstance(form, (Geometric, Fair, WeaklyHonest, ColumnHonest))
        and form.n
        and form.alpha < 1
    ):
        return closed_score(form)
    if isinstance(form, (Geometric, Uniform)) and form.n:
        raise NotEstimable(SINGULAR)
    return score(form, range(form.n + 1), array=mechanism.array if form.n <= LARGEST_SIZE else None)


def terms_of(histograms: Histograms, weight: float = 1.0) -> list[Term]:
    """Return the terms of the sum of weight * x_k over all groups."""
    return [
        Term(score=count_score(m), outputs=seen.times, support=seen.outputs, weight=weight)
        for m, seen in histograms
        if seen.groups and m.n
    ]


def quantity(
    name: str,
    terms: Sequence[Term],
    *,
    confidence: float,
    least: float,
    most: float,
    groups: int,
    whole: bool = False,
    start: float = 0.0,
) -> Quantity:
    """Put an estimate and its interval together; `whole` for a target known to be a whole number.

    `start` is what is known without noise.
    """
    value = sum((t.value for t in terms), start)
    below, above = margins(terms, confidence)
    inside = min(max(value, least), most)
    low, high = max(inside - below, least), min(inside + above, most)
    if whole:
        low, high = whole_ends(low, high, inside)
    return Quantity(
        name=name,
        value=value,
        low=low,
        high=high,
        standard_error=standard_error(terms),
        confidence=confidence,
        groups=groups,
        method=method(terms),
    )


def whole_ends(low: float, high: float, inside: float) -> tuple[int, int]:
    """The ends of an interval for a whole number move inward to one; the guard absorbs float
    rounding.
    """
    first, last = ceil(low - 1e-9 * (1 + abs(low))), floor(high + 1e-9 * (1 + abs(high)))
    return min(first, floor(inside)), max(last, ceil(inside))


ONE_GROUP = "exact, of one group"


def total(histograms: Histograms, *, confidence: float = 0.95) -> Quantity:
    """Estimate the total of the true counts of all groups; of one group, with the interval it
    has in every table.
    """
    groups, people = size_of(histograms)
    if groups == 1:
        return _of_one_group(histograms, confidence)
    terms = terms_of(histograms)
    return quantity(
        "total",
        terms,
        confidence=confidence,
        least=0.0,
        most=float(people),
        groups=groups,
        whole=True,
    )


def _of_one_group(histograms: Histograms, confidence: float) -> Quantity:
    """The count of one group with its exact interval, widened where that would not hold the
    estimate.
    """
    from discreet.reading.group import output_intervals

    ((mechanism, seen),) = [(m, seen) for m, seen in histograms if seen.groups]
    terms = terms_of([(mechanism, seen)])
    value = sum((t.value for t in terms), 0.0)
    (low,), (high,) = output_intervals(mechanism, seen.outputs, Fraction(str(confidence)))
    low, high = whole_ends(float(low), float(high), min(max(value, 0.0), float(mechanism.n)))
    return Quantity(
        name="total",
        value=value,
        low=low,
        high=high,
        standard_error=standard_error(terms),
        confidence=confidence,
        groups=1,
        method=ONE_GROUP,
    )


def rate(histograms: Histograms, *, confidence: float = 0.95) -> Quantity:
    """Estimate the share of people counted: the total over the number of people."""
    groups, people = size_of(histograms)
    if groups == 1 and people:
        return _over(total(histograms, confidence=confidence), people, "rate")
    terms = terms_of(histograms, 1 / people) if people else []
    return quantity("rate", terms, confidence=confidence, least=0.0, most=1.0, groups=groups)


def mean(histograms: Histograms, *, confidence: float = 0.95) -> Quantity:
    """Estimate the mean true count per group."""
    groups, people = size_of(histograms)
    if groups == 1:
        return _over(total(histograms, confidence=confidence), 1, "mean")
    terms = terms_of(histograms, 1 / groups)
    return quantity(
        "mean", terms, confidence=confidence, least=0.0, most=people / groups, groups=groups
    )


def _over(found: Quantity, divisor: int, name: str) -> Quantity:
    parts = {
        part: getattr(found, part) / divisor for part in ("value", "low", "high", "standard_error")
    }
    return replace(found, name=name, **parts)


def size_of(histograms: Histograms) -> tuple[int, int]:
    """Return how many groups and how many people."""
    groups = sum(seen.groups for _, seen in histograms)
    return groups, sum(m.n * seen.groups for m, seen in histograms)
