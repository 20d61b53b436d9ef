"""Colours: one for each named mechanism everywhere, one fill for each chance in every kind of picture."""

import re
from colorsys import rgb_to_hsv
from itertools import pairwise
from pathlib import Path

import pytest
from tests.conftest import require

import discreet as dc
from discreet.core.named import NAMED
from discreet.errors import InvalidInput
from discreet.show.cells import cells, largest
from discreet.show.charts import KINDS
from discreet.show.colours import (
    CELLS,
    COLOURS,
    DASHES,
    DESIGN,
    INK,
    MARK,
    MARK_EDGE,
    MARKERS,
    OTHERS,
    PALE_INK,
    RAMP,
    SAME_INK,
    TURN,
    cell_colours,
    looks,
    mechanism_colour,
    shades,
)
from discreet.show.pictures.comparing import cost_rows

SOURCE = Path(dc.__file__).parent


def test_a_named_mechanism_has_one_colour_whoever_stands_beside_it():
    for company in (
        ["GM", "EM"],
        ["EM", "UM", "GM"],
        ["WH CM", "EM", "L1, CM", "GM"],
        ["GM (weakly honest here)", "EM"],
    ):
        for label, look in zip(company, looks(company), strict=True):
            named = NAMED.get(label.partition(" ")[0])
            assert named is None or look.colour == named.colour


def test_series_of_one_figure_differ_in_colour_dash_and_marker():
    names = [*NAMED, "mine", "cells"]
    for part in zip(*looks(names), strict=True):
        assert len(set(map(str, part))) == len(names)
    assert len(COLOURS) == len(DASHES) == len(MARKERS)
    with pytest.raises(InvalidInput, match="at most 10"):
        looks([*names, "one more"])


def test_several_of_one_kind_are_shades_of_its_colour():
    two = looks(["strong", "weak", "EM"], {"strong": "GM", "weak": "GM"})
    assert [look.colour for look in two] == [*shades(mechanism_colour("GM"), 2), mechanism_colour("EM")]
    assert len({look.marker for look in two}) == len({str(look.dash) for look in two}) == 3
    for colour in COLOURS:
        assert all(contrast(shade, PALE_INK) >= 2.99 for shade in shades(colour, 5))


def test_several_that_are_no_mechanism_differ_in_hue():
    drawn = [look.colour for look in looks(["a", "b", "c", "d", "e", "f", "g"])]
    assert drawn == list(OTHERS[:7]) and drawn[0] == DESIGN
    assert not {one.lower() for one in OTHERS[1:]} & {one.lower() for one in COLOURS}
    assert all(contrast(colour, PALE_INK) >= 3 for colour in OTHERS)
    hues = [colour for colour in OTHERS[:7] if max(parts(colour)) - min(parts(colour)) > 60]
    assert len({max(range(3), key=parts(hue).__getitem__) for hue in hues}) == 3, "red, green and blue ones"
    assert [look.colour for look in looks(["GM", "L1, CM", "WH CM"])] == [mechanism_colour("GM"), *OTHERS[:2]]


def parts(colour):
    return [int(colour[k : k + 2], 16) for k in (1, 3, 5)]


def painted(chart):
    """Which colour a chart gives to which label."""
    found = {}

    def walk(part):
        if isinstance(part, dict):
            scale = (part.get("color") or {}).get("scale") if isinstance(part.get("color"), dict) else None
            if scale:
                found.update(zip(scale["domain"], scale["range"], strict=True))
        for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
            walk(inner)

    walk(chart.to_dict(validate=False))
    return found


def test_the_two_mechanisms_that_the_paper_calls_wm_are_of_one_family_whichever_else_is_drawn():
    from discreet.paper.contestants import ORDER, WM, WM_COLUMNS

    for order in (ORDER, (WM, WM_COLUMNS, "EM"), ("GM", WM, WM_COLUMNS)):
        drawn = dict(zip(order, looks(order), strict=True))
        first, second = drawn[WM], drawn[WM_COLUMNS]
        assert first.colour == NAMED["WM"].colour != second.colour
        hues = [rgb_to_hsv(*(int(look.colour[k : k + 2], 16) for k in (1, 3, 5)))[0] for look in (first, second)]
        assert hues[0] == pytest.approx(hues[1], abs=0.01), "one hue"
        assert first.dash != second.dash and first.marker != second.marker, "told apart without colour too"


