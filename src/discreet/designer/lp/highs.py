"""HiGHS, and the only import of it: a float solve that returns which constraints are tight.

The designer keeps none of the solver's numbers: it recomputes each from the set of tight
constraints. Given a starting basis it walks from there; without one, interior point with crossover
is the fastest for large programs and dual simplex for small ones.
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
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Limits = tuple[Floats, Floats]
    Rows = tuple[Floats, Limits, Limits, Ints, Ints, Floats]
    """A program: costs, bounds of the variables, limits of the rows; each row's length,
    variables and numbers.
    """

BASIC = highspy.HighsBasisStatus.kBasic
_LOWER, _UPPER = highspy.HighsBasisStatus.kLower, highspy.HighsBasisStatus.kUpper
OPTIMAL = highspy.HighsModelStatus.kOptimal
USABLE = (OPTIMAL, highspy.HighsModelStatus.kUnbounded)
LEAST_COEFFICIENT = 1e-12
LONG_SUMS = 10_000
"""From so many variables on the sums stay in the ratios' unit, so that they are eliminated last."""
DUAL, PRIMAL = 1, 4
"""HiGHS's numbers for the two ways of its simplex."""
CLOSE, OFF = 1e-10, 1e-9
"""How far off rows and reduced costs may be in a walk, and a little more."""

KEPT = 30_000
"""Programs of up to so many entries are solved by an instance that is kept, and its memory with
it.
"""
_own = threading.local()

EVEN = 1000
"""Weights of a prior that differ by less than this factor are nearly even."""


def uneven(program: Program) -> bool:
    """Whether the weights of a prior differ much."""
    weights = program.costs.weight
    return max(weights) > EVEN * min(weights)


def solve(
    program: Program,
    cost: Floats,
    *,
    method: str = "simplex",
    scaled: bool = False,
    seconds: float | None = None,
    start: Sequence[int] | None = None,
    equal: Sequence[tuple[int, int]] = (),
    fixed: Sequence[int] = (),
    later: Ints | None = None,
) -> list[int] | None:
    """Minimise `cost` (one number per variable, and one for t in a worst case); return the tight
    constraints.

    `method` is "simplex", "ipm" or "dual": primal simplex in the dual program, for mean costs.
    `scaled` solves in the variables x / alpha^|i-j|, which keeps entries far from the diagonal
    above the solver's tolerances. `start` is a set of tight constraints to begin from, `equal`
    lists pairs of variables that must be equal, `fixed` constraints that must stay tight, by
    simplex, `later` rows that "dual" leaves out at first. None means the solver did not finish.
    """
    rows = rows_of(program, cost, scaled=scaled, equal=equal, fixed=fixed)
    if method == "dual":
        return _solve_dual(program, rows, start, len(equal), later, seconds)
    highs = load_rows(*rows)
    highs.setOptionValue("solver", method)
    highs.setOptionValue("presolve", "off" if method == "simplex" else "choose")
    limit(highs, seconds)
    if start is not None:
        highs.setBasis(basis_of(program, start, len(equal)))
        # With constraints fixed the start is feasible and the objective new; else it is a walk from
        # what they break.
        _prepare(highs, program, PRIMAL if fixed else DUAL)
        # A flat cost under a uniform prior ties so often that Devex's weights mislead: plain
        # Dantzig takes a quarter of the steps. Under another prior Dantzig takes twice as many, or
        # loses its way.
        ties = program.costs.flat and program.problem.prior.uniform
        highs.setOptionValue("simplex_dual_edge_weight_strategy", 0 if ties else 1)
    highs.run()
    if highs.getModelStatus() != OPTIMAL:
        return None
    return constraints(program, *tight_of(highs, method), len(equal))


def _solve_dual(
    program: Program,
    rows: Rows,
    start: Sequence[int] | None,
    equal: int,
    later: Ints | None,
    seconds: float | None,
) -> list[int] | None:
    """Solve the dual program, where 0 is feasible because no cost is negative, and so is a basis
    that properties break.

    It has a row for each variable, of which there are a half or a third as many as rows: its basis
    is as much smaller, and a step takes about half as long as one of dual simplex.
    """
    basis = None if start is None else basis_of(program, start, equal, turned=True)
    if (highs := _walked(program, rows, basis, seconds, later)) is None:
        return None
    basic_rows, basic_columns = tight_of(highs, "simplex")
    return constraints(program, ~basic_columns, ~basic_rows, equal)


def run_dual(
    program: Program,
    rows: Rows,
    tight_rows: NDArray[np.bool_],
    tight: NDArray[np.bool_],
    *,
    seconds: float | None,
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], Floats] | None:
    """The same for any rows, from the tight ones among them and among the variables: both, and
    the multipliers.
    """
    basis = highspy.HighsBasis()
    basis.col_status = [BASIC if held else _LOWER for held in tight_rows.tolist()]
    basis.row_status = [BASIC if held else _UPPER for held in tight.tolist()]
    basis.valid, basis.alien = True, bool(tight_rows.sum() + tight.sum() != len(tight))
    if (highs := _walked(program, rows, basis, seconds)) is None:
        return None
    basic_columns, basic_rows = tight_of(highs, "simplex")
    return ~basic_columns, ~basic_rows, np.array(highs.getSolution().col_value)


