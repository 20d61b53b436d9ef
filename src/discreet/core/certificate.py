"""What was asked, what it costs, and the proof that nothing does it better.

A `Problem` is the linear program of the paper (BasicDP and the properties as constraints) written
as a value: the entries `x[i, j] = Pr[i|j]` of the matrix are its variables. A `Certificate` is a
dual solution of it: one multiplier for each row of the program that is needed. Both are plain data.
`discreet.designer` finds them, `discreet.proof` checks them with integers and without this module.

The rows are those of `discreet.core.domains`, by the names given there.

For multipliers y the reduced cost of a variable is its cost less what the rows charge for it. Every
entry lies in [0, 1], so `b.y + sum_v min(0, reduced cost of v)` is at most the cost of every
feasible mechanism, whatever y is: that number is the certificate's `bound`. It proves optimality
when it equals the `cost`.

`score` is the objective of Definition 3 for any matrix, exactly; `moments` says how one true count
is answered.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from operator import lt, mul
from typing import TYPE_CHECKING

from discreet.core.domains import ROWS, Counts, RowKind
from discreet.core.forms import Dense, Folded, histogram_score
from discreet.core.histogram import Domain
from discreet.core.losses import Loss, LossLike, Prior, PriorLike, read_loss, read_prior
from discreet.core.properties import OUTPUT_DP, Shape, ShapeLike, read_shape
from discreet.core.rationals import Alpha, read_alpha, read_count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from discreet.core.forms import Form
    from discreet.core.losses import Loss, Prior
    from discreet.core.own_rows import OwnRows
    from discreet.core.rationals import Exact

MAX_N = 10**9
_ONE, _NONE = Fraction(1), Fraction(0)

Row = tuple[str, int, int, int, int]
"""A kind of row, its three indices, and the numerator of its multiplier."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One question to the designer: the best alpha-private mechanism of a shape, for a loss and a
    prior.

    The mean cost is `sum_j w_j sum_i loss[i][j] Pr[i|j]`; in the worst case it is `max_j (n+1) w_j
    sum_i loss[i][j] Pr[i|j]`: for the uniform prior, the plain worst case over inputs.
    """

    n: int
    alpha: Fraction
    shape: Shape
    loss: Loss
    prior: Prior
    worst_case: bool = False
    over: Domain | None = None
    """What the true answer can be; None for a count that one person moves by one, which the
    theorems about GM, EM and WM are about."""
    own: tuple[OwnRows, ...] = ()
    """Inequalities of the caller's own, at this n; no theorem is about them."""
    derivable: bool = False
    """Whether only mechanisms are meant that are GM followed by a random map."""
    regret: Regret | None = None
    """Where `prior` is the least favourable mixture of several: those, and the least worst ratio
    to their optima.
    """

    @property
    def plain(self) -> bool:
        """Whether nothing is asked for but properties by name."""
        return not self.own and not self.derivable

    @property
    def domain(self) -> Counts:
        """What the true answer can be, of a problem about counts."""
        return self.over if isinstance(self.over, Counts) else Counts(self.n)

    @property
    def size(self) -> int:
        """How many points the domain has."""
        return self.n + 1 if self.over is None else self.over.size

    @property
    def ratios(self) -> dict[str, Fraction]:
        """What the ratio of a row is, by its name in `ROWS`."""
        return {"1": _ONE, "alpha": self.alpha, "beta": self.shape.output_dp or _NONE}

    @property
    def asked(self) -> tuple[RowKind, ...]:
        """The kinds of rows that privacy and the shape are made of."""
        return _asked(self.shape.names, self.shape.output_dp is not None)

    @property
    def equations(self) -> list[RowKind]:
        """Those that make entries equal: equations, and `x >= y` between neighbours both ways."""
        level = {
            name
            for name, ratio in self.ratios.items()
            if ratio is _ONE or ratio.numerator == ratio.denominator
        }
        return [
            row
            for row in self.asked
            if row.free or (row.pairs in ("step", "unit") and row.ratio in level)
        ]


