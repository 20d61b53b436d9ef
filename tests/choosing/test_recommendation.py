"""Recommendations: the right mechanism, proven for what was asked, with the price of each wish."""

import json
import re
import shlex
from fractions import Fraction

import pyarrow as pa
import pytest

import discreet as dc
from discreet.choosing.census import all_subsets
from discreet.choosing.flowchart import for_single_numbers
from discreet.choosing.recommendation import recommend
from discreet.core.properties import closure
from discreet.errors import InvalidInput
from discreet.reading.ahead.total_error import total_error
from discreet.show.chosen.brief_recommendation import brief_text
from discreet.show.text import laid_out
from discreet.studio.telling.meant_for import advised_instead

SETTINGS = [
    (2, "9/10"),
    (3, "2/3"),
    (4, "10/11"),
    (4, "2/3"),
    (5, "1/2"),
    (6, "0.76"),
    (1, "9/10"),
    (0, "9/10"),
]


@pytest.mark.parametrize(("n", "alpha"), SETTINGS)
def test_what_is_recommended_has_what_was_asked_and_costs_no_more_than_the_best_design(n, alpha):
    # one of the sets that mean the same, and none with S, which is free (Theorem 1)
    for asked in {closure(shape): shape for shape in all_subsets() if "S" not in shape}.values():
        r = recommend(n=n, alpha=alpha, properties=asked)
        assert r.mechanism.satisfies(asked)
        assert r.mechanism.alpha == Fraction(alpha)
        best = dc.design(n=n, alpha=alpha, properties=asked)
        assert r.mechanism.score("L0") == best.score("L0")


def test_the_four_ends_and_their_closed_forms():
    ask = {"n": 8, "alpha": "10/11"}
    assert recommend(**ask).mechanism == dc.geometric(**ask)
    assert recommend(**ask, properties="RM S").mechanism == dc.geometric(**ask)
    assert recommend(**ask, properties="WH").mechanism == dc.weakly_honest(**ask)
    assert recommend(**ask, properties="F").mechanism == dc.fair(**ask)
    columns = recommend(**ask, properties="CH")
    assert columns.box == "WH+CM"
    assert columns.mechanism.satisfies("RM CM S"), "the rest comes free"
    assert recommend(n=20, alpha="10/11", properties="WH").mechanism == dc.geometric(
        n=20, alpha="10/11"
    )


def test_the_price_of_each_wish():
    r = recommend(n=8, alpha="10/11", properties="CM")
    price = {cost.wish: cost for cost in r.costs}
    assert list(price) == ["no properties", "WH", "CM", "RM CM S", "F", "blind guess"]
    assert price["no properties"].l0 == Fraction(20, 21)
    l0 = [price[wish].l0 for wish in price]
    assert l0 == sorted(l0) and l0[-1] == 1
    for name, wish in (("geometric", "no properties"), ("weakly_honest", "WH"), ("fair", "F")):
        m = getattr(dc, name)(n=8, alpha="10/11")
        assert price[wish].l0 == m.score("L0")
        assert price[wish].rmse == pytest.approx(float(m.score("L2")) ** 0.5)
        assert price[wish].l0_over == pytest.approx(float(m.score("L0") / Fraction(20, 21)) - 1)
    assert (
        price["CM"].l0
        == price["RM CM S"].l0
        == dc.design(n=8, alpha="10/11", properties="CM").score("L0")
    )
    assert [c.wish for c in r.costs if c.recommended] == ["RM CM S"]
    alike = recommend(n=1, alpha="10/11", properties="F").costs
    assert [cost.mechanism for cost in alike] == ["GM", "GM", "GM", "GM", "UM"]


def test_wishes_are_free_where_gm_grants_them():
    price = {cost.wish: cost for cost in recommend(n=5, alpha="1/2").costs}
    assert price["WH"].mechanism == price["CH or CM"].mechanism == "GM"
    assert price["WH"].l0_over == price["CH or CM"].rmse_over == 0


def test_output_dp_is_checked_and_designed_for_when_the_flowchart_fails_it():
    fair = recommend(n=4, alpha="9/10", properties="F ODP:9/10")
    assert fair.mechanism == dc.fair(n=4, alpha="9/10")
    assert fair.steps[-1].answer == "yes"
    r = recommend(n=4, alpha="9/10", properties="ODP:9/10")
    assert r.box == "designed"
    assert r.steps[-1].answer == "no"
    assert r.mechanism.satisfies("ODP:9/10")
    assert r.mechanism.score("L0") == dc.design(n=4, alpha="9/10", properties="ODP:9/10").score(
        "L0"
    )
    assert any(cost.recommended for cost in r.costs)


