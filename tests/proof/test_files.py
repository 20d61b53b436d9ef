"""Saving and loading: what was saved comes back, whole or not at all, and kept files stay readable."""

from __future__ import annotations

import ast
import json
import os
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.amounts import tries
from tests.proof.proof_files import (
    changed,
    document_of,
    examples,
    numbers,
    problem,
    relabelled,
    resealed,
)
from tests.source import SOURCE, trees
from tests.strategies import mechanisms

import discreet as dc
from discreet.errors import DiscreetError, InvalidFile, InvalidInput, ProofFailed
from discreet.proof.files import to_bytes, whole_file, write_whole
from discreet.proof.loading import from_bytes

EXAMPLES = examples()
FIXTURES = sorted((Path(__file__).parent.parent / "fixtures").glob("mechanism-*.json"))


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_was_saved_comes_back(name, tmp_path):
    m = EXAMPLES[name]
    m.save(tmp_path / "m.json")
    back = dc.load(tmp_path / "m.json")
    assert back == m
    assert back.id == m.id
    assert back.privacy == m.privacy
    proof = m.origin.proof if "multipliers" in (document_of(m)["optimality"] or ()) else None
    assert back.origin == replace(m.origin, proof=proof)  # a theorem is named, not written out
    assert back.origin.optimal == m.origin.optimal
    assert to_bytes(back) == to_bytes(m)
    assert dc.verify(tmp_path / "m.json").id == m.id


@given(mechanisms())
@settings(max_examples=tries(40), deadline=None)
def test_every_mechanism_comes_back(m):
    assert from_bytes(to_bytes(m)) == m


@pytest.mark.parametrize("build", [dc.geometric, dc.fair, dc.weakly_honest])
@pytest.mark.parametrize("n", [0, 1, 2, 513, 1000, 100_000])
def test_closed_forms_of_any_size_are_saved_by_their_parameters(build, n, tmp_path):
    m = build(n=n, epsilon=0.01)
    m.save(tmp_path / "m.json")
    assert (tmp_path / "m.json").stat().st_size < 10_000
    assert dc.load(tmp_path / "m.json") == m


def test_a_request_in_epsilon_comes_back_as_it_was_asked(tmp_path):
    dc.geometric(n=3, epsilon=0.1).save(tmp_path / "m.json")
    assert dc.load(tmp_path / "m.json").epsilon == Fraction(1, 10)


def test_the_longest_numbers_that_a_file_may_hold_can_be_loaded_and_shown():
    """Python turns at most 4,300 digits into text; parameters within the format's limit stay below that."""
    long = "1" + "0" * 1500
    document = document_of(EXAMPLES["unproven"])
    document |= {"n": 1, "alpha": f"1/{long}1", "epsilon": "3e8/1", "optimality": None}
    document["matrix"] = {
        "form": "dense",
        "denominator": f"{long}1",
        "rows": [["1", "1"], [f"{long}0"] * 2],
    }
    document["claims"] = {"properties": [], "output_dp": None, "tight_alpha": "1/1", "scores": []}
    with pytest.raises(ProofFailed, match="epsilon"):
        from_bytes(resealed(document))
    m = from_bytes(resealed(document | {"alpha": f"{long}0/{long}1"}))
    assert "alpha" in str(m)


def test_a_rounded_loss_is_saved_as_the_numbers_it_was_rounded_to(tmp_path):
    m = relabelled(problem(3, "2/3", loss=0.5))
    m.save(tmp_path / "m.json")
    back = dc.load(tmp_path / "m.json")
    assert back == m
    assert back.origin.certificate == m.origin.certificate
    assert back.origin.problem.loss.matrix == m.origin.problem.loss.matrix
    assert dc.verify(tmp_path / "m.json").optimal


def test_a_bound_for_another_alpha_is_not_claimed(tmp_path):
    from tests.proof.proof_files import with_proof

    weaker = with_proof(dc.geometric(n=3, alpha="10/11"), problem(3, "1/2", "S"))
    weaker.save(tmp_path / "m.json")
    assert dc.verify(tmp_path / "m.json").optimal is None


def test_a_false_certificate_is_not_saved(tmp_path):
    from tests.proof.proof_files import with_proof

    m = EXAMPLES["relabelled"]
    wrong = replace(m.origin.certificate, cost=m.origin.certificate.cost / 2)
    with pytest.raises(ProofFailed):
        with_proof(m, m.origin.problem, wrong).save(tmp_path / "m.json")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("where", ["", "missing/m.json", "."])
def test_a_folder_or_a_missing_folder_is_refused(where, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match="folder"):
        dc.fair(n=2, alpha="1/2").save(where)
    assert list(tmp_path.iterdir()) == []


# --- loading trusts nothing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["relabelled", "fair", "by-theorem"])
def test_a_changed_file_is_not_loaded(name):
    document = document_of(EXAMPLES[name])
    for path, part in numbers(document):
        with pytest.raises(DiscreetError):
            from_bytes(json.dumps(changed(document, path, part)).encode())


