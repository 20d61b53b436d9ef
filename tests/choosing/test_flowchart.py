"""The flowchart ends in a mechanism that has what was asked, and its thresholds are exact on both sides."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.amounts import tries

import discreet as dc
from discreet.choosing.census import all_subsets
from discreet.choosing.flowchart import honest_from, walk
from discreet.core.properties import Shape, closure, read_shape

CLOSED = {"GM": dc.geometric, "WM": dc.weakly_honest, "EM": dc.fair}


@given(
    n=st.integers(0, 9),
    alpha=st.fractions(min_value=Fraction(1, 20), max_value=Fraction(39, 40), max_denominator=40),
    asked=st.sampled_from(all_subsets()),
)
def test_the_mechanism_at_the_end_has_what_was_asked(n, alpha, asked):
    box, steps = walk(n, alpha, asked)
    assert steps
    if box == "WH+CM":
        # the only end that is solved for: someone asked for a column property, not for fairness, and GM lacks it
        assert "CH" in closure(asked) and "F" not in asked and alpha > Fraction(1, 2) and n >= 2
        assert not dc.geometric(n=n, alpha=alpha).satisfies("CH")
    else:
        assert CLOSED[box](n=n, alpha=alpha).satisfies(asked)


@given(
    n=st.integers(2, 9), alpha=st.fractions(Fraction(1, 20), Fraction(39, 40), max_denominator=40)
)
@settings(max_examples=tries(30))
def test_a_dearer_box_is_never_named_where_a_cheaper_one_would_do(n, alpha):
    for asked in all_subsets():
        box, _ = walk(n, alpha, asked)
        if box != "GM":
            assert not dc.geometric(n=n, alpha=alpha).satisfies(asked)


@pytest.mark.parametrize(("alpha", "threshold"), [("10/11", 20), ("2/3", 4), ("99/100", 198)])
def test_weak_honesty_s_threshold_from_each_side(alpha, threshold):
    a = Fraction(alpha)
    assert honest_from(a) == threshold
    assert walk(threshold - 1, a, read_shape("WH"))[0] == "WM"
    assert walk(threshold, a, read_shape("WH"))[0] == "GM"
    just_above = a + Fraction(1, 10**9)
    assert walk(threshold, just_above, read_shape("WH"))[0] == "WM"


def test_one_half_from_each_side():
    assert walk(5, Fraction(1, 2), read_shape("CM"))[0] == "GM"
    assert walk(5, Fraction(1, 2) + Fraction(1, 10**9), read_shape("CM"))[0] == "WH+CM"
    assert walk(5, Fraction(1, 2), read_shape("F"))[0] == "EM"


def test_the_exceptions_the_paper_leaves_out():
    everything = Shape(names=frozenset(dc.PROPERTIES))
    assert walk(0, Fraction(9, 10), everything)[0] == "GM"
    assert walk(1, Fraction(9, 10), everything)[0] == "GM"
    assert dc.geometric(n=1, alpha="9/10").satisfies(everything)
    assert walk(3, Fraction(1), everything)[0] == "UM"


def test_steps_give_their_numbers():
    _, steps = walk(8, Fraction(10, 11), read_shape("WH"))
    assert [(s.question, s.answer) for s in steps] == [
        ("Is epsilon >= 0.693 (alpha <= 1/2)?", "no"),
        ("Do you want fairness?", "no"),
        ("Do you want a column property?", "no"),
        ("Is n >= 2a/(1-a)?", "no"),
        ("Do you want weak honesty?", "yes"),
    ]
    assert "8 < 20" in str(steps[3])
    assert "10/11 = 0.9091 > 1/2" in str(steps[0])
    _, steps = walk(7, Fraction(19, 25), read_shape(None))
    assert "7 >= 19/3 = 6.333" in str(steps[-1])
