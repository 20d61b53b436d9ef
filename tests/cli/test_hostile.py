"""A hostile or unlucky user: strange values, broken files, closed pipes, no permission, other locales. No traceback."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys

import pytest
from tests.cli.test_frame import invoke, run
from tests.cli.test_shared import TABLE
from tests.cli.test_work import people as _people
from tests.conftest import require

from discreet.cli import main
from discreet.errors import BudgetError, InvalidInput

require("tables")
people = _people
HUGE = "9" * 5000
OF_4 = ["-n", "4", "--epsilon", "1"]


@pytest.mark.parametrize(
    "words",
    [
        *(
            ["design", "-n", "4", "--epsilon", e]
            for e in (HUGE, "1e400", "1e-400", "inf", "", "½", "1e999999999", "-0.0001")
        ),
        *(["design", "-n", "4", "--alpha", a] for a in (f"1/{HUGE}", "0", "1e-999999999", "-1")),
        *(["design", *OF_4, "--seconds", s] for s in ("nan", "inf", "1e400", "x")),
        *(
            ["design", *OF_4, "--loss", x]
            for x in (f"|i-j|^{HUGE}", HUGE, f"L0,{HUGE}", "\udcff", "L1e9")
        ),
        *(
            ["design", *OF_4, "-p", x]
            for x in ("F " * 5000, f"ODP:{HUGE}", "ODP:1e99999999", "\x1b[2J")
        ),
        *(
            ["design", *OF_4, "--prior", x]
            for x in (f"Binomial({HUGE})", "Binomial(2)", "Binomial(1e999999)")
        ),
        *(["design", *OF_4, "-o", x] for x in ("no/such/m.json", "folder", "a" * 300)),
        ["design", "-n", HUGE, "--epsilon", "1"],
        ["recommend", "-n", "10000000000", "--epsilon", "1"],
        ["compare", "-n", "100000", "--epsilon", "1"],
        ["compare", *OF_4, "--csv", "no/such.csv"],
        ["census", "-n", "2-99999999", "--alpha", "1/2"],
        ["plot", "broken.json", "-o", "x.png"],
        *(
            ["plan", x, *TABLE[1:]]
            for x in (
                "binary.csv",
                "folder",
                "broken.parquet",
                "",
                "https://x/y.csv",
                "SELECT 1",
                "\udcff.csv",
                "/dev/null",
            )
        ),
        *(["plan", *TABLE, "--size", x] for x in (HUGE, "-1", "²")),
        *(["plan", *TABLE, "--memory-limit", x] for x in ("-1GB", "", "lots", "1XB")),
        *(
            ["plan", *TABLE, "--count", x]
            for x in ("", "x=", "x=;", "x=1; DROP TABLE t", "=1", "smoker")
        ),
        ["plan", *TABLE, "--count", "a=smoker", "--count", "a=age"],
        ["plan", *TABLE, "--keys", "binary.csv"],
        ["plan", *TABLE, "--read", "skip=-5"],
        ["plan", *TABLE, "--config", "binary.csv"],
        ["release", *TABLE, "--where", "\udcff", "--save-config", "s.toml"],
        ["release", *TABLE, "--save-config", "no/such.toml"],
        *(["estimate", x] for x in ("folder", "broken.json", "deep.json", ".")),
        *(["verify", x] for x in ("folder", "broken.json", "deep.json", "binary.csv", "/dev/null")),
        ["audit", "", *OF_4],
        ["audit", "echo x", *OF_4],
        ["audit", "cat", *OF_4, "--calls", "999999999"],
        ["audit", "cat", "-n", "4", "--claimed", "broken.json"],
        ["audit", "--table", "binary.csv", *OF_4],
        ["audit", "--table", "broken.parquet", *OF_4],
        *(["ledger", "open", "l.db", "x", "--budget", x] for x in (HUGE, "1e-999999999", "0")),
        *(
            ["ledger", "open", "l.db", x, "--budget", "1"]
            for x in ("x" * 5000, "\n", "\udcff", "\x1b[2J")
        ),
        ["ledger", "backup", "folder", "x"],
        ["paper", "heatmaps", "-o", "/dev/null/x"],
        ["demo", "-o", "/dev/null/x"],
    ],
    ids=lambda words: ascii(" ".join(word[:30] for word in words))[1:60],
)
def test_nonsense_is_refused_in_a_line_or_two(people, words):
    folder = people.parent
    (folder / "folder").mkdir()
    (folder / "binary.csv").write_bytes(bytes(range(256)) * 20)
    (folder / "broken.parquet").write_bytes(b"PAR1 is not enough")
    (folder / "broken.json").write_text("{")
    (folder / "deep.json").write_text("[" * 100_000)
    text = invoke(*words, code=2)
    assert 1 <= len(text.splitlines()) <= 2 and len(text) < 1200
    assert text.startswith("error: ") and all(c.isprintable() for c in text.replace("\n", ""))


def test_strange_columns_are_released_and_shown_harmlessly(people):
    header = '"a;DROP TABLE x","b""q","smoker\'s","\x1b[2J"'
    (people.parent / "odd.csv").write_text(
        header + "\n" + "".join(f'x,"\x1b[3{k}m",{k % 2},0\n' for k in range(6))
    )
    asked = ["odd.csv", "--by", 'b"q', "--by", "a;DROP TABLE x", "--epsilon", "1"]
    invoke("release", *asked, "--count", "smoker's", "-o", "out")
    for text in (
        invoke("estimate", "out", "--by", 'b"q'),
        invoke("plan", *asked, "--count", "\x1b[2J"),
        invoke("plan", *asked[:3], "--by", "nope", "--count", "\x1b[2J", "--epsilon", "1", code=2),
    ):
        assert "\x1b" not in text and "\\x1b[" in text


def test_ctrl_c_after_the_budget_was_spent_says_how_to_go_on(people, monkeypatch):
    def stop(*given, **options):
        raise KeyboardInterrupt

    invoke("ledger", "open", "budget.db", "d", "--budget", "1")
    asked = ["release", *TABLE, "--ledger", "budget.db", "-o", "out"]
    with monkeypatch.context() as patched:
        patched.setattr("discreet.tables.engines.duckdb.duckdb_engine.DuckEngine.stream", stop)
        text = invoke(*asked, code=130)
    told = re.search(
        r"interrupted; The ledger keeps 1 of dataset 'd' .* with --resume (\w+) finishes it", text
    )
    assert told and len(text.splitlines()) == 1
    invoke(*asked, "--resume", told[1])
    assert invoke("ledger", "show", "budget.db").split()[7] == "0"  # left


@pytest.fixture
def own_ctrl_c():
    """The handler that a process starts with, whatever a loop of another test has left."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def ctrl_c_became(error):
    """What a compiled module may do with Ctrl-C in a callback, or while it is imported."""

    def work(*given, **options):
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt as stop:
            raise error from stop

    return work


