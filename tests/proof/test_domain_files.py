"""Proof files over histograms and stepped counts: what is saved loads, and no claim that is changed passes."""

import copy
import hashlib
import json
from fractions import Fraction
from functools import cache

import pytest

import discreet as dc
from discreet.errors import InvalidFile, ProofFailed
from discreet.proof import examine, sealed
from discreet.proof.files import to_bytes
from discreet.proof.histograms.domain_checks import FIELDS
from discreet.proof.loading import from_bytes

EXAMPLES = {
    "plain": {"categories": 3},
    "named": {"categories": ["never", "former", "current"], "loss": "L0", "properties": "WH CM"},
    "fair": {"categories": 3, "properties": "F"},
    "output DP": {"categories": 3, "properties": "ODP:1/3"},
    "worst case": {"categories": 3, "worst_case": True},
    "uneven": {"categories": 3, "prior": "Multinomial(1/2, 1/4, 1/4)"},
    "uneven, worst": {"categories": 3, "prior": "Multinomial(1/2, 1/3, 1/6)", "worst_case": True},
    "uneven, symmetric": {
        "categories": 3,
        "prior": "Multinomial(1/2, 1/3, 1/6)",
        "properties": "S",
    },
    "symmetric by itself": {
        "categories": 3,
        "prior": "Multinomial(1/2, 1/4, 1/4)",
        "properties": "ODP:1",
    },
    "two answers": {"categories": 2, "loss": "L0"},
    "two answers, fair": {"categories": 2, "properties": "F", "worst_case": True},
    "step": {"step": 2},
    "step, shaped": {"step": 3, "properties": "WH CM RM F", "loss": "L2"},
    "step, worst": {"step": 2, "worst_case": True, "properties": "RH S ODP:1/4"},
}


@cache
def example(name):
    return dc.design(n=3, alpha="1/2", cache=False, **{"loss": "L1", **EXAMPLES[name]})


def document_of(name):
    return json.loads(to_bytes(example(name)))


def forged(document):
    """The bytes of a document after a forger has recomputed its content id and seal."""
    matrix, domain = document["matrix"], document["domain"]
    if "step" in domain:
        rows = ";".join(",".join(row) for row in matrix["rows"])
        text = f"step {domain['step']} dense {matrix['denominator']} {rows}"
    else:
        classes, (n, k) = ",".join(map(str, matrix["classes"])), domain["histogram"]
        text = f"histogram {n} {k} orbits {classes} {matrix['denominator']} {','.join(matrix['values'])}"
    content = f"discreet mechanism 1\n{document['alpha']}\n{text}\n"
    document = document | {"id": hashlib.sha256(content.encode()).hexdigest()}
    return json.dumps(document | {"seal": sealed(document, FIELDS)}).encode()


def changed(document, path, value):
    document = copy.deepcopy(document)
    *where, last = path
    place = document
    for step in where:
        place = place[step]
    place[last] = value(place[last]) if callable(value) else value
    return document


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_is_saved_is_verified_and_loads(name):
    m = example(name)
    data = to_bytes(m)
    report, _ = examine(data)
    again = from_bytes(data)
    assert report.optimal is True
    assert (report.id, report.n) == (m.id, 3)
    assert ("histograms" if "categories" in EXAMPLES[name] else "moves by up to") in report.domain
    assert again == m
    assert again.domain == m.domain
    assert again.origin.problem == m.origin.problem
    assert again.origin.certificate == m.origin.certificate
    assert to_bytes(again) == data
    assert examine(forged(document_of(name)))[0] == report


def test_names_of_answers_are_kept(tmp_path):
    example("named").save(tmp_path / "m.json")
    assert dc.load(tmp_path / "m.json").domain.names == ("never", "former", "current")
    assert "histograms of 3 people over 3 answers" in str(dc.verify(tmp_path / "m.json"))


def one_more(text):
    return f"{int(text, 16) + 1:x}"


@pytest.mark.parametrize("name", EXAMPLES)
def test_no_number_can_be_changed(name):
    document = document_of(name)
    with pytest.raises(ProofFailed, match="seal"):
        examine(json.dumps(changed(document, ["origin", "method"], "by hand")).encode())
    places = [["matrix", "denominator"], ["optimality", "denominator"]]
    if "rows" in document["matrix"]:
        places += [["matrix", "rows", i, j] for i in range(4) for j in range(4)]
    else:
        places += [["matrix", "values", u] for u in range(len(document["matrix"]["values"]))]
    for path in places:
        with pytest.raises((ProofFailed, InvalidFile)):
            examine(forged(changed(document, path, one_more)))
    lower = Fraction(example(name).origin.certificate.bound) - Fraction(1, 1000)
    for path in [["optimality", "cost"], ["optimality", "bound"], ["claims", "scores", 0, "value"]]:
        with pytest.raises(ProofFailed):
            examine(forged(changed(document, path, f"{lower.numerator:x}/{lower.denominator:x}")))
    if example(name).tight_alpha < Fraction(3, 4):
        with pytest.raises(ProofFailed, match="privacy|tight_alpha"):
            examine(forged(changed(document, ["alpha"], "3/4")))


