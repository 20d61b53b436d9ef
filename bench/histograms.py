"""The best mechanisms over histograms and stepped counts: each known optimum, proven again, and how
long it takes.

    python -m bench.histograms [--quick] [--json out.json]
    python -m bench.histograms --gains [--write]     # the tables of docs/old/histogram-gains.md

A row is one process: a design, not from any cache, with everything imported; then its file is
checked by `python -m discreet.proof` in a process of its own. Seconds are those of the processor.
"known" is the value that the optimum must have to the digits given, and so are those beside the
other columns; a row that is not proven, has another value, or takes more time or memory than it
may, ends the command with 1.

"cells at epsilon/2" and "at epsilon/k" are the k counts by GM at that epsilon each, read as is
best: the histogram with the fewest people misplaced on average, given all counts that were drawn (a
Bayes decision, which flatters the cells). For a stepped count "at epsilon/m" is the best count that
one person moves by one. "rows" are those of privacy and sums.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

LARGE = 60.0
"""Seconds of the processor that the largest designs, and every check of a file, may take."""

DESIGN_MIB, VERIFY_MIB = 2048, 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One optimum: what is asked, its value, those of its rivals where they are known, and its
    seconds.
    """

    n: int
    k: int = 0
    step: int = 0
    epsilon: int = 1
    loss: str = "L1"
    known: str
    half: str = ""
    parts: str = ""
    limit: float = LARGE

    @property
    def asked(self) -> dict[str, Any]:
        domain = {"categories": self.k} if self.k else {"step": self.step}
        return {"n": self.n, **domain, "epsilon": self.epsilon, "loss": self.loss}

    def __str__(self) -> str:
        return f"{self.n}, {self.k or f'step {self.step}'}, epsilon {self.epsilon}, {self.loss}"


CASES = (
    Case(n=4, k=3, known="1.0313", half="1.1931", parts="1.3709"),
    Case(n=6, k=3, known="1.2147", half="1.4611", parts="1.7488"),
    Case(n=8, k=3, known="1.3314", half="1.6502", parts="2.0466", limit=0.2),
    Case(n=8, k=3, epsilon=2, known="0.5385", half="0.9431", parts="1.3419", limit=0.2),
    Case(n=8, k=3, loss="L0", known="0.750683", limit=0.2),
    Case(n=4, k=4, known="1.3271", half="1.4511", parts="1.7012"),
    Case(n=12, step=2, epsilon=2, loss="L0", known="0.374", parts="0.538"),
    Case(n=12, step=2, epsilon=2, loss="L1", known="0.596", parts="0.747"),
    Case(n=12, step=2, epsilon=2, loss="L2", known="1.30", parts="1.47"),
    Case(n=12, k=3, known="1.4689"),
    Case(n=20, step=4, epsilon=2, loss="L0", known="0.533", parts="0.755"),
    Case(n=20, step=4, epsilon=2, loss="L1", known="1.42", parts="1.65"),
    Case(n=20, step=4, epsilon=2, loss="L2", known="4.88", parts="5.73"),
    Case(n=8, k=5, known="2.2149", limit=5.0),
    Case(n=20, k=3, known="1.5972"),
    Case(n=12, k=4, known="2.0585"),
    Case(n=10, k=5, known="2.4145"),
)
QUICK = 9
"""How many of them take no time to speak of."""

COLUMNS = (
    "case",
    "points",
    "folded",
    "known",
    "found",
    "proof",
    "cells at epsilon/2",
    "at epsilon/k, or epsilon/m",
    "cpu s",
    "may take",
    "MiB",
    "verify cpu s",
    "verify MiB",
    "file KiB",
)


