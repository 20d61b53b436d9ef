"""The small system against Gaussian elimination in fractions."""

from fractions import Fraction

import pytest
from flint import fmpq, fmpz
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.amounts import tries
from tests.designer.brute import eliminate
from tests.designer.tools import random_bases

from discreet.core.certificate import read_problem
from discreet.designer.lp.program import build
from discreet.designer.simplex.system import Singular, common_denominator, couple, over


def fraction(value):
    return Fraction(int(value.p), int(value.q))


@st.composite
def systems(draw):
    """A program, whose sums decide which differences are taken, and a square matrix with many zeros."""
    n, extra = draw(st.integers(1, 5)), draw(st.integers(0, 2))
    loss = draw(st.sampled_from(["L1", [[i * j for j in range(n + 1)] for i in range(n + 1)]]))
    program = build(
        read_problem(n=n, alpha=draw(st.sampled_from(["1/2", "10/11", "1"])), loss=loss)
    )
    size = len(program.sums) + extra
    line = st.lists(st.sampled_from([0, 0, 0, 1, 2, -3, 60]), min_size=size, max_size=size)
    return (
        program,
        draw(st.lists(line, min_size=size, max_size=size)),
        draw(st.lists(st.integers(-5, 5), min_size=size, max_size=size)),
    )


@settings(max_examples=tries(100))
@given(systems())
def test_both_ways_agree_with_elimination(given_one):
    program, matrix, right = given_one
    size = len(matrix)
    system = couple(program, [fmpz(x) for line in matrix for x in line], size, size)
    assert [[int(system.matrix[i, j]) for j in range(size)] for i in range(size)] == matrix
    wanted = eliminate(matrix, right)
    turned = eliminate([list(column) for column in zip(*matrix, strict=True)], right)
    if wanted is None:
        with pytest.raises(Singular):
            system.solve([fmpq(x) for x in right])
        with pytest.raises(Singular):
            system.solve_transposed([fmpz(x) for x in right])
        return
    assert [fraction(x) for x in system.solve([fmpq(x) for x in right])] == wanted
    assert [fraction(x) for x in system.solve_transposed([fmpz(x) for x in right])] == turned


@settings(max_examples=tries(40))
@given(random_bases())
def test_the_system_of_a_basis_is_regular_and_solved(basis):
    system = basis.system
    size = system.rows
    right = [fmpq(k % 3 - 1) for k in range(size)]
    matrix = [[int(system.matrix[i, j]) for j in range(size)] for i in range(size)]
    wanted = eliminate(matrix, [fraction(x) for x in right])
    assert wanted is not None
    assert [fraction(x) for x in system.solve(right)] == wanted


def test_a_common_denominator_is_the_least():
    values = [fmpq(1, 6), fmpq(3, 4), fmpq(2)]
    assert common_denominator(values) == 12
    assert [int(over(value, fmpz(12))) for value in values] == [2, 9, 24]
