"""`--rows FILE`: inequalities of the caller's own for one group size, as JSON.

    {"name": "seldom a true zero", "rows": [{"cells": [[0, 0, "1"]], "sense": "<=", "bound":
    "1/2"}]}

The cells are [output, true count, coefficient]. Numbers are whole, or text such as "1/3": decimals
of JSON are floats.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from discreet.core.own_rows import Rows, rows_from_dict
from discreet.errors import InvalidFile


def read_rows_files(paths: Iterable[str]) -> list[Rows]:
    """Read a set of own rows from each file."""
    found = []
    for path in paths:
        try:
            written = json.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise InvalidFile("rows", f"cannot be read: {error.strerror}", found=path) from None
        except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
            raise InvalidFile("rows", "must be a file of JSON in UTF-8", path) from None
        found.append(rows_from_dict(written))
    return found
