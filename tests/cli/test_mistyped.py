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
        ("ledger show a b c", " ledger show takes LEDGER and DATASET, and no word after them: leave out c"),
    ],
)
def test_a_word_too_many_is_refused_with_what_to_do(typed, said, people):  # noqa: F811
    (people.parent / "there").write_text("")
    told = parts(invoke(*typed.split(), code=2))
    assert told.endswith(said) and "unexpected" not in told and "Got" not in told
    if "quotes" in told:
        invoke(*shlex.split(typed.partition(" -p" if " -p " in typed else " --prop")[0]), *shlex.split(said))


def test_the_name_of_a_key_as_an_option_is_told_by(people):  # noqa: F811
    (people.parent / "t.csv").write_text("clinic,ill\n" + "a,1\nb,0\n" * 4)
    invoke("release", "t.csv", "--by", "clinic", "--count", "ill", "--epsilon", "1", "--output", "out")
    for typed in (["--clinic", "a"], ["--CLINIC=a"]):
        told = parts(invoke("estimate", "out", *typed, code=2))
        assert told.endswith("estimate: to read a release by its key clinic: --by clinic")
    assert "did you mean --confidence" in invoke("estimate", "out", "--confidense", "0.9", code=2)
    assert "is no option" in invoke("estimate", "nowhere", "--clinic", "a", code=2)
