"""Seeded draws from a mechanism's matrix, for tests of coverage (statistics, so floats will do)."""

from __future__ import annotations

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
    rng = np.random.default_rng(seed)
    truth = score.target[np.asarray(counts)].sum()
    covered, width = 0, 0.0
    fixed = margins([Term(score=score, outputs=np.eye(score.n + 1)[0] * len(counts))], confidence)
    for row in histograms(score, counts, repeats, rng):
        term = Term(score=score, outputs=row)
        # Few groups: the margins do not look at the outputs, so they are computed once.
        below, above = fixed if len(counts) <= FEW_GROUPS else margins([term], confidence)
        covered += term.value - below - 1e-9 <= truth <= term.value + above + 1e-9
        width += below + above
    deviation = np.sqrt(score.variance[np.asarray(counts)].sum())
    oracle = 2 * NormalDist().inv_cdf((1 + confidence) / 2) * deviation
    return covered / repeats, width / repeats / oracle
