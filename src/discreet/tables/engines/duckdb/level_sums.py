"""Coarser levels of a release in DuckDB: sums of the finest groups' sizes and true counts, computed
once.

Every level is a table of its own, so that a key that is NULL is a key like any other and never
stands for "all".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from discreet.tables.engines import Counts
from discreet.tables.engines.duckdb.connection import run


def coarser(connection: Any, counts: Counts, places: Sequence[int]) -> Counts:
    """Materialise the sums for the keys at these places, in order of the keys."""
    numbers = [name for name in connection.sql(counts.truth).columns if not name.startswith("k")]
    keys = [f"k{p}" for p in places]
    # the truth is summed in HUGEINT, so that a sum too large for the table is an error and not
    # another number
    sums = [f"CAST(coalesce(sum({name}), 0) AS BIGINT) AS {name}" for name in numbers]
    tail = f" GROUP BY {', '.join(keys)} ORDER BY {', '.join(keys)}" if keys else ""
    table = "_".join(["level", *keys])
    sql = f"SELECT {', '.join([*keys, *sums])} FROM ({counts.truth}){tail}"
    run(
        lambda: connection.execute(f"CREATE OR REPLACE TEMP TABLE {table} AS {sql}"),
        parameter="size",
    )
    rows = connection.execute(f"SELECT n, count(*) FROM {table} GROUP BY n ORDER BY n").fetchall()
    sizes = {int(size): int(groups) for size, groups in rows}
    return Counts(sizes=sizes, truth=f"SELECT {', '.join([*keys, *numbers])} FROM {table}")


def nesting(connection: Any, counts: Counts, levels: Sequence[Sequence[int]]) -> pa.Table:
    """The number of the group of each level, the size, and how many finest groups have both."""
    keys = [f"k{p}" for p in sorted({place for places in levels for place in places})]
    alike = (
        f"SELECT {', '.join([*keys, 'n'])}, count(*) AS groups FROM ({counts.truth}) GROUP BY ALL"
    )
    # Rows that are equal in these keys have one rank: the order is total.
    ranks = [
        f"dense_rank() OVER (ORDER BY {', '.join(f'k{p}' for p in places)}) - 1"
        if places
        else "CAST(0 AS BIGINT)"
        for places in levels
    ]
    chosen = [*(f"{rank} AS g{place}" for place, rank in enumerate(ranks)), "n", "groups"]
    return connection.sql(
        f"SELECT {', '.join(chosen)} FROM ({alike}) ORDER BY ALL"
    ).to_arrow_table()
