"""What it costs to start: `python -m bench.startup [--runs 5] [--json out.json]`.

Each line is a process of its own, run several times: the least processor time, the least wall time
and the peak memory (the kernel's figure). Peers run in their own environments; a bare interpreter
stands first, because everybody pays for that.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from bench.peers import Peer, find_python

OURS = {
    "a bare interpreter": ["-c", "pass"],
    "import discreet": ["-c", "import discreet"],
    "import numpy": ["-c", "import numpy"],
    "discreet --help": ["-m", "discreet", "--help"],
    "one private count (EM, n = 8)": [
        "-c",
        "import discreet as dc; dc.fair(n=8, epsilon=0.5).release(3)",
    ],
    "one design by linear program (n = 8), proven": [
        "-c",
        "import discreet as dc; dc.design(n=8, epsilon=0.5, properties='WH CM', loss='L1', "
        "cache=False)",
    ],
}

PEERS = (
    Peer(
        name="opendp",
        tries=(("opendp", "numpy"),),
        check="import opendp.prelude",
        script="import opendp.prelude",
    ),
    Peer(
        name="diffprivlib",
        tries=(("diffprivlib",), ("diffprivlib", "scikit-learn<1.7")),
        check="from diffprivlib.mechanisms import GeometricTruncated",
        script="import diffprivlib.mechanisms",
    ),
    Peer(name="pydp", tries=(("python-dp",),), check="import pydp", script="import pydp"),
    Peer(
        name="tumult-core",
        tries=(("tmlt.core",),),
        check="import tmlt.core.measurements.noise_mechanisms",
        script="import tmlt.core.measurements.noise_mechanisms",
    ),
    Peer(
        name="pipelinedp",
        tries=(("pipeline-dp", "pyarrow"),),
        check="import pipeline_dp",
        script="import pipeline_dp",
    ),
    Peer(
        name="smartnoise-sql",
        tries=(("smartnoise-sql",),),
        check="import snsql",
        script="import snsql",
    ),
    Peer(
        name="cvxpy",
        tries=(("cvxpy", "highspy"), ("cvxpy",)),
        check="import cvxpy",
        script="import cvxpy",
    ),
    Peer(name="qif", tries=(("qif", "numpy"),), check="import qif, numpy", script="import qif"),
)


def measure(words: list[str], runs: int) -> dict[str, float]:
    """Return the least processor and wall time of a process and its peak memory, after one run
    to warm the disk.
    """
    cpu, wall, peak = [], [], 0.0
    for k in range(runs + 1):
        started = time.perf_counter()
        child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            raise SystemExit(f"exit code {child.returncode}: {' '.join(words[1:])}")
        if k:
            wall.append(time.perf_counter() - started)
            cpu.append(used.ru_utime + used.ru_stime)
            peak = used.ru_maxrss / (1 << (20 if sys.platform == "darwin" else 10))
    return {"cpu": min(cpu), "wall": min(wall), "peak_mib": peak}


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for what, words in OURS.items():
        rows.append({"what": what, **measure([sys.executable, *words], options.runs)})
    for peer in PEERS:
        python, reasons = find_python(peer)
        row: dict[str, Any] = {"what": peer.script, "peer": peer.name, "tried before": reasons}
        rows.append(
            row
            if python is None
            else row | measure([str(python), "-I", "-c", peer.script], options.runs)
        )
    for row in rows:
        told = (
            f"{row['cpu']:8.3f} s {row['wall']:8.3f} s {row['peak_mib']:7.0f} MiB"
            if "cpu" in row
            else "not measured"
        )
        print(f"{told}   {row['what']}  {'; '.join(row.get('tried before', []))}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
