"""What the best mechanism with a column property costs for large groups: value, bound and seconds.

    python -m bench.any_size [--n 1000 10000] [--alpha 3/4 10/11 ...]
    python -m bench.any_size --designs     # the matrix, checked, with its proof: up to 512 people
    python -m bench.any_size --intervals   # C(alpha) proven on whole intervals of alpha, for every
                                           n from a size on

Seconds are those of the processor, with everything imported. A row that takes more than `LIMIT`
seconds at an alpha up to 0.998, or is not proven to be the optimum, ends the command with 1.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from fractions import Fraction

import discreet as dc

LIMIT = 2.0
ALPHAS = (
    "11/20",
    "3/5",
    "2/3",
    "7/10",
    "3/4",
    "4/5",
    "17/20",
    "9/10",
    "10/11",
    "19/20",
    "99/100",
    "199/200",
    "499/500",
)

DESIGN = """
import resource, sys, time
import discreet as dc

dc.design(n=4, alpha="9/10", properties="WH CM", cache=False)
began = time.process_time()
m = dc.design(n=int(sys.argv[1]), alpha=sys.argv[2], properties="WH CM", gap=0, cache=False)
seconds = time.process_time() - began
assert m.origin.optimal and m.satisfies("WH CM")
print(f"{seconds:.1f} | {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}")
"""


def main(arguments: list[str] | None = None) -> int:
    """Print the table; return 1 where a row fails."""
    parser = argparse.ArgumentParser(prog="python -m bench.any_size")
    parser.add_argument("--n", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--alpha", nargs="+", default=ALPHAS)
    parser.add_argument("--designs", action="store_true")
    parser.add_argument("--intervals", action="store_true")
    asked = parser.parse_args(arguments)
    if asked.intervals:
        return intervals()
    if asked.designs:
        return designs()
    dc.best_cost(n=4, alpha="9/10", properties="WH CM")  # imports
    failed = 0
    print("| n | alpha | least L0 under WH, CM | n (L0 - GM's) | cost - bound | seconds |")
    print("| --- | --- | --- | --- | --- | --- |")
    for n in asked.n:
        for alpha in asked.alpha:
            began = time.process_time()
            found = dc.best_cost(n=n, alpha=alpha, properties="WH CM")
            seconds, a = time.process_time() - began, Fraction(alpha)
            excess, gap = n * (found.cost - 2 * a / (1 + a)), found.cost - found.bound
            print(
                f"| {n} | {alpha} | {float(found.cost):.12f} | {float(excess):.6f} | "
                f"{float(gap):g} | {seconds:.2f} |"
            )
            failed += not found.optimal or (seconds > LIMIT and a <= Fraction(998, 1000))
    return 1 if failed else 0


def designs() -> int:
    """Design in a process each, so that each has its own memory; print the table, return 1 where
    one is not proven.
    """
    print("| n | alpha | seconds | MiB |")
    print("| --- | --- | --- | --- |")
    failed = 0
    for n in (320, 400, 512):
        for alpha in ("3/4", "10/11"):
            done = subprocess.run(
                [sys.executable, "-c", DESIGN, str(n), alpha], capture_output=True, text=True
            )
            failed += done.returncode != 0
            print(f"| {n} | {alpha} | {done.stdout.strip() or 'failed'} |")
    return 1 if failed else 0


def intervals() -> int:
    """Prove every interval and print its function; a proof that fails ends the command."""
    from discreet.paper.beyond.alpha_intervals import INTERVALS, prove

    print("| alpha | n from | C(a) |")
    print("| --- | --- | --- |")
    for low, high in INTERVALS:
        size, excess = prove(Fraction(low), Fraction(high))
        print(f"| {low} to {high} | {size} | {excess} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
