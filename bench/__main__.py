"""Everything measured side by side: `make bench`, or `python -m bench [--quick] [--only PART ...]
[--merge] [--write]`.

Each part is a module of this folder that can be run by itself; here they run one after the other,
each in a process of its own, and their numbers go into one report: bench/results/report.json with
the machine and all versions, and report.md for people. The report is written after each part, so a
run that is stopped keeps what it has; a part that fails or takes too long is said to have, and the
others go on. `--only` with `--merge` measures parts again and keeps the rest of the report as it
was.

The report in bench/results and the pages of the documentation that show its numbers are the
repository's: only a run of everything at full size, or `--write`, touches them. Smaller runs write
to build/bench.

Peers are installed into environments of their own the first time (that needs the network and is not
timed); a peer that does not install is reported in its place. `--quick` stays under five minutes on
two cores, a full run takes about twenty-five.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import signal
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
from bench.pages import write_pages
from bench.peers import find_python
from bench.report import markdown

RESULTS = Path("bench/results")
SMALLER = Path("build/bench")
"""Where runs go whose numbers are not for the repository; git ignores it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One module of this folder, what it is told in a full and in a quick run, and about how
    many seconds it takes.
    """

    name: str
    full: tuple[str, ...] = ()
    quick: tuple[str, ...] = ()
    seconds: tuple[int, int]  # full and quick, on two quiet cores: for the estimate only
    prints: bool = (
        False  # JSON on standard output, on lines of its own or as a whole, instead of --json
    )


PARTS = (
    Part(name="startup", quick=("--runs", "1"), seconds=(70, 20)),
    Part(name="sampling", quick=("--runs", "8", "--peer-runs", "1"), seconds=(80, 30)),
    Part(name="noise_peers", quick=("--counts", "10000", "--runs", "1"), seconds=(35, 8)),
    Part(
        name="design",
        full=("--clock", "cpu", "--only", "10", "20", "40", "60", "--runs", "3"),
        quick=("--clock", "cpu", "--only", "10", "20", "--runs", "3"),
        seconds=(200, 15),
    ),
    Part(name="design_growth", quick=("--largest", "60"), seconds=(30, 3)),
    Part(
        name="qif_design",
        full=("--sizes", "10", "20", "40"),
        quick=("--sizes", "10", "40"),
        seconds=(30, 10),
    ),
    Part(name="intervals", full=("--json",), quick=("--json",), seconds=(1, 1), prints=True),
    Part(name="release", quick=("--repeat", "1"), seconds=(40, 15), prints=True),
    Part(
        name="table_peers",
        full=("--rows", "10000", "100000", "1000000", "--runs", "3"),
        quick=("--rows", "10000", "100000", "--runs", "1"),
        seconds=(120, 15),
    ),
    Part(name="cross_check", quick=("--each", "10000", "--problems", "30"), seconds=(120, 15)),
    Part(
        name="audit_peers",
        full=("--draws", "400000"),
        quick=("--draws", "4000", "--calls", "4"),
        seconds=(150, 20),
    ),
    Part(name="timing", quick=("--rounds", "300"), seconds=(40, 5)),
    Part(name="faults", quick=("--quick",), seconds=(540, 100)),
)


def run(part: Part, quick: bool, folder: Path, patience: float) -> dict[str, Any]:
    """Run one part and return its numbers, or what it said when it failed; one that was stopped
    keeps what it had.
    """
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
    answer: dict[str, Any] = {
        "command": shown,
        "made": _now(),
        "load_before": machine()["load_before"],
    }
    started, before = time.perf_counter(), _cpu()
    process = subprocess.Popen(
        [sys.executable, "-m", *words],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=os.name == "posix",
    )
    try:
        told, _ = process.communicate(timeout=patience)
    except BaseException as error:
        with contextlib.suppress(OSError):  # with all that it started: clusters, servers, peers
            os.killpg(process.pid, signal.SIGKILL) if os.name == "posix" else process.kill()
        told, _ = process.communicate()
        if not isinstance(error, subprocess.TimeoutExpired):
            raise
        told += f"\nstopped after {patience:.0f} s"
        answer["stopped"] = (
            f"stopped after {patience:.0f} s: what it had measured until then is below"
        )
    print(told, flush=True)
    answer |= {"seconds": round(time.perf_counter() - started, 1), "cpu": round(_cpu() - before, 1)}
    answer["exit code"] = process.returncode
    result = (
        json.loads(place.read_text()) if place.exists() else _printed(told) if part.prints else None
    )
    return answer | (
        {"failed": told.strip().splitlines()[-3:]} if result is None else {"result": result}
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


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


def place(options: argparse.Namespace) -> Path:
    """Return the folder of the report: the committed one for a full run, or when asked to."""
    if options.output is not None:
        return Path(options.output)
    full = not options.quick and set(options.only) == {part.name for part in PARTS}
    return RESULTS if full or options.write else SMALLER


def begin(options: argparse.Namespace) -> dict[str, Any]:
    """Return the report to fill: a new one, or the one that is there, whose other parts stay."""
    kept: dict[str, Any] = {}
    if options.merge:
        with contextlib.suppress(OSError):
            kept = json.loads((options.output / "report.json").read_text(encoding="utf-8"))["parts"]
    return {"made": _now(), "quick": options.quick, "machine": machine(), "parts": kept}


def write(report: dict[str, Any], folder: Path) -> None:
    """Write the report as it stands, for machines and for people."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    (folder / "report.md").write_text(markdown(report), encoding="utf-8")


