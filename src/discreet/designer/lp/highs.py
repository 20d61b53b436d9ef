"""HiGHS, and the only import of it: a float solve that returns which constraints are tight.

The designer keeps none of the solver's numbers: it recomputes each from the set of tight constraints. Given a starting
basis it runs dual simplex from there; without one, interior point with crossover is the fastest for large programs
and dual simplex for small ones.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, TypeVar

import highspy
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from discreet.designer.lp.program import Program

    Number = TypeVar("Number", np.int64, np.float64)
    Limits = tuple[NDArray[np.float64], NDArray[np.float64]]

BASIC = highspy.HighsBasisStatus.kBasic
_LOWER = highspy.HighsBasisStatus.kLower
OPTIMAL = highspy.HighsModelStatus.kOptimal
_USABLE = (OPTIMAL, highspy.HighsModelStatus.kUnbounded)
LEAST_COEFFICIENT = 1e-12
LONG_SUMS = 10_000
"""From so many variables on the sums stay in the ratios' unit, so that they are eliminated last."""
DUAL, PRIMAL = 1, 4
"""HiGHS's numbers for the two ways of its simplex."""
CAREFUL = 0.5
"""The least pivot of a factorisation beside its column's largest number, as far up as HiGHS lets it be."""
EXACT = 1 << 53
"""Integers up to this one are floats."""

KEPT = 30_000
"""Programs of up to so many entries are solved by an instance that is kept, and its memory with it."""
_own = threading.local()

EVEN = 1000
"""Weights of a prior that differ by less than this factor are nearly even."""


def leaning_cost(program: Program, tie: list[int]) -> NDArray[np.float64]:
    """The cost for the float solve, leaning toward the tie-break, so that one solve does both.

    Where ties are likely the lean is a ten-thousandth of the cost, and both are magnified to stand clear of the
    solver's tolerances. Elsewhere it is as small as they allow; a prior whose weights differ much has no room for it.
    """
    if max(program.scale, *program.cost) <= EXACT and min(program.cost) >= -EXACT:
        cost = np.array(program.cost, dtype=np.float64) / program.scale
    else:
        cost = np.array([value / program.scale for value in program.cost])
    lean = np.array(tie, dtype=np.float64) / max(tie)
    if program.inputs:
        most = max((abs(amount) for entries in program.inputs for _, amount in entries), default=0) or 1
        return np.append(1e-4 * most / program.scale / program.problem.size * lean, 1.0)
    largest = float(np.abs(cost).max()) or 1.0
    if program.costs.flat:
        return (cost / largest + 1e-4 * lean) * 1e4
    weights = program.costs.weight
    return cost / largest + 1e-7 * lean if max(weights) <= EVEN * min(weights) else cost


def solve(
    program: Program,
    cost: NDArray[np.float64],
    *,
    method: str = "simplex",
    scaled: bool = False,
    seconds: float | None = None,
    start: Sequence[int] | None = None,
    equal: Sequence[tuple[int, int]] = (),
    fixed: Sequence[int] = (),
) -> list[int] | None:
    """Minimise `cost` (one number per variable, and one for t in a worst case); return the tight constraints.

    `method` is "simplex" or "ipm". `scaled` solves in the variables x / alpha^|i-j|, which keeps entries far from
    the diagonal above the solver's tolerances. `start` is a set of tight constraints to begin from, `equal` lists
    pairs of variables that must be equal, `fixed` constraints that must stay tight. None means the solver did not
    finish.
    """
    highs = _load(program, np.asarray(cost, dtype=np.float64), scaled=scaled, equal=equal, fixed=fixed)
    highs.setOptionValue("solver", method)
    highs.setOptionValue("presolve", "off" if method == "simplex" else "choose")
    _limit(highs, seconds)
    if start is not None:
        # Far more steps than a walk takes: one that is stuck leaves the others their turn. Not seconds: a busy machine
        # changes nothing.
        highs.setOptionValue("simplex_iteration_limit", 500 + 2 * program.cells)
        highs.setBasis(_basis(program, start, len(equal)))
        # Dantzig or Devex: the default, exact steepest-edge weights, costs more to set up than the whole solve.
        # A flat cost under a uniform prior ties so often that Devex's weights mislead: plain Dantzig takes a quarter of
        # the steps. Under another prior Dantzig takes twice as many, or loses its way.
        ties = program.costs.flat and program.problem.prior.uniform
        highs.setOptionValue("simplex_dual_edge_weight_strategy", 0 if ties else 1)
        # The variables are scaled already, where that is needed; HiGHS's own scaling triples the time to factor.
        highs.setOptionValue("simplex_scale_strategy", 0)
        tolerate(highs, 1e-10)
    if fixed:
        # The start is feasible and the objective new: primal simplex.
        highs.setOptionValue("simplex_strategy", PRIMAL)
    highs.run()
    if highs.getModelStatus() != OPTIMAL:
        return None
    return _constraints(program, *_tight(highs, method), len(equal))


