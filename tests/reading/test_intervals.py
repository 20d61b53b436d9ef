"""Confidence intervals by test inversion: exact coverage for every true count, and no longer than they must be."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.amounts import tries
from tests.strategies import mechanisms

from discreet.core.forms import ColumnHonest
from discreet.core.named import fair, geometric, laplace, staircase, uniform, weakly_honest
from discreet.core.transforms import mix
from discreet.designer import design
from discreet.reading.group import interval, intervals, one_group, output_intervals
from discreet.reading.methods.intervals import invert, shortest_run, smallest_size
from discreet.reading.methods.stretched import tail_intervals

LEVELS = (Fraction(1, 2), Fraction(9, 10), Fraction(19, 20), Fraction(99, 100))
ALPHAS = ("1/10", "1/2", "607/1000", "9/10", "10/11", "99/100")
NAMED = {"GM": geometric, "EM": fair, "WM": weakly_honest}


def check_coverage(m, level):
    """Enumerate the coverage of every true count, and check that inner outputs have ends in order."""
    table = intervals(m, level)
    inner = [i for i in range(1, m.n) if i not in table.unaccepted]
    assert [table.low[i] for i in inner] == sorted(table.low[i] for i in inner)
    assert [table.high[i] for i in inner] == sorted(table.high[i] for i in inner)
    for j in range(m.n + 1):
        column = m.column(j)
        covered = sum(p for i, p in enumerate(column) if table.low[i] <= j <= table.high[i])
        assert covered >= level
        assert covered == table.coverage[j]
    return table


def check_length(m, table):
    """No shorter acceptance sets exist: the middle count of an even n may have one output more, for its mirror image."""
    assert invert([m.form.column(j) for j in range(m.n + 1)], table.confidence).excess == 0
    assert 0 <= table.excess <= (m.satisfies("S") and m.n % 2 == 0)


def is_mirrored(low, high):
    n = len(low) - 1
    return all(low[i] == n - high[n - i] for i in range(n + 1))


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("name", NAMED)
def test_every_true_count_is_covered_and_no_shorter_acceptance_sets_exist(name, alpha):
    for n in (0, 1, 2, 3, 4, 5, 7, 8, 12):
        for level in LEVELS:
            m = NAMED[name](n=n, alpha=alpha)
            check_length(m, check_coverage(m, level))


@pytest.mark.slow
@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("name", NAMED)
def test_the_same_enumerated_for_every_n_up_to_40(name, alpha):
    for n in range(41):
        for level in LEVELS if n < 8 else LEVELS[n % 4 :: 4]:  # confidences in turns
            m = NAMED[name](n=n, alpha=alpha)
            check_length(m, check_coverage(m, level))


@pytest.mark.parametrize("build", [laplace, staircase], ids=["laplace", "staircase"])
def test_other_closed_forms_are_covered_and_as_short_as_can_be(build):
    for n in (2, 5, 8):
        for alpha in ("1/2", "9/10"):
            m = build(n=n, alpha=alpha)
            check_length(m, check_coverage(m, Fraction(19, 20)))


@pytest.mark.parametrize("properties", ["", "WH", "CM", "RM CM", "F"])
@pytest.mark.parametrize("loss", ["L0", "L1", "L0,1"])
def test_designed_mechanisms_are_covered_and_as_short_as_can_be(properties, loss):
    for n, alpha in ((4, "1/2"), (5, "10/11"), (7, "3/4")):
        m = design(n=n, alpha=alpha, properties=properties or None, loss=loss)
        table = intervals(m, Fraction(9, 10))
        assert min(table.coverage) >= Fraction(9, 10)
        check_length(m, table)


@pytest.mark.parametrize("build", [geometric, fair, weakly_honest, laplace, staircase])
def test_what_is_said_of_a_number_is_said_of_its_mirror_image(build):
    """As many yes as no: exchanging them must exchange the intervals, for every symmetric mechanism."""
    for n in (1, 2, 4, 7, 8):
        for alpha in ALPHAS:
            for level in LEVELS:
                m = build(n=n, alpha=alpha)
                table = intervals(m, level)
                assert is_mirrored(table.low, table.high)
                assert is_mirrored(*output_intervals(m, np.arange(n + 1), level))


def test_the_usual_method_in_a_group_of_eight_says_as_much_of_seven_as_of_one():
    m, level = geometric(n=8, epsilon=1), Fraction(19, 20)
    assert intervals(m, level)[1] == (0, 4)
    assert intervals(m, level)[7] == (4, 8)


def test_a_mechanism_without_symmetry_keeps_the_shortest_intervals():
    odd = design(n=6, epsilon=1, loss="L1", prior=[Fraction(k, 28) for k in range(1, 8)])
    assert not odd.satisfies("S")
    assert intervals(odd, Fraction(9, 10)) == invert(
        [odd.form.column(j) for j in range(7)], Fraction(9, 10)
    )


def test_two_releases_of_one_count_are_read_alike_from_both_sides():
    n, level = 4, Fraction(19, 20)
    m, other = geometric(n=n, epsilon=1), fair(n=n, epsilon=1)
    for first, second in product(range(n + 1), repeat=2):
        for pair in ((m, m), (m, other)):
            (low, high), (turned_low, turned_high) = (
                one_group(pair, outputs, confidence=level).interval
                for outputs in ([first, second], [n - first, n - second])
            )
            assert (low, high) == (n - turned_high, n - turned_low)


def test_the_smallest_size_is_the_smallest_of_all_subsets():
    m = geometric(n=6, alpha="3/4")
    for j in range(7):
        column, need = m.column(j), Fraction(9, 10)
        size = smallest_size(m.form.column(j), need)
        assert any(sum(s) >= need for s in combinations(column, size))
        assert not any(sum(s) >= need for s in combinations(column, size - 1))


@settings(max_examples=tries(40), deadline=None)
@given(
    rows=st.lists(st.lists(st.integers(0, 9), min_size=5, max_size=5), min_size=2, max_size=6),
    level=st.sampled_from(LEVELS),
)
def test_any_stochastic_matrix_is_covered_whatever_its_shape(rows, level):
    """Gaps are closed and intervals shortened without ever losing coverage; no end can be dropped."""
    columns = [([w + 1 for w in row], sum(row) + 5) for row in rows]
    table = invert(columns, level)
    assert min(table.coverage) >= level
    assert table.excess >= 0
    accepted = [i for i in range(5) if i not in table.unaccepted]
    for i in accepted:
        for j in (table.low[i], table.high[i]):
            numerators, denominator = columns[j]
            rest = sum(
                numerators[r] for r in accepted if r != i and table.low[r] <= j <= table.high[r]
            )
            assert rest < level * denominator


@given(
    weights=st.lists(st.integers(0, 20), min_size=1, max_size=8).filter(any),
    level=st.sampled_from(LEVELS),
)
def test_the_shortest_run_is_shortest(weights, level):
    low, high = shortest_run(weights, level)
    need = level * sum(weights)
    assert sum(weights[low : high + 1]) >= need
    width = high - low
    runs = (sum(weights[a : a + width]) for a in range(len(weights) - width + 1))
    assert width == 0 or not any(run >= need for run in runs)


def test_an_output_that_no_count_accepts_still_gets_an_interval():
    """GM at alpha = 99/100, n = 2, releases 1 with chance 1/199 at most: below 5% for every true count."""
    table = intervals(geometric(n=2, alpha="99/100"), Fraction(19, 20))
    assert table.unaccepted == (1,)
    assert table[1] == (0, 2)


def test_the_uniform_mechanism_says_nothing():
    table = intervals(uniform(n=3), Fraction(4, 5))
    assert all(table.coverage[j] >= Fraction(4, 5) for j in range(4))
    assert table.low == (0, 0, 0, 0)
    assert table.high == (3, 3, 3, 3)


def test_higher_confidence_never_gives_a_shorter_interval():
    for build in NAMED.values():
        for alpha in ALPHAS:
            m = build(n=8, alpha=alpha)
            tables = [intervals(m, level) for level in LEVELS]
            for lower, higher in pairwise(tables):
                for i in range(9):
                    if i not in lower.unaccepted:
                        assert higher.low[i] <= lower.low[i] <= lower.high[i] <= higher.high[i]


def test_mixtures_of_named_mechanisms_are_covered():
    m = mix(geometric(n=7, alpha="5/6"), fair(n=7, alpha="5/6"), weight="1/3")
    check_length(m, check_coverage(m, Fraction(19, 20)))


@settings(max_examples=tries(40), deadline=None)
@given(m=mechanisms())
def test_row_monotone_mechanisms_have_ordered_columns(m):
    """Pr[Y <= y | j] never grows with j: what lets the ends of a huge group's interval be found by bisection."""
    if not m.satisfies("RM"):
        m = fair(n=m.n, alpha=m.alpha)
    for j in range(m.n):
        near, far = list(accumulate(m.column(j))), list(accumulate(m.column(j + 1)))
        assert all(a >= b for a, b in zip(near, far, strict=True))


