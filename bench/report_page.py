"""Reporting on a release of many groups with three levels, from its bundle: seconds of the page,
and its size.

    python -m bench.report_page                   100,000 and 400,000 clinics in 1,000 regions;
                                                  under a minute
    python -m bench.report_page --groups 20000    one number of them

The bundle is read and checked before the clock starts. A page has at most 10,000 groups of each
table, which take about a second; the rest of the time should grow as the groups do.
"""

from __future__ import annotations

import argparse
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa

import discreet as dc

REGIONS = 1_000


def made(groups: int, output: Path) -> None:
    """Release nation, regions and clinics of 2 to 12 people."""
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
    dc.release(
        pa.table(columns), **asked, level_split={"total": "1/10", "region": "1/5"}, output=output
    )


def measured(groups: int) -> str:
    """Say how long the page takes, and how large it is, in a file and in a notebook."""
    with tempfile.TemporaryDirectory() as folder:
        made(groups, Path(folder) / "out")
        release, path = dc.read_release(Path(folder) / "out"), Path(folder) / "report.html"
        start = time.perf_counter(), time.process_time()
        dc.report(release, path)
        wall, cpu = time.perf_counter() - start[0], time.process_time() - start[1]
        size = path.stat().st_size
        notebook = len(dc.report(release)._repr_html_().encode())
    return (
        f"{groups:>9,} groups: page {wall:.2f} s ({cpu:.2f} s of the processor), {size / 1e6:.2f} "
        f"MB, in a notebook {notebook / 1e6:.2f} MB"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--groups", type=int, help="only this number of groups")
    given = parser.parse_args()
    warnings.simplefilter(
        "ignore", dc.errors.DiscreetWarning
    )  # that no ledger accounts for these releases
    for groups in (given.groups,) if given.groups else (100_000, 400_000):
        print(measured(groups), flush=True)


if __name__ == "__main__":
    main()
