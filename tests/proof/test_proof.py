"""The verifier: it accepts what is true, names what is not, and refuses hostile files at once."""

from __future__ import annotations

import ast
import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.amounts import tries
from tests.proof.proof_files import (
    changed,
    document_of,
    examples,
    lower_bound,
    numbers,
    problem,
    resealed,
    written_out,
)
from tests.strategies import mechanisms

import discreet as dc
from discreet import proof
from discreet.core.certificate import Certificate
from discreet.core.domains import Counts
from discreet.core.properties import PROPERTIES, check_dense, closure, comparisons, read_shape
from discreet.errors import InvalidFile, ProofFailed
from discreet.proof import checks, reading
from discreet.proof.files import to_bytes

EXAMPLES = examples()
SMALL = [
    "geometric",
    "fair",
    "worst-case",
    "weakly-honest",
    "within-a-bound",
    "relabelled",
    "lopsided",
    "unproven",
]
SOURCE = Path(proof.__file__).parents[2]


@pytest.fixture(params=EXAMPLES)
def mechanism(request):
    return EXAMPLES[request.param]


# --- what is true is accepted ---------------------------------------------------------------------------------


def test_a_saved_mechanism_is_verified(mechanism):
    report, _ = proof.examine(to_bytes(mechanism))
    assert (report.n, report.alpha, report.epsilon, report.id) == (
        mechanism.n,
        mechanism.alpha,
        mechanism.epsilon,
        mechanism.id,
    )


def test_the_report_says_what_was_proven():
    said = {name: proof.examine(to_bytes(m))[0].optimal for name, m in EXAMPLES.items()}
    proven = {
        "geometric",
        "fair",
        "worst-case",
        "weakly-honest",
        "relabelled",
        "lopsided",
        "by-theorem",
    }
    assert {name for name, optimal in said.items() if optimal} == proven
    assert said["within-a-bound"] is False
    assert said["unproven"] is None


def test_the_report_fits_a_terminal_and_names_each_claim(mechanism):
    text = str(proof.examine(to_bytes(mechanism))[0])
    assert max(map(len, text.splitlines())) <= 80
    assert text.replace("\n", "").isprintable()
    for name in document_of(mechanism)["claims"]["properties"]:
        assert f" {name}" in text


def test_a_document_written_by_hand_is_verified():
    """Randomized response for one person at alpha 1/2, from the specification alone."""
    document = {
        "format": "discreet-mechanism",
        "version": 1,
        "n": 1,
        "alpha": "1/2",
        "epsilon": "7/a",
        "matrix": {"form": "dense", "denominator": "3", "rows": [["2", "1"], ["1", "2"]]},
        "claims": {
            "properties": ["RH", "RM", "CH", "CM", "WH", "F", "S"],
            "output_dp": "1/2",
            "tight_alpha": "1/2",
            "scores": [
                {"loss": {"tail": 0}, "prior": "uniform", "worst_case": False, "value": "2/3"}
            ],
        },
        "origin": {"method": "by hand", "theorem": ""},
        "optimality": {
            "problem": {
                "properties": [],
                "output_dp": None,
                "loss": {"power": 1},
                "prior": {"denominator": "2", "weights": ["1", "1"]},
                "worst_case": False,
            },
            "cost": "1/3",
            "bound": "1/3",
            "denominator": "6",
            "multipliers": [
                ["sum", 0, 0, 0, "1"],
                ["sum", 1, 0, 0, "1"],
                ["dp", 0, 1, 0, "2"],
                ["dp", 1, 0, 1, "2"],
            ],
        },
    }
    report, _ = proof.examine(resealed(document | {"id": "", "seal": ""}))
    assert report.optimal
    # ln 2 = 0.693147...: an epsilon of 0.69 would charge less than the mechanism costs
    with pytest.raises(ProofFailed, match="epsilon"):
        proof.examine(resealed(document | {"epsilon": "45/64", "id": "", "seal": ""}))


