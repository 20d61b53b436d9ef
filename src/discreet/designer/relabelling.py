"""GM with each output relabelled as is best on average (Ghosh, Roughgarden, Sundararajan), and its multipliers.

Seeing GM's output i, the answer r costs `sum_j w_j loss[r][j] a^|i-j|` (up to GM's own scale for i). Both
directions of that sum obey a recursion in i, so all (n+1)^2 of them take as many steps, in integers. Of equally good
answers the nearest to i is taken; two equally near are taken by turns, which keeps symmetric problems symmetric.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.certificate import Certificate
from discreet.designer.bounds import Multipliers, Name
from discreet.designer.costs import costs_of
from discreet.designer.shapes import has_shape
from discreet.forms import Dense, reduced
from discreet.properties import closure

if TYPE_CHECKING:
    from discreet.certificate import Problem
    from discreet.properties import Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Relabelled:
    """The relabelled matrix and the proof that no mechanism costs less."""

    form: Dense
    certificate: Certificate


def relabelled_geometric(problem: Problem, shape: Shape | None = None) -> Relabelled | None:
    """Return relabelled GM, or None where its multipliers do not prove it optimal (a loss that falls somewhere).

    None, too, where it has not the shape asked for.
    """
    n, a = problem.n, problem.alpha
    size = n + 1
    # With weak honesty every answer occurs, so that each output must keep its own label: a quick test.
    if shape is not None and "WH" in closure(shape).names and not _keeps_labels(problem):
        return None
    expected, unit = _expected(problem)
    least = [min(column) for column in expected]
    answers = [_nearest(i, column, least[i]) for i, column in enumerate(expected)]
    p, q = a.numerator, a.denominator
    power = [q**n]
    for _ in range(n):
        power.append(power[-1] // q * p)
    rows = [[0] * size for _ in range(size)]
    for i, chosen in enumerate(answers):
        scale = (2 // len(chosen)) * (q if i in (0, n) else q - p)
        for r in chosen:
            row = rows[r]
            for j in range(size):
                row[j] += scale * power[abs(i - j)]
    form = reduced(rows, 2 * (p + q) * power[0])
    if shape is not None and not has_shape(form, shape):
        return None
    certificate = _certificate(problem, least, unit)
    return None if certificate is None else Relabelled(form=form, certificate=certificate)


def _keeps_labels(problem: Problem) -> bool:
    """Whether no output is better relabelled as a neighbour: a quick necessary test, output by output."""
    n, costs = problem.n, costs_of(problem)
    p, q = problem.alpha.numerator, problem.alpha.denominator
    power = [q**n]
    for _ in range(n):
        power.append(power[-1] // q * p)
    for i in (1, n - 1, *range(n + 1)):
        near = [w * power[abs(i - j)] for j, w in enumerate(costs.weight)]
        mine = sum(map(int.__mul__, near, costs.loss[i]))
        if any(sum(map(int.__mul__, near, costs.loss[r])) < mine for r in (i - 1, i + 1) if 0 <= r <= n):
            return False
    return True


def _expected(problem: Problem) -> tuple[list[list[int]], int]:
    """expected[i][r] / unit = sum_j w_j loss[r][j] a^|i-j|, as integers."""
    n, a = problem.n, problem.alpha
    costs = costs_of(problem)
    price = [[w * value for w, value in zip(costs.weight, row, strict=True)] for row in costs.loss]
    p, q = a.numerator, a.denominator
    # With s_i = sum_{j<=i} price_j a^(i-j): s_i = a s_{i-1} + price_i. Over q^n, in integers, from both ends.
    whole = q**n
    expected = [[0] * (n + 1) for _ in range(n + 1)]
    for r, line in enumerate(price):
        total = 0
        for i, amount in enumerate(line):
            total = total * p // q + amount * whole
            expected[i][r] += total
        total = 0
        for i in range(n, 0, -1):
            total = (total + line[i] * whole) * p // q
            expected[i - 1][r] += total
    return expected, costs.scale * whole


def _nearest(i: int, column: list[int], least: int) -> list[int]:
    """The cheapest answers that are nearest to output i: one, or one on each side."""
    best = [r for r, cost in enumerate(column) if cost == least]
    near = min(abs(r - i) for r in best)
    return [r for r in best if abs(r - i) == near]


def _certificate(problem: Problem, least: list[int], unit: int) -> Certificate | None:
    """Multipliers: u on the sums with sum_j a^|i-j| u_j = least_i; each row's rest carried inward from both ends.

    None where that does not prove the cost, which it does for every loss that does not fall away from the diagonal.
    """
    n, a = problem.n, problem.alpha
    p, q = a.numerator, a.denominator
    if a == 1:
        value = [least[0], *[0] * n]
        below = unit
    else:
        # The matrix a^|i-j| has a tridiagonal inverse, 1/(1-a^2) times (1, 1+a^2, ..., 1) and -a beside it.
        value = [
            (q * q + (p * p if 0 < i < n else 0)) * least[i]
            - p * q * ((least[i - 1] if i else 0) + (least[i + 1] if i < n else 0))
            for i in range(n + 1)
        ]
        below = unit * (q * q - p * p)
    # Each step of carrying multiplies by alpha: q^n more in the denominator is room for n of them.
    room = q**n
    denominator = below * room
    costs = costs_of(problem)
    whole, charged = denominator // costs.scale, [v * room for v in value]
    rows: dict[Name, int] = {("sum", j, 0, 0): v for j, v in enumerate(charged)}
    for r, line in enumerate(costs.loss):
        own = [w * cost * whole - c for w, cost, c in zip(costs.weight, line, charged, strict=True)]
        left, right = _carried(own, p, q), _carried(own[::-1], p, q)
        # The two meet where the left one can go no further; there all that was carried must be worth its cost.
        meet = len(left)
        if meet > n:
            meet, left = n, left[:n]
        if len(right) < n - meet:
            return None
        total = own[meet] + (left[-1] * p // q if left else 0) + (right[n - meet - 1] * p // q if meet < n else 0)
        if total < 0:
            return None
        rows.update((("dp", r, j, j + 1), y) for j, y in enumerate(left))
        rows.update((("dp", r, n - k, n - k - 1), y) for k, y in enumerate(right[: n - meet]))
    multipliers = Multipliers(rows={name: y for name, y in rows.items() if y}, denominator=denominator)
    cost = Fraction(sum(value), below)
    return Certificate(cost=cost, bound=cost, denominator=denominator, rows=multipliers.as_rows())


def _carried(own: list[int], p: int, q: int) -> list[int]:
    """What DP rows carry inward along a row, from its end, for as long as there is something over.

    Entry j's rest, own[j] plus alpha times what came, is the multiplier of `x[j] - alpha x[j+1] >= 0`.
    """
    found: list[int] = []
    rest = 0
    for amount in own:
        rest = rest * p // q + amount
        if rest < 0:
            break
        found.append(rest)
    return found