def _constraints(program: Program, columns: NDArray[np.bool_], rows: NDArray[np.bool_], equal: int) -> list[int]:
    """Tight columns and rows as the program numbers them."""
    inputs = len(program.head) + len(program.sums) + equal
    return [
        *np.flatnonzero(rows[: program.first_bound]).tolist(),
        *(program.first_bound + np.flatnonzero(columns[: program.cells])).tolist(),
        *(program.first_input + np.flatnonzero(rows[inputs:])).tolist(),
    ]


def resolve(
    program: Program,
    start: Sequence[int],
    cost: NDArray[np.float64],
    limits: tuple[Limits, Limits],
    rows: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]],
    *,
    seconds: float,
) -> list[int] | None:
    """Solve a program with the given one's rows and other numbers from a basis, as `solve` does; None if it failed.

    The point 0 is the basis's own: if that breaks no limit, primal simplex keeps it so; otherwise dual simplex comes
    first. Where one fails the other is tried: such programs are hard on both.
    """
    highs = load_rows(cost, limits[0], limits[1], *rows)
    highs.setOptionValue("solver", "simplex")
    _limit(highs, seconds)
    highs.setOptionValue("presolve", "off")
    highs.setOptionValue("simplex_scale_strategy", 0)
    highs.setOptionValue("simplex_dual_edge_weight_strategy", 1)
    highs.setOptionValue("simplex_iteration_limit", 500 + 2 * program.cells)
    highs.setOptionValue("factor_pivot_threshold", CAREFUL)
    tolerate(highs, 1e-9)
    feasible = max(float(least.max()) for least, _ in limits) <= 0
    for strategy in (PRIMAL, DUAL) if feasible else (DUAL, PRIMAL):
        highs.setOptionValue("simplex_strategy", strategy)
        highs.setBasis(_basis(program, start, 0))
        highs.run()
        if highs.getModelStatus() in _USABLE:
            found = _constraints(program, *_tight(highs, "simplex"), 0)
            return found if len(found) == len(start) else None
    return None


def solve_dual(
    program: Program, cost: NDArray[np.float64], *, seconds: float | None = None
) -> tuple[list[float], list[float]] | None:
    """Minimise `cost` by interior point; return the float multipliers of all rows and the reduced costs."""
    highs = _load(program, np.asarray(cost, dtype=np.float64), scaled=False, equal=(), fixed=())
    highs.setOptionValue("solver", "ipm")
    highs.setOptionValue("run_crossover", "off")
    _limit(highs, seconds)
    highs.run()
    solution = highs.getSolution()
    if not solution.dual_valid:
        return None
    return list(solution.row_dual), list(solution.col_dual)


def _basis(program: Program, start: Sequence[int], equal: int) -> highspy.HighsBasis:
    """Write tight constraints as a basis; column sums are tight, rows that `start` does not know are not."""
    columns = [BASIC] * (program.cells + bool(program.inputs))
    dense = len(program.inputs) + len(program.extras)
    rows = [BASIC] * program.first_bound + [_LOWER] * len(program.sums) + [BASIC] * (equal + dense)
    for k in start:
        if k < program.first_bound:
            rows[k] = _LOWER
        elif k < program.first_input:
            columns[k - program.first_bound] = _LOWER
        else:
            rows[k - program.first_input - dense] = _LOWER
    basis = highspy.HighsBasis()
    basis.col_status, basis.row_status, basis.valid = columns, rows, True
    # "Alien" bases are factored once more when they are set, to count and mend them.
    basis.alien = len(start) + len(program.sums) != len(columns)
    return basis