def main(words: list[str] | None = None) -> int:
    """Run the parts, write the report; the exit code says whether every part ran."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [part.name for part in PARTS]
    parser.add_argument(
        "--quick", action="store_true", help="smaller everything: under five minutes"
    )
    parser.add_argument(
        "--only", nargs="+", choices=names, default=names, metavar="PART", help=", ".join(names)
    )
    parser.add_argument(
        "--merge", action="store_true", help="keep the other parts of the report that is there"
    )
    parser.add_argument("--patience", type=float, default=1200.0, help="seconds a part may take")
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--output",
        type=Path,
        help=f"the folder of report.json and report.md (smaller runs: {SMALLER})",
    )
    where.add_argument(
        "--write", action="store_true", help=f"into {RESULTS} and the documentation, however small"
    )
    options = parser.parse_args(words)
    options.output = place(options)
    report = begin(options)
    chosen = [part for part in PARTS if part.name in options.only]
    print(
        f"{len(chosen)} parts, about "
        f"{sum(part.seconds[options.quick] for part in chosen) / 60:.0f} minutes"
    )
    with tempfile.TemporaryDirectory(prefix="discreet-bench-") as name:
        for number, part in enumerate(chosen, 1):
            try:
                found = run(part, options.quick, Path(name), options.patience)
            except Exception as error:  # one part must not cost the others
                found = {
                    "command": f"python -m bench.{part.name}",
                    "made": _now(),
                    "seconds": 0.0,
                    "cpu": 0.0,
                }
                found["failed"] = [f"{type(error).__name__}: {error}"[:300]]
            report["parts"][part.name] = {"quick": options.quick, **found}
            write(report, options.output)
            left = sum(part.seconds[options.quick] for part in chosen[number:])
            print(
                f"-- {part.name}: {found['seconds']:.0f} s; about {left / 60:.0f} minutes to go",
                flush=True,
            )
    print(f"written: {options.output / 'report.json'}, {options.output / 'report.md'}")
    if options.output.resolve() == RESULTS.resolve():
        write_pages()
    else:
        print(
            "the committed report and the documentation were left alone: a full run, or --write, "
            "changes them"
        )
    return (
        1
        if any("failed" in part or part.get("exit code") for part in report["parts"].values())
        else 0
    )


if __name__ == "__main__":
    raise SystemExit(main())
