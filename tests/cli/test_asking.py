"""What is counted, of which files, in which groups: as it is typed, and as no shell may misread it."""

import json
import re
import shlex
import shutil
import warnings
from fractions import Fraction
from pathlib import Path

import pytest
from tests.cli.test_frame import invoke
from tests.cli.test_shared import refused
from tests.cli.test_work import people  # noqa: F401 - a fixture
from tests.conftest import require

import discreet as dc
from discreet.cli.commands.table_commands import read_counts
from discreet.errors import InvalidInput
from discreet.tables.asking import request

require("tables")

ENOUGH = (
    "--epsilon",
    "700",
    "-o",
    "out",
    "--overwrite",
)  # the released count is the true one but for 1 in e**700


def counted(*words: str) -> dict[str, list[int]]:
    """Release with no noise to speak of, and return the columns of counts."""
    invoke("release", *words, *ENOUGH)
    table = dc.read_release("out").table
    return {name: table[name].to_pylist() for name in table.column_names}


@pytest.fixture
def habits(people):  # noqa: F811
    rows = ["a,yes,70,1", "a,no,30,0", "b,yes,80,1", "b,no,65,0", "b,no,20,1"]
    (people.parent / "habits.csv").write_text("clinic,smoker,age,ill\n" + "\n".join(rows) + "\n")
    return people.parent


@pytest.mark.parametrize(
    ("words", "name", "true"),
    [
        (["--count", "smoker = 'yes'"], "smoker = 'yes'", [1, 1]),
        (["--count", "smoker='yes'"], "smoker='yes'", [1, 1]),
        (["--count", "ill=1"], "ill=1", [1, 2]),
        (["--count", "ill"], "ill", [1, 2]),
        (["--count", "smoker = 'yes' AND age > '70'"], "smoker = 'yes' AND age > '70'", [0, 1]),
        (["--count", "age > '64'"], "age > '64'", [1, 2]),
        (["--count-as", "old", "age > '64'"], "old", [1, 2]),
        (["--count-as", "smoker", "smoker = 'yes'"], "smoker", [1, 1]),
        (["--count-as", "sick", "ill"], "sick", [1, 2]),
        (["--count", "(smoker = ill)"], "(smoker = ill)", [0, 0]),
    ],
)
def test_a_count_is_a_column_or_a_predicate_and_count_as_names_one(habits, words, name, true):
    assert counted("habits.csv", "--by", "clinic", *words)[name] == true


@pytest.mark.parametrize(
    ("old", "line"),
    [
        ("old=age > '64'", """--count-as old "age > '64'\""""),
        ("smoker=smoker = 'yes'", """--count-as smoker "smoker = 'yes'\""""),
        ("smoker=ill", "--count-as smoker ill"),
        ("ill=ill", "--count-as ill ill"),
        ("sick = ill", "--count-as sick ill"),
        (
            "either=ill = '1' OR smoker = 'yes'",
            """--count-as either "ill = '1' OR smoker = 'yes'\"""",
        ),
    ],
)
def test_the_old_way_to_name_a_count_fails_with_the_line_to_type(habits, old, line):
    """Read as a predicate, `ill=ill` would count everybody."""
    text = refused("release", "habits.csv", "--by", "clinic", "--count", old, *ENOUGH)
    assert line in text
    assert not (habits / "published").exists()
    invoke("plan", "habits.csv", "--by", "clinic", "--epsilon", "1", *shlex.split(line))
    compared = re.search(r"if the two are to be compared, (--count [^;\n]*)", text)
    if compared and not old.startswith(
        "sick"
    ):  # which is no column, so that there is nothing to compare
        invoke("plan", "habits.csv", "--by", "clinic", "--epsilon", "1", *shlex.split(compared[1]))


def test_several_counts_keep_their_names(habits):
    found = counted(
        "habits.csv", "--by", "clinic", "--count", "ill", "--count-as", "old", "age > '64'"
    )
    assert list(found) == ["clinic", "n", "ill", "old"]


