"""Levels that add up: the errors of a known simulation, the coverage of the intervals, time and
memory.

    python -m bench.levels                 everything, in about three minutes; the exit code says
                                           whether all held
    python -m bench.levels --quick         fewer repetitions and settings, up to 100,000 groups
    python -m bench.levels --json FILE     the numbers too

- Errors: 400 clinics of 2..12 people in 20 regions, 2,737 people of whom each is counted with
  chance 0.3, GM at every level, epsilon 1 in total, four ways to share it. Root mean squared
  errors, against the table they are to reproduce. We take that table to be of one draw of clinics,
  which we do not have; so ours are over several draws, and a number holds if it is within three
  standard errors, for one draw of clinics, of ours (and half a unit of its last digit). Numbers
  that are farther than three standard errors of our own mean, over all draws, are marked with a *.
- Coverage: settings that differ in levels, shapes, sizes, true counts, epsilon, shares and
  confidence. In each, one group of each level is followed through all repetitions; a one-sided
  binomial test with a false-alarm rate of 1e-6 says whether it was covered less often than the
  confidence states.
- Growth: processor time of estimates and whole numbers at 10^4, 10^5 and 10^6 groups in 1,000
  regions.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Sequence
from itertools import product
from math import exp, lgamma, log
from pathlib import Path
from typing import Any

import numpy as np

import discreet as dc
from discreet.reading.levels.integer_split import adding_up
from discreet.reading.levels.level_estimates import estimate_levels
from discreet.reading.levels.level_noise import (
    LevelNoise,
    geometric_noise,
    mechanism_noise,
    unreleased,
)
from discreet.reading.levels.tree import Tree, make_tree

# shares: (unbiased, linear), (whole numbers that add up); None: not in the table; a pair: a range
TABLE = {
    (0, 0, 1): (((25, 27), 5.7, 1.26), (None, None, 1.14)),
    (0.1, 0, 0.9): ((13.0, 6.18, 1.41), (12.8, 6.18, 1.23)),
    (0.1, 0.2, 0.7): ((12.3, 5.27, 1.79), (12.3, 5.31, 1.49)),
    (0.2, 0.3, 0.5): ((6.7, 4.26, 2.45), (7.0, 4.28, 1.84)),
}
FALSE_ALARM = 1e-6


def repeated(tree: Tree, times: int) -> Tree:
    """The tree so many times side by side: a simulation is one call."""
    parents = tuple(
        np.concatenate([level + k * len(above) for k in range(times)])
        for level, above in zip(tree.parents, tree.sizes, strict=False)
    )
    return Tree(sizes=tuple(np.tile(level, times) for level in tree.sizes), parents=parents)


def draw_geometric(counts: Any, sizes: Any, alpha: float, rng: np.random.Generator) -> Any:
    """GM: two-sided geometric noise, clamped."""
    noise = rng.geometric(1 - alpha, len(counts)) - rng.geometric(1 - alpha, len(counts))
    return np.clip(counts + noise, 0, sizes)


def draw_matrix(
    mechanisms: Sequence[dc.Mechanism], which: Any, counts: Any, rng: np.random.Generator
) -> Any:
    """Any mechanism, from its matrix."""
    found, chances = np.zeros(len(counts), dtype=np.int64), rng.random(len(counts))
    for index, m in enumerate(mechanisms):
        for x in range(m.n + 1):
            rows = np.flatnonzero((which == index) & (counts == x))
            found[rows] = np.minimum(
                np.searchsorted(np.cumsum(m.array[:, x]), chances[rows], side="right"), m.n
            )
    return found


def three_levels(parents: Any, sizes: Any) -> Tree:
    """Nation, regions, clinics."""
    regions = int(parents.max()) + 1
    middle = np.bincount(parents, weights=sizes, minlength=regions).astype(np.int64)
    return make_tree(
        [[int(sizes.sum())], middle, sizes], [np.zeros(regions, dtype=np.int64), parents]
    )


def mean_error(errors: Any, draws: int) -> tuple[float, float, float]:
    """The root mean squared error, its standard error, and that of what one draw of clinics as long
    would give.

    `errors` are of several draws of clinics, and of as many repetitions of each.
    """
    each = np.asarray(errors, dtype=np.float64) ** 2  # [draw, repetition, group]
    each = each.mean(axis=2)
    root, within = float(np.sqrt(each.mean())), float(each.var(axis=1, ddof=1).mean())
    between = max(float(each.mean(axis=1).var(ddof=1)) - within / each.shape[1], 0.0)
    ours, one = within / each.size + between / draws, within / each.size + between * (1 + 1 / draws)
    return root, float(np.sqrt(ours)) / (2 * root), float(np.sqrt(one)) / (2 * root)


def errors_of_the_table(draws: int, times: int, seed: int = 17) -> list[dict[str, Any]]:
    rng = np.random.default_rng(seed)
    found: dict[Any, list[list[Any]]] = {shares: [] for shares in TABLE}
    for _ in range(draws):
        sizes = rng.integers(2, 13, 400)
        while sizes.sum() != 2737:
            sizes = rng.integers(2, 13, 400)
        tree = repeated(three_levels(np.repeat(np.arange(20), 20), sizes), times)
        truth = tree.totals(np.tile(rng.binomial(sizes, 0.3), times))
        for shares, errors in found.items():
            noises, outputs = [], []
            for n, x, share in zip(tree.sizes, truth, shares, strict=True):
                noises.append(geometric_noise(n, exp(-share)) if share else unreleased(n))
                outputs.append(draw_geometric(x, n, exp(-share), rng) if share else None)
            values = [level.value for level in estimate_levels(tree, noises, outputs)]
            estimates = (*values, *adding_up(tree, values), outputs[-1])
            levels = zip(estimates, (*truth, *truth, truth[-1]), strict=True)
            errors.append([(estimate - x).reshape(times, -1) for estimate, x in levels])
    return [_row(shares, errors, draws) for shares, errors in found.items()]


def _row(shares: Any, errors: list[list[Any]], draws: int) -> dict[str, Any]:
    means = [mean_error([draw[k] for draw in errors], draws) for k in range(7)]
    row: dict[str, Any] = {"shares": shares, "raw clinic": means[6][0]}
    for name, part, table in zip(
        ("linear", "whole"), (means[:3], means[3:6]), TABLE[shares], strict=True
    ):
        row[name] = [
            {
                "ours": root,
                "standard error": error,
                "of one draw": one,
                "table": cell,
                "near": agrees(root, error, cell),
                "holds": agrees(root, one, cell),
            }
            for (root, error, one), cell in zip(part, table, strict=True)
        ]
    return row | {"holds": all(cell["holds"] for name in ("linear", "whole") for cell in row[name])}


def agrees(ours: float, error: float, table: float | tuple[float, float] | None) -> bool:
    if table is None:
        return True
    low, high = table if isinstance(table, tuple) else (table, table)
    half = 0.5 * 10.0 ** -len(str(low).partition(".")[2])
    return low - 3 * error - half <= ours <= high + 3 * error + half


SHAPES = ("GM", "EM", "WM")
SHARES = ((0.1, 0.2, 0.7), (0.1, 0.0, 0.9), (0.0, 0.0, 1.0), (0.4, 0.3, 0.3))
COUNTS = ("none", "all", "half", "rare", "any")


def settings(number: int, seed: int) -> list[dict[str, Any]]:
    """So many different settings, every value of each part in turn."""
    trees = ("2 of 2", "5 of 4", "20 of 20", "1 of 30", "ragged")
    sizes = ("one", "small", "mixed")
    grid = list(product(trees, sizes, SHAPES, SHARES, COUNTS, ("0.3", "1", "3"), (0.9, 0.95, 0.99)))
    chosen = np.random.default_rng(seed).choice(len(grid), number, replace=False)
    names = ("tree", "sizes", "shape", "shares", "counts", "epsilon", "confidence")
    return [dict(zip(names, grid[k], strict=True)) for k in chosen]


def tree_of(setting: dict[str, Any], rng: np.random.Generator) -> Tree:
    if setting["tree"] == "ragged":
        parents = np.concatenate(
            [np.arange(6), rng.choice(6, 34, p=[0.5, 0.2, 0.1, 0.1, 0.05, 0.05])]
        )
    else:
        regions, clinics = map(int, setting["tree"].split(" of "))
        parents = np.repeat(np.arange(regions), clinics)
    people = {
        "one": np.ones(len(parents), dtype=np.int64),
        "small": rng.integers(0, 13, len(parents)),
        "mixed": rng.choice([1, 2, 5, 8, 30, 60], len(parents), p=[0.3, 0.2, 0.2, 0.1, 0.1, 0.1]),
    }[setting["sizes"]]
    people[0] = max(people[0], 1)
    return three_levels(parents, people)


def counts_of(kind: str, sizes: Any, rng: np.random.Generator) -> Any:
    rates = {"none": 0.0, "all": 1.0, "rare": 0.05, "any": rng.random(len(sizes))}
    return sizes // 2 if kind == "half" else rng.binomial(sizes, rates[kind])


def covered(setting: dict[str, Any], times: int, seed: int) -> list[dict[str, Any]]:
    """How often one group of each level is covered, and how wide its interval is."""
    rng = np.random.default_rng(seed)
    one = tree_of(setting, rng)
    truth = one.totals(counts_of(setting["counts"], one.sizes[-1], rng))
    tree = repeated(one, times)
    noises: list[LevelNoise] = []
    outputs: list[Any] = []
    for level, (n, x, share) in enumerate(zip(tree.sizes, truth, setting["shares"], strict=True)):
        epsilon, tiled = float(setting["epsilon"]) * share, np.tile(x, times)
        if not share:
            noises.append(unreleased(n))
            outputs.append(None)
        elif level < 2 or setting["shape"] == "GM":
            noises.append(geometric_noise(n, exp(-epsilon)))
            outputs.append(draw_geometric(tiled, n, exp(-epsilon), rng))
        else:
            present, which = np.unique(n, return_inverse=True)
            make = dc.fair if setting["shape"] == "EM" else dc.weakly_honest
            mechanisms = [make(n=int(m), epsilon=round(epsilon, 6)) for m in present]
            noises.append(mechanism_noise(mechanisms, which))
            outputs.append(draw_matrix(mechanisms, which, tiled, rng))
    found = []
    for level, estimate in enumerate(
        estimate_levels(tree, noises, outputs, confidence=setting["confidence"])
    ):
        group = int(rng.choice(np.flatnonzero(one.sizes[level])))
        rows = group + len(one.sizes[level]) * np.arange(times)
        hit = int(
            (
                (estimate.low[rows] <= truth[level][group])
                & (truth[level][group] <= estimate.high[rows])
            ).sum()
        )
        error = float(np.sqrt(((estimate.value[rows] - truth[level][group]) ** 2).mean()))
        found.append(
            {
                "level": level,
                "covered": hit,
                "times": times,
                "width": float((estimate.high[rows] - estimate.low[rows]).mean()),
                "error": error,
                "method": "normal" if estimate.normal[rows[0]] else "mean excess",
                "chance": at_most(hit, times, setting["confidence"]),
            }
        )
    return found


def at_most(hits: int, times: int, rate: float) -> float:
    """Pr[Binomial(times, rate) <= hits]."""
    logs = [
        lgamma(times + 1)
        - lgamma(k + 1)
        - lgamma(times - k + 1)
        + k * log(rate)
        + (times - k) * log(1 - rate)
        for k in range(hits + 1)
    ]
    return min(1.0, float(np.exp(logs).sum()))


def growth(sizes: Sequence[int], seed: int = 3) -> list[dict[str, Any]]:
    rng, rows = np.random.default_rng(seed), []
    for groups in sizes:
        parents = np.concatenate([np.arange(1000), rng.integers(0, 1000, groups - 1000)])
        tree = three_levels(parents, rng.integers(1, 20, groups))
        truth = tree.totals(rng.binomial(tree.sizes[-1], 0.3))
        alphas = [exp(-share) for share in (0.1, 0.2, 0.7)]
        drawn = [
            draw_geometric(x, n, a, rng) for x, n, a in zip(truth, tree.sizes, alphas, strict=True)
        ]
        started = time.process_time()
        noises = [geometric_noise(n, a) for n, a in zip(tree.sizes, alphas, strict=True)]
        values = [level.value for level in estimate_levels(tree, noises, drawn)]
        middle = time.process_time()
        adding_up(tree, values)
        rows.append(
            {
                "groups": groups,
                "estimates": middle - started,
                "whole numbers": time.process_time() - middle,
                "MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            }
        )
    return rows


def _cell(cell: dict[str, Any]) -> str:
    wanted = (
        "" if cell["table"] is None else f" (table: {cell['table']}{'' if cell['near'] else ' *'})"
    )
    return (
        f"{cell['ours']:.3f} +- {cell['standard error']:.3f}, one draw "
        f"{cell['of one draw']:.3f}{wanted}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--quick", action="store_true", help="fewer repetitions and settings, fewer groups"
    )
    parser.add_argument("--json", type=Path, help="write the numbers there")
    options = parser.parse_args()
    grown = growth(
        (10_000, 100_000) if options.quick else (10_000, 100_000, 1_000_000)
    )  # first: memory is a peak
    for row in grown:
        print(
            f"{row['groups']:>9,} groups: estimates {row['estimates']:.2f} s, whole numbers "
            f"{row['whole numbers']:.2f} s of processor time, peak {row['MiB']:,} MiB"
        )
    draws, times = (10, 10) if options.quick else (40, 40)
    table = errors_of_the_table(draws, times)
    print(
        f"root mean squared errors of nation, region, clinic over {draws} draws of clinics, "
        f"{times} repetitions each"
    )
    for row in table:
        for name in ("linear", "whole"):
            cells = ", ".join(_cell(cell) for cell in row[name])
            print(f"  {' / '.join(map(str, row['shares']))} {name}: {cells}")
        print(
            f"    clinic as released {row['raw clinic']:.3f}; "
            f"{'holds' if row['holds'] else 'DOES NOT HOLD'}"
        )
    number, times = (40, 400) if options.quick else (200, 2000)
    results = [
        (setting, covered(setting, times, seed)) for seed, setting in enumerate(settings(number, 1))
    ]
    below = [
        (s, level) for s, levels in results for level in levels if level["chance"] < FALSE_ALARM
    ]
    for method in ("normal", "mean excess"):
        chosen = [
            (s, level) for s, levels in results for level in levels if level["method"] == method
        ]
        least = min(((lv["covered"] / times - s["confidence"]) for s, lv in chosen), default=0.0)
        print(
            f"coverage, {method}: {len(chosen)} intervals, {100 * least:+.2f} points at the least "
            "covered one"
        )
    print(
        f"{number} settings, {times} repetitions: {len(below)} levels covered less often than "
        "stated"
    )
    for setting, level in below:
        print("  below:", setting, level)
    if options.json:
        found = {
            "growth": grown,
            "errors": table,
            "coverage": [{**s, "levels": levels} for s, levels in results],
        }
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0 if not below and all(row["holds"] for row in table) else 1


if __name__ == "__main__":
    raise SystemExit(main())
