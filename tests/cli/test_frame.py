"""The command line as a person meets it: help at once, errors in a line, no traceback, documented exit codes."""

import json
import os
import re
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner
from tests.conftest import require
from tests.test_layers import HEAVY, loaded_after

from discreet.cli import _COMMANDS, _SECTIONS, app, main
from discreet.cli.help_pages import REST, TABLE_SECTIONS


def run(*words: str, code: int = 0, **options) -> subprocess.CompletedProcess:
    """Run the real command in a process of its own, 80 columns wide."""
    environment = os.environ | {"COLUMNS": "80", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-m", "discreet", *words],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
        **options,
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


def invoke(*words: str, code: int = 0) -> str:
    """Run a command in this process, through the same error handling."""
    runner = CliRunner()
    with runner.isolation() as (out, err, _):
        with pytest.raises(SystemExit) as end:
            main(list(words))
        text, wrong = out.getvalue().decode(), err.getvalue().decode() if err else ""
    assert end.value.code == code, text + wrong
    return text + wrong


def test_help_imports_nothing_heavy_but_click():
    code = "from discreet.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass"
    assert not loaded_after(f"exec({code!r})") & (HEAVY - {"click"})


def test_a_command_loads_what_it_uses(tmp_path, monkeypatch):
    """What takes long to load is loaded where it is used: masked arrays never, NumPy for no help."""
    require("tables")
    monkeypatch.chdir(tmp_path)
    rows = [f"{k},{k % 3},{k % 2}" for k in range(30)]
    (tmp_path / "people.csv").write_text("\n".join(["person,clinic,smoker", *rows]) + "\n")
    asked = [
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
    invoke("release", *asked, "-o", "out")
    told = "from discreet.cli import main\ntry: main({})\nexcept SystemExit: pass\nimport sys; print(*sys.modules)"
    for words, not_loaded in (
        (["plan", *asked], {"numpy.ma", "sqlite3", "highspy", "altair", "scipy"}),
        (["estimate", "out"], {"numpy.ma", "duckdb", "highspy", "altair", "scipy"}),
        (["estimate", "--help"], {"numpy", "pyarrow"}),
        (
            ["recommend", "--n", "8", "--epsilon", "1"],
            {"numpy.ma", "highspy", "duckdb", "altair", "scipy"},
        ),
    ):
        done = subprocess.run(
            [sys.executable, "-c", told.format(words)], capture_output=True, text=True, check=True
        )
        assert not set(done.stdout.split()) & not_loaded, words


def test_help_fits_80_columns_and_names_every_command():
    text = run("--help").stdout
    assert all(name in text for name in _COMMANDS)
    assert max(map(len, text.splitlines())) <= 80


def test_every_command_is_in_one_section_of_the_help():
    assert sorted(name for names in _SECTIONS.values() for name in names) == sorted(
        [*_COMMANDS, "help"]
    )


@pytest.mark.parametrize("command", ["plan", "release"])
def test_options_stand_in_sections_and_none_is_lost(command):
    text = invoke(command, "--help-all")
    parameters = app.get_command(None, command).params
    options = [
        max(option.opts, key=len) for option in parameters if isinstance(option, click.Option)
    ]
    assert len(options) > 40 and all(
        re.search(rf"^  (?:-\w, )?{option}\b", text, re.MULTILINE) for option in options
    )
    headings = re.findall(r"^([A-Z][\w ,]*):$", text, re.MULTILINE)
    assert headings == [*TABLE_SECTIONS, REST]
    known = {name for names in TABLE_SECTIONS.values() for name in names}
    assert {option.name for option in parameters} - known == {
        "source",
        "progress",
        "as_json",
        "help_all",
    }


@pytest.mark.parametrize("command", ["plan", "release"])
@pytest.mark.parametrize("word", ["-h", "--help"])
def test_help_explains_what_most_people_need_and_names_the_rest(command, word):
    text = invoke(command, word)
    parameters = app.get_command(None, command).params
    options = [
        max(option.opts, key=len) for option in parameters if isinstance(option, click.Option)
    ]
    assert len(text.splitlines()) <= 66 and all(
        re.search(rf"(?<![\w-]){option}(?![\w-])", text) for option in options
    )
    assert f"{command} --help-all explains:" in text
    assert ("  --where \"region = 'North'\"" in text) == (command != "design"), (
        "examples of what is asked for next"
    )
    assert (
        "none: the usual noise. See: discreet help properties" in " ".join(text.split())
        and "fair to every count" not in text
    )


def test_codes_of_properties_are_listed_where_they_are_asked_for():
    for words in (["design", "--help"], ["plan", "--help-all"]):
        assert "  F      fair to every count" in invoke(
            *words
        ) and "  WH     never worse than" in invoke(*words)
    assert "fair to every count" not in invoke("recommend", "--help")
    page = run("help", "properties").stdout
    assert max(map(len, page.splitlines())) <= 80 and "Nearly nobody needs one" in page
    for code in ("RH", "RM", "CH", "CM", "WH", "F", "S", "ODP"):
        assert f" ({code}" in page


def test_subcommands_are_told_in_full():
    assert "refused once\n              noise was drawn" in run("ledger", "--help").stdout


def test_a_group_of_commands_takes_a_file_for_what_is_to_be_shown():
    assert "ledger show budget.db?" in invoke("ledger", "budget.db", code=2)


def test_a_group_alone_shows_what_it_offers_or_has():
    assert "Commands:" in run("ledger").stdout and "Begin here:" in run().stdout
    screen = run().stdout.splitlines()
    assert len(screen) < 24 and max(map(len, screen)) <= 80 and "discreet --help" in screen[-1]
    assert all(f" {name}" in "\n".join(screen) for name in _COMMANDS), "and every command is named"
    assert re.search(r"^\d+ designs?, [\d.]+ (bytes|kB|MB), in ", run("cache").stdout)


@pytest.mark.parametrize("command", sorted(_COMMANDS))
def test_every_command_has_help_with_an_example(command):
    text = invoke(command, "--help")
    assert command in text
    assert max(map(len, text.splitlines())) <= 80
    assert f"discreet {command}" in text or command in ("demo", "studio", "cache")


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["desgn"], "did you mean design?"),
        (["check", "out"], "did you mean verify?"),
        (["show", "out"], "did you mean estimate (the numbers of a release)"),
        (["design", "--n", "4"], "--epsilon or --alpha must be given: e.g."),
        (["design", "--n", "4", "--epsilon", "-1"], "error: --epsilon must"),
        (["design", "--n", "4", "--epsilon", "1", "-p", "MC"], "did you mean CM?"),
        (
            ["design", "--n", "x", "--epsilon", "1"],
            "error: --n must be a whole number, in digits (x)",
        ),
        (["design", "--epsiln", "1"], "--epsilon"),
        (["plot", "XM", "--n", "4", "--epsilon", "1", "-o", "x.png"], "known name"),
        (["verify", "nothing.json"], "error: nothing.json does not exist: check the path"),
        (["estimate", __file__.replace("frame", "fram")], "test_frame.py?"),
        (["release", "people.csv", "--by", "clinic"], "error: people.csv matches no file"),
    ],
)
def test_mistakes_get_one_or_two_lines_and_exit_code_2(words, hint):
    text = invoke(*words, code=2)
    assert hint in text
    assert len(text.splitlines()) <= 2


