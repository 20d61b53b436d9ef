"""Tables by key: the totals and shares of every answer, and the means of a scale, of each part
of the groups.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from discreet.core.rationals import shown
from discreet.reading.histograms.answer_totals import (
    adding_up_exactly,
    answer_sums,
    as_shares,
    as_totals,
    mean_score,
    read_scores,
)
from discreet.reading.histograms.answer_values import unit_weights
from discreet.reading.histograms.histogram_table import group_intervals
from discreet.reading.histograms.weighted_sums import terms_of_answers
from discreet.reading.levels.error_facts import interval_ends
from discreet.reading.methods.sums import standard_error
from discreet.reading.parts.key_codes import read_names
from discreet.reading.parts.number_table import NumberTable
from discreet.reading.parts.subtotal_table import rate_columns
from discreet.reading.quoting.interval_kinds import interval_head, part_head
from discreet.reading.strata import rows_by_key
from discreet.reading.totals import outside_note

if TYPE_CHECKING:
    from discreet.reading.histograms.answer_levels import AnswerLevels
    from discreet.reading.histograms.answer_totals import Scores
    from discreet.reading.histograms.histogram_sample import HistogramSample
    from discreet.reading.histograms.weighted_law import Weights
    from discreet.reading.levels.tree import Integers
    from discreet.reading.parts.fitting import Part

Key = tuple[Any, ...]

_OF_SUMS = " and cut to 0..n"
_OF_ONE = ", every number under which the released one is not rare"
"""What makes intervals lopsided."""


def subtotals(
    sample: HistogramSample,
    columns: Sequence[str],
    confidence: Fraction,
    levels: AnswerLevels | None = None,
) -> NumberTable:
    """Return n, and of every answer the total with its interval and the share, for each value of
    some key columns.
    """
    if levels is not None:
        return level_subtotals(levels, columns, confidence)
    parts = _parts(sample, columns)
    sizes = np.array([part.people for part in parts.values()])
    single = len(parts) == len(sample)
    numbers = _one_by_one(sample, confidence) if single else _sums(parts, confidence)
    return _answer_table(sample, _keys(parts, columns), sizes, numbers, confidence, single=single)


def _sums(parts: Mapping[Key, HistogramSample], confidence: Fraction) -> dict[str, NDArray[Any]]:
    """The numbers of sums of groups."""
    found = []
    for part in parts.values():
        sums = answer_sums(part, confidence=float(confidence))
        shares = as_shares(sums, part.people) if part.people else None
        for name, q in as_totals(sums, part.people).items():
            share = np.nan if shares is None else shares[name].value
            found.append((q.value, q.low, q.high, q.standard_error, share))
    numbers = (np.array(values) for values in zip(*found, strict=True))
    return dict(zip(("estimate", "low", "high", "standard_error", "share"), numbers, strict=True))


def _one_by_one(sample: HistogramSample, confidence: Fraction) -> dict[str, NDArray[Any]]:
    """The numbers where every part is one group: its interval is the one that it has in all
    tables.
    """
    k, found = len(sample.answers), group_intervals(sample, confidence)
    errors, values, shares = [], [], []
    for row, own in enumerate(found["estimate"].reshape(-1, k)):
        n, group = int(sample.sizes[row]), sample.part(np.array([row]))
        errors += [standard_error(terms_of_answers(group, unit_weights(k, c))[0]) for c in range(k)]
        values += adding_up_exactly(own.tolist(), n)
        shares += adding_up_exactly((own / n).tolist(), 1) if n else [np.nan] * k
    made = {"estimate": values, "standard_error": errors, "share": shares}
    return {**found, **{name: np.array(numbers) for name, numbers in made.items()}}


def level_subtotals(
    levels: AnswerLevels, columns: Sequence[Any], confidence: Fraction
) -> NumberTable:
    """Return the same table from several levels, for all parts at once."""
    names = read_names(columns, levels.fits()[0].finest.names)
    return answers_of_parts(levels, levels.parts(names), confidence)


def answers_of_parts(asked: Asked, parts: Sequence[Part], confidence: Fraction) -> NumberTable:
    """Return the table of some groups, of which every answer has its part."""
    numbers: dict[str, list[NDArray[Any]]] = {}
    for part in parts:
        low, high = interval_ends(part.value, part.facts.margins(float(confidence)), 0, part.sizes)
        row = {
            "estimate": part.value,
            "low": low.astype(np.int64),
            "high": high.astype(np.int64),
            "standard_error": part.facts.standard_error,
        }
        for name, values in row.items():
            numbers.setdefault(name, []).append(values)
    first = parts[0]
    keys = dict(first.keys)
    together = {name: np.stack(columns, axis=1).reshape(-1) for name, columns in numbers.items()}
    return _answer_table(asked, keys, first.sizes, together, confidence)


class Asked(Protocol):
    """A question with several answers."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def answers(self) -> tuple[str, ...]:
        """Its answers, in order."""


