"""Orbits of entries against the whole matrix, enumerated."""

from itertools import permutations, product

import pytest

from discreet.core.domains import ROWS
from discreet.core.forms.orbits import number_of_orbits, orbits_of
from discreet.core.histogram import Histogram, misplaced

CASES = [
    (3, 3, (0, 0, 0)),
    (3, 3, (0, 1, 1)),
    (2, 4, (0, 0, 1, 1)),
    (2, 3, (0, 1, 2)),
    (4, 2, (0, 0)),
]


def images(cell, classes):
    """Every entry that permuting answers within classes makes of one."""
    ways = [
        way
        for way in permutations(range(len(classes)))
        if all(classes[c] == classes[way[c]] for c in way)
    ]
    return {tuple(tuple(point[c] for c in way) for point in cell) for way in ways}


@pytest.mark.parametrize(("n", "k", "classes"), CASES)
def test_orbits_are_those_of_the_permutations(n, k, classes):
    domain = Histogram(n, k)
    orbits = orbits_of(domain, classes)
    seen = {}
    for cell in product(domain.points, repeat=2):
        u = orbits.of(*cell)
        assert seen.setdefault(u, images(cell, classes)) == images(cell, classes)
        assert orbits.distance[u] == misplaced(*cell)
    assert len(seen) == len(orbits.codes) == number_of_orbits(domain, classes)
    for u, cells in seen.items():
        assert orbits.cell(u) in cells
        assert len(cells) == orbits.entries[u] * orbits.columns[orbits.truth_of[u]]


def rows_written_out(domain, kind):
    """The rows of each kind by the definitions of FACTS: pairs of entries."""
    points = domain.points
    for a, b, c in product(points, repeat=3):
        if kind == "dp" and misplaced(b, c) == 1:
            yield (a, b), (a, c)
        if kind == "rm" and misplaced(b, c) == 1 and misplaced(a, c) == misplaced(a, b) + 1:
            yield (a, b), (a, c)
        if kind == "odp" and misplaced(a, b) == 1:
            yield (a, c), (b, c)
        if kind == "cm" and misplaced(a, b) == 1 and misplaced(b, c) == misplaced(a, c) + 1:
            yield (a, c), (b, c)
    for a, b in product(points, repeat=2):
        if kind == "rh" and a != b:
            yield (a, a), (a, b)
        if kind == "ch" and a != b:
            yield (b, b), (a, b)


@pytest.mark.parametrize(("n", "k", "classes"), CASES)
@pytest.mark.parametrize("kind", ["dp", "odp", "rm", "cm", "rh", "ch"])
def test_folded_rows_are_the_images_of_all_rows(n, k, classes, kind):
    domain = Histogram(n, k)
    orbits = orbits_of(domain, classes)
    folded = {(orbits.of(*head), orbits.of(*tail)) for head, tail in rows_written_out(domain, kind)}
    assert set(orbits.rows(ROWS[kind])) == {(u, v) for u, v in folded if u != v}


@pytest.mark.slow
def test_the_sizes_that_are_known():
    # FACTS section 8: variables, rows folded (column sums among them)
    for n, k, variables, rows in [(8, 3, 350, 1_610), (12, 3, 1_405, 7_075), (8, 5, 2_879, 29_474)]:
        orbits = orbits_of(Histogram(n, k), (0,) * k)
        assert (len(orbits.codes), len(orbits.rows(ROWS["dp"])) + len(orbits.truths)) == (
            variables,
            rows,
        )
    assert number_of_orbits(Histogram(12, 4), (0,) * 4) == 9_241
    assert number_of_orbits(Histogram(10, 5), (0,) * 5) == 10_681
    assert number_of_orbits(Histogram(20, 3), (0,) * 3) == 8_954


def test_many_answers_have_few_kinds_of_permutation():
    """What is counted is what is listed, also where cycles are longer than there are people."""
    for n, classes in [(1, (0,) * 6), (2, (0,) * 7), (3, (0, 0, 1, 1, 1)), (2, (0, 1, 0, 1, 0))]:
        domain = Histogram(n, len(classes))
        assert number_of_orbits(domain, classes) == len(orbits_of(domain, classes).codes)
    assert number_of_orbits(Histogram(1, 64), (0,) * 64) == 2
