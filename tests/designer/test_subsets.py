"""Every subset of the seven properties: proven optimal by the stand-alone verifier, properties exact."""

from fractions import Fraction

import pytest
from tests.designer.tools import SUBSETS, by_program, proven

import discreet as dc

LOSSES = ["L0", "L1", "L2", "L0,1"]


def answers(n, alpha, loss, subset, **more):
    m = dc.design(n=n, alpha=alpha, properties=subset, loss=loss, cache=False, **more)
    assert m.satisfies(subset)
    assert m.score(loss, **more) == m.origin.certificate.cost == m.origin.certificate.bound
    assert proven(m)
    return m


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "alpha", "loss"),
    [
        (1, "9/10", "L1"),
        (2, "4/5", "L2"),
        pytest.param(3, "10/11", "L0", marks=pytest.mark.slow),
        pytest.param(4, "2/3", "L1", marks=pytest.mark.slow),
    ],
)
def test_every_subset_is_proven_optimal(n, alpha, loss):
    costs = {subset: answers(n, alpha, loss, subset).score(loss) for subset in SUBSETS}
    for subset, cost in costs.items():
        for other, more in costs.items():
            if set(subset.split()) <= set(other.split()):
                assert cost <= more, f"{other} asks for more than {subset} and costs less"


ALPHAS = ("1/10", "1/2", "3/4", "10/11", "999/1000")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "alpha"), [(n, a) for n in (1, 2, 4, 6) for a in ALPHAS[n // 2 % 2 :: 2]]
)
def test_every_subset_at_small_sizes(n, alpha):
    """On average by one half of the sets and in the worst case by the other; alphas too in turns from size to size."""
    for k, subset in enumerate(SUBSETS):
        worst_case = bool((k + k // 16 + n) % 2)
        answers(n, alpha, LOSSES[(k // 2 + n * worst_case) % 4], subset, worst_case=worst_case)


@pytest.mark.parametrize(("n", "alpha"), [(3, "4/5"), (5, "10/11"), (6, "2/3")])
def test_under_weak_honesty_there_are_two_behaviours(n, alpha):
    # Section V-A of the paper: nine combinations of RH, RM, CH, CM with WH, two costs (uniform prior, L0)
    rows, columns = ["", "RH", "RM"], ["", "CH", "CM"]
    cost = {
        (r, c): by_program(n=n, alpha=alpha, properties=f"WH {r} {c}").score("L0")
        for r in rows
        for c in columns
    }
    assert len({cost[r, ""] for r in rows}) == 1
    assert len({cost[r, c] for r in rows for c in columns[1:]}) == 1
    assert cost["", ""] < cost["", "CM"]


def test_with_another_prior_there_are_more():
    prior = ["1/5", "3/5", "1/5"]
    alone = dc.design(n=2, alpha="4/5", properties="CM", prior=prior, cache=False).score(
        "L0", prior
    )
    both = dc.design(n=2, alpha="4/5", properties="CM RM", prior=prior, cache=False).score(
        "L0", prior
    )
    assert alone <= both


def middle_bound(n, a):
    """FACTS section 3: the most the trace can be under WH and a column property (uniform prior)."""
    if n % 2 == 0:
        return Fraction(1, n + 1) * sum(a ** -abs(i - n // 2) for i in range(n + 1))
    return Fraction(4, n + 1) / (1 + a) * sum(a**-i for i in range((n + 1) // 2))


@pytest.mark.parametrize("a", [Fraction(3, 5), Fraction(3, 4), Fraction(10, 11)])
@pytest.mark.parametrize("n", [2, 3, 4, 5, 8, 9])
def test_the_fourth_behaviour_meets_its_bound_below_2k(n, a):
    k = -(-a // (1 - a))
    m = by_program(n=n, alpha=a, properties="WH CM")
    trace = sum(m.truth(j) for j in range(n + 1))
    assert trace <= middle_bound(n, a)
    assert (trace == middle_bound(n, a)) == (n < 2 * k)
