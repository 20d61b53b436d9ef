"""Small multiples: what is shared is said once, on a page and on a phone."""

import re

import pytest

from discreet.show.colours import Look
from discreet.show.pictures.sheets.multiples import Sheet
from discreet.show.pictures.sheets.sheet_parts import Line, Name, Panel, Scale

LOOK = Look("#0072B2", [6, 3], "square")
X = Scale(low=0, high=1, ticks={0: "0", 1: "one"}, title="along")
Y = Scale(low=-1, high=1, ticks={0: "usual", 1: "more"}, title="upwards")
OTHER = Scale(low=1, high=10, ticks={1: "once", 10: "ten times"}, title="another", log=True)


def panel(k, y=Y, **more):
    values = [(0, 1), (1, 10)] if y is OTHER else [(0, -1), (1, 1)]
    return Panel(
        title=f"panel {k}", x=X, y=y, lines=[Line(points=values, look=LOOK, marks=True)], **more
    )


def sheet(panels, **more):
    return Sheet(title="A finding", line="what is drawn", panels=panels, **more).drawn()


def words(drawn):
    return re.findall(r">([^<>\n]+)</(?:text|tspan)>", drawn)


def test_panels_with_one_scale_share_its_numbers_and_the_titles_of_axes():
    drawn = sheet([panel(k) for k in range(4)])
    assert (
        words(drawn).count("upwards")
        == words(drawn).count("along")
        == words(drawn).count("usual")
        == 1
    )
    assert words(drawn).count("one") == 4
    small = drawn.narrow()
    assert words(small).count("usual") == 2, "two rows of two"
    assert words(small).count("along") == words(small).count("upwards") == 1, (
        "below the last row, and beside both"
    )
    assert 'viewBox="0 0 688 ' in drawn and 'viewBox="0 0 352 ' in small


def test_a_panel_with_another_scale_has_its_own_axis():
    drawn = sheet([panel(0), panel(1, OTHER)], columns=(2, 2))
    assert words(drawn).count("upwards") == words(drawn).count("another") == 1


def test_a_log_scale_has_equal_ratios_at_equal_distances():
    assert [OTHER.place(v) for v in (1, 10**0.5, 10)] == pytest.approx([0, 0.5, 1])


def test_a_line_has_its_name_beside_it_or_at_its_end_and_names_there_keep_apart():
    lines = [
        Line(points=[(0, y), (1, y)], look=LOOK, name=Name(f"line {y}", x))
        for y, x in ((0, None), (0.01, None))
    ]
    lines.append(Line(points=[(0, -1), (1, 1)], look=LOOK, name=Name("rising", 0.5, 1)))
    drawn = sheet([Panel(title="", x=X, y=Y, lines=lines)], columns=(1, 1))
    heights = [float(y) for y in re.findall(r'y="([\d.]+)"[^>]*>line ', drawn)]
    assert len(heights) == 2 and abs(heights[0] - heights[1]) >= 13.5
    assert words(drawn).count("rising") == 1


def test_words_are_escaped():
    assert "a &lt; b" in sheet([panel("a < b")])


def test_the_title_of_an_upright_axis_stands_at_its_top_number_apart_from_the_line_below_the_title():
    def place(drawn, said):
        x, y, size = re.search(
            rf'<text x="([\d.]+)" y="([\d.]+)"[^>]*font-size="([\d.]+)px"[^>]*>{said}<', drawn
        ).groups()
        return float(x), float(y), float(size)

    for heads in ("", "a panel"):
        one = sheet([Panel(title=heads, x=X, y=Y, lines=panel(0).lines)], columns=(1, 1))
        for drawn in (one, one.narrow()):
            _, number, letters = place(drawn, "more")
            _, title, small = place(drawn, "upwards")
            line = float(re.search(r'y="([\d.]+)"[^>]*>what is drawn<', drawn)[1])
            assert small == letters and letters * 0.9 < number - title < letters * 1.6, (
                "right above it"
            )
            assert title - line > 1.4 * letters, "and no further line of the heading"
