"""Figures of an estimate show its numbers: totals with intervals, groups with what may be quoted, shares."""

import re
from dataclasses import replace

import numpy as np
import pytest
from tests.conftest import require

import discreet as dc
from discreet.errors import InvalidInput, UnknownKeyword
from discreet.reading.histograms.capped_estimates import CappedEstimate
from discreet.reading.histograms.histogram_estimates import HistogramEstimate
from discreet.reading.histograms.histogram_table import given_histograms
from discreet.show.colours import PALE, READ
from discreet.show.pictures.readings import estimate_rows
from discreet.show.pictures.readings.estimate_rows import Row, key_words, largest, total_rows
from discreet.show.pictures.readings.interval_bars import cut_at_0

require("plots")

from tests.show.test_charts import data


@pytest.fixture(scope="module")
def towns():
    """Sixty groups of two sizes in three regions."""
    sizes = np.repeat([4, 9], 30)
    e = dc.estimate(
        np.arange(60) % 5,
        mechanism={n: dc.geometric(n=n, epsilon=1) for n in (4, 9)},
        sizes=sizes.tolist(),
    )
    keys = {
        "region": np.array([f"r{k % 3}" for k in range(60)], dtype=object),
        "town": np.array([f"t{k}" for k in range(60)], dtype=object),
    }
    return replace(e, sample=replace(e.sample, keys=keys))


@pytest.fixture(scope="module")
def answers():
    m = dc.cells(n=6, categories=["bad", "good", "fair"], epsilon=2).mechanism
    from discreet.designer.orbits.cell_by_cell import cells

    sample = given_histograms(
        [(1, 2, 3), (4, 1, 1)], [cells(n=6, categories=["bad", "good", "fair"], epsilon=2)], None
    )
    assert sample.mechanisms[6] == m
    return HistogramEstimate(
        sample=sample, confidence=dc.estimate([1], mechanism=dc.fair(n=2, epsilon=1)).confidence
    )


def test_totals_are_drawn_with_their_intervals(towns):
    rows = {row["label"]: row for row in data(dc.plot(towns, "totals"))}
    table = towns.subtotals("region")
    assert list(rows) == table["region"].tolist()
    assert [row["value"] for row in rows.values()] == table["estimate"].tolist()
    assert [(row["low"], row["high"]) for row in rows.values()] == list(
        zip(table["low"], table["high"], strict=True)
    )
    (whole,) = {row["value"] for row in data(dc.plot(towns, "totals", by=[]))}
    assert whole == pytest.approx(towns.total.value, abs=1e-9)


def test_groups_that_the_title_names_stand_out_and_the_others_are_pale(towns, answers):
    def looks(found, title, **asked):
        chart = dc.plot(found, "totals", title=title, **asked)
        axes = {str(layer["encoding"]["y"]["axis"]) for layer in chart.to_dict()["layer"]}
        bold = [
            int(line)
            for line in re.findall(r"indexof\(\[([\d, ]*)\]", axes.pop())[0].split(",")
            if line.strip()
        ]
        rows = [row for row in data(chart) if "ink" in row]
        assert not axes and {row["fill"] for row in rows if row["ink"] == READ} == {PALE}
        return {(row["label"], row["series"]) for row in rows if row["ink"] == READ}, bold

    assert looks(towns, "r2 has fewer than r0") == ({("r0", ""), ("r2", "")}, [0, 2])
    for title in (None, "all of it", "r0, r1 and r2"):
        assert looks(towns, title) == ({("r0", ""), ("r1", ""), ("r2", "")}, [])
    named, bold = looks(towns, "t7 and t12", by=["region", "town"])
    assert (len(named), bold) == (60, []), "of two keys both are the name"
    wards = np.array(["east", "west"], dtype=object)
    both = replace(answers, sample=replace(answers.sample, keys={"ward": wards}))
    names = list(answers.answers)
    # three lines of each answer: its name, east, west
    assert looks(both, "west is best", by="ward") == ({("west", each) for each in names}, [2, 5, 8])
    assert looks(both, None, by="ward")[1] == [0, 3, 6], "headings are bold"
    heading = 3 * names.index("good")
    assert looks(both, "west is good", by="ward") == ({("west", "good")}, [heading, heading + 2])
    one = {("east", "good"), ("west", "good")}
    assert looks(both, "good is common", by="ward") == (one, [heading, heading + 1, heading + 2])


