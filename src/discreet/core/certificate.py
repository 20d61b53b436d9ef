"""What was asked, what it costs, and the proof that nothing does it better.

A `Problem` is the linear program of the paper (BasicDP and the properties as constraints) written as a value:
the entries `x[i, j] = Pr[i|j]` of the matrix are its variables. A `Certificate` is a dual solution of it: one
multiplier for each row of the program that is needed. Both are plain data. `discreet.designer` finds them,
`discreet.proof` checks them with integers and without this module.

The rows are those of `discreet.core.domains`, by the names given there.

For multipliers y the reduced cost of a variable is its cost less what the rows charge for it. Every entry
lies in [0, 1], so `b.y + sum_v min(0, reduced cost of v)` is at most the cost of every feasible mechanism,
whatever y is: that number is the certificate's `bound`. It proves optimality when it equals the `cost`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from operator import lt
from typing import TYPE_CHECKING

from discreet.core.domains import ROWS, Counts, RowKind
from discreet.core.histogram import Domain
from discreet.core.losses import Loss, LossLike, Prior, PriorLike, read_loss, read_prior
from discreet.core.privacy import Alpha, read_alpha
from discreet.core.properties import Shape, ShapeLike, read_shape
from discreet.core.rationals import read_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from discreet.core.rationals import Exact

MAX_N = 10_000_000

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
    over: Domain | None = None
    """What the true answer can be, where that is not a count that one person moves by one."""

    @property
    def domain(self) -> Counts:
        """What the true answer can be, of a problem about counts."""
        return self.over if isinstance(self.over, Counts) else Counts(self.n)

    @property
    def size(self) -> int:
        """How many points the domain has."""
        return self.n + 1 if self.over is None else self.over.size

    @property
    def plain(self) -> bool:
        """Whether it is about counts that one person moves by one: the theorems about GM, EM and WM are."""
        return self.over is None

    @property
    def ratios(self) -> dict[str, Fraction]:
        """What the ratio of a row is, by its name in `ROWS`."""
        return {"1": Fraction(1), "alpha": self.alpha, "beta": self.shape.output_dp or Fraction(0)}

    @property
    def asked(self) -> list[RowKind]:
        """The kinds of rows that privacy and the shape are made of."""
        return [row for row in ROWS.values() if not row.asked_by or row.asked_by in self.shape]

    @property
    def equations(self) -> list[RowKind]:
        """Those that make entries equal: equations, and `x >= y` between neighbours both ways."""
        level = {name for name, ratio in self.ratios.items() if ratio == 1}
        return [row for row in self.asked if row.free or (row.pairs in ("step", "unit") and row.ratio in level)]


def read_problem(
    *,
    n: int,
    alpha: Exact | Alpha | None = None,
    epsilon: Exact | None = None,
    properties: ShapeLike = None,
    loss: LossLike | Loss = "L0",
    prior: PriorLike | Prior = None,
    worst_case: bool = False,
    over: Domain | None = None,
) -> Problem:
    """Read what is asked of the designer.

    Any shape with an output-DP ratio of at most 1 can be had: the uniform mechanism has all seven properties
    and output DP at every ratio up to 1, so no request that can be read is contradictory.

    >>> read_problem(n=4, alpha="10/11", properties="WH").shape
    Shape(names=frozenset({'WH'}), output_dp=None)
    """
    privacy = read_alpha(alpha=alpha, epsilon=epsilon)
    n = read_count("n", n, most=MAX_N)
    return Problem(
        n=n,
        alpha=privacy.value,
        shape=read_shape(properties),
        loss=read_loss(loss, n, over),
        prior=read_prior(prior, n, over),
        worst_case=bool(worst_case),
        over=over,
    )


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """`loss[i][j] / loss_scale` is the cost of answer i when the truth is j, `weight[j] / weight_scale` the prior.

    `flat` says that the mean cost alone is likely to leave many optima: some input has no weight, or some answer
    costs no more than one nearer the truth. A loss that grows strictly away from the diagonal rarely leaves any.
    """

    loss: tuple[tuple[int, ...], ...]
    loss_scale: int
    weight: tuple[int, ...]
    weight_scale: int
    flat: bool

    @property
    def scale(self) -> int:
        """The scale of `weight * loss`."""
        return self.loss_scale * self.weight_scale


def costs_of(problem: Problem) -> Costs:
    """Return a problem's costs as integers."""
    return _costs(problem.loss, problem.prior)


@lru_cache(maxsize=32)
def _costs(loss: Loss, prior: Prior) -> Costs:
    exact = loss.matrix
    loss_scale = lcm(*{value.denominator for row in exact for value in row})
    weight_scale = lcm(*{w.denominator for w in prior.weights})
    whole = tuple(tuple(v.numerator * (loss_scale // v.denominator) for v in row) for row in exact)
    return Costs(
        loss=whole,
        loss_scale=loss_scale,
        weight=tuple(w.numerator * (weight_scale // w.denominator) for w in prior.weights),
        weight_scale=weight_scale,
        flat=0 in prior.weights or not all(_rises(column, j) for j, column in enumerate(zip(*whole, strict=True))),
    )


def _rises(column: Sequence[int], j: int) -> bool:
    """Whether costs rise strictly on both sides of the truth."""
    right, left = column[j:], column[j::-1]
    return all(map(lt, right, right[1:])) and all(map(lt, left, left[1:]))
