"""The numbers of the click-through in docs/hiding.md: the subtraction in the region West, and what it gets from us.

Every step is two rows of cells, March and April: a look, what stands in the cell, and whether the step is about it; and
the ways that a number takes from one cell to another.
The page's script (docs/figures/subtraction.js) shows them and computes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tools.hiding.clinics import Clinic, Month, months, total
from tools.hiding.comparing import EPSILON, METHODS, surest
from tools.hiding.printed_numbers import SHOWN_SEED, Printed, draws, of_clinics, of_regions, read
from tools.hiding.today import THRESHOLD

from discreet.core.named import geometric

REGION, GROWN = "West", "W4"
DRAWS = 12


def region() -> tuple[Month, Month]:
    """The clinics of one region, in both months."""
    march, april = ([clinic for clinic in month if clinic.region == REGION] for month in months())
    return tuple(march), tuple(april)


def attack() -> list[dict[str, Any]]:
    """The steps of a reader who has what was published, and knows that no patient left or fell ill in between."""
    whole = months()
    method = METHODS["... and the next smallest"]
    march, april = region()
    early, late = (
        {c.name: method(month).shown[c.name] for c in part} for month, part in zip(whole, (march, april), strict=True)
    )
    sums = [total(month, REGION) for month in whole]
    gone = {name for name in early if early[name] is None} | {name for name in late if late[name] is None}
    steps: list[dict[str, Any]] = []

    def step(title: str, words: str, *about: str, line: str = "", ways: tuple[tuple[str, str], ...] = ()) -> None:
        marked = [_cells(name, numbers, about) for name, numbers in (("March", early), ("April", late))]
        totals = [["total", str(number), f"total {k}" in about] for k, number in enumerate(sums)]
        steps.append({"title": title, "words": words, "line": line, "ways": ways, "cells": marked, "totals": totals})

    found: set[str] = set()

    def _cells(month: str, numbers: Mapping[str, int | None], about: tuple[str, ...]) -> list[list[Any]]:
        cells: list[list[Any]] = []
        for name, number in numbers.items():
            look = "hidden" if number is None else "back" if f"{month} {name}" in found else "shown"
            cells.append([look, "?" if number is None else str(number), f"{month} {name}" in about])
        return cells

    def rest(numbers: Mapping[str, int | None], whole: int) -> tuple[int, str]:
        parts = [number for number in numbers.values() if number is not None]
        left = whole - sum(parts)
        return left, f"{whole} − {' − '.join(map(str, parts))} = {left}"

    small = next(name for name in early if early[name] is None and late[name] is None)
    same = next(name for name in gone if late[name] is None and name != small)
    step(
        "What is published",
        f"How many patients of each clinic have diabetes. {small} has fewer than {THRESHOLD} patients, so it is "
        "hidden, and so is the next smallest clinic of the region. The reader also knows that no patient left or fell "
        "ill in between.",
    )
    step(
        "The totals are published too",
        "Two clinics are hidden in each month, so that neither total gives one of them away.",
        "total 0",
        "total 1",
    )
    late[same] = early[same]
    found.add(f"April {same}")
    patients = next(c.patients for c in april if c.name == same)
    step(
        "Two months overlap",
        f"{same} has {patients} patients in both months. Nobody left, so they are the same people, and diabetes is for "
        "life. So its hidden number in April is that of March.",
        f"March {same}",
        f"April {same}",
        ways=((f"March {same}", f"April {same}"),),
    )
    late[small], line = rest(late, sums[1])
    found.add(f"April {small}")
    step(
        "Subtract",
        f"April's total less the five known numbers leaves {small}.",
        f"April {small}",
        "total 1",
        line=line,
        ways=(("April total", f"April {small}"),),
    )
    early[small] = late[small]
    early[GROWN], line = rest(early, sums[0])
    found |= {f"March {small}", f"March {GROWN}"}
    step(
        "And once more",
        f"{small} has as many patients in March as in April. Nobody left, so its number is the same too. March's total "
        f"less the five known numbers leaves {GROWN}.",
        f"March {GROWN}",
        f"March {small}",
        "total 0",
        line=line,
        ways=((f"April {small}", f"March {small}"), ("March total", f"March {GROWN}")),
    )
    before, after = _clinic(march), _clinic(april)
    step(
        "One person's answer",
        f"{GROWN}: {early[GROWN]} of {before.patients} in March, {late[GROWN]} of {after.patients} in April. Nobody "
        f"left, so the one new patient has diabetes. No group of fewer than {THRESHOLD} was ever shown.",
        f"March {GROWN}",
        f"April {GROWN}",
    )
    return steps


def _clinic(month: Month) -> Clinic:
    return next(clinic for clinic in month if clinic.name == GROWN)


def releases() -> list[dict[str, Any]]:
    """Draws of both months: the interval of each clinic and of the region, and how sure the new patient's yes is.

    That is for somebody who knows all others of the clinic and thought yes and no equally likely before. March says
    nothing more about somebody who came in April. The first draw is that of all pictures.
    """
    known = _clinic(months()[1]).yes - 1  # of the others
    m = geometric(n=_clinic(months()[1]).patients, epsilon=EPSILON)
    place = [c.name for c in months()[1]].index(GROWN)
    found = []
    for _, both in zip(range(DRAWS), draws(months(), SHOWN_SEED), strict=False):
        cells, totals, missed = [], [], []
        for name, month, released in zip(("March", "April"), months(), both, strict=True):
            reading = read(month, released)
            clinics = of_clinics(reading)
            members = [c for c in month if c.region == REGION]
            rows = [(c.name, clinics[c.name], c.yes) for c in members]
            rows.append(("the total", of_regions(reading)[REGION], total(month, REGION)))
            *clinic_cells, whole = ([_interval(one), f"of {one.people}"] for _, one, _ in rows)
            cells.append(clinic_cells)
            totals.append(whole)
            missed += [f"{row} in {name}" for row, one, truth in rows if not one.low <= truth <= one.high]
        yes, no = (m[both[1][place], others] for others in (known + 1, known))
        sure = f"{float(Fraction(yes, yes + no)):.0%}"
        found.append({"cells": cells, "totals": totals, "sure": sure, "missed": _listed(missed)})
    return found


def _listed(missed: list[str]) -> str:
    """Which intervals of a draw miss the truth, as the end of a sentence."""
    if len(missed) > 1:
        return f"those of {' and '.join(missed)} do"
    return f"that of {missed[0]} does" if missed else "none does"


def _interval(one: Printed) -> str:
    return f"{one.low} to {one.high}"


def numbers() -> dict[str, Any]:
    """All that the figure shows."""
    march, april = region()
    return {
        "region": REGION,
        "clinics": [[before.name, before.patients, after.patients] for before, after in zip(march, april, strict=True)],
        "steps": attack(),
        "grown": GROWN,
        "epsilon": EPSILON,
        "releases": releases(),
        "most": f"{surest(EPSILON):.0%}",
        "least": f"{1 - surest(EPSILON):.0%}",
    }


def script() -> str:
    """The file docs/figures/subtraction-numbers.js."""
    return (
        f"// Written by `python -m tools.hiding`.\nwindow.SUBTRACTION = {json.dumps(numbers(), ensure_ascii=False)};\n"
    )
