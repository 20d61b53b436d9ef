"""Groups below a size, merged into one row for each parent, in Spark (`asking.smallest_groups`
says why so).
"""

from __future__ import annotations

from typing import Any

from pyspark.sql import Window
from pyspark.sql import functions as sf

from discreet.tables.asking.question import Question


def withheld(truth: Any, question: Question) -> Any:
    """A lazy frame in which the small groups of `truth` are merged."""
    *parents, last, flag = (f"k{p}" for p in range(len(question.by)))
    numbers = [name for name in truth.columns if not name.startswith("k")]
    smallest = question.smallest
    small = (sf.col("n") > 0) & (sf.col("n") < smallest)
    within = Window.partitionBy(*(parents or [sf.lit(1)]))
    ordered = within.orderBy(sf.col("n"), sf.col(last).asc_nulls_last())
    # In order of size, and groups of one size by their last key, which no two groups of a parent
    # share: the small ones, and then the next until there are enough people.
    before = sf.coalesce(
        sf.sum("n").over(ordered.rowsBetween(Window.unboundedPreceding, -1)), sf.lit(0)
    )
    some = sf.max(small.cast("int")).over(within) == 1
    chosen = truth.withColumn("held", small | ((sf.col("n") > 0) & some & (before < smallest)))
    sums = [sf.sum(name).cast("bigint").alias(name) for name in numbers]
    merged = (
        chosen.where("held")
        .groupBy(*parents)
        .agg(sf.count(sf.lit(1)).alias(flag), *sums)
        .where(f"{flag} > 0")
    )
    nothing = sf.lit(None).cast(dict(truth.dtypes)[last]).alias(last)
    kept = chosen.where("NOT held").select(*parents, last, flag, *numbers)
    return kept.unionByName(merged.select(*parents, nothing, flag, *numbers))
