"""A basis as trees of tight ratios."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from tests.amounts import tries
from tests.designer.brute import constraints, eliminate
from tests.designer.tools import random_bases

from discreet.core.certificate import read_problem
from discreet.designer.lp.program import build
from discreet.designer.simplex.basis import factor, grow
from discreet.designer.simplex.system import Singular


def rational(value):
    return Fraction(int(value.p), int(value.q))


@settings(max_examples=tries(30))
@given(random_bases())
def test_along_a_tight_ratio_within_a_tree_powers_fall_by_it(basis):
    program = basis.program
    closing = set(basis.fixed_by)
    for k in basis.tight:
        if k < program.first_bound:
            u, v = int(program.head[k]), int(program.tail[k])
            assert basis.tree[u] == basis.tree[v]
            if k not in closing:
                assert Fraction(int(basis.power[u])) == program.ratios[program.ratio[k]] * int(
                    basis.power[v]
                )
    assert min(basis.power) > 0


@settings(max_examples=tries(30))
@given(random_bases())
def test_parents_come_first_and_every_tree_has_one_root(basis):
    place = {u: k for k, u in enumerate(basis.order)}
    assert sorted(basis.order) == list(range(basis.program.cells))
    for u, parent in enumerate(basis.parent):
        assert (parent < 0) == (basis.parent_row[u] < 0)
        if parent >= 0:
            row = basis.parent_row[u]
            ends = int(basis.program.head[row]), int(basis.program.tail[row])
            assert place[parent] < place[u] and basis.tree[parent] == basis.tree[u]
            assert ends == ((u, parent) if basis.is_head[u] else (parent, u))
    roots = [basis.tree[u] for u, parent in enumerate(basis.parent) if parent < 0]
    assert sorted(roots) == list(range(len(basis.fixed_by)))


@settings(max_examples=tries(30))
@given(random_bases())
def test_cutting_a_row_leaves_two_parts(basis):
    for k in basis.tight:
        if k < basis.program.first_bound and k not in basis.fixed_by:
            below = basis.below(k)
            crossing = [
                r
                for r in basis.parent_row
                if r >= 0
                and (int(basis.program.head[r]) in below) != (int(basis.program.tail[r]) in below)
            ]
            assert crossing == [k]
            assert len({basis.tree[u] for u in below}) == 1


@settings(max_examples=tries(30))
@given(random_bases())
def test_a_slope_is_the_constraint_at_the_powers_themselves(basis):
    _, bounds = constraints(basis.program)
    for k in basis.tight:
        if k < basis.program.first_input:
            form = bounds[k][0]
            values = [Fraction(int(p)) for p in basis.power]
            assert rational(basis.slope(k)) == sum(
                x * y for x, y in zip(form, values, strict=False)
            )


@settings(max_examples=tries(30))
@given(random_bases())
def test_a_basis_is_regular_by_elimination_too(basis):
    sums, bounds = constraints(basis.program)
    lines = [form for form, _ in sums] + [bounds[k][0] for k in basis.tight]
    assert eliminate(lines, [Fraction(0)] * len(lines)) is not None


def test_what_is_no_basis_is_refused():
    program = build(read_problem(n=3, alpha="1/2", loss="L1"))
    with pytest.raises(Singular, match="unknowns against"):
        factor(program, [])
    twice = [program.first_bound, *range(program.cells)]
    _, redundant = grow(program, twice)
    assert redundant
    with pytest.raises(Singular, match="fixed twice"):
        factor(program, [program.first_bound, program.first_bound + 1, *_tying(program, 0, 1)])


def _tying(program, u, v):
    """Ratio rows that lead from one variable to another."""
    pairs = {
        (int(a), int(b)): k for k, (a, b) in enumerate(zip(program.head, program.tail, strict=True))
    }
    return [pairs[u, v]]
