"""The map T that makes a fair or weakly honest mechanism of GM, in closed form: M = T GM.

With x = 1/(1+a) GM's diagonal at both ends, y_GM inside, and y_EM the diagonal of EM, the best fair
one:

    a 0 stays with chance y_EM / x, and becomes i = 1..floor(n/2) with chance (y_EM - y_GM) / (x
    a^i); n is the mirror image of 0; the centre of an even n gets half of that from each end; every
    other output stays as it is.

The ends of GM are reported too often; what they give away lifts each other diagonal entry to y_EM,
as a^i of the chance that i becomes an end comes back. Mixed with the identity it lifts the inner
diagonal to any level up to y_EM: to 1/(n+1), where that is above y_GM, for weak honesty. So M costs
what EM, or WM, costs under L0.

T is stochastic (docs/old/paper/note.md has the sum), which is checked wherever it is used; T GM = M
is how M is made.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from discreet.core.forms import Dense, Fair
from discreet.core.forms.dense import reduced

Map = tuple[tuple[Fraction, ...], ...]


def identity(n: int) -> Map:
    """The map that changes nothing."""
    return tuple(tuple(Fraction(i == k) for k in range(n + 1)) for i in range(n + 1))


def fair_map(n: int, a: Fraction) -> Map:
    """The map by which GM becomes fair, with EM's diagonal.

    >>> [str(x) for x in next(zip(*fair_map(2, Fraction(1, 2))))]
    ['3/4', '1/4', '0']
    """
    if n < 2:
        return identity(n)
    end, inside, level = 1 / (1 + a), (1 - a) / (1 + a), Fair(n, a).entry(0, 0)
    rows = [list(row) for row in identity(n)]
    for place, mirrored in ((0, False), (n, True)):
        rows[place][place] = level / end
        for i in range(1, n // 2 + 1):
            share = (level - inside) / (end * a**i) / (2 if 2 * i == n else 1)
            rows[n - i if mirrored else i][place] = share
    return tuple(map(tuple, rows))


def honest_map(n: int, a: Fraction) -> Map:
    """The map by which GM becomes weakly honest at the least cost; the identity where it is."""
    if n < 2 or n * (1 - a) >= 2 * a:
        return identity(n)
    inside, level = (1 - a) / (1 + a), Fair(n, a).entry(0, 0)
    keep = (level - Fraction(1, n + 1)) / (level - inside)
    fair = fair_map(n, a)
    return tuple(
        tuple(keep * (i == k) + (1 - keep) * value for k, value in enumerate(row))
        for i, row in enumerate(fair)
    )


def is_stochastic(rows: Map) -> bool:
    """Whether no chance is negative, and the chances of what each output becomes sum to 1."""
    return all(min(column) >= 0 and sum(column) == 1 for column in zip(*rows, strict=True))


def after_geometric(rows: Map, n: int, a: Fraction) -> Dense:
    """T GM, as a matrix in lowest terms."""
    common = lcm(*(x.denominator for row in rows for x in row))
    if n == 0:
        return reduced([[int(rows[0][0] * common)]], common)
    (p, q), ends = a.as_integer_ratio(), scales(n, a)
    weighed = [[int(x * common) * s for x, s in zip(row, ends, strict=True)] for row in rows]
    return reduced([powers_along(line, p, q) for line in weighed], common * (p + q) * q**n)


def scales(n: int, a: Fraction) -> list[int]:
    """GM's own scale of each output, times p + q: GM[k, j] is scale_k / (p+q) * a^|k-j|."""
    p, q = a.as_integer_ratio()
    return [q, *[q - p] * (n - 1), q]


def powers_along(line: list[int], p: int, q: int) -> list[int]:
    """For each j the sum of line[k] * a^|k-j|, times q^n: what lies before j and after it, step by
    step.

    >>> powers_along([1, 0, 2], 1, 2)
    [6, 6, 9]
    """
    n = len(line) - 1
    before = after = 0
    found = [x * q**n for x in line]
    for j in range(1, n + 1):
        before = (before + line[j - 1] * q**n) * p // q
        after = (after + line[n - j + 1] * q**n) * p // q
        found[j] += before
        found[n - j] += after
    return found
