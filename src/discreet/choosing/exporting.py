"""Results as plain rows and as CSV, and the libraries that take such rows, imported where they
are used.
"""

from __future__ import annotations

import csv
import importlib
import io
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from discreet.choosing.measures import briefly
from discreet.core.properties import PROPERTIES
from discreet.errors import MissingExtra
from discreet.proof.files import whole_file, write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from discreet.choosing.comparison import Entry


class Exported(ABC):
    """A table that leaves as plain rows, CSV, Arrow, Parquet, pandas, Polars, Markdown or LaTeX.

    Numbers are floats, or exact as text.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def setting(self) -> dict[str, Any]:
        """What all rows have in common."""

    @abstractmethod
    def to_dicts(self, *, exact: bool = False) -> list[dict[str, Any]]:
        """Return the rows as dicts of plain values: floats, or fractions as text with `exact`."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values: each row with decimals, and its exact numbers
        as text.
        """
        rows = zip(self.to_dicts(), self.to_dicts(exact=True), strict=True)
        exact = [
            {**row, "exact": {name: text for name, text in texts.items() if text != row[name]}}
            for row, texts in rows
        ]
        return {**self.setting, "rows": exact}

    def to_csv(self, path: str | Path | None = None, *, exact: bool = False) -> str:
        """Return the table as CSV text, and write it to `path` when that is given."""
        text = to_csv(self.to_dicts(exact=exact))
        if path is not None:
            write_whole(path, text)
        return text

    def to_arrow(self, *, exact: bool = False) -> Any:
        """Return a pyarrow table (needs the 'tables' extra)."""
        return library("pyarrow", "tables", "an Arrow table").Table.from_pylist(
            self.to_dicts(exact=exact)
        )

    def to_parquet(self, path: str | Path, *, exact: bool = False) -> None:
        """Write a Parquet file (needs the 'tables' extra)."""
        parquet = library("pyarrow.parquet", "tables", "writing Parquet")
        with whole_file(path) as file:
            parquet.write_table(self.to_arrow(exact=exact), str(file))

    def to_pandas(self, *, exact: bool = False) -> Any:
        """Return a pandas data frame (needs pandas)."""
        return library("pandas", "pandas", "a pandas data frame").DataFrame(
            self.to_dicts(exact=exact)
        )

    def to_polars(self, *, exact: bool = False) -> Any:
        """Return a Polars data frame (needs Polars)."""
        return library("polars", "polars", "a Polars data frame").DataFrame(
            self.to_dicts(exact=exact)
        )

    def to_markdown(self, *, exact: bool = False, all_columns: bool = False) -> str:
        """Return the table as Markdown: the columns that fit a page, or all of them."""
        from discreet.show.markup.matrix_markup import markdown_table

        return markdown_table(*self._written(exact=exact, all_columns=all_columns))

    def to_latex(self, *, exact: bool = False, all_columns: bool = False) -> str:
        """Return the table as a LaTeX tabular: the columns that fit a page, or all of them."""
        from discreet.show.markup.matrix_markup import latex_table

        return latex_table(*self._written(exact=exact, all_columns=all_columns))

    def _written(self, *, exact: bool, all_columns: bool) -> tuple[list[str], list[list[object]]]:
        rows = self.to_dicts(exact=exact)
        if not all_columns:
            rows = [_for_a_page(row) for row in rows]
        return list(rows[0]), [list(row.values()) for row in rows]


_PAGE = {"L0": "L0", "L1": "L1", "RMSE": "RMSE", "worst_bias": "bias", "least_truth": "truth"}
"""The numbers that a page has room for, and what they are called there, as in the text."""


def _for_a_page(row: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a row that fit a page: properties in one, and numbers in a few digits
    unless they are exact.
    """
    numbers = {short: row[name] for name, short in _PAGE.items()}
    written = {
        name: briefly(value) if isinstance(value, float) else value
        for name, value in numbers.items()
    }
    epsilon = f"{row['epsilon']:.6g}" if isinstance(row["epsilon"], float) else row["epsilon"]
    has = " ".join(name for name in PROPERTIES if row[name])
    return {"mechanism": row["mechanism"], "n": row["n"], "epsilon": epsilon, "has": has, **written}


def record(entry: Entry, *, exact: bool) -> dict[str, Any]:
    """Return a row of a comparison; exact numbers as floats, or as text such as "20/21" with
    `exact`.
    """
    show = exact_text if exact else float
    m, found = entry.mechanism, entry.measures
    return {
        "mechanism": entry.label,
        "n": entry.n,
        "alpha": show(entry.privacy.value),
        "epsilon": show(entry.privacy.epsilon),
        **{name: name in m.shape for name in PROPERTIES},
        "L0": show(found.l0),
        "L0,1": show(found.l01),
        "L1": show(found.l1),
        "L2": show(found.l2),
        "RMSE": found.rmse,
        "worst_bias": show(found.worst_bias),
        "mean_truth": show(found.mean_truth),
        "least_truth": show(found.least_truth),
        "found_by": m.origin.method,
        "id": m.id,
    }


def exact_text(value: Fraction) -> str:
    """Write a fraction as text: decimal, or hexadecimal beyond the 4,300 digits that Python
    converts.

    >>> exact_text(Fraction(20, 21)), exact_text(Fraction(1, 16**5000))[:8]
    ('20/21', '0x1/0x10')
    """
    if max(abs(value.numerator), value.denominator).bit_length() <= 14_000:
        return str(value)
    return f"{value.numerator:#x}/{value.denominator:#x}"


def to_csv(rows: Sequence[Mapping[str, object]]) -> str:
    """Return rows as CSV, with a header.

    >>> to_csv([{"n": 1, "L0": 0.5}])
    'n,L0\\n1,0.5\\n'
    """
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def library(name: str, extra: str, wanted_for: str) -> Any:
    """Import an optional library, or say which extra installs it."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingExtra(extra, wanted_for) from None