def test_large_groups_answer_at_once_with_a_proven_bracket():
    r = recommend(n=100_000, alpha="9/10", properties="WH")
    assert r.box == "GM"
    assert r.costs == ()
    assert "1 + 1/n" in r.note
    assert recommend(n=1_000_000, epsilon=1, properties="F").box == "EM"
    assert (
        "within 1/n of optimal, proven" in recommend(n=10_000, alpha="9/10", properties="CM").proof
    )
    output = recommend(n=250, alpha="9/10", properties="ODP:9/10")
    assert output.box == "EM"
    assert "of optimal, proven" in output.proof
    near = recommend(n=300, alpha="9/10", properties="CM")
    assert near.mechanism.satisfies("CM")
    assert near.box == "EM"
    assert "small enough for the linear program" in near.steps[-1].question
    assert "of optimal, proven" in near.proof
    assert max(map(len, str(near).splitlines())) <= 80
    middling = {cost.wish: cost for cost in recommend(n=100, alpha="10/11", properties="F").costs}
    assert middling["CH or CM"].l0 is None, "bounded, not solved, when it was not asked for"
    assert middling["WH"].l0 <= middling["F"].l0


@pytest.mark.parametrize("asked", [None, "WH", "CM", "F", "ODP:9/10", "RH RM CH CM WH F S"])
@pytest.mark.parametrize(("n", "alpha"), [(0, "1/2"), (1, "1/2"), (4, "10/11"), (5, "1/3"), (3, 1)])
def test_it_fits_a_terminal_and_speaks_json(n, alpha, asked):
    r = recommend(n=n, alpha=alpha, properties=asked)
    text = str(r)
    assert max(map(len, text.splitlines())) <= 80
    assert "Why" in text and "What each property costs" in text
    plain = json.loads(json.dumps(r.to_dict()))
    assert plain["recommended"] == r.box
    assert plain["id"] == r.mechanism.id
    assert len(plain["steps"]) == len(r.steps)
    assert "<table" in r._repr_html_()


@pytest.mark.parametrize("asked", [None, "WH", "CM", "F", "ODP:9/10"])
@pytest.mark.parametrize("privacy", [{"alpha": "10/11"}, {"epsilon": 0.5}, {"alpha": 1}])
def test_the_line_of_code_makes_the_recommended_mechanism(asked, privacy):
    r = recommend(n=4, **privacy, properties=asked)
    made = eval(r.code, {"dc": dc})
    assert made == r.mechanism
    assert made.epsilon == r.mechanism.epsilon == dc.geometric(n=4, **privacy).epsilon


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": -1, "alpha": "1/2"}, "must be at least 0"),
        ({"n": 2}, "must be given: e.g."),
        ({"n": 2, "alpha": "1/2", "properties": "MC"}, "did you mean CM"),
        (
            {"n": 1000, "alpha": "9/10", "properties": "ODP:9/10"},
            "at most 512 to write the matrix out",
        ),
        ({"n": 10**10, "alpha": "1/2"}, "at most"),
    ],
)
def test_errors_say_what_to_do(arguments, message):
    with pytest.raises(InvalidInput, match=message):
        recommend(**arguments)


@pytest.mark.parametrize(
    ("epsilon", "asked", "chosen"),
    [
        ("1/5", "CM", "RM CM S"),
        ("1/4", "CM", "CM"),
        ("1/4", "CH", "CH"),
        ("1/2", "CM", "CM"),
        ("1/4", "RM CM", "RM CM"),
    ],
)
def test_of_two_with_one_l0_the_better_total_is_recommended(epsilon, asked, chosen):
    """The optimum with a column property is not unique: both are priced, and what was asked for wins a tie."""
    r = recommend(n=8, epsilon=epsilon, properties=asked)
    alone, bundle = (
        dc.design(n=8, epsilon=epsilon, properties=shape) for shape in (asked, "RM CM S")
    )
    assert alone.score("L0") == bundle.score("L0") == r.mechanism.score("L0")
    assert (
        r.mechanism
        == dc.design(n=8, epsilon=epsilon, properties=chosen)
        == eval(r.code, {"dc": dc})
    )
    assert f'properties="{chosen}"' in r.code and r.box == "WH+CM", "the paper's box is the same"
    errors = [total_error(m) for m in (alone, bundle)]
    assert total_error(r.mechanism) == min(error for error in errors if error is not None)
    (row,) = (cost for cost in r.costs if cost.recommended)
    assert row.total == total_error(r.mechanism) and row.rmse == pytest.approx(
        float(r.mechanism.score("L2")) ** 0.5
    )
    priced = {cost.wish: cost for cost in r.costs}
    if alone != bundle:
        assert priced[asked].total == errors[0] and priced["RM CM S"].total == errors[1]
        assert priced[asked].l0 == priced["RM CM S"].l0
    else:
        assert (
            row.wish == ("RM CM S" if asked == "RM CM" else "CH or CM") and row.total == errors[0]
        )


