"""An optimum's proof holds as found, and no other multipliers or weights do in its place."""

import pickle
from dataclasses import replace
from fractions import Fraction

import pytest
from flint import fmpz

import discreet as dc
from discreet.core.certificate import read_problem
from discreet.designer.lp.answer import Proof, solve_linear
from discreet.designer.simplex.unfold import Multipliers, price
from discreet.errors import NotProven

FAR = float("inf")
SLANTED = ["1/17", "2/17", "3/17", "4/17", "3/17", "2/17", "2/17"]
ASKED = [
    {"n": 7, "alpha": "10/11", "properties": "WH", "loss": "L1"},
    {"n": 6, "alpha": "2/3", "properties": "WH CM RM", "loss": "L2"},
    {"n": 7, "alpha": "10/11", "properties": "F CM RM", "loss": "L1"},
    {"n": 6, "alpha": "3/4", "properties": "RH CH ODP:9/10", "loss": "L1"},
    {"n": 5, "alpha": "3/4", "properties": "F RH WH", "loss": "L2"},
    {"n": 6, "alpha": "3/4", "properties": "WH CM", "loss": "L1", "prior": SLANTED},
    {"n": 6, "alpha": "3/4", "properties": "S WH", "loss": "L1", "prior": SLANTED},
    {"n": 5, "alpha": "3/4", "properties": "WH CM", "loss": "L1", "worst_case": True},
]


def proof_of(asked: dict[str, object]) -> Proof:
    proof = solve_linear(read_problem(**asked), deadline=FAR).proof
    assert isinstance(proof, Proof)
    return proof


@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_what_holds_is_what_the_written_certificate_proves(asked):
    proof = proof_of(asked)
    written = proof(proof.problem)
    rows = Multipliers(rows={row[:4]: row[4] for row in written.rows}, denominator=written.denominator)
    assert proof.holds()
    assert price(proof.problem, rows).bound == written.bound == written.cost == proof.cost


@pytest.mark.parametrize("asked", ASKED, ids=str)
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
        assert not Proof(replace(proof.optimum, dual=replace(found, sums=sums)), proof.cost).holds(), j


@pytest.mark.parametrize("asked", ASKED[:6], ids=str)
def test_no_weight_can_be_changed(asked):
    proof = proof_of(asked)
    basis, found = proof.optimum.basis, proof.optimum.dual
    needed = {u for k, y in found.signed.items() if y != 0 and k < basis.program.first_bound for u in [basis.head(k)]}
    for u in needed:
        for power in (basis.power[u] + 1, -basis.power[u], fmpz(0)):
            changed = [power if v == u else old for v, old in enumerate(basis.power)]
            other = replace(proof.optimum, basis=replace(basis, power=changed))
            assert not Proof(other, proof.cost).holds(), u


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
