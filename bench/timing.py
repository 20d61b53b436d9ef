"""Does the time of a draw tell the true count? `python -m bench.timing`.

Every round times one call for every true count 0..n, in a fresh random order, so that drift of the
machine falls on all counts alike. Two statistics for each case:

- Friedman's: ranks of the counts within each round; under "time does not depend on the count" the
  statistic is chi-square with n degrees of freedom. Robust against outliers and drift.
- the largest Welch t between one count and all others after cropping the slowest tenth, as `dudect`
  does (|t| > 4.5 is its alarm), with the difference it stands for as a part of the mean time.

Of large groups (n = 1000, drawn by binary digits) 21 counts are compared. The last case is a count
that was drawn before against one that was not, of a mechanism beyond n = 127 that is drawn from
columns, which are built when they are first needed. The result goes to build/bench, or where
`--json` says.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import discreet as dc
from bench.machine import machine

RESULT = Path("build/bench/timing.json")


def measure(
    prepare: Callable[[int], Any], call: Callable[[Any], object], counts: list[int], rounds: int
) -> NDArray[np.float64]:
    """Return nanoseconds [round, count] of `call` alone."""
    taken = np.empty((rounds, len(counts)))
    order = list(range(len(counts)))
    clock = time.perf_counter_ns
    for _ in range(3):
        for count in counts:
            call(prepare(count))
    for r in range(rounds):
        random.shuffle(order)
        for k in order:
            given = prepare(counts[k])
            start = clock()
            call(given)
            taken[r, k] = clock() - start
    return taken


def friedman(taken: NDArray[np.float64]) -> tuple[float, float]:
    """Return the statistic and its p-value (ties broken at random, which keeps the null exact)."""
    rounds, kinds = taken.shape
    noise = np.random.default_rng(0).random(taken.shape)
    order = np.lexsort((noise, taken), axis=1)
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.broadcast_to(np.arange(1, kinds + 1), taken.shape), axis=1)
    sums = ranks.sum(axis=0).astype(float)
    statistic = 12 / (rounds * kinds * (kinds + 1)) * float((sums**2).sum()) - 3 * rounds * (
        kinds + 1
    )
    return statistic, chi_square_tail(statistic, kinds - 1)


def chi_square_tail(x: float, freedom: int) -> float:
    """Return Pr[chi-square > x], by the series of the incomplete gamma function or its continued
    fraction.
    """
    a, z = freedom / 2, x / 2
    if z <= 0:
        return 1.0
    log_front = a * math.log(z) - z - math.lgamma(a)
    if z < a + 1:
        term = total = 1 / a
        k = a
        while term > total * 1e-15:
            k += 1
            term *= z / k
            total += term
        return max(0.0, 1 - math.exp(log_front) * total)
    b, c = z + 1 - a, 1e300
    d = 1 / b
    h = d
    for i in range(1, 10_000):
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b)
        c = b + an / c
        h *= d * c
        if abs(d * c - 1) < 1e-14:
            break
    return math.exp(log_front) * h


def welch(taken: NDArray[np.float64]) -> tuple[float, int, float]:
    """Return the largest |t| of one count against the others, which count, and its part of the
    mean.
    """
    cut = np.quantile(taken, 0.9)
    best = (0.0, 0, 0.0)
    for k in range(taken.shape[1]):
        own = taken[:, k][taken[:, k] <= cut]
        rest = np.delete(taken, k, axis=1).ravel()
        rest = rest[rest <= cut]
        gap = float(own.mean() - rest.mean())
        t = gap / math.sqrt(own.var() / own.size + rest.var() / rest.size)
        if abs(t) > abs(best[0]):
            best = (t, k, gap / float(rest.mean()))
    return best


def case(
    label: str,
    prepare: Callable[[int], Any],
    call: Callable[[Any], object],
    counts: list[int],
    rounds: int,
) -> dict[str, Any]:
    """Measure one case and report its statistics."""
    taken = measure(prepare, call, counts, rounds)
    statistic, p_value = friedman(taken)
    t, k, part = welch(taken)
    return {
        "case": label,
        "counts": len(counts),
        "rounds": rounds,
        "median ns": float(np.median(taken)),
        "Friedman": round(statistic, 1),
        "degrees of freedom": len(counts) - 1,
        "p-value": p_value,
        "largest t": round(t, 2),
        "of count": counts[k],
        "difference": f"{part:+.3%}",
    }


def seen_or_new(n: int, trials: int) -> dict[str, Any]:
    """Time a count that was drawn before against one that was not, of a mechanism drawn from
    columns.
    """
    first, again = [], []
    counts = random.sample(range(n + 1), trials)
    m = dc.weakly_honest(n=n, epsilon="0.00123")
    for count in counts:
        start = time.perf_counter_ns()
        m.release(count)
        first.append(time.perf_counter_ns() - start)
        start = time.perf_counter_ns()
        m.release(count)
        again.append(time.perf_counter_ns() - start)
    return {
        "case": f"WM, n = {n}: a count not drawn before, and the same again",
        "median ns new": float(np.median(first)),
        "median ns seen": float(np.median(again)),
    }


def main() -> None:
    """Run all cases, print and keep them."""
    parser = argparse.ArgumentParser(description="Does the time of a draw tell the true count?")
    parser.add_argument("--rounds", type=int, default=3000)
    parser.add_argument("--json", type=Path, default=RESULT, help="where to write the result")
    options = parser.parse_args()
    rows = []
    mechanisms = [
        dc.geometric(n=8, epsilon="0.5"),
        dc.fair(n=100, epsilon="0.5"),
        dc.geometric(n=1000, epsilon="0.01"),
        dc.fair(n=1000, epsilon="0.01"),
    ]
    for m in mechanisms:
        n, counts = m.n, list(range(0, m.n + 1, max(1, m.n // 1000 * 50)))
        rounds = max(200, options.rounds * 9 // len(counts))
        name = f"{m.form.text().split()[0]}, n = {n}"
        rows.append(case(f"{name}, one count a call", int, m.release, counts, rounds))
        # one buffer for all counts: arrays at different addresses would differ in time by
        # themselves
        buffer = np.zeros(4096, dtype=np.int64)

        def filled(j: int, buffer: NDArray[np.int64] = buffer) -> NDArray[np.int64]:
            buffer[:] = j
            return buffer

        rows.append(case(f"{name}, 4096 equal counts a call", filled, m.release, counts, rounds))
    rows.append(seen_or_new(1000, 200))
    result = {
        "command": f"python -m bench.timing --rounds {options.rounds}",
        "python": platform.python_version(),
        "machine": machine(),
        "rows": rows,
    }
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
