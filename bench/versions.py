"""Has a change made anything slower? The same work by this tree and by an older commit, taking turns.

    python -m bench.versions bce5b52 [--runs 9] [--only design sampling]

Each measurement is a process of its own; the work in it is timed by the processor time of the process and of its
children and repeated, the least counting, so that a busy machine weighs little. The two trees take turns, each going
first every other time; the ratio is the median of the ratios of neighbouring runs, new over old (a machine that is
slow for ten seconds is slow for both), and at most 1.10 is asked for. The parts are those of `bench.design`,
`bench.sampling`, `bench.release` and `bench.startup`, made small enough to be repeated, and without the peers.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 1.10
HERE = Path(__file__).parent.parent

TIMED = """
import json, resource, time, warnings
warnings.simplefilter("ignore")  # that nothing accounts for what is released here
def spent():
    ours, theirs = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return ours.ru_utime + ours.ru_stime + theirs.ru_utime + theirs.ru_stime
def timed(work, times=1):
    best = float("inf")
    for _ in range(times):
        start = spent()
        work()
        best = min(best, spent() - start)
    return best
import discreet as dc
found = {}
"""

PARTS = {
    "startup": """
import subprocess, sys
def run(*words):
    return lambda: subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
found["import discreet"] = timed(run("-c", "import discreet"), 5)
found["discreet --help"] = timed(run("-m", "discreet", "--help"), 5)
found["one private count"] = timed(run("-c", "import discreet as dc; dc.fair(n=8, epsilon=0.5).release(3)"), 5)
""",
    "design": """
dc.design(n=4, epsilon=1, properties="CM", cache=False)
for n, epsilon, properties, loss in (
    (10, .5, "WH CM", "L0"), (20, .5, "CM RM", "L1"), (40, .5, "WH CM RM", "L1"), (60, .5, "CH RH", "L2"),
    (60, .1, "F CM", "L1"), (100, .1, "WH CM RM", "L1"),
):
    work = lambda: dc.design(n=n, epsilon=epsilon, properties=properties, loss=loss, cache=False)
    found[f"{{{properties}}}, {loss}, n = {n}"] = timed(work, 9)
for n, properties in ((20, ""), (60, "F"), (100, "WH")):
    work = lambda: [dc.design(n=n, epsilon=.5, properties=properties, cache=False) for _ in range(10)]
    found[f"{{{properties}}}, L0, n = {n}, ten times"] = timed(work, 30)
""",
    "sampling": """
import numpy as np
from discreet.sampler import draw, system_words
m = dc.geometric(n=12, alpha="10/11")
counts = np.arange(1_000_000) % 13
m.release(counts)
found["a million draws at n = 12"] = timed(lambda: m.release(counts), 5)
many = [dc.geometric(n=n, alpha="10/11") for n in range(2, 41)]
which = np.arange(1_000_000) % 39
draw(many, which, which % 2, system_words())
found["a million draws, 39 sizes mixed"] = timed(lambda: draw(many, which, which % 2, system_words()), 5)
""",
    "release": """
import pyarrow as pa, numpy as np, shutil
people = pa.table({"key": np.arange(1_000_000) * 7919 % 100_003, "smoker": np.arange(1_000_000) % 3 == 0})
import pyarrow.parquet as pq
pq.write_table(people, "people.parquet")
def work():
    dc.release("people.parquet", by="key", count="smoker", epsilon=1, properties="F", output="out", overwrite=True)
work()
found["a million people in 100,003 groups"] = timed(work, 3)
""",
}


def measure(tree: Path, part: str) -> dict[str, float]:
    """Processor seconds of each piece of work of a part, done with the source of a tree."""
    environment = {**os.environ, "PYTHONPATH": str(tree / "src"), "OPENBLAS_NUM_THREADS": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package is compiled, once
    with tempfile.TemporaryDirectory() as folder:
        code = TIMED + PARTS[part] + "print(json.dumps(found))\n"
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, cwd=folder, check=True, stdout=subprocess.PIPE, text=True
        )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> int:
    """Print the medians of both trees and their ratio; the exit code says whether one is above the limit."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("commit", help="the older commit")
    words.add_argument("--runs", type=int, default=9)
    words.add_argument("--only", nargs="+", choices=list(PARTS), default=list(PARTS))
    given = words.parse_args()
    slower = 0
    with tempfile.TemporaryDirectory() as folder:
        old = Path(folder) / "old"
        subprocess.run(["git", "-C", HERE, "worktree", "add", "-q", "--detach", old, given.commit], check=True)
        try:
            for part in given.only:
                seconds: dict[Path, dict[str, list[float]]] = {old: {}, HERE: {}}
                for turn in range(given.runs):
                    for tree in (old, HERE) if turn % 2 == 0 else (HERE, old):
                        for name, value in measure(tree, part).items():
                            seconds[tree].setdefault(name, []).append(value)
                print(f"{part}: processor seconds, median of {given.runs}")
                for name, before in seconds[old].items():
                    after = seconds[HERE][name]
                    ratio = statistics.median(now / was for was, now in zip(before, after, strict=True))
                    was, now = statistics.median(before), statistics.median(after)
                    verdict = "ok" if ratio <= LIMIT else "SLOWER"
                    slower += verdict != "ok"
                    print(f"  {name:40} {was:9.4f} -> {now:9.4f}   {ratio:5.2f}  {verdict}", flush=True)
        finally:
            subprocess.run(["git", "-C", HERE, "worktree", "remove", "--force", old], check=True)
    return int(slower > 0)


if __name__ == "__main__":
    sys.exit(main())
