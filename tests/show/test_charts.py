"""Figures: their data are right, they are written in four formats without a network, and large ones stay sensible."""

from __future__ import annotations

import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest
from tests.conftest import require

from discreet.choosing.comparison import compare
from discreet.core.named import fair, geometric, uniform, weakly_honest
from discreet.errors import InvalidInput, MissingExtra
from discreet.reading.estimates import estimate
from discreet.show.cells import cells, violations
from discreet.show.charts import KINDS, plot, plot_costs
from discreet.show.colours import COLOURS

require("plots")

GM, WM, EM = (build(n=8, alpha="10/11") for build in (geometric, weakly_honest, fair))
THREE = {"GM": GM, "WM": WM, "EM": EM}


def data(chart):
    """All rows drawn by a chart, whatever its layers."""
    spec = chart.to_dict()
    found = []

    def walk(node):
        if isinstance(node, dict):
            values = (
                node.get("data", {}).get("values") if isinstance(node.get("data"), dict) else None
            )
            name = node.get("data", {}).get("name") if isinstance(node.get("data"), dict) else None
            found.extend(values or spec.get("datasets", {}).get(name, []))
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(spec)
    return found


def text(chart):
    return str(chart.to_dict())


def test_heatmap_shows_every_cell_exactly():
    rows = data(plot(EM))
    for row in rows:
        assert row["probability"] == pytest.approx(
            float(EM[row["output"], row["count"]]), rel=1e-14
        )
        assert row["diagonal"] == (row["output"] == row["count"])
    assert {(r["output"], r["count"]) for r in rows} == {(i, j) for i in range(9) for j in range(9)}


@pytest.mark.parametrize("name", ["RH", "RM", "CH", "CM", "WH", "F", "S", "ODP:9/10"])
@pytest.mark.parametrize("m", [GM, EM, uniform(n=3)], ids=["GM", "EM", "UM"])
def test_cells_are_marked_exactly_when_the_property_fails(m, name):
    assert bool(violations(m, name)) == (not m.satisfies(name))


def test_marked_cells_are_the_wrong_answers_likelier_than_the_truth():
    expected = {(i, j) for i in range(9) for j in range(9) if GM[i, j] > GM[j, j]}
    assert violations(GM, "CH") == expected
    assert {(r["output"], r["count"]) for r in cells(GM) if r["broken"]} == expected
    assert violations(GM, "F") == {(i, i) for i in range(1, 8)}, (
        "all but the ends, which are told most often"
    )
    assert violations(GM, "WH") == {(i, i) for i in range(9) if GM[i, i] < Fraction(1, 9)}
    assert not any(r["broken"] for r in cells(GM, mark=None))


def test_what_can_happen_is_never_written_as_0_in_a_matrix(tmp_path):
    m = geometric(n=4, epsilon=6)
    assert 0 < float(m[4, 0]) < 0.0005
    file = tmp_path / "m.svg"
    m.plot(path=file)
    drawn = re.findall(r">([^<>]+)</text>", file.read_text(encoding="utf-8"))
    assert "&lt;0.1" in drawn and "0.0" not in drawn
    assert "&lt;0.001" in m._repr_html_() and ">0.000<" not in m._repr_html_()


def test_heatmap_says_privacy_and_what_is_marked_in_a_line():
    assert plot(GM).to_dict()["title"]["subtitle"] == [
        "groups of 8, epsilon = 0.0953 (alpha = 10/11); outlined: the truth; triangle: likelier than the truth"
    ]
    small = plot(fair(n=3, epsilon=1)).to_dict()["title"]["subtitle"]
    assert small == ["groups of 3, epsilon = 1; outlined: the truth"]
    two = {"GM": geometric(n=3, epsilon=1), "EM": fair(n=3, epsilon=1)}
    assert plot(two).to_dict()["title"]["subtitle"][0].startswith("% by column; epsilon = 1; ")


