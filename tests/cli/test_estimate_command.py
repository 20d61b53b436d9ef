"""`discreet estimate` of questions with several answers."""

import json

import numpy as np
import pytest
from tests.cli.test_frame import invoke
from tests.conftest import require

import discreet as dc
from discreet.reading.quoting.interval_kinds import INTERVAL_ALONE, NONE, from_to

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
    return str(
        dc.release(people, by=["region", "team"], count=count, epsilon=9, output=folder).path
    )


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
    assert (
        lines[2].split()[:4] == ["region", "n", "answer", "95%"]
        and "Mean scores of 'smoking' by region" in lines
    )
    facts = json.loads(
        invoke("estimate", survey, "--count", "smoking", "--by", "region", *SCORES, "--json")
    )
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
        (
            ["--count", "smoking", *SCORES, "--change-from", "."],
            "group by group and in all; leave out --scores",
        ),
        (["--count", "ill", *SCORES], "--scores are for questions with several answers"),
    ],
)
def test_what_does_not_fit_is_refused(survey, words, said):
    assert said in invoke("estimate", survey, *words, code=2)


def test_lines_are_folded_in_a_pipe_too_where_columns_are_given(survey, monkeypatch):
    wide = max(map(len, invoke("verify", survey).splitlines()))
    monkeypatch.setenv("COLUMNS", "60")
    assert wide > 60
    words = [line for line in invoke("verify", survey).splitlines() if len(line) > 60]
    assert all(len(line.split()) == 1 for line in words), "a word that is longer stays whole"


def test_a_count_by_key_has_a_rate_with_its_interval(survey):
    table = json.loads(invoke("estimate", survey, "--count", "ill", "--by", "region", "--json"))
    rates = [part["rate"] for part in table]
    assert all(rate["low"] <= rate["high"] for rate in rates)
    assert (
        invoke("estimate", survey, "--count", "ill", "--by", "region").count("95% interval  ") >= 1
    )
    assert "%" in invoke("estimate", survey, "--count", "ill", "--by", "region").splitlines()[3]


def test_a_terminal_says_what_matters_in_percent_and_in_its_own_words(survey):
    """The rest is said where it is asked for, and no method of Python anywhere."""
    text, whole = (invoke("estimate", survey, *more) for more in ((), ("--details",)))
    assert "%" in text and len(text.splitlines()) < len(whole.splitlines())
    by = invoke("estimate", survey, "--by", "region")
    assert "Print the interval, then the number." in by and "Which to print" not in by
    every = invoke("estimate", survey, "--by", "region", "--details")
    assert "for arithmetic." in " ".join(every.split()) and "Which to print" not in every, (
        "it stands above the rows"
    )
    assert not any(word in said for said in (text, whole, by, every) for word in ("()", "to_csv"))


@pytest.mark.parametrize("keys", [["region", "team"], ["team"]])
def test_a_group_has_on_the_screen_the_interval_that_is_quoted(survey, tmp_path, keys):
    """One rule for terminal, CSV file and report: of one group the credible interval of its whole number."""
    by = [word for key in keys for word in ("--by", key)]
    text = invoke("estimate", survey, "--count", "ill", *by, "--csv", str(tmp_path / "quote.csv"))
    every = text.splitlines()
    head = next(
        place
        for place, line in enumerate(every)
        if " number" in line and line.split()[-1] == "number"
    )
    seen = [line.split() for line in every[head + 1 : head + 21]]
    rows = [line.split(",") for line in (tmp_path / "quote.csv").read_text().splitlines()]
    assert rows[0] == [*keys, "people", "low", "high", "number", "interval"], (
        "all of it may be printed"
    )
    assert {row.pop() for row in rows[1:]} == {"95% credible"}
    alone = [row[-1] != "" for row in rows[1:]]
    shown = [[*row[:-3], *from_to(*row[-3:-1]).split(), row[-1] or NONE] for row in rows[1:]]
    assert seen == shown, "the interval first, and a dash for a number that is not to be quoted"
    assert every[head].split() == [*keys, "n", "95%", "interval", "number"]
    assert every[1].startswith("  Print the interval, then the number"), "the rule, above the rows"
    notes = every[head + 21 :]
    assert (
        "The 95% interval is a credible interval: of all such, about" in notes[0]
        and len(notes) <= 13
    )
    said = " ".join(
        " ".join(notes).split()
    )  # the last lines: the file, and what its columns are for
    assert (
        "rows to quote Print low and high, then number. Where number is empty, print the interval alone."
        in said
    )
    assert INTERVAL_ALONE not in said and "Where that is a dash" in text, "once, above the rows"
    assert any(line.startswith("  *: rounded to another whole number") for line in notes) == (
        any("*" in word for row in seen for word in row)
    )
    details = " ".join(invoke("estimate", survey, "--count", "ill", *by, "--details").split())
    assert "of its row alone, and holds that often whatever is true" in details, "how they differ"
    assert (INTERVAL_ALONE in details) == (not all(alone)), "at length"
    assert "95% credible number" in details and "estimate 95% confidence" in details, (
        "side by side they are told apart"
    )
    numbers = dc.estimate(survey, count="ill").quotable()["number"].tolist()
    assert [int(row[-1]) if row[-1] else None for row in rows[1:]] == numbers
    by_region = invoke("estimate", survey, "--count", "ill", "--by", "region").splitlines()[3:5]
    told = [line.split()[5] for line in by_region]
    sums = dc.estimate(survey, count="ill").quotable("region")
    assert told == [NONE if number is None else str(number) for number in sums["number"]], (
        "as a report"
    )


