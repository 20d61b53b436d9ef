"""Errors speak the language of the command line: options, not Python; in a run from a file, its keys."""

import inspect
import re
from pathlib import Path

import click
import pytest
from tests.cli.test_frame import invoke
from tests.cli.test_work import ASKED, people  # noqa: F401 - a fixture
from tests.conftest import require

import discreet as dc
from discreet.cli import _COMMANDS, app
from discreet.cli.config import OF_A_RELEASE_ONLY, SETTINGS
from discreet.cli.shared import Words

VERBS = (dc.design, dc.compare, dc.census, dc.audit, dc.estimate, dc.plan, dc.release)
PARAMETERS = {name for verb in VERBS for name in inspect.signature(verb).parameters}
PYTHON = re.compile(rf"(?<!--read )\b({'|'.join(sorted(PARAMETERS))})=")


def command(name: str) -> click.Command:
    return app.get_command(click.Context(app), name)


def refused(*words: str) -> str:
    """Run a command that is refused, and hold its words to the rule: none of them is Python's."""
    text = invoke(*words, code=4 if words[-2:] == ("--seconds", "0") else 2)
    assert not PYTHON.search(text), text
    mentioned = set(re.findall(r"`([a-z_]+)`", text))
    assert not mentioned & PARAMETERS or "--config" in words, text
    text_alone = text.partition("such as:\n  discreet")[0].replace(
        "\\\n", ""
    )  # a command is one line
    told = [
        line for line in text_alone.splitlines() if not line.startswith("discreet: ")
    ]  # progress, on a busy machine
    assert len([line for line in told if not line.startswith("  - ")]) <= 2, (
        "but for remedies, one in a line, and an example"
    )
    return text


@pytest.mark.parametrize(
    "name", ["design", "compare", "plan", "release", "audit", "recommend", "census", "estimate"]
)
def test_every_parameter_of_the_verb_is_an_option(name):
    left_to_python = {
        "design": {"cache"},  # --no-cache
        "audit": {"box", "claimed_epsilon", "claimed_alpha", "vectorised", "columns", "name"},
        "estimate": {"mechanism", "sizes"},
    }
    options = {parameter.name for parameter in command(name).params}
    assert set(inspect.signature(getattr(dc, name)).parameters) - options == left_to_python.get(
        name, set()
    )


def test_every_setting_of_a_file_is_a_parameter_of_the_release():
    parameters = set(inspect.signature(dc.release).parameters) - {"progress"}
    assert set(SETTINGS) == parameters
    assert parameters - set(OF_A_RELEASE_ONLY) == set(inspect.signature(dc.plan).parameters) - {
        "progress"
    }


@pytest.mark.parametrize(
    ("name", "value", "spelled"),
    [
        ("overwrite", None, "--overwrite"),
        ("overwrite", "True", "--overwrite"),
        ("contributions", "K", "--contributions K"),
        ("nulls", "'0'", "--nulls 0"),
        ("memory_limit", "'1 GiB'", "--memory-limit '1 GiB'"),
        ("public", "['age', 'a b']", "--public age --public 'a b'"),
        ("read", "{'encoding': 'latin-1'}", "--read encoding=latin-1"),
        ("read", "{'types': {'age': 'INTEGER'}}", "--type age=INTEGER"),
        ("count", "{'mood': ['low', 'very low']}", "--answers mood 'low,very low'"),
        (
            "count",
            "{'mood': ['low', 'high, or so']}",
            "--answer mood low --answer mood 'high, or so'",
        ),
        ("source", None, "the table"),
        ("unheard_of", None, "unheard_of"),
    ],
)
def test_a_parameter_is_said_as_its_option(name, value, spelled):
    with click.Context(command("release")) as ctx:
        assert Words(ctx)(name, value) == spelled


@pytest.mark.parametrize(
    ("name", "value", "spelled"),
    [
        ("overwrite", "True", "'overwrite = true'"),
        ("public", "['age']", "'public = [\"age\"]'"),
        ("read", "{'types': {'age': 'INTEGER'}}", '\'read = {"types" = {"age" = "INTEGER"}}\''),
        ("contributions", "K", "'contributions = K'"),
        ("epsilon", None, "'epsilon'"),
    ],
)
def test_in_a_run_from_a_file_it_is_said_as_its_key(name, value, spelled):
    with click.Context(command("release")) as ctx:
        ctx.params["config"] = "release.toml"
        assert Words(ctx)(name, value) == spelled


