"""Confidence intervals of closed forms for groups of many sizes: one small table serves all larger
groups.

Away from the ends an acceptance set (`intervals`) is the same at every true count, but for where it
lies, and near an end it does not depend on how far the other end is:

- GM's chances at a true count j < n/2 depend on n at the output n only, which is too rare there to
  be accepted. The column-honest mechanism is GM but for the outputs 0, 1, n-1 and n, and so are its
  chances.
- EM's column at j < n/2 holds 1, a, a, a^2, ... at the outputs j, j+-1, ... 2j and from there one
  by one, for every n, over their sum, which grows with n. So the order of outputs is the same; a
  set too small for the confidence stays too small as n grows; and one that is large enough stays so
  when that is checked with the larger sum, as it is here.

So the intervals of a group of n are those of a group of m < n of the same parity, pulled apart at a
quarter and at three quarters, where the table must be level for twice the reach of an interval.
Where it is not, or where EM's check fails, each group has a table of its own (`own_table`). Tests
compare both.

In groups above 512 the interval is made of both tails: {j : Pr[Y >= y | j] > d/2 and Pr[Y <= y | j]
> d/2}. GM's tail at distance t is a^t/(1+a), and so is the column-honest one's but for the outputs
0, 1, n-1 and n. EM's, for outputs from y >= j on, is the part of the column from there: outputs up
to 2j+1 have a^(i-j), later ones a^ceil(i/2). Found in floats, decided in integers where floats are
too close to tell.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.forms import DENSE_LIMIT, ColumnHonest, Fair, Geometric
from discreet.reading.methods.closed_chances import ClosedChances, first_reaching, power_below
from discreet.reading.methods.closed_matrix import ClosedMatrix
from discreet.reading.methods.expected_errors import log_of
from discreet.reading.methods.intervals import invert, shortest_run, smallest_size

Integers = NDArray[np.int64]
Stretched = Geometric | Fair | ColumnHonest

_BITS = 256
_CLOSE = 1e-9


class Ends(NamedTuple):
    """The interval of every output of one group, and what is known of the sets that it was made
    of.
    """

    low: Integers
    high: Integers
    accepted: NDArray[np.bool_]
    """Whether some true count accepts the output; where none does its ends are those of
    `likeliest_run`.
    """
    coverage: float
    """The least chance of an acceptance set, rounded as floats are."""


def closed_intervals(
    kind: type[Stretched], alpha: Fraction, sizes: Integers, outputs: Integers, confidence: Fraction
) -> tuple[Integers, Integers]:
    """Return the ends of the intervals of many outputs of a closed form at one alpha, below 1,
    for sizes from 1 on.
    """
    low, high, found = np.zeros_like(outputs), np.zeros_like(outputs), sizes > DENSE_LIMIT
    if found.any():
        low[found], high[found] = tail_intervals(
            kind, alpha, sizes[found], outputs[found], confidence
        )
    for parity in (0, 1):
        rows = (sizes % 2 == parity) & (sizes > 1) & (sizes <= DENSE_LIMIT)
        table = small_table(kind(2, alpha), confidence, parity) if rows.any() else None
        if table is None:
            continue
        rows &= sizes >= len(table.low)
        low[rows], high[rows] = _stretched(table, sizes[rows], outputs[rows])
        found = found | rows
    rest = np.flatnonzero(~found)
    rest = rest[np.argsort(sizes[rest], kind="stable")]
    present, starts = np.unique(sizes[rest], return_index=True)
    for n, rows in zip(present.tolist(), np.split(rest, starts[1:]), strict=False):
        low[rows], high[rows] = own_intervals(kind(n, alpha), outputs[rows], confidence)
    return low, high


def mirrored_intervals(
    kind: type[Stretched], alpha: Fraction, sizes: Integers, outputs: Integers, confidence: Fraction
) -> tuple[Integers, Integers]:
    """The same, widened to mirror images of each other (`intervals.mirrored`): every closed form
    is symmetric.
    """
    low, high = closed_intervals(kind, alpha, sizes, outputs, confidence)
    turned_low, turned_high = closed_intervals(kind, alpha, sizes, sizes - outputs, confidence)
    return np.minimum(low, sizes - turned_high), np.maximum(high, sizes - turned_low)


def own_intervals(
    form: Stretched, outputs: Integers, confidence: Fraction
) -> tuple[Integers, Integers]:
    """The ends of the intervals of some outputs of one group, from its own table."""
    table = own_table(form, confidence)
    low, high = table.low[outputs], table.high[outputs]
    for k in np.flatnonzero(~table.accepted[outputs]):
        likelihood = [form.entry(int(outputs[k]), j) for j in range(form.n + 1)]
        low[k], high[k] = shortest_run(likelihood, confidence)
    return low, high


@lru_cache(maxsize=1024)
def own_table(form: Stretched, confidence: Fraction) -> Ends:
    """What `invert` finds for a closed form, n >= 1 and alpha < 1, all true counts together.

    Outputs are put in the order of their chances by whole numbers, so ties are exact. Their chances
    are added up in floats, and a set that is too close to the confidence for these to tell is
    decided in integers.
    """
    n = form.n
    order, chances = _in_order(form)
    sums = np.cumsum(np.take_along_axis(chances, order, axis=1), axis=1)
    level = float(confidence)
    needed = np.minimum((sums < level).sum(axis=1) + 1, n + 1)
    for j in np.flatnonzero((np.abs(sums - level) < _CLOSE).any(axis=1)):
        needed[j] = smallest_size(form.column(int(j)), confidence)
    half = np.zeros((len(order), n + 1), dtype=np.bool_)
    np.put_along_axis(half, order, np.arange(n + 1) < needed[:, None], axis=1)
    # a count of the upper half accepts the mirror image of what its own mirror image does
    sets = np.concatenate([half, half[: (n + 1) // 2][::-1, ::-1]])
    low, high = sets.argmax(axis=0), n - sets[::-1].argmax(axis=0)
    accepted = np.asarray(sets.any(axis=0))
    if (sets.sum(axis=0) != high - low + 1)[accepted].any():
        # never seen: then sets are exchanged until no gap is left
        table = invert([form.column(j) for j in range(n + 1)], confidence)
        low, high = np.array(table.low), np.array(table.high)
        return Ends(
            low=low, high=high, accepted=np.ones_like(accepted), coverage=float(min(table.coverage))
        )
    return Ends(
        low, high, accepted, float(np.take_along_axis(sums, needed[:, None] - 1, axis=1).min())
    )


def _in_order(form: Stretched) -> tuple[Integers, NDArray[np.float64]]:
    """For the true counts up to n/2: the outputs from the likeliest on, in the order of `invert`,
    and their chances.

    EM's chances are powers of alpha, and so are GM's but for the ends, which have 1/(1-a) times as
    much: as much as inner outputs that are nearer by the t with a^t = 1-a, or come between two of
    them where no t is a whole number. The column-honest one has a^j / (2a(1-a)) in these units at 0
    and at 1, and a^2 <= 2a(1-a) < a: t is 2, exactly so at a = 2/3. Where the true count is 0 the
    output 1 comes second.
    """
    n, log_a = form.n, log_of(form.alpha)
    j, i = np.arange(n // 2 + 1)[:, None], np.arange(n + 1)[None, :]
    distance = np.abs(i - j)
    if isinstance(form, Fair):
        power = np.where(
            j >= i, np.minimum(distance, (n - i + 1) // 2), np.minimum(distance, (i + 1) // 2)
        )
        chances, rank = np.exp(log_a * power), power
        chances = chances / chances.sum(axis=1, keepdims=True)
    elif isinstance(form, ColumnHonest):
        chances = ClosedMatrix(form).rows(np.arange(n + 1)).T[: n // 2 + 1]
        at_end, away = (i <= 1) | (i >= n - 1), np.where(2 * i < n, j, n - j)
        rank = np.where(at_end, 2 * (away - 2) + (3 * form.alpha != 2), 2 * distance)
        rank[0, 1] = 1
    else:
        a, at_end = float(form.alpha), (i == 0) | (i == n)
        chances = np.exp(log_a * distance) * np.where(at_end, 1.0, float(1 - form.alpha)) / (1 + a)
        steps, exactly = _worth_of_an_end(form.alpha)
        rank = 2 * (distance - steps * at_end) + (at_end if not exactly else 0)
    # then the nearer one, then the one nearer the middle, then the smaller one: one whole number
    # says it all
    base = n + 1
    ties = (distance * base + np.abs(2 * i - n)) * base + i
    return np.argsort((rank - rank.min()) * base**3 + ties, axis=1), chances


@lru_cache(maxsize=64)
def _worth_of_an_end(alpha: Fraction) -> tuple[int, bool]:
    """The smallest t with a^t <= 1-a, or more than any group needs; and whether they are equal."""
    steps = first_reaching(lambda t: alpha**t, DENSE_LIMIT + 1, lambda power: power <= 1 - alpha)
    return steps, alpha**steps == 1 - alpha


def _stretched(table: Ends, sizes: Integers, outputs: Integers) -> tuple[Integers, Integers]:
    """Lower end, bulk, middle, bulk, upper end: how far each output is moved to find its like in
    the table.
    """
    size = len(table.low) - 1
    quarter, extra = size // 4, sizes - size
    moved = np.clip(outputs - quarter, 0, extra // 2)
    moved += np.clip(outputs - moved - (size - quarter), 0, extra - extra // 2)
    return table.low[outputs - moved] + moved, table.high[outputs - moved] + moved


@lru_cache(maxsize=64)
def small_table(like: Stretched, confidence: Fraction, parity: int) -> Ends | None:
    """The table that serves all larger groups of this kind, alpha and parity; None where it is
    not level.
    """
    kind, alpha = type(like), like.alpha
    reach = _margin(kind, alpha, confidence)
    # EM's margin is that of its ends, twice the reach of an interval elsewhere
    size = (8 if kind is Fair else 16) * (reach + 2) + parity
    if size > DENSE_LIMIT:
        return None
    form = kind(size, alpha)
    table = own_table(form, confidence)
    ends = np.array([table.low, table.high]) - np.arange(size + 1)
    for first in (size // 8, size - 3 * size // 8):
        around = ends[:, first : first + size // 4 + 1]
        if (around != around[:, :1]).any() or 2 * int(np.abs(around).max()) + 2 > size // 4:
            return None
    # EM's chances fall as n grows, down to those of an endless column: the sets must be large
    # enough for these
    share = ClosedChances(form=form).whole() if isinstance(form, Fair) else Fraction(1)
    reached = Fraction(table.coverage) * share
    if share < 1 and abs(reached - confidence) < _CLOSE:
        reached = _least_coverage(form, table) * share
    return table if table.accepted.all() and (share == 1 or reached >= confidence) else None


def _least_coverage(form: Stretched, table: Ends) -> Fraction:
    """The least chance of an acceptance set, exactly."""
    least = Fraction(1)
    for j in range(form.n // 2 + 1):
        chances, whole = form.column(j)
        inside = np.flatnonzero((table.low <= j) & (j <= table.high)).tolist()
        least = min(least, Fraction(sum(chances[i] for i in inside), whole))
    return least


def _margin(kind: type[Stretched], alpha: Fraction, confidence: Fraction) -> int:
    """How far off the answer of a very large group may be, with this confidence."""
    most = ceil(min(4 * log(2 / float(1 - confidence)) / -log_of(alpha), 1000.0)) + 2
    chances = ClosedChances(form=kind(4 * most, alpha))
    return first_reaching(chances.worst, most, lambda chance: chance >= confidence)


def tail_intervals(
    kind: type[Stretched], alpha: Fraction, sizes: Integers, outputs: Integers, confidence: Fraction
) -> tuple[Integers, Integers]:
    """Counts for which neither tail at the output is too rare; alpha is below 1."""
    half = (1 - confidence) / 2
    if kind is Geometric:
        reach = _geometric_reach(alpha, half, int(sizes.max()))
        return np.maximum(outputs - reach, 0), np.minimum(outputs + reach, sizes)
    if kind is ColumnHonest:
        return _moved_low(alpha, sizes, outputs, half), sizes - _moved_low(
            alpha, sizes, sizes - outputs, half
        )
    return _fair_low(alpha, sizes, outputs, half), sizes - _fair_low(
        alpha, sizes, sizes - outputs, half
    )


def _moved_low(alpha: Fraction, sizes: Integers, outputs: Integers, half: Fraction) -> Integers:
    """The smallest j <= y with Pr[Y >= y | j] > half, or y, of GM whose ends are moved inward.

    At y = n the tail is (1-t) a^(n-j) / (1+a); at y = 1 it has t/(1+a) more where j = 0.
    """
    moved, n = ColumnHonest(3, alpha).moved, int(sizes.max())
    reach, at_end = _geometric_reach(alpha, half, n), _geometric_reach(alpha, half / (1 - moved), n)
    found = np.maximum(outputs - np.where(outputs == sizes, at_end, reach), 0)
    return np.where((outputs == 1) & bool((alpha + moved) / (1 + alpha) > half), 0, found)


def _geometric_reach(alpha: Fraction, half: Fraction, n: int) -> int:
    """The largest t <= n, if not 0, whose tail a^t / (1+a) is above half."""
    least = half * (1 + alpha)

    def rare(t: int) -> bool:
        """Whether the tail one step further is no longer above half."""
        power = power_below(alpha, t + 1, _BITS)
        if power > least or power + Fraction(1, 1 << _BITS) <= least:
            return power <= least
        return alpha ** (t + 1) <= least

    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if rare(middle) else (middle + 1, high)
    return low


def _fair_low(alpha: Fraction, sizes: Integers, outputs: Integers, half: Fraction) -> Integers:
    """The smallest j <= y with Pr[Y >= y | j] > half, or y: the chance grows with j."""
    limit = float(half)
    first, last = np.zeros(len(outputs), dtype=np.int64), outputs.copy()
    while (first < last).any():
        middle = (first + last) // 2
        likely = _fair_tail(alpha, sizes, outputs, middle) > limit
        first, last = (
            np.where(likely, first, np.minimum(middle + 1, last)),
            np.where(likely, middle, last),
        )
    for j in (first, np.maximum(first - 1, 0)):
        near = np.abs(_fair_tail(alpha, sizes, outputs, j) - limit) < _CLOSE * limit
        for k in np.flatnonzero(near):
            first[k] = _fair_low_exactly(Fair(int(sizes[k]), alpha), int(outputs[k]), half)
    return first


def _fair_tail(alpha: Fraction, n: Integers, y: Integers, j: Integers) -> NDArray[np.float64]:
    """Pr[Y >= y | j] for j <= y, in units of (1+a)/(1-a), EM's endless column, as in
    `closed_chances`.
    """
    a, log_a = float(alpha), log_of(alpha)

    def part(m: Integers) -> NDArray[np.float64]:
        half = (m + 1) // 2
        return np.asarray(
            np.where(m % 2, np.exp(log_a * half), 2 * np.exp(log_a * (half + 1)) / (1 + a))
        )

    end = np.minimum(2 * j + 1, n)
    near = np.where(y <= end, np.exp(log_a * (y - j)) - np.exp(log_a * (end + 1 - j)), 0.0) / (
        1 + a
    )
    start = np.maximum(y, 2 * j + 2)
    far = np.where(start <= n, part(np.minimum(start, n) - 1) - part(n), 0.0)
    whole = 1 - part(n)
    return np.asarray((near + far) / whole)


def _fair_low_exactly(form: Fair, y: int, half: Fraction) -> int:
    """The same in rationals, with powers rounded by 2^-256 and a tail never understated."""
    chances = ClosedChances(form=form)
    return first_reaching(
        lambda j: chances.upper_tail(y, j) + Fraction(1, 1 << 180), y, lambda chance: chance > half
    )
