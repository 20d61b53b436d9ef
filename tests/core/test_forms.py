import itertools
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import alphas, mechanisms, named

import discreet as dc
from discreet.core.forms import (
    Dense,
    Fair,
    Geometric,
    Relabelled,
    Uniform,
    WeaklyHonest,
    canonical,
    dense_from,
)
from discreet.core.forms.dense import mixed
from discreet.core.forms.fixed_point import power_bounds
from discreet.core.mechanism import Mechanism
from discreet.core.properties import PROPERTIES, check_dense
from discreet.core.rationals import read_alpha
from discreet.errors import InvalidInput, NotPrivate


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
def test_columns_of_large_groups_sum_to_one(n, alpha):
    for form in (Geometric(n, alpha), Fair(n, alpha)):
        form.check(alpha)
        for j in (0, 1, n // 3, n):
            weights, denominator = form.column(j)
            assert sum(weights) == denominator


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8, 13, 20, 33, 64])
@pytest.mark.parametrize("alpha", ["1/1000", "1/3", "1/2", "10/11", "99/100", "1"])
def test_every_closed_form_is_private_entry_by_entry(n, alpha):
    a = Fraction(alpha)
    forms = [
        Geometric(n, a),
        Fair(n, a),
        Uniform(n),
        Relabelled(n, a, tuple((n // 2, r) for r in range(n + 1))),
    ]
    if a < 1 and 2 <= n < 2 * a / (1 - a):
        forms.append(WeaklyHonest(n, a))
    for form in forms:
        form.check(a)
        form.dense().check(a)
        assert form.tight_alpha() == form.dense().tight_alpha()


@pytest.mark.parametrize(
    "form",
    [
        Geometric(0, Fraction(1, 2)),
        Geometric(3, Fraction(0)),
        Geometric(3, Fraction(-1, 2)),
        Geometric(3, Fraction(3, 2)),
        Fair(3, Fraction(2)),
        Fair(3, Fraction(0)),
        WeaklyHonest(100, Fraction(1, 2)),
        WeaklyHonest(1, Fraction(9, 10)),
        WeaklyHonest(3, Fraction(1)),
        Relabelled(2, Fraction(2), ((0,), (1,), (2,))),
        Relabelled(2, Fraction(1, 2), ((0,), (1,))),
        Relabelled(2, Fraction(1, 2), ((0,), (3,), (2,))),
        Relabelled(2, Fraction(1, 2), ((0,), (-1,), (2,))),
        Relabelled(2, Fraction(1, 2), ((0,), (), (2,))),
        Relabelled(2, Fraction(1, 2), ((0,), (0, 1, 2), (2,))),
        Relabelled(2, Fraction(1, 2), ((0,), (1,), (2,), (2,))),
    ],
    ids=repr,
)
def test_a_closed_form_outside_its_definition_is_refused(form):
    with pytest.raises(NotPrivate):
        Mechanism(privacy=read_alpha(alpha="1/100"), form=form)


@given(st.data(), st.integers(1, 6), alphas)
def test_relabelled_is_the_matrix_written_out(data, n, alpha):
    label = st.lists(st.integers(0, n), min_size=1, max_size=2, unique=True).map(tuple)
    form = Relabelled(n, alpha, tuple(data.draw(label) for _ in range(n + 1)))
    gm = Geometric(n, alpha).dense()
    rows = [[Fraction(0)] * (n + 1) for _ in range(n + 1)]
    for i, chosen in enumerate(form.labels):
        for r in chosen:
            for j in range(n + 1):
                rows[r][j] += gm.entry(i, j) / len(chosen)
    written = dense_from(rows)
    assert form == written and written == form and hash(form) == hash(written)
    assert (
        canonical(form) == canonical(written)
        and canonical(form).text() == canonical(written).text()
    )
    assert pickle.loads(pickle.dumps(form)) == form


def test_weakly_honest_sits_exactly_on_the_floor():
    form = WeaklyHonest(9, Fraction(10, 11))
    assert {form.entry(i, i) for i in range(1, 9)} == {Fraction(1, 10)}


def test_a_large_form_does_not_promise_more_than_it_has():
    with pytest.raises(NotPrivate):
        Geometric(200, Fraction(1, 2)).check(Fraction(2, 3))


@given(mechanisms(), st.integers(1, 3), alphas)
def test_a_matrix_and_its_mean_with_its_image_are_private_as_far_as_their_entries_say(
    m, step, alpha
):
    dense = m.form.dense()
    image = Dense(tuple(row[::-1] for row in dense.rows[::-1]), dense.denominator)
    for each in (dense, mixed(Fraction(1, 2), dense, image)):
        stepped = Dense(each.rows, each.denominator, min(step, max(1, m.n)))
        tight = stepped.tight_alpha()
        stepped.check(tight)
        if alpha > tight:
            with pytest.raises(NotPrivate, match="alpha"):
                stepped.check(alpha)
    assert mixed(Fraction(1, 2), dense, image).symmetric and dense.symmetric == (dense == image)


def test_ragged_rows_are_not_a_matrix():
    with pytest.raises(NotPrivate, match="square"):
        Dense(((1, 0), (1,)), 1).check(Fraction(1, 2))


class _SaysItIsFine(Geometric):
    """A subclass that would let anything through."""

    def check(self, alpha):
        pass

    def column(self, j):
        return [int(i == j) for i in range(self.n + 1)], 1


@pytest.mark.parametrize(
    "form",
    [
        Dense([[3, 3], [1, 1]], 4),
        Dense(([3, 3], [1, 1]), 4),
        Dense(((0.75, 0.75), (0.25, 0.25)), 1),
        Dense(((Fraction(3, 4), Fraction(3, 4)), (Fraction(1, 4), Fraction(1, 4))), 1),
        Dense(((True, True), (False, False)), 1),
        Dense(((np.int64(3), np.int64(3)), (np.int64(1), np.int64(1))), 4),
        Dense(((0, 0), (0, 0)), 0),
        Dense(((-3, -3), (-1, -1)), -4),
        Dense(((1, 1), (0, 0)), True),
        Dense((), 1),
        Geometric(np.int64(40), Fraction(10, 11)),
        Geometric(4.0, Fraction(10, 11)),
        Geometric(True, Fraction(10, 11)),
        Fair(4, 0.95),
        Uniform(np.int64(3)),
        Relabelled(2, Fraction(10, 11), [[0], [0], [0]]),
        Relabelled(2, Fraction(10, 11), ([0], [0], [0])),
        Relabelled(2, Fraction(10, 11), ((0,), (False,), (0.0,))),
        Relabelled(np.int64(2), Fraction(10, 11), ((0,), (0,), (0,))),
        _SaysItIsFine(4, Fraction(10, 11)),
        None,
    ],
    ids=repr,
)
def test_only_exact_and_unchangeable_numbers_in_forms_of_our_own_are_checked(form):
    """A list can change after the check, a NumPy integer overflows, a float is not exact, a subclass may lie."""
    with pytest.raises(NotPrivate):
        Mechanism(privacy=read_alpha(alpha="1/2"), form=form)


def test_equal_matrices_are_equal_whatever_their_denominators():
    once, twice = (Dense(((k, k), (2 * k, 2 * k)), 3 * k) for k in (1, 2))
    first, second = (
        Mechanism(privacy=read_alpha(alpha="1/2"), form=form) for form in (once, twice)
    )
    assert first == second and first.id == second.id


def test_a_relabelled_matrix_is_never_carried_in_a_pickle():
    form = Relabelled(2, Fraction(10, 11), ((0,), (0,), (0,)))
    form.__dict__["_matrix"] = Dense(((1, 0, 0), (0, 1, 0), (0, 0, 1)), 1)
    assert pickle.loads(pickle.dumps(form)).dense() == Dense(((1, 1, 1), (0, 0, 0), (0, 0, 0)), 1)


def test_a_coin_between_the_ends_needs_no_matrix():
    m = dc.geometric(n=1000, alpha=1)
    assert m[0, 7] == m[1000, 7] == Fraction(1, 2) and m.release(7) in (0, 1000)


@pytest.mark.parametrize("alpha", ["1/1000", "1/2", "3/4", "10/11", "0.999", "1"])
@pytest.mark.parametrize("n", [0, 1, 2, 7, 8, 41, 300])
def test_the_fair_diagonal_is_bounded_closely(n, alpha):
    form = Fair(n, Fraction(alpha))
    for bits in (20, 128):
        low, high = form.diagonal_bounds(bits)
        assert low <= form.entry(0, 0) * 2**bits <= high <= low + 2
    low, high = Fair(10**9, Fraction(alpha)).diagonal_bounds(64)
    assert high - low <= 2


def test_powers_are_bounded_closely():
    for alpha in (Fraction(1, 3), Fraction(3, 4), Fraction(999, 1000), Fraction(1)):
        for exponent in (0, 1, 2, 7, 64, 100):
            low, high = power_bounds(alpha, exponent, 90)
            assert low <= alpha**exponent * 2**90 <= high <= low + 2
