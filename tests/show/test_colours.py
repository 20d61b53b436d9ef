"""Colours: one for each named mechanism everywhere, one fill for each chance in every kind of picture."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

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
    MARKERS,
    OTHERS,
    PALE_INK,
    RAMP,
    SAME_INK,
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


@pytest.mark.slow
def test_every_kind_of_chart_draws_a_mechanism_in_its_own_colour():
    setting = {"n": 3, "epsilon": "1/4"}  # where WM is not GM
    own = {name: one.colour for name, one in NAMED.items()}
    named = {name: one.build(**setting) for name, one in NAMED.items()}
    assert painted(dc.plot({**named, "mine": dc.design(**setting, properties="F", loss="L2")}, "accuracy")) == {
        **own,
        "mine": DESIGN,
    }
    assert painted(dc.plot({"a": dc.geometric(**setting), "b": dc.fair(**setting)}, "intervals")) == {
        "a": own["GM"],
        "b": own["EM"],
    }
    for name, m in list(named.items())[:3]:
        assert painted(m.plot("columns", counts=[0, 1, 3])) == dict(
            zip(("0", "1", "3"), shades(own[name], 3), strict=True)
        )
    known = ["GM", "EM", "UM", "RR"]
    assert painted(dc.plot(dc.compare([*known, "CM"], n=[2, 3], epsilon=1), "scores")) == {
        **{name: own[name] for name in known},
        "CM": DESIGN,
    }
    ways = {"joint": DESIGN, "F": own["EM"], "cells": CELLS, "RR": own["RR"]}
    table = dc.compare(list(ways), n=2, categories=["a", "b", "c"], epsilon=1, loss="L1")
    assert {label.partition(":")[0]: colour for label, colour in painted(table.plot("rivals")).items()} == ways
    both = {"joint": dc.design(n=2, categories=3, epsilon=1), "cells": dc.cells(n=2, categories=3, epsilon=1)}
    assert painted(dc.plot(both, "answers")) == {"joint": DESIGN, "cells": CELLS}
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
    for k in range(101):
        fill, ink = cell_colours(k / 100, 1)
        assert ink in (INK, SAME_INK, PALE_INK) and contrast(fill, ink) >= 4.5


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
    fills = re.findall(r'true count: (\d); output: (\d)[^>]*fill="rgb\((\d+), (\d+), (\d+)\)"', drawn)
    found = {(int(i), int(j)): tuple(map(int, rgb)) for j, i, *rgb in fills}
    assert len(found) == 16, "every cell is drawn"
    for row in cells(m):
        shown = found[row["output"], row["count"]]
        wished = [int(row["fill"][k : k + 2], 16) for k in (1, 3, 5)]
        assert all(abs(one - other) <= 1 for one, other in zip(shown, wished, strict=True)), "but for rounding"


def test_the_studio_s_style_sheet_has_the_same_colours():
    css = (SOURCE / "studio" / "static" / "studio.css").read_text(encoding="utf-8").lower()
    assert f"--blue: {COLOURS[0].lower()}" in css and f"--vermilion: {COLOURS[1].lower()}" in css
    ramp = re.search(r"\.key\.ramp \{[^}]*linear-gradient\(90deg, #fff, ([^)]*)\)", css)
    assert ramp and set(ramp[1].split(", ")) <= set(RAMP)


def test_hues_of_series_are_written_down_once():
    for path in SOURCE.rglob("*.py"):
        if path.name not in ("named.py", "colours.py"):
            found = set(re.findall(r"#[0-9a-fA-F]{6}\b", path.read_text(encoding="utf-8")))
            assert not {colour.lower() for colour in found} & {c.lower() for c in COLOURS if c != "#000000"}, path.name
