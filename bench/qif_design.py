"""Designs of qif beside ours, the one peer that designs mechanisms by linear program: `python -m
bench.qif_design`.

The problem both can state: no properties, uniform prior, L1. Seconds of processor time, model
building included; ours is cold and ends in an exact, proven optimum. "Private" is whether the
matrix keeps the ratio it was asked for: qif's in floats with a slack of 1e-9, ours in rationals.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from pathlib import Path
from typing import Any

import discreet as dc
from bench.peers import Peer, run_peer

ALPHAS = ("1/2", "10/11")

QIF = Peer(
    name="qif",
    tries=(("qif", "numpy"),),
    check="import qif, numpy",
    script="""
import json, math, sys, time
import numpy as np
import qif
n, alpha = int(sys.argv[1]), float(sys.argv[2])
epsilon, prior = -math.log(alpha), np.full(n + 1, 1 / (n + 1))
start = time.process_time()
made = qif.mechanism.d_privacy.min_loss_given_d(
    prior, n + 1, lambda x, y: epsilon * abs(x - y), lambda x, y: float(abs(x - y)))
seconds = time.process_time() - start
m = np.array(made)  # [true count, output]
distance = np.abs(np.subtract.outer(np.arange(n + 1), np.arange(n + 1)))
ratios = [np.divide(a, b, out=np.where(a > 0, np.inf, 0.0), where=b > 0) for a, b in ((m[:-1], m[1:]), (m[1:], m[:-1]))]
print(json.dumps(dict(version=qif.__version__, seconds=seconds, cost=float((prior @ (m * distance)).sum()),
    worst=float(np.log(max(r.max() for r in ratios))))))
""",
)


def case(n: int, alpha: str) -> dict[str, Any]:
    """One problem, both ways."""
    started = time.process_time()
    m = dc.design(n=n, alpha=alpha, loss="L1", cache=False)
    row: dict[str, Any] = {
        "n": n,
        "alpha": alpha,
        "ours": {
            "seconds": time.process_time() - started,
            "cost": float(m.score("L1")),
            "private": m.tight_alpha >= m.alpha,
        },
    }
    answer = run_peer(QIF, n, float(m.alpha))
    if "worst" in answer:
        claimed = -math.log(m.alpha)
        worst = answer["worst"]
        answer |= {
            "private": worst <= claimed + 1e-9,
            "worst": worst if math.isfinite(worst) else "infinite",
        }
    return row | {"qif": answer}


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 20, 40, 60])
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    dc.design(n=3, alpha="1/2", loss="L1", cache=False)  # so that nobody pays for imports
    rows = [case(n, alpha) for n in options.sizes for alpha in ALPHAS]
    for row in rows:
        print(row)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
