"""Large matrices in files: often few numbers stand in many cells, so each is written once and named
by its place.

At n = 200 the 40,401 entries of a design may be 401 different numbers of 3,000 bits. From
`BY_PLACE_FROM` on files are written so, and `reading` has the verifier's own way to read them.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from discreet.core.forms import Dense

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from discreet.core.certificate import Row

BY_PLACE_FROM = 32
"""The least n whose numbers are written by place."""


def placed_rows(rows: Sequence[Sequence[int]]) -> dict[str, Any]:
    """The rows of a matrix, and its values."""
    values, place = _places(chain.from_iterable(rows))
    return {"values": values, "rows": [[place[x] for x in row] for row in rows]}


def placed_multipliers(rows: Sequence[Row]) -> dict[str, Any]:
    """The multipliers of a proof by kind, four numbers each, and their values."""
    values, place = _places(row[4] for row in rows)
    by_kind: dict[str, list[int]] = {}
    for kind, a, b, c, y in rows:
        by_kind.setdefault(kind, []).extend((a, b, c, place[y]))
    return {"multipliers": by_kind, "values": values}


def _places(numbers: Iterable[int]) -> tuple[list[str], dict[int, int]]:
    """The numbers in ascending order, each once, as text; and the place of each."""
    values = sorted({*numbers})
    return [f"{x:x}" for x in values], {x: k for k, x in enumerate(values)}


def read_dense(matrix: dict[str, Any]) -> Dense:
    """Read a matrix of integers, however it is written.

    >>> read_dense({"denominator": "3", "values": ["1", "2"], "rows": [[1, 0], [0, 1]]})
    Dense(rows=((2, 1), (1, 2)), denominator=3)
    """
    if "values" in matrix:
        values = [int(x, 16) for x in matrix["values"]]
        rows = tuple(tuple([values[k] for k in row]) for row in matrix["rows"])
    else:
        rows = tuple(tuple([int(x, 16) for x in row]) for row in matrix["rows"])
    return Dense(rows, int(matrix["denominator"], 16))


def read_multipliers(claim: dict[str, Any]) -> tuple[Row, ...]:
    """Read the multipliers of a proof, however they are written."""
    if "values" not in claim:
        return tuple([(kind, a, b, c, int(y, 16)) for kind, a, b, c, y in claim["multipliers"]])
    values = [int(y, 16) for y in claim["values"]]
    return tuple(
        [
            (kind, a, b, c, values[k])
            for kind, given in claim["multipliers"].items()
            for a, b, c, k in zip(*[iter(given)] * 4, strict=True)
        ]
    )