def test_several_heatmaps_share_one_scale_and_keep_their_own_cells():
    chart = plot(THREE)
    spec = chart.to_dict()
    assert [panel["title"]["text"] for panel in spec["concat"]] == [
        "usual (GM)",
        "weakly honest (WM)",
        "fair (EM)",
    ]
    top = float(max(GM.array.max(), WM.array.max(), EM.array.max()))
    scales = re.findall(
        r"'color': \{'field': 'probability'.*?'domain': \[0\.0, [^\]]*?([0-9.]+)\]", str(spec)
    )
    assert [float(s) for s in scales] == [top] * 3


def test_each_panel_can_mark_a_property_of_its_own():
    names = {"column honesty": "CH", "fairness": "F", "nothing": "S"}
    chart = plot(dict.fromkeys(names, GM), mark=names)
    broken = {
        label: {(r["output"], r["count"]) for r in rows if r["broken"]}
        for label, rows in chart.to_dict()["datasets"].items()
    }
    assert broken == {label: violations(GM, name) for label, name in names.items()}
    assert broken["fairness"] != broken["column honesty"] and not broken["nothing"]
    assert "breaks CH, F, S" in str(chart.to_dict())


def test_columns_are_the_columns():
    rows = data(plot(GM, "columns", counts=[0, 4]))
    assert {r["series"] for r in rows} == {"0", "4"}
    for row in rows:
        assert row["probability"] == float(GM[row["output"], int(row["series"])])
    assert {r["series"] for r in data(plot(fair(n=60, alpha="1/2"), "columns"))} == {
        "0",
        "30",
        "60",
    }


def test_columns_of_several_mechanisms_stand_side_by_side_on_one_scale():
    lines = plot([GM, fair(n=GM.n, alpha=GM.alpha)], "columns", counts=[0, 4]).to_dict()["vconcat"]
    assert [len(line["hconcat"]) for line in lines] == [2, 2]
    scales = {
        str(layer["encoding"]["y"]["scale"])
        for line in lines
        for panel in line["hconcat"]
        for layer in panel["layer"]
    }
    assert len(scales) == 1


def test_wishes_that_cost_the_same_share_a_row():
    labels = {row["label"] for row in data(plot_costs(n=8, epsilon="1/2")) if "label" in row}
    free = "symmetry, row properties\nor weak honesty"
    assert labels == {"nothing asked", free, "column properties", "fairness or all seven"}


def test_accuracy_is_bias_and_rmse():
    rows = [r for r in data(plot(THREE, "accuracy")) if "series" in r]
    assert {r["series"] for r in rows} == set(THREE)
    for row in rows:
        m = THREE[row["series"]]
        assert row["bias"] == pytest.approx(float(m.bias(row["count"])))
        assert row["rmse"] == pytest.approx(m.rmse(row["count"]))


def test_one_mechanism_has_a_legend_only_where_the_title_does_not_name_it():
    def legends(chart):
        return [
            part
            for part in str(chart.to_dict(validate=False)).split("'legend': {")[1:]
            if "'orient'" in part
        ]

    assert not legends(plot(GM, "accuracy"))
    assert legends(plot(GM, "accuracy", title="Mine")), "somebody's own title need not name it"
    assert legends(plot({"a": GM, "b": GM, "c": GM, "d" * 40: EM}, "accuracy"))


def test_the_ends_of_intervals_are_round_whatever_the_series():
    from discreet.designer import design

    m = design(n=8, epsilon="1/2", properties="CM")
    for things in (m, [GM, EM, m]):
        told = plot(things, "intervals").to_dict(validate=False)
        dots = [layer for layer in told["layer"] if layer["mark"]["type"] == "point"]
        assert [layer["mark"]["shape"] for layer in dots] == ["circle"] * 2
        assert not any("shape" in layer["encoding"] for layer in dots)
    assert (
        plot(m, "intervals")
        .to_dict()["title"]["subtitle"][0]
        .startswith("groups of 8, epsilon = 0.5; ")
    )


