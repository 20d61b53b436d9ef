"""What an answer costs: losses and priors (Definition 3 of the paper), all exact.

    mean        cost = sum_j  w_j         sum_i loss[i][j] Pr[i|j]
    worst case  cost = max_j  (n+1) w_j   sum_i loss[i][j] Pr[i|j]

The paper's max has the prior inside it; with the factor n+1 the uniform prior is the plain worst
case, and another prior says how much worse a mistake is at one true count than at another.

"L0" and "L0,d" carry the paper's factor (n+1)/n, which makes blind guessing cost 1 under L0. Over
histograms they do not: there L0 is the chance of a wrong histogram, L1 the number of people
misplaced, and L2 its square.
"""

from __future__ import annotations

import numbers
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache, lru_cache, partial
from math import comb, factorial, prod
from types import MappingProxyType
from typing import Any

from discreet.core.histogram import Domain, Histogram
from discreet.core.rationals import read_fraction, read_list, total
from discreet.errors import InvalidInput

LossLike = str | int | float | Fraction | Sequence[Sequence[Any]] | None
PriorLike = str | Sequence[Any] | None

# of a chance: 1,598 hexadecimal digits, so that a proof file can name it in 3,200 characters
_MOST_BITS = 6392
_BINOMIAL = re.compile(r"\s*binomial\s*[(: ]\s*(?:n\s*,)?\s*([^()]*?)\s*\)?\s*", re.IGNORECASE)

