"""Results as plain rows and as CSV, and the libraries that take such rows, imported where they are used."""

from __future__ import annotations

import csv
import importlib
import io
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from discreet.core.properties import PROPERTIES
from discreet.errors import MissingExtra

if TYPE_CHECKING:
    from discreet.choosing.comparison import Entry


def record(entry: Entry, *, exact: bool) -> dict[str, Any]:
    """Return a row of a comparison; exact numbers as floats, or as text such as "20/21" with `exact`."""
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
