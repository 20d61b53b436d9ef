"""Posteriors of many released numbers at once: likelihoods, means and shortest credible runs, in floats."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from discreet.core.forms import Fair, Geometric, Uniform, WeaklyHonest
from discreet.errors import InvalidInput
from discreet.reading.methods.closed_matrix import ClosedMatrix, same_law

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.reading.methods.debiasing import Floats, Integers

_WHOLE = 2.0**60
_CELLS = 1 << 20  # floats at a time
MOST_COUNTS = 1 << 20
"""True counts that one posterior may be over: a second, and a hundred megabytes."""


def likelihoods(mechanism: Mechanism, outputs: Integers) -> Floats:
    """Return Pr[output | .] as [output, true count]; of a closed form from powers of alpha alone."""
    form = mechanism.form
    if isinstance(form, (Geometric, Fair, WeaklyHonest)) and form.n and form.alpha < 1:
        return ClosedMatrix(form).rows(outputs)
    if isinstance(form, Uniform):
        return np.full((len(outputs), form.n + 1), 1 / (form.n + 1))
    return np.asarray(mechanism.array[outputs])


def read_posteriors(
    mechanism: Mechanism, outputs: Integers, prior: Floats | None, confidence: Fraction
) -> tuple[Floats, Integers, Integers]:
    """Return the posterior mean and the credible run of each output; without a prior every count is equally likely.

    Then a very large group of a closed form is read as the smaller one that errs alike (`same_law`).
    """
    form, shift = mechanism.form, np.zeros(len(outputs), dtype=np.int64)
    rows: Callable[[Integers], Floats] = partial(likelihoods, mechanism)
    size = form.n
    if prior is None and isinstance(form, (Geometric, Fair)) and form.n and form.alpha < 1:
        size = same_law(form.alpha, form.n)
        shift = np.clip(outputs - size // 2, 0, form.n - size)
        if size < form.n:
            rows = ClosedMatrix(type(form)(size, form.alpha)).rows
    if size > MOST_COUNTS:
        rule = f"must be at most {MOST_COUNTS:,} for a posterior where the noise reaches across so many counts"
        raise InvalidInput("n", rule, form.n, remedy="use a larger epsilon for groups of this size")
    counts = np.arange(size + 1, dtype=np.float64)
    found = []
    for part in np.array_split(outputs - shift, len(outputs) * len(counts) // _CELLS + 1):
        joint = rows(part) if prior is None else rows(part) * prior
        joint = joint / joint.sum(axis=1, keepdims=True)
        found.append((joint @ counts, *shortest_runs(joint, confidence)))
    mean, first, last = (np.concatenate(several) for several in zip(*found, strict=True))
    return mean + shift, first + shift, last + shift


def shortest_runs(weights: Floats, confidence: Fraction) -> tuple[Integers, Integers]:
    """Return the ends of the shortest run with `confidence` of each row's weight: the heaviest, the first.

    Weights are rounded to whole numbers of 2^-60 of the row's sum, and then compared exactly.

    >>> shortest_runs(np.array([[1.0, 6.0, 3.0, 0.0]]), Fraction(4, 5))
    (array([1]), array([2]))
    """
    whole = np.round(weights / weights.sum(axis=1, keepdims=True) * _WHOLE).astype(np.int64)
    sums = np.concatenate([np.zeros((len(whole), 1), dtype=np.int64), np.cumsum(whole, axis=1)], axis=1)
    need = np.array([-(-confidence.numerator * int(total) // confidence.denominator) for total in sums[:, -1]])
    last = weights.shape[1] - 1
    low, high = np.zeros(len(whole), dtype=np.int64), np.full(len(whole), last)
    while (low < high).any():  # the length is found by bisection: a longer run never holds less
        middle = (low + high) // 2
        enough = _held(sums, middle).max(axis=1) >= need
        low, high = np.where(enough, low, np.minimum(middle + 1, high)), np.where(enough, middle, high)
    first = np.argmax(_held(sums, low), axis=1)
    return first, first + low


def _held(sums: Integers, lengths: Integers) -> Integers:
    """What each run first..first+length holds, by row and first; runs beyond the end hold nothing."""
    counts = sums.shape[1] - 1
    first = np.arange(counts)[None, :]
    end = first + lengths[:, None] + 1
    held = np.take_along_axis(sums, np.minimum(end, counts), axis=1) - sums[:, :-1]
    return np.asarray(np.where(end <= counts, held, -1))
