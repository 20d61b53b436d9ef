"""Whether a matrix has a shape, yes or no and fast; `discreet.core.properties` names the cell where it has not."""

from __future__ import annotations

from itertools import pairwise
from operator import ge, le
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from discreet.core.forms import Dense
    from discreet.core.properties import Shape


def has_shape(matrix: Dense, shape: Shape) -> bool:
    """Check every property of a shape exactly.

    >>> from discreet.core.named import geometric
    >>> from discreet.core.properties import read_shape
    >>> gm = geometric(n=3, alpha="2/3").form.dense()
    >>> has_shape(gm, read_shape("RM S")), has_shape(gm, read_shape("CH"))
    (True, False)
    """
    rows, names, n = matrix.rows, shape.names, matrix.n
    columns = tuple(zip(*rows, strict=True))
    diagonal = [row[i] for i, row in enumerate(rows)]
    ratio = shape.output_dp
    return (
        ("RM" not in names or all(map(_falls_away, rows, range(n + 1))))
        and ("CM" not in names or all(map(_falls_away, columns, range(n + 1))))
        and ("RH" not in names or all(map(ge, diagonal, map(max, rows))))
        and ("CH" not in names or all(map(ge, diagonal, map(max, columns))))
        and ("WH" not in names or min(diagonal) * (n + 1) >= matrix.denominator)
        and ("F" not in names or len(set(diagonal)) == 1)
        and ("S" not in names or all(row == other[::-1] for row, other in zip(rows, reversed(rows), strict=True)))
        and (ratio is None or all(_within(column, ratio.numerator, ratio.denominator) for column in columns))
    )


def _falls_away(line: Sequence[int], centre: int) -> bool:
    """Whether entries fall, or stay, on both sides of one place."""
    left, right = line[: centre + 1], line[centre:]
    return all(map(le, left, left[1:])) and all(map(ge, right, right[1:]))


def _within(line: Sequence[int], p: int, q: int) -> bool:
    """Whether neighbours are within a factor of p/q of each other."""
    return all(q * a >= p * b and q * b >= p * a for a, b in pairwise(line))
