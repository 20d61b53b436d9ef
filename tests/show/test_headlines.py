"""Titles that pictures give themselves are true of the very matrices they show."""

import re
from fractions import Fraction
from itertools import product

import pytest
from tests.conftest import require

from discreet.choosing.comparison import compare
from discreet.core.named import fair, geometric, uniform, weakly_honest
from discreet.designer import design
from discreet.reading.group import intervals
from discreet.show.charts import plot
from discreet.show.pictures.headlines import of_matrices, of_matrix, of_scores, subject
from discreet.show.pictures.line_ends import line_ends, merged, more_names
from discreet.show.triangles import answer_rows

require("plots")


def title(thing, kind=None, **options):
    return plot(thing, kind, **options).to_dict()["title"]["text"]


@pytest.mark.parametrize("shape", ["", "CM", "CH", "WH", "RM CM", "F", "WH CM", "RH"])
def test_what_is_said_of_a_matrix_holds_in_it(shape):
    for n, epsilon, loss in product((1, 2, 3, 5, 8), ("1/4", "1/2", "1"), ("L0", "L1")):
        m = design(n=n, epsilon=epsilon, properties=shape, loss=loss)
        said, cells = of_matrix(m).lower(), range(n + 1)
        beating = sorted({i for i in cells for j in cells if m[i, j] > m[j, j]})
        if "piles up at" in said:
            named = said.partition("piles up at ")[2].replace(" and ", ", ").split(", ")
            assert [int(number) for number in named] == beating
        elif "errors can be likelier" in said:
            assert len(beating) > 3
        else:
            assert not beating
        if "equally often" in said:
            assert len({m[j, j] for j in cells}) == 1
        elif "near the truth come most often" in said:
            pairs = (
                (i, k, j) for i, k, j in product(cells, cells, cells) if abs(i - j) > abs(k - j)
            )
            assert all(m[i, j] <= m[k, j] for i, k, j in pairs)
        elif "never rise away" in said:
            assert m.satisfies("CM")


def test_a_title_names_its_mechanism_in_words_and_the_line_below_it_the_setting():
    m = design(n=8, epsilon="1/2", properties="CM")
    assert subject(m) == "Column monotone (CM)"
    spec = plot(m).to_dict()
    assert spec["title"]["text"] == "Column monotone (CM): chances never rise away from the truth"
    assert spec["title"]["subtitle"] == ["groups of 8, epsilon = 0.5; outlined: the truth"]
    assert "each column adds up to 100%" in str(spec)
    assert title(geometric(n=8, epsilon="1/2")) == "The usual noise (GM) piles up at 0 and 8"
    assert title(geometric(n=8, epsilon="1/2"), title="mine") == "mine"
    assert (
        title(fair(n=8, epsilon="1/2"), "columns")
        == "The fair mechanism (EM) tells the truth in 27% of draws"
    )
    assert (
        title(geometric(n=8, epsilon="1/2"), "accuracy")
        == "The usual noise (GM) is typically off by 1.9 to 2.2"
    )


def test_titles_of_several_say_where_an_error_can_be_likelier_and_who_is_best_throughout():
    gm, em = geometric(n=8, epsilon="1/2"), fair(n=8, epsilon="1/2")
    assert title([gm, em]) == "Only the usual noise can favour an error over the truth"
    assert (
        of_matrices({"EM": em, "UM": uniform(n=8)}, "")
        == "In all of these no number is likelier than the truth"
    )
    assert of_matrices({"GM": gm, "WM": weakly_honest(n=8, epsilon="1/4")}, "").startswith(
        "In all of these"
    )
    assert title([gm, em], "columns") == "The usual noise is right most often, in 33% on average"
    table = compare(["GM", "EM", "UM"], n=[2, 4, 8], epsilon=1)
    assert title(table) == "The usual noise (GM) is wrong least often"
    assert (
        title(compare(["GM", "WM", "EM"], n=[8, 12], epsilon=1))
        == "GM and WM are wrong least often"
    )
    assert (
        title(compare(["UM"], n=[2, 4], epsilon=1))
        == "Wrong answers, a guess = 1 (L0): 1 at n = 2, 1 at n = 4"
    ), "nothing to compare"
    assert (
        title(compare(["GM", "WM", "CM WH", "EM"], n=[8, 12], epsilon=1))
        == "GM, WM and CM WH are wrong least often"
    )
    assert title(compare(["GM", "WM"], n=[8, 12], epsilon=1)) == (
        "Wrong answers, a guess = 1: the same for all of these"
    )
    crossing = [
        {"series": name, "n": n, "value": v}
        for name, n, v in (("GM", 2, 1), ("GM", 9, 3), ("EM", 2, 2), ("EM", 9, 2))
    ]
    assert (
        of_scores(crossing, "L1", "n", "")
        == "At n = 2 the usual noise is nearest, at n = 9 the fair mechanism"
    )