@pytest.mark.parametrize(
    ("plain", "named"), [([""], []), ([], [("", "x")]), ([], [("x", " ")]), (["x"], [("x", "y")])]
)
def test_no_count_is_empty_or_asked_twice(plain, named):
    with pytest.raises(InvalidInput, match="must not"):
        read_counts(plain, named)


def test_an_error_says_the_option_that_was_given(habits):
    words = ["release", "habits.csv", "--by", "clinic", *ENOUGH]
    assert refused(*words, "--count-as", "x", "sum(age) > 1").startswith("error: --count-as ")
    assert refused(*words, "--count", "sum(age) > 1").startswith("error: --count must")


def test_words_that_are_no_bits_are_answered_with_the_option_that_counts_them(habits):
    asked = ["habits.csv", "--by", "clinic"]
    line = "--answers smoker yes,no"
    assert f"the one to count first: {line};" in refused(
        "release", *asked, "--count", "smoker", *ENOUGH
    )
    assert counted(*asked, *line.split())["smoker_yes"] == [1, 1]


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ("clinic,age", "give them one by one, --by clinic --by age"),
        ("clinic, aeg", "give several one by one, and of aeg: did you mean age?"),
    ],
)
def test_keys_in_one_word_are_to_be_given_one_by_one(habits, by, said):
    assert said in refused("plan", "habits.csv", "--by", by, "--count", "ill", "--epsilon", "1")


def test_a_release_without_output_is_told_of_a_wrong_key_too(habits):
    words = ["release", "habits.csv", "--count", "ill", "--epsilon", "1"]
    both = refused(*words, "--by", "clinc")
    assert "did you mean clinic? And --output is needed" in both
    assert refused(*words, "--by", "clinic").startswith("error: --output is needed")


def test_one_total_is_asked_for_and_never_forgotten_into(habits):
    assert counted("habits.csv", "--total", "--count", "ill") == {"n": [5], "ill": [3]}
    forgotten = refused("release", "habits.csv", "--count", "ill", *ENOUGH)
    assert "--by is needed" in forgotten and "--total" in forgotten
    assert "--by asks for groups" in refused(
        "plan", "habits.csv", "--total", "--by", "clinic", "--count", "ill"
    )


def test_a_total_from_a_file(habits):
    (habits / "r.toml").write_text(
        'source = "habits.csv"\ncount = "ill"\nepsilon = 1\noutput = "o"\n'
    )
    assert "'by = []'" in refused("release", "--config", "r.toml")
    invoke("release", "habits.csv", "--total", "--count", "ill", *ENOUGH, "--save-config", "t.toml")
    assert json.loads(invoke("release", "--config", "t.toml", "--json"))["groups"] == 1
    (habits / "r.toml").write_text(
        'source = "habits.csv"\nby = "clinic"\ncount = "ill"\nepsilon = 1\noutput = "o"\n'
    )
    assert json.loads(invoke("release", "--config", "r.toml", "--total", "--json"))["groups"] == 1


def test_several_files_are_one_table(habits):
    (habits / "more.csv").write_text("clinic,smoker,age,ill\nb,yes,40,1\nc,no,50,0\n")
    asked = ["--by", "clinic", "--count", "ill"]
    assert counted("habits.csv", "more.csv", *asked)["ill"] == [1, 3, 0]
    # options may stand before, between and after them, as shells expand a pattern wherever it stands
    assert counted(*asked, "habits.csv", "more.csv")["n"] == [2, 4, 1]
    invoke("release", "habits.csv", "more.csv", *asked, *ENOUGH, "--save-config", "two.toml")
    invoke("release", "--config", "two.toml")
    assert dc.read_release("out").table["n"].to_pylist() == [2, 4, 1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["habits.csv", "habbits.csv"],
            "error: habbits.csv matches no file: did you mean habits.csv?",
        ),
        (["habits.csv", "no-such-*.csv"], "error: no-such-*.csv matches no file"),
        (["habits.csv", "./habits.csv"], "error: ./habits.csv names a file that is given already"),
        (["habits.csv", "link.csv"], "error: link.csv names a file that is given already"),
        (["habits.csv", "--public", "age", "ill"], "give the option again, such as --by ill"),
    ],
)
def test_a_file_too_few_or_too_many_is_refused(habits, words, said):
    """The rest alone would be another table, and a file twice counts each of its people twice."""
    (habits / "link.csv").hardlink_to(habits / "habits.csv")
    assert said in refused("release", *words, "--by", "clinic", "--count", "ill", *ENOUGH)


