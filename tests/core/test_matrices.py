"""Matrices from other tools, and for them: floats become exact without ever claiming more privacy than they have."""

import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import require

import discreet as dc
from discreet.core.exchange.near_floats import NEAR, near_distribution
from discreet.errors import InvalidInput, MissingExtra, NotPrivate

WEIGHTS = st.lists(st.floats(0, 1), min_size=2, max_size=8).filter(lambda some: sum(some) > 1e-3)


def geometric(n, a):
    """GM as somebody writes it in NumPy."""
    i, j = np.indices((n + 1, n + 1))
    return a ** np.abs(i - j) / (1 + a) * np.where((i == 0) | (i == n), 1, 1 - a)


@given(WEIGHTS)
def test_floats_become_distributions_near_them(some):
    floats = [x / sum(some) for x in some]
    found = near_distribution("prior", floats)
    assert sum(found) == 1 and min(found) >= 0
    for exact, x in zip(found, floats, strict=True):
        assert abs(exact - Fraction(x)) <= Fraction(x) / 10**14
        assert (exact == 0) == (x == 0)


@given(st.integers(1, 6), st.floats(0.05, 0.99))
def test_a_matrix_of_floats_has_the_alpha_it_says_and_no_better(n, a):
    matrix = geometric(n, a)
    m = dc.from_matrix(matrix)
    assert m.alpha <= m.tight_alpha and abs(float(m.alpha) - a) < 1e-8
    assert all(sum(m.column(j)) == 1 for j in range(n + 1))
    assert np.abs(m.array - matrix).max() < 1e-14
    held = dc.from_matrix(matrix, alpha=a)  # asked for, it is moved toward privacy
    assert held.alpha == Fraction(repr(a)) <= held.tight_alpha
    assert np.abs(held.array - matrix).max() < 1e-12


def test_an_epsilon_is_held_too():
    m = dc.from_matrix(geometric(8, np.exp(-0.5)), epsilon="1/2")
    assert m.privacy == dc.geometric(n=8, epsilon="1/2").privacy and m.tight_alpha >= m.alpha
    assert m.origin.method.startswith(
        "given in floats, made exact and private: no entry moved by more than"
    )


def test_floats_that_are_simple_fractions_are_recognised():
    thirds = dc.from_matrix(np.array([[2, 1], [1, 2]]) / 3)
    assert thirds == dc.from_matrix([["2/3", "1/3"], ["1/3", "2/3"]]) and thirds.alpha == Fraction(
        1, 2
    )
    assert dc.from_matrix([[0.7, 0.4], [0.3, 0.6]], alpha="1/2")[0, 1] == Fraction(
        2, 5
    )  # exact as typed
    assert near_distribution("prior", np.ones(7) / 7) == (Fraction(1, 7),) * 7


def test_what_misses_by_more_than_rounding_is_refused():
    with pytest.raises(NotPrivate, match=r"Pr\[0\|0\] = 2/3 and Pr\[0\|1\] = 1/3 differ"):
        dc.from_matrix(geometric(2, 0.5), alpha="0.50001")
    with pytest.raises(
        NotPrivate, match=r"column 0 must sum to 1, not 0\.9: floats may miss it by 1e-06"
    ):
        dc.from_matrix(np.array([[0.5, 0.5], [0.4, 0.5]]))
    with pytest.raises(NotPrivate, match="impossible for its neighbour: no alpha above 0 holds"):
        dc.from_matrix(np.eye(3))
    with pytest.raises(NotPrivate, match=r"is negative"):
        dc.from_matrix(np.array([[1.1, 0.5], [-0.1, 0.5]]))
    with pytest.raises(NotPrivate, match="column 1 sums to 9/10"):
        dc.from_matrix([["1/2", "2/5"], ["1/2", "1/2"]])
    with pytest.raises(InvalidInput, match=r"must be a finite number, not nan"):
        dc.from_matrix([[float("nan"), 0.0], [0.0, 1.0]])
    for wrong in ([0.5, 0.5 + 2 * float(NEAR)], [1 + 2e-6, -2e-6]):
        with pytest.raises(InvalidInput, match=r"`prior"):
            near_distribution("prior", wrong)


