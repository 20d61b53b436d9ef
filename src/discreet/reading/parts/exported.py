"""Columns that leave as a table of somebody else's: Arrow, pandas, Polars, or a CSV file."""

from __future__ import annotations

import os
from typing import Any

from discreet.errors import MissingExtra
from discreet.proof.files import check_new, whole_file


def all_of_them() -> str:
    """How to see the rows that a text leaves out."""
    from discreet.show.text import in_words_of

    return in_words_of(
        "to_csv writes all of them", "--all-rows prints all of them, --csv FILE writes them"
    )


class Exported:
    """A table of named columns; keys are Python values of any kind, the rest are plain numbers."""

    columns: Any
    """NumPy arrays of one length by name."""

    def to_arrow(self) -> Any:
        """Return an Arrow table (needs the 'tables' extra)."""
        try:
            import pyarrow as pa
        except ImportError:
            raise MissingExtra("tables", "an Arrow table") from None
        plain = {name: list(v) if v.dtype == object else v for name, v in self.columns.items()}
        return pa.table({name: pa.array(values) for name, values in plain.items()})

    def to_csv(
        self,
        path: str | os.PathLike[str],
        *,
        escape_formulas: bool = False,
        byte_order_mark: bool = False,
        overwrite: bool = False,
    ) -> None:
        """Write a CSV file, whole or not at all.

        `byte_order_mark` begins it with the mark by which a spreadsheet knows UTF-8;
        `escape_formulas` puts an apostrophe before texts that a spreadsheet would run. A file that
        exists is refused unless `overwrite`.
        """
        check_new(path, overwrite=overwrite)
        table = self.to_arrow()
        from discreet.tables.engines import write_table
        from discreet.tables.published.formulas import check_names, escaped
        from discreet.tables.published.table_files import put_mark

        if escape_formulas:
            check_names(table.column_names)
            table = escaped(table)
        with whole_file(path) as partial:
            write_table(table, partial.parent, partial.name, "csv")
            if byte_order_mark:
                put_mark(partial)

    def to_pandas(self) -> Any:
        """Return a pandas data frame."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """Return a Polars data frame."""
        import polars

        return polars.from_arrow(self.to_arrow())
