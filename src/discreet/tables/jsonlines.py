"""JSON lines: every column is text, made from each value alone.

JSON has kinds but no columns, so the type of one would be made from all rows: a single 0.5 would turn large whole
numbers into doubles and merge them. Here each value has its own text: text as it is; true, false; a whole number by its
digits, however many; a number with a fraction or an exponent as the double it names, and by its digits if that is whole
and below 2^53, so that 1, 1.0 and 1e0 are one person; null and a missing name are NULL; a list or an object is its
JSON. `read={"types": {...}}` casts that text, as it does in a CSV file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

import pyarrow as pa

from discreet.tables.paths import unpacked
from discreet.tables.sql import identifier, literal

RULE = "must be JSON lines: an object on each line, each name once, in UTF-8 without a byte-order mark"
_LOOKED_AT = 5_000_000  # lines; reading them all again in Python would take longer than a person waits


def names_sql(files: str) -> str:
    """SQL for the names that stand in any row, in their own order, so that no row decides it."""
    rows = f"SELECT DISTINCT json_keys(json) AS names FROM read_ndjson_objects({files}, hive_partitioning = false)"
    return f"SELECT DISTINCT unnest(names) AS name FROM ({rows}) ORDER BY 1"


def table_sql(files: str, columns: Sequence[str], types: Mapping[str, str]) -> str:
    """The FROM item with these columns, as text or in the types given."""
    kinds = ", ".join(f"{literal(name)}: 'JSON'" for name in columns)
    options = f"format = 'newline_delimited', records = true, hive_partitioning = false, columns = {{{kinds}}}"
    chosen = []
    for name in columns:
        text = _text(identifier(name))
        chosen.append(f"{f'CAST({text} AS {types[name]})' if name in types else text} AS {identifier(name)}")
    return f"(SELECT {', '.join(chosen)} FROM read_json({files}, {options}))"


def _text(value: str) -> str:
    number = f"TRY_CAST(CAST({value} AS VARCHAR) AS DOUBLE)"
    whole = f"regexp_matches({value}, '^-?[0-9].*[.eE]') AND {number} = trunc({number}) AND abs({number}) < {2**53}"
    return (
        f"CASE WHEN starts_with({value}, '\"') THEN {value} ->> '$' "
        f"WHEN {whole} THEN CAST(CAST({number} AS BIGINT) AS VARCHAR) ELSE CAST({value} AS VARCHAR) END"
    )


def first_bad_line(path: str) -> int | None:
    """The first line, counted from 1, that is no object in JSON; None if Python finds none soon."""
    try:
        with unpacked(path) as stream:
            for number, line in enumerate(islice(_lines(stream), _LOOKED_AT), start=1):
                if line.strip() and not _is_object(line):
                    return number
    except (OSError, pa.ArrowException):
        pass
    return None


def _lines(stream: Any) -> Any:
    rest = b""
    while block := stream.read(1 << 20):
        *lines, rest = (rest + bytes(block)).split(b"\n")
        yield from lines
    yield rest


def _is_object(line: bytes) -> bool:
    """Whether a line is an object, its names each once; numbers stay text, whatever their length."""
    try:
        value = json.loads(line.decode(), object_pairs_hook=tuple, parse_int=str, parse_float=str)
        json.dumps(value, ensure_ascii=False).encode()  # half a character is no text
    except (ValueError, RecursionError):
        return False
    return isinstance(value, tuple) and len({name for name, _ in value}) == len(value)
