"""The matrix of a point: filled level, and when it is known to exist without being written out."""

from fractions import Fraction

import pytest
from flint import fmpq

from discreet.core.forms import dense_from
from discreet.core.mechanism import Mechanism
from discreet.core.rationals import read_alpha
from discreet.designer.large.filling import can_be_filled, fill, has_room, level
from discreet.designer.large.symmetric_program import Point, exact, optimum
from discreet.errors import NotProven

# where the condition of the lemma fails, on the left of the middle, on its right, and where both ends overlap
CROWDED = [(61, "957/1000"), (65, "239/250"), (79, "241/250")]


@pytest.mark.parametrize(
    ("n", "alpha"), [(2, "3/5"), (9, "3/4"), (10, "3/4"), (25, "19/20"), (40, "10/11")]
)
def test_the_filled_matrix_has_the_properties_and_attains_the_bound(n, alpha):
    point, multipliers = optimum(n, Fraction(alpha))
    assert has_room(point) and can_be_filled(point)
    filled = dense_from([[exact(x) for x in row] for row in fill(point)])
    m = Mechanism(privacy=read_alpha(alpha=alpha), form=filled)
    assert m.satisfies("WH RM CM S") and m.score("L0") == multipliers.bound


@pytest.mark.parametrize(("n", "alpha"), CROWDED)
def test_what_is_said_to_be_fillable_without_the_lemma_is(n, alpha):
    point, _ = optimum(n, Fraction(alpha))
    assert can_be_filled(point)
    assert len(fill(point)) == n + 1


def test_the_lemma_does_not_cover_every_optimum():
    assert not has_room(optimum(61, Fraction(957, 1000))[0])


def test_where_there_is_no_room_neither_says_so():
    # a point that keeps every row and costs too much: the program is a relaxation
    point = Point(fmpq(17, 20), [fmpq(10, 37), fmpq(17, 37), fmpq(3, 4)])
    assert point.cost == Fraction(146, 148)
    assert not can_be_filled(point)
    with pytest.raises(NotProven):
        fill(point)


def test_water_finds_its_level():
    low, high = (
        [Fraction(0), Fraction(1, 4), Fraction(1, 10)],
        [Fraction(1, 5), Fraction(1), Fraction(1, 2)],
    )
    for counts in ([1, 1, 1], [2, 1, 3]):
        least, most = (
            sum(c * x for c, x in zip(counts, ends, strict=True)) for ends in (low, high)
        )
        for part in (Fraction(0), Fraction(1, 3), Fraction(4, 5), Fraction(1)):
            total = least + part * (most - least)
            filled = level(low, high, total, counts)
            assert sum(c * x for c, x in zip(counts, filled, strict=True)) == total
            assert len({x for x, a, b in zip(filled, low, high, strict=True) if a < x < b}) <= 1
        with pytest.raises(NotProven):
            level(low, high, most + 1, counts)
