"""What OpenDP and Tumult can do of a realistic table: a noisy count for each group, written to
Parquet.

The keys are public. Neither gives counts in 0..n, intervals or proofs, and neither plans, verifies
or reads what it released: only the release itself is compared. OpenDP (Polars) and Tumult Analytics
(on a Spark of its own) take tables of people; of a table of counts neither knows what the size of a
group means, so they are left out of that case.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.peers import Peer, run_peer
from bench.realistic_tables import Table

_TIMED = """
import json, resource, sys, time
start = time.perf_counter()
from importlib.metadata import version
path, out = sys.argv[1:]
{work}
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << (20 if sys.platform == "darwin" else 10))
print(json.dumps(dict(version=version("{package}"), seconds=time.perf_counter() - start, peak_mib=peak)))
"""

PEERS = {
    "OpenDP with Polars": Peer(
        name="opendp-polars",
        tries=(("opendp[polars]", "pyarrow"),),
        check="import opendp.prelude, polars",
        script=_TIMED.format(
            package="opendp",
            work="""
import opendp.prelude as dp, polars as pl
dp.enable_features("contrib")
context = dp.Context.compositor(
    data=pl.scan_parquet(path), privacy_unit=dp.unit_of(contributions=1), privacy_loss=dp.loss_of(epsilon=1.0),
    split_evenly_over=1, margins=[dp.polars.Margin(by=["region", "clinic"], invariant="keys", max_length=2000)])
query = context.query().group_by("region", "clinic").agg(pl.col("smoker").cast(pl.Int64).dp.sum((0, 1)))
query.release().collect().write_parquet(out)
""",
        ),
    ),
    "Tumult Analytics": Peer(
        name="tumult-analytics",
        tries=(("tmlt.analytics",),),
        check="import tmlt.analytics",
        script=_TIMED.format(
            package="tmlt.analytics",
            work="""
from pyspark.sql import SparkSession
from tmlt.analytics import AddOneRow, KeySet, PureDPBudget, QueryBuilder, Session
spark = SparkSession.builder.config("spark.ui.enabled", "false").getOrCreate()
people = spark.read.parquet(path)
session = Session.from_dataframe(
    privacy_budget=PureDPBudget(1), source_id="people", dataframe=people, protected_change=AddOneRow())
keys = KeySet.from_dataframe(people.select("region", "clinic").distinct())
query = QueryBuilder("people").filter("smoker").groupby(keys).count()
session.evaluate(query, PureDPBudget(1)).write.mode("overwrite").parquet(out)
spark.stop()
""",
        ),
    ),
}


def peers(table: Table, path: Path, folder: Path) -> list[dict[str, Any]]:
    """Ask each peer once for the release of a table; one that does not install says so in its
    line.
    """
    rows = []
    for what, peer in () if table.of_counts else PEERS.items():
        answer = run_peer(peer, path, folder / f"{peer.name}.parquet")
        told = (
            f"{answer['seconds']:7.2f} s {answer['peak_mib']:6.0f} MiB, version {answer['version']}"
            if "seconds" in answer
            else f"did not run: {'; '.join(answer['missing'])}"
        )
        print(f"  {what}: {told}", flush=True)
        rows.append({"case": table.name, "peer": what, **answer})
    return rows
