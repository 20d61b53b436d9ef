"""On a phone short names stand at the ends of lines, and long ones in one legend above them."""

import re

from tools.legends import WIDE, flat
from tools.narrowing import narrow

import discreet as dc
from discreet.show.pictures.theme import write

RIVALS = ["GM", "CM WH", "EM", "UM"]


def legends(told):
    """The words of the legends of a chart's first panel."""
    panel = told.get("vconcat", [told])[0]
    return [layer["encoding"]["color"].get("legend") for layer in flat(panel) if "color" in layer.get("encoding", {})]


def test_long_names_at_line_ends_are_a_legend_on_a_phone(tmp_path):
    chart = dc.plot(dc.compare(RIVALS, n=range(2, 13), epsilon="1/2"), score="L1")
    assert "moved" in str(chart.to_dict(validate=False)), "names at the ends of lines on a page"
    told = narrow(chart, write(chart, tmp_path / "wide.svg")).to_dict()
    assert "'moved'" not in str(told)
    assert all(box["values"] == ["GM", "EM", "UM"] for box in legends(told)), "GM and the design are one line"
    assert all("usual\\u00a0\\u2248 CM WH" in box["labelExpr"] for box in legends(told))


def test_short_names_stay_at_the_ends_of_lines_in_every_panel(tmp_path):
    few = [dc.geometric(n=8, epsilon=1), dc.fair(n=8, epsilon=1), dc.uniform(n=8)]
    chart = dc.plot(few, "accuracy")
    small = narrow(chart, write(chart, tmp_path / "wide.svg"))
    drawn = write(small, tmp_path / "narrow.svg").read_text(encoding="utf-8")
    assert [drawn.count(f">{name}</text>") for name in ("usual", "fair", "guessing")] == [2, 2, 2]
    assert "'legend': {'orient'" not in str(small.to_dict()["vconcat"])
    assert abs(float(re.search(r'viewBox="0 0 ([\d.]+)', drawn)[1]) - WIDE) <= 2
    assert all(part["width"] > 0.55 * WIDE for part in small.to_dict()["vconcat"])


def test_names_of_rows_stand_above_them_on_a_phone_and_the_dots_have_its_width(tmp_path):
    chart = dc.plot_costs(n=8, epsilon="1/2")
    small = narrow(chart, write(chart, tmp_path / "wide.svg"))
    panel = small.to_dict()
    assert panel["width"] > 0.7 * WIDE
    axes = [layer["encoding"]["y"]["axis"] for layer in panel["layer"] if "y" in layer["encoding"]]
    assert set(axes) == {None}
    drawn = write(small, tmp_path / "narrow.svg").read_text(encoding="utf-8")
    assert drawn.count(">symmetry, row properties or weak honesty</text>") == 1
