"""Columns that leave as a table of somebody else's: Arrow, pandas, Polars."""

from __future__ import annotations

from typing import Any

from discreet.errors import MissingExtra


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

    def to_pandas(self) -> Any:
        """Return a pandas data frame."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """Return a Polars data frame."""
        import polars

        return polars.from_arrow(self.to_arrow())
