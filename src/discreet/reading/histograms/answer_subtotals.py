"""Tables by key: the totals and shares of every answer, and the means of a scale, of each part of the groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.rationals import shown
from discreet.reading.histograms.answer_totals import (
    answer_sums,
    as_shares,
    as_totals,
    mean_score,
    over,
    read_scores,
)
from discreet.reading.parts.number_table import NumberTable
from discreet.reading.strata import rows_by_key

if TYPE_CHECKING:
    from discreet.reading.histograms.answer_levels import AnswerLevels
    from discreet.reading.histograms.answer_totals import Scores
    from discreet.reading.histograms.histogram_sample import HistogramSample

Key = tuple[Any, ...]


def subtotals(
    sample: HistogramSample, columns: Sequence[str], confidence: Fraction, levels: AnswerLevels | None = None
) -> NumberTable:
    """Return n, and of every answer the total with its interval and the share, for each value of some key columns."""
    found: dict[str, list[Any]] = {name: [] for name in ("estimate", "low", "high", "standard_error", "share")}
    parts = _parts(sample, columns)
    level = float(confidence)
    known = None if levels is None else levels.answers(columns, level)
    for place, part in enumerate(parts.values()):
        sums = answer_sums(part, confidence=level) if known is None else known[place]
        shares = as_shares(sums, part.people) if part.people else None
        for name, q in as_totals(sums, part.people).items():
            share = np.nan if shares is None else shares[name].value
            row = q.value, q.low, q.high, q.standard_error, share
            for values, number in zip(found.values(), row, strict=True):
                values.append(number)
    k = len(sample.answers)
    keys = {name: np.repeat(values, k) for name, values in _keys(parts, columns).items()}
    sizes = np.repeat([part.people for part in parts.values()], k)
    numbers = {name: np.array(values) for name, values in found.items()}
    answers = np.tile(np.array(sample.answers, dtype=object), len(parts))
    return NumberTable(
        title=f"Estimates of {sample.name!r}{_by(columns)}",
        columns={**keys, "n": sizes, "answer": answers, **numbers},
        keys=(*columns, "answer"),
        places={"share": 4},
        notes=(
            _interval(confidence),
            "Estimates are unbiased and may lie outside 0..n; those of the answers add up to n, and those of parts to "
            "those of larger parts of this release.",
        ),
    )


def means(
    sample: HistogramSample,
    columns: Sequence[str],
    scores: Scores,
    confidence: Fraction,
    levels: AnswerLevels | None = None,
) -> NumberTable:
    """Return n, and the mean of the answers' scores with its interval, for each value of some key columns.

    A part with nobody in it has no mean.
    """
    parts = {key: part for key, part in _parts(sample, columns).items() if part.people}
    if levels is None:
        found = [mean_score(part, scores, confidence=float(confidence)) for part in parts.values()]
    else:
        sums = levels.sums(read_scores(sample, scores), columns, float(confidence))
        people = [part.people for part in _parts(sample, columns).values()]
        found = [over(q, n, "mean score") for q, n in zip(sums, people, strict=True) if n]
    numbers = {
        "mean": np.array([q.value for q in found]),
        "low": np.array([q.low for q in found]),
        "high": np.array([q.high for q in found]),
        "standard_error": np.array([q.standard_error for q in found]),
    }
    weights = read_scores(sample, scores)
    scale = ", ".join(f"{name} = {shown(weight)}" for name, weight in zip(sample.answers, weights, strict=True))
    return NumberTable(
        title=f"Mean scores of {sample.name!r}{_by(columns)}",
        columns={**_keys(parts, columns), "n": np.array([part.people for part in parts.values()]), **numbers},
        keys=tuple(columns),
        places=dict.fromkeys(numbers, 3),
        notes=(_interval(confidence), f"Scores: {scale}."),
    )


def _parts(sample: HistogramSample, columns: Sequence[str]) -> dict[Key, HistogramSample]:
    if not columns:
        return {(): sample}
    return {key: sample.part(np.array(rows)) for key, rows in rows_by_key(sample, columns).items()}


def _keys(parts: Mapping[Key, HistogramSample], columns: Sequence[str]) -> dict[str, NDArray[Any]]:
    found = {}
    for place, name in enumerate(columns):
        values = np.empty(len(parts), dtype=object)
        values[:] = [key[place] for key in parts]
        found[name] = values
    return found


def _by(columns: Sequence[str]) -> str:
    return f" by {', '.join(columns)}" if columns else ", all groups"


def _interval(confidence: Fraction) -> str:
    return f"low, high: {float(confidence)} confidence interval of each row alone."
