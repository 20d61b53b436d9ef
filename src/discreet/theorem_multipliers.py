"""The theorems' proofs as multipliers: for each closed form that is optimal, a dual solution in closed form.

Each function takes a `Problem` that its theorem covers and returns a `Certificate` whose bound is the cost of the
closed form, so that the verifier needs no theorem: it adds up the rows. `a` is alpha, N = n+1, g_i is GM's diagonal.

    GM (L0, uniform prior)    (1 - g_j)/n on column j's sum; 1/(n(1+a)) on every DP row that steps away from the
                              diagonal, because sum_l a^|l-i| g_l = 1 telescopes
    EM (L0, fair or worst     column m = floor(n/2) holds a^|i-m| of every diagonal entry: mu on its sum, mu a^t on
    case)                     the DP rows t steps from it, and F's rows carry what the prior leaves uneven
    WM (L0, uniform, WH)      the same chains from the middle column(s), scaled to 1 at the corners of the diagonal;
                              what is over inside goes to WH
    relabelled GM (mean)      u = G^-1 m for m_i the least expected loss at GM's output i; along each row the rest
                              is carried from left to right by the DP row that can take it
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

from discreet.certificate import Certificate
from discreet.errors import InvalidInput

if TYPE_CHECKING:
    from discreet.certificate import Problem

ZERO = Fraction(0)
_Rows = dict[tuple[str, int, int, int], Fraction]


def geometric_multipliers(problem: Problem) -> Certificate:
    """Prove that no mechanism has a lower mean L0 than GM, 2a/(1+a), under the uniform prior.

    The bound holds for every set of properties; it is attained where GM has them.
    """
    n, a = problem.n, problem.alpha
    _require(problem, problem.prior.uniform and not problem.worst_case, "the mean over a uniform prior")
    cost = 2 * a / (1 + a) if n else ZERO
    rows: _Rows = {}
    for i in range(n + 1) if n else ():
        rows["sum", i, 0, 0] = (1 - _geometric_diagonal(n, a, i)) / n
        for j in range(n + 1):
            if j != i:
                rows["dp", i, j, j - 1 if j > i else j + 1] = 1 / (n * (1 + a))
    return _certificate(cost, cost, rows)


def fair_multipliers(problem: Problem) -> Certificate:
    """Prove that EM is optimal for L0: with F for any prior, mean or worst case; without F, worst case, uniform.

    The worst case over inputs with prior w is `max_j (n+1) w_j (1 - Pr[j|j]) (n+1)/n`.
    """
    n, a, weights, size = problem.n, problem.alpha, problem.prior.weights, problem.n + 1
    fair = "F" in problem.shape
    covered = fair or (problem.worst_case and problem.prior.uniform)
    _require(problem, covered, "F, or the worst case over a uniform prior")
    if n == 0:
        return _certificate(ZERO, ZERO, {("input", 0, 0, 0): Fraction(1)} if problem.worst_case else {})
    middle = n // 2
    power = [_power(a, abs(i - middle)) for i in range(size)]
    rows: _Rows = {}
    if problem.worst_case:
        heaviest = weights.index(max(weights))
        even = [p / sum(power, ZERO) for p in power]
        share = even if problem.prior.uniform else [Fraction(j == heaviest) for j in range(size)]
        rows = {("input", j, 0, 0): share[j] for j in range(size)}
        weights = tuple(size * w * s for w, s in zip(weights, share, strict=True))
    price = [w * size / n for w in weights]
    mu = sum(price, ZERO) / sum(power)
    rows |= {("sum", j, 0, 0): price[j] - (mu if j == middle else 0) for j in range(size)}
    _chains(rows, n, a, middle, mu)
    rest = ZERO
    for i in range(n):
        rest += mu * power[i] - price[i]
        rows["f", i, 0, 0] = rest
    cost = sum(price, ZERO) - mu
    return _certificate(cost, cost, rows)


def weakly_honest_multipliers(problem: Problem) -> Certificate:
    """Prove that WM is optimal for the mean L0 under a uniform prior with WH, where 2 <= n < 2a/(1-a).

    The bound holds for every set of properties with WH (or with CH or CM, which imply it), and every n >= 1; it is
    attained by WM under the condition above, and by GM at n = 2a/(1-a).
    """
    n, a, size = problem.n, problem.alpha, problem.n + 1
    _require(problem, problem.prior.uniform and not problem.worst_case, "the mean over a uniform prior")
    _require(problem, bool({"WH", "CH", "CM"} & problem.shape.names) and n > 0, "WH and n of at least 1")
    middles = {n // 2, (n + 1) // 2}
    reach = [sum((_power(a, abs(i - m)) for m in middles), ZERO) for i in range(size)]
    # mu on each middle column makes what arrives at the corners of the diagonal 1/n, and more inside
    mu = 1 / (n * reach[0])
    rows: _Rows = {("sum", j, 0, 0): Fraction(1, n) - (mu if j in middles else 0) for j in range(size)}
    for m in sorted(middles):
        _chains(rows, n, a, m, mu)
    honest = [mu * r - Fraction(1, n) for r in reach]
    rows |= {("wh", i, 0, 0): honest[i] for i in range(size)}
    bound = Fraction(size, n) - mu * len(middles) + sum(honest, ZERO) / size
    return _certificate(bound, bound, rows)


def relabelled_multipliers(problem: Problem) -> Certificate:
    """Bound a mean cost by that of GM with each output relabelled as is best on average (Ghosh et al.).

    `cost` is the cost of relabelled GM, sum_i min_r sum_j w_j loss[r][j] GM[i][j]. `bound` equals it when the loss
    does not fall away from the diagonal, and then relabelled GM is optimal; for other losses it may be lower.
    """
    n, a, weights, size = problem.n, problem.alpha, problem.prior.weights, problem.n + 1
    if problem.worst_case:
        raise InvalidInput("worst_case", "must be False: relabelled GM is optimal for the mean only", True)
    price = [[w * c for w, c in zip(weights, row, strict=True)] for row in problem.loss.matrix]
    if a == 1 or n == 0:
        # nothing can depend on the input: the best constant answer, all of its cost on one column
        values = [min(sum(row, ZERO) for row in price)] + [ZERO] * n
    else:
        powers = [_power(a, k) for k in range(size)]
        # least[i] = m_i / g_i, so that u solves sum_j a^|i-j| u_j = least[i]; that matrix has a tridiagonal inverse
        least = [
            min(sum((powers[abs(i - j)] * row[j] for j in range(size)), ZERO) for row in price) for i in range(size)
        ]
        values = [
            ((1 + a * a * (0 < i < n)) * least[i] - a * sum((least[k] for k in (i - 1, i + 1) if 0 <= k <= n), ZERO))
            / (1 - a * a)
            for i in range(size)
        ]
    rows: _Rows = {("sum", j, 0, 0): values[j] for j in range(size)}
    bound = cost = sum(values, ZERO)
    for r in range(size):
        rest = price[r][0] - values[0]
        for j in range(n):
            if rest >= 0:
                rows["dp", r, j, j + 1] = rest
                rest = price[r][j + 1] - values[j + 1] + a * rest
            else:
                rows["dp", r, j + 1, j] = -rest / a
                rest = price[r][j + 1] - values[j + 1] + rest / a
        bound += min(ZERO, rest)
    return _certificate(cost, bound, rows)


def _require(problem: Problem, holds: bool, what: str) -> None:
    if not holds or problem.loss.tail != 0:
        raise InvalidInput("problem", f"must have loss L0 and {what} for this theorem", problem.loss.name)


def _power(a: Fraction, k: int) -> Fraction:
    return Fraction(a.numerator**k, a.denominator**k)


def _geometric_diagonal(n: int, a: Fraction, i: int) -> Fraction:
    return (1 - a if 0 < i < n else 1) / (1 + a)


def _chains(rows: _Rows, n: int, a: Fraction, middle: int, mu: Fraction) -> None:
    """Carry mu of each entry of a column to the diagonal: x[i,m] >= a x[i,m+1] >= ... >= a^|i-m| x[i,i]."""
    for i in range(n + 1):
        step = 1 if i > middle else -1
        for t in range(abs(i - middle)):
            row = ("dp", i, middle + step * t, middle + step * (t + 1))
            rows[row] = rows.get(row, ZERO) + mu * _power(a, t)


def _certificate(cost: Fraction, bound: Fraction, rows: _Rows) -> Certificate:
    denominator = lcm(*(y.denominator for y in rows.values()))
    return Certificate(
        cost=cost,
        bound=bound,
        denominator=denominator,
        rows=tuple((*row, int(y * denominator)) for row, y in rows.items() if y),
    )
