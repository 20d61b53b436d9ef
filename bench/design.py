"""Designs, side by side: ours against CVXPY with three solvers and against the paper's LP on HiGHS as it stands.

    python bench/design.py --peers PYTHON [--quick] [--json out.json]

PYTHON is an interpreter with cvxpy, clarabel, scipy and highspy (peers live in an environment of their own). Ours is
measured cold (no cache) and whole: theorem or linear program, exact vertex and dual, certificate, final checks. The
peers' numbers are one float solve, model building included, nothing checked. Times are medians in one process each,
after one warm-up on a tiny problem, so that nobody pays for imports.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import time
from pathlib import Path

import discreet as dc
from discreet.designer.estimate import likely_seconds

PEERS = ("HIGHS", "CLARABEL", "SCIPY", "paper")
SHAPES = ("", "WH", "WH CM RM", "F CM RM", "RH RM CH CM WH F S")
LOSSES = ("L0", "L1", "L2")
PRIVACY = ({"alpha": "10/11"}, {"epsilon": "0.5"})
SIZES = (10, 20, 40, 60, 100)
CAP = 40.0
"""A peer that took this long at one size is not asked again for a larger one of the same kind."""


class Peers:
    """The peers' process."""

    def __init__(self, python: str) -> None:
        script = Path(__file__).with_name("design_peers.py")
        self.child = subprocess.Popen([python, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **asked: object) -> dict[str, object]:
        assert self.child.stdin is not None
        assert self.child.stdout is not None
        self.child.stdin.write(json.dumps(asked) + "\n")
        self.child.stdin.flush()
        return json.loads(self.child.stdout.readline())


def ours(n: int, privacy: dict[str, str], shape: str, loss: str, runs: int, clock: str) -> tuple[float, dc.Mechanism]:
    now = time.process_time if clock == "cpu" else time.perf_counter
    times = []
    for _ in range(runs):
        started = now()
        found = dc.design(n=n, properties=shape, loss=loss, cache=False, **privacy)
        times.append(now() - started)
    return statistics.median(times), found


def geometric_mean(values: list[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, values))) if values else math.nan


def measure(peers: Peers | None, sizes: tuple[int, ...], runs: int, clock: str) -> list[dict[str, object]]:
    """One row per case: our seconds, each peer's, and whether the costs agree."""
    rows: list[dict[str, object]] = []
    slow: set[tuple[object, ...]] = set()
    for n in sizes:
        for privacy in PRIVACY:
            for loss in LOSSES:
                for shape in SHAPES:
                    again = runs if n < 60 else max(1, runs // 2)
                    seconds, found = ours(n, privacy, shape, loss, again, clock)
                    certificate = found.origin.certificate
                    row: dict[str, object] = {
                        "n": n, **privacy, "shape": shape, "loss": loss, "ours": seconds,
                        "program": found.origin.method == "linear program",
                        "estimate": likely_seconds(found.origin.problem),
                        "proven": bool(certificate and certificate.optimal),
                    }  # fmt: skip
                    for peer in PEERS if peers else ():
                        kind = (peer, str(privacy), loss, shape)
                        if kind in slow:
                            continue
                        answers = [
                            peers.ask(
                                n=n, alpha=float(found.alpha), properties=shape, loss=loss, peer=peer, clock=clock
                            )
                            for _ in range(again if n < 100 else 1)
                        ]
                        if any(answer["seconds"] is None for answer in answers):
                            row[f"{peer} failed"] = answers[0].get("error")
                            continue
                        row[peer] = statistics.median(answer["seconds"] for answer in answers)
                        row[f"{peer} cost"] = answers[0]["cost"]
                        row["agree"] = row.get("agree", True) and math.isclose(
                            answers[0]["cost"], float(certificate.cost), rel_tol=1e-4, abs_tol=1e-6
                        )
                        if row[peer] > CAP:
                            slow.add(kind)
                    rows.append(row)
                    print(line(row), flush=True)
    return rows


def line(row: dict[str, object]) -> str:
    """One case in one line."""
    privacy = row.get("alpha") or f"eps {row['epsilon']}"
    times = "  ".join(f"{peer} {row[peer]:8.4f}" for peer in PEERS if peer in row)
    how = "LP" if row["program"] else "  "
    marks = "" if row.get("agree", True) else "  COSTS DIFFER"
    case = f"n={row['n']:<4}{privacy:<8}{row['loss']:<3}{row['shape'] or '-':<19}{how}"
    return f"{case}  ours {row['ours']:8.4f}  {times}{marks}"


def summary(rows: list[dict[str, object]]) -> str:
    """Ratios by size: against the fastest of CVXPY's solvers, and against the paper's LP."""
    said = []
    for program, title in ((True, "linear programs"), (False, "closed forms")):
        for n in sorted({row["n"] for row in rows}):
            chosen = [row for row in rows if row["n"] == n and row["program"] == program]
            fastest = [
                min(row[p] for p in PEERS[:3] if p in row) / row["ours"]
                for row in chosen
                if any(p in row for p in PEERS[:3])
            ]
            paper = [row["paper"] / row["ours"] for row in chosen if "paper" in row]
            guess = [max(row["ours"] / row["estimate"], row["estimate"] / row["ours"]) for row in chosen]
            if not chosen:
                continue
            median = statistics.median(row["ours"] for row in chosen)
            text = f"{title:<16}n={n:<4}{len(chosen):>3} cases, ours median {median:.4f} s"
            if fastest:
                text += (
                    f"; fastest CVXPY / ours: geometric mean {geometric_mean(fastest):.1f}x, least {min(fastest):.1f}x"
                )
            if paper:
                text += f"; paper's LP / ours: {geometric_mean(paper):.1f}x, least {min(paper):.1f}x"
            if program:
                text += f"; estimate off by at most {max(guess):.1f}x"
            said.append(text)
    return "\n".join(said)


def required(runs: int, clock: str) -> str:
    """The two large designs that are required: WH+CM+RM, L1, epsilon 0.1."""
    import resource

    said = []
    for n in (100, 200):
        seconds, found = ours(n, {"epsilon": "0.1"}, "WH CM RM", "L1", runs if n == 100 else 1, clock)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        said.append(
            f"n={n} epsilon=0.1 WH CM RM L1: {seconds:.2f} s, {memory:.0f} MiB, "
            f"optimal: {found.origin.certificate.optimal}"
        )
    return "\n".join(said)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", help="Python of the peers' environment; without it only ours is measured")
    parser.add_argument("--quick", action="store_true", help="n up to 40, three runs, no large designs")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall", help="cpu: for a machine that is shared")
    parser.add_argument("--runs", type=int, help="how often each case is timed")
    parser.add_argument("--only", type=int, nargs="+", help="only these n")
    parser.add_argument("--json", help="write every measurement to this file")
    options = parser.parse_args()
    sizes, runs = ((10, 20, 40), 3) if options.quick else (SIZES, 5)
    sizes, runs = tuple(options.only or sizes), options.runs or runs
    peers = Peers(options.peers) if options.peers else None
    ours(3, {"alpha": "10/11"}, "CM", "L1", 1, options.clock)
    for peer in PEERS if peers else ():
        peers.ask(n=3, alpha=0.9, properties="CM", loss="L1", peer=peer)
    rows = measure(peers, sizes, runs, options.clock)
    print(summary(rows))
    if not options.quick and not options.only:
        print(required(3, options.clock))
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1))
    if any(not row["proven"] for row in rows) or any(not row.get("agree", True) for row in rows):
        sys.exit("a design is unproven, or a peer's cost differs")


if __name__ == "__main__":
    main()
