"""Counts a second of the peers that `bench.sampling` leaves out: `python -m bench.noise_peers
[--json out.json]`.

The same epsilon (ln 1.1) and the same true counts in 0..12; what a user of each library would call
for private counts, one call for each count because that is what they offer. Processor time, best of
the runs.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from bench.peers import Peer, run_peer

_LOOP = """
import json, math, random, sys, time
from importlib.metadata import version
size, n, runs = map(int, sys.argv[1:])
counts = [random.randint(0, n) for _ in range(size)]
{setup}
seconds = []
for _ in range(runs):
    start = time.process_time()
    released = [{call} for count in counts]
    seconds.append(time.process_time() - start)
outside = sum(not 0 <= value <= n for value in released)
print(json.dumps(dict(version=version("{package}"), seconds=seconds, counts=size, outside=outside,
    whole=all(value == int(value) for value in released))))
"""

PEERS = {
    "OpenDP geometric, bounds=(0, n)": Peer(
        name="opendp",
        tries=(("opendp", "numpy"),),
        check="import opendp.prelude, numpy",
        script=_LOOP.format(
            package="opendp",
            call="box(count)",
            setup="""
import opendp.prelude as dp
dp.enable_features("contrib")
box = dp.m.make_geometric(
    dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=1 / math.log(1.1), bounds=(0, n))
""",
        ),
    ),
    "PyDP Laplace mechanism": Peer(
        name="pydp",
        tries=(("python-dp",),),
        check="import pydp",
        script=_LOOP.format(
            package="python-dp",
            call="box.add_noise(count)",
            setup="""
from pydp.algorithms.numerical_mechanisms import LaplaceMechanism
box = LaplaceMechanism(epsilon=math.log(1.1), sensitivity=1)
""",
        ),
    ),
    "Tumult Core geometric": Peer(
        name="tumult-core",
        tries=(("tmlt.core",),),
        check="import tmlt.core.measurements.noise_mechanisms",
        script=_LOOP.format(
            package="tmlt.core",
            call="box(count)",
            setup="""
from tmlt.core.measurements.noise_mechanisms import AddGeometricNoise
from tmlt.core.utils.exact_number import ExactNumber
box = AddGeometricNoise(alpha=ExactNumber.from_float(1 / math.log(1.1), round_up=True))
""",
        ),
    ),
}


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--counts", type=int, default=50_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for label, peer in PEERS.items():
        row = {"what": label, **run_peer(peer, options.counts, 12, options.runs)}
        if "seconds" in row:
            row["rate"] = row["counts"] / min(row["seconds"])
            print(
                f"{label:34} {row['version']:10} {row['rate']:12,.0f} counts/s, "
                f"{row['outside']:,} outside 0..12"
            )
        else:
            print(f"{label:34} did not run: {'; '.join(row['missing'])}")
        rows.append(row)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
