"""What a publisher would print of a release of the clinics: numbers to quote, intervals, and where there is no number.

The rule is the library's own (`Estimate.quotable`). Of a single clinic it gives a credible interval, of a sum a
confidence interval.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from tools.hiding.clinics import Month, months
from tools.hiding.comparing import EPSILON
from tools.hiding.today import Known

from discreet.core.named import geometric
from discreet.reading.estimates import Estimate, estimate
from discreet.reading.quoting.interval_kinds import says_little, too_wide

SHOWN_SEED, MANY_SEED = 3, 4
"""Of the release in all pictures, which is the first that this seed draws; and of the many that are averaged over."""
RELEASES = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """What is printed of a clinic, a region or all: `number` is None where only the interval may be quoted."""

    number: int | None
    low: int
    high: int
    people: int

    @property
    def little(self) -> bool:
        """Whether the interval says next to nothing: it is three quarters of the people or more."""
        return bool(too_wide(self.low, self.high, self.people))

    @property
    def share(self) -> float:
        """How much of its people the interval spans."""
        return (self.high - self.low) / self.people


def draws(every: Sequence[Month], seed: int) -> Iterator[list[list[int]]]:
    """Releases of these months by GM, one after the other; a release proper has its own door for randomness."""
    chance = random.Random(seed)  # noqa: S311 - drawings of made-up people
    while True:
        yield [
            [chance.choices(range(c.patients + 1), _weights(c.patients, c.yes))[0] for c in month] for month in every
        ]


@cache
def _weights(n: int, count: int) -> list[float]:
    column: tuple[Fraction, ...] = geometric(n=n, epsilon=EPSILON).column(count)
    return [float(chance) for chance in column]


def read(month: Month, released: Sequence[int]) -> Estimate:
    """Read the numbers of a release by region and clinic, as its folder would be read."""
    sizes = [clinic.patients for clinic in month]
    found: Any = estimate(released, mechanism={n: geometric(n=n, epsilon=EPSILON) for n in set(sizes)}, sizes=sizes)
    keys = {
        "region": np.array([clinic.region for clinic in month]),
        "clinic": np.array([clinic.name for clinic in month]),
    }
    read: Estimate = replace(found, sample=replace(found.sample, keys=keys))
    return read


@cache
def shown() -> tuple[Estimate, ...]:
    """March and April as every picture shows them: the first release of both that the seed draws, whatever it is."""
    return tuple(read(month, drawn) for month, drawn in zip(months(), next(draws(months(), SHOWN_SEED)), strict=True))


def of_clinics(found: Estimate) -> dict[str, Printed]:
    """What is printed of each clinic, with its credible interval."""
    return _rows(found.quotable().columns, "clinic")


def of_regions(found: Estimate) -> dict[str, Printed]:
    """What is printed of each region, with its confidence interval."""
    return _rows(found.quotable("region").columns, "region")


def of_all(found: Estimate) -> Printed:
    """What is printed of all clinics together, with its confidence interval."""
    ends = round(found.total.low), round(found.total.high)
    return Printed(number=found.adding_up().total, low=ends[0], high=ends[1], people=found.people)


def _rows(columns: Any, key: str) -> dict[str, Printed]:
    names = (key, "number", "low", "high", "people")
    return {
        str(name): Printed(number=number, low=int(low), high=int(high), people=int(n))
        for name, number, low, high, n in zip(*(columns[name] for name in names), strict=True)
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Many:
    """Over many releases of one table: clinics without a number to quote, and how wide intervals are, on average."""

    without: float
    usual: tuple[int, int]
    """Between these lies the number of clinics without one in at least nine of ten releases."""
    little: float
    spans: tuple[float, float, float]
    """The share of its people that the interval of a clinic, of a region and of the total spans."""


@cache
def many(month: Month, releases: int = RELEASES) -> Many:
    """Release a table many times and count."""
    without, little, spans = [], [], []
    for _, (released,) in zip(range(releases), draws([month], MANY_SEED), strict=False):
        found = read(month, released)
        clinics = of_clinics(found)
        without.append(sum(one.number is None for one in clinics.values()))
        little.append(sum(one.little for one in clinics.values()))
        spans.append(widths(found))
    ends = np.quantile(without, [0.05, 0.95], method="inverted_cdf")
    clinic, region, whole = (float(mean) for mean in np.mean(spans, axis=0))
    return Many(
        without=float(np.mean(without)),
        usual=(int(ends[0]), int(ends[1])),
        little=float(np.mean(little)),
        spans=(clinic, region, whole),
    )


def widths(found: Estimate) -> tuple[float, float, float]:
    """The share of its people that an interval spans: of a clinic and of a region on average, and of the total."""
    clinic, region = (float(np.mean([one.share for one in part(found).values()])) for part in (of_clinics, of_regions))
    return clinic, region, of_all(found).share


def without_number(method: Callable[[Month], Known], month: Month) -> int:
    """How many clinics have no number that may be quoted alone, by the same rule, under one of today's methods.

    The interval of a number is what its method leaves possible: a rounded 0 may be 0 to 2.
    """
    known = method(month)
    return sum(
        (number := known.shown[c.name]) is None or bool(says_little(number, *known.clinics[c.name], c.patients))
        for c in month
    )
