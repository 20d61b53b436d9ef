"""What a message recommends works: every line and every value that our own errors tell a person to type."""

import ast
import inspect
import re
import shlex

import click
import pytest
from tests.cli.test_frame import invoke
from tests.cli.test_shared import command
from tests.cli.test_work import people  # noqa: F401 - a fixture
from tests.conftest import require
from tests.core.test_errors import errors_in_the_source

import discreet as dc
from discreet.cli import _COMMANDS
from discreet.cli.config import SETTINGS
from discreet.cli.shared import Words
from discreet.ledger import Ledger, open_ledger
from discreet.ledger.parameters import first_budget, ledger_command
from discreet.reading.estimates import Estimate
from discreet.show.charts import KINDS

require("tables")

VERBS = [getattr(dc, name) for name in dc._HOME if inspect.isfunction(getattr(dc, name))] + [
    Ledger.backup,
    Estimate.change,
]


def mentions():
    found = {
        (*pair, place)
        for place, text in errors_in_the_source()[0]
        for pair in re.findall(r"`([a-z_]+)=([^`]+)`", text)
    }
    assert len(found) > 20
    assert {"count", "read", "nulls", "public", "overwrite", "gap", "kind"} <= {
        name for name, _, _ in found
    }
    return sorted(found)


def test_a_value_that_is_recommended_is_python_and_a_line_of_the_shell():
    for name, value, place in mentions():
        check_recommended(name, value, place)


def check_recommended(name, value, place):
    assert any(name in inspect.signature(verb).parameters for verb in VERBS), place
    filled = re.sub(
        r"(?<![\w'])[XK](?![\w'])", "'X'", value
    )  # what the message fills in, or the reader
    ast.literal_eval(filled)
    taken = 0
    for each in (
        command(word) for word in _COMMANDS if (name, word) != ("count", "estimate")
    ):  # of a release made
        if name in {parameter.name for parameter in each.params}:
            with click.Context(each) as ctx:
                words = shlex.split(Words(ctx)(name, filled))
                each.make_parser(ctx).parse_args(list(words))
                assert words and not [word for word in words if word.startswith(("[", "{"))], place
                taken += 1
    assert taken or name in ("mechanism", "sizes", "cache", "title", "same_quantity"), place


def test_every_command_that_is_named_exists():
    found = 0
    for place, text in errors_in_the_source()[0]:
        for name, rest in re.findall(r"(?<=[`:] )discreet ([a-z]+) ?([a-z-]*)", text):
            assert name in _COMMANDS, (place, text)
            group = command(name)
            assert not isinstance(group, click.Group) or rest in group.commands, (place, text)
            found += 1
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", text):
            known = {
                opt for name in _COMMANDS for each in every(command(name)) for opt in options(each)
            }
            assert option in known, (place, option)
    assert found


def every(group: click.Command):
    return group.commands.values() if isinstance(group, click.Group) else [group]


def options(each: click.Command) -> list[str]:
    return [opt for parameter in each.params for opt in parameter.opts]


def test_every_function_that_is_named_exists():
    for place, text in errors_in_the_source()[0]:
        for name in re.findall(r"\bdc\.([a-z_]+)", text):
            assert name in dc.__all__, (place, text)
        for name in re.findall(r"\bledger\.([a-z_]+)\(", text):
            assert hasattr(Ledger, name), (place, text)
        for name in re.findall(r"\bkind='([a-z]+)'", text):
            assert name in KINDS, (place, text)


def test_no_message_leaves_a_place_for_a_name_that_is_known():
    for place, text in errors_in_the_source()[0]:
        assert not re.search(r"\b(LEDGER|DATASET|RELEASE_ID)\b", text), (place, text)


def test_lines_about_a_ledger_run_as_they_stand(people):  # noqa: F811
    where = "a budget's.db"
    told = invoke("release", "people.csv", *SMOKERS, "-o", "out", "--ledger", where, code=2)
    assert first_budget(where) in told
    invoke(*shlex.split(ledger_command("open", where, "people", "--budget", "1"))[1:])
    told = invoke(
        "release",
        "people.csv",
        *SMOKERS,
        "-o",
        "out",
        "--ledger",
        where,
        "--dataset",
        "x y",
        code=2,
    )
    invoke(*shlex.split(re.search(r"(?<=with: discreet ).*", told)[0]))
    told = invoke("ledger", "open", where, "people", "--budget", "2", code=2)
    told = re.sub(r" \\\n\s*", " ", told)  # a line to copy goes on after a backslash
    invoke(*shlex.split(re.search(r"(?<=discreet )ledger set-budget .*", told)[0]))
    assert open_ledger(where).remaining("people") == 2
    told = invoke("ledger", "give-back", where, "x", "--reason", "r", "--by", "me", code=2)
    for shown in re.findall(r"discreet (ledger show [^;\n]*)", told):
        invoke(*shlex.split(shown))
    open_ledger(where).reserve("people", "3/2", release_id="first")
    told = invoke(
        "release",
        "people.csv",
        *SMOKERS,
        "-o",
        "out",
        "--ledger",
        where,
        "--dataset",
        "people",
        code=3,
    )
    invoke(*shlex.split(re.search(r"(?<=discreet )ledger give-back .*(?= returns)", told)[0]))
    assert open_ledger(where).remaining("people") == 2


