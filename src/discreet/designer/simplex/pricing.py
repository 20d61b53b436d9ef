"""What multipliers prove: reduced costs and the lower bound `b.y + sum min(0, reduced cost)`, in integers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, prod
from typing import TYPE_CHECKING

from discreet.core.certificate import costs_of
from discreet.core.domains import ROWS

if TYPE_CHECKING:
    from discreet.core.certificate import Problem, Row
    from discreet.designer.lp.program import Name

FREE = frozenset({"sum", *(row.kind for row in ROWS.values() if row.free)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Multipliers:
    """Multipliers of full rows by name, as integers over one denominator."""

    rows: dict[Name, int]
    denominator: int

    def reduced(self) -> Multipliers:
        """Return the same multipliers in lowest terms, zeros left out."""
        rows = {name: amount for name, amount in self.rows.items() if amount}
        common = gcd(self.denominator, *rows.values())
        return Multipliers(
            rows={name: amount // common for name, amount in rows.items()}, denominator=self.denominator // common
        )

    def as_rows(self) -> tuple[Row, ...]:
        """Return them as a certificate writes them, in one order."""
        return tuple((*name, self.rows[name]) for name in sorted(self.rows))


@dataclass(frozen=True, slots=True, kw_only=True)
class Priced:
    """Reduced costs `reduced[i][j] / denominator` of the entries, and the bound they prove."""

    reduced: list[list[int]]
    denominator: int
    bound: Fraction


def price(problem: Problem, multipliers: Multipliers) -> Priced:
    """Charge every entry what the rows charge for it.

    Signs of inequalities' multipliers, and that a worst case's input multipliers sum to 1, are the caller's care.
    """
    domain, rows = problem.domain, multipliers.rows
    unit = prod(ratio.denominator for ratio in problem.ratios.values()) * costs_of(problem).scale
    denominator = multipliers.denominator * unit
    reduced = _costs(problem, multipliers, denominator)
    charge = {name: ratio.numerator * (unit // ratio.denominator) for name, ratio in problem.ratios.items()}
    value = floors = 0
    for (kind, a, b, c), y in rows.items():
        if kind == "sum":
            value += y * unit
            for row in reduced:
                row[a] -= y * unit
        elif kind != "input":
            (i, j), tail = ROWS[kind].cells(domain, (a, b, c))
            reduced[i][j] -= y * unit
            if tail is None:
                floors += y
            else:
                reduced[tail[0]][tail[1]] += y * charge[ROWS[kind].ratio]
    negative = sum(entry for row in reduced for entry in row if entry < 0)
    bound = Fraction(value + negative, denominator) + Fraction(floors, domain.size * multipliers.denominator)
    return Priced(reduced=reduced, denominator=denominator, bound=bound)


def is_dual(problem: Problem, multipliers: Multipliers) -> bool:
    """Whether no inequality has a negative multiplier and, in a worst case, the inputs' multipliers sum to 1."""
    rows = multipliers.rows
    if any(amount < 0 and name[0] not in FREE for name, amount in rows.items()):
        return False
    shares = sum(amount for name, amount in rows.items() if name[0] == "input")
    return not problem.worst_case or shares == multipliers.denominator


def _costs(problem: Problem, multipliers: Multipliers, denominator: int) -> list[list[int]]:
    """The entries' own costs over `denominator`: the prior's, or what the inputs' multipliers make of them."""
    size, rows, costs = problem.n + 1, multipliers.rows, costs_of(problem)
    if problem.worst_case:
        rest = denominator // (costs.scale * multipliers.denominator)
        share = [w * size * rows.get(("input", j, 0, 0), 0) * rest for j, w in enumerate(costs.weight)]
    else:
        share = [w * (denominator // costs.scale) for w in costs.weight]
    return [[weight * value for weight, value in zip(share, line, strict=True)] for line in costs.loss]
