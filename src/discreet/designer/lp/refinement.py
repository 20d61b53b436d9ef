"""Refinement: the program near a basis, magnified until a float solve sees what is wrong there.

Entries of one optimum may differ by sixty orders of magnitude, and so may the multipliers; a float
solver tells apart about sixteen. Exact solvers of linear programs refine: they solve what is left
to correct, magnified, in floats, again and again (Gleixner, Steffy, Wolter: Iterative refinement
for linear programming, 2016). Here the exact vertex x of a basis is at hand, so that one round is

    x_u = vertex_u + size_u * z_u / zoom,      size_u about the vertex's own entry, a power of two:

each row is written for z and divided by the size of its largest part, its slack at the vertex is
exact, rounded once and magnified. The zoom makes the largest violation 1. The objective is what the
multipliers of the basis charge for leaving each tight row, magnified so that the largest that is
negative is -1. Slacks and charges that are then huge are cut off: that far the round does not see.
The solver starts from the basis itself, and what comes back is a basis to look at exactly; rounds
in which it fails are discarded.

Everything here only suggests a basis; `simplex.pivots` decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from typing import TYPE_CHECKING

import numpy as np

from discreet.core.rationals import log2_of
from discreet.designer.lp.highs import (
    DUAL,
    PRIMAL,
    USABLE,
    basis_of,
    constraints,
    limit,
    load_rows,
    tight_of,
    tolerate,
)
from discreet.designer.simplex.pivots import undone
from discreet.designer.simplex.vertex import slacks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flint import fmpz
    from numpy.typing import NDArray

    from discreet.designer.lp.highs import Limits
    from discreet.designer.lp.program import Program
    from discreet.designer.simplex.basis import Basis
    from discreet.designer.simplex.vertex import Dual, Vertex

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

FARTHEST = 1e7
"""What is magnified beyond this is cut off: with the solver's tolerances, sixteen orders of
magnitude are seen.
"""

CAREFUL = 0.5
"""The least pivot of a factorisation beside its column's largest number, as far up as HiGHS lets
it be.
"""

SMALLEST_SIZE = -900
"""No variable's unit is smaller than two to this."""


@dataclass(frozen=True, slots=True)
class _Near:
    """The rows of the program in units near a vertex, as arrays; constraint k is divided by
    2^unit[k].
    """

    index: list[Ints]
    value: list[Floats]
    unit: Ints
    slack: Floats


def refined(basis: Basis, point: Vertex, duals: list[Dual], *, seconds: float) -> list[int] | None:
    """Suggest a basis after one round of refinement around the vertex of a basis; None if the
    solver fails.

    `duals` are the multipliers for the cost, and for levels of the tie-break: the first level that
    has a negative one is worked on, on the face where what earlier levels charge for stays tight.
    """
    own, worst_size = _sizes(basis.program, point)
    for size, worst in ((own, worst_size), (np.zeros_like(own), 0)):
        if (found := _round(basis, point, duals, size, worst, seconds=seconds)) is not None:
            return found
    return None


def _round(
    basis: Basis, point: Vertex, duals: list[Dual], size: Ints, worst_size: int, *, seconds: float
) -> list[int] | None:
    """Solve the program near a vertex in the given units."""
    program = basis.program
    near = _rows(basis, point, size, worst_size)
    fixed, charge = _charges(basis, duals, near.unit)
    violation = -min(0.0, near.slack.min())
    if not violation:
        fixed += [k for k, amount in charge.items() if amount >= FARTHEST]
        charge = {k: amount for k, amount in charge.items() if amount < FARTHEST}
    zoom = 1 / violation if 0 < violation < 1 else 1.0
    least = np.maximum(-zoom * near.slack, -FARTHEST)
    most = np.full(len(least), np.inf)
    most[fixed] = least[fixed]

    sums, bounds, inputs = len(program.sums), program.first_bound, program.first_input
    whole = np.ldexp(program.sum_count.astype(np.float64), size[program.sum_variable] - size.max())
    index = [near.index[0], program.sum_variable, *near.index[1:]]
    dense = np.array([len(one) for one in near.index[1:]], dtype=np.int64)
    lengths = [np.full(bounds, 2), np.bincount(program.sum_row, minlength=sums), dense]
    free = np.full(1 if program.inputs else 0, np.inf)
    low, high = (
        np.concatenate([side[:bounds], np.zeros(sums), side[inputs:]]) for side in (least, most)
    )
    return _resolve(
        program,
        basis.tight,
        _cost(program, near, charge),
        (
            (np.append(least[bounds:inputs], -free), np.append(most[bounds:inputs], free)),
            (low, high),
        ),
        (
            np.concatenate(lengths).astype(np.int64),
            np.concatenate(index),
            np.concatenate([near.value[0], whole, *near.value[1:]]),
        ),
        seconds=seconds,
    )


