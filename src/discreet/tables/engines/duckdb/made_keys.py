"""Keys made of expressions, in DuckDB: columns that are added to the rows before anything is
grouped.
"""

from __future__ import annotations

from collections.abc import Collection

from discreet.tables.asking.key_expressions import Made
from discreet.tables.engines.duckdb.connection import identifier
from discreet.tables.engines.duckdb.grouping import aliased


def with_made_keys(table: str, columns: Collection[str], made: Made) -> str:
    """Return the FROM item with the columns of `made` after its own."""
    parts = [
        f"({expression.sql or identifier(str(expression.column))}) AS {identifier(name)}"
        for name, expression in made
    ]
    return f"(SELECT *, {', '.join(parts)} FROM {aliased(table, columns)})"