def test_intervals_of_a_few_published_numbers_are_rows_with_their_ends_in_words():
    pair = {"GM": geometric(n=8, epsilon=1), "EM": fair(n=8, epsilon=1)}
    chart = plot(pair, "intervals", numbers=[4, 0])
    rows = {(row["series"], row["output"]): row for row in data(chart) if "low" in row}
    exact = {
        (row["series"], row["output"]): row for row in data(plot(pair, "intervals")) if "low" in row
    }
    assert list(rows) == [("GM", 4), ("EM", 4), ("GM", 0), ("EM", 0)]
    assert all({**row, **exact[key]} == row for key, row in rows.items())
    assert all(row["text"] == f"{row['low']} to {row['high']}" for row in rows.values())
    assert (
        '["published 4", "usual (GM)", "fair (EM)", "published 0", "usual (GM)", "fair (EM)"]'
        in text(chart)
    )
    for wrong in ([GM.n + 1], "0", [-1]):
        with pytest.raises(InvalidInput, match="numbers"):
            plot(GM, "intervals", numbers=wrong)


def test_intervals_are_the_exact_intervals():
    from discreet.reading.group import intervals

    rows = data(plot({"GM": GM}, "intervals", confidence="0.9"))
    table = intervals(GM, Fraction(9, 10))
    assert {(r["output"], r["low"], r["high"]) for r in rows} == {(i, *table[i]) for i in range(9)}


def test_distribution_shows_released_and_estimated_shares():
    found = estimate([0, 1, 1, 2, 4, 0, 3], mechanism=geometric(n=4, epsilon=2)).distribution()
    rows = {r["count"]: r for r in data(plot(found)) if r.get("label") == "published"}
    for j in range(5):
        assert rows[j]["released"] == found.released[j]
        assert rows[j]["estimate"] == found.estimate[j]
        assert (rows[j]["low"], rows[j]["high"], rows[j]["likeliest"]) == (
            found.low[j],
            found.high[j],
            found.likeliest[j],
        )


def test_a_distribution_may_be_drawn_beside_the_truth_where_that_is_known():
    e = estimate([0, 1, 1, 2, 4, 0, 3], mechanism=geometric(n=4, epsilon=2))
    drawn = [
        row for row in data(plot(e, truth=[0, 0, 1, 2, 4, 1, 1])) if row.get("label") == "the truth"
    ]
    assert [row["truth"] for row in drawn] == [2 / 7, 3 / 7, 1 / 7, 0, 1 / 7]
    assert not any("truth" in row for row in data(plot(e)))
    for wrong in ([0, 1], [0, 0, 1, 2, 5, 1, 1]):
        with pytest.raises(InvalidInput, match="a count from 0 to 4 for each of the 7 groups"):
            plot(e, truth=wrong)


def test_an_estimate_is_drawn_as_its_distribution():
    e = estimate([0, 1, 1, 2, 4, 0, 3], mechanism=geometric(n=4, epsilon=2))
    assert data(plot(e)) == data(plot(e.distribution())) == data(plot(e, n=4))


def test_a_design_is_named_by_what_it_is_best_for():
    from discreet.designer import design

    m = design(n=3, alpha="1/2", properties="CM", loss="L1")
    assert "Best for L1 with CM" in text(plot(m))
    assert {r["series"] for r in data(plot([GM, m], "accuracy")) if "series" in r} == {
        "GM",
        "L1, CM",
    }
    assert "Best for L2 under Binomial(3/10)" in text(
        plot(design(n=3, alpha="1/2", loss="L2", prior="Binomial(0.3)"))
    )


