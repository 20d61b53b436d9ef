"""Histograms cell by cell: their exact error, and a bound that no joint mechanism beats."""

from fractions import Fraction

import pytest

import discreet as dc
from discreet.core.histogram import Histogram
from discreet.errors import InvalidInput


@pytest.mark.parametrize(("n", "k", "epsilon"), [(4, 3, 1), (6, 3, 2), (3, 4, "1/2")])
def test_the_error_is_exact_and_the_bound_holds(n, k, epsilon):
    found = dc.cells(n=n, categories=k, epsilon=epsilon)
    points = Histogram(n, k).points
    error = {j: sum(abs(i - j) * x for i, x in enumerate(found.mechanism.column(j))) for j in range(n + 1)}
    mean = sum((error[count] for point in points for count in point), Fraction(0)) / (2 * len(points))
    assert found.misplaced == mean
    best = dc.design(n=n, categories=k, epsilon=epsilon, loss="L1", cache=False).score("L1")
    assert found.bound <= best <= found.misplaced


def test_each_cell_is_at_half_of_epsilon():
    found = dc.cells(n=30, categories=4, epsilon=1)
    assert found.mechanism.epsilon == Fraction(1, 2)
    assert "cell by cell" in str(found)


@pytest.mark.parametrize("asked", [{"categories": 2}, {"categories": ["a", "a", "b"]}, {"n": 0}, {"epsilon": -1}])
def test_bad_input(asked):
    with pytest.raises(InvalidInput):
        dc.cells(**{"n": 4, "categories": 3, "epsilon": 1, **asked})
