"""Histograms are drawn with exactly the chances of their mechanism, whatever order their answers stand in."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import discreet as dc
from discreet.core.forms import Folded
from discreet.errors import InvalidData
from discreet.sampler.point_tables import PointTable, draw_points
from discreet.sampler.words import predictable_words_for_tests_only_NOT_PRIVATE as predictable

LOPSIDED = {"prior": "Multinomial(1/2, 1/4, 1/4)"}


class Digits:
    """A source whose words are given; further words are always 0."""

    private, taken = True, 0

    def __init__(self, words):
        self.words = np.array(words, dtype=np.uint64)

    def take(self, count):
        return self.words[:count]

    def more(self, position, attempt):
        return 0


def chances(mechanism, truth):
    """The chance of each output, from the words at which the drawn output changes."""
    form, domain = mechanism.form, mechanism.domain
    table = PointTable(form)
    numerators, denominator = form.column(domain.number(tuple(sorted(truth))))
    ends = np.cumsum([0, *numerators])
    # a word inside each of the ordered column's intervals: every output that has a chance is drawn once
    words = [((a + b) << 64) // (2 * denominator) for a, b in pairwise(ends) if a < b]
    truths = np.array([truth] * len(words))
    drawn = draw_points((table,), np.zeros(len(words), dtype=np.intp), truths, Digits(words))
    weights = [b - a for a, b in pairwise(ends) if a < b]
    return {
        tuple(o): Fraction(int(w), denominator)
        for o, w in zip(drawn.tolist(), weights, strict=True)
    }


@pytest.mark.parametrize("loss", ["L0", "L1"])
def test_every_output_has_its_chance_for_every_order_of_the_answers(loss):
    m = dc.design(n=4, categories=3, epsilon=1, loss=loss)
    for truth in m.domain.points:
        expected = {o: c for o, c in zip(m.domain.points, m.column(truth), strict=True) if c}
        assert chances(m, truth) == expected


@pytest.mark.parametrize("asked", [{}, LOPSIDED], ids=["alike", "lopsided"])
def test_a_word_gives_the_output_of_its_place_in_the_distribution(asked):
    """The words of a uniform grid: each output comes as often as its chance says, to one in the grid."""
    m = dc.design(n=3, categories=3, epsilon=1, loss="L1", **asked)
    assert isinstance(m.form, Folded)
    table, grid = PointTable(m.form), 4096
    words = [(2 * k + 1) << 51 for k in range(grid)]
    for truth in m.domain.points:
        truths = np.array([truth] * grid)
        drawn = draw_points((table,), np.zeros(grid, dtype=np.intp), truths, Digits(words))
        found, times = np.unique(drawn, axis=0, return_counts=True)
        assert (drawn.sum(axis=1) == 3).all()
        for point, often in zip(found.tolist(), times.tolist(), strict=True):
            assert abs(often - grid * m[tuple(point), truth]) <= 1


def test_ties_are_settled_exactly():
    """A word that is the start of a threshold: further words 0 lie below what is left of it, or at an end of none."""
    m = dc.design(n=2, categories=3, epsilon=1)
    domain, truth = m.domain, (0, 1, 1)
    numerators, denominator = m.form.column(domain.number(truth))
    ends = np.cumsum(numerators)[:-1].tolist()
    words = [(end << 64) // denominator for end in ends]
    drawn = draw_points(
        (PointTable(m.form),),
        np.zeros(len(words), dtype=np.intp),
        np.array([truth] * len(words)),
        Digits(words),
    )
    for place, (end, output) in enumerate(zip(ends, drawn.tolist(), strict=True)):
        exact = (
            end << 64
        ) % denominator == 0  # then the point u = word / 2^64 is the end itself, and not below it
        assert domain.number(tuple(output)) == place + exact


def test_mixed_sizes_take_one_word_each_in_order():
    small, large = (dc.design(n=n, categories=3, epsilon=1) for n in (1, 4))
    tables, truths = (
        (PointTable(small.form), PointTable(large.form)),
        np.array([[0, 0, 1], [4, 0, 0], [0, 1, 0], [1, 1, 2]]),
    )
    which = np.array([0, 1, 0, 1])
    together = draw_points(tables, which, truths, predictable(5))
    words = predictable(5).take(4)
    alone = [
        draw_points(
            (tables[w],), np.zeros(1, dtype=np.intp), truths[k : k + 1], Digits(words[k : k + 1])
        )
        for k, w in enumerate(which)
    ]
    assert together.tolist() == [one[0].tolist() for one in alone]
    assert together.sum(axis=1).tolist() == [1, 4, 1, 4]


@pytest.mark.parametrize("wrong", [[1, 1, 1], [-1, 2, 3], [5, -1, 0], [2**62, 2**62, 4]])
def test_what_is_no_histogram_is_refused_before_a_word_is_taken(wrong):
    source = predictable(1)
    with pytest.raises(InvalidData, match="row 2") as caught:
        draw_points(
            (PointTable(dc.design(n=4, categories=3, epsilon=1).form),),
            np.zeros(2, dtype=np.intp),
            np.array([[4, 0, 0], wrong]),
            source,
        )
    assert source.taken == 0 and str(wrong[0]) not in str(caught.value).replace(
        "row 2", ""
    ).replace("least 0", "").replace("= 4", "")
