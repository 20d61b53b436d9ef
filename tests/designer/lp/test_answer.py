"""An optimum's proof holds as found, and no other multipliers or weights do in its place."""

import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpz
from tests.designer.tools import by_program

import discreet as dc
from discreet.core.certificate import read_problem
from discreet.designer.lp.answer import (
    Proof,
    _loosened,
    candidate_bases,
    leaning_cost,
    solve_linear,
)
from discreet.designer.lp.program import build
from discreet.designer.lp.start import labels, relabelled_basis, row_numbers
from discreet.designer.simplex.basis import factor
from discreet.designer.simplex.pivots import reach_optimum, tie_weights
from discreet.designer.simplex.unfold import Multipliers, price
from discreet.designer.simplex.vertex import dual, matrix_of, vertex
from discreet.designer.theorems.closed_form import relabelled_geometric
from discreet.errors import NotProven

FAR = float("inf")
SLANTED = ["1/17", "2/17", "3/17", "4/17", "3/17", "2/17", "2/17"]
TWO_PEAKS = ["3/18", "5/18", "2/18", "2/18", "1/18", "3/18", "2/18"]
ASKED = [
    {"n": 7, "alpha": "10/11", "properties": "WH", "loss": "L1"},
    {"n": 6, "alpha": "2/3", "properties": "WH CM RM", "loss": "L2"},
    {"n": 7, "alpha": "10/11", "properties": "F CM RM", "loss": "L1"},
    {"n": 6, "alpha": "3/4", "properties": "RH CH ODP:9/10", "loss": "L1"},
    {"n": 5, "alpha": "3/4", "properties": "F RH WH", "loss": "L2"},
    {"n": 6, "alpha": "3/4", "properties": "WH CM", "loss": "L1", "prior": SLANTED},
    {"n": 6, "alpha": "3/4", "properties": "S WH", "loss": "L1", "prior": SLANTED},
    {"n": 6, "alpha": "3/4", "properties": "S F CM", "loss": "L2", "prior": SLANTED},
    {"n": 6, "alpha": "3/4", "properties": "RH", "loss": "L0,1", "prior": TWO_PEAKS},
    {"n": 12, "epsilon": "0.1", "properties": "RH", "loss": "L1"},
    {"n": 5, "alpha": "3/4", "properties": "WH CM", "loss": "L1", "worst_case": True},
]
CYCLES = ASKED[8:10]
"""Problems whose bases have rows that close cycles, with multipliers that are not 0."""


def proof_of(asked: dict[str, object]) -> Proof:
    proof = solve_linear(read_problem(**asked), deadline=FAR).proof
    assert isinstance(proof, Proof)
    return proof


@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_what_holds_is_what_the_written_certificate_proves(asked):
    proof = proof_of(asked)
    written = proof(proof.problem)
    rows = Multipliers(
        rows={row[:4]: row[4] for row in written.rows}, denominator=written.denominator
    )
    assert proof.holds()
    assert price(proof.problem, rows).bound == written.bound == written.cost == proof.cost


@pytest.mark.parametrize("asked", CYCLES, ids=str)
@pytest.mark.parametrize("change", [1, -1])
def test_beside_cycles_changed_multipliers_hold_only_where_they_prove_the_cost_when_written_out(
    asked, change
):
    # a cycle makes entries 0, and what those are charged has room: some multipliers may be changed a little
    proof = proof_of(asked)
    found, held = proof.optimum.dual, []
    for k, amount in found.signed.items():
        other = replace(found, signed={**found.signed, k: amount + change * found.denominator})
        changed = Proof(replace(proof.optimum, dual=other), proof.cost)
        held.append(changed.holds())
        assert not held[-1] or changed._written() is not None, k
    assert held.count(False) > len(held) // 2


@pytest.mark.parametrize("asked", [asked for asked in ASKED if asked not in CYCLES], ids=str)
@pytest.mark.parametrize("change", [1, -1])
def test_no_multiplier_can_be_changed(asked, change):
    proof = proof_of(asked)
    found, program = proof.optimum.dual, proof.optimum.basis.program
    honest = {u + program.first_bound for u in program.honest.tolist()}
    for k, amount in found.signed.items():
        if program.first_bound <= k < program.first_input and k not in honest:
            continue  # the multiplier of `x >= 0` is what is left over: nobody reads it
        other = replace(found, signed={**found.signed, k: amount + change * found.denominator})
        assert not Proof(replace(proof.optimum, dual=other), proof.cost).holds(), k
    for j in range(len(found.sums)):
        sums = [y + change * (place == j) for place, y in enumerate(found.sums)]
        assert not Proof(
            replace(proof.optimum, dual=replace(found, sums=sums)), proof.cost
        ).holds(), j