TABLE = ["people.csv", "--by", "clinic", "--count", "smoker", "--epsilon", "1"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["design", "-n", "4"], "--epsilon or --alpha must be given: e.g. --epsilon 0.5"),
        (["design", "-n", "4", "--epsilon", "1", "--gap", "2"], "--gap must be in [0, 1]"),
        (
            ["design", "-n", "4", "--epsilon", "1", "--seconds", "-1"],
            "--seconds must be between 0 and",
        ),
        (["design", "-n", "-4", "--epsilon", "1"], "--n must be at least 0"),
        (["design", "-n", "4", "--epsilon", "1", "--loss", "L9x"], "--loss is not a known loss"),
        (["design", "-n", "4", "--epsilon", "1", "--prior", "x"], "--prior is not a known prior"),
        (["design", "-n", "4", "--epsilon", "1", "-p", "ODP:9"], "--properties"),
        (["design", "-n", "4", "--epsilon", "1/0"], "--epsilon must be a finite number"),
        (
            ["design", "-n", "700", "--epsilon", "1", "-p", "WH", "--loss", "L1"],
            "n = 700 is too large",
        ),
        (
            [
                "design",
                "-n",
                "25",
                "--epsilon",
                "0.1",
                "-p",
                "WH CM RM",
                "--loss",
                "L1",
                "--seconds",
                "0",
            ],
            "--seconds, or accept a --gap",
        ),
        (["recommend", "-n", "4", "--alpha", "2"], "--alpha must be in (0, 1]"),
        (["compare", "XX", "-n", "4", "--alpha", "1/2"], "MECHANISMS has an unknown name (XX)"),
        (["compare", "GM", "-n", "4"], "--epsilon or --alpha must be given"),
        (
            ["compare", "GM EM", "-n", "4", "--alpha", "1/2"],
            "MECHANISMS has a name among properties",
        ),
        (["compare", "staircase", "-n", "4", "--alpha", "1"], "--alpha must be below 1"),
        (
            ["plot", "-o", "x.png"],
            "--n and --epsilon (or --alpha) are needed: give --n 8 --epsilon 0.5",
        ),
        (["plot", "EM", "-n", "4", "--epsilon", "1", "-o", "x.gif"], "--output must end in"),
        (
            ["plot", "EM", "-n", "4", "--epsilon", "1", "-o", "x.png", "--kind", "pie"],
            "--kind must be one of heatmap, columns",
        ),
        (["audit", "-n", "4"], "COMMAND or --table must be given"),
        (
            ["audit", "no-such-program", "-n", "4", "--epsilon", "1"],
            "COMMAND must be a command that runs",
        ),
        (
            ["audit", "true", "-n", "4", "--epsilon", "1"],
            "COMMAND must print one line for each count",
        ),
        (["audit", "false", "-n", "4", "--epsilon", "1"], "COMMAND must exit with status 0"),
        (
            ["audit", "sleep 9", "-n", "4", "--epsilon", "1", "--timeout", "0.2"],
            "raise --timeout, or ask for fewer --draws or more --calls",
        ),
        (
            ["audit", "'", "-n", "4", "--epsilon", "1"],
            "COMMAND must be a command that can be split",
        ),
        (["audit", "--table", "people.csv", "-n", "4", "--epsilon", "1"], "--table"),
        (
            ["audit", "cat", "-n", "4", "--epsilon", "1", "--confidence", "2"],
            "--confidence must be between 0 and 1",
        ),
        (["paper", "heatmap"], "did you mean heatmaps?"),
        (["plan", *TABLE, "--split", "smoker=-1"], "--split must be positive"),
        (
            ["plan", *TABLE, "--levels", "roll"],
            "--levels must be rollup or cube, or each level by its keys, not roll: did you mean rollup?",
        ),
        (
            ["plan", *TABLE, "--levels", "cube"],
            "--levels needs two keys in --by for a cube, not 1: give --levels rollup",
        ),
        (
            ["plan", *TABLE, "--levels", "clinic", "--levels", "town"],
            "--levels must name keys that are in --by, not town",
        ),
        (
            ["plan", *TABLE, "--level-split", "total=0.1"],
            "--level-split needs --levels: such as --levels rollup",
        ),
        (
            ["plan", *TABLE, "--levels", "rollup", "--level-split", "total"],
            "--level-split must be NAME=VALUE",
        ),
        (
            ["plan", *TABLE, "--levels", "rollup", "--level-split", "nation=0.1"],
            "--level-split must name levels of the release, not nation",
        ),
        (
            ["plan", *TABLE, "--levels", "rollup", "--level-importance", "total=-1"],
            "--level-importance must be numbers",
        ),
        (["plan", *TABLE, "--mechanism", "none.json"], "none.json"),
        (["plan", *TABLE, "--mechanism", "people.csv"], "people.csv: file is not a proof file"),
        (["release", *TABLE], "--output is needed"),
        (
            ["release", *TABLE, "-o", "there"],
            "there exists already: choose another --output, or give --overwrite",
        ),
        (["release", *TABLE, "-o", "out.csv"], "--format chooses the kind of table"),
        (["release", *TABLE, "-o", "no/such/out"], "--output must be in a folder that exists"),
        (["release", *TABLE, "-o", "out", "--alpha", "1/2"], "exactly one of them, not both"),
        (
            ["release", *TABLE, "-o", "out", "--unit", "age"],
            "give --contributions K to pay for K rows each, and --excess drop",
        ),
        (
            ["release", *TABLE, "-o", "out", "--contributions", "0"],
            "--contributions must be at least 1",
        ),
        (["release", *TABLE, "-o", "out", "--excess", "drop"], "--excess needs --unit"),
        (
            ["release", *TABLE, "-o", "out", "--size", "9", "--unit", "person"],
            "--unit is for tables of people, and --size says",
        ),
        (
            ["release", *TABLE, "-o", "out", "--where", "smoker = '1'"],
            "say so with --public smoker",
        ),
        (
            ["release", *TABLE, "-o", "out", "--where", "sum(age) > 1"],
            "--where must look at one row only",
        ),
        (
            ["release", *TABLE, "-o", "out", "--count-as", "n", "age > '5'"],
            "rename with --count-as n_count \"age > '5'\"",
        ),
        (
            ["release", *TABLE, "-o", "out", "--count-as", "old", "age > 64"],
            "give --type age=INTEGER",
        ),
        (
            ["release", *TABLE, "-o", "out", "--answer", "age", "1"],
            "--answer gives one answer of age each time",
        ),
        (
            ["release", *TABLE, "-o", "out", "--answer", "age", "1", "--answer", "age", "2"],
            "count as, --answer-other",
        ),
        (
            ["release", *TABLE, "-o", "out", "--answer-other", "age", "1"],
            "--answer-other must name a question",
        ),
        (
            ["release", *TABLE, "-o", "out", "--answer-as", "q", "a", "age > '5'"],
            "must have 2 to 64 answers for q",
        ),
        (["release", *TABLE, "-o", "out", "--keys", "keys.csv"], "--other-keys drop"),
        (["release", *TABLE, "-o", "out", "--keys", "none.csv"], "none.csv"),
        (
            ["release", *TABLE, "-o", "out", "--read", "delimeter=;"],
            "--read has no such option (delimeter)",
        ),
        (
            ["release", *TABLE, "-o", "out", "--read", "encoding=ebcdic"],
            "--read has an unknown encoding",
        ),
        (["release", *TABLE, "-o", "out", "--read", "x"], "--read must be NAME=VALUE"),
        (["release", *TABLE, "-o", "out", "--type", "x"], "--type must be NAME=VALUE"),
        (["release", *TABLE, "-o", "out", "--type", "age=INTEGR"], "--read"),
        (["release", *TABLE, "-o", "out", "--intervals", "2"], "--intervals must be a confidence"),
        (["release", *TABLE, "-o", "out", "--memory-limit", "lots"], "--memory-limit"),
        (["release", *TABLE, "-o", "out", "--threads", "0"], "--threads must be"),
        (["release", *TABLE, "-o", "out", "--temporary", "/no/such"], "--temporary"),
        (["release", *TABLE, "-o", "out", "--resume", "x"], "--resume needs the ledger"),
        (["release", *TABLE, "-o", "out", "--ledger", "two.db"], "give --dataset, one of a, b"),
        (
            ["release", *TABLE, "-o", "out", "--ledger", "new.db"],
            "discreet ledger open new.db patients --budget 1",
        ),
        (
            ["release", *TABLE, "-o", "out", "--ledger", "no/such/x.db"],
            "--ledger must be in a directory that exists",
        ),
        (
            ["release", *TABLE, "-o", "out", "--ledger", "people.csv"],
            "--ledger must be a ledger; this file is not a SQLite",
        ),
        (
            ["release", *TABLE, "-o", "out", "--ledger", "two.db", "--dataset", "c"],
            "it with: discreet ledger open two.db c --budget 2",
        ),
        (
            [
                "release",
                *TABLE,
                "-o",
                "out",
                "--ledger",
                "two.db",
                "--dataset",
                "a",
                "--resume",
                "x",
            ],
            "no reservation for release 'x'",
        ),
        (["release", "empty.csv", *TABLE[1:], "-o", "out"], "error: empty.csv is empty"),
        (
            ["release", "headed.csv", *TABLE[1:], "-o", "out"],
            "error: headed.csv has no rows to group: give --keys",
        ),
        (["release", "nulls.csv", *TABLE[1:], "-o", "out"], "--nulls 0 or --nulls 1"),
        (["release", "latin.csv", *TABLE[1:], "-o", "out"], "--read encoding=latin-1"),
        (["release", "people.dat", *TABLE[1:], "-o", "out"], "give --read format=csv"),
        (
            ["release", "people.csv", *TABLE[1:], "-o", "out", "--prior", "age"],
            "--prior must not be a column",
        ),
        (["ledger", "show", "none.db"], "error: none.db must be a ledger; there is no such file"),
        (["ledger", "show", "blank.db"], "error: blank.db must be a ledger; this place is empty"),
        (["ledger", "show", "mysql://x"], "error: mysql://x must be a path or a postgresql:// URL"),
        (
            ["ledger", "open", "two.db", "a", "--budget", "9"],
            "not 9: to change it:\n  discreet ledger set-budget two.db a \\\n      --budget 9 --reason WHY --by WHO",
        ),
        (["ledger", "open", "two.db", "c", "--budget", "-1"], "--budget must be"),
        (["ledger", "open", "two.db", "", "--budget", "1"], "DATASET must be a name"),
        (
            ["ledger", "set-budget", "two.db", "a", "--budget", "2", "--reason", "", "--by", "me"],
            "--reason must say something",
        ),
        (
            ["ledger", "give-back", "two.db", "x", "--reason", "r", "--by", "me"],
            "all are listed by discreet ledger show two.db a; discreet ledger show two.db b",
        ),
        (
            ["ledger", "give-back", "two.db", "x y", "--reason", "r", "--by", "me"],
            "RELEASE_ID must be",
        ),
        (["ledger", "verify", "two.db", "--head", "zzz"], "--head must be"),
        (
            ["ledger", "backup", "two.db", "people.csv"],
            "error: people.csv exists already: choose another, or give --overwrite",
        ),
        (
            ["ledger", "restore", "three.db", "people.csv"],
            "error: people.csv must be a ledger backup",
        ),
        (
            ["estimate", "people.csv"],
            "'people.csv' is not a release: a release is a folder made by 'discreet release': give that folder",
        ),
        (["estimate", "there", "--by", "x"], "--by must name a key column"),
        (["estimate", "there", "--count", "x"], "--count must name a count"),
        (["estimate", "there", "--confidence", "1"], "--confidence must be between 0 and 1"),
        (
            ["verify", "people.csv"],
            "people.csv: file is neither a proof nor a release: give a proof such as m.json",
        ),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else "",
)
def test_remedies_are_options(people, words, said):  # noqa: F811
    if words[0] == "plot":
        require("plots")
    folder = people.parent
    (folder / "keys.csv").write_text("clinic\n01\n")
    (folder / "empty.csv").write_text("")
    (folder / "blank.db").write_text("")
    (folder / "headed.csv").write_text("person,clinic,smoker\n")
    (folder / "nulls.csv").write_text("clinic,smoker\na,1\na,\n")
    (folder / "latin.csv").write_bytes("clinic,smoker\nZürich,1\n".encode("latin-1"))
    (folder / "people.dat").write_text(people.read_text())
    if "there" in words:
        invoke("release", *ASKED, "-o", "there")
    if "two.db" in words:
        invoke("ledger", "open", "two.db", "a", "--budget", "1")
        invoke("ledger", "open", "two.db", "b", "--budget", "1")
    before = {path.name for path in Path().iterdir()}
    assert said in refused(*words)
    assert {path.name for path in Path().iterdir()} - before <= {"new.db", "three.db"}, (
        "nothing is left behind"
    )


