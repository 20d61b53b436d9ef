"""`discreet estimate` of questions with several answers."""

import json

import numpy as np
import pytest
from tests.cli.test_frame import invoke
from tests.conftest import require

import discreet as dc

require("tables")

import pyarrow as pa

SMOKING = ["never", "former", "current"]
SCORES = [word for pair in ("never=0", "former=1", "current=2") for word in ("--scores", pair)]


@pytest.fixture(scope="module")
def survey(tmp_path_factory):
    rng = np.random.default_rng(3)
    people = pa.table(
        {
            "region": ["north"] * 30 + ["south"] * 30,
            "team": np.arange(60) // 3,
            "smoking": [SMOKING[c] for c in rng.integers(0, 3, 60)],
            "stars": rng.integers(1, 4, 60),
            "ill": rng.integers(0, 2, 60),
        }
    )
    count = {"smoking": SMOKING, "stars": [1, 2, 3], "ill": "ill"}
    folder = tmp_path_factory.mktemp("survey") / "out"
    return str(dc.release(people, by=["region", "team"], count=count, epsilon=9, output=folder).path)


def test_a_table_of_answers_and_the_mean_of_a_scale(survey):
    text = invoke("estimate", survey, "--count", "smoking", *SCORES)
    assert text.startswith("Estimate of 'smoking': 20 groups, 60 people")
    assert all(name in text for name in SMOKING) and "mean score" in text
    facts = json.loads(invoke("estimate", survey, "--count", "smoking", *SCORES, "--json"))
    e = dc.estimate(survey, count="smoking")
    assert facts["mean"]["value"] == e.mean({"never": 0, "former": 1, "current": 2}).value
    assert sum(row["share"]["value"] for row in facts["answers"]) == 1
    assert "mean" not in invoke("estimate", survey, "--count", "smoking")
    assert "mean score" in invoke("estimate", survey, "--count", "stars", "--scores", "own")


def test_without_a_name_every_question_is_shown(survey):
    text = invoke("estimate", survey)
    parts = [invoke("estimate", survey, "--count", name) for name in ("smoking", "stars", "ill")]
    assert text == "\n".join(parts)
    assert "Estimates of 'stars' by region" in invoke("estimate", survey, "--by", "region")
    assert "choose from smoking, stars, ill" in invoke("estimate", survey, "--json", code=2)


def test_answers_by_key(survey):
    text = invoke("estimate", survey, "--count", "smoking", "--by", "region", *SCORES)
    lines = text.splitlines()
    assert lines[0] == "Estimates of 'smoking' by region" and max(map(len, lines)) < 80
    assert lines[1].split()[:3] == ["region", "answer", "total"] and len(lines) == 2 + 6 + 2 + 1 + 3
    facts = json.loads(invoke("estimate", survey, "--count", "smoking", "--by", "region", *SCORES, "--json"))
    assert [row["region"] for row in facts["means"]["rows"]] == ["north", "south"]
    assert len(facts["subtotals"]["rows"]) == 6


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--count", "smoking", "--scores", "never=0"], "--scores lacks the answer former"),
        (
            ["--count", "smoking", "--scores", "own"],
            "--scores must be given, as the answer never is no number: give a score for each of",
        ),
        (["--count", "smoking", "--scores", "never"], "--scores must be NAME=VALUE"),
        (["--count", "smoking", *SCORES, "--change-from", "."], "group by group and in all; leave out --scores"),
        (["--count", "ill", *SCORES], "--scores are for questions with several answers"),
    ],
)
def test_what_does_not_fit_is_refused(survey, words, said):
    assert said in invoke("estimate", survey, *words, code=2)
