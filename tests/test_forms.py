import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import alphas, mechanisms, named

import discreet as dc
from discreet.errors import InvalidInput, NotPrivate
from discreet.forms import Dense, Fair, Geometric, Uniform, WeaklyHonest, canonical, check_private
from discreet.properties import PROPERTIES, check_dense


@given(named())
def test_what_a_form_knows_by_theorem_is_true_of_the_matrix(m):
    dense = m.form.dense()
    assert m.form.tight_alpha() == dense.tight_alpha()
    for name in PROPERTIES:
        assert m.form.known(name) in (None, check_dense(dense, name).holds)


@given(named(), st.sampled_from([3, 8, 64, 150]))
def test_cumulative_bounds_enclose_the_exact_sums(m, bits):
    for j in range(m.n + 1):
        lows, error = m.form.cumulative_bounds(j, bits)
        total = Fraction(0)
        for i, low in enumerate(lows):
            total += m[i, j]
            assert low <= total * 2**bits <= low + error
        assert error <= 8


@given(mechanisms())
def test_columns_entries_and_floats_agree(m):
    for j in range(m.n + 1):
        weights, denominator = m.form.column(j)
        assert [Fraction(w, denominator) for w in weights] == [m[i, j] for i in range(m.n + 1)]
    exact = np.array([[float(x) for x in row] for row in m.matrix])
    np.testing.assert_allclose(m.array, exact, rtol=1e-12, atol=1e-15)
    assert not m.array.flags.writeable


@given(named())
def test_a_written_out_closed_form_is_recognised(m):
    again = dc.from_matrix(m.matrix, alpha=m.alpha)
    assert again == m and hash(again) == hash(m) and again.id == m.id
    assert canonical(m.form.dense()) == m.form


def test_forms_that_are_one_matrix_are_one_form():
    a = Fraction(1, 3)
    assert canonical(Fair(1, a)) == canonical(Geometric(1, a)) == Geometric(1, a)
    assert canonical(Fair(4, Fraction(1))) == Uniform(4)
    assert canonical(Geometric(0, a)) == Uniform(0)


@pytest.mark.parametrize("build", [dc.geometric, dc.fair, dc.weakly_honest])
def test_large_groups_need_no_matrix(build):
    m = build(n=100_000, epsilon="0.00001")
    lows, error = m.form.cumulative_bounds(40_000, 64)
    assert len(lows) == 100_001 and error <= 8 and all(x <= y for x, y in itertools.pairwise(lows))
    assert abs(lows[-1] - 2**64) <= error
    assert m.satisfies("RM S") and len(m.id) == 64
    with pytest.raises(InvalidInput, match="at most 512"):
        m.form.dense()


@given(st.integers(65, 140), alphas)
def test_columns_beyond_the_written_out_size_still_sum_to_one(n, alpha):
    for form in (Geometric(n, alpha), Fair(n, alpha)):
        check_private(form, alpha)
        for j in (0, 1, n // 3, n):
            weights, denominator = form.column(j)
            assert sum(weights) == denominator


def test_weakly_honest_sits_exactly_on_the_floor():
    form = WeaklyHonest(9, Fraction(10, 11))
    assert {form.entry(i, i) for i in range(1, 9)} == {Fraction(1, 10)}


def test_a_large_form_does_not_promise_more_than_it_has():
    with pytest.raises(NotPrivate):
        check_private(Geometric(200, Fraction(1, 2)), Fraction(2, 3))


def test_ragged_rows_are_not_a_matrix():
    with pytest.raises(NotPrivate, match="square"):
        Dense(((1, 0), (1,)), 1).check(Fraction(1, 2))