def test_the_seal_is_the_digest_of_the_sorted_fields(mechanism):
    document = document_of(mechanism)
    seal = document.pop("seal")
    body = json.dumps(document, sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(body.encode()).hexdigest() == seal


@pytest.mark.parametrize("alpha", ["1/1000", "1/3", "1/2", "10/11", "99/100", "9999/10000"])
def test_the_fair_mechanism_costs_less_than_one_and_one_nth_of_the_optimum(alpha):
    """The theorem that is believed for large n, over the sizes where the matrix can be written out."""
    for n in range(2, 41):
        assert dc.fair(n=n, alpha=alpha).score("L0") < Fraction(n + 1, n) * dc.geometric(
            n=n, alpha=alpha
        ).score("L0")


@pytest.mark.parametrize("alpha", ["1/3", "1/2", "501/1000", "10/11", "99/100"])
def test_what_theorems_say_of_large_closed_forms_holds_for_those_that_are_written_out(alpha):
    for build in (dc.geometric, dc.fair, dc.weakly_honest):
        for n in range(2, 24):
            m = build(n=n, alpha=alpha)
            form = reading.read_form(document_of(m)["matrix"], n)
            large = replace(form, rows=None)
            for name in PROPERTIES:
                try:
                    checks.check_shape(large, {name}, None)
                except ProofFailed:
                    continue
                checks.check_shape(form, {name}, None)
            checks.check_privacy(large, m.alpha, m.epsilon, m.tight_alpha)
            checks.check_privacy(form, m.alpha, m.epsilon, m.tight_alpha)


# --- what is changed is found ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXAMPLES)
def test_changing_any_single_number_of_a_file_makes_verification_fail(name):
    document = document_of(EXAMPLES[name])
    places = list(numbers(document))
    assert len(places) > 5
    for path, part in places:
        for by in (1, -1, 16):
            forged = changed(document, path, part, by)
            assert forged != document
            with pytest.raises((ProofFailed, InvalidFile)):
                proof.examine(json.dumps(forged).encode())


@pytest.mark.parametrize("name", SMALL)
def test_a_false_number_fails_even_with_a_new_seal_and_id(name):
    """Entries, scores, the tight alpha, the cost and the bound: the mathematics alone finds each of them."""
    document = document_of(EXAMPLES[name])
    for path, part in numbers(document):
        if path[:2] == ("matrix", "rows") or path[-1] in ("value", "tight_alpha", "cost", "bound"):
            for by in (1, -1):
                with pytest.raises((ProofFailed, InvalidFile)):
                    proof.examine(resealed(changed(document, path, part, by)))


@pytest.mark.parametrize("name", [name for name in SMALL if name != "unproven"])
def test_a_multiplier_changed_on_a_row_of_positive_entries_fails_even_with_a_new_seal(name):
    m = EXAMPLES[name]
    document = written_out(m)
    assert proof.examine(resealed(document))[0].optimal is m.origin.certificate.optimal
    rows = document["optimality"]["multipliers"]
    tried = 0
    for index, (kind, a, b, c, _) in enumerate(rows):
        cells = reading_cells(kind, a, b, c, m.n)
        if all(m[cell] for cell in cells):
            tried += 1
            for by in (1, -1):
                forged = changed(document, ("optimality", "multipliers", index, 4), 0, by)
                with pytest.raises(ProofFailed):
                    proof.examine(resealed(forged))
    assert tried >= 3


def reading_cells(kind, a, b, c, n):
    if kind in ("sum", "input"):
        return [(i, a) for i in range(n + 1)]
    if kind == "wh":
        return [(a, a)]
    i, j, k, m = checks.cells(kind, a, b, c, n)
    return [(i, j), (k, m)]


def test_multipliers_of_the_wrong_sign_or_of_rows_that_were_not_asked_for_are_refused():
    document = written_out(EXAMPLES["geometric"])
    rows = document["optimality"]["multipliers"]
    for row in (
        ["dp", 0, 1, 0, "-1"],
        ["wh", 1, 0, 0, "1"],
        ["cm", 1, 0, 1, "1"],
        ["input", 1, 0, 0, "1"],
        ["odp", 1, 0, 1, "1"],
        ["f", 0, 0, 0, "1"],
    ):
        document["optimality"]["multipliers"] = [*rows, row]
        with pytest.raises(ProofFailed, match="row that the problem does not have"):
            proof.examine(resealed(document))
    for row in (
        ["dp", 0, 2, 0, "1"],
        ["rm", 1, 2, 1, "1"],
        ["sum", 0, 1, 0, "1"],
        ["s", 1, 1, 1, "1"],
    ):
        document["optimality"]["multipliers"] = [*rows, row]
        with pytest.raises(InvalidFile):
            proof.examine(resealed(document))
    for row in (
        ["dp", 0, 4, 3, "1"],
        ["dp", 0, -1, 0, "1"],
        ["sum", 0, 0, "1"],
        "sum",
        ["sum", 0, 0, 0, 1],
    ):
        document["optimality"]["multipliers"] = [*rows, row]
        with pytest.raises(InvalidFile):
            proof.examine(resealed(document))


def test_rows_of_implied_properties_may_be_used():
    """RM was asked for, so RH rows are rows of the problem; CM would bring CH and WH."""
    document = written_out(EXAMPLES["geometric"])
    document["optimality"]["multipliers"].append(["rh", 0, 1, 0, "0"])
    assert proof.examine(resealed(document))[0].optimal


def test_a_problem_may_only_ask_for_properties_that_were_verified():
    document = document_of(EXAMPLES["geometric"])
    document["optimality"]["problem"]["properties"] = ["S", "CM"]
    with pytest.raises(ProofFailed, match="does not claim"):
        proof.examine(resealed(document))
    document = document_of(EXAMPLES["fair"])
    document["optimality"]["problem"]["output_dp"] = "4/5"
    with pytest.raises(ProofFailed, match="does not claim"):
        proof.examine(resealed(document))


@pytest.mark.parametrize(
    ("theorem", "asked"),
    [
        ("geometric", problem(8, "3/4", "S")),
        ("fair", problem(8, "3/4", "S")),
        ("weakly-honest", problem(8, "3/4", "S WH")),
        ("fair", problem(8, "3/4", "F", loss="L1")),
        ("fair", problem(8, "3/4", "", prior="Binomial(0.3)", worst_case=True)),
        ("fair within 1+1/n", problem(8, "3/4", "S", prior="Binomial(0.3)")),
        ("fair within 1+1/n", problem(8, "3/4", "S", worst_case=True)),
    ],
)
def test_a_theorem_is_believed_only_under_its_conditions(theorem, asked):
    from tests.proof.proof_files import with_proof

    document = document_of(with_proof(dc.fair(n=8, alpha="3/4"), problem(8, "3/4", "F")))
    assert document["optimality"]["theorem"] == "fair"
    assert proof.examine(resealed(document))[0].optimal
    told = document_of(with_proof(dc.fair(n=8, alpha="3/4"), asked))
    claim = told["optimality"] or {}
    document["optimality"] = {
        "problem": claim.get("problem")
        or document["optimality"]["problem"]
        | {
            "properties": sorted(asked.shape.names),
            "loss": {"power": 1} if asked.loss.name == "L1" else {"tail": 0},
            "prior": "uniform" if asked.prior.uniform else {"binomial": "3/a"},
            "worst_case": asked.worst_case,
        },
        "theorem": theorem,
    }
    with pytest.raises(ProofFailed, match="conditions"):
        proof.examine(resealed(document))


def test_an_alpha_that_the_matrix_does_not_keep_is_refused():
    for name in ("unproven", "by-theorem", "geometric"):
        document = document_of(EXAMPLES[name])
        stronger = document | {"alpha": "63/64", "epsilon": "1/1", "optimality": None}
        with pytest.raises(ProofFailed):
            proof.examine(resealed(stronger))
        stronger["claims"] = stronger["claims"] | {
            "tight_alpha": None,
            "properties": [],
            "scores": [],
        }
        with pytest.raises(ProofFailed, match="privacy"):
            proof.examine(resealed(stronger))


def test_a_row_of_zeros_attains_no_ratio():
    """Always answering 0 is 1-private: a file that calls 1/2 tight is wrong, though 0 = 1/2 * 0 in its other row."""
    document = document_of(EXAMPLES["unproven"]) | {"n": 1, "alpha": "1/2", "epsilon": "1/1"}
    document["matrix"] = {"form": "dense", "denominator": "1", "rows": [["1", "1"], ["0", "0"]]}
    document["claims"] = {"properties": [], "output_dp": None, "tight_alpha": "1/1", "scores": []}
    proof.examine(resealed(document))
    document["claims"]["tight_alpha"] = "1/2"
    with pytest.raises(ProofFailed, match="tight_alpha"):
        proof.examine(resealed(document))


def test_a_theorem_is_about_the_alpha_of_the_file():
    """EM for 3/4 is 1/2-private too, but other mechanisms for 1/2 cost less."""
    document = document_of(EXAMPLES["by-theorem"])
    claims = document["claims"]
    assert proof.examine(resealed(document | {"claims": claims | {"tight_alpha": None}}))[0].optimal
    with pytest.raises(ProofFailed, match="conditions"):
        proof.examine(resealed(document | {"alpha": "1/2", "epsilon": "1/1"}))


def test_a_prior_must_sum_to_one_and_an_id_must_be_the_files_own():
    document = document_of(EXAMPLES["lopsided"])
    document["optimality"]["problem"]["prior"]["denominator"] = "7"
    with pytest.raises(ProofFailed, match="sum to 1"):
        proof.examine(resealed(document))
    document = document_of(EXAMPLES["lopsided"]) | {"id": document_of(EXAMPLES["fair"])["id"]}
    with pytest.raises(ProofFailed, match="content id"):
        proof.examine(json.dumps(document | {"seal": proof.sealed(document)}).encode())


def test_the_weakly_honest_form_exists_only_below_its_threshold():
    claims = {"properties": [], "output_dp": None, "tight_alpha": None, "scores": []}
    for alpha, n, exists in (
        ("2/3", 3, True),
        ("2/3", 4, False),
        ("1/2", 2, False),
        ("1/2", 3, False),
    ):
        document = document_of(EXAMPLES["unproven"]) | {
            "n": n,
            "alpha": alpha,
            "epsilon": "1/1",
            "claims": claims,
        }
        document["matrix"] = {"form": "weakly-honest", "alpha": alpha}
        if exists:
            proof.examine(resealed(document))
        else:
            with pytest.raises(InvalidFile, match="not a weakly-honest mechanism"):
                proof.examine(resealed(document))


# --- the second writing agrees with the first -------------------------------------------------------------------


@given(mechanisms(), st.data())
@settings(max_examples=tries(40), deadline=None)
def test_the_verifier_and_the_library_agree_on_every_property(m, data):
    document = document_of(m)
    assert document["claims"]["properties"] == [
        name for name in PROPERTIES if name in m.shape.names
    ]
    proof.examine(resealed(document))
    claims = document["claims"]
    for name in PROPERTIES:
        if name not in m.shape.names:
            false = document | {"claims": claims | {"properties": [name]}}
            with pytest.raises(ProofFailed, match=f"{name} does not hold"):
                proof.examine(resealed(false))
    ratio = data.draw(st.fractions(Fraction(1, 20), 1, max_denominator=20))
    odp = document | {
        "claims": claims | {"output_dp": f"{ratio.numerator:x}/{ratio.denominator:x}"}
    }
    if check_dense(m.form.dense(), "ODP", ratio).holds:
        proof.examine(resealed(odp))
    else:
        with pytest.raises(ProofFailed, match="ODP does not hold"):
            proof.examine(resealed(odp))


@given(st.integers(0, 7), st.sampled_from(["RH", "RM", "CH", "CM", "F", "S", "ODP"]))
@settings(deadline=None)
def test_both_writings_compare_the_same_entries(n, name):
    mine = {((i, j), (k, m)) for i, j, k, m in checks.rows_of(name.lower(), n) if (i, j) != (k, m)}
    if name == "F":
        mine |= {(right, left) for left, right in mine}
    theirs = set(comparisons(name, Counts(n)))
    assert mine == theirs


@given(st.sets(st.sampled_from(sorted(PROPERTIES))))
@settings(deadline=None)
def test_both_writings_know_the_same_implications(names):
    found = set(names)
    for _ in checks.IMPLIED:
        found |= {then for given, then in checks.IMPLIED if given <= found}
    assert found == closure(read_shape(sorted(names))).names


@given(
    mechanisms(),
    st.sampled_from(["L0", "L0,1", "L0,2", "L1", "L2", 0, 3]),
    st.sampled_from([None, "Binomial(0.3)", "Binomial(2/3)"]),
    st.booleans(),
)
@settings(max_examples=tries(40), deadline=None)
def test_the_verifier_and_the_library_agree_on_every_score(m, loss, prior, worst_case):
    from discreet.core.losses import read_loss, read_prior
    from discreet.proof.files import _loss, _prior

    value = m.score(loss, prior, worst_case=worst_case)
    spec = {
        "loss": _loss(read_loss(loss, m.n)),
        "prior": _prior(read_prior(prior, m.n)),
        "worst_case": worst_case,
        "value": f"{value.numerator:x}/{value.denominator:x}",
    }
    form = reading.read_form(document_of(m)["matrix"], m.n)
    checks.check_score(form, *spec.values())
    wrong = value + Fraction(1, 10**9)
    with pytest.raises(ProofFailed, match="scores"):
        checks.check_score(
            form, *(spec | {"value": f"{wrong.numerator:x}/{wrong.denominator:x}"}).values()
        )


@given(st.integers(1, 12), st.sampled_from(["1/3", "2/3", "10/11", "99/100"]))
@settings(deadline=None)
def test_closed_forms_are_written_out_as_the_library_builds_them(n, alpha):
    for build in (dc.geometric, dc.fair, dc.weakly_honest, lambda n, alpha: dc.uniform(n=n)):
        m = build(n=n, alpha=alpha)
        form = reading.read_form(document_of(m)["matrix"], n)
        assert all(
            Fraction(x, form.denominator) == m[i, j]
            for i, row in enumerate(form.rows)
            for j, x in enumerate(row)
        )


ROWS = st.lists(
    st.tuples(
        st.sampled_from(["sum", "dp", "odp", "rm", "cm", "rh", "ch", "wh", "f", "s", "input"]),
        st.integers(0, 3),
        st.integers(0, 3),
        st.integers(0, 3),
        st.integers(-5, 9),
    ),
    max_size=30,
)


@given(
    ROWS,
    st.booleans(),
    st.sampled_from(["1/2", "10/11"]),
    st.sampled_from([{"tail": 0}, {"power": 1}]),
)
@settings(max_examples=tries(150), deadline=None)
def test_no_multipliers_whatever_give_a_bound_above_the_cost_of_a_mechanism(
    rows, worst, alpha, loss
):
    """Weak duality: EM has every property, so no bound may exceed its cost; and the bound is what the table says."""
    n, a = 3, Fraction(alpha)
    multipliers = []
    for kind, x, y, z, numerator in rows:
        y, z = (0, 0) if kind in ("sum", "wh", "input") else (y, z)
        valid = kind in ("sum", "wh", "input") or checks.cells(kind, x, y, z, n)
        if valid and (kind != "input" or worst):
            multipliers.append(
                [kind, x, y, z, f"{numerator if kind in checks.EQUATIONS else abs(numerator):x}"]
            )
    total = sum(int(y, 16) for kind, *_, y in multipliers if kind == "input")
    scale = max(total, 1)
    if worst and total == 0:
        multipliers.append(["input", 0, 0, 0, "1"])
    rows = tuple((*row, int(y, 16)) for *row, y in multipliers)
    numerator, denominator = checks._bound(
        n, a, (set(PROPERTIES), a), (loss, "uniform", worst), scale, rows
    )
    bound = Fraction(numerator, denominator)
    assert bound <= dc.fair(n=n, alpha=a).score(1 if "power" in loss else "L0", worst_case=worst)
    asked = problem(n, a, [*PROPERTIES, f"ODP:{a}"], 1 if "power" in loss else "L0", None, worst)
    assert bound == lower_bound(
        asked, Certificate(cost=bound, bound=bound, denominator=scale, rows=rows)
    )


# --- hostile files ----------------------------------------------------------------------------------------------


def _with(**fields):
    return resealed(document_of(EXAMPLES["unproven"]) | fields)


def _unsealed(**fields):
    return json.dumps(document_of(EXAMPLES["unproven"]) | fields).encode()


def _text(old: str, new: str, name: str = "unproven") -> bytes:
    text = to_bytes(EXAMPLES[name]).decode()
    assert old in text
    return text.replace(old, new, 1).encode()


def _closed(kind: str, alpha: str, n: int) -> bytes:
    claims = {"properties": [], "output_dp": None, "tight_alpha": None, "scores": []}
    return _with(n=n, matrix={"form": kind, "alpha": alpha}, claims=claims)


def _binomial_bomb() -> bytes:
    document = document_of(EXAMPLES["by-theorem"])
    document["optimality"]["problem"]["prior"] = {"binomial": "1/3"}
    assert proof.examine(resealed(document | {"n": 30_000}))[
        0
    ].optimal  # a theorem for every prior needs no weights
    document["optimality"]["problem"]["prior"] = {"binomial": "4/3"}
    return resealed(document | {"n": 30_000})


def _work_bomb() -> bytes:
    """Within the limits of bytes and digits, but long numbers would meet long numbers in every cell."""
    n, long = 400, "f" * reading.MAX_DIGITS
    score = {
        "loss": {"denominator": "1", "rows": [[long] * (n + 1)] + [["0"] * (n + 1)] * n},
        "prior": "uniform",
        "worst_case": False,
        "value": f"{long[:-1]}e/1",
    }
    claims = {"properties": [], "output_dp": None, "tight_alpha": None, "scores": [score] * 3}
    rows = [[long[:-1] + "e"] * (n + 1), ["1"] * (n + 1), *[["0"] * (n + 1)] * (n - 1)]
    matrix = {"form": "dense", "denominator": long, "rows": rows}
    return _with(n=n, matrix=matrix, claims=claims)


def _theorem(**fields) -> bytes:
    document = document_of(EXAMPLES["by-theorem"])
    return resealed(document | {"optimality": document["optimality"] | fields})


def _long_chance() -> bytes:
    document = document_of(EXAMPLES["unproven"])
    score = {
        "loss": {"tail": 0},
        "prior": {"binomial": "1/" + "f" * 5000},
        "worst_case": False,
        "value": "1/1",
    }
    return resealed(document | {"claims": document["claims"] | {"scores": [score]}})


HOSTILE = {
    "empty": lambda: b"",
    "not JSON": lambda: b"\x89PNG\r\n\x1a\n",
    "not UTF-8": lambda: b'{"format": "\xff\xfe"}',
    "UTF-16": lambda: to_bytes(EXAMPLES["unproven"]).decode().encode("utf-16"),
    "byte order mark": lambda: b"\xef\xbb\xbf" + to_bytes(EXAMPLES["unproven"]),
    "cut short": lambda: to_bytes(EXAMPLES["relabelled"])[:-200],
    "something after it": lambda: to_bytes(EXAMPLES["unproven"]) + b"{}",
    "a list": lambda: b"[]",
    "null": lambda: b"null",
    "a number": lambda: b"1",
    "another format": lambda: _unsealed(format="discreet-manifest"),
    "a later version": lambda: _unsealed(version=2),
    "version true": lambda: _unsealed(version=True),
    "a field too many": lambda: _unsealed(more=1),
    "a field too few": lambda: b'{"format": "discreet-mechanism", "version": 1}',
    "a field twice": lambda: _text('"n": 2', '"n": 2, "n": 2'),
    "an inner field twice": lambda: _text('"form":', '"form": "uniform", "form":'),
    "NaN": lambda: _text('"n": 2', '"n": NaN'),
    "Infinity": lambda: _text('"n": 2', '"n": -Infinity'),
    "a float": lambda: _text('"n": 2', '"n": 2.0'),
    "an exponent": lambda: _text('"n": 2', '"n": 2e0'),
    "n = 10^9": lambda: _with(n=10**8 * 9),
    "n = 10^400": lambda: _text('"n": 2', '"n": 1' + "0" * 400),
    "n of 5 million digits": lambda: _text('"n": 2', '"n": ' + "9" * 5_000_000),
    "n negative": lambda: _with(n=-1),
    "n true": lambda: _with(n=True),
    "n text": lambda: _with(n="2"),
    "n wrong": lambda: _with(n=3),
    "dense beyond its n": lambda: _with(n=100_000),
    "deep lists": lambda: b"[" * 10_000_000,
    "deep objects": lambda: b'{"a":' * 2_000_000,
    "deep within": lambda: _text('"claims": {', '"claims": ' + "[" * 100_000 + "{"),
    "as deep as the parser allows": lambda: _text(
        '"epsilon": "1/2"', '"epsilon": ' + "[" * 900 + "]" * 900
    ),
    "too many values": lambda: b"[" + b"0," * 4_000_000 + b"0]",
    "too many bytes": lambda: b'"' + b"0" * (reading.MAX_BYTES + 1) + b'"',
    "alpha 0": lambda: _with(alpha="0/1"),
    "alpha above 1": lambda: _with(alpha="3/2"),
    "alpha not in lowest terms": lambda: _with(alpha="2/4"),
    "alpha over 0": lambda: _with(alpha="1/0"),
    "alpha negative": lambda: _with(alpha="-1/2"),
    "alpha decimal": lambda: _with(alpha="0.5"),
    "alpha a number": lambda: _with(alpha=1),
    "alpha with spaces": lambda: _with(alpha=" 1/2"),
    "alpha with underscores": lambda: _with(alpha="1/1_0"),
    "alpha upper case": lambda: _with(alpha="A/B"),
    "alpha prefixed": lambda: _with(alpha="0x1/0x2"),
    "alpha in other digits": lambda: _with(alpha="١/٢"),
    "alpha of 5 million digits": lambda: _with(alpha="1/" + "f" * 5_000_000),
    "alpha too long to be shown": lambda: _with(alpha="1/" + "f" * 5000),
    "a chance too long to be shown": _long_chance,
    "epsilon huge": lambda: _with(epsilon="f" * 3000 + "/1"),
    "epsilon too small": lambda: _with(epsilon="1/fff"),
    "epsilon null": lambda: _with(epsilon=None),
    "matrix null": lambda: _with(matrix={"form": None}),
    "matrix of another form": lambda: _with(matrix={"form": "staircase", "alpha": "1/2"}),
    "form a list": lambda: _unsealed(matrix={"form": ["dense"]}),
    "matrix ragged": lambda: _with(
        matrix={"form": "dense", "denominator": "2", "rows": [["1", "1"], ["1"], []]}
    ),
    "matrix of numbers": lambda: _unsealed(
        matrix={"form": "dense", "denominator": "1", "rows": [[1] * 3] * 3}
    ),
    "matrix not in lowest terms": lambda: _with(
        matrix={"form": "dense", "denominator": "6", "rows": [["2"] * 3] * 3}
    ),
    "matrix over 0": lambda: _with(
        matrix={"form": "dense", "denominator": "0", "rows": [["0"] * 3] * 3}
    ),
    "matrix negative": lambda: _with(
        matrix={"form": "dense", "denominator": "1", "rows": [["3"] * 3, ["-1"] * 3, ["-1"] * 3]}
    ),
    "geometric alpha 1": lambda: _closed("geometric", "1/1", 4),
    "geometric n 0": lambda: _closed("geometric", "1/2", 0),
    "weakly honest where it is not": lambda: _closed("weakly-honest", "1/2", 50),
    "fair with a long alpha": lambda: _closed("fair", "1/" + "f" * 3000, 512),
    "geometric, n a million": lambda: _closed("geometric", "1/3", 10**6),
    "properties unknown": lambda: _with(
        claims=document_of(EXAMPLES["unproven"])["claims"] | {"properties": ["QQ"]}
    ),
    "properties nested": lambda: _with(
        claims=document_of(EXAMPLES["unproven"])["claims"] | {"properties": [["S"]]}
    ),
    "properties many": lambda: _with(
        claims=document_of(EXAMPLES["unproven"])["claims"] | {"properties": ["S"] * 99}
    ),
    "scores many": lambda: _with(
        claims=document_of(EXAMPLES["unproven"])["claims"]
        | {"scores": document_of(EXAMPLES["unproven"])["claims"]["scores"] * 9}
    ),
    "output DP above 1": lambda: _with(
        claims=document_of(EXAMPLES["unproven"])["claims"] | {"output_dp": "3/2"}
    ),
    "direction characters": lambda: _with(origin={"method": "safe \u202e gnihton", "theorem": ""}),
    "terminal escapes": lambda: _with(origin={"method": "\x1b[2J\x1b[1;1H ok", "theorem": ""}),
    "line breaks": lambda: _with(origin={"method": "x\n  ok  everything", "theorem": ""}),
    "half a character": lambda: _with(origin={"method": "\ud800", "theorem": ""}),
    "a long text": lambda: _with(origin={"method": "x" * 100_000, "theorem": ""}),
    "text null": lambda: _with(origin={"method": None, "theorem": ""}),
    "optimality text": lambda: _with(optimality="proven"),
    "optimality empty": lambda: _with(optimality={}),
    "a theorem unknown": lambda: _theorem(theorem="Fermat"),
    "a theorem a list": lambda: _theorem(theorem=[]),
    "a theorem and a bound": lambda: _theorem(bound="0/1"),
    "id null": lambda: json.dumps(document_of(EXAMPLES["unproven"]) | {"id": None}).encode(),
    "seal null": lambda: _unsealed(seal=None),
    "seal a list": lambda: _unsealed(seal=[]),
    "a prior of 30,000 binomials": _binomial_bomb,
    "much work": _work_bomb,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_gets_an_error_in_bounded_memory(name):
    data = HOSTILE[name]()
    with pytest.raises((InvalidFile, ProofFailed)) as raised:
        proof.examine(data)
    message = str(raised.value)
    assert len(message) < 400
    assert message.isprintable()
    assert message.isascii()


@pytest.mark.parametrize(
    "name", ["too many values", "deep lists", "n of 5 million digits", "alpha of 5 million digits"]
)
def test_a_hostile_file_takes_little_memory_beyond_its_own_size(name):
    data = HOSTILE[name]()
    tracemalloc.start()
    try:
        with pytest.raises((InvalidFile, ProofFailed)):
            proof.examine(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 4 * len(data) + (32 << 20)


@given(st.binary(max_size=200))
@settings(deadline=None)
def test_random_bytes_are_refused(data):
    with pytest.raises(InvalidFile):
        proof.examine(data)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda x: st.lists(x, max_size=3),
    )
)
@settings(deadline=None)
def test_any_json_value_in_any_field_is_refused_or_verified_never_a_crash(value):
    document, value = document_of(EXAMPLES["relabelled"]), json.loads(json.dumps(value))
    for field in ("n", "alpha", "epsilon", "matrix", "claims", "origin", "optimality"):
        forged = document | {field: value}
        try:
            proof.examine(json.dumps(forged | {"seal": proof.sealed(forged)}).encode())
        except (InvalidFile, ProofFailed):
            pass
        else:
            assert field == "optimality"
            assert value is None


@given(st.data())
@settings(max_examples=tries(150), deadline=None)
def test_any_json_value_deep_inside_is_refused_or_verified_never_a_crash(data):
    document = document_of(EXAMPLES[data.draw(st.sampled_from(["fair", "lopsided", "by-theorem"]))])
    place, key = document, data.draw(st.sampled_from(["matrix", "claims", "optimality"]))
    while isinstance(place[key], (dict, list)) and place[key] and data.draw(st.integers(0, 3)):
        place = place[key]
        key = data.draw(
            st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place)))
        )
    strange = [
        "",
        "-",
        "/",
        "1/",
        "-0",
        "00",
        "dense",
        "sum",
        0,
        -1,
        10**8,
        None,
        True,
        [],
        {},
        ["1"],
        {"tail": 0},
    ]
    place[key] = data.draw(st.sampled_from(strange))
    document["seal"] = proof.sealed(document)
    with contextlib.suppress(InvalidFile, ProofFailed):
        proof.examine(json.dumps(document).encode())


