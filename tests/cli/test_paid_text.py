"""What a release says of paying: notes once and before it, errors alone, and whom a group of one is."""

import warnings

import pytest
from tests.cli.test_frame import invoke
from tests.conftest import require

import discreet as dc
from discreet.cli import paid_text
from discreet.ledger import open_ledger

require("tables")

WORDS = [
    "people.csv",
    "--by",
    "clinic",
    "--count-as",
    "smokers",
    "smoker = 'yes'",
    "--unit",
    "person",
]
PAID = ["--ledger", "budget.db", "--dataset", "clinics"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"{k},clinic {k % 4},{'yes' if k % 3 else 'no'},town {k % 5}" for k in range(32)]
    (tmp_path / "people.csv").write_text("\n".join(["person,clinic,smoker,town", *rows, ""]))
    invoke("ledger", "open", "budget.db", "clinics", "--budget", "2")
    return tmp_path


def test_the_note_on_words_is_said_once_and_before_anything_is_paid(folder, monkeypatch):
    said = []
    monkeypatch.setattr(
        paid_text,
        "say",
        lambda text, *, err: said.append(
            (text, err, open_ledger("budget.db").remaining("clinics"))
        ),
    )
    text = invoke("release", *WORDS, "--epsilon", "1", *PAID, "-o", "out")
    ((note, err, left),) = said
    assert (
        note.startswith(
            "warning: only rows where smoker is exactly 'yes' are counted; 'Yes' is not."
        )
        and err
        and left == 2
    )
    assert "exactly" not in text and "1 spent now" in text
    invoke("release", *WORDS, "--epsilon", "1", "-o", "free")
    assert len(said) == 2, "without a ledger, too"


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (["--epsilon", "3", *PAID], "does not fit the budget"),
        (["--epsilon", "1", "--ledger", "budget.db", "--dataset", "clinic"], "no budget is open"),
        (["--epsilon", "1", *PAID, "--unit", "town"], "must identify people"),
        (["--epsilon", "1", *PAID, "--by", "nobody"], "must name columns"),
    ],
)
def test_an_error_stands_alone(folder, change, error):
    words = WORDS[:-2] if "--unit" in change else WORDS
    text = invoke("release", *words, *change, "-o", "out", code=2 if "3" not in change else 3)
    assert text.startswith("error: ") and error in text and "exactly" not in text
    assert ("Nothing was spent" in text) == (error != "no budget is open")


def test_groups_of_single_persons_are_warned_of(folder):
    alone = [
        "people.csv",
        "--by",
        "person",
        "--count-as",
        "smokers",
        "smoker = 'yes'",
        "--epsilon",
        "1",
    ]
    warning = "warning: most groups (32 of 32) are single persons: each one's answer is published, with noise"
    (folder / "keys.csv").write_text("clinic\nclinic 0\nclinic 1\n")
    capped = [
        "people.csv",
        "--by",
        "clinic",
        "--answers",
        "smoker",
        "yes,no",
        "--epsilon",
        "1",
        "--unit",
        "person",
    ]
    capped += ["--cap", "1", "--keys", "keys.csv", "--other-keys", "drop", "--excess", "drop"]
    capped += ["--answer-other", "smoker", "no", "--answer-nulls", "smoker", "no"]
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        planned, released = invoke("plan", *alone), invoke("release", *alone, *PAID, "-o", "out")
        usual, hidden = invoke("plan", *WORDS, "--epsilon", "1"), invoke("plan", *capped)
    for text in (planned, released):
        assert (
            warning in text
            and "Group by something that people share, and name who is who with --unit" in text
        )
        assert "; or, if each row is a group, how many people it has: --size COLUMN" in text
    assert "released smokers for 32 groups of 1 person each at epsilon 1" in released
    assert "single persons" not in usual and "single persons" not in hidden
    assert "Parquet" not in released, "the source is CSV"
    text = invoke("release", *WORDS, "--epsilon", "1", *PAID, "--format", "parquet", "-o", "more")
    assert (
        "for 4 groups of 8 people each at" in text
        and "this is Parquet, for programs; --format csv" in text
    )


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"epsilon": "0.5"}, "properties='CM'"),
        ({"epsilon": "0.2"}, "properties='RM CM'"),
        ({"epsilon": "0.7"}, ""),
        ({"epsilon": "0.5", "properties": "F"}, ""),
        ({"epsilon": "0.5", "count": {"smoker": ["yes", "no", "unsaid"]}}, ""),
    ],
)
def test_a_plan_mentions_what_single_numbers_may_want(folder, asked, said):
    plan = dc.plan(
        "people.csv", by="clinic", unit="person", **({"count": {"s": "smoker = 'yes'"}} | asked)
    )
    for details, why in (
        (True, "consider noise by which no farther answer is likelier, on each side of the truth"),
        (False, ""),
    ):
        text = " ".join([*plan.text(details=details).split(), ""])
        assert (
            why in text and f": `{said}` " in f"{text} "
            if said and details
            else "consider" not in text
        )


def test_options_of_other_commands_are_named(folder):
    assert "discreet ledger open budget.db patients --budget 1" in invoke(
        "plan", *WORDS, "--budget", "3", code=2
    )
    assert "discreet estimate published --by region" in invoke(
        "report", "published", "--by", "region", code=2
    )


def test_a_picture_has_a_name_unless_one_is_given(folder):
    assert "wrote mechanism.png; -o FILE writes it elsewhere" in invoke(
        "plot", "EM", "-n", "3", "--epsilon", "1"
    )
    assert (folder / "mechanism.png").is_file()
    assert "error: mechanism.png exists already: give another --output" in invoke(
        "plot", "GM", "-n", "3", "--epsilon", "1", code=2
    )
    assert invoke("plot", "GM", "-n", "3", "--epsilon", "1", "-o", "mechanism.png").endswith(
        "wrote mechanism.png\n"
    )


def test_a_folder_in_place_of_a_file_is_refused_with_what_reads_it(folder):
    (folder / "out").mkdir()
    assert "out is a folder, and a file is needed: name a file in it" in invoke(
        "draw", "out", "3", code=2
    )
    (folder / "out" / "manifest.json").write_text("{}")
    assert "discreet estimate out reads it" in invoke("draw", "out", "3", code=2)
