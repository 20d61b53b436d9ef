import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import mechanisms

import discreet as dc
from discreet.errors import InvalidInput, NotPrivate


@given(mechanisms(), st.data())
def test_a_matrix_that_is_not_private_cannot_become_a_mechanism(m, data):
    """Asking for any alpha above the tight one, or shifting mass within a column beyond it, is refused."""
    if m.tight_alpha < 1:
        with pytest.raises(NotPrivate, match="factor of alpha"):
            dc.from_matrix(m.matrix, alpha=(m.tight_alpha + 1) / 2)
    rows = [list(row) for row in m.matrix]
    i, j = data.draw(st.integers(0, m.n)), data.draw(st.integers(0, m.n))
    rows[i][j] += Fraction(1, 10**30)
    with pytest.raises(NotPrivate, match="sums to"):
        dc.from_matrix(rows, alpha=m.alpha)


@pytest.mark.parametrize(
    ("rows", "message", "cell"),
    [
        ([["3/2", 0], ["-1/2", 1]], "negative", (1, 0)),
        ([["1/2", "1/2"], ["1/2", "1/3"]], "column 1 sums to 5/6", (0, 1)),
        ([[1, 0], [0, 1]], "differ by more than a factor", (0, 0)),
        ([["2/3", "1/3"], ["1/3", "2/3"]], "2/3 and .* = 1/3", (0, 0)),
    ],
)
def test_the_first_offending_cell_is_named(rows, message, cell):
    with pytest.raises(NotPrivate, match=message) as caught:
        dc.from_matrix(rows, alpha="3/4")
    assert caught.value.cell == cell


def test_a_float_hole_is_a_hole():
    """A zero beside 1e-7, which a float solver leaves behind, is no privacy at all."""
    tiny = Fraction(1, 10**7)
    with pytest.raises(NotPrivate):
        dc.from_matrix([[tiny, 0], [1 - tiny, 1]], alpha="1/1000")


def test_entries_are_fractions_and_indices_are_checked():
    m = dc.geometric(n=3, alpha="1/2")
    assert m[0, 0] == Fraction(2, 3) and m[np.int64(3), 0] == Fraction(1, 12)
    for bad in ((4, 0), (0, -1), (0.5, 0), (True, 0)):
        with pytest.raises(InvalidInput):
            m[bad]


@given(mechanisms())
def test_equality_is_by_content(m):
    twin = dc.from_matrix(m.matrix, alpha=m.alpha)
    assert twin == m and hash(twin) == hash(m) and twin.id == m.id
    assert m != dc.from_matrix(m.matrix, alpha=m.alpha / 2) and m != "m"


def test_the_content_id_is_the_same_on_every_machine():
    assert (
        dc.geometric(n=4, alpha="10/11").id
        == "b6b7289567dde1485a5cd17653a86b5012b6da57fbde399d158ba9dea72c56da"
    )
    assert dc.geometric(n=4, alpha="10/11").id != dc.geometric(n=4, alpha="10/12").id


def test_values_do_not_change():
    m = dc.fair(n=3, alpha="1/2")
    with pytest.raises(AttributeError):
        m.form = None
    with pytest.raises(ValueError, match="read-only"):
        m.array[0, 0] = 1
    assert copy.deepcopy(m) == m


def test_a_pickle_is_verified_when_it_is_opened():
    m = dc.fair(n=3, alpha="1/2")
    assert pickle.loads(pickle.dumps(m)) == m
    rebuild, (privacy, form, origin) = m.__reduce__()
    with pytest.raises(NotPrivate):
        rebuild(dc.Alpha(value=Fraction(2, 3), epsilon=privacy.epsilon), form, origin)


@given(mechanisms())
def test_moments_are_the_columns(m):
    for j in range(m.n + 1):
        column = m.column(j)
        mean = sum(i * p for i, p in enumerate(column))
        assert m.bias(j) == mean - j
        assert m.variance(j) == sum((i - mean) ** 2 * p for i, p in enumerate(column))
        assert m.rmse(j) == pytest.approx(
            float(sum((i - j) ** 2 * p for i, p in enumerate(column))) ** 0.5
        )
        assert m.truth(j) == m.within(j, 0) == m[j, j]
        assert m.within(j, m.n) == 1


@pytest.mark.parametrize("n", [0, 1, 4, 8, 10, 40])
def test_it_prints_within_80_columns(n):
    text = str(dc.fair(n=n, epsilon=0.5))
    assert max(map(len, text.splitlines())) <= 80
    assert "epsilon = 0.5" in text and "found by" in text
    assert dc.fair(n=n, epsilon=0.5)._repr_html_().startswith("<b>Mechanism")


def test_nobody_and_one_person_work():
    nobody = dc.geometric(n=0, epsilon=1)
    assert nobody[0, 0] == 1 and nobody.score("L0") == 0 and nobody.tight_alpha == 1
    one = dc.geometric(n=1, alpha="1/2")
    assert (
        one
        == dc.fair(n=1, alpha="1/2")
        == dc.randomized_response(alpha="1/2")
        == dc.weakly_honest(n=1, alpha="1/2")
    )
    assert one[0, 0] == Fraction(2, 3) and str(one.shape) == "RH RM CH CM WH F S"


def test_a_mechanism_is_built_from_an_alpha_and_an_origin():
    form = dc.fair(n=3, alpha="1/2").form
    for parts in (
        {"privacy": Fraction(1, 2)},
        {"privacy": dc.fair(n=1, alpha="1/2").privacy, "origin": None},
    ):
        with pytest.raises(InvalidInput, match="from_matrix"):
            dc.Mechanism(form=form, **parts)


@pytest.mark.parametrize("build", [dc.geometric, dc.fair, dc.weakly_honest])
@pytest.mark.parametrize("epsilon", ["0.0005", "0.05"])
def test_printing_a_large_group_shows_its_scores_without_its_matrix(build, epsilon):
    m = build(n=300, epsilon=epsilon)
    assert f"wrong answers (L0) {float(m.score('L0')):.4f}" in " ".join(str(m).split())
    least, most = (f"{float(m.truth(j)):.3g}" for j in (150, 0))
    assert (least if least == most else f"{least} to {most}") in str(m)
    large = build(n=100_000, epsilon=epsilon)
    assert f"{float(large.epsilon):g}" in str(large) and "(L0) " in large._repr_html_()


def test_a_cell_is_an_output_and_a_true_count():
    m = dc.fair(n=3, alpha="1/2")
    for bad in (0, (1, 2, 3), slice(None)):
        with pytest.raises(InvalidInput, match=r"m\.column\(3\)"):
            m[bad]


def test_a_rounded_matrix_is_told_what_is_wrong():
    with pytest.raises(NotPrivate, match="write a third as '1/3'"):
        dc.from_matrix([["0.3333333", "0.6666666"], ["0.6666666", "0.3333333"]], alpha="1/2")


def test_a_matrix_is_read_from_arrays_and_frames():
    rows = [[0.6, 0.4], [0.4, 0.6]]
    pd = pytest.importorskip("pandas")
    assert dc.from_matrix(rows, alpha=0.5) == dc.from_matrix(np.array(rows), alpha=0.5)
    assert dc.from_matrix(rows, alpha=0.5) == dc.from_matrix(pd.DataFrame(rows), alpha=0.5)


def test_a_large_design_near_the_optimum_says_how_near():
    m = dc.design(n=400, alpha="9/10", properties="WH CM")
    assert not m.origin.optimal and "within 0.25% of optimal by theorem" in str(m)
    assert "no claim" in str(dc.fair(n=400, alpha="9/10"))
