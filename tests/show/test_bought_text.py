"""What a plan says it buys: numbers that are not to be compared stand apart, and a hopeless table is called one."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from tests.conftest import require

require("tables")

import pyarrow as pa

import discreet as dc
from discreet.odds import most_sure
from discreet.reading.ahead.enough import known_to_half
from discreet.show.plans.verdict_text import readings
from discreet.tables.plan_lines import grade_of

FIVE = ["a", "b", "c", "d", "e"]


def people(*sizes: int) -> pa.Table:
    return pa.table(
        {
            "clinic": [place for place, size in enumerate(sizes) for _ in range(size)],
            "smoker": [True] * sum(sizes),
            "mood": [FIVE[k % 5] for size in sizes for k in range(size)],
        }
    )


def verdicts(plan):
    """What a plan says of a table that is too noisy, and what helps."""
    groups = [said for said in readings(plan) if not said.startswith("Total: ")]
    return [
        said
        for said in groups
        if "too noisy" in said.partition(";")[0] or said.startswith("What helps")
    ]


def test_a_table_that_says_something_needs_no_help():
    assert list(verdicts(dc.plan(people(5, 8, 12), by="clinic", count="smoker", epsilon=1))) == []


def test_a_hopeless_table_is_called_one_and_the_epsilon_named_is_enough():
    asked = {"by": "clinic", "count": "smoker"}
    said = " ".join(verdicts(dc.plan(people(5, 9, 9, 40), **asked, epsilon="1/4")))
    assert (
        "Single groups: too noisy in 3 of 4 (off by up to the whole group" in said
        and "larger groups" in said
    )
    assert "levels" not in said and "answers" not in said
    enough = re.search(
        r"with epsilon ([\d.]+) every number is off by at most half of its group", said
    )[1]
    sure = [most_sure(dc.plan(people(8), **asked, epsilon=e).alpha) for e in (enough, "1/4")]
    assert said.endswith(f"but that reader can become {sure[0]} sure in place of {sure[1]}."), (
        "last, with its price"
    )
    after, before = (
        dc.plan(people(5, 9, 9, 40), **asked, epsilon=e)
        for e in (enough, Fraction(enough) - Fraction(1, 100))
    )
    assert all(map(known_to_half, after.lines)) and not all(map(known_to_half, before.lines)), (
        "it is the least"
    )
    assert list(verdicts(after)) == []


def test_no_epsilon_is_named_where_none_helps_or_it_would_have_to_be_designed():
    ones = dc.plan(people(1, 1, 1), by="clinic", count=["smoker", "mood = 'a'"], epsilon=1)
    assert verdicts(ones)[-1].endswith("No epsilon up to 2 does.")
    answers = dc.plan(people(4, 4, 4), by="clinic", count={"mood": FIVE}, epsilon="1/4")
    assert verdicts(answers)[-1].endswith("A larger epsilon helps too, and gives away more.")
    assert (
        "epsilon"
        not in verdicts(dc.plan(people(1, 1, 1), by="clinic", count="mood = 'a'", epsilon="5/2"))[
            -1
        ]
    )


def test_what_helps_is_what_the_plan_has_too_many_of():
    several = dc.plan(
        people(4, 4, 4),
        by="clinic",
        count=["smoker", "mood = 'a'"],
        epsilon="1/10",
        levels="rollup",
    )
    said = list(verdicts(several))
    assert len(said) == 3 and said[0].startswith("smoker: single groups too noisy")
    assert "fewer levels, fewer counts" in said[-1], "said once"


@pytest.mark.parametrize("show", [str, lambda plan: plan._repr_html_()])
def test_whole_histograms_and_counts_stand_in_blocks_of_their_own(show):
    question = {"mood": {"column": "mood", "answers": FIVE}}
    text = show(
        dc.plan(people(1, 2, 60), by="clinic", count={**question, "smoker": "smoker"}, epsilon=1)
    )
    heads = [
        "Drawn as one histogram: people misplaced",
        "Drawn answer by answer: the count of one answer",
        "Counts",
    ]
    assert [text.count(head) for head in heads] == [1, 1, 1]
    assert text.index(heads[0]) < text.index(heads[1]) < text.index(heads[2])
    assert (
        "95% at most: people who stand under a wrong answer, in 95% of draws." in text
        or show is not str
    )


def test_a_plan_says_how_questions_come_to_the_epsilon_of_a_draw():
    question = {"mood": {"column": "mood", "answers": FIVE}}
    asked = {"by": "clinic", "count": {**question, "smoker": "smoker"}, "epsilon": "1/4"}
    said = " ".join(str(dc.plan(people(3, 60), **asked)).split())
    assert (
        "2 questions share epsilon 0.25: 0.125 each; answers of mood that are drawn one by one get 0.0625 each"
        in said
    )
    uneven = " ".join(
        str(dc.plan(people(3, 60), **asked, split={"mood": "3/4", "smoker": "1/4"})).split()
    )
    assert "share epsilon 0.25: mood 0.1875, smoker 0.0625;" in uneven
    assert "share epsilon" not in str(
        dc.plan(people(3, 60), by="clinic", count="smoker", epsilon=1)
    )


def test_many_sizes_stand_in_ranges_and_one_by_one_in_the_details():
    sizes = [*range(18, 30), 18]
    found = dc.plan(people(*sizes), by="clinic", count="smoker", epsilon=1)
    short, whole = str(found), found.text(details=True)
    assert (
        re.search(r"18-29 +13 ", short)
        and "A row of several sizes has the numbers of its largest." in " ".join(short.split())
        and "18-29 " not in whole.partition("RMSE")[2]
    )
    last = max(found.lines, key=lambda line: line.largest)
    assert re.search(rf"18-29 +13 +±{last.margin} ", short), "with the numbers of the largest"
    assert f"{last.rmse:.2f}" in whole and f"{last.rmse:.2f}" not in short, "averages are a detail"
    assert len(short.splitlines()) < len(whole.splitlines())
    assert "Single groups: usable (off by up to 3 of " in short.partition("count ")[0]


@pytest.mark.parametrize(
    ("sizes", "epsilon", "said"),
    [
        ((14, 20, 27), 1, "usable (off by up to 3 of 14 in 95% of draws)"),
        ((14, 20, 27), "1/4", "very rough (off by up to 9 of 14 in 95% of draws)"),
        ((2, 4, 20, 27, 27), 1, "mostly usable (off by up to 3 of 20 in 95% of draws)"),
    ],
)
def test_a_plan_begins_with_a_word_for_single_groups_and_one_for_the_total(sizes, epsilon, said):
    found = dc.plan(people(*sizes), by="clinic", count="smoker", epsilon=epsilon)
    line, total = readings(found)
    assert line.startswith(f"Single groups: {said}")
    assert re.match(
        rf"Total: [a-z ]+ if half say yes \(±[\d.]+ of {round(sum(sizes) / 2)}\)", total
    )
    privacy, groups = (
        re.search(rf"^  {said}: ", str(found), re.MULTILINE)
        for said in ("Privacy", "Single groups")
    )
    assert groups.start() < privacy.start() < str(found).index("\n\n"), "first, then the price"


def test_a_table_that_would_repeat_what_the_first_lines_say_is_a_detail():
    alike = dc.plan(people(8, 8, 8), by="clinic", count="smoker", epsilon=1)
    assert "Single groups: rough (off by up to 3 of 8" in str(alike) and "Total: " in str(alike)
    assert "95% within" not in str(alike) and alike.text(details=True).count("95% within") >= 2
    for more in (
        dc.plan(people(8, 8, 9), by="clinic", count="smoker", epsilon=1),  # several sizes
        dc.plan(
            people(8, 8, 8), by="clinic", count="smoker", epsilon=1, properties="F"
        ),  # other noise
        dc.plan(
            people(8, 8, 8), by="clinic", count={"smoker": "smoker", "low": "mood = 'a'"}, epsilon=1
        ),
        dc.plan(
            people(8, 8, 8), by="clinic", count="smoker", epsilon="1/50"
        ),  # off by nobody says how much
    ):
        assert "95% within" in str(more)


def test_what_helps_is_said_once_and_a_block_of_the_usual_noise_names_no_mechanism():
    question = {"mood": {"column": "mood", "answers": FIVE}}
    text = str(
        dc.plan(people(1, 2, 2), by="clinic", count={**question, "smoker": "smoker"}, epsilon="1/2")
    )
    said = " ".join(text.split())
    assert text.count("What helps: ") == 1 and "larger groups, fewer counts, fewer answers." in said
    assert said.count("total of one answer too noisy") + said.count("total too noisy") == 2, (
        "so sums are no help"
    )
    useful = " ".join(
        str(dc.plan(people(*[4] * 40), by="clinic", count="smoker", epsilon="1/2")).split()
    )
    assert "Total: rough if half" in useful and "or to read sums of groups only" in useful
    whole, _, counts = text.partition("  Counts\n")
    assert (
        "95% at most  mechanism" in whole
        and "95% within  one group\n" in counts
        and "mechanism" not in counts
    )


def test_it_is_said_how_many_groups_are_worse():
    line, _ = readings(dc.plan(people(4, 20, 27), by="clinic", count="smoker", epsilon=1))
    assert (
        line
        == "Single groups: mostly usable (off by up to 3 of 20 in 95% of draws), very rough in 1 of 3."
    )
    line, _ = readings(dc.plan(people(2, 4, 20, 27, 27), by="clinic", count="smoker", epsilon=1))
    assert line.endswith(", very rough in 1 of 5, too noisy in 1."), "of how many, once"


def test_a_total_is_judged_by_the_rule_of_groups_beside_two_counts_that_it_may_be():
    """Beside all people it would flatter: a margin of a tenth of them is most of a count of few."""
    found = dc.plan(people(*[8] * 60), by="clinic", count="smoker", epsilon=1)
    (total,) = (each for each in found.totals if each.asked)
    margin = total.width / 2
    assert total.people == 480 and (grade_of(margin, 240), grade_of(margin, 60)) == (
        "good",
        "rough",
    )
    off = f"±{margin:.1f}"
    said = f"Total: good if half say yes ({off} of 240), rough if 1 in 8 do ({off} of 60)."
    assert list(readings(found))[1] == said
    few = list(readings(dc.plan(people(*[8] * 60), by="clinic", count="smoker", epsilon="1/10")))[1]
    assert few.startswith("Total: too noisy even if half say yes (±") and "1 in 8" not in few
    assert "good: in 95% of draws off by at most a tenth of the group" in " ".join(
        found.text(details=True).split()
    )


def test_a_margin_is_set_beside_a_likely_count_without_a_look_at_the_data():
    for n, said in (
        (8, "about 1 of a group of 8 do: the margin, ±3, is more than that."),
        (24, "about 3 of a group of 24 do: the margin, ±3, is as much as that."),
        (80, "about 10 of a group of 80 do: the margin, ±3, is less than that."),
    ):
        *_, likely = readings(
            dc.plan(people(n), by="clinic", count="smoker", epsilon=1), details=True
        )
        assert likely == f"If 1 in 8 say yes, {said}"


def test_of_every_key_it_is_said_that_its_values_will_be_public():
    table = people(8)
    assert "How many people have each value of clinic will be public." in str(
        dc.plan(table, by="clinic", count="smoker", epsilon=1)
    )
    assert "will be public" in dc.plan(table, by="clinic", count="smoker", epsilon=1)._repr_html_()
    assert "will be public" not in str(dc.plan(table, by=[], count="smoker", epsilon=1))


def test_the_grades_of_a_line_are_half_and_three_quarters_of_its_group():
    (line,) = dc.plan(people(20), by="clinic", count="smoker", epsilon=1).lines
    grades = [
        (x.very_rough, x.too_noisy)
        for x in (replace(line, margin=margin) for margin in (9, 10, 14, 15, 20))
    ]
    assert grades == [(False, False), (True, False), (True, False), (False, True), (False, True)]
    near = [replace(line, margin=margin).grade for margin in (0, 2, 3, 5, 6)]
    assert near == ["exact", "good", "usable", "usable", "rough"]
    assert replace(line, margin=8).reach == "8 of 20" and replace(line, margin=20).reach == "all 20"


def test_the_mechanisms_of_a_plan_are_named_in_words():
    fair = " ".join(
        str(dc.plan(people(8, 8), by="clinic", count="smoker", epsilon=1, properties="F")).split()
    )
    assert "EM: the best fair noise." in fair and "GM:" not in fair
