"""Does a box follow the very matrix it claims? Exact binomial tests of every cell, tail and
diagonal.

For each true count, each outcome and each initial run of outcomes is binomial under the claim.
Beside these, events pooled over all counts: the error output - count, its runs, and the output
itself. A pooled count is a sum of unequal coins, whose tails beyond one past the mean are at most
those of the binomial with the average chance (Hoeffding 1956, Theorem 4), so its p-value is
conservative. Half of the allowed error is divided by the number of these one-sided tests.

The other half goes to the whole matrix at once, which sees deviations too small and scattered for
any one event: x = sum_j N_j KL(observed column j || claimed column j), the G-statistic halved. Its
moment generating function is at most that of a gamma variable of shape D = sum_j (possible outcomes
of column j - 1) (Agrawal 2020, "Finite-sample concentration of the multinomial in relative
entropy"), so Pr[X >= x] <= exp(D - x) (x/D)^D for every number of draws.

This is the test that sees a biased generator: such a bias may leave every ratio within the claimed
epsilon.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.auditing.draws import OUTSIDE
from discreet.auditing.region import event_name
from discreet.auditing.tails import Floats, log_extreme

_UNREMARKABLE = 3.0  # standard deviations within which a p-value is not worth computing


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """How far the draws are from a claimed matrix; `cells` are those (output, count) refuted one
    by one.
    """

    event: str
    expected: float
    times: int
    p_value: float
    tests: int
    error: float
    cells: tuple[tuple[int, int], ...]
    divergence: float
    divergence_p_value: float

    @property
    def refuted(self) -> bool:
        """Whether the claimed matrix is refuted; false alarms have a chance of at most `error`."""
        return self.event_refuted or self.divergence_p_value <= self.error / 2

    @property
    def event_refuted(self) -> bool:
        """Whether a single event refutes it, and not only the matrix as a whole."""
        return self.p_value <= self.error / (2 * self.tests)


def fit(tally: NDArray[np.int64], matrix: Floats, error: float) -> Fit:
    """Test a tally [outcome, count] against a claimed matrix [output, count]."""
    n = matrix.shape[0] - 1
    claim = np.vstack([matrix, np.zeros((len(OUTSIDE), n + 1))])
    totals = tally.sum(axis=0)
    single = _groups(tally, claim, totals)
    # runs end before n: all of 0..n together is what the strange outcomes leave over
    runs = _groups(np.cumsum(tally, axis=0)[:n], np.cumsum(claim, axis=0)[:n], totals)
    pooled_names, pooled_times, pooled_means = _pooled(tally, claim, totals)
    drawn = int(totals.sum())
    pooled = log_extreme(
        pooled_times,
        drawn,
        np.clip(pooled_means / max(drawn, 1), 0, 1),
        slack=1.0,
        deviations=_UNREMARKABLE,
    )
    tests = 2 * (single.size + runs.size + pooled.size)
    limit = math.log(error / (2 * tests))
    kind, flat = min(
        (float(logs.min(initial=0.0)), index, int(logs.argmin()) if logs.size else 0)
        for index, logs in enumerate((single, runs, pooled))
    )[1:]
    if kind == 2:
        name, expected, times = (
            pooled_names[flat],
            float(pooled_means[flat]),
            int(pooled_times[flat]),
        )
        worst = float(pooled[flat])
    else:
        row, j = divmod(flat, n + 1)
        members = (row,) if kind == 0 else tuple(range(row + 1))
        name = f"{event_name(members, n)} on true count {j}"
        expected, times = (
            float(claim[list(members), j].sum() * totals[j]),
            int(tally[list(members), j].sum()),
        )
        worst = float((single, runs)[kind].flat[flat])
    cells = tuple((int(i), int(j)) for i, j in np.argwhere(single[: n + 1] <= limit))
    p_value = min(1.0, 2 * math.exp(worst))
    x, divergence_p = _divergence(tally, claim, totals)
    return Fit(
        event=name,
        expected=expected,
        times=times,
        p_value=p_value,
        tests=tests,
        error=error,
        cells=cells,
        divergence=x,
        divergence_p_value=divergence_p,
    )


def _divergence(
    tally: NDArray[np.int64], claim: Floats, totals: NDArray[np.int64]
) -> tuple[float, float]:
    """Return x and the bound on the chance of an x at least as large."""
    if bool(np.any((claim <= 0) & (tally > 0))):
        return math.inf, 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = tally * np.log(tally / (totals * claim))
    x = float(np.where(tally > 0, terms, 0.0).sum())
    freedom = int(((claim > 0).sum(axis=0) - 1)[totals > 0].sum())
    if x <= freedom or freedom == 0:
        return max(x, 0.0), 1.0
    return x, math.exp(freedom - x + freedom * math.log(x / freedom))


def _groups(times: NDArray[np.int64], chance: Floats, totals: NDArray[np.int64]) -> Floats:
    drawn = np.broadcast_to(np.maximum(totals, 1), times.shape)
    logs = log_extreme(times, drawn, np.clip(chance, 0, 1), deviations=_UNREMARKABLE)
    return np.where(totals > 0, logs, 0.0)


def _pooled(
    tally: NDArray[np.int64], claim: Floats, totals: NDArray[np.int64]
) -> tuple[list[str], NDArray[np.int64], Floats]:
    n = tally.shape[1] - 1
    inside, means = tally[: n + 1], claim[: n + 1] * totals
    offsets = range(-n, n + 1)
    by_error = np.array([[np.trace(a, offset=-d) for d in offsets] for a in (inside, means)])
    by_output = np.array([inside.sum(axis=1), means.sum(axis=1)])
    both = np.concatenate(
        [by_error, by_error.cumsum(axis=1)[:, :-1], by_output, by_output.cumsum(axis=1)[:, :-1]],
        axis=1,
    )
    names = [
        *(f"output - count = {d}" for d in offsets),
        *(f"output - count <= {d}" for d in offsets[:-1]),
        *(f"output {i} on any count" for i in range(n + 1)),
        *(f"output 0..{i} on any count" for i in range(n)),
    ]
    return names, both[0].astype(np.int64), both[1]
