"""A mechanism over histograms: one integer for each orbit of entries, over one denominator."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from math import gcd, lcm
from operator import mul
from typing import TYPE_CHECKING

from discreet.core.domains import ROWS
from discreet.core.forms.dense import Dense
from discreet.core.forms.orbits import Orbits, number_of_orbits, orbits_of
from discreet.core.histogram import MOST_POINTS, Histogram
from discreet.core.rationals import shown
from discreet.errors import NotPrivate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from discreet.core.losses import Loss, Prior


@dataclass(frozen=True, slots=True)
class Folded:
    """A matrix over histograms that stays the same when answers of one class are exchanged.

    `values[u] / denominator` is the chance of every entry in orbit u, in the order of
    `core.forms.orbits`; points are numbered as in the domain.

    >>> uniform = Folded(Histogram(1, 3), (0, 0, 0), (1, 1), 3)
    >>> uniform.column(0), uniform.tight_alpha()
    (([1, 1, 1], 3), Fraction(1, 1))
    """

    domain: Histogram
    classes: tuple[int, ...]
    values: tuple[int, ...]
    denominator: int

    @property
    def n(self) -> int:
        """The group size."""
        return self.domain.n

    @property
    def orbits(self) -> Orbits:
        """The orbits of its entries."""
        return orbits_of(self.domain, self.classes)

    def entry(self, i: int, j: int) -> Fraction:
        """Pr[i|j], of points by number."""
        points = self.domain.points
        return Fraction(self.values[self.orbits.of(points[i], points[j])], self.denominator)

    def column(self, j: int) -> tuple[list[int], int]:
        """Column j as integers over one denominator."""
        points, orbits, values = self.domain.points, self.orbits, self.values
        return [values[orbits.of(output, points[j])] for output in points], self.denominator

    def cumulative_bounds(self, j: int, bits: int) -> tuple[list[int], int]:
        """Integers L_i <= 2^bits CDF(i) <= L_i + 1."""
        return [(total << bits) // self.denominator for total in accumulate(self.column(j)[0])], 1

    def tight_alpha(self) -> Fraction:
        """The smallest ratio of neighbouring entries (0 where a zero stands beside a chance)."""
        return self._least_ratio("dp")

    def _least_ratio(self, kind: str) -> Fraction:
        small, large = 1, 1
        for u, v in self.orbits.rows(ROWS[kind]):
            low, high = self.values[u], self.values[v]
            if low * large < high * small:
                small, large = low, high
        return Fraction(small, large)

    def tight_output_dp(self) -> Fraction:
        """The same between outputs one unit apart, for one true histogram."""
        return self._least_ratio("odp")

    def known(self, name: str) -> bool | None:
        """Symmetry is known where no answer is told apart; the rest is looked up."""
        return True if name == "S" and max(self.classes) == 0 else None

    def text(self) -> str:
        """Return it as canonical text."""
        classes = ",".join(map(str, self.classes))
        values = ",".join(f"{x:x}" for x in self.values)
        return (
            f"histogram {self.domain.n} {self.domain.k} orbits {classes} "
            f"{self.denominator:x} {values}"
        )

    def dense(self) -> Dense:
        """Write the matrix out, by the numbers of the points."""
        columns = [self.column(j)[0] for j in range(self.domain.size)]
        return Dense(tuple(zip(*columns, strict=True)), self.denominator)

    def floats(self) -> NDArray[np.float64]:
        """Return the matrix as floats, each correctly rounded."""
        import numpy as np

        orbits, points = self.orbits, self.domain.points
        entries = [x / self.denominator for x in self.values]
        return np.array(
            [[entries[orbits.of(o, t)] for t in points] for o in points], dtype=np.float64
        )

    def in_lowest_terms(self) -> Folded:
        """Return it with the least denominator and the fewest classes, so that equal matrices
        are equal values.
        """
        common = gcd(self.denominator, *self.values)
        values = self.values if common == 1 else tuple(x // common for x in self.values)
        return replace(self, values=values, denominator=self.denominator // common)._merged()

    def _merged(self) -> Folded:
        """Return it with answers of different classes in one, where exchanging them changes
        nothing.
        """
        orbits, k = self.orbits, self.domain.k
        for b in range(1, k):
            for a in range(b):
                if self.classes[a] != self.classes[b] and self._same_exchanged(orbits, a, b):
                    low, high = sorted((self.classes[a], self.classes[b]))
                    joined = [low if one == high else one for one in self.classes]
                    order = {one: place for place, one in enumerate(dict.fromkeys(joined))}
                    classes = tuple(order[one] for one in joined)
                    fewer = orbits_of(self.domain, classes)
                    values = tuple(
                        self.values[orbits.of(*fewer.cell(u))] for u in range(len(fewer.codes))
                    )
                    return replace(self, classes=classes, values=values)._merged()
        return self

    def _same_exchanged(self, orbits: Orbits, a: int, b: int) -> bool:
        for u, codes in enumerate(orbits.codes):
            moved = list(codes)
            moved[a], moved[b] = moved[b], moved[a]
            if self.values[orbits.number[orbits.normal(moved)]] != self.values[u]:
                return False
        return True

    def check(self, alpha: Fraction) -> None:
        """Raise `NotPrivate` unless non-negative, stochastic by columns and alpha-private, exactly.

        Every entry is that of its orbit, and every column sum and pair of neighbours is the image
        of one looked at.
        """
        self._check_parts()
        orbits, values = self.orbits, self.values
        sums = [0] * len(orbits.truths)
        for u, (s, entries) in enumerate(zip(orbits.truth_of, orbits.entries, strict=True)):
            if values[u] < 0:
                raise NotPrivate(f"{self._named(u)} is negative", cell=orbits.cell(u))
            sums[s] += entries * values[u]
        for truth, total in zip(orbits.truths, sums, strict=True):
            if total != self.denominator:
                value = shown(Fraction(total, self.denominator))
                raise NotPrivate(f"column {truth} sums to {value}, not 1: it is not a distribution")
        p, q = alpha.numerator, alpha.denominator
        for u, v in orbits.rows(ROWS["dp"]):
            if q * values[u] < p * values[v]:
                raise NotPrivate(
                    f"{self._named(u)} and {self._named(v)} differ by more than a factor of alpha "
                    f"= {shown(alpha)}",
                    cell=orbits.cell(u),
                )

    def _check_parts(self) -> None:
        """Refuse parts of other types: a list could change after it was checked, a look-alike
        could say anything.
        """
        domain, classes = self.domain, self.classes
        whole = type(domain) is Histogram and type(domain.n) is int and type(domain.k) is int
        if not whole or domain.n < 1 or domain.k < 2 or domain.size > MOST_POINTS:
            raise NotPrivate(
                "the domain must be a Histogram of at least one person and two answers"
            )
        appearing = list(dict.fromkeys(classes)) if type(classes) is tuple else []
        if (
            len(classes) != domain.k
            or appearing != list(range(len(appearing)))
            or set(map(type, classes)) != {int}
        ):
            raise NotPrivate(
                "classes must be a tuple of ints, one for each answer, numbered in order of "
                "appearance"
            )
        values = self.values
        if type(values) is not tuple or type(self.denominator) is not int or self.denominator < 1:
            raise NotPrivate("the values must be a tuple over a positive int")
        if len(values) != number_of_orbits(domain, classes) or set(map(type, values)) != {int}:
            raise NotPrivate("there must be one int for each orbit of entries")

    def _named(self, u: int) -> str:
        output, truth = self.orbits.cell(u)
        return f"Pr[{output}|{truth}] = {shown(Fraction(self.values[u], self.denominator))}"


def histogram_score(form: Folded, loss: Loss, prior: Prior, *, worst_case: bool) -> Fraction:
    """Return the score over histograms: a loss by distance is expected alike for all true
    histograms of one orbit.
    """
    orbits, domain = form.orbits, form.domain
    if loss.table is not None:
        costs = [
            sum(
                (
                    Fraction(w, form.denominator) * loss.table[i][j]
                    for i, w in enumerate(form.column(j)[0])
                ),
                Fraction(0),
            )
            for j in range(domain.size)
        ]
    else:
        exact = loss.by_distance or ()
        scale = lcm(*(cost.denominator for cost in exact))
        whole = [int(cost * scale) for cost in exact]
        at = [0] * len(orbits.truths)
        for s, entries, far, x in zip(
            orbits.truth_of, orbits.entries, orbits.distance, form.values, strict=True
        ):
            at[s] += entries * whole[far] * x
        shared = [Fraction(total, scale * form.denominator) for total in at]
        costs = [shared[s] for s in orbits.truth_number]
    if worst_case:
        return domain.size * max(
            weight * cost for weight, cost in zip(prior.weights, costs, strict=True)
        )
    by_cost: dict[Fraction, Fraction] = {}
    for cost, weight in zip(costs, prior.weights, strict=True):
        by_cost[cost] = by_cost.get(cost, Fraction(0)) + weight
    return sum(map(mul, by_cost, by_cost.values()), Fraction(0))
