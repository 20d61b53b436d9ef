"""Every formula, lemma and example of the paper about named mechanisms, as exact statements."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.grids import everywhere
from tests.strategies import alphas

import discreet as dc
from discreet.core.named import NAMED, PAPER, find_named, recognised, root_above
from discreet.errors import InvalidInput

F = Fraction
GRID = {
    "n": range(2, 13),
    "a": [F(1, 10), F(1, 2), F(51, 100), F(2, 3), F(76, 100), F(9, 10), F(10, 11), F(99, 100)],
}


@everywhere(**GRID)
def test_gm_has_the_structure_of_figure_2(n, a):
    x, y = 1 / (1 + a), (1 - a) / (1 + a)
    m = dc.geometric(n=n, alpha=a)
    for i, j in product(range(n + 1), repeat=2):
        assert m[i, j] == (x if i in (0, n) else y) * a ** abs(i - j)


@everywhere(**GRID)
def test_gm_is_clamped_two_sided_geometric_noise(n, a):
    """Definition 4, with the law Pr[X = d] = (1-a)/(1+a) a^|d| (the paper prints (1-a)^|d|/(1+a))."""
    m = dc.geometric(n=n, alpha=a)
    law = lambda d: (1 - a) / (1 + a) * a ** abs(d)
    tail = lambda d: a**d / (1 + a)  # all noise of d or more, d >= 0
    for j in range(n + 1):
        for i in range(1, n):
            assert m[i, j] == law(i - j)
        assert m[0, j] == tail(j) and m[n, j] == tail(n - j)


@everywhere(**GRID)
def test_gm_costs_2a_over_1_plus_a(n, a):
    assert dc.geometric(n=n, alpha=a).score("L0") == 2 * a / (1 + a)


@everywhere(**GRID)
def test_gm_is_weakly_honest_iff_n_is_at_least_2a_over_1_minus_a(n, a):
    assert dc.geometric(n=n, alpha=a).satisfies("WH") == (n >= 2 * a / (1 - a))


@everywhere(**GRID)
def test_gm_is_column_monotone_iff_a_is_at_most_a_half(n, a):
    m = dc.geometric(n=n, alpha=a)
    assert m.satisfies("CM") == (a <= F(1, 2)) == (m[1, 1] >= m[0, 1])  # the paper prints <=
    assert m.satisfies("S RM RH") and not m.satisfies("F")


@pytest.mark.parametrize("a", [F(1, 10), F(2, 3), F(99, 100)])
def test_the_lemmas_do_not_hold_at_n_1(a):
    """There GM = EM = randomized response with diagonal 1/(1+a) >= 1/2: weakly honest and column monotone always."""
    m = dc.geometric(n=1, alpha=a)
    assert m == dc.fair(n=1, alpha=a) == dc.randomized_response(alpha=a)
    assert m[0, 0] == 1 / (1 + a) and m.satisfies("WH CM F S RM")


def test_example_1():
    m = dc.geometric(n=2, alpha="9/10")
    assert m[0, 1] == m[2, 1] == F(9, 19) and m[1, 1] == F(1, 19) and m[0, 0] == F(10, 19)
    # "eighteen times" is all wrong answers together; each single one is nine times as likely
    assert (1 - m[1, 1]) / m[1, 1] == 18 and m[0, 1] / m[1, 1] == 9


def test_gm_goes_to_the_ends_as_alpha_goes_to_one():
    m = dc.geometric(n=6, alpha="999999/1000000")
    assert all(m[0, j] + m[6, j] > F(999990, 1000000) for j in range(7))


def test_em_for_n_7_is_figure_4():
    exponents = [
        [0, 1, 2, 3, 4, 4, 4, 4], [1, 0, 1, 2, 3, 3, 3, 3], [1, 1, 0, 1, 2, 3, 3, 3], [2, 2, 1, 0, 1, 2, 2, 2],
        [2, 2, 2, 1, 0, 1, 2, 2], [3, 3, 3, 2, 1, 0, 1, 1], [3, 3, 3, 3, 2, 1, 0, 1], [4, 4, 4, 4, 3, 2, 1, 0],
    ]  # fmt: skip
    m = dc.fair(n=7, alpha="9/10")
    y = m[0, 0]
    assert [[m[i, j] for j in range(8)] for i in range(8)] == [
        [y * F(9, 10) ** e for e in row] for row in exponents
    ]


@everywhere(**GRID)
def test_em_is_the_formula_of_the_paper(n, a):
    m = dc.fair(n=n, alpha=a)
    if n % 2 == 0:
        y = (1 - a) / (1 + a - 2 * a ** (n // 2 + 1))
    else:  # the paper gives the even formula only
        y = 1 / (1 + 2 * sum(a**k for k in range(1, (n - 1) // 2 + 1)) + a ** ((n + 1) // 2))
    for i, j in product(range(n + 1), repeat=2):
        d, edge = abs(i - j), min(j, n - j)
        assert m[i, j] == y * a ** (d if d < edge else -(-(d + edge) // 2))
    assert m.score("L0") == F(n + 1, n) * (1 - y)
    assert str(m.shape) == "RH RM CH CM WH F S" and m.output_dp == a


@everywhere(**GRID)
def test_every_column_of_em_is_a_permutation_of_the_first(n, a):
    m = dc.fair(n=n, alpha=a)
    assert all(sorted(m.column(j)) == sorted(m.column(0)) for j in range(n + 1))


@everywhere(**GRID)
def test_em_costs_less_than_one_nth_more_than_gm(n, a):
    gm, em = dc.geometric(n=n, alpha=a).score("L0"), dc.fair(n=n, alpha=a).score("L0")
    assert gm < em < gm * (1 + F(1, n))


@everywhere(**GRID)
def test_em_costs_the_same_under_every_prior(n, a):
    """Lemma 1: with fairness the L0 objective does not depend on the weights."""
    m = dc.fair(n=n, alpha=a)
    assert m.score("L0", "Binomial(1/7)") == m.score("L0") == m.score("L0", worst_case=True)


@everywhere(**GRID)
def test_wm_lies_between_gm_and_em(n, a):
    gm, wm, em = (build(n=n, alpha=a) for build in (dc.geometric, dc.weakly_honest, dc.fair))
    assert gm.score("L0") <= wm.score("L0") <= em.score("L0")
    assert wm.satisfies("WH S RM")
    if n >= 2 * a / (1 - a):
        assert wm == gm
    else:
        y_gm, y_em = gm[1, 1], em[0, 0]
        share = (y_em - F(1, n + 1)) / (y_em - y_gm)
        assert wm == dc.mix(gm, em, weight=share)
        assert {wm[i, i] for i in range(1, n)} == {F(1, n + 1)}


@pytest.mark.parametrize(
    ("n", "a"), [(n, a) for n, a in product(*GRID.values()) if n % 2 == 0 and n < 2 * a / (1 - a)]
)
def test_wm_meets_the_proven_bound_on_the_trace(n, a):
    """FACTS: column m and DP give a^m trace <= 1 - u sum_i (a^|i-m| - a^m); the mixture attains it."""
    m, u = n // 2, F(1, n + 1)
    trace = sum(dc.weakly_honest(n=n, alpha=a)[i, i] for i in range(n + 1))
    assert a**m * trace == 1 - u * sum(a ** abs(i - m) - a**m for i in range(n + 1))


def test_truth_in_the_n_4_heatmaps_is_for_10_11ths_not_9_10ths():
    chance = lambda m: float(sum(m[j, j] for j in range(5)) / 5)
    assert round(chance(dc.fair(n=4, alpha="10/11")), 5) == 0.22366
    assert round(chance(dc.geometric(n=4, alpha="10/11")), 5) == 0.23810
    assert round(chance(dc.fair(n=4, alpha="9/10")), 5) == 0.22624
    assert round(chance(dc.geometric(n=4, alpha="9/10")), 5) == 0.24211


def test_um_has_everything_and_costs_one():
    m = dc.uniform(n=6)
    assert (
        str(m.shape) == "RH RM CH CM WH F S"
        and m.score("L0") == 1
        and m.epsilon == 0
        and m.tight_alpha == 1
    )


@given(st.integers(1, 8), alphas)
def test_randomized_response_is_as_private_as_asked_and_no_more(n, a):
    m = dc.randomized_response(n=n, alpha=a)
    assert m.tight_alpha == a and m[0, 0] == 1 / (1 + n * a)


@given(st.integers(1, 6), alphas)
def test_the_exponential_mechanism_is_twice_as_private_as_its_guarantee_on_a_bit(n, a):
    m = dc.exponential(n=1, quality=lambda j, i: -abs(i - j), alpha=a * a)
    assert abs(m.tight_alpha / a - 1) <= F(1, 10**8)
    wide = dc.exponential(n=n, quality=lambda j, i: -3 * abs(i - j), alpha=a)
    assert wide.tight_alpha >= a
    assert dc.exponential(n=n, quality=[[0] * (n + 1)] * (n + 1), alpha=a) == dc.from_matrix(
        dc.uniform(n=n).matrix, alpha=a
    )


@given(st.integers(1, 8), alphas)
def test_rounded_laplace_is_private_and_close_to_its_integral(n, a):
    m = dc.laplace(n=n, alpha=a)
    b = float(a) ** 0.5
    assert m.tight_alpha >= a
    assert float(m[0, 0]) == pytest.approx(1 - b / 2, rel=1e-7)
    if n > 1:
        assert float(m[1, 1]) == pytest.approx(1 - b, rel=1e-5, abs=1e-7)
    # the staircase of Laplace is strictly less often truthful than GM: rounding wastes budget
    assert m.score("L0") >= dc.geometric(n=n, alpha=a).score("L0")


@given(st.integers(1, 8), alphas, st.integers(1, 4), st.data())
def test_the_staircase_protects_counts_that_differ_by_its_width(n, a, width, data):
    m = dc.staircase(n=n, alpha=a, width=width, step=data.draw(st.integers(1, width)))
    for i, j in product(range(n + 1), repeat=2):
        for k in range(j, min(n, j + width) + 1):
            assert a * m[i, j] <= m[i, k] <= m[i, j] / a
    if width == 1:
        assert m == dc.geometric(n=n, alpha=a)


@given(alphas, st.integers(1, 8))
def test_roots_are_rounded_toward_more_privacy(a, degree):
    b = root_above(a, degree)
    assert b**degree >= a and (b * (1 - F(2, 10**9))) ** degree < a


@pytest.mark.parametrize(
    "call",
    [
        lambda: dc.geometric(n=-1, alpha="1/2"),
        lambda: dc.fair(n=2.5, alpha="1/2"),
        lambda: dc.uniform(n=True),
        lambda: dc.geometric(n=10**9 + 1, alpha="1/2"),
        lambda: dc.exponential(n=1, quality=[[0.5, 1], [1, 0]], alpha="1/2"),
        lambda: dc.exponential(n=1, quality=[[1]], alpha="1/2"),
        lambda: dc.staircase(n=2, width=0, alpha="1/2"),
        lambda: dc.staircase(n=2, width=2, step=3, alpha="1/2"),
        lambda: dc.staircase(n=2, alpha=1),
        lambda: dc.geometric(n=3),
    ],
)
def test_bad_input_is_refused(call):
    with pytest.raises(InvalidInput, match="`"):
        call()


@pytest.mark.smoke
def test_the_readme_example_of_named_mechanisms():
    m = dc.fair(n=8, epsilon=0.5)
    assert m.satisfies("RH RM CH CM WH F S") and m.epsilon == F(1, 2) and m.tight_alpha == m.alpha


@pytest.mark.slow
def test_an_exponential_mechanism_too_large_to_write_out_is_refused_at_once():
    """Its columns have no common denominator: at n = 512 the exact matrix would fill a hundred gigabytes."""
    with pytest.raises(InvalidInput, match="too large"):
        dc.exponential(n=300, quality=lambda j, i: -abs(i - j), epsilon=1)
    assert dc.exponential(
        n=12, quality=lambda j, i: -abs(i - j), alpha="1/4"
    ).tight_alpha >= Fraction(1, 4)
    with pytest.raises(InvalidInput, match="at most 1000"):
        dc.staircase(n=4, width=10**9, alpha="1/2")


def test_the_table_of_names_is_whole():
    """What GM, WM, EM, UM and the others are called and how they look stands in one table, and the builders read it."""
    assert list(NAMED) == ["GM", "WM", "EM", "UM", "RR", "Laplace", "exponential", "staircase"]
    assert PAPER == ("GM", "WM", "EM", "UM")
    assert len({one.colour for one in NAMED.values()}) == len(NAMED)
    for name, one in NAMED.items():
        m = one.build(n=4, alpha="9/10")
        assert one.short == name and find_named(f" {name.lower()} ") is one
        assert one.full in m.origin.method, "the name in the table is the one a mechanism carries"
        assert one.function.__name__ in dc.__all__
        assert recognised(m) is (one if name in PAPER else None)
    assert find_named("XM") is None
