"""Are rows drawn independently? Exact tests that need no knowledge of the matrix.

If rows are independent, draws of the same true count are interchangeable. Two exact consequences
are tested, on sets of draws that share no member, so that each count of wins is Binomial(trials,
1/2), exactly:

- **equal**: of a draw x, a draw near it (a fixed number of rows on, or in the same row of another
  call) and a draw far from it, all on the same true count, x is as likely to equal only the near
  one as only the far one;
- **together**: of two neighbours (x, y) and two far draws (x', y') on the same true counts, the
  signs of x - x' and y - y' are as likely to agree as to differ, where neither is zero.

One draw reused for all rows makes neighbours equal, and makes neighbours on different counts move
together. A generator reseeded for each call repeats its rows. The allowed error is divided by the
number of tests.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.auditing.draws import Codes, Draws
from discreet.auditing.tails import log_extreme

MOST_TRIALS = 100_000
"""Trials a test looks at: beyond these it only gets slower."""


_BLOCKS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class SignTest:
    """One test: `wins` in `trials` should be like a fair coin's; `p_value` is two-sided and
    exact.
    """

    name: str
    wins: int
    trials: int
    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Independence:
    """All tests of independence; `refuted` when one has a p-value of at most `error /
    len(tests)`.
    """

    tests: tuple[SignTest, ...]
    error: float

    @property
    def worst(self) -> SignTest | None:
        """The test with the smallest p-value."""
        return min(self.tests, key=lambda test: test.p_value, default=None)

    @property
    def refuted(self) -> bool:
        """Whether rows are shown to depend on each other; false alarms have a chance of at most
        `error`.
        """
        worst = self.worst
        return worst is not None and worst.p_value <= self.error / len(self.tests)


def check_independence(draws: Draws, error: float) -> Independence:
    """Test rows at lags 1..8, 16, 32, ..., and the same row in two calls."""
    pairs = [*_lag_tests(draws), *(_repeat_tests(draws) if draws.repeated else ())]
    return Independence(tests=tuple(_sign_test(*pair) for pair in pairs), error=error)


def _sign_test(name: str, wins: int, losses: int) -> SignTest:
    trials = wins + losses
    log_p = math.log(2) + float(log_extreme(wins, max(trials, 1), 0.5)) if trials else 0.0
    return SignTest(name=name, wins=wins, trials=trials, p_value=math.exp(min(0.0, log_p)))


def _lag_tests(draws: Draws) -> Iterator[tuple[str, int, int]]:
    near_side, pool = _sides(draws)
    starts = np.flatnonzero(np.diff(draws.call, prepend=-1))
    place = (
        np.arange(draws.call.size)
        - starts[np.searchsorted(starts, np.arange(draws.call.size), "right") - 1]
    )
    longest = int(place.max(initial=0)) + 1
    y = draws.outcomes
    for lag in [*range(1, 9), *(2**k for k in range(4, 40))]:
        if 4 * lag > longest:
            return
        # places in alternate blocks of `lag`, so that no draw serves twice
        first = np.flatnonzero(near_side[:-lag] & near_side[lag:] & (place[:-lag] // lag % 2 == 0))
        first = first[draws.call[first] == draws.call[first + lag]]
        alike = _thinned(first[draws.counts[first] == draws.counts[first + lag]])
        apart = f"rows {lag} apart" if lag > 1 else "neighbouring rows"
        far = _partners(alike, draws.counts, pool)
        used = far >= 0
        x, near, other = y[alike[used]], y[alike[used] + lag], y[far[used]]
        yield f"{apart} are equal", *_discordant(x == near, x == other)
        both = _thinned(first)
        far = _partners(np.concatenate([both, both + lag]), draws.counts, pool)
        far_x, far_y = far[: both.size], far[both.size :]
        used = (far_x >= 0) & (far_y >= 0)
        left = np.sign(y[both[used]] - y[far_x[used]])
        right = np.sign(y[both[used] + lag] - y[far_y[used]])
        yield f"{apart} move together", *_agreements(left, right)


def _sides(draws: Draws) -> tuple[NDArray[np.bool_], Codes]:
    """Return where neighbours are taken from (every other call, or block of a table), and the
    far draws by count.
    """
    if int(draws.call.max(initial=0)) > 0:
        near_side = draws.call % 2 == 0
    else:
        # many blocks, so that a table sorted by count has draws of each count on both sides
        near_side = np.arange(draws.call.size) // max(1, draws.call.size // _BLOCKS) % 2 == 0
    pool = np.flatnonzero(~near_side)
    return near_side, pool[np.argsort(draws.counts[pool], kind="stable")]


def _partners(wanted: Codes, counts: Codes, pool: Codes) -> Codes:
    """Give each wanted draw a far draw (of a pool sorted by count) on its count, none twice; -1
    when none is left.
    """
    answer = np.full(wanted.size, -1, dtype=np.int64)
    order = np.argsort(counts[wanted], kind="stable")
    edges = np.arange(int(counts.max(initial=0)) + 2)
    need = np.searchsorted(counts[wanted][order], edges)
    have = np.searchsorted(counts[pool], edges)
    for lo, hi, start, stop in zip(need[:-1], need[1:], have[:-1], have[1:], strict=True):
        wants, holds = int(hi - lo), int(stop - start)
        served = min(wants, holds)
        # spread over the whole pool and half of it away, so that partners come from many calls and
        # other ones
        spread = start + (np.arange(served) * holds // max(served, 1) + holds // 2) % max(holds, 1)
        answer[order[lo : lo + served]] = pool[spread]
    return answer


def _repeat_tests(draws: Draws) -> Iterator[tuple[str, int, int]]:
    calls = int(draws.call[-1]) + 1
    y = draws.outcomes.reshape(calls, -1)
    counts = draws.counts[: y.shape[1]]
    by_count = np.argsort(counts, kind="stable")
    first, second = by_count[0:-1:2], by_count[1::2]
    alike = counts[first] == counts[second]
    first, second = first[alike], second[alike]
    keep = max(1, MOST_TRIALS * 2 // calls)
    first, second = _thinned(first, keep), _thinned(second, keep)
    one, two = y[0 : calls - 1 : 2], y[1:calls:2]
    x, near, far = one[:, first], two[:, first], two[:, second]
    yield "the same row of two calls is equal", *_discordant(x == near, x == far)
    if calls >= 4:
        quarter = calls // 4 * 4
        a, b, c, d = (
            y[k:quarter:4][:, by_count[:: max(1, by_count.size // keep)]] for k in range(4)
        )
        yield (
            "the same row of two calls moves together",
            *_agreements(np.sign(a - c), np.sign(b - d)),
        )


def _thinned(places: Codes, most: int = MOST_TRIALS) -> Codes:
    return places[:: -(-places.size // most)] if places.size > most else places


def _discordant(near: NDArray[np.bool_], far: NDArray[np.bool_]) -> tuple[int, int]:
    return int(np.count_nonzero(near & ~far)), int(np.count_nonzero(far & ~near))


def _agreements(left: Codes, right: Codes) -> tuple[int, int]:
    product = left * right
    return int(np.count_nonzero(product > 0)), int(np.count_nonzero(product < 0))
