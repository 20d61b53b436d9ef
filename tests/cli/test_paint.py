"""Colour, width and codes on a terminal: the same words as in a pipe, and more room where there is more."""

from __future__ import annotations

import io
import re

import pytest
from tests.conftest import require

from discreet.cli import main
from discreet.cli.codes import LOSS_CODES, MECHANISM_CODES, PROPERTY_CODES
from discreet.cli.paint import _SHADES, painted, wanted
from discreet.core.losses import read_loss
from discreet.core.named import NAMED
from discreet.core.properties import EVERYDAY, PROPERTIES
from discreet.show.text import folded, laid_out

ESCAPE = re.compile(r"\x1b\[[\d;]*m")
MATRIX = ["design", "-n", "4", "--alpha", "10/11", "-q"]


class Terminal(io.StringIO):
    """What a person would see."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def shown(monkeypatch):
    """Run a command on a terminal; return what it wrote there."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")

    def run(*words: str, columns: int = 80) -> str:
        seen = Terminal()
        with monkeypatch.context() as patch:
            patch.setenv("COLUMNS", str(columns))
            patch.setattr("sys.stdout", seen)
            patch.setattr("sys.stderr", seen)
            with pytest.raises(SystemExit):
                main(list(words))
        return seen.getvalue()

    return run


def test_without_its_colours_a_text_is_the_same(shown, capsys):
    on_a_terminal = shown(*MATRIX)
    with pytest.raises(SystemExit):
        main(MATRIX)
    in_a_pipe = capsys.readouterr().out
    assert ESCAPE.search(on_a_terminal)
    assert not ESCAPE.search(in_a_pipe)
    assert ESCAPE.sub("", on_a_terminal) == in_a_pipe


def test_every_chance_of_a_matrix_is_shaded_and_the_likeliest_darkest(shown):
    rows = [line for line in shown(*MATRIX).splitlines() if "48;5" in line]
    grounds = [[int(ground) for ground in re.findall(r"48;5;(\d+)m", row)] for row in rows]
    assert [len(row) for row in grounds] == [5] * 5
    assert grounds[0][0] == grounds[4][4] == _SHADES[-1][1]