def _walked(
    program: Program,
    rows: Rows,
    basis: highspy.HighsBasis | None,
    seconds: float | None,
    later: Ints | None = None,
) -> highspy.Highs | None:
    """Primal simplex in the dual program, first without the columns `later`; None if it does not
    get to the end.
    """
    highs = _load_dual(rows)
    limit(highs, seconds)
    if basis is not None:
        highs.setBasis(basis)
    _prepare(highs, program, PRIMAL)
    # Its bounds are the costs, which lean toward the tie-break and so leave no ties to perturb.
    highs.setOptionValue("primal_simplex_bound_perturbation_multiplier", 0.0)
    highs.setOptionValue("simplex_primal_edge_weight_strategy", 1)
    if later is not None and len(later):
        columns, none = later.astype(np.int32), np.zeros(len(later))
        highs.changeColsBounds(len(later), columns, none, none)
        highs.run()
        highs.changeColsBounds(len(later), columns, none, none + highspy.kHighsInf)
    highs.run()
    return highs if highs.getModelStatus() == OPTIMAL else None


def _prepare(highs: highspy.Highs, program: Program, strategy: int) -> None:
    """Set what simplex from a basis needs; that is given before, because what mends an alien one
    had better scale.
    """
    highs.setOptionValue("solver", "simplex")
    highs.setOptionValue("presolve", "off")
    highs.setOptionValue("simplex_strategy", strategy)
    # Far more steps than a walk takes: one that is stuck leaves the others their turn. Not seconds:
    # a busy machine changes nothing.
    highs.setOptionValue("simplex_iteration_limit", 500 + 2 * program.cells)
    # The variables are scaled already, where that is needed; HiGHS's own scaling triples the time
    # to factor.
    highs.setOptionValue("simplex_scale_strategy", 0)
    tolerate(highs, CLOSE)


def constraints(
    program: Program, columns: NDArray[np.bool_], rows: NDArray[np.bool_], equal: int
) -> list[int]:
    """Tight columns and rows as the program numbers them."""
    inputs = len(program.head) + len(program.sums) + equal
    return [
        *np.flatnonzero(rows[: program.first_bound]).tolist(),
        *(program.first_bound + np.flatnonzero(columns[: program.cells])).tolist(),
        *(program.first_input + np.flatnonzero(rows[inputs:])).tolist(),
    ]


def basis_of(
    program: Program, start: Sequence[int], equal: int = 0, *, turned: bool = False
) -> highspy.HighsBasis:
    """Write tight constraints as a basis; column sums are tight, rows that `start` does not know
    are not.

    In the dual program, a basis `turned`, what is tight is basic, and rows and columns change
    places.
    """
    loose, tight = ((_UPPER, _LOWER), BASIC) if turned else ((BASIC, BASIC), _LOWER)
    columns = [loose[0]] * (program.cells + bool(program.inputs))
    dense = len(program.inputs) + len(program.extras)
    rows = (
        [loose[1]] * program.first_bound
        + [tight] * len(program.sums)
        + [loose[1]] * (equal + dense)
    )
    for k in start:
        if k < program.first_bound:
            rows[k] = tight
        elif k < program.first_input:
            columns[k - program.first_bound] = tight
        else:
            rows[k - program.first_input - dense] = tight
    basis = highspy.HighsBasis()
    basis.col_status, basis.row_status = (rows, columns) if turned else (columns, rows)
    # "Alien" bases are factored once more when they are set, to count and mend them.
    basis.valid, basis.alien = True, len(start) + len(program.sums) != len(columns)
    return basis


