"""`discreet design --rows FILE`: inequalities of one's own from the command line."""

import json

import pytest
from tests.cli.test_frame import invoke

import discreet as dc

CAP = dc.rows("cap", lambda n: [({(0, 0): 1}, "<=", "1/2")])


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCREET_CACHE", str(tmp_path / "cache"))
    (tmp_path / "cap.json").write_text(json.dumps(CAP.at(4).to_dict()))
    return tmp_path


def test_rows_from_a_file(folder):
    said = invoke(
        "design", "-n", "4", "--alpha", "2/3", "-p", "WH", "--rows", "cap.json", "-o", "m.json"
    )
    assert "own rows  cap" in said
    assert dc.load("m.json") == dc.design(n=4, alpha="2/3", properties=["WH", CAP])
    assert "own rows 'cap'" in " ".join(invoke("verify", "m.json").split())


def test_what_contradicts_leaves_its_proof(folder):
    low = {"name": "low", "rows": [{"cells": [[2, 2, 1]], "sense": "<=", "bound": "1/10"}]}
    (folder / "low.json").write_text(json.dumps(low))
    said = invoke(
        "design",
        "-n",
        "4",
        "--alpha",
        "2/3",
        "-p",
        "WH",
        "--rows",
        "low.json",
        "-o",
        "none.json",
        code=2,
    )
    assert "no mechanism for n = 4" in said and "The proof of it is in none.json" in said
    assert "no mechanism for counts 0..4" in invoke("verify", "none.json")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "--rows cannot be read"),
        ("{", "--rows must be a file of JSON"),
        ("[]", "--rows must have a name and rows"),
        (
            '{"name": "x", "rows": [{"cells": [[0, 0, 0.5]], "sense": "<=", "bound": 1}]}',
            "must have an exact coefficient",
        ),
        (
            '{"name": "x", "rows": [{"cells": [[0, 9, 1]], "sense": "<=", "bound": 1}]}',
            "both in 0..4",
        ),
    ],
)
def test_bad_files_are_refused(folder, text, said):
    if text is not None:
        (folder / "bad.json").write_text(text)
    assert said in invoke("design", "-n", "4", "--alpha", "2/3", "--rows", "bad.json", code=2)
