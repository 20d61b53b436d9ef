"""What the best mechanism costs at any size: against the designer, the formulas, and at 10,000 people."""

from fractions import Fraction

import pytest

import discreet as dc
from discreet.designer.large import any_size
from discreet.designer.large.any_size import column_honest_cost, largest_trace, level_ends
from discreet.errors import InvalidInput
from discreet.paper.beyond.boundary import constant

SHAPES = ("", "WH", "RM S", "F", "F CM", "CH", "WH CM", "RM CM S")


def test_it_is_what_the_designer_finds():
    for n in (0, 1, 2, 3, 7):
        for alpha in ("1/3", "3/5", "10/11", "1"):
            for shape in SHAPES:
                found = dc.best_cost(n=n, alpha=alpha, properties=shape)
                designed = dc.design(n=n, alpha=alpha, properties=shape)
                assert found.cost == found.bound == designed.score("L0"), (n, alpha, shape)


def test_ten_thousand_people_are_proven_exactly():
    for alpha in ("2/3", "7/10", "3/4", "4/5"):
        a = Fraction(alpha)
        excess = constant(a)
        for n in (1_000, 10_000):
            found = dc.best_cost(n=n, alpha=alpha, properties="WH CM")
            assert found.optimal and found.gap == 0
            assert found.cost == 2 * a / (1 + a) + excess / n


def test_close_to_one_the_ends_meet_and_the_trace_bound_is_the_answer():
    n, a = 1_000, Fraction(99999, 100000)
    found = dc.best_cost(n=n, alpha=a, properties="CM")
    assert found.optimal and "trace" in found.method
    assert found.cost == 1 + (1 - largest_trace(n, a)) / n
    assert dc.best_cost(n=n, alpha=a, properties="F").cost > found.cost
    assert dc.best_cost(n=10_000, alpha=a, properties="CM").optimal


def test_the_trace_bound_is_the_programs_optimum_just_as_long_as_both_ends_are_level():
    from discreet.designer.large.symmetric_program import optimum

    for alpha in ("3/5", "2/3", "3/4", "9/10", "10/11", "19/20"):
        a = Fraction(alpha)
        k = a // (1 - a)
        for n in (2 * k - 1, 2 * k, 2 * k + 1, 2 * k + 2):
            point, _ = optimum(n, a)
            cost = 1 + (1 - largest_trace(n, a)) / n
            assert (point.cost == cost) == (n <= 2 * k + 1), (alpha, n)


def test_level_ends_are_a_mechanism_of_any_size_near_the_best():
    for alpha in ("3/5", "7/10", "3/4", "9/10", "99/100"):
        a = Fraction(alpha)
        k = a // (1 - a)
        assert 2 * a / (1 + a) + level_ends(a) / (2 * k + 1) == 1 + (
            1 - largest_trace(2 * k + 1, a)
        ) / (2 * k + 1)
        excess = 400 * (column_honest_cost(400, a)[0] - 2 * a / (1 + a))
        assert 0 <= level_ends(a) - excess < Fraction(1, 200)


def test_where_the_program_is_too_large_cost_and_bound_are_both_stated(monkeypatch):
    exact = dc.best_cost(n=500, alpha="10/11", properties="WH CM")
    monkeypatch.setattr(any_size, "LARGEST", 10)
    found = dc.best_cost(n=500, alpha="10/11", properties="WH CM")
    assert found.bound < exact.cost < found.cost and not found.optimal
    assert 0 < found.gap < Fraction(1, 1000)
    assert "no less than" in str(found) and found.to_dict()["gap"] == found.gap


def test_shapes_whose_least_cost_is_not_known_are_refused():
    for shape in ("ODP:9/10", "CM ODP:99/100"):
        with pytest.raises(InvalidInput, match="whose least cost is known"):
            dc.best_cost(n=1_000, alpha="10/11", properties=shape)


def test_a_billion_people_are_answered_or_refused_at_once():
    huge = 10**9
    a = Fraction(3, 4)
    found = dc.best_cost(n=huge, alpha=a, properties="CM")
    assert not found.optimal and 0 < found.cost - found.bound < Fraction(1, huge)
    assert found.bound == 2 * a / (1 + a)
    assert dc.best_cost(n=huge, alpha="3/5", properties="CM").optimal
    for alpha, shape in (
        ("9/10", "F"),
        ("0.9999999999", "WH"),
        ("0.9999999999", "CM"),
        ("0.99999999", "CM"),
    ):
        with pytest.raises(InvalidInput, match="binary digits"):
            dc.best_cost(n=huge, alpha=alpha, properties=shape)
    assert dc.best_cost(n=20_000, alpha="9/10", properties="F").optimal
