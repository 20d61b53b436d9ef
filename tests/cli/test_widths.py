"""On a terminal of 80 columns no line is broken inside a word, and no output is Python's."""

import io
import re
import shlex

import pytest
from tests.cli.test_frame import invoke
from tests.cli.test_work import people  # noqa: F401 - a fixture
from tests.conftest import require

import discreet as dc
from discreet.cli import main
from discreet.cli.shared import folded
from discreet.ledger import open_ledger

require("tables")


class Terminal(io.StringIO):
    """What a person would see."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def screen(monkeypatch):
    """Run a command on a terminal of 80 columns; return the lines on it."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")  # colours are in test_paint

    def run(*words: str) -> list[str]:
        seen = Terminal()
        with monkeypatch.context() as patch:
            patch.setattr("sys.stdout", seen)
            patch.setattr("sys.stderr", seen)
            with pytest.raises(SystemExit):
                main(list(words))
        return seen.getvalue().splitlines()

    return run


LONG = "smoker = '1' and age in ('40', '41', '42', '43') and region in ('north', 'south', 'east', 'west')"
NOTE = "because the board has decided that more may be said about what is in the clinics"
COMMANDS = [
    [
        "plan",
        "people.csv",
        "--by",
        "clinic",
        "--count",
        LONG,
        "--count",
        "person",
        "--epsilon",
        "1",
    ],
    ["release", "people.csv", "--by", "clinic", "--count", LONG, "--epsilon", "1", "-o", "out"],
    ["release", "people.csv", "--by", "clinic", "--count", "old=age > '64'", "--epsilon", "1"],
    ["release", "people.csv", "--by", "smoker", "--count", "smoker", "--epsilon", "1", "-o", "out"],
    [
        "release",
        "people.csv",
        "--by",
        "clinic",
        "--count",
        "smoker",
        "--epsilon",
        "1",
        "-o",
        "no/folder/here",
    ],
    ["ledger", "show", "budget.db", "people"],
    ["ledger", "show", "budget.db"],
    ["ledger", "verify", "budget.db"],
    ["ledger", "backup", "budget.db", "kept"],
    ["ledger", "open", "budget.db", "people", "--budget", "5"],
    ["verify", "m.json"],
    ["recommend", "-n", "8", "--epsilon", "0.123456789", "-p", "F ODP:9/10"],
    ["compare", "RH RM CH CM WH F S", "GM", "-n", "4", "--epsilon", "1", "-q"],
    ["design", "-n", "4", "--epsilon", "1", "-p", "WH CM", "-q"],
    ["census", "-n", "2", "--epsilon", "1", "-q"],
    ["audit", "cat", "-n", "2", "--epsilon", "1", "--draws", "1000", "-q"],
    ["no-such-command"],
    ["design", "--epsilom", "1"],
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words)[:50])
def test_no_line_is_broken_inside_a_word(people, screen, words):  # noqa: F811
    book = open_ledger("budget.db")
    book.open("people", budget=1)
    book.set_budget("people", 2, reason=NOTE, by="A. Steward")
    dc.geometric(n=4, epsilon=1).save("m.json")
    lines = screen(*words)
    assert lines
    # a path, a seal, a command or one of its options may be wider than a terminal; it stands alone then, to be copied whole
    wide = [line.strip() for line in lines if len(line) > 80]
    assert [line for line in wide if " " in line and not line.startswith(("discreet ", "--"))] == []
    if words[0] == "ledger":  # the same words as in a pipe, where nothing is folded
        told = invoke(
            *words[:3],
            *words[3:],
            *(["--overwrite"] if "backup" in words else []),
            code=2 * ("5" in words),
        )
        assert " ".join(lines).split() == told.split()


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words)[:50])
def test_nothing_is_python_that_was_not_asked_for(people, screen, words):  # noqa: F811
    dc.geometric(n=4, epsilon=1).save("m.json")
    text = "\n".join(screen(*words))
    assert not re.search(r"Fraction\(|Path\(|<[A-Z]\w+ |\bNone\b|dict_|\bTrue\b", text), text


def test_code_that_is_shown_can_be_typed_as_it_stands(people, screen):  # noqa: F811
    """It may be broken at a comma, never inside its quotes."""
    lines = screen(
        "recommend", "-n", "8", "--epsilon", "0.123456789", "-p", "F ODP:9/10", "--details"
    )
    start = next(k for k, line in enumerate(lines) if line.startswith("  code"))
    end = next(k for k, line in enumerate(lines) if line.startswith("  proof"))
    code = "\n".join(lines[start:end]).removeprefix("  code").strip()
    assert "\n" in code
    compile(code, "code", "eval")


