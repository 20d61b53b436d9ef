"""Titles of the paper's pictures are findings: each is true of everything that its picture shows."""

import re
from collections import Counter
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import pytest

import discreet as dc
from discreet.designer import design
from discreet.paper import Settings, make
from discreet.paper.beyond.weak_honesty import SHOWN
from discreet.paper.contestants import EM, GM, UM, WM, WM_COLUMNS, named
from discreet.paper.experiments import CATALOGUE
from discreet.paper.keys.winner_map import fill
from discreet.paper.panels import as_often_as_a_guess
from discreet.paper.running import charts_of
from discreet.show.colours import cell_colours

DOCS = Path(__file__).parents[2] / "docs"


@lru_cache(maxsize=16)
def made(name):
    return make(name, Settings(quick=True))


METHODS = (UM, WM, WM_COLUMNS, EM)
"""What is compared with the usual noise."""


def inside(line, x, y):
    assert all(
        0 <= x.place(one) <= 1 and -1e-9 <= y.place(other) <= 1 for one, other in line.points
    )


def against(rows, *, by):
    """The rows as differences from the usual noise at the same place."""
    usual = {
        tuple(row[name] for name in by): row["exact"] for row in rows if row["mechanism"] == GM
    }
    moved = []
    for row in rows:
        here = usual[tuple(row[name] for name in by)]
        ends = {k: row[k] - here for k in ("exact", "least", "largest") if row.get(k) is not None}
        moved.append({**row, **ends})
    return moved


def test_weak_honesty_is_the_usual_noise_from_where_that_is_weakly_honest():
    (panel,) = charts_of(CATALOGUE["beyond-wm"], made("beyond-wm"))["wm"].sheet.panels
    for epsilon, line in zip(SHOWN, panel.lines, strict=True):
        assert line.name.words == f"epsilon {epsilon}"
        for n, share in line.points:
            usual = dc.geometric(n=int(n), epsilon=epsilon)
            assert (share == 1) == usual.satisfies("WH"), (n, epsilon)
    (note,) = panel.notes
    assert note.to == (20, 1) and note.words.startswith("from 20 people on")


def luminance(colour):
    parts = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ends(row):
    """The least and the largest value of a number over all optima."""
    return (row["exact"], row["exact"]) if row["least"] is None else (row["least"], row["largest"])


def test_usual_is_worst_of_all_from_a_quarter_to_three_quarters_and_fair_better_from_3_to_7_tenths():
    rows = against(made("binomial").tables["binomial"], by=("alpha", "n", "p"))
    others = [r for r in rows if r["mechanism"] in METHODS]
    assert all(ends(r)[1] < 0 for r in others if r["alpha"] == 0.91 and 0.25 <= r["p"] <= 0.75)
    fair = [r for r in others if r["alpha"] == 0.67 and r["mechanism"] == EM]
    assert all((r["exact"] < 0) == (0.3 <= r["p"] <= 0.7) for r in fair)


def test_usual_errs_mostly_more_than_a_guess_and_fair_less_only_near_the_middle():
    rows = against(made("rmse").tables["rmse"], by=("alpha", "n", "p"))
    guess = [r["exact"] < 0 for r in rows if r["mechanism"] == UM and r["alpha"] == 0.91]
    assert sum(guess) > len(guess) / 2
    fair = [r for r in rows if r["mechanism"] == EM and r["alpha"] == 0.67]
    assert all(0.35 <= r["p"] <= 0.65 for r in fair if r["exact"] < 0) and any(
        r["exact"] < 0 for r in fair
    )


def test_fair_is_mostly_ahead_at_one_half_and_behind_at_one_tenth():
    rows = against(made("histograms").tables["histograms"], by=("p", "alpha", "d"))
    fair = [r for r in rows if r["mechanism"] == EM and r["d"] < 7]
    even, skewed = ([r["exact"] for r in fair if r["p"] == p] for p in (0.5, 0.1))
    assert sum(v < 0 for v in even) > len(even) / 2 and sum(v > 0 for v in skewed) > len(skewed) / 2


def test_the_usual_noise_is_right_most_often_and_fair_noise_more_often_than_a_guess():
    found = {}
    for r in map(as_often_as_a_guess, made("scores").tables["scores"]):
        found.setdefault((r["alpha"], r["n"]), {})[r["mechanism"]] = r["exact"]
    for (alpha, n), times in found.items():
        assert times[UM] == 1 < times[EM] < times[GM] and max(times.values()) == pytest.approx(
            times[GM]
        )
        usual = named(GM, n, alpha)
        right = sum(usual[j, j] for j in range(n + 1)) / (n + 1)
        assert times[GM] == pytest.approx(float(right * (n + 1)), abs=1e-9), (
            "beside a guess, right with 1/(n+1)"
        )


