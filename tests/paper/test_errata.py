"""Slips of the paper that are about its programmes: what is printed, tried, and what is right."""

from fractions import Fraction

import discreet as dc


def test_row_monotonicity_needs_the_comparison_with_the_diagonal_too():
    """As printed, the steps beside the diagonal are not compared: this matrix passes those lines, and is not even RH."""
    m = dc.from_matrix(
        [["5/12", "5/12", "1/3"], ["1/3", "1/6", "1/3"], ["1/4", "5/12", "1/3"]],
        alpha="1/3",
    )
    steps_away_from_the_diagonal = [(0, 1, 2), (2, 1, 0)]  # the only ones with n = 2 that leave the diagonal out
    assert all(m[i, nearer] >= m[i, further] for i, nearer, further in steps_away_from_the_diagonal)
    assert not m.satisfies("RM") and not m.satisfies("RH")


def test_under_another_prior_row_monotonicity_can_cost_more_than_column_monotonicity_alone():
    """The two behaviours under weak honesty are those of the uniform prior."""
    prior = "Binomial(1/2)"
    found = {
        shape: dc.design(n=2, alpha="4/5", properties=shape, prior=prior, cache=False) for shape in ("CM", "CM RM")
    }
    assert found["CM"].score("L0", prior) < found["CM RM"].score("L0", prior)
    even = {shape: dc.design(n=2, alpha="4/5", properties=shape, cache=False).score("L0") for shape in ("CM", "CM RM")}
    assert even["CM"] == even["CM RM"]


def test_the_worst_case_carries_the_prior_inside_the_maximum():
    """Printed as max_j w_j ...: with the factor n+1 the uniform prior is the plain worst case."""
    m = dc.geometric(n=3, alpha="1/2")
    wrong = [(1 - m.truth(j)) * Fraction(4, 3) for j in range(4)]
    assert m.score("L0", worst_case=True) == max(wrong)
    prior = ["1/2", "1/6", "1/6", "1/6"]
    assert m.score("L0", prior, worst_case=True) == max(4 * Fraction(w) * x for w, x in zip(prior, wrong, strict=True))
