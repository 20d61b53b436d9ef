"""The made-up table: how many patients of 24 small clinics have diabetes, in March and in April."""

from __future__ import annotations

import random
from dataclasses import dataclass

REGIONS = ("North", "East", "South", "West")
_EACH = 6
_RATE = 0.3
SEED = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Clinic:
    """One clinic in one month: its patients, and how many of them have diabetes (which is for life)."""

    region: str
    name: str
    patients: int
    yes: int


Month = tuple[Clinic, ...]


def months(seed: int = SEED) -> tuple[Month, Month]:
    """March and April. Between them every third clinic gets one new patient; nobody leaves, nobody's answer changes."""
    chance = random.Random(seed)  # noqa: S311 - a made-up population, not noise
    march, april = [], []
    for k, region in enumerate(REGIONS):
        for place in range(_EACH):
            patients = chance.choice((3, 4, 5, 6, 6, 7, 8, 9))
            yes = sum(chance.random() < _RATE for _ in range(patients))
            newcomer = int(place % 3 == k % 3)
            grown = yes + newcomer * int(chance.random() < _RATE)
            name = f"{region[0]}{place + 1}"
            march.append(Clinic(region=region, name=name, patients=patients, yes=yes))
            april.append(Clinic(region=region, name=name, patients=patients + newcomer, yes=grown))
    return tuple(march), tuple(april)


def total(month: Month, region: str) -> int:
    """How many patients of a region have diabetes."""
    return sum(clinic.yes for clinic in month if clinic.region == region)