def test_titles_of_intervals_say_how_many_true_counts_are_left_open():
    gm, em = geometric(n=8, epsilon="1/4"), fair(n=8, epsilon="1/4")
    table, chance = intervals(gm, Fraction(95, 100)), gm.array.mean(axis=1)
    left = sum(p * (table.high[i] - table.low[i] + 1) for i, p in enumerate(chance))
    assert (
        title(gm, "intervals")
        == f"A published number leaves {left:.1f} of 9 true counts open on average"
    )
    assert "'legend': None" in str(plot(gm, "intervals").to_dict()), "one series needs none"
    assert title([geometric(n=8, epsilon=1), fair(n=8, epsilon=1)], "intervals") == (
        "The usual noise (GM) has the shortest intervals on average"
    )
    odd = geometric(n=8, epsilon="1/2")
    told = plot(odd, "intervals").to_dict()["title"]["subtitle"][1]
    assert (
        told
        == "Published 0 leaves more open than 1: true counts 5 and 6 publish 0 more often than 1."
    )
    table = intervals(odd, Fraction(95, 100))
    assert (table.high[0], table.high[1]) == (6, 4) and all(odd[0, j] > odd[1, j] for j in (5, 6))
    for plain in (geometric(n=8, epsilon=1), fair(n=8, epsilon="1/2"), uniform(n=1)):
        assert len(plot(plain, "intervals").to_dict()["title"]["subtitle"]) == 1, (
            "nothing to explain"
        )
    assert (
        title({"a": em, "b": em}, "intervals")
        == "All of these leave equally many true counts open on average"
    )


def test_a_readers_own_label_stays_as_it_is():
    setting = {"n": 8, "epsilon": 1}
    assert title({"a": geometric(**setting), "b": uniform(n=8)}, "accuracy").startswith(
        "a has the least typical error"
    )
    assert title({"a": geometric(**setting), "b": fair(**setting)}, "columns").startswith(
        "a is right most"
    )


def test_of_lines_that_are_one_the_first_has_its_name_and_the_others_are_told_below_the_title():
    several = {"GM": 1, "WM": 1, "CM WH": 1, "UM": 9}
    rows = [{"series": name, "n": n, "v": v} for name, v in several.items() for n in (1, 2)]
    joint, _ = merged(rows, "n", ["v"], list(several))
    ends = line_ends(
        [row for row in rows if row["series"] in joint],
        "n",
        "v",
        list(joint),
        300,
        from_0=True,
        joint=joint,
    )
    assert ends is not None
    assert ends[0]["name"].split("\n") == ["usual (GM)", "and two more"]
    assert (
        more_names(ends, joint)
        == "usual (GM) and two more: weakly honest (WM); column monotone, weakly honest"
    )
    more = [{"series": name, "n": n, "v": 1} for name in ("CM", "RM WH", "CM RH") for n in (1, 2)]
    joint, _ = merged(rows + more, "n", ["v"], [*several, "CM", "RM WH", "CM RH"])
    ends = line_ends(
        [row for row in rows if row["series"] in joint],
        "n",
        "v",
        list(joint),
        300,
        from_0=True,
        joint=joint,
    )
    assert ends is not None and ends[0]["name"].split("\n") == ["usual (GM)", "and 5 more"]