def test_what_is_not_a_regular_file_is_refused_without_waiting(tmp_path):
    with pytest.raises(InvalidFile, match="cannot be read"):
        proof.verify(tmp_path / "missing.json")
    with pytest.raises(InvalidFile):
        proof.verify(tmp_path)
    with pytest.raises(InvalidFile):
        proof.verify("/dev/zero" if Path("/dev/zero").exists() else tmp_path)
    with pytest.raises(InvalidFile):
        proof.verify("a\0b")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(InvalidFile, match="regular"):
            proof.verify(tmp_path / "pipe")


# --- it stands alone --------------------------------------------------------------------------------------------


WRITERS = ("by_place", "files", "kept", "loading", "domain_files", "impossibility")
VERIFIER = [
    path for path in (SOURCE / "discreet" / "proof").rglob("*.py") if path.stem not in WRITERS
]
"""What `python -m discreet.proof` runs; the others make proofs of mechanisms and back: the library's."""


def test_the_verifier_imports_the_standard_library_only():
    assert {path.stem for path in VERIFIER} == {
        "__init__",
        "__main__",
        "reading",
        "checks",
        "container",
        "by_theorem",
        "families",
        "moved_ends",
        "spaces",
        "domain_checks",
        "row_checks",
        "impossible_checks",
        "derivation_checks",
        "regret_checks",
    }
    parts = [path.relative_to(SOURCE).with_suffix("").parts for path in VERIFIER]
    own = {".".join(each[:-1] if each[-1] == "__init__" else each) for each in parts}
    for path in VERIFIER:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0
                names = [node.module or ""]
            for name in names:
                allowed = name == "discreet.errors" or name in own
                assert allowed or name.split(".")[0] in sys.stdlib_module_names, (
                    f"{path.name} imports {name}"
                )


