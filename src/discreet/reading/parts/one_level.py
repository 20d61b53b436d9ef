"""Subtotals of a release of one level: each has the interval that its groups have when they are
read by themselves.

So `e.subtotals("region")` and `e.by("region")[...].total` say the same. Of one group that is the
exact interval of its released number (`group_table`). Of a few groups it is the worst case over
true counts (`methods.sums`), worked out for every sum: where there are too many of them, all sums
get the bound of `levels.error_facts`, which holds too and is wider. Which of them depends on the
sizes of groups alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from discreet.reading import totals
from discreet.reading.group_table import group_table
from discreet.reading.levels.tree import Floats, Integers, sum_by
from discreet.reading.methods.sums import FEW_GROUPS
from discreet.reading.parts.fitting import Fit
from discreet.reading.parts.key_codes import Codes, read_names
from discreet.reading.parts.number_table import NumberTable
from discreet.reading.parts.subtotal_table import part_table
from discreet.reading.samples import Sample

MOST_SUMS, MOST_WORK = 200, 2e9
"""How many sums are worked out one by one, and in how many multiplications: some seconds."""
_CELLS = 800
"""Cells of the worst case's two grids for each group of a sum; at least those of eight groups."""


def one_level_subtotals(
    fit: Fit, sample: Sample, columns: Sequence[Any], *, name: str, confidence: Fraction
) -> NumberTable:
    """Return n, estimate, interval and standard error of each group that some key columns make."""
    names = read_names(columns, fit.finest.names)
    part, groups = fit.part(names), fit.codes(names)
    if groups.groups == len(sample):
        low, high = _of_single_groups(sample, groups, part.value, confidence)
        return part_table(
            part, name=name, confidence=confidence, intervals=(low, high, totals.ONE_GROUP)
        )
    if not _affordable(groups, sample.sizes):
        return part_table(part, name=name, confidence=confidence)
    order = np.argsort(groups.of_row, kind="stable")
    ends = np.searchsorted(groups.of_row[order], np.arange(1, groups.groups))
    found = [
        totals.total(sample.part(rows).histograms, confidence=float(confidence))
        for rows in np.split(order, ends)
    ]
    intervals = np.array([(q.low, q.high) for q in found], dtype=np.int64)
    made = ", or ".join(dict.fromkeys(q.method for q in found))
    return part_table(
        part, name=name, confidence=confidence, intervals=(intervals[:, 0], intervals[:, 1], made)
    )


def _of_single_groups(
    sample: Sample, groups: Codes, values: Floats, confidence: Fraction
) -> tuple[Integers, Integers]:
    """The intervals that single groups have in every table, widened where one would not hold its
    estimate.
    """
    read = group_table(sample, confidence=confidence).columns
    order = np.argsort(groups.of_row)
    inside = np.clip(values, 0, sample.sizes[order])
    low, high = (np.asarray(read[name])[order] for name in ("low", "high"))
    first, last = np.minimum(low, np.floor(inside + 1e-9)), np.maximum(high, np.ceil(inside - 1e-9))
    return first.astype(np.int64), last.astype(np.int64)


def _affordable(groups: Codes, sizes: Integers) -> bool:
    """Whether all sums can be worked out one by one."""
    if groups.groups > MOST_SUMS:
        return False
    in_each = np.bincount(groups.of_row, minlength=groups.groups).astype(np.float64)
    cells = sum_by(groups.of_row, (sizes + 1.0) ** 2, groups.groups)
    work = np.minimum(
        cells * _CELLS * np.maximum(in_each, 8), 2e8
    )  # beyond that `methods.sums` takes another bound
    return float(work[in_each <= FEW_GROUPS].sum()) <= MOST_WORK