def test_an_empty_ledger_says_what_to_type(people):  # noqa: F811
    open_ledger("new.db")
    assert first_budget("new.db") in invoke("ledger", "show", "new.db")


SMOKERS = ["--by", "clinic", "--count", "smoker", "--epsilon", "1"]


@pytest.mark.parametrize(
    ("header", "row", "words", "recommended"),
    [
        ("clinic,smoker", "a,yes", SMOKERS, r"(--answers smoker yes,no)"),
        ("clinic,smoker", "a,1", ["--count", "smoker", "--epsilon", "1"], r"(--total)"),
        ("clinic,smoker", "a,yes", ["--total", "--epsilon", "1"], r"(--answers smoker yes,no)"),
        ("clinic,smoker", "a,", SMOKERS, r"(--nulls 0)"),
        ("clinic,smoker,age", "a,1,7", [*SMOKERS, "--count", "age > 64"], r"(--type age=INTEGER)"),
        (
            "clinic,n",
            "a,1",
            ["--by", "clinic", "--count", "n", "--epsilon", "1"],
            r"(--count-as n_count n)",
        ),
        ("clinic,smoker", "a,1", [*SMOKERS, "--where", "smoker = '1'"], r"(--public smoker)"),
    ],
)
def test_following_the_advice_helps(people, header, row, words, recommended):  # noqa: F811
    (people.parent / "t.csv").write_text(f"{header}\n{row}\n")
    told = invoke("release", "t.csv", *words, "-o", "out", code=2)
    advice = re.search(recommended, told)
    assert advice, told
    given = shlex.split(advice[1])
    if not given[0].startswith("--"):
        given = ["--count", *given]
    if given[0].startswith(("--count", "--answers")) and "--count" in words:
        place = words.index("--count")
        words = words[:place] + words[place + 2 :]
    invoke("release", "t.csv", *words, *given, "-o", "out")


def test_settings_that_are_recommended_are_keys_of_a_file():
    for name, _, place in mentions():
        if "tables" in place:
            assert name in SETTINGS, place


@pytest.mark.parametrize(
    "wish", [[], ["-p", "CM"], ["--properties=F"], ["-p", "WH"], ["-p", "RM CM S"]]
)
def test_what_recommend_says_to_type_makes_what_it_recommends(wish, tmp_path):
    asked = ["--n", "8", "--epsilon", "0.25"]
    said = invoke("recommend", *asked, *wish)
    line = re.search(r"make it with: discreet (.*) -o m\.json", said)[1]
    made = tmp_path / "m.json"
    invoke(*shlex.split(line), "-o", str(made))
    shape = "".join(wish).removeprefix("-p").removeprefix("--properties=") or None
    assert dc.load(made) == dc.recommend(n=8, epsilon="0.25", properties=shape).mechanism


def test_estimates_by_group_say_when_most_are_too_noisy_to_quote(tmp_path):
    rows = [f"{area},{area}-{k},{k % 2}" for area in range(12) for k in range(4)]
    (tmp_path / "a.csv").write_text("\n".join(["area,person,poor", *rows, ""]))
    said = []
    for draw, epsilon in enumerate(
        ("20", *["0.25"] * 8)
    ):  # about one draw in six looks as if all groups were alike
        out = tmp_path / f"out{draw}"
        dc.release(
            tmp_path / "a.csv", by="area", count="poor", unit="person", epsilon=epsilon, output=out
        )
        told = " ".join(invoke("estimate", str(out), "--by", "area").split())
        said.append("Too noisy to quote alone: 12 of 12 numbers" in told)
    assert not said[0] and any(said[1:]), "a false alarm in about one of a million"


@pytest.mark.parametrize(("n", "epsilon"), [(8, "1/4"), (8, "1"), (30, "1"), (2, "9")])
def test_recommend_calls_single_groups_what_a_plan_calls_them(n, epsilon, tmp_path):
    (tmp_path / "a.csv").write_text(
        "\n".join(["clinic,ill", *(f"{k // n},0" for k in range(3 * n)), ""])
    )
    asked = ["--by", "clinic", "--count", "ill", "--epsilon", epsilon]
    verdicts = [
        re.search(r"Single groups: (exact|good|usable|rough|very rough|too noisy) \(", text)[1]
        for text in (
            invoke("plan", str(tmp_path / "a.csv"), *asked),
            invoke("recommend", "-n", str(n), "--epsilon", epsilon),
            invoke("recommend", "-n", str(n), "--epsilon", epsilon, "--details"),
        )
    ]
    assert len(set(verdicts)) == 1