@pytest.mark.parametrize("build", [geometric, fair], ids=["GM", "EM"])
def test_intervals_of_huge_groups_cover_by_their_tails(build):
    """The route for n beyond a written-out matrix, checked against exact columns where both are possible."""
    m, level = build(n=30, alpha="2/3"), Fraction(9, 10)
    low, high = tail_intervals(type(m.form), m.alpha, np.full(31, 30), np.arange(31), level)
    for j in range(31):
        column = m.column(j)
        assert sum(p for y, p in enumerate(column) if low[y] <= j <= high[y]) >= level
    low, high = interval(build(n=2_000, alpha="1/2"), 700, level)
    assert 680 < low <= 700 <= high < 720


@pytest.mark.parametrize("alpha", [Fraction(501, 1000), Fraction(3, 5), Fraction(2, 3)], ids=str)
def test_intervals_of_huge_column_honest_groups_are_those_of_both_tails(alpha):
    n = 12
    form, counts = ColumnHonest(n, alpha), range(n + 1)
    below = [list(accumulate(form.entry(i, j) for i in counts)) for j in counts]
    for level in (Fraction(1, 10), Fraction(1, 4), *LEVELS):
        low, high = tail_intervals(ColumnHonest, alpha, np.full(n + 1, n), np.arange(n + 1), level)
        half = (1 - level) / 2
        for y in counts:
            likely = [
                j for j in counts if below[j][y] > half and 1 - (below[j][y - 1] if y else 0) > half
            ]
            assert not set(likely) - set(range(low[y], high[y] + 1))
            assert set(range(low[y], high[y] + 1)) - set(likely) <= {
                y
            }  # the output itself is never left out
