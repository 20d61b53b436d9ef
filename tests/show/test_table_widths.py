"""Tables for a terminal, whatever its width and whatever the keys: long, many, wide, combining, with line breaks."""

import unicodedata

import numpy as np
import pytest

from discreet.cli.shared import folded
from discreet.reading.parts.number_table import NumberTable
from discreet.show.text import laid_out, table, width

KEYS = {
    "short": ["a", "b"],
    "58 characters": ["Statutory health centre of the northern coastal districts.", "b"],
    "one long word": ["x" * 300, "y" * 58],
    "wide": ["東京都立多摩総合医療センター" * 3, "b"],
    "combining": ["Gesundheitsäm" + "a\u0308" * 20 + "ter", "नमस्ते"],
    "a line break": ["one\ntwo\tthree\x1b[2J", "b"],
    "missing": [None, ""],
}


def numbers(keys: list, columns: int) -> NumberTable:
    """A table of intervals, as `discreet estimate DIR --by KEY` prints of single groups."""
    names = tuple(f"key_{place}" for place in range(columns))
    values = np.array(keys, dtype=object)
    counts = {
        "n": np.array([10, 1000]),
        "number_low": np.array([1, 20]),
        "number_high": np.array([2, 345]),
    }
    spans = {"number_low": ("95% interval", "number_high")}
    return NumberTable(
        columns={**dict.fromkeys(names, values), **counts},
        title="numbers",
        keys=names,
        spans=spans,
        notes=("A note.",),
    )


@pytest.mark.parametrize("columns", [1, 2, 25])
@pytest.mark.parametrize("terminal", [1, 20, 40, 58, 60, 79, 80, 81, 100, 120, 200])
@pytest.mark.parametrize("keys", KEYS.values(), ids=KEYS)
def test_any_keys_print_on_any_terminal(keys, terminal, columns):
    with laid_out(terminal):
        text = folded(str(numbers(keys, columns)), terminal)
    for words in ("1 to 2", "20 to 345"):
        assert words.split()[-1] in text.split()
    shown = "".join(text.split())
    for key in keys:
        for word in str(key or "").split() if key and key.isprintable() else []:
            assert shown.count(word) >= columns or terminal < 120, "nothing of a key is lost"


@pytest.mark.parametrize("terminal", [60, 80, 120])
@pytest.mark.parametrize("keys", KEYS.values(), ids=KEYS)
def test_numbers_stand_below_their_heading(keys, terminal):
    with laid_out(terminal):
        lines = folded(str(numbers(keys, 1)), terminal).splitlines()
    ends = [width(line) for line in lines if line.endswith(("interval", "1 to 2", "20 to 345"))]
    longest = max(width(word) for key in keys for word in str(key).split())
    if longest < terminal - 30:  # a longer word stays whole, to be copied, and its row is folded
        assert len(ends) == 3 and len(set(ends)) == 1


def test_the_width_of_a_cell_is_what_a_terminal_shows():
    rows = [("東京", 1), ("Lima", 2), ("Li\u0301ma", 3), ("a\tb\nc", 4)]
    lines = table(rows, "<0 >1", gap=2)
    assert [width(line) for line in lines] == [width(lines[0])] * 4
    assert lines[0] == "  東京     1" and unicodedata.normalize("NFC", lines[2]) == "  Líma     3"
    assert lines[3] == "  a\\tb\\nc  4"


def test_only_numbers_lose_the_name_of_their_question():
    """A key may begin with the same word."""
    answers = {
        f"feels_{word}": np.array([1])
        for word in ("never", "rarely", "sometimes", "often", "always")
    }
    columns = {"feels_like": np.array(["x" * 40]), "n": np.array([9]), **answers}
    head = str(NumberTable(columns=columns, title="feels", keys=("feels_like",))).splitlines()[1]
    assert head.split() == ["feels_like", "n", "never", "rarely", "sometimes", "often", "always"]