@lru_cache(maxsize=256)
def _asked(names: frozenset[str], output_dp: bool) -> tuple[RowKind, ...]:
    asked = names | {OUTPUT_DP} if output_dp else names
    return tuple(row for row in ROWS.values() if not row.asked_by or row.asked_by in asked)


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
    own: tuple[OwnRows, ...] = (),
) -> Problem:
    """Read what is asked of the designer.

    Any shape with an output-DP ratio of at most 1 can be had: the uniform mechanism has all seven
    properties and output DP at every ratio up to 1, so no request without own rows is
    contradictory.

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
        own=own,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """Multipliers that bound the cost of every mechanism of a problem from below, exactly.

    Each row is `(kind, a, b, c, numerator)`, see the module's table; its multiplier is
    numerator/denominator.

    >>> loose = Certificate(
    ...     cost=Fraction(1, 2), bound=Fraction(2, 5), denominator=5, rows=(("sum", 0, 0, 0, 2),)
    ... )
    >>> loose.optimal, loose.gap
    (False, Fraction(1, 4))
    """

    cost: Fraction
    bound: Fraction
    denominator: int
    rows: tuple[Row, ...]

    @property
    def optimal(self) -> bool:
        """Whether the bound meets the cost, which proves that no mechanism of the problem costs
        less.
        """
        return self.cost == self.bound

    @property
    def gap(self) -> Fraction | None:
        """How far from optimal it can be at most, `cost / bound - 1`; None when the bound allows
        no ratio.
        """
        if self.optimal:
            return Fraction(0)
        return self.cost / self.bound - 1 if self.bound > 0 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Regret:
    """The least worst ratio to the optimum over a set of priors, and what proves it.

    `optima` are the certificates of each prior's own optimum; `shares`, which sum to 1, are the
    multipliers of the ratios: with weights share / optimum the priors mix to the least favourable
    one.
    """

    priors: tuple[Prior, ...]
    optima: tuple[Certificate, ...]
    shares: tuple[Fraction, ...]
    value: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """`loss[i][j] / loss_scale` is the cost of answer i when the truth is j, `weight[j] /
    weight_scale` the prior.

    `flat` says that the mean cost alone is likely to leave many optima: some input has no weight,
    or some answer costs no more than one nearer the truth. A loss that grows strictly away from the
    diagonal rarely leaves any.
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
    if loss.table is None and loss.over is None:
        rising, loss_scale = _integers(loss.by_distance or ())
        whole = tuple(tuple(rising[i:0:-1] + rising[: loss.n + 1 - i]) for i in range(loss.n + 1))
        grows = _rises(rising, 0)
    else:
        exact = loss.matrix
        loss_scale = lcm(*{value.denominator for row in exact for value in row})
        whole = tuple(
            tuple(v.numerator * (loss_scale // v.denominator) for v in row) for row in exact
        )
        grows = all(_rises(column, j) for j, column in enumerate(zip(*whole, strict=True)))
    weights, weight_scale = _integers(prior.weights)
    flat = 0 in weights or not grows
    return Costs(
        loss=whole,
        loss_scale=loss_scale,
        weight=tuple(weights),
        weight_scale=weight_scale,
        flat=flat,
    )


def _rises(column: Sequence[int], j: int) -> bool:
    """Whether costs rise strictly on both sides of the truth."""
    right, left = column[j:], column[j::-1]
    return all(map(lt, right, right[1:])) and all(map(lt, left, left[1:]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """How the output behaves for one true count, exactly."""

    mean: Fraction
    bias: Fraction
    variance: Fraction
    mean_squared_error: Fraction
    truth: Fraction


def score(form: Form, loss: Loss, prior: Prior, *, worst_case: bool = False) -> Fraction:
    """Return sum_j w_j E[loss | j], or max_j (n+1) w_j E[loss | j].

    Summed in integers over each denominator that occurs: many times faster than a sum of fractions.
    """
    if isinstance(form, Folded):
        return histogram_score(form, loss, prior, worst_case=worst_case)
    expected = _tail_loss(form, loss) if loss.tail is not None else _expected_loss(form, loss)
    weights, scale = _integers(prior.weights)
    if (
        isinstance(form, Dense)
        and not worst_case
        and loss.symmetric
        and prior.symmetric
        and form.symmetric
    ):
        # each true count costs as much as its image
        half = (form.n + 1) // 2
        weights[:half], weights[form.n + 1 - half :] = (
            [2 * weight for weight in weights[:half]],
            [0] * half,
        )
    costs: dict[int, list[int]] = {}
    for j, weight in enumerate(weights):
        numerator, denominator = expected(j) if weight else (0, 1)
        costs.setdefault(denominator, []).append(weight * numerator)
    if worst_case:
        return (form.n + 1) * max(Fraction(max(several), d * scale) for d, several in costs.items())
    return sum((Fraction(sum(several), d * scale) for d, several in costs.items()), Fraction(0))


def _expected_loss(form: Form, loss: Loss) -> Callable[[int], tuple[int, int]]:
    """Return a function from j to E[loss | j], as a numerator over a denominator that need not
    be the least.
    """
    size, table = form.n + 1, loss.table
    exact = (
        loss.by_distance or ()
        if table is None
        else [cost for truth in zip(*table, strict=True) for cost in truth]
    )
    whole, scale = _integers(exact)
    columns = list(zip(*form.rows, strict=True)) if isinstance(form, Dense) else []

    def at(j: int) -> tuple[int, int]:
        weights, denominator = (
            (columns[j], form.denominator) if isinstance(form, Dense) else form.column(j)
        )
        costs = (
            whole[j:0:-1] + whole[: size - j] if table is None else whole[j * size : (j + 1) * size]
        )
        return sum(map(mul, costs, weights)), scale * denominator

    return at


def _tail_loss(form: Form, loss: Loss) -> Callable[[int], tuple[int, int]]:
    """Do the same for L0,d: one less the band around the truth is the same number from far fewer
    entries.
    """
    d, n, cost = loss.tail or 0, form.n, loss.tail_cost

    def at(j: int) -> tuple[int, int]:
        band = slice(max(0, j - d), min(n, j + d) + 1)
        if isinstance(form, Dense):
            near, denominator = sum(row[j] for row in form.rows[band]), form.denominator
        else:
            chance = sum((form.entry(i, j) for i in range(n + 1)[band]), Fraction(0))
            near, denominator = chance.numerator, chance.denominator
        return cost.numerator * (denominator - near), cost.denominator * denominator

    return at


def _integers(values: Sequence[Fraction]) -> tuple[list[int], int]:
    """Return the numerators over one common denominator, and that denominator."""
    common = lcm(*{value.denominator for value in values})
    return [value.numerator * (common // value.denominator) for value in values], common


def moments(form: Form, j: int) -> Moments:
    """Return mean, bias, variance, mean squared error and chance of truth for true count j."""
    weights, whole = form.column(j)
    first = sum(i * w for i, w in enumerate(weights))
    second = sum(i * i * w for i, w in enumerate(weights))
    return Moments(
        mean=Fraction(first, whole),
        bias=Fraction(first - j * whole, whole),
        variance=Fraction(second * whole - first * first, whole * whole),
        mean_squared_error=Fraction(second - 2 * j * first + j * j * whole, whole),
        truth=Fraction(weights[j], whole),
    )
