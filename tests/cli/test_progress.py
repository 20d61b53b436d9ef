"""Progress as it is seen: a bar on a terminal, lines elsewhere, JSON for programs; a clean screen at the end."""

import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest
from tests.cli.test_frame import run
from tests.grids import everywhere

from discreet.cli import bars
from discreet.cli.bars import Watcher, bar_line, line
from discreet.core.progress import Progress

pytestmark = pytest.mark.slow

SLOW = """
import sys, time
from discreet.cli import bars, main
import discreet as dc
from discreet.core.progress import Progress

drawn, write = [], bars.Watcher._write

def noted(self, text):
    write(self, text)
    drawn.append(text)

bars.Watcher._write = noted

def slow(**asked):
    for done in (0, 2, 4):
        asked["progress"](Progress(phase="designing", done=done, total=40, detail=f"n = {done}"))
        time.sleep(0.4)
        while not sys.argv[1:] and not any(f" {done} of 40" in text for text in drawn):  # on a busy machine
            time.sleep(0.05)
    END

dc.design = slow
main(["design", "-n", "4", "--epsilon", "1", *sys.argv[1:]])
"""


def on_a_terminal(
    code: str, *words: str, columns: int = 80, interrupt_at: str = ""
) -> tuple[int, str, str]:
    """Run Python with standard error on a terminal; return the exit code, standard output and what the screen got."""
    ours, theirs = pty.openpty()
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "COLUMNS": str(columns)}
    child = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdout=subprocess.PIPE,
        stderr=theirs,
        stdin=theirs,
        env=environment,
    )
    os.close(theirs)
    seen = b""
    while True:
        try:
            seen += (part := os.read(ours, 4096))
        except OSError:  # Linux says so when the other end is closed
            break
        if not part:
            break
        if interrupt_at and interrupt_at.encode() in seen:
            child.send_signal(signal.SIGINT)
            interrupt_at = ""
    os.close(ours)
    out = child.stdout.read().decode()
    child.stdout.close()
    return child.wait(), out, seen.decode()


def screen(text: str, columns: int = 80) -> list[str]:
    """What a terminal shows in the end: carriage returns go back, later characters cover earlier ones."""
    lines, row, place = [[]], 0, 0
    for character in re.sub(r"\x1b\[\d*m", "", text.replace("\r\n", "\n")):  # colours take no place
        if character == "\r":
            place = 0
        elif character == "\n":
            lines.append([])
            row, place = row + 1, 0
        else:
            shown = lines[row]
            shown += [" "] * (place - len(shown) + 1)
            shown[place] = character
            place += 1
            assert place <= columns
    return ["".join(shown).rstrip() for shown in lines]


@pytest.mark.parametrize("columns", [80, 44])
def test_a_bar_on_a_terminal_goes_away_before_an_error(columns):
    error = 'raise dc.DiscreetError("no such luck: `gap=0.01`")'
    code, out, seen = on_a_terminal(SLOW.replace("END", error), columns=columns)
    assert code == 2 and out == ""
    assert re.search(r"designing( \[[#.]+\])? [24] of 40, \d+:\d\d", seen)
    assert "left" in seen and ("#" in seen or columns < 80)
    assert [text for text in screen(seen, columns) if text] == ["error: no such luck: --gap 0.01"]


def test_ctrl_c_leaves_a_clean_screen_and_says_so():
    code, out, seen = on_a_terminal(
        SLOW.replace("(0, 2, 4)", "range(400)").replace("END", ""), interrupt_at="of 4"
    )
    assert code == 130 and out == ""
    assert "of 4" in seen and "Traceback" not in seen
    assert [text for text in screen(seen) if text and text != "^C"] == [
        "interrupted; nothing more was done"
    ]


@pytest.mark.parametrize("words", [["--quiet"], ["-q"], ["--progress", "none"]])
def test_quiet_shows_nothing(words):
    code, _, seen = on_a_terminal(SLOW.replace("END", "sys.exit(0)"), *words)
    assert code == 0 and seen == ""


def test_json_lines_for_programs_leave_standard_output_alone():
    asked = [
        "design",
        "-n",
        "6",
        "--alpha",
        "10/11",
        "-p",
        "WH",
        "--loss",
        "L1",
        "--no-cache",
        "--json",
    ]
    done = run(*asked, "--progress", "json")
    assert json.loads(done.stdout)["optimal"] is True
    events = [json.loads(text) for text in done.stderr.splitlines()]
    assert events and set(events[0]) == {
        "phase",
        "done",
        "total",
        "seconds",
        "left",
        "detail",
        "release",
        "time",
    }
    # short work is silent where nobody watches; on a busy machine it may not be short
    assert all(text.startswith("discreet: designing") for text in run(*asked).stderr.splitlines())


def test_where_nobody_watches_a_line_now_and_then(monkeypatch):
    monkeypatch.setattr(bars, "_FIRST_LINE", 0.5)
    monkeypatch.setattr(bars, "_LINE_EVERY", 0.5)
    stream = io.StringIO()
    watcher = Watcher("auto", stream)
    watcher(Progress(phase="designing", done=1, total=2, left=3000.0))
    while "\n" not in stream.getvalue():
        time.sleep(0.02)
    watcher.close()
    lines = stream.getvalue().splitlines()
    assert "\r" not in stream.getvalue()
    assert re.fullmatch(
        r"discreet: designing 1 of 2, \d:\d\d, about (50:00|4\d:\d\d) left", lines[0]
    )


def test_results_are_printed_around_the_bar(capsys):
    stream = io.StringIO()
    watcher = Watcher("bar", stream)
    watcher(Progress(phase="paper", done=1, total=2))
    while "paper [" not in stream.getvalue():
        time.sleep(0.02)
    watcher.say("heatmaps: 3 agree")
    watcher.close()
    assert capsys.readouterr().out == "heatmaps: 3 agree\n"
    assert (
        "paper [" in stream.getvalue()
        and [text for text in screen(stream.getvalue()) if text] == []
    )


@everywhere(width=range(0, 100, 3), total=[0, 7, 12_000_000])
def test_a_bar_fits_any_width(width, total):
    event = Progress(phase="drawing", done=total // 2, total=total, detail="of some length")
    for left in (None, 0.0, 90.0, 1e6):
        assert len(bar_line(event, 4000.0, left, width=width)) <= width
    assert line(event, 4000.0, 90.0).endswith("1:06:40, about 1:30 left")
