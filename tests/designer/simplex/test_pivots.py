"""Pivots to the optimum, and to the one optimum that the tie-break names, against all vertices."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.amounts import tries
from tests.designer.brute import least_cost, vertices
from tests.designer.tools import by_program, problems

import discreet as dc
from discreet.core.certificate import read_problem
from discreet.designer.lp.highs import solve
from discreet.designer.lp.program import build
from discreet.designer.simplex.pivots import TooFar, reach_optimum, tie_weights
from discreet.designer.simplex.repair import complete
from discreet.designer.simplex.vertex import matrix_of

FAR = float("inf")


def weight(i, j):
    """The tie-break's weight, written out a second time."""
    z = ((1 << 48) + (i << 24) + j + 0x9E3779B97F4A7C15) % 2**64
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
    return (i - j) ** 2 * 2**32 + ((z ^ (z >> 31)) >> 32)


SMALL = [
    {"n": 1, "alpha": "2/3", "loss": [[0, 1], [3, 0]], "prior": ["1/3", "2/3"]},
    {"n": 1, "alpha": "2/3", "properties": "WH CM", "loss": [[0, 0], [0, 0]], "worst_case": True},
    {"n": 2, "alpha": "10/11", "properties": "WH"},
    {"n": 2, "alpha": "10/11", "properties": "RH CH", "loss": "L1"},
    {"n": 2, "alpha": "2/3", "properties": "CM RM", "loss": "L2"},
    {"n": 2, "alpha": "2/3", "properties": "CH ODP:1/2", "loss": "L1"},
    {"n": 2, "alpha": "2/3", "loss": "L0,1"},
    {"n": 2, "alpha": "2/3", "properties": "F", "worst_case": True},
    {
        "n": 2,
        "alpha": "1/2",
        "properties": "S F",
        "loss": [[0, 1, 5], [2, 0, 2], [0, 1, 0]],
        "prior": ["1/2", "1/2", 0],
    },
    {
        "n": 3,
        "alpha": "1",
        "properties": "RM",
        "loss": [[i * j for j in range(4)] for i in range(4)],
    },
]


@pytest.mark.parametrize("asked", SMALL, ids=str)
def test_of_all_vertices_the_cheapest_that_the_tie_break_prefers_is_reached(asked):
    program = build(read_problem(**asked))
    cost = [*map(Fraction, program.cost), *([Fraction(1)] if program.inputs else [])]
    ties = [
        *map(Fraction, tie_weights(program, 1).tolist()),
        *([Fraction(0)] if program.inputs else []),
    ]

    def rank(point):
        return [sum(x * y for x, y in zip(weights, point, strict=True)) for weights in (cost, ties)]

    every = set(vertices(program))
    best = min(map(rank, every))
    assert [rank(point) for point in every].count(best) == 1, "the tie-break leaves no tie"
    point = reach_optimum(program, [], deadline=FAR).vertex
    found = [*point.value, *([point.worst] if program.inputs else [])]
    assert tuple(Fraction(int(x), int(point.denominator)) for x in found) in every
    assert rank([Fraction(int(x), int(point.denominator)) for x in found]) == best


@pytest.mark.parametrize("properties", ["S", "S WH", "S CM", "S F RH", "S CH ODP:1/2"])
@pytest.mark.parametrize("loss", ["L0", "L0,1", "L1"])
def test_of_all_mechanisms_of_three_people_the_cheapest_that_the_tie_break_prefers_is_reached(
    properties, loss
):
    problem = read_problem(n=3, alpha="2/3", properties=properties, loss=loss)
    program = build(problem)
    matrix = matrix_of(program, reach_optimum(program, [], deadline=FAR).vertex)
    ties = [weight(i, j) for i in range(4) for j in range(4)]
    # a cost so magnified that no tie-break outweighs a difference in it
    both = {
        (i, j): 2**2000 * problem.loss.cost(i, j) / 4 + ties[4 * i + j]
        for i in range(4)
        for j in range(4)
    }
    found = sum(c * Fraction(matrix.rows[i][j], matrix.denominator) for (i, j), c in both.items())
    assert found == least_cost(problem, both)


@settings(max_examples=tries(25))
@given(problems(largest=3), st.randoms(use_true_random=False))
def test_from_any_basis_the_same_optimum_is_reached(asked, random):
    program = build(read_problem(**asked))
    everything = range(program.first_input + len(program.inputs))
    starts = [[], random.sample(everything, k=len(everything) // 2), list(everything)]
    found = [reach_optimum(program, complete(program, start), deadline=FAR) for start in starts]
    assert len({matrix_of(program, optimum.vertex) for optimum in found}) == 1
    assert all(min(optimum.dual.signed.values(), default=0) >= 0 for optimum in found)


def test_a_limit_of_pivots_stops_it_with_what_was_reached():
    program = build(read_problem(n=4, alpha="10/11", properties="CM RM", loss="L1"))
    with pytest.raises(TooFar) as stopped:
        reach_optimum(program, [], deadline=FAR, limit=1)
    assert len(stopped.value.dual().sums) == len(program.sums)
    assert reach_optimum(program, stopped.value.basis.tight, deadline=FAR).pivots > 0


@pytest.mark.slow
@settings(max_examples=tries(40))
@given(problems(largest=5))
def test_the_answer_does_not_depend_on_where_the_pivots_start(asked):
    program = build(read_problem(**asked))
    cost = np.array(
        [*(c / program.scale for c in program.cost), *([1.0] if program.inputs else [])]
    )
    starts = [
        [],
        *(
            solve(program, cost, method=method, scaled=s) or []
            for method in ("simplex", "ipm")
            for s in (False, True)
        ),
    ]
    found = [reach_optimum(program, complete(program, start), deadline=FAR) for start in starts]
    assert len({matrix_of(program, optimum.vertex) for optimum in found}) == 1


def test_the_tie_break_is_the_stated_one():
    # among the worst-case optima: least squared error, with the hash to leave no ties
    program = build(
        read_problem(n=3, alpha="2/3", loss=[[i * j for j in range(4)] for i in range(4)])
    )
    assert tie_weights(program, 1).tolist() == [weight(i, j) for i in range(4) for j in range(4)]
    m = by_program(n=3, alpha="2/3", properties="WH", worst_case=True)
    others = [
        dc.fair(n=3, alpha="2/3"),
        by_program(n=3, alpha="2/3", properties="CM RM", worst_case=True),
    ]

    def second(mechanism):
        return sum(weight(i, j) * mechanism[i, j] for i in range(4) for j in range(4))

    for other in others:
        assert other.score("L0", worst_case=True) == m.score("L0", worst_case=True)
        assert second(m) <= second(other)