def test_a_closed_form_written_out_is_not_loaded_under_another_id():
    document = document_of(dc.fair(n=2, alpha="1/2"))
    dense = dc.fair(n=2, alpha="1/2").form.dense()
    rows = [[f"{x:x}" for x in row] for row in dense.rows]
    document["matrix"] = {"form": "dense", "denominator": f"{dense.denominator:x}", "rows": rows}
    with pytest.raises(InvalidFile, match="canonical"):
        from_bytes(resealed(document))


def test_loading_what_is_not_there(tmp_path):
    with pytest.raises(InvalidFile, match="No such file"):
        dc.load(tmp_path / "missing.json")


# --- files that are kept stay readable -----------------------------------------------------------------------------


def test_there_is_a_fixture_for_each_kind_of_proof():
    assert len(FIXTURES) >= len(EXAMPLES)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_files_that_are_kept_stay_readable(path):
    """They were written once, and never again."""
    report = dc.verify(path)
    m = dc.load(path)
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert m.id == report.id == kept["id"]
    for score in kept["claims"]["scores"]:
        if score["loss"] == {"tail": 0} and score["prior"] == "uniform" and m.n <= 512:
            top, bottom = score["value"].split("/")
            assert m.score("L0", worst_case=score["worst_case"]) == Fraction(
                int(top, 16), int(bottom, 16)
            )
    assert [name for name in m.shape.names if name not in kept["claims"]["properties"]] == []


def test_words_in_a_file_prove_nothing():
    """How it was found is shown as said; "optimal by ..." only where the verifier found it so."""
    document = document_of(dc.geometric(n=4, alpha="9/10"))
    document["origin"]["theorem"] = "Theorem 9: nothing is better"
    loaded = from_bytes(resealed(document))
    assert loaded.origin.theorem == "" and "no claim of optimality" in str(loaded)
    proven = from_bytes(to_bytes(EXAMPLES["by-theorem"]))
    assert "optimal by for a test" in str(proven)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_write_that_fails_leaves_what_was_there(tmp_path, monkeypatch, call):
    path = tmp_path / "a"
    write_whole(path, b"before")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os if call == "fsync" else Path, call, full)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, b"after")
    assert path.read_bytes() == b"before"
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_an_interrupted_writer_leaves_nothing(tmp_path):
    def stopped(path):
        with whole_file(path) as partial:
            partial.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped(tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


def test_many_writers_of_one_file_leave_one_whole_file(tmp_path):
    path = tmp_path / "a"
    written = [bytes([k]) * 100_000 for k in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda data: write_whole(path, data), written * 5))
    assert path.read_bytes() in written
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
def test_a_file_has_the_permissions_of_any_new_file_unless_it_is_private(tmp_path):
    (tmp_path / "plain").touch()
    write_whole(tmp_path / "a", "x")
    assert mode(tmp_path / "a") == mode(tmp_path / "plain")
    with whole_file(tmp_path / "a", private=True) as partial:
        assert mode(partial) == 0o600, "before anything is in it"
    assert mode(tmp_path / "a") == 0o600


@pytest.mark.parametrize("where", ["", "missing/a", "."])
def test_a_folder_or_a_missing_folder_is_refused_under_the_name_of_the_parameter(tmp_path, where):
    with pytest.raises(InvalidFile, match="`csv` must name a file in a folder that exists"):
        write_whole(tmp_path / where, "x", parameter="csv")
    assert list(tmp_path.iterdir()) == []


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "there" / "a")
    for text in ("first", "second"):
        write_whole(tmp_path / "link", text)
        assert (tmp_path / "link").is_symlink() and (tmp_path / "there" / "a").read_text() == text


@pytest.mark.skipif(os.name != "posix", reason="POSIX pipes")
def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, "through")
    reader.join()
    assert read == [b"through"] and stat.S_ISFIFO(pipe.stat().st_mode)


def test_no_other_module_writes_files():
    """But into the hidden folder of a bundle, or a file that is not in its place yet: these are flushed and renamed."""
    allowed = {"proof/files.py", "tables/published/result.py", "tables/published/table_files.py"}
    found = set()
    for path, tree in trees(
        "write_text", "write_bytes", "open", "fsync", "mkstemp", "NamedTemporaryFile"
    ):
        place = path.relative_to(SOURCE).as_posix()
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            name = (
                node.func.attr
                if isinstance(node.func, ast.Attribute)
                else getattr(node.func, "id", "")
            )
            modes = [
                a.value
                for a in node.args
                if isinstance(a, ast.Constant) and isinstance(a.value, str)
            ]
            writes = name in ("write_text", "write_bytes") or (
                name == "open" and set("wxa") & set("".join(modes))
            )
            on_partial = (
                isinstance(node.func, ast.Attribute)
                and getattr(node.func.value, "id", "") == "partial"
            )
            if (writes and not on_partial) or name in ("fsync", "mkstemp", "NamedTemporaryFile"):
                found.add(place)
    assert found - allowed == set()


@pytest.mark.parametrize("path", [5, None, b"m.json", "a\0b", ["m.json"]])
def test_what_is_no_path_is_not_written_to(path):
    with pytest.raises(InvalidInput, match=r"`path` must be the path of a file"):
        dc.fair(n=1, epsilon=1).save(path)
