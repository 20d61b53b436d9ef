"""Small multiples: what is shared is said once, on a page and on a phone."""

import re

import pytest

from discreet.show.colours import Look
from discreet.show.pictures.sheets.call_outs import Room
from discreet.show.pictures.sheets.line_names import height_at, places_clear, placing
from discreet.show.pictures.sheets.multiples import Sheet
from discreet.show.pictures.sheets.sheet_parts import TINT, Key, Line, Name, Note, Panel, Scale

LOOK = Look("#0072B2", [6, 3], "square")
X = Scale(low=0, high=1, ticks={0: "0", 1: "one"}, title="along")
Y = Scale(low=-1, high=1, ticks={0: "usual", 1: "more"}, title="upwards")
OTHER = Scale(low=1, high=10, ticks={1: "once", 10: "ten times"}, title="another", log=True)


def panel(k, y=Y, **more):
    values = [(0, 1), (1, 10)] if y is OTHER else [(0, -1), (1, 1)]
    return Panel(title=f"panel {k}", x=X, y=y, lines=[Line(points=values, look=LOOK, marks=True)], **more)


def sheet(panels, **more):
    return Sheet(title="A finding", line="what is drawn", panels=panels, **more).drawn()


def words(drawn):
    return re.findall(r">([^<>\n]+)</(?:text|tspan)>", drawn)


def test_panels_with_one_scale_share_its_numbers_and_the_titles_of_axes():
    drawn = sheet([panel(k) for k in range(4)], keys=[Key(words="a line", look=LOOK)])
    assert words(drawn).count("upwards") == words(drawn).count("along") == words(drawn).count("usual") == 1
    assert words(drawn).count("a line") == 1 and words(drawn).count("one") == 4
    small = drawn.narrow()
    assert words(small).count("usual") == 2, "two rows of two"
    assert words(small).count("along") == words(small).count("upwards") == 1, "below the last row, and beside both"
    assert 'viewBox="0 0 688 ' in drawn and 'viewBox="0 0 352 ' in small


def test_a_panel_with_another_scale_has_its_own_axis():
    drawn = sheet([panel(0), panel(1, OTHER)], columns=(2, 2))
    assert words(drawn).count("upwards") == words(drawn).count("another") == 1


def test_on_a_phone_panels_can_stand_in_another_order():
    drawn = sheet([panel(k) for k in range(4)], on_a_phone=(0, 2, 1, 3))
    assert [w for w in words(drawn.narrow()) if w.startswith("panel")] == ["panel 0", "panel 2", "panel 1", "panel 3"]


def test_what_is_better_is_tinted_below_the_level_line():
    drawn = sheet([panel(0, across=(0, "#0072B2"), better=True)], columns=(1, 1))
    (tint,) = re.findall(rf'<rect x="[\d.]+" y="([\d.]+)" width="[\d.]+" height="([\d.]+)" fill="{TINT}"', drawn)
    (level,) = re.findall(r'<path d="M[\d.]+ ([\d.]+)h[\d.]+" stroke="#0072B2"', drawn)
    assert tint[0] == level and float(tint[1]) == pytest.approx(95), "the lower half of 190"


def test_a_log_scale_has_equal_ratios_at_equal_distances():
    assert [OTHER.place(v) for v in (1, 10**0.5, 10)] == pytest.approx([0, 0.5, 1])


def test_a_line_has_its_name_beside_it_or_at_its_end_and_names_there_keep_apart():
    lines = [Line(points=[(0, y), (1, y)], look=LOOK, name=Name(f"line {y}", x)) for y, x in ((0, None), (0.01, None))]
    lines.append(Line(points=[(0, -1), (1, 1)], look=LOOK, name=Name("rising", 0.5, 1)))
    drawn = sheet([Panel(title="", x=X, y=Y, lines=lines)], columns=(1, 1))
    heights = [float(y) for y in re.findall(r'y="([\d.]+)"[^>]*>line ', drawn)]
    assert len(heights) == 2 and abs(heights[0] - heights[1]) >= 13.5
    assert words(drawn).count("rising") == 1


