"""Beyond 6: range queries over a histogram of small groups, which the paper's last sentence asks
for: a first study.

Larger histograms (B = 16 cells of n = 5 people): per cell, per range and dyadic answers for the
same epsilon, by range length, exactly. Tiny ones: one mechanism on whole histograms, designed for
all ranges by linear program, against the best per cell. Floats throughout; nothing here is
released. Everything is observed.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import log2, sqrt
from typing import Any

from discreet.core.mechanism import Mechanism
from discreet.core.named import fair
from discreet.core.rationals import read_alpha
from discreet.designer import design
from discreet.paper.beyond.range_errors import (
    Errors,
    blocks,
    errors,
    joint,
    most_ranges,
    product_cost,
    ranges,
    summed,
    truncated,
    unbiased_errors,
)
from discreet.paper.judging import Statement, observed
from discreet.paper.panels import series_colours
from discreet.paper.results import Outcome, Rows, Settings
from discreet.show.colours import mechanism_colour
from discreet.show.pictures.sheets.sheet_parts import Name

CELLS, N = 16, 5
EPSILONS = (Fraction(1, 2), Fraction(1), Fraction(2))
P = (0.5, 0.1)
GM_CELL, EM_CELL, L2_CELL = "per cell, GM", "per cell, EM", "per cell, L2 with WH CM"
UNBIASED, PER_RANGE, DYADIC, GUESS = (
    "per cell, GM debiased",
    "per range, GM",
    "dyadic, GM debiased",
    "guessing n/2 a cell",
)
ORDER = (GM_CELL, EM_CELL, L2_CELL, UNBIASED, PER_RANGE, DYADIC, GUESS)
TINY = ((2, 1), (2, 2), (2, 3), (2, 4), (3, 1), (3, 2))
QUICK_TINY = ((2, 1), (2, 2), (3, 1))
LOSSES = {"wrong answers": 0.0, "absolute error": 1.0, "squared error": 2.0}


@lru_cache(maxsize=64)
def _cell(name: str, epsilon: Fraction) -> Mechanism:
    if name == EM_CELL:
        return fair(n=N, epsilon=epsilon)
    if name == L2_CELL:
        return design(n=N, epsilon=epsilon, loss="L2", properties="WH CM")
    return truncated(N, read_alpha(epsilon=epsilon).value)


def make(settings: Settings) -> Outcome:
    """Compare by range length on the larger histogram, and by total on the tiny ones."""
    lengths = (1, 2, 4, 8, 16) if settings.quick else tuple(range(1, CELLS + 1))
    rows: Rows = []
    for epsilon in EPSILONS:
        for p in P:
            for length in lengths:
                for name, value in _methods(epsilon, p, length).items():
                    rows.append(
                        {
                            "epsilon": float(epsilon),
                            "p": p,
                            "length": length,
                            "method": name,
                            "exact": value,
                        }
                    )
    tiny: Rows = []
    for cells, n in QUICK_TINY if settings.quick else TINY:
        for epsilon in EPSILONS[:2]:
            tiny += _tiny(cells, n, epsilon)
    return Outcome(tables={"ranges": rows, "joint": tiny}, statements=_statements(rows, tiny))


def _tiny(cells: int, n: int, epsilon: Fraction) -> Rows:
    """Compare the joint design with the best of three per cell, as the whole histogram weighs
    more and more.
    """
    alpha = float(read_alpha(epsilon=epsilon).value)
    singles = [design(n=n, epsilon=epsilon, loss=loss) for loss in ("L0", "L1", "L2")]
    rows: Rows = []
    for loss, power in LOSSES.items():
        for whole in (1 / len(ranges(cells)), 0.6, 0.8, 1.0):
            single = min(product_cost(m, cells, power, whole) for m in singles)
            together = joint(cells, n, alpha, power, whole).cost
            rows.append(
                {
                    "cells": cells,
                    "n": n,
                    "epsilon": float(epsilon),
                    "loss": loss,
                    "whole": whole,
                    "per_cell": single,
                    "joint": together,
                    # what is below the solver's tolerance is no gain
                    "gain": max(0.0, round(1 - together / single, 7)),
                }
            )
    return rows


def _methods(epsilon: Fraction, p: float, length: int) -> dict[str, float]:
    """Return the RMSE of a range of this length for each way of answering (dyadic: mean over
    positions).
    """
    found = {
        name: summed([errors(_cell(name, epsilon), p)] * length)
        for name in (GM_CELL, EM_CELL, L2_CELL)
    }
    found[UNBIASED] = summed([unbiased_errors(_cell(GM_CELL, epsilon), p)] * length)
    share = read_alpha(epsilon=epsilon / most_ranges(CELLS)).value
    found[PER_RANGE] = summed([errors(truncated(N * length, share), p)])
    levels = int(log2(CELLS)) + 1
    part = read_alpha(epsilon=epsilon / levels).value
    squares = []
    for left, right in ranges(CELLS):
        if right - left + 1 == length:
            pieces = [_block(size, part, p) for size in blocks(left, right, CELLS)]
            squares.append(summed(pieces) ** 2)
    found[DYADIC] = sqrt(sum(squares) / len(squares))
    # what one knows without any data: n/2 for each cell
    found[GUESS] = sqrt(length * N * p * (1 - p) + (length * N * (0.5 - p)) ** 2)
    return found


@lru_cache(maxsize=512)
def _block(size: int, alpha: Fraction, p: float) -> Errors:
    return unbiased_errors(truncated(N * size, alpha), p)


def _statements(rows: Rows, tiny: Rows) -> tuple[Statement, ...]:
    at = {(r["epsilon"], r["p"], r["length"], r["method"]): r["exact"] for r in rows}
    lengths = sorted({r["length"] for r in rows})
    real = [name for name in ORDER if name != GUESS]

    def best(epsilon: float, p: float, length: int) -> str:
        return min(real, key=lambda name: at[epsilon, p, length, name])

    winners: dict[str, int] = {}
    for epsilon in map(float, EPSILONS):
        for p in P:
            for length in lengths:
                name = best(epsilon, p, length)
                winners[name] = winners.get(name, 0) + 1
    beaten = sum(
        at[float(e), p, k, PER_RANGE] > at[float(e), p, k, UNBIASED]
        for e in EPSILONS
        for p in P
        for k in lengths
    )
    places = len(EPSILONS) * len(P) * len(lengths)
    skew = ", ".join(
        f"{name} {at[1.0, 0.1, CELLS, name]:.1f}" for name in (GM_CELL, EM_CELL, L2_CELL, UNBIASED)
    )
    even = ", ".join(
        f"{name} {at[1.0, 0.5, CELLS, name]:.1f}" for name in (GM_CELL, EM_CELL, L2_CELL, UNBIASED)
    )
    alike = [r for r in tiny if r["whole"] == 1 / len(ranges(r["cells"]))]
    only = [r for r in tiny if r["whole"] == 1]
    none = sum(r["gain"] == 0 for r in alike)
    dyadic = [k for k in lengths if at[1.0, 0.5, k, DYADIC] < at[1.0, 0.5, k, UNBIASED]]

    return (
        observed(
            "B = 16, n = 5",
            "which way of answering has the least RMSE",
            f"of {places} epsilons, p and lengths: "
            + ", ".join(f"{k} {v}" for k, v in sorted(winners.items(), key=lambda x: -x[1]))
            + ".",
        ),
        observed(
            "Bias",
            "long ranges over bounded answers: biases add up, noise averages out",
            f"whole histogram, epsilon = 1, p = 0.1: {skew}; p = 0.5, where biases cancel: {even}.",
        ),
        observed(
            "Per range",
            "answering every range by itself",
            f"splits epsilon by {most_ranges(CELLS)}; worse than debiased cells at {beaten} of "
            f"{places} places.",
        ),
        observed(
            "Dyadic",
            "a tree of blocks, debiased",
            "beats debiased cells at epsilon = 1, p = 0.5 for "
            + (
                f"lengths {', '.join(map(str, dyadic))}."
                if dyadic
                else "no length up to 16: five levels cost more than they save on so few cells."
            ),
        ),
        observed(
            "Joint design",
            "one mechanism on whole histograms against the best of L0, L1, L2 designs per cell",
            f"all ranges alike: no gain at all at {none} of {len(alike)} places, at most "
            f"{max(r['gain'] for r in alike):.0%}; only the whole histogram asked for: "
            f"{min(r['gain'] for r in only):.0%} to {max(r['gain'] for r in only):.0%} (up to "
            f"{max((r['n'] + 1) ** r['cells'] for r in tiny)} histograms).",
        ),
    )


def draw(outcome: Outcome) -> dict[str, Any]:
    """Draw the typical error over range length on even data, for three ways to answer."""
    from discreet.paper.keys import study_keys

    each, tree = series_colours(2)
    even = {
        PER_RANGE: (each, Name("each range by itself", 10.2, 1, "end")),
        DYADIC: (tree, Name("a tree of blocks", 12, 1.6)),
        GM_CELL: (mechanism_colour("GM"), Name("cells added up", 11, -1)),
    }
    ends = {PER_RANGE: (".0f", 1), GM_CELL: (".1f", -1)}
    return {"ranges": study_keys.ranges(outcome.tables["ranges"], P[0], even, ends, DYADIC)}
