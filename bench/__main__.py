"""Everything measured side by side in one run: `make bench`, or `python -m bench [--quick] [--only PART ...]`.

Each part is a module of this folder that can be run by itself; here they run one after the other, each in a process
of its own, and their numbers go into one report: bench/results/report.json with the machine and all versions, and
report.md for people. Peers are installed into environments of their own the first time (that needs the network and
is not timed); a peer that does not install is reported in its place. `--quick` stays under five minutes on two cores.
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
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.cross_check import CVXPY
from bench.machine import machine
from bench.peers import find_python
from bench.report import markdown

RESULTS = Path("bench/results")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One module of this folder, and what it is told in a full and in a quick run."""

    name: str
    full: tuple[str, ...] = ()
    quick: tuple[str, ...] = ()
    prints: bool = False  # JSON on standard output, on lines of its own or as a whole, instead of --json


PARTS = (
    Part(name="startup", quick=("--runs", "2")),
    Part(name="sampling", quick=("--runs", "8", "--peer-runs", "1")),
    Part(name="noise_peers", quick=("--counts", "10000", "--runs", "1")),
    Part(name="design", full=("--clock", "cpu"), quick=("--clock", "cpu", "--only", "10", "20")),
    Part(name="qif_design", quick=("--sizes", "10", "40")),
    Part(name="intervals", full=("--json",), quick=("--json",), prints=True),
    Part(name="release", quick=("--repeat", "1"), prints=True),
    Part(
        name="table_peers",
        full=("--rows", "10000", "100000", "1000000", "--runs", "3"),
        quick=("--rows", "10000", "100000", "1000000", "--runs", "1"),
    ),
    Part(name="cross_check", quick=("--each", "10000", "--problems", "30")),
    Part(name="audit_peers", full=("--draws", "400000"), quick=("--draws", "4000")),
)


def run(part: Part, quick: bool, folder: Path, patience: float) -> dict[str, Any]:
    """Run one part and return its numbers, or what it said when it failed."""
    words = [f"bench.{part.name}", *(part.quick if quick else part.full)]
    place = folder / f"{part.name}.json"
    if not part.prints:
        words += ["--json", str(place)]
    if part.name == "design":
        python, reasons = find_python(CVXPY)
        words += ["--peers", str(python)] if python else []
        if reasons:
            print("; ".join(reasons), file=sys.stderr)
    shown = "python -m " + " ".join(words[: words.index("--json")] if not part.prints else words)
    print(f"== {shown}", flush=True)
    started, before = time.perf_counter(), _cpu()
    try:
        done = subprocess.run(
            [sys.executable, "-m", *words], stdout=subprocess.PIPE, text=True, check=False, timeout=patience
        )
        code, told = done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        code, told = -1, f"stopped after {patience:.0f} s"
    seconds = round(time.perf_counter() - started, 1)
    print(told, flush=True)
    answer: dict[str, Any] = {"command": shown, "seconds": seconds, "cpu": round(_cpu() - before, 1), "exit code": code}
    result = json.loads(place.read_text()) if place.exists() else _printed(told) if part.prints else None
    return answer | ({"failed": told.strip().splitlines()[-3:]} if result is None else {"result": result})


def _cpu() -> float:
    """Return the processor time of all finished children."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _printed(told: str) -> Any:
    """Read the JSON that a part printed: the whole, or the lines that are objects."""
    try:
        return json.loads(told)
    except ValueError:
        lines = [json.loads(line) for line in told.splitlines() if line.startswith("{")]
        return lines or None


def main() -> int:
    """Run the parts, write the report; the exit code says whether every part ran."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="smaller everything: under five minutes")
    parser.add_argument("--only", nargs="+", choices=[part.name for part in PARTS], help="only these parts")
    parser.add_argument("--patience", type=float, default=3600.0, help="seconds a part may take")
    parser.add_argument("--output", type=Path, default=RESULTS, help="the folder of report.json and report.md")
    options = parser.parse_args()
    report: dict[str, Any] = {
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "quick": options.quick,
        "machine": machine(),
        "parts": {},
    }
    with tempfile.TemporaryDirectory(prefix="discreet-bench-") as name:
        for part in PARTS:
            if not options.only or part.name in options.only:
                report["parts"][part.name] = run(part, options.quick, Path(name), options.patience)
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "report.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    (options.output / "report.md").write_text(markdown(report), encoding="utf-8")
    print(f"written: {options.output / 'report.json'}, {options.output / 'report.md'}")
    return 1 if any("failed" in part for part in report["parts"].values()) else 0


if __name__ == "__main__":
    raise SystemExit(main())
