"""A prior estimated from all groups together (empirical Bayes).

Model: each group has a rate r, its people are counted independently with that rate, and the rates
of all groups, whatever their sizes, come from one unknown distribution on 0, 1%, ..., 100%. That
distribution is estimated by maximum likelihood (`mixtures`) from the released numbers alone; the
prior for a group of n is the mixture of Binomial(n, r) under it. It uses no private data, so it
costs no budget. Groups above 512 neither need such a prior nor lend to it: theirs is uniform. A
posterior under it lends strength across groups; it is a model, and the confidence interval is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import TYPE_CHECKING

import numpy as np

from discreet.core.forms import DENSE_LIMIT
from discreet.reading.methods.mixtures import mixture
from discreet.reading.methods.posteriors import likelihoods
from discreet.reading.totals import Histograms, Tally

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.reading.methods.debiasing import Floats

RATES = np.linspace(0.0, 1.0, 101)


def binomials(sizes: Set[int]) -> Iterator[tuple[int, Floats]]:
    """Yield n and Binomial(n, r) probabilities as [count, rate], for several n in ascending order.

    Each is met on the way to the largest, and is there to be read until the next one is asked for.

    >>> [(n, table[:, 50].tolist()) for n, table in binomials({2})]
    [(2, [0.25, 0.5, 0.25])]
    """
    largest = max(sizes, default=0)
    table = np.zeros((largest + 1, len(RATES)))
    table[0] = 1.0
    for n in range(largest + 1):
        if n:
            # One more person: counted with chance r. Exact at the rates 0 and 1, and no factorial
            # overflows.
            table[1 : n + 1] = table[1 : n + 1] * (1 - RATES) + table[:n] * RATES
            table[0] *= 1 - RATES
        if n in sizes:
            yield n, table[: n + 1]


def estimate_rates(histograms: Histograms) -> Floats:
    """Return the estimated distribution of the groups' rates, as weights on `RATES`."""
    small: dict[int, list[tuple[Mechanism, Tally]]] = {}
    for m, seen in histograms:
        if m.n <= DENSE_LIMIT and seen.groups:
            small.setdefault(m.n, []).append((m, seen))
    if not small:
        return np.full(len(RATES), 1 / len(RATES))
    rows, weights = [], []
    for n, table in binomials(small.keys()):
        for m, seen in small[n]:
            rows.append(likelihoods(m, seen.outputs) @ table)
            weights.append(seen.times)
    found, _ = mixture(np.concatenate(rows), np.concatenate(weights), tolerance=1e-5)
    return found


def priors_for(sizes: Set[int], rates: Floats) -> dict[int, Floats]:
    """Return the prior over the counts 0..n under a distribution of rates, for several n up to
    512.
    """
    priors = {n: table @ rates for n, table in binomials(sizes)}
    return {n: np.asarray(prior / prior.sum()) for n, prior in priors.items()}


def prior_for(n: int, rates: Floats) -> Floats:
    """Return the prior over the counts 0..n; above 512 it is uniform."""
    return np.full(n + 1, 1 / (n + 1)) if n > DENSE_LIMIT else priors_for({n}, rates)[n]
