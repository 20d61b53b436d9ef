"""Exact confidence intervals for one group's true count, by inverting a test of every count.

For a true count j an *acceptance set* A_j is a set of outputs with Pr[A_j | j] >= confidence. The
interval for an output i is every count that accepts it, C(i) = {j : i in A_j}. Then Pr[j in
C(output) | j] = Pr[A_j | j] >= confidence for *every* j: no prior, no approximation, whatever the
shape of the matrix.

Which acceptance sets? The total width over all outputs is the total size of the acceptance sets,
sum_i |C(i)| = sum_j |A_j|, so each A_j is taken with as few outputs as can reach the confidence
(the likeliest ones). Among equally likely outputs the ones nearest the true count come first, then
the ones nearest the middle of the range. That makes the inverted sets intervals for every mechanism
of the paper, with ends in the order of the outputs (but for outputs 0 and n, on which GM piles up;
tests enumerate them all); where a matrix still leaves a gap, a swap of the same size is looked for,
and failing that the gap is filled and every interval is then shortened as far as coverage allows.
`excess` says how much longer than the bound sum_j min|A_j| the result is: 0 means that no shorter
acceptance sets exist.

In a symmetric matrix the true count in the middle may need one of two outputs that are each other's
mirror image, and either would do. `mirrored` then takes both: what is said of i yes is said of i no
(Blyth and Still ask the same of an interval for a proportion). It costs one pair (count, output) at
most for a mechanism of the paper, and only for even n.

Two things a reader should know. An output so rare that *no* count accepts it would have an empty
interval; it gets the shortest interval that holds the confidence of its likelihood instead
(coverage only grows). And a short interval at a rare output is a fair bet on average over outputs,
not a statement about that output: the credible interval is that statement, and stands beside it.

All decisions are made in integers: a column is numerators over one denominator.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    Column = tuple[Sequence[int], int]
    Accepted = list[list[bool]]  # [count][output]


@dataclass(frozen=True, slots=True, kw_only=True)
class Intervals:
    """The confidence interval of every output, with the exact coverage of every true count."""

    confidence: Fraction
    low: tuple[int, ...]
    high: tuple[int, ...]
    coverage: tuple[Fraction, ...]
    smallest: tuple[int, ...]
    unaccepted: tuple[int, ...]

    def __getitem__(self, output: int) -> tuple[int, int]:
        return self.low[output], self.high[output]

    def __len__(self) -> int:
        return len(self.low)

    @property
    def excess(self) -> int:
        """How many (count, output) pairs more than the fewest possible are accepted; rare
        outputs' fillings apart.
        """
        rare = set(self.unaccepted)
        held = sum(
            high - low + 1
            for output, (low, high) in enumerate(zip(self.low, self.high, strict=True))
            if output not in rare
        )
        return held - sum(self.smallest)


def smallest_size(column: Column, confidence: Fraction) -> int:
    """Return the fewest outputs whose probabilities reach `confidence`.

    >>> smallest_size(([1, 5, 4], 10), Fraction(9, 10))
    2
    """
    numerators, denominator = column
    return _reaching(sorted(numerators, reverse=True), denominator, confidence)


def _reaching(masses: Sequence[int], denominator: int, confidence: Fraction) -> int:
    """How many masses, from the first on, reach `confidence`."""
    need = -(-confidence.numerator * denominator // confidence.denominator)
    return next(
        (size for size, total in enumerate(accumulate(masses), start=1) if total >= need),
        len(masses),
    )


def invert(
    columns: Sequence[Column], confidence: Fraction, middle: Sequence[int] | None = None
) -> Intervals:
    """Invert the smallest acceptance sets of a matrix into one interval of true counts per output.

    `columns[j]` holds Pr[. | j]; there may be more outputs than counts. `middle[i]` says how far
    output i lies from the middle of the range (ties are broken by it); by default outputs are 0..n
    in order.

    >>> keep = ([8, 1, 1], 10), ([1, 8, 1], 10), ([1, 1, 8], 10)
    >>> invert(keep, Fraction(4, 5)).high
    (0, 1, 2)
    """
    outputs = len(columns[0][0])
    ways = (
        range(outputs),
        range(outputs)[::-1],
    )  # of equals, a count above the middle takes the last one first
    inward = [sorted(way, key=middle.__getitem__) for way in ways] if middle is not None else []
    smallest, accepted = [], []
    for j, (numerators, denominator) in enumerate(columns):
        # sorting keeps the order of equals, in reverse too
        before = inward[2 * j >= len(columns)] if inward else _nearest(j, outputs)
        order = sorted(before, key=numerators.__getitem__, reverse=True)
        smallest.append(_reaching([numerators[i] for i in order], denominator, confidence))
        chosen = set(order[: smallest[-1]])
        accepted.append([i in chosen for i in range(outputs)])
    _close_gaps(accepted, columns, confidence)
    _shorten(accepted, columns, confidence, smallest)

    low, high, unaccepted = [], [], []
    for i in range(outputs):
        counts = [j for j, row in enumerate(accepted) if row[i]]
        if not counts:
            unaccepted.append(i)
        first, last = (counts[0], counts[-1]) if counts else _likeliest(columns, i, confidence)
        low.append(first)
        high.append(last)
    return Intervals(
        confidence=confidence,
        low=tuple(low),
        high=tuple(high),
        coverage=_coverage(columns, low, high),
        smallest=tuple(smallest),
        unaccepted=tuple(unaccepted),
    )


def mirrored(table: Intervals, columns: Sequence[Column]) -> Intervals:
    """Widen the intervals of a symmetric matrix to mirror images of each other; those of any other
    stay as they are.

    The interval of i becomes the smallest that holds it and the mirror image of that of n-i, so
    coverage only grows.

    >>> tossed = ([3, 1, 0], 4), ([1, 2, 1], 4), ([0, 1, 3], 4)
    >>> table = invert(tossed, Fraction(3, 4))
    >>> (
    ...     list(zip(table.low, table.high)),
    ...     list(zip(mirrored(table, tossed).low, mirrored(table, tossed).high)),
    ... )
    ([(0, 1), (1, 1), (2, 2)], [(0, 1), (1, 1), (1, 2)])
    """
    if not _symmetric(columns):
        return table
    n = len(columns) - 1
    low = [
        min(first, n - last) for first, last in zip(table.low, reversed(table.high), strict=True)
    ]
    high = [n - first for first in reversed(low)]
    return replace(table, low=tuple(low), high=tuple(high), coverage=_coverage(columns, low, high))


def _symmetric(columns: Sequence[Column]) -> bool:
    """Whether turning the matrix by half a turn leaves it as it is, exactly."""
    half = columns[: (len(columns) + 1) // 2]
    return all(
        p * other == q * whole
        for (chances, whole), (turned, other) in zip(half, reversed(columns), strict=False)
        for p, q in zip(chances, reversed(turned), strict=True)
    )


def _coverage(
    columns: Sequence[Column], low: Sequence[int], high: Sequence[int]
) -> tuple[Fraction, ...]:
    """The chance that the interval holds the true count, for every true count."""
    return tuple(
        Fraction(sum(p for i, p in enumerate(numerators) if low[i] <= j <= high[i]), denominator)
        for j, (numerators, denominator) in enumerate(columns)
    )


def _nearest(j: int, outputs: int) -> list[int]:
    """The outputs 0..n by their distance from j; of two that are equally far, first that nearer the
    middle, or 0.

    >>> _nearest(1, 5), _nearest(2, 5)
    ([1, 2, 0, 3, 4], [2, 1, 3, 0, 4])
    """
    itself, sides = range(j, outputs)[:1], [range(outputs)[:j][::-1], range(j + 1, outputs)]
    if 2 * j < outputs - 1:
        sides.reverse()
    both = min(map(len, sides))
    return [
        *itself,
        *chain.from_iterable(zip(*sides, strict=False)),
        *sides[0][both:],
        *sides[1][both:],
    ]


def shortest_run(weights: Sequence[int | Fraction], confidence: Fraction) -> tuple[int, int]:
    """Return the ends of the shortest run with `confidence` of the weight; among equals the
    heaviest, then the first.

    >>> shortest_run([1, 6, 3, 0], Fraction(9, 10))
    (1, 2)
    """
    total = sum(weights)
    need = confidence * total
    best: tuple[int, Fraction | int, int] | None = None
    first, held = 0, 0 * total
    for last, weight in enumerate(weights):
        held += weight
        while held - weights[first] >= need and first < last:
            held -= weights[first]
            first += 1
        if held >= need:
            candidate = (last - first, -held, first)
            best = candidate if best is None else min(best, candidate)
    if best is None:
        return 0, len(weights) - 1
    return best[2], best[2] + best[0]


def _run(accepted: Accepted, i: int) -> tuple[int, int] | None:
    """First and last count that accept output i."""
    counts = [j for j, row in enumerate(accepted) if row[i]]
    return (counts[0], counts[-1]) if counts else None


def _close_gaps(accepted: Accepted, columns: Sequence[Column], confidence: Fraction) -> None:
    """Make every output's counts a run: by an exchange of equal size where one exists, else by
    filling.
    """
    outputs = len(accepted[0])
    for i in range(outputs):
        run = _run(accepted, i)
        if run is None:
            continue
        for j in range(run[0], run[1] + 1):
            if accepted[j][i]:
                continue
            numerators, denominator = columns[j]
            spare = sum(p for r, p in enumerate(numerators) if accepted[j][r]) + numerators[i]
            spare -= -(-confidence.numerator * denominator // confidence.denominator)
            ends = [r for r in range(outputs) if accepted[j][r] and j in (_run(accepted, r) or ())]
            out = [r for r in ends if r != i and numerators[r] <= spare]
            accepted[j][i] = True
            if out:
                accepted[j][min(out, key=lambda r: (numerators[r], r))] = False


def _shorten(
    accepted: Accepted, columns: Sequence[Column], confidence: Fraction, smallest: Sequence[int]
) -> None:
    """Drop ends of runs that no count's coverage needs, least likely first, until none is left
    to drop.
    """
    dropped = True
    while dropped:
        dropped = False
        for j, (numerators, denominator) in enumerate(columns):
            held = [r for r, yes in enumerate(accepted[j]) if yes]
            if len(held) == smallest[j]:
                continue
            spare = sum(numerators[r] for r in held) - confidence * denominator
            for r in sorted(held, key=lambda r: (numerators[r], r)):
                if numerators[r] <= spare and j in (_run(accepted, r) or ()):
                    accepted[j][r] = False
                    spare -= numerators[r]
                    dropped = True


def _likeliest(columns: Sequence[Column], i: int, confidence: Fraction) -> tuple[int, int]:
    """The shortest run of counts holding `confidence` of output i's likelihood."""
    likelihood = [Fraction(numerators[i], denominator) for numerators, denominator in columns]
    return shortest_run(likelihood, confidence)
