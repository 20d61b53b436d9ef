"""A prior estimated from all groups together (empirical Bayes).

Model: each group has a rate r, its people are counted independently with that rate, and the rates of all
groups, whatever their sizes, come from one unknown distribution on 0, 1%, ..., 100%. That distribution is
estimated by maximum likelihood (`mixtures`) from the released numbers alone; the prior for a group of n is the mixture
of Binomial(n, r) under it. It uses no private data, so it costs no budget. Groups above 512 neither need such a
prior nor lend to it: theirs is uniform. A posterior under it lends strength across groups; it is a model, and
the confidence interval is not.
"""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING

import numpy as np

from discreet.core.forms import DENSE_LIMIT
from discreet.reading.methods.mixtures import mixture
from discreet.reading.methods.posteriors import likelihoods
from discreet.reading.totals import Histograms

if TYPE_CHECKING:
    from discreet.reading.methods.debiasing import Floats

RATES = np.linspace(0.0, 1.0, 101)


def binomials(n: int) -> Floats:
    """Return Binomial(n, r) probabilities as [count, rate], for the grid of rates.

    >>> binomials(2)[:, 50].tolist()
    [0.25, 0.5, 0.25]
    """
    return _binomials_of({n})[n]


def _binomials_of(sizes: Set[int]) -> dict[int, Floats]:
    """The same for several n: each is met on the way to the largest."""
    largest = max(sizes, default=0)
    table = np.zeros((largest + 1, len(RATES)))
    table[0] = 1.0
    found = {0: table[:1].copy()}
    for n in range(1, largest + 1):
        # One more person: counted with chance r. Exact at the rates 0 and 1, and no factorial overflows.
        table[1 : n + 1] = table[1 : n + 1] * (1 - RATES) + table[:n] * RATES
        table[0] *= 1 - RATES
        if n in sizes:
            found[n] = table[: n + 1].copy()
    return found


def estimate_rates(histograms: Histograms) -> Floats:
    """Return the estimated distribution of the groups' rates, as weights on `RATES`."""
    rows, weights = [], []
    small = [(m, seen) for m, seen in histograms if m.n <= DENSE_LIMIT and seen.groups]
    tables = _binomials_of({m.n for m, _ in small})
    for m, seen in small:
        rows.append(likelihoods(m, seen.outputs) @ tables[m.n])
        weights.append(seen.times)
    if not rows:
        return np.full(len(RATES), 1 / len(RATES))
    found, _ = mixture(np.concatenate(rows), np.concatenate(weights), tolerance=1e-5)
    return found


def priors_for(sizes: Set[int], rates: Floats) -> dict[int, Floats]:
    """Return the prior over the counts 0..n under a distribution of rates, for several n up to 512."""
    tables = _binomials_of(sizes)
    priors = {n: tables[n] @ rates for n in sizes}
    return {n: np.asarray(prior / prior.sum()) for n, prior in priors.items()}


def prior_for(n: int, rates: Floats) -> Floats:
    """Return the prior over the counts 0..n; above 512 it is uniform."""
    return np.full(n + 1, 1 / (n + 1)) if n > DENSE_LIMIT else priors_for({n}, rates)[n]
