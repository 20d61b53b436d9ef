"""The program as a float solver is given it: rows of numbers, in variables that it can see."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from discreet.designer.lp.program import Program

    Number = TypeVar("Number", np.int64, np.float64)
    Floats = NDArray[np.float64]
    Limits = tuple[Floats, Floats]
    Rows = tuple[Floats, Limits, Limits, NDArray[np.int64], NDArray[np.int64], Floats]
    """A program: costs, bounds of the variables, limits of the rows; each row's length, variables and numbers."""

LEAST_COEFFICIENT = 1e-12
LONG_SUMS = 10_000
"""From so many variables on the sums stay in the ratios' unit, so that they are eliminated last."""


def rows_of(
    program: Program,
    cost: Floats,
    *,
    scaled: bool = False,
    equal: Sequence[tuple[int, int]] = (),
    fixed: Sequence[int] = (),
) -> Rows:
    """The program row by row, straight from the arrays: ratios, sums, equalities, inputs."""
    cells, rows, sums, inputs = program.cells, len(program.head), len(program.sums), len(program.inputs)
    size = sizes(program, scaled=scaled)
    extra = 1 if inputs else 0
    ratios = np.array([float(value) for value in program.ratios])[program.ratio]
    if scaled:
        ratios *= size[program.tail] / size[program.head]
    # HiGHS drops coefficients below 1e-12: the sums are written in a smaller unit, as far as its tolerances allow. A
    # large program's are not: it eliminates by a column's largest number, and where that is a sum's, its factors fill.
    unit = min(max(1.0, LEAST_COEFFICIENT / float(size.min())), 1e5) if cells < LONG_SUMS else 1.0
    index, value = [_pairs(program.head, program.tail)], [_pairs(np.ones(rows), -ratios)]
    index.append(program.sum_variable)
    value.append(program.sum_count * size[program.sum_variable] * unit)
    lengths = [np.full(rows, 2), np.bincount(program.sum_row, minlength=sums)]
    if equal:
        first, second = np.array(equal, dtype=np.int64).T
        index.append(_pairs(first, second))
        value.append(_pairs(np.ones(len(equal)), -size[second] / size[first]))
        lengths.append(np.full(len(equal), 2))
    for entries in program.inputs:
        index.append(np.array([*(cell for cell, _ in entries), cells]))
        value.append(np.array([*(-amount / program.scale * size[cell] for cell, amount in entries), 1.0]))
        lengths.append(np.array([len(entries) + 1]))
    # a further row is divided by its largest number, so that the solver's tolerances mean the same in all of them
    largest = [max(abs(x) for x in (least, *(amount for _, amount in entries))) for entries, least in program.extras]
    for (entries, _), most in zip(program.extras, largest, strict=True):
        index.append(np.array([cell for cell, _ in entries]))
        value.append(np.array([amount / most * size[cell] for cell, amount in entries]))
        lengths.append(np.array([len(entries)]))
    count = rows + sums + len(equal) + inputs + len(largest)

    lower = np.zeros(cells + extra)
    lower[program.honest] = 1 / program.problem.size / size[program.honest]
    lower[cells:] = -np.inf
    upper = np.full(cells + extra, np.inf)
    bottom, top = np.zeros(count), np.full(count, np.inf)
    bottom[rows : rows + sums] = top[rows : rows + sums] = unit
    top[rows + sums : rows + sums + len(equal)] = 0.0
    for k, ((_, least), most) in enumerate(zip(program.extras, largest, strict=True), count - len(largest)):
        bottom[k] = least / most
    for k in fixed:
        if k < rows:
            top[k] = 0.0
        elif k < program.first_input:
            upper[k - rows] = lower[k - rows]
        else:
            place = k - program.first_input + rows + sums + len(equal)
            top[place] = bottom[place]
    return (
        cost * np.append(size, np.ones(extra)) if scaled else cost,
        (lower, upper),
        (bottom, top),
        np.concatenate(lengths),
        np.concatenate(index),
        np.concatenate(value),
    )


def _pairs(first: NDArray[Number], second: NDArray[Number]) -> NDArray[Number]:
    """The numbers of two lists by turns."""
    found = np.empty(2 * len(first), dtype=first.dtype)
    found[::2], found[1::2] = first, second
    return found


def sizes(program: Program, *, scaled: bool) -> Floats:
    """The units of the variables: alpha^|i-j| of the cell nearest the diagonal, or 1.

    Output DP with a larger ratio keeps entries up to that ratio's powers. What gets too small is left out of the sums.
    """
    if not scaled:
        return np.ones(program.cells)
    fall = float(max(program.problem.alpha, program.problem.shape.output_dp or 0))
    size: Floats = np.maximum(fall**program.distance, 1e-200)
    return size
