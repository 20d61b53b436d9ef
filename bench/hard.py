"""Hard linear programs: random problems by seed, and the named ones, each under a limit of
processor time.

    python -m bench.hard --seeds 0 1000 [--seconds 10]   # seeds from the first up to, not
                                                         including, the second
    python -m bench.hard --named

A seed makes one problem: any subset of the properties, output DP, any loss (random cost matrices
too), any prior (very lopsided ones, and ones with zeros), mean or worst case, alpha from 1/1000 to
0.999999, n up to 30. Designs are made in a process of their own, cold, with all checks; one that is
still at it after `--stop` seconds of processor time is ended there. Printed are the problems that
were not proven or took more than `--seconds`, the median and the slowest.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import discreet as dc
from discreet.errors import DiscreetError, NotProven

PROPERTIES = ("RH", "RM", "CH", "CM", "WH", "F", "S")
ALPHAS = (
    "1/1000",
    "1/100",
    "1/50",
    "1/10",
    "1/5",
    "1/3",
    "1/2",
    "3/5",
    "2/3",
    "3/4",
    "9/10",
    "10/11",
    "19/20",
)
NEAR_ONE = ("99/100", "999/1000", "9999/10000", "999999/1000000")
RATIOS = ("1/1000", "1/50", "1/10", "1/3", "1/2", "9/10", "99/100")
LOSSES: tuple[str | float, ...] = ("L0", "L1", "L2", "L0,1", "L0,2", 0.5, 3)
PRIORS = ("Binomial(0.5)", "Binomial(0.3)", "Binomial(0.01)")
SLOWEST = 5


def normalised(weights: list[int]) -> list[str]:
    """Weights as fractions that sum to 1."""
    return [f"{weight}/{sum(weights)}" for weight in weights]


NAMED: dict[str, dict[str, Any]] = {
    "n=200, epsilon 0.5, {F CM RM}, L1": {
        "n": 200,
        "epsilon": "0.5",
        "properties": "F CM RM",
        "loss": "L1",
    },
    "n=400, epsilon 0.5, {WH CM RM}, L1": {
        "n": 400,
        "epsilon": "0.5",
        "properties": "WH CM RM",
        "loss": "L1",
        "gap": 0,
    },
    "n=400, alpha 10/11, {WH CM RM}, L1": {
        "n": 400,
        "alpha": "10/11",
        "properties": "WH CM RM",
        "loss": "L1",
        "gap": 0,
    },
    "n=60, alpha 3/5, {WH CM}, Binomial(0.3)": {
        "n": 60,
        "alpha": "3/5",
        "properties": "WH CM",
        "prior": "Binomial(0.3)",
    },
    "n=30, alpha 1/50, {CH WH ODP:1/50}, a prior with zeros": {
        "n": 30,
        "alpha": "1/50",
        "properties": "CH WH ODP:1/50",
        "prior": normalised([(j * j * 7 + 3) % 11 if j % 3 else 0 for j in range(31)]),
    },
    "n=20, alpha 1/1000, {RH CH}, random costs, worst case": {
        "n": 20,
        "alpha": "1/1000",
        "properties": "RH CH",
        "loss": [
            [0 if i == j else 1 + (i * 31 + j * 17) % 13 for j in range(21)] for i in range(21)
        ],
        "worst_case": True,
    },
}
"""Formerly the hardest known."""


def random_problem(seed: int) -> dict[str, Any]:
    """What a seed asks for, as the arguments of `dc.design`."""
    r = random.Random(seed)
    n = r.randint(2, 30)
    names = [name for name in PROPERTIES if r.random() < 0.4]
    if r.random() < 0.25:
        names.append(f"ODP:{r.choice(RATIOS)}")
    asked: dict[str, Any] = {
        "n": n,
        "alpha": r.choice(r.choice((ALPHAS, ALPHAS, NEAR_ONE))),
        "loss": r.choice(LOSSES),
    }
    asked["properties"] = " ".join(names)
    if r.random() < 0.15:
        most = r.choice((3, 20, 1000))
        asked["loss"] = [
            [0 if i == j else r.randint(1, most) for j in range(n + 1)] for i in range(n + 1)
        ]
    kind = r.random()
    if kind < 0.2:
        asked["prior"] = r.choice(PRIORS)
    elif kind < 0.6:
        top = r.choice((1, 5, 100, 10**6))
        weights = [r.choice((0, 1, r.randint(0, top))) for _ in range(n + 1)]
        weights[r.randint(0, n)] += 1
        asked["prior"] = normalised(weights)
    if r.random() < 0.25:
        asked["worst_case"] = True
    return asked


class Worker:
    """The process that designs; it is started again when the limit of processor time has ended
    it.
    """

    def __init__(self, stop: float) -> None:
        self.command = [sys.executable, "-m", "bench.hard", "--worker", "--stop", str(stop)]
        self.child = self._started()

    def _started(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def ask(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The seconds a design took and how it ended: "proven", or what it said instead."""
        assert self.child.stdin is not None
        assert self.child.stdout is not None
        self.child.stdin.write(json.dumps(asked) + "\n")
        if answer := self.child.stdout.readline():
            return dict(json.loads(answer))
        self.child.wait()
        self.child = self._started()
        return {"seconds": None, "ended": "stopped"}

    def close(self) -> None:
        """End the process, which is waiting for a question."""
        assert self.child.stdin is not None
        self.child.stdin.close()
        self.child.wait()


