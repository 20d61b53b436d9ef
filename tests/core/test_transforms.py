from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.amounts import tries
from tests.strategies import alphas, mechanisms, named, stochastic_maps

import discreet as dc
from discreet.core.properties import PROPERTIES
from discreet.errors import InvalidInput


@given(st.data(), st.integers(1, 5), alphas, st.fractions(0, 1, max_denominator=9))
def test_mixtures_keep_privacy_and_every_shared_property(data, n, alpha, weight):
    first, second = data.draw(mechanisms(n=n, alpha=alpha)), data.draw(mechanisms(n=n, alpha=alpha))
    m = dc.mix(first, second, weight=weight)
    assert m.tight_alpha >= min(first.tight_alpha, second.tight_alpha)
    assert first.shape.names & second.shape.names <= m.shape.names
    for loss in ("L0", "L2"):
        assert m.score(loss) == weight * first.score(loss) + (1 - weight) * second.score(loss)


@given(mechanisms())
def test_symmetrisation_is_theorem_1(m):
    s = dc.symmetrise(m)
    assert s.satisfies("S") and m.shape.names <= s.shape.names
    assert s.tight_alpha >= m.tight_alpha
    for loss in ("L0", "L1", "L0,1"):
        assert s.score(loss) == m.score(loss)
    assert s.score("L0", "Binomial(1/2)") == m.score("L0", "Binomial(1/2)")


def test_symmetrisation_can_change_the_cost_under_a_lopsided_prior():
    """The paper's Theorem 1 says 'the same objective value'; that needs a symmetric prior and loss."""
    m = dc.postprocess(dc.geometric(n=2, alpha="1/2"), [[1, 1, 0], [0, 0, 1], [0, 0, 0]])
    prior = ["1/2", "1/2", 0]
    assert dc.symmetrise(m).score("L0", prior) != m.score("L0", prior)


@given(st.data(), named(n=4))
def test_post_processing_keeps_privacy(data, m):
    after = dc.postprocess(m, data.draw(stochastic_maps(4)))
    assert after.tight_alpha >= m.tight_alpha


@given(st.data(), st.integers(1, 5), alphas)
@settings(max_examples=tries(40))
def test_what_derives_from_gm_is_found_with_its_map(data, n, alpha):
    gm = dc.geometric(n=n, alpha=alpha)
    by = data.draw(stochastic_maps(n))
    m = dc.postprocess(gm, by)
    found = dc.derives_from_geometric(m)
    assert found.holds and [list(row) for row in found.map] == by


@given(mechanisms())
def test_the_test_is_the_papers_inequality(m):
    """Gupte-Sundararajan: three adjacent entries, for all interior columns."""
    a, n = m.alpha, m.n
    holds = all(
        m[i, j] - a * m[i, j - 1] >= a * (m[i, j + 1] - a * m[i, j])
        for i in range(n + 1)
        for j in range(1, n)
    )
    found = dc.derives_from_geometric(m)
    assert found.holds == holds
    if found.holds:
        assert dc.postprocess(dc.geometric(n=n, alpha=a), found.map) == m
    else:
        i, j = found.witness
        assert m[i, j] - a * m[i, j - 1] < a * (m[i, j + 1] - a * m[i, j])


@given(n=st.integers(2, 12), alpha=st.fractions("1/50", "49/50", max_denominator=50))
def test_em_does_not_derive_from_gm(n, alpha):
    """The paper's witness: Pr[2|0] = Pr[2|1] = y a and Pr[2|2] = y, for every n >= 2 and 0 < a < 1."""
    m = dc.fair(n=n, alpha=alpha)
    assert m[2, 0] == m[2, 1] == alpha * m[2, 2]
    assert not dc.derives_from_geometric(m)


def test_at_alpha_one_only_what_ignores_the_input_derives():
    assert dc.derives_from_geometric(dc.uniform(n=3)).holds
    assert dc.derives_from_geometric(dc.uniform(n=0)).map == ((Fraction(1),),)


def test_bad_input_is_named():
    g = dc.geometric(n=2, alpha="1/2")
    with pytest.raises(InvalidInput, match="weight"):
        dc.mix(g, g, weight=2)
    with pytest.raises(InvalidInput, match="same n"):
        dc.mix(g, dc.uniform(n=3), weight=0.5)
    with pytest.raises(InvalidInput, match="column-stochastic"):
        dc.postprocess(g, [[1, 1, 1], [1, 0, 0], [0, 0, 0]])
    with pytest.raises(InvalidInput, match=r"0\.\.2"):
        dc.postprocess(g, [[1, 0], [0, 1]])
    assert len(PROPERTIES) == 7
