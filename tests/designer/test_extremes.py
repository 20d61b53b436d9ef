"""Degenerate and extreme settings: alpha from 1/1000 to 1, tiny groups, priors with zeros, far tails."""

import logging
from fractions import Fraction

import pytest
from tests.designer.tools import SUBSETS, by_program, proven

import discreet as dc
from discreet.core.certificate import read_problem
from discreet.designer.single import likely_seconds, spoken


@pytest.mark.parametrize("alpha", ["1", "9999/10000", "1/2", "1/10", "1/1000"])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 7])
def test_extreme_alphas(n, alpha):
    for subset in ("", "WH", "CM RM", "F", "RH CH S", "ODP:1/2", "WH CM F ODP:1"):
        for loss, worst_case in (("L0", False), ("L1", True), ("L2", False)):
            m = dc.design(
                n=n, alpha=alpha, properties=subset, loss=loss, worst_case=worst_case, cache=False
            )
            assert m.origin.certificate.optimal
            assert m.satisfies(subset)
            assert proven(m)


def test_at_alpha_one_the_input_is_ignored():
    m = dc.design(n=4, alpha=1, loss="L1", properties="RM", cache=False)
    assert len({m.column(j) for j in range(5)}) == 1
    assert m[2, 0] == 1, "the median"
    assert dc.design(n=4, alpha=1, properties="WH", cache=False) == dc.uniform(n=4)
    assert dc.design(n=4, epsilon=0, properties="CM", loss="L2", cache=False) == dc.uniform(n=4)


def test_full_output_dp_leaves_only_blind_guessing():
    assert (
        dc.design(n=3, alpha="1/2", properties="ODP:1", loss="L1", cache=False).form
        == dc.uniform(n=3).form
    )


def test_nobody_has_one_answer():
    for subset in SUBSETS[::17]:
        assert dc.design(n=0, alpha="1/2", properties=subset).matrix == ((Fraction(1),),)
    assert dc.design(n=0, alpha="1/2", loss=[[5]], worst_case=True).origin.certificate.bound == 5


@pytest.mark.parametrize("prior", [[0, 0, 1, 0, 0], [1, 0, 0, 0, 0], ["1/2", 0, 0, 0, "1/2"]])
@pytest.mark.parametrize("subset", ["", "WH", "CM", "RM F", "S"])
def test_priors_with_zeros(prior, subset):
    for worst_case in (False, True):
        m = dc.design(
            n=4,
            alpha="3/4",
            properties=subset,
            loss="L1",
            prior=prior,
            worst_case=worst_case,
            cache=False,
        )
        assert proven(m)


def test_asymmetric_losses_are_not_symmetrised():
    # undercounting costs three times overcounting
    loss = [[3 * (j - i) if i < j else i - j for j in range(6)] for i in range(6)]
    m = dc.design(n=5, alpha="3/4", loss=loss, properties="WH", cache=False)
    assert proven(m)
    assert not m.satisfies("S")
    forced = dc.design(n=5, alpha="3/4", loss=loss, properties="WH S", cache=False)
    assert proven(forced)
    assert forced.satisfies("S")
    assert forced.score(loss) > m.score(loss)


@pytest.mark.parametrize(
    ("n", "alpha"), [(40, "1/3"), (20, "1/10"), (12, "1/1000"), (30, "9999/10000")]
)
@pytest.mark.parametrize("subset", ["CM", "F RM", "WH"])
def test_entries_below_the_solvers_tolerance(n, alpha, subset):
    m = by_program(n=n, alpha=alpha, properties=subset, loss="L1")
    assert m.origin.certificate.optimal
    assert m.satisfies(subset)


@pytest.mark.slow
@pytest.mark.parametrize("loss", ["L0", "L2"])
@pytest.mark.parametrize("subset", ["", "WH", "CM RM", "F CM", "ODP:1/4"])
def test_the_far_tail_at_the_losses_that_weigh_it_least_and_most(subset, loss):
    for worst_case in (False, True):
        assert proven(
            by_program(n=40, alpha="1/3", properties=subset, loss=loss, worst_case=worst_case)
        )


@pytest.mark.slow
def test_the_largest_program_asked_for():
    m = dc.design(n=100, epsilon=0.1, properties="WH CM RM", loss="L1", cache=False)
    assert m.satisfies("WH CM RM S")
    assert proven(m)


@pytest.mark.parametrize(
    ("asked", "match"),
    [
        ({"properties": "ODP:3/2"}, "output-DP ratio in"),
        ({"properties": "XX"}, "unknown name"),
        ({"loss": "L9x"}, "not a known loss"),
        ({"prior": [1, 0]}, "n\\+1 = 4 weights"),
        ({"gap": 2}, "`gap` must be in"),
        ({"gap": "NaN"}, "`gap` must be a finite number"),
        ({"epsilon": 1}, "exactly one of them"),
        ({"n": -1}, "`n` must be at least 0"),
        ({"n": 2.0}, "`n` must be a whole number"),
        ({"seconds": -1}, "`seconds` must"),
    ],
)
def test_bad_requests_say_what_is_wrong(asked, match):
    with pytest.raises(dc.DiscreetError, match=match):
        dc.design(**{"n": 3, "alpha": "1/2", **asked})


def test_a_long_solve_is_announced(monkeypatch, caplog):
    monkeypatch.setattr("discreet.designer.single.TELL_FROM", 0.0)
    said = []
    dc.design(n=5, alpha="10/11", properties="CM", loss="L1", cache=False, progress=said.append)
    assert len(said) == 1
    assert "likely to take about 1 second" in str(said[0]) and said[0].left > 0
    with caplog.at_level(logging.WARNING):
        dc.design(n=5, alpha="10/11", properties="CM", loss="L1", cache=False)
    assert "n = 5" in caplog.text


def test_the_estimate_grows_with_what_makes_it_slow():
    def seconds(**asked):
        return likely_seconds(
            read_problem(**{"n": 60, "alpha": "10/11", "properties": "CM", "loss": "L1", **asked})
        )

    assert seconds(n=30) < seconds() < seconds(n=100) < seconds(n=200)
    assert seconds() < seconds(worst_case=True)
    assert seconds() < seconds(prior="Binomial(1/3)")
    assert spoken(1) == "about 1 second"
    assert spoken(7200) == "about 2 hours"


def test_an_alpha_below_the_least_float():
    m = dc.design(n=6, alpha="1e-330", properties="F CM", loss="L2", cache=False)
    assert proven(m)
