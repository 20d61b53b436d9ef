"""The problems of design whose answers are recorded, in words of their own (see `asking`), by group.

kind          "named", "design", "matrix", "cells" or "least cost"
n             the group size; `alpha` or `epsilon` as text
properties    of the seven, by name; `output_dp` a ratio
loss, prior   a name, a power, or numbers; `worst_case`, `gap`
step          by how much one person moves the count; `categories`, how many answers a histogram has
constraints   named inequalities on cells [output, true count, coefficient]
priors        those of a design of least regret; `derivable`, only GM followed by a random map
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import Any

from bench.hard import PROPERTIES, random_problem

Problem = dict[str, Any]

ALPHAS = ("1/10", "1/2", "2/3", "10/11", "99/100")
SUBSETS = [list(names) for size in range(8) for names in combinations(PROPERTIES, size)]
PRIOR = "Binomial(0.3)"
MANY_SCORES = [
    [loss, prior, worst]
    for loss in ("L0", "L1", "L2", "L0,1", "L0,2", 3, 0.5)
    for prior in (None, PRIOR)
    for worst in (False, True)
]


def named() -> Iterator[Problem]:
    """Closed forms by name, scored by many losses; large ones by L0 alone."""
    sizes = (0, 1, 2, 3, 4, 5, 8, 12)
    privacies = [{"alpha": alpha} for alpha in ALPHAS] + [
        {"epsilon": epsilon} for epsilon in ("0.5", "1/3", "2")
    ]
    for name, n, privacy in product(
        ("GM", "WM", "EM", "RR", "Laplace", "exponential", "staircase"), sizes, privacies
    ):
        if name == "exponential" and n > 5 and privacy != {"alpha": "1/2"}:
            continue
        yield {"kind": "named", "name": name, "n": n, **privacy, "scores": MANY_SCORES}
    for n in sizes:
        yield {"kind": "named", "name": "UM", "n": n, "scores": MANY_SCORES}
    for width, step in ((1, 1), (3, 1), (3, 2), (4, 4), (5, 2)):
        for n, alpha in product((2, 6, 11), ("1/2", "10/11")):
            yield {
                "kind": "named",
                "name": "staircase",
                "n": n,
                "alpha": alpha,
                "width": width,
                "step": step,
            }
    r = random.Random("qualities")
    for n in (1, 2, 3, 4, 5):
        quality = [[r.randint(0, 3) for _ in range(n + 1)] for _ in range(n + 1)]
        yield {"kind": "named", "name": "exponential", "n": n, "alpha": "1/4", "quality": quality}
    for name, n, alpha in product(
        ("GM", "WM", "EM"), (65, 200, 1000), ("1/2", "10/11", "999/1000")
    ):
        yield {"kind": "named", "name": name, "n": n, "alpha": alpha}


def subsets() -> Iterator[Problem]:
    """Every subset of the seven properties at small sizes, with losses of each kind."""
    for asked in (
        {"n": 2, "alpha": "1/2", "loss": "L0"},
        {"n": 3, "alpha": "10/11", "loss": "L0"},
        {"n": 4, "alpha": "2/3", "loss": "L1"},
        {"n": 5, "alpha": "9/10", "loss": "L2", "worst_case": True},
        {"n": 6, "epsilon": "0.3", "loss": "L0,1", "prior": PRIOR},
        {"n": 7, "alpha": "3/5", "loss": "L0"},
    ):
        for names in SUBSETS:
            yield {"kind": "design", "properties": names, **asked}


def hard() -> Iterator[Problem]:
    """Random problems as `bench.hard` makes them, of at most 20 people."""
    for seed in range(1700):
        asked = random_problem(seed)
        if asked["n"] > 20:
            continue
        *names, last = asked.pop("properties").split() or [""]
        asked |= {"output_dp": last[4:]} if last.startswith("ODP:") else {}
        yield {
            "kind": "design",
            **asked,
            "properties": names if "output_dp" in asked else [*names, last] if last else [],
        }


def by_epsilon() -> Iterator[Problem]:
    """Privacy as an epsilon, whose alpha is rounded toward more privacy."""
    for n, epsilon, names in product(
        (3, 8), ("0.1", "1/3", "0.5", "1", "ln", "2"), ("", "WH CM", "F", "RM CM WH S")
    ):
        if epsilon != "ln":
            yield {
                "kind": "design",
                "n": n,
                "epsilon": epsilon,
                "properties": names.split(),
                "loss": "L1",
            }


def output_private() -> Iterator[Problem]:
    """Output DP at ratios on both sides of alpha, with and without properties."""
    for n, alpha, ratio, names in product(
        (2, 5, 9), ("1/2", "9/10"), ("1/50", "1/3", "9/10", "1"), ("", "WH", "F CM")
    ):
        yield {
            "kind": "design",
            "n": n,
            "alpha": alpha,
            "output_dp": ratio,
            "properties": names.split(),
        }


def relabelled() -> Iterator[Problem]:
    """Mean costs that grow away from the truth, under lopsided priors: GM with its outputs relabelled."""
    r = random.Random("relabelled")
    for _ in range(160):
        n = r.randint(1, 24)
        weights = [r.choice((0, 1, r.randint(1, 50))) for _ in range(n + 1)]
        weights[r.randint(0, n)] += 1
        asked: Problem = {
            "n": n,
            "alpha": r.choice((*ALPHAS, "19/20")),
            "loss": r.choice(("L0", "L1", "L2", "L0,1", 0.5, 3)),
        }
        if r.random() < 0.2:
            rising = [[abs(i - j) * (1 + j % 3) for j in range(n + 1)] for i in range(n + 1)]
            asked["loss"] = rising
        asked["prior"] = [f"{w}/{sum(weights)}" for w in weights]
        yield {
            "kind": "design",
            **asked,
            "properties": r.choice(([], [], ["RH"], ["RM"], ["WH"], ["S"])),
        }


def ties() -> Iterator[Problem]:
    """Costs and priors that are mostly zeros, so that there are many optima: the rule that picks one must stay."""
    r = random.Random("ties")
    for _ in range(150):
        n = r.randint(2, 8)
        loss = [[r.choice((0, 0, 1)) for _ in range(n + 1)] for _ in range(n + 1)]
        weights = [r.choice((0, 0, 1)) for _ in range(n)] + [1]
        asked: Problem = {
            "n": n,
            "alpha": r.choice(ALPHAS),
            "properties": r.choice(SUBSETS[:29]),
            "loss": loss,
        }
        if r.random() < 0.5:
            asked["prior"] = [f"{w}/{sum(weights)}" for w in weights]
        if r.random() < 0.3:
            asked["worst_case"] = True
        if r.random() < 0.2:
            asked["step"] = 2
        yield {"kind": "design", **asked}


def steps() -> Iterator[Problem]:
    """Counts that one person moves by several."""
    r = random.Random("steps")
    for _ in range(320):
        n = r.randint(1, 11)
        asked = _shape(r, n, size=n + 1)
        yield {"kind": "design", "n": n, "step": r.randint(1, min(n, 5)), **asked}


def histograms() -> Iterator[Problem]:
    """Histograms of a group, designed jointly: the optimum is unique up to a size, and its cost is beyond."""
    r = random.Random("histograms")
    shapes = [
        (n, k) for k, most in ((2, 9), (3, 6), (4, 4), (5, 3), (6, 2)) for n in range(1, most + 1)
    ]
    for _ in range(300):
        n, k = r.choice(shapes)
        size = 1
        for i in range(1, k):
            size = size * (n + i) // i
        asked = _shape(r, n, size=size, priors=size <= 40)
        yield {"kind": "design", "n": n, "categories": k, **asked}
    for n, k in ((8, 3), (9, 3), (5, 4), (8, 4), (4, 5), (3, 6)):
        for names in ([], ["WH"], ["RM"]):
            yield {
                "kind": "design",
                "n": n,
                "categories": k,
                "alpha": "1/2",
                "properties": names,
                "loss": "L1",
            }


def large_histograms() -> Iterator[Problem]:
    """Histograms beyond the size up to which one optimum among many is chosen: only their cost must stay."""
    for n, k, alpha in (
        (15, 3, "1/2"),
        (16, 3, "1/2"),
        (17, 3, "1/2"),
        (15, 3, "1/10"),
        (16, 3, "1/10"),
    ):
        yield {"kind": "design", "n": n, "categories": k, "alpha": alpha, "loss": "L0"}


def cells() -> Iterator[Problem]:
    """Histograms drawn cell by cell: on request, and where a joint design would be too large."""
    for (n, k), alpha, loss in product(
        ((1, 3), (4, 3), (10, 4), (30, 4), (60, 3)), ("1/10", "1/2", "10/11"), ("L0", "L1", "L2")
    ):
        yield {"kind": "cells", "n": n, "categories": k, "alpha": alpha, "loss": loss}
    for n, k in ((40, 3), (20, 4), (14, 5), (10, 8), (100, 4)):
        for asked in (
            {},
            {"loss": "L1"},
            {"properties": ["WH", "S"]},
            {"properties": ["F"]},
            {"worst_case": True},
            {"prior": "Multinomial"},
        ):
            yield {"kind": "design", "n": n, "categories": k, "epsilon": "1", **asked}


def constraints() -> Iterator[Problem]:
    """Inequalities of the caller's own, some of which contradict each other or privacy; entries that are fixed."""
    r = random.Random("constraints")
    for _ in range(330):
        n = r.randint(1, 8)
        rows = [_row(r, n) for _ in range(r.randint(1, 4))]
        asked = _shape(r, n, size=n + 1, most=2)
        yield {"kind": "design", "n": n, **asked, "constraints": [{"name": "own", "rows": rows}]}
    for n, alpha in product((2, 4, 7), ("1/2", "10/11")):
        middle, top = n // 2, f"1/{n + 1}"
        unbiased = {
            "cells": [[i, middle, str(i)] for i in range(1, n + 1)],
            "sense": "=",
            "bound": str(middle),
        }
        fixed = {"cells": [[middle, middle, "1"]], "sense": "=", "bound": top}
        column = [{"cells": [[i, 0, "1"]], "sense": "=", "bound": top} for i in range(n + 1)]
        for name, rows in (
            ("unbiased", [unbiased]),
            ("fixed", [fixed]),
            ("column", column),
            ("both", [unbiased, fixed]),
        ):
            for loss in ("L0", "L1"):
                constraint = [{"name": name, "rows": rows}]
                yield {
                    "kind": "design",
                    "n": n,
                    "alpha": alpha,
                    "loss": loss,
                    "properties": ["WH"],
                    "constraints": constraint,
                }


