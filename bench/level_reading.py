"""Reading a release with three levels from its bundle: time and memory, at three numbers of groups.

    python -m bench.level_reading                 10^4, 10^5 and 10^6 clinics in 1,000 regions;
                                                  about half a minute
    python -m bench.level_reading --groups 20000  one number of them

Each number of groups is a process of its own, because memory is a peak. Times are of the processor;
in brackets, what of it the kernel took to hand out memory. That depends on the machine: where
NumPy's large arrays get huge pages for the first time, it can take longer than all the arithmetic
(NUMPY_MADVISE_HUGEPAGE=0 turns them off).
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa

import discreet as dc

REGIONS = 1_000


def measured(groups: int) -> str:
    """Release nation, regions and clinics, read them from the bundle, and say what that took."""
    rng = np.random.default_rng(1)
    sizes = rng.integers(2, 13, groups)
    regions = [f"r{k}" for k in rng.integers(0, REGIONS, groups)]
    columns = {
        "region": regions,
        "clinic": np.arange(groups),
        "size": sizes,
        "ill": rng.binomial(sizes, 0.3),
    }
    asked = {
        "by": ["region", "clinic"],
        "count": "ill",
        "size": "size",
        "epsilon": 1,
        "levels": "rollup",
    }
    split = {"total": "1/10", "region": "1/5"}
    with tempfile.TemporaryDirectory() as folder:
        dc.release(pa.table(columns), **asked, level_split=split, output=Path(folder) / "out")
        moments = [_spent()]
        e = dc.estimate(Path(folder) / "out")
        moments.append(_spent())
        tables = [e.subtotals(*names) for names in ((), ("region",), ("region", "clinic"))]
        moments.append(_spent())
        whole = e.adding_up()
        moments.append(_spent())
    if len({float(table["estimate"].sum()) for table in tables}) > 1 or whole.total != round(
        e.total.value
    ):
        raise SystemExit("the levels do not add up")
    opened, estimated, made_whole = (
        f"{own + kernel:.2f} s ({kernel:.2f})" for own, kernel in np.diff(moments, axis=0)
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return (
        f"{groups:>9,} groups: opened and checked {opened}, estimates {estimated}, "
        f"whole numbers {made_whole}, peak {peak:,} MiB"
    )


def _spent() -> tuple[float, float]:
    """Seconds of the processor in this process: its own, and the kernel's for it."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime, used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--groups", type=int, help="only this number of groups")
    given = parser.parse_args()
    if given.groups:
        print(measured(given.groups))
        return
    for groups in (10_000, 100_000, 1_000_000):
        command = [sys.executable, "-m", "bench.level_reading", "--groups", str(groups)]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