@pytest.mark.parametrize("after", [["--epsilon", "1"], ["--epsilon=1"]])
def test_a_word_that_was_forgotten_is_named_and_not_what_follows(habits, after):
    said = refused("plan", "habits.csv", "--by", "clinic", "--count-as", "smoker", *after)
    assert (
        "--count-as takes a name and a predicate, and --epsilon" in said
        and "follows smoker" in said
    )
    assert "write --count-as smoker \"smoker = 'yes'\"" in said


def test_a_release_repeats_that_levels_bring_nothing_before_it_pays_for_them(habits):
    asked = [
        "habits.csv",
        "--by",
        "clinic",
        "--by",
        "age",
        "--count",
        "ill",
        "--epsilon",
        "1",
        "--levels",
        "rollup",
    ]
    said = "Levels bring nothing here: without --levels every one"
    plan, release = (
        " ".join(invoke(*words).split())
        for words in (["plan", *asked], ["release", *asked, "-o", "out"])
    )
    assert said in plan and f"note: {said}" in release
    again = refused("release", *asked, "-o", "out")
    assert "exists already" in again and "Levels bring nothing" not in again


def test_a_plan_says_which_answers_a_release_takes(habits):
    answers = ("--answer", "smoker", "yes", "--answer", "smoker", "no")
    asked = ("plan", "habits.csv", "--by", "clinic", "--epsilon", "1", *answers)
    text = " ".join(invoke(*asked).split())
    assert (
        "Not compared with the data yet: smoker (yes, no). A release does that before it spends, and refuses any other "
        "value or an empty one." in text
    )
    assert "To count empty" not in text, "of an empty value the details tell"
    full = " ".join(invoke(*asked, "--details").split())
    assert "To count empty ones as no: --nulls 0; apart: --answer-nulls smoker unsaid." in full
    assert "To count empty ones apart: --answer-nulls smoker unsaid." in " ".join(
        invoke(*asked, "--answer", "smoker", "sometimes", "--details").split()
    )
    assert (
        "refuses any other value or an empty one, unless told" in full
        and "To count empty" not in invoke(*asked, "--nulls", "0", "--details")
    )
    assert "To count empty" not in invoke(*asked, "--answer-nulls", "smoker", "no", "--details")
    assert "ny other value" not in invoke(*asked, "--answer-other", "smoker", "no")


def test_a_plan_of_a_word_says_that_empty_values_are_refused_unless_they_count_as_no(habits):
    asked = (
        "plan",
        "habits.csv",
        "--by",
        "clinic",
        "--epsilon",
        "1",
        "--count-as",
        "smokers",
        "smoker = 'yes'",
    )
    said = "An empty value is refused, unless --nulls 0 counts it as no."
    assert said in " ".join(invoke(*asked, "--details").split())
    assert "An empty value" not in invoke(*asked, "--nulls", "0", "--details")


def test_who_leaves_out_a_column_is_told_which_there_are(habits):
    for words in ([], ["--by", "clinic"]):
        assert "The columns are clinic, smoker, age, ill" in refused("plan", "habits.csv", *words)
    assert refused("plan", "habit.csv").startswith("error: habit.csv matches no file")


