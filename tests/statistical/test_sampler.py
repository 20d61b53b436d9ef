"""The sampler against the matrix, by counting. Each test raises a false alarm with chance at most 1e-9.

Two judges. Every cell by itself: its count is binomial, and Chernoff's bound P[|X/N - p| as far as seen] <=
2 exp(-N KL(seen, p)) holds for every N, so summing over the cells (Bonferroni) makes the rate a theorem.
All cells of a column together: Pearson's chi-square, cells with fewer than 25 expected pooled, against the
tail bound of Laurent and Massart, P[chi2_k >= k + 2 sqrt(k x) + 2x] <= exp(-x); this rate is as good as the
chi-square approximation.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import discreet as dc
from discreet.sampler import KeyedWords, ReleaseSecret, SystemWords, draw, system_words
from discreet.sampler.digits import draw_family

FALSE_ALARM = 1e-9
N = 1_000_000


def divergence(seen, expected):
    """KL divergence of two coins."""
    terms = ((seen, expected), (1 - seen, 1 - expected))
    return sum(s * math.log(s / e) if e > 0 else math.inf for s, e in terms if s > 0)


def alarm_of_a_cell(counts, chances, columns):
    """Whether a cell is further off than a true sampler's, but for half of FALSE_ALARM over all columns."""
    total, limit = int(counts.sum()), math.log(4 * counts.size * columns / FALSE_ALARM)
    pairs = zip(counts.ravel().tolist(), chances.ravel().tolist(), strict=True)
    return any(
        total * divergence(count / total, min(chance, 1.0)) > limit for count, chance in pairs
    )


def alarm_of_a_column(counts, chances, columns):
    """Whether chi-square is further off than a true sampler's, but for half of FALSE_ALARM over all columns."""
    expected = chances * counts.sum()
    rare = expected < 25
    seen = np.append(counts[~rare], counts[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum())
    seen, expected = seen[expected > 0], expected[expected > 0]
    if expected[-1] < 25 and len(expected) > 1:
        seen[-2], expected[-2] = seen[-2] + seen[-1], expected[-2] + expected[-1]
        seen, expected = seen[:-1], expected[:-1]
    freedom, x = len(seen) - 1, math.log(2 * columns / FALSE_ALARM)
    return (
        float(((seen - expected) ** 2 / expected).sum())
        > freedom + 2 * math.sqrt(freedom * x) + 2 * x
    )


def judge(released, chances, columns=1):
    """Judge one of `columns` samples that a test looks at."""
    counts = np.bincount(released, minlength=len(chances))
    assert len(counts) == len(chances), "a value outside 0..n"
    return alarm_of_a_cell(counts, chances, columns) or alarm_of_a_column(counts, chances, columns)


MECHANISMS = [
    dc.geometric(n=1, alpha="10/11"),
    dc.geometric(n=8, alpha="10/11"),
    dc.fair(n=7, epsilon="0.5"),
    dc.weakly_honest(n=12, alpha="10/11"),
    dc.uniform(n=2),
    dc.geometric(n=2, alpha="1/1000"),
]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: str(m.form))
def test_released_counts_follow_their_column(mechanism):
    for j in range(mechanism.n + 1):
        assert not judge(mechanism.release(np.full(N, j)), mechanism.array[:, j], mechanism.n + 1)


@pytest.mark.parametrize(
    "mechanism",
    [
        dc.geometric(n=200, alpha="10/11"),
        dc.geometric(n=150, alpha="99/100"),  # the ends are likely
        dc.fair(n=150, alpha="99/100"),  # many ranks are drawn again
        dc.weakly_honest(n=130, alpha="0.99"),
        dc.design(n=300, alpha="2/3", properties="CM", cache=False),  # ends moved inward
    ],
    ids=lambda m: str(m.form),
)
def test_large_groups_follow_their_column(mechanism):
    for j in (0, 1, mechanism.n // 2, mechanism.n):
        assert not judge(mechanism.release(np.full(N // 4, j)), mechanism.array[:, j], 4)


def test_mixed_sizes_each_follow_their_own_column():
    sizes = [1, 2, 3, 8, 40, 130]
    mechanisms = [dc.geometric(n=n, alpha="9/10") for n in sizes]
    rng = np.random.default_rng(1)
    which = rng.integers(0, len(sizes), N)
    counts = np.array(sizes)[which] // 2
    released = draw(mechanisms, which, counts, system_words())
    for k, mechanism in enumerate(mechanisms):
        assert not judge(released[which == k], mechanism.array[:, mechanism.n // 2], len(sizes))


def test_keyed_words_follow_the_column_too():
    mechanism = MECHANISMS[1]
    digests = np.zeros((N, 16), dtype=np.uint8)
    digests[:, :8] = (
        np.arange(N, dtype=">u8").view(np.uint8).reshape(N, 8)
    )  # as regular as digests can be
    zeros = np.zeros(N, dtype=np.intp)
    released = draw([mechanism], zeros, zeros + 4, KeyedWords(ReleaseSecret.fresh(), digests))
    assert not judge(released, mechanism.array[:, 4])


def test_keyed_streams_follow_the_column_too():
    sizes = np.arange(N // 4) % 2 + 150  # two sizes take turns
    digests = np.zeros((len(sizes), 16), dtype=np.uint8)
    digests[:, :8] = np.arange(len(sizes), dtype=">u8").view(np.uint8).reshape(-1, 8)
    for kind, build in (("geometric", dc.geometric), ("fair", dc.fair)):
        released = draw_family(
            kind, Fraction(49, 50), sizes, sizes // 2, KeyedWords(ReleaseSecret.fresh(), digests)
        )
        for n in (150, 151):
            assert not judge(released[sizes == n], build(n=n, alpha="49/50").array[:, n // 2], 4)


@pytest.mark.parametrize("gap", [1, 2, 1 << 15])
def test_draws_do_not_tell_about_each_other(gap):
    """Pairs of draws, neighbours or a chunk apart, follow the product of their columns."""
    mechanism = dc.geometric(n=4, alpha="10/11")
    released = mechanism.release(np.full(N + gap, 2)).astype(np.int64)
    first, second = released[:-gap], released[gap:]
    blocks = np.arange(len(first)) // gap % 2 == 0  # pairs that do not overlap
    column = mechanism.array[:, 2]
    assert not judge(first[blocks] * 5 + second[blocks], np.outer(column, column).ravel())


def test_words_are_uniform_in_every_byte():
    words = SystemWords().take(N)
    for shift in range(0, 64, 8):
        values = ((words >> np.uint64(shift)) & np.uint64(255)).astype(np.int64)
        assert not judge(values, np.full(256, 1 / 256), 8)


def test_the_judges_notice_a_slightly_wrong_sampler():
    """A true sample is judged by the matrix of a slightly larger alpha, and by a swap of two outputs."""
    mechanism, other = dc.geometric(n=8, alpha="10/11"), dc.geometric(n=8, alpha="0.9")
    released = mechanism.release(np.full(N, 4))
    assert judge(released, other.array[:, 4])
    swapped = mechanism.array[[0, 2, 1, 3, 4, 5, 6, 7, 8], 4]
    assert judge(released, swapped)
    assert judge(np.minimum(released, 7), mechanism.array[:, 4])
