"""Simulated releases of public or made-up data, and the exact numbers they scatter around.

The draws go through the library's own sampler, fed with its seeded words, whose name says that they
are not private: here that is right, since the populations are public or invented, and a figure must
come out the same twice.

For true counts with frequencies f_j (observed, or Binomial) the expectations are plain sums over
the matrix:

    wrong answers beyond d    sum_j f_j sum_{|i-j|>d} Pr[i|j]        (a fraction of groups: no
                              (n+1)/n here)
    RMSE                      sqrt(sum_j f_j sum_i (i-j)^2 Pr[i|j])
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from discreet.sampler import draw, predictable_words_for_tests_only_NOT_PRIVATE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.core.mechanism import Mechanism

PEOPLE = 10_000
"""Individuals in the paper's synthetic populations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The mean of a measure over repetitions, its standard deviation and its standard error."""

    mean: float
    deviation: float
    error: float


def spread(values: NDArray[np.float64]) -> Spread:
    """Summarise repetitions; of a single repetition the deviation is nan.

    >>> spread(np.array([1.0, 3.0]))
    Spread(mean=2.0, deviation=1.4142135623730951, error=1.0)
    """
    deviation = float(np.std(values, ddof=1)) if len(values) > 1 else float("nan")
    return Spread(
        mean=float(np.mean(values)),
        deviation=deviation,
        error=deviation / float(np.sqrt(len(values))),
    )


def binomial_weights(n: int, p: float) -> NDArray[np.float64]:
    """Return the chances of the true counts 0..n when each of n people has the bit with chance
    p.
    """
    return np.array([comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(n + 1)])


def binomial_groups(n: int, p: float, repetitions: int, seed: str) -> NDArray[np.int64]:
    """Return true counts [repetition, group]: `PEOPLE` individuals with a private bit each, cut
    into groups of n.

    People left over after the last full group are left out.
    """
    generator = np.random.default_rng(_entropy(seed))
    return generator.binomial(n, p, size=(repetitions, PEOPLE // n))


def shuffled_groups(
    bits: NDArray[np.bool_], n: int, repetitions: int, seed: str
) -> NDArray[np.int64]:
    """Return true counts [repetition, group] of people gathered arbitrarily, anew in each
    repetition.
    """
    generator = np.random.default_rng(_entropy(seed))
    groups = len(bits) // n
    return np.stack(
        [
            generator.permutation(bits)[: groups * n].reshape(groups, n).sum(1)
            for _ in range(repetitions)
        ]
    )


def simulate(m: Mechanism, counts: NDArray[np.int64], seed: str) -> NDArray[np.int64]:
    """Draw a released count for every true count [repetition, group], reproducibly. NOT PRIVATE:
    public data only.
    """
    source = predictable_words_for_tests_only_NOT_PRIVATE(seed)
    flat = counts.ravel()
    released = draw([m], np.zeros(len(flat), dtype=np.int64), flat, source)
    return released.astype(np.int64).reshape(counts.shape)


def wrong_beyond(
    released: NDArray[np.int64], counts: NDArray[np.int64], d: int
) -> NDArray[np.float64]:
    """Return, for each repetition, the fraction of groups whose released count is more than d
    off.
    """
    share: NDArray[np.float64] = (np.abs(released - counts) > d).mean(axis=1)
    return share


def root_mean_square(released: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the root mean squared error of each repetition."""
    rmse: NDArray[np.float64] = np.sqrt(((released - counts) ** 2).mean(axis=1))
    return rmse


def expected_beyond(m: Mechanism, weights: NDArray[np.float64], d: int) -> float:
    """Return the exact chance that an answer is more than d off, for true counts with these
    weights.
    """
    i = np.arange(m.n + 1)
    return float((m.array * (np.abs(i[:, None] - i[None, :]) > d)).sum(0) @ weights)


def expected_square(m: Mechanism, weights: NDArray[np.float64]) -> float:
    """Return the exact mean squared error for true counts with these weights."""
    i = np.arange(m.n + 1)
    return float((m.array * (i[:, None] - i[None, :]) ** 2).sum(0) @ weights)


def _entropy(seed: str) -> list[int]:
    """Return a text as numbers a generator can be seeded with, the same on every machine."""
    return list(seed.encode())
