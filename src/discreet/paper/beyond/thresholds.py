"""A small program for weak honesty with a column property, and the matrix rebuilt from it.

For each pair of neighbouring counts j, j+1 let

    t_j = Pr[output <= j | count j+1]        s_j = Pr[output > j | count j]

be the two ways the answer can fall on the wrong side. Then Pr[j|j] = d_j = 1 - t_{j-1} - s_j, so that
L0 = (1/n) sum_j (t_j + s_j), and every alpha-private, column-honest mechanism has

    t_j >= a (1 - s_j),  s_j >= a (1 - t_j)       privacy of the event "output <= j"
    d_{j+1} >= a d_j,  d_j >= a d_{j+1}           Pr[j+1|j+1] >= Pr[j|j+1] >= a Pr[j|j], and its mirror
    t_{j-1} <= j d_j,  s_j <= (n-j) d_j           no wrong answer is likelier than the truth

(the first line alone gives L0 >= 2a/(1+a): GM's optimality in one line). 2n variables, six rows for each j, each with
at most four of them: `solve` finds the optimum in floats, then the exact vertex and the exact dual from its basis. The
minimum is a lower bound for every mechanism with CH (proven). `rebuild` fills each column like water: outwards from
the diagonal, row by row, entries are kept between alpha times and one times their inner neighbour and at most d_j, as
level as the column's sums allow. `has_room` is a condition under which that provably succeeds (most optima meet it;
where one does not, as at a = 957/1000 and n = 61, filling succeeded all the same: observed). Then the matrix has RM
and CM as well and attains the bound, so it is optimal. `Mechanism` checks it exactly, so no trust in this page is
needed.
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
from discreet.designer.lp.highs import FloatOptimum, minimise
from discreet.errors import NotProven

Terms = dict[int, Fraction]
ONE = Fraction(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """An exact optimum of the small program: t, s, and the bound that its multipliers prove.

    `unique` says that it is proven to be the only one: a basis of rows with positive multipliers is tight at every
    optimum, and leaves one point. Where it is False nothing is known.
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
        return tuple(ONE - t - s for t, s in zip((zero, *self.below), (*self.above, zero), strict=True))


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
    """Return an exact optimum with its bound; `NotProven` where the float basis is not exactly optimal.

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
        raise NotProven(f"the small program's basis for n = {n} has {len(tight)} tight rows, not {2 * n}")
    matrix = fmpq_mat(2 * n, 2 * n)
    for row, k in enumerate(tight):
        for variable, value in table[k][0].items():
            matrix[row, variable] = fmpq(value.numerator, value.denominator)
    right = fmpq_mat(2 * n, 1, [fmpq(table[k][1].numerator, table[k][1].denominator) for k in tight])
    prices = fmpq_mat(2 * n, 1, [fmpq(1, n)] * (2 * n))
    point = [_fraction(x) for x in matrix.solve(right).entries()]
    multipliers = [_fraction(y) for y in matrix.transpose().solve(prices).entries()]
    feasible = all(sum((c * point[v] for v, c in terms.items()), Fraction(0)) >= least for terms, least in table)
    if not feasible or min(point) < 0 or min(multipliers) < 0:
        raise NotProven(f"the float basis of the small program is not exactly optimal for n = {n}, alpha = {a}")
    bound = sum((y * table[k][1] for y, k in zip(multipliers, tight, strict=True)), Fraction(0))
    below, above = tuple(point[0::2]), tuple(point[1::2])
    return Thresholds(n=n, alpha=a, below=below, above=above, bound=bound, unique=min(multipliers) > 0)


def least_cost(n: int, alpha: float) -> float:
    """Return the minimum of the program in floats, for curves and large n."""
    table = rows(n, Fraction(alpha))
    return _minimum(table, 2 * n).cost / n


def one_sided_cost(n: int, alpha: float) -> float:
    """Return the least L0 under weak honesty alone: privacy of thresholds and d_j >= 1/(n+1), in floats.

    With no column property asked, d, t and s meet only in these rows, and nothing is lost by them (observed).
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
    return minimise(np.ones(size), rows, least=[float(least) for _, least in table], tolerance=1e-10)