def test_checks_are_as_wide_as_the_terminal(people, screen, monkeypatch):  # noqa: F811
    dc.design(n=4, epsilon="1/2", properties="CM").save("m.json")
    asked = [
        "release",
        "people.csv",
        "--by",
        "clinic",
        "--count",
        "smoker",
        "--epsilon",
        "1",
        "-o",
        "out",
        "-q",
    ]
    screen(*asked)
    for path in ("m.json", "out"):
        narrow = screen("verify", path, "-q")
        monkeypatch.setenv("COLUMNS", "120")
        wide = screen("verify", path, "-q")
        monkeypatch.setenv("COLUMNS", "80")
        assert " ".join(wide).split() == " ".join(narrow).split() and len(wide) < len(narrow)
        assert max(map(len, narrow)) <= 80 < max(map(len, wide)) <= 120


def test_long_words_stay_whole():
    line = "  read it with: discreet estimate " + "x" * 90
    assert folded(line, 80).splitlines() == ["  read it with:", "    discreet estimate " + "x" * 90]
    assert folded("short\n\n" + "a-b " * 30, 80).split() == ["short", *["a-b"] * 30]
    assert shlex.split(folded(line, 80)) == shlex.split(line)


def test_commands_go_on_after_a_backslash_at_any_width(people, monkeypatch):  # noqa: F811
    """What is pasted from a narrow pane runs."""
    asked = [
        "people.csv",
        "--by",
        "clinic",
        "--unit",
        "person",
        "--answers",
        "smoker",
        "1,0",
        "--epsilon",
        "1",
    ]
    found = {}
    for width in ("40", "60", "80", "200"):
        monkeypatch.setenv("COLUMNS", width)
        lines = invoke("plan", *asked, "-q").splitlines()
        start = next(k for k, line in enumerate(lines) if line.startswith("open a budget"))
        text = "\n".join(lines[start:])
        assert all(len(line) <= max(int(width), 45) for line in lines[start:]), (
            "no option is parted from its value"
        )
        found[width] = [
            shlex.split(each) for each in re.findall(r"discreet (.*)", text.replace(" \\\n", " "))
        ]
    assert (
        all(each == found["80"] for each in found.values())
        and [len(words) > 4 for words in found["40"]] == [True] * 2
    )
    for words in found["40"]:
        invoke(*words)


@pytest.mark.parametrize(
    "words",
    [
        ["compare", "-n", "8", "--epsilon", "0.5", "-q"],
        ["recommend", "-n", "8", "--epsilon", "0.5"],
        ["census", "-n", "2", "--epsilon", "1", "-q"],
        ["ledger", "show", "budget.db", "people"],
        ["paper"],
    ],
    ids=lambda words: words[0],
)
def test_a_table_is_made_narrower_for_a_terminal_of_60_columns(people, screen, monkeypatch, words):  # noqa: F811
    """Its columns stay below their headings, and what has no room goes on below its own cell."""
    book = open_ledger("budget.db")
    book.open("people", budget=1)
    book.set_budget("people", 2, reason="more may be said about clinics", by="A. Steward")
    piped = invoke(*words)
    monkeypatch.setenv("COLUMNS", "60")
    narrow = screen(*words)
    assert max(map(len, narrow)) <= 60
    assert sorted(" ".join(narrow).replace(" \\ ", " ").split()) == sorted(piped.split())
    rows = [line.split() for line in piped.splitlines() if re.search(r"\d%  ", line)]
    seen = [line.split() for line in narrow]
    assert all(
        any(row[-3:] == line[-3:] or row[-4:] == line[-4:] for line in seen) for row in rows
    ), "numbers stay together"


def test_a_matrix_is_in_percent_where_its_chances_have_no_room(people, screen, monkeypatch):  # noqa: F811
    asked = ["design", "-n", "8", "--epsilon", "1/2", "-q"]
    assert any("published \\ true count" in line for line in screen(*asked))
    monkeypatch.setenv("COLUMNS", "60")
    narrow = screen(*asked)
    assert max(map(len, narrow)) <= 60 and "  out\\true   0  1  2  3  4  5  6  7  8" in narrow


def test_a_command_behind_what_it_is_for_goes_below_it_where_it_has_no_room():
    line = 'if 30% say yes: discreet compare --n 8 --epsilon 0.5 --prior "Binomial(0.3)"'
    assert folded(line, 80) == line
    below = folded(line, 50).splitlines()
    assert (
        below[0] == "if 30% say yes:"
        and all(part.endswith(" \\") for part in below[1:-1])
        and len(below) > 2
    )
    assert shlex.split(" ".join(part.removesuffix("\\") for part in below[1:])) == shlex.split(
        line.partition(": ")[2]
    )