def test_a_mistake_in_a_real_process_has_no_traceback():
    done = run("design", "--n", "4", "--epsilon", "nan", code=2)
    assert done.stderr.startswith("error: --epsilon must be a finite number")


def test_shell_completion_is_there():
    environment = os.environ | {
        "_DISCREET_COMPLETE": "bash_source",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    script = "from discreet.cli import app; app(prog_name='discreet')"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=False
    )
    assert "_discreet_completion" in done.stdout
    assert set(_COMMANDS) == set(app.list_commands(None))


def test_the_ledger_from_the_command_line(tmp_path):
    book = str(tmp_path / "budget.db")
    for _ in range(2):  # opened again it stays as it is
        assert "clinics: budget 1.5, 1.5 left" in invoke(
            "ledger", "open", book, "clinics", "--budget", "3/2"
        )
        assert "budget, spent and left are epsilon" in invoke("ledger", "show", book)
    shown = json.loads(invoke("ledger", "show", book, "--json"))
    assert shown[0]["dataset"] == "clinics" and shown[0]["remaining"]["exact"] == "3/2"
    head = invoke("ledger", "verify", book).split()[-1]
    invoke(
        "ledger",
        "set-budget",
        book,
        "clinics",
        "--budget",
        "2",
        "--reason",
        "more data",
        "--by",
        "A. Steward",
    )
    verified = invoke("ledger", "verify", book, "--head", head)
    assert (
        "  ok  2 entries, none edited" in verified
        and "passes through the head that was kept" in verified
    )
    assert "  ok  1 dataset is within what was opened or set" in verified
    history = invoke("ledger", "show", book, "clinics")
    assert "more data" in history and max(map(len, history.splitlines())) <= 80
    invoke("ledger", "backup", book, str(tmp_path / "copy"))
    invoke("ledger", "restore", str(tmp_path / "again.db"), str(tmp_path / "copy"))
    assert "did you mean clinics?" in invoke("ledger", "show", book, "clinic", code=2)
    forged = head[:-1] + ("0" if head[-1] != "0" else "1")
    assert "broken" in invoke("ledger", "verify", book, "--head", forged, code=1)