def work(stop: float) -> None:
    """Answer the problems on standard input, one a line."""
    dc.design(n=3, alpha="10/11", properties="CM", loss="L1", cache=False)
    for line in sys.stdin:
        signal.setitimer(signal.ITIMER_PROF, stop)  # its signal ends the process
        started = time.process_time()
        try:
            found = dc.design(cache=False, seconds=100 * stop, **json.loads(line))
            certificate = found.origin.certificate
            ended = "proven" if certificate is not None and certificate.optimal else "not proven"
            method, made = found.origin.method, found.id
        except NotProven as error:
            ended, method, made = f"not proven: {error}", "linear program", None
        except DiscreetError as error:
            ended, method, made = f"refused: {error}", "none", None
        signal.setitimer(signal.ITIMER_PROF, 0)
        taken = time.process_time() - started
        print(
            json.dumps({"seconds": taken, "ended": ended, "method": method, "id": made}), flush=True
        )


def told(asked: dict[str, Any]) -> str:
    """A problem in one line; long lists by their length."""
    said = {k: f"{len(v)} numbers" if isinstance(v, list) else v for k, v in asked.items()}
    return ", ".join(f"{name} {value}" for name, value in said.items() if value != "")


def measure(
    problems: dict[str, dict[str, Any]], seconds: float, stop: float
) -> list[dict[str, Any]]:
    """Ask every problem; say at once which took too long or was not proven."""
    worker, rows = Worker(stop), []
    for name, asked in problems.items():
        row = {"name": name, "asked": asked, **worker.ask(asked)}
        rows.append(row)
        late = row["seconds"] is None or row["seconds"] > seconds
        if late or row["ended"] != "proven" or len(problems) <= len(NAMED):
            taken = f"over {stop:g}" if row["seconds"] is None else f"{row['seconds']:.2f}"
            print(f"{name}: {taken} s, {row['ended']}: {told(asked)}", flush=True)
    worker.close()
    return rows


def summary(rows: list[dict[str, Any]], seconds: float) -> str:
    """How many were proven in time, the median of the linear programs, and the slowest."""
    done = [row for row in rows if row["seconds"] is not None]
    programs = [row["seconds"] for row in done if row["method"] == "linear program"]
    refused = sum(row["ended"].startswith("refused") for row in rows)
    good = sum(row["ended"] == "proven" and row["seconds"] <= seconds for row in done)
    slowest = sorted(done, key=lambda row: -row["seconds"])[:SLOWEST]
    return "\n".join(
        [
            f"{good} of {len(rows) - refused} problems proven within {seconds:g} s of processor "
            "time",
            f"median of {len(programs)} linear programs: {statistics.median(programs or [0]):.3f} "
            "s",
            *(f"  {row['seconds']:.2f} s: {row['name']}: {told(row['asked'])}" for row in slowest),
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, nargs=2, metavar=("FROM", "TO"), default=(0, 1000))
    parser.add_argument("--named", action="store_true", help="the named hard problems instead")
    parser.add_argument(
        "--seconds", type=float, default=10.0, help="what counts as too long, in processor time"
    )
    parser.add_argument(
        "--stop", type=float, help="end a design there; twice --seconds if not given"
    )
    parser.add_argument("--json", type=Path, help="write every measurement to this file")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    stop = options.stop or 2 * options.seconds
    if options.worker:
        work(stop)
        return
    problems = (
        NAMED
        if options.named
        else {f"seed {seed}": random_problem(seed) for seed in range(*options.seeds)}
    )
    rows = measure(problems, options.seconds, stop)
    print(summary(rows, options.seconds))
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    if any(row["ended"] != "proven" and not row["ended"].startswith("refused") for row in rows):
        sys.exit("some were not proven in time")


if __name__ == "__main__":
    main()
