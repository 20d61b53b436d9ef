"""GM with each output relabelled as is best on average (Ghosh, Roughgarden, Sundararajan), and its multipliers.

Which answer is best for which output: `discreet.designer.labels`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.core.certificate import Certificate
from discreet.core.forms import Relabelled
from discreet.core.properties import closure, has_shape
from discreet.designer.labels import best_labels
from discreet.designer.lp.costs import costs_of
from discreet.designer.simplex.pricing import Multipliers, Name

if TYPE_CHECKING:
    from discreet.core.certificate import Problem


def relabelled_geometric(problem: Problem) -> Relabelled | None:
    """Return relabelled GM, or None where it has not the shape asked for."""
    labels, shape = best_labels(problem), problem.shape
    form = Relabelled(problem.n, problem.alpha, labels)
    if not shape.names and shape.output_dp is None:
        return form
    if "WH" in closure(shape).names and len({r for chosen in labels for r in chosen}) <= problem.n:
        return None  # an answer that never comes is not honest: no need to write the matrix out
    return form if has_shape(form.dense(), shape) else None


def relabelled_multipliers(problem: Problem) -> Certificate | None:
    """Prove that no mechanism costs less on average than relabelled GM.

    None where these multipliers do not prove it; they do for every loss that does not fall away from the diagonal.
    """
    expected, unit = _expected(problem)
    return _certificate(problem, [min(column) for column in expected], unit)


def _expected(problem: Problem) -> tuple[list[list[int]], int]:
    """expected[i][r] / unit = sum_j w_j loss[r][j] a^|i-j|, as integers: a recursion in i from either side."""
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
