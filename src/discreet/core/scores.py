"""What a mechanism costs, exactly: the objective of Definition 3, and the moments per true count."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
    """Return sum_j w_j E[loss | j], or max_j (n+1) w_j E[loss | j]."""
    costs = (w and w * expected_loss(form, loss, j) for j, w in enumerate(prior.weights))
    return (form.n + 1) * max(costs) if worst_case else sum(costs, Fraction(0))


def expected_loss(form: Form, loss: Loss, j: int) -> Fraction:
    """Return the expected cost of the answer when the true count is j."""
    n = form.n
    if loss.tail is not None:
        # one less the band around the truth: the same number from far fewer entries
        band = range(max(0, j - loss.tail), min(n, j + loss.tail) + 1)
        return loss.tail_cost * (1 - sum((form.entry(i, j) for i in band), Fraction(0)))
    weights, denominator = form.column(j)
    costs = [loss.cost(i, j) for i in range(n + 1)]
    common = lcm(*(cost.denominator for cost in costs))  # sums of integers are many times faster than of fractions
    whole = (cost.numerator * (common // cost.denominator) for cost in costs)
    return Fraction(sum(c * w for c, w in zip(whole, weights, strict=True)), common * denominator)


def moments(form: Form, j: int) -> Moments:
    """Return mean, bias, variance, mean squared error and chance of truth for true count j."""
    weights, denominator = form.column(j)
    mean = Fraction(sum(i * w for i, w in enumerate(weights)), denominator)
    square = Fraction(sum(i * i * w for i, w in enumerate(weights)), denominator)
    variance = square - mean * mean
    return Moments(
        mean=mean,
        bias=mean - j,
        variance=variance,
        mean_squared_error=variance + (mean - j) ** 2,
        truth=Fraction(weights[j], denominator),
    )