def regret() -> Iterator[Problem]:
    """The least worst ratio over several priors."""
    r = random.Random("regret")
    for _ in range(90):
        n = r.randint(1, 9)
        priors: list[Any] = [
            f"Binomial({p})"
            for p in r.sample(("0.1", "0.3", "0.5", "0.8", "0.95"), r.randint(1, 3))
        ]
        if r.random() < 0.5:
            weights = [r.randint(0, 5) for _ in range(n)] + [1]
            priors.append([f"{w}/{sum(weights)}" for w in weights])
        names = r.choice(SUBSETS[:29])
        loss = r.choice(("L0", "L1", "L2", "L0,1"))
        yield {
            "kind": "design",
            "n": n,
            "alpha": r.choice(ALPHAS),
            "properties": names,
            "loss": loss,
            "priors": priors,
        }


def derivable() -> Iterator[Problem]:
    """Mechanisms that are GM followed by a random map: only their cost must stay."""
    r = random.Random("derivable")
    for _ in range(150):
        n = r.randint(1, 7)
        yield {"kind": "design", "n": n, "derivable": True, **_shape(r, n, size=n + 1, most=3)}


def large() -> Iterator[Problem]:
    """Large groups that a theorem answers, exactly or within a gap."""
    for n, alpha, names in product(
        (64, 300, 1000), ("1/2", "3/5", "10/11"), ("", "WH", "F", "CM", "RM CM F S", "WH RM")
    ):
        if names == "CM" and alpha == "10/11":
            continue  # a linear program
        yield {"kind": "design", "n": n, "alpha": alpha, "properties": names.split(), "loss": "L0"}
    for n in (210, 500):
        for names, gap in (("CM", "0.01"), ("WH CM", "1/100"), ("RM CM WH S", None)):
            asked = {} if gap is None else {"gap": gap}
            yield {"kind": "design", "n": n, "alpha": "10/11", "properties": names.split(), **asked}


