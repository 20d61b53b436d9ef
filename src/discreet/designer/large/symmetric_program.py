"""The program of thresholds, folded by symmetry: solved in floats, made exact, and checked in O(n).

For neighbouring counts j and j+1 let t_j = Pr[output <= j | j+1] and s_j = Pr[output > j | j]; the
truth is what is left, d_j = Pr[j|j] = 1 - t_{j-1} - s_j, and L0 = (1/n) sum_j (t_j + s_j). A
mechanism and its mirror image cost the same, so s_j = t_{n-1-j} may be asked for, and every
alpha-private, column-honest mechanism of that kind has

    private    t_j + a s_j >= a             privacy of the event "output <= j"
    steep      d_{j+1} - a d_j >= 0         Pr[j+1|j+1] >= Pr[j|j+1] >= a Pr[j|j]
    honest     (j+1) d_{j+1} - t_j >= 0     none of the j+1 answers below j+1 is likelier than the
               truth

for j = 0..n-1, n variables in all. The least cost under these rows is a lower bound for every
mechanism with CH or CM (beyond-columns.md). `Point.cost` and `Multipliers.bound` know the rows a
second time, written differently: what `optimum` finds is checked there, at the n in question, and
nothing else is believed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any

import numpy as np
from flint import fmpq

from discreet.designer.large.band import Rational, solve_band
from discreet.designer.lp.float_minimum import minimise
from discreet.errors import NotProven

Row = tuple[dict[int, Any], Any]
"""Coefficients by variable, and what they must come to at least."""


@dataclass(frozen=True, slots=True)
class Point:
    """A symmetric point: t_0..t_{n-1}; s is t read backwards."""

    a: Rational
    below: list[Rational]

    @property
    def diagonal(self) -> list[Rational]:
        """d_0..d_n."""
        t, n = self.below, len(self.below)
        return [1 - (t[j - 1] if j else 0) - (t[n - 1 - j] if j < n else 0) for j in range(n + 1)]

    @property
    def cost(self) -> Fraction | None:
        """What it costs, exactly; None unless it keeps every row."""
        a, t, d, n = self.a, self.below, self.diagonal, len(self.below)
        kept = all(
            t[j] >= 0
            and t[j] + a * t[n - 1 - j] >= a
            and d[j + 1] >= a * d[j]
            and (j + 1) * d[j + 1] >= t[j]
            for j in range(n)
        )
        return exact(2 * _sum(t) / n) if kept else None


@dataclass(frozen=True, slots=True)
class Multipliers:
    """Of each kind of row, for j = 0..n-1; the mirror image of a row has the same one."""

    a: Rational
    private: list[Rational]
    steep: list[Rational]
    honest: list[Rational]

    @property
    def bound(self) -> Fraction:
        """What every column-honest mechanism costs at least, whatever these non-negative numbers
        are.

        The rows add up to `sum_j (charged_j t_j + its mirror image) >= base`; t_j lies in [0, 1]
        and costs 1, so what is charged above that is given back.
        """
        a, n, truth = self.a, len(self.private), self.truth
        if min(chain(self.private, self.steep, self.honest)) < 0:
            raise NotProven("a multiplier of an inequality must not be negative")
        charged = (
            self.private[j] + a * self.private[n - 1 - j] - self.honest[j] - truth[j + 1]
            for j in range(n)
        )
        over = _sum([1 - x for x in charged if x > 1])
        return exact((2 * a * _sum(self.private) - _sum(truth) + 2 * over) / n)

    @property
    def leaves_one_point(self) -> bool:
        """Whether as many rows as there are variables have a positive one: all these are tight at
        every optimum.

        For multipliers that `optimum` found, whose rows determine the point.
        """
        return sum(map(bool, chain(self.private, self.steep, self.honest))) == len(self.private)

    @property
    def truth(self) -> list[Rational]:
        """What the rows charge for d_0..d_n."""
        n = len(self.private)
        found: list[Rational] = [fmpq(0)] * (n + 1)
        for j, (steep, honest) in enumerate(zip(self.steep, self.honest, strict=True)):
            if steep or honest:
                for near, far in ((j + 1, j), (n - 1 - j, n - j)):  # the row, and its mirror image
                    found[near] = found[near] + steep + (j + 1) * honest
                    found[far] = found[far] - self.a * steep
        return found


def optimum(n: int, a: Fraction) -> tuple[Point, Multipliers]:
    """Return the exact vertex and dual of the float optimum's basis: optimal if their cost and
    bound agree.

    >>> point, multipliers = optimum(4, Fraction(9, 10))
    >>> point.cost == multipliers.bound, round(float(multipliers.bound), 6)
    (True, 0.965432)
    """
    alpha = fmpq(a.numerator, a.denominator)
    every, tight = list(rows(n, alpha)), tight_rows(n, a)
    lines = [every[k][0] for k in tight]
    point = solve_band(lines, [every[k][1] for k in tight])
    across: list[dict[int, Rational]] = [{} for _ in range(n)]
    for k, line in enumerate(lines):
        for v, c in line.items():
            across[v][k] = c
    multiplier = dict(zip(tight, solve_band(across, [fmpq(1)] * n), strict=True))
    # a dual that is not quite feasible still bounds: what is below nothing is nothing
    private, steep, honest = (
        [max(multiplier.get(3 * j + kind, fmpq(0)), fmpq(0)) for j in range(n)] for kind in range(3)
    )
    below = [point[folded(n, 2 * j)] for j in range(n)]
    return Point(alpha, below), Multipliers(alpha, private, steep, honest)


def tight_rows(n: int, a: Fraction) -> list[int]:
    """The rows of the float optimum's basis, in the order of their first variables."""
    floats = list(rows(n, float(a)))
    # the variables are free: t >= 0 never binds, and `Point.cost` checks it
    found = minimise(
        np.full(n, 2.0),
        [line for line, _ in floats],
        least=[least for _, least in floats],
        tolerance=1e-10,
    )
    if len(found.tight) != n:
        raise NotProven(f"the small program's basis for n = {n} has {len(found.tight)} tight rows")
    return sorted(found.tight, key=lambda k: min(floats[k][0]))