def test_nine_sets_have_two_costs_and_fair_costs_more():
    found = {}
    for r in made("combinations").tables["combinations"]:
        found.setdefault((r["panel"], r["n"], r["alpha"]), {})[r["properties"]] = r["exact"]
    for place, costs in found.items():
        fair = next(costs.pop(name) for name in list(costs) if name.startswith("EM"))
        assert len(costs) == 9 and len(set(costs.values())) <= 2 and fair > max(costs.values()), (
            place
        )


def test_rows_cost_nothing_beside_weak_honesty_and_columns_mostly_do():
    found = {}
    for r in made("combinations").tables["combinations"]:
        if not r["properties"].startswith("EM"):
            found.setdefault((r["n"], r["alpha"]), {}).setdefault(
                "C" in r["properties"], set()
            ).add(r["fraction"])
    assert all(len(costs[False]) == len(costs[True]) == 1 for costs in found.values())
    same = {place for place, costs in found.items() if costs[False] == costs[True]}
    assert same == {(2, "19/25"), (8, "1/2")}, "the note says so"


def test_near_one_two_of_the_four_designs_always_publish_one_number():
    last = [r for r in made("anomalies").tables["scan"] if r["alpha"] == 0.98]
    assert [r["exact"] == 1 for r in last] == [True, False, True, False]
    others = design(n=7, alpha="98/100", loss="L1"), design(n=5, alpha="98/100", loss="L0,1")
    for m in others:
        assert all(m[i, j] < 1 for i in range(m.n + 1) for j in range(m.n + 1))


def test_cells_beat_ranges_and_trees_and_debiased_ones_are_best_from_8_cells_on():
    outcome = made("beyond-ranges")
    found = {}
    for r in outcome.tables["ranges"]:
        found.setdefault((r["p"], r["epsilon"], r["length"]), {})[r["method"]] = r["exact"]
    for (p, _, length), errors in found.items():
        apart = [error for name, error in errors.items() if re.match("per range|dyadic", name)]
        if p == 0.5:
            beside = {
                name: error / errors["per cell, GM"]
                for name, error in errors.items()
                if name.startswith("per cell")
            }
            assert min(beside.values()) >= 0.875 and max(beside.values()) < 1.495, (
                "from 12% less to 49% more"
            )
            assert max(
                error for name, error in errors.items() if name.startswith("per cell")
            ) < min(apart)
        elif length >= 8:
            assert min(errors, key=errors.get) == "per cell, GM debiased"
    gains = {}
    for r in outcome.tables["joint"]:
        if r["epsilon"] == 1:
            gains.setdefault((r["cells"], r["n"], r["loss"]), {})[r["whole"]] = r["gain"]
    assert all(max(by_weight, key=by_weight.get) == 1 for by_weight in gains.values())


def test_near_one_only_row_honesty_is_cheap_and_fair_is_near_the_best():
    rows = [r for r in made("beyond-losses").tables["losses"] if r["alpha"] == "99/100"]
    for r in rows:
        if r["properties"] == "RH":
            assert r["premium"] < 0.01
        elif r["properties"] == "WH" and r["n"] == 7:
            (every,) = (
                one["premium"]
                for one in rows
                if (one["loss"], one["n"], one["properties"]) == (r["loss"], 7, "RM CM F")
            )
            assert 0.9 * every < r["premium"] <= every, "nearly as much as all seven"
        if r["properties"] in ("WH", "CH", "CM", "F", "RM CM F") and r["n"] == 7:
            assert r["premium"] > 0.2
        if r["properties"] == "RM CM F":
            assert r["EM_over_this"] < 0.02


def test_a_matrix_is_drawn_with_its_chances_shaded_on_one_scale():
    for name in ("anomalies", "heatmaps", "structure"):
        for drawn in charts_of(CATALOGUE[name], made(name)).values():
            sheet, fills = (
                drawn.sheet,
                [c for panel in drawn.sheet.panels for row in panel.chances for c in row if c],
            )
            for panel in sheet.panels:
                size = len(panel.chances)
                assert all(
                    sum(row[j] for row in panel.chances) == pytest.approx(1) for j in range(size)
                )
            for svg in (drawn, drawn.narrow()):
                used = Counter(re.findall(r'rx="[\d.]+" fill="(#\w{6})"', svg))
                for fill_of, many in Counter(
                    cell_colours(c, sheet.darkest)[0] for c in fills
                ).items():
                    assert used[fill_of] == many, (name, fill_of)
    for panel in charts_of(CATALOGUE["anomalies"], made("anomalies"))["unconstrained"].sheet.panels:
        assert not any(panel.chances[0]) and not any(panel.chances[-1]) and panel.unused == "never"


