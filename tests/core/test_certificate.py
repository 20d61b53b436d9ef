"""Problems, their costs in integers, and what a certificate says."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import mechanisms

import discreet as dc
from discreet.core.certificate import Certificate, costs_of, read_problem, score
from discreet.core.losses import read_loss, read_prior


@pytest.mark.parametrize("n", [0, 1, 2, 5])
@pytest.mark.parametrize("loss", ["L0", "L0,1", "L1", "L2", 0.5, 0])
def test_costs_by_distance_are_those_of_the_table(loss, n):
    by_distance = read_loss(loss, n)
    table = read_loss([list(row) for row in by_distance.matrix], n)
    first, second = (
        costs_of(read_problem(n=n, alpha="1/2", loss=one)) for one in (by_distance, table)
    )
    assert first == second
    assert all(
        Fraction(x, first.loss_scale) == by_distance.cost(i, j)
        for i, row in enumerate(first.loss)
        for j, x in enumerate(row)
    )


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


@pytest.mark.parametrize(
    "loss", ["L0", "L0,1", "L1", "L2", 0.5, [[0, 1, 2], ["1/3", 0, "1/7"], [5, 1, 0]]]
)
@pytest.mark.parametrize("prior", [None, "Binomial(1/3)", ["1/2", 0, "1/2"]])
def test_costs_are_loss_and_prior_in_integers(loss, prior):
    problem = read_problem(n=2, alpha="2/3", loss=loss, prior=prior)
    costs = costs_of(problem)
    for j in range(3):
        assert Fraction(costs.weight[j], costs.weight_scale) == problem.prior.weights[j]
        for i in range(3):
            assert (
                Fraction(costs.loss[i][j], costs.loss_scale)
                == problem.loss.cost(i, j)
                == problem.loss.matrix[i][j]
            )


def test_costs_are_flat_where_being_further_off_costs_no_more_or_a_count_never_comes():
    def flat(**asked):
        return costs_of(read_problem(n=3, alpha="1/2", **asked)).flat

    assert [flat(loss=loss) for loss in ("L0", "L0,1", "L1", "L2")] == [True, True, False, False]
    assert flat(loss="L1", prior=["1/2", 0, 0, "1/2"])


def test_a_gap_is_how_far_the_cost_is_above_the_bound():
    loose = Certificate(cost=Fraction(3, 2), bound=Fraction(1), denominator=1, rows=())
    assert (loose.optimal, loose.gap) == (False, Fraction(1, 2))
    assert Certificate(cost=Fraction(1), bound=Fraction(0), denominator=1, rows=()).gap is None
    assert Certificate(cost=Fraction(0), bound=Fraction(0), denominator=1, rows=()).gap == 0


LOSSES = ["L0", "L0,1", "L0,9", "L1", "L2", "L0.5", "table"]


def by_definition(m, loss, prior, worst_case):
    counts = range(m.n + 1)
    terms = [
        prior.weights[j] * sum((loss.cost(i, j) * m[i, j] for i in counts), Fraction(0))
        for j in counts
    ]
    return (m.n + 1) * max(terms) if worst_case else sum(terms)


@given(m=mechanisms(), name=st.sampled_from(LOSSES), worst_case=st.booleans())
def test_a_score_is_its_definition(m, name, worst_case):
    size = m.n + 1
    table = [
        [Fraction((3 * i + j * j) % 7, 1 + (i + j) % 3) for j in range(size)] for i in range(size)
    ]
    loss = read_loss(table if name == "table" else name, m.n)
    first = [Fraction(1)] + [Fraction(0)] * m.n
    for given_prior in (None, "Binomial(1/3)", first):
        prior = read_prior(given_prior, m.n)
        expected = by_definition(m, loss, prior, worst_case)
        for form in (m.form, m.form.dense()):
            assert score(form, loss, prior, worst_case=worst_case) == expected


def test_gm_has_the_score_of_theorem_3_at_any_size():
    m = dc.geometric(n=5_000, alpha="1/2")
    assert m.score("L0") == Fraction(2, 3)