@pytest.mark.parametrize("n", [2, 5, 8, 12])
@pytest.mark.parametrize(
    "epsilon", ["1/20", "1/5", "6/25", "1/4", "3/10", "1/2", "17/25", "7/10", "1"]
)
def test_the_advice_for_single_numbers_is_one_and_has_a_total(n, epsilon):
    """A recommendation, a plan and the studio name the same properties, whose row in the table has a total."""
    r = recommend(n=n, epsilon=epsilon)
    codes = for_single_numbers(r.privacy)
    with laid_out(command_line=True):
        said = " ".join(brief_text(r).split())
    assert ("ask for noise by which" in said) == bool(codes)
    people = pa.table({"clinic": [k % 9 for k in range(9 * n)], "ill": [False] * 9 * n})
    text = dc.plan(people, by="clinic", count="ill", epsilon=epsilon).text(details=True)
    assert re.findall(r"`properties='(.*)'`", " ".join(text.split())) == ([codes] if codes else [])
    assert " ".join(advised_instead(dc.fair(n=n, epsilon=epsilon))) == codes
    if codes:
        assert f"(-p {shlex.quote(codes)})." in said
        alike = dc.design(n=n, epsilon=epsilon, properties="CM") == dc.design(
            n=n, epsilon=epsilon, properties=codes
        )
        shown = "CM" if alike else codes  # of two wishes that one mechanism grants, the simplest
        (row,) = [
            line.split()
            for line in brief_text(r).splitlines()
            if f"({shown})" in line and "%" in line
        ]
        assert row[-1] not in ("none", "-"), "an estimate of a total"


@pytest.mark.parametrize(
    ("epsilon", "asked"), [("1/4", ""), ("1/4", "CM"), ("1/2", "F"), ("1/5", "RM CM")]
)
def test_the_first_lines_say_what_a_plan_says(epsilon, asked):
    """The margin of a total of 100 groups is the plan's, and so is the typical error of one number."""
    people = pa.table({"clinic": [k % 100 for k in range(800)], "ill": [False] * 800})
    planned = dc.plan(people, by="clinic", count="ill", epsilon=epsilon, properties=asked)
    r = recommend(n=8, epsilon=epsilon, properties=asked)
    (row,) = (cost for cost in r.costs if cost.recommended)
    assert row.margin == pytest.approx(planned.totals[0].width / 2)
    said = " ".join(str(r).partition("asked for")[0].split())
    assert f"off by at most {row.margin:.3g} in 95% of draws" in said
    assert f"typically off by {planned.lines[0].rmse:.2f}," in said
    assert ('(properties="CM")' in said) == (not asked)


def test_nothing_is_advised_where_the_usual_method_has_it():
    for settings in (
        {"n": 8, "epsilon": "0.7"},
        {"n": 1, "epsilon": "0.1"},
        {"n": 0, "epsilon": 1},
        {"n": 5, "alpha": 1},
    ):
        assert "ask for" not in str(recommend(**settings)).partition("asked for")[0]


@pytest.mark.parametrize(
    ("n", "properties"), [(3, "CH"), (8, "WH CM"), (61, "CM RM S"), (300, "CH"), (10**6, "WH CM")]
)
def test_honest_columns_are_recommended_by_theorem_where_there_is_one(n, properties):
    r = dc.recommend(n=n, alpha="3/5", properties=properties)
    assert (r.box, r.proof) == (
        "WH+CM",
        "optimal among column-honest mechanisms (closed form, proven)",
    )
    assert r.mechanism == dc.design(n=n, alpha="3/5", properties="CM")
    assert "linear program" not in str(r)
    assert r.code.startswith("dc.design(")
    priced = {cost.wish: cost for cost in dc.recommend(n=n, alpha="3/5").costs}
    assert n > 200 or priced["CH or CM"].l0 == r.mechanism.score("L0")


def test_what_a_wish_costs_a_total_is_said_too():
    r = recommend(n=8, epsilon=1, properties="F")
    price = {cost.wish: cost for cost in r.costs}
    assert (
        price["no properties"].total
        == total_error(dc.geometric(n=8, epsilon=1))
        == price["WH"].total
    )
    assert price["WH"].total_over == 0, "GM is weakly honest here"
    assert price["F"].total_over == pytest.approx(
        total_error(dc.fair(n=8, epsilon=1)) / price["WH"].total - 1
    )
    assert price["blind guess"].total is None and price["blind guess"].total_over is None
    rows = [
        line
        for line in str(r).splitlines()
        if line.startswith(("  a blind guess", "* fairness (F): EM"))
    ]
    assert rows[0].split()[-2:] == ["1.63", "±52.5"] and rows[1].split()[-1] == "none"
    assert r.to_dict()["costs"][3]["total_of_100"] == price["F"].total
    assert max(map(len, str(recommend(n=8, epsilon=50)).splitlines())) <= 80, (
        "a huge rise is a factor"
    )