def test_answers_are_compared_side_by_side_and_an_interval_that_was_cut_has_a_slash(answers):
    wards = np.array(["east", "west"], dtype=object)
    both = replace(answers, sample=replace(answers.sample, keys={"ward": wards}))
    chart = dc.plot(both, "totals", by="ward")
    rows = [row for row in data(chart) if "ink" in row]
    assert [(row["series"], row["label"]) for row in rows[:6]] == [
        (answer, ward) for answer in answers.answers for ward in ("east", "west")
    ]
    cut = any(row["cut"] for row in rows)
    assert ("slash" in str(chart.to_dict()["title"]["subtitle"])) == cut
    for row in rows:
        assert row["said"].startswith(f"{row['low']:.0f} to ")
    assert cut_at_0(Row(value=2.0, low=0.0, high=21.0, error=9.0)), "it would begin at -17"
    assert not cut_at_0(Row(value=10.0, low=0.0, high=20.0, error=5.0))
    assert not cut_at_0(Row(value=2.0, low=0.0, high=6.0)), "of a number to print"


def test_the_title_says_where_totals_cannot_be_told_apart(towns):
    def title(found):
        return dc.plot(found, "totals").to_dict()["title"]["text"]

    assert title(towns).endswith("too noisy to rank 3 regions")
    far = dc.estimate([0] * 30 + [8] * 30, mechanism=dc.geometric(n=8, epsilon=1))
    keys = {
        "region": np.repeat(["a", "b"], 30).astype(object),
        "town": np.arange(60).astype(str).astype(object),
    }
    assert "apart" not in title(replace(far, sample=replace(far.sample, keys=keys)))
    whole = dc.plot(towns).to_dict()
    assert title(towns).startswith(f"{whole['title']['text']}; "), (
        "what only one panel shows is its heading"
    )
    heads = [panel["title"] for panel in whole["vconcat"] if "title" in panel]
    total = towns.total
    assert whole["title"]["subtitle"] == [
        f"95% interval of the total: {total.low:.0f} to {total.high:.0f}"
    ]
    assert heads[0]["text"] == "Totals by region: too noisy to rank 3 regions"
    assert len(heads) == 2, "totals, and how groups differ"
    assert len({head["dx"] for head in heads}) == 1


@pytest.mark.parametrize(
    "asked", [{"kind": "groups"}, {"kind": "totals", "by": ["region", "town"]}]
)
def test_groups_are_drawn_with_the_numbers_that_are_printed(towns, asked):
    chart = dc.plot(towns, **asked)
    rows, table = data(chart), towns.quotable()
    named = {
        f"{r}, {t}": k for k, (r, t) in enumerate(zip(table["region"], table["town"], strict=True))
    }
    assert len({row["label"] for row in rows}) == 60
    for row in rows:
        k = named[row["label"]]
        assert [row["low"], row["high"]] == [table["low"][k], table["high"][k]]
        assert row["value"] == table["number"][k], "no mark but where a number may be quoted"
        assert 0 <= row["low"] <= row["high"] <= table["people"][k], "nothing lies outside 0..n"


def test_what_is_left_out_of_a_chart_is_said_with_where_all_of_it_is():
    many = dc.estimate([k % 9 for k in range(130)], mechanism=dc.geometric(n=8, epsilon=1))
    said = str(dc.plot(many, "groups").to_dict()["title"]["subtitle"])
    assert "only the first 100 of 130 groups (all: quotable().to_csv)" in said


def test_a_commonest_count_is_named_only_where_its_interval_lies_above_all_others():
    m = dc.geometric(n=3, epsilon=2)
    few, many = (dc.estimate(outputs, mechanism=m) for outputs in ([0, 1, 1, 2, 3] * 3, [1] * 2000))
    panels = [dc.plot(e, "estimate").to_dict()["vconcat"][-1] for e in (few, many)]
    heads = [panel["title"] for panel in panels]
    assert heads[0]["text"] == "How groups differ: expected shares by count"
    assert heads[1]["text"].endswith("1 is the commonest count")
    assert all(
        head["subtitle"] == ["expected if the rates of all groups come from one distribution"]
        for head in heads
    )
    assert all(panel["mark"]["type"] == "bar" for panel in panels), "bars alone"


