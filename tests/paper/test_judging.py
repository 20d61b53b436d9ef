"""One standard for every sentence of the paper, and the range over all optima that it rests on."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.designer import design
from discreet.paper.contestants import EM, GM, WM, WM_COLUMNS, WM_WIDEST, named
from discreet.paper.judging import (
    CLOSE,
    STANDARD,
    Held,
    Range,
    below,
    between,
    count,
    judge,
    not_above,
    verdict,
)
from discreet.paper.optima import beyond, over_optima, squares
from discreet.paper.simulation import binomial_weights, expected_beyond, expected_square


@pytest.mark.parametrize(("needs", "least"), [("all", 10), ("most", 6), ("some", 1)])
def test_words_say_at_how_many_places_a_sentence_must_be_true(needs, least):
    found = [verdict([Held(least=k, most=k, of=10)], needs) for k in range(11)]
    assert found == ["differs"] * least + ["agrees"] * (11 - least)


def test_a_sentence_depends_where_optima_or_readings_disagree():
    sure, never, unsure = count([True]), count([False]), count([None])
    assert judge("", "", "", {"one": sure, "other": sure}).verdict == "agrees"
    assert judge("", "", "", {"one": sure, "other": never}).verdict == "depends"
    assert judge("", "", "", {"one": never, "other": never}).verdict == "differs"
    assert judge("", "", "", unsure).verdict == judge("", "", "", None).verdict == "depends"


@given(st.lists(st.floats(0, 1), min_size=2, max_size=2), st.floats(0, 1), st.floats(0, 1))
def test_a_range_is_judged_as_every_value_in_it_is(ends, one, other):
    span = Range(min(ends), max(ends))
    for judged in (
        lambda value: below(value, one),
        lambda value: not_above(value, one),
        lambda v: between(v, one, other),
    ):
        single = {judged(value) for value in np.linspace(*span, 7)}
        assert judged(span) is None or single == {judged(span)}


def test_the_standard_says_what_is_close():
    assert any(f"{CLOSE:g} apart" in words for words in STANDARD)


@pytest.mark.parametrize("n", [2, 4, 8])
@pytest.mark.parametrize("alpha", [Fraction(91, 100), Fraction(67, 100)])
def test_the_range_over_optima_is_that_of_exact_designs(n, alpha):
    """The least and the largest L2 of an L0 optimum are found by certified designs too, with a heavy price on L0."""
    weights = np.full(n + 1, 1 / (n + 1))
    found = over_optima(WM_COLUMNS, n, alpha, squares(weights))
    narrow, wide = (named(name, n, alpha) for name in (WM_COLUMNS, WM_WIDEST))
    assert found.low == pytest.approx(expected_square(narrow, weights), abs=1e-7)
    assert found.high == pytest.approx(expected_square(wide, weights), abs=1e-7)


def test_the_range_for_a_lopsided_input_is_that_of_an_exact_design():
    n, alpha, d = 6, Fraction(4, 5), 1
    prior = [
        Fraction(7, 16),
        Fraction(1, 4),
        Fraction(1, 8),
        Fraction(1, 16),
        Fraction(1, 16),
        Fraction(1, 32),
        Fraction(1, 32),
    ]
    heavy = [
        [(i != j) * 10**6 + (abs(i - j) > d) * prior[j] for j in range(n + 1)] for i in range(n + 1)
    ]
    m = design(n=n, alpha=alpha, properties="WH RM CM", loss=heavy)
    assert m.score("L0") == named(WM_COLUMNS, n, alpha).score("L0")
    weights = np.array([float(w) for w in prior])
    found = over_optima(WM_COLUMNS, n, alpha, beyond(weights, d))
    assert found.low == pytest.approx(expected_beyond(m, weights, d), abs=1e-7)
    assert found.high > found.low + 1e-3


def test_under_weak_honesty_alone_gm_is_the_only_optimum_from_its_threshold_on():
    weights = binomial_weights(8, 0.1)
    for alpha, unique in ((Fraction(4, 5), True), (Fraction(91, 100), False)):
        found = over_optima(WM, 8, alpha, squares(weights))
        assert (found.high - found.low < 1e-6) == unique
        for name in (WM, GM) if unique else (WM,):
            assert (
                found.low - 1e-7
                <= expected_square(named(name, 8, alpha), weights)
                <= found.high + 1e-7
            )
    assert expected_square(named(EM, 8, Fraction(4, 5)), weights) > found.low


def test_optima_need_not_be_symmetric_nor_under_weak_honesty_alone_row_monotone():
    """What the designer returns has S and RM, which come at no cost; the paper's words leave others."""
    n, alpha = 8, Fraction(91, 100)
    lopsided = squares(binomial_weights(n, 0.1)) - squares(binomial_weights(n, 0.9))
    outward = np.zeros((n + 1, n + 1))
    outward[0, 6], outward[0, 7] = 1, -1
    for name in (WM, WM_COLUMNS):
        found = over_optima(name, n, alpha, lopsided)
        assert found.low < -1e-3 and found.high > 1e-3
    assert over_optima(WM, n, alpha, outward).low < -1e-3
    assert over_optima(WM_COLUMNS, n, alpha, outward).low > -1e-7
