"""What the parts of a design by linear program take.

    python -m bench.design_parts [--seeds 0 250] [--runs 5]

The ordinary problems of `bench.exact_peer`, by n: the median of a whole design in processor
milliseconds, the least of so many runs each, and the medians of its parts. HiGHS alone is the float
solve; handing it the program, and writing down where it starts, are in no part.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import defaultdict
from typing import Any

import highspy

import discreet as dc
from bench.exact_peer import ordinary_problem, solved_by_us
from discreet.designer import single
from discreet.designer.lp import answer

PARTS = {
    "reading, theorems": [(single, "read_problem"), (single, "closed_form")],
    "program": [(answer, "build")],
    "HiGHS alone": [(highspy.Highs, "run")],
    "exact vertex and multipliers": [(answer, "reach_optimum"), (answer, "_proven")],
    "final checks": [
        (single, "Mechanism"),
        (answer.Proof, "holds"),
        (single, "satisfies"),
        (single, "_kept"),
    ],
}
RANGES = ((4, 6), (7, 10), (11, 20), (21, 30), (31, 40))


def timed(part: str, owner: Any, name: str, spent: dict[str, float]) -> None:
    """Let a function add what it takes to its part."""
    plain = getattr(owner, name)

    def measured(*given: Any, **named: Any) -> Any:
        started = time.process_time()
        try:
            return plain(*given, **named)
        finally:
            spent[part] += time.process_time() - started

    setattr(owner, name, measured)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, nargs=2, metavar=("FROM", "TO"), default=(0, 250))
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    spent: dict[str, float] = defaultdict(float)
    for part, functions in PARTS.items():
        for owner, name in functions:
            timed(part, owner, name, spent)
    dc.design(n=3, alpha="10/11", properties="CM", loss="L1", cache=False)
    rows: dict[tuple[int, int], list[dict[str, float]]] = defaultdict(list)
    for seed in range(*options.seeds):
        asked = ordinary_problem(seed, 4, 40)
        least: dict[str, float] = {}
        for _ in range(options.runs):
            spent.clear()
            found, seconds = solved_by_us(asked)
            seen = {**spent, "whole": seconds}
            least = {part: min(seen[part], least.get(part, seen[part])) for part in seen}
        if found.origin.method == "linear program":
            rows[next(each for each in RANGES if each[0] <= asked["n"] <= each[1])].append(least)
    for (low, high), measured in sorted(rows.items()):
        medians = {
            part: 1000 * statistics.median(row.get(part, 0.0) for row in measured)
            for part in ("whole", *PARTS)
        }
        print(
            f"n {low} to {high}, {len(measured)}: "
            + ", ".join(f"{part} {ms:.2f}" for part, ms in medians.items())
        )


if __name__ == "__main__":
    main()
