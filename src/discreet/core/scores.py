"""What a mechanism costs, exactly: the objective of Definition 3, and the moments per true count."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from operator import mul
from typing import TYPE_CHECKING

from discreet.core.forms import Dense, Folded

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from discreet.core.forms import Form
    from discreet.core.losses import Loss, Prior


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """How the output behaves for one true count, exactly."""

    mean: Fraction
    bias: Fraction
    variance: Fraction
    mean_squared_error: Fraction
    truth: Fraction


def score(form: Form, loss: Loss, prior: Prior, *, worst_case: bool = False) -> Fraction:
    """Return sum_j w_j E[loss | j], or max_j (n+1) w_j E[loss | j].

    Summed in integers over each denominator that occurs: many times faster than a sum of fractions.
    """
    if isinstance(form, Folded):
        return _histogram_score(form, loss, prior, worst_case=worst_case)
    expected = _tail_loss(form, loss) if loss.tail is not None else _expected_loss(form, loss)
    weights, scale = _integers(prior.weights)
    costs: dict[int, list[int]] = {}
    for j, weight in enumerate(weights):
        numerator, denominator = expected(j) if weight else (0, 1)
        costs.setdefault(denominator, []).append(weight * numerator)
    if worst_case:
        return (form.n + 1) * max(Fraction(max(several), d * scale) for d, several in costs.items())
    return sum((Fraction(sum(several), d * scale) for d, several in costs.items()), Fraction(0))


def _expected_loss(form: Form, loss: Loss) -> Callable[[int], tuple[int, int]]:
    """Return a function from j to E[loss | j], as a numerator over a denominator that need not be the least."""
    size, table = form.n + 1, loss.table
    exact = loss.by_distance or () if table is None else [cost for truth in zip(*table, strict=True) for cost in truth]
    whole, scale = _integers(exact)

    def at(j: int) -> tuple[int, int]:
        weights, denominator = form.column(j)
        costs = whole[j:0:-1] + whole[: size - j] if table is None else whole[j * size : (j + 1) * size]
        return sum(map(mul, costs, weights)), scale * denominator

    return at


def _tail_loss(form: Form, loss: Loss) -> Callable[[int], tuple[int, int]]:
    """Do the same for L0,d: one less the band around the truth is the same number from far fewer entries."""
    d, n, cost = loss.tail or 0, form.n, loss.tail_cost

    def at(j: int) -> tuple[int, int]:
        band = slice(max(0, j - d), min(n, j + d) + 1)
        if isinstance(form, Dense):
            near, denominator = sum(row[j] for row in form.rows[band]), form.denominator
        else:
            chance = sum((form.entry(i, j) for i in range(n + 1)[band]), Fraction(0))
            near, denominator = chance.numerator, chance.denominator
        return cost.numerator * (denominator - near), cost.denominator * denominator

    return at


def _histogram_score(form: Folded, loss: Loss, prior: Prior, *, worst_case: bool) -> Fraction:
    """The same over histograms: a loss by distance is expected alike for all true histograms of one orbit."""
    orbits, domain = form.orbits, form.domain
    if loss.table is not None:
        costs = [
            sum(
                (Fraction(w, form.denominator) * loss.table[i][j] for i, w in enumerate(form.column(j)[0])), Fraction(0)
            )
            for j in range(domain.size)
        ]
    else:
        whole, scale = _integers(loss.by_distance or ())
        at = [0] * len(orbits.truths)
        for s, entries, far, x in zip(orbits.truth_of, orbits.entries, orbits.distance, form.values, strict=True):
            at[s] += entries * whole[far] * x
        shared = [Fraction(total, scale * form.denominator) for total in at]
        costs = [shared[s] for s in orbits.truth_number]
    if worst_case:
        return domain.size * max(weight * cost for weight, cost in zip(prior.weights, costs, strict=True))
    by_cost: dict[Fraction, Fraction] = {}
    for cost, weight in zip(costs, prior.weights, strict=True):
        by_cost[cost] = by_cost.get(cost, Fraction(0)) + weight
    return sum(map(mul, by_cost, by_cost.values()), Fraction(0))


def _integers(values: Sequence[Fraction]) -> tuple[list[int], int]:
    """Return the numerators over one common denominator, and that denominator."""
    common = lcm(*{value.denominator for value in values})
    return [value.numerator * (common // value.denominator) for value in values], common


def moments(form: Form, j: int) -> Moments:
    """Return mean, bias, variance, mean squared error and chance of truth for true count j."""
    weights, whole = form.column(j)
    first = sum(i * w for i, w in enumerate(weights))
    second = sum(i * i * w for i, w in enumerate(weights))
    return Moments(
        mean=Fraction(first, whole),
        bias=Fraction(first - j * whole, whole),
        variance=Fraction(second * whole - first * first, whole * whole),
        mean_squared_error=Fraction(second - 2 * j * first + j * j * whole, whole),
        truth=Fraction(weights[j], whole),
    )
