"""Families of sizes: what is true is accepted at any n, and whatever is changed, or hostile, is refused."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.amounts import tries

import discreet as dc
from discreet import proof
from discreet.core.family import NEARLY, Family
from discreet.core.properties import read_shape
from discreet.core.rationals import read_alpha
from discreet.designer.theorems import multipliers as theirs
from discreet.errors import DiscreetError, InvalidFile, InvalidInput, NotPrivate, ProofFailed
from discreet.proof import by_theorem, families
from discreet.proof.files import entry_bytes, to_bytes
from discreet.proof.loading import reported


def family(kind="geometric", properties="", sizes=((1, 12),), alpha="10/11", **asked):
    made = {"theorem": kind, "privacy": read_alpha(alpha=alpha), "shape": read_shape(properties)}
    return Family(kind=kind, sizes=sizes, **{**made, **asked})


EXAMPLES = {
    "GM": family(properties="S RM"),
    "GM, honest": family(properties="WH CM", alpha="1/3", sizes=((1, 1), (3, 9))),
    "GM, output DP": family(properties="ODP:1/20"),
    "EM": family("fair", "F CM ODP:10/11"),
    "EM, any prior": family("fair", "F", chance=Fraction(3, 10)),
    "EM, any prior, worst case": family("fair", "F", chance=Fraction(3, 10), worst_case=True),
    "EM, worst case": family("fair", "CM", worst_case=True),
    "WM": family("weakly-honest", "WH S", sizes=((2, 4), (7, 19))),
    "column-honest": family("column-honest", "WH CM RM S", sizes=((3, 12), (30, 33)), alpha="3/5"),
    "column-honest, at its end": family(
        "column-honest", "CH", sizes=((3, 9), (500, 10**9)), alpha="2/3"
    ),
    "EM, nearly": family("fair", "CM WH", sizes=((5, 9), (201, 10**9)), theorem=NEARLY),
}


def document_of(entry):
    return json.loads(entry_bytes(entry))


def renamed(document):
    """The bytes of a document after a forger has computed its content id again."""
    problem, sizes = document["problem"], document["sizes"]
    words = " ".join(str(low) if low == high else f"{low}-{high}" for low, high in sizes)
    prior = (
        problem["prior"]
        if isinstance(problem["prior"], str)
        else f"binomial {problem['prior']['binomial']}"
    )
    lines = [
        "discreet family 1",
        document["kind"],
        document["alpha"],
        document["epsilon"],
        words,
        " ".join(sorted(problem["properties"])),
        problem["output_dp"] or "",
        "L0",
        prior,
        "worst" if problem["worst_case"] else "mean",
        document["theorem"],
    ]
    text = "".join(f"{line}\n" for line in lines)
    return json.dumps(document | {"id": hashlib.sha256(text.encode()).hexdigest()}).encode()


def changed(entry, **changes):
    document = document_of(entry)
    for name, value in changes.items():
        (document if name in document else document["problem"])[name] = value
    return document


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_family_is_verified_and_comes_back(name):
    entry = EXAMPLES[name]
    report, back = reported(entry_bytes(entry))
    assert back == entry
    assert report.id == back.id == entry.id
    assert report.sizes == entry.sizes
    assert report.n == entry.sizes[-1][1]
    assert report.optimal is (entry.theorem != NEARLY)
    assert max(map(len, str(report).splitlines())) <= 80
    assert (
        ("by theorem" in str(report))
        == bool(report.by_theorem)
        == (report.n > families.WRITTEN_OUT)
    )
    assert renamed(document_of(entry)) == json.dumps(document_of(entry)).encode()


@pytest.mark.parametrize("name", EXAMPLES)
def test_its_members_are_the_mechanisms_they_say_they_are(name):
    """Every small member passes as a proof file of its own, with the same matrix, cost and bound."""
    entry = EXAMPLES[name]
    for low, high in entry.sizes:
        for n in {low, min(high, low + 3)} - set(range(60, 10**6)):
            m = entry.mechanism(n)
            assert (m.n, m.alpha, m.epsilon) == (n, entry.privacy.value, entry.privacy.epsilon)
            assert m.satisfies(entry.shape)
            told, _ = proof.examine(to_bytes(m))
            assert told.optimal is (entry.theorem != NEARLY)
    with pytest.raises(InvalidInput, match="one of the family's sizes"):
        entry.mechanism(entry.sizes[0][0] - 1)


@pytest.mark.parametrize("kind", ["geometric", "fair"])
@pytest.mark.parametrize("n", [10**6, 10**9])
def test_a_nation_is_verified(kind, n, tmp_path):
    entry = family(
        kind, "F" if kind == "fair" else "", sizes=((n, n),), privacy=read_alpha(epsilon="1/2")
    )
    report, back = reported(entry_bytes(entry))
    m = back.mechanism(n)
    m.save(tmp_path / "m.json")
    assert dc.load(tmp_path / "m.json") == m
    assert dc.verify(tmp_path / "m.json").by_theorem == report.by_theorem == str(n)
    assert len(entry_bytes(entry)) + len(to_bytes(m)) < 2500


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("GM", {"kind": "fair"}, "conditions"),
        ("GM", {"kind": "weakly-honest"}, "no weakly-honest mechanism"),
        ("GM", {"theorem": "fair"}, "conditions"),
        ("GM", {"theorem": NEARLY}, "conditions"),
        ("GM", {"properties": ["F"]}, "gives F"),
        ("GM", {"properties": ["WH"]}, "gives WH"),
        ("GM", {"properties": ["CM"]}, "gives CM"),
        ("GM", {"output_dp": "1/2"}, "output_dp"),
        ("GM", {"prior": {"binomial": "1/3"}}, "conditions"),
        ("GM", {"worst_case": True}, "conditions"),
        ("GM", {"epsilon": "1/64"}, "understates"),
        ("GM", {"alpha": "1/2"}, "understates"),
        ("GM, honest", {"alpha": "9/10", "epsilon": "2/1"}, "gives CM|gives WH"),
        ("GM, honest", {"alpha": "2/3", "epsilon": "2/1"}, "gives"),
        ("GM, output DP", {"output_dp": "1/a"}, "output_dp"),
        ("EM", {"kind": "geometric"}, "gives"),
        ("EM", {"properties": ["CM"]}, "conditions"),
        ("EM", {"output_dp": "63/64"}, "output_dp"),
        ("EM, any prior", {"properties": []}, "conditions"),
        ("EM, worst case", {"prior": {"binomial": "1/3"}}, "conditions"),
        ("WM", {"sizes": [[2, 20]]}, "no weakly-honest"),
        ("WM", {"sizes": [[1, 4]]}, "no weakly-honest"),
        ("WM", {"properties": ["S"]}, "conditions"),
        ("WM", {"properties": ["CM", "WH"]}, "gives CM"),
        ("WM", {"sizes": [[2, 10**9]]}, "no weakly-honest"),
        ("column-honest", {"sizes": [[2, 12]]}, "no column-honest"),
        ("column-honest", {"alpha": "7/a", "epsilon": "2/1"}, "no column-honest"),
        ("column-honest", {"alpha": "1/2", "epsilon": "2/1"}, "no column-honest"),
        ("column-honest", {"properties": ["CM", "F"]}, "gives F"),
        ("column-honest", {"properties": ["WH"]}, "conditions"),
        ("column-honest", {"output_dp": "1/64"}, "output_dp"),
        ("column-honest", {"worst_case": True}, "conditions"),
        ("column-honest", {"prior": {"binomial": "1/3"}}, "conditions"),
        ("column-honest", {"theorem": "geometric"}, "conditions"),
        ("column-honest", {"epsilon": "1/2"}, "understates"),
        ("EM, nearly", {"theorem": "fair"}, "conditions"),
    ],
)
def test_a_false_claim_is_found_by_the_mathematics(name, changes, message):
    document = changed(EXAMPLES[name], **changes)
    with pytest.raises(ProofFailed, match="content id"):
        proof.examine(json.dumps(document).encode())
    with pytest.raises(ProofFailed, match=message):
        proof.examine(renamed(document))


@pytest.mark.parametrize(
    "changes",
    [
        {"sizes": []},
        {"sizes": [[0, 3]]},
        {"sizes": [[5, 3]]},
        {"sizes": [[1, 3], [3, 9]]},
        {"sizes": [[1, 3], [4, 9]]},
        {"sizes": [[5, 9], [1, 3]]},
        {"sizes": [[1, 10**9 + 1]]},
        {"sizes": [[-1, 9]]},
        {"sizes": [[2 * k + 1, 2 * k + 1] for k in range(1001)]},
        {"kind": "uniform"},
        {"kind": "dense"},
        {"theorem": "of mine"},
        {"alpha": "2/4"},
        {"alpha": "0/1"},
        {"properties": ["S", "RM"]},
        {"properties": ["S", "S"]},
        {"prior": {"binomial": "4/3"}},
        {"version": 2},
    ],
)
def test_what_the_format_does_not_say_is_refused(changes):
    with pytest.raises((InvalidFile, ProofFailed)):
        proof.examine(renamed(changed(EXAMPLES["GM"], **changes)))


DEEP = json.loads("[" * 900 + "]" * 900)
WRONG = [
    None,
    True,
    0,
    -1,
    1.5,
    "",
    "x",
    [],
    [1],
    {},
    {"a": 1},
    [[1, 2, 3]],
    [["1", "2"]],
    [[1, True]],
    DEEP,
    10**30,
]


@pytest.mark.parametrize(
    "field", [*families.FIELDS, "problem.prior", "problem.loss", "problem.worst_case", "more"]
)
def test_hostile_values_are_refused(field):
    for value in WRONG:
        document = document_of(EXAMPLES["EM"])
        holder, _, name = field.rpartition(".")
        (document[holder] if holder else document)[name] = value
        with pytest.raises((InvalidFile, ProofFailed)):
            proof.examine(json.dumps(document).encode())
    fewer = document_of(EXAMPLES["EM"])
    fewer.pop(field, None)
    if field in families.FIELDS:
        with pytest.raises(DiscreetError):
            proof.examine(json.dumps(fewer).encode())


@pytest.mark.slow
def test_an_alpha_of_many_digits_is_written_out_up_to_fewer_sizes():
    fine = Fraction(10**200 + 1, 2 * 10**200 + 7)
    entry = family(sizes=((1, 300),), privacy=read_alpha(alpha=fine))
    report, _ = proof.examine(entry_bytes(entry))
    first, _, last = report.by_theorem.partition("-")
    assert last == "300"
    assert 2 < int(first) <= families.WRITTEN_OUT


@pytest.mark.parametrize("name", EXAMPLES)
def test_whoever_only_reads_holds_it_to_the_conditions_of_its_theorem(name):
    """Nothing is written out then, and a claim that no theorem makes is refused all the same."""
    report, made = reported(entry_bytes(EXAMPLES[name]), write_out=False)
    assert (made, report.by_theorem) == (EXAMPLES[name], EXAMPLES[name].words)
    assert not any("written out and checked" in check for check in report.checks)
    document = document_of(EXAMPLES["GM"])
    document["problem"]["properties"] = ["F"]
    with pytest.raises(ProofFailed, match="no theorem gives F"):
        reported(renamed(document), write_out=False)


def test_a_family_that_is_none_cannot_be_built():
    for wrong in ((), ((0, 4),), ((1, 2), (3, 4)), ((3, 2),), ((1.0, 2),), ((1, True),)):
        with pytest.raises(DiscreetError):
            family(sizes=wrong)
    with pytest.raises(NotPrivate):
        family("weakly-honest", "WH", sizes=((2, 20),))
    with pytest.raises(InvalidInput):
        family("dense")
    with pytest.raises(NotPrivate):
        family(alpha="1")


@given(
    st.sampled_from([("geometric", ""), ("fair", "F"), ("fair", ""), ("weakly-honest", "WH")]),
    st.integers(1, 24),
    st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=40),
    st.sampled_from([None, "Binomial(1/3)"]),
    st.booleans(),
)
@settings(max_examples=tries(40), deadline=None)
def test_both_writings_give_the_same_multipliers(which, n, a, prior, worst):
    (theorem, properties), write = (
        which,
        {
            "geometric": theirs.geometric_multipliers,
            "fair": theirs.fair_multipliers,
            "weakly-honest": theirs.weakly_honest_multipliers,
        },
    )
    from discreet.core.certificate import read_problem
    from discreet.proof.reading import read_prior

    problem = read_problem(n=n, alpha=a, properties=properties, prior=prior, worst_case=worst)
    uniform = problem.prior.uniform
    if not by_theorem.applies(
        theorem, theorem, set(problem.shape.names), uniform=uniform, worst=worst
    ):
        return
    found = write[theorem](problem)
    spec = "uniform" if prior is None else {"binomial": "1/3"}
    scale, rows = by_theorem.multipliers(theorem, n, a, read_prior(spec, n)[:2], worst)
    mine: dict = {}
    for *row, y in rows:
        mine[tuple(row)] = mine.get(tuple(row), 0) + Fraction(y, scale)
    assert {row: y for row, y in mine.items() if y} == {
        tuple(row): Fraction(y, found.denominator) for *row, y in found.rows
    }


def test_a_single_file_says_whether_its_proof_was_written_out(monkeypatch):
    m = dc.design(n=12, alpha="10/11", properties="F", cache=False)
    small = to_bytes(m)
    assert b'"theorem": "fair"' in small
    assert b"multipliers" not in small
    report, _ = proof.examine(small)
    assert report.by_theorem == ""
    assert any("written out here" in check for check in report.checks)
    monkeypatch.setattr("discreet.proof.checks.WRITTEN_OUT", 11)
    report, _ = proof.examine(small)
    assert (report.by_theorem, report.optimal) == ("12", True)
    assert any('by theorem "fair"' in check for check in report.checks)


def test_the_id_covers_every_field():
    entry = EXAMPLES["EM, any prior"]
    others = [
        replace(entry, kind="geometric"),
        replace(entry, sizes=((1, 11),)),
        replace(entry, worst_case=True),
        replace(entry, chance=Fraction(1, 3)),
        replace(entry, shape=read_shape("F S")),
        replace(entry, theorem=NEARLY),
        replace(entry, privacy=read_alpha(alpha="11/12")),
        replace(entry, shape=read_shape("F ODP:1/2")),
        replace(entry, privacy=replace(entry.privacy, epsilon=Fraction(1))),
    ]
    assert len({each.id for each in (entry, *others)}) == 1 + len(others)
