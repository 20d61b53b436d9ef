"""Beside an exact peer: QSopt_ex, the exact solver of linear programs that Debian has (`apt-get install qsopt-ex`).

    python -m bench.exact_peer --seeds 0 300 [--largest 20] [--json out.json]
    python -m bench.exact_peer --named

The problems are those of `bench.hard`, by seed, with n cut to `--largest`. Each is written for the peer from the
paper's definitions, one row per inequality, as an LP file with fractions. Asked is whether the optima are equal as
fractions, and how long each took, in processor time: ours cold and whole, with all checks; the peer's without the
writing of the file. A peer that is not done after `--stop` seconds is ended.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import discreet as dc
from bench.hard import NAMED, random_problem, told
from bench.machine import machine
from discreet.core.certificate import Problem, read_problem
from discreet.errors import DiscreetError

COMMAND = "esolver"
ORDINARY = 1.0
"""What takes us less than this many seconds is ordinary."""


def lp_file(problem: Problem) -> str:
    """The linear program of a problem, from the definitions, in the LP format with fractions."""
    n, size = problem.n, problem.n + 1
    cost = {(i, j): problem.prior.weights[j] * problem.loss.cost(i, j) for i in range(size) for j in range(size)}
    lines = ["Problem", " count", "Minimize"]
    if problem.worst_case:
        lines.append(" obj: t")
    else:
        lines.append(" obj: " + (_sum(cost) or "0 x_0_0"))
    lines.append("Subject To")
    rows = [({(i, j): Fraction(1) for i in range(size)}, "=", Fraction(1)) for j in range(size)]
    rows += list(_rows(n, problem.alpha, problem.shape.names, problem.shape.output_dp))
    lines += [f" r{k}: {_sum(terms)} {sense} {right}" for k, (terms, sense, right) in enumerate(rows)]
    if problem.worst_case:
        for j in range(size):
            column = {(i, j): -size * cost[i, j] for i in range(size)}
            lines.append(f" w{j}: t {_sum(column)} >= 0")
    return "\n".join([*lines, "End", ""])


def _sum(terms: dict[tuple[int, int], Fraction]) -> str:
    return " ".join(f"{'+' if c > 0 else '-'} {abs(c)} x_{i}_{j}" for (i, j), c in terms.items() if c)


def _rows(
    n: int, alpha: Fraction, names: frozenset[str], ratio: Fraction | None
) -> Iterator[tuple[dict[tuple[int, int], Fraction], str, Fraction]]:
    """Privacy and properties as the paper has them."""
    one, none = Fraction(1), Fraction(0)
    for i in range(n + 1):
        for j in range(n + 1):
            for k in (k for k in (j - 1, j + 1) if 0 <= k <= n):
                yield {(i, j): one, (i, k): -alpha}, ">=", none
                if "RM" in names and abs(i - k) > abs(i - j):
                    yield {(i, j): one, (i, k): -one}, ">=", none
                if ratio is not None:
                    yield {(j, i): one, (k, i): -ratio}, ">=", none
                if "CM" in names and abs(i - k) > abs(i - j):
                    yield {(j, i): one, (k, i): -one}, ">=", none
            if i != j and "RH" in names:
                yield {(i, i): one, (i, j): -one}, ">=", none
            if i != j and "CH" in names:
                yield {(j, j): one, (i, j): -one}, ">=", none
            if "S" in names and (i, j) < (n - i, n - j):
                yield {(i, j): one, (n - i, n - j): -one}, "=", none
        if "WH" in names:
            yield {(i, i): one}, ">=", Fraction(1, n + 1)
        if "F" in names and i < n:
            yield {(i, i): one, (i + 1, i + 1): -one}, "=", none


def solved_by_peer(problem: Problem, stop: float) -> tuple[Fraction | None, float]:
    """The peer's optimum, None if it was ended; and its seconds of processor time."""
    with tempfile.TemporaryDirectory() as folder:
        asked, answer = Path(folder, "asked.lp"), Path(folder, "answer.sol")
        asked.write_text(lp_file(problem), encoding="ascii")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        limit = f"ulimit -t {max(1, round(stop))}; exec {COMMAND} -L -O {answer} {asked}"
        subprocess.run(["sh", "-c", limit], capture_output=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        text = answer.read_text(encoding="ascii") if answer.exists() else ""
    found = re.search(r"Value = (\S+)", text)
    return (Fraction(found[1]) if found and "OPTIMAL" in text else None), seconds


def compare(name: str, asked: dict[str, Any], stop: float) -> dict[str, Any] | None:
    """One problem asked of both; None where it is refused, or a theorem answers it."""
    problem = read_problem(**{key: value for key, value in asked.items() if key != "gap"})
    started = time.process_time()
    try:
        mechanism = dc.design(cache=False, **asked)
    except DiscreetError as error:
        return {"name": name, "ours": None, "said": str(error)}
    ours = time.process_time() - started
    if mechanism.origin.method != "linear program":
        return None
    value, theirs = solved_by_peer(problem, stop)
    certificate = mechanism.origin.certificate
    assert certificate is not None
    equal = None if value is None else value == certificate.cost
    return {"name": name, "n": problem.n, "ours": ours, "theirs": theirs, "equal": equal, "asked": told(asked)}


def summary(rows: list[dict[str, Any]]) -> str:
    """How many optima are equal, and the ratios of the times."""
    done = [row for row in rows if row["ours"] is not None and row["equal"] is not None]
    said = [f"{sum(row['equal'] for row in done)} of {len(done)} optima equal as fractions"]
    ended = sum(row["ours"] is not None and row["equal"] is None for row in rows)
    unproven = sum(row["ours"] is None for row in rows)
    said.append(f"the peer was ended in {ended} more; ours was not proven in {unproven}")
    for name, chosen in (
        ("ordinary", [row for row in done if row["ours"] < ORDINARY]),
        ("hard", [row for row in done if row["ours"] >= ORDINARY]),
    ):
        if chosen:
            times = sorted(row["theirs"] / row["ours"] for row in chosen)
            middle = statistics.median(times)
            said.append(
                f"{name}: {len(times)}, the peer takes {times[0]:.1f} to {times[-1]:.0f} times, median {middle:.1f}"
            )
    return "\n".join(said)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs=2, metavar=("FROM", "TO"), default=(0, 300))
    parser.add_argument("--named", action="store_true", help="the named hard problems up to n = 60 instead")
    parser.add_argument("--largest", type=int, default=30, help="skip problems with a larger n")
    parser.add_argument("--stop", type=float, default=60.0, help="end the peer after so many seconds")
    parser.add_argument("--json", type=Path, help="write every measurement to this file")
    options = parser.parse_args()
    if shutil.which(COMMAND) is None:
        print(f"left out: the command {COMMAND} is missing (Debian and Ubuntu: apt-get install qsopt-ex)")
        return
    problems = {f"seed {seed}": random_problem(seed) for seed in range(*options.seeds)}
    if options.named:
        problems = {name: asked for name, asked in NAMED.items() if asked["n"] <= 60}
    dc.design(n=3, alpha="10/11", properties="CM", loss="L1", cache=False)
    rows = []
    for name, asked in problems.items():
        if (options.named or asked["n"] <= options.largest) and (row := compare(name, asked, options.stop)) is not None:
            rows.append(row)
            if options.named or not row.get("equal"):
                print(row, flush=True)
    print(summary(rows))
    if options.json:
        version = subprocess.run([COMMAND, "-v"], capture_output=True, text=True, check=False).stdout.split("\n")[0]
        facts = {"machine": machine(), "python": platform.python_version(), "peer": version, "rows": rows}
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    if any(row.get("equal") is False for row in rows):
        sys.exit("an optimum differs")


if __name__ == "__main__":
    main()
