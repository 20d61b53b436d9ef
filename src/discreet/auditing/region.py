"""One confidence region for the whole matrix, and what follows from it: a lower bound on epsilon,
and properties.

The events are fixed before the draws are seen: each single outcome, and each initial run of
outcomes in the order below 0, 0, 1, ..., n, above n, not whole, missing (and with each event its
complement). Every event has an exact Clopper-Pearson interval for every true count, and the allowed
error is divided by the number of bounds (Bonferroni), so **all intervals hold at once** with the
stated confidence. Whatever is then picked out, the largest ratio or the worst cell, needs no
further correction: the search was paid for in advance.

Epsilon: alpha-privacy (Definition 2 of the paper) gives Pr[S|j] <= exp(d * epsilon) Pr[S|k] for
every event S and counts d = |j-k| apart, so

    epsilon >= ln( low Pr[S|j] / high Pr[S|k] ) / |j-k|

for all S, j, k at once. Distant counts differ by more than neighbours do, while their chances are
estimated as well, so the best witness of a small epsilon is usually a distant pair.

The region also shows which of the seven properties the box appears to have.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.auditing.draws import OUTSIDE, outcome_name
from discreet.auditing.tails import Floats, lower_bound, upper_bound
from discreet.core.domains import Cell, Counts
from discreet.core.properties import BY_PROPERTY, PROPERTIES, comparisons

HOLDS, FAILS, OPEN = "holds", "fails", "not refuted"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Region:
    """Simultaneous intervals: `low` and `high` are [outcome, count]; the `tail_` ones are for runs
    of outcomes.

    Tail t is the first t+1 outcomes of `order`.
    """

    n: int
    error: float
    low: Floats
    high: Floats
    tail_low: Floats
    tail_high: Floats
    order: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """The strongest evidence: an event, two true counts, and how often the event came for each."""

    epsilon: float
    event: str
    outcomes: tuple[int, ...]
    likely: int
    unlikely: int
    times_likely: int
    draws_likely: int
    times_unlikely: int
    draws_unlikely: int

    def __str__(self) -> str:
        return (
            f"{self.event} came {self.times_likely} times in {self.draws_likely} on true count "
            f"{self.likely}, {self.times_unlikely} in {self.draws_unlikely} on {self.unlikely}"
        )


def confidence_region(tally: NDArray[np.int64], n: int, error: float) -> Region:
    """Return intervals that all hold at once, except with a chance of at most `error`."""
    order = np.array([n + 1, *range(n + 1), n + 2, n + 3, n + 4])
    totals = tally.sum(axis=0)
    tails = np.cumsum(tally[order], axis=0)[:-1]
    each = error / (2 * (tally.shape[0] + tails.shape[0]) * (n + 1))
    low, high = _intervals(tally, totals, each)
    tail_low, tail_high = _intervals(tails, totals, each)
    return Region(
        n=n, error=error, low=low, high=high, tail_low=tail_low, tail_high=tail_high, order=order
    )


def _intervals(
    times: NDArray[np.int64], totals: NDArray[np.int64], error: float
) -> tuple[Floats, Floats]:
    drawn = np.maximum(totals, 1)  # a count never asked has the interval [0, 1]
    low, high = lower_bound(times, drawn, error), upper_bound(times, drawn, error)
    return np.where(totals > 0, low, 0.0), np.where(totals > 0, high, 1.0)


def epsilon_bound(region: Region, tally: NDArray[np.int64]) -> Witness | None:
    """Return the witness of the largest lower bound on epsilon, or None when nothing is shown
    (epsilon >= 0).
    """
    best, where = 0.0, None
    events = (
        ("one", region.low, region.high),
        ("first", region.tail_low, region.tail_high),
        ("last", 1 - region.tail_high, 1 - region.tail_low),
    )
    with np.errstate(divide="ignore"):
        for kind, low, high in events:
            log_low, log_high = np.log(np.maximum(low, 0)), np.log(high)
            for d in range(1, region.n + 1):
                up = (log_low[:, :-d] - log_high[:, d:]) / d
                down = (log_low[:, d:] - log_high[:, :-d]) / d
                for gain, shift in ((up, (0, d)), (down, (d, 0))):
                    spot = int(np.argmax(gain))
                    if gain.flat[spot] > best:
                        best = float(gain.flat[spot])
                        event, j = divmod(spot, gain.shape[1])
                        where = (kind, event, j + shift[0], j + shift[1])
    if where is None:
        return None
    return _witness(best, *where, region, tally)


def _witness(
    best: float,
    kind: str,
    event: int,
    likely: int,
    unlikely: int,
    region: Region,
    tally: NDArray[np.int64],
) -> Witness:
    order = region.order
    outcomes = {"one": np.array([event]), "first": order[: event + 1], "last": order[event + 1 :]}[
        kind
    ]
    times = tally[outcomes].sum(axis=0)
    totals = tally.sum(axis=0)
    seen = tuple(int(code) for code in outcomes if tally[code].any() or code <= region.n)
    return Witness(
        epsilon=best * (1 - 1e-9),  # rounding is in favour of the box
        event=event_name(seen, region.n),
        outcomes=seen,
        likely=likely,
        unlikely=unlikely,
        times_likely=int(times[likely]),
        draws_likely=int(totals[likely]),
        times_unlikely=int(times[unlikely]),
        draws_unlikely=int(totals[unlikely]),
    )


def event_name(outcomes: tuple[int, ...], n: int) -> str:
    """Name an event: "output 3", "output 0..3", "output above n".

    >>> event_name((0, 1, 2), 5), event_name((7,), 5)
    ('output 0..2', 'output above n')
    """
    plain = sorted(code for code in outcomes if code <= n)
    words = []
    if plain:
        words.append(f"{plain[0]}..{plain[-1]}" if len(plain) > 1 else str(plain[0]))
    words += [outcome_name(code, n) for code in outcomes if code > n]
    return "output " + " or ".join(words or [OUTSIDE[-1]])


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    """One property: it `holds` or `fails` with the region's confidence, or the draws do not decide
    (`not refuted`).

    An equality (F, S) can fail but never be shown to hold.
    """

    property: str
    status: str
    cell: Cell | None = None

    def __str__(self) -> str:
        where = "" if self.cell is None else f" at Pr[{self.cell[0]}|{self.cell[1]}]"
        return f"{self.property} {self.status}{where}"


def appearances(region: Region) -> tuple[Appearance, ...]:
    """Judge every property; the cell named is the one whose failure is clearest."""
    return tuple(_judge(name, region) for name in PROPERTIES)


def _judge(name: str, region: Region) -> Appearance:
    low, high, n = region.low.tolist(), region.high.tolist(), region.n
    worst, cell, sure = 0.0, None, True
    row = BY_PROPERTY[name]
    if row.tail is None:
        for label in row.labels(Counts(n)):
            (i, j), _ = row.cells(Counts(n), label)
            missing = 1 / (n + 1) - high[i][j]
            sure = sure and low[i][j] >= 1 / (n + 1)
            if missing > worst:
                worst, cell = missing, (i, j)
    else:
        for (i, j), (k, m) in comparisons(name, Counts(n)):
            missing = low[k][m] - high[i][j]
            sure = sure and low[i][j] >= high[k][m]
            if missing > worst:
                worst, cell = missing, (i, j)
    status = FAILS if cell is not None else HOLDS if sure else OPEN
    return Appearance(property=name, status=status, cell=cell)
