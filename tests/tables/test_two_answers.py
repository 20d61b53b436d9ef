"""A question with two answers is the count of the first, in everything; only, a row that has neither is refused.

Epsilon 200 shows true counts (a draw differs from the truth with chance below 1e-80).
"""

import json
from fractions import Fraction

import pytest
from tests.conftest import require

require("tables")

import pyarrow as pa
from tests.tables.sources import EXACT

import discreet as dc
from discreet.errors import BudgetError, InvalidData, InvalidInput
from discreet.ledger import open_ledger
from discreet.reporting.plain_words import _question

PEOPLE = pa.table(
    {
        "region": ["N"] * 5 + ["S"] * 20,
        "clinic": ["a"] * 3 + ["b"] * 2 + ["c"] * 20,
        "smoker": ["yes", "no", "yes", "no", "no", *["yes", "no"] * 10],
        "person": list(range(25)),
    }
)
TWO, BIT = {"smoker": ["yes", "no"]}, {"smoker_yes": "smoker = 'yes'"}

CAPABILITIES = {
    "a property": {"properties": "WH CM"},
    "a loss and a prior": {"loss": "L2", "prior": "Binomial(0.3)", "properties": "F"},
    "intervals": {"intervals": "0.95"},
    "levels": {"by": ["region", "clinic"], "levels": "rollup", "level_properties": {"region": "F"}},
    "whole numbers that add up": {
        "by": ["region", "clinic"],
        "levels": "rollup",
        "adding_up": True,
    },
    "small groups merged": {"smallest": 3},
    "several rows": {"unit": "person", "contributions": 2},
    "rows together": {"unit": "person", "contributions": 2, "together": True},
    "given keys": {"keys": ["a", "b", "c", "z"]},
}


@pytest.mark.parametrize("asked", CAPABILITIES.values(), ids=CAPABILITIES)
def test_it_is_asked_planned_and_released_as_the_count(asked):
    """The manifests say the same but for what was asked, the plans the same but for what is said of words."""
    found = {}
    for words, count in (("two", TWO), ("bit", BIT)):
        given = {"by": "clinic", "count": count, "epsilon": EXACT, **asked}
        made = dc.release(PEOPLE, **given)
        facts = json.loads(made.manifest.text)
        for name in ("release", "created", "question"):
            del facts[name]
        plan = dc.plan(PEOPLE, **given).to_dict()
        assert plan.pop("words") == ((("smoker", ("yes", "no"), True),) if words == "two" else ())
        assert plan.pop("predicates") == (
            () if words == "two" else (("smoker_yes", "smoker = 'yes'"),)
        )
        found[words] = (
            facts,
            plan,
            made.table.to_pylist(),
            made.table.schema,
            set(made.mechanisms),
        )
    assert found["two"] == found["bit"]


def test_its_numbers_are_read_as_those_of_the_count(tmp_path):
    made = dc.release(
        PEOPLE, by="clinic", count=TWO, epsilon=3, output=tmp_path / "out", format="csv"
    )
    assert (tmp_path / "out/table.csv").read_text().startswith("clinic,n,smoker_yes\n")
    e = dc.estimate(made)
    assert e.total.low <= e.total.value <= e.total.high
    assert dc.estimate(tmp_path / "out", count="smoker_yes").total == e.total
    assert e.quotable().columns and e.adding_up().total == sum(e.adding_up().table["smoker_yes"])
    report = dc.report(made)
    assert "smoker_yes: counted are those with “yes” in the column smoker." in _question(
        made.manifest.counts[0], "people"
    )
    assert "of 25 people answered “yes” to “smoker”" in report.html
    assert (
        "protected bits of one person" in made.manifest.guarantee
        and report.findings.counts[0].answers == ()
    )
    assert "epsilon = 3 for this count" in made.manifest.guarantee
    with pytest.raises(InvalidInput, match="did you mean smoker_yes"):
        dc.estimate(made, count="smoker")


def test_a_misspelt_word_is_refused_before_anything_is_spent(tmp_path):
    book = open_ledger(tmp_path / "b.db")
    book.open("d", budget=1)
    asked = {"by": "clinic", "epsilon": 1, "ledger": book, "dataset": "d"}
    for wrong, row in ((["Yes", "no"], 1), (["yes", "No"], 2)):
        with pytest.raises(
            InvalidData,
            match=rf"(?s)answers given \(row {row};.*only '{wrong[0]}' and '{wrong[1]}' are taken",
        ) as error:
            dc.release(PEOPLE, count={"smoker": wrong}, **asked)
        assert error.value.consequence == "Nothing was spent."
    assert book.remaining("d") == 1
    dc.release(PEOPLE, count=TWO, **asked)
    with pytest.raises(BudgetError):
        dc.release(PEOPLE, count=TWO, **asked)


