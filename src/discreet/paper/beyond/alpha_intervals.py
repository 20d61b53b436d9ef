"""C(a) proven interval by interval: one basis of the program of thresholds is optimal from `low` to
`high`.

The rows that are tight at the middle of an interval are solved with alpha as an unknown: point and
multipliers are rational functions of it. `prove` then shows for all alpha of the interval, n >=
size:

- the point keeps every row, the multipliers are not negative and charge every t_j exactly 1, so
  both are optimal;
- the matrix has room, by the lemma of docs/old/paper/beyond-columns.md;
- in the middle t_j = s_j = a/(1+a), and of the multipliers only those of privacy are not 0, 1/(1+a)
  each: so both can be continued to any larger n, where no row becomes stronger, and n (cost -
  2a/(1+a)) stays what it is.

That a rational function is not negative on an interval is decided exactly: Sturm's theorem says
that its denominator has no root there and its numerator none inside, and its sign in the middle
does the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import Any

from flint import fmpq, fmpq_poly

from discreet.designer.large.band import solve_band
from discreet.designer.large.symmetric_program import Point, folded, rows, tight_rows
from discreet.errors import NotProven

INTERVALS = (
    ("1/2", "2/3"),
    ("2/3", "0.693"),
    ("0.693001", "0.75"),
    ("0.75", "0.768278"),
    ("0.768279", "0.8"),
    ("0.8", "0.813137"),
    ("0.813138", "0.821845"),
    ("0.821846", "0.827326"),
    ("0.827327", "0.834243"),
    ("0.834244", "0.843158"),
    ("0.843159", "0.850002"),
    ("0.850003", "0.853553"),
    ("0.853554", "0.864744"),
    ("0.864745", "0.870249"),
    ("0.87025", "0.870952"),
    ("0.870953", "0.872677"),
    ("0.872678", "0.881046"),
    ("0.881047", "0.885564"),
    ("0.885565", "0.886105"),
    ("0.886106", "0.888486"),
    ("0.888487", "0.89758"),
    ("0.897581", "0.898003"),
    ("0.898004", "0.900032"),
    ("0.900033", "0.902004"),
    ("0.902005", "0.90761"),
    ("0.907611", "0.909358"),
    ("0.909359", "0.911043"),
    ("0.911044", "0.911613"),
    ("0.911614", "0.91706"),
    ("0.917061", "0.918514"),
    ("0.918515", "0.919021"),
    ("0.919022", "0.920878"),
    ("0.920879", "0.920944"),
    ("0.920945", "0.9248"),
    ("0.924801", "0.925254"),
    ("0.925255", "0.926901"),
)
"""One basis is optimal in each. Where two do not meet, they change within a millionth, at a root
of a polynomial.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Ratio:
    """A rational function of alpha, in lowest terms."""

    top: Any
    bottom: Any

    @staticmethod
    def of(value: object) -> Ratio:
        """A number as a function."""
        return value if isinstance(value, Ratio) else Ratio(fmpq_poly([value]), fmpq_poly([1]))

    @staticmethod
    def _least(top: Any, bottom: Any) -> Ratio:
        common = top.gcd(bottom)
        lead = (bottom // common).leading_coefficient()
        return Ratio(top // common / lead, bottom // common / lead)

    def __add__(self, other: Any) -> Ratio:
        other = Ratio.of(other)
        return self._least(
            self.top * other.bottom + other.top * self.bottom, self.bottom * other.bottom
        )

    def __mul__(self, other: Any) -> Ratio:
        other = Ratio.of(other)
        return self._least(self.top * other.top, self.bottom * other.bottom)

    def __truediv__(self, other: Any) -> Ratio:
        other = Ratio.of(other)
        return self * Ratio(other.bottom, other.top)

    def __neg__(self) -> Ratio:
        return Ratio(-self.top, self.bottom)

    def __sub__(self, other: object) -> Ratio:
        return self + -Ratio.of(other)

    def __rsub__(self, other: object) -> Ratio:
        return Ratio.of(other) + -self

    def __rtruediv__(self, other: Any) -> Ratio:
        return Ratio.of(other) / self

    __radd__ = __add__
    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        return not (self - other).top

    def __hash__(self) -> int:
        return hash((str(self.top), str(self.bottom)))

    def __str__(self) -> str:
        return f"({self.top}) / ({self.bottom})".replace("x", "a")

    def __bool__(self) -> bool:
        return bool(self.top)

    def at(self, value: Fraction) -> Fraction:
        """Its value at one alpha."""
        x = fmpq(value.numerator, value.denominator)
        found = self.top(x) / self.bottom(x)
        return Fraction(int(found.p), int(found.q))

    def never_negative(self, low: Fraction, high: Fraction) -> bool:
        """Whether it is at least 0 everywhere from `low` to `high`."""
        if not self.top:
            return True
        ends = fmpq(low.numerator, low.denominator), fmpq(high.numerator, high.denominator)
        if self.bottom(ends[0]) == 0 or roots_within(self.bottom, *ends):
            return False
        beyond = 1 if self.top(ends[1]) == 0 else 0
        return roots_within(self.top, *ends) == beyond and self.at((low + high) / 2) > 0


def roots_within(polynomial: Any, low: fmpq, high: fmpq) -> int:
    """How many different roots there are in (low, high]: Sturm's theorem.

    >>> (
    ...     roots_within(fmpq_poly([-2, 0, 1]), fmpq(0), fmpq(2)),
    ...     roots_within(fmpq_poly([2, -3, 1]), fmpq(1), fmpq(2)),
    ... )
    (1, 1)
    """
    chain = [polynomial, polynomial.derivative()]
    while chain[-1].degree() > 0:
        chain.append(-(chain[-2] % chain[-1]))
    common = polynomial.gcd(
        polynomial.derivative()
    )  # a multiple root divides the whole chain, and is taken out
    chain = [each // common for each in chain if each]

    def changes(x: fmpq) -> int:
        signs = [value > 0 for each in chain if (value := each(x)) != 0]
        return sum(one != other for one, other in pairwise(signs))

    return changes(low) - changes(high)


def prove(low: Fraction, high: Fraction) -> tuple[int, Ratio]:
    """Return a size and C(a): for every alpha from `low` to `high` and n >= size the least cost is
    2a/(1+a) + C(a)/n.

    `NotProven` where one of the things to be shown fails.
    """
    middle = (low + high) / 2
    size = 2 * ceil(1.36 * float(high / (1 - high))) + 6
    a = Ratio(fmpq_poly([0, 1]), fmpq_poly([1]))
    every, tight = list(rows(size, a)), tight_rows(size, middle)
    lines = [every[k][0] for k in tight]
    values = solve_band(lines, [every[k][1] for k in tight])
    across: list[dict[int, Ratio]] = [{} for _ in range(size)]
    for k, line in enumerate(lines):
        for v, c in line.items():
            across[v][k] = c
    charged = dict(zip(tight, solve_band(across, [Ratio.of(1)] * size), strict=True))
    nothing = Ratio.of(0)
    kinds = [[charged.get(3 * j + kind, nothing) for j in range(size)] for kind in range(3)]
    point = Point(a, [values[folded(size, 2 * j)] for j in range(size)])
    shown = [
        *(sum((c * values[v] for v, c in line.items()), nothing) - least for line, least in every),
        *values,
        *charged.values(),
    ]
    if not all(each.never_negative(low, high) for each in shown):
        raise NotProven(f"one basis is not optimal for every alpha from {low} to {high}")
    if not _is_gm_in_the_middle(point, kinds) or not _has_room(point, low, high):
        raise NotProven(f"the optimum from {low} to {high} is not known to be filled and continued")
    excess = 2 * sum(point.below, nothing) - size * (2 * a / (1 + a))
    return size, excess


def _is_gm_in_the_middle(point: Point, kinds: list[list[Ratio]]) -> bool:
    """Whether the two thresholds in the middle are GM's, and no row that n makes different is
    charged for.
    """
    a, size = point.a, len(point.below)
    private, steep, honest = kinds
    middle = (size // 2 - 1, size // 2)
    return all(
        point.below[j] == a / (1 + a) and private[j] == 1 / (1 + a) and not steep[j] for j in middle
    ) and not any(honest[size // 2 - 1 :])


def _has_room(point: Point, low: Fraction, high: Fraction) -> bool:
    """The lemma's condition at every threshold: (i) and (iii) as identities, (ii) as an
    inequality.
    """
    a, t, d = point.a, point.below, point.diagonal
    n = len(t)
    for j in range(n):
        level = 2 * j < n and (t[j - 1] if j else 0) == j * d[j]
        if not (1 - t[j] - t[n - 1 - j]).never_negative(low, high):
            return False
        if not (
            level or t[j] == a * (1 - t[n - 1 - j]) or (d[j + 1] - d[j]).never_negative(low, high)
        ):
            return False
    return True
