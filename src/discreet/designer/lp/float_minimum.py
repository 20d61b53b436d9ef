"""Other linear programs than the designer's own, in floats: for suggestions and for studies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from discreet.designer.lp.highs import BASIC, OPTIMAL, load_rows, tolerate
from discreet.errors import NotProven

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class FloatOptimum:
    """What HiGHS found, in floats: a point, its cost, and the rows that are tight in the basis."""

    values: NDArray[np.float64]
    cost: float
    tight: list[int]


def minimise(
    cost: NDArray[np.float64],
    rows: Sequence[Mapping[int, float]],
    *,
    least: Sequence[float],
    most: Sequence[float] | None = None,
    bounds: tuple[float, float] = (-np.inf, np.inf),
    tolerance: float = 1e-7,
) -> FloatOptimum:
    """Minimise `cost` over x within `bounds` and least <= rows @ x <= most; a row is {variable:
    coefficient}.

    >>> found = minimise(np.ones(2), [{0: 1.0, 1: 2.0}, {0: 1.0}], least=[4.0, 1.0])
    >>> found.values.tolist(), found.cost, found.tight
    ([1.0, 1.5], 2.5, [0, 1])
    """
    low, high = (np.full(len(cost), bound) for bound in bounds)
    top = np.full(len(rows), np.inf) if most is None else np.array(most, dtype=np.float64)
    highs = load_rows(
        np.asarray(cost, dtype=np.float64),
        (low, high),
        (np.array(least, dtype=np.float64), top),
        np.array([len(row) for row in rows]),
        np.array([variable for row in rows for variable in row]),
        np.array([float(value) for row in rows for value in row.values()]),
    )
    tolerate(highs, tolerance)
    highs.run()
    if highs.getModelStatus() != OPTIMAL:
        raise NotProven("HiGHS found no optimum of this linear program")
    tight = [k for k, status in enumerate(highs.getBasis().row_status) if status != BASIC]
    values = np.array(highs.getSolution().col_value)
    return FloatOptimum(
        values=values, cost=float(highs.getInfo().objective_function_value), tight=tight
    )
