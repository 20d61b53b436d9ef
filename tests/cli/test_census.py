"""`discreet census`: one setting, a grid, and the tables of the documentation."""

import csv
import io
import json

import pytest
from tests.cli.test_frame import invoke

import discreet as dc

COMMAND = "discreet census"


def test_one_setting_in_words_and_as_json():
    text = invoke("census", "--n", "4", "--alpha", "10/11")
    assert "4 behaviours" in text and max(map(len, text.splitlines())) <= 80
    facts = json.loads(invoke("census", "--n", "4", "--alpha", "10/11", "--loss", "L1", "--json"))
    assert len(facts["behaviours"]) == len(dc.census(n=4, alpha="10/11", loss="L1"))


def test_a_grid_as_markdown():
    out = invoke(
        "census",
        "--n",
        "2-3",
        "--alpha",
        "1/2 9/10",
        "--loss",
        "L0",
        "--loss",
        "L1",
        "--format",
        "markdown",
    )
    assert "| L1: n |" in out
    assert "| RH RM CH CM WH F S | 4 | 4 |" in out, (
        "everything asked for is one behaviour everywhere"
    )
    assert out.count("| 2 | 2 | ") == 2, "two behaviours at n = 2, alpha = 1/2, under both losses"


def test_a_grid_as_csv_and_as_json():
    rows = list(
        csv.DictReader(
            io.StringIO(invoke("census", "--n", "2", "--epsilon", "1", "--format", "csv"))
        )
    )
    assert len(rows) == int(rows[0]["behaviours"]) == len(dc.census(n=2, epsilon=1))
    grid = json.loads(
        invoke("census", "--n", "1", "--n", "2", "--epsilon", "1", "--worst-case", "--json")
    )
    assert [found["n"] for found in grid] == [1, 2]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--n", "x", "--alpha", "1/2"], "--n must be a size"),
        (["--n", "", "--alpha", "1/2"], "--n and what goes with it must not be empty"),
        (["--n", "4", "--alpha", "2"], "--alpha must be in"),
        (["--n", "4"], "--epsilon or --alpha must be given: e.g."),
        (["--n", "8-2", "--alpha", "1/2"], "from the smaller"),
        (["--n", "41", "--alpha", "1/2"], "at most 40"),
    ],
)
def test_mistakes(words, message):
    assert message in invoke("census", *words, code=2)
