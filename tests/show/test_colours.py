"""Colours: one for each named mechanism everywhere, one fill for each chance in every kind of picture."""

import re
from pathlib import Path

import pytest

import discreet as dc
from discreet.core.named import NAMED
from discreet.errors import InvalidInput
from discreet.show.cells import cells, largest
from discreet.show.colours import COLOURS, DASHES, INK, MARKERS, PALE_INK, PALE_RAMP, RAMP, cell_colours, looks

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
    names = [*NAMED, "mine"]
    for part in zip(*looks(names), strict=True):
        assert len(set(map(str, part))) == len(names)
    assert len(COLOURS) == len(DASHES) == len(MARKERS)
    with pytest.raises(InvalidInput, match="at most 9"):
        looks([*names, "one more"])


@pytest.mark.slow
def test_a_figure_and_the_paper_draw_named_mechanisms_alike():
    from discreet.paper.contestants import EM, GM, ORDER, UM, WM

    paper = dict(zip(ORDER, looks(ORDER), strict=True))
    for label, name in {GM: "GM", WM: "WM", EM: "EM", UM: "UM"}.items():
        assert paper[label].colour == NAMED[name].colour
    chart = dc.plot({name: NAMED[name].build(n=4, epsilon=1) for name in ("EM", "UM", "GM")}, "accuracy")
    scales = re.findall(r"'scale': \{'domain': \['EM', 'UM', 'GM'\], 'range': (\[[^\]]*\])", str(chart.to_dict()))
    assert str([NAMED[name].colour for name in ("EM", "UM", "GM")]) in scales


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
        assert ink in (INK, PALE_INK) and contrast(fill, ink) >= 4.5


def test_likelier_is_darker():
    fills = [cell_colours(k / 50, 1)[0] for k in range(51)]
    shades = [contrast(fill, "#ffffff") for fill in fills]
    assert shades == sorted(shades) and (fills[0], fills[-1]) == (RAMP[0], RAMP[-1])


@pytest.mark.slow
def test_svg_and_the_notebook_fill_a_cell_alike_and_a_chart_with_numbers_is_pale():
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
    fill = {row["probability"]: found[row["output"], row["count"]] for row in cells(m)}
    assert [fill[chance] for chance in sorted(fill)] == sorted(fill.values(), reverse=True), "likelier is darker"
    darkest = tuple(int(PALE_RAMP[-1][k : k + 2], 16) for k in (1, 3, 5))
    assert fill[max(fill)] == darkest and contrast(PALE_RAMP[-1], INK) >= 4.5


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