def test_scores_are_those_of_the_comparison():
    from discreet.choosing import comparison as choosing

    table = choosing.compare(["GM", "EM"], n=[2, 4, 8], alpha="10/11")
    for score in ("L0", "RMSE"):
        rows = [row for row in data(plot(table, score=score)) if "series" in row]
        assert {(r["series"], r["n"]) for r in rows} == {
            (s, n) for s in ("GM", "EM") for n in (2, 4, 8)
        }
        for row in rows:
            build = geometric if row["series"] == "GM" else fair
            m = build(n=row["n"], alpha="10/11")
            expected = float(m.score("L0")) if score == "L0" else float(m.score("L2")) ** 0.5
            assert row["value"] == pytest.approx(expected)
    between = [row for row in data(plot(table, score="L1")) if "to" in row]
    assert {row["n"]: {row["value"], row["to"]} for row in between} == {
        n: {float(build(n=n, alpha="10/11").score("L1")) for build in (geometric, fair)}
        for n in (2, 4, 8)
    }, "a fill between the two lines"
    with pytest.raises(InvalidInput, match="score"):
        plot(table, score="L9")
    grid = choosing.compare(["GM"], n=[2, 4], alpha=["1/2", "2/3"])
    with pytest.raises(InvalidInput, match="needs one alpha"):
        plot(grid)
    over = choosing.compare(["GM", "UM"], n=4, alpha=["1/2", "2/3"])
    assert "alpha (larger: more private)" in text(plot(over))
    asked = choosing.compare(["GM", "UM"], n=4, epsilon=["1/2", 2])
    assert "epsilon (larger: less private)" in text(plot(asked))
    assert "'zero': True" in text(plot(table)), "from 0.95 to 1 is no great difference"
    sizes = plot(choosing.compare(["GM"], n=[2, 4], alpha="1/2")).to_dict()
    assert '"values": [2, 3, 4]' in json.dumps(sizes), "there is no group of 2.5 people"


def test_costs_are_those_of_the_optimal_designs():
    from discreet import designer
    from discreet.show.pictures.comparing import cost_rows

    rows = {r["wish"]: r for r in cost_rows(n=4, alpha="10/11")}
    least = geometric(n=4, alpha="10/11").score("L0")
    assert rows["none"]["cost"] == float(least)
    assert rows["F"]["cost"] == float(fair(n=4, alpha="10/11").score("L0"))
    cost = designer.design(n=4, alpha="10/11", properties="CM").score("L0")
    assert rows["CM"]["over"] == pytest.approx(float(cost / least - 1))
    wrong = 1 - sum(geometric(n=4, alpha="10/11")[k, k] for k in range(5)) / 5
    assert rows["none"]["text"] == f"{float(wrong):.1%}" and rows["none"]["over"] == 0
    assert rows["none"]["found"] == "GM" and rows["F"]["found"] == "EM"
    assert all(rows[free]["text"] == rows["none"]["text"] for free in ("S", "RH", "RM"))
    assert rows["F"]["total_text"] == "anything from 0 to 400"
    assert "groups of 4" in text(plot_costs(n=4, alpha="10/11"))


def test_the_margin_of_a_total_beside_costs_is_the_one_that_a_plan_says():
    import pyarrow as pa

    from discreet.show.pictures.comparing import cost_rows
    from discreet.tables.planning import plan

    rows = {r["wish"]: r for r in cost_rows(n=8, epsilon="1/2")}
    people = pa.table({"clinic": [k % 100 for k in range(800)], "ill": [False] * 800})
    for wish in ("", "CM", "F"):
        said = (
            plan(people, by="clinic", count="ill", epsilon="1/2", properties=wish).totals[0].width
            / 2
        )
        assert rows[wish or "none"]["margin"] == pytest.approx(said)
        assert rows[wish or "none"]["total_text"] == f"±{said:.0f}", (
            "as many decimals as the largest has"
        )


