"""A comparison as plain rows, CSV, Arrow, Parquet, pandas or Polars; each library is imported where it is used."""

from __future__ import annotations

import csv
import importlib
import io
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.core.properties import PROPERTIES
from discreet.errors import MissingExtra
from discreet.proof.files import whole_file, write_whole

if TYPE_CHECKING:
    from discreet.choosing.comparison import Comparison, Entry


def to_dicts(comparison: Comparison, *, exact: bool = False) -> list[dict[str, Any]]:
    """One dict per row; exact numbers as floats, or as text such as "20/21" with `exact`."""
    return [_record(entry, exact) for entry in comparison]


def _record(entry: Entry, exact: bool) -> dict[str, Any]:
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
    """Write a fraction as text: decimal, or hexadecimal beyond the 4,300 digits that Python converts.

    >>> exact_text(Fraction(20, 21)), exact_text(Fraction(1, 16**5000))[:8]
    ('20/21', '0x1/0x10')
    """
    if max(abs(value.numerator), value.denominator).bit_length() <= 14_000:
        return str(value)
    return f"{value.numerator:#x}/{value.denominator:#x}"


def to_csv(comparison: Comparison, path: str | Path | None = None, *, exact: bool = False) -> str:
    """Return CSV text with a header line, and write it when a path is given."""
    rows = to_dicts(comparison, exact=exact)
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    if path is not None:
        write_whole(path, text.getvalue())
    return text.getvalue()


def to_arrow(comparison: Comparison, *, exact: bool = False) -> Any:
    """Return a pyarrow table."""
    return _library("pyarrow", "tables", "an Arrow table").Table.from_pylist(to_dicts(comparison, exact=exact))


def to_parquet(comparison: Comparison, path: str | Path, *, exact: bool = False) -> None:
    """Write one Parquet file."""
    parquet = _library("pyarrow.parquet", "tables", "writing Parquet")
    with whole_file(path) as file:
        parquet.write_table(to_arrow(comparison, exact=exact), str(file))


def to_pandas(comparison: Comparison, *, exact: bool = False) -> Any:
    """Return a pandas data frame."""
    return _library("pandas", "pandas", "a pandas data frame").DataFrame(to_dicts(comparison, exact=exact))


def to_polars(comparison: Comparison, *, exact: bool = False) -> Any:
    """Return a Polars data frame."""
    return _library("polars", "polars", "a Polars data frame").DataFrame(to_dicts(comparison, exact=exact))


def _library(name: str, extra: str, wanted_for: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingExtra(extra, wanted_for) from None
