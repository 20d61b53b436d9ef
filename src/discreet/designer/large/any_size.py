"""`best_cost`: what the best mechanism of a shape costs for groups of any size, proven, without its
matrix.

L0, a uniform prior. A theorem's closed form where one applies (GM, WM, EM, GM with its ends moved
inward). What is left are the shapes with a column property, without F, for alpha > 2/3 (or n = 2).
There, with k = floor(a/(1-a)) (docs/old/paper/beyond-columns.md has the proofs):

    n <= 2k+1    the bound on the trace is attained: the diagonal falls by a at each step from the
                 ends to the middle
    n > 2k+1     the diagonal is GM's but for some 1.34 k entries at each end. The program of
                 thresholds is solved exactly for a size at which both ends fit, and its optimum and
                 its multipliers are continued to n by what they are in the middle: t_j = s_j =
                 a/(1+a), and 1/(1+a) on the two rows of privacy

At n itself every row is checked for the one and every multiplier added up for the other, both in
O(n) exact operations; and `can_be_filled` says that a matrix belongs to the point. So the cost is
that of a mechanism that exists, the bound holds for every mechanism of the shape, and where they
meet nothing is left to believe. Where they do not, and beyond a million people, both are stated:
then the cost is that of level ends, which are within 0.005/n of the best (observed).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

from discreet.core.certificate import read_problem
from discreet.core.forms import ColumnHonest, Fair, Geometric, WeaklyHonest
from discreet.core.properties import Shape, closure
from discreet.core.rationals import Alpha, Exact, read_alpha, shown
from discreet.designer.theorems.closed_form import closed_form
from discreet.errors import InvalidInput, NotProven

if TYPE_CHECKING:
    from discreet.core.certificate import Problem
    from discreet.core.forms import Form
    from discreet.core.properties import ShapeLike
    from discreet.designer.large.symmetric_program import Multipliers, Point

LARGEST = 4096
"""The largest size for which the program of thresholds is solved: a few seconds."""

CONTINUED = 1_000_000
"""The largest size to which its optimum is continued; beyond it the cost of level ends is
stated.
"""

LONGEST = 1 << 21
"""The most binary digits of a power of alpha in an exact cost: a few seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BestCost:
    """What the best mechanism of a shape costs: `cost` is that of one that exists, none has less
    than `bound`.

    >>> found = best_cost(n=10_000, alpha="3/4", properties="WH CM")
    >>> found.optimal, found.cost == Fraction(6, 7) + Fraction(4, 27) / 10_000
    (True, True)
    """

    n: int
    privacy: Alpha
    shape: Shape
    cost: Fraction
    bound: Fraction
    method: str

    @property
    def optimal(self) -> bool:
        """Whether cost and bound are one number, which is then the optimum."""
        return self.cost == self.bound

    @property
    def gap(self) -> Fraction:
        """How far from optimal the cost can be at most, as a part of the bound."""
        return Fraction(0) if self.optimal else self.cost / self.bound - 1

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "n": self.n,
            "alpha": self.privacy.value,
            "epsilon": self.privacy.epsilon,
            "properties": list(self.shape),
            "loss": "L0",
            "cost": self.cost,
            "bound": self.bound,
            "optimal": self.optimal,
            "gap": self.gap,
            "method": self.method,
        }

    def __str__(self) -> str:
        proven = (
            "proven to be the least"
            if self.optimal
            else f"no less than {shown(self.bound, 15)}, proven"
        )
        return "\n".join(
            (
                f"the best L0 for n = {self.n}, {self.privacy}, properties: {self.shape or 'none'}",
                f"  cost    {shown(self.cost, 15)}, {proven}",
                f"  method  {self.method}",
            )
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from discreet.show.html import preformatted

        return preformatted(str(self))


def best_cost(
    *,
    n: int,
    epsilon: Exact | None = None,
    alpha: Exact | Alpha | None = None,
    properties: ShapeLike = None,
) -> BestCost:
    """Return the least L0 that a mechanism of a shape can have under a uniform prior, exactly, for
    any group size.

    For groups too large for `design`, or where only the number is wanted: 10,000 people take a
    second at most for alpha up to 0.998. Shapes with a column property have one number up to a
    million people, and beyond it a cost and a bound; a size at which the exact number would have
    millions of digits is refused.

    - `n`: the group size
    - `epsilon`, `alpha`: the privacy; give exactly one of epsilon and alpha = exp(-epsilon)
    - `properties`: any of RH RM CH CM WH F S

    >>> print(best_cost(n=1000, alpha="10/11", properties="WH CM"))
    the best L0 for n = 1000, alpha = 10/11 (epsilon = 0.0953102), properties: CM WH
      cost    0.952612805669928, proven to be the least
      method  program of thresholds for n = 34, continued to n = 1000
    """
    privacy = read_alpha(alpha=alpha, epsilon=epsilon)
    problem = read_problem(n=n, alpha=privacy, properties=properties)
    if problem.alpha == 1 and problem.n:
        one = Fraction(1)
        return _answer(
            problem,
            privacy,
            one,
            one,
            "alpha = 1: all columns are the same, so that their truths sum to 1",
        )
    if (found := closed_form(problem, privacy)) is not None:
        if isinstance(found.form, Fair | WeaklyHonest):
            _require_short(problem.n, problem.alpha, problem.n // 2)
        cost = _closed_cost(found.form) if problem.n else Fraction(0)
        return _answer(problem, privacy, cost, cost, found.origin.method)
    if problem.shape.output_dp is not None or not {"CH", "CM"} & closure(problem.shape).names:
        remedy = "ask for any of RH RM CH CM WH F S; `design` takes the rest"
        raise InvalidInput(
            "properties",
            "must be a shape whose least cost is known",
            str(problem.shape),
            remedy=remedy,
        )
    return _answer(problem, privacy, *column_honest_cost(problem.n, problem.alpha))


def _answer(
    problem: Problem, privacy: Alpha, cost: Fraction, bound: Fraction, method: str
) -> BestCost:
    return BestCost(
        n=problem.n, privacy=privacy, shape=problem.shape, cost=cost, bound=bound, method=method
    )


def _require_short(n: int, a: Fraction, exponent: int) -> None:
    """Refuse a size at which the exact cost, which has such a power of alpha, would take minutes
    to compute.
    """
    if exponent * a.denominator.bit_length() > LONGEST:
        rule = (
            f"must be smaller for this alpha: the exact cost would have over {LONGEST:,} binary "
            "digits"
        )
        raise InvalidInput(
            "n", rule, n, remedy="take a smaller group, or an alpha with a shorter denominator"
        )


def _closed_cost(form: Form) -> Fraction:
    """L0 of a closed form: the diagonals of GM and EM have one number at both ends and one
    between them.
    """
    n = form.n
    if isinstance(
        form, WeaklyHonest
    ):  # what the middle columns say of the trace, in the proof of its theorem
        truth = 1 + 2 * (1 - 1 / ((n + 1) * form.fair.entry(0, 0))) / (
            form.alpha ** (n // 2) + form.alpha ** (n - n // 2)
        )
    elif isinstance(form, Geometric | Fair):
        truth = 2 * form.entry(0, 0) + (n - 1) * form.entry(1, 1)
    elif isinstance(form, ColumnHonest):  # beside the ends there is a third number
        truth = 2 * form.entry(0, 0) + 2 * form.entry(1, 1) + (n - 3) * form.entry(2, 2)
    else:
        truth = sum((form.entry(j, j) for j in range(n + 1)), Fraction(0))
    return (n + 1 - truth) / n


def column_honest_cost(n: int, a: Fraction) -> tuple[Fraction, Fraction, str]:
    """Return cost, bound and method for the shapes with a column property: n >= 2, 1/2 < a < 1."""
    k = a // (1 - a)
    _require_short(n, a, min(k, n // 2))
    if n <= 2 * k + 1:
        cost = 1 + (1 - largest_trace(n, a)) / n
        return cost, cost, "the bound on the trace, attained"
    from discreet.designer.large.filling import can_be_filled
    from discreet.designer.large.symmetric_program import optimum

    bound = 2 * a / (1 + a)
    for width in (1.36, 1.5, 2):
        size = min(n, 2 * ceil(width * float(a / (1 - a))) + 6)
        if size > LARGEST or n > CONTINUED:
            break
        try:
            point, multipliers = continued(*optimum(size, a), n)
        except NotProven:
            continue
        bound = max(bound, multipliers.bound)
        if point.cost == bound and can_be_filled(point):
            method = f"program of thresholds for n = {size}"
            return bound, bound, method if size == n else f"{method}, continued to n = {n}"
        if size == n:
            break
    return 2 * a / (1 + a) + level_ends(a) / n, bound, "GM with level ends"


def continued(point: Point, multipliers: Multipliers, n: int) -> tuple[Point, Multipliers]:
    """Continue a point and multipliers to n people, from the middle, by what belongs to GM."""
    from discreet.designer.large.symmetric_program import Multipliers, Point

    a, size = point.a, len(point.below)

    def longer(values: list[Any], middle: Any) -> list[Any]:
        half = size // 2
        return [*values[:half], *[middle] * (n - size), *values[half:]]

    return Point(a, longer(point.below, a / (1 + a))), Multipliers(
        a,
        longer(multipliers.private, 1 / (1 + a)),
        longer(multipliers.steep, 0 * a),
        longer(multipliers.honest, 0 * a),
    )


def largest_trace(n: int, a: Fraction) -> Fraction:
    """Return what the trace of a column-honest mechanism is at most; attained for n <= 2
    floor(a/(1-a)) + 1.

    sum_i a^-|i-n/2| / (n+1) for even n, 4 sum_{i <= n/2} a^-i / ((n+1)(1+a)) for odd n.

    >>> largest_trace(2, Fraction(2, 3)), largest_trace(3, Fraction(2, 3))
    (Fraction(4, 3), Fraction(3, 2))
    """
    power = a ** -(n // 2)
    if n % 2 == 0:
        return (1 + 2 * (power - 1) / (1 - a)) / (n + 1)
    return 4 * (power - a) / ((1 - a) * (n + 1) * (1 + a))


def level_ends(a: Fraction) -> Fraction:
    """Return C for which level ends cost 2a/(1+a) + C/n, n >= 2k+1, k = floor(a/(1-a)).

    d_j = a^(j-k) / ((1+a)(k+1)) for j <= k, where all entries above the diagonal are as large; GM's
    between the ends. Up to 2/3 it is the least; it grows to 3 - e.

    >>> level_ends(Fraction(3, 5)), level_ends(Fraction(3, 4))
    (Fraction(1, 12), Fraction(4, 27))
    """
    k = a // (1 - a)
    return 1 + (2 * k + 1) * (1 - a) / (1 + a) - 2 * (a**-k - a) / ((1 - a) * (1 + a) * (k + 1))
