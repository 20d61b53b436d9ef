"""Seeded draws from a mechanism's matrix, for tests of coverage (statistics, so floats will do)."""

from __future__ import annotations

from functools import lru_cache
from statistics import NormalDist

import numpy as np

from discreet.reading.methods.sums import FEW_GROUPS, Term, margins


def histograms(score, counts, repeats, rng):
    """Histograms of outputs for fixed true counts, one row per repetition."""
    counts = np.asarray(counts)
    drawn = np.zeros((repeats, score.n + 1))
    for x in np.unique(counts):
        column = score.matrix[:, x] / score.matrix[:, x].sum()
        drawn += rng.multinomial(int((counts == x).sum()), column, size=repeats)
    return drawn


def coverage(score, counts, confidence, repeats, seed):
    """Return how often the interval of sum f(x_k) covers, and its mean width over the width of the oracle.

    The oracle knows the variance: estimate +- z sqrt(sum V(x_k)).
    """
    (found,) = coverages(score, counts, (confidence,), repeats, seed)
    return found


def coverages(score, counts, confidences, repeats, seed):
    """The same for several confidences, of the same draws."""
    truth = score.target[np.asarray(counts)].sum()
    rows = histograms(score, counts, repeats, np.random.default_rng(seed))
    terms = [Term(score=score, outputs=row) for row in rows]
    values = np.array([term.value for term in terms])
    deviation = np.sqrt(score.variance[np.asarray(counts)].sum())
    found = []
    for confidence in confidences:
        if len(counts) <= FEW_GROUPS:
            below, above = _fixed(score, len(counts), confidence)
        else:
            below, above = np.array([margins([term], confidence) for term in terms]).T
        covered = (values - below - 1e-9 <= truth) & (truth <= values + above + 1e-9)
        oracle = 2 * NormalDist().inv_cdf((1 + confidence) / 2) * deviation
        found.append((covered.mean(), np.mean(below + above) / oracle))
    return found


@lru_cache(maxsize=64)
def _fixed(score, groups, confidence):
    """The margins for few groups, which do not look at the outputs: for any true counts the same."""
    return margins([Term(score=score, outputs=np.eye(score.n + 1)[0] * groups)], confidence)
