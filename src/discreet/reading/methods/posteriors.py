"""Posteriors of many released numbers at once: likelihoods, means and shortest credible runs, in
floats.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from discreet.core.forms import ColumnHonest, Fair, Geometric, Uniform, WeaklyHonest
from discreet.errors import InvalidInput
from discreet.reading.levels.tree import distinct
from discreet.reading.methods.closed_matrix import ClosedMatrix, same_law
from discreet.reading.methods.expected_errors import log_of

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.reading.methods.debiasing import Floats, Integers

_WHOLE = 2.0**60
_CELLS = 1 << 20  # floats at a time
_CHUNK = (
    1 << 17
)  # where groups of several sizes are read together: what stays in a processor's own memory
MOST_COUNTS = 1 << 20
"""True counts that one posterior may be over: a second, and a hundred megabytes."""


def likelihoods(mechanism: Mechanism, outputs: Integers) -> Floats:
    """Return Pr[output | .] as [output, true count]; of a closed form from powers of alpha
    alone.
    """
    form = mechanism.form
    if (
        isinstance(form, (Geometric, Fair, WeaklyHonest, ColumnHonest))
        and form.n
        and form.alpha < 1
    ):
        return ClosedMatrix(form).rows(outputs)
    if isinstance(form, Uniform):
        return np.full((len(outputs), form.n + 1), 1 / (form.n + 1))
    return np.asarray(mechanism.array[outputs])


def read_posteriors(
    mechanism: Mechanism, outputs: Integers, prior: Floats | None, confidence: Fraction
) -> tuple[Floats, Integers, Integers]:
    """Return the posterior mean and the credible run of each output; without a prior every count
    is equally likely.
    """
    form = mechanism.form
    _check_counts(form.n, form.n)
    counts = np.arange(form.n + 1, dtype=np.float64)
    found = []
    for part in np.array_split(outputs, len(outputs) * len(counts) // _CELLS + 1):
        rows = likelihoods(mechanism, part)
        found.append(summed_up(rows if prior is None else rows * prior, counts, confidence))
    mean, first, last = (np.concatenate(several) for several in zip(*found, strict=True))
    return mean, first, last


def closed_posteriors(
    kind: type[Geometric | Fair | ColumnHonest],
    alpha: Fraction,
    sizes: Integers,
    outputs: Integers,
    priors: Mapping[int, Floats],
    confidence: Fraction,
) -> tuple[Floats, Integers, Integers]:
    """The same for many outputs of one closed form and alpha, below 1, for groups of many sizes, at
    least 1, together.

    Where a size has no prior, a very large group is read as the smaller one that errs alike
    (`same_law`).

    >>> closed_posteriors(
    ...     Geometric, Fraction(1, 2), np.array([2, 10**9]), np.array([0, 70]), {}, Fraction(1, 2)
    ... )
    (array([ 0.57142857, 70.        ]), array([ 0, 69]), array([ 0, 71]))
    """
    present, place = np.unique(sizes, return_inverse=True)
    stand_in = np.array([n if n in priors else same_law(alpha, n) for n in present.tolist()])[place]
    _check_counts(int(stand_in.max(initial=0)), int(sizes.max(initial=0)))
    shift = np.clip(outputs - stand_in // 2, 0, sizes - stand_in)
    # size, whether there is a prior, and output in one number: sizes are below 2^30
    with_prior = np.isin(sizes, list(priors)).astype(np.int64)
    pairs, place = np.unique(
        (stand_in << 31) + (with_prior << 30) + outputs - shift, return_inverse=True
    )
    size, own, output = pairs >> 31, (pairs >> 30) & 1, pairs & ((1 << 30) - 1)
    mean, first, last = np.zeros(len(pairs)), np.zeros_like(pairs), np.zeros_like(pairs)
    start = 0
    while start < len(pairs):
        # ascending sizes, as many as fit, and none so much larger than the first that most cells
        # would be empty
        end = int(np.searchsorted(size, 2 * size[start] + 16, side="right"))
        end = min(end, start + max(_CHUNK // (int(size[end - 1]) + 1), 1))
        part, counts = slice(start, end), np.arange(int(size[end - 1]) + 1, dtype=np.float64)
        joint = _closed_rows(kind, alpha, size[part], output[part], counts)
        for n in distinct(size[part][own[part] == 1]).tolist():
            joint[(size[part] == n) & (own[part] == 1), : n + 1] *= priors[n]
        mean[part], first[part], last[part] = summed_up(joint, counts, confidence)
        start = end
    return mean[place] + shift, first[place] + shift, last[place] + shift


def _closed_rows(
    kind: type[Geometric | Fair | ColumnHonest],
    alpha: Fraction,
    sizes: Integers,
    outputs: Integers,
    counts: Floats,
) -> Floats:
    """Pr[output | .] by output and true count, each row but for a factor; counts beyond a
    group's size have none.
    """
    n, i = sizes[:, None], outputs[:, None]
    power = np.abs(i - counts)
    if kind is Fair:
        power = np.minimum(power, np.where(counts >= i, (n - i + 1) // 2, (i + 1) // 2))
    rows = np.asarray(np.where(counts <= n, np.exp(log_of(alpha) * power), 0.0))
    if kind is ColumnHonest:
        # GM's 0 of a true 0 comes as a 1 too, and n as n - 1: Pr[1|0] over a Pr[1|1]
        like = ColumnHonest(3, alpha)
        rows[((i == 1) & (counts == 0)) | ((i == n - 1) & (counts == n))] *= float(
            like.entry(1, 0) / (alpha * like.entry(1, 1))
        )
    return rows


def _check_counts(counts: int, n: int) -> None:
    if counts > MOST_COUNTS:
        rule = (
            f"must be at most {MOST_COUNTS:,} for a posterior where the noise reaches across so "
            "many counts"
        )
        raise InvalidInput("n", rule, n, remedy="use a larger epsilon for groups of this size")


def summed_up(
    joint: Floats, counts: Floats, confidence: Fraction
) -> tuple[Floats, Integers, Integers]:
    """Return the mean and the credible run of each row of posterior weights."""
    joint = joint / joint.sum(axis=1, keepdims=True)
    return (joint @ counts, *shortest_runs(joint, confidence))


def shortest_runs(weights: Floats, confidence: Fraction) -> tuple[Integers, Integers]:
    """Return the ends of the shortest run with `confidence` of each row's weight: the heaviest, the
    first.

    Weights are rounded to whole numbers of 2^-60 of the row's sum, and then compared exactly.

    >>> shortest_runs(np.array([[1.0, 6.0, 3.0, 0.0]]), Fraction(4, 5))
    (array([1]), array([2]))
    """
    whole = np.round(weights / weights.sum(axis=1, keepdims=True) * _WHOLE).astype(np.int64)
    sums = np.concatenate(
        [np.zeros((len(whole), 1), dtype=np.int64), np.cumsum(whole, axis=1)], axis=1
    )
    need = np.array(
        [-(-confidence.numerator * int(total) // confidence.denominator) for total in sums[:, -1]]
    )
    last = weights.shape[1] - 1
    low, high = np.zeros(len(whole), dtype=np.int64), np.full(len(whole), last)
    while (low < high).any():  # the length is found by bisection: a longer run never holds less
        middle = (low + high) // 2
        enough = _held(sums, middle).max(axis=1) >= need
        low, high = (
            np.where(enough, low, np.minimum(middle + 1, high)),
            np.where(enough, middle, high),
        )
    first = np.argmax(_held(sums, low), axis=1)
    return first, first + low


def _held(sums: Integers, lengths: Integers) -> Integers:
    """What each run first..first+length holds, by row and first; runs beyond the end hold
    nothing.
    """
    counts = sums.shape[1] - 1
    first = np.arange(counts)[None, :]
    end = first + lengths[:, None] + 1
    held = np.take_along_axis(sums, np.minimum(end, counts), axis=1) - sums[:, :-1]
    return np.asarray(np.where(end <= counts, held, -1))
