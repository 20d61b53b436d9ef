"""What was asked, and the proof that nothing does it better.

A `Problem` is the linear program of the paper (BasicDP and the properties as constraints) written as a value:
the entries `x[i, j] = Pr[i|j]` of the matrix are its variables. A `Certificate` is a dual solution of it: one
multiplier for each row of the program that is needed. Both are plain data. `discreet.designer` finds them,
`discreet.proof` checks them with integers and without this module.

The rows, each `left >= right` with a multiplier >= 0, or `left = right` with a multiplier of any sign (free):

    kind    (a, b, c)    row
    sum     (j, 0, 0)    sum_i x[i,j] = 1                                            free
    dp      (i, j, k)    x[i,j] - alpha x[i,k] >= 0, |j-k| = 1
    odp     (i, k, j)    x[i,j] - beta x[k,j] >= 0, |i-k| = 1, beta the ratio of output DP
    rm      (i, j, k)    x[i,j] - x[i,k] >= 0, k one step further from i than j
    cm      (i, k, j)    x[i,j] - x[k,j] >= 0, k one step further from j than i
    rh      (i, j, 0)    x[i,i] - x[i,j] >= 0
    ch      (i, j, 0)    x[j,j] - x[i,j] >= 0
    wh      (i, 0, 0)    x[i,i] >= 1/(n+1)
    f       (i, 0, 0)    x[i,i] - x[i+1,i+1] = 0                                     free
    s       (i, j, 0)    x[i,j] - x[n-i,n-j] = 0                                     free
    input   (j, 0, 0)    t - (n+1) w_j sum_i loss[i][j] x[i,j] >= 0, worst case only; these sum to 1

For multipliers y the reduced cost of a variable is its cost less what the rows charge for it. Every entry
lies in [0, 1], so `b.y + sum_v min(0, reduced cost of v)` is at most the cost of every feasible mechanism,
whatever y is: that number is the certificate's `bound`. It proves optimality when it equals the `cost`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from discreet.core.losses import Loss, Prior
    from discreet.core.properties import Shape

Row = tuple[str, int, int, int, int]
"""A kind of row, its three indices, and the numerator of its multiplier."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One question to the designer: the best alpha-private mechanism of a shape, for a loss and a prior.

    The mean cost is `sum_j w_j sum_i loss[i][j] Pr[i|j]`; in the worst case it is
    `max_j (n+1) w_j sum_i loss[i][j] Pr[i|j]`: for the uniform prior, the plain worst case over inputs.
    """

    n: int
    alpha: Fraction
    shape: Shape
    loss: Loss
    prior: Prior
    worst_case: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """Multipliers that bound the cost of every mechanism of a problem from below, exactly.

    Each row is `(kind, a, b, c, numerator)`, see the module's table; its multiplier is numerator/denominator.

    >>> loose = Certificate(cost=Fraction(1, 2), bound=Fraction(2, 5), denominator=5, rows=(("sum", 0, 0, 0, 2),))
    >>> loose.optimal, loose.gap
    (False, Fraction(1, 4))
    """

    cost: Fraction
    bound: Fraction
    denominator: int
    rows: tuple[Row, ...]

    @property
    def optimal(self) -> bool:
        """Whether the bound meets the cost, which proves that no mechanism of the problem costs less."""
        return self.cost == self.bound

    @property
    def gap(self) -> Fraction | None:
        """How far from optimal it can be at most, `cost / bound - 1`; None when the bound allows no ratio."""
        if self.optimal:
            return Fraction(0)
        return self.cost / self.bound - 1 if self.bound > 0 else None