def test_a_comparison_draws_lines_that_can_be_told_apart_and_names_them_alike_in_both_panels():
    table = compare(n=8, epsilon="1/2")
    drawn = table.plot().to_dict()
    assert drawn["title"]["text"] == "The usual noise typically errs by 2, blind guessing by 3.7"
    for label, said in (("GM", 2.0), ("UM", 3.7)):
        rows = table[label].mechanism.accuracy().rows
        assert f"{(sum(row.rmse**2 for row in rows) / 9) ** 0.5:.2g}" == f"{said:.2g}"
    rows = [row for rows in drawn["datasets"].values() for row in rows]
    assert {row["series"] for row in rows if "series" in row and "name" not in row} == {
        "GM",
        "EM",
        "UM",
    }
    names = [
        re.sub(r"  −?[\d.]+$", "", row["name"].replace("\xa0", " ").replace("\n", " "))
        for row in rows
        if "name" in row
    ]
    assert sorted(set(names)) == [
        "fair (EM)",
        "guessing (UM)",
        "usual (GM) and two more",
    ]
    first, second = drawn["title"]["subtitle"]
    assert "drawn as one: at most" in first
    assert second == "usual (GM) and two more: weakly honest (WM); column monotone, weakly honest"


def test_the_bound_beside_nearly_equal_lines_is_one():
    from discreet.show.pictures.curves import accuracy_rows

    for n in (2, 8, 60):
        mechanisms = {entry.label: entry.mechanism for entry in compare(n=n, epsilon="1/2")}
        rows = accuracy_rows(mechanisms)
        joint, apart = merged(rows, "count", ("bias", "rmse"), list(mechanisms))
        at = {(row["series"], row["count"]): row for row in rows}
        for kept, said in joint.items():
            for one in re.split(" [=≈] ", said):
                gaps = [
                    abs(at[kept, j][f] - at[one, j][f])
                    for j in range(n + 1)
                    for f in ("bias", "rmse")
                ]
                assert max(gaps) <= apart
                assert max(gaps) <= 1e-9 or f"≈ {one}" in said


def test_titles_of_histograms_say_who_is_best_and_how_far_off_an_answer_is():
    joint = design(n=4, categories=["a", "b", "c"], epsilon=1, loss="L1")
    both = {"joint": joint, "F": design(n=4, categories=["a", "b", "c"], epsilon=1, properties="F")}
    chance = {
        name: float(m.column((2, 1, 1))[m.domain.points.index((2, 1, 1))])
        for name, m in both.items()
    }
    best = {"joint": "Joint draw", "F": "Fair draw (F)"}[max(chance, key=lambda name: chance[name])]
    assert title(both, "triangle", truth=(2, 1, 1)) == f"{best} publishes this truth most often"
    rows = answer_rows(joint, (2, 1, 1))
    far = max(max(row["high"] - row["true"], row["true"] - row["low"]) for row in rows)
    assert (
        title(joint, "answers", truth=(2, 1, 1))
        == f"An answer is at most {far} off in 90% of draws"
    )


def test_the_title_of_an_estimate_is_a_sentence_where_the_name_of_the_count_is_a_word():
    from types import SimpleNamespace

    import numpy as np

    from discreet.show.pictures.readings.estimated import _about

    def said(name, definition=""):
        sample = SimpleNamespace(
            name=name, sizes=np.array([1400, 600]), origin=SimpleNamespace(definition=definition)
        )
        return _about(SimpleNamespace(sample=sample, total=SimpleNamespace(value=1148.2)))

    assert said("smokers") == "About 1,148 smokers in all"
    assert said("old_and_ill") == "About 1,148 of 2,000: old_and_ill"
    assert (
        said("smoker_yes", "smoker = 'yes'")
        == "About 1,148 of 2,000 answered \u201cyes\u201d to \u201csmoker\u201d"
    )