def least_costs() -> Iterator[Problem]:
    """The least L0 of a shape, without a matrix."""
    sizes = (0, 1, 2, 5, 30, 300, 5000)
    for n, alpha, names in product(
        sizes, ("1/2", "3/5", "3/4", "10/11"), ("", "WH", "F", "CM", "CH WH", "RM CM WH S")
    ):
        yield {"kind": "least cost", "n": n, "alpha": alpha, "properties": names.split()}


def matrices() -> Iterator[Problem]:
    """Matrices of the caller's own: verdicts with their witnesses, and those that are no mechanism."""
    r = random.Random("matrices")
    for _ in range(200):
        n = r.randint(1, 7)
        top = r.choice((2, 4, 30))
        columns = []
        for j in range(n + 1):
            weights = [r.randint(top, 2 * top) + (top if i == j else 0) for i in range(n + 1)]
            columns.append([f"{w}/{sum(weights)}" for w in weights])
        rows = [list(row) for row in zip(*columns, strict=True)]
        if r.random() < 0.1:
            rows[0][0] = "1/3"
        yield {
            "kind": "matrix",
            "n": n,
            "alpha": r.choice(("1/4", "1/4", "1/6", "1/2")),
            "rows": rows,
        }


def refused() -> Iterator[Problem]:
    """What is refused, and by which code."""
    usual: Problem = {"kind": "design", "n": 4, "alpha": "1/2"}
    cap = [{"name": "cap", "rows": [{"cells": [[0, 0, "1"]], "sense": "<=", "bound": "1/2"}]}]
    wrong: tuple[Problem, ...] = (
        {"n": -1},
        {"n": "4"},
        {"n": 2.5},
        {"n": 10**10},
        {"alpha": "0"},
        {"alpha": "3/2"},
        {"alpha": "-1/2"},
        {"alpha": "x"},
        {"epsilon": "1"},
        {"properties": ["XX"]},
        {"properties": ["WH", "DM"]},
        {"output_dp": "0"},
        {"output_dp": "2"},
        {"loss": "L"},
        {"loss": "L0,"},
        {"loss": -1},
        {"loss": [[0, 1], [1, 0]]},
        {"prior": "Poisson(3)"},
        {"prior": "Binomial(2)"},
        {"prior": ["1/2", "1/2"]},
        {"prior": [1, 1, 1, 1, 1]},
        {"prior": ["-1", "1", "1", 0, 0]},
        {"gap": "2"},
        {"gap": "-1"},
        {"step": 0},
        {"step": 5},
        {"step": -1},
        {"categories": 1},
        {"categories": 0},
        {"categories": ["a", "a"]},
        {"categories": 3, "gap": "0.1"},
        {"categories": 3, "step": 2},
        {"categories": 3, "constraints": cap},
        {"step": 2, "constraints": cap},
        {"constraints": cap, "gap": "0.1"},
        {"derivable": True, "alpha": "1"},
        {"derivable": True, "step": 2},
        {"derivable": True, "categories": 3},
        {"derivable": True, "constraints": cap},
        {"derivable": True, "gap": "0.1"},
        {"derivable": True, "properties": ["S"], "prior": PRIOR},
        {"priors": []},
        {"priors": [PRIOR], "worst_case": True},
        {"priors": [PRIOR], "prior": PRIOR},
        {"priors": [PRIOR], "step": 2},
        {"priors": [PRIOR], "constraints": cap},
        {"priors": [["1", 0, 0, 0, 0]]},
        {"priors": [PRIOR], "gap": "0.1"},
        {"priors": "Binomial(0.3)"},
        {"n": 61, "constraints": cap, "properties": ["CM"]},
        {"n": 61, "priors": [PRIOR]},
        {"n": 600, "loss": "L1"},
        {"constraints": cap * 2},
        {"constraints": [{"name": "", "rows": []}]},
        {"constraints": [{"name": "x", "rows": []}]},
        {"constraints": [{"name": "x", "rows": [{"cells": [], "sense": "<=", "bound": "1"}]}]},
        {
            "constraints": [
                {"name": "x", "rows": [{"cells": [[5, 0, "1"]], "sense": "<=", "bound": "1"}]}
            ]
        },
        {
            "constraints": [
                {"name": "x", "rows": [{"cells": [[0, 0, "1"]], "sense": "<", "bound": "1"}]}
            ]
        },
        {
            "constraints": [
                {"name": "x", "rows": [{"cells": [[0, 0, 0.5]], "sense": "<=", "bound": "1"}]}
            ]
        },
        {"n": 60, "alpha": "10/11", "properties": ["CM"], "loss": "L1", "seconds": 0},
    )
    for one in wrong:
        yield {**usual, **one}
    yield {"kind": "design", "n": 4}
    yield {"kind": "named", "name": "staircase", "n": 4, "alpha": "1"}
    yield {"kind": "named", "name": "staircase", "n": 4, "alpha": "1/2", "width": 2, "step": 3}
    yield {"kind": "named", "name": "RR", "n": 513, "alpha": "1/2"}
    yield {"kind": "cells", "n": 5, "categories": 2, "alpha": "1/2"}
    yield {"kind": "cells", "n": 5, "categories": 3, "alpha": "1"}
    yield {"kind": "cells", "n": 5, "categories": 3, "alpha": "1/2", "loss": "L0,1"}
    yield {"kind": "least cost", "n": 5, "alpha": "9/10", "properties": ["RH", "ODP:9/10"]}
    for rows in (
        [["1"]],
        [["1/2", "1/2"]],
        [["1/2", "1/4"], ["1/2", "1/2"]],
        [["3/2", "1"], ["-1/2", 0]],
        [],
    ):
        yield {"kind": "matrix", "n": 1, "alpha": "1/2", "rows": rows}


