"""Has a change made anything slower, or larger? The same work by this tree and by an older commit,
taking turns.

    python -m bench.versions before-recut [--runs 9] [--only design sampling]

A run starts a process for each tree, which stay side by side and do every piece of work in turn,
several times; the least amount counts, so that a busy machine weighs little, and a machine that is
slow for a second is slow for both. Amounts are seconds of processor time (with that of children),
or MiB. The ratio is the median over the runs of new over old; at most 1.10 is asked for. What is
done stands in `bench.work`, of which each tree runs its own.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.work import PARTS

LIMIT = 1.10
HERE = Path(__file__).parent.parent
TIMES = {"startup": 5, "design": 12, "sampling": 5, "release": 3, "reading": 3}
"""How many times a piece of work is done in a run; else once."""


class Worker:
    """A process that does pieces of work with the source of a tree, when told to."""

    def __init__(self, tree: Path, part: str) -> None:
        environment = {
            **os.environ,
            "PYTHONPATH": f"{tree / 'src'}{os.pathsep}{tree}",
            "OPENBLAS_NUM_THREADS": "1",
        }
        # An installed package is compiled, once.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        code = [sys.executable, "-m", "bench.work", part]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            code, env=environment, cwd=tree, stdin=pipe, stdout=pipe, text=True
        )
        self.names = self._answer().split("\t")

    def _answer(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def amount(self, name: str) -> float:
        """Do a piece of work; return what it took."""
        assert self.process.stdin is not None
        print(name, file=self.process.stdin, flush=True)
        return float(self._answer())

    def close(self) -> None:
        """End the process."""
        self.process.communicate()


def one_run(old: Path, part: str, old_first: bool) -> dict[str, tuple[float, float]]:
    """The least amount of each piece of work, of the older tree and of this one, taking turns."""
    workers = [Worker(old, part), Worker(HERE, part)]
    order = (0, 1) if old_first else (1, 0)
    found = {}
    for name in workers[1].names:
        if name not in workers[0].names:  # a piece of work that came later
            continue
        for worker in workers:
            worker.amount(name)  # imports and first calls are paid before
        least = [float("inf")] * 2
        for _ in range(TIMES.get(part, 1)):
            for which in order:
                least[which] = min(least[which], workers[which].amount(name))
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
                print(f"{part}: processor seconds, or MiB where it says so; median of {given.runs}")
                for name in runs[0]:
                    was, now = (
                        statistics.median(run[name][which] for run in runs) for which in (0, 1)
                    )
                    ratio = statistics.median(run[name][1] / run[name][0] for run in runs)
                    verdict = "ok" if ratio <= LIMIT else "SLOWER"
                    slower += verdict != "ok"
                    print(
                        f"  {name:55} {was:9.4f} -> {now:9.4f}   {ratio:5.2f}  {verdict}",
                        flush=True,
                    )
        finally:
            subprocess.run(["git", "-C", HERE, "worktree", "remove", "--force", old], check=True)
    return int(slower > 0)


if __name__ == "__main__":
    sys.exit(main())
