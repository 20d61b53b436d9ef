"""The fast yes or no about a shape agrees with the properties' own checks."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from tests.designer.tools import SEVEN
from tests.strategies import mechanisms

from discreet.core.properties import Shape, has_shape


@given(m=mechanisms(), ratio=st.sampled_from([Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)]))
def test_shapes_agree_with_the_properties(m, ratio):
    dense = m.form.dense()
    for name in SEVEN:
        assert has_shape(dense, Shape(names=frozenset({name}))) == m.satisfies(name)
    assert has_shape(dense, Shape(output_dp=ratio)) == m.satisfies(Shape(output_dp=ratio))
    assert has_shape(dense, m.shape)
