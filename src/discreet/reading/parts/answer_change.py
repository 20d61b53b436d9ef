"""What changed between two releases of a question with several answers: people with each answer, by
group and in total.

Every answer's estimates come from all levels of its release (`histograms.answer_levels`), and two
releases have independent noise, as for counts (`change_table`). The changes of the answers add up
to the change of the group's size.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InvalidInput
from discreet.reading.histograms.answer_totals import refuse_nobody
from discreet.reading.parts.change_table import (
    change_columns,
    change_notes,
    change_title,
    check_comparable,
    difference_of,
    matched,
    mean_difference,
    refuse_copies,
    total_change,
)
from discreet.reading.parts.number_table import NumberTable
from discreet.reading.parts.subtotal_table import method
from discreet.reading.totals import Quantity

if TYPE_CHECKING:
    from discreet.reading.histograms.histogram_estimates import HistogramEstimate
    from discreet.reading.histograms.weighted_law import Weights


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class AnswerChange(NumberTable):
    """The change of each group and answer; `totals` are those of all groups together, by answer."""

    totals: Mapping[str, Quantity]

    def to_dict(self) -> dict[str, Any]:
        """Return the changes as plain values, for JSON."""
        totals = {
            answer: {
                "value": q.value,
                "low": q.low,
                "high": q.high,
                "standard_error": q.standard_error,
            }
            for answer, q in self.totals.items()
        }
        return {**NumberTable.to_dict(self), "totals": totals}

    def __str__(self) -> str:
        from discreet.reading.quoting.change_text import change_text

        return change_text(self, self.totals)

    def _repr_html_(self) -> str:
        from discreet.reading.quoting.change_text import change_html

        return change_html(self, self.totals)


def answer_change(
    later: HistogramEstimate, earlier: HistogramEstimate, *, by: Any = None, missing: str = "refuse"
) -> AnswerChange:
    """Return the change of every answer from `earlier` to `later`: later less earlier."""
    _check_answers(later, earlier, "earlier")
    check_comparable(later.sample, earlier.sample, missing)
    confidence, rows = float(later.confidence), []
    totals: dict[str, Quantity] = {}
    columns: dict[str, list[NDArray[Any]]] = {}
    for answer, old, new in zip(
        later.answers, earlier.levels.fits(), later.levels.fits(), strict=True
    ):
        keys, before, after = matched(old, new, by, missing)
        each = difference_of(before, after)
        rows.append((keys, before.sizes, after.sizes, method(each)))
        totals[answer] = total_change(old.part(()), new.part(()), confidence, len(each.value))
        for name, values in change_columns(each, before, confidence).items():
            columns.setdefault(name, []).append(values)
    keys, before_sizes, after_sizes, made = rows[0]
    k, groups = len(later.answers), len(after_sizes)
    return AnswerChange(
        title=change_title(earlier.sample, later.sample),
        columns={
            **{name: np.repeat(values, k) for name, values in keys.items()},
            "answer": np.tile(np.array(later.answers, dtype=object), groups),
            "n_before": np.repeat(before_sizes, k),
            "n_after": np.repeat(after_sizes, k),
            **{name: np.stack(values, axis=1).reshape(-1) for name, values in columns.items()},
        },
        keys=(*keys, "answer"),
        notes=change_notes(confidence, made),
        totals=totals,
    )


def level_difference(
    first: HistogramEstimate, second: HistogramEstimate, weights: Weights, name: str
) -> Quantity:
    """Return a mean per person in one release less the same in another, from all levels of both."""
    refuse_nobody(first.people)
    refuse_nobody(second.people)
    _check_answers(first, second, "other")
    refuse_copies([first.sample, second.sample], "other")
    here, there = (e.levels.fit(weights).part(()) for e in (first, second))
    found = mean_difference(
        name, here, there, confidence=float(first.confidence), span=max(weights) - min(weights)
    )
    return replace(found, groups=first.groups + second.groups)


def _check_answers(first: HistogramEstimate, second: Any, parameter: str) -> None:
    if not hasattr(second, "levels"):
        rule = "must be the estimate of a question with several answers"
        raise InvalidInput(parameter, rule, type(second).__name__)
    if first.answers != second.answers:
        raise InvalidInput(parameter, "must have the same answers", ", ".join(second.answers))
