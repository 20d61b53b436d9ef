"""A DuckDB of our own: in memory, closed to the caller's variables, installing nothing.

What it spills is not encrypted: DuckDB writes encrypted files only with an extension (httpfs) that its wheel lacks.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import duckdb

from discreet.core.rationals import read_count
from discreet.errors import InvalidInput
from discreet.tables.engines.duckdb.shield import run


def connect(*, memory_limit: str | None = None, threads: int | None = None, spill: Path | None = None) -> Any:
    """Open an empty in-memory database that sees no variables of the caller and installs nothing."""
    config: dict[str, Any] = {
        "python_enable_replacements": False,
        "autoinstall_known_extensions": False,
    }
    if memory_limit is not None:
        if not re.fullmatch(r"\s*\d+(\.\d+)?\s*[KMGT]?i?B\s*", str(memory_limit), re.IGNORECASE):
            raise InvalidInput("memory_limit", "must be a size", memory_limit, remedy="such as '1GiB'")
        config["memory_limit"] = memory_limit
    if threads is not None:
        config["threads"] = read_count("threads", threads, least=1, most=1024)
    config["temp_directory"] = "" if spill is None else str(spill)
    connection = run(lambda: duckdb.connect(":memory:", config=config), parameter="memory_limit")
    if memory_limit is not None:  # of the whole process: Python, Arrow and what DuckDB does not count take a fifth
        ((limit,),) = connection.execute("SELECT parse_formatted_bytes(?)", [memory_limit]).fetchall()
        connection.execute(f"SET memory_limit = '{limit * 4 // 5}B'")
    connection.execute("SET TimeZone = 'UTC'")  # the same key on every machine
    _without_bar(connection)
    # Memory of the grouping goes back before the writing needs some; else DuckDB keeps up to half a gigabyte of it.
    connection.execute("SET allocator_bulk_deallocation_flush_threshold = '4MB'")
    return connection


def _without_bar(connection: Any) -> None:
    """Show no progress bar: `progress=` is ours. A notebook without ipywidgets has none, and may not even say so."""
    ((shown,),) = connection.execute("SELECT current_setting('enable_progress_bar')").fetchall()
    if shown:
        connection.execute("SET enable_progress_bar = false")
