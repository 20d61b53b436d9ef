"""The complete set of keys from a file, read as a source is read: text stays text."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from discreet.errors import InvalidInput, did_you_mean
from discreet.tables.engines.duckdb.connection import connect
from discreet.tables.engines.duckdb.shield import run
from discreet.tables.engines.duckdb.sources.file_sources import Reading
from discreet.tables.engines.duckdb.sources.opened import FileSource, open_source
from discreet.tables.engines.quoting import identifier


def read_key_file(path: str | os.PathLike[str], by: Sequence[str], source: Mapping[str, str]) -> Any:
    """Read the `by` columns of a file as an Arrow table; in a text file they have the types of the source's columns."""
    connection = connect()
    try:
        plain = open_source(path, Reading(), connection)
        for name in by:
            if name not in plain.columns:
                remedy = did_you_mean(name, plain.columns)
                raise InvalidInput("keys", "must have every `by` column", f"without {name}", remedy=remedy)
        typed = Reading(types=tuple((name, source[name]) for name in by if source[name] not in ("", "VARCHAR")))
        textual = isinstance(plain, FileSource) and plain.files.format in ("csv", "json")
        chosen = open_source(path, typed, connection) if textual else plain
        table = chosen.attach(connection, needed=by, keys=by)
        columns = ", ".join(map(identifier, by))
        return run(lambda: connection.sql(f"SELECT {columns} FROM {table}").to_arrow_table(), parameter="keys")
    except InvalidInput as error:
        error.parameter = "keys"  # the file is the caller's `keys`, however it is read
        raise
    finally:
        connection.close()
