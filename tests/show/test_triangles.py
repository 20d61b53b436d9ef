"""Histograms as pictures: what the triangle and the bars hold is what the mechanism says."""

from fractions import Fraction

import pytest
from tests.conftest import require

import discreet as dc
from discreet.core.histogram import Histogram
from discreet.errors import InvalidInput
from discreet.show.triangles import (
    answer_chances,
    answer_lines,
    answer_rows,
    answers_html,
    falling,
    triangle_lines,
    triangle_rows,
    triangle_svg,
)

NAMES = ["never", "former", "current"]


@pytest.fixture(scope="module")
def joint():
    return dc.design(n=4, categories=NAMES, epsilon=1, cache=False)


@pytest.fixture(scope="module")
def scale():
    return dc.design(n=3, categories=["bad", "fair", "good", "great"], epsilon=1, cache=False)


def test_a_triangle_holds_the_chance_of_truth_or_one_column(joint):
    points = joint.domain.points
    assert [row["counts"] for row in triangle_rows(joint)] == list(points)
    assert [row["probability"] for row in triangle_rows(joint)] == [
        float(joint.truth(p)) for p in points
    ]
    column = triangle_rows(joint, {"never": 3, "former": 1})
    assert [row["probability"] for row in column] == [float(x) for x in joint.column((3, 1, 0))]
    assert [row["counts"] for row in column if row["truth"]] == [(3, 1, 0)]
    places = {(round(row["x"], 9), round(row["y"], 9)) for row in column}
    assert len(places) == len(points), "every histogram has its own place"


def test_text_and_html_forms(joint, scale):
    text = str(joint)
    assert "all current" in text and max(map(len, text.splitlines())) <= 80
    assert len(triangle_lines(joint)) == 4 + 1 + 2
    assert "*" in "".join(triangle_lines(joint, (4, 0, 0)))
    assert joint._repr_html_().count("<polygon") == 15
    assert "stroke-width" in triangle_svg(joint, (4, 0, 0)) and "&lt;x" in triangle_svg(
        dc.design(n=1, categories=["<x", "y", "z"], epsilon=1, cache=False)
    )
    assert "where (1,1,1,0) is the truth" in str(scale) and "#" in str(scale)
    assert len(answer_lines(scale)) == 5 and "released on average" in answers_html(scale)
    assert "bad" in scale._repr_html_()


def test_bars_hold_the_mean_and_the_middle_of_each_count(joint):
    rows = answer_rows(joint, (3, 1, 0), confidence="1/2")
    for c, row in enumerate(rows):
        chances = [Fraction(0)] * 5
        for output, chance in zip(joint.domain.points, joint.column((3, 1, 0)), strict=True):
            chances[output[c]] += chance
        assert row["mean"] == pytest.approx(float(sum(i * x for i, x in enumerate(chances))))
        inside = sum(chances[row["low"] : row["high"] + 1])
        assert inside >= Fraction(1, 2)
    cells = dc.cells(n=4, categories=NAMES, epsilon=1)
    assert answer_rows(cells, (3, 1, 0))[0]["mean"] == pytest.approx(
        float(3 + cells.mechanism.bias(3))
    )


def test_the_histogram_that_is_drawn_unless_one_is_given():
    for n in range(1, 12):
        for k in (3, 4, 7):
            point = falling(Histogram(n, k))
            assert sum(point) == n and list(point) == sorted(point, reverse=True)


@pytest.mark.parametrize(
    ("draw", "says"),
    [
        (lambda m, s: triangle_rows(s), "three answers"),
        (lambda m, s: triangle_rows(dc.uniform(n=3)), "over histograms"),
        (lambda m, s: triangle_rows(m, (1, 1, 1)), "add up to n = 4"),
        (lambda m, s: answer_rows(m, (9, 0, 0)), "at most 4"),
        (lambda m, s: answer_rows(m, confidence=1), "between 0 and 1"),
        (lambda m, s: dc.plot(m, "heatmap"), "one for histograms"),
        (lambda m, s: dc.plot(dc.uniform(n=3), "triangle"), "triangle needs `categories=3`"),
        (lambda m, s: dc.plot([m, s], "answers"), "the same histograms"),
        (lambda m, s: dc.plot(m, "rivals"), "a comparison over histograms"),
    ],
)
def test_what_cannot_be_drawn_is_refused(joint, scale, draw, says):
    if "plot" in draw.__code__.co_names:
        require("plots")
    with pytest.raises(InvalidInput, match=says):
        draw(joint, scale)


