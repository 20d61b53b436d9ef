"""The column-honest closed form: the matrix of its definition, its properties, its name, and where it exists."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from tests.grids import everywhere

import discreet as dc
from discreet.core.family import Family
from discreet.core.forms import ColumnHonest, Geometric, canonical, dense_from
from discreet.core.forms.column_honest import named_by_matrix
from discreet.core.mechanism import Mechanism, content_id
from discreet.core.properties import PROPERTIES, check_dense, read_shape
from discreet.core.rationals import read_alpha
from discreet.errors import InvalidInput, NotPrivate

SIZES = [3, 4, 5, 6, 9, 16]
ALPHAS = ["501/1000", "3/5", "20841/34361", "2/3"]


def by_definition(n, a):
    """GM, of whose ends a part is moved inward."""
    rows, moved = Geometric(n, a).dense(), (2 * a - 1) / (2 * a)
    x = [[rows.entry(i, j) for j in range(n + 1)] for i in range(n + 1)]
    for end, inward in ((0, 1), (n, n - 1)):
        x[inward] = [here + moved * there for here, there in zip(x[inward], x[end], strict=True)]
        x[end] = [(1 - moved) * chance for chance in x[end]]
    return dense_from(x)


@everywhere(n=SIZES, alpha=ALPHAS)
def test_it_is_gm_with_its_ends_moved_inward_however_it_is_asked(n, alpha):
    a, counts = Fraction(alpha), range(n + 1)
    form, matrix = ColumnHonest(n, a), by_definition(n, a)
    form.check(a)
    matrix.check(a)
    assert (
        form.dense() == matrix == dense_from([[form.entry(i, j) for j in counts] for i in counts])
    )
    assert form.tight_alpha() == matrix.tight_alpha() == a
    np.testing.assert_allclose(form.floats(), matrix.floats(), rtol=1e-14)
    for j in counts:
        weights, denominator = form.column(j)
        assert [Fraction(w, denominator) for w in weights] == [matrix.entry(i, j) for i in counts]
        for bits in (3, 64, 150):
            lows, error = form.cumulative_bounds(j, bits)
            sums = itertools.accumulate(Fraction(w, denominator) for w in weights)
            assert error <= 8
            assert all(
                low <= total * 2**bits <= low + error for low, total in zip(lows, sums, strict=True)
            )


@everywhere(n=SIZES, alpha=ALPHAS)
def test_it_has_all_but_fairness_and_costs_what_the_theorem_says(n, alpha):
    a = Fraction(alpha)
    form = ColumnHonest(n, a)
    assert [name for name in PROPERTIES if not check_dense(form.dense(), name).holds] == ["F"]
    assert all(form.known(name) is (name != "F") for name in PROPERTIES)
    assert form.known("ODP") is None
    m = Mechanism(privacy=read_alpha(alpha=a), form=form)
    assert m.score("L0") == 2 * a / (1 + a) + (1 - a) * (2 * a - 1) / (a * (1 + a) * n)
    assert form.entry(0, 1) == form.entry(1, 1)  # the row of CH that the proof leans on is tight


def test_the_matrix_is_recognised_and_keeps_its_name():
    for n, alpha in ((3, "3/5"), (8, "20841/34361"), (40, "2/3")):
        form = ColumnHonest(n, Fraction(alpha))
        written = form.dense()
        assert canonical(written) == form
        assert form.text() == written.text()
        m = dc.from_matrix(
            [[form.entry(i, j) for j in range(n + 1)] for i in range(n + 1)], alpha=alpha
        )
        assert m.form == form
        assert m.id == content_id(Fraction(alpha), written)


def test_beyond_what_is_written_out_it_is_named_by_n_and_alpha():
    long = Fraction(2**400 + 1, 2**401)
    for n, a in ((513, Fraction(3, 5)), (10**9, Fraction(2, 3)), (60, long)):
        assert not named_by_matrix(n, a)
        assert ColumnHonest(n, a).text() == f"column-honest {n} {a.numerator:x}/{a.denominator:x}"
    assert (
        canonical(ColumnHonest(60, long).dense()) == ColumnHonest(60, long).dense()
    )  # stays as it was written
    with pytest.raises(InvalidInput, match="at most 512"):
        ColumnHonest(513, Fraction(3, 5)).dense()


@pytest.mark.parametrize(
    "form",
    [
        ColumnHonest(2, Fraction(3, 5)),
        ColumnHonest(3, Fraction(1, 2)),
        ColumnHonest(3, Fraction(67, 100)),
        ColumnHonest(3, Fraction(-3, 5)),
        ColumnHonest(np.int64(3), Fraction(3, 5)),
        ColumnHonest(3, 0.6),
        ColumnHonest(3, Fraction(51, 100)),  # not as private as it is said to be
    ],
    ids=repr,
)
def test_outside_its_definition_it_is_refused(form):
    with pytest.raises(NotPrivate):
        Mechanism(privacy=read_alpha(alpha="3/5"), form=form)


def test_a_family_of_it_begins_at_three():
    made = {"kind": "column-honest", "theorem": "column-honest", "shape": read_shape("CM")}
    family = Family(sizes=((3, 10**9),), privacy=read_alpha(alpha="3/5"), **made)
    assert family.mechanism(10**6).form == ColumnHonest(10**6, Fraction(3, 5))
    for sizes, alpha in ((((2, 5),), "3/5"), (((3, 5),), "7/10")):
        with pytest.raises(NotPrivate):
            Family(sizes=sizes, privacy=read_alpha(alpha=alpha), **made)