def _resolve(
    program: Program,
    start: Sequence[int],
    cost: NDArray[np.float64],
    limits: tuple[Limits, Limits],
    rows: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]],
    *,
    seconds: float,
) -> list[int] | None:
    """Solve a program with the given one's rows and other numbers from a basis, as `solve` does;
    None if it failed.

    The point 0 is the basis's own: if that breaks no limit, primal simplex keeps it so; otherwise
    dual simplex comes first. Where one fails the other is tried: such programs are hard on both.
    """
    highs = load_rows(cost, limits[0], limits[1], *rows)
    highs.setOptionValue("solver", "simplex")
    limit(highs, seconds)
    highs.setOptionValue("presolve", "off")
    highs.setOptionValue("simplex_scale_strategy", 0)
    highs.setOptionValue("simplex_dual_edge_weight_strategy", 1)
    highs.setOptionValue("simplex_iteration_limit", 500 + 2 * program.cells)
    highs.setOptionValue("factor_pivot_threshold", CAREFUL)
    tolerate(highs, 1e-9)
    feasible = max(float(least.max()) for least, _ in limits) <= 0
    for strategy in (PRIMAL, DUAL) if feasible else (DUAL, PRIMAL):
        highs.setOptionValue("simplex_strategy", strategy)
        highs.setBasis(basis_of(program, start))
        highs.run()
        if highs.getModelStatus() in USABLE:
            found = constraints(program, *tight_of(highs, "simplex"), 0)
            return found if len(found) == len(start) else None
    return None


def _sizes(program: Program, point: Vertex) -> tuple[Ints, int]:
    """The exponents of the variables' units: of their values, raised to what the ratios ask of
    them; and t's.
    """
    whole = int(point.denominator).bit_length()
    least = -(10.0**6)
    size = np.array(
        [int(x).bit_length() - whole if x != 0 else least for x in point.value], dtype=np.float64
    )
    step = np.array(
        [log2_of(*ratio.as_integer_ratio()) if ratio else least for ratio in program.ratios]
    )[program.ratio]
    while True:
        raised = size.copy()
        np.maximum.at(raised, program.head, size[program.tail] + step)
        if (raised <= size + 0.5).all():
            break
        size = raised
    unused = size < least / 2
    size[unused] = log2_of(*program.problem.alpha.as_integer_ratio()) * program.distance[unused]
    units = np.maximum(np.rint(size), SMALLEST_SIZE).astype(np.int64)
    return units, int(point.worst).bit_length() - whole if point.worst != 0 else 0