def _tight(highs: highspy.Highs, method: str) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which columns and rows are not basic."""
    if method == "simplex":
        columns, rows = np.ones(highs.getNumCol(), dtype=bool), np.ones(highs.getNumRow(), dtype=bool)
        basic = np.asarray(highs.getBasicVariables()[1])
        columns[basic[basic >= 0]] = False
        rows[-1 - basic[basic < 0]] = False
        return columns, rows
    # By status, which is slower: getBasicVariables() crashes the process after interior point and crossover.
    basis = highs.getBasis()
    return (
        np.array([status != BASIC for status in basis.col_status], dtype=bool),
        np.array([status != BASIC for status in basis.row_status], dtype=bool),
    )


def _load(
    program: Program,
    cost: NDArray[np.float64],
    *,
    scaled: bool,
    equal: Sequence[tuple[int, int]],
    fixed: Sequence[int],
) -> highspy.Highs:
    """Hand the program to HiGHS row by row, straight from the arrays: ratios, sums, equalities, inputs."""
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
    lower[cells:] = -highspy.kHighsInf
    upper = np.full(cells + extra, highspy.kHighsInf)
    bottom, top = np.zeros(count), np.full(count, highspy.kHighsInf)
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
    return load_rows(
        cost * np.append(size, np.ones(extra)) if scaled else cost,
        (lower, upper),
        (bottom, top),
        np.concatenate(lengths),
        np.concatenate(index),
        np.concatenate(value),
    )


def load_rows(
    cost: NDArray[np.float64],
    bounds: Limits,
    limits: Limits,
    lengths: NDArray[np.int64],
    index: NDArray[np.int64],
    value: NDArray[np.float64],
) -> highspy.Highs:
    """Hand a program to HiGHS: bounds of the variables, limits of the rows, and the rows' entries one after another."""
    highs = _instance() if len(value) <= KEPT else highspy.Highs()
    highs.silent()
    highs.setOptionValue("small_matrix_value", LEAST_COEFFICIENT)
    # One thread and one seed: the same basis on every run. (The result does not depend on it; its cost does.)
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("random_seed", 0)
    highs.passModel(
        len(cost),
        len(lengths),
        len(value),
        int(highspy.MatrixFormat.kRowwise),
        int(highspy.ObjSense.kMinimize),
        0.0,
        cost,
        *bounds,
        *limits,
        np.append(0, np.cumsum(lengths)).astype(np.int32),
        index.astype(np.int32),
        value,
        np.zeros(len(cost), dtype=np.int32),
    )
    return highs


def _instance() -> highspy.Highs:
    """This thread's own instance, cleared: to make and unmake one takes as long as a small program."""
    found: highspy.Highs | None = getattr(_own, "highs", None)
    if found is None:
        found = _own.highs = highspy.Highs()
    found.clear()
    return found


def _limit(highs: highspy.Highs, seconds: float | None) -> None:
    """Give the solver so many seconds from now: its clock counts all that the instance has solved."""
    if seconds is not None:
        highs.setOptionValue("time_limit", highs.getRunTime() + max(0.01, float(seconds)))


def tolerate(highs: highspy.Highs, amount: float) -> None:
    """Let rows and reduced costs be off by so much."""
    highs.setOptionValue("primal_feasibility_tolerance", amount)
    highs.setOptionValue("dual_feasibility_tolerance", amount)


def _pairs(first: NDArray[Number], second: NDArray[Number]) -> NDArray[Number]:
    """The numbers of two lists by turns."""
    found = np.empty(2 * len(first), dtype=first.dtype)
    found[::2], found[1::2] = first, second
    return found


def sizes(program: Program, *, scaled: bool) -> NDArray[np.float64]:
    """The units of the variables: alpha^|i-j| of the cell nearest the diagonal, or 1.

    Output DP with a larger ratio keeps entries up to that ratio's powers. What gets too small is left out of the sums.
    """
    if not scaled:
        return np.ones(program.cells)
    fall = float(max(program.problem.alpha, program.problem.shape.output_dp or 0))
    size: NDArray[np.float64] = np.maximum(fall**program.distance, 1e-200)
    return size
