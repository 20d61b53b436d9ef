"""Which engine a source needs: Spark for a Spark DataFrame, DuckDB for everything else."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from discreet.errors import MissingExtra
from discreet.tables.engines import Engine


def open_engine(
    source: Any,
    *,
    read: Mapping[str, Any] | None,
    memory_limit: str | None,
    threads: int | None,
    temporary: str | os.PathLike[str] | None,
) -> Engine:
    """Open the engine of a source; nothing but names is read yet."""
    if type(source).__module__.startswith("pyspark.sql") and type(source).__name__ == "DataFrame":
        from discreet.tables.engines.spark.spark_engine import SparkEngine

        return SparkEngine(source)
    try:
        from discreet.tables.engines.duckdb.duckdb_engine import DuckEngine
        from discreet.tables.engines.duckdb.sources.file_sources import read_reading
    except ImportError:
        raise MissingExtra("tables", "a release of tables") from None
    folder = None if temporary is None else Path(temporary)
    return DuckEngine(source, reading=read_reading(read), memory_limit=memory_limit, threads=threads, temporary=folder)
