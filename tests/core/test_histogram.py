"""Histograms as a domain: points, distances, and how points and domains are read."""

from itertools import product

import pytest

from discreet.core.domains import Counts
from discreet.core.histogram import Histogram, misplaced, read_domain, read_point
from discreet.errors import InvalidInput


@pytest.mark.parametrize(("n", "k"), [(1, 2), (4, 3), (3, 5)])
def test_points_are_the_counts_that_add_up_to_n(n, k):
    domain = Histogram(n, k)
    expected = [point for point in product(range(n + 1), repeat=k) if sum(point) == n]
    assert list(domain.points) == expected
    assert domain.size == len(expected)
    assert [domain.number(point) for point in expected] == list(range(len(expected)))


def test_distance_is_half_of_l1():
    domain = Histogram(4, 3)
    for (i, a), (j, b) in product(enumerate(domain.points), repeat=2):
        assert (
            2 * domain.distance(i, j)
            == 2 * misplaced(a, b)
            == sum(abs(x - y) for x, y in zip(a, b, strict=True))
        )


def test_two_answers_are_the_counts_of_the_first():
    domain = Histogram(5, 2)
    assert [point[0] for point in domain.points] == list(range(6))
    assert all(
        domain.distance(i, j) == Counts(5).distance(i, j) for i in range(6) for j in range(6)
    )


def test_a_point_is_read_as_a_tuple_or_by_answer():
    domain = read_domain(8, ["never", "former", "current"])
    place = domain.number((4, 1, 3))
    assert read_point(domain, "x", (4, 1, 3)) == read_point(domain, "x", [4, 1, 3]) == place
    assert read_point(domain, "x", {"current": 3, "never": 4, "former": 1}) == place
    assert read_point(domain, "x", {"former": 8}) == domain.number((0, 8, 0))
    assert read_point(Histogram(8, 3), "x", {"2": 8}) == domain.number((0, 8, 0))


def test_names_do_not_make_another_domain():
    assert Histogram(8, 2, ("yes", "no")) == Histogram(8, 2)


@pytest.mark.parametrize(
    ("n", "categories", "step", "rule"),
    [
        (8, 1, None, "at least 2"),
        (8, ["a"], None, "2 to 64 answers"),
        (8, ["a", "b", "a"], None, "answer twice"),
        (8, ["a", ""], None, "names"),
        (8, "abc", None, "a list of names"),
        (8, {"a": 1, "b": 2}, None, "a list of names"),
        (8, 2.0, None, "whole number"),
        (0, 3, None, "at least 1"),
        (100, 9, None, "at most 20,000 histograms"),
        (8, 3, 2, "is for counts"),
        (8, None, 9, "at most 8"),
        (8, None, 0, "at least 1"),
    ],
)
def test_domains_that_cannot_be(n, categories, step, rule):
    with pytest.raises(InvalidInput, match=rule):
        read_domain(n, categories, step)


def test_plain_counts_stay_what_they_are():
    assert read_domain(8) is None
    assert read_domain(8, step=1) is None
    assert read_domain(8, step=3) == Counts(8, 3)


@pytest.mark.parametrize(
    "point", [(1, 2, 3), (8,), (9, -1, 0), (8, 0, True), 8, {"maybe": 8}, "800"]
)
def test_points_that_are_none(point):
    with pytest.raises(InvalidInput):
        read_point(Histogram(8, 3), "x", point)


def test_one_person_moves_a_stepped_count_by_up_to_the_step():
    up, down = Counts(5, step=3).steps
    assert set(up) == {(j, k) for j in range(6) for k in range(6) if 1 <= k - j <= 3}
    assert {(k, j) for j, k in up} == set(down)
    assert Counts(5, step=3).units == Counts(5).steps
