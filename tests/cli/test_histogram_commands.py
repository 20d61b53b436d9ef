"""Histograms on the command line: design, compare, recommend and plot take --categories."""

import json

from tests.cli.test_frame import invoke
from tests.conftest import require

require("tables")


def test_answers_are_a_number_or_names():
    designed = json.loads(invoke("design", "--n", "60", "--categories", "5", "--epsilon", "1", "--json"))
    assert designed["drawn"] == "cell by cell, by GM" and designed["cell_epsilon"]["exact"] == "1/2"
    words = ["--n", "2", "--categories", "a", "--categories", "b", "--categories", "c", "--epsilon", "1"]
    table = json.loads(invoke("compare", *words, "--json"))
    assert table["answers"] == ["a", "b", "c"] and [row["mechanism"] for row in table["rows"]][1:] == [
        "cells",
        "RR",
        "UM",
    ]
    assert "the best joint mechanism with F" in invoke("recommend", *words, "--properties", "F")


def test_pictures(tmp_path):
    require("plots")
    path = tmp_path / "m.svg"
    words = ["plot", "RR", "--n", "2", "--categories", "3", "--epsilon", "1", "--output", str(path)]
    assert str(path) in invoke(*words, "--truth", "1,1,0") and "outlined" in path.read_text()
    assert "--truth must add up to n = 2" in invoke(*words, "--truth", "1,1,1", code=2)
    assert "--kind must be one for histograms, not heatmap" in invoke(*words, "--kind", "heatmap", code=2)
