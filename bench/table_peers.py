"""The same table released by each: `python -m bench.table_peers [--rows 1000000] [--json
out.json]`.

People in groups of ten on average, one bit each, Parquet in; a private count for each group comes
out and is written to Parquet. Keys are public for everybody. Without privacy: DuckDB. With it:
discreet (fair mechanism, epsilon 1, with manifest and proofs), OpenDP with Polars (integer Laplace
noise on sums), PipelineDP on its local backend (Laplace noise on sums). The seconds are of the work
itself, imports apart, best of the runs; memory is the peak of the process.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from bench.peers import Peer, run_peer
from bench.release import make, measure

_TIMED = """
import json, resource, sys, time
from importlib.metadata import version
path, out = sys.argv[1:]
{setup}
start = time.perf_counter()
{work}
seconds = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << (20 if sys.platform == "darwin" else 10))
print(json.dumps(dict(version=version("{package}"), seconds=seconds, peak_mib=peak, groups=groups)))
"""

PEERS = {
    "OpenDP with Polars": Peer(
        name="opendp-polars",
        tries=(("opendp[polars]", "pyarrow"),),
        check="import opendp.prelude, polars",
        script=_TIMED.format(
            package="opendp",
            setup="import opendp.prelude as dp, polars as pl\ndp.enable_features('contrib')",
            work="""
context = dp.Context.compositor(
    data=pl.scan_parquet(path), privacy_unit=dp.unit_of(contributions=1), privacy_loss=dp.loss_of(epsilon=1.0),
    split_evenly_over=1, margins=[dp.polars.Margin(by=["number"], invariant="keys", max_length=1000)])
query = context.query().group_by("number").agg(pl.col("smoker").cast(pl.Int64).dp.sum((0, 1)))
released = query.release().collect()
released.write_parquet(out)
groups = released.height
""",
        ),
    ),
    "PipelineDP, local": Peer(
        name="pipelinedp",
        tries=(("pipeline-dp", "pyarrow"),),
        check="import pipeline_dp, pyarrow.parquet",
        script=_TIMED.format(
            package="pipeline-dp",
            setup="import pipeline_dp as dp, pyarrow as pa, pyarrow.parquet as pq",
            work="""
people = pq.read_table(path, columns=["number", "smoker"])
keys = people["number"].to_pylist()
rows = zip(range(len(keys)), keys, people["smoker"].to_pylist())
budget = dp.NaiveBudgetAccountant(total_epsilon=1, total_delta=1e-9)
engine = dp.DPEngine(budget, dp.LocalBackend())
asked = dp.AggregateParams(
    noise_kind=dp.NoiseKind.LAPLACE, metrics=[dp.Metrics.SUM], max_partitions_contributed=1,
    max_contributions_per_partition=1, min_value=0, max_value=1)
columns = dp.DataExtractors(
    privacy_id_extractor=lambda row: row[0], partition_extractor=lambda row: row[1],
    value_extractor=lambda row: int(row[2]))
result = engine.aggregate(list(rows), asked, columns, public_partitions=sorted(set(keys)))
budget.compute_budgets()
pairs = list(result)
pq.write_table(pa.table({"number": [k for k, _ in pairs], "smoker": [v.sum for _, v in pairs]}), out)
groups = len(pairs)
""",
        ),
    ),
}


def side_by_side(rows: int, runs: int) -> list[dict[str, Any]]:
    """Measure everybody on one file."""
    found: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="discreet-bench-") as name:
        folder = Path(name)
        path = folder / "people.parquet"
        make(path, rows, rows // 10)
        for what, kind in (("DuckDB, no privacy", "plain"), ("discreet", "private")):
            tries = [measure(kind, path, "number", "", folder) for _ in range(runs)]
            best = {key: min(one[key] for one in tries) for key in tries[0]}
            found.append(
                {
                    "what": what,
                    "rows": rows,
                    "seconds": best["seconds"],
                    "peak_mib": best["peak"] / 2**20,
                }
            )
        for what, peer in PEERS.items():
            answers = [run_peer(peer, path, folder / "peer.parquet") for _ in range(runs)]
            row = {"what": what, "rows": rows, **answers[0]}
            if "missing" not in row:
                row |= {
                    key: min(answer[key] for answer in answers) for key in ("seconds", "peak_mib")
                }
            found.append(row)
    return found


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000])
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = [row for rows in options.rows for row in side_by_side(rows, options.runs)]
    for row in found:
        told = (
            f"{row['seconds']:8.2f} s {row['peak_mib']:8.0f} MiB"
            if "seconds" in row
            else f"did not run: {'; '.join(row['missing'])}"
        )
        print(f"{row['rows']:>12,} rows  {row['what']:22} {told}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
