"""Estimates as tables: of the groups themselves, of their subtotals, of the total."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.reading.levels.error_facts import MEAN_EXCESS, interval_ends
from discreet.reading.levels.tree import Floats, Integers, blocks
from discreet.reading.methods.sums import NORMAL
from discreet.reading.parts.fitting import Fit, Part
from discreet.reading.parts.key_codes import read_names
from discreet.reading.parts.number_table import NumberTable
from discreet.reading.quoting.interval_kinds import interval_head, part_head
from discreet.reading.totals import Quantity, outside_note, wider_note

ADD_UP = (
    "Estimates are unbiased, may lie outside 0..n, and add up to those of any larger groups of "
    "this release."
)


def subtotal_table(
    fit: Fit, columns: Sequence[Any], *, name: str, confidence: Fraction
) -> NumberTable:
    """Return n, estimate, interval and standard error of each group that some key columns make."""
    names = read_names(columns, fit.finest.names)
    return part_table(fit.part(names), name=name, confidence=confidence)


def part_table(
    part: Part,
    *,
    name: str,
    confidence: Fraction,
    intervals: tuple[Integers, Integers, str] | None = None,
) -> NumberTable:
    """Return the table of some groups; `intervals` are their lower and upper ends and how they
    were made, if known.
    """
    low, high, made = _intervals(part, confidence) if intervals is None else intervals
    error = part.facts.standard_error
    numbers = {
        "n": part.sizes,
        "estimate": part.value,
        "low": low,
        "high": high,
        "standard_error": error,
    }
    by = f" by {', '.join(part.keys)}" if part.keys else ", the total"
    head = interval_head(confidence)
    wider = wider_note(low, high, error, float(confidence))
    how = f"The {head} is a confidence interval of each row alone: {made}{wider}."
    rates = rate_columns("rate", part.keys, part.sizes, part.value, low, high)
    rate, lowest, highest = rates
    return NumberTable(
        title=f"Estimates of {name!r}{by}",
        columns={**part.keys, **numbers, **rates},
        keys=tuple(part.keys),
        notes=(
            *outside_note(part.value, low, high),
            how,
            ADD_UP,
        ),
        brief=(*outside_note(part.value, low, high), how),
        spans={"low": (head, "high"), lowest: (part_head("rate", confidence), highest)},
        shares=(rate, lowest, highest),
        spare=("standard_error", lowest, rate),
    )


def rate_columns(
    name: str, keys: Iterable[str], sizes: Integers, *numbers: NDArray[Any]
) -> dict[str, Floats]:
    """Return an estimate and its ends as parts of their groups, under names that no key has; NaN
    where nobody is.

    >>> {
    ...     name: found.tolist()
    ...     for name, found in rate_columns("rate", ["rate"], np.array([8]), np.array([2])).items()
    ... }
    {'rate_': [0.25]}
    """
    found, taken = {}, set(keys)
    for part, values in zip((name, f"{name}_low", f"{name}_high"), numbers, strict=False):
        free = part
        while free in taken:
            free += "_"
        found[free] = np.divide(values, sizes, out=np.full(len(sizes), np.nan), where=sizes > 0)
    return found


def _intervals(part: Part, confidence: Fraction) -> tuple[Integers, Integers, str]:
    groups = len(part.sizes)
    low, high = np.empty(groups, dtype=np.int64), np.empty(groups, dtype=np.int64)
    for rows in blocks(groups):
        margins = part.facts.rows(rows).margins(float(confidence))
        low[rows], high[rows] = interval_ends(part.value[rows], margins, 0, part.sizes[rows])
    return low, high, method(part)


def part_quantity(
    name: str, part: Part, *, confidence: Fraction, groups: int, least: float = 0.0
) -> Quantity:
    """Return the estimate of a part of one row."""
    low, high = interval_ends(part.value, part.facts.margins(float(confidence)), least, part.sizes)
    return Quantity(
        name=name,
        value=float(part.value[0]),
        low=float(low[0]),
        high=float(high[0]),
        standard_error=float(part.facts.standard_error[0]),
        confidence=float(confidence),
        groups=groups,
        method=method(part),
    )


def method(part: Part) -> str:
    """Say what the intervals rest on."""
    many = part.facts.many
    if many.all():
        return NORMAL
    return (
        f"in rows of many groups {NORMAL}, in others {MEAN_EXCESS}" if many.any() else MEAN_EXCESS
    )
