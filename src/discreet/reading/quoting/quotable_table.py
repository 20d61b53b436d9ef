"""The table that people may quote: whole numbers that add up, and beside each number what is known of it.

Of single groups of a count that is the posterior under a prior learned from all groups (`pooled_posteriors`), so
that a group of two is never said to have -16.5 or 18 of something. Of sums of groups, and of questions with several
answers, it is the confidence interval that the estimate has in every table; which of the two it is, the name of the
column says (`interval_kinds` has the rule). The whole numbers are those of `adding_up`: there is one set of them. Where
group sizes are private, the places of a group are shared among the answers, absence among them, and are not shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.forms import DENSE_LIMIT
from discreet.reading.histograms.answer_values import STILL, unreadable_note
from discreet.reading.histograms.histogram_table import group_intervals
from discreet.reading.methods.debiasing import NotEstimable
from discreet.reading.parts.number_table import NumberTable
from discreet.reading.parts.whole_numbers import whole_answers
from discreet.reading.quoting.interval_kinds import (
    CONFIDENCE,
    CREDIBLE,
    interval_head,
    not_alone,
    says_little,
    which_to_print,
)
from discreet.reading.quoting.pooled_posteriors import pooled_posteriors
from discreet.reading.strata import column_names

if TYPE_CHECKING:
    from discreet.reading.estimates import Estimate
    from discreet.reading.histograms.capped_estimates import CappedEstimate
    from discreet.reading.histograms.histogram_estimates import HistogramEstimate

WHOLE, MEAN, FROM, TO = "whole", "mean", "from", "to"
"""What follows the count's name in the columns' names; after the ends of an interval stands its kind."""
QUOTABLE = "quotable"
"""The last column: whether a row may be quoted alone, where there are sizes to say so."""

_POSTERIOR = ("posterior_mean", "credible_low", "credible_high")
SUMS = "Sums, differences and models take the unbiased estimates (`subtotals`) instead."


def quotable_count(found: Estimate, columns: Sequence[Any]) -> NumberTable:
    """Return the table of a count: of its groups or, with key columns, of the sums of groups that they make.

    Keys that tell all groups apart make no sums: a group has the same numbers under them.
    """
    whole, name = found.adding_up(), found.sample.name
    names = column_names(columns)
    sums = whole.subtotals(names) if names else whole.table
    if len(sums) < found.groups:
        parts = found.subtotals(names)
        numbers = {WHOLE: sums[name], FROM: parts["low"], TO: parts["high"]}
        return _table(name, _keys(sums), sums["n"], numbers, found.confidence)
    read = found.table().columns
    mean, low, high = (read[name].copy() for name in _POSTERIOR)
    rows, *pooled = pooled_posteriors(found.sample, found.coarser, found.confidence)
    mean[rows], low[rows], high[rows] = pooled
    order = np.argsort(found.fit.codes(names).of_row) if names else slice(None)
    numbers = {WHOLE: sums[name], MEAN: np.round(mean, 3)[order], FROM: low[order], TO: high[order]}
    notes = [
        f"{name}_{MEAN} and the {interval_head(found.confidence, CREDIBLE)} interval: what the group's released number "
        "says of it, with a prior estimated from all groups."
    ]
    if (found.sample.sizes > DENSE_LIMIT).any():
        notes.append(f"Of groups of more than {DENSE_LIMIT} people the prior is uniform.")
    notes.append(which_to_print())
    return _table(name, _keys(sums), sums["n"], numbers, found.confidence, CREDIBLE, *notes)


def quotable_answers(found: HistogramEstimate, columns: Sequence[Any]) -> NumberTable:
    """Return the table of a question with several answers: a row for each group, or sum of groups, and answer."""
    whole, name = found.adding_up(), found.sample.name
    names = column_names(columns)
    sums = whole.subtotals(names) if names else whole.table
    if names or found.coarser:
        parts = found.subtotals(names or list(found.sample.keys)).columns
    else:
        parts = group_intervals(found.sample, found.confidence)
    keys = _each(sums, len(found.answers), np.tile(np.array(found.answers, dtype=object), len(sums)))
    counts = np.stack([sums[column] for column in whole.columns], axis=1).reshape(-1)
    numbers = {WHOLE: counts, FROM: parts["low"], TO: parts["high"]}
    sizes = np.repeat(sums["n"], len(found.answers))
    return _table(name, keys, sizes, numbers, found.confidence, CONFIDENCE, "Answers add up to n.")


def quotable_capped(found: CappedEstimate) -> NumberTable:
    """Return the table of a release with private group sizes: each group's answers, and its people."""
    sample, read = found.sample, found.table().columns
    shape = sample.outputs.shape
    values, low, high = (np.asarray(read[name]).reshape(shape) for name in ("unbiased", "low", "high"))
    if not np.isfinite(values).all():
        raise NotEstimable(unreadable_note(sample.name, [m for m, _ in sample.tallies]), remedy=STILL)
    whole = whole_answers(sample, sample.keys, sample.sizes, values)
    # the last answer is absence; who is not absent is there
    counts, low, high = (_with_people(each, found.cap) for each in (whole.counts, low, high))
    low[:, -1], high[:, -1] = high[:, -1].copy(), low[:, -1].copy()
    answers = np.tile(np.array([*found.answers, "people"], dtype=object), shape[0])
    keys = _each(whole.table, shape[1], answers)
    numbers = {WHOLE: counts.reshape(-1), FROM: low.reshape(-1), TO: high.reshape(-1)}
    kept = f"At most {found.cap} people of each group were counted; answers add up to the people of their group."
    return _table(sample.name, keys, None, numbers, found.confidence, CONFIDENCE, kept)


