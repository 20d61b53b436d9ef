"""The best mechanisms over histograms and stepped counts: each known optimum, proven again, and how long it takes.

    python -m bench.histograms [--quick] [--json out.json]

A row is one process: a design, not from any cache, with everything imported; then its file is checked by
`python -m discreet.proof` in a process of its own. Seconds are those of the clock and of the processor. "known" is the
value that the optimum must have to the digits given; a row that is not proven, or has another value, ends the command
with 1.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

CASES: tuple[tuple[dict[str, Any], str], ...] = (
    ({"n": 4, "categories": 3, "epsilon": 1, "loss": "L1"}, "1.0313"),
    ({"n": 6, "categories": 3, "epsilon": 1, "loss": "L1"}, "1.2147"),
    ({"n": 8, "categories": 3, "epsilon": 1, "loss": "L1"}, "1.3314"),
    ({"n": 8, "categories": 3, "epsilon": 2, "loss": "L1"}, "0.5385"),
    ({"n": 8, "categories": 3, "epsilon": 1, "loss": "L0"}, "0.750683"),
    ({"n": 4, "categories": 4, "epsilon": 1, "loss": "L1"}, "1.3271"),
    ({"n": 12, "step": 2, "epsilon": 2, "loss": "L0"}, "0.374"),
    ({"n": 12, "step": 2, "epsilon": 2, "loss": "L1"}, "0.596"),
    ({"n": 12, "step": 2, "epsilon": 2, "loss": "L2"}, "1.30"),
    ({"n": 12, "categories": 3, "epsilon": 1, "loss": "L1"}, "1.4689"),
    ({"n": 20, "step": 4, "epsilon": 2, "loss": "L0"}, "0.533"),
    ({"n": 20, "step": 4, "epsilon": 2, "loss": "L1"}, "1.42"),
    ({"n": 20, "step": 4, "epsilon": 2, "loss": "L2"}, "4.88"),
    ({"n": 8, "categories": 5, "epsilon": 1, "loss": "L1"}, "2.2149"),
    ({"n": 20, "categories": 3, "epsilon": 1, "loss": "L1"}, "1.5972"),
    ({"n": 12, "categories": 4, "epsilon": 1, "loss": "L1"}, "2.0585"),
    ({"n": 10, "categories": 5, "epsilon": 1, "loss": "L1"}, "2.4145"),
)
QUICK = 9
"""How many of them take no time to speak of."""

COLUMNS = ("case", "known", "found", "proof", "design s", "cpu s", "MiB", "verify s", "verify MiB", "file KiB")


def design(asked: dict[str, Any], known: str, path: Path) -> dict[str, Any]:
    """Design one, save it, and say what it took."""
    import discreet as dc

    dc.design(n=3, categories=3, alpha="10/11", loss="L1", cache=False)  # imports the solver
    clock, cpu = time.perf_counter(), time.process_time()
    m = dc.design(cache=False, **asked)
    taken = time.perf_counter() - clock, time.process_time() - cpu
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    cost, digits = m.score(asked["loss"]), len(known.partition(".")[2])
    certificate = m.origin.certificate
    proven = certificate is not None and certificate.optimal and certificate.cost == cost
    agrees = abs(cost - Fraction(known)) <= Fraction(1, 2 * 10**digits)
    m.save(path)
    return {
        "known": known,
        "found": f"{float(cost):.6f}",
        "proof": "proven" if proven and agrees else "NOT PROVEN" if not proven else "ANOTHER VALUE",
        "design s": round(taken[0], 3),
        "cpu s": round(taken[1], 3),
        "MiB": memory,
    }


def verify(path: Path) -> dict[str, Any]:
    """Check its file with the standard library alone, in a process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    clock = time.perf_counter()
    done = subprocess.run([sys.executable, "-m", "discreet.proof", str(path)], capture_output=True, check=False)
    seconds = time.perf_counter() - clock
    memory = max(before, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) // 1024
    if done.returncode:
        raise SystemExit(done.stderr.decode())
    return {"verify s": round(seconds, 3), "verify MiB": memory, "file KiB": path.stat().st_size // 1024}


def words(asked: dict[str, Any]) -> str:
    domain = f"{asked['n']}, {asked['categories']}" if "categories" in asked else f"{asked['n']}, step {asked['step']}"
    return f"{domain}, epsilon {asked['epsilon']}, {asked['loss']}"


def row(number: int) -> dict[str, Any]:
    """One case, in a process of its own, so that memory is that of one."""
    asked, known = CASES[number]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.json"
        return {"case": words(asked), **design(asked, known, path), **verify(path)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="leave out what takes seconds")
    parser.add_argument("--json")
    parser.add_argument("--row", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.row is not None:
        print(json.dumps(row(options.row)))
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
