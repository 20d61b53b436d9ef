"""The multipliers of the program of thresholds as multipliers of the paper's own rows, which the
verifier adds up.

With U, P and H the multipliers of the rows private, steep and honest, and V, Q and G those of their
mirror images:

    private    t_j - a (1 - s_j) = sum_{i<=j} (x[i,j+1] - a x[i,j])               U_j on these rows
               of privacy
    steep      d_{j+1} - a d_j = (x[j+1,j+1] - x[j,j+1]) + (x[j,j+1] - a x[j,j])  P_j on a row of
               honesty and of privacy
    honest     (j+1) d_{j+1} - t_j = sum_{i<=j} (x[j+1,j+1] - x[i,j+1])           H_j on these rows
               of column honesty

and the mirror images alike. A row of column honesty is the sum of the steps of column monotonicity
from i to the diagonal. Column j's sum is charged `a U_j + a V_{j-1} - e_j`, e_j what all of it
charges for d_j; then each diagonal entry is charged exactly its cost, 0, and each other one what
its threshold is, at most 1. All of it is over n.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import fmpq

from discreet.designer.simplex.unfold import Multipliers

if TYPE_CHECKING:
    from discreet.core.certificate import Problem
    from discreet.designer.large.band import Rational
    from discreet.designer.large.symmetric_program import Multipliers as Small
    from discreet.designer.lp.program import Name


def full_multipliers(problem: Problem, small: Small) -> Multipliers:
    """Return the multipliers of the problem's own rows; it must ask for CH or CM, L0 and a
    uniform prior.
    """
    n, a = problem.n, small.a
    private, steep, honest = small.private, small.steep, small.honest
    truth = small.truth
    rows: dict[Name, Rational] = {}
    for j in range(n + 1):
        here = a * private[j] if j < n else 0
        rows["sum", j, 0, 0] = here + (a * private[n - j] if j else 0) - truth[j]
    for j in range(n):
        for i in range(j + 1):
            down = private[j] + (steep[j] if i == j else 0)
            rows["dp", i, j + 1, j] = rows["dp", n - i, n - 1 - j, n - j] = down
        column = {j: steep[j] + (honest[j] if "CH" in problem.shape else (j + 1) * honest[j])}
        if honest[j]:
            column |= {
                i: honest[j] if "CH" in problem.shape else (i + 1) * honest[j] for i in range(j)
            }
        for i, amount in column.items():
            if amount:
                name, mirror = _column_rows(n, i, j, honesty="CH" in problem.shape)
                rows[name] = rows[mirror] = amount
    return _over_n(rows, n)


def _column_rows(n: int, i: int, j: int, *, honesty: bool) -> tuple[Name, Name]:
    """The row of a column property at output i <= j of column j+1, and its mirror image."""
    if honesty:
        return ("ch", i, j + 1, 0), ("ch", n - i, n - 1 - j, 0)
    return ("cm", i + 1, i, j + 1), ("cm", n - 1 - i, n - i, n - 1 - j)


def _over_n(rows: dict[Name, Rational], n: int) -> Multipliers:
    """Write rationals, divided by n, as integers over one denominator."""
    different = {id(y): fmpq(y) for y in rows.values()}
    common = fmpq(1).q
    for y in different.values():
        if common % y.q:
            common = common.lcm(y.q)
    whole = {key: int(y.p * (common // y.q)) for key, y in different.items()}
    return Multipliers(
        rows={name: whole[id(y)] for name, y in rows.items()}, denominator=int(common) * n
    ).reduced()
