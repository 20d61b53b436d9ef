"""What a plan says it buys: numbers that are not to be compared stand apart, and a hopeless table is called one."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from tests.conftest import require

require("tables")

import pyarrow as pa

import discreet as dc
from discreet.reading.ahead.enough import known_to_half
from discreet.show.plans.bought_text import verdicts

FIVE = ["a", "b", "c", "d", "e"]


def people(*sizes: int) -> pa.Table:
    return pa.table(
        {
            "clinic": [place for place, size in enumerate(sizes) for _ in range(size)],
            "smoker": [True] * sum(sizes),
            "mood": [FIVE[k % 5] for size in sizes for k in range(size)],
        }
    )


def test_a_table_that_says_something_gets_no_verdict():
    assert list(verdicts(dc.plan(people(5, 8, 12), by="clinic", count="smoker", epsilon=1))) == []


def test_a_hopeless_table_is_called_one_and_the_epsilon_named_is_enough():
    asked = {"by": "clinic", "count": "smoker"}
    (said,) = verdicts(dc.plan(people(5, 9, 9, 40), **asked, epsilon="1/4"))
    assert "in 3 of 4 groups" in said and "(in 3, all of it)" in said and "larger groups" in said
    assert "levels" not in said and "answers" not in said
    enough = re.search(r"with ([\d.]+) in place of 1/4 every number is off by at most half of its group", said)[1]
    after, before = (
        dc.plan(people(5, 9, 9, 40), **asked, epsilon=e) for e in (enough, Fraction(enough) - Fraction(1, 100))
    )
    assert all(map(known_to_half, after.lines)) and not all(map(known_to_half, before.lines)), "it is the least"
    assert list(verdicts(after)) == []


def test_no_epsilon_is_named_where_none_helps_or_it_would_have_to_be_designed():
    ones = dc.plan(people(1, 1, 1), by="clinic", count=["smoker", "mood = 'a'"], epsilon=2)
    assert all("(an epsilon up to 5 does not" in said for said in verdicts(ones)) and list(verdicts(ones))
    answers = dc.plan(people(4, 4, 4), by="clinic", count={"mood": FIVE}, epsilon="1/4")
    assert all("a larger epsilon," in said for said in verdicts(answers)) and list(verdicts(answers))


def test_what_helps_is_what_the_plan_has_too_many_of():
    several = dc.plan(people(4, 4, 4), by="clinic", count=["smoker", "mood = 'a'"], epsilon="1/10", levels="rollup")
    said = list(verdicts(several))
    assert len(said) == 2 and said[0].startswith("smoker: too noisy")
    assert "fewer levels, fewer counts" in said[0]


@pytest.mark.parametrize("show", [str, lambda plan: plan._repr_html_()])
def test_whole_histograms_and_counts_stand_in_blocks_of_their_own(show):
    question = {"mood": {"column": "mood", "answers": FIVE}}
    text = show(dc.plan(people(1, 2, 60), by="clinic", count={**question, "smoker": "smoker"}, epsilon=1))
    heads = ["Drawn as one histogram: people misplaced", "Drawn answer by answer: the count of one answer", "Counts"]
    assert [text.count(head) for head in heads] == [1, 1, 1]
    assert text.index(heads[0]) < text.index(heads[1]) < text.index(heads[2])
    assert "how many people typically stand under a wrong answer" in " ".join(text.split()) and "misplaced" in text


def test_a_plan_says_how_questions_come_to_the_epsilon_of_a_draw():
    question = {"mood": {"column": "mood", "answers": FIVE}}
    asked = {"by": "clinic", "count": {**question, "smoker": "smoker"}, "epsilon": "1/4"}
    said = " ".join(str(dc.plan(people(3, 60), **asked)).split())
    assert "2 questions share epsilon 1/4: 1/8 each; answers of mood that are drawn one by one get 1/16 each" in said
    uneven = " ".join(str(dc.plan(people(3, 60), **asked, split={"mood": "3/4", "smoker": "1/4"})).split())
    assert "share epsilon 1/4: mood 3/16, smoker 1/16;" in uneven
    assert "share epsilon" not in str(dc.plan(people(3, 60), by="clinic", count="smoker", epsilon=1))