def test_some_of_the_bases_have_cycles():
    for asked in CYCLES:
        basis, found = proof_of(asked).optimum.basis, proof_of(asked).optimum.dual
        closing = [k for k in basis.fixed_by if 0 <= k < basis.program.first_bound]
        assert closing and found.stretch and all(found.signed[k] > 0 for k in closing)


@pytest.mark.parametrize("asked", ASKED[:10], ids=str)
def test_no_weight_can_be_changed(asked):
    proof = proof_of(asked)
    basis, found = proof.optimum.basis, proof.optimum.dual
    needed = {
        u
        for k, y in found.signed.items()
        if y != 0 and k < basis.program.first_bound
        for u in [basis.head(k)]
    }
    for u in needed:
        for power in (basis.power[u] + 1, -basis.power[u], fmpz(0)):
            changed = [power if v == u else old for v, old in enumerate(basis.power)]
            other = replace(proof.optimum, basis=replace(basis, power=changed))
            assert not Proof(other, proof.cost).holds(), u


@pytest.mark.parametrize("loss", ["L1", "L2", "L0,1"])
def test_symmetry_alone_costs_what_the_evened_prior_costs_without_it(loss):
    asked = {"n": 6, "alpha": "3/4", "loss": loss}
    weights = [Fraction(weight) for weight in SLANTED]
    even = [(a + b) / 2 for a, b in zip(weights, reversed(weights), strict=True)]
    found = dc.design(**asked, properties="S", prior=SLANTED, cache=False)
    assert found.satisfies("S")
    assert (
        found.origin.certificate.bound
        == dc.design(**asked, prior=even, cache=False).origin.certificate.bound
    )
    program = build(read_problem(**asked, properties="S", prior=SLANTED))
    first, _ = next(candidate_bases(program, deadline=FAR))
    assert reach_optimum(program, first, deadline=FAR, unique=False).pivots == 0


def test_no_other_cost_is_proven():
    for asked in ASKED:
        proof = proof_of(asked)
        assert not Proof(proof.optimum, proof.cost * Fraction(10**9 - 1, 10**9)).holds()
        assert not Proof(proof.optimum, proof.cost * Fraction(10**9 + 1, 10**9)).holds()


def test_a_proof_is_written_for_its_own_problem_only():
    first, second = proof_of(ASKED[0]), proof_of(ASKED[1])
    with pytest.raises(NotProven, match="please report"):
        first(second.problem)


def test_a_pickled_design_keeps_its_certificate():
    m = dc.design(**ASKED[0], cache=False)
    again = pickle.loads(pickle.dumps(m))
    assert again == m
    assert again.origin.certificate == m.origin.certificate
    assert pickle.loads(pickle.dumps(again)).origin.certificate == m.origin.certificate


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
    assert row_numbers(program, program.head, program.tail).tolist() == list(
        range(len(program.head))
    )
    pairs = set(zip(program.head.tolist(), program.tail.tolist(), strict=True))
    missing = next(
        (u, v) for u in range(program.cells) for v in range(program.cells) if (u, v) not in pairs
    )
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
    asked = {
        "n": 5,
        "alpha": "3/4",
        "properties": properties,
        "loss": "L1",
        "worst_case": worst_case,
    }
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
    ("alpha", "shape"),
    [("10/11", "WH"), ("3/5", "WH"), ("1/10", "WH"), ("3/4", "CM"), ("9/10", "")],
)
def test_the_basis_without_properties_stays_dual_feasible_under_weak_honesty_and_columns(
    alpha, shape, prior, loss
):
    program = build(read_problem(n=14, alpha=alpha, properties=shape, loss=loss, prior=prior))
    factored = factor(program, relabelled_basis(program, labels(program.problem)))
    found = dual(factored, {u: fmpz(c) for u, c in enumerate(program.cost)})
    assert min(found.signed.values()) >= 0


def test_the_unit_of_the_sums_changes_no_optimum(monkeypatch):
    # far entries of 10^-18 and below: a small program writes its sums in a smaller unit, a large one does not
    for properties, loss in (("WH CM RM", "L1"), ("F CM", "L2"), ("CH RH ODP:1/50", "L1")):
        problem = read_problem(n=6, alpha="1/1000", properties=properties, loss=loss)
        found = []
        for large in (10_000, 0):
            monkeypatch.setattr("discreet.designer.lp.highs.LONG_SUMS", large)
            found.append(solve_linear(problem, deadline=FAR))
        assert found[0].form == found[1].form
        assert all(answer.proof.holds() for answer in found)
