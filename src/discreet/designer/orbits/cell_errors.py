"""What a histogram costs cell by cell, exactly, and what no joint mechanism undercuts; uniform over
histograms.

The error of one count t_c under GM with ratio b is two-sided geometric noise, clamped to 0..n. Its
first two absolute moments m1(t_c), m2(t_c) and its chance of truth are closed forms, and the counts
are drawn independently:

    L0    1 - E prod_c truth(t_c)
    L1    E (1/2) sum_c |e_c|               = (k/2) E m1(t_1)
    L2    E ((1/2) sum_c |e_c|)^2           = (k/4) E m2(t_1) + (k(k-1)/4) E m1(t_1) m1(t_2)

**Bounds for every alpha-private joint mechanism**, a = alpha. Its outputs are histograms, so that
the errors e_c add up to 0 and d = (1/2) sum_c |e_c|.

*One answer at a time.* Given the count j of one answer, the others are uniform over the histograms
of n-j people; a Polya urn makes those of one more person by adding one. So a joint mechanism
averaged over them is an alpha-private mechanism of that count, under the prior C(n-j+k-2,
k-2)/size, and costs at least the best of those: E|e_c| >= L1*, and E e_c^2 >= L2*. Hence L1 >=
(k/2) L1*; and since d^2 >= (1/2) sum_c e_c^2 where errors add up to 0, L2 >= (k/2) L2*.

*The truth everywhere.* Pr[o|t] >= a^d(o,t) Pr[o|o], so that sum_o a^d(o,t) Pr[o|o] <= 1 for every
t. Summed over t: sum_o S(o) Pr[o|o] <= size with S(o) = sum_t a^d(o,t), so the mean chance of truth
is at most 1/min S. S is least where all people give one answer: S(o) is a coefficient of prod_c
sum_t a^max(o_c-t,0) x^t, and making two counts (p, q) into (p+q, 0) lowers every coefficient of the
product of their two factors (the distances of consecutive integers to an interval are, in order, at
most 0, 1, 2, ..., and they are exactly these where the interval ends at their end). So L0 >= 1 -
1/sum_d C(d+k-2, k-2) a^d.

L1 is at least L0, and L2 at least L1^2 and L0, so each bound is the largest of those that apply.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, lcm, prod
from typing import TYPE_CHECKING

from discreet.core.histogram import Histogram

if TYPE_CHECKING:
    from collections.abc import Sequence

LOSSES = ("L0", "L1", "L2")
"""The losses that the exact error of the cells is worked out for."""

BLOCK = 150
"""The most true counts that a bound looks at together."""


def cell_cost(domain: Histogram, b: Fraction, loss: str) -> Fraction:
    """Return the exact mean cost of k counts drawn by GM with ratio b, as they are drawn."""
    n, k, size = domain.n, domain.k, domain.size
    if loss == "L0":
        return 1 - _mean_truth(n, k, size, b)
    first = _moments(n, b, 1)
    if loss == "L1":
        return Fraction(k, 2) * _mean(first, n, k, size)
    scale = lcm(*(value.denominator for value in first))
    whole = [int(value * scale) for value in first]  # in integers, because the pairs are many
    pairs = sum(
        whole[i] * sum(comb(n - i - j + k - 3, k - 3) * whole[j] for j in range(n + 1 - i))
        for i in range(n + 1)
    )
    mean = Fraction(pairs, scale * scale * size)
    return Fraction(k, 4) * _mean(_moments(n, b, 2), n, k, size) + Fraction(k * (k - 1), 4) * mean


def cell_cost_under(
    domain: Histogram, b: Fraction, loss: str, weights: Sequence[Fraction]
) -> Fraction:
    """Return the same under any prior: a weight for each histogram, in order."""
    n, quarter = domain.n, Fraction(1, 4)
    first, second = _moments(n, b, 1), _moments(n, b, 2)
    truth = [1 / (1 + b) if j in (0, n) else (1 - b) / (1 + b) for j in range(n + 1)]
    total = Fraction(0)
    for weight, point in zip(weights, domain.points, strict=True):
        if loss == "L0":
            total += weight * (1 - prod((truth[j] for j in point), start=Fraction(1)))
            continue
        mean = sum((first[j] for j in point), Fraction(0))
        if loss == "L1":
            total += weight * mean / 2
        else:  # the square of the sum: that of its mean, and the variances of its parts
            total += (
                weight
                * quarter
                * (mean**2 + sum((second[j] - first[j] ** 2 for j in point), Fraction(0)))
            )
    return total


def _mean(values: list[Fraction], n: int, k: int, size: int) -> Fraction:
    """The mean over one answer's count."""
    return (
        sum(
            (weight * value for weight, value in zip(_weights(n, k), values, strict=True)),
            Fraction(0),
        )
        / size
    )