def said(chart):
    return str(chart.to_dict(validate=False))


def test_figures_by_what_is_drawn(joint, scale):
    require("plots")
    assert "The truth is published in " in said(dc.plot(joint))
    assert "truth is (1, 1, 1, 0)" in said(scale.plot())
    assert "people misplaced" in said(dc.compare("UM", n=2, categories=NAMES, epsilon=1).plot())


@pytest.mark.slow
def test_figures_of_several(joint, tmp_path):
    require("plots")
    assert "outlined: the truth" in said(joint.plot(truth=(2, 2, 0)))
    cells = dc.cells(n=4, categories=NAMES, epsilon=1)
    assert "truth is (2, 1, 1)" in said(cells.plot()) and "cells" in said(
        dc.plot([joint, cells], "answers")
    )
    table = dc.compare(n=2, categories=NAMES, epsilon=1)
    assert "wrong histogram" in said(dc.plot(table, score="L0")) and "RR" in said(
        table.plot("triangle")
    )
    grid = dc.compare("UM", n=[2, 3], categories=NAMES, epsilon=1)
    assert "L1: people misplaced" in said(grid.plot(score="L1"))
    for kind, options in (("rivals", {}), ("triangle", {}), ("scores", {"score": "L0,1"})):
        with pytest.raises(InvalidInput):
            grid.plot(kind, **options)
    joint.plot(path=tmp_path / "m.svg")
    assert "0.6" in (tmp_path / "m.svg").read_text()


def test_of_several_ways_each_answer_has_a_row_with_the_chance_of_its_true_number(joint):
    ways, truth = {"joint": joint, "cells": dc.cells(n=4, categories=NAMES, epsilon=1)}, (2, 1, 1)
    chart = dc.plot(ways, "answers", truth=truth).to_dict()
    dots = [
        row
        for layer in chart["layer"]
        if layer["mark"]["type"] == "point"
        for row in chart["datasets"][layer["data"]["name"]]
    ]
    assert len(dots) == 2 * len(NAMES)
    for dot in dots:
        name, _, true = dot["label"].rpartition(": ")
        (row,) = (
            row
            for row in answer_chances(ways[dot["way"]], truth)
            if row["label"] == name and row["truth"]
        )
        assert dot["place"] == row["probability"] and int(true) == row["people"]
    assert {layer["encoding"]["x"]["scale"]["domain"][0] for layer in chart["layer"]} == {0}
    unnamed = {
        **ways,
        "cells": dc.cells(n=4, categories=3, epsilon=1),
    }  # the names are those of the first
    assert "former: 1" in str(dc.plot(unnamed, "answers", truth=truth).to_dict())
    three = {**ways, "F": dc.design(n=4, categories=NAMES, epsilon=1, loss="L1", properties="F")}
    assert "fair draw" in str(dc.plot(three, "answers", truth=truth).to_dict()), (
        "three have a legend"
    )


def test_the_bars_of_an_answer_say_below_them_how_many_people_they_are():
    names = ["never", "seldom", "at times", "often", "always"]
    chart = dc.plot(dc.cells(n=8, categories=names, epsilon=1), "answers").to_dict()
    marks = [layer for layer in chart["layer"] if layer["mark"]["type"] == "text"]
    below = [layer for layer in marks if layer["encoding"]["text"]["field"] == "people"]
    rows = [chart["datasets"][layer["data"]["name"]] for layer in below]
    assert [sorted({row["people"] for row in some}) for some in rows] == [[0], [4], [8]]
    assert all({row["label"] for row in some} == set(names) for some in rows)
    assert "0 to 8" not in str(chart["title"]), "said below the bars"
    assert "bars: 0 to 30 people" in str(
        dc.plot(dc.cells(n=30, categories=8, epsilon=1), "answers").to_dict()["title"]
    )
