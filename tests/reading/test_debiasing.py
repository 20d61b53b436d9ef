"""Debiased scores: unbiased exactly, with the noise they say they have, and refused when they would mean nothing."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.amounts import tries

from discreet.core.exchange.matrices import from_matrix
from discreet.core.forms import Geometric
from discreet.core.named import fair, geometric, uniform, weakly_honest
from discreet.reading.estimates import estimate
from discreet.reading.methods.closed_scores import closed_score
from discreet.reading.methods.debiasing import NotEstimable, score, solve_exactly
from discreet.reading.totals import count_score

NAMED = [geometric, fair, weakly_honest]


@settings(max_examples=tries(40), deadline=None)
@given(
    build=st.sampled_from(NAMED),
    n=st.integers(1, 12),
    alpha=st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=30),
)
def test_the_score_is_unbiased_exactly(build, n, alpha):
    m = build(n=n, alpha=alpha)
    v = count_score(m).exact
    for x in range(n + 1):
        assert sum(a * p for a, p in zip(v, m.column(x), strict=True)) == x


@pytest.mark.parametrize("n", [1, 2, 5, 9])
@pytest.mark.parametrize("alpha", [Fraction(1, 3), Fraction(10, 11)])
def test_gm_has_its_known_score(n, alpha):
    """The clamped ends stand for the geometric tail behind them: -a/(1-a) at 0 and n + a/(1-a) at n."""
    tail = alpha / (1 - alpha)
    expected = (-tail, *range(1, n), n + tail)
    assert count_score(geometric(n=n, alpha=alpha)).exact == expected


def test_the_variance_score_is_unbiased_for_the_noise_variance():
    for build in NAMED:
        s = count_score(build(n=7, alpha="4/5"))
        noise = s.matrix.T @ s.values**2 - np.arange(8) ** 2
        assert np.allclose(s.variance, noise)
        assert np.allclose(s.variance_score @ s.matrix, s.variance)


@pytest.mark.slow
def test_beyond_exact_solving_a_score_is_unbiased_to_rounding():
    for build in NAMED:
        s = score(build(n=150, alpha="9/10").form, range(151))
        assert s.exact is None
        assert s.bias < 1e-9
    assert np.allclose(
        score(geometric(n=150, alpha="9/10").form, range(151)).values[[0, 1, 70, 150]],
        [-9, 1, 70, 159],
    )


def test_gm_of_any_size_is_debiased_in_closed_form():
    """The closed form is the solved one where both exist; huge groups among small ones just work."""
    form = geometric(n=40, alpha="1/2").form
    solved, closed = score(form, range(41)), closed_score(form)
    assert solved.exact == closed.exact
    assert np.allclose(solved.values, closed.values)
    assert np.allclose(solved.variance_score, closed.variance_score)
    assert closed.worst_variance == pytest.approx(solved.worst_variance, rel=1e-9)
    assert closed.skew == pytest.approx(solved.skew, rel=1e-9)
    mechanisms = {5: geometric(n=5, alpha="1/2"), 50_000: geometric(n=50_000, alpha="1/2")}
    e = estimate([3] * 30 + [20_000, 0], mechanism=mechanisms, sizes=[5] * 30 + [50_000] * 2)
    assert e.total.value == pytest.approx(90 + 20_000 - 1)
    assert e.total.standard_error < 15
    few = estimate([20_000, 31], mechanism=mechanisms[50_000])
    assert few.total.high - few.total.low < 40
    assert list(few.table().columns["low"]) == [20_000 - 4, 27]


def test_the_uniform_mechanism_cannot_be_debiased():
    with pytest.raises(NotEstimable, match=r"singular.*output ignores the data.*geometric"):
        count_score(uniform(n=4))


def test_alpha_near_one_is_refused_with_the_number_of_groups_it_would_take():
    with pytest.raises(
        NotEstimable,
        match=r"standard deviation 9,999 times.*groups to learn anything.*larger epsilon",
    ):
        count_score(geometric(n=1, alpha="9999/10000"))


def test_noise_that_reaches_across_millions_of_counts_is_refused():
    with pytest.raises(NotEstimable, match="reaches across more than 16,777,216 counts"):
        closed_score(Geometric(10**9, 1 - Fraction(1, 10**8)))


def test_a_singular_matrix_still_tells_what_it_can():
    """Outputs 0 and 1 pooled: whether x is 2 remains estimable, x itself does not."""
    third, pooled = (
        Fraction(1, 3),
        [["1/3", "1/3", "1/6"], ["1/3", "1/3", "1/6"], ["1/3", "1/3", "2/3"]],
    )
    m = from_matrix(pooled, alpha="1/2")
    v = solve_exactly(m.form, [0, 0, 1])
    assert [sum(a * p for a, p in zip(v, m.column(x), strict=True)) for x in range(3)] == [0, 0, 1]
    with pytest.raises(NotEstimable):
        solve_exactly(m.form, [0, 1, 2])
    assert third == m[0, 0]


def test_size_zero_and_any_target():
    assert count_score(geometric(n=0, alpha="1/2")).exact == (0,)
    s = score(fair(n=3, alpha="1/2").form, [Fraction(1, 2), 0, 0, Fraction(-1, 3)])
    assert np.allclose(s.values @ s.matrix, [0.5, 0, 0, -1 / 3])
