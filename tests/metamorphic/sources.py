"""The same table as every source a release accepts, with every way in which that source can hold a column."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
from tests.metamorphic.databases import of_the_caller
from tests.metamorphic.tables import Column, Table
from tests.metamorphic.values import KINDS

_NUMPY = {
    "bool": "bool",
    "bit": "int64",
    "byte": "int8",
    "int": "int64",
    "uint": "uint64",
    "float": "float64",
    "float32": "float32",
    "moment": "datetime64[us]",
    "zoned": "datetime64[us, UTC]",
}
_NULLABLE = {
    "bool": "boolean",
    "bit": "Int64",
    "byte": "Int8",
    "int": "Int64",
    "uint": "UInt64",
    "float": "Float64",
    "float32": "Float32",
    "text": "string",
    "bit-text": "string",
}
_LARGE = {
    pa.string(): pa.large_string(),
    pa.binary(): pa.large_binary(),
    pa.list_(pa.int64()): pa.large_list(pa.int64()),
}
_VIEWS = {pa.string(): pa.string_view(), pa.binary(): pa.binary_view()}
INFERRED = ("inferred", "inferred-nullable", "inferred-category")
"""How a pandas column gets a dtype from whatever values it has; for those that may be there or not."""
_PACKABLE = ("bit", "int", "text", "bit-text", "date", "bytes")


def is_text(source: str) -> bool:
    """Whether all columns of a source are text."""
    return source.endswith("csv")


def variants(source: str, kind: str) -> dict[str, str]:
    """How a source can hold a column of a kind, each with what one person may put into it."""
    if source.endswith("csv"):
        return {"plain": "csv"}
    if source == "pandas":
        found = {"object": "object", "arrow": "typed"}
        found |= {} if kind in ("list", "struct") else {"category": "hashable"}
        if kind in _NUMPY:
            found["numpy"] = (
                "typed" if "float" in kind or kind in ("moment", "zoned") else "typed-not-null"
            )
            found["category-typed"] = "typed"
        return found | ({"nullable": "typed"} if kind in _NULLABLE else {})
    if source == "polars":
        return {"plain": "typed"} | (
            {"categorical": "typed"} if kind in ("text", "bit-text") else {}
        )
    found = {"plain": "typed"} | ({"dictionary": "typed"} if kind in _PACKABLE else {})
    if source == "arrow":
        found |= {"large": "typed"} if KINDS[kind].arrow in _LARGE else {}
        found |= {"view": "typed"} if KINDS[kind].arrow in _VIEWS else {}
    return found


def arrow_table(table: Table) -> pa.Table:
    """The table as Arrow, each column of its declared type whatever it holds."""
    return pa.table({column.name: _arrow(column) for column in table.columns})


def _arrow(column: Column) -> pa.Array:
    kind = KINDS[column.kind].arrow
    if column.variant == "large":
        kind = _LARGE[kind]
    if column.variant == "view":
        kind = _VIEWS[kind]
    values = pa.array(list(column.values), type=kind)
    return values.dictionary_encode() if column.variant == "dictionary" else values


def _pandas(table: Table, folder: Path, name: str) -> Any:
    import pandas

    return pandas.DataFrame({column.name: _series(column) for column in table.columns})


def _series(column: Column) -> Any:
    import pandas

    values = list(column.values)
    if column.variant == "object":
        series = pandas.Series([None] * len(values), dtype=object)
        for place, value in enumerate(
            values
        ):  # one by one: a list in a list would be taken for a second dimension
            series.iat[place] = value
        return series
    if column.variant in INFERRED:
        try:
            series = pandas.Series(values)
            if column.variant == "inferred":
                return series
            return (
                series.convert_dtypes()
                if column.variant == "inferred-nullable"
                else series.astype("category")
            )
        except UnicodeEncodeError:  # half a character has no dtype of pandas' own
            return pandas.Series(values, dtype=object)
    if column.variant in ("category", "category-typed"):
        kind = object if column.variant == "category" else _NUMPY[column.kind]
        known = list(dict.fromkeys((type(v), v) for v in values if v is not None and v == v))
        index = pandas.Index([v for _, v in known], dtype=kind, tupleize_cols=False)
        places = [
            next((p for p, (k, v) in enumerate(known) if type(x) is k and x == v), -1)
            for x in values
        ]
        if not index.is_unique:  # 1 and True
            return pandas.Series(values, dtype=object)
        return pandas.Series(pandas.Categorical.from_codes(places, index))
    if column.variant == "numpy":
        return pandas.Series(values, dtype=_NUMPY[column.kind])
    if column.variant == "nullable":
        return pandas.Series(pandas.array(values, dtype=_NULLABLE[column.kind]))
    return pandas.Series(
        pandas.arrays.ArrowExtensionArray(pa.array(values, type=KINDS[column.kind].arrow))
    )


def _polars(table: Table, folder: Path, name: str) -> Any:
    import polars

    frame = polars.from_arrow(arrow_table(table))
    packed = [column.name for column in table.columns if column.variant == "categorical"]
    return frame.with_columns(polars.col(packed).cast(polars.Categorical)) if packed else frame


def _duckdb(table: Table, folder: Path, name: str) -> Any:
    connection = of_the_caller().cursor()
    connection.register("people", arrow_table(table))
    return connection.table("people")


def _parquet(table: Table, folder: Path, name: str) -> str:
    path = folder / f"{name}.parquet"
    pyarrow.parquet.write_table(arrow_table(table), path)
    return str(path)


def _parts(table: Table, folder: Path, name: str) -> str:
    half = table.rows // 2
    whole = arrow_table(table)
    for place, part in enumerate((whole.slice(0, half), whole.slice(half))):
        pyarrow.parquet.write_table(part, folder / f"{name}-{place}.parquet", row_group_size=3)
    return str(folder / f"{name}-*.parquet")


def _csv(table: Table, folder: Path, name: str, delimiter: str = ",") -> str:
    lines = [table.names, *zip(*(column.values for column in table.columns), strict=True)]
    text = "".join(
        delimiter.join(_field(value, delimiter) for value in line) + "\n" for line in lines
    )
    path = folder / f"{name}.csv"
    path.write_text(text, encoding="utf-8", newline="")
    return str(path)


def _field(value: Any, delimiter: str) -> str:
    if value is None:
        return ""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    plain = text and not set(text) & set(f"{delimiter}\"\r\n'#;\t|,") and text == text.strip()
    return text if plain else '"' + text.replace('"', '""') + '"'


Maker = Callable[[Table, Path, str], Any]
SOURCES: Mapping[str, Maker] = {
    "csv": _csv,
    "semicolon-csv": lambda table, folder, name: _csv(table, folder, name, ";"),
    "parquet": _parquet,
    "parts": _parts,
    "pandas": _pandas,
    "polars": _polars,
    "lazy-polars": lambda table, folder, name: _polars(table, folder, name).lazy(),
    "arrow": lambda table, folder, name: arrow_table(table),
    "reader": lambda table, folder, name: arrow_table(table).to_reader(max_chunksize=3),
    "batches": lambda table, folder, name: (
        arrow_table(table).unify_dictionaries().to_batches(max_chunksize=3)
    ),
    "duckdb": _duckdb,
    "query-csv": _csv,
    "query-parquet": _parquet,
}
"""Every source but Spark. A query's file is made here; the capability puts the SELECT around it."""
FILES = ("csv", "semicolon-csv", "parquet")
