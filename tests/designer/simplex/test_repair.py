"""Whatever is given, a basis comes out, and what was one stays."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.amounts import tries
from tests.designer.brute import constraints, eliminate
from tests.designer.tools import problems, random_bases

from discreet.core.certificate import read_problem
from discreet.designer.lp.program import build
from discreet.designer.simplex.repair import complete


@settings(max_examples=tries(40))
@given(problems(largest=3), st.randoms(use_true_random=False), st.floats(0, 1))
def test_a_basis_comes_of_any_constraints(asked, random, part):
    program = build(read_problem(**asked))
    everything = range(program.first_input + len(program.inputs))
    held = complete(program, random.sample(everything, k=int(part * len(everything))))
    sums, bounds = constraints(program)
    assert len(held) == program.cells + bool(program.inputs) - len(sums)
    lines = [form for form, _ in sums] + [bounds[k][0] for k in held]
    assert eliminate(lines, [Fraction(0)] * len(lines)) is not None


@settings(max_examples=tries(40))
@given(random_bases())
def test_a_basis_is_left_alone_and_most_of_a_broken_one_is_kept(basis):
    assert complete(basis.program, basis.tight) == sorted(basis.tight)
    fewer = basis.tight[1:]
    assert set(fewer) <= set(complete(basis.program, fewer))