def test_a_band_is_drawn_where_it_is_wider_than_its_line():
    def bands(span):
        line = Line(points=[(0, 0), (1, 0)], look=LOOK, band=[(0, 0, 0), (0.5, 0, 0), (1, 0, span)])
        return sheet([Panel(title="", x=X, y=Y, lines=[line])], columns=(1, 1)).count("<polygon")

    assert bands(0.5) == 1 and bands(0.01) == 0


def test_words_are_escaped():
    assert "a &lt; b" in sheet([panel("a < b")])


def three(points, **more):
    lines = [
        Line(points=[(0, one), (1, other)], look=LOOK, name=Name(words, free=True))
        for words, (one, other) in zip(("low", "middle", "high"), points, strict=True)
    ]
    return Panel(title="three", x=X, y=Y, lines=lines, **more)


def test_a_free_name_stands_nearer_to_its_own_line_than_to_any_other():
    corner, size = (0.0, 0.0), (200.0, 150.0)
    apart = three([(-0.8, -0.6), (0, 0), (0.6, 0.8)])
    placed = list(places_clear(apart, corner, size, 12.5))
    assert [line.name.words for line, *_ in placed] == ["low", "middle", "high"]
    at = placing(apart, corner, size)
    for own, x, foot in placed:
        middle = foot - 5
        heights = {line.name.words: height_at([at(*p) for p in line.points], x) for line in apart.lines}
        assert min(heights, key=lambda words: abs(heights[words] - middle)) == own.name.words
    assert set(words(sheet([apart]))) >= {"low", "middle", "high"}


def test_lines_that_cannot_be_told_apart_have_no_free_names():
    close = three([(0.01, 0.01), (0, 0), (-0.01, -0.01)])
    named = {line.name.words for line, *_ in places_clear(close, (0.0, 0.0), (200.0, 150.0), 12.5)}
    assert "middle" not in named
    assert not list(places_clear(three([(0, 0)] * 3), (0.0, 0.0), (200.0, 150.0), 12.5))
    assert not list(places_clear(three([(-1, -1), (0, 0), (1, 1)], remark="alike"), (0.0, 0.0), (200.0, 150.0), 12.5))


def test_a_name_without_room_at_its_line_stands_apart_with_a_rule_to_it():
    crossing = three([(-0.9, 0.9), (0.9, -0.9), (-0.7, 0.7)])
    drawn = sheet([crossing], columns=(1, 1))
    assert {"low", "middle", "high"} <= set(words(drawn))
    apart = sheet([three([(-0.8, -0.6), (0, 0), (0.6, 0.8)])], columns=(1, 1))
    assert 'stroke="#666666" stroke-width="1"' not in apart, "no rule where words are at their lines"


def test_lines_that_are_one_have_one_name():
    assert "low, middle, high" in words(sheet([three([(0, 0.5)] * 3)], columns=(1, 1)))


def test_a_note_has_a_rule_to_its_point_and_no_words_touch_another():
    noted = three([(-0.8, -0.6), (0, 0), (0.6, 0.8)], notes=[Note("from here on", 0.5, 0)])
    drawn = sheet([noted], columns=(1, 1))
    assert "from here on" in words(drawn)
    assert re.search(r'<circle cx="[\d.]+" cy="[\d.]+" r="2.4"', drawn)
    room = Room((0, 0, 100, 100), [[(0, 50), (100, 50)]], [(0, 0, 100, 30)], 12)
    assert all(box[1] >= 50 for box in room.places(40, 14))


def test_what_the_tint_means_is_written_in_it():
    drawn = sheet([panel(0, across=(0, "#0072B2"), better=True, ground="better")], columns=(1, 1))
    (level,) = re.findall(r'<path d="M[\d.]+ ([\d.]+)h[\d.]+" stroke="#0072B2"', drawn)
    (foot,) = re.findall(r'y="([\d.]+)"[^>]*>better<', drawn)
    assert float(foot) > float(level)


def test_words_can_stand_in_place_of_a_panel():
    drawn = sheet([panel(0), panel(1, instead="nothing to see")], columns=(2, 2))
    assert "nothing to see" in words(drawn) and words(drawn).count("one") == 1