def test_a_file_has_every_question_unless_one_is_named(survey, tmp_path):
    file = tmp_path / "quote.csv"
    text = invoke("estimate", survey, "--by", "team", "--csv", str(file))
    assert "Estimates of 'ill'" in text and "Estimates of 'smoking'" in text
    head, *rows = [line.split(",") for line in file.read_text().splitlines()]
    assert head == ["question", "team", "answer", "people", "low", "high", "number", "interval"]
    assert f"{file}: {len(rows)} rows to quote" in text
    for name in ("ill", "smoking"):
        table = dc.estimate(survey, count=name).quotable("team")
        some = [row for row in rows if row[0] == name]
        assert [int(row[-2]) if row[-2] else None for row in some] == table["number"].tolist()
        assert {row[-1] for row in some} == (
            {"95% credible"} if name == "ill" else {"95% confidence"}
        )
    assert "quote.csv exists already: choose another --csv" in invoke(
        "estimate", survey, "--csv", str(file), code=2
    )
    invoke("estimate", survey, "--csv", str(file), "--overwrite", "--byte-order-mark")
    assert file.read_bytes().startswith(b"\xef\xbb\xbfquestion,region,team,answer,people,")
    assert "For your own work, not for print: whole" in " ".join(
        invoke("estimate", survey, "--csv", str(file), "--overwrite", "--details").split()
    )
    assert (
        file.read_text(encoding="utf-8").partition("\n")[0].endswith(",number,interval,whole,mean")
    )


def test_an_answer_of_one_group_has_one_interval_and_it_is_said_why_it_is_lopsided(
    survey, tmp_path
):
    text = invoke(
        "estimate",
        survey,
        "--count",
        "smoking",
        "--by",
        "team",
        "--csv",
        str(tmp_path / "quote.csv"),
    )
    rows = [line.split(",") for line in (tmp_path / "quote.csv").read_text().splitlines()[1:]]
    seen = [line.split() for line in text.partition(" answer ")[2].splitlines()[1:61]]
    shown = [[*row[:3], row[3], row[5], row[6]] for row in seen]
    assert shown == [[row[0], row[2], row[1], *row[3:5], row[5] or NONE] for row in rows]
    assert "Of all such intervals" not in text, "that is of the other kind"
    whole = invoke("estimate", survey, "--count", "smoking", "--by", "team", "--details")
    for said in (whole, invoke("estimate", survey, "--count", "smoking", "--by", "region")):
        assert "so an estimate need not stand in the middle" in " ".join(said.split())


def test_a_stratum_that_is_one_group_has_the_interval_that_it_has_in_every_table(survey):
    e = dc.estimate(survey, count="smoking")
    table, q = e.subtotals("team"), e.quotable("team")
    strata = [part for parts in e.by("team").values() for part in parts.totals.values()]
    assert [(part.low, part.high) for part in strata] == list(
        zip(table["low"], table["high"], strict=True)
    )
    assert (q["low"] <= table["low"]).all() and {part.method for part in strata} == {
        "exact, of one group"
    }


def test_groups_are_sorted_by_the_key_that_is_asked_for_and_have_a_rate(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        f"{region},{clinic},{person % 2}"
        for region, clinic in ("xc", "xa", "yd", "yb")
        for person in range(4)
    ]
    (tmp_path / "p.csv").write_text("region,clinic,ill\n" + "\n".join(rows) + "\n")
    invoke(
        "release",
        "p.csv",
        "--by",
        "region",
        "--by",
        "clinic",
        "--count",
        "ill",
        "--epsilon",
        "20",
        "-o",
        "out",
    )
    table = invoke("estimate", "out", "--by", "clinic", "--details").splitlines()[2:7]
    assert (
        table[0].split()[:5] == ["clinic", "n", "95%", "credible", "number"] and "rate" in table[0]
    )
    assert [line.split()[0] for line in table[1:]] == ["a", "b", "c", "d"] and all(
        "50.0%" in x for x in table[1:]
    )
