"""What the joint design of a histogram gains over its counts one by one, and what fairness and
honesty cost there.

    python -m bench.histograms --gains            # print the tables
    python -m bench.histograms --gains --write    # into bench/results and
                                                  docs/old/histogram-gains.md

Everything is a mean over all histograms alike. Designs, cells as drawn and bounds are exact and
shown rounded; cells read as is best are worked out in floats.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import discreet as dc
from bench.report import table
from discreet.core.histogram import Histogram, misplaced

RESULT = Path(__file__).parent / "results" / "histogram_gains.json"

SIZES = ((2, 3), (4, 3), (8, 3), (12, 3), (20, 3), (4, 4), (8, 4), (4, 5))
EPSILONS = ("1/2", "1", "2", "4")
EDGES = ("1/16", "1/8", "1/4", "1/2", "1", "2", "4", "6", "8")
EDGE = (6, 3)
PRICED = ((4, 3), (8, 3), (4, 4), (4, 5))
WISHES = ("WH", "CH", "CM", "F")
LARGE = ((30, 4), (60, 5), (100, 10), (200, 3))


def best_reading(n: int, k: int, epsilon: float) -> float:
    """The mean number misplaced of k counts by GM at `epsilon` each, read as is best.

    Whatever was drawn is read as the histogram with the fewest people misplaced on average, given
    all k counts.
    """
    points = Histogram(n, k).points
    gm = np.array(dc.geometric(n=n, epsilon=repr(epsilon)).array)
    far = np.array([[misplaced(a, b) for b in points] for a in points], dtype=float)
    chances = np.ones((1, len(points)))
    for answer in range(k):
        column = gm[:, [point[answer] for point in points]]
        chances = (chances[:, None, :] * column[None, :, :]).reshape(-1, len(points))
    return float((chances @ far).min(axis=1).sum() / len(points))


def measured() -> dict[str, Any]:
    """Work out every number of the page."""
    return {
        "command": "python -m bench.histograms --gains --write",
        "gains": [_gain(n, k, epsilon) for n, k in SIZES for epsilon in EPSILONS],
        "edges": [_gain(*EDGE, epsilon) for epsilon in EDGES],
        "prices": [
            _price(n, k, epsilon, loss)
            for n, k in PRICED
            for epsilon in EPSILONS
            for loss in ("L0", "L1")
        ],
        "large": [_large(n, k) for n, k in LARGE],
    }


def _gain(n: int, k: int, epsilon: str) -> dict[str, Any]:
    whole = Fraction(epsilon)
    rivals = dc.compare(["joint", "cells", "RR"], n=n, categories=k, epsilon=epsilon, loss="L1")
    return {
        "n": n,
        "k": k,
        "epsilon": epsilon,
        "joint": float(rivals["joint"].l1),
        "half": best_reading(n, k, float(whole / 2)),
        "parts": best_reading(n, k, float(whole / k)),
        "drawn": float(rivals["cells"].l1),
        "people": float(rivals["RR"].l1),
    }


def _price(n: int, k: int, epsilon: str, loss: str) -> dict[str, Any]:
    best = dc.design(n=n, categories=k, epsilon=epsilon, loss=loss).score(loss)
    costs = {
        wish: dc.design(n=n, categories=k, epsilon=epsilon, loss=loss, properties=wish).score(loss)
        for wish in WISHES
    }
    over = {wish: float(cost / best - 1) for wish, cost in costs.items()}
    return {"n": n, "k": k, "epsilon": epsilon, "loss": loss, "none": float(best), **over}


def _large(n: int, k: int) -> dict[str, Any]:
    found = dc.design(n=n, categories=k, epsilon=1, loss="L1")
    return {"n": n, "k": k, "drawn": float(found.misplaced), "bound": float(found.least_misplaced)}


def by_size(result: dict[str, Any]) -> list[str]:
    """The joint design against its rivals at epsilon 1, by n and k."""
    names = ("n", "k", "joint", "cells", "less", "separate counts", "less", "cells as drawn", "RR")
    rows = (
        (
            *(row["n"], row["k"], f"{row['joint']:.4f}", *_less(row, "half"), *_less(row, "parts")),
            *(f"{row['drawn']:.4f}", f"{row['people']:.4f}"),
        )
        for row in result["gains"]
        if row["epsilon"] == "1"
    )
    return table(names, rows)


def by_both(result: dict[str, Any]) -> list[str]:
    """How much fewer people the joint design misplaces than cells and than separate counts, at
    every epsilon.
    """
    rows = (
        [n, k, *(" / ".join(_less(row, rival)[1] for rival in ("half", "parts")) for row in mine)]
        for n, k in SIZES
        if (mine := [row for row in result["gains"] if (row["n"], row["k"]) == (n, k)])
    )
    return table(("n", "k", *(f"epsilon {epsilon}" for epsilon in EPSILONS)), rows)


def by_epsilon(result: dict[str, Any]) -> list[str]:
    """The same for one size, from hardly any epsilon to a lot."""
    names = ("epsilon", "joint", "cells", "less", "fewer people misplaced")
    rows = (
        [
            row["epsilon"],
            f"{row['joint']:.4f}",
            *_less(row, "half"),
            f"{_rounded(row['half'] - row['joint']):.4f}",
        ]
        for row in result["edges"]
    )
    return table(names, rows)


def _less(row: dict[str, Any], rival: str) -> list[str]:
    return [f"{row[rival]:.4f}", f"{_rounded(1 - row['joint'] / row[rival]):.0%}"]


def _rounded(value: float) -> float:
    """A float that is as good as 0 has no sign."""
    return round(value, 6) + 0.0


def prices(result: dict[str, Any]) -> list[str]:
    """What properties cost at most over the best joint mechanism without any."""
    sizes = ", ".join(f"{n} people and {k} answers" for n, k in PRICED)
    rows = (
        [epsilon, loss, *_over(max(row[wish] for row in mine) for wish in WISHES)]
        for epsilon in EPSILONS
        for loss in ("L0", "L1")
        if (
            mine := [
                row for row in result["prices"] if (row["epsilon"], row["loss"]) == (epsilon, loss)
            ]
        )
    )
    return [
        f"The most over four settings ({sizes}):",
        "",
        *table(("epsilon", "loss", *WISHES), rows),
    ]


def _over(parts: Iterable[float]) -> list[str]:
    return [
        "0" if part < 5e-7 else f"+{part:.2%}" if part >= 5e-5 else "below 0.01%" for part in parts
    ]


def large(result: dict[str, Any]) -> list[str]:
    """Beyond the limit: cells as drawn, and what no joint mechanism undercuts."""
    names = ("n", "k", "cells as drawn", "no joint mechanism below")
    return table(
        names,
        (
            [row["n"], row["k"], f"{row['drawn']:.4f}", f"{row['bound']:.4f}"]
            for row in result["large"]
        ),
    )


PARTS = {
    "by_size": by_size,
    "by_both": by_both,
    "by_epsilon": by_epsilon,
    "prices": prices,
    "large": large,
}


def gains(*, write: bool) -> None:
    """Print the tables; with `write`, keep the numbers and fill the page."""
    result = measured()
    for part in PARTS.values():
        print("\n".join(part(result)))
    if write:
        from bench.pages import write_pages

        RESULT.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        write_pages()
