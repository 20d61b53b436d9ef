"""Has a change made anything slower? The same work by this tree and by an older commit, taking
turns.

    python -m bench.versions bce5b52 [--runs 9] [--only design sampling]

A run starts a process for each tree, which stay side by side and do every piece of work in turn,
several times; the least processor time (with that of children) counts, so that a busy machine
weighs little, and a machine that is slow for a second is slow for both. The ratio is the median
over the runs of new over old; at most 1.10 is asked for. The parts are those of `bench.design`,
`bench.sampling`, `bench.release` and `bench.startup`, made small enough to be repeated, and without
the peers.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 1.10
HERE = Path(__file__).parent.parent

WORKER = """
import resource, sys, warnings
warnings.simplefilter("ignore")  # that nothing accounts for what is released here
def spent():
    ours, theirs = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return ours.ru_utime + ours.ru_stime + theirs.ru_utime + theirs.ru_stime
import discreet as dc
works = {}
PART
print(*works, sep="\\t", flush=True)
for name in sys.stdin:
    start = spent()
    works[name.rstrip("\\n")]()
    print(spent() - start, flush=True)
"""

TIMES = {"startup": 5, "design": 12, "sampling": 5, "release": 3}
PARTS = {
    "startup": """
import subprocess
def run(*words):
    return lambda: subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
works["import discreet"] = run("-c", "import discreet")
works["discreet --help"] = run("-m", "discreet", "--help")
works["one private count"] = run("-c", "import discreet as dc; dc.fair(n=8, epsilon=0.5).release(3)")
""",
    "design": """
def designing(times, **asked):
    return lambda: [dc.design(cache=False, **asked) for _ in range(times)]
for n, epsilon, properties, loss in (
    (10, .5, "WH CM", "L0"), (20, .5, "CM RM", "L1"), (40, .5, "WH CM RM", "L1"), (60, .5, "CH RH", "L2"),
    (60, .1, "F CM", "L1"), (100, .1, "WH CM RM", "L1"),
):
    works[f"{{{properties}}}, {loss}, n = {n}"] = designing(1, n=n, epsilon=epsilon, properties=properties, loss=loss)
for n, properties in ((20, ""), (60, "F"), (100, "WH")):
    works[f"{{{properties}}}, L0, n = {n}, a hundred"] = designing(100, n=n, epsilon=.5, properties=properties)
""",
    "sampling": """
import numpy as np
from discreet.sampler import draw, system_words
m = dc.geometric(n=12, alpha="10/11")
counts = np.arange(1_000_000) % 13
works["a million draws at n = 12"] = lambda: m.release(counts)
many = [dc.geometric(n=n, alpha="10/11") for n in range(2, 41)]
which = np.arange(1_000_000) % 39
works["a million draws, 39 sizes mixed"] = lambda: draw(many, which, which % 2, system_words())
""",
    "release": """
import pyarrow as pa, numpy as np, shutil
people = pa.table({"key": np.arange(1_000_000) * 7919 % 100_003, "smoker": np.arange(1_000_000) % 3 == 0})
import pyarrow.parquet as pq
pq.write_table(people, "people.parquet")
def work():
    dc.release("people.parquet", by="key", count="smoker", epsilon=1, properties="F", output="out", overwrite=True)
works["a million people in 100,003 groups"] = work
""",
}


class Worker:
    """A process that does pieces of work with the source of a tree, when told to."""

    def __init__(self, tree: Path, part: str) -> None:
        environment = {**os.environ, "PYTHONPATH": str(tree / "src"), "OPENBLAS_NUM_THREADS": "1"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package is compiled, once
        self.folder = tempfile.TemporaryDirectory()
        code = [sys.executable, "-c", WORKER.replace("PART", PARTS[part])]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            code, env=environment, cwd=self.folder.name, stdin=pipe, stdout=pipe, text=True
        )
        self.names = self._answer().split("\t")
        for name in self.names:
            self.seconds(name)  # imports and first calls are paid before

    def _answer(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def seconds(self, name: str) -> float:
        assert self.process.stdin is not None
        print(name, file=self.process.stdin, flush=True)
        return float(self._answer())

    def close(self) -> None:
        self.process.communicate()
        self.folder.cleanup()


def one_run(old: Path, part: str, old_first: bool) -> dict[str, tuple[float, float]]:
    """The least processor seconds of each piece of work, of the older tree and of this one,
    taking turns.
    """
    workers = [Worker(old, part), Worker(HERE, part)]
    order = (0, 1) if old_first else (1, 0)
    found = {}
    for name in workers[0].names:
        least = [float("inf")] * 2
        for _ in range(TIMES[part]):
            for which in order:
                least[which] = min(least[which], workers[which].seconds(name))
        found[name] = (least[0], least[1])
    for worker in workers:
        worker.close()
    return found


def main() -> int:
    """Print the medians of both trees and their ratio; the exit code says whether one is above
    the limit.
    """
    words = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    words.add_argument("commit", help="the older commit")
    words.add_argument("--runs", type=int, default=9)
    words.add_argument("--only", nargs="+", choices=list(PARTS), default=list(PARTS))
    given = words.parse_args()
    slower = 0
    with tempfile.TemporaryDirectory() as folder:
        old = Path(folder) / "old"
        subprocess.run(
            ["git", "-C", HERE, "worktree", "add", "-q", "--detach", old, given.commit], check=True
        )
        try:
            for part in given.only:
                runs = [one_run(old, part, turn % 2 == 0) for turn in range(given.runs)]
                print(f"{part}: processor seconds, median of {given.runs}")
                for name in runs[0]:
                    was, now = (
                        statistics.median(run[name][which] for run in runs) for which in (0, 1)
                    )
                    ratio = statistics.median(run[name][1] / run[name][0] for run in runs)
                    verdict = "ok" if ratio <= LIMIT else "SLOWER"
                    slower += verdict != "ok"
                    print(
                        f"  {name:40} {was:9.4f} -> {now:9.4f}   {ratio:5.2f}  {verdict}",
                        flush=True,
                    )
        finally:
            subprocess.run(["git", "-C", HERE, "worktree", "remove", "--force", old], check=True)
    return int(slower > 0)


if __name__ == "__main__":
    sys.exit(main())
