"""The vertex, its moves and its dual, against their equations and elimination in fractions."""

from fractions import Fraction

from flint import fmpz
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.amounts import tries
from tests.designer.brute import constraints, dot, eliminate
from tests.designer.tools import random_bases

from discreet.core.certificate import score
from discreet.designer.simplex.vertex import broken, cost_of, dual, matrix_of, move, slacks, vertex


def values(point, program):
    found = [*point.value, *([point.worst] if program.inputs else [])]
    return [Fraction(int(x), int(point.denominator)) for x in found]


@settings(max_examples=tries(30))
@given(random_bases())
def test_the_vertex_is_where_the_basis_is_tight(basis):
    sums, bounds = constraints(basis.program)
    lines = [*sums, *(bounds[k] for k in basis.tight)]
    assert values(vertex(basis), basis.program) == eliminate(
        [form for form, _ in lines], [right for _, right in lines]
    )


@settings(max_examples=tries(30))
@given(random_bases(), st.randoms(use_true_random=False))
def test_the_dual_writes_an_objective_as_a_combination_of_the_tight_constraints(basis, random):
    program = basis.program
    sums, bounds = constraints(program)
    objective = [random.randint(-9, 9) for _ in range(program.cells)] + (
        [3] if program.inputs else []
    )
    found = dual(basis, dict(enumerate(map(fmpz, objective[: program.cells]))), 3)
    lines = [form for form, _ in sums] + [bounds[k][0] for k in basis.tight]
    wanted = eliminate([list(column) for column in zip(*lines, strict=True)], objective)
    multipliers = [Fraction(int(y), int(found.denominator)) for y in found.sums]
    for k in basis.tight:
        below = found.denominator
        if k < program.first_input:
            below *= basis.power[basis.head(k)] * found.stretch.get(basis.tree[basis.head(k)], 1)
        multipliers.append(Fraction(int(found.signed[k]), int(below)))
    assert multipliers == wanted


@settings(max_examples=tries(30))
@given(random_bases())
def test_a_move_raises_one_constraint_by_one_and_keeps_the_others(basis):
    sums, bounds = constraints(basis.program)
    for released in basis.tight:
        direction = values(move(basis, released), basis.program)
        assert all(dot(form, direction) == 0 for form, _ in sums)
        assert all(dot(bounds[k][0], direction) == (k == released) for k in basis.tight)


@settings(max_examples=tries(30))
@given(random_bases())
def test_slacks_are_what_each_inequality_leaves(basis):
    program, point = basis.program, vertex(basis)
    _, bounds = constraints(program)
    at = values(point, program)
    found = {k: Fraction(int(s), int(point.denominator) * d) for k, s, d in slacks(program, point)}
    assert found == {k: dot(form, at) - right for k, (form, right) in enumerate(bounds)}
    homogeneous = {
        k: Fraction(int(s), int(point.denominator) * d)
        for k, s, d in slacks(program, point, homogeneous=True)
    }
    assert homogeneous == {k: dot(form, at) for k, (form, _) in enumerate(bounds)}
    negative = {k: slack for k, slack in found.items() if slack < 0}
    assert {
        k: Fraction(int(s), int(point.denominator) * d) for k, s, d in broken(basis, point)
    } == negative


@settings(max_examples=tries(30))
@given(random_bases())
def test_matrix_and_cost_are_those_of_the_point(basis):
    program, point = basis.program, vertex(basis)
    matrix = matrix_of(program, point)
    at = values(point, program)
    for i, row in enumerate(program.variable.tolist()):
        assert [Fraction(x, matrix.denominator) for x in matrix.rows[i]] == [at[u] for u in row]
    if not program.inputs:
        assert cost_of(program, point) == score(matrix, program.problem.loss, program.problem.prior)
    else:
        assert cost_of(program, point) == at[-1] / program.scale
