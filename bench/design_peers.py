"""The peers' side of `bench/design.py`: the same problem written in CVXPY, and the paper's LP
handed to HiGHS.

Runs in the peers' own environment: reads one JSON problem per line, writes one JSON result per
line.
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np


def losses(name: str, n: int) -> np.ndarray:
    """Costs [output, truth]."""
    distance = np.abs(np.subtract.outer(np.arange(n + 1), np.arange(n + 1))).astype(float)
    return (distance > 0) * (n + 1) / n if name == "L0" else distance ** int(name[1:])


def with_cvxpy(n: int, a: float, names: set[str], loss: str, solver: str) -> float:
    """The problem as a careful user writes it: whole-matrix comparisons, uniform prior."""
    import cvxpy as cp

    x = cp.Variable((n + 1, n + 1), nonneg=True)
    i, j = np.indices((n + 1, n + 1))
    rules = [cp.sum(x, axis=0) == 1, x[:, :-1] >= a * x[:, 1:], x[:, 1:] >= a * x[:, :-1]]
    diagonal = cp.diag(x)
    if "RM" in names:
        toward = (i < j)[:, 1:].astype(float)  # right of the diagonal, entries fall
        rules += [
            cp.multiply(toward, x[:, :-1] - x[:, 1:]) >= 0,
            cp.multiply(1 - toward, x[:, 1:] - x[:, :-1]) >= 0,
        ]
    elif "RH" in names:
        rules.append(cp.reshape(diagonal, (n + 1, 1), order="C") @ np.ones((1, n + 1)) >= x)
    if "CM" in names:
        toward = (i > j)[1:, :].astype(float)
        rules += [
            cp.multiply(toward, x[:-1, :] - x[1:, :]) >= 0,
            cp.multiply(1 - toward, x[1:, :] - x[:-1, :]) >= 0,
        ]
    elif "CH" in names:
        rules.append(np.ones((n + 1, 1)) @ cp.reshape(diagonal, (1, n + 1), order="C") >= x)
    if "WH" in names:
        rules.append(diagonal >= 1 / (n + 1))
    if "F" in names:
        rules.append(diagonal[1:] == diagonal[:-1])
    if "S" in names:
        rules.append(x == x[::-1, ::-1])
    problem = cp.Problem(cp.Minimize(cp.sum(cp.multiply(losses(loss, n) / (n + 1), x))), rules)
    return float(problem.solve(solver=solver))


def paper_rows(
    n: int, a: float, names: set[str]
) -> tuple[list[int], list[int], list[float], list[float], list[float]]:
    """The paper's LP as it stands: a row per inequality, nothing folded, nothing dropped."""
    index: list[int] = []
    start = [0]
    value: list[float] = []
    low: list[float] = []
    high: list[float] = []
    infinite = float("inf")

    def add(terms: list[tuple[int, int, float]], bottom: float, top: float = infinite) -> None:
        for i, j, c in terms:
            index.append(i * (n + 1) + j)
            value.append(c)
        start.append(len(index))
        low.append(bottom)
        high.append(top)

    everything = range(n + 1)
    for j in everything:
        add([(i, j, 1.0) for i in everything], 1.0, 1.0)
    for i in everything:
        for j in range(n):
            add([(i, j, 1.0), (i, j + 1, -a)], 0.0)
            add([(i, j + 1, 1.0), (i, j, -a)], 0.0)
            near, far = (j, j + 1) if j >= i else (j + 1, j)
            if "RM" in names:
                add([(i, near, 1.0), (i, far, -1.0)], 0.0)
            if "CM" in names:
                add([(near, i, 1.0), (far, i, -1.0)], 0.0)
        for j in everything:
            if "RH" in names and i != j:
                add([(i, i, 1.0), (i, j, -1.0)], 0.0)
            if "CH" in names and i != j:
                add([(j, j, 1.0), (i, j, -1.0)], 0.0)
            if "S" in names and (i, j) < (n - i, n - j):
                add([(i, j, 1.0), (n - i, n - j, -1.0)], 0.0, 0.0)
        if "WH" in names:
            add([(i, i, 1.0)], 1 / (n + 1))
        if "F" in names and i < n:
            add([(i, i, 1.0), (i + 1, i + 1, -1.0)], 0.0, 0.0)
    return start, index, value, low, high


def with_highs(n: int, a: float, names: set[str], loss: str) -> float:
    """The paper's LP on HiGHS with its default settings."""
    import highspy

    start, index, value, low, high = paper_rows(n, a, names)
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = (n + 1) ** 2, len(low)
    lp.col_cost_ = (losses(loss, n) / (n + 1)).ravel()
    lp.col_lower_, lp.col_upper_ = np.zeros(lp.num_col_), np.ones(lp.num_col_)
    lp.row_lower_, lp.row_upper_ = np.array(low), np.array(high)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = (
        np.array(start, dtype=np.int32),
        np.array(index, dtype=np.int32),
    )
    lp.a_matrix_.value_ = np.array(value)
    highs = highspy.Highs()
    highs.silent()
    highs.passModel(lp)
    highs.run()
    return float(highs.getInfo().objective_function_value)


def main() -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        n, a, names, loss = (
            asked["n"],
            asked["alpha"],
            set(asked["properties"].split()),
            asked["loss"],
        )
        clock = time.process_time if asked.get("clock") == "cpu" else time.perf_counter
        started = clock()
        try:
            who = asked["peer"]
            cost = (
                with_highs(n, a, names, loss)
                if who == "paper"
                else with_cvxpy(n, a, names, loss, who)
            )
            result = {"seconds": clock() - started, "cost": cost}
        except Exception as error:
            result = {"seconds": None, "error": f"{type(error).__name__}: {error}"[:200]}
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
