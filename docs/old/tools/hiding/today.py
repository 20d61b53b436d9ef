"""What is done with small groups today: hiding, rounding, cell keys. Each says what its table tells a reader.

A method turns a month into `Known`: for every clinic and every region's total the smallest and the largest number that
the published table leaves possible. What is published exactly has both the same; what is hidden has 0 and everybody.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from tools.hiding.clinics import REGIONS, Clinic, Month, total

THRESHOLD = 5
BASE = 5
REACH = 2
_SEED = 7

Range = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What a published month says: a shown number for each clinic (None: hidden), and what it leaves possible."""

    shown: dict[str, int | None]
    clinics: dict[str, Range]
    totals: dict[str, Range]

    @property
    def hidden(self) -> list[str]:
        """The clinics without a number."""
        return [name for name, number in self.shown.items() if number is None]


def hide(month: Month, small: Callable[[Clinic], bool], *, next_smallest: bool) -> Known:
    """Hide the clinics that are `small`; where that is one of a region, hide the region's next smallest as well.

    The rule is public. So where a number is hidden for being 1 to 4, and surely not as the next smallest, it is 1 to 4.
    """
    hidden: dict[str, Range] = {}
    for region in REGIONS:
        members = [clinic for clinic in month if clinic.region == region]
        gone = [clinic for clinic in members if small(clinic)]
        if next_smallest and len(gone) == 1:
            gone.append(min((c for c in members if c not in gone), key=lambda c: (c.patients, c.yes)))
        by_number = small is few_cases and not (next_smallest and len(gone) == 2)
        hidden |= {c.name: (1, min(THRESHOLD - 1, c.patients)) if by_number else (0, c.patients) for c in gone}
    return Known(
        shown={c.name: None if c.name in hidden else c.yes for c in month},
        clinics={c.name: hidden.get(c.name, (c.yes, c.yes)) for c in month},
        totals={region: (total(month, region),) * 2 for region in REGIONS},
    )


def few_people(clinic: Clinic) -> bool:
    """A clinic of fewer than five patients."""
    return clinic.patients < THRESHOLD


def few_cases(clinic: Clinic) -> bool:
    """A clinic of which one to four patients have diabetes."""
    return 0 < clinic.yes < THRESHOLD


def rounded(month: Month) -> Known:
    """Every number to the nearest multiple of five, totals too."""

    def nearest(number: int) -> int:
        return BASE * ((number + BASE // 2) // BASE)

    def range_of(number: int, most: int) -> Range:
        return max(0, nearest(number) - BASE // 2), min(most, nearest(number) + BASE // 2)

    return Known(
        shown={c.name: nearest(c.yes) for c in month},
        clinics={c.name: range_of(c.yes, c.patients) for c in month},
        totals={region: range_of(total(month, region), 10**6) for region in REGIONS},
    )


def key_chances(number: int) -> dict[int, Fraction]:
    """The perturbation of one number under cell keys: at most two either way, on average nothing; 0 stays 0.

    Real tables of chances are secret or more elaborate; their noise is bounded like this one's.
    """
    if number == 0:
        return {0: Fraction(1)}
    if number == 1:
        return {0: Fraction(2, 5), 1: Fraction(3, 10), 2: Fraction(1, 5), 3: Fraction(1, 10)}
    steps = {-2: Fraction(1, 10), -1: Fraction(1, 5), 0: Fraction(2, 5), 1: Fraction(1, 5), 2: Fraction(1, 10)}
    return {number + step: chance for step, chance in steps.items()}


def cell_keys(month: Month) -> Known:
    """Every number moved by what its people's keys say: the same people get the same noise, in every table."""
    shown = {c.name: _moved(c.yes, f"{c.name}:{c.patients}") for c in month}
    sums = {region: _moved(total(month, region), f"{region}:{_people(month, region)}") for region in REGIONS}
    return Known(
        shown=dict(shown),
        clinics={c.name: _sources(shown[c.name], c.patients) for c in month},
        totals={region: _sources(number, 10**6) for region, number in sums.items()},
    )


def _people(month: Month, region: str) -> int:
    return sum(clinic.patients for clinic in month if clinic.region == region)


def _moved(number: int, people: str) -> int:
    """The published number; `people` stands for the sum of their keys."""
    chances = key_chances(number)
    place = random.Random(f"{_SEED}:{people}").random()  # noqa: S311 - plays the keys of a made-up population
    for published, chance in chances.items():
        place -= chance
        if place < 0:
            return published
    return max(chances)


def _sources(published: int, most: int) -> Range:
    """The true numbers that can be published as this one."""
    possible = [j for j in range(max(0, published - REACH), published + REACH + 1) if published in key_chances(j)]
    return min(possible), min(most, max(possible))
