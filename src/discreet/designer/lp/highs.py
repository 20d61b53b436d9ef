"""HiGHS, and the only import of it: a float solve that returns which constraints are tight.

The designer keeps none of the solver's numbers: it recomputes each from the set of tight constraints. Given a starting
basis it walks from there; without one, interior point with crossover is the fastest for large programs and dual simplex
for small ones.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import highspy
import numpy as np

from discreet.designer.lp.float_rows import LEAST_COEFFICIENT, rows_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from discreet.designer.lp.float_rows import Floats, Limits, Rows
    from discreet.designer.lp.program import Program

BASIC = highspy.HighsBasisStatus.kBasic
_LOWER, _UPPER = highspy.HighsBasisStatus.kLower, highspy.HighsBasisStatus.kUpper
OPTIMAL = highspy.HighsModelStatus.kOptimal
USABLE = (OPTIMAL, highspy.HighsModelStatus.kUnbounded)
DUAL, PRIMAL = 1, 4
"""HiGHS's numbers for the two ways of its simplex."""
EXACT = 1 << 53
"""Integers up to this one are floats."""

KEPT = 30_000
"""Programs of up to so many entries are solved by an instance that is kept, and its memory with it."""
_own = threading.local()

EVEN = 1000
"""Weights of a prior that differ by less than this factor are nearly even."""


def leaning_cost(program: Program, tie: NDArray[np.int64] | None) -> Floats:
    """The cost for the float solve, leaning toward the tie-break, so that one solve does both.

    Where ties are likely the lean is a ten-thousandth of the cost, and both are magnified to stand clear of the
    solver's tolerances. Elsewhere it is as small as they allow; a prior whose weights differ much has no room for it.
    Without a tie-break it is a mean cost as it is, the largest 1.
    """
    if max(program.scale, *program.cost) <= EXACT and min(program.cost) >= -EXACT:
        cost = np.array(program.cost, dtype=np.float64) / program.scale
    else:
        cost = np.array([value / program.scale for value in program.cost])
    largest = float(np.abs(cost).max()) or 1.0
    if tie is None:
        return cost / largest
    lean: Floats = tie / tie.max()
    if program.inputs:
        most = max((abs(amount) for entries in program.inputs for _, amount in entries), default=0) or 1
        return np.append(1e-4 * most / program.scale / program.problem.size * lean, 1.0)
    if program.costs.flat:
        return (cost / largest + 1e-4 * lean) * 1e4
    weights = program.costs.weight
    return cost / largest + 1e-7 * lean if max(weights) <= EVEN * min(weights) else cost


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
) -> list[int] | None:
    """Minimise `cost` (one number per variable, and one for t in a worst case); return the tight constraints.

    `method` is "simplex", "ipm" or "dual": primal simplex in the dual program, for mean costs. `scaled` solves in the
    variables x / alpha^|i-j|, which keeps entries far from the diagonal above the solver's tolerances. `start` is a set
    of tight constraints to begin from, `equal` lists pairs of variables that must be equal, `fixed` constraints that
    must stay tight, by simplex. None means the solver did not finish.
    """
    rows = rows_of(program, cost, scaled=scaled, equal=equal, fixed=fixed)
    if method == "dual":
        return _solve_dual(program, rows, start, len(equal), seconds=seconds)
    highs = load_rows(*rows)
    highs.setOptionValue("solver", method)
    highs.setOptionValue("presolve", "off" if method == "simplex" else "choose")
    limit(highs, seconds)
    if start is not None:
        highs.setBasis(basis_of(program, start, len(equal)))
        # With constraints fixed the start is feasible and the objective new; else it is a walk from what they break.
        _prepare(highs, program, PRIMAL if fixed else DUAL)
        # A flat cost under a uniform prior ties so often that Devex's weights mislead: plain Dantzig takes a quarter of
        # the steps. Under another prior Dantzig takes twice as many, or loses its way.
        ties = program.costs.flat and program.problem.prior.uniform
        highs.setOptionValue("simplex_dual_edge_weight_strategy", 0 if ties else 1)
    highs.run()
    if highs.getModelStatus() != OPTIMAL:
        return None
    return constraints(program, *tight_of(highs, method), len(equal))


def _solve_dual(
    program: Program, rows: Rows, start: Sequence[int] | None, equal: int, *, seconds: float | None
) -> list[int] | None:
    """Solve the dual program, where 0 is feasible because no cost is negative, and so is a basis that properties break.

    It has a row for each variable, of which there are a half or a third as many as rows: its basis is as much smaller,
    and a step takes about half as long as one of dual simplex.
    """
    highs = _load_dual(rows)
    limit(highs, seconds)
    if start is not None:
        highs.setBasis(basis_of(program, start, equal, turned=True))
    if not _walked(highs, program):
        return None
    basic_rows, basic_columns = tight_of(highs, "simplex")
    return constraints(program, ~basic_columns, ~basic_rows, equal)