def test_of_several_things_that_are_missing_each_has_a_line_and_an_example_follows(habits):
    said = refused("plan").splitlines()
    assert said[0] == "error: the table is needed, and --by, --count and --epsilon too:"
    assert [line.split(": ")[0] for line in said if line.startswith("  - ")] == [
        "  - the table",
        "  - --by",
        "  - --count",
        "  - --epsilon",
    ]
    assert "such as:\n  discreet plan people.csv --by clinic --unit person" in "\n".join(said)
    assert "--epsilon" not in refused("plan", "--alpha", "1/2").partition("such as:")[0]
    release = refused("release", "habits.csv", "--epsilon", "1")
    assert (
        "--by is needed, and --count too:" in release
        and "such as:\n  discreet release people.csv" in release
    )
    assert "such as:" not in refused("plan", "habits.csv", "--by", "clinic", "--epsilon", "1"), (
        "of one thing, one line"
    )


def to_copy(plan: str) -> list[list[str]]:
    """The commands that a plan ends with: each begins on a line of its own, and can be copied whole."""
    return [
        shlex.split(line)
        for line in re.findall(r"^  discreet (.*)", plan.replace("\\\n", " "), re.MULTILINE)
    ]


def test_a_plan_of_a_column_of_text_says_what_its_release_counts_and_refuses_and_how_to_ask_for_words(
    habits,
):
    """It may not look which of the two the column holds: the line that is wrong is refused, and nothing is paid."""
    for column, bits in {"smoker": False, "ill": True}.items():
        asked = ["habits.csv", "--by", "clinic", "--count", column, "--epsilon", "1"]
        plan = invoke("plan", *asked)
        budget, release = to_copy(plan)
        assert "warning: " in plan and release[4:-6] == [
            "--answers",
            column,
            "yes,no",
            "--epsilon",
            "1",
        ]
        rows = f"if each row is a group: --count {column} --size COLUMN (how many people it has)"
        assert rows in plan and rows not in invoke("plan", *asked, "--unit", "age"), (
            "of rows that may be groups"
        )
        assert (
            f"in place of yes,no: the words of {column}," in plan
            and f"of 0 and 1, --count {column}" in " ".join(plan.split())
        )
        invoke(*budget)
        if bits:
            refused(*release)
            assert invoke("ledger", "show", "budget.db").split()[5:8] == ["1", "0", "1"], (
                "nothing was paid"
            )
            release[4:7] = ["--count", column]
        invoke(*release)
        for made in (habits / "budget.db", habits / "published"):
            shutil.rmtree(made) if made.is_dir() else made.unlink()


def test_a_plan_ends_with_the_release_to_copy(habits):
    asked = [
        "habits.csv",
        "--by",
        "clinic",
        "--count-as",
        "smokers",
        "smoker = 'yes'",
        "--epsilon",
        "1",
    ]
    paid = ["--ledger", "budget.db", "--dataset", "habits"]
    budget, words = to_copy(invoke("plan", *asked, "--details", "--progress", "none"))
    assert words == ["release", *asked, *paid, "--output", "published"]
    assert budget == ["ledger", "open", "budget.db", "habits", "--budget", "1"], (
        "enough for this release"
    )
    invoke(*budget), invoke(*words)
    again = invoke("plan", *asked, "--ledger", "budget.db", "--dataset", "habits")
    spent = ["ledger", "show", "budget.db", "habits"]
    more = [
        "ledger",
        "set-budget",
        "budget.db",
        "habits",
        "--budget",
        "2",
        "--reason",
        "WHY",
        "--by",
        "WHO",
    ]
    assert "DOES NOT FIT" in again and to_copy(again) == [spent, more], (
        "a ledger that is named is not advised"
    )
    there = invoke("plan", *asked)
    found = (
        "warning: the ledger found here, budget.db, has 0 left for habits: this release costs 1\n"
    )
    assert found in there and to_copy(there) == [spent, more], (
        "and no second budget for people who have one"
    )
    Path("staff.csv").write_bytes(Path("habits.csv").read_bytes())
    others = invoke("plan", "staff.csv", *asked[1:])
    said = (
        "warning: no budget in budget.db pays for this release, which costs 1: habits has 0 left\n"
    )
    own = ["ledger", "open", "budget.db", "NAME", "--budget", "1"]
    assert said in others and to_copy(others) == [spent, more, own], (
        "never first, nor as it stands, round the budget"
    )
    invoke("ledger", "open", "budget.db", "half", "--budget", "0.5")
    others = invoke("plan", "staff.csv", *asked[1:])
    assert "habits has 0 left, half has 0.5 left\n" in others and to_copy(others)[0] == spent[:-1]
    assert "what is left of half pays for a smaller epsilon, up to 0.5:\n" in others
    less = to_copy(others)[1]
    assert less == ["plan", "staff.csv", *asked[1:-1], "0.5"]
    assert "release it, if these people have a budget" in invoke(*less), "the line works"
    invoke(
        "ledger",
        "set-budget",
        "budget.db",
        "habits",
        "--budget",
        "3",
        "--reason",
        "more",
        "--by",
        "me",
    )
    there = invoke("plan", *asked)
    assert "release it (budget.db has 2 left for habits):\n" in there
    assert to_copy(there) == [["release", *asked, *paid, "--output", "published2"]], (
        "a folder that is not there yet"
    )