def _shape(r: random.Random, n: int, *, size: int, most: int = 4, priors: bool = True) -> Problem:
    """A random alpha, shape, loss, prior and aggregate over so many points."""
    asked: Problem = {
        "alpha": r.choice((*ALPHAS, "1/4", "9/10", "1/100")),
        "loss": r.choice(("L0", "L0", "L1", "L2", "L0,1", 3)),
    }
    asked["properties"] = sorted(r.sample(PROPERTIES, r.randint(0, most)))
    if r.random() < 0.15:
        asked["output_dp"] = r.choice(("1/10", "1/3", "1/2"))
    if priors and r.random() < 0.35:
        weights = [r.choice((0, 1, r.randint(1, 9))) for _ in range(size)]
        weights[r.randrange(size)] += 1
        asked["prior"] = [f"{w}/{sum(weights)}" for w in weights]
    if priors and n + 1 == size and r.random() < 0.15:
        costs = [[0 if i == j else r.randint(1, 20) for j in range(size)] for i in range(size)]
        asked["loss"] = costs
    if r.random() < 0.25:
        asked["worst_case"] = True
    return asked


def _row(r: random.Random, n: int) -> Problem:
    """A random inequality that is often possible, and sometimes not."""
    places = r.sample(
        [(i, j) for i in range(n + 1) for j in range(n + 1)], r.randint(1, min(4, (n + 1) ** 2))
    )
    cells = [[i, j, str(r.choice((1, 1, 1, 2, -1)))] for i, j in sorted(places)]
    return {
        "cells": cells,
        "sense": r.choice((">=", "<=", "<=", "=")),
        "bound": f"{r.randint(0, 6)}/{2 * (n + 1)}",
    }


GROUPS: dict[str, Callable[[], Iterator[Problem]]] = {
    one.__name__: one
    for one in (
        named,
        subsets,
        hard,
        by_epsilon,
        output_private,
        relabelled,
        ties,
        steps,
        histograms,
        large_histograms,
        cells,
        constraints,
        regret,
        derivable,
        large,
        least_costs,
        matrices,
        refused,
    )
}

ONLY_COST = ("large_histograms", "derivable")
"""Groups whose mechanisms may change; their cost, and whether it is optimal, must not."""