def rows(n: int, a: Any) -> Iterator[Row]:
    """The rows over the folded variables, as terms >= right-hand side: row 3j + kind, with a as
    it is given.
    """

    def line(*terms: tuple[int, Any]) -> dict[int, Any]:
        found: dict[int, Any] = {}
        for v, c in terms:
            if 0 <= v < 2 * n:  # t_{-1} = s_n = 0
                u = folded(n, v)
                found[u] = found.get(u, 0) + c
        return {u: c for u, c in found.items() if c != 0}

    one = a / a
    for j in range(n):
        t, s = 2 * j, 2 * j + 1
        yield line((t, one), (s, a)), a
        before, after = (t - 2 if j else -1), (s + 2 if j < n - 1 else -1)
        yield line((t, -one), (after, -one), (before, a), (s, a)), a - 1
        yield line((t, -one * (j + 2)), (after, -one * (j + 1))), -one * (j + 1)


def folded(n: int, v: int) -> int:
    """t_j is variable 2j and s_j is 2j+1; t_j = s_{n-1-j} leaves the first n of them."""
    return min(v, 2 * n - 1 - v)


def exact(x: Rational) -> Fraction:
    """A rational of python-flint as Python's own."""
    return Fraction(int(x.p), int(x.q))


def _sum(values: list[Rational]) -> Rational:
    """Add up by halves: neighbours share most of their denominators, so that few sums are of
    long numbers.
    """
    while len(values) > 1:
        values = [x + y for x, y in zip(values[::2], [*values[1::2], fmpq(0)], strict=False)]
    return values[0] if values else fmpq(0)