def test_ctrl_c_is_an_interruption_whatever_exception_it_became(people, monkeypatch, own_ctrl_c):
    for place, error in (
        ("discreet.cli.import_module", ImportError("numpy failed to import")),
        ("discreet.design", SystemError("returned NULL without setting an exception")),
        ("discreet.design", InvalidInput("n", "must be asked for later", 4)),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(place, ctrl_c_became(error), raising=False)
            assert invoke("design", *OF_4, code=130) == "interrupted; nothing more was done\n"
    assert "error: --n must be" in invoke(
        "design", "-n", "-1", "--epsilon", "1", code=2
    )  # the next one is itself again
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("error", [ImportError("x"), BudgetError("the ledger went away")])
def test_ctrl_c_that_became_another_exception_says_what_was_spent(
    people,
    monkeypatch,
    own_ctrl_c,
    error,
):
    invoke("ledger", "open", "budget.db", "d", "--budget", "1")
    asked = ["release", *TABLE, "--ledger", "budget.db", "-o", "out"]
    monkeypatch.setattr(
        "discreet.tables.engines.duckdb.duckdb_engine.DuckEngine.stream", ctrl_c_became(error)
    )
    text = invoke(*asked, code=130)
    assert re.fullmatch(
        r"interrupted; The ledger keeps 1 of dataset 'd' .* with --resume \w+ finishes it without paying again\n",
        text,
    )


ENDS = [(signal.SIGINT, 130, "interrupted; "), (signal.SIGTERM, 143, "terminated; ")]
"""What asks a command to end, how it does, and what it says."""


DRAWING = """
import sys, time
from discreet.cli import main
from discreet.cli.bars import Watcher

def wait(self, event):
    if event.phase == "drawing":
        print("drawing", flush=True)
        time.sleep(2)  # in a thread of the engine's, for which the one that hears signals waits

Watcher.__call__ = wait
main()
"""
"""A release that waits in its first draws: the budget is reserved, and files are being written."""


@pytest.mark.parametrize(("sent", "code", "said"), ENDS)
def test_what_ends_a_release_leaves_no_file_and_says_what_the_ledger_keeps(
    people,
    tmp_path,
    sent,
    code,
    said,
):
    invoke("ledger", "open", "budget.db", "d", "--budget", "1")
    (tmp_path / "temporary").mkdir()
    asked = ["release", *TABLE, "--ledger", "budget.db", "-o", "out", "--temporary", "temporary"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [
        sys.executable,
        "-c",
        f"import signal\nsignal.signal({signal.SIGINT}, signal.default_int_handler)\n" + DRAWING,
    ]
    child = subprocess.Popen(
        [*command, *asked],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        text=True,
    )
    assert child.stdout.readline() == "drawing\n"
    assert len(list((tmp_path / "temporary").iterdir())) == 1
    child.send_signal(sent)
    _, wrong = child.communicate()
    assert child.returncode == code and f"{said}The ledger keeps 1 of dataset 'd'" in wrong, wrong
    assert list((tmp_path / "temporary").iterdir()) == []
    assert not [path for path in tmp_path.iterdir() if "out" in path.name]
    again = re.search(r"--resume \w+", wrong)[0]
    invoke(*asked, *again.split())
    assert (tmp_path / "out" / "manifest.json").exists()


def test_sigterm_has_an_exit_code_of_its_own(monkeypatch):
    """Also where a compiled module made another exception of it; with --json a program reads which it was."""
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def work(*given, **options):
        try:
            signal.raise_signal(signal.SIGTERM)
        except KeyboardInterrupt as stop:
            raise ImportError("numpy failed to import") from stop

    monkeypatch.setattr("discreet.design", work, raising=False)
    assert invoke("design", *OF_4, code=143) == "terminated; nothing more was done\n"
    error = json.loads(invoke("design", *OF_4, "--json", code=143))["error"]
    assert (error["code"], error["exit_code"]) == ("terminated", 143)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    signal.signal(signal.SIGTERM, before)


def test_a_command_that_finished_in_spite_of_ctrl_c_has_finished(monkeypatch, own_ctrl_c):
    import discreet

    def heedless(*given, **options):
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        return design(*given, **options)

    design = discreet.design
    monkeypatch.setattr("discreet.design", heedless)
    assert "private and optimal" in invoke("design", *OF_4)


def test_a_fault_of_our_own_shows_its_place_and_no_data(monkeypatch, capsys):
    def careless(**asked):
        raise KeyError("the count of Ann Lee")

    monkeypatch.setattr("discreet.design", careless, raising=False)
    text = invoke("design", *OF_4, code=5)
    assert "KeyError at test_hostile.py, line" in text and "please report" in text
    assert "Ann Lee" not in text and "Traceback" not in text
    monkeypatch.setenv("DISCREET_TRACEBACK", "1")
    with pytest.raises(KeyError, match="Ann Lee"):
        main(["design", *OF_4])


def test_a_missing_extra_is_named(people, monkeypatch):
    invoke("release", *TABLE, "-o", "out")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "needs the 'tables' extra: pip install \"duckdb>=" in invoke("estimate", "out", code=2)


def test_no_arguments_is_a_question_for_help():
    for words in ([], ["ledger"]):
        text = invoke(*words, code=0)
        assert text.startswith("Usage: ") and "error" not in text


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [["--help"], ["design", *OF_4], ["census", "-n", "3", "--alpha", "1/2", "--json"]]
)
def test_a_reader_that_goes_away_is_no_error(words):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": "1"}
    child = subprocess.Popen(
        [sys.executable, "-m", "discreet", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    child.stdout.close()
    complaint = child.stderr.read().decode()
    child.stderr.close()
    assert (child.wait(), complaint) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("locale", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "latin-1"}])
def test_any_locale_shows_something(people, locale, monkeypatch):
    for name, value in {
        **locale,
        "NO_COLOR": "1",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
    }.items():
        monkeypatch.setenv(name, value)
    assert "Single groups" in run("plan", *TABLE, errors="replace").stdout
    assert (
        "error: --by must name"
        in run("plan", "people.csv", "--by", "größe", *TABLE[3:], code=2, errors="replace").stderr
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to(people):
    people.parent.chmod(0o555)
    try:
        for words in (
            ["release", *TABLE, "-o", "out"],
            ["design", *OF_4, "-o", "m.json"],
            ["demo", "-o", "demo"],
        ):
            assert "ermission denied" in invoke(*words, code=2)
    finally:
        people.parent.chmod(0o755)


WAITING = """
import duckdb, flint, highspy, numpy, pyarrow, signal, time
from discreet.cli import main
from discreet.cli.bars import Watcher

hear = Watcher.__call__

def hear_and_wait(self, event):
    hear(self, event)
    if event.phase == "designing":
        time.sleep(600)

Watcher.__call__ = hear_and_wait
signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts in the background ignores it
main()
"""
"""A command that goes no further than to say that it designs, so that no signal comes too late.

The compiled modules are imported before, because Python itself may lose a signal among its own callbacks of an import.
"""


@pytest.mark.slow
@pytest.mark.parametrize(("sent", "code", "said"), ENDS)
def test_a_design_and_a_release_that_are_interrupted_say_what_was_spent(
    people,
    tmp_path,
    sent,
    code,
    said,
):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    invoke("ledger", "open", "budget.db", "d", "--budget", "1")
    lp = ["--epsilon", "0.1", "-p", "WH CM RM", "--loss", "L1", "--progress", "json"]
    for words in (
        ["design", "-n", "20", *lp, "--no-cache"],
        ["release", *TABLE[:5], *lp, "--ledger", "budget.db", "-o", "out"],
    ):
        child = subprocess.Popen(
            [sys.executable, "-c", WAITING, *words],
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        while b"designing" not in child.stderr.readline():
            assert child.poll() is None
        child.send_signal(sent)
        out, wrong = child.communicate()
        told = [line for line in wrong.decode().splitlines() if line and not line.startswith("{")]
        assert (child.returncode, told, out) == (code, [f"{said}nothing more was done"], b"")
    (account,) = json.loads(invoke("ledger", "show", "budget.db", "--json"))
    assert account["remaining"]["exact"] == "1" and account["unfinished"] == []
    assert not [path for path in tmp_path.iterdir() if "out" in path.name]
