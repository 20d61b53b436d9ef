"""Reading a bundle's table: whole, with the types it was written with, or a batch at a time, to
be checked.
"""

from __future__ import annotations

import shutil
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import Contradiction, InvalidFile, MissingExtra
from discreet.tables.published.manifest import PARTS, Manifest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def read_table(folder: Path, manifest: Manifest) -> Any:
    """Read a bundle's table; it must have the columns the manifest names."""
    with _reading(manifest):
        table = _read_table(folder, manifest)
    check_columns(table.column_names, manifest)
    return table


def read_batches(folder: Path, manifest: Manifest) -> Iterator[Any]:
    """Read sizes and counts (and what stands beside them), never more than a batch of rows at a
    time.
    """
    with _reading(manifest):
        yield from _read_batches(folder / manifest.table, manifest)


def column_numbers(column: Any) -> NDArray[Any]:
    """An Arrow column, in one piece or several, as a NumPy array: int64 or float64 where it holds
    such numbers.

    By its buffers, because Arrow's own way imports pandas wherever that is installed: half a
    second.

    >>> import pyarrow as pa
    >>> column_numbers(pa.chunked_array([[4, 5], [6]]))
    array([4, 5, 6])
    """
    import numpy as np
    import pyarrow as pa

    whole = pa.types.is_integer(column.type)
    if column.null_count or not (whole or pa.types.is_floating(column.type)):
        values: NDArray[Any] = np.asarray(column.to_numpy(zero_copy_only=False))
        return values
    kind = pa.int64() if whole else pa.float64()
    pieces = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    found = [np.empty(0, dtype=kind.to_pandas_dtype())]
    for piece in pieces:
        same = piece if piece.type == kind else piece.cast(kind, safe=False)
        if len(same):
            found.append(
                np.frombuffer(same.buffers()[1], found[0].dtype, len(same), 8 * same.offset)
            )
    return found[-1] if len(found) == 2 else np.concatenate(found)


def check_columns(columns: list[str], manifest: Manifest) -> None:
    """The table has the columns that its manifest names, in that order, and no other."""
    for name in manifest.columns:
        if columns.count(name) != 1:
            rule = "has two columns" if name in columns else "has no column"
            raise Contradiction("table", f"{rule} {name[:80]}", found=manifest.table)
    if tuple(columns) != manifest.columns:
        raise Contradiction(
            "table",
            f"must have the columns {', '.join(manifest.columns)[:200]}",
            ", ".join(columns),
        )


@contextmanager
def _reading(manifest: Manifest) -> Iterator[None]:
    """Turn whatever is wrong with the table into one error of ours."""
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingExtra("tables", "reading a released table") from None
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0][:200]
        raise InvalidFile("table", f"cannot be read ({reason})", found=manifest.table) from None


def _read_table(folder: Path, manifest: Manifest) -> Any:
    file = folder / manifest.table
    if manifest.table_format == "parquet":
        import pyarrow as pa
        import pyarrow.parquet

        # part by part: `read_table` makes a dataset of it, and that imports pandas wherever it is
        # installed
        return pa.concat_tables(pyarrow.parquet.ParquetFile(part).read() for part in _parts(file))
    if manifest.table_format == "csv":
        import pyarrow.csv

        return pyarrow.csv.read_csv(file, convert_options=_csv_types(manifest))
    import pyarrow.json

    return pyarrow.json.read_json(file)


def _read_batches(file: Path, manifest: Manifest) -> Iterator[Any]:
    wanted = list(manifest.columns[len(manifest.keys) :])
    if manifest.table_format == "parquet":
        import pyarrow.parquet

        for part in _parts(file):
            with pyarrow.parquet.ParquetFile(part) as opened:
                check_columns(opened.schema_arrow.names, manifest)
                yield from opened.iter_batches(columns=wanted)
    elif manifest.table_format == "csv":
        import pyarrow.csv

        with pyarrow.csv.open_csv(file, convert_options=_csv_types(manifest)) as opened:
            check_columns(opened.schema.names, manifest)
            for batch in opened:
                yield batch.select(wanted)
    else:
        table = _read_table(file.parent, manifest)
        check_columns(table.column_names, manifest)
        yield from table.select(wanted).to_batches()


def _parts(file: Path) -> list[Path]:
    """The files of a table: an engine on many machines writes a folder of them."""
    return [file] if file.is_file() else sorted(file.glob("*.parquet"))


def _csv_types(manifest: Manifest) -> Any:
    """Keys of a text table are text, as in every other text file; sizes and counts are whole
    numbers.
    """
    import pyarrow as pa
    import pyarrow.csv

    types = dict.fromkeys(manifest.columns, pa.int64()) | dict.fromkeys(manifest.keys, pa.string())
    if manifest.confidence:
        types |= {
            f"{count.name}_{PARTS[0]}": pa.float64()
            for count in manifest.counts
            if not count.answers
        }
    return pyarrow.csv.ConvertOptions(
        column_types=types, strings_can_be_null=True, quoted_strings_can_be_null=False
    )


def put_mark(file: Path) -> None:
    """Put a byte-order mark before a text file: by it a spreadsheet knows UTF-8, and every
    reader of ours skips it.
    """
    marked = file.with_name(f"{file.name}.marked")
    try:
        with file.open("rb") as plain, marked.open("wb") as target:
            target.write(BOM_UTF8)
            shutil.copyfileobj(plain, target)
        marked.replace(file)
    finally:
        marked.unlink(missing_ok=True)


def whole_column(batch: Any, name: str) -> NDArray[np.int64]:
    """Read a column of whole numbers."""
    import numpy as np

    column = batch.column(name)
    if column.null_count:
        raise Contradiction(
            "table", f"column {name} must not hold empty values", remedy="it was edited"
        )
    values = column_numbers(column)
    if values.dtype.kind not in "iu":
        rule = f"column {name} must be a list of whole numbers"
        raise Contradiction("table", rule, str(values.dtype), remedy="it was edited")
    return np.asarray(values, dtype=np.int64)
