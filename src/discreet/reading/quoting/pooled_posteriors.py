"""What a released number says of its group, with a prior learned from all groups, and the doubt
that is left about it.

Model: each group has a rate, its people are counted independently with that rate, and rates come
from a Beta distribution with mean m and concentration k. Both are unknown: every (m, k) on a grid
is as likely as the released numbers of all groups say, and a posterior is averaged over them. So a
release that tells little of the rates leaves wide intervals, where the one likeliest prior
(`methods.empirical`) would be sure of itself: in twenty groups of two at epsilon 0.06 that prior is
a single rate, 0 or 1. Coarser levels of the release, which have noise of their own, say where the
mean is. It reads released numbers alone and costs no budget. Groups of more than 512 people are not
read.

With h = (m, k), y the released numbers and B the Beta-binomial probabilities, the posterior of
group i is

    Pr[x | y]  ~  Pr[y_i | x] * sum_h Pr[h | y] / Pr[y_i | h] * B(x; n, h)

where the division takes group i itself out of what all groups say of h.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from discreet.core.forms import DENSE_LIMIT
from discreet.reading import totals
from discreet.reading.methods.debiasing import NotEstimable
from discreet.reading.methods.posteriors import likelihoods, summed_up

if TYPE_CHECKING:
    from discreet.reading.methods.debiasing import Floats, Integers
    from discreet.reading.samples import Sample

# means lie densely near 0 and 1, where counts are surest
_MEANS = np.sin(np.pi / 2 * (np.arange(40) + 0.5) / 40) ** 2
_CONCENTRATIONS = np.array([1.0, 3.0, 10.0, 30.0, 100.0, 300.0])
MEANS, CONCENTRATIONS = (grid.ravel() for grid in np.meshgrid(_MEANS, _CONCENTRATIONS))


def beta_binomials(n: int) -> Floats:
    """Return the Beta-binomial probabilities of 0..n, [count, (mean, concentration)].

    >>> table = beta_binomials(3)
    >>> bool(np.allclose(table.sum(axis=0), 1)), bool(np.allclose(np.arange(4) @ table, 3 * MEANS))
    (True, True)
    """
    a, b = MEANS * CONCENTRATIONS, (1 - MEANS) * CONCENTRATIONS
    x = np.arange(n)[:, None]
    steps = np.log((n - x) * (x + a)) - np.log(
        (x + 1) * (n - x - 1 + b)
    )  # from each count to the next
    logs = np.concatenate([np.zeros((1, len(a))), np.cumsum(steps, axis=0)])
    return _normal(logs)


def pooled_posteriors(
    sample: Sample, coarser: Sequence[Sample], confidence: Fraction
) -> tuple[Integers, Floats, Integers, Integers]:
    """Return the rows of groups of at most 512 people, and of each the posterior mean and the
    credible run.
    """
    mean, low, high = (
        np.zeros(len(sample)),
        np.zeros(len(sample), np.int64),
        np.zeros(len(sample), np.int64),
    )
    rows = np.flatnonzero(sample.sizes <= DENSE_LIMIT)
    for own, place, posterior in _each(sample, coarser):
        read = summed_up(posterior, np.arange(posterior.shape[1], dtype=np.float64), confidence)
        mean[own], low[own], high[own] = (values[place] for values in read)
    return rows, mean[rows], low[rows], high[rows]


def shares_by_count(sample: Sample, coarser: Sequence[Sample] = ()) -> Floats:
    """Return the expected share of groups with each true count, where all groups have one size
    of at most 512.
    """
    ((_, place, posterior),) = _each(sample, coarser)
    return np.asarray(posterior[place].mean(axis=0))


def rates_by_tenths(sample: Sample, coarser: Sequence[Sample] = ()) -> Floats:
    """Return the expected share of groups with a rate in each tenth: 0 to 10%, 10 to 20%, and so
    on.

    Groups without people, and those of more than 512, are left out.
    """
    found, groups = np.zeros(10), 0
    for own, place, posterior in _each(sample, coarser):
        n = posterior.shape[1] - 1
        if n:
            found += posterior[place].sum(axis=0) @ tenths(n)
            groups += len(own)
    return found / max(groups, 1)


def tenths(n: int) -> Floats:
    """Return how much of each count of 0..n falls into each tenth: every count has an equal part of
    the scale.

    The rates of a small group are few. Put where k/n lies, whole tenths would stay empty for the
    sizes of groups alone; with equal parts, equally likely counts fill all tenths alike, whatever
    the size.

    >>> tenths(1).tolist()[0]
    [0.2, 0.2, 0.2, 0.2, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0]
    """
    edges = np.arange(n + 2) / (n + 1)
    marks = np.arange(11) / 10
    shared = np.minimum(edges[1:, None], marks[None, 1:]) - np.maximum(
        edges[:-1, None], marks[None, :-1]
    )
    return np.asarray(np.round(np.maximum(shared, 0.0) * (n + 1), 12))


def beyond_posteriors(sample: Sample) -> int:
    """Return how many groups have more than 512 people, and are in no distribution over groups."""
    return int((sample.sizes > DENSE_LIMIT).sum())


def _each(sample: Sample, coarser: Sequence[Sample]) -> Iterator[tuple[Integers, Integers, Floats]]:
    """The groups of each mechanism, the place of each one's output, and the posterior of each
    output by true count.
    """
    known = _weights(sample, coarser)
    for index, mechanism in enumerate(sample.mechanisms):
        if mechanism.n <= DENSE_LIMIT:
            own = np.flatnonzero(sample.which == index)
            outputs, place = np.unique(sample.outputs[own], return_inverse=True)
            table, rates = likelihoods(mechanism, outputs), beta_binomials(mechanism.n)
            without = _normal((known - _log(table @ rates)).T)  # [(mean, concentration), output]
            joint = table * (rates @ without).T
            yield own, place, joint / joint.sum(axis=1, keepdims=True)


def _weights(sample: Sample, coarser: Sequence[Sample]) -> Floats:
    """The logarithm, but for a constant, of how likely each (mean, concentration) is."""
    found = np.zeros(len(MEANS))
    for mechanism, seen in sample.histograms:
        if mechanism.n <= DENSE_LIMIT and seen.groups:
            found += seen.times @ _log(
                likelihoods(mechanism, seen.outputs) @ beta_binomials(mechanism.n)
            )
    people = float(sample.sizes.sum())
    if coarser and people and (known := _total(coarser)):
        total, error = known
        # the variance of a sum of Beta-binomial counts, and that of the levels' noise
        alike = 1 / (CONCENTRATIONS + 1)
        squares = float((sample.sizes.astype(np.float64) ** 2).sum())
        spread = MEANS * (1 - MEANS) * (people + (squares - people) * alike) + error
        found -= (total - people * MEANS) ** 2 / (2 * spread) + np.log(spread) / 2
    return found


def _total(levels: Sequence[Sample]) -> tuple[float, float] | None:
    """The total that some levels say together, and its variance; their noise is independent."""
    each = []
    for level in levels:
        with suppress(NotEstimable):
            each.append(totals.total(level.histograms))
    weights = [1 / max(q.standard_error, 1e-9) ** 2 for q in each]
    if not weights:
        return None
    return sum(w * q.value for w, q in zip(weights, each, strict=True)) / sum(weights), 1 / sum(
        weights
    )


def _normal(logs: Floats) -> Floats:
    """Weights that add up to 1, along the first axis, from their logarithms."""
    weights = np.exp(logs - logs.max(axis=0))
    return np.asarray(weights / weights.sum(axis=0))


def _log(chances: Floats) -> Floats:
    return np.asarray(np.log(np.maximum(chances, 1e-300)))
