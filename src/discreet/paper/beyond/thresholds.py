"""A small program for weak honesty with a column property, and the matrix rebuilt from it.

For each pair of neighbouring counts j, j+1 let

    t_j = Pr[output <= j | count j+1]        s_j = Pr[output > j | count j]

be the two ways the answer can fall on the wrong side. Then Pr[j|j] = d_j = 1 - t_{j-1} - s_j, so
that L0 = (1/n) sum_j (t_j + s_j), and every alpha-private, column-honest mechanism has

    t_j >= a (1 - s_j),  s_j >= a (1 - t_j)       privacy of the event "output <= j"
    d_{j+1} >= a d_j,  d_j >= a d_{j+1}           Pr[j+1|j+1] >= Pr[j|j+1] >= a Pr[j|j], and its
                       mirror
    t_{j-1} <= j d_j,  s_j <= (n-j) d_j           no wrong answer is likelier than the truth

(the first line alone gives L0 >= 2a/(1+a): GM's optimality in one line). 2n variables, six rows for
each j, each with at most four of them: `solve` finds the optimum in floats, then the exact vertex
and the exact dual from its basis. The minimum is a lower bound for every mechanism with CH
(proven). `rebuild` fills each column like water, as level as its sums allow
(`designer.large.filling`). `has_room` is a condition under which that provably succeeds (most
optima meet it; where one does not, as at a = 957/1000 and n = 61, filling succeeded all the same:
observed). Then the matrix has RM and CM as well and attains the bound, so it is optimal.
`Mechanism` checks it exactly, so no trust in this page is needed.

The designer's own program (`designer.large.symmetric_program`) is this one folded by symmetry,
which is what large groups need; here it is whole, because only so can it be said that an optimum is
the only one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from discreet.core.forms import dense_from
from discreet.core.mechanism import Mechanism, Origin
from discreet.core.rationals import Exact, read_alpha, read_count
from discreet.designer.large import filling
from discreet.designer.large.symmetric_program import Point
from discreet.designer.lp.float_minimum import FloatOptimum, minimise
from discreet.errors import NotProven

Terms = dict[int, Fraction]
ONE = Fraction(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """An exact optimum of the small program: t, s, and the bound that its multipliers prove.

    `unique` says that it is proven to be the only one: a basis of rows with positive multipliers is
    tight at every optimum, and leaves one point. Where it is False nothing is known.
    """

    n: int
    alpha: Fraction
    below: tuple[Fraction, ...]
    above: tuple[Fraction, ...]
    bound: Fraction
    unique: bool = False

    @property
    def cost(self) -> Fraction:
        """L0 = (1/n) sum_j (t_j + s_j)."""
        return sum((*self.below, *self.above), Fraction(0)) / self.n

    @property
    def diagonal(self) -> tuple[Fraction, ...]:
        """d_j = 1 - t_{j-1} - s_j."""
        zero = Fraction(0)
        return tuple(
            ONE - t - s for t, s in zip((zero, *self.below), (*self.above, zero), strict=True)
        )


def rows(n: int, a: Fraction) -> list[tuple[Terms, Fraction]]:
    """Return the program's rows, terms >= right-hand side; variable 2j is t_j and 2j+1 is s_j."""

    def diagonal(j: int, factor: Fraction) -> Terms:
        """The variable part of factor * d_j; its constant is factor."""
        return ({2 * (j - 1): -factor} if j > 0 else {}) | ({2 * j + 1: -factor} if j < n else {})

    def total(*parts: Terms) -> Terms:
        found: Terms = {}
        for part in parts:
            for variable, value in part.items():
                found[variable] = found.get(variable, Fraction(0)) + value
        return found

    found: list[tuple[Terms, Fraction]] = []
    for j in range(n):
        t, s = 2 * j, 2 * j + 1
        found.append(({t: ONE, s: a}, a))
        found.append(({s: ONE, t: a}, a))
        found.append((total(diagonal(j + 1, ONE), diagonal(j, -a)), a - 1))
        found.append((total(diagonal(j, ONE), diagonal(j + 1, -a)), a - 1))
        found.append((total(diagonal(j + 1, Fraction(j + 1)), {t: -ONE}), Fraction(-j - 1)))
        found.append((total(diagonal(j, Fraction(n - j)), {s: -ONE}), Fraction(j - n)))
    return found


