"""Formerly hard problems: entries and multipliers far below a float solver's tolerances, priors with zeros, worst cases.

The optima are those of QSopt_ex, an exact solver that shares nothing with ours (`python -m bench.exact_peer`), kept by
their hash: the fractions have hundreds of digits.
"""

import hashlib
import time
from functools import partial

import pytest
from tests.designer.tools import by_program, proven

from discreet.core.certificate import read_problem
from discreet.designer.lp import highs
from discreet.designer.lp.answer import leaning_cost, suggest_near
from discreet.designer.lp.highs import solve
from discreet.designer.lp.program import build
from discreet.designer.lp.refinement import refined
from discreet.designer.simplex.basis import factor
from discreet.designer.simplex.pivots import reach_optimum, tie_weights, undone
from discreet.designer.simplex.repair import complete
from discreet.designer.simplex.vertex import broken, dual, matrix_of, vertex


def zeros(n):
    """A lopsided prior: every third count, and some others, never occur."""
    weights = [(j * j * 7 + 3) % 11 if j % 3 else 0 for j in range(n + 1)]
    return [f"{weight}/{sum(weights)}" for weight in weights]


def costs(n):
    """Costs without any order."""
    return [
        [0 if i == j else 1 + (i * 31 + j * 17) % 13 for j in range(n + 1)] for i in range(n + 1)
    ]


HARD = {
    "097fa3291c12d7fe": {
        "n": 10,
        "alpha": "1/1000",
        "properties": "RH CH",
        "loss": costs(10),
        "worst_case": True,
    },
    "51a128dc58d32c34": {
        "n": 14,
        "alpha": "1/50",
        "properties": "CH WH ODP:1/50",
        "prior": zeros(14),
    },
    "f48ecdb368f18cfe": {
        "n": 14,
        "alpha": "1/5",
        "properties": "RH CH CM WH",
        "loss": "L0,1",
        "prior": zeros(14),
        "worst_case": True,
    },
    "d5b39c4a3a485deb": {"n": 12, "alpha": "1/100", "properties": "RH CH F ODP:1/3", "loss": "L1"},
    "1e130f347f05194e": {
        "n": 10,
        "alpha": "999999/1000000",
        "properties": "RM CH",
        "loss": "L2",
        "prior": zeros(10),
    },
    "966f4693eba32074": {
        "n": 12,
        "alpha": "1/1000",
        "properties": "RH CH CM WH",
        "prior": zeros(12),
    },
}
"""By the hash of the optimum."""


def hashed(cost):
    return hashlib.sha256(str(cost).encode()).hexdigest()[:16]


@pytest.mark.parametrize(("optimum", "asked"), HARD.items())
def test_hard_problems_have_the_optimum_that_another_exact_solver_finds(optimum, asked):
    m = by_program(**asked)
    assert hashed(m.origin.certificate.cost) == optimum
    assert m.satisfies(asked["properties"])
    assert proven(m)


@pytest.mark.parametrize("asked", list(HARD.values())[:3])
def test_refinement_changes_the_way_and_not_the_answer(asked):
    program = build(read_problem(**{**asked, "n": 6, "prior": None, "loss": "L0,1"}))
    explore = partial(suggest_near, program, deadline=time.monotonic() + 600)
    start = complete(program, [])
    plain, helped = (
        reach_optimum(program, start, deadline=float("inf"), explore=how) for how in (None, explore)
    )
    assert matrix_of(program, helped.vertex) == matrix_of(program, plain.vertex)
    assert helped.pivots <= plain.pivots


def test_rounds_of_refinement_alone_reach_an_optimum_below_the_solvers_tolerances():
    program = build(read_problem(n=14, alpha="1/50", properties="CH WH ODP:1/50", prior=zeros(14)))
    held = solve(program, leaning_cost(program, tie_weights(program, 1)))
    costs_only = {u: c for u, c in enumerate(program.cost) if c}
    wrong = []
    while not wrong or wrong[-1]:
        basis = factor(program, sorted(held))
        point, found = vertex(basis), dual(basis, costs_only)
        wrong.append(len(broken(basis, point)) + len(undone([found])[1]))
        assert len(wrong) < 20
        held = refined(basis, point, [found], seconds=600)
    assert wrong[0] > 0, "or this is no test"


def test_where_one_simplex_fails_the_other_is_tried(monkeypatch):
    program = build(read_problem(n=6, alpha="1/50", properties="CH WH", prior=zeros(6)))
    basis = factor(program, complete(program, []))
    point, found = vertex(basis), dual(basis, {u: c for u, c in enumerate(program.cost) if c})
    suggested = refined(basis, point, [found], seconds=600)
    run, ways = highs.highspy.Highs.run, []

    def fails_once(solver):
        ways.append(solver.getOptionValue("simplex_strategy")[1])
        return run(solver) if len(ways) > 1 else None

    monkeypatch.setattr(highs.highspy.Highs, "run", fails_once)
    again = refined(basis, point, [found], seconds=600)
    assert sorted(ways) == [highs.DUAL, highs.PRIMAL]
    reached = [reach_optimum(program, held, deadline=float("inf")) for held in (suggested, again)]
    assert matrix_of(program, reached[0].vertex) == matrix_of(program, reached[1].vertex)
