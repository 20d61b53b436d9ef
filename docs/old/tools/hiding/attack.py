"""The subtraction attack: a total less the numbers beside it, for one month and for two, until nothing more follows."""

from __future__ import annotations

from tools.hiding.clinics import REGIONS, Month
from tools.hiding.today import Known, Range


def subtract(known: Known, month: Month) -> dict[str, Range]:
    """What one month's table leaves possible for each clinic, once totals and parts are held against each other."""
    left = dict(known.clinics)
    while _within_totals(left, known, month):
        pass
    return left


def subtract_both(first: Known, second: Known, march: Month, april: Month) -> tuple[dict[str, Range], dict[str, Range]]:
    """The same with two months.

    Whoever attacks takes the patients of March to be among those of April, none of them to fall ill in between, and
    diabetes to be for life. So a clinic that did not grow has the same number twice, and one that grew by d has at
    most d more.
    """
    early, late = dict(first.clinics), dict(second.clinics)
    moved = True
    while moved:
        moved = _within_totals(early, first, march) | _within_totals(late, second, april)
        for before, after in zip(march, april, strict=True):
            name, grown = before.name, after.patients - before.patients
            (low, high), (later_low, later_high) = early[name], late[name]
            narrower = max(low, later_low - grown), min(high, later_high)
            later = max(later_low, low), min(later_high, high + grown)
            moved |= (narrower, later) != (early[name], late[name])
            early[name], late[name] = narrower, later
    return early, late


def _within_totals(left: dict[str, Range], known: Known, month: Month) -> bool:
    """Narrow every clinic by its region's total and the other clinics; say whether anything moved."""
    moved = False
    for region in REGIONS:
        names = [clinic.name for clinic in month if clinic.region == region]
        least, most = known.totals[region]
        for name in names:
            others = [left[other] for other in names if other != name]
            low = max(left[name][0], least - sum(high for _, high in others))
            high = min(left[name][1], most - sum(low for low, _ in others))
            moved |= (low, high) != left[name]
            left[name] = (low, high)
    return moved


def exact(left: dict[str, Range]) -> set[str]:
    """The clinics of which the true count is known for certain."""
    return {name for name, (low, high) in left.items() if low == high}


def newcomers(early: dict[str, Range], late: dict[str, Range], march: Month, april: Month) -> set[str]:
    """The clinics whose one new patient's answer is known for certain."""
    grew = {a.name for a, b in zip(march, april, strict=True) if b.patients > a.patients}
    return {name for name in grew if late[name][0] > early[name][1] or late[name][1] == early[name][0]}