def test_a_chart_of_single_groups_says_how_many_of_their_intervals_leave_out_the_overall_rate():
    def title(counts, epsilon):
        found = dc.estimate(counts, mechanism=dc.geometric(n=8, epsilon=epsilon))
        keys = {"clinic": np.arange(len(counts)).astype(str).astype(object)}
        named = replace(found, sample=replace(found.sample, keys=keys))
        return dc.plot(named, "totals", by="clinic").to_dict()["title"]["text"]

    assert title([3, 4] * 30, 1).endswith(
        "too noisy to tell any of 60 clinics from the overall rate"
    )
    assert title([0] * 100 + [8] * 3, 4).endswith(
        ": 3 of 103 clinics have an interval above the overall rate, and 100 below it"
    )
    assert title([0] + [1] * 3, 9).endswith(
        ": 3 of 4 clinics have an interval above the overall rate, and 1 below it"
    )


def test_groups_of_many_sizes_have_a_distribution_too(towns):
    rows = data(dc.plot(towns, "distribution"))
    assert [row["label"] for row in rows][:2] == ["0 to 10%", "10 to 20%"]
    assert sum(row["value"] for row in rows) == pytest.approx(1)
    assert {row["count"] for row in data(dc.plot(towns, n=4)) if "count" in row} == set(range(5))


def test_groups_too_large_for_a_distribution_are_left_out_and_named():
    sizes = [4] * 30 + [600] * 2
    made = {n: dc.geometric(n=n, epsilon=1) for n in (4, 600)}
    some = dc.estimate([k % 5 for k in range(30)] + [300, 301], mechanism=made, sizes=sizes)
    assert estimate_rows.left_out_of_shares(some) == "without 2 groups of more than 512 people"
    assert "without 2 groups of more than 512 people" in str(
        dc.plot(some, "distribution").to_dict()
    )
    large = dc.estimate([300, 301], mechanism=dc.geometric(n=600, epsilon=1))
    assert estimate_rows.share_rows(large) == []
    dc.plot(large, "estimate")


def test_all_of_it_in_one_figure(towns, answers):
    every = data(dc.plot(towns))
    assert {"r0", "0 to 10%"} <= {row["label"] for row in every}
    assert len({row["label"] for row in every}) == 1 + 3 + 10, (
        "the total, and of many groups, how they differ"
    )
    few = dc.estimate([1, 2, 3], mechanism=dc.geometric(n=8, epsilon=1))
    whole = dc.plot(few, "estimate").to_dict()["vconcat"]
    assert "marks: numbers to print" in whole[-1]["title"]["subtitle"][0], "of few, each"
    drawn = data(dc.plot(answers))
    assert {row["series"] for row in drawn if "series" in row} == {"bad", "good", "fair"}
    assert {row["value"] for row in drawn if "value" in row} >= {
        q.value for q in answers.totals.values()
    }


def test_answers_stand_in_their_order_below_their_group_in_one_colour(answers):
    chart = dc.plot(answers, "totals")
    heading, *lines = sorted(
        {(row["line"], row["label"], row.get("series")) for row in data(chart)}
    )
    assert heading == (0, "all groups (n = 12)", None)
    assert lines == [(k + 1, "all groups", answer) for k, answer in enumerate(answers.answers)]
    assert {row["ink"] for row in data(chart) if "series" in row} == {READ}, "they are named"
    assert "shades" not in str(chart.to_dict())


def test_where_sizes_are_private_there_are_no_shares(answers):
    found = CappedEstimate(sample=answers.sample, confidence=answers.confidence, cap=6)
    assert {row["series"] for row in data(dc.plot(found)) if "series" in row} == {
        "bad",
        "good",
        "people",
    }
    assert total_rows(found)[-1].value == found.people.value
    with pytest.raises(InvalidInput, match="kind.*needs the sizes of groups"):
        dc.plot(found, "distribution")


def test_what_cannot_be_drawn_is_refused(towns):
    with pytest.raises(InvalidInput, match="kind.*must be one for estimates.*did you mean totals"):
        dc.plot(towns, "total")
    with pytest.raises(InvalidInput, match="by.*must name a key column"):
        dc.plot(towns, "totals", by="county")
    with pytest.raises(UnknownKeyword, match="did you mean by"):
        dc.plot(towns, "totals", bye="region")


def test_which_rows_are_shown_does_not_depend_on_their_numbers():
    alike = [Row(keys=(k,), n=5, value=float(k)) for k in range(9)]
    some, said = largest(alike, 3, "groups")
    assert [row.keys for row in some] == [(0,), (1,), (2,)] and said == "the first 3 of 9 groups"
    some, said = largest([*alike, Row(keys=(9,), n=6, value=0.0)], 3, "groups")
    assert (9,) in {row.keys for row in some} and said == "the 3 largest of 10 groups"
    assert (
        key_words((None, 2)) == "(none), 2" and estimate_rows.Row(value=1.0).label == "all groups"
    )
