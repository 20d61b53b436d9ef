"""From the folded dual to the full rows and back: the same bound, and nothing owed."""

from fractions import Fraction

from hypothesis import given, settings
from tests.designer.brute import least_cost
from tests.designer.simplex.test_pricing import naive
from tests.designer.tools import problems

from discreet.core.certificate import read_problem
from discreet.designer.lp.highs import solve_dual
from discreet.designer.lp.program import build
from discreet.designer.lp.start import leaning_cost
from discreet.designer.simplex.pivots import reach_optimum, tie_weights
from discreet.designer.simplex.pricing import is_dual
from discreet.designer.simplex.unfold import unfold, unfold_floats
from discreet.designer.simplex.vertex import cost_of

FAR = float("inf")


@settings(max_examples=30)
@given(problems(largest=3))
def test_the_full_rows_prove_the_vertex_to_be_optimal(asked):
    problem = read_problem(**asked)
    optimum = reach_optimum(build(problem), [], deadline=FAR)
    multipliers = unfold(optimum.basis, optimum.dual)
    rest, bound = naive(problem, multipliers.rows, multipliers.denominator)
    assert is_dual(problem, multipliers)
    assert min(rest.values()) >= 0
    assert bound == cost_of(optimum.basis.program, optimum.vertex)


@settings(max_examples=20)
@given(problems(largest=2))
def test_rounded_floats_bound_the_least_cost_nearly(asked):
    problem = read_problem(**asked)
    program = build(problem)
    found = solve_dual(program, leaning_cost(program, tie_weights(program, 1)))
    rounded = None if found is None else unfold_floats(program, *found)
    if rounded is not None and is_dual(problem, rounded):
        _, bound = naive(problem, rounded.rows, rounded.denominator)
        assert bound <= least_cost(problem)
        assert all(Fraction(y) == y for y in rounded.rows.values())