_MULTINOMIAL = re.compile(r"\s*multinomial\s*[(: ]\s*([^()]*?)\s*\)?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ByDistance:
    """A family of losses that depend on |i-j| alone: how one is typed, its name, and its cost.

    `spelled` finds the parameter in what was typed, `read` reads it; `cost(n, |i-j|, parameter)` is
    exact.
    """

    spelled: re.Pattern[str]
    read: Callable[[str | None], Any]
    named: Callable[[Any], str]
    cost: Callable[[int, int, Any], Fraction]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A loss over 0..n: `cost(i, j)` is what answering i costs when the truth is j.

    It is a `table`, or of a `family` in `BY_DISTANCE` with its parameter: "tail" d costs (n+1)/n
    beyond distance d, "power" p costs |i-j|^p.
    """

    n: int
    name: str
    family: str = ""
    parameter: Any = None
    table: tuple[tuple[Fraction, ...], ...] | None = None
    over: Histogram | None = None
    """The domain, where it is not a count: i and j are then the numbers of its points."""

    def __hash__(self) -> int:
        # no fractions: to hash a thousand of them takes longer than to compare with what has the
        # same name
        return hash((self.n, self.name))

    def cost(self, i: int, j: int) -> Fraction:
        """Return the cost of answering i when the truth is j."""
        if self.table is not None:
            return self.table[i][j]
        return self.at(abs(i - j) if self.over is None else self.over.distance(i, j))

    def at(self, distance: int) -> Fraction:
        """Return the cost of an answer that far off, for a loss that depends on nothing else."""
        return BY_DISTANCE[self.family].cost(self._rescaled, distance, self.parameter)

    @property
    def _rescaled(self) -> int:
        """The n of the paper's factor (n+1)/n, which is about counts: a wrong histogram costs 1,
        as with n = 0.
        """
        return self.n if self.over is None else 0

    @property
    def tail(self) -> int | None:
        """The distance beyond which an answer is wrong, for L0 (0) and "L0,d"; None for other
        losses.
        """
        return self.parameter if self.family == "tail" else None

    @property
    def power(self) -> Fraction | None:
        """The power of a loss |i-j|^p; None for other losses."""
        return self.parameter if self.family == "power" else None

    @property
    def tail_cost(self) -> Fraction:
        """(n+1)/n, the paper's rescaling of counts; 1 where n = 0 and there is no wrong answer,
        and for histograms.
        """
        return _tail(self._rescaled, 1, 0)

    @property
    def by_distance(self) -> tuple[Fraction, ...] | None:
        """The cost of being 0, 1, ..., n off, where nothing else matters; None for a table."""
        return None if self.table is not None else _costs_by_distance(self)

    @property
    def matrix(self) -> tuple[tuple[Fraction, ...], ...]:
        """The costs as rows [output][true count]."""
        if self.table is not None:
            return self.table
        costs = self.by_distance or ()
        if self.over is not None:
            points = range(self.over.size)
            return tuple(tuple(costs[self.over.distance(i, j)] for j in points) for i in points)
        return tuple(costs[i:0:-1] + costs[: self.n + 1 - i] for i in range(self.n + 1))

    @property
    def rounded(self) -> bool:
        """Whether costs are rounded to 30 digits, because |i-j|^p is irrational for a fractional
        p.
        """
        return self.power is not None and self.power.denominator != 1

    @property
    def symmetric(self) -> bool:
        """Whether cost(i, j) = cost(n-i, n-j)."""
        if self.table is None:
            return True
        return all(
            row == tuple(reversed(other))
            for row, other in zip(self.table, reversed(self.table), strict=True)
        )

    @property
    def spec(self) -> dict[str, Any]:
        """The loss as plain values, for files."""
        return {"table": self.table} if self.table is not None else {self.family: self.parameter}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prior:
    """A distribution over the true counts 0..n, exact, summing to 1; over histograms n+1 is how
    many there are.

    It is a `table` of weights, Binomial with a `chance`, or, with neither, uniform: the last two
    are written out only when somebody asks for their weights, because a theorem about a group of
    10^9 people needs none of them.
    """

    n: int
    name: str
    chance: Fraction | None = None
    table: tuple[Fraction, ...] | None = None

    def __hash__(self) -> int:
        return hash((self.n, self.name))  # no fractions, as with a loss

    @property
    def weights(self) -> tuple[Fraction, ...]:
        """The chance of each true count."""
        if self.table is not None:
            return self.table
        if self.chance is not None:
            return _binomial_weights(self.chance, self.n)
        return (Fraction(1, self.n + 1),) * (self.n + 1)

    @property
    def symmetric(self) -> bool:
        """Whether j and n-j are equally likely."""
        if self.table is not None:
            return self.table == self.table[::-1]
        return self.chance is None or self.n == 0 or 2 * self.chance == 1

    @property
    def uniform(self) -> bool:
        """Whether all true counts are equally likely."""
        if self.table is not None:
            return self.table.count(self.table[0]) == len(self.table)
        return self.chance is None or self.n == 0 or (self.n == 1 and 2 * self.chance == 1)


def read_loss(loss: LossLike | Loss, n: int, over: Domain | None = None) -> Loss:
    """Read a loss: "L0", "L0,d", "L1", "L2", "Lp" or the number p for |i-j|^p, or rows
    [output][truth] of costs.

    >>> read_loss("L0,1", 4).cost(0, 2), read_loss("L2", 4).cost(0, 3)
    (Fraction(5, 4), Fraction(9, 1))
    """
    remedy = (
        'use "L0", "L1", "L2", "L0,1", a number p for |i-j|^p (or "Lp"), or (n+1) rows of n+1 costs'
    )
    histogram = over if isinstance(over, Histogram) else None
    if isinstance(loss, Loss):
        if loss.n != n or loss.over != histogram:
            raise InvalidInput(
                "loss",
                f"must be for n = {n}{'' if histogram is None else ' and its answers'}",
                loss.n,
            )
        return loss
    if isinstance(loss, str):
        for family, kind in BY_DISTANCE.items():
            if match := kind.spelled.fullmatch(loss):
                return _by_distance(n, family, kind.read(match[1]), histogram)
        raise InvalidInput("loss", "is not a known loss", found=loss, remedy=remedy)
    if isinstance(loss, (numbers.Real, Decimal)):
        return _by_distance(n, "power", _read_power(loss), histogram)
    points = n if histogram is None else histogram.size - 1
    return Loss(n=n, name="table", table=_read_table(loss, points, remedy), over=histogram)


def _by_distance(n: int, family: str, parameter: Any, over: Histogram | None) -> Loss:
    return Loss(
        n=n,
        name=BY_DISTANCE[family].named(parameter),
        family=family,
        parameter=parameter,
        over=over,
    )


def _read_power(given: Any) -> Fraction:
    p = read_fraction("loss", given)
    if not 0 <= p <= 64:
        raise InvalidInput("loss", "as a power |i-j|^p needs p in 0..64", given)
    return p


def _read_table(loss: Any, n: int, remedy: str) -> tuple[tuple[Fraction, ...], ...]:
    rows = read_list(loss)
    if rows is None or len(rows) != n + 1:
        raise InvalidInput(
            "loss",
            f"must have n+1 = {n + 1} rows",
            loss if rows is None else len(rows),
            remedy=remedy,
        )
    table = []
    for i, row in enumerate(rows):
        values = read_list(row)
        if values is None or len(values) != n + 1:
            raise InvalidInput(
                "loss", f"must have n+1 = {n + 1} costs in row {i}", row, remedy=remedy
            )
        table.append(
            tuple(read_fraction(f"loss[{i}][{j}]", value) for j, value in enumerate(values))
        )
        for j, cost in enumerate(table[-1]):
            if cost < 0:
                raise InvalidInput(f"loss[{i}][{j}]", "must not be negative", found=str(cost))
    return tuple(table)


@lru_cache(maxsize=32)
def _costs_by_distance(loss: Loss) -> tuple[Fraction, ...]:
    return tuple(map(loss.at, range(loss.n + 1)))


def _power(n: int, distance: int, p: Fraction) -> Fraction:
    if p.denominator != 1:
        return _rounded(distance, p)
    return Fraction(distance**p.numerator if p else int(distance > 0))


@cache
def _rounded(distance: int, p: Fraction) -> Fraction:
    with localcontext() as context:
        # 40 digits kept to 30, so that the rounding is the same on every machine
        context.prec = 40
        value = (
            Decimal(distance) ** (Decimal(p.numerator) / Decimal(p.denominator))
            if distance
            else Decimal(0)
        )
        context.prec = 30
        return Fraction(+value)


def _tail(n: int, distance: int, d: int) -> Fraction:
    if distance <= d:
        return Fraction(0)
    return Fraction(n + 1, n) if n else Fraction(1)


BY_DISTANCE = MappingProxyType(
    {
        "tail": ByDistance(
            spelled=re.compile(r"\s*L_?0\s*(?:,\s*(\d{1,6}))?\s*", re.IGNORECASE),
            read=lambda d: int(d or 0),
            named=lambda d: f"L0,{d}" if d else "L0",
            cost=_tail,
        ),
        "power": ByDistance(
            spelled=re.compile(
                r"\s*(?:L_?|\|i-j\|\^)(\d{1,3}(?:\.\d{1,30}|/[1-9]\d{0,30})?)\s*", re.IGNORECASE
            ),
            read=lambda p: _read_power(Fraction(p or 0)),
            named=lambda p: f"L{p}" if p in (1, 2) else f"|i-j|^{p}",
            cost=_power,
        ),
    }
)
"""Every loss with a name: reading, scores, the designer and files go by this table; a new loss
is an entry here.
"""


def read_prior(prior: PriorLike | Prior, n: int, over: Domain | None = None) -> Prior:
    """Read a prior: None or "uniform", n+1 weights summing to 1, or "Binomial(0.3)".

    Over histograms the weights are those of its points in order, and "Multinomial(1/2, 1/4, 1/4)"
    names each answer's chance.

    >>> read_prior("Binomial(1/2)", 2).weights
    (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))
    """
    if isinstance(over, Histogram):
        return _read_histogram_prior(prior, over)
    remedy = (
        f'use "uniform", "Binomial(0.3)" or n+1 = {n + 1} weights that sum to 1, a third as "1/3"'
    )
    if prior is None or (isinstance(prior, str) and prior.strip().lower() == "uniform"):
        return Prior(n=n, name="uniform")
    if isinstance(prior, Prior):
        if prior.n != n:
            raise InvalidInput(
                "prior", f"must have n+1 = {n + 1} weights", prior.n + 1, remedy=remedy
            )
        return prior
    if isinstance(prior, str):
        match = _BINOMIAL.fullmatch(prior)
        if not match:
            raise InvalidInput("prior", "is not a known prior", found=prior, remedy=remedy)
        return _binomial(read_fraction("prior", match[1]), n)
    return _read_weights(prior, n + 1, f"must have n+1 = {n + 1} weights", remedy)


def _read_weights(prior: Any, size: int, rule: str, remedy: str) -> Prior:
    values = read_list(prior)
    if values is None or len(values) != size:
        raise InvalidInput("prior", rule, prior if values is None else len(values), remedy=remedy)
    weights = tuple(read_fraction(f"prior[{j}]", value) for j, value in enumerate(values))
    if total(weights) != 1:
        from discreet.core.exchange.near_floats import has_floats, near_distribution

        weights = near_distribution("prior", values) if has_floats(values) else weights
    if min(weight.numerator for weight in weights) < 0 or total(weights) != 1:
        raise InvalidInput(
            "prior", "must be non-negative and sum to exactly 1", str(total(weights)), remedy=remedy
        )
    uniform = weights.count(weights[0]) == size
    return (
        Prior(n=size - 1, name="uniform")
        if uniform
        else Prior(n=size - 1, name="given", table=weights)
    )


def _binomial(p: Fraction, n: int) -> Prior:
    if not 0 <= p <= 1:
        raise InvalidInput("prior", "Binomial(p) needs p in [0, 1]", str(p))
    if p.denominator.bit_length() > _MOST_BITS:
        raise InvalidInput(
            "prior", "Binomial(p) needs a p of at most 1900 digits, which a proof file can name"
        )
    return Prior(n=n, name=f"Binomial({p})", chance=p)


@lru_cache(maxsize=32)
def _binomial_weights(p: Fraction, n: int) -> tuple[Fraction, ...]:
    return tuple(comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(n + 1))


def _read_histogram_prior(prior: PriorLike | Prior, over: Histogram) -> Prior:
    """A prior over histograms: uniform, a weight for each in order, or each person's chance of
    each answer.
    """
    size, k = over.size, over.k
    remedy = f'use "uniform", "Multinomial(p1, ..., p{k})" or {size} weights that sum to 1'
    if prior is None or (isinstance(prior, str) and prior.strip().lower() == "uniform"):
        return Prior(n=size - 1, name="uniform")
    if isinstance(prior, Prior):
        if prior.n != size - 1:
            raise InvalidInput("prior", f"must have {size} weights", prior.n + 1, remedy=remedy)
        return prior
    if not isinstance(prior, str):
        return _read_weights(
            prior, size, f"must have {size} weights, one for each histogram", remedy
        )
    match = _MULTINOMIAL.fullmatch(prior)
    if not match:
        raise InvalidInput(
            "prior", "is not a known prior over histograms", found=prior, remedy=remedy
        )
    chances = [read_fraction("prior", part) for part in match[1].split(",")]
    if len(chances) != k or min(chances) < 0 or sum(chances) != 1:
        raise InvalidInput(
            "prior",
            f"must have {k} chances that sum to exactly 1",
            str(sum(chances)),
            remedy=remedy,
        )
    weights = tuple(map(partial(_multinomial, chances), over.points))
    return Prior(n=size - 1, name=f"Multinomial({', '.join(map(str, chances))})", table=weights)


def _multinomial(chances: list[Fraction], point: tuple[int, ...]) -> Fraction:
    ways = factorial(sum(point)) // prod(map(factorial, point))
    return ways * prod((p**x for p, x in zip(chances, point, strict=True)), start=Fraction(1))
