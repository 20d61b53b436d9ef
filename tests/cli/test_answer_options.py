"""Questions with several answers from the command line: options, a settings file, plan, release, verify."""

import json
import shlex
import tomllib
from pathlib import Path

import pytest
from tests.cli.test_frame import invoke
from tests.conftest import require

import discreet as dc

require("tables")

ASKED = shlex.split(
    "survey.csv --by team --epsilon 2 --count remote "
    "--answer mood 1 --answer mood 2 --answer mood 3 --answer-other mood 3 --answer-nulls mood unknown "
    "--answer s never --answer s former --answer-column s smoking --answer-cells s "
    """--answer-as age young "age < '40'" --answer-as age old "age >= '40'" """
)
COLUMNS = ["remote", "mood_1", "mood_2", "mood_3", "mood_unknown", "s_never", "age_young"]


@pytest.fixture
def survey(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = ["north,1,1,never,23", "north,0,2,former,61", "south,1,9,never,40", "south,0,,former,39"]
    (tmp_path / "survey.csv").write_text("\n".join(["team,remote,mood,smoking,age", *rows]) + "\n")


@pytest.mark.usefixtures("survey")
def test_options_become_questions_of_a_release_that_is_verified():
    said = json.loads(invoke("release", *ASKED, "-o", "out", "--json"))
    assert said["counts"] == ["remote", "mood", "s_never", "age_young"]
    made = dc.read_release("out")
    assert made.table.column_names == ["team", "n", *COLUMNS]
    assert made.manifest.count("mood").domain["answers"] == ["1", "2", "3", "unknown"]
    invoke("verify", "out")
    assert json.loads(invoke("plan", *ASKED, "--json"))["histograms"][0].startswith(
        "mood, groups of 2: all"
    )


@pytest.mark.usefixtures("survey")
def test_answers_in_a_list_are_the_same_as_one_by_one():
    asked = ["survey.csv", "--by", "team", "--epsilon", "2"]
    one_by_one = [word for answer in ("1", "2", "9") for word in ("--answer", "mood", answer)]
    rest = ["--answer-nulls", "mood", "unknown"]
    listed, *others = (
        invoke("plan", *asked, *words, *rest).partition(
            "release it:\n  discreet release survey.csv"
        )
        for words in (
            ["--answers", "mood", "1, 2,9"],
            one_by_one,
            ["--answers", "mood", "1,2", "--answer", "mood", "9"],
        )
    )
    assert all(other[:2] == listed[:2] for other in others)
    assert (
        listed[2]
        .replace("\\\n      ", "")
        .endswith("--ledger budget.db --dataset survey --output published\n")
    )


@pytest.mark.usefixtures("survey")
def test_an_option_that_there_is_not_is_answered_with_the_one_that_may_be_meant():
    assert "did you mean --answers?" in invoke("plan", "survey.csv", "--histogram", "mood", code=2)
    assert "did you mean --properties?" in invoke("plan", "survey.csv", "--propertys", "F", code=2)
    assert "did you mean --by?" in invoke("plan", "survey.csv", "--group-by", "team", code=2)
    assert "did you mean" not in invoke("plan", "survey.csv", "--qqq", code=2)


@pytest.mark.usefixtures("survey")
def test_an_empty_answer_is_refused_with_the_option_that_counts_it():
    said = invoke(
        "release",
        "survey.csv",
        "--by",
        "team",
        "--answers",
        "mood",
        "1,2,9",
        "--epsilon",
        "1",
        "-o",
        "o",
        code=2,
    )
    assert (
        "(one of 1, 2, 9, or a new name such as unsaid, which is counted apart), --answer-nulls mood ANSWER"
        in said
    )
    assert "it cannot be dropped" in said and "'nulls'" not in said


@pytest.mark.usefixtures("survey")
def test_a_settings_file_asks_the_same():
    invoke("release", *ASKED, "-o", "out", "--save-config", "release.toml")
    count = tomllib.loads(Path("release.toml").read_text())["count"]
    assert count["mood"] == {
        "column": "mood",
        "answers": ["1", "2", "3"],
        "other": "3",
        "nulls": "unknown",
    }
    assert count["s"]["cells"] is True and list(count["age"]) == ["young", "old"]
    invoke("release", "--config", "release.toml")
    assert dc.read_release("out").table.column_names[2:] == COLUMNS


@pytest.mark.usefixtures("survey")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            [
                "--answer",
                "mood",
                "1",
                "--answer",
                "mood",
                "2",
                "--answer-as",
                "mood",
                "x",
                "age > 1",
            ],
            "--answer-as must not",
        ),
        (
            ["--answer-as", "q", "x", "age > 1", "--answer-as", "q", "x", "age > 2"],
            "--answer-as must not give the same",
        ),
        (
            ["--answer", "mood", "1", "--answer-other", "mood", "a", "--answer-other", "mood", "b"],
            "--answer-other must not",
        ),
        (["--answer-cells", "mood"], "--answer-cells must name a question"),
        (["--count", "mood", "--answer", "mood", "1"], "--answer must not name a count"),
        (["--count", "mood", "--answers", "mood", "1,2"], "--answers must not name a count"),
        (
            ["--answers", "mood", "--where", "remote"],
            "--answers takes a name and a list, and --where follows mood",
        ),
    ],
)
def test_options_that_contradict_each_other_are_refused(words, said):
    assert said in invoke("plan", "survey.csv", "--by", "team", "--epsilon", "1", *words, code=2)