@pytest.mark.parametrize(
    ("settings", "words", "said"),
    [
        (
            'output = "there"',
            [],
            "there exists already: choose another 'output', or give 'overwrite = true'",
        ),
        (
            'output = "out"\nunit = "age"',
            [],
            "give 'contributions = K' to pay for K rows each, and 'excess = \"drop\"'",
        ),
        ('output = "out"\nepsilon = -1', [], "'epsilon' must be above 0, and at most 1000"),
        ('output = "out"', ["--epsilon", "-1"], "--epsilon must be above 0, and at most 1000"),
        ('output = "out"\nnulls = "drop"', [], "'nulls = \"0\"' or 'nulls = \"1\"'"),
    ],
)
def test_in_a_run_from_a_file_remedies_are_keys(people, settings, words, said):  # noqa: F811
    folder = people.parent
    (folder / "there").mkdir()
    start = 'source = "people.csv"\nby = "clinic"\ncount = "smoker"\n'
    epsilon = "" if "epsilon" in settings or words else "epsilon = 1\n"
    (folder / "release.toml").write_text(start + epsilon + settings)
    assert said in refused("release", "--config", "release.toml", *words)


def test_every_command_spells_its_errors():
    def every(group: click.Command):
        for name in getattr(group, "commands", {}):
            yield from every(group.commands[name])
        if not isinstance(group, click.Group):
            yield group

    found = [each for name in _COMMANDS for each in every(command(name))]
    assert len(found) > 20
    assert all(
        type(each).__name__ == "Command" and type(each) is not click.Command for each in found
    )


