"""Black boxes for the audit: an honest one, and each with one deliberate fault. Seeded, so that tests repeat."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from discreet.core.mechanism import Mechanism

Box = Callable[[NDArray[np.int64]], NDArray[np.int64]]


def by_inversion(matrix: NDArray[np.float64], words: Callable[[int], NDArray[np.uint64]]) -> Box:
    """Draw each output by comparing one 64-bit word with the running sums of its column."""
    edges = np.cumsum(matrix, axis=0)[:-1] * 2.0**64

    def box(counts: NDArray[np.int64]) -> NDArray[np.int64]:
        u = words(counts.size).astype(np.float64)
        return (u >= edges[:, counts]).sum(axis=0)

    return box


def fair_words(seed: int) -> Callable[[int], NDArray[np.uint64]]:
    """Words without fault."""
    rng = np.random.default_rng(seed)
    return lambda count: rng.integers(0, 2**64, count, dtype=np.uint64)


def biased_words(seed: int, bit: int, chance: float) -> Callable[[int], NDArray[np.uint64]]:
    """Words in which one bit (0 is the highest) is 1 with the given chance, and the others are fair."""
    rng = np.random.default_rng(seed)
    place = np.uint64(1 << (63 - bit))

    def words(count: int) -> NDArray[np.uint64]:
        fair = rng.integers(0, 2**64, count, dtype=np.uint64)
        return np.where(rng.random(count) < chance, fair | place, fair & ~place)

    return words


def honest(m: Mechanism, seed: int = 1) -> Box:
    """The mechanism itself, drawn in floats."""
    return by_inversion(m.array, fair_words(seed))


def one_draw_for_all_rows(m: Mechanism, seed: int = 2) -> Box:
    """Every row of a call gets the same word (one draw went to 595 groups: opendp#2344)."""
    single = fair_words(seed)
    return by_inversion(m.array, lambda count: np.repeat(single(1), count))


def seeded_anew_for_each_call(m: Mechanism, seed: int = 3) -> Box:
    """A fixed seed inside the function: every call gets the same words."""
    return by_inversion(m.array, lambda count: fair_words(seed)(count))


def draws_go_twice(m: Mechanism, seed: int = 4, lag: int = 1) -> Box:
    """Blocks of `lag` words are each used twice, as by a buffer that is refilled too late."""
    single = fair_words(seed)

    def words(count: int) -> NDArray[np.uint64]:
        blocks = single((count // (2 * lag) + 1) * lag).reshape(-1, lag)
        return np.repeat(blocks, 2, axis=0).ravel()[:count]

    return by_inversion(m.array, words)


def zeros_beside_small_entries(m: Mechanism, small: float = 1e-4, seed: int = 5) -> Box:
    """Output 0 has chance `small` on every count but n, where it has none; all else is as private as `m`.

    That is what a float solver's tolerance does to a design. (Output 0 of `m` is merged into output 1 first.)
    """
    matrix = m.array.copy()
    matrix[1] += matrix[0]
    matrix[0] = 0.0
    matrix[:, :-1] *= 1 - small
    matrix[0, :-1] = small
    return by_inversion(matrix, fair_words(seed))


def clamp_that_switches_privacy_off(m: Mechanism, seed: int = 6) -> Box:
    """The input is clamped to [lower, upper]; where the two meet, the noise is scaled by their distance: to nothing."""
    noisy = honest(m, seed)

    def box(counts: NDArray[np.int64]) -> NDArray[np.int64]:
        room = np.minimum(counts, m.n - counts)
        return np.where(room == 0, counts, noisy(counts))

    return box