def run(*paths, code=None, source=SOURCE):
    """Run the verifier as a user without any package would: no site-packages, no user folder."""
    command = [
        sys.executable,
        "-S",
        "-s",
        *(["-c", code] if code else ["-m", "discreet.proof"]),
        *map(str, paths),
    ]
    environment = {
        "PYTHONPATH": str(source),
        "PYTHONIOENCODING": "ascii",
        "PATH": os.environ.get("PATH", ""),
    }
    return subprocess.run(
        command, capture_output=True, text=True, env=environment, timeout=300, check=False
    )


@pytest.mark.smoke
def test_it_runs_where_no_dependency_is_installed(tmp_path):
    good, bad, broken = tmp_path / "good.json", tmp_path / "bad.json", tmp_path / "broken.json"
    document = document_of(EXAMPLES["relabelled"])
    good.write_bytes(resealed(document | {"origin": {"method": "lös\u0301ung 解", "theorem": ""}}))
    bad.write_bytes(_text('"n": 2', '"n": 3'))
    broken.write_bytes(b"[" * 100_000)
    # alone: an installed discreet lies beside its dependencies; another process may be compiling it meanwhile
    compiled = shutil.ignore_patterns("__pycache__")
    shutil.copytree(SOURCE / "discreet", tmp_path / "alone" / "discreet", ignore=compiled)
    assert run(code="import numpy", source=tmp_path / "alone").returncode != 0
    assert run(good, source=tmp_path / "alone").returncode == 0
    done = run(good)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Verified: every claim of the file holds." in done.stdout
    for path, code, word in (
        (bad, 1, "FAILED"),
        (broken, 2, "INVALID"),
        (tmp_path / "none", 2, "INVALID"),
    ):
        done = run(path)
        assert (done.returncode, done.stdout) == (code, "")
        assert done.stderr.startswith(word)
        assert "Traceback" not in done.stderr
    assert run(good, bad, broken).returncode == 2
    assert run().returncode == 2


@pytest.mark.slow
def test_a_large_proof_is_verified():
    """n = 100, a dense matrix of long entries, ten thousand multipliers of up to 8,000 bits."""
    from tests.proof.proof_files import relabelled

    alpha = dc.geometric(n=1, epsilon=0.1).alpha
    m = relabelled(problem(100, alpha, loss="L1"))
    data = to_bytes(m)
    report, document = proof.examine(data)
    assert report.optimal
    assert sum(map(len, document["optimality"]["multipliers"].values())) > 4 * 5_000


def test_an_error_names_the_file_it_is_about(tmp_path):
    import discreet as dc

    (tmp_path / "broken.json").write_text("{")
    m = dc.fair(n=2, alpha="1/2")
    m.save(tmp_path / "edited.json")
    text = (tmp_path / "edited.json").read_text()
    (tmp_path / "edited.json").write_text(text.replace('"n": 2', '"n": 3'))
    for name in ("nope.json", "broken.json", "edited.json"):
        for read in (dc.verify, dc.load):
            with pytest.raises((InvalidFile, ProofFailed), match=name):
                read(tmp_path / name)
    with pytest.raises(InvalidFile, match=r"folder of a release.*read_release"):
        dc.verify(tmp_path)
