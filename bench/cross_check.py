"""Exactness against code nobody here wrote: `python -m bench.cross_check`.

1. Our GM's exact matrix against draws of OpenDP's and diffprivlib's geometric mechanisms (exact
   binomial tests of every cell, tail and diagonal, and the relative entropy of the whole; see
   `discreet.auditing.fit`).
2. Our exact LP optima against CVXPY's (Clarabel and HiGHS) over a random grid of sizes, alphas,
   properties, losses and priors, and against qif's where it can state the problem (no properties).
3. A design of qif's that is not private, next to ours for the same problem.

Everything goes to build/bench, or where `--json` says; exit code 1 when anything disagrees.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import random
import sys
import tempfile
import time
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import discreet as dc
from bench.peers import Peer, run_peer
from discreet.auditing.fit import fit

RESULT = Path("build/bench/cross_check.json")
TOLERANCE = 1e-6
FALSE_ALARM = 1e-6
PROPERTIES = ("RH", "RM", "CH", "CM", "WH", "F", "S")

_TALLY = """
import json, math, sys
from importlib.metadata import version
n, each, epsilon = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
"""

DRAWING = {
    "OpenDP geometric, clipped": Peer(
        name="opendp",
        tries=(("opendp", "numpy"),),
        check="import opendp.prelude, numpy",
        script=_TALLY
        + """
import numpy as np
import opendp.prelude as dp
dp.enable_features("contrib")
space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
noisy = dp.m.make_geometric(*space, scale=1 / epsilon)
tally = [np.bincount(np.clip(np.asarray(noisy([j] * each)), 0, n), minlength=n + 1).tolist() for j in range(n + 1)]
print(json.dumps({"version": version("opendp"), "tally": tally}))
""",
    ),
    "diffprivlib GeometricTruncated": Peer(
        name="diffprivlib",
        tries=(("diffprivlib",), ("diffprivlib", "scikit-learn<1.7")),
        check="from diffprivlib.mechanisms import GeometricTruncated",
        script=_TALLY
        + """
from collections import Counter
from diffprivlib.mechanisms import GeometricTruncated
box = GeometricTruncated(epsilon=epsilon, sensitivity=1, lower=0, upper=n)
tally = []
for j in range(n + 1):
    seen = Counter(box.randomise(j) for _ in range(each))
    tally.append([seen[i] for i in range(n + 1)])
print(json.dumps({"version": version("diffprivlib"), "tally": tally}))
""",
    ),
}

CVXPY = Peer(
    name="cvxpy",
    tries=(("cvxpy", "highspy"), ("cvxpy",)),
    check="import cvxpy",
    script="""
import json, sys
from importlib.metadata import version
import cvxpy as cp
import numpy as np