def run_dual(
    program: Program, rows: Rows, tight_rows: NDArray[np.bool_], tight: NDArray[np.bool_], *, seconds: float | None
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], Floats] | None:
    """The same for any rows, from the tight ones among them and among the variables: both, and the multipliers."""
    highs = _load_dual(rows)
    limit(highs, seconds)
    basis = highspy.HighsBasis()
    basis.col_status = [BASIC if held else _LOWER for held in tight_rows.tolist()]
    basis.row_status = [BASIC if held else _UPPER for held in tight.tolist()]
    basis.valid, basis.alien = True, bool(tight_rows.sum() + tight.sum() != len(tight))
    highs.setBasis(basis)
    if not _walked(highs, program):
        return None
    basic_columns, basic_rows = tight_of(highs, "simplex")
    return ~basic_columns, ~basic_rows, np.array(highs.getSolution().col_value)


def _walked(highs: highspy.Highs, program: Program) -> bool:
    """Whether primal simplex gets to the end of a dual program."""
    _prepare(highs, program, PRIMAL)
    # Its bounds are the costs, which lean toward the tie-break and so leave no ties to perturb.
    highs.setOptionValue("primal_simplex_bound_perturbation_multiplier", 0.0)
    highs.setOptionValue("simplex_primal_edge_weight_strategy", 1)
    highs.run()
    return bool(highs.getModelStatus() == OPTIMAL)


def _prepare(highs: highspy.Highs, program: Program, strategy: int) -> None:
    """Set what simplex from a basis needs; that is given before, because what mends an alien one had better scale."""
    highs.setOptionValue("solver", "simplex")
    highs.setOptionValue("presolve", "off")
    highs.setOptionValue("simplex_strategy", strategy)
    # Far more steps than a walk takes: one that is stuck leaves the others their turn. Not seconds: a busy machine
    # changes nothing.
    highs.setOptionValue("simplex_iteration_limit", 500 + 2 * program.cells)
    # The variables are scaled already, where that is needed; HiGHS's own scaling triples the time to factor.
    highs.setOptionValue("simplex_scale_strategy", 0)
    tolerate(highs, 1e-10)


def constraints(program: Program, columns: NDArray[np.bool_], rows: NDArray[np.bool_], equal: int) -> list[int]:
    """Tight columns and rows as the program numbers them."""
    inputs = len(program.head) + len(program.sums) + equal
    return [
        *np.flatnonzero(rows[: program.first_bound]).tolist(),
        *(program.first_bound + np.flatnonzero(columns[: program.cells])).tolist(),
        *(program.first_input + np.flatnonzero(rows[inputs:])).tolist(),
    ]


def basis_of(program: Program, start: Sequence[int], equal: int = 0, *, turned: bool = False) -> highspy.HighsBasis:
    """Write tight constraints as a basis; column sums are tight, rows that `start` does not know are not.

    In the dual program, a basis `turned`, what is tight is basic, and rows and columns change places.
    """
    loose, tight = ((_UPPER, _LOWER), BASIC) if turned else ((BASIC, BASIC), _LOWER)
    columns = [loose[0]] * (program.cells + bool(program.inputs))
    dense = len(program.inputs) + len(program.extras)
    rows = [loose[1]] * program.first_bound + [tight] * len(program.sums) + [loose[1]] * (equal + dense)
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


def _load_dual(rows: Rows) -> highspy.Highs:
    """Hand the dual of a program of inequalities `row >= bottom` and equations to HiGHS: a column for each row."""
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
    lengths: NDArray[np.int64],
    index: NDArray[np.int64],
    value: Floats,
    order: highspy.MatrixFormat = highspy.MatrixFormat.kRowwise,
) -> highspy.Highs:
    """Hand a program to HiGHS, the entries of its rows (or columns) one after another."""
    highs = _instance() if len(value) <= KEPT else highspy.Highs()
    highs.silent()
    highs.setOptionValue("small_matrix_value", LEAST_COEFFICIENT)
    # One thread and one seed: the same basis on every run. (The result does not depend on it; its cost does.)
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("random_seed", 0)
    start = np.zeros(len(lengths) + 1, dtype=np.int32)
    start[1:] = np.cumsum(lengths)
    highs.passModel(
        len(cost),
        len(limits[0]),
        len(value),
        int(order),
        int(highspy.ObjSense.kMinimize),
        0.0,
        cost,
        *bounds,
        *limits,
        start,
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


def limit(highs: highspy.Highs, seconds: float | None) -> None:
    """Give the solver so many seconds from now: its clock counts all that the instance has solved."""
    if seconds is not None:
        highs.setOptionValue("time_limit", highs.getRunTime() + max(0.01, float(seconds)))


def tolerate(highs: highspy.Highs, amount: float) -> None:
    """Let rows and reduced costs be off by so much."""
    highs.setOptionValue("primal_feasibility_tolerance", amount)
    highs.setOptionValue("dual_feasibility_tolerance", amount)
