"""The theorems' proofs as multipliers: for each closed form that is optimal, a dual solution in
closed form.

Each function takes a `Problem` that its theorem covers and returns a `Certificate` whose bound is
the cost of the closed form, so that the verifier needs no theorem: it adds up the rows. `a` is
alpha, N = n+1, g_i is GM's diagonal.

    GM (L0, uniform prior)    (1 - g_j)/n on column j's sum; 1/(n(1+a)) on every DP row that steps
                              away from the diagonal, because sum_l a^|l-i| g_l = 1 telescopes
    EM (L0, fair or worst     column m = floor(n/2) holds a^|i-m| of every diagonal entry: mu on its
                              sum, mu a^t on
    case)                     the DP rows t steps from it, and F's rows carry what the prior leaves
                              uneven
    WM (L0, uniform, WH)      the same chains from the middle column(s), scaled to 1 at the corners
                              of the diagonal; what is over inside goes to WH
    column-honest (L0,        what crosses each cut j|j+1 to the right and to the left, s_j + t_j,
                              is bounded by two
    uniform, CH or CM)        column sums and the DP rows across it; at the ends one row of CH joins
                              in
    relabelled GM (any        what the best answer to each output costs, through GM's inverse, on
                              the sums; in each
    loss that does not        row what is left over is carried inward by the DP rows, from both ends
                              (Ghosh,
    fall, any prior)          Roughgarden, Sundararajan)
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

from discreet.core.certificate import Certificate, costs_of
from discreet.errors import InvalidInput

if TYPE_CHECKING:
    from discreet.core.certificate import Problem

ZERO = Fraction(0)
_Rows = dict[tuple[str, int, int, int], Fraction]


def geometric_multipliers(problem: Problem) -> Certificate:
    """Prove that no mechanism has a lower mean L0 than GM, 2a/(1+a), under the uniform prior.

    The bound holds for every set of properties; it is attained where GM has them.
    """
    n, (p, q) = problem.n, problem.alpha.as_integer_ratio()
    _require(
        problem, problem.prior.uniform and not problem.worst_case, "the mean over a uniform prior"
    )
    if n == 0:
        return Certificate(cost=ZERO, bound=ZERO, denominator=1, rows=())
    # over n (p+q): (1 - g_j)/n is 2p between the ends and p at them, 1/(n (1+a)) is q
    rows = [("sum", j, 0, 0, 2 * p if 0 < j < n else p) for j in range(n + 1)]
    for i in range(n + 1):
        rows += [("dp", i, j, j + 1, q) for j in range(i)]
        rows += [("dp", i, j, j - 1, q) for j in range(i + 1, n + 1)]
    cost = Fraction(2 * p, p + q)
    return Certificate(cost=cost, bound=cost, denominator=n * (p + q), rows=tuple(rows))


def fair_multipliers(problem: Problem) -> Certificate:
    """Prove that EM is optimal for L0: with F for any prior, mean or worst case; without F, worst
    case, uniform.

    The worst case over inputs with prior w is `max_j (n+1) w_j (1 - Pr[j|j]) (n+1)/n`.
    """
    n, a, weights, size = problem.n, problem.alpha, problem.prior.weights, problem.n + 1
    fair = "F" in problem.shape
    covered = fair or (problem.worst_case and problem.prior.uniform)
    _require(problem, covered, "F, or the worst case over a uniform prior")
    if n == 0:
        return _certificate(
            ZERO, ZERO, {("input", 0, 0, 0): Fraction(1)} if problem.worst_case else {}
        )
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
    """Prove that WM is optimal for the mean L0 under a uniform prior with WH, where 2 <= n <
    2a/(1-a).

    The bound holds for every set of properties with WH (or with CH or CM, which imply it), and
    every n >= 1; it is attained by WM under the condition above, and by GM at n = 2a/(1-a).
    """
    n, a, size = problem.n, problem.alpha, problem.n + 1
    _require(
        problem, problem.prior.uniform and not problem.worst_case, "the mean over a uniform prior"
    )
    _require(
        problem, bool({"WH", "CH", "CM"} & problem.shape.names) and n > 0, "WH and n of at least 1"
    )
    middles = {n // 2, (n + 1) // 2}
    reach = [sum((_power(a, abs(i - m)) for m in middles), ZERO) for i in range(size)]
    # mu on each middle column makes what arrives at the corners of the diagonal 1/n, and more
    # inside
    mu = 1 / (n * reach[0])
    rows: _Rows = {
        ("sum", j, 0, 0): Fraction(1, n) - (mu if j in middles else 0) for j in range(size)
    }
    for m in sorted(middles):
        _chains(rows, n, a, m, mu)
    honest = [mu * r - Fraction(1, n) for r in reach]
    rows |= {("wh", i, 0, 0): honest[i] for i in range(size)}
    bound = Fraction(size, n) - mu * len(middles) + sum(honest, ZERO) / size
    return _certificate(bound, bound, rows)


def column_honest_multipliers(problem: Problem) -> Certificate:
    """Prove that nothing column-honest has a lower mean L0 than GM with its ends moved inward; n >=
    3, a > 1/2.

    With s_j = Pr[> j | j] and t_j = Pr[<= j | j+1] the cost is sum_j (s_j + t_j)/n over the cuts j
    = 0..n-1. Rows DP of one cut add up to t_j >= a (1 - s_j), with multiplier u, and to s_j >= a (1
    - t_j), with v. At cut 0 only the first is used, s_0 >= 1 - t_0/a, together with CH in column 1,
    2 t_0 + s_1 <= 1: so s_0 + t_0 >= 1 - h + h s_1 with h = (1-a)/(2a), and s_1 weighs 1 + h at cut
    1; likewise t_{n-2}, from cut n-1. Elsewhere both weigh 1, u = v = 1/(1+a). The bound holds for
    every alpha above 1/2; it is attained up to 2/3.
    """
    n, a = problem.n, problem.alpha
    _require(
        problem, problem.prior.uniform and not problem.worst_case, "the mean over a uniform prior"
    )
    _require(
        problem,
        bool({"CH", "CM"} & problem.shape.names) and n >= 3 and 2 * a > 1,
        "CH, n >= 3 and alpha > 1/2",
    )
    half = (1 - a) / (2 * a)
    rows: _Rows = {("sum", j, 0, 0): ZERO for j in range(n + 1)}
    for end, inward in ((0, 1), (n, n - 1)):
        rows["sum", end, 0, 0] += Fraction(1, n)
        rows["sum", inward, 0, 0] -= half / n
        rows["dp", end, inward, end] = 1 / (a * n)
        rows["ch", end, inward, 0] = half / n
    for j in range(1, n - 1):
        right, left = (1 + half if j == beside else Fraction(1) for beside in (1, n - 2))
        u, v = (left - a * right) / (n * (1 - a * a)), (right - a * left) / (n * (1 - a * a))
        rows["sum", j, 0, 0] += a * u
        rows["sum", j + 1, 0, 0] += a * v
        rows |= {("dp", i, j + 1, j): u for i in range(j + 1)} | {
            ("dp", i, j, j + 1): v for i in range(j + 1, n + 1)
        }
    bound = (2 * a + (1 - a) * (2 * a - 1) / (a * n)) / (1 + a)
    return _certificate(bound, bound, rows)


def relabelled_multipliers(problem: Problem) -> Certificate | None:
    """Prove that no mechanism costs less on average than relabelled GM.

    None where these multipliers do not prove it; they do for every loss that does not fall away
    from the diagonal.
    """
    expected, unit = _expected(problem)
    return _carried_inward(problem, [min(column) for column in expected], unit)


def _require(problem: Problem, holds: bool, what: str) -> None:
    if not holds or problem.loss.tail != 0:
        raise InvalidInput(
            "problem", f"must have loss L0 and {what} for this theorem", problem.loss.name
        )


def _power(a: Fraction, k: int) -> Fraction:
    return Fraction(a.numerator**k, a.denominator**k)


def _chains(rows: _Rows, n: int, a: Fraction, middle: int, mu: Fraction) -> None:
    """Carry mu of each entry of a column to the diagonal: x[i,m] >= a x[i,m+1] >= ... >= a^|i-m|
    x[i,i].
    """
    charge = [mu * _power(a, t) for t in range(n + 1)]
    for i in range(n + 1):
        step = 1 if i > middle else -1
        for t in range(abs(i - middle)):
            row = ("dp", i, middle + step * t, middle + step * (t + 1))
            # for odd n the chains from the two middle columns overlap
            rows[row] = rows[row] + charge[t] if row in rows else charge[t]


def _certificate(cost: Fraction, bound: Fraction, rows: _Rows) -> Certificate:
    different = {id(y): y for y in rows.values()}
    denominator = lcm(*(y.denominator for y in different.values()))
    whole = {key: y.numerator * (denominator // y.denominator) for key, y in different.items()}
    return Certificate(
        cost=cost,
        bound=bound,
        denominator=denominator,
        rows=tuple((*row, whole[id(y)]) for row, y in rows.items() if y),
    )


def _expected(problem: Problem) -> tuple[list[list[int]], int]:
    """expected[i][r] / unit = sum_j w_j loss[r][j] a^|i-j|, as integers: a recursion in i from
    either side.
    """
    n, a = problem.n, problem.alpha
    costs = costs_of(problem)
    price = [[w * value for w, value in zip(costs.weight, row, strict=True)] for row in costs.loss]
    p, q = a.numerator, a.denominator
    # With s_i = sum_{j<=i} price_j a^(i-j): s_i = a s_{i-1} + price_i. Over q^n, in integers, from
    # both ends.
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


def _carried_inward(problem: Problem, least: list[int], unit: int) -> Certificate | None:
    """Multipliers: u on the sums with sum_j a^|i-j| u_j = least_i; each row's rest carried inward
    from both ends.

    None where that does not prove the cost, which it does for every loss that does not fall away
    from the diagonal.
    """
    n, a = problem.n, problem.alpha
    p, q = a.numerator, a.denominator
    if a == 1:
        value = [least[0], *[0] * n]
        below = unit
    else:
        # The matrix a^|i-j| has a tridiagonal inverse, 1/(1-a^2) times (1, 1+a^2, ..., 1) and -a
        # beside it.
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
    rows: dict[tuple[str, int, int, int], int] = {
        ("sum", j, 0, 0): v for j, v in enumerate(charged)
    }
    for r, line in enumerate(costs.loss):
        own = [w * cost * whole - c for w, cost, c in zip(costs.weight, line, charged, strict=True)]
        left, right = _carried(own, p, q), _carried(own[::-1], p, q)
        # The two meet where the left one can go no further; there all that was carried must be
        # worth its cost.
        meet = len(left)
        if meet > n:
            meet, left = n, left[:n]
        if len(right) < n - meet:
            return None
        total = (
            own[meet]
            + (left[-1] * p // q if left else 0)
            + (right[n - meet - 1] * p // q if meet < n else 0)
        )
        if total < 0:
            return None
        rows.update((("dp", r, j, j + 1), y) for j, y in enumerate(left))
        rows.update((("dp", r, n - k, n - k - 1), y) for k, y in enumerate(right[: n - meet]))
    cost = Fraction(sum(value), below)
    written = tuple((*name, y) for name, y in sorted(rows.items()) if y)
    return Certificate(cost=cost, bound=cost, denominator=denominator, rows=written)


def _carried(own: list[int], p: int, q: int) -> list[int]:
    """What DP rows carry inward along a row, from its end, for as long as there is something over.

    Entry j's rest, own[j] plus alpha times what came, is the multiplier of `x[j] - alpha x[j+1] >=
    0`.
    """
    found: list[int] = []
    rest = 0
    for amount in own:
        rest = rest * p // q + amount
        if rest < 0:
            break
        found.append(rest)
    return found