def test_an_empty_one_is_refused_with_every_way_to_count_it():
    gaps = pa.table({"clinic": ["a"] * 3, "smoker": ["yes", None, "no"]})
    with pytest.raises(InvalidData, match=r"NULL\) \(row 2") as error:
        dc.release(gaps, by="clinic", count=TWO, epsilon=1)
    said = "count it as no with `nulls='0'` or as yes with `nulls='1'`, or apart with `count="
    assert said in str(error.value) and "'nulls': 'unsaid'" in str(error.value)

    def made(**asked):
        found = dc.release(gaps, by="clinic", epsilon=EXACT, **asked)
        return [tuple(row.values())[2:] for row in found.table.to_pylist()], found.manifest.counts[
            0
        ].definition

    assert made(count=TWO, nulls="0") == ([(1,)], "smoker = 'yes'; NULL is no")
    assert made(count=TWO, nulls=1) == ([(2,)], "smoker = 'yes'; NULL is yes")
    itself = {"smoker": {"answers": ["yes", "no"], "nulls": "no"}}
    assert made(count=itself, nulls="1") == ([(1,)], "smoker = 'yes'; NULL is no")
    apart = {"smoker": {"answers": ["yes", "no"], "nulls": "unsaid"}}
    assert made(count=apart)[0] == [(1, 1, 1)], "a third answer is a histogram"


def test_a_report_says_what_other_values_and_empty_ones_count_as():
    table = pa.table({"g": ["a"] * 4, "x": ["never", "ever", "", None]})
    both = {"answers": ["never"], "other": "ever", "nulls": "ever"}
    (facts,) = dc.release(table, by="g", count={"x": both}, epsilon=1).manifest.counts
    assert _question(facts, "people") == (
        "x_never: counted are those with “never” in the column x; any other value counts as “ever”; an empty one counts "
        "as “ever”."
    )


def test_shares_and_mechanisms_of_ones_own_are_by_the_name_of_the_question():
    asked = {"by": "clinic", "count": {**TWO, "old": "person > 12"}}
    made = dc.release(PEOPLE, **asked, epsilon=3, split={"smoker": 2, "old": 1})
    assert [(count.name, count.epsilon) for count in made.manifest.counts] == [
        ("smoker_yes", "2/1"),
        ("old", "1/1"),
    ]
    own = {"smoker": [dc.fair(n=n, epsilon=1) for n in (2, 3, 20)]}
    made = dc.release(PEOPLE, by="clinic", count=TWO, mechanism=own)
    assert made.mechanism(3) == dc.fair(n=3, epsilon=1) and made.manifest.epsilon == "1/1"
    with pytest.raises(InvalidInput, match="must pay for each draw of smoker_yes"):
        dc.release(PEOPLE, by="clinic", count=TWO, mechanism=own, epsilon=Fraction(1, 2))


def test_conditions_and_counts_that_are_given_are_two_answers_too():
    by_condition = {"q": {"old": "person > 12", "young": "person <= 12"}}
    made = dc.release(PEOPLE, by="clinic", count=by_condition, epsilon=EXACT)
    assert made.manifest.counts[0].definition == "person > 12" and made.table[
        "q_old"
    ].to_pylist() == [0, 0, 12]
    with pytest.raises(InvalidData, match="exactly one answer that holds"):
        dc.release(
            PEOPLE,
            by="clinic",
            count={"q": {"old": "person > 12", "young": "person < 12"}},
            epsilon=1,
        )
    given = pa.table({"k": ["a", "b"], "n": [3, 20], "low": [1, 5], "high": [2, 15]})
    sized = {
        "by": "k",
        "count": {"q": {"low": "low", "high": "high"}},
        "size": "n",
        "epsilon": EXACT,
    }
    made = dc.release(given, **sized, intervals="0.9")
    assert made.table["q_low"].to_pylist() == [1, 5] and made.manifest.counts[0].definition == "low"
    with pytest.raises(InvalidData, match=r"add up to its size \(row 2"):
        dc.release(given.set_column(3, "high", [[2, 14]]), **sized)


def test_with_private_sizes_absence_is_a_third_answer():
    answers = {"smoker": {"answers": ["yes", "no"], "other": "no", "nulls": "no"}}
    asked = {
        "unit": "person",
        "keys": ["a", "b", "c"],
        "other_keys": "drop",
        "excess": "drop",
        "cap": 4,
    }
    made = dc.release(PEOPLE, by="clinic", count=answers, epsilon=1, **asked)
    assert made.table.column_names == ["clinic", "smoker_yes", "smoker_no", "smoker_absent"]
