from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import discreet as dc
from discreet.core.certificate import costs_of, read_problem
from discreet.core.losses import read_loss, read_prior
from discreet.errors import InvalidInput


def test_l0_is_rescaled_so_that_blind_guessing_costs_one():
    for n in (1, 2, 5, 9):
        assert dc.uniform(n=n).score("L0") == 1
        assert dc.uniform(n=n).score(0) == Fraction(n, n + 1)


def test_l0_is_l00_with_the_strict_inequality():
    m = dc.geometric(n=6, alpha="9/10")
    assert m.score("L0") == m.score("L0,0") == Fraction(7, 6) - sum(m[j, j] for j in range(7)) / 6


def test_scores_are_the_definition():
    m, p = dc.fair(n=4, alpha="2/3"), "Binomial(1/3)"
    w = read_prior(p, 4).weights
    for loss, power in (("L1", 1), ("L2", 2), (3, 3)):
        costs = [sum(abs(i - j) ** power * m[i, j] for i in range(5)) for j in range(5)]
        assert m.score(loss, p) == sum(a * b for a, b in zip(w, costs, strict=True))
        assert m.score(loss, worst_case=True) == max(costs)
        assert m.score(loss, p, worst_case=True) == max(
            5 * a * b for a, b in zip(w, costs, strict=True)
        )


def test_a_loss_matrix_may_be_lopsided():
    over = [[3 if i > j else (1 if i < j else 0) for j in range(4)] for i in range(4)]
    loss = read_loss(np.array(over), 3)
    assert not loss.symmetric and loss.cost(2, 1) == 3 and loss.cost(1, 2) == 1
    assert read_loss("L2", 3).symmetric
    assert dc.uniform(n=3).score(over) == Fraction(6 * 3 + 6 * 1, 16)


def test_fractional_powers_are_rounded_and_say_so():
    loss = read_loss(0.5, 4)
    assert loss.rounded and abs(float(loss.cost(0, 2)) - 2**0.5) < 1e-15
    assert not read_loss(2, 4).rounded


def test_priors():
    assert read_prior(None, 3).uniform and read_prior("uniform", 3).symmetric
    assert read_prior("Binomial(0.3)", 2).weights == (
        Fraction(49, 100),
        Fraction(42, 100),
        Fraction(9, 100),
    )
    assert read_prior("binomial(n, 1/2)", 2).symmetric
    assert read_prior([0.1, 0.2, 0.7], 2).weights == (
        Fraction(1, 10),
        Fraction(2, 10),
        Fraction(7, 10),
    )
    assert read_prior(np.array([0.0, 1.0]), 1).weights == (0, 1)


@pytest.mark.parametrize(
    "bad", ["L3x", "L", -1, 65, [[0]], [[0, 1], [1]], [[0, -1], [1, 0]], {"a": 1}, "manhattan"]
)
def test_bad_losses_are_refused(bad):
    with pytest.raises(InvalidInput, match="loss"):
        read_loss(bad, 1)


@pytest.mark.parametrize(
    "bad", ["normal", [1, 1], [0.5, 0.6], [2, -1], [1], "Binomial(2)", "Binomial(x)", 3]
)
def test_bad_priors_are_refused(bad):
    with pytest.raises(InvalidInput, match="prior"):
        read_prior(bad, 1)


@pytest.mark.parametrize(
    "loss", ["L0", "L0,2", "L1", "L2", "L3", "L1.5", "L_3/2", 3, 0, Fraction(3, 2)]
)
def test_a_loss_is_read_again_from_its_own_name(loss):
    first = read_loss(loss, 4)
    assert read_loss(first.name, 4) == first


def test_a_power_may_be_any_kind_of_number():
    wanted = read_loss(2, 4)
    assert all(
        read_loss(p, 4) == wanted
        for p in (2.0, Fraction(2), Decimal(2), np.int64(2), np.float32(2), "L2")
    )
    for bad in ("L65", "L-1", "L1/0", "Lp", True, "L", "3"):
        with pytest.raises(InvalidInput):
            read_loss(bad, 4)


def test_tables_of_one_name_are_told_apart_though_their_hashes_are_one():
    first, second = read_loss([[0, 1], [1, 0]], 1), read_loss([[0, 2], [1, 0]], 1)
    assert (
        first != second and hash(first) == hash(second) and first == read_loss([[0, 1], [1, 0]], 1)
    )
    assert [
        read_prior(weights, 1) == read_prior([0.5, 0.5], 1)
        for weights in ([0.5, 0.5], [0.25, 0.75])
    ] == [
        True,
        False,
    ]
    costs = [
        costs_of(read_problem(n=1, alpha="1/2", loss=loss)).loss for loss in (first, second, first)
    ]
    assert costs == [((0, 1), (1, 0)), ((0, 2), (1, 0)), ((0, 1), (1, 0))]
