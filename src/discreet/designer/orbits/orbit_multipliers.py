"""From a basis of the folded program to a certificate: multipliers of rows between orbits, priced
exactly.

A certificate of a problem about histograms names its rows by orbits: `(kind, u, v, 0, y)` is the
row of that kind between orbits u and v (`core.forms.orbits`), `("sum", t, 0, 0, y)` the column sum
of the true histogram with number t, and `("input", t, 0, 0, y)` a worst case's input. For
multipliers y of the right signs

    sum of y over the sums + (sum of y over floors)/size + sum_u min(0, reduced cost of orbit u)

is at most the cost of every mechanism that is the same for all exchanges of answers, because the
value of an orbit lies in [0, 1]; and averaging over the exchanges makes such a mechanism of any
other, at no greater cost.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, prod
from typing import TYPE_CHECKING

from flint import fmpz

from discreet.core.certificate import Certificate
from discreet.core.domains import ROWS
from discreet.designer.simplex.unfold import named

if TYPE_CHECKING:
    from discreet.core.certificate import Problem
    from discreet.designer.lp.program import Name
    from discreet.designer.orbits.orbit_program import Folding
    from discreet.designer.simplex.basis import Basis
    from discreet.designer.simplex.vertex import Dual


@dataclass(frozen=True, slots=True, kw_only=True)
class PricedOrbits:
    """Reduced costs `reduced[u] / denominator` of the orbits, and the bound they prove."""

    reduced: list[int]
    denominator: int
    bound: Fraction


def write_certificate(folding: Folding, basis: Basis, found: Dual, cost: Fraction) -> Certificate:
    """Write the multipliers of a basis out, and the bound that they prove."""
    multipliers = {name: value for name, value in named(basis, found).items() if value != 0}
    denominator = fmpz(1)
    for value in multipliers.values():
        denominator = denominator.lcm(value.q)
    rows = {name: int(value.p * (denominator // value.q)) for name, value in multipliers.items()}
    return certified(folding, *_evened(folding, rows, int(denominator)), cost)


def certified(
    folding: Folding, rows: dict[Name, int], denominator: int, cost: Fraction
) -> Certificate:
    """The certificate of multipliers `rows / denominator`, in lowest terms."""
    rows = {name: amount for name, amount in rows.items() if amount}
    common = gcd(denominator, *rows.values())
    rows = {name: rows[name] // common for name in sorted(rows)}
    bound = price_orbits(folding, rows, denominator // common).bound
    written = tuple((*name, amount) for name, amount in rows.items())
    return Certificate(cost=cost, bound=bound, denominator=denominator // common, rows=written)


def price_orbits(folding: Folding, rows: dict[Name, int], denominator: int) -> PricedOrbits:
    """Charge every orbit what the rows charge for it."""
    problem, orbits, costs = folding.problem, folding.orbits, folding.costs
    unit = prod(ratio.denominator for ratio in problem.ratios.values()) * costs.scale
    charge = {
        name: ratio.numerator * (unit // ratio.denominator)
        for name, ratio in problem.ratios.items()
    }
    rest = unit // costs.scale
    reduced = [amount * denominator * rest for amount in costs.mean]
    column = [0] * len(orbits.truths)
    floors = 0
    for (kind, u, v, _), y in rows.items():
        if kind == "sum":
            column[orbits.truth_number[u]] += y * unit
        elif kind == "input":
            for w, amount in costs.inputs[u]:
                reduced[w] += amount * y * rest
        else:
            reduced[u] -= y * unit
            if ROWS[kind].tail is None:
                floors += y
            else:
                reduced[v] += y * charge[ROWS[kind].ratio]
    for u, (s, entries) in enumerate(zip(orbits.truth_of, orbits.entries, strict=True)):
        reduced[u] -= entries * column[s]
    below = sum(amount for amount in reduced if amount < 0)
    bound = Fraction(sum(column) + below, denominator * unit) + Fraction(
        floors, problem.size * denominator
    )
    return PricedOrbits(reduced=reduced, denominator=denominator * unit, bound=bound)


def _evened(
    folding: Folding, rows: dict[Name, int], denominator: int
) -> tuple[dict[Name, int], int]:
    """Carry differences between orbits that must be equal along the equations that make them so."""
    near: dict[int, list[tuple[int, Name, int]]] = {}
    for row in folding.problem.equations:
        for u, v in folding.orbits.rows(row):
            # an equation carries either sign; of two inequalities each carries one
            back = (row.kind, u, v, 0) if row.free else (row.kind, v, u, 0)
            near.setdefault(v, []).append((u, (row.kind, u, v, 0), 1))
            near.setdefault(u, []).append((v, back, -1 if row.free else 1))
    if not near:
        return rows, denominator
    priced = price_orbits(folding, rows, denominator)
    left, times = priced.reduced, priced.denominator // denominator
    rows = {name: amount * times for name, amount in rows.items()}
    seen: set[int] = set()
    for root in near:
        if root in seen:
            continue
        seen.add(root)
        queue = [root]
        order: list[tuple[int, int, Name, int]] = []
        for u in queue:  # it grows while it is read
            for v, name, sign in near[u]:
                if v not in seen:
                    seen.add(v)
                    queue.append(v)
                    # the row that keeps the child v up against its parent u
                    order.append((v, u, name, sign))
        for child, parent, name, sign in reversed(order):
            amount = left[child]
            left[parent] += amount
            if amount < 0 and not ROWS[name[0]].free:
                name, amount = (name[0], name[2], name[1], 0), -amount
            rows[name] = rows.get(name, 0) + sign * amount
    return rows, priced.denominator


def refolded(
    folding: Folding, certificate: Certificate, plain: Problem, factor: Fraction
) -> Certificate:
    """The certificate of a count as one of histograms over two answers: a row's images add up to
    the row of its orbit.

    `factor` is what the cost of a histogram is of the count's.

    A row between an orbit and itself says nothing new, and leaving it out only raises a reduced
    cost.
    """
    orbits, points = folding.orbits, folding.orbits.domain.points
    heaviest = {orbits.truth_number[t]: t for t in folding.costs.inputs}
    rows: dict[Name, int] = {}

    def add(name: Name, amount: int) -> None:
        rows[name] = rows.get(name, 0) + amount

    for kind, a, b, c, y in certificate.rows:
        if kind == "sum":
            add((kind, orbits.domain.number(orbits.truths[orbits.truth_number[a]]), 0, 0), y)
        elif kind == "input":
            add((kind, heaviest[orbits.truth_number[a]], 0, 0), y)
        else:
            (i, j), tail = ROWS[kind].cells(plain.domain, (a, b, c))
            u = orbits.of(points[i], points[j])
            if tail is None:
                add((kind, u, 0, 0), y)
                continue
            v = orbits.of(points[tail[0]], points[tail[1]])
            if ROWS[kind].image == "next":  # x_u - x_v = (x_0 - x_v) - (x_0 - x_u)
                add((kind, orbits.diagonal[0], v, 0), y)
                add((kind, orbits.diagonal[0], u, 0), -y)
            elif u != v:
                add((kind, u, v, 0), y)
    # the shares of a worst case's inputs add up to 1, whatever the cost is
    p, q = factor.numerator, factor.denominator
    rows = {
        name: y * (q if name[0] == "input" else p) for name, y in rows.items() if not _idle(name)
    }
    return certified(folding, rows, certificate.denominator * q, certificate.cost * factor)


def _idle(name: Name) -> bool:
    """Whether a row compares an orbit with itself."""
    row = ROWS.get(name[0])
    return row is not None and row.tail is not None and name[1] == name[2]