def design(case: Case, path: Path) -> dict[str, Any]:
    """Design one, save it, and say what it took."""
    import discreet as dc
    from discreet.core.domains import ROWS

    dc.design(n=3, categories=3, alpha="10/11", loss="L1", cache=False)  # imports the solver
    cpu = time.process_time()
    m = dc.design(cache=False, **case.asked)
    taken = time.process_time() - cpu
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    certificate = m.origin.certificate
    proven = (
        certificate is not None and certificate.optimal and certificate.cost == m.score(case.loss)
    )
    m.save(path)
    folded = ""
    if case.k:
        orbits = m.form.orbits
        folded = (
            f"{len(orbits.codes):,} entries, "
            f"{len(orbits.rows(ROWS['dp'])) + len(orbits.truths):,} rows"
        )
    return {
        "case": str(case),
        "points": m.domain.size,
        "folded": folded,
        "known": case.known,
        "found": f"{float(m.score(case.loss)):.6f}",
        "proof": "NOT PROVEN"
        if not proven
        else _judged(case, float(m.score(case.loss)), taken, memory),
        "cpu s": round(taken, 3),
        "may take": case.limit,
        "MiB": memory,
    }


def _judged(case: Case, cost: float, seconds: float, memory: int) -> str:
    if not agrees(cost, case.known):
        return "ANOTHER VALUE"
    return "TOO SLOW" if seconds > case.limit else "TOO LARGE" if memory > DESIGN_MIB else "proven"


def agrees(value: float, digits: str) -> bool:
    """Whether a value rounds to the digits given."""
    return abs(value - float(digits)) <= 0.5000001 / 10 ** len(digits.partition(".")[2])


def rivals(case: Case) -> dict[str, Any]:
    """The columns of what else there is, where its values are known."""
    from bench.histogram_gains import best_reading

    if case.step:
        import discreet as dc

        other = dc.design(
            n=case.n, epsilon=Fraction(case.epsilon, case.step), loss=case.loss, cache=False
        )
        found = {"cells at epsilon/2": None, COLUMNS[7]: float(other.score(case.loss))}
    elif case.half:
        at = [
            best_reading(case.n, case.k, case.epsilon / 2),
            best_reading(case.n, case.k, case.epsilon / case.k),
        ]
        found = {"cells at epsilon/2": at[0], COLUMNS[7]: at[1]}
    else:
        found = {"cells at epsilon/2": None, COLUMNS[7]: None}
    for value, digits in zip(found.values(), (case.half, case.parts), strict=True):
        if value is not None and not agrees(value, digits):
            raise SystemExit(f"{case}: {value:.6f}, which should be {digits}")
    return {name: "" if value is None else f"{value:.4f}" for name, value in found.items()}


def verify(path: Path) -> dict[str, Any]:
    """Check its file with the standard library alone, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "discreet.proof", str(path)], capture_output=True, check=False
    )
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(done.stderr.decode())
    seconds, memory = used.ru_utime + used.ru_stime, used.ru_maxrss // 1024
    found = {
        "verify cpu s": round(seconds, 3),
        "verify MiB": memory,
        "file KiB": path.stat().st_size // 1024,
    }
    slow = seconds > LARGE or memory > VERIFY_MIB
    return {**found, "proof": "THE CHECK TAKES TOO MUCH"} if slow else found


def row(number: int) -> dict[str, Any]:
    """One case, in a process of its own, so that memory is that of one."""
    case = CASES[number]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.json"
        return {**design(case, path), **verify(path), **rivals(case)}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="leave out what takes seconds")
    parser.add_argument("--json")
    parser.add_argument(
        "--gains", action="store_true", help="print what the joint design gains instead"
    )
    parser.add_argument(
        "--write",
        action="store_true",
        help="with --gains: into bench/results and the documentation",
    )
    parser.add_argument("--row", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.row is not None:
        print(json.dumps(row(options.row)))
        return
    if options.gains:
        from bench.histogram_gains import gains

        gains(write=options.write)
        return
    print("| " + " | ".join(COLUMNS) + " |")
    print("| " + " | ".join("---" for _ in COLUMNS) + " |", flush=True)
    rows = []
    for number in range(QUICK if options.quick else len(CASES)):
        command = [sys.executable, "-m", "bench.histograms", "--row", str(number)]
        done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode:
            raise SystemExit(done.stderr.decode())
        rows.append(json.loads(done.stdout))
        print("| " + " | ".join(str(rows[-1][name]) for name in COLUMNS) + " |", flush=True)
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")
    if any(each["proof"] != "proven" for each in rows):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