@pytest.mark.parametrize("name", ["plain", "fair", "worst case", "uneven", "step"])
def test_multipliers_cannot_be_changed_to_prove_more(name):
    document = document_of(name)
    for k, (kind, *_) in enumerate(document["optimality"]["multipliers"]):
        # more on a row with slack in its reduced costs proves the same; more on a sum, or less than nothing, never does
        by = (
            (lambda y: f"{int(y, 16) * 3 + 1:x}")
            if kind == "sum"
            else (lambda y: f"{-int(y, 16):x}")
        )
        with pytest.raises(ProofFailed):
            examine(forged(changed(document, ["optimality", "multipliers", k, 4], by)))


def test_rows_that_the_problem_has_not_are_refused():
    document = document_of("plain")
    count = len(document["matrix"]["values"])
    wrong = [
        ["cm", 0, 1, 0, "1"],
        ["dp", 0, count, 0, "1"],
        ["dp", 0, 0, 5, "1"],
        ["sum", 99, 0, 0, "1"],
    ]
    wrong += [
        ["dp", 0, count - 1, 0, "1"],
        ["wh", 0, 0, 0, "1"],
        ["input", 0, 0, 0, "1"],
        ["f", 0, 1, 0, "1"],
        7,
    ]
    for row in wrong:
        rows = [*document["optimality"]["multipliers"], row]
        with pytest.raises((ProofFailed, InvalidFile)):
            examine(forged(changed(document, ["optimality", "multipliers"], rows)))


def test_a_bound_over_orbits_needs_prior_and_loss_that_do_not_tell_answers_apart():
    document = document_of("plain")
    weights = {"denominator": "a", "weights": ["1"] * 8 + ["2", "0"]}
    with pytest.raises(ProofFailed, match="tells answers apart"):
        examine(forged(changed(document, ["optimality", "problem", "prior"], weights)))
    table = [["0" if i == j else "1" for j in range(10)] for i in range(10)]
    table[0][1] = "2"
    loss = {"denominator": "1", "rows": table}
    with pytest.raises(ProofFailed, match="tells answers apart"):
        examine(forged(changed(document, ["optimality", "problem", "loss"], loss)))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["domain"], {"histogram": [3, 4], "answers": None}),
        (["domain"], {"histogram": [4, 3], "answers": None}),
        (["domain"], {"histogram": [500, 60], "answers": None}),
        (["domain"], {"histogram": [3, 3], "answers": ["a", "a", "b"]}),
        (["domain"], {"histogram": [3, 3], "answers": ["a", "b"]}),
        (["domain"], {"histogram": [3, 1], "answers": None}),
        (["domain"], {"histogram": [0, 3], "answers": None}),
        (["domain"], {"histogram": [3, True], "answers": None}),
        (["matrix", "classes"], [0, 0]),
        (["matrix", "classes"], [0, 2, 2]),
        (["matrix", "classes"], [0, 1, 1]),
        (["optimality", "classes"], [0, 2, 1]),
        (["version"], 2),
        (["version"], True),
    ],
)
def test_domains_that_are_not_what_the_file_holds(path, value):
    with pytest.raises((InvalidFile, ProofFailed)):
        examine(forged(changed(document_of("plain"), path, value)))


def test_a_larger_step_is_not_what_was_proven():
    document = json.loads(to_bytes(dc.design(n=6, step=2, alpha="1/2", cache=False)))
    with pytest.raises(ProofFailed, match="privacy"):
        examine(forged(changed(document, ["domain", "step"], 3)))
    with pytest.raises(InvalidFile):
        examine(forged(changed(document_of("step"), ["domain", "step"], 1)))


def test_a_theorem_is_believed_only_where_the_multipliers_prove_it():
    document = changed(document_of("two answers"), ["optimality"], None)
    made = from_bytes(forged(changed(document, ["origin", "theorem"], "because I say so")))
    assert made.origin.theorem == ""
    assert not made.origin.optimal
