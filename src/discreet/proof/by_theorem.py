"""What theorems say of closed forms, as inequalities in n and alpha, and their proofs, as
multipliers.

Everything is for every n from `low` to `high`: a condition here that holds at both ends holds
between them. `a` is alpha. The closed forms themselves (why columns sum to 1, why neighbours are
within a factor of a) are in `reading`.

    GM   exists for n >= 1 and 0 < a < 1. It has RH, RM, S; WH iff n(1-a) >= 2a; CH and CM iff a <=
         1/2; output DP up to a(1-a), from the step between 0 and 1 in column 0. At n = 1 it is
         randomized response: all seven, and up to a
    EM   exists for n >= 1 and 0 < a < 1. It has all seven, and output DP up to a
    WM   exists for 2 <= n < 2a/(1-a). It has RH, RM, S, WH
    column-honest: GM with its ends moved inward (`moved_ends`). It has all of the seven but F

    "geometric"           mean L0, uniform prior: no mechanism costs less than GM
    "fair"                L0: no fair mechanism costs less than EM, whatever the prior, mean or
                          worst case; in the worst case over a uniform prior no mechanism at all
    "weakly-honest"       mean L0, uniform prior: no weakly honest mechanism costs less than WM
                          where it exists
    "column-honest"       mean L0, uniform prior: no column-honest mechanism costs less than this
                          one where it exists
    "fair within 1+1/n"   mean L0, uniform prior: EM costs less than 1 + 1/n times what any
                          mechanism does

Up to `WRITTEN_OUT` none of this is believed: the matrix and the multipliers are written out from
their formulas and added up like those of any other file.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from discreet.proof.moved_ends import ends_can_move, moved_multipliers, moved_score
from discreet.proof.reading import NAMES

WRITTEN_OUT = 200
"""Up to this n the proof of a theorem is written out and added up: at most n^2 multipliers, a
second or less.
"""

NEARLY = "fair within 1+1/n"
THEOREMS = ("geometric", "fair", "weakly-honest", "column-honest", NEARLY)
HONEST = {"weakly-honest": {"WH", "CH", "CM"}, "column-honest": {"CH", "CM"}}
Row = tuple[str, int, int, int, int]


def exists(kind: str, low: int, high: int, a: Fraction) -> bool:
    """Whether there is such a closed form."""
    if not 0 < a < 1 or low < 1:
        return False
    honest = kind != "weakly-honest" or (low >= 2 and high * (1 - a) < 2 * a)
    return honest and (kind != "column-honest" or ends_can_move(low, a))


def known_properties(kind: str, low: int, high: int, a: Fraction) -> set[str]:
    """The properties that theorems give to a closed form."""
    if kind in ("fair", "uniform") or (kind == "geometric" and high == 1):
        return set(NAMES)
    if kind == "column-honest":
        return set(NAMES) - {"F"}
    known = {"RH", "RM", "S"}
    if kind == "weakly-honest" or max(low, 2) * (1 - a) >= 2 * a:  # n = 1 has it in any case
        known.add("WH")
    return known | {"CH", "CM"} if kind == "geometric" and 2 * a <= 1 else known


def known_ratio(kind: str, high: int, a: Fraction) -> Fraction:
    """The largest ratio of output DP that theorems give to a closed form."""
    if kind == "geometric":
        return a if high == 1 else a * (1 - a)
    return a if kind in ("fair", "uniform") else Fraction(0)


def known_score(kind: str, n: int, a: Fraction) -> Fraction | None:
    """The mean L0 under a uniform prior that theorems give to a closed form, or None; at a = 1,
    of blind guessing.
    """
    if kind in ("geometric", "uniform"):
        return 2 * a / (1 + a)
    return moved_score(n, a) if kind == "column-honest" else None


def applies(theorem: str, kind: str, names: set[str], *, uniform: bool, worst: bool) -> bool:
    """Whether a theorem speaks of this closed form as an answer to this L0 problem."""
    if theorem == "fair":
        return kind == "fair" and ("F" in names or (worst and uniform))
    if not uniform or worst:
        return False
    if theorem in HONEST:
        return kind == theorem and bool(names & HONEST[theorem])
    return kind == ("fair" if theorem == NEARLY else "geometric")


def multipliers(
    theorem: str, n: int, a: Fraction, prior: tuple[list[int], int], worst: bool
) -> tuple[int, list[Row]]:
    """The multipliers that prove a theorem for one n, as integers over one scale; `prior` is
    weights and their sum.
    """
    p, q = a.as_integer_ratio()
    if theorem in ("geometric", NEARLY):
        return n * (p + q), list(_geometric(n, p, q))
    if theorem == "column-honest":
        return moved_multipliers(n, p, q)
    half = n - n // 2
    power = [p**t * q ** (half - t) for t in range(half + 1)]  # alpha^t, times q^half
    return _weakly_honest(n, power) if theorem == "weakly-honest" else _fair(n, power, prior, worst)


def _geometric(n: int, p: int, q: int) -> Iterator[Row]:
    """1 less GM's diagonal on the sums; the same on every DP row that steps away from the
    diagonal.
    """
    for i in range(n + 1):
        yield "sum", i, 0, 0, 2 * p if 0 < i < n else p
        for j in range(n + 1):
            if i != j:
                yield "dp", i, j, j + 1 if j < i else j - 1, q


def _fair(
    n: int, power: list[int], prior: tuple[list[int], int], worst: bool
) -> tuple[int, list[Row]]:
    """The middle column holds alpha^|i-middle| of every diagonal entry, and F carries what the
    prior leaves uneven.
    """
    size, middle, (weights, total) = n + 1, n // 2, prior
    reach = [power[abs(i - middle)] for i in range(size)]
    rows: list[Row] = []
    if worst and len(set(weights)) == 1:
        weights, total = reach, sum(reach)
        rows = [("input", j, 0, 0, n * total * w) for j, w in enumerate(weights)]
    elif worst:
        heaviest = weights.index(max(weights))
        weights = [size * w if j == heaviest else 0 for j, w in enumerate(weights)]
        rows = [("input", heaviest, 0, 0, n * total * sum(reach))]
    scale = n * total * sum(reach)
    price, unit = [size * w * sum(reach) for w in weights], size * sum(weights)
    rows += [
        ("sum", j, 0, 0, price[j] - (unit * power[0] if j == middle else 0)) for j in range(size)
    ]
    rows += _chains(n, middle, [unit * x for x in power])
    rest = 0
    for i in range(n):
        rest += unit * reach[i] - price[i]
        rows.append(("f", i, 0, 0, rest))
    # without F there is nothing to carry: a row of nothing is no row
    return scale, [row for row in rows if row[4]]


def _weakly_honest(n: int, power: list[int]) -> tuple[int, list[Row]]:
    """The same from the middle column, or from both, so that 1/n arrives at the corners; what is
    over goes to WH.
    """
    middles = sorted({n // 2, (n + 1) // 2})
    reach = [sum(power[abs(i - m)] for m in middles) for i in range(n + 1)]
    rows: list[Row] = [
        ("sum", j, 0, 0, reach[0] - (power[0] if j in middles else 0)) for j in range(n + 1)
    ]
    for m in middles:
        rows += _chains(n, m, power)
    rows += [("wh", i, 0, 0, reach[i] - reach[0]) for i in range(n + 1)]
    return n * reach[0], rows


def _chains(n: int, middle: int, charge: list[int]) -> Iterator[Row]:
    """x[i,m] >= a x[i,m+1] >= ... >= a^|i-m| x[i,i], in every row i."""
    for i in range(n + 1):
        step = 1 if i > middle else -1
        for t in range(abs(i - middle)):
            yield "dp", i, middle + step * t, middle + step * (t + 1), charge[t]
