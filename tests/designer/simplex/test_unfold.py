"""From the folded dual to the full rows and back: the same bound, and nothing owed."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.amounts import tries
from tests.designer.brute import least_cost, rows_by_definition
from tests.designer.tools import by_program, problems

from discreet.core.certificate import read_problem
from discreet.designer.lp.answer import leaning_cost
from discreet.designer.lp.bounds import solve_dual
from discreet.designer.lp.program import build
from discreet.designer.simplex.pivots import reach_optimum, tie_weights
from discreet.designer.simplex.unfold import Multipliers, is_dual, price, unfold, unfold_floats
from discreet.designer.simplex.vertex import cost_of


def naive(problem, rows, denominator):
    """Reduced costs and bound as `core.certificate` defines them, row by row in fractions."""
    n, size = problem.n, problem.n + 1
    known = rows_by_definition(n, problem.alpha, set(problem.shape.names), problem.shape.output_dp)
    forms = {(kind, *label): (terms, right) for kind, label, terms, right, _ in known}
    y = {name: Fraction(amount, denominator) for name, amount in rows.items()}
    share = {
        j: y.get(("input", j, 0, 0), 0) * size if problem.worst_case else 1 for j in range(size)
    }
    rest = {
        (i, j): share[j] * problem.prior.weights[j] * problem.loss.cost(i, j)
        for i in range(size)
        for j in range(size)
    }
    bound = Fraction(0)
    for name, amount in y.items():
        if name[0] == "sum":
            bound += amount
            for i in range(size):
                rest[i, name[1]] -= amount
        elif name[0] != "input":
            terms, right = forms[name]
            bound += amount * right
            for cell, factor in terms.items():
                rest[cell] -= amount * factor
    return rest, bound + sum(min(0, value) for value in rest.values())


@settings(max_examples=tries(40))
@given(problems(largest=3), st.randoms(use_true_random=False), st.integers(1, 12))
def test_pricing_is_the_sum_over_the_rows(asked, random, denominator):
    problem = read_problem(**asked)
    known = rows_by_definition(
        problem.n, problem.alpha, set(problem.shape.names), problem.shape.output_dp
    )
    names = [(kind, *label) for kind, label, *_ in known]
    names += [
        (kind, j, 0, 0)
        for kind in ("sum", "input")[: 1 + problem.worst_case]
        for j in range(problem.n + 1)
    ]
    rows = {name: random.randint(-9, 9) for name in random.sample(names, k=min(len(names), 12))}
    priced = price(problem, Multipliers(rows=rows, denominator=denominator))
    rest, bound = naive(problem, rows, denominator)
    assert priced.bound == bound
    assert {
        cell: Fraction(priced.reduced[cell[0]][cell[1]], priced.denominator) for cell in rest
    } == rest


@settings(max_examples=tries(40))
@given(problems(largest=2), st.randoms(use_true_random=False))
def test_whatever_is_dual_bounds_the_least_cost(asked, random):
    problem = read_problem(**asked)
    known = rows_by_definition(
        problem.n, problem.alpha, set(problem.shape.names), problem.shape.output_dp
    )
    rows = {
        (kind, *label): random.randint(-3 if free else 0, 3) for kind, label, _, _, free in known
    }
    rows |= {("sum", j, 0, 0): random.randint(-3, 3) for j in range(problem.n + 1)}
    if problem.worst_case:
        rows["input", random.randint(0, problem.n), 0, 0] = 7
    multipliers = Multipliers(rows=rows, denominator=7)
    assert is_dual(problem, multipliers)
    assert price(problem, multipliers).bound <= least_cost(problem)


def test_signs_and_shares_decide_what_is_dual():
    problem = read_problem(n=2, alpha="1/2", properties="F WH", worst_case=True)
    whole = {("input", 0, 0, 0): 2, ("sum", 0, 0, 0): -1, ("f", 0, 0, 0): -5, ("wh", 1, 0, 0): 1}
    assert is_dual(problem, Multipliers(rows=whole, denominator=2))
    assert not is_dual(problem, Multipliers(rows=whole, denominator=3))
    assert not is_dual(problem, Multipliers(rows={**whole, ("dp", 0, 0, 1): -1}, denominator=2))


def test_lowest_terms_leave_out_zeros_and_keep_the_multipliers():
    given_ones = Multipliers(
        rows={("sum", 1, 0, 0): 6, ("sum", 0, 0, 0): 0, ("dp", 0, 1, 0): 9}, denominator=12
    )
    short = given_ones.reduced()
    assert short == Multipliers(rows={("sum", 1, 0, 0): 2, ("dp", 0, 1, 0): 3}, denominator=4)
    assert short.as_rows() == (("dp", 0, 1, 0, 3), ("sum", 1, 0, 0, 2))


def test_any_multipliers_give_a_bound():
    problem = read_problem(n=3, alpha="2/3", properties="CM WH", loss="L2")
    best = by_program(n=3, alpha="2/3", properties="CM WH", loss="L2").origin.certificate
    rows = {row[:4]: row[4] for row in best.rows}
    for name in rows:
        fewer = Multipliers(
            rows={k: v for k, v in rows.items() if k != name}, denominator=best.denominator
        )
        assert price(problem, fewer).bound < best.cost
    assert price(problem, Multipliers(rows=rows, denominator=best.denominator)).bound == best.cost


FAR = float("inf")


@settings(max_examples=tries(30))
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
