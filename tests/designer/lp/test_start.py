"""The written-down basis is that of relabelled GM; suggestions are bases; costs lean toward the tie-break."""

from fractions import Fraction

import numpy as np
import pytest
from flint import fmpz
from tests.designer.tools import by_program

from discreet.core.certificate import read_problem
from discreet.designer.lp.program import build
from discreet.designer.lp.start import _loosened, candidate_bases, labels, leaning_cost, relabelled_basis, row_numbers
from discreet.designer.simplex.basis import factor
from discreet.designer.simplex.pivots import tie_weights
from discreet.designer.simplex.vertex import dual, matrix_of, vertex
from discreet.designer.theorems.closed_form import relabelled_geometric

FAR = float("inf")


@pytest.mark.parametrize("loss", ["L1", "L2", 1.5])
@pytest.mark.parametrize("prior", [None, "Binomial(0.3)"])
@pytest.mark.parametrize("alpha", ["1/10", "3/5", "10/11"])
@pytest.mark.parametrize("n", [2, 3, 8])
def test_the_basis_without_properties_is_relabelled_gm(n, alpha, prior, loss):
    problem = read_problem(n=n, alpha=alpha, loss=loss, prior=prior)
    program = build(problem)
    point = vertex(factor(program, relabelled_basis(program, labels(problem))))
    assert matrix_of(program, point) == relabelled_geometric(problem).dense().in_lowest_terms()


def test_rows_are_found_by_the_pair_they_compare():
    program = build(read_problem(n=4, alpha="2/3", properties="CM", loss="L1"))
    assert row_numbers(program, program.head, program.tail).tolist() == list(range(len(program.head)))
    pairs = set(zip(program.head.tolist(), program.tail.tolist(), strict=True))
    missing = next((u, v) for u in range(program.cells) for v in range(program.cells) if (u, v) not in pairs)
    assert row_numbers(program, *(np.array([end]) for end in missing)).tolist() == [-1]


@pytest.mark.parametrize("n", [3, 4])
@pytest.mark.parametrize("prior", [None, "Binomial(0.3)"])
def test_without_fairness_the_diagonal_is_free_and_pairs_bind_it_again(n, prior):
    program = build(read_problem(n=n, alpha="2/3", properties="F CM", loss="L1", prior=prior))
    loose, equal = _loosened(program)
    diagonal = set(loose.variable.diagonal().tolist())
    assert len(diagonal) == (n // 2 + 1 if prior is None else n + 1)
    assert len(equal) == len(diagonal) - 1, "no pair too many"
    joined = {min(diagonal)}
    for _ in equal:
        joined |= {u for pair in equal for u in pair if joined & set(pair)}
    assert joined == diagonal
    fair = build(read_problem(n=n, alpha="2/3", properties="CM", loss="L1", prior=prior))
    assert _loosened(fair) == (fair, [])


@pytest.mark.parametrize("properties", ["WH", "CM RM", "F CH", "S ODP:9/10"])
@pytest.mark.parametrize("worst_case", [False, True])
def test_the_first_suggestion_is_at_the_optimum_or_near_it(properties, worst_case):
    asked = {"n": 5, "alpha": "3/4", "properties": properties, "loss": "L1", "worst_case": worst_case}
    program = build(read_problem(**asked))
    first, limit = next(candidate_bases(program, deadline=FAR))
    assert set(first) <= set(range(program.first_input + len(program.inputs)))
    assert limit >= 0
    assert by_program(**asked).origin.certificate.optimal


@pytest.mark.parametrize("loss", ["L0", "L1"])
@pytest.mark.parametrize("worst_case", [False, True])
def test_a_leaning_cost_orders_what_the_cost_orders(loss, worst_case):
    program = build(read_problem(n=4, alpha="2/3", loss=loss, worst_case=worst_case))
    tie = tie_weights(program, 1)
    lean = leaning_cost(program, tie)
    assert len(lean) == program.cells + bool(program.inputs)
    if not worst_case:
        exact = [Fraction(c, program.scale) for c in program.cost]
        for u in range(program.cells):
            for v in range(program.cells):
                assert exact[u] >= exact[v] or lean[u] < lean[v]
                assert exact[u] != exact[v] or (lean[u] <= lean[v]) == (tie[u] <= tie[v])


@pytest.mark.parametrize("loss", ["L1", "L2", 1.5])
@pytest.mark.parametrize("prior", [None, "Binomial(0.3)"])
@pytest.mark.parametrize(
    ("alpha", "shape"), [("10/11", "WH"), ("3/5", "WH"), ("1/10", "WH"), ("3/4", "CM"), ("9/10", "")]
)
def test_the_basis_without_properties_stays_dual_feasible_under_weak_honesty_and_columns(alpha, shape, prior, loss):
    program = build(read_problem(n=14, alpha=alpha, properties=shape, loss=loss, prior=prior))
    factored = factor(program, relabelled_basis(program, labels(program.problem)))
    found = dual(factored, [(u, fmpz(c)) for u, c in enumerate(program.cost)])
    assert min(found.signed.values()) >= 0
