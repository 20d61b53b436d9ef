"""The program of thresholds folded by symmetry: its rows, its exact optimum, and bounds from any multipliers."""

import random
from fractions import Fraction

import pytest
from flint import fmpq

from discreet.core.named import fair
from discreet.designer import design
from discreet.designer.large.band import solve_band
from discreet.designer.large.symmetric_program import Multipliers, Point, exact, optimum, rows
from discreet.errors import NotProven
from discreet.paper.beyond.thresholds import rows as whole_rows


def flint(value):
    return fmpq(value.numerator, value.denominator)


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7])
def test_its_rows_are_those_of_the_whole_program_folded(n):
    a = Fraction(4, 5)

    def plain(table):
        return {(frozenset((v, c) for v, c in line.items() if c), least) for line, least in table}

    folded = []
    for line, least in whole_rows(n, a):
        found: dict[int, Fraction] = {}
        for v, c in line.items():
            u = min(v, 2 * n - 1 - v)
            found[u] = found.get(u, 0) + c
        folded.append((found, least))
    assert plain(rows(n, a)) == plain(folded)


@pytest.mark.parametrize(("n", "alpha"), [(2, "3/5"), (5, "9/10"), (8, "76/100"), (9, "10/11")])
def test_the_exact_optimum_is_the_designers(n, alpha):
    point, multipliers = optimum(n, Fraction(alpha))
    assert (
        point.cost == multipliers.bound == design(n=n, alpha=alpha, properties="WH CM").score("L0")
    )


def test_any_non_negative_multipliers_bound_every_column_honest_mechanism():
    n, a = 6, Fraction(9, 10)
    least = min(fair(n=n, alpha=a).score("L0"), design(n=n, alpha=a, properties="CH").score("L0"))
    draw = random.Random(1)
    best, (_, good) = Fraction(-100), optimum(n, a)
    for _ in range(100):
        shaken = [
            [max(fmpq(0), y + flint(Fraction(draw.randint(-9, 9), 40))) for y in kind]
            for kind in (good.private, good.steep, good.honest)
        ]
        found = Multipliers(flint(a), *shaken).bound
        assert found <= least
        best = max(best, found)
    assert best > 0
    with pytest.raises(NotProven, match="negative"):
        Multipliers(flint(a), [fmpq(-1)], [fmpq(0)], [fmpq(0)]).bound  # noqa: B018 - read to be refused


def test_a_point_that_breaks_a_row_has_no_cost():
    point, _ = optimum(7, Fraction(9, 10))
    for j in range(7):
        for change in (fmpq(1, 5), fmpq(-1, 5)):
            moved = [t + change if k == j else t for k, t in enumerate(point.below)]
            assert Point(point.a, moved).cost is None


def test_gm_keeps_every_row_where_it_is_column_honest():
    tau = fmpq(1, 3)
    assert Point(fmpq(1, 2), [tau] * 5).cost == Fraction(2, 3)
    assert Point(fmpq(3, 5), [fmpq(3, 8)] * 5).cost is None


def test_a_band_of_rows_is_solved_exactly():
    draw = random.Random(2)
    n = 30
    lines = [
        {v: fmpq(draw.randint(1, 9)) for v in range(max(0, k - 2), min(n, k + 3))} for k in range(n)
    ]
    wanted = [fmpq(draw.randint(-9, 9), 7) for _ in range(n)]
    right = [sum((c * wanted[v] for v, c in line.items()), fmpq(0)) for line in lines]
    draw.shuffle(order := list(range(n)))
    assert solve_band([lines[k] for k in order], [right[k] for k in order]) == wanted
    with pytest.raises(NotProven):
        solve_band([{0: fmpq(1)}, {0: fmpq(2)}], [fmpq(1), fmpq(2)])


def test_fractions_go_out_as_pythons_own():
    assert exact(fmpq(-3, 7)) == Fraction(-3, 7)
