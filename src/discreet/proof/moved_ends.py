"""The column-honest closed form: GM whose answers 0 and n are moved to 1 and n-1 with chance
(2a-1)/(2a).

It exists for n >= 3 and 1/2 < a <= 2/3. It is GM followed by a map, so its columns sum to 1 and
neighbours are within a factor of a. Mean L0 under a uniform prior is 2a/(1+a) +
(1-a)(2a-1)/(a(1+a)n), and no column-honest mechanism has less.

Proof. With s_j = Pr[> j | j] and t_j = Pr[<= j | j+1] it is the sum of (s_j + t_j)/n over the cuts
j = 0..n-1. DP says t_j >= a (1 - s_j) and s_j >= a (1 - t_j). At cut 0 that is s_0 >= 1 - t_0/a; CH
in column 1 is 2 t_0 + s_1 <= 1; so s_0 + t_0 >= 1 - h + h s_1 with h = (1-a)/(2a). The mirror image
holds at cut n-1, and what is left is a weighted sum of s_j and t_j at each cut between, least where
both rows of DP are tight.

Where it is written out it is named by its matrix, as it was when only linear programs found it: ids
never change.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd

COLUMN_HONEST = "column-honest"
Row = tuple[str, int, int, int, int]


def ends_can_move(n: int, a: Fraction) -> bool:
    """Whether there is such a mechanism, for this n and every larger one."""
    return n >= 3 and 2 * a > 1 and 3 * a <= 2


def with_ends_moved(geometric: list[list[int]], p: int, q: int) -> list[list[int]]:
    """GM's rows, times 2p, after an end is moved with chance (2p-q)/(2p); it stays with q/(2p)."""
    moved = [[2 * p * x for x in row] for row in geometric]
    for end, inward in ((0, 1), (-1, -2)):
        moved[inward] = [
            x + (2 * p - q) * y for x, y in zip(moved[inward], geometric[end], strict=True)
        ]
        moved[end] = [q * y for y in geometric[end]]
    return moved


def matrix_text(rows: list[list[int]], denominator: int) -> str:
    """The text of a dense matrix, in lowest terms."""
    common = gcd(denominator, *(x for row in rows for x in row))
    return f"dense {denominator // common:x} " + ";".join(
        ",".join(f"{x // common:x}" for x in row) for row in rows
    )


def moved_score(n: int, a: Fraction) -> Fraction:
    """Its mean L0 under a uniform prior."""
    return (2 * a + (1 - a) * (2 * a - 1) / (a * n)) / (1 + a)


def moved_multipliers(n: int, p: int, q: int) -> tuple[int, list[Row]]:
    """The proof as multipliers, over one scale.

    At both ends the sums of two columns, one row of DP and one of CH; at every cut between, DP in
    each row. What crosses a cut weighs 2p, and 2p + (q-p) where the CH of an end leans on it.
    """
    unit = q * q - p * p
    sums, rows = [0] * (n + 1), []
    for end, inward in ((0, 1), (n, n - 1)):
        sums[end] += 2 * p * unit
        sums[inward] -= (q - p) * unit
        rows += [("dp", end, inward, end, 2 * q * unit), ("ch", end, inward, 0, (q - p) * unit)]
    for j in range(1, n - 1):
        right, left = (2 * p + (q - p) * (j == beside) for beside in (1, n - 2))
        u, v = q * left - p * right, q * right - p * left
        sums[j] += p * u
        sums[j + 1] += p * v
        rows += [
            ("dp", i, j + 1, j, q * u) if i <= j else ("dp", i, j, j + 1, q * v)
            for i in range(n + 1)
        ]
    rows += [("sum", j, 0, 0, y) for j, y in enumerate(sums) if y]
    return 2 * n * p * unit, rows
