"""The census: exact, the same as solving all 128 problems, and at most four behaviours under L0."""

import json
from fractions import Fraction

import pytest

import discreet as dc
from discreet.choosing.census import all_subsets, census
from discreet.core.properties import Shape, closure, read_shape
from discreet.errors import InvalidInput

ALPHAS = ["1/2", "2/3", "19/25", "9/10", "10/11", "99/100"]
LOSSES = ["L0", "L1", "L2", "L0,1"]


def expected_under_l0(n: int, alpha: Fraction) -> list[str]:
    """The largest set that each behaviour serves, by the paper's flowchart with its exceptions."""
    if n == 1:
        return ["RH RM CH CM WH F S"]
    if alpha <= Fraction(1, 2):
        return ["RH RM CH CM WH S", "RH RM CH CM WH F S"]
    if n == 2:
        # the smallest case: weak honesty costs as much as the column properties
        return ["RH RM S", "RH RM CH CM WH S", "RH RM CH CM WH F S"]
    if n >= 2 * alpha / (1 - alpha):
        return ["RH RM WH S", "RH RM CH CM WH S", "RH RM CH CM WH F S"]
    return ["RH RM S", "RH RM WH S", "RH RM CH CM WH S", "RH RM CH CM WH F S"]


def holds_the_claim(n: int, alpha: str) -> None:
    found = census(n=n, alpha=alpha)
    named = [str(b.properties) for b in found.behaviours]
    assert len(found) <= 4
    assert named == expected_under_l0(n, Fraction(alpha))
    assert len(found.costs) == len(found)
    assert sum(len(b.subsets) for b in found.behaviours) == 128


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_at_most_four_behaviours_under_l0(n, alpha):
    holds_the_claim(n, alpha)


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [*ALPHAS, "11/20", "3/5", "7/10", "4/5", "19/20", "999/1000"])
@pytest.mark.parametrize("n", [7, 8, 9, 10, 12, 15])
def test_at_most_four_behaviours_under_l0_on_a_larger_grid(n, alpha):
    holds_the_claim(n, alpha)


def test_the_cheapest_and_the_dearest_behaviour_under_l0_are_gm_and_em():
    found = census(n=4, alpha="10/11")
    assert found.behaviours[0].mechanism == dc.geometric(n=4, alpha="10/11")
    assert found.behaviours[1].mechanism.score("L0") == dc.weakly_honest(n=4, alpha="10/11").score(
        "L0"
    )
    assert found.behaviours[-1].mechanism == dc.fair(n=4, alpha="10/11")
    assert [len(b.subsets) for b in found.behaviours] == [8, 8, 48, 64]


@pytest.mark.parametrize(
    ("n", "alpha", "loss"),
    [*((2, "9/10", loss) for loss in LOSSES), (3, "2/3", LOSSES[0]), (3, "2/3", LOSSES[-1])],
)
def test_the_squeeze_agrees_with_solving_every_set_by_itself(n, alpha, loss):
    found = census(n=n, alpha=alpha, loss=loss)
    assert found.solved < 20
    for shape in all_subsets():
        best = dc.design(n=n, alpha=alpha, properties=shape, loss=loss, cache=False)
        assert found.of(shape).cost == best.score(loss)


@pytest.mark.parametrize("loss", LOSSES)
def test_each_behaviour_serves_its_sets_and_none_is_superfluous(loss):
    found = census(n=4, alpha="9/10", loss=loss)
    seen: list[Shape] = []
    for b in found.behaviours:
        assert b.mechanism.score(loss) == b.cost
        assert b.mechanism.origin.certificate.optimal
        assert all(b.mechanism.satisfies(shape) for shape in b.subsets)
        assert closure(b.properties) == b.properties
        seen += b.subsets
    assert len(seen) == len(set(seen)) == 128
    for one in found.behaviours:
        for other in found.behaviours:
            if one is not other and one.cost == other.cost:
                assert not one.properties <= other.properties


def test_an_asymmetric_loss_gets_no_free_symmetry():
    # answering too low costs twice as much as answering too high
    loss = [[2 * (j - i) if i < j else i - j for j in range(4)] for i in range(4)]
    found = census(n=3, alpha="2/3", loss=loss)
    assert found.of(read_shape("S")).cost > found.of(read_shape(None)).cost
    for text in ("", "S", "F", "CM S", "RM WH"):
        best = dc.design(n=3, alpha="2/3", properties=text, loss=loss, cache=False)
        assert found.of(read_shape(text)).cost == best.score(loss)


def test_column_monotonicity_can_cost_more_than_column_honesty():
    # with row honesty, under squared error; never seen without row honesty, nor under L0, L0,1 and L1
    ask = {"n": 8, "alpha": "0.93", "loss": "L2"}
    honest, monotone = (dc.design(**ask, properties=p) for p in ("RH CH", "RH CM"))
    assert honest.origin.certificate.optimal and monotone.origin.certificate.optimal
    assert 1 < monotone.score("L2") / honest.score("L2") < 1 + Fraction(1, 100_000)
    assert "RH CH WH S" in [
        str(b.properties) for b in census(n=8, alpha="0.93", loss="L2").behaviours
    ]


def test_worst_case_l0_has_one_behaviour():
    # EM is optimal there for every set of the seven properties
    found = census(n=4, alpha="10/11", worst_case=True)
    assert len(found) == 1
    assert found.behaviours[0].cost == dc.fair(n=4, alpha="10/11").score("L0", worst_case=True)


def test_text_and_json():
    found = census(n=4, alpha="10/11")
    text = str(found)
    assert max(map(len, text.splitlines())) <= 80
    assert "4 behaviours" in text
    plain = json.loads(json.dumps(found.to_dict()))
    assert [Fraction(b["cost_exact"]) for b in plain["behaviours"]] == list(found.costs)


def test_a_census_has_its_limits():
    with pytest.raises(InvalidInput, match="at most 40"):
        census(n=41, alpha="1/2")
