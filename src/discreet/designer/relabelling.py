"""GM with each output relabelled as is best on average (Ghosh, Roughgarden, Sundararajan), and its multipliers.

Seeing GM's output i, the answer r costs `sum_j w_j loss[r][j] a^|i-j|` (up to GM's own scale for i). Both
directions of that sum obey a recursion in i, so all (n+1)^2 of them take as many steps, in integers. Of equally good
answers the nearest to i is taken; two equally near are taken by turns, which keeps symmetric problems symmetric.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

from discreet.certificate import Certificate
from discreet.designer.bounds import Multipliers, Name
from discreet.forms import Dense, reduced

if TYPE_CHECKING:
    from discreet.certificate import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Relabelled:
    """The relabelled matrix and the proof that no mechanism costs less."""

    form: Dense
    certificate: Certificate


def relabelled_geometric(problem: Problem) -> Relabelled | None:
    """Return relabelled GM, or None where its multipliers do not prove it optimal (a loss that falls somewhere)."""
    n, a = problem.n, problem.alpha
    size = n + 1
    expected, unit = _expected(problem)
    least = [min(column) for column in expected]
    answers = [_nearest(i, column, least[i]) for i, column in enumerate(expected)]
    certificate = _certificate(problem, least, unit)
    if certificate is None:
        return None
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
    return Relabelled(form=reduced(rows, 2 * (p + q) * power[0]), certificate=certificate)


def _expected(problem: Problem) -> tuple[list[list[int]], int]:
    """expected[i][r] / unit = sum_j w_j loss[r][j] a^|i-j|, as integers."""
    n, a = problem.n, problem.alpha
    loss, weights = problem.loss.matrix, problem.prior.weights
    loss_scale = lcm(*{value.denominator for row in loss for value in row})
    weight_scale = lcm(*{w.denominator for w in weights})
    price = [
        [
            w.numerator * (weight_scale // w.denominator) * value.numerator * (loss_scale // value.denominator)
            for w, value in zip(weights, row, strict=True)
        ]
        for row in loss
    ]
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
    return expected, loss_scale * weight_scale * whole


def _nearest(i: int, column: list[int], least: int) -> list[int]:
    """The cheapest answers that are nearest to output i: one, or one on each side."""
    best = [r for r, cost in enumerate(column) if cost == least]
    near = min(abs(r - i) for r in best)
    return [r for r in best if abs(r - i) == near]


def _certificate(problem: Problem, least: list[int], unit: int) -> Certificate | None:
    """Multipliers: u on the sums with sum_j a^|i-j| u_j = least_i, the rest carried along each row."""
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
    loss, weights = problem.loss.matrix, problem.prior.weights
    # Carrying from left to right divides by alpha where the rest is negative: p^n more in the denominator is room.
    room = (p * q) ** n
    denominator = below * room
    rows: dict[Name, int] = {("sum", j, 0, 0): v * room for j, v in enumerate(value)}
    for r in range(n + 1):
        rest = 0
        for j in range(n + 1):
            price = weights[j] * loss[r][j]
            here = price.numerator * (denominator // price.denominator) - value[j] * room
            rest += here
            if j == n:
                if rest < 0:
                    return None
            elif rest >= 0:
                rows["dp", r, j, j + 1] = rest
                rest = rest * p // q
            else:
                rows["dp", r, j + 1, j] = -rest * q // p
                rest = rest * q // p
    multipliers = Multipliers(rows=rows, denominator=denominator).reduced()
    cost = Fraction(sum(value), below)
    return Certificate(cost=cost, bound=cost, denominator=multipliers.denominator, rows=multipliers.as_rows())
