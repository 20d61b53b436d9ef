"""The theorems as multipliers: for many n and alpha they prove, row by row, what the theorems say."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.amounts import tries
from tests.grids import everywhere
from tests.proof.proof_files import lower_bound, problem

from discreet.core.certificate import Certificate, Problem, score
from discreet.core.forms import ColumnHonest, Geometric
from discreet.core.named import fair, geometric, weakly_honest
from discreet.designer import design
from discreet.designer.theorems.multipliers import (
    column_honest_multipliers,
    fair_multipliers,
    geometric_multipliers,
    relabelled_multipliers,
    weakly_honest_multipliers,
)
from discreet.errors import InvalidInput

ALPHAS = ["1/1000", "1/3", "1/2", "10/11", "99/100", "9999/10000", "1"]
SIZES = [0, 1, 2, 3, 4, 5, 8, 9]


def assert_proves(asked: Problem, proof: Certificate, cost: Fraction) -> None:
    assert proof.cost == cost
    assert proof.bound == cost
    assert lower_bound(asked, proof) == cost
    assert all(numerator for *_, numerator in proof.rows)


@everywhere(n=SIZES, alpha=ALPHAS)
def test_geometric_is_optimal_for_L0_and_its_dual_is_constant_on_dp_rows(n, alpha):
    asked = problem(n, alpha, "S RM RH")
    proof = geometric_multipliers(asked)
    a = Fraction(alpha)
    assert_proves(asked, proof, 2 * a / (1 + a) if n else Fraction(0))
    assert n == 0 or geometric(n=n, alpha=alpha).score("L0") == proof.cost
    assert len({y for kind, *_, y in proof.rows if kind == "dp"}) <= 1


@everywhere(n=SIZES, alpha=ALPHAS, worst_case=[False, True])
def test_fair_is_optimal_among_fair_mechanisms_for_every_prior(n, alpha, worst_case):
    cost = fair(n=n, alpha=alpha)
    for prior in (None, "Binomial(0.3)", [1] + [0] * n):
        asked = problem(n, alpha, "F CM", prior=prior, worst_case=worst_case)
        assert_proves(
            asked, fair_multipliers(asked), cost.score("L0", prior, worst_case=worst_case)
        )


@everywhere(n=SIZES, alpha=ALPHAS)
def test_fair_is_optimal_in_the_worst_case_among_all_mechanisms(n, alpha):
    asked = problem(n, alpha, worst_case=True)
    assert_proves(
        asked, fair_multipliers(asked), fair(n=n, alpha=alpha).score("L0", worst_case=True)
    )


@everywhere(n=[2, 3, 4, 7, 8, 19, 20], alpha=["2/3", "10/11", "99/100", "9999/10000", "1"])
def test_weakly_honest_is_optimal_where_geometric_is_not_weakly_honest(n, alpha):
    a = Fraction(alpha)
    asked = problem(n, alpha, "WH RM")
    proof = weakly_honest_multipliers(asked)
    cost = weakly_honest(n=n, alpha=alpha).score("L0")
    if n * (1 - a) <= 2 * a:
        assert_proves(asked, proof, cost)
    else:
        # past the threshold GM is weakly honest; the multipliers still bound, and are then not tight
        assert lower_bound(asked, proof) == proof.bound < cost


def relabelled_cost(asked: Problem) -> Fraction:
    columns = [Geometric(asked.n, asked.alpha).column(j) for j in range(asked.n + 1)]
    total = Fraction(0)
    for i in range(asked.n + 1):
        chances = [Fraction(weights[i], denominator) for weights, denominator in columns]
        expected = [
            sum(w * c * x for w, c, x in zip(asked.prior.weights, costs, chances, strict=True))
            for costs in asked.loss.matrix
        ]
        total += min(expected)
    return total


@everywhere(
    loss=["L0", "L1", "L2", "L0,1"],
    alpha=["1/1000", "1/3", "10/11", "99/100"],
    prior=[None, "Binomial(0.3)"],
)
def test_relabelled_geometric_is_optimal_without_properties(loss, alpha, prior):
    for n in (1, 2, 3, 6, 9):
        asked = problem(n, alpha, loss=loss, prior=prior)
        assert_proves(asked, relabelled_multipliers(asked), relabelled_cost(asked))


@st.composite
def growing_losses(draw):
    """Losses that do not fall away from the diagonal, left and right apart, with any prior."""
    n = draw(st.integers(1, 5))
    steps = st.integers(0, 3)
    loss = [[0] * (n + 1) for _ in range(n + 1)]
    for j in range(n + 1):
        for i in range(j + 1, n + 1):
            loss[i][j] = loss[i - 1][j] + draw(steps)
        for i in range(j - 1, -1, -1):
            loss[i][j] = loss[i + 1][j] + draw(steps)
    weights = draw(st.lists(st.integers(0, 5), min_size=n + 1, max_size=n + 1).filter(any))
    prior = [Fraction(w, sum(weights)) for w in weights]
    alpha = draw(st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=60))
    return problem(n, alpha, loss=loss, prior=prior)


@given(growing_losses())
@settings(max_examples=tries(40), deadline=None)
def test_relabelled_geometric_is_optimal_for_losses_that_grow_away_from_the_truth(asked):
    assert_proves(asked, relabelled_multipliers(asked), relabelled_cost(asked))


@given(st.integers(1, 5), st.data())
@settings(max_examples=tries(40), deadline=None)
def test_relabelled_multipliers_prove_a_cost_or_say_nothing_whatever_the_loss(n, data):
    entry = st.integers(0, 4)
    loss = [[data.draw(entry) for _ in range(n + 1)] for _ in range(n + 1)]
    asked = problem(n, data.draw(st.sampled_from(["1/5", "1/2", "9/10"])), loss=loss)
    proof = relabelled_multipliers(asked)
    assert proof is None or lower_bound(
        asked, proof
    ) == proof.bound == proof.cost == relabelled_cost(asked)


def test_at_alpha_one_the_best_constant_answer_is_optimal():
    asked = problem(4, 1, loss="L2")
    proof = relabelled_multipliers(asked)
    assert_proves(asked, proof, Fraction(2))


@pytest.mark.parametrize(
    ("multipliers", "asked"),
    [
        (geometric_multipliers, problem(3, "1/2", loss="L1")),
        (geometric_multipliers, problem(3, "1/2", prior="Binomial(0.3)")),
        (geometric_multipliers, problem(3, "1/2", worst_case=True)),
        (fair_multipliers, problem(3, "1/2")),
        (fair_multipliers, problem(3, "1/2", prior="Binomial(0.3)", worst_case=True)),
        (weakly_honest_multipliers, problem(3, "1/2")),
    ],
)
def test_a_problem_that_the_theorem_does_not_cover_is_refused(multipliers, asked):
    with pytest.raises(InvalidInput):
        multipliers(asked)


@everywhere(
    n=[3, 4, 5, 6, 7, 11, 20],
    alpha=["501/1000", "3/5", "20841/34361", "2/3"],
    asked=["CH", "WH CM", "CM RM S"],
)
def test_the_column_honest_form_is_optimal_among_column_honest_mechanisms(n, alpha, asked):
    asked = problem(n, alpha, asked)
    form = ColumnHonest(n, Fraction(alpha))
    assert_proves(asked, column_honest_multipliers(asked), score(form, asked.loss, asked.prior))


@everywhere(n=[3, 4, 9], alpha=["7/10", "9/10", "999/1000"])
def test_the_column_honest_bound_holds_beyond_where_it_is_attained(n, alpha):
    asked = problem(n, alpha, "CM")
    proof = column_honest_multipliers(asked)
    best = design(n=n, alpha=alpha, properties="CM", cache=False).score("L0")
    assert lower_bound(asked, proof) == proof.bound <= best
    assert proof.bound < best or n == 3


def test_the_column_honest_multipliers_are_for_their_theorem_alone():
    others = [
        problem(2, "3/5", "CM"),
        problem(4, "1/2", "CM"),
        problem(4, "3/5", "WH"),
        problem(4, "3/5", "CM", loss="L1"),
    ]
    for other in [
        *others,
        problem(4, "3/5", "CM", worst_case=True),
        problem(4, "3/5", "CM", prior="Binomial(0.3)"),
    ]:
        with pytest.raises(InvalidInput):
            column_honest_multipliers(other)
