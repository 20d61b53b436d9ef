"""Problems, their costs in integers, and what a certificate says."""

from fractions import Fraction

import pytest

from discreet.core.certificate import Certificate, cost_of_matrix, costs_of, read_problem
from discreet.core.named import fair, geometric


@pytest.mark.parametrize(
    ("asked", "kinds", "equations"),
    [
        ({"properties": "", "alpha": "1/2"}, "dp", ""),
        ({"properties": "F S WH", "alpha": "1/2"}, "dp wh f s", "f s"),
        ({"properties": "RM CM RH CH", "alpha": "1"}, "dp rm cm rh ch", "dp"),
        ({"properties": "ODP:1", "alpha": "1/2"}, "dp odp", "odp"),
        ({"properties": "ODP:9/10", "alpha": "1/2"}, "dp odp", ""),
    ],
)
def test_a_problem_knows_its_rows_and_its_equations(asked, kinds, equations):
    problem = read_problem(n=3, **asked)
    assert [row.kind for row in problem.asked] == kinds.split()
    assert [row.kind for row in problem.equations] == equations.split()


@pytest.mark.parametrize("loss", ["L0", "L0,1", "L1", "L2", 0.5, [[0, 1, 2], ["1/3", 0, "1/7"], [5, 1, 0]]])
@pytest.mark.parametrize("prior", [None, "Binomial(1/3)", ["1/2", 0, "1/2"]])
def test_costs_are_loss_and_prior_in_integers(loss, prior):
    problem = read_problem(n=2, alpha="2/3", loss=loss, prior=prior)
    costs = costs_of(problem)
    for j in range(3):
        assert Fraction(costs.weight[j], costs.weight_scale) == problem.prior.weights[j]
        for i in range(3):
            assert Fraction(costs.loss[i][j], costs.loss_scale) == problem.loss.cost(i, j) == problem.loss.matrix[i][j]


def test_costs_are_flat_where_being_further_off_costs_no_more_or_a_count_never_comes():
    def flat(**asked):
        return costs_of(read_problem(n=3, alpha="1/2", **asked)).flat

    assert [flat(loss=loss) for loss in ("L0", "L0,1", "L1", "L2")] == [True, True, False, False]
    assert flat(loss="L1", prior=["1/2", 0, 0, "1/2"])


@pytest.mark.parametrize("m", [geometric(n=3, alpha="2/3"), fair(n=3, alpha="2/3")], ids=str)
def test_the_cost_of_a_matrix_is_the_sum_over_its_entries(m):
    for worst in (False, True):
        problem = read_problem(n=3, alpha="2/3", loss="L2", prior="Binomial(1/4)", worst_case=worst)
        weights = problem.prior.weights
        terms = [w * sum(abs(i - j) ** 2 * m[i, j] for i in range(4)) for j, w in enumerate(weights)]
        assert cost_of_matrix(problem, m.form.dense()) == (4 * max(terms) if worst else sum(terms))


def test_a_gap_is_how_far_the_cost_is_above_the_bound():
    loose = Certificate(cost=Fraction(3, 2), bound=Fraction(1), denominator=1, rows=())
    assert (loose.optimal, loose.gap) == (False, Fraction(1, 2))
    assert Certificate(cost=Fraction(1), bound=Fraction(0), denominator=1, rows=()).gap is None
    assert Certificate(cost=Fraction(0), bound=Fraction(0), denominator=1, rows=()).gap == 0
