"""An hour of mixed design and release, with memory flat: `python -m bench.soak --minutes 60`.

Designs without a cache, draws, whole releases under a ledger, estimates and proof files, round
after round in one process. After a warm-up the resident memory is sampled once a round; the run
fails when the straight line through the samples rises by more than the allowance over the whole
run, or when the ledger's sum is not one epsilon a release.
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
from bench.machine import machine
from discreet.ledger import open_ledger

WARM_UP = 5
DRAWN = 10_000
TAKEN = 60  # samples of the memory shown, evenly spread over the run
ALLOWED_MIB = 64


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    asked = parser.parse_args(arguments)
    figures = soak(asked.minutes * 60)
    text = json.dumps(figures, indent=2)
    print(text)
    if asked.json:
        asked.json.write_text(text + "\n", encoding="utf-8")
    return 0 if figures["flat"] else 1


def soak(seconds: float) -> dict[str, Any]:
    chance, host = random.Random(9), machine()
    samples: list[tuple[float, float]] = []
    start, rounds, before = time.monotonic(), 0, resident_mib()
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
    rise, late = _rise(samples), _rise(samples[len(samples) // 2 :])
    return {
        "command": f"python -m bench.soak --minutes {seconds / 60:g}",
        "seconds": round(time.monotonic() - start, 1),
        "designs": rounds,
        "counts_drawn": rounds * DRAWN,
        "releases": rounds,
        "epsilon_spent": str(spent),
        "every_release_paid_once": spent == rounds,
        "resident_mib_at_start": round(before, 1),
        "resident_mib_after_warm_up": round(samples[0][1], 1),
        "resident_mib_at_end": round(samples[-1][1], 1),
        "resident_mib_largest": round(max(size for _, size in samples), 1),
        "rise_mib": round(rise, 2),
        "rise_mib_in_second_half": round(late, 2),
        "allowed_mib": ALLOWED_MIB,
        "flat": rise <= ALLOWED_MIB and spent == rounds,
        "minutes_and_mib": [
            (round(when / 60, 1), round(size, 1))
            for when, size in samples[:: -(-len(samples) // TAKEN)]
        ],
        "machine": host,
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
    m.release([chance.randint(0, n) for _ in range(DRAWN)])
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
        table,
        by="clinic",
        count="smoker",
        epsilon=1,
        properties="F",
        ledger=folder / "budget.db",
        dataset="soak",
        output=output,
        overwrite=True,
    )
    dc.estimate(output).total  # noqa: B018 - the work is in the asking


def resident_mib() -> float:
    """Resident memory of this process, from Linux's own book-keeping."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return float("nan")


def _rise(samples: list[tuple[float, float]]) -> float:
    """How much the straight line through the samples (least squares) rises from the first to the
    last, MiB.
    """
    times, sizes = [t for t, _ in samples], [s for _, s in samples]
    mean_t, mean_s = sum(times) / len(times), sum(sizes) / len(sizes)
    spread = sum((t - mean_t) ** 2 for t in times) or 1.0
    return sum((t - mean_t) * (s - mean_s) for t, s in samples) / spread * (times[-1] - times[0])


if __name__ == "__main__":
    sys.exit(main())
