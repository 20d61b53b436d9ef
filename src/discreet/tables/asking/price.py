"""What one person pays for a release, shared among its draws exactly, and never more than what is stated."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from discreet.core.privacy import Alpha, epsilon_below, exp_minus, product_below, read_alpha
from discreet.core.rationals import Exact, simplest_between
from discreet.errors import InvalidInput
from discreet.tables.asking.question import Question
from discreet.tables.published.guarantee import Promise


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What one person pays in total, and the parameter each single draw is made with."""

    total: Alpha
    each: tuple[Alpha, ...]


def read_price(question: Question, *, epsilon: Exact | None, alpha: Exact | None) -> Price:
    """Share epsilon among the counts and the contributions.

    One person has at most k rows. Changing them moves each count by at most k in all, wherever the rows lie, so a
    draw at epsilon_c costs that person k epsilon_c; the counts of one release compose by adding. In alphas: the
    product of the draws' alphas, each k times over, is at least the total's, exactly. Epsilons are shared out as they
    are; where the alphas cannot be, they are rounded toward more privacy.
    """
    total = read_alpha(alpha=alpha, epsilon=epsilon)
    if total.epsilon == 0:
        remedy = "0 would say nothing about the data; typical values are 0.1 to 2"
        raise InvalidInput("epsilon" if alpha is None else "alpha", "must leave something to say", remedy=remedy)
    k = question.contributions
    shares = [count.share / k for count in question.counts]
    if len(shares) == k == 1:
        return Price(total=total, each=(total,))
    if alpha is not None:
        # A share of an epsilon at or below -ln(alpha) makes each draw; its share of the price is what it is paid at.
        spent = epsilon_below(total.value)
        drawn = [read_alpha(epsilon=spent * share).value for share in shares]
        paid = [total.epsilon * share for share in shares]
        return Price(total=total, each=tuple(map(_alpha, drawn, paid)))
    each = tuple(read_alpha(epsilon=total.epsilon * share) for share in shares)
    # What the draws come to is stated, not what one draw at this epsilon would be: that may be a little more.
    reached = product_below((draw.value for draw in each), k)
    stated = simplest_between(min(exp_minus(total.epsilon)[1], reached), reached)
    return Price(total=_alpha(stated, total.epsilon), each=each)


def promise(question: Question, price: Price) -> Promise:
    """What the statement of the guarantee is made of."""
    return Promise(
        epsilon=price.total.epsilon,
        counts=len(question.counts),
        contributions=question.contributions,
        checked=question.unit is not None,
        of_people=question.size is None,
    )


def _alpha(value: Fraction, epsilon: Fraction) -> Alpha:
    return Alpha(value=value, epsilon=epsilon)
