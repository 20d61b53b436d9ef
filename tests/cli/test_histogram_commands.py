"""Histograms on the command line: design, compare, recommend and plot take --categories."""

import json
import shlex

from tests.cli.test_frame import invoke
from tests.conftest import require

import discreet as dc

require("tables")


def test_answers_are_a_number_or_names():
    designed = json.loads(
        invoke("design", "--n", "60", "--categories", "5", "--epsilon", "1", "--json")
    )
    assert designed["drawn"] == "cell by cell, by GM" and designed["cell_epsilon"]["exact"] == "1/2"
    words = [
        "--n",
        "2",
        "--categories",
        "a",
        "--categories",
        "b",
        "--categories",
        "c",
        "--epsilon",
        "1",
    ]
    table = json.loads(invoke("compare", *words, "--json"))
    assert table["answers"] == ["a", "b", "c"] and [row["mechanism"] for row in table["rows"]][
        1:
    ] == [
        "cells",
        "RR",
        "UM",
    ]
    assert "the best joint mechanism with F" in invoke(
        "recommend", *words, "--properties", "F", "--details"
    )
    brief = invoke("recommend", *words, "--properties", "F")
    assert (
        "with what was asked for (F)." in brief.replace("\n  ", " ")
        and "\n* fair to every count (F) " in brief
    )
    again = shlex.split(brief.partition("make it with: discreet ")[2])
    assert again == ["design", *words, "-p", "F", "-o", "m.json"]
    large = invoke("recommend", "--n", "30", "--categories", "6", "--epsilon", "1")
    assert "Draw each answer by itself" in large and "no joint mechanism has fewer than" in large


def test_pictures(tmp_path):
    require("plots")
    path = tmp_path / "m.svg"
    words = ["plot", "RR", "--n", "2", "--categories", "3", "--epsilon", "1", "--output", str(path)]
    assert str(path) in invoke(*words, "--truth", "1,1,0") and "outlined" in path.read_text()
    assert "--truth must add up to n = 2" in invoke(*words, "--truth", "1,1,1", code=2)
    assert "--kind must be one for histograms, not heatmap" in invoke(
        *words, "--kind", "heatmap", code=2
    )


def test_answers_drawn_one_by_one_are_said_not_to_add_up(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"{team},{'abc'[k % 3]}" for team, size in (("x", 3), ("y", 60)) for k in range(size)]
    (tmp_path / "p.csv").write_text("\n".join(["team,mood", *rows]) + "\n")
    asked = ["p.csv", "--by", "team", "--answers", "mood", "a,b,c", "--epsilon", "1"]
    assert "its counts need not add up to n" in " ".join(invoke("plan", *asked).split())
    said = invoke("release", *asked, "-o", "out")
    assert (
        "note: the answers of mood (groups of 60) were drawn one by one: a row's counts need not add up to n."
        in said
    )
    assert "To print numbers that do: discreet estimate out --adding-up\n" in said
    assert "need not add up" in dc.read_release("out")._repr_html_()
    small = ["--where", "team = 'x'"]
    assert "add up" not in invoke("release", *asked, *small, "-o", "small"), "drawn whole, they do"
    levels = invoke("release", *asked, "--levels", "rollup", "-o", "levels")
    assert "mood (groups of 60 and coarser levels)" in levels
