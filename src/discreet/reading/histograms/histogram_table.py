"""Every group's answers by themselves, and the samples that estimates are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.forms import Folded
from discreet.core.histogram import Histogram
from discreet.core.rationals import read_list
from discreet.designer.orbits.cell_by_cell import Cells
from discreet.errors import InvalidInput
from discreet.reading.group import output_intervals
from discreet.reading.group_table import GroupTable
from discreet.reading.histograms.answer_intervals import all_intervals
from discreet.reading.histograms.answer_values import STILL, answer_values, unreadable_note
from discreet.reading.histograms.histogram_sample import HistogramSample, point_numbers
from discreet.reading.levels.tree import distinct
from discreet.reading.methods.debiasing import NotEstimable
from discreet.reading.samples import origin_of, read_table_columns, read_whole
from discreet.reading.totals import count_score

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.reading.methods.debiasing import Floats, Integers
    from discreet.tables.published.result import Release


def released_histograms(release: Release, count: str | None) -> HistogramSample:
    """Read a question with several answers from a release, checking its table against its
    manifest.
    """
    facts = release.manifest.count(count)
    sizes, columns, keys = read_table_columns(release, facts.outputs)
    return HistogramSample(
        answers=facts.answers,
        sizes=sizes,
        outputs=np.stack(columns, axis=1),
        mechanisms={n: release.mechanism(n, facts.name) for n in distinct(sizes).tolist()},
        keys=keys,
        name=facts.name,
        release=release.manifest.release,
        origin=origin_of(release.manifest, facts),
    )


def given_histograms(
    outputs: Any, mechanisms: Sequence[Mechanism | Cells], sizes: Any
) -> HistogramSample:
    """Make a sample of plain outputs, tuples or mappings of answer to count, of mechanisms or of
    cells by GM.

    The size of a group is that of the one mechanism, or is given, or is what a histogram drawn
    whole adds up to.
    """
    domains = [m.domain for m in mechanisms]
    first = domains[0]
    if not isinstance(first, Histogram) or any(
        not isinstance(d, Histogram) or d.names != first.names for d in domains
    ):
        raise InvalidInput("mechanism", "must be of histograms over the same answers")
    rows = [_row(one, first.names) for one in read_list(outputs) or []]
    counts = np.array(rows, dtype=np.int64).reshape(-1, first.k)
    if sizes is not None:
        of_group = read_whole("sizes", sizes)
    elif len(mechanisms) == 1:
        of_group = np.full(len(counts), first.n)
    elif any(isinstance(m, Cells) for m in mechanisms):
        raise InvalidInput("sizes", "must be given where several sizes are drawn cell by cell")
    else:
        of_group = counts.sum(axis=1)
    by_size = {m.n: m.mechanism if isinstance(m, Cells) else m for m in mechanisms}
    return HistogramSample(answers=first.names, sizes=of_group, outputs=counts, mechanisms=by_size)


def _row(output: Any, names: Sequence[str]) -> list[int]:
    counts = (
        [output.get(name, 0) for name in names]
        if isinstance(output, Mapping)
        else read_list(output)
    )
    unknown = isinstance(output, Mapping) and not set(output) <= set(names)
    if (
        unknown
        or counts is None
        or len(counts) != len(names)
        or not all(isinstance(y, (int, np.integer)) for y in counts)
    ):
        rule = (
            f"must be histograms: {len(names)} whole numbers each, or mappings of answer to count"
        )
        raise InvalidInput("outputs", rule, str(output)[:80])
    return [int(y) for y in counts]


def answer_table(sample: HistogramSample, confidence: Fraction) -> GroupTable:
    """Read every answer of every group: its unbiased value (not-a-number where none exists) and
    its interval.
    """
    groups, k = sample.outputs.shape
    unbiased, low, high = (
        np.zeros((groups, k)),
        np.zeros_like(sample.outputs),
        np.zeros_like(sample.outputs),
    )
    for n, rows in sample.rows_by_size():
        if n:
            found = _read(sample.mechanisms[n], sample.outputs[rows], confidence)
            unbiased[rows], low[rows], high[rows] = found
    columns = {name: np.repeat(values, k) for name, values in sample.keys.items()}
    columns |= {
        "n": np.repeat(sample.sizes, k),
        "answer": np.tile(np.array(sample.answers, dtype=object), groups),
        "released": sample.outputs.reshape(-1),
        "unbiased": unbiased.reshape(-1),
        "low": low.reshape(-1),
        "high": high.reshape(-1),
    }
    return GroupTable(columns=columns, confidence=confidence, prior="")


def group_intervals(sample: HistogramSample, confidence: Fraction) -> dict[str, NDArray[Any]]:
    """Return the estimate and the interval of every answer of every group by itself, from one
    level.

    An interval is of its own answer alone, while what answers lack to n is shared among their
    estimates: it is widened where it would not hold its estimate.
    """
    read = answer_table(sample, confidence).columns
    value, low, high = (np.asarray(read[name]) for name in ("unbiased", "low", "high"))
    if not np.isfinite(value).all():
        raise NotEstimable(
            unreadable_note(sample.name, [m for m, _ in sample.tallies]), remedy=STILL
        )
    possible = np.clip(value, 0, np.repeat(sample.sizes, len(sample.answers)))
    first, last = (
        np.minimum(low, np.floor(possible + 1e-9)),
        np.maximum(high, np.ceil(possible - 1e-9)),
    )
    return {"estimate": value, "low": first.astype(np.int64), "high": last.astype(np.int64)}


def _read(
    mechanism: Mechanism, outputs: Integers, confidence: Fraction
) -> tuple[Floats, Integers, Integers]:
    """Unbiased values and interval ends of the groups of one mechanism, [group, answer]."""
    form, k = mechanism.form, outputs.shape[1]
    if isinstance(form, Folded):
        ends = np.array(
            [all_intervals(form, form.classes.index(form.classes[c]), confidence) for c in range(k)]
        )
        low, high = (ends[np.arange(k)[None, :], outputs, side] for side in (0, 1))
        try:
            return answer_values(form)[point_numbers(form, outputs)], low, high
        except NotEstimable:
            return np.full(outputs.shape, np.nan), low, high
    drawn = outputs[:, :1] if k == 2 else outputs
    seen, place = np.unique(drawn, return_inverse=True)
    first, last = output_intervals(mechanism, seen, confidence)
    low, high = (ends[place.reshape(drawn.shape)] for ends in (first, last))
    try:
        values = count_score(mechanism).at(drawn.reshape(-1)).reshape(drawn.shape)
    except NotEstimable:
        values = np.full(drawn.shape, np.nan)
    if k == 2:
        n = mechanism.n
        return (
            np.concatenate([values, n - values], axis=1),
            np.concatenate([low, n - high], axis=1),
            np.concatenate([high, n - low], axis=1),
        )
    return values + (mechanism.n - values.sum(axis=1, keepdims=True)) / k, low, high
