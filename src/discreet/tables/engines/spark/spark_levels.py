"""Coarser levels of a release in Spark: sums of the finest groups' sizes and true counts, computed
once.

Every level is a frame of its own, so that a key that is NULL is a key like any other and never
stands for "all".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyspark.sql import Window
from pyspark.sql import functions as sf

from discreet.tables.engines import Sizes
from discreet.tables.engines.spark.spark_expressions import guarded


def group_sizes(truth: Any) -> Sizes:
    """How many groups of each size a frame of counts has."""
    rows = guarded(lambda: truth.groupBy("n").count().collect())
    return dict(sorted((int(n), int(groups)) for n, groups in rows))


def sums_by(truth: Any, places: Sequence[int]) -> Any:
    """The materialised sums for the keys at these places."""
    keys, numbers = (
        [f"k{p}" for p in places],
        [name for name in truth.columns if not name.startswith("k")],
    )
    # in decimals, so that a sum too large for the table is a size that is refused, and not another
    # number
    sums = [sf.sum(sf.col(name).cast("decimal(38,0)")).alias(name) for name in numbers]
    whole = guarded(lambda: truth.groupBy(*keys).agg(*sums).localCheckpoint(eager=True))
    return whole.select(
        *keys, *(sf.expr(f"try_cast({name} AS bigint)").alias(name) for name in numbers)
    )


def numbered(truth: Any, levels: Sequence[Sequence[int]]) -> Any:
    """The number of the group of each level, the size, and how many finest groups have both."""
    keys = [f"k{p}" for p in sorted({place for places in levels for place in places})]
    alike = truth.groupBy(*keys, "n").agg(sf.count(sf.lit(1)).alias("groups"))
    # Rows that are equal in these keys have one rank: the order is total.
    ranks = [
        (
            sf.dense_rank().over(Window.orderBy(*(f"k{p}" for p in places))) - 1
            if places
            else sf.lit(0)
        ).alias(f"g{k}")
        for k, places in enumerate(levels)
    ]
    return alike.select(*ranks, "n", "groups")
