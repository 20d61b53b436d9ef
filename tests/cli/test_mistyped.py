"""Near misses on the command line: what is refused names the line that works."""

import re
import shlex

import pytest
from tests.cli.test_frame import invoke
from tests.cli.test_work import people  # noqa: F401 - a fixture
from tests.conftest import require

require("tables")

PLAN = ["plan", "people.csv", "--by", "clinic"]


def parts(told: str) -> str:
    """An error as one line, without where to look further."""
    return " ".join(told.split()).removeprefix("error: ").partition(" see: ")[0]


@pytest.mark.parametrize(
    "typed",
    [
        ["--answer", "smoker", "yes,no", "--epsilon", "1"],
        ["--answer", "smoker=yes,no", "--epsilon", "1"],
        ["--epsilon", "1", "--answer", "smoker=yes,no"],
        ["--epsilon", "1", "--answers", "smoker=yes,no"],
        ["--answers", "smoker", "yes,", "no", "--epsilon", "1"],
        ["--answers", "smoker", "yes", ",", "no", "--epsilon", "1"],
    ],
)
def test_a_list_of_answers_in_another_form_is_told_the_option_that_works(typed, people):  # noqa: F811
    (people.parent / "people.csv").write_text("clinic,smoker\na,yes\na,no\n")
    told = parts(invoke(*PLAN, *typed, code=2))
    advice = re.search(r"--answers smoker yes,no$", told)[0]
    assert "epsilon 1 in total, 1 group" in invoke(*PLAN, *shlex.split(advice), "--epsilon", "1")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["--answer", "smoker", "yes", "--epsilon", "1"], "--answers smoker yes,OTHER"),
        (["--epsilon", "1", "--answer", "smoker=yes"], "write --answer smoker yes"),
        (["--answer", "smoker"], "nothing follows smoker: write --answer smoker ANSWER"),
        (["--answer"], "nothing follows at once: write --answer NAME ANSWER"),
        (["--count-as", "old"], """write --count-as old "old = 'yes'\""""),
        (["--epsilon"], "--epsilon needs a value: privacy, e.g. 0.5; smaller is safer. Or --alpha"),
    ],
)
def test_an_option_that_lacks_a_word_says_what_it_takes(typed, said, people):  # noqa: F811
    assert parts(invoke(*PLAN, *typed, code=2)).endswith(said)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("design --n 8 --epsilon 0.5 --properties WH CM", "--properties 'WH CM'"),
        ("recommend --n 8 --epsilon 1 -p WH RM CM", "-p 'WH RM CM'"),
        ("design --n 8 CM --epsilon 0.5", " design takes options only: CM belongs to none"),
        ("demo x", " demo takes options only: x belongs to none"),
        ("verify there b", " verify b"),
        (
            "ledger show a b c",
            " ledger show takes LEDGER and DATASET, and no word after them: leave out c",
        ),
    ],
)
def test_a_word_too_many_is_refused_with_what_to_do(typed, said, people):  # noqa: F811
    (people.parent / "there").write_text("")
    told = parts(invoke(*typed.split(), code=2))
    assert told.endswith(said) and "unexpected" not in told and "Got" not in told
    if "quotes" in told:
        invoke(
            *shlex.split(typed.partition(" -p" if " -p " in typed else " --prop")[0]),
            *shlex.split(said),
        )


def test_the_name_of_a_key_as_an_option_is_told_by(people):  # noqa: F811
    (people.parent / "t.csv").write_text("clinic,ill\n" + "a,1\nb,0\n" * 4)
    invoke(
        "release", "t.csv", "--by", "clinic", "--count", "ill", "--epsilon", "1", "--output", "out"
    )
    for typed in (["--clinic", "a"], ["--CLINIC=a"]):
        told = parts(invoke("estimate", "out", *typed, code=2))
        assert told.endswith("estimate: to read a release by its key clinic: --by clinic")
    assert "did you mean --confidence" in invoke("estimate", "out", "--confidense", "0.9", code=2)
    assert "is no option" in invoke("estimate", "nowhere", "--clinic", "a", code=2)


@pytest.mark.parametrize("option", ["--epsilon", "--intervals", "--dataset", "-o"])
def test_an_option_whose_value_is_the_next_option_is_refused(option):
    """Of `--epsilon --unit person` the last word would else be taken for a file, and the advice would publish it."""
    said = invoke("release", "people.csv", "--by", "clinic", option, "--unit", "person", code=2)
    name = "--output" if option == "-o" else option
    assert said.startswith(f"error: {name} needs a value; it is followed by --unit\n")


def test_every_missing_option_comes_with_a_line_to_type():
    said = invoke("ledger", "set-budget", "a b.db", "patients", "--budget", "2", code=2)
    assert re.search(
        r"^such as: .* ledger set-budget 'a b.db' patients --budget 2 --reason WHY --by WHO$",
        said,
        re.M,
    )
    assert " draw m.json 3\n" in invoke("draw", code=2)
    said = invoke("ledger", "open", "postgresql://me:secret@host/db", "patients", code=2)
    assert "--budget 2\n" in said and "secret" not in said


@pytest.mark.parametrize("topic", ["help", "epsilon", "budget", "properties"])
def test_help_explains_words_too(topic):
    assert len(invoke("help", topic).splitlines()) > 4
    listed = invoke("help", "nothing-like-it", code=2)
    assert "There are:\n  Begin here:" in listed and "choose from" not in listed


def test_a_report_in_another_format_is_advised_for_the_release_that_was_named():
    assert "discreet report q4 -o report.xlsx" in invoke("report", "q4", "--format", "csv", code=2)


def test_every_wrong_column_is_named_and_text_is_no_number(people):  # noqa: F811
    wrong = [
        "plan",
        "people.csv",
        "--by",
        "clinc",
        "--answers",
        "smokr",
        "yes,no",
        "--unit",
        "persn",
        "--epsilon",
        "1",
    ]
    said = invoke(*wrong, code=2)
    assert all(f"did you mean {name}?" in said for name in ("clinic", "smoker", "person"))
    asked = [
        "plan",
        "people.csv",
        "--by",
        "clinic",
        "--count",
        "smoker",
        "--unit",
        "person",
        "--epsilon",
        "1",
    ]
    said = invoke(*asked, "--where", "person < 20", code=2)
    assert said.startswith("error: --where takes person for a number, and the column is text")
    assert "give --type person=INTEGER" in said
    counted = [*asked[:6], "--unit", "smoker", "--epsilon", "1"]
    said = invoke(*counted, code=2)
    assert (
        "--unit names the column that says who is who, and smoker is counted" in said
        and "--public" not in said
    )


def test_an_epsilon_that_protects_little_is_not_made_easy(people):  # noqa: F811
    said = invoke(*PLAN, "--count", "smoker", "--unit", "person", "--epsilon", "20")
    assert "--epsilon 1" in said and "set-budget" not in said and "discreet release" not in said
