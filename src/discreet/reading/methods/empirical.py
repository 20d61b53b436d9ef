"""A prior estimated from all groups together (empirical Bayes).

Model: each group has a rate r, its people are counted independently with that rate, and the rates of all
groups, whatever their sizes, come from one unknown distribution on 0, 1%, ..., 100%. That distribution is
estimated by maximum likelihood (EM) from the released numbers alone; the prior for a group of n is the mixture
of Binomial(n, r) under it. It uses no private data, so it costs no budget. Groups above 512 neither need such a
prior nor lend to it: theirs is uniform. A posterior under it lends strength across groups; it is a model, and
the confidence interval is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from discreet.core.forms import DENSE_LIMIT
from discreet.reading.distribution import mixture
from discreet.reading.totals import Histograms

if TYPE_CHECKING:
    from discreet.reading.methods.debiasing import Floats

RATES = np.linspace(0.0, 1.0, 101)


def binomials(n: int) -> Floats:
    """Return Binomial(n, r) probabilities as [count, rate], for the grid of rates.

    >>> binomials(2)[:, 50].tolist()
    [0.25, 0.5, 0.25]
    """
    table = np.zeros((n + 1, len(RATES)))
    table[0] = 1.0
    for _ in range(n):
        # One more person: counted with chance r. Exact at the rates 0 and 1, and no factorial overflows.
        table[1:] = table[1:] * (1 - RATES) + table[:-1] * RATES
        table[0] *= 1 - RATES
    return table


def estimate_rates(histograms: Histograms) -> Floats:
    """Return the estimated distribution of the groups' rates, as weights on `RATES`."""
    rows, weights = [], []
    for mechanism, histogram in histograms:
        seen = histogram > 0
        if mechanism.n > DENSE_LIMIT:
            continue
        rows.append((mechanism.array @ binomials(mechanism.n))[seen])
        weights.append(histogram[seen])
    if not rows:
        return np.full(len(RATES), 1 / len(RATES))
    found, _ = mixture(np.concatenate(rows), np.concatenate(weights), tolerance=1e-5)
    return found


def prior_for(n: int, rates: Floats) -> Floats:
    """Return the prior over the counts 0..n under a distribution of rates."""
    if n > DENSE_LIMIT:
        return np.full(n + 1, 1 / (n + 1))
    prior = binomials(n) @ rates
    return np.asarray(prior / prior.sum())