def _with_people(places: NDArray[Any], cap: int) -> NDArray[Any]:
    return np.concatenate([places[:, :-1], cap - places[:, -1:]], axis=1)


def _keys(table: NumberTable) -> dict[str, NDArray[Any]]:
    return {name: table[name] for name in table.keys}


def _each(table: NumberTable, times: int, answers: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """The keys of a table once for each answer, and the answers."""
    keys = {name: np.repeat(values, times) for name, values in _keys(table).items()}
    return {**keys, "answer_" if "answer" in keys else "answer": answers}


def _holding(numbers: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Widen intervals to hold the whole numbers they stand beside: nobody can quote 4 with an interval of 0 to 3."""
    whole, low, high = (np.asarray(numbers[part]) for part in (WHOLE, FROM, TO))
    moved = int(((whole < low) | (whole > high)).sum())
    if not moved:
        return dict(numbers), []
    rows = "1 interval was" if moved == 1 else f"{moved:,} intervals were"
    note = f"{rows} widened to hold the whole number, which is as it is to make the sums right."
    return {**numbers, FROM: np.minimum(low, whole), TO: np.maximum(high, whole)}, [note]


def _table(
    name: str, keys: Mapping[str, NDArray[Any]], sizes: NDArray[Any] | None, numbers: Mapping[str, Any],
    confidence: Fraction, kind: str = CONFIDENCE, *notes: str,
) -> NumberTable:  # fmt: skip
    """Put the columns together; those of numbers are named after the count, and never like a key."""
    numbers, widened = _holding(numbers)
    named = {"n": sizes} if sizes is not None else {}
    named |= {_column(name, part, kind): np.asarray(values) for part, values in numbers.items()}
    columns = dict(keys)
    for column, values in named.items():
        free = column
        while free in columns:
            free += "_"
        columns[free] = values
    *_, low, high = columns
    head = interval_head(confidence, kind)
    flag = QUOTABLE
    while flag in columns:
        flag += "_"
    said = [f"{name}_{WHOLE}: the number to quote, with its interval. All sums are right.", *notes]
    if kind == CONFIDENCE:
        said.insert(1, f"{head}: of each row alone, whatever the true number.")
    flags = {}
    if sizes is not None:
        flags = {flag: ~says_little(np.asarray(numbers[WHOLE]), columns[low], columns[high], sizes)}
        widened.append(f"{flag}: no, where {not_alone()}.")
    return NumberTable(
        columns=columns | flags, title=f"{name!r}, to be quoted", keys=tuple(keys), spans={low: (head, high)},
        notes=(*said, *widened, SUMS),
    )  # fmt: skip


def _column(name: str, part: str, kind: str) -> str:
    return f"{name}_{part}_{kind}" if part in (FROM, TO) else f"{name}_{part}"