KEYS = {
    "combinations": {"combinations": 1},
    "scores": {"scores": 1},
    "binomial": {"binomial": 1},
    "histograms": {"histograms": 2},
    "rmse": {"rmse": 1},
    "beyond-wm": {"wm": 1},
    "beyond-columns": {"columns": 1},
    "beyond-winners": {"wrong-prior": 1},
    "beyond-ranges": {"ranges": 1},
}
"""The panels of the key pictures."""


def _said(panels):
    """The words within panels."""
    names = [line.name.words for panel in panels for line in panel.lines if line.name]
    return names + [words.words for panel in panels for words in (*panel.words, *panel.notes)]


def test_a_value_in_a_key_picture_is_that_of_its_line():
    for name in ("binomial", "histograms", "rmse"):
        for panel in charts_of(CATALOGUE[name], made(name))[name].sheet.panels:
            dots = [words for words in panel.words if words.side]
            assert dots
            for dot in dots:
                assert any(
                    (dot.x, dot.y) in line.points and line.look.colour == dot.ink
                    for line in panel.lines
                )
                number = re.search(r"([\d.]+)(%?)$", dot.words)
                assert float(number[1]) == pytest.approx(
                    dot.y * (100 if number[2] else 1), abs=0.5 if number[2] else 0.05
                )


def test_a_map_of_winners_has_a_cell_for_each_place_in_the_colour_of_the_best():
    outcome = made("beyond-winners")
    drawn = charts_of(CATALOGUE["beyond-winners"], outcome)["winners"]
    rows = [r for r in outcome.tables["winners"] if r["n"] == 8]
    for svg in (drawn, drawn.narrow()):
        for name in {r["winner"] for r in rows}:
            cells = sum(r["winner"] == name for r in rows)
            assert svg.count(f'fill="{fill(name)}"') == cells + 1, "and one in the legend"
        levels = re.findall(r'text-anchor="end"[^>]*>([\d.]+)<', svg)
        assert [float(e) for e in levels[:3]] == [1, 0.5, 0.1], "epsilon grows upwards"
    assert all(r["winner"] == GM for r in rows if r["epsilon"] == 1 and r["measure"] == "RMSE")


def test_a_column_property_adds_at_most_3_wrong_numbers_in_100_at_every_place_of_the_study():
    rows = made("beyond-columns").tables["instances"]
    more = {(row["n"], row["alpha"]): row["excess"] / (row["n"] + 1) for row in rows}
    assert min(more.values()) > 0 and max(more.values()) < 0.03
    assert all(share < 0.02 for (n, _), share in more.items() if n >= 10)
    m, usual = design(n=5, alpha="3/4", properties="WH CM"), dc.geometric(n=5, alpha="3/4")
    wrong, usually = (1 - sum(each[j, j] for j in range(6)) / 6 for each in (m, usual))
    assert more[5, "3/4"] == pytest.approx(float(wrong - usually))


def test_in_combinations_fairness_costs_the_most_and_row_properties_nothing():
    (panel,) = charts_of(CATALOGUE["combinations"], made("combinations"))[
        "combinations"
    ].sheet.panels
    rows, columns, fair, _ = (dict(line.points) for line in panel.lines)
    assert all(fair[n] < columns[n] <= rows[n] for n in rows), (
        "with none they cost as much as with rows, says another"
    )


def test_a_filled_area_between_two_lines_of_a_key_picture_stands_on_an_axis_from_0():
    for name in KEYS:
        for panel in (
            panel
            for key in KEYS[name]
            for panel in charts_of(CATALOGUE[name], made(name))[key].sheet.panels
        ):
            assert not panel.shades or panel.y.low == 0, name


def test_knowing_the_data_saves_more_with_stronger_privacy_and_a_wrong_guess_may_cost_seven_times_the_error():
    outcome = made("beyond-winners")
    gains = {}
    for r in outcome.tables["winners"]:
        if (r["measure"], r["n"]) == ("RMSE", 8):
            gains.setdefault(r["epsilon"], {})[r["p"]] = r["gain"]
    strongest = gains.pop(0.1)
    for p, saved in strongest.items():
        assert saved > 0.48 and all(saved > other[p] for other in gains.values())
    (panel,) = charts_of(CATALOGUE["beyond-winners"], outcome)["wrong-prior"].sheet.panels
    assert 7 <= max(y for line in panel.lines for _, y in line.points) < 7.5
    for designed, line in zip((0.1, 0.3, 0.5), panel.lines, strict=True):
        times = dict(line.points)
        assert times[designed] == pytest.approx(1)
        for before, after in pairwise(sorted(times)):
            assert (times[after] > times[before]) == (before >= designed)
