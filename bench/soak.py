"""An hour of mixed design and release, with memory flat: `python -m bench.soak --minutes 60`.

Designs without a cache, draws, whole releases under a ledger, estimates and proof files, round after round in one
process. After a warm-up the resident memory is sampled once a round; the run fails when the straight line through the
samples rises by more than the allowance over the whole run.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pyarrow as pa

import discreet as dc
from discreet.ledger import open_ledger

WARM_UP = 5
ALLOWED_MIB = 64


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--output", type=Path, help="write the figures here as JSON")
    asked = parser.parse_args(arguments)
    figures = soak(asked.minutes * 60)
    text = json.dumps(figures, indent=2)
    print(text)
    if asked.output:
        asked.output.write_text(text + "\n", encoding="utf-8")
    return 0 if figures["flat"] else 1


def soak(seconds: float) -> dict[str, Any]:
    chance = random.Random(9)
    samples: list[tuple[float, float]] = []
    start, rounds = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        book = open_ledger(folder / "budget.db")
        book.open("soak", budget=1_000_000)
        while time.monotonic() - start < seconds or rounds < WARM_UP + 3:
            _round(folder, chance, rounds)
            rounds += 1
            if rounds > WARM_UP:
                samples.append((time.monotonic() - start, resident_mib()))
        spent = 1_000_000 - book.remaining("soak")
        book.verify()
    slope = _slope(samples)
    rise = slope * (samples[-1][0] - samples[0][0])
    return {
        "seconds": round(time.monotonic() - start, 1),
        "rounds": rounds,
        "releases": rounds,
        "epsilon_spent": str(spent),
        "every_release_paid_once": spent == rounds,
        "resident_mib_first": round(samples[0][1], 1),
        "resident_mib_last": round(samples[-1][1], 1),
        "rise_mib": round(rise, 2),
        "allowed_mib": ALLOWED_MIB,
        "flat": rise <= ALLOWED_MIB and spent == rounds,
        "python": sys.version.split()[0],
        "discreet": dc.__version__,
    }


def _round(folder: Path, chance: random.Random, number: int) -> None:
    n = chance.randint(2, 16)
    shape = chance.choice(["", "WH", "WH CM", "F", "RM CM", "RH S"])
    m = dc.design(
        n=n,
        epsilon=chance.choice(["0.1", "0.5", "1"]),
        properties=shape,
        loss=chance.choice(["L0", "L1", "L2"]),
        cache=False,
    )
    m.release([chance.randint(0, n) for _ in range(10_000)])
    m.save(folder / "m.json")
    dc.verify(folder / "m.json")
    people = 5_000
    table = pa.table(
        {
            "clinic": [chance.randrange(600) for _ in range(people)],
            "smoker": [chance.random() < 0.3 for _ in range(people)],
        }
    )
    output = folder / f"out{number % 3}"
    dc.release(
        table, by="clinic", count="smoker", epsilon=1, properties="F", ledger=folder / "budget.db", dataset="soak",
        output=output, overwrite=True,
    )  # fmt: skip
    dc.estimate(output).total  # noqa: B018 - the work is in the asking


def resident_mib() -> float:
    """Resident memory of this process, from Linux's own book-keeping."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return float("nan")


def _slope(samples: list[tuple[float, float]]) -> float:
    """Least squares, MiB a second."""
    times, sizes = [t for t, _ in samples], [s for _, s in samples]
    mean_t, mean_s = sum(times) / len(times), sum(sizes) / len(sizes)
    spread = sum((t - mean_t) ** 2 for t in times) or 1.0
    return sum((t - mean_t) * (s - mean_s) for t, s in samples) / spread


if __name__ == "__main__":
    sys.exit(main())
