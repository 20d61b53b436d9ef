"""JSON lines: every column is text, made from each value alone.

JSON has kinds but no columns, so the type of one would be made from all rows: a single 0.5 would turn large whole
numbers into doubles and merge them. Here each value has its own text: text as it is; true, false; a whole number by its
digits, however many; a number with a fraction or an exponent as the double it names, and by its digits if that is whole
and below 2^53, so that 1, 1.0 and 1e0 are one person; null and a missing name are NULL; a list or an object is its
JSON. `read={"types": {...}}` casts that text, as it does in a CSV file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from discreet.tables.engines.duckdb.connection import identifier, literal

RULE = "must be JSON lines: an object on each line, each name once, in UTF-8 without a byte-order mark"


def names_sql(files: str) -> str:
    """SQL for the names that occur in any row, in alphabetical order, so that no row decides the order."""
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
