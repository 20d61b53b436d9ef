"""Nation, regions and clinics at one epsilon, by us and by OpenDP's consistent tree: the error at
each level.

    python -m bench.level_peers              400 releases of each; about two minutes, in the peer's
                                             own environment
    python -m bench.level_peers --write      also to bench/results, from which the peers page is
                                             made

400 clinics of 2..12 people in 20 regions of 20 clinics, each person counted with chance 0.3,
epsilon 1 in all. OpenDP: `make_b_ary_tree` over the counts of the clinics, whole Laplace noise (a
person is in three nodes, so its scale is 3), then `make_consistent_b_ary_tree`; it needs the same
number of parts everywhere, so the regions are made that way. Ours: `levels="rollup"`, with a third
for each level as there, and with the shares that a plan chooses.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import discreet as dc
from bench.machine import machine
from bench.peers import Peer, run_peer

CLINICS, BRANCHES = 400, 20
RESULTS = Path(__file__).parent / "results" / "level_peers.json"
LEVELS = ("nation", "region", "clinic")
OPENDP = Peer(
    name="opendp",
    tries=(("opendp",),),
    check="import opendp.prelude",
    script="""
import json, sys
from importlib.metadata import version
import opendp.prelude as dp
dp.enable_features("contrib", "floating-point")
counts, branches, epsilon, repeats = json.loads(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
tree = dp.t.make_b_ary_tree(*space, leaf_count=len(counts), branching_factor=branches)
layers = tree.map(1)  # one person's bit moves one leaf by one
noisy = tree >> dp.m.then_laplace(scale=layers / epsilon)
post = dp.t.make_consistent_b_ary_tree(branching_factor=branches)
found = [post(noisy(counts)) for _ in range(repeats)]
print(json.dumps(dict(version=version("opendp"), layers=layers, epsilon=noisy.map(1), estimates=found)))
""",
)


def population() -> tuple[pa.Table, list[np.ndarray[Any, np.dtype[np.int64]]]]:
    """The clinics, and the true counts of the nation, the regions and the clinics."""
    rng = np.random.default_rng(9)
    sizes = rng.integers(2, 13, CLINICS)
    ill, regions = rng.binomial(sizes, 0.3), np.arange(CLINICS) // BRANCHES
    table = pa.table({"region": regions, "clinic": np.arange(CLINICS), "size": sizes, "ill": ill})
    return table, [ill.sum(keepdims=True), np.bincount(regions, ill).astype(np.int64), ill]


def ours(
    table: pa.Table, truth: list[Any], repeats: int, split: dict[str, str] | None
) -> dict[str, list[float]]:
    """Root mean squared errors of our estimates and of the whole numbers made of them, level by
    level.
    """
    asked: dict[str, Any] = {
        "by": ["region", "clinic"],
        "count": "ill",
        "size": "size",
        "epsilon": 1,
    }
    squares: dict[str, list[list[float]]] = {"estimates": [], "whole numbers": []}
    for _ in range(repeats):
        e = dc.estimate(dc.release(table, **asked, levels="rollup", level_split=split))
        whole, names = e.adding_up(), ([], ["region"], ["region", "clinic"])
        found = {
            "estimates": [np.asarray(e.subtotals(*keys)["estimate"]) for keys in names],
            "whole numbers": [np.asarray(whole.subtotals(keys)["ill"]) for keys in names],
        }
        for kind, values in found.items():
            squares[kind].append(
                [float(np.mean((v - t) ** 2)) for v, t in zip(values, truth, strict=True)]
            )
    return {kind: np.sqrt(np.mean(found, axis=0)).tolist() for kind, found in squares.items()}


def measured(repeats: int) -> dict[str, Any]:
    """All of it."""
    table, truth = population()
    thirds = {"total": "1/3", "region": "1/3"}
    found = {
        "discreet, a third each": ours(table, truth, repeats, thirds),
        "discreet, a tenth, a fifth, the rest": ours(
            table, truth, repeats, {"total": "1/10", "region": "1/5"}
        ),
        "discreet, shares chosen": ours(table, truth, repeats, None),
    }
    rows = {
        f"{name}: {kind}": errors for name, each in found.items() for kind, errors in each.items()
    }
    peer = run_peer(OPENDP, json.dumps(truth[2].tolist()), BRANCHES, 1, repeats)
    if "estimates" in peer:
        leaves = np.asarray(
            peer.pop("estimates")
        )  # consistent, so that the other levels are their sums
        regions = leaves.reshape(repeats, -1, BRANCHES).sum(axis=2)
        levels = (leaves.sum(axis=1, keepdims=True), regions, leaves)
        errors = [
            float(np.sqrt(np.mean((level - t) ** 2)))
            for level, t in zip(levels, truth, strict=True)
        ]
        rows = {f"OpenDP {peer['version']}, consistent tree": errors, **rows}
    return {"machine": machine(), "repeats": repeats, "peer": peer, "errors": rows}


def lines(found: dict[str, Any]) -> list[str]:
    """The errors as a section of the peers page."""
    rows = [
        f"| {name} | {' | '.join(f'{e:.2f}' for e in errors)} |"
        for name, errors in found["errors"].items()
    ]
    return [
        "400 clinics of 2..12 people in 20 regions of 20, epsilon 1 in all; see "
        "`bench.level_peers`.",
        "OpenDP's tree needs equal shares and as many parts everywhere; its estimates have no "
        "bounds.",
        "",
        f"| root mean squared error over {found['repeats']} releases | {' | '.join(LEVELS)} |",
        "| --- | --- | --- | --- |",
        *rows,
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=400)
    parser.add_argument("--write", action="store_true", help="to bench/results")
    given = parser.parse_args()
    found = measured(given.repeats)
    print("\n".join(lines(found)))
    if given.write:
        RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