def _weights(n: int, k: int) -> list[int]:
    """How many histograms have j of one answer."""
    return [comb(n - j + k - 2, k - 2) for j in range(n + 1)]


def _moments(n: int, b: Fraction, power: int) -> list[Fraction]:
    """E |output - j|^power for every true count j: each side is a clamped geometric, by sums of
    its tails.
    """
    side = [Fraction(0)]
    for d in range(1, n + 1):
        side.append(side[-1] + (d**power - (d - 1) ** power) * b**d / (1 + b))
    return [side[j] + side[n - j] for j in range(n + 1)]


def _mean_truth(n: int, k: int, size: int, b: Fraction) -> Fraction:
    """The mean of prod_c truth(t_c): by how many counts are 0, since 0 and n are reported truly
    more often.
    """
    end, inside = 1 / (1 + b), (1 - b) / (1 + b)
    several = sum(
        (
            comb(k, zeros) * comb(n - 1, k - zeros - 1) * end**zeros * inside ** (k - zeros)
            for zeros in range(k - 1)
        ),
        Fraction(0),
    )
    return (several + k * end**k) / size


def least_truth(domain: Histogram, b: Fraction) -> Fraction:
    """The least chance that all k counts are reported truly: the more of them lie between 0 and
    n, the less.
    """
    inner = min(domain.n, domain.k) if domain.n > 1 else 0
    return ((1 - b) / (1 + b)) ** inner / (1 + b) ** (domain.k - inner)


def joint_bound(domain: Histogram, alpha: Fraction, loss: str) -> Fraction:
    """Return a cost that no alpha-private mechanism over histograms undercuts (see above)."""
    n, k = domain.n, domain.k
    wrong = 1 - 1 / sum((comb(d + k - 2, k - 2) * alpha**d for d in range(n + 1)), Fraction(0))
    if loss == "L0":
        return wrong
    if loss == "L1":
        return max(wrong, Fraction(k, 2) * _best_count(domain, alpha, "L1"))
    misplaced = joint_bound(domain, alpha, "L1")
    return max(wrong, misplaced**2, Fraction(k, 2) * _best_count(domain, alpha, "L2"))


def _best_count(domain: Histogram, alpha: Fraction, loss: str) -> Fraction:
    """A cost that no mechanism of one answer's count undercuts, its prior that of uniform
    histograms.

    True counts in blocks: what a mechanism costs within a block is at least what the best one of
    that block costs, whose answers may be moved into the block.
    """
    from discreet.designer.single import design

    weights, least = _weights(domain.n, domain.k), Fraction(0)
    for first in range(0, domain.n + 1, BLOCK):
        block = weights[first : first + BLOCK]
        prior = [Fraction(weight, sum(block)) for weight in block]
        best = design(n=len(block) - 1, alpha=alpha, loss=loss, prior=prior, cache=False)
        if best.origin.theorem:  # at these sizes a theorem answers, whatever the prior
            least += Fraction(sum(block), domain.size) * best.score(loss, prior)
    return least