def _answer_table(
    asked: Asked,
    keys: Mapping[str, NDArray[Any]],
    sizes: Integers,
    numbers: Mapping[str, NDArray[Any]],
    confidence: Fraction,
    *,
    single: bool = False,
) -> NumberTable:
    """A row for each part and answer; `single`: every part is one group, read by itself."""
    k, head = len(asked.answers), interval_head(confidence)
    how = _OF_ONE if single else _OF_SUMS
    made = (
        f"The {head} is a confidence interval of each row alone{how}, so an estimate need "
        "not stand in the middle."
    )
    people = np.repeat(sizes, k)
    shares = rate_columns(
        "share", keys, people, *(numbers[name] for name in ("estimate", "low", "high"))
    )
    share, lowest, highest = shares
    if "share" in numbers:  # which add up to 1 exactly
        shares[share] = numbers["share"]
        numbers = {name: values for name, values in numbers.items() if name != "share"}
    return NumberTable(
        title=f"Estimates of {asked.name!r}{_by(list(keys))}",
        columns={
            **{name: np.repeat(values, k) for name, values in keys.items()},
            "n": people,
            "answer": np.tile(np.array(asked.answers, dtype=object), len(sizes)),
            **numbers,
            **shares,
        },
        keys=(*keys, "answer"),
        spans={"low": (head, "high"), lowest: (part_head("share", confidence), highest)},
        shares=(share, lowest, highest),
        spare=("standard_error", lowest),
        notes=(
            *outside_note(numbers["estimate"], numbers["low"], numbers["high"]),
            made,
            "Estimates are unbiased and may lie outside 0..n; those of the answers add up to n, "
            "and those of parts to those of larger parts of this release.",
        ),
        brief=(*outside_note(numbers["estimate"], numbers["low"], numbers["high"]), made),
    )


def means(
    sample: HistogramSample,
    columns: Sequence[str],
    scores: Scores,
    confidence: Fraction,
    levels: AnswerLevels | None = None,
) -> NumberTable:
    """Return n, and the mean of the answers' scores with its interval, for each value of some key
    columns.

    A part with nobody in it has no mean.
    """
    if levels is not None:
        return level_means(levels, columns, read_scores(sample, scores), confidence)
    parts = {key: part for key, part in _parts(sample, columns).items() if part.people}
    found = [mean_score(part, scores, confidence=float(confidence)) for part in parts.values()]
    numbers = {
        "mean": np.array([q.value for q in found]),
        "low": np.array([q.low for q in found]),
        "high": np.array([q.high for q in found]),
        "standard_error": np.array([q.standard_error for q in found]),
    }
    sizes = np.array([part.people for part in parts.values()])
    return _mean_table(
        sample, _keys(parts, columns), sizes, numbers, read_scores(sample, scores), confidence
    )


def level_means(
    levels: AnswerLevels, columns: Sequence[Any], weights: Weights, confidence: Fraction
) -> NumberTable:
    """Return the same table from several levels, for all parts at once."""
    fit = levels.fit(weights)
    part = fit.part(read_names(columns, fit.finest.names))
    rows = part.sizes > 0
    sizes, value, facts = (
        part.sizes[rows],
        part.value[rows] / part.sizes[rows],
        part.facts.rows(rows),
    )
    least, most = float(min(weights)), float(max(weights))
    inside, margin = np.clip(value, least, most), facts.margins(float(confidence)) / sizes
    numbers = {
        "mean": value,
        "low": np.maximum(inside - margin, least),
        "high": np.minimum(inside + margin, most),
        "standard_error": facts.standard_error / sizes,
    }
    keys = {name: values[rows] for name, values in part.keys.items()}
    return _mean_table(levels, keys, sizes, numbers, weights, confidence)


def _mean_table(
    asked: Asked,
    keys: Mapping[str, NDArray[Any]],
    sizes: Integers,
    numbers: Mapping[str, NDArray[Any]],
    weights: Weights,
    confidence: Fraction,
) -> NumberTable:
    scale = ", ".join(
        f"{name} = {shown(weight)}" for name, weight in zip(asked.answers, weights, strict=True)
    )
    return NumberTable(
        title=f"Mean scores of {asked.name!r}{_by(list(keys))}",
        columns={**keys, "n": sizes, **numbers},
        keys=tuple(keys),
        places=dict.fromkeys(numbers, 3),
        spans={"low": (interval_head(confidence), "high")},
        notes=(
            f"The {interval_head(confidence)} is a confidence interval of each row alone.",
            f"Scores: {scale}.",
        ),
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