def test_costs_of_answers_and_of_totals_are_dots_at_what_is_added_on_one_scale():
    chart = plot_costs(n=8, epsilon="1/2").to_dict()
    rows = {row["label"]: row for row in data(plot_costs(n=8, epsilon="1/2")) if "cost" in row}
    dots = [layer for layer in chart["layer"] if layer["mark"]["type"] == "point"]
    for layer, field in zip(dots, ("margin_over", "over"), strict=True):  # rings lie on dots
        for row in chart["datasets"][layer["data"]["name"]]:
            assert row["place"] == row[field] and bool(row.get("hollow")) == (field == "over")
        assert layer["encoding"]["x"]["scale"]["domain"] == [
            0,
            max(row["margin_over"] for row in rows.values()),
        ]
    said = {row["words"] for row in data(plot_costs(n=8, epsilon="1/2")) if row.get("words")}
    assert {"67.1% wrong, total ±56", "72.7% wrong (+8.3%)", "total ±136 (+142%)"} <= said
    fair_row, nothing = rows["fairness or all seven"], rows["nothing asked"]
    assert (nothing["text"], nothing["total_text"], nothing["over"]) == ("67.1%", "±56", 0)
    assert fair_row["over"] == pytest.approx(fair_row["value"] / nothing["value"] - 1)
    assert fair_row["margin_over"] == pytest.approx(fair_row["margin"] / nothing["margin"] - 1)
    assert (fair_row["text"], fair_row["total_text"]) == ("72.7% (+8.3%)", "±136 (+142%)")
    assert rows["column properties"]["total_text"] == "±57 (+2%)"


@pytest.mark.parametrize(
    "setting", [{"n": 3, "epsilon": "1/2", "loss": "L1"}, {"n": 4, "alpha": "10/11"}]
)
def test_a_margin_that_is_not_there_has_words_and_no_bar(setting):
    rows = [row for row in data(plot_costs(**setting)) if "cost" in row]
    assert any(not row["margin"] for row in rows)
    for row in rows:
        assert ("±" in row["total_text"]) == (row["margin"] > 0)


def test_costs_say_where_a_mechanism_has_no_unbiased_total():
    rows = data(plot_costs(n=3, epsilon="1/2", loss="L1"))
    assert any(row.get("total_text") == "no unbiased total" for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<svg"), ("pdf", b"%PDF")]
)
def test_pictures_are_written_in_three_formats(tmp_path, ending, start):
    file = tmp_path / f"m.{ending}"
    EM.plot(path=file)
    assert file.read_bytes().lstrip().lower().startswith(start.lower())