def rebuild(found: Thresholds) -> Mechanism:
    """Return a mechanism with WH, RM, CM and S that attains the program's cost; `NotProven` where filling fails.

    >>> m = rebuild(solve(n=6, alpha="3/4"))
    >>> m.satisfies("WH RM CM S"), m.score("L0") == solve(n=6, alpha="3/4").bound
    (True, True)
    """
    n, a = found.n, found.alpha
    above, diagonal = _mirrored(found)
    matrix = [[Fraction(0)] * (n + 1) for _ in range(n + 1)]
    for j in range(n, -1, -1):
        matrix[j][j] = matrix[n - j][n - j] = diagonal[j]
        if j == n:
            continue
        inner = [matrix[i][j + 1] for i in range(j + 1, n + 1)]
        filled = level([a * x for x in inner], [min(diagonal[j], x) for x in inner], above[j])
        for i, value in enumerate(filled, start=j + 1):
            matrix[i][j] = matrix[n - i][n - j] = value
    origin = Origin(method="small program of thresholds, filled level")
    return Mechanism(privacy=read_alpha(alpha=a), form=dense_from(matrix), origin=origin)


def has_room(found: Thresholds) -> bool:
    """Whether filling provably succeeds: at every threshold t_j + s_j <= 1 and one of

    (i) t_j = a (1 - s_j): the lower bounds are the column; (ii) d_{j+1} >= d_j: only the neighbours bound from above;
    (iii) t_{j-1} = j d_j: the neighbour column is level, and (j+1) d_{j+1} >= t_j is honesty itself.
    The mirror images serve the part below the diagonal; the proof is in docs/paper/beyond-columns.md.
    """
    a, n = found.alpha, found.n
    above, d = _mirrored(found)
    below = above[::-1]
    for j, (t, s) in enumerate(zip(below, above, strict=True)):
        before = below[j - 1] if j else Fraction(0)
        if t + s > 1 or not (t == a * (1 - s) or d[j + 1] >= d[j] or before == j * d[j]):
            return False
    return len(below) == n


def _mirrored(found: Thresholds) -> tuple[list[Fraction], list[Fraction]]:
    """Return s and d averaged with the mirror image, which is optimal too; t is then s reversed."""
    above = [(s + t) / 2 for s, t in zip(found.above, reversed(found.below), strict=True)]
    return above, [(x + y) / 2 for x, y in zip(found.diagonal, reversed(found.diagonal), strict=True)]


def level(low: Sequence[Fraction], high: Sequence[Fraction], total: Fraction) -> list[Fraction]:
    """Return the most level values between `low` and `high` that sum to `total`: one water level, clamped.

    >>> level([Fraction(0), Fraction(1, 2)], [Fraction(1), Fraction(1)], Fraction(1))
    [Fraction(1, 2), Fraction(1, 2)]
    """
    if any(x > y for x, y in zip(low, high, strict=True)) or not sum(low) <= total <= sum(high):
        raise NotProven("a column cannot be filled between its neighbours' bounds")
    # between two marks the clamped sum grows linearly by the number of values that float there
    marks = sorted({*low, *high})
    amount, floating = sum(low, Fraction(0)), 0
    starts: dict[Fraction, int] = {}
    for x, y in zip(low, high, strict=True):
        starts[x] = starts.get(x, 0) + 1
        starts[y] = starts.get(y, 0) - 1
    surface = marks[0] if marks else Fraction(0)
    for mark in marks:
        grown = amount + floating * (mark - surface)
        if grown >= total:
            break
        amount, surface = grown, mark
        floating += starts[mark]
    else:
        mark = surface
    water = surface + (total - amount) / floating if floating and amount < total else surface
    return [min(max(water, x), y) for x, y in zip(low, high, strict=True)]
