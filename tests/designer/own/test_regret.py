"""Robust to the wrong prior: the least worst ratio over a set of priors, exact and proven."""

import json
from fractions import Fraction

import pytest

import discreet as dc
from discreet.errors import InvalidFile, InvalidInput, NotProven, ProofFailed
from discreet.proof import examine
from discreet.proof.files import to_bytes
from discreet.proof.loading import from_bytes
from discreet.proof.reading import sealed

BINOMIALS = [f"Binomial({Fraction(k, 20)})" for k in range(1, 20)]


def worst(m, best, loss="L0"):
    """The worst ratio of a mechanism to each prior's optimum."""
    return max(m.score(loss, prior) / least for prior, least in best.items())


def optima(n, priors, **asked):
    loss = asked.get("loss", "L0")
    return {
        prior: dc.design(n=n, prior=prior, cache=False, **asked).score(loss, prior)
        for prior in priors
    }


def test_nineteen_binomials():
    """FACTS, section 7: 29.9% above the optimum at worst, where GM is 49.9% and EM 116% above."""
    asked = {"n": 8, "epsilon": "1/2"}
    m = dc.design(priors=BINOMIALS, regret=True, cache=False, **asked)
    best = optima(8, BINOMIALS, epsilon="1/2")
    regret = m.origin.problem.regret
    assert worst(m, best) == regret.value and f"{float(regret.value) - 1:.3f}" == "0.299"
    assert f"{float(worst(dc.geometric(**asked), best)) - 1:.3f}" == "0.499"
    assert f"{float(worst(dc.fair(**asked), best)) - 1:.2f}" == "1.16"
    assert [one.cost for one in regret.optima] == list(best.values())


@pytest.mark.parametrize(
    ("properties", "loss"), [("", "L1"), ("WH", "L0"), ("F", "L2"), ("CM S", "L1")]
)
def test_no_mixture_and_no_rival_does_better(properties, loss):
    """The value is a ratio that is attained; each prior's own optimum, and mixtures with them, have none that is lower."""
    priors = ["Binomial(1/5)", "Binomial(1/2)", "uniform"]
    asked = {"alpha": "3/4", "properties": properties, "loss": loss}
    m = dc.design(n=4, priors=priors, regret=True, cache=False, **asked)
    best = optima(4, priors, **asked)
    value = m.origin.problem.regret.value
    assert m.satisfies(properties) and worst(m, best, loss) == value >= 1
    for prior in priors:
        rival = dc.design(n=4, prior=prior, cache=False, **asked)
        for weight in ("0", "1/20", "1/2"):
            assert worst(dc.mix(m, rival, weight=weight), best, loss) >= value
    between = [
        Fraction(1, 3) * sum(row)
        for row in zip(*(_weights(prior) for prior in priors), strict=True)
    ]
    least = dc.design(n=4, prior=between, cache=False, **asked).score(loss, between)
    assert m.score(loss, between) / least <= value, "over the whole convex hull"
    assert sum(m.origin.problem.regret.shares) == 1 and examine(to_bytes(m))[0].optimal


def _weights(prior):
    from discreet.core.losses import read_prior

    return read_prior(prior, 4).weights


def test_one_prior_has_no_regret():
    m = dc.design(
        n=4, alpha="3/4", priors=["Binomial(0.3)"], regret=True, properties="WH", cache=False
    )
    plain = dc.design(n=4, alpha="3/4", prior="Binomial(0.3)", properties="WH", cache=False)
    assert m.origin.problem.regret.value == 1
    assert m.score("L0", "Binomial(0.3)") == plain.score("L0", "Binomial(0.3)")


def test_what_it_cannot_be_asked_with():
    asked = {"n": 4, "alpha": "1/2", "cache": False}
    own = dc.rows("cap", [({(0, 0): 1}, "<=", "1/2")])
    for wrong in (
        {"regret": True},
        {"priors": ["uniform"]},
        {"priors": ["uniform"], "regret": True, "prior": "Binomial(0.3)"},
        {"priors": ["uniform"], "regret": True, "worst_case": True},
        {"priors": ["uniform"], "regret": True, "step": 2},
        {"priors": ["uniform"], "regret": True, "derivable": True},
        {"priors": ["uniform"], "regret": True, "properties": [own]},
    ):
        with pytest.raises(InvalidInput, match="`regret` must be asked with `priors`"):
            dc.design(**asked | wrong)
    for priors, said in (
        ("uniform", "a list of priors"),
        ([], "1 to 200"),
        (["x"], "known prior"),
        ([[1, 0, 0, 0, 0]], "costs 0"),
    ):
        with pytest.raises(InvalidInput, match=said):
            dc.design(priors=priors, regret=True, **asked)
    with pytest.raises(InvalidInput, match="1 to 60"):
        dc.design(**asked | {"n": 61}, priors=["uniform"], regret=True)
    with pytest.raises(NotProven, match="`seconds`"):
        dc.design(**asked | {"n": 8}, priors=BINOMIALS, regret=True, seconds=0)


class TestFiles:
    data = to_bytes(
        dc.design(
            n=3, alpha="3/4", priors=["Binomial(1/5)", "Binomial(2/3)"], regret=True, cache=False
        )
    )

    def changed(self, change):
        document = json.loads(self.data)
        change(document, document["claims"]["regret"])
        document["seal"] = sealed(document)
        return json.dumps(document).encode()

    def test_it_is_read_back(self):
        back = from_bytes(self.data)
        assert to_bytes(back) == self.data and back.origin.problem.regret.value > 1
        assert any(
            check.startswith("regret: under each of 2 priors")
            for check in examine(self.data)[0].checks
        )

    @pytest.mark.parametrize(
        "change",
        [
            lambda d, r: r.update(value="1/1"),
            lambda d, r: r.update(value="2/1"),
            lambda d, r: r.update(shares=["1/1", "0/1"]),
            lambda d, r: r.update(shares=["1/2", "1/3"]),
            lambda d, r: r["priors"].reverse(),
            lambda d, r: r["optima"][0].update(cost="1/2"),
            lambda d, r: r["optima"][0]["multipliers"].pop(),
            lambda d, r: r["optima"].reverse(),
        ],
    )
    def test_a_lie_fails(self, change):
        with pytest.raises(ProofFailed):
            examine(self.changed(change))

    @pytest.mark.parametrize(
        "change",
        [
            lambda d, r: d.update(version=2),
            lambda d, r: r["shares"].pop(),
            lambda d, r: r.pop("value"),
            lambda d, r: r["priors"].append("uniform"),
            lambda d, r: d["claims"].update(regret=7),
            lambda d, r: d.update(optimality=None),
        ],
    )
    def test_what_the_format_does_not_say_is_refused(self, change):
        with pytest.raises((InvalidFile, ProofFailed)):
            examine(self.changed(change))
