"""A table of small panels: names at its sides, one line in each, what lies between line and level filled."""

import re

import pytest

from discreet.show.colours import Look
from discreet.show.pictures.sheets.panel_rows import BETTER, WORSE, Grid, Row
from discreet.show.pictures.sheets.sheet_parts import Key, Line, Scale

LOOK = Look("#0072B2", [1, 0], "circle")
X = Scale(low=0, high=1, ticks={0: "0", 0.5: "half", 1: "one"}, title="along")
Y = Scale(low=-1, high=1, ticks={-1: "less", 0: "usual", 1: "more"})


def row(name, *lines, **more):
    return Row(name=name, y=Y, lines=[line and Line(points=line, look=LOOK) for line in lines], **more)


def grid(*rows, **more):
    return Grid(
        title="A finding", line="what is drawn", columns=["left", "right"], x=X, rows=rows, level=(0, "#666666"), **more
    ).drawn()


UP, DOWN, ACROSS, LEVEL = ([(0, a), (1, b)] for a, b in ((0.2, 0.9), (-0.9, -0.2), (-0.5, 0.5), (0, 0)))


def words(drawn):
    return re.findall(r">([^<>\n]+)</(?:text|tspan)>", drawn)


def filled(drawn, colour):
    return re.findall(rf'<polygon points="([^"]+)" fill="{colour}"', drawn)


def test_rows_and_columns_are_named_once_and_axes_are_shared():
    drawn = grid(row("first", UP, DOWN), row("second", ACROSS, LEVEL), keys=[Key(words="better", fill=BETTER)])
    for said in ("first", "second", "left", "right", "along", "better"):
        assert words(drawn).count(said) == 1
    assert words(drawn).count("usual") == 2, "a row each"
    assert words(drawn).count("half") == 2, "a column each, below the last row"
    small = drawn.narrow()
    assert 'viewBox="0 0 688 ' in drawn and 'viewBox="0 0 352 ' in small and set(words(small)) >= {"first", "right"}


def test_what_is_above_the_level_is_filled_in_one_colour_and_what_is_below_in_another():
    assert len(filled(grid(row("", UP, LEVEL)), WORSE)) == 1 and not filled(grid(row("", UP, LEVEL)), BETTER)
    assert len(filled(grid(row("", DOWN, LEVEL)), BETTER)) == 1 and not filled(grid(row("", DOWN, LEVEL)), WORSE)
    both = grid(row("", ACROSS, LEVEL))
    assert len(filled(both, WORSE)) == len(filled(both, BETTER)) == 1
    (below,), (above,) = filled(both, BETTER), filled(both, WORSE)
    assert set(below.split()) & set(above.split()), "they meet where the line crosses the level"
    assert not filled(grid(row("", None, LEVEL)), "#[0-9a-f]{6}")


def test_a_line_that_cannot_be_told_from_the_level_is_words():
    drawn = grid(row("", UP, LEVEL, alike="as usual"))
    assert words(drawn).count("as usual") == 1
    assert len(re.findall(r'stroke="#0072B2"', drawn)) == 1


def test_the_names_of_rows_do_not_run_into_the_numbers():
    drawn = grid(row("a name of some\nlength", UP, DOWN, colour="#0072B2"))
    (number,) = {float(x) for x in re.findall(r'<text x="([\d.]+)"[^>]*text-anchor="end"[^>]*>usual<', drawn)}
    assert number > 22 + 15 + 90


def test_numbers_of_columns_side_by_side_keep_apart_on_a_phone():
    small = grid(row("", UP, DOWN)).narrow()
    ends = re.findall(r'text-anchor="(\w+)"[^>]*>(0|one)<', small)
    assert set(ends) == {("start", "0"), ("end", "one")}


@pytest.mark.parametrize("phone", [False, True])
def test_words_are_escaped(phone):
    drawn = grid(row("a < b", UP, DOWN))
    assert "a &lt; b" in (drawn.narrow() if phone else drawn)
