"""The small program of thresholds: a proven bound, attained by a matrix filled level."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.amounts import tries

from discreet.core.named import fair, geometric
from discreet.designer import design
from discreet.paper.beyond.thresholds import has_room, least_cost, rebuild, rows, solve


def thresholds_of(m):
    """Pr[output <= j | j+1] and Pr[output > j | j], interleaved as the program has them."""
    found = []
    for j in range(m.n):
        found.append(sum(m[i, j + 1] for i in range(j + 1)))
        found.append(sum(m[i, j] for i in range(j + 1, m.n + 1)))
    return found


@pytest.mark.parametrize("n", [1, 2, 5, 8])
@pytest.mark.parametrize("alpha", ["1/3", "2/3", "10/11"])
def test_every_column_honest_mechanism_is_a_point_of_the_program_with_its_own_cost(n, alpha):
    for m in (fair(n=n, alpha=alpha), design(n=n, alpha=alpha, properties="CH", loss="L2")):
        point = thresholds_of(m)
        for terms, least in rows(n, m.alpha):
            assert sum(c * point[v] for v, c in terms.items()) >= least
        assert sum(point) / n == m.score("L0")


@pytest.mark.parametrize("n", [2, 3, 7])
def test_privacy_of_thresholds_alone_gives_gms_cost(n):
    m = geometric(n=n, alpha="9/10")
    assert set(thresholds_of(m)) == {Fraction(9, 19)}
    assert m.score("L0") == Fraction(18, 19)


@given(n=st.integers(2, 9), alpha=st.fractions("11/20", "59/60", max_denominator=60))
@settings(max_examples=tries(25), deadline=None)
def test_the_rebuilt_matrix_is_optimal_and_has_the_properties(n, alpha):
    found = solve(n=n, alpha=alpha)
    assert has_room(found)
    m = rebuild(found)
    assert found.cost == found.bound == m.score("L0")
    assert m.satisfies("WH RM CM S")


@pytest.mark.parametrize(("n", "alpha"), [(5, "9/10"), (8, "76/100"), (12, "10/11")])
def test_the_programs_optimum_is_the_designers(n, alpha):
    assert solve(n=n, alpha=alpha).cost == design(n=n, alpha=alpha, properties="WH RM CM").score(
        "L0"
    )


@pytest.mark.slow
def test_a_hundred_people():
    found = solve(n=100, alpha="10/11")
    m = rebuild(found)
    assert m.score("L0") == found.bound
    assert m.satisfies("WH RM CM S")


def test_floats_agree_with_the_exact_optimum():
    assert least_cost(20, 10 / 11) == pytest.approx(
        float(solve(n=20, alpha="10/11").cost), abs=1e-9
    )