@pytest.mark.slow
def test_every_kind_of_chart_draws_a_mechanism_in_its_own_colour():
    setting = {"n": 3, "epsilon": "1/4"}  # where WM is not GM
    own = {name: one.colour for name, one in NAMED.items()}
    named = {name: one.build(**setting) for name, one in NAMED.items()}
    drawn = painted(dc.plot({**named, "mine": dc.design(**setting, properties="F", loss="L2")}, "accuracy"))
    assert drawn.items() <= {**own, "mine": DESIGN}.items()  # lines that cannot be told apart are one
    assert {"GM", "WM", "EM", "UM", "mine"} <= drawn.keys()
    assert painted(dc.plot({"a": dc.geometric(**setting), "b": dc.fair(**setting)}, "intervals")) == {
        "a": own["GM"],
        "b": own["EM"],
    }
    for name, m in list(named.items())[:3]:
        assert painted(m.plot("columns", counts=[0, 1, 3])) == dict.fromkeys(("0", "1", "3"), own[name])
    known = ["GM", "EM", "UM", "RR"]
    assert painted(dc.plot(dc.compare([*known, "CM"], n=[2, 3], epsilon="1/4"), "scores")) == {
        **{name: own[name] for name in known},
        "CM": DESIGN,
    }
    ways = {"joint": DESIGN, "F": own["EM"], "cells": CELLS, "RR": own["RR"]}
    table = dc.compare(list(ways), n=2, categories=["a", "b", "c"], epsilon=1, loss="L1")
    drawn = {label.partition("(")[2][:-1] or "joint": colour for label, colour in painted(table.plot("rivals")).items()}
    assert drawn == ways
    both = {"joint": dc.design(n=2, categories=3, epsilon=1), "cells": dc.cells(n=2, categories=3, epsilon=1)}
    drawn = dc.plot(both, "answers").to_dict()["datasets"].values()
    assert {row["way"]: row["ink"] for rows in drawn for row in rows if "way" in row} == {
        "joint": DESIGN,
        "cells": CELLS,
    }
    alone = dc.plot(both["cells"], "answers").to_dict()
    assert alone["layer"][0]["mark"]["color"] == CELLS
    costs = {row["wish"]: row["colour"] for row in cost_rows(n=3, alpha="10/11")}
    assert (costs["none"], costs["F"], costs["CM"]) == (own["GM"], own["EM"], DESIGN)
    of_chances = {"heatmap", "triangle"}  # from white to dark blue, whichever the mechanism
    of_readings = {"distribution"}
    assert set(KINDS) == {"accuracy", "intervals", "columns", "scores", "rivals", "answers"} | of_chances | of_readings
    for reading in (dc.estimate([1, 2, 0, 3] * 30, mechanism=dc.geometric(**setting)),):
        for kind in ("totals", "groups", "distribution"):
            assert not set(COLOURS) & set(re.findall(r"#[0-9A-Fa-f]{6}", str(dc.plot(reading, kind).to_dict())))


@pytest.mark.slow
def test_the_paper_draws_named_mechanisms_alike():
    from discreet.paper.contestants import EM, GM, ORDER, UM, WM

    paper = dict(zip(ORDER, looks(ORDER), strict=True))
    for label, name in {GM: "GM", WM: "WM", EM: "EM", UM: "UM"}.items():
        assert paper[label].colour == NAMED[name].colour


def contrast(one, other):
    def luminance(colour):
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_numbers_can_be_read_on_every_fill():
    for k in range(1001):
        fill, ink = cell_colours(k / 1000, 1)
        assert ink in (INK, SAME_INK, PALE_INK) and contrast(fill, ink) >= 4.5, fill
    earlier, ink = cell_colours(TURN - 0.005, 1)
    assert ink != PALE_INK and contrast(earlier, PALE_INK) < 4.5, "white from the first fill on which it has 4.5"


def test_the_cells_of_pictures_are_legible_and_white_is_not_left_for_the_darkest():
    gm = {(row["output"], row["count"]): row for row in cells(dc.geometric(n=8, epsilon="1/2"))}
    assert gm[0, 1]["ink"] == gm[8, 7]["ink"] == PALE_INK, "0.378 of at most 0.622"
    for m in (dc.geometric(n=4, alpha="3/4"), dc.fair(n=8, epsilon=1), dc.weakly_honest(n=12, epsilon="1/4")):
        assert all(contrast(row["fill"], row["ink"]) >= 4.5 for row in cells(m))


