"""What no total could ever be read of is drawn otherwise, or refused, before it is paid."""

import re

import numpy as np
import pytest
from tests.conftest import require

require("tables")

import pyarrow as pa

import discreet as dc
from discreet.errors import InvalidInput

ANSWERS = ["a", "b", "c"]
COUNT = {"mood": ANSWERS}


def people(*sizes):
    rows = sum(sizes)
    group = np.repeat(np.arange(len(sizes)), sizes)
    return pa.table(
        {
            "team": group,
            "mood": np.resize(ANSWERS, rows),
            "smoker": [k % 3 == 0 for k in range(rows)],
        }
    )


def test_answers_that_could_not_be_read_from_one_draw_are_drawn_one_by_one():
    """Of 4 people over 3 answers at epsilon 1/10 the best single draw has no unbiased total; of 3 it has one."""
    asked = {"by": "team", "count": COUNT, "epsilon": "1/10"}
    planned = dc.plan(people(3, 4, 5), **asked)
    assert [(line.n, line.name) for line in planned.lines] == [
        (3, "joint"),
        (4, "GM cells"),
        (5, "GM cells"),
    ]
    assert not planned.refused and not planned.no_total
    assert planned.histograms[1].endswith(
        "would leave totals unreadable, or take too long to design"
    )
    made = dc.release(people(3, 4, 5), **asked)
    facts = made.manifest.count("mood")
    assert (set(facts.mechanisms), set(facts.cells)) == ({"3"}, {"4-5"})
    assert sum(total.value for total in dc.estimate(made).totals.values()) == pytest.approx(12)


def test_which_draw_it_is_depends_on_no_answer():
    other = people(3, 4, 5).set_column(1, "mood", pa.array(["c"] * 12))
    plans = [
        dc.plan(table, by="team", count=COUNT, epsilon="1/10") for table in (people(3, 4, 5), other)
    ]
    assert plans[0] == plans[1]
    drawn = [
        dc.release(table, by="team", count=COUNT, epsilon="1/10").manifest
        for table in (people(3, 4, 5), other)
    ]
    assert drawn[0].count("mood") == drawn[1].count("mood")


@pytest.mark.parametrize(
    ("asked", "parameter", "remedy", "works"),
    [
        ({"count": COUNT, "epsilon": 1, "loss": "L1"}, "loss", "leave out `loss`", {"loss": "L0"}),
        (
            {"count": COUNT, "epsilon": "1/10", "worst_case": True, "loss": "L1"},
            "loss",
            "leave out `loss` and `worst_case`",
            {"loss": "L0", "worst_case": False},
        ),
    ],
)
def test_what_was_asked_for_and_cannot_be_read_is_refused_before_it_is_paid(
    asked, parameter, remedy, works
):
    table = people(4, 4, 5)
    with pytest.raises(
        InvalidInput, match="without totals: none can ever be estimated from groups of"
    ) as refused:
        dc.release(table, by="team", **asked)
    assert refused.value.parameter == parameter and refused.value.remedy.startswith(remedy)
    planned = dc.plan(table, by="team", **asked)
    assert planned.refused == str(refused.value) and planned.no_total
    text = " ".join(str(planned).split())
    assert (
        "A release would be refused: " in text
        and "A release would be refused" in planned._repr_html_()
    )
    assert not dc.plan(table, by="team", **{**asked, **works}).refused


@pytest.mark.parametrize(
    ("asked", "remedy", "works"),
    [
        (
            {"epsilon": "0.12", "properties": "CM"},
            "ask for `properties='F'` and nothing else, or leave out `properties`; or use",
            {"properties": "F"},
        ),
        (
            {"epsilon": 1, "loss": "L2"},
            "add WH (`properties='WH'`), or ask for `properties='F'` and nothing else, or leave out `loss`",
            {"properties": "WH"},
        ),
    ],
)
def test_a_count_without_totals_is_warned_of_and_can_be_read_group_by_group(asked, remedy, works):
    table = people(4, 4, 5)
    planned = dc.plan(table, by="team", count="smoker", **asked)
    assert planned.no_total and not planned.refused
    with pytest.warns(
        UserWarning, match="smoker has no totals: none can ever be estimated from groups of"
    ) as said:
        made = dc.release(table, by="team", count="smoker", **asked)
    assert f"To have totals: {remedy}" in str(said[0].message)
    assert (dc.estimate(made).table().columns["high"] <= 5).all()
    assert not dc.plan(table, by="team", count="smoker", **{**asked, **works}).no_total


def test_a_mechanism_that_is_given_is_only_warned_of():
    best = dc.design(n=4, categories=3, epsilon=1, loss="L1")
    planned = dc.plan(people(4, 4), by="team", count=COUNT, mechanism=best)
    assert not planned.refused and planned.no_total == (("mood", "4"),)
    assert "no total can be estimated from groups of 4" in re.sub(r"\s+", " ", str(planned))
    with pytest.warns(
        UserWarning, match="mood: totals and shares cannot be estimated from groups of 4"
    ):
        dc.release(people(4, 4), by="team", count=COUNT, mechanism=best)
