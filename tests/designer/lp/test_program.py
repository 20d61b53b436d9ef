"""The linear program, its exact solution and the rule that names one optimum."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.amounts import tries
from tests.designer.brute import constraints, dot, least_cost, rows_by_definition
from tests.designer.tools import SEVEN, by_program, problems, proven
from tests.strategies import mechanisms

import discreet as dc
from discreet.core.certificate import costs_of, read_problem
from discreet.core.domains import ROWS, Counts
from discreet.core.forms import Dense
from discreet.core.forms.dense import mixed
from discreet.designer.lp.program import (
    KINDS,
    build,
    cost_array,
    numbered,
    places,
    satisfies,
    strongest,
)
from discreet.designer.simplex.unfold import _equations
from discreet.errors import ProofFailed
from discreet.proof import examine, sealed
from discreet.proof.files import to_bytes

FAR = 1e9


@settings(max_examples=tries(120))
@given(problems())
def test_any_design_is_proven(asked):
    m = dc.design(cache=False, **asked)
    assert m.origin.certificate.optimal
    assert m.satisfies(asked["properties"])
    assert proven(m)
    problem = m.origin.problem
    if problem.loss.symmetric and problem.prior.symmetric:
        assert m.satisfies("S"), "Theorem 1: symmetry is free, and taken"


def test_folding_keeps_the_optimum():
    # the same loss with a hair of asymmetry in a cell that never matters is solved unfolded
    plain = by_program(n=5, alpha="10/11", properties="CM", loss="L1")
    rows = [[abs(i - j) for j in range(6)] for i in range(6)]
    program = build(read_problem(n=5, alpha="10/11", properties="CM", loss="L1"))
    unfolded = build(
        read_problem(
            n=5, alpha="10/11", properties="CM", loss=[*rows[:-1], [*rows[-1][:-1], "1/1000000"]]
        )
    )
    assert program.cells == 18
    assert unfolded.cells == 36
    assert plain.satisfies("S")


@pytest.mark.parametrize("n", [3, 4, 8])
def test_implied_rows_are_left_out(n):
    def rows(shape):
        return len(build(read_problem(n=n, alpha="10/11", properties=shape, loss="L1")).head)

    assert rows("RM RH") == rows("RM") == rows(""), "RM replaces one of each pair of DP rows"
    assert rows("CM CH WH") == rows("CM")
    assert (
        len(build(read_problem(n=n, alpha="10/11", properties="WH", loss="L1")).honest)
        == n // 2 + 1
    )
    assert len(build(read_problem(n=n, alpha="10/11", properties="WH CH", loss="L1")).honest) == 0


def test_a_changed_multiplier_fails():
    m = dc.design(n=4, alpha="10/11", properties="WH CM", loss="L1", cache=False)
    document = json.loads(to_bytes(m))
    assert examine(to_bytes(m))[0].optimal
    for place in range(len(document["optimality"]["multipliers"])):
        changed = json.loads(to_bytes(m))
        row = changed["optimality"]["multipliers"][place]
        row[4] = f"{int(row[4], 16) + 1:x}"
        changed["seal"] = sealed({key: value for key, value in changed.items() if key != "seal"})
        with pytest.raises(ProofFailed):
            examine(json.dumps(changed).encode())


@pytest.mark.slow
def test_every_process_gets_the_same_matrix():
    code = (
        "import discreet as dc; print(*[dc.design(n=7, alpha='3/4', properties=p, loss=l, worst_case=w, cache=False).id "
        "for p in ('WH CM', 'RH', '') for l in ('L0', 'L0,1') for w in (False, True)])"
    )
    source = str(Path(dc.__file__).parent.parent)
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONPATH": source, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


def test_a_certificate_of_another_problem_does_not_serve():
    easy = dc.design(n=3, alpha="2/3", properties="CM", loss="L1", cache=False)
    hard = dc.design(n=3, alpha="2/3", properties="CM F", loss="L1", cache=False)
    lie = dc.Mechanism(
        privacy=hard.privacy,
        form=hard.form,
        origin=replace(easy.origin, proof=hard.origin.certificate),
    )
    with pytest.raises(ProofFailed):
        examine(to_bytes(lie))


def test_out_of_time_is_an_error_or_a_gap():
    asked = {"n": 40, "alpha": "10/11", "properties": "CM RM", "loss": "L1", "cache": False}
    with pytest.raises(dc.DiscreetError, match="no proof of optimality within the time"):
        dc.design(**asked, seconds=0)
    loose = dc.design(**asked, seconds=0, gap=1)
    certificate = loose.origin.certificate
    assert loose.satisfies("CM RM")
    assert (
        certificate.bound <= dc.design(**asked).score("L1") <= loose.score("L1") == certificate.cost
    )
    assert 0 < certificate.gap <= 1


@pytest.mark.parametrize(("n", "step"), [*((n, 1) for n in range(6)), (5, 2), (6, 4)])
def test_the_arrays_of_rows_are_the_tables_rows(n, step):
    domain = Counts(n, step)
    for row in ROWS.values():
        found = [
            pair
            for ends in places(row, domain)
            for pair in zip(*(end.tolist() for end in ends), strict=True)
        ]
        cells = [row.cells(domain, label) for label in row.labels(domain)]
        named = [
            (i * (n + 1) + j, None if tail is None else tail[0] * (n + 1) + tail[1])
            for (i, j), tail in cells
        ]
        assert sorted(found) == sorted((u, u if v is None else v) for u, v in named), row.kind


@settings(max_examples=tries(40))
@given(problems())
def test_entries_are_one_variable_just_where_equations_tie_them(asked):
    problem = read_problem(**asked)
    program = build(problem)
    cells = [(i, j) for i in range(problem.n + 1) for j in range(problem.n + 1)]
    near = {cell: {cell} for cell in cells}
    equal = [(a, b) for a, b, _, _ in _equations(problem, symmetric=False)]
    if problem.prior.symmetric and problem.loss.symmetric:
        equal += [((i, j), (problem.n - i, problem.n - j)) for i, j in cells]
    for a, b in equal:
        near[a].add(b)
        near[b].add(a)
    numbers, seen = {}, set()
    for cell in cells:  # one number per connected component, in order of first appearance
        queue = [] if cell in seen else [cell]
        for each in queue:
            if each not in seen:
                seen.add(each)
                numbers[each] = len(set(numbers.values())) if each == cell else numbers[cell]
                queue.extend(near[each])
    assert {cell: int(program.variable[cell]) for cell in cells} == numbers


@settings(max_examples=tries(40))
@given(problems(largest=3), st.randoms(use_true_random=False))
def test_the_small_program_allows_what_the_full_rows_allow(asked, random):
    problem = read_problem(**asked)
    program = build(problem)
    sums, bounds = constraints(program)
    names = set(problem.shape.names)
    names -= (
        {"WH"} if names & {"CH", "CM"} else set()
    )  # implied where the columns sum to 1, as these points do not
    full = rows_by_definition(problem.n, problem.alpha, names, problem.shape.output_dp)
    for _ in range(8):
        steps = random.choice([1, 2, 12])  # level points lie on more rows
        at = [
            Fraction(random.randint(0, steps), steps * (problem.n + 1))
            for _ in range(program.cells)
        ]
        entry = {cell: at[u] for cell, u in np.ndenumerate(program.variable)}
        allowed = all(
            dot(form[: program.cells], at) >= right for form, right in bounds[: program.first_input]
        )
        wanted = all(
            (value == right) if free else (value >= right)
            for *_, terms, right, free in full
            for value in [sum(factor * entry[cell] for cell, factor in terms.items())]
        )
        assert allowed == wanted
        for (form, _), j in zip(sums, program.sums.tolist(), strict=True):
            assert dot(form[: program.cells], at) == sum(entry[i, j] for i in range(problem.n + 1))


@settings(max_examples=15)
@given(problems(largest=2))
def test_no_mechanism_of_a_small_problem_costs_less(asked):
    assert by_program(**asked).origin.certificate.cost == least_cost(read_problem(**asked))


@pytest.mark.parametrize("properties", ["", "WH CM", "F RM", "RH CH ODP:1/2"])
def test_no_mechanism_of_three_people_costs_less(properties):
    asked = {"n": 3, "alpha": "2/3", "properties": properties, "loss": "L1"}
    assert by_program(**asked).origin.certificate.cost == least_cost(read_problem(**asked))


@given(m=mechanisms(), ratio=st.sampled_from([Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)]))
def test_rows_hold_or_not_as_the_properties_say(m, ratio):
    dense = m.form.dense()
    image = Dense(tuple(row[::-1] for row in dense.rows[::-1]), dense.denominator)
    for each in (m, dc.Mechanism(privacy=m.privacy, form=mixed(Fraction(1, 2), dense, image))):
        for name in [*SEVEN, f"ODP:{ratio}"]:
            problem = read_problem(n=m.n, alpha=m.alpha, properties=name)
            assert satisfies(problem, each.form.dense()) == each.satisfies(name)
    assert satisfies(read_problem(n=m.n, alpha=m.alpha, properties=m.shape), dense)


@pytest.mark.parametrize("loss", ["L1", "L0,1", [[0, 3, 1], [2, 0, 5], [1, 1, 0]]], ids=str)
@pytest.mark.parametrize("kind", [np.int64, np.float64, object])
def test_costs_as_an_array_are_the_costs(loss, kind):
    problem = read_problem(n=2, alpha="1/2", loss=loss)
    assert cost_array(problem, kind).tolist() == [list(row) for row in costs_of(problem).loss]


def test_equal_cells_are_numbered_in_order_of_appearance():
    # 0 = 3 = 5 by a chain, 1 = 4; 2 and 6 are alone
    found = numbered(7, np.array([3, 5, 4]), np.array([0, 3, 1]))
    assert found.tolist() == [0, 1, 2, 0, 1, 0, 3]
    assert numbered(3, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)).tolist() == [
        0,
        1,
        2,
    ]


def test_of_rows_between_the_same_variables_the_first_of_the_strongest_stays():
    ratios = (Fraction(1), Fraction(1, 2), Fraction(2, 3))
    kinds = [KINDS.index(name) for name in ("dp", "odp", "rm", "rm", "dp", "dp")]
    head, tail = np.array([4, 4, 4, 4, 2, 3]), np.array([1, 1, 1, 1, 0, 3])
    # 1/2, then 2/3, then 1 twice between 4 and 1; one row between 2 and 0; none between a variable and itself
    assert strongest(head, tail, np.array(kinds, dtype=np.int8), ratios).tolist() == [4, 2]
    assert strongest(head[:2], tail[:2], np.array(kinds[:2], dtype=np.int8), ratios).tolist() == [1]
