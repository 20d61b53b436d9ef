"""The table of rows against each property's definition, written out a second time."""

from fractions import Fraction

import pytest
from tests.designer.brute import rows_by_definition

from discreet.core.domains import ROWS, Counts

SEVEN = {"RH", "RM", "CH", "CM", "WH", "F", "S"}
ALPHA, BETA = Fraction(2, 3), Fraction(9, 10)
RATIO = {"1": Fraction(1), "alpha": ALPHA, "beta": BETA}


@pytest.mark.parametrize("n", range(6))
def test_every_row_is_the_papers(n):
    domain, found = Counts(n), {}
    for kind, row in ROWS.items():
        for label in row.labels(domain):
            head, tail = row.cells(domain, label)
            terms = {head: Fraction(1)} | ({} if tail is None else {tail: -RATIO[row.ratio]})
            right = Fraction(1, n + 1) if tail is None else Fraction(0)
            assert (kind, label) not in found, "named once"
            found[kind, label] = (terms, right, row.free)
    wanted = {
        (kind, label): rest for kind, label, *rest in rows_by_definition(n, ALPHA, SEVEN, BETA)
    }
    assert found == {name: tuple(rest) for name, rest in wanted.items()}


@pytest.mark.parametrize("n", range(6))
def test_a_row_and_its_mirror_image_compare_mirrored_cells(n):
    domain = Counts(n)

    def image(cell):
        return cell and (n - cell[0], n - cell[1])

    for row in ROWS.values():
        if not row.free:
            names = set(row.labels(domain))
            for label in names:
                mirrored = row.mirrored(domain, label)
                assert mirrored in names and row.mirrored(domain, mirrored) == label
                assert row.cells(domain, mirrored) == tuple(map(image, row.cells(domain, label)))


@pytest.mark.parametrize("n", range(6))
def test_neighbours_are_at_distance_one_and_every_way(n):
    domain = Counts(n)
    points = range(domain.size)
    steps = [step for direction in domain.steps for step in direction]
    assert sorted(steps) == [(a, b) for a in points for b in points if domain.distance(a, b) == 1]
    assert all(
        domain.distance(domain.mirror(a), domain.mirror(b)) == domain.distance(a, b)
        for a in points
        for b in points
    )
    assert all(domain.mirror(domain.mirror(a)) == a for a in points)