SMALL = fair(n=3, alpha="10/11")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A heatmap as a page."""
    file = tmp_path_factory.mktemp("page") / "m.html"
    SMALL.plot(path=file)
    return file


@pytest.mark.slow
def test_html_needs_no_network(page):
    page = page.read_text(encoding="utf-8")
    assert page.lstrip().lower().startswith("<!doctype html>")
    assert not re.findall(r"<(?:script|link)[^>]+(?:src|href)=", page)
    assert not re.findall(r"\bimport\s*(?:\(|[^;]*from)\s*[\"']https?:", page)


@pytest.mark.browser
@pytest.mark.slow
def test_html_opens_offline_and_tells_both_numbers_and_the_chance_under_the_pointer(page, tmp_path):
    require("browser")
    import shutil

    from playwright.sync_api import sync_playwright

    tips, said, asked = set(), [], []
    plot(THREE, path=tmp_path / "three.html")
    files = (tmp_path / "three.html", page)

    def looked_at():
        with sync_playwright() as tool:
            browser = tool.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            page = browser.new_context(offline=True).new_page()
            page.on("console", lambda message: said.append(message.text))
            page.on("pageerror", lambda error: said.append(str(error)))
            page.on("request", lambda request: asked.append(request.url))
            for file in files:
                page.goto(file.as_uri())
                page.wait_for_selector("canvas, svg")
            box = page.locator("canvas, svg").first.bounding_box()
            for across in range(1, 10):
                for down in range(1, 10):
                    page.mouse.move(
                        box["x"] + box["width"] * across / 10, box["y"] + box["height"] * down / 10
                    )
                    tip = page.locator("#vg-tooltip-element.visible")
                    if tip.count():
                        tips.add(re.sub(r"\s+", " ", tip.inner_text()))
            browser.close()

    with ThreadPoolExecutor(
        1
    ) as thread:  # the studio's tests may have left a browser's loop running in this one
        thread.submit(looked_at).result()
    assert said == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    told = {
        tuple(map(int, re.findall(r"true count (\d+) published number (\d+) chance", text)[0]))
        for text in tips
    }
    assert told == {(j, i) for i in range(SMALL.n + 1) for j in range(SMALL.n + 1)}


@pytest.mark.slow
def test_a_large_heatmap_is_drawn_with_whole_pixels_and_few_labels():
    chart = plot(fair(n=100, alpha="9/10"))
    spec = chart.to_dict()
    assert spec["width"] % 101 == 0
    shown = str(spec)
    assert "'values': [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]" in shown
    assert "dashed line: the truth" in shown


def test_colours_are_told_apart_without_hue():
    """Luminance of neighbouring series differs, and no more series than markers are allowed."""
    assert len(set(COLOURS)) == len(COLOURS)
    many = {f"m{k}": geometric(n=3, alpha=f"{k}/20") for k in range(1, 12)}
    with pytest.raises(InvalidInput, match="at most 10"):
        plot(many, "accuracy")


@pytest.mark.slow
def test_smallest_groups_can_be_drawn():
    for n in (0, 1):
        for kind in ("heatmap", "columns", "accuracy", "intervals"):
            assert plot(geometric(n=n, alpha="1/2"), kind).to_dict()


def test_lists_get_names_and_repeated_ones_are_told_apart():
    rows = [r for r in data(plot([GM, EM, GM], "accuracy")) if "series" in r]
    assert {r["series"] for r in rows} == {"GM", "EM"}, "what is the same is drawn once"
    names = {r.get("name", "").replace("\xa0", " ").split("\n")[0] for r in rows}
    assert "usual (GM) = GM (3)" in names, "and has both names, its value below them"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda tmp: plot(GM, "heatmpa"), "kind.*did you mean heatmap"),
        (lambda tmp: plot(GM, "scores"), "comparison"),
        (lambda tmp: plot(GM, "distribution"), "distribution"),
        (lambda tmp: plot(17), "must be a mechanism"),
        (lambda tmp: plot([]), "at least one mechanism"),
        (lambda tmp: plot([GM, 4], "columns"), "must be a mechanism"),
        (lambda tmp: plot(GM, path=tmp / "m.gif"), r"path.*\.png"),
        (lambda tmp: plot(GM, path=tmp / "m"), r"path.*\.png"),
        (lambda tmp: plot(GM, path=tmp / "no" / "m.png"), "folder that exists"),
        (lambda tmp: plot(GM, mark="XX"), "propert"),
        (lambda tmp: plot(GM, mark="CM RM"), "one property"),
        (lambda tmp: plot(GM, "intervals", confidence=2), "confidence.*between 0 and 1"),
        (lambda tmp: plot(geometric(n=600, alpha="1/2")), "at most 512"),
    ],
)
def test_bad_input_names_what_is_wrong(tmp_path, call, message):
    with pytest.raises(InvalidInput, match=message):
        call(tmp_path)


def test_without_altair_the_error_is_the_line_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(MissingExtra, match='pip install "altair>='):
        plot(GM)


def test_the_kinds_are_all_there():
    counts = {"heatmap", "columns", "accuracy", "intervals", "scores", "distribution"}
    assert set(KINDS) == counts | {"triangle", "answers", "rivals"}
    assert np.isfinite([r["probability"] for r in cells(GM)]).all()


@pytest.mark.slow
def test_a_chart_is_altair_s_in_all_but_its_display():
    import copy
    import pickle

    import altair as alt

    for chart in (plot(GM), plot([GM, EM]), plot_costs(n=2, alpha="1/2")):
        base = type(chart).__mro__[2]
        assert base.__module__.startswith("altair.") and base.__name__ == type(chart).__name__
        for same in (copy.deepcopy(chart), pickle.loads(pickle.dumps(chart))):
            assert type(same) is type(chart) and same.to_dict() == chart.to_dict()
        assert type(chart.properties(title="mine")) is type(chart)
        shown, sizes = chart._repr_mimebundle_()
        assert set(shown) == set(sizes) == {"image/png"}
        with alt.renderers.enable("svg"):
            assert set(chart._repr_mimebundle_()) == {"image/svg+xml"}
    assert alt.renderers.active == "default"


@pytest.mark.parametrize("n", [6, 12, 13, 25, 26])
def test_both_axes_of_a_heatmap_start_at_0(n):
    """Of 430 pixels in 13 cells the first begins at -1e-14, and what begins outside a figure gets no label."""
    import vl_convert

    svg = vl_convert.vegalite_to_svg(plot(fair(n=n, alpha="1/2")).to_json())
    axes = [
        re.findall(r"<text[^>]*>([^<]*)</text>", part)
        for part in re.findall(r'axis-label"[^>]*>(.*?)</g>', svg)
    ]
    assert len(axes) == 2
    for labels in axes:
        assert labels[0] == "0" and len(labels) == len(range(0, n + 1, int(labels[1])))


def marks(spec):
    """Every mark of a chart that stands for rows of data, with what it encodes."""
    for part in [
        spec,
        *(one for key in ("layer", "hconcat", "vconcat", "concat") for one in spec.get(key, [])),
    ]:
        if part is not spec:
            yield from marks(part)
        elif "mark" in part:
            yield part["mark"]["type"], part.get("encoding", {})


@pytest.mark.parametrize(
    ("kind", "n"),
    [
        *(
            (kind, 5)
            for kind in ("heatmap", "columns", "accuracy", "intervals", "scores", "distribution")
        ),
        ("heatmap", 35),
    ],
)
def test_a_pointer_meets_a_tip_wherever_data_are_drawn(kind, n):
    m = geometric(n=n, alpha="9/10")
    if kind == "scores":
        thing = compare(["GM", "EM"], n=[2, n], alpha="9/10")
    elif kind == "distribution":
        thing = estimate([0, n, 1], mechanism=m).distribution()
    else:
        thing = m
    found = list(marks(plot(thing, kind).to_dict()))
    quiet = ("line", "rule", "area")  # one mark for many rows
    told = [
        encoding["tooltip"]
        for mark, encoding in found
        if mark not in quiet or "tooltip" in encoding
    ]
    bare = [mark for mark, encoding in found if mark not in quiet and "tooltip" not in encoding]
    assert told and not bare
    if kind == "heatmap":
        assert all(
            [tip["title"] for tip in tips] == ["true count", "published number", "chance"]
            for tips in told
        )


def test_the_largest_error_of_one_mechanism_has_its_number():
    for n in (2, 8, 60):
        m = geometric(n=n, epsilon="1/4")
        told = [
            row["noted"]
            for rows in plot(m, "accuracy").to_dict()["datasets"].values()
            for row in rows[:1]
            if "noted" in row
        ]
        rows = m.accuracy().rows
        assert told == [
            f"{max(row.bias for row in rows):+.2g}",
            f"{max(row.rmse for row in rows):.2g}",
        ]
    assert "noted" not in str(plot([GM, uniform(n=8)], "accuracy").to_dict()), (
        "several lines have their names"
    )


def test_a_mark_that_is_asked_for_is_drawn_however_many_cells_carry_it():
    m = geometric(n=4, alpha="10/11")
    asked, usual = (data(plot(m, **given)) for given in ({"mark": "CM"}, {}))
    assert sum(row["broken"] for row in asked) == 8 and not any(row["broken"] for row in usual)


def test_what_can_happen_is_never_0_and_what_need_not_is_never_certain_in_words_and_numbers():
    m = geometric(n=4, epsilon=12)
    said = str(m)
    assert "1.000" not in said and " .000" not in said
    assert "over 0.999" in said and "whatever it is" not in said, "it is not fair"