def test_large_groups_are_shaded_by_the_square_root_of_the_chance_and_say_so():
    m = dc.geometric(n=20, epsilon="1/2")
    rows = {(row["output"], row["count"]): row for row in cells(m)}
    top = largest(m)
    wanted = cell_colours((rows[10, 10]["probability"] / top) ** 0.5, 1)[0]
    assert rows[10, 10]["fill"] == wanted
    steps = [lightness(rows[i, 10]["fill"]) for i in range(10, 16)]
    assert all(below - above > 3 for above, below in pairwise(steps)), "the shape of the middle is seen"
    require("plots")
    colour = m.plot().to_dict()["layer"][0]["encoding"]["color"]
    assert colour["scale"]["type"] == "sqrt" and " ".join(colour["title"]) == "chance (square-root scale)"
    small = dc.geometric(n=12, epsilon="1/2").plot().to_dict()["layer"][0]["encoding"]["color"]
    assert small["scale"]["type"] == "linear" and small["title"] == "chance"


@pytest.mark.parametrize("top", [1e-6, 0.047, 0.12, 0.245, 0.622, 1.0])
def test_numbers_along_the_bar_of_a_square_root_scale_never_touch(top):
    from discreet.show.pictures.heatmap import root_ticks

    for long in (150, 220):
        ticks = root_ticks(top, long)
        gaps = [long * (b**0.5 - a**0.5) / top**0.5 for a, b in pairwise(ticks)]
        assert ticks[0] == 0 and 2 <= len(ticks) <= 5 and ticks[-1] <= top and min(gaps) >= 50


@pytest.mark.parametrize("step", [23, 30, 33, 38, 48, 60])
def test_triangles_stand_clear_of_digits_and_of_the_sides_of_their_cell(step):
    from discreet.show.pictures.heatmap import corner, decimals, letters

    for size in (letters(step), letters(step, 11 if step >= 30 else 8.5)):
        mark = corner(step, size)
        side = mark["size"] ** 0.5
        edge = step / 2 - 1.2  # outlines reach a pixel into the cells beside them
        assert mark["xOffset"] + side / 2 < edge and mark["yOffset"] - side / 2 > -edge
        # digits reach 0.42 of their size above the middle; the long side of the triangle falls past the last of them
        wide = 0.6 * size * (2 + 1.5 * decimals(step))
        beside = mark["xOffset"] - wide / 2, -0.42 * size - mark["yOffset"]
        assert beside[0] + beside[1] > 2.5 or side == 5, "from the end of the digits to the long side"


def lightness(colour):
    """L* of CIELAB: even steps of it look even."""
    y = 1.05 / contrast(colour, "#ffffff") - 0.05
    return 116 * y ** (1 / 3) - 16 if y > 216 / 24389 else 24389 / 27 * y


def test_fills_darken_in_even_steps():
    steps = [lightness(cell_colours(k / 100, 1)[0]) for k in range(101)]
    even = (steps[0] - steps[-1]) / 100
    assert all(0.3 < one - other < 2 * even for one, other in pairwise(steps)), "no edge that the chances do not have"
    assert all(abs(step - (steps[0] - even * k)) < 1 for k, step in enumerate(steps)), "half the chance, half the way"


