"""What may be quoted of a release: whole numbers that add up, and beside each number what is known
of it.

Of single groups of a count that is the posterior under a prior learned from all groups
(`pooled_posteriors`), so that a group of two is never said to have -16.5 or 18 of something. Of
sums of groups, and of questions with several answers, it is the confidence interval that the
estimate has in every table (`interval_kinds` has the rule). The whole numbers are those of
`adding_up`: there is one set of them. Where group sizes are private, the places of a group are
shared among the answers, absence among them, and are not shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.forms import DENSE_LIMIT
from discreet.errors import InvalidInput
from discreet.reading.histograms.answer_values import STILL, unreadable_note
from discreet.reading.histograms.histogram_table import group_intervals
from discreet.reading.methods.debiasing import NotEstimable
from discreet.reading.parts.number_table import NumberTable
from discreet.reading.parts.whole_numbers import whole_answers
from discreet.reading.quoting.interval_kinds import CREDIBLE
from discreet.reading.quoting.pooled_posteriors import pooled_posteriors
from discreet.reading.quoting.quoted import Quoted
from discreet.reading.strata import column_names

if TYPE_CHECKING:
    from discreet.reading.estimates import Estimate
    from discreet.reading.histograms.capped_estimates import CappedEstimate
    from discreet.reading.histograms.histogram_estimates import HistogramEstimate

_POSTERIOR = ("posterior_mean", "credible_low", "credible_high")


def what_to_quote(found: Any, columns: Sequence[Any] = ()) -> Quoted:
    """Return what to quote of every group or, with key columns, of the sums of groups that they
    make.
    """
    if hasattr(found, "cap"):
        return _capped(found, columns)
    return _answers(found, columns) if hasattr(found, "answers") else _count(found, columns)


def _count(found: Estimate, columns: Sequence[Any]) -> Quoted:
    """Keys that tell all groups apart make no sums: a group has the same numbers under them."""
    whole, name = found.adding_up(), found.sample.name
    names = column_names(columns)
    sums = whole.subtotals(names) if names else whole.table
    asked: dict[str, Any] = {
        "name": name,
        "confidence": found.confidence,
        "unit": found.sample.origin.unit,
    }
    asked |= {"keys": _keys(sums), "sizes": sums["n"], "whole": sums[name]}
    if len(sums) < found.groups:
        parts = found.subtotals(names)
        return Quoted(**asked, low=parts["low"], high=parts["high"])
    read = found.table().columns
    mean, low, high = (read[part].copy() for part in _POSTERIOR)
    rows, *pooled = pooled_posteriors(found.sample, found.coarser, found.confidence)
    mean[rows], low[rows], high[rows] = pooled
    order = np.argsort(found.fit.codes(names).of_row) if names else slice(None)
    large = (found.sample.sizes > DENSE_LIMIT).any()
    return Quoted(
        **asked,
        low=low[order],
        high=high[order],
        mean=np.round(mean, 3)[order],
        kind=CREDIBLE,
        notes=(f"Of groups of more than {DENSE_LIMIT} people the prior is uniform.",)
        if large
        else (),
    )


def _answers(found: HistogramEstimate, columns: Sequence[Any]) -> Quoted:
    """A row for each group, or sum of groups, and answer."""
    whole = found.adding_up()
    names = column_names(columns)
    sums = whole.subtotals(names) if names else whole.table
    if names or found.coarser:
        parts = found.subtotals(names or list(found.sample.keys)).columns
    else:
        parts = group_intervals(found.sample, found.confidence)
    many = len(found.answers)
    return Quoted(
        name=found.sample.name,
        confidence=found.confidence,
        unit=found.sample.origin.unit,
        keys=_each(sums, many),
        answers=np.tile(np.array(found.answers, dtype=object), len(sums)),
        sizes=np.repeat(sums["n"], many),
        low=parts["low"],
        high=parts["high"],
        whole=np.stack([sums[column] for column in whole.columns], axis=1).reshape(-1),
    )


def _capped(found: CappedEstimate, columns: Sequence[Any]) -> Quoted:
    """Each group's answers, and its people, where group sizes are private."""
    if names := column_names(columns):
        remedy = "leave them out; `e.by` has the totals of each of their values"
        raise InvalidInput(
            "by", "is not for a table to quote where `cap` hides sizes", found=names, remedy=remedy
        )
    sample, read = found.sample, found.table().columns
    shape = sample.outputs.shape
    values, low, high = (
        np.asarray(read[name]).reshape(shape) for name in ("unbiased", "low", "high")
    )
    if not np.isfinite(values).all():
        raise NotEstimable(
            unreadable_note(sample.name, [m for m, _ in sample.tallies]), remedy=STILL
        )
    whole = whole_answers(sample, sample.keys, sample.sizes, values)
    # the last answer is absence; who is not absent is there
    counts, low, high = (_with_people(each, found.cap) for each in (whole.counts, low, high))
    low[:, -1], high[:, -1] = high[:, -1].copy(), low[:, -1].copy()
    return Quoted(
        name=sample.name,
        confidence=found.confidence,
        sizes=None,
        keys=_each(whole.table, shape[1]),
        answers=np.tile(np.array([*found.answers, "people"], dtype=object), shape[0]),
        whole=counts.reshape(-1),
        low=low.reshape(-1),
        high=high.reshape(-1),
        notes=(
            f"At most {found.cap} people of each group were counted; answers add up to the people "
            "of their group.",
        ),
    )


def _with_people(places: NDArray[Any], cap: int) -> NDArray[Any]:
    return np.concatenate([places[:, :-1], cap - places[:, -1:]], axis=1)


def _keys(table: NumberTable) -> dict[str, NDArray[Any]]:
    return {name: table[name] for name in table.keys}


def _each(table: NumberTable, times: int) -> dict[str, NDArray[Any]]:
    """The keys of a table once for each answer."""
    return {name: np.repeat(values, times) for name, values in _keys(table).items()}
