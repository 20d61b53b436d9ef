"""Beside an exact peer: QSopt_ex, the exact solver of linear programs that Debian has (`apt-get
install qsopt-ex`).

    python -m bench.exact_peer --seeds 0 300 [--least 4] [--largest 40] [--json out.json]    #
                                                                                             ordinary
                                                                                             problems
    python -m bench.exact_peer --hard --seeds 0 100 [--largest 30]                           # those
                                                                                             of
                                                                                             `bench.hard`
    python -m bench.exact_peer --named                                                       # its
                                                                                             named
                                                                                             ones to
                                                                                             n = 60

An ordinary problem has a usual loss, a prior that is uniform, binomial or a few small weights,
alpha from 1/2 to 99/100 and any subset of the properties. Each problem is written for the peer from
the paper's definitions, one row per inequality, as an LP file with fractions. Asked is whether the
optima are equal as fractions, and how long each took, in processor time, the least of fifteen runs
in five turns where they are short: ours cold and whole, with all checks, in a process that is warm;
the peer's from the reading of its file to its answer. What the peer's process takes to start,
measured on a program of one variable, is taken off ("with its start" leaves it in). A peer that is
not done after `--stop` seconds is ended; that time then counts, as a ratio of at least so much.
With `--json` a later run goes on where this one ended; `--again` then measures ours anew, and the
peer's again where it is short.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
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
from itertools import pairwise
from pathlib import Path
from typing import Any

import discreet as dc
from bench.hard import NAMED, normalised, random_problem, told
from bench.machine import machine
from discreet.core.certificate import Problem, _costs, read_problem
from discreet.core.losses import _costs_by_distance
from discreet.designer.lp.program import places
from discreet.designer.theorems.closed_form import best_labels
from discreet.errors import DiscreetError

COMMAND = "esolver"
TIMES = 10
"""How many times as long as ours the peer is to take on every ordinary problem."""
SHORT = 0.2
TURNS, ROW = 5, 3
"""What takes less than `SHORT` seconds is measured in so many turns, so many times in a row."""
NAMED_FROM = 18
"""From this n on, each problem that falls short is named."""

SEVEN = ("RH", "RM", "CH", "CM", "WH", "F", "S")
PRIVACY = ({"alpha": a} for a in ("1/2", "2/3", "3/4", "9/10", "10/11", "19/20", "99/100"))
USUAL = (*PRIVACY, {"epsilon": "0.1"}, {"epsilon": "0.5"}, {"epsilon": "0.7"})


def ordinary_problem(seed: int, least: int, largest: int) -> dict[str, Any]:
    """What a seed asks for, as the arguments of `dc.design`: what people ask for."""
    r = random.Random(f"ordinary {seed}")
    n = r.randint(least, largest)
    names = [name for name in SEVEN if r.random() < 0.4]
    asked: dict[str, Any] = {
        "n": n,
        **r.choice(USUAL),
        "loss": r.choice(("L0", "L1", "L2", "L0,1")),
    }
    asked["properties"] = " ".join(names or [r.choice(SEVEN)])
    kind = r.random()
    if kind < 0.2:
        asked["prior"] = r.choice(("Binomial(0.5)", "Binomial(0.3)"))
    elif kind < 0.4:
        asked["prior"] = normalised([r.randint(1, 5) for _ in range(n + 1)])
    return asked


def lp_file(problem: Problem) -> str:
    """The linear program of a problem, from the definitions, in the LP format with fractions."""
    n, size = problem.n, problem.n + 1
    cost = {
        (i, j): problem.prior.weights[j] * problem.loss.cost(i, j)
        for i in range(size)
        for j in range(size)
    }
    lines = ["Problem", " count", "Minimize"]
    if problem.worst_case:
        lines.append(" obj: t")
    else:
        lines.append(" obj: " + (_sum(cost) or "0 x_0_0"))
    lines.append("Subject To")
    rows = [({(i, j): Fraction(1) for i in range(size)}, "=", Fraction(1)) for j in range(size)]
    rows += list(_rows(n, problem.alpha, problem.shape.names, problem.shape.output_dp))
    lines += [
        f" r{k}: {_sum(terms)} {sense} {right}" for k, (terms, sense, right) in enumerate(rows)
    ]
    if problem.worst_case:
        for j in range(size):
            column = {(i, j): -size * cost[i, j] for i in range(size)}
            lines.append(f" w{j}: t {_sum(column)} >= 0")
    return "\n".join([*lines, "End", ""])


def _sum(terms: dict[tuple[int, int], Fraction]) -> str:
    return " ".join(
        f"{'+' if c > 0 else '-'} {abs(c)} x_{i}_{j}" for (i, j), c in terms.items() if c
    )


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


def solved_by_peer(problem: Problem | None, stop: float) -> tuple[Fraction | None, float]:
    """The peer's optimum, None if it was ended, and its processor seconds; for None, those of
    nearly nothing.
    """
    smallest = "Problem\n count\nMinimize\n obj: x\nSubject To\n r: x >= 1\nEnd\n"
    with tempfile.TemporaryDirectory() as folder:
        asked, answer = Path(folder, "asked.lp"), Path(folder, "answer.sol")
        asked.write_text(smallest if problem is None else lp_file(problem), encoding="ascii")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        limit = f"ulimit -t {max(1, round(stop))}; exec {COMMAND} -L -O {answer} {asked}"
        subprocess.run(["sh", "-c", limit], capture_output=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        text = answer.read_text(encoding="ascii") if answer.exists() else ""
    found = re.search(r"Value = (\S+)", text)
    return (Fraction(found[1]) if found and "OPTIMAL" in text else None), seconds


def solved_by_us(asked: dict[str, Any]) -> tuple[dc.Mechanism, float]:
    """A design and its seconds of processor time, with nothing remembered of an earlier one."""
    for remembered in (_costs, _costs_by_distance, places, best_labels):
        remembered.cache_clear()
    started = time.process_time()
    found = dc.design(cache=False, **asked)
    return found, time.process_time() - started


def compare(name: str, asked: dict[str, Any], stop: float) -> dict[str, Any]:
    """One problem asked of both; without times where a theorem answers it, or it is not proven."""
    problem = read_problem(**{key: value for key, value in asked.items() if key != "gap"})
    row: dict[str, Any] = {"name": name, "n": problem.n, "asked": told(asked)}
    try:
        mechanism, ours = solved_by_us(asked)
    except DiscreetError as error:
        return {**row, "ended": str(error)}
    if mechanism.origin.method != "linear program":
        return {**row, "ended": "theorem"}
    value, theirs = solved_by_peer(problem, stop)
    ours, theirs = _by_turns(asked, problem, stop, ours, theirs)
    certificate = mechanism.origin.certificate
    assert certificate is not None
    equal = None if value is None else value == certificate.cost
    return {**row, "ended": "compared", "ours": ours, "theirs": theirs, "equal": equal}


def _by_turns(
    asked: dict[str, Any], problem: Problem, stop: float, ours: float, theirs: float
) -> tuple[float, float]:
    """The least seconds of both, where they are short, after one run of each: turn by turn, each
    some times in a row.

    In a row, because the first design after another process finds nothing of its own in the
    processor's caches.
    """
    for _ in range(TURNS):
        for _ in range(ROW):
            ours = min(ours, solved_by_us(asked)[1]) if ours < SHORT else ours
        for _ in range(ROW):
            theirs = min(theirs, solved_by_peer(problem, stop)[1]) if theirs < SHORT else theirs
    return ours, theirs


def summary(rows: list[dict[str, Any]], start: float, *, hard: bool) -> str:
    """How many optima are equal, the ratios of the times, and whether what is required is met."""
    both = [row for row in rows if row["ended"] == "compared"]
    finished = [row for row in both if row["equal"] is not None]
    equal, theorem = (
        sum(row["equal"] for row in finished),
        sum(row["ended"] == "theorem" for row in rows),
    )
    unproven = len(rows) - len(both) - theorem
    said = [
        f"{len(rows)} problems: {theorem} by theorem, {len(both)} linear programs, not proven by "
        f"us {unproven}",
        f"the peer was ended in {len(both) - len(finished)}; its start takes {1000 * start:.1f} ms",
        _verdict(
            "optima equal as fractions",
            equal == len(finished) and not unproven,
            f"{equal} of {len(finished)}",
        ),
    ]
    if not both:
        return "\n".join(said)
    ratios = {row["name"]: max(row["theirs"] - start, 1e-4) / row["ours"] for row in both}
    for low, high in pairwise((0, 10, 17, 30, 40, 60)):
        if chosen := [row for row in both if low < row["n"] <= high]:
            bare, whole = (
                sorted(ratios[row["name"]] for row in chosen),
                [row["theirs"] / row["ours"] for row in chosen],
            )
            ours, theirs = (
                1000 * statistics.median(row[whose] for row in chosen)
                for whose in ("ours", "theirs")
            )
            said.append(
                f"n to {high}: {len(chosen)}, ours {ours:.1f} ms, the peer "
                f"{theirs - 1000 * start:.1f} ms, {bare[0]:.1f} to {bare[-1]:.0f} times, median "
                f"{statistics.median(bare):.1f} (with its start {min(whole):.1f}, "
                f"{statistics.median(whole):.1f}); below {TIMES} in "
                f"{sum(ratio < TIMES for ratio in bare)}, faster in "
                f"{sum(ratio < 1 for ratio in bare)}"
            )
    worst = min(both, key=lambda row: ratios[row["name"]])
    least = f"least {ratios[worst['name']]:.1f} times: {worst['name']}: {worst['asked']}"
    if hard:
        faster = sum(ratio < 1 for ratio in ratios.values())
        said.append(
            _verdict(
                "the peer is never faster",
                not faster,
                f"faster in {faster} of {len(both)}; {least}",
            )
        )
    else:
        below = [row["n"] for row in both if ratios[row["name"]] < TIMES]
        told = f"{len(both) - len(below)} of {len(both)}, {least}"
        said.append(_verdict(f"the peer takes {TIMES} times as long on every one", not below, told))
        said.append(f"it does on every one with n above {max(below, default=0)}")
        said += [
            f"  {ratios[row['name']]:.1f} times: {row['name']}: {row['asked']}"
            for row in sorted(both, key=lambda row: ratios[row["name"]])
            if row["n"] >= NAMED_FROM and ratios[row["name"]] < TIMES
        ]
    return "\n".join(said)


def _verdict(words: str, met: bool, numbers: str) -> str:
    return f"{'MET' if met else 'NOT MET':<9} {words}: {numbers}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, nargs=2, metavar=("FROM", "TO"), default=(0, 300))
    parser.add_argument(
        "--hard", action="store_true", help="the random hard problems of bench.hard instead"
    )
    parser.add_argument(
        "--named", action="store_true", help="its named hard problems up to n = 60 instead"
    )
    parser.add_argument("--least", type=int, default=4, help="the least n of an ordinary problem")
    parser.add_argument(
        "--largest",
        type=int,
        default=40,
        help="the largest n; hard problems beyond it are left out",
    )
    parser.add_argument(
        "--stop", type=float, default=60.0, help="end the peer after so many seconds"
    )
    parser.add_argument("--again", action="store_true", help="measure again where a time is kept")
    parser.add_argument(
        "--json", type=Path, help="keep every measurement in this file, and go on from it"
    )
    options = parser.parse_args()
    if shutil.which(COMMAND) is None:
        print(
            f"left out: the command {COMMAND} is missing (Debian and Ubuntu: apt-get install "
            "qsopt-ex)"
        )
        return
    seeds = range(*options.seeds)
    if options.named:
        problems = {name: asked for name, asked in NAMED.items() if asked["n"] <= 60}
    elif options.hard:
        problems = {
            f"hard {seed}": asked
            for seed in seeds
            if (asked := random_problem(seed))["n"] <= options.largest
        }
    else:
        problems = {
            f"{seed}": ordinary_problem(seed, options.least, options.largest) for seed in seeds
        }
    dc.design(n=3, alpha="10/11", properties="CM", loss="L1", cache=False)
    start = min(solved_by_peer(None, 1)[1] for _ in range(9))
    version = subprocess.run(
        [COMMAND, "-v"], capture_output=True, text=True, check=False
    ).stdout.split("\n")[0]
    kept = (
        json.loads(options.json.read_text(encoding="utf-8"))["rows"]
        if options.json and options.json.exists()
        else []
    )
    rows = {row["name"]: row for row in kept}
    facts = {
        "machine": machine(),
        "python": platform.python_version(),
        "peer": version,
        "start": start,
    }
    for name, asked in problems.items():
        new = name not in rows
        if new:
            rows[name] = row = compare(name, asked, options.stop)
            if (
                options.named
                or row.get("equal") is False
                or row["ended"] not in ("compared", "theorem")
            ):
                print(row, flush=True)
        elif options.again and rows[name]["ended"] == "compared":
            row, problem = (
                rows[name],
                read_problem(**{key: value for key, value in asked.items() if key != "gap"}),
            )
            row["ours"], row["theirs"] = _by_turns(
                asked, problem, options.stop, solved_by_us(asked)[1], row["theirs"]
            )
        if options.json and (new or options.again):
            options.json.parent.mkdir(parents=True, exist_ok=True)
            options.json.write_text(
                json.dumps({**facts, "rows": [*rows.values()]}, indent=1) + "\n", "utf-8"
            )
    chosen = [rows[name] for name in problems]
    print(summary(chosen, start, hard=options.hard or options.named))
    if any(row.get("equal") is False for row in chosen):
        sys.exit("an optimum differs")


if __name__ == "__main__":
    main()