def test_an_option_that_takes_one_value_is_not_given_twice():
    assert "--epsilon is given 2 times, and takes one value" in refused(
        "recommend", "-n", "4", "--epsilon", "1/4", "--epsilon", "1"
    )
    assert "--n is given 2 times" in refused("design", "-n", "4", "--n", "5", "--epsilon", "1")
    assert (
        invoke("compare", "GM", "-n", "4", "-n", "5", "--epsilon", "1").count("usual noise (GM)")
        == 2
    ), "a grid"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--kind", "triangle"], "--kind triangle needs --categories 3"),
        (["--kind", "answers"], "--kind answers needs --categories"),
        (["--kind", "column"], "did you mean columns?"),
    ],
)
def test_a_picture_that_cannot_be_drawn_is_refused_in_the_words_of_the_shell(words, said):
    text = refused("plot", "EM", "-n", "4", "--epsilon", "1", "-o", "x.png", *words)
    assert said in text and "thing" not in text and "dc." not in text


def test_a_release_is_no_mechanism_and_it_is_said_what_draws_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "manifest.json").write_text("{}")
    assert "discreet estimate out --plot out.png" in refused("plot", "out")


def test_at_epsilon_0_a_design_says_that_nothing_can_be_learnt():
    for more in ([], ["--details"]):
        assert "At epsilon 0 nothing can be learnt" in invoke(
            "design", "-n", "8", "--epsilon", "0", *more
        )
        assert "nothing can be learnt" not in invoke("design", "-n", "8", "--epsilon", "1", *more)


def test_a_design_is_in_words_and_its_codes_are_details():
    text = invoke("design", "-n", "8", "--epsilon", "1/4", "-p", "WH CM")
    assert (
        "promises  no farther answer likelier (CM), never worse than guessing (WH)" in text
        and "L0,1" not in text
        and "people on average" in text
    )
    assert max(map(len, text.splitlines())) <= 80 and len(text.splitlines()) <= 24
    assert "L0,1" in invoke("design", "-n", "8", "--epsilon", "1/4", "-p", "WH CM", "--details")