def tight_of(highs: highspy.Highs, method: str) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which columns and rows are not basic."""
    if method == "simplex":
        rows, columns = highs.getNumRow(), highs.getNumCol()
        # a basic row is -1 less its number: counted from the end, it stands before the columns
        tight = np.ones(columns + rows, dtype=bool)
        tight[highs.getBasicVariables()[1]] = False
        return tight[:columns], tight[: columns - 1 : -1]
    # By status, which is slower: getBasicVariables() crashes the process after interior point and
    # crossover.
    basis = highs.getBasis()
    return (
        np.array([status != BASIC for status in basis.col_status], dtype=bool),
        np.array([status != BASIC for status in basis.row_status], dtype=bool),
    )


def _load_dual(rows: Rows) -> highspy.Highs:
    """Hand the dual of a program of inequalities `row >= bottom` and equations to HiGHS: a
    column for each row.
    """
    cost, (lower, _), (bottom, top), lengths, index, value = rows
    if lower.any():  # x = lower + what it is more
        row = np.repeat(np.arange(len(lengths)), lengths)
        bottom = bottom - np.bincount(row, weights=value * lower[index], minlength=len(lengths))
    least = np.where(top < highspy.kHighsInf, -highspy.kHighsInf, 0.0)
    bounds = least, np.full(len(lengths), highspy.kHighsInf)
    limits = np.full(len(cost), -highspy.kHighsInf), cost
    return load_rows(-bottom, bounds, limits, lengths, index, value, highspy.MatrixFormat.kColwise)


def load_rows(
    cost: Floats,
    bounds: Limits,
    limits: Limits,
    lengths: Ints,
    index: Ints,
    value: Floats,
    order: highspy.MatrixFormat = highspy.MatrixFormat.kRowwise,
) -> highspy.Highs:
    """Hand a program to HiGHS, the entries of its rows (or columns) one after another."""
    highs = _instance() if len(value) <= KEPT else highspy.Highs()
    highs.silent()
    highs.setOptionValue("small_matrix_value", LEAST_COEFFICIENT)
    # One thread and one seed: the same basis on every run. (The result does not depend on it; its
    # cost does.)
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("random_seed", 0)
    start = np.zeros(len(lengths) + 1, dtype=np.int32)
    start[1:] = np.cumsum(lengths)
    size = len(cost), len(limits[0]), len(value)
    kind = int(order), int(highspy.ObjSense.kMinimize), 0.0
    continuous = np.zeros(len(cost), dtype=np.int32)
    highs.passModel(
        *size, *kind, cost, *bounds, *limits, start, index.astype(np.int32), value, continuous
    )
    return highs


def _instance() -> highspy.Highs:
    """This thread's own instance, cleared: to make and unmake one takes as long as a small
    program.
    """
    found: highspy.Highs | None = getattr(_own, "highs", None)
    if found is None:
        found = _own.highs = highspy.Highs()
    found.clear()
    return found


def limit(highs: highspy.Highs, seconds: float | None) -> None:
    """Give the solver so many seconds from now: its clock counts all that the instance has
    solved.
    """
    if seconds is not None:
        highs.setOptionValue("time_limit", highs.getRunTime() + max(0.01, float(seconds)))


def tolerate(highs: highspy.Highs, amount: float) -> None:
    """Let rows and reduced costs be off by so much."""
    highs.setOptionValue("primal_feasibility_tolerance", amount)
    highs.setOptionValue("dual_feasibility_tolerance", amount)


def rows_of(
    program: Program,
    cost: Floats,
    *,
    scaled: bool = False,
    equal: Sequence[tuple[int, int]] = (),
    fixed: Sequence[int] = (),
) -> Rows:
    """The program row by row, straight from the arrays: ratios, sums, equalities, inputs."""
    cells, rows, sums, inputs = (
        program.cells,
        len(program.head),
        len(program.sums),
        len(program.inputs),
    )
    size, extra = sizes(program, scaled=scaled), 1 if inputs else 0
    ratios = np.array([float(value) for value in program.ratios])[program.ratio]
    if scaled:
        ratios *= size[program.tail] / size[program.head]
    # HiGHS drops coefficients below 1e-12: the sums are written in a smaller unit, as far as its
    # tolerances allow. A large program's are not: it eliminates by a column's largest number, and
    # where that is a sum's, its factors fill.
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
        value.append(
            np.array([*(-amount / program.scale * size[cell] for cell, amount in entries), 1.0])
        )
        lengths.append(np.array([len(entries) + 1]))
    # a further row is divided by its largest number, so that the solver's tolerances mean the same
    # in all of them
    largest = [
        max(abs(x) for x in (least, *(amount for _, amount in entries)))
        for entries, least in program.extras
    ]
    for (entries, _), most in zip(program.extras, largest, strict=True):
        index.append(np.array([cell for cell, _ in entries]))
        value.append(np.array([amount / most * size[cell] for cell, amount in entries]))
        lengths.append(np.array([len(entries)]))
    count = rows + sums + len(equal) + inputs + len(largest)

    lower, upper = np.zeros(cells + extra), np.full(cells + extra, np.inf)
    lower[program.honest] = 1 / program.problem.size / size[program.honest]
    lower[cells:] = -np.inf
    bottom, top = np.zeros(count), np.full(count, np.inf)
    bottom[rows : rows + sums] = top[rows : rows + sums] = unit
    # an equation that holds by itself would be tight without being needed: it is off by what a
    # solver sees
    if equal:
        bottom[rows + sums :][: len(equal)] = top[rows + sums :][: len(equal)] = OFF * np.cos(
            np.arange(len(equal))
        )
    for k, ((_, least), most) in enumerate(
        zip(program.extras, largest, strict=True), count - len(largest)
    ):
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

    Output DP with a larger ratio keeps entries up to that ratio's powers. What gets too small is
    left out of the sums.
    """
    if not scaled:
        return np.ones(program.cells)
    fall = float(max(program.problem.alpha, program.problem.shape.output_dp or 0))
    size: Floats = np.maximum(fall**program.distance, 1e-200)
    return size
