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
    widened_note,
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
"""After the interval: whether a row may be quoted alone, where there are sizes to say so. The mean comes last."""

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
    numbers = {WHOLE: sums[name], FROM: low[order], TO: high[order], MEAN: np.round(mean, 3)[order]}
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


def _holding(numbers: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[int, ...]]:
    """Widen intervals to hold the whole numbers they stand beside: nobody can quote 4 with an interval of 0 to 3.

    Returned too are the rows of which that is so.
    """
    whole, low, high = (np.asarray(numbers[part]) for part in (WHOLE, FROM, TO))
    moved = np.flatnonzero((whole < low) | (whole > high)).tolist()
    if not moved:
        return dict(numbers), ()
    return {**numbers, FROM: np.minimum(low, whole), TO: np.maximum(high, whole)}, tuple(moved)


def _table(
    name: str, keys: Mapping[str, NDArray[Any]], sizes: NDArray[Any] | None, numbers: Mapping[str, Any],
    confidence: Fraction, kind: str = CONFIDENCE, *notes: str,
) -> NumberTable:  # fmt: skip
    """Put the columns together, what is printed first; those of numbers are named after the count, never like a key."""
    numbers, moved = _holding(numbers)
    widened = [widened_note([_named(keys, row) for row in moved])] if moved else []
    parts: dict[str, Any] = {} if sizes is None else {"n": sizes}
    parts |= {part: np.asarray(numbers[part]) for part in (WHOLE, FROM, TO)}
    if sizes is not None:
        parts[QUOTABLE] = ~says_little(parts[WHOLE], parts[FROM], parts[TO], sizes)
    parts |= {MEAN: np.asarray(numbers[MEAN])} if MEAN in numbers else {}
    columns, called = dict(keys), {}
    for part, values in parts.items():
        free = part if part in ("n", QUOTABLE) else _column(name, part, kind)
        while free in columns:
            free += "_"
        columns[free], called[part] = values, free
    head = interval_head(confidence, kind)
    said = [f"{name}_{WHOLE}: the number to quote, with its interval. All sums are right.", *notes]
    if kind == CONFIDENCE:
        said.insert(1, f"{head}: of each row alone, whatever the true number.")
    if sizes is not None:
        widened.append(f"{called[QUOTABLE]}: no, where {not_alone()}.")
    return NumberTable(
        columns=columns, title=f"{name!r}, to be quoted", keys=tuple(keys), spans={called[FROM]: (head, called[TO])},
        notes=(*said, *widened, SUMS), widened=moved,
    )  # fmt: skip


def _named(keys: Mapping[str, NDArray[Any]], row: int) -> str:
    values = (column[row] for column in keys.values())
    return ", ".join("(none)" if value is None else str(value) for value in values) or "the total"


def columns_in_use(table: NumberTable) -> str:
    """Return which columns of a table to quote are printed, and what the others are for.

    Of several questions in one table the ends of intervals are called `from` and `to`.
    """
    (low, high), *_ = [(low, high) for low, (_, high) in table.spans.items()] or [(FROM, TO)]
    numbers = [name for name in table.columns if name not in table.keys]
    whole, after = numbers[numbers.index(low) - 1], numbers[numbers.index(high) + 1 :]
    flags = [name for name in after if table[name].dtype == bool]
    means = [name for name in after if table[name].dtype == float]
    said = [f"Print {low} and {high}, with {whole} beside them."]
    said += [f"Where {name} is false, print the interval alone." for name in flags]
    said += [
        f"{name}, the best guess of a group by itself, is for your own work: it does not add up." for name in means
    ]
    return " ".join(said)


def _column(name: str, part: str, kind: str) -> str:
    return f"{name}_{part}_{kind}" if part in (FROM, TO) else f"{name}_{part}"
