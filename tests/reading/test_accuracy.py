"""Accuracy before spending: exact against the definition, and what a wanted accuracy needs."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.amounts import tries
from tests.strategies import mechanisms

from discreet.core.losses import read_prior
from discreet.core.named import fair, geometric, uniform
from discreet.errors import Infeasible, InvalidInput
from discreet.reading.accuracy import accuracy, power_reaches
from discreet.reading.needed import epsilon_needed, size_needed


@settings(max_examples=tries(40), deadline=None)
@given(m=mechanisms(), level=st.sampled_from([Fraction(1, 2), Fraction(9, 10), Fraction(99, 100)]))
def test_every_number_is_its_definition(m, level):
    a = accuracy(m, confidence=level, prior="Binomial(1/3)")
    weights = read_prior("Binomial(1/3)", m.n).weights
    for j, row in enumerate(a.rows):
        column = m.column(j)
        assert row.bias == pytest.approx(
            float(sum(p * (i - j) for i, p in enumerate(column))), abs=1e-12
        )
        assert row.rmse == pytest.approx(sqrt(sum(p * (i - j) ** 2 for i, p in enumerate(column))))
        assert row.truth == float(m[j, j])
        assert m.within(j, row.margin) >= level
        assert row.margin == 0 or m.within(j, row.margin - 1) < level
    for d in range(m.n + 1):
        assert a.within(d) == sum(w * m.within(j, d) for j, w in enumerate(weights))
        assert a.within(d, worst_case=True) == min(m.within(j, d) for j in range(m.n + 1))
    assert a.margin == max(row.margin for row in a.rows)


@pytest.mark.parametrize("build", [geometric, fair], ids=["GM", "EM"])
def test_the_simultaneous_margin_holds_for_every_configuration(build):
    """Three groups, enumerated: all within the margin at once with the confidence, and not within one less."""
    m, level = build(n=4, alpha="1/4"), Fraction(4, 5)
    a = accuracy(m, confidence=level, groups=3)
    chances = {
        d: min(prod(m.within(j, d) for j in counts) for counts in product(range(5), repeat=3))
        for d in range(5)
    }
    assert chances[a.simultaneous_margin] >= level
    assert chances[a.simultaneous_margin - 1] < level
    assert a.simultaneous_margin >= a.margin
    assert a.average_simultaneous_margin <= a.simultaneous_margin


def test_the_simultaneous_margin_is_sharper_than_the_union_bound_would_be():
    m, level, groups = geometric(n=40, alpha="1/2"), Fraction(9, 10), 50
    a = accuracy(m, confidence=level, groups=groups)
    union = next(d for d in range(41) if 1 - a.within(d, worst_case=True) <= (1 - level) / groups)
    assert a.simultaneous_margin <= union


@given(p=st.fractions(0, 1), groups=st.integers(1, 60), level=st.fractions("1/100", "99/100"))
def test_powers_are_compared_exactly(p, groups, level):
    assert power_reaches(p, groups, level) == (p**groups >= level) or abs(
        p**groups - level
    ) < Fraction(1, 2**100)


def test_a_million_groups_at_once_is_quick():
    assert accuracy(geometric(n=60, alpha="1/2"), groups=10**6).simultaneous_margin > 20


def test_size_zero_and_very_large_groups():
    a = accuracy(geometric(n=0, alpha="1/2"), groups=10)
    assert (a.margin, a.truth, a.rmse) == (0, 1.0, 0.0)
    large, small = accuracy(geometric(n=140, alpha="1/2")), accuracy(geometric(n=60, alpha="1/2"))
    assert large.margin == small.margin
    m = fair(n=130, alpha="9/10")
    for d in (0, 5, 40):
        exact = sum(m.within(j, d) for j in range(131)) / 131
        assert 0 <= exact - accuracy(m).within(d) < Fraction(1, 2**140)


def test_it_prints_within_80_columns_and_in_a_notebook():
    for m in (geometric(n=8, epsilon=0.5), fair(n=100, epsilon=0.1), uniform(n=3)):
        for groups in (1, 1_000_000):
            text = str(m.accuracy(groups=groups, prior="Binomial(0.3)", confidence="0.999"))
            assert max(map(len, text.splitlines())) <= 80
    html = geometric(n=8, epsilon=0.5).accuracy()._repr_html_()
    assert html.count("<tr>") == 10
    assert "for any true count" in html


def test_epsilon_needed_is_the_smallest_on_its_grid():
    found = epsilon_needed(n=6, within=1, confidence="0.9", mechanism=fair, step="1/50")
    below = fair(n=6, epsilon=found.value - Fraction(1, 50))
    assert found.mechanism.epsilon == found.value
    assert accuracy(found.mechanism).within(1, worst_case=True) == found.chance >= Fraction(9, 10)
    assert accuracy(below).within(1, worst_case=True) == found.chance_before < Fraction(9, 10)
    assert max(map(len, str(found).splitlines())) <= 80


def test_the_best_mechanism_needs_no_more_epsilon_than_a_named_one():
    best = epsilon_needed(n=5, within=1, confidence="0.9", step="1/20", most=4)
    named = epsilon_needed(
        n=5, within=1, confidence="0.9", step="1/20", most=4, mechanism=geometric
    )
    assert best.value <= named.value
    assert best.mechanism.origin.certificate is not None
    strict = epsilon_needed(n=5, within=1, confidence="0.9", step="1/20", most=4, properties="F CM")
    assert strict.value >= best.value


def test_the_best_chance_grows_with_epsilon_and_falls_with_n():
    """What makes the searches exact: nested problems in epsilon, and one answer fewer to give for a smaller group."""
    from discreet.designer import design

    def best(n, epsilon, properties=None):
        m = design(n=n, epsilon=epsilon, properties=properties, loss="L0,1", worst_case=True)
        return accuracy(m).within(1, worst_case=True)

    for properties in (None, "CM", "F"):
        chances = [best(4, epsilon, properties) for epsilon in ("0.2", "0.5", "1", "2")]
        assert chances == sorted(chances)
    falling = [best(n, "0.7") for n in range(2, 8)]
    assert falling == sorted(falling, reverse=True)


def test_size_needed_tries_every_size_and_stops_at_the_first():
    found = size_needed(tolerance="1/5", epsilon=1, confidence="0.9", mechanism=geometric)
    for n in range(1, found.n):
        m = geometric(n=n, epsilon=1)
        assert accuracy(m).within(n // 5, worst_case=True) < Fraction(9, 10)
    assert found.chance >= Fraction(9, 10)


def test_size_needed_over_all_mechanisms_is_no_larger_than_over_one():
    named = size_needed(tolerance="1/4", epsilon=2, confidence="0.9", mechanism=geometric)
    best = size_needed(tolerance="1/4", epsilon=2, confidence="0.9")
    assert best.n <= named.n


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: accuracy(uniform(n=3), confidence=1.5),
            InvalidInput,
            "confidence.*between 0 and 1",
        ),
        (lambda: accuracy(uniform(n=3), groups=0), InvalidInput, "groups.*at least 1"),
        (lambda: accuracy(uniform(n=3), prior="Poisson"), InvalidInput, "prior"),
        (
            lambda: accuracy(geometric(n=5000, alpha="1/2"), prior="Binomial(0.3)"),
            InvalidInput,
            "prior.*more than 2000",
        ),
        (lambda: epsilon_needed(n=3, within=-1), InvalidInput, "within"),
        (lambda: epsilon_needed(n=3, within=1, step=0), InvalidInput, "step"),
        (
            lambda: epsilon_needed(n=9, within=0, most=1, mechanism=geometric),
            Infeasible,
            r"not reached for n = 9 up to epsilon = 1 .*raise `most`",
        ),
        (lambda: size_needed(tolerance=2, epsilon=1), InvalidInput, "tolerance.*between 0 and 1"),
        (
            lambda: size_needed(tolerance="1/100", epsilon=1, most=10, mechanism=geometric),
            Infeasible,
            "no group of up to 10",
        ),
    ],
)
def test_bad_input_names_what_is_wrong(call, error, message):
    with pytest.raises(error, match=message):
        call()
