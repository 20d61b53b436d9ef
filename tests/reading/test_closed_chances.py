"""Accuracy of closed forms without a matrix: equal to the matrix read entry by entry, and there for groups of any size."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.amounts import tries

from discreet.core.forms import ColumnHonest, Fair, Geometric, Uniform, WeaklyHonest
from discreet.core.forms.column_honest import column_honest_exists
from discreet.core.named import fair, geometric
from discreet.reading.accuracy import accuracy, expected
from discreet.reading.methods.closed_chances import ClosedChances, power_below
from discreet.reading.methods.expected_errors import moments_at
from discreet.reading.methods.matrix_chances import MatrixChances

KINDS = [Geometric, Fair, WeaklyHonest, Uniform, ColumnHonest]
ALPHAS = [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10), Fraction(999, 1000)]
IN_BETWEEN = [Fraction(501, 1000), Fraction(3, 5), Fraction(2, 3)]
"""Where there is a column-honest closed form."""


def form_of(kind, n, alpha):
    """The form, or None where there is none."""
    if kind is WeaklyHonest and not 2 <= n < 2 * alpha / (1 - alpha):
        return None
    if kind is ColumnHonest and not column_honest_exists(n, alpha):
        return None
    return Uniform(n) if kind is Uniform else kind(n, alpha)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 9])
def test_chances_moments_and_margins_are_those_of_the_matrix(kind, n):
    for alpha in IN_BETWEEN if kind is ColumnHonest else ALPHAS:
        form = form_of(kind, n, alpha)
        if form is None:
            continue
        closed, matrix = ClosedChances(form=form), MatrixChances(form)
        errors = [[abs(i - j) for i in range(n + 1)] for j in range(n + 1)]
        columns = [[form.entry(i, j) for i in range(n + 1)] for j in range(n + 1)]
        for d in range(n + 1):
            assert closed.worst(d) == matrix.worst(d)
            assert closed.average(d) == matrix.average(d)
            assert all(closed.at(j, d) == matrix.at(j, d) for j in range(n + 1))
        for level in (Fraction(1, 5), Fraction(1, 2), Fraction(95, 100)):
            found = expected(kind, alpha, [n], confidence=level)
            assert found.margin[0] == next(d for d in range(n + 1) if matrix.worst(d) >= level)
        pairs = [
            (p, e)
            for column, row in zip(columns, errors, strict=True)
            for p, e in zip(column, row, strict=True)
        ]
        assert found.truth[0] == pytest.approx(
            float(sum(columns[j][j] for j in range(n + 1)) / (n + 1)), rel=1e-12
        )
        assert found.error[0] == pytest.approx(
            float(sum(p * e for p, e in pairs) / (n + 1)), rel=1e-11
        )
        assert found.rmse[0] == pytest.approx(
            sqrt(sum(p * e * e for p, e in pairs) / (n + 1)), rel=1e-11
        )
        for j, column in enumerate(columns):
            bias, square = moments_at(form, j)
            assert bias == pytest.approx(
                float(sum(p * (i - j) for i, p in enumerate(column))), abs=1e-10
            )
            assert square == pytest.approx(
                float(sum(p * (i - j) ** 2 for i, p in enumerate(column))), rel=1e-10
            )


@pytest.mark.parametrize("kind", [Geometric, Fair, WeaklyHonest, ColumnHonest])
def test_large_groups_are_rounded_down_by_a_hair(kind):
    form = kind(130, Fraction(3, 5) if kind is ColumnHonest else Fraction(99, 100))
    closed = ClosedChances(form=form)
    for j, d in ((0, 40), (3, 9), (3, 2), (0, 0), (65, 65), (130, 129)):
        exact = sum(
            (form.entry(i, j) for i in range(max(j - d, 0), min(j + d, 130) + 1)), Fraction(0)
        )
        assert 0 <= exact - closed.at(j, d) < Fraction(1, 2**150)


@settings(max_examples=tries(40))
@given(alpha=st.fractions(Fraction(1, 50), 1, max_denominator=60), k=st.integers(0, 300))
def test_powers_are_rounded_down_by_a_hair(alpha, k):
    assert 0 <= alpha**k - power_below(alpha, k, 100) < Fraction(1, 2**100)


@pytest.mark.parametrize("kind", [Geometric, Fair, ColumnHonest])
def test_the_sums_to_infinity_continue_the_running_ones(kind):
    """Where a float no longer sees the next term, averages are c + e/(n+1): a line in 1/(n+1) before and after."""
    sizes = np.array([1200, 1300, 1400, 10**6, 10**9])
    found = expected(kind, "2/3" if kind is ColumnHonest else "9/10", sizes)
    for values in (found.truth, found.error, found.rmse**2):
        slope = np.diff(values) / np.diff(1 / (sizes + 1))
        assert np.allclose(slope, slope[0], rtol=1e-6)


def test_a_nation_is_a_group():
    found = expected(Geometric, "1/2", [10**9])
    assert (found.truth[0], found.margin[0]) == (pytest.approx(1 / 3), 4)
    for m, margin in ((geometric(n=10**7, epsilon=1), 3), (fair(n=10**7, epsilon=1), 5)):
        a = accuracy(m, groups=1000)
        assert (a.margin, len(a.rows)) == (margin, 14)
        assert a.rows[0].count == 0
        assert a.rows[-1].count == m.n
        assert a.rmse == pytest.approx(expected(type(m.form), m.alpha, [m.n]).rmse[0])
        assert a.within(margin) >= a.within(margin, worst_case=True) >= Fraction(95, 100)
        assert max(map(len, str(a).splitlines())) <= 80
    assert expected(Fair, "1/2", [0]).rmse[0] == 0
