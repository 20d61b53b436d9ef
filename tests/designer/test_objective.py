"""The fast yes or no about a shape agrees with the properties' own checks."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from tests.designer.tools import SEVEN
from tests.strategies import mechanisms

from discreet.core.certificate import read_problem
from discreet.designer.lp.program import satisfies


@given(m=mechanisms(), ratio=st.sampled_from([Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)]))
def test_shapes_agree_with_the_properties(m, ratio):
    def has(shape):
        return satisfies(read_problem(n=m.n, alpha=m.alpha, properties=shape), m.form.dense())

    assert all(has(name) == m.satisfies(name) for name in [*SEVEN, f"ODP:{ratio}"])
    assert has(m.shape)