def test_exact_numbers_stay_as_they_are():
    m = dc.from_matrix([["2/3", "1/3"], ["1/3", "2/3"]])
    assert m.alpha == m.tight_alpha == Fraction(1, 2) and m.origin.method == "given"
    assert dc.from_matrix([["1/2", "1/2"], ["1/2", "1/2"]]).epsilon == 0


def test_a_prior_may_be_an_array():
    weights = np.array([0.1, 0.2, 0.3, 0.4]) * (1 + 1e-9)
    prior = dc.design(n=3, alpha="1/2", loss="L1", prior=weights).origin.problem.prior
    assert sum(prior.weights) == 1 and abs(float(prior.weights[3]) - 0.4) < 1e-9
    sevenths = dc.design(
        n=2, alpha="1/2", loss="L1", prior=np.array([1, 2, 4]) / 7
    ).origin.problem.prior
    assert sevenths.weights == (Fraction(1, 7), Fraction(2, 7), Fraction(4, 7))
    with pytest.raises(InvalidInput, match=r"`prior` must sum to 1, not 0\.9"):
        dc.design(n=2, alpha="1/2", prior=np.array([0.1, 0.2, 0.6]))


def test_numpy_sees_the_matrix():
    m = dc.fair(n=3, alpha="1/2")
    assert np.asarray(m) is m.array and np.asarray(m, dtype=np.float32).dtype == np.float32
    assert np.array(m).flags.writeable and not np.asarray(m).flags.writeable
    assert np.allclose(np.matmul(m, np.linalg.inv(m)), np.eye(4))
    with pytest.raises(ValueError, match="another dtype needs a copy"):
        np.asarray(m, dtype=np.float32, copy=False)


def test_pandas_sees_it_with_its_names(monkeypatch):
    require("pandas")
    m = dc.fair(n=2, alpha="1/2")
    frame = m.to_pandas()
    assert frame.index.name == "output" and frame.columns.name == "true count"
    assert frame.loc[0, 2] == float(m[0, 2]) and m.to_pandas(exact=True).loc[0, 2] == str(m[0, 2])
    whole = dc.design(n=2, categories=2, epsilon=1)
    assert whole.to_pandas().index[0] == ",".join(map(str, whole.domain.points[0]))
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtra, match="pandas"):
        m.to_pandas()


def test_tables_for_writing():
    m = dc.geometric(n=1, alpha="1/2")
    assert m.to_markdown(digits=2).splitlines()[-1] == "| 1 | 0.33 | 0.67 |"
    assert m.to_latex(exact=True).splitlines() == [
        r"\begin{tabular}{lrr}",
        r"\hline",
        r"output & 0 & 1 \\",
        r"\hline",
        r"0 & $\frac{2}{3}$ & $\frac{1}{3}$ \\",
        r"1 & $\frac{1}{3}$ & $\frac{2}{3}$ \\",
        r"\hline",
        r"\end{tabular}",
    ]
    with pytest.raises(InvalidInput, match="`digits` must be at least 1 and at most 17"):
        m.to_latex(digits=0)
    table = dc.compare(["GM", "EM"], n=2, alpha="1/2")
    assert (
        table.to_latex().splitlines()[2]
        == r"mechanism & n & epsilon & has & L0 & L1 & RMSE & bias & truth \\"
    )
    assert (
        table.to_markdown().count("\n") == 3
        and "| 0.693147 | RH RM CH CM WH F S | 0.7500 |" in table.to_markdown()
    )
    assert r"found\_by" in table.to_latex(all_columns=True)
    assert "| 3/4 |" in table.to_markdown(exact=True) and "| 1/2 |" in table.to_markdown(
        exact=True, all_columns=True
    )
    histograms = dc.compare(["cells"], n=2, categories=3, epsilon=1)
    assert "| cells | 2 | 1 |" in histograms.to_markdown()


def test_a_matrix_too_large_for_memory_is_refused_before_it_is_made():
    with pytest.raises(
        InvalidInput, match="`n` must be at most 16,384 for the whole matrix as floats, not 100000"
    ):
        dc.geometric(n=100_000, epsilon=1).to_pandas()


def test_floats_of_numpy_in_lists_are_floats_too():
    for kind in (np.float32, np.float64, np.longdouble):
        m = dc.from_matrix([[kind(2 / 3), kind(1 / 3)], [kind(1 / 3), kind(2 / 3)]], alpha="1/2")
        assert m.alpha == Fraction(1, 2) <= m.tight_alpha and sum(m.column(0)) == 1
