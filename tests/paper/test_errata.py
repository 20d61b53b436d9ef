"""Slips of the paper, tried as printed, and what is right; each is computed exactly."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import discreet as dc


def test_row_monotonicity_needs_the_comparison_with_the_diagonal_too():
    """As printed, the steps beside the diagonal are not compared: this matrix passes those lines, and is not even RH."""
    m = dc.from_matrix(
        [["5/12", "5/12", "1/3"], ["1/3", "1/6", "1/3"], ["1/4", "5/12", "1/3"]],
        alpha="1/3",
    )
    steps_away_from_the_diagonal = [
        (0, 1, 2),
        (2, 1, 0),
    ]  # the only ones with n = 2 that leave the diagonal out
    assert all(m[i, nearer] >= m[i, further] for i, nearer, further in steps_away_from_the_diagonal)
    assert not m.satisfies("RM") and not m.satisfies("RH")


def test_under_another_prior_row_monotonicity_can_cost_more_than_column_monotonicity_alone():
    """The two behaviours under weak honesty are those of the uniform prior."""
    prior = "Binomial(1/2)"
    found = {
        shape: dc.design(n=2, alpha="4/5", properties=shape, prior=prior, cache=False)
        for shape in ("CM", "CM RM")
    }
    assert found["CM"].score("L0", prior) < found["CM RM"].score("L0", prior)
    even = {
        shape: dc.design(n=2, alpha="4/5", properties=shape, cache=False).score("L0")
        for shape in ("CM", "CM RM")
    }
    assert even["CM"] == even["CM RM"]


def test_two_people_get_column_properties_for_nothing():
    """The paper: rows alone have a lower cost than any column property. With n = 2 the costs are one."""
    for alpha in ("51/100", "3/4", "99/100"):
        costs = {
            n: [dc.design(n=n, alpha=alpha, properties=p).score("L0") for p in ("WH", "WH RM CM")]
            for n in (2, 3)
        }
        assert costs[2][0] == costs[2][1] and costs[3][0] < costs[3][1]


def test_em_is_far_below_its_bound_for_small_groups():
    ratio = dc.fair(n=2, alpha="99/100").score("L0") / dc.geometric(n=2, alpha="99/100").score("L0")
    assert round(float(ratio), 4) == 1.0017 and ratio < Fraction(3, 2)


def test_the_worst_case_carries_the_prior_inside_the_maximum():
    """Printed as max_j w_j ...: with the factor n+1 the uniform prior is the plain worst case."""
    m = dc.geometric(n=3, alpha="1/2")
    wrong = [(1 - m.truth(j)) * Fraction(4, 3) for j in range(4)]
    assert m.score("L0", worst_case=True) == max(wrong)
    prior = ["1/2", "1/6", "1/6", "1/6"]
    assert m.score("L0", prior, worst_case=True) == max(
        4 * Fraction(w) * x for w, x in zip(prior, wrong, strict=True)
    )


def test_the_bound_of_lemma_4_fails_for_odd_n():
    """y <= (1-a)/(1+a-2a^(n/2+1)) is derived for even n, "without loss of generality"; EM exceeds it for odd n."""

    def exceeds_the_bound(m):
        # y (1 + a - 2 a^(n/2+1)) > 1 - a, squared because of the half power: 2 y a^(n/2+1) < y (1+a) - (1-a)
        y, a = m[0, 0], m.alpha
        rest = y * (1 + a) - (1 - a)
        return rest > 0 and (2 * y) ** 2 * a ** (m.n + 2) < rest**2

    em = dc.fair(n=3, alpha="1/2")
    assert em.satisfies("F") and em[0, 0] == Fraction(4, 9)
    assert Fraction(4, 9) > Fraction(437, 1000) and exceeds_the_bound(em)
    for alpha in ("1/10", "1/2", "9/10", "99/100"):
        assert all(
            exceeds_the_bound(dc.fair(n=n, alpha=alpha)) == (n % 2 == 1) for n in range(2, 12)
        )


@pytest.mark.parametrize("alpha", ["1/3", "1/2", "11/20", "2/3", "3/4", "9/10"])
def test_wm_derives_from_gm_just_where_it_is_gm(alpha):
    """The paper says: for no n > 1. GM's three entries (2,0), (2,1), (2,2) keep the test tight, and EM's break it."""
    a = Fraction(alpha)
    for n in range(2, 13):
        m = dc.weakly_honest(n=n, alpha=a)
        is_gm = n * (1 - a) >= 2 * a
        assert (m == dc.geometric(n=n, alpha=a)) == is_gm
        assert bool(dc.derives_from_geometric(m)) == is_gm


@pytest.mark.parametrize("alpha", ["1/2", "11/20", "3/5", "13/20", "2/3"])
def test_wm_with_column_properties_derives_from_gm_up_to_two_thirds(alpha):
    for n in range(2, 13):
        assert dc.derives_from_geometric(
            dc.design(n=n, alpha=alpha, properties="WH RM CM", cache=False)
        )


def test_wm_with_column_properties_need_not_derive_from_gm_beyond():
    found = {
        n: dc.derives_from_geometric(dc.design(n=n, alpha="9/10", properties="WH RM CM"))
        for n in (2, 3, 8)
    }
    assert {n: bool(derived) for n, derived in found.items()} == {2: True, 3: False, 8: False}


def test_the_best_fair_mechanism_for_l2_has_not_the_largest_diagonal():
    """The paper: "for optimality under an objective function O_{p,sum}, we should make y as large as possible"."""
    best = dc.design(n=8, alpha="9/10", loss="L2", properties="F", cache=False)
    em = dc.fair(n=8, alpha="9/10")
    assert best.origin.certificate.optimal
    assert best.score("L2") < em.score("L2")
    assert best[0, 0] < Fraction(1342, 10000) < Fraction(1390, 10000) < em[0, 0]
    # a small reward for y finds, among all fair L2 optima, the one with the largest
    price = Fraction(1, 1000)
    priced = [[(i - j) ** 2 + (0 if i == j else price) for j in range(9)] for i in range(9)]
    m = dc.design(n=8, alpha="9/10", loss=priced, properties="F", cache=False)
    assert m.score("L2") == best.score("L2") and m[0, 0] < Fraction(1342, 10000)


@given(
    w0=st.fractions("1/20", "19/20", max_denominator=20),
    alpha=st.fractions("1/10", "9/10", max_denominator=10),
)
def test_one_person_with_a_lopsided_prior(w0, alpha):
    """The paper: randomized response is the unique optimum "under any objective"; so for a < w1/w0 < 1/a only."""
    prior = [w0, 1 - w0]
    ratio = prior[1] / prior[0]
    respond = dc.randomized_response(alpha=alpha)
    always = [
        dc.from_matrix([[1, 1], [0, 0]], alpha=alpha),
        dc.from_matrix([[0, 0], [1, 1]], alpha=alpha),
    ]
    best = dc.design(n=1, alpha=alpha, prior=prior, cache=False).score("L0", prior)
    costs = [m.score("L0", prior) for m in (respond, *always)]
    assert best == min(costs)
    assert (costs[0] == best) == (alpha <= ratio <= 1 / alpha)
    assert (costs[0] < min(costs[1:])) == (alpha < ratio < 1 / alpha)


def test_the_figures_are_numbered_as_they_appear():
    """The flowchart is Figure 5, the table of properties Figure 6, GM's structure Figure 3: read where they are used."""
    from discreet.choosing import comparison, flowchart, recommendation
    from discreet.core.forms import closed
    from discreet.paper import CATALOGUE

    assert CATALOGUE["flowchart"].place == "Figure 5"
    for module, number in ((flowchart, 5), (recommendation, 5), (comparison, 6), (closed, 3)):
        assert set(re.findall(r"Figure\s+(\d+)", module.__doc__ or "")) == {str(number)}
