"""Groups below a size, merged into one row for each parent, in DuckDB (`asking.smallest_groups`
says why so).
"""

from __future__ import annotations

from typing import Any

from discreet.tables.asking.question import Question
from discreet.tables.asking.smallest_groups import too_few_people
from discreet.tables.engines.duckdb.connection import run


def withhold(connection: Any, question: Question) -> None:
    """Merge the small groups of the table `truth`."""
    *parents, last, flag = (f"k{p}" for p in range(len(question.by)))
    numbers = [
        row[0]
        for row in connection.execute("DESCRIBE truth").fetchall()
        if not row[0].startswith("k")
    ]
    smallest = question.smallest
    within = f"PARTITION BY {', '.join(parents)} " if parents else ""
    small = f"(n > 0 AND n < {smallest})"
    # In order of size, and groups of one size by their last key, which no two groups of a parent
    # share: the small ones, and then the next until there are enough people.
    before = (
        f"sum(n) OVER ({within}ORDER BY n, {last} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)"
    )
    some = f"bool_or({small}) OVER ({within.strip()})"
    chosen = (
        f"SELECT *, {small} OR (n > 0 AND {some} AND coalesce({before}, 0) < {smallest}) AS held "
        "FROM truth"
    )
    # NULL says that a row of a group breaks a rule, and stays NULL
    sums = ", ".join(
        f"CASE WHEN count({x}) = count(*) THEN CAST(sum({x}) AS BIGINT) END" for x in numbers
    )
    keys = "".join(f"{key}, " for key in parents)
    merged = (
        f"SELECT {keys}NULL, count(*), {sums} FROM chosen WHERE "
        f"held{f' GROUP BY {keys[:-2]}' if parents else ''}"
    )
    kept = f"SELECT {keys}{last}, {flag}, {', '.join(numbers)} FROM chosen WHERE NOT held"
    both = f"{kept} UNION ALL FROM ({merged}{'' if parents else ' HAVING count(*) > 0'})"
    order = ", ".join([*parents, last, flag])
    sql = f"CREATE TEMP TABLE published AS WITH chosen AS ({chosen}) FROM ({both}) ORDER BY {order}"
    run(lambda: connection.execute(sql))
    connection.execute("DROP TABLE truth; ALTER TABLE published RENAME TO truth")
    # LIMIT: whether there is one, whichever.
    if connection.execute(f"SELECT 1 FROM truth WHERE {small} LIMIT 1").fetchall():
        raise too_few_people(smallest)