def test_a_release_without_a_budget_says_so_in_one_line_with_the_options_that_are_missed_before_it_draws(
    habits, monkeypatch
):
    monkeypatch.setattr(request, "_told", set())
    asked = ["habits.csv", "--by", "clinic", "--count", "ill", "--epsilon", "1"]
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        text = invoke("release", *asked, "-q", "-o", "published")
    first = "warning: nothing adds up what releases cost: add --ledger FILE --dataset NAME\n"
    assert (
        first in text
        and len(first) <= 80
        and text.index("report it with: ")
        and "--ledger" not in text.replace(first, "")
    )
    opened = invoke(
        "release", *asked, "-o", "out2", "--ledger", "budget.db", "--dataset", "habits", code=2
    )
    assert "discreet ledger open budget.db habits --budget 1" in opened, (
        "whoever follows it learns how to open one"
    )

    def never(*_):
        raise InvalidInput("source", "is never drawn")

    monkeypatch.setattr(request, "_told", set())
    monkeypatch.setattr("discreet.tables.releasing._spend_and_draw", never)
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        undrawn = invoke("release", *asked, "-q", "-o", "out3", code=2)
    assert undrawn.index(first) < undrawn.index("is never drawn")


def test_a_plan_of_another_file_takes_the_one_dataset_that_there_is_or_lists_those_of_the_ledger(
    habits,
):
    """A second budget for the same people would not add up; whose rows these are, only the reader knows."""
    asked = ["habits.csv", "--by", "clinic", "--count", "ill", "--epsilon", "1"]
    invoke("ledger", "open", "budget.db", "patients", "--budget", "2")
    words = [
        "release",
        *asked[:3],
        "--answers",
        "ill",
        "yes,no",
        *asked[5:],
        "--ledger",
        "budget.db",
        "--dataset",
    ]
    plan = invoke("plan", *asked)
    assert (
        "release it, if these people are patients (2 left; others need their own budget):" in plan
    )
    assert to_copy(plan) == [[*words, "patients", "--output", "published"]], "one dataset, one line"
    invoke("ledger", "open", "budget.db", "staff", "--budget", "2")
    plan = invoke("plan", *asked)
    assert "release it, if these people have a budget in budget.db:" in plan
    assert "in place of DATASET, their name there: patients (2 left), staff (2 left)\n" in plan
    opened = ["ledger", "open", "budget.db", "habits", "--budget", "1"]
    assert to_copy(plan) == [[*words, "DATASET", "--output", "published"], opened]
    elsewhere = habits / "elsewhere"
    elsewhere.mkdir()
    for name in ("habits.csv", "budget.db"):
        (habits / name).rename(elsewhere / name)
    (_, *words), _ = to_copy(invoke("plan", "elsewhere/habits.csv", *asked[1:]))
    assert words[words.index("--ledger") + 1] == "elsewhere/budget.db", "beside the file"


