"""Audit the bounded geometric mechanisms people can install today: `python -m bench.audit_peers`.

Each peer runs in its own environment as a command that maps lines of counts to lines of outputs,
and is audited at epsilon = 0.5 for groups of n = 8: against that claim, and against the matrix of
our own GM, which is what a geometric mechanism truncated to 0..n should be. Our own sampler stands
beside them. `--draws` is the total for each box; the result goes to build/bench, or where `--json`
says.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import discreet as dc
from bench.peers import Peer, find_python

N, EPSILON = 8, "1/2"
RESULT = Path("build/bench/audit_peers.json")

_LINES = """
import sys
from importlib.metadata import version
if sys.argv[1:] == ["version"]:
    print(version("{package}"))
    raise SystemExit
counts = [int(line) for line in sys.stdin]
"""

_OPENDP = (
    _LINES.format(package="opendp")
    + """
import opendp.prelude as dp
dp.enable_features("contrib")
"""
)

BOXES = {
    "OpenDP geometric, bounds=(0, n)": Peer(
        name="opendp",
        tries=(("opendp", "numpy"),),
        check="import opendp.prelude, numpy",
        script=_OPENDP
        + f"""
box = dp.m.make_geometric(dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=2.0, bounds=(0, {N}))
for count in counts:
    print(box(count))
""",
    ),
    "OpenDP geometric (vector), then a clip": Peer(
        name="opendp",
        tries=(("opendp", "numpy"),),
        check="import opendp.prelude, numpy",
        script=_OPENDP
        + f"""
space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
for noisy in dp.m.make_geometric(*space, scale=2.0)(counts):
    print(min(max(noisy, 0), {N}))
""",
    ),
    **{
        f"diffprivlib {name}": Peer(
            name="diffprivlib",
            tries=(("diffprivlib",), ("diffprivlib", "scikit-learn<1.7")),
            check="from diffprivlib.mechanisms import GeometricTruncated",
            script=_LINES.format(package="diffprivlib")
            + f"""
from diffprivlib.mechanisms import {name}
box = {name}(epsilon=0.5, sensitivity=1, lower=0, upper={N})
for count in counts:
    print(box.randomise(count))
""",
        )
        for name in ("GeometricTruncated", "GeometricFolded")
    },
}


def run(draws: int, seconds: float, calls: int) -> dict[str, Any]:
    """Audit every box, ours first; what does not install is reported."""
    gm = dc.geometric(n=N, epsilon=EPSILON)
    rows = [_row("discreet m.release", dc.__version__, gm, draws, seconds, calls)]
    for label, peer in BOXES.items():
        python, reasons = find_python(peer)
        if python is None:
            rows.append({"box": label, "missing": reasons})
            continue
        words = [str(python), "-I", "-c", peer.script]
        version = subprocess.run(
            [*words, "version"], capture_output=True, text=True, check=True
        ).stdout.strip()
        rows.append(_row(label, version, words, draws, seconds, calls))
    return {
        "command": f"python -m bench.audit_peers --draws {draws}",
        "python": platform.python_version(),
        "n": N,
        "epsilon": EPSILON,
        "confidence": "0.999999",
        "rows": rows,
    }


def _row(
    label: str, version: str, box: Any, draws: int, seconds: float, calls: int
) -> dict[str, Any]:
    gm = dc.geometric(n=N, epsilon=EPSILON)
    started = time.perf_counter()
    report = dc.audit(
        box,
        n=N,
        draws=draws,
        calls=calls,
        claimed=gm,
        claimed_epsilon=EPSILON,
        confidence="0.999999",
        timeout=seconds,
        name=label,
    )
    print(f"{report}\n", file=sys.stderr)
    found = report.to_dict()
    return {
        "box": label,
        "version": version,
        "draws": report.draws,
        "seconds": round(time.perf_counter() - started, 1),
        "epsilon at least": round(report.epsilon_bound, 4),
        "claim": "refuted" if report.epsilon_bound > 0.5 else "not refuted",
        "rows": "dependent" if report.independence.refuted else "no dependence found",
        "GM's matrix": "refuted" if found["fit"]["refuted"] else "not refuted",
        "faults": found["faults"],
        "properties": found["properties"],
        "outside": found["outside"],
    }


def table(result: dict[str, Any]) -> str:
    """Return the rows as a Markdown table."""
    names = ["box", "version", "draws", "epsilon at least", "claim", "rows", "GM's matrix"]
    lines = ["| " + " | ".join(names) + " |", "| " + " | ".join("---" for _ in names) + " |"]
    for row in result["rows"]:
        cells = [str(row.get(name, "")) for name in names]
        if "missing" in row:
            cells[1] = "did not install: " + "; ".join(row["missing"])
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    """Run, print the table, keep the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--draws", type=int, default=400_000)
    parser.add_argument("--calls", type=int, default=16, help="in how many calls of a box")
    parser.add_argument(
        "--timeout", type=float, default=600.0, help="seconds a call of a box may take"
    )
    parser.add_argument("--json", type=Path, default=RESULT, help="where to write the result")
    options = parser.parse_args()
    result = run(options.draws, options.timeout, options.calls)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(table(result))


if __name__ == "__main__":
    main()
