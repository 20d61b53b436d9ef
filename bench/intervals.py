"""Mean width of 95% intervals for one group: exact test inversion against the usual clamped Laplace
interval.

    python -m bench.intervals           prints a table
    python -m bench.intervals --json     prints the numbers

The usual way: y = clamp(x + Laplace(1/epsilon), 0, n), and the interval y +- ln(1/0.05)/epsilon cut
to 0..n, whole numbers inside. Ours: GM, WM and EM of the same epsilon with discreet's exact
intervals. Widths are high - low, averaged over equally likely true counts; coverage is the least
over true counts. Laplace's numbers are integrals, taken over 20,001 quantiles of its noise.
"""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from math import log

import numpy as np

import discreet as dc
from discreet.reading.group import intervals

LEVEL = Fraction(19, 20)
SIZES = (4, 8, 12, 20, 40)
EPSILONS = ("0.1", "0.5", "1", "2")


def exact(mechanism: dc.Mechanism) -> tuple[float, float]:
    table = intervals(mechanism, LEVEL)
    widths = np.array(table.high) - np.array(table.low)
    return float(mechanism.array.mean(axis=1) @ widths), float(min(table.coverage))


def clamped_laplace(n: int, epsilon: float) -> tuple[float, float]:
    ranks = (np.arange(20_001) + 0.5) / 20_001
    noise = -np.sign(ranks - 0.5) * np.log1p(-2 * np.abs(ranks - 0.5)) / epsilon
    half = log(1 / (1 - float(LEVEL))) / epsilon
    width, least = 0.0, 1.0
    for x in range(n + 1):
        y = np.clip(x + noise, 0, n)
        low, high = np.maximum(np.ceil(y - half), 0), np.minimum(np.floor(y + half), n)
        width += float((high - low).mean()) / (n + 1)
        least = min(least, float(((low <= x) & (x <= high)).mean()))
    return width, least


def main() -> None:
    rows = []
    for n in SIZES:
        for epsilon in EPSILONS:
            found = {
                "Laplace": clamped_laplace(n, float(epsilon)),
                "GM": exact(dc.geometric(n=n, epsilon=epsilon)),
                "WM": exact(dc.weakly_honest(n=n, epsilon=epsilon)),
                "EM": exact(dc.fair(n=n, epsilon=epsilon)),
            }
            rows.append(
                {
                    "n": n,
                    "epsilon": epsilon,
                    **{k: {"width": w, "coverage": c} for k, (w, c) in found.items()},
                }
            )
    if "--json" in sys.argv:
        print(json.dumps(rows, indent=2))
        return
    names = ("Laplace", "GM", "WM", "EM")
    print("mean width (least coverage) of 95% intervals")
    print(f"{'n':>4} {'epsilon':>8}  " + "  ".join(f"{name:>16}" for name in names))
    for row in rows:
        cells = (f"{row[name]['width']:7.2f} ({row[name]['coverage']:.3f})" for name in names)
        print(f"{row['n']:>4} {row['epsilon']:>8}  " + "  ".join(f"{cell:>16}" for cell in cells))


if __name__ == "__main__":
    main()
