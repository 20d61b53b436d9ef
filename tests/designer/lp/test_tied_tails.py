"""The walk with tied tails suggests the basis that the walk through the whole program does, or none."""

import pytest

from discreet.core.certificate import read_problem
from discreet.designer.lp import tied_tails
from discreet.designer.lp.answer import leaning_cost
from discreet.designer.lp.highs import rows_of, solve
from discreet.designer.lp.program import build
from discreet.designer.lp.start import known_start, relabelled_basis
from discreet.designer.simplex.pivots import reach_optimum, tie_weights
from discreet.designer.simplex.vertex import matrix_of


def walked(program, *, tied):
    cost = leaning_cost(program, tie_weights(program, 1))
    start = relabelled_basis(program, known_start(program.problem))
    if not tied:
        return solve(program, cost, method="dual", start=start)
    return tied_tails.walk_tied(
        program, rows_of(program, cost), start, 0, scaled=False, seconds=None
    )


def optimum(program, basis):
    return reach_optimum(program, basis, deadline=float("inf"))


@pytest.mark.parametrize("loss", ["L1", "L2"])
@pytest.mark.parametrize("properties", ["CM", "WH CM RM", "RH CH", "RM"])
@pytest.mark.parametrize(("n", "alpha"), [(12, "1/2"), (13, "1/2"), (30, "3/4")])
def test_where_tails_fall_by_alpha_the_smaller_walk_ends_at_the_optimum(n, alpha, properties, loss):
    program = build(read_problem(n=n, alpha=alpha, properties=properties, loss=loss))
    found = walked(program, tied=True)
    assert found is not None
    at_once, by_whole = optimum(program, found), optimum(program, walked(program, tied=False))
    assert at_once.pivots <= by_whole.pivots
    assert matrix_of(program, at_once.vertex) == matrix_of(program, by_whole.vertex)


def test_tails_that_do_not_fall_by_alpha_are_seen():
    program = build(read_problem(n=26, alpha="99/100", properties="RM CH CM", loss="L1"))
    assert walked(program, tied=True) is None
    assert not tied_tails.has_tails(program)


def test_small_flat_and_lopsided_programs_are_walked_through_as_they_are():
    asked = {"n": 40, "alpha": "1/2", "properties": "WH CM RM", "loss": "L1"}
    assert tied_tails.has_tails(build(read_problem(**asked)))
    for other in (
        {"n": 20},
        {"loss": "L0"},
        {"prior": "Binomial(0.3)"},
        {"alpha": "99/100"},
        {"properties": "CM ODP:1/2"},
    ):
        assert not tied_tails.has_tails(build(read_problem(**{**asked, **other})))
