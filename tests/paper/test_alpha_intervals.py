"""C(a) on whole intervals of alpha: proven by polynomials, and the same as at single alphas."""

from fractions import Fraction
from itertools import pairwise

import pytest
from flint import fmpq, fmpq_poly

import discreet as dc
from discreet.errors import NotProven
from discreet.paper.beyond.alpha_intervals import INTERVALS, Ratio, prove, roots_within
from discreet.paper.beyond.boundary import constant


def ends(interval):
    return tuple(map(Fraction, interval))


def test_c_is_proven_on_whole_intervals():
    for interval in INTERVALS[:5]:
        low, high = ends(interval)
        size, excess = prove(low, high)
        for a in (low, (3 * low + high) / 4, high):
            found = dc.best_cost(n=size + 7, alpha=a, properties="WH CM")
            assert found.cost == 2 * a / (1 + a) + excess.at(a) / (size + 7)


def test_the_intervals_leave_out_less_than_a_ten_thousandth_up_to_nine_tenths():
    pairs = [ends(interval) for interval in INTERVALS]
    gaps = [after[0] - before[1] for before, after in pairwise(pairs)]
    assert all(0 <= gap <= Fraction(1, 10**6) for gap in gaps) and all(
        low < high for low, high in pairs
    )
    assert pairs[0][0] == Fraction(1, 2) and pairs[-1][1] > Fraction(9, 10)


def test_an_interval_across_a_change_of_the_basis_is_not_proven():
    with pytest.raises(NotProven):
        prove(Fraction(69, 100), Fraction(70, 100))


@pytest.mark.slow
def test_every_interval_is_proven():
    for interval in INTERVALS:
        low, high = ends(interval)
        middle = (low + high) / 2
        size, excess = prove(low, high)
        least = dc.best_cost(n=size, alpha=middle, properties="WH CM").cost
        assert least == 2 * middle / (1 + middle) + excess.at(middle) / size
        assert high > Fraction("0.83") or excess.at(middle) == constant(middle)


def test_the_family_of_forms_misses_what_a_grid_had_not_met():
    low, high = Fraction("0.87025"), Fraction("0.870952")
    assert prove(low, high)[1].at((low + high) / 2) < constant((low + high) / 2)


def test_signs_on_an_interval_are_decided_exactly():
    x = Ratio(fmpq_poly([0, 1]), fmpq_poly([1]))
    zero, one = Fraction(0), Fraction(1)
    assert (x * x - x + 1).never_negative(zero, one)
    assert (x * (1 - x)).never_negative(zero, one), "roots at the ends do no harm"
    assert not (x * x - x + Ratio.of(fmpq(1, 5))).never_negative(zero, one)
    assert not (1 / (x - Ratio.of(fmpq(1, 2)))).never_negative(zero, one), "a pole inside"
    assert not (x - 1).never_negative(zero, one)
    assert (x - x).never_negative(zero, one)
    double = fmpq_poly([1, -2, 1]) * fmpq_poly([0, 1])  # x (x-1)^2
    assert roots_within(double, fmpq(-1), fmpq(2)) == 2
    assert roots_within(double, fmpq(0), fmpq(1)) == 1
