"""Exact confidence intervals for one answer's true count in one group, drawn together with the
others.

The interval of an answer is a function of its own released count y alone. For each true count j of
the answer take the shortest run of outputs A_j that has the confidence for *every* true histogram
with that count, whatever the other answers are; the interval for y is every j with y in A_j, and
what lies between. Then it covers every true histogram at least as often as it says: no prior, no
approximation. All decisions are made in integers. Among runs of one length the one with the largest
least chance is taken, then the one in the middle. An output so rare that no count accepts it gets
the shortest interval that holds the confidence of its largest chances instead (coverage only
grows).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from discreet.core.forms import Folded
from discreet.reading.group import interval
from discreet.reading.histograms.answer_values import unit_weights
from discreet.reading.histograms.weighted_law import weighted_law
from discreet.reading.methods.intervals import shortest_run

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

Ends = tuple[int, int]


def answer_interval(
    mechanism: Mechanism, outputs: Sequence[int], answer: int, confidence: Fraction
) -> Ends:
    """Return the confidence interval of one answer's true count, from a group's released counts.

    >>> from discreet.designer.single import design
    >>> m = design(n=4, categories=3, epsilon=3, cache=False)
    >>> [answer_interval(m, (3, 1, 0), c, Fraction(9, 10)) for c in range(3)]
    [(2, 3), (1, 1), (0, 1)]
    """
    form = mechanism.form
    if isinstance(form, Folded):
        first = form.classes.index(form.classes[answer])  # answers of one class have one law
        return all_intervals(form, first, confidence)[outputs[answer]]
    if len(outputs) == 2:
        low, high = interval(mechanism, outputs[0], confidence)
        return (low, high) if answer == 0 else (form.n - high, form.n - low)
    return interval(mechanism, outputs[answer], confidence)


@lru_cache(maxsize=256)
def all_intervals(form: Folded, answer: int, confidence: Fraction) -> tuple[Ends, ...]:
    """Return the interval of an answer for each released count of it."""
    by_count = _laws(form, answer)
    runs = [_run(laws, j, confidence * form.denominator) for j, laws in enumerate(by_count)]
    found = []
    for y in range(form.n + 1):
        accepting = [j for j, (low, high) in enumerate(runs) if low <= y <= high]
        if accepting:
            found.append((accepting[0], accepting[-1]))
        else:
            found.append(
                shortest_run([max(law[y] for law in laws) for laws in by_count], confidence)
            )
    return tuple(found)


def _laws(form: Folded, answer: int) -> list[list[list[int]]]:
    """The laws of the answer's released count, over the form's denominator, by its true count."""
    law = weighted_law(form, unit_weights(form.domain.k, answer))
    counts = law.truths[:, answer].tolist()
    by_count: list[list[list[int]]] = [[] for _ in range(form.n + 1)]
    for j, row in zip(counts, law.exactly(form), strict=True):
        sums = [0] * (form.n + 1)
        for y, chance in zip(counts, row, strict=True):
            sums[y] += chance
        by_count[j].append(sums)
    return by_count


def _run(laws: list[list[int]], j: int, need: Fraction) -> Ends:
    """The shortest run of outputs that holds enough under every law."""
    sums = [[0, *accumulate(law)] for law in laws]
    last = len(laws[0]) - 1
    for length in range(last + 1):
        held = [min(s[low + length + 1] - s[low] for s in sums) for low in range(last - length + 1)]
        best = max(
            range(len(held)), key=lambda low: (held[low], -abs(2 * low + length - 2 * j), -low)
        )
        if held[best] >= need:
            return best, best + length
    return 0, last
