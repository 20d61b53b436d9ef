"""Scores are the sums of Definition 3, term by term, however they are added up."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import mechanisms

import discreet as dc
from discreet.core.losses import read_loss, read_prior
from discreet.core.scores import score

LOSSES = ["L0", "L0,1", "L0,9", "L1", "L2", "L0.5", "table"]


def by_definition(m, loss, prior, worst_case):
    counts = range(m.n + 1)
    terms = [prior.weights[j] * sum((loss.cost(i, j) * m[i, j] for i in counts), Fraction(0)) for j in counts]
    return (m.n + 1) * max(terms) if worst_case else sum(terms)


@given(m=mechanisms(), name=st.sampled_from(LOSSES), worst_case=st.booleans())
def test_a_score_is_its_definition(m, name, worst_case):
    size = m.n + 1
    table = [[Fraction((3 * i + j * j) % 7, 1 + (i + j) % 3) for j in range(size)] for i in range(size)]
    loss = read_loss(table if name == "table" else name, m.n)
    first = [Fraction(1)] + [Fraction(0)] * m.n
    for given_prior in (None, "Binomial(1/3)", first):
        prior = read_prior(given_prior, m.n)
        expected = by_definition(m, loss, prior, worst_case)
        for form in (m.form, m.form.dense()):
            assert score(form, loss, prior, worst_case=worst_case) == expected


def test_gm_has_the_score_of_theorem_3_at_any_size():
    m = dc.geometric(n=5_000, alpha="1/2")
    assert m.score("L0") == Fraction(2, 3)