@pytest.mark.parametrize(
    ("text", "colour"),
    [
        ("  ok  private", "32"),
        ("warning: nothing accounts for it", "33"),
        ("  the ledger has 1/2 left: it DOES NOT FIT", "31"),
        ("FAILED: no", "31"),
        ("error: --n must be", "31"),
        ("  epsilon    refuted: it is at least 0.9", "31"),
        ("  verdict    REFUTED (confidence 0.99)", "31"),
        ("  epsilon    not refuted", None),
        ("  okay, nothing to see", None),
    ],
)
def test_what_is_ok_is_green_and_what_is_wrong_red(text, colour):
    assert re.findall(r"\x1b\[(\d+)m(?=[a-zA-Z])", painted(text)) == ([colour] if colour else [])
    assert ESCAPE.sub("", painted(text)) == text


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_who_wants_no_colour_gets_none(shown, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    assert "\x1b" not in shown(*MATRIX)


def test_a_pipe_is_never_coloured(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert not wanted(io.StringIO())


def test_a_wide_terminal_shows_a_larger_matrix_and_longer_lines(shown):
    wide = ESCAPE.sub("", shown("design", "-n", "14", "--epsilon", "1", "-q", columns=120))
    assert "out\\true" in wide
    assert max(map(len, wide.splitlines())) <= 120
    assert " .462" not in shown("design", "-n", "14", "--epsilon", "1", "-q", columns=80)
    with laid_out(200):
        assert 80 < max(map(len, folded("word " * 60))) <= 120
    assert max(map(len, folded("word " * 60))) <= 80


def test_a_matrix_that_does_not_fit_is_in_percent_and_one_that_cannot_says_why(shown):
    narrow = shown("design", "-n", "20", "--epsilon", "1/2", "-p", "F", "-q")
    rows = [line for line in narrow.splitlines() if "48;5" in line]
    assert [len(re.findall(r"48;5;\d+m", row)) for row in rows] == [21] * 21, "shaded all the same"
    plain = ESCAPE.sub("", narrow)
    assert "in percent" in plain
    assert max(map(len, plain.splitlines())) <= 80
    assert " *.246" in ESCAPE.sub(
        "", shown("design", "-n", "20", "--epsilon", "1/2", "-p", "F", "-q", columns=160)
    )
    assert "*>99" in ESCAPE.sub("", shown("design", "-n", "12", "--epsilon", "8", "-q"))
    assert "31 by 31, needs 104 columns, and there are 80.\n  To see it: discreet plot" in shown(
        "design", "-n", "30", "--epsilon", "1", "-q"
    )
    assert "too large to print" in shown("design", "-n", "300", "--epsilon", "1", "-q")


def test_one_chance_of_truth_is_said_once(shown):
    assert "in 24.6% of draws (whatever is true)" in shown(
        "design", "-n", "20", "--epsilon", "1/2", "-p", "F"
    )


def test_headings_of_help_are_bold_and_results_name_where_codes_are_explained(shown):
    assert re.findall(r"\x1b\[1m(.*?)\x1b\[0m", shown("ledger", "--help")) == [
        "Usage:",
        "Options:",
        "Commands:",
    ]
    said = shown("recommend", "-n", "4", "--epsilon", "1", "--details")
    foot = ESCAPE.sub("", said).partition("\nCodes: ")[2].rstrip()
    assert (
        "F fair to every count" in foot.replace("\n  ", " ") and "S yes and no alike" not in foot
    ), foot
    assert foot.endswith("discreet design --help)") and len(foot.splitlines()) <= 3, (
        "a line or two, not a list"
    )
    assert "\x1b[2mCodes: " in said and said.rstrip().endswith("\x1b[0m"), "dim to its end"
    for command in ("recommend", "compare", "design"):
        assert "Codes:" not in shown(command, "-n", "4", "--epsilon", "1"), (
            "words first; codes are details"
        )
    for words, row in (["--details"], "none: GM"), ([], "nothing more"):
        said = shown("recommend", "-n", "4", "--epsilon", "1", *words)
        assert f"\n\x1b[1m* {row}" in said, "what is recommended is bold"
    asked = ESCAPE.sub(
        "", shown("design", "-n", "4", "--epsilon", "1", "-p", "wh", "--loss", "L1", "--details")
    )
    assert (
        "than guessing, F fair to every count, S yes and no alike, GM the usual noise, L0"
        in asked.replace("\n  ", " ")
    )


@pytest.mark.parametrize(
    "command",
    [
        ("design", "--details"),
        ("design", "-p", "F", "--loss", "L2", "--details"),
        ("compare", "--details"),
    ],
)
def test_every_property_that_is_printed_is_explained_below(shown, command):
    said = ESCAPE.sub("", shown(*command, "-n", "4", "--epsilon", "1"))
    printed, _, foot = said.partition("\nCodes: ")
    found = {code for code in PROPERTIES if re.search(rf"(?<![\w]){code}(?!\w)", printed)}
    assert found >= {"RH", "CM", "WH", "S"}
    assert {
        code for code in found if f"{code} {EVERYDAY[code]}" in foot.replace("\n  ", " ")
    } == found


def test_help_says_what_every_code_means(shown):
    assert list(PROPERTY_CODES) == [*PROPERTIES, "ODP:r"]
    assert all(read_loss(code, 8) for code in LOSS_CODES)
    assert set(MECHANISM_CODES) <= set(NAMED)
    said = shown("design", "--help")
    for code, meaning in {**PROPERTY_CODES, **LOSS_CODES}.items():
        assert re.search(rf"{code} +{re.escape(meaning)}$", said, re.MULTILINE), code
    assert max(map(len, said.splitlines())) <= 80
    assert all(f"{meaning}\n" in shown("compare", "--help") for meaning in MECHANISM_CODES.values())


def test_a_wide_terminal_is_used_by_a_comparison_and_a_plan(shown, tmp_path, monkeypatch):
    wide = ESCAPE.sub(
        "",
        shown(
            "compare",
            "RH RM CH CM WH F S",
            "GM",
            "-n",
            "4",
            "--epsilon",
            "1",
            "--details",
            columns=160,
        ),
    )
    rows = wide.splitlines()[2:5]
    assert rows[0].endswith("what it is") and rows[2].endswith("geometric mechanism, GM")
    assert rows[1].startswith("RH RM CH CM WH F S   RH RM"), "a long name has room"
    assert 100 < max(map(len, wide.splitlines())) <= 160
    for columns in (80, 100, 120, 140):
        text = ESCAPE.sub(
            "", shown("compare", "WH CM", "GM", "-n", "4", "--epsilon", "1", columns=columns)
        )
        assert max(map(len, text.splitlines())) <= columns
    assert "what it is" not in shown(
        "compare", "GM", "-n", "4", "--epsilon", "1", "--details", columns=80
    )
    require("tables")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text("clinic,ill\n" + "a,1\n" * 4 + "b,0\n" * 9)
    asked = ["plan", "p.csv", "--by", "clinic", "--count", "ill", "--epsilon", "1"]
    plan = ESCAPE.sub("", shown(*asked, columns=160))
    assert re.search(r"95% within +one group\n.* ±\d +very rough\n.* ±\d +rough\n", plan)
    full = ESCAPE.sub("", shown(*asked, "--details", columns=160))
    assert re.search(r"mechanism +one group\n.* GM +very rough\n.* GM +rough\n", full)
    assert "--epsilon 1 --ledger budget.db --dataset p --output published\n" in plan, "in one line"
    long = ["--count-as", "ill_since_january", "ill = '1'", "--details"]
    for columns, more, told in (
        (80, ["--count", "ill"], True),
        (80, long, False),
        (100, long, True),
    ):
        plan = ESCAPE.sub("", shown(*asked[:4], *asked[6:], *more, columns=columns))
        assert ("  one group\n" in plan) == told and max(map(len, plan.splitlines())) <= columns, (
            "where there is room"
        )


def test_what_is_not_protected_is_no_note_on_a_table(shown, tmp_path, monkeypatch):
    require("tables")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text("clinic,ill\n" + "a,1\n" * 4 + "b,0\n" * 9)
    said = shown(
        "plan", "p.csv", "--by", "clinic", "--count-as", "ill", "ill = 'yes'", "--epsilon", "1"
    )
    full = shown("plan", "p.csv", "--by", "clinic", "--count", "ill", "--epsilon", "1", "--details")
    assert "\n\x1b[2m  right: how often the true count is" in full, "what the columns are is dim"
    for line in (
        "  Not protected: clinic and",
        "  \x1b[33mwarning:\x1b[0m only rows where ill is exactly 'yes' are counted;",
    ):
        assert f"\n{line}" in said, "and what protects people is not"


PLAN = """epsilon 1 in total, 60 groups
  Not protected: clinic

  count    n    groups   truth  95% within
  smoker   5         7   0.552         ±2
  truth: the chance that the
  true count is released.

  Single groups: too noisy in 35 of
  60 groups.

  Sums of the finest table:
  sum     as asked
  total  ±22.5 (9.83)
  east   ±12.5 (4.83)  *

  smoker is text."""


def test_headings_are_bold_notes_dim_and_a_verdict_yellow():
    lines = painted(PLAN).split("\n")
    assert ESCAPE.sub("", "\n".join(lines)) == PLAN
    in_bold, dim = (
        [place for place, x in enumerate(lines) if x.startswith(f"\x1b[{code}m")] for code in (1, 2)
    )
    assert in_bold == [0, 3, 12, 14]
    assert dim == [5, 6, 16]
    assert lines[8].startswith("  Single groups: \x1b[33mtoo noisy")


def test_verdicts_have_the_colour_of_what_they_say():
    end = "Verified: the table and the mechanisms are as their manifest and proofs say."
    assert painted(f"{end}\n  ok  all\nNo file can show").split("\n")[0] == f"\x1b[32m{end}\x1b[0m"
    for words, colour in (
        ("mostly good", 32),
        ("usable", 32),
        ("exact", 32),
        ("rough", 33),
        ("mostly very rough", 33),
        ("too noisy", 33),
    ):
        for start in (
            "  Single groups: ",
            "  ill: single groups ",
            "  Total: ",
            "  ill: single groups rough; total ",
        ):
            line = painted(f"epsilon 1\n{start}{words} (off by up to 3 of 8)\n  x").split("\n")[1]
            assert line.endswith(f"\x1b[{colour}m{words}\x1b[0m (off by up to 3 of 8)")
    total = painted(
        "x\n  Total: good if half say yes (±22 of 240), rough if 1 in 8 do (±22 of 60)."
    ).split("\n")[1]
    assert "\x1b[32mgood\x1b[0m if half" in total and "\x1b[33mrough\x1b[0m if 1" in total, "both"
    rows = painted(
        "x\n  count  n  one group\n  ill    2  very rough\n  ill    9  rough to usable"
    ).split("\n")[2:]
    assert rows == [
        "  ill    2  \x1b[33mvery rough\x1b[0m",
        "  ill    9  \x1b[33mrough\x1b[0m to \x1b[32musable\x1b[0m",
    ]
    assert (
        painted("epsilon 1\n  warning: ill: text").split("\n")[1]
        == "  \x1b[33mwarning:\x1b[0m ill: text"
    )


def test_a_release_says_what_is_done_in_green_what_to_type_next_in_cyan_and_all_else_dim():
    text = (
        "released ill for 3 groups\nfolder: out\n  (release 1)\nread it with: discreet estimate out"
    )
    done, bundle, folded, step = painted(text).split("\n")
    assert (
        done.startswith("\x1b[32m")
        and bundle.startswith("\x1b[2m")
        and folded.startswith("\x1b[2m")
    )
    assert step == "read it with: \x1b[36mdiscreet estimate out\x1b[0m"


def test_a_command_to_copy_has_one_look():
    text = "Title\n  n     count\n  1         2\n  a note\n\nrelease it with: discreet release \\\n    --epsilon 1"
    *_, first, second = painted(text).split("\n")
    assert first == "release it with: \x1b[36mdiscreet release \\\x1b[0m"
    assert second == "\x1b[36m    --epsilon 1\x1b[0m"
    of_its_own = (
        "open a budget:\n  discreet ledger open b.db \\\n      people --budget 1\nthen:\n  x"
    )
    assert [line[:5] == "\x1b[36m" for line in painted(of_its_own).split("\n")] == [
        False,
        True,
        True,
        False,
        False,
    ]


def test_lines_of_facts_and_checks_have_no_headings():
    facts = "Release 1\n  ok  60 rows\n  ok  one proof\n  has    RH\n  lacks  F\nAll is well."
    assert "\x1b[1m" not in painted(facts).partition("\n")[2]
