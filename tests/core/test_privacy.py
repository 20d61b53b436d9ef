from fractions import Fraction

import flint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.privacy import SLACK, Alpha, exp_minus, read_alpha
from discreet.errors import InvalidInput

epsilons = st.one_of(
    st.fractions(Fraction(1, 10**6), 20).filter(lambda x: x > 0),
    st.sampled_from([Fraction(1, 10**15), Fraction(1, 2), Fraction(1, 10), Fraction(1000), Fraction(7, 10**9)]),
)


def arb(x: Fraction):
    return flint.arb(x.numerator) / flint.arb(x.denominator)


@given(epsilons)
def test_exp_bounds_enclose_the_truth(epsilon):
    """Against Arb's ball arithmetic, which nobody here wrote."""
    low, high = exp_minus(epsilon)
    with flint.ctx.workprec(400):
        truth = (-arb(epsilon)).exp()
        assert arb(low) <= truth <= arb(high)
    assert (high - low) < low * epsilon / 10**20


@given(epsilons)
def test_alpha_is_never_weaker_than_epsilon_and_hardly_stronger(epsilon):
    privacy = read_alpha(epsilon=epsilon)
    with flint.ctx.workprec(400):
        assert (-arb(epsilon)).exp() <= arb(privacy.value) <= (-arb(epsilon * (1 - SLACK))).exp()
    assert privacy.epsilon == epsilon


@given(st.fractions(Fraction(1, 10**6), 1 - Fraction(1, 10**14)))  # nearer to 1 is refused
def test_epsilon_of_an_alpha_is_rounded_up(alpha):
    privacy = read_alpha(alpha=alpha)
    with flint.ctx.workprec(400):
        truth = -arb(alpha).log()
        assert truth <= arb(privacy.epsilon)
        assert arb(privacy.epsilon) <= truth * arb(1 + Fraction(1, 10**9))


def test_halves_of_a_budget_make_a_whole():
    assert read_alpha(epsilon=0.5).epsilon + read_alpha(epsilon="1/2").epsilon == 1
    assert sum(read_alpha(epsilon=0.1).epsilon for _ in range(10)) == 1


def test_one_means_the_input_is_ignored():
    assert read_alpha(alpha=1).epsilon == 0
    assert read_alpha(epsilon=0).value == 1


def test_zero_is_refused_with_the_reason():
    with pytest.raises(InvalidInput, match="no privacy at all"):
        read_alpha(alpha=0)


@pytest.mark.parametrize(
    "bad",
    [{}, {"alpha": "1/2", "epsilon": 1}, {"alpha": 2}, {"alpha": -0.5}, {"epsilon": -1}, {"epsilon": "inf"}, {"epsilon": 1e9},
     {"epsilon": 1e-30}, {"alpha": "1e-900"}, {"alpha": "nan"}],
)  # fmt: skip
def test_bad_parameters_are_named(bad):
    with pytest.raises(InvalidInput, match="`(alpha|epsilon)`"):
        read_alpha(**bad)


def test_printing_shows_both():
    assert str(read_alpha(alpha="10/11")) == "alpha = 10/11 (epsilon = 0.0953102)"
    assert str(read_alpha(epsilon=0.5)) == "alpha = 0.606531 (epsilon = 0.5)"


@pytest.mark.parametrize(
    ("value", "epsilon"),
    [
        (Fraction(1, 2), Fraction(0)),
        (Fraction(1, 2), Fraction(69, 100)),
        (Fraction(1, 2), Fraction(-1)),
        (Fraction(0), Fraction(1)),
        (Fraction(-1, 2), Fraction(1)),
        (Fraction(3, 2), Fraction(1)),
        (0.5, Fraction(1)),
        (Fraction(1, 2), 1),
    ],
)
def test_no_parameter_is_accounted_at_less_than_it_costs(value, epsilon):
    """ln 2 is 0.6931...: alpha = 1/2 at epsilon = 0.69 would be a release that the ledger undercharges."""
    with pytest.raises(InvalidInput):
        Alpha(value=value, epsilon=epsilon)
    assert Alpha(value=Fraction(1, 2), epsilon=Fraction(7, 10)).epsilon == Fraction(7, 10)


def test_a_parameter_that_was_read_is_taken_as_it_is_and_not_beside_another():
    read = read_alpha(epsilon="1/3")
    assert read_alpha(alpha=read) is read
    with pytest.raises(InvalidInput, match="exactly one"):
        read_alpha(alpha=read, epsilon="1/2")