@pytest.mark.parametrize("top", [1e-6, 0.047, 0.12, 0.24, 0.5, 0.622, 0.98, 1.0])
def test_numbers_along_the_bar_of_a_legend_are_even_and_never_touch(top):
    from discreet.show.pictures.heatmap import even_ticks

    for long in (100, 150, 220):
        ticks = even_ticks(top, long // 50)
        gaps = {round((b - a) / top, 6) for a, b in pairwise(ticks)}
        assert ticks[0] == 0 and len(gaps) == 1 and ticks[-1] <= top and 2 <= len(ticks) <= 5
        assert long * gaps.pop() >= 7 * max(len(f"{tick:g}") for tick in ticks[1:]) or top < 1e-5


def test_likelier_is_darker():
    fills = [cell_colours(k / 50, 1)[0] for k in range(51)]
    shades = [contrast(fill, "#ffffff") for fill in fills]
    assert shades == sorted(shades) and (fills[0], fills[-1]) == (RAMP[0], RAMP[-1])


@pytest.mark.parametrize("root", [False, True])
@pytest.mark.parametrize("top", [1.0, 0.53, 0.07])
def test_a_bar_of_colours_has_round_chances_where_their_colours_are(top, root):
    from discreet.show.pictures import svg

    bar = svg.colour_scale(top, root=root)
    parts = re.findall(r'<rect x="([\d.]+)" width="[\d.]+" height="12" fill="(#\w{6})"', bar)
    left, right = float(parts[0][0]), float(parts[-1][0]) + float(parts[1][0]) - float(parts[0][0])
    marks = [(float(x), float(said) / 100) for x, said in re.findall(r'x="([\d.]+)" y="28.0"[^>]*>([\d.]+)%', bar)]
    assert marks[0] == (left, 0.0) and len(marks) >= 3
    for x, chance in marks:
        place = (chance / top) ** (0.5 if root else 1)
        assert x == pytest.approx(left + place * (right - left), abs=0.5)
    fills = [
        cell_colours(top * ((k + 0.5) / len(parts)) ** (2 if root else 1), top, root=root)[0] for k in range(len(parts))
    ]
    assert [fill for _, fill in parts] == fills


@pytest.mark.slow
def test_svg_the_notebook_and_a_chart_fill_a_cell_alike():
    import json

    import vl_convert

    from discreet.show.pictures import svg

    m = dc.geometric(n=3, alpha="9/10")
    wanted = [row["fill"] for row in cells(m)]
    page = svg.heatmap(m, top=largest(m), title="GM")
    places = {
        (int(j), int(i)): fill
        for fill, shape in re.findall(r'<path fill="(#\w{6})" d="([^"]*)"', page)
        for j, i in re.findall(r"M(\d+) (\d+)h1", shape)
    }
    assert [places[row["count"], row["output"]] for row in cells(m)] == wanted
    assert re.findall(r"background:(#\w{6})", m._repr_html_()) == wanted
    drawn = vl_convert.vegalite_to_svg(json.dumps(m.plot().to_dict()))
    fills = re.findall(r'true count: (\d); published number: (\d)[^>]*fill="rgb\((\d+), (\d+), (\d+)\)"', drawn)
    found = {(int(i), int(j)): tuple(map(int, rgb)) for j, i, *rgb in fills}
    assert len(found) == 16, "every cell is drawn"
    for row in cells(m):
        shown = found[row["output"], row["count"]]
        wished = [int(row["fill"][k : k + 2], 16) for k in (1, 3, 5)]
        assert all(abs(one - other) <= 1 for one, other in zip(shown, wished, strict=True)), "but for rounding"


def test_the_studio_s_style_sheet_has_the_same_colours():
    css = (SOURCE / "studio" / "static" / "studio.css").read_text(encoding="utf-8").lower()
    assert f"--blue: {COLOURS[0].lower()}" in css


def test_the_truth_and_the_reader_have_no_mechanism_s_colour():
    assert MARK == INK and MARK_EDGE == PALE_INK
    assert not {MARK.lower(), MARK_EDGE.lower()} & {colour.lower() for colour in (*COLOURS, *OTHERS)}
    studio = SOURCE / "studio" / "static"
    for file in ("studio.css", "story.css"):
        css = (studio / file).read_text(encoding="utf-8").lower()
        own = set(re.findall(r"--you(?:-word)?: (#\w{6})", css))
        assert own and not own & {colour.lower() for colour in COLOURS}, file
        assert NAMED["WM"].colour.lower() not in css, "nothing but WM is vermilion"
    css = (studio / "studio.css").read_text(encoding="utf-8")
    assert all(f"{key} var(--ink)" in css for key in (".key.outline { border: 2px solid", "border: 5.5px solid"))
    for page in ("site.css", "gallery.md"):
        written = (SOURCE.parents[1] / "docs" / page).read_text(encoding="utf-8").lower()
        assert NAMED["WM"].colour.lower() not in written and "marked in vermilion" not in written


def test_the_outline_of_the_truth_is_seen_on_every_fill():
    for k in range(101):
        fill, _ = cell_colours(k / 100, 1)
        assert max(contrast(fill, MARK), contrast(fill, MARK_EDGE)) >= 4.5


def test_hues_of_series_are_written_down_once():
    for path in SOURCE.rglob("*.py"):
        if path.name not in ("named.py", "colours.py"):
            found = set(re.findall(r"#[0-9a-fA-F]{6}\b", path.read_text(encoding="utf-8")))
            assert not {colour.lower() for colour in found} & {c.lower() for c in COLOURS if c != "#000000"}, path.name
