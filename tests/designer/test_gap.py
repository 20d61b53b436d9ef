"""A gap is honoured or refused, never dropped."""

import pytest

import discreet as dc
from discreet.errors import InvalidInput

CAP = dc.rows("cap", [({(0, 0): 1}, "<=", "1/2")])


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        ({"categories": 3}, "several answers"),
        ({"n": 40, "categories": 6}, "several answers"),  # drawn cell by cell
        ({"properties": ["WH", CAP]}, "rows of your own"),
        ({"properties": CAP}, "rows of your own"),
        ({"properties": "WH", "derivable": True}, "`derivable`"),
        ({"priors": [None, "Binomial(0.3)"], "regret": True}, "`regret`"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_gap_that_no_design_would_use_is_refused(asked, what):
    asked = {"n": 4, "epsilon": 1, "cache": False} | asked
    for gap in ("1/100", 0.5, 1):
        with pytest.raises(
            InvalidInput, match=f"`gap` is not for designs with {what}, which are optimal or fail"
        ):
            dc.design(**asked, gap=gap)
    dc.design(**asked, gap=0)


def test_many_designs_refuse_it_too():
    with pytest.raises(InvalidInput, match="`gap` is not for designs with rows of your own"):
        dc.design_many([2, 3], epsilon=1, properties=["WH", CAP], gap=0.01)
    dc.design_many([2, 3], epsilon=1, properties=["WH"], gap=0.01)


def test_two_answers_and_larger_steps_may_have_one():
    for asked in ({"categories": 2}, {"step": 2}):
        assert dc.design(n=4, epsilon=1, properties="CM", gap=0.01, cache=False, **asked).satisfies(
            "CM"
        )