def solve(*, n: int, alpha: Exact) -> Thresholds:
    """Return an exact optimum with its bound; `NotProven` where the float basis is not exactly
    optimal.

    >>> found = solve(n=4, alpha="9/10")
    >>> found.cost == found.bound, round(float(found.cost), 6)
    (True, 0.965432)
    """
    from flint import fmpq, fmpq_mat

    a = read_alpha(alpha=alpha).value
    n = read_count("n", n, least=1)
    table = rows(n, a)
    tight = _minimum(table, 2 * n).tight
    if len(tight) != 2 * n:
        raise NotProven(
            f"the small program's basis for n = {n} has {len(tight)} tight rows, not {2 * n}"
        )
    matrix = fmpq_mat(2 * n, 2 * n)
    for row, k in enumerate(tight):
        for variable, value in table[k][0].items():
            matrix[row, variable] = fmpq(value.numerator, value.denominator)
    right = fmpq_mat(
        2 * n, 1, [fmpq(table[k][1].numerator, table[k][1].denominator) for k in tight]
    )
    prices = fmpq_mat(2 * n, 1, [fmpq(1, n)] * (2 * n))
    point = [_fraction(x) for x in matrix.solve(right).entries()]
    multipliers = [_fraction(y) for y in matrix.transpose().solve(prices).entries()]
    feasible = all(
        sum((c * point[v] for v, c in terms.items()), Fraction(0)) >= least
        for terms, least in table
    )
    if not feasible or min(point) < 0 or min(multipliers) < 0:
        raise NotProven(
            f"the float basis of the small program is not exactly optimal for n = {n}, alpha = {a}"
        )
    bound = sum((y * table[k][1] for y, k in zip(multipliers, tight, strict=True)), Fraction(0))
    below, above = tuple(point[0::2]), tuple(point[1::2])
    return Thresholds(
        n=n, alpha=a, below=below, above=above, bound=bound, unique=min(multipliers) > 0
    )


def least_cost(n: int, alpha: float) -> float:
    """Return the minimum of the program in floats, for curves and large n."""
    table = rows(n, Fraction(alpha))
    return _minimum(table, 2 * n).cost / n


def one_sided_cost(n: int, alpha: float) -> float:
    """Return the least L0 under weak honesty alone: privacy of thresholds and d_j >= 1/(n+1), in
    floats.

    With no column property asked, d, t and s meet only in these rows, and nothing is lost by them
    (observed).
    """
    a = Fraction(alpha)
    table = [row for k, row in enumerate(rows(n, a)) if k % 6 < 2]
    for j in range(n + 1):
        terms = ({2 * (j - 1): -ONE} if j > 0 else {}) | ({2 * j + 1: -ONE} if j < n else {})
        table.append((terms, Fraction(1, n + 1) - 1))
    return _minimum(table, 2 * n).cost / n


def _fraction(x: Any) -> Fraction:
    return Fraction(int(x.p), int(x.q))


def _minimum(table: Sequence[tuple[Terms, Fraction]], size: int) -> FloatOptimum:
    # free variables: t, s >= 0 never binds, and the exact step checks it
    rows = [{v: float(c) for v, c in terms.items()} for terms, _ in table]
    return minimise(
        np.ones(size), rows, least=[float(least) for _, least in table], tolerance=1e-10
    )


def rebuild(found: Thresholds) -> Mechanism:
    """Return a mechanism with WH, RM, CM and S that attains the program's cost; `NotProven` where
    filling fails.

    >>> m = rebuild(solve(n=6, alpha="3/4"))
    >>> m.satisfies("WH RM CM S"), m.score("L0") == solve(n=6, alpha="3/4").bound
    (True, True)
    """
    origin = Origin(method="small program of thresholds, filled level")
    return Mechanism(
        privacy=read_alpha(alpha=found.alpha),
        form=dense_from(filling.fill(_mirrored(found))),
        origin=origin,
    )


def has_room(found: Thresholds) -> bool:
    """Whether filling provably succeeds: `designer.large.filling.has_room` of the point averaged
    with its mirror.
    """
    return filling.has_room(_mirrored(found))


def _mirrored(found: Thresholds) -> Point:
    """The point averaged with its mirror image, which is optimal too; s is then t reversed."""
    return Point(
        found.alpha, [(t + s) / 2 for t, s in zip(found.below, reversed(found.above), strict=True)]
    )