def test_a_plan_advises_a_budget_for_its_release_and_no_release_that_does_not_fit(habits):
    asked = [
        "habits.csv",
        "--by",
        "clinic",
        "--count-as",
        "smokers",
        "smoker = 'yes'",
        "--epsilon",
        "1",
    ]
    of_alpha = invoke("plan", *asked[:-2], "--alpha", "10/11")
    budget = Fraction(of_alpha.partition("habits --budget ")[2].split()[0])
    once = dc.plan("habits.csv", by="clinic", count="age > '9'", alpha="10/11").epsilon
    assert 0 <= budget - once < Fraction(1, 10**9)
    invoke("ledger", "open", "b.db", "d", "--budget", "1/2")
    refusal = invoke("plan", *asked, "--ledger", "b.db", "--dataset", "d")
    assert "DOES NOT FIT" in refusal
    shown, less, more = to_copy(refusal)
    assert (shown[:2], more[:2]) == (["ledger", "show"], ["ledger", "set-budget"])
    assert "what is left pays for a smaller epsilon, up to 0.5:\n" in refusal and "0.5" in less
    assert "DOES NOT FIT" not in invoke(*less)


def test_compare_says_that_a_shape_is_an_argument():
    for option in ("--properties", "-p"):
        assert 'discreet compare "WH CM" GM' in refused(
            "compare", option, "CM", "--n", "4", "--epsilon", "1"
        )


def test_an_option_that_there_is_not_is_refused_in_the_style_of_other_errors():
    bye = refused("plan", "--bye")
    assert bye.startswith("error: --bye is no option of ") and " plan: did you mean --by?\n" in bye
    unknown = refused("design", "-p", "XX", "--n", "4", "--epsilon", "1")
    assert "S, ODP; discreet help properties says what they mean" in unknown
    assert "help properties" not in refused("design", "-p", "MC", "--n", "4", "--epsilon", "1"), (
        "one is near"
    )


def test_a_release_that_is_not_there_is_answered_with_those_that_are(habits):
    asked = ["habits.csv", "--by", "clinic", "--answers", "smoker", "yes,no", "--epsilon", "1"]
    assert "zzz does not exist: check the path" in refused("estimate", "zzz")
    invoke("release", *asked, "-q", "-o", "june")
    assert "error: zzz does not exist: the only release here is june" in refused("estimate", "zzz")
    invoke("release", *asked, "-q", "-o", "april")
    for command in ("estimate", "report", "verify"):
        assert "error: zzz does not exist: choose from april, june" in refused(command, "zzz")
    assert "did you mean june?" in refused("estimate", "jun"), "the nearest"
    assert "elsewhere/zzz does not exist: nor does its folder" in refused(
        "estimate", "elsewhere/zzz"
    )


def test_what_a_release_may_refuse_stands_before_the_table_of_a_plan(habits):
    plan = invoke(
        "plan",
        "habits.csv",
        "--by",
        "clinic",
        "--answers",
        "smoker",
        "Yes,No",
        "--epsilon",
        "1",
        "-q",
    )
    first, _, _ = plan.partition("\n\n")
    assert "  Not compared with the data yet: smoker (Yes, No). A release does that before" in first
    assert plan.count("Not compared") == 1


def test_a_plan_of_single_persons_has_no_release_to_copy(habits):
    asked = ["--count-as", "sick", "ill = '1'", "--epsilon", "1"]
    assert not to_copy(invoke("plan", "habits.csv", "--by", "age", *asked))
    assert to_copy(invoke("plan", "habits.csv", "--by", "clinic", *asked))


def test_where_there_is_no_ledger_the_line_that_opens_one_has_the_name_and_the_price_that_were_given(
    habits,
):
    asked = ["habits.csv", "--by", "clinic", "--count", "ill", "--ledger", "budget.db"]
    said = refused("plan", *asked, "--epsilon", "1/2", "--dataset", "clinics")
    assert said.strip().endswith("discreet ledger open budget.db clinics --budget 0.5"), (
        "enough for it"
    )
    assert (
        "(patients is a name of your choice):\n  discreet ledger open budget.db patients --budget 3\n"
        in refused("release", *asked, "--epsilon", "3", "-o", "x")
    )
    assert "--budget 1" in refused("plan", *asked, "--alpha", "1/2", "--dataset", "clinics")
