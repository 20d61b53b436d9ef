"""Hypothesis strategies shared by the tests: group sizes, alphas, and exactly private mechanisms of any shape."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

import discreet as dc

sizes = st.integers(min_value=0, max_value=9)
alphas = st.one_of(
    st.sampled_from(
        [
            Fraction(1, 2),
            Fraction(2, 3),
            Fraction(9, 10),
            Fraction(10, 11),
            Fraction(1, 10),
            Fraction(99, 100),
        ]
    ),
    st.builds(Fraction, st.integers(1, 49), st.integers(50, 60)),
)


@st.composite
def named(draw, n=None, alpha=None):
    """One of the paper's mechanisms."""
    n = draw(sizes) if n is None else n
    alpha = draw(alphas) if alpha is None else alpha
    build = draw(st.sampled_from([dc.geometric, dc.fair, dc.weakly_honest, dc.randomized_response]))
    return build(n=n, alpha=alpha)


@st.composite
def stochastic_maps(draw, n):
    """A column-stochastic map on 0..n, with many zeros."""
    columns = []
    for _ in range(n + 1):
        weights = draw(st.lists(st.integers(0, 4), min_size=n + 1, max_size=n + 1).filter(any))
        columns.append([Fraction(w, sum(weights)) for w in weights])
    return [list(row) for row in zip(*columns, strict=True)]


@st.composite
def mechanisms(draw, n=None, alpha=None):
    """Any mechanism: a mixture of two named ones, the first passed through a random map; asymmetric and gappy too."""
    n = draw(st.integers(1, 5)) if n is None else n
    alpha = draw(alphas) if alpha is None else alpha
    first, second = draw(named(n=n, alpha=alpha)), draw(named(n=n, alpha=alpha))
    if draw(st.booleans()):
        first = dc.postprocess(first, draw(stochastic_maps(n)))
    return dc.mix(first, second, weight=Fraction(draw(st.integers(0, 4)), 4))