def solve(problem, solver):
    n, a, names = problem["n"], problem["alpha"], set(problem["properties"].split())
    cost, prior = np.array(problem["loss"]), np.array(problem["prior"])
    x = cp.Variable((n + 1, n + 1), nonneg=True)
    rules = [cp.sum(x, axis=0) == 1]
    for i in range(n + 1):
        for j in range(n):
            rules += [x[i, j] >= a * x[i, j + 1], x[i, j + 1] >= a * x[i, j]]
    for c in range(n + 1):
        for k in range(n + 1):
            if "RH" in names: rules.append(x[c, c] >= x[c, k])
            if "CH" in names: rules.append(x[c, c] >= x[k, c])
            for far in (k - 1, k + 1):
                if 0 <= far <= n and abs(far - c) > abs(k - c):
                    if "RM" in names: rules.append(x[c, k] >= x[c, far])
                    if "CM" in names: rules.append(x[k, c] >= x[far, c])
        if "WH" in names: rules.append(x[c, c] >= 1 / (n + 1))
        if "F" in names and c < n: rules.append(x[c, c] == x[c + 1, c + 1])
    if "S" in names: rules.append(x == x[::-1, ::-1])
    by_input = cp.sum(cp.multiply(cost, x), axis=0)
    if problem["worst_case"]:
        objective = cp.max(cp.multiply((n + 1) * prior, by_input))
    else:
        objective = prior @ by_input
    # tighter than the defaults (1e-7, 1e-8), which with costs of n^2 leave errors in the sixth digit
    tight = {
        "CLARABEL": {"tol_gap_abs": 1e-11, "tol_gap_rel": 1e-11, "tol_feas": 1e-11},
        "HIGHS": {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    }[solver]
    try:
        return float(cp.Problem(cp.Minimize(objective), rules).solve(solver=solver, **tight))
    except cp.error.SolverError:
        return float(cp.Problem(cp.Minimize(objective), rules).solve(solver=solver))

answers = []
for problem in json.load(open(sys.argv[1])):
    row = {}
    for solver in sys.argv[2:]:
        try:
            row[solver] = solve(problem, solver)
        except Exception as error:
            row[solver] = f"{type(error).__name__}: {error}"[:200]
    answers.append(row)
print(json.dumps({"version": version("cvxpy"), "answers": answers}))
""",
)

QIF = Peer(
    name="qif",
    tries=(("qif", "numpy"),),
    check="import qif, numpy",
    script="""
import json, math, sys
import numpy as np
import qif
answers = []
for problem in json.load(open(sys.argv[1])):
    n, epsilon, cost = problem["n"], -math.log(problem["alpha"]), problem["loss"]
    prior = np.array(problem["prior"])
    made = qif.mechanism.d_privacy.min_loss_given_d(
        prior, n + 1, lambda x, y: epsilon * abs(x - y), lambda x, y: cost[y][x]
    )
    matrix = np.array(made).T
    answers.append({"cost": float(sum(prior * (np.array(cost) * matrix).sum(axis=0))), "matrix": matrix.tolist()})
print(json.dumps({"version": qif.__version__, "answers": answers}))
""",
)


def distributions(each: int) -> list[dict[str, Any]]:
    """Compare peers' draws with our exact GM."""
    rows = []
    n, epsilon = 8, Fraction(1, 2)
    gm = dc.geometric(n=n, epsilon=epsilon)
    own = [
        np.bincount(gm.release(np.full(each, j)), minlength=n + 1).tolist() for j in range(n + 1)
    ]
    answers = {"discreet m.release": {"version": dc.__version__, "tally": own}}
    answers |= {label: run_peer(peer, n, each, float(epsilon)) for label, peer in DRAWING.items()}
    for label, answer in answers.items():
        if "missing" in answer:
            rows.append({"peer": label, "missing": answer["missing"]})
            continue
        tally = np.zeros((n + 5, n + 1), dtype=np.int64)
        tally[: n + 1] = np.array(answer["tally"]).T
        found = fit(tally, gm.array, FALSE_ALARM)
        gap = float(np.abs(tally[: n + 1] / tally.sum(axis=0) - gm.array).max())
        rows.append(
            {
                "peer": label,
                "version": answer["version"],
                "draws": int(tally.sum()),
                "largest difference": gap,
                "smallest p-value": found.p_value,
                "of": found.tests,
                "whole matrix, p-value at most": found.divergence_p_value,
                "agrees": not found.refuted,
            }
        )
    return rows


def problems(count: int, seed: int) -> list[dict[str, Any]]:
    """Draw a random grid of design problems."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        n = rng.randint(1, 9)
        alpha = Fraction(rng.randint(1, 19), 20)
        names = [name for name in PROPERTIES if rng.random() < rng.choice((0.0, 0.2, 0.5))]
        weights = [rng.randint(0, 5) for _ in range(n + 1)] if rng.random() < 0.3 else [1] * (n + 1)
        if not any(weights):
            weights[0] = 1
        prior = [Fraction(w, sum(weights)) for w in weights]
        loss = rng.choice(("L0", "L1", "L2", "L0,1"))
        worst_case = rng.random() < 0.2
        found.append(
            {
                "n": n,
                "alpha": alpha,
                "properties": names,
                "loss": loss,
                "prior": prior,
                "worst": worst_case,
            }
        )
    return found


def _as_numbers(asked: dict[str, Any]) -> dict[str, Any]:
    from discreet.core.losses import read_loss

    matrix = [[float(x) for x in row] for row in read_loss(asked["loss"], asked["n"]).matrix]
    return {
        "n": asked["n"],
        "alpha": float(asked["alpha"]),
        "properties": " ".join(asked["properties"]),
        "loss": matrix,
        "prior": [float(w) for w in asked["prior"]],
        "worst_case": asked["worst"],
    }


def _ours(asked: dict[str, Any]) -> dc.Mechanism:
    m: dc.Mechanism = dc.design(
        n=asked["n"],
        alpha=asked["alpha"],
        properties=" ".join(asked["properties"]),
        loss=asked["loss"],
        prior=asked["prior"],
        worst_case=asked["worst"],
    )
    return m


def _asked_of(peer: Peer, asked: list[dict[str, Any]], *words: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "problems.json"
        path.write_text(json.dumps([_as_numbers(problem) for problem in asked]))
        return run_peer(peer, path, *words)


def optima(count: int, seed: int) -> dict[str, Any]:
    """Compare exact optima with the values of two float solvers through CVXPY, and with qif's."""
    grid = problems(count, seed)
    costs = []
    for asked in grid:
        m = _ours(asked)
        certificate = m.origin.certificate
        costs.append(
            (float(m.score(asked["loss"], asked["prior"], worst_case=asked["worst"])), certificate)
        )
    exact = sum(1 for _, certificate in costs if certificate is None or certificate.optimal)
    result: dict[str, Any] = {"problems": count, "seed": seed, "ours proven optimal": exact}
    answer = _asked_of(CVXPY, grid, "CLARABEL", "HIGHS")
    if "missing" in answer:
        result["CVXPY"] = answer
    else:
        for solver in ("CLARABEL", "HIGHS"):
            values = [row[solver] for row in answer["answers"]]
            result[f"CVXPY {answer['version']} {solver}"] = _compared(
                grid, [cost for cost, _ in costs], values
            )
    plain = [k for k, asked in enumerate(grid) if not asked["properties"] and not asked["worst"]]
    answer = _asked_of(QIF, [grid[k] for k in plain])
    if "missing" in answer:
        result["qif"] = answer
    else:
        values = [row["cost"] for row in answer["answers"]]
        label = f"qif {answer['version']} (no properties)"
        result[label] = _compared([grid[k] for k in plain], [costs[k][0] for k in plain], values)
    return result


def _compared(grid: list[dict[str, Any]], ours: list[float], theirs: list[Any]) -> dict[str, Any]:
    gaps = [
        abs(a - b) if isinstance(b, float) and math.isfinite(b) else None
        for a, b in zip(ours, theirs, strict=True)
    ]
    known = [gap for gap in gaps if gap is not None]
    worst = max(known, default=0.0)
    where = next((k for k, gap in enumerate(gaps) if gap == worst), None)
    return {
        "compared": len(known),
        "no answer": [str(b) for b, gap in zip(theirs, gaps, strict=True) if gap is None][:5],
        "largest difference": worst,
        "below our proven optimum by more than 1e-9": sum(
            1
            for a, b, gap in zip(ours, theirs, gaps, strict=True)
            if gap is not None and b < a - 1e-9
        ),
        "at": None if where is None else {k: str(v) for k, v in grid[where].items()},
        "agrees": worst <= TOLERANCE and bool(known),
    }


def counterexample(n: int = 40, alpha: str = "1/2") -> dict[str, Any]:
    """qif's float design for L1 beside ours: the largest ratio between neighbours, and where."""
    prior = [Fraction(1, n + 1)] * (n + 1)
    asked = {
        "n": n,
        "alpha": Fraction(alpha),
        "properties": [],
        "loss": "L1",
        "prior": prior,
        "worst": False,
    }
    m = dc.design(n=n, alpha=alpha, loss="L1")
    claimed = -math.log(Fraction(alpha))
    ours = {
        "cost": float(m.score("L1")),
        "epsilon": -math.log(m.tight_alpha),
        "private": m.tight_alpha >= m.alpha,
    }
    answer = _asked_of(QIF, [asked])
    if "missing" in answer:
        return {"n": n, "alpha": alpha, "loss": "L1", "ours": ours, "qif": answer}
    matrix = np.array(answer["answers"][0]["matrix"])
    worst, cell = 0.0, None
    for j in range(n):
        for a, b in ((j, j + 1), (j + 1, j)):
            for i in range(n + 1):
                x, y = matrix[i, a], matrix[i, b]
                ratio = 0.0 if x <= 0 else math.inf if y <= 0 else math.log(x / y)
                if ratio > worst:
                    worst, cell = ratio, (i, a, b, float(x), float(y))
    refusal = ""
    try:
        # its columns made to sum to 1 exactly, so that what is refused is the lack of privacy and
        # not a rounding
        exact = [[Fraction(float(x)) for x in row] for row in matrix]
        sums = [sum(column) for column in zip(*exact, strict=True)]
        dc.from_matrix(
            [[x / total for x, total in zip(row, sums, strict=True)] for row in exact], alpha=alpha
        )
    except dc.DiscreetError as error:
        refusal = f"{type(error).__name__}: {error}"
    qif = {
        "version": answer["version"],
        "cost": answer["answers"][0]["cost"],
        "epsilon": str(worst) if math.isinf(worst) else worst,
        "private": worst <= claimed * (1 + 1e-9),
        "cell": None
        if cell is None
        else f"Pr[{cell[0]}|{cell[1]}] = {cell[3]:.3g}, Pr[{cell[0]}|{cell[2]}] = {cell[4]:.3g}",
        "discreet says of its matrix": refusal,
    }
    return {
        "n": n,
        "alpha": alpha,
        "loss": "L1",
        "claimed epsilon": claimed,
        "ours": ours,
        "qif": qif,
    }


def main() -> int:
    """Run all three, print and keep the result."""
    parser = argparse.ArgumentParser(
        description="Cross-check against OpenDP, diffprivlib, CVXPY and qif."
    )
    parser.add_argument("--each", type=int, default=250_000, help="draws for each true count")
    parser.add_argument("--problems", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, default=RESULT, help="where to write the result")
    options = parser.parse_args()
    started = time.perf_counter()
    result = {
        "command": f"python -m bench.cross_check --each {options.each} --problems "
        f"{options.problems} --seed {options.seed}",
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "false alarm rate": FALSE_ALARM,
        "tolerance": TOLERANCE,
        "distributions": distributions(options.each),
        "optima": optima(options.problems, options.seed),
        "counterexample": counterexample(),
    }
    result["seconds"] = round(time.perf_counter() - started)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=1))
    checks = [
        *result["distributions"],
        *(v for v in result["optima"].values() if isinstance(v, dict)),
    ]
    return 0 if all(check.get("agrees", True) for check in checks) else 1


if __name__ == "__main__":
    sys.exit(main())