def _rows(basis: Basis, point: Vertex, size: Ints, worst_size: int) -> _Near:
    """Write every inequality in the variables' units, divided by its largest part; and its slack
    at the vertex.
    """
    program = basis.program
    bounds, dense = program.first_bound, [*((line, True) for line in program.inputs)]
    dense += [(line, False) for line, _ in program.extras]
    exponents = [
        floor(log2_of(*value.as_integer_ratio())) if value else -2000 for value in program.ratios
    ]
    first = [
        _ratio(*value.as_integer_ratio(), k)
        for value, k in zip(program.ratios, exponents, strict=True)
    ]
    ratio, lowered = np.array(first)[program.ratio], np.array(exponents)[program.ratio]
    unit = np.maximum(size[program.head], size[program.tail] + lowered)
    value = np.empty(2 * bounds)
    value[::2] = np.ldexp(1.0, size[program.head] - unit)
    value[1::2] = -np.ldexp(ratio, size[program.tail] + lowered - unit)
    index, values = [np.stack([program.head, program.tail], axis=1).ravel()], [value]
    units = [unit, size]
    for line, has_worst in dense:
        places = np.array([u for u, _ in line], dtype=np.int64)
        parts = [(abs(amount).bit_length() + int(size[u]), amount) for u, amount in line]
        most = max([part for part, _ in parts] + [worst_size] * has_worst, default=0)
        sign = -1 if has_worst else 1
        numbers = [
            sign * _ratio(amount, 1, most - int(size[u]))
            for u, (_, amount) in zip(places.tolist(), parts, strict=True)
        ]
        index.append(np.append(places, program.cells) if has_worst else places)
        values.append(np.array([*numbers, *([2.0 ** (worst_size - most)] if has_worst else [])]))
        units.append(np.array([most]))
    joined = np.concatenate(units)
    return _Near(index, values, joined, _slacks(basis, point, joined))


def _slacks(basis: Basis, point: Vertex, unit: Ints) -> Floats:
    """Every inequality's slack in its unit; 0 where the basis makes it tight."""
    tight = set(basis.tight)
    whole, found = int(point.denominator), np.zeros(len(unit))
    for (k, slack, scale), exponent in zip(
        slacks(basis.program, point), unit.tolist(), strict=True
    ):
        if slack != 0 and k not in tight:
            found[k] = _ratio(slack, whole * scale, exponent)
    return found


def _charges(basis: Basis, duals: list[Dual], unit: Ints) -> tuple[list[int], dict[int, float]]:
    """The rows to keep tight, and what is charged for a unit of every other tight row's slack,
    magnified.
    """
    level = min(undone(duals)[0], len(duals) - 1)
    fixed = [k for k in basis.tight if any(found.signed[k] != 0 for found in duals[:level])]
    found, free = duals[level], set(basis.tight).difference(fixed)
    sizes = {k: _multiplier(basis, found, k, int(unit[k])) for k in free if found.signed[k] != 0}
    negative = [exponent for k, (_, exponent) in sizes.items() if found.signed[k] < 0]
    top = (
        max(negative)
        if negative
        else max((exponent for _, exponent in sizes.values()), default=0) - 10
    )
    charge = {
        k: min(FARTHEST, first * 2.0 ** min(60, exponent - top))
        for k, (first, exponent) in sizes.items()
    }
    return fixed, charge


def _multiplier(basis: Basis, found: Dual, k: int, unit: int) -> tuple[float, int]:
    """A multiplier per unit of its row, as a float of size about 1 and a power of two."""
    below = found.denominator
    if k < basis.program.first_input:
        head = basis.head(k)
        below = below * basis.power[head] * found.stretch.get(basis.tree[head], 1)
    top, bottom = int(found.signed[k]), int(below)
    exponent = top.bit_length() - bottom.bit_length()
    return _ratio(top, bottom, exponent), exponent + unit


def _cost(program: Program, near: _Near, charge: dict[int, float]) -> Floats:
    """The objective in the variables' units: the sum of charge times row."""
    cost = np.zeros(program.cells + bool(program.inputs))
    for k, amount in charge.items():
        if k < program.first_bound:
            first, second = near.value[0][2 * k : 2 * k + 2]
            cost[program.head[k]] += amount * first
            cost[program.tail[k]] += amount * second
        elif k < program.first_input:
            cost[k - program.first_bound] += amount
        else:
            place = 1 + k - program.first_input
            np.add.at(cost, near.index[place], amount * near.value[place])
    return cost


def _ratio(top: fmpz | int, bottom: int, exponent: int) -> float:
    """`top / bottom / 2^exponent` as a float; beyond the floats' range the nearest of them."""
    first, second = int(top), bottom
    if exponent >= 0:
        second <<= exponent
    else:
        first <<= -exponent
    try:
        return first / second
    except OverflowError:
        return 1e300 if first > 0 else -1e300
