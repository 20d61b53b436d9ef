"""Proof files of the column-honest closed form: written out and added up, or held to the theorem's conditions."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from tests.grids import everywhere
from tests.proof.proof_files import document_of, problem, resealed

import discreet as dc
from discreet import proof
from discreet.core.forms import ColumnHonest
from discreet.designer.theorems.multipliers import column_honest_multipliers
from discreet.errors import InvalidFile, ProofFailed
from discreet.proof import by_theorem, reading
from discreet.proof.files import to_bytes
from discreet.proof.loading import from_bytes


def designed(n=8, alpha="3/5", properties="WH CM", **asked):
    return dc.design(n=n, alpha=alpha, properties=properties, cache=False, **asked)


@everywhere(n=[3, 4, 5, 9, 20], alpha=["501/1000", "3/5", "20841/34361", "2/3"])
def test_the_second_writing_agrees_with_the_first(n, alpha):
    """Matrix, name, multipliers and cost."""
    a, m = Fraction(alpha), designed(n, alpha)
    form = reading.read_form(
        {"form": "column-honest", "alpha": f"{a.numerator:x}/{a.denominator:x}"}, n
    )
    assert form.text == m.form.text()
    assert all(
        Fraction(x, form.denominator) == m[i, j]
        for i, row in enumerate(form.rows)
        for j, x in enumerate(row)
    )
    found = column_honest_multipliers(problem(n, alpha, "CM"))
    scale, rows = by_theorem.multipliers("column-honest", n, a, ([1] * (n + 1), n + 1), False)
    assert len({row[:4] for row in rows}) == len(rows)
    assert {row[:4]: Fraction(row[4], scale) for row in rows} == {
        row[:4]: Fraction(row[4], found.denominator) for row in found.rows
    }
    assert by_theorem.known_score("column-honest", n, a) == found.bound == m.score("L0")


@pytest.mark.parametrize(("n", "written"), [(3, True), (12, True), (600, False), (10**9, False)])
def test_a_file_is_small_and_says_how_it_was_checked(n, written, tmp_path):
    m = designed(n)
    m.save(tmp_path / "m.json")
    report = dc.verify(tmp_path / "m.json")
    assert report.optimal
    assert report.by_theorem == ("" if written else str(n))
    assert any("written out here" in check for check in report.checks) is written
    assert dc.load(tmp_path / "m.json") == m
    assert dc.load(tmp_path / "m.json").id == m.id == report.id
    assert (tmp_path / "m.json").stat().st_size < 1700


def test_a_dense_file_is_read_as_the_closed_form_it_is():
    """As a linear program writes it: the same id, and the same mechanism."""
    m = designed(5)
    document = document_of(m)
    dense, certificate = m.form.dense(), m.origin.certificate
    document["matrix"] = {
        "form": "dense",
        "denominator": f"{dense.denominator:x}",
        "rows": [[f"{x:x}" for x in row] for row in dense.rows],
    }
    cost = f"{certificate.cost.numerator:x}/{certificate.cost.denominator:x}"
    document["optimality"] = {
        "problem": document["optimality"]["problem"],
        "cost": cost,
        "bound": cost,
        "denominator": f"{certificate.denominator:x}",
        "multipliers": [[*row[:4], f"{row[4]:x}"] for row in certificate.rows],
    }
    dense_file = resealed(document)
    assert json.loads(dense_file)["id"] == m.id
    back = from_bytes(dense_file)
    assert back == m
    assert type(back.form) is ColumnHonest
    assert back.origin.certificate.optimal


def test_the_form_needs_its_interval():
    document = document_of(designed())
    for n, alpha, exists in (
        (8, "2/3", True),
        (8, "1/2", False),
        (8, "7/a", False),
        (2, "3/5", False),
    ):
        claims = {"properties": [], "output_dp": None, "tight_alpha": None, "scores": []}
        other = document | {
            "n": n,
            "alpha": alpha,
            "epsilon": "1/1",
            "claims": claims,
            "optimality": None,
        }
        other["matrix"] = {"form": "column-honest", "alpha": alpha}
        if exists:
            assert proof.examine(resealed(other))[0].optimal is None
        else:
            with pytest.raises(InvalidFile, match="not a column-honest mechanism"):
                proof.examine(resealed(other))


@pytest.mark.parametrize("n", [8, 1000])
def test_false_claims_are_refused_written_out_or_not(n):
    def examined(change):
        document = document_of(designed(n))
        change(document)
        return proof.examine(resealed(document))

    assert examined(lambda document: None)[0].optimal
    for change, message in (
        (lambda d: d["claims"]["properties"].append("F"), "F"),
        (lambda d: d["claims"]["scores"][0].update(value="1/2"), "score"),
        (lambda d: d["optimality"]["problem"].update(properties=["WH"]), "conditions"),
        (lambda d: d["optimality"]["problem"].update(worst_case=True), "conditions"),
        (lambda d: d["optimality"]["problem"].update(loss={"tail": 1}), "conditions"),
        (lambda d: d["optimality"].update(theorem="weakly-honest"), "conditions"),
        (lambda d: d.update(alpha="2/3"), "privacy|content id|tight|differ"),
    ):
        with pytest.raises(ProofFailed, match=message):
            examined(change)
    # GM costs less, but is not what the theorem is about
    geometric = document_of(dc.geometric(n=n, alpha="3/5")) | {
        "optimality": document_of(designed(n))["optimality"]
    }
    geometric["optimality"]["problem"]["properties"] = []
    with pytest.raises(ProofFailed, match="conditions"):
        proof.examine(resealed(geometric))


def test_other_problems_may_find_the_same_matrix():
    """With own rows, or as what derives from GM, it is proven by multipliers of those problems."""
    derived = designed(4, derivable=True)
    assert type(derived.form) is ColumnHonest
    assert derived == designed(4)
    assert proof.examine(to_bytes(derived))[0].optimal
    assert from_bytes(to_bytes(derived)) == derived
    level = dc.rows("half", [({(0, 0): 1}, ">=", "1/2")])
    own = dc.design(n=4, alpha="3/5", properties=["CM", level], cache=False)
    assert own == designed(4)
    assert proof.examine(to_bytes(own))[0].optimal
