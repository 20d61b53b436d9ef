"""Each theorem the designer uses, against the linear program, on both sides of its conditions."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.amounts import tries
from tests.designer.tools import SUBSETS, by_program, proven
from tests.grids import everywhere
from tests.strategies import alphas

import discreet as dc
from discreet.core.certificate import read_problem
from discreet.core.forms import ColumnHonest
from discreet.core.properties import Shape
from discreet.designer.theorems.closed_form import (
    best_labels,
    closed_form,
    geometric_has,
    nearly_optimal,
    relabelled_geometric,
)
from discreet.designer.theorems.multipliers import relabelled_multipliers
from discreet.proof import examine
from discreet.proof.files import to_bytes


def theorem(**asked):
    problem = read_problem(**asked)
    return closed_form(problem, dc.Alpha(value=problem.alpha, epsilon=Fraction(10)))


def agrees(**asked):
    """The theorem's answer costs exactly what the program's does, and is proven."""
    found, solved = theorem(**asked), by_program(**asked)
    assert found is not None
    assert found.origin.certificate.cost == solved.origin.certificate.cost
    assert found.satisfies(asked.get("properties"))
    assert proven(found)
    return found


def needs_program(**asked):
    assert theorem(**asked) is None
    return by_program(**asked)


@pytest.mark.parametrize("alpha", ["1/10", "1/2", "3/4", "10/11"])
@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_gm_is_the_only_optimum_of_l0(n, alpha):
    assert (
        by_program(n=n, alpha=alpha) == dc.geometric(n=n, alpha=alpha) == agrees(n=n, alpha=alpha)
    )


def test_gm_is_weakly_honest_from_its_threshold_on():
    # 2a/(1-a) = 6 at a = 3/4
    assert agrees(n=6, alpha="3/4", properties="WH") == dc.geometric(n=6, alpha="3/4")
    assert agrees(n=7, alpha="3/4", properties="WH RM") == dc.geometric(n=7, alpha="3/4")
    below = agrees(n=5, alpha="3/4", properties="WH")
    assert below == dc.weakly_honest(n=5, alpha="3/4")
    assert below.score("L0") > dc.geometric(n=5, alpha="3/4").score("L0")
    assert agrees(n=1, alpha="3/4", properties="WH") == dc.geometric(n=1, alpha="3/4"), (
        "n = 1 is excepted"
    )


def test_gm_is_column_monotone_up_to_one_half():
    assert agrees(n=4, alpha="1/2", properties="CM") == dc.geometric(n=4, alpha="1/2")
    assert agrees(n=4, alpha="2/5", properties="CM RM WH") == dc.geometric(n=4, alpha="2/5")
    above = agrees(n=4, alpha="51/100", properties="CM")
    assert above.score("L0") > dc.geometric(n=4, alpha="51/100").score("L0")
    assert needs_program(n=2, alpha="51/100", properties="CM").score("L0") > Fraction(102, 151)
    assert agrees(n=1, alpha="9/10", properties="CM") == dc.geometric(n=1, alpha="9/10"), (
        "n = 1 is excepted"
    )


@given(
    n=st.integers(1, 6),
    a=alphas,
    subset=st.sampled_from(SUBSETS),
    ratio=st.fractions(Fraction(1, 20), 1, max_denominator=20),
)
def test_the_guard_of_gm_is_what_gm_has(n, a, subset, ratio):
    for output_dp in (None, ratio, a, a * (1 - a)):
        shape = Shape(names=frozenset(subset.split()), output_dp=output_dp)
        assert geometric_has(shape, n, a) == dc.geometric(n=n, alpha=a).satisfies(shape)


@pytest.mark.parametrize("extra", ["", "RH", "RM", "S", "RM S"])
@pytest.mark.parametrize(("n", "alpha"), [(2, "4/5"), (3, "4/5"), (4, "10/11"), (5, "10/11")])
def test_wm_is_the_optimum_of_weak_honesty(n, alpha, extra):
    assert agrees(n=n, alpha=alpha, properties=f"WH {extra}").score("L0") == dc.weakly_honest(
        n=n, alpha=alpha
    ).score("L0")


def test_the_zero_one_theorems_need_the_uniform_prior():
    prior = ["1/10", "2/5", "2/5", "1/10"]
    wm = needs_program(n=3, alpha="4/5", properties="WH", prior=prior)
    assert wm.score("L0", prior) < dc.weakly_honest(n=3, alpha="4/5").score("L0", prior)
    gm = agrees(n=3, alpha="4/5", prior=prior)
    assert gm.score("L0", prior) < dc.geometric(n=3, alpha="4/5").score("L0", prior)


@pytest.mark.parametrize("prior", [None, "Binomial(0.3)", ["1/2", 0, 0, "1/2", 0]])
@pytest.mark.parametrize("more", ["", "CM", "RM CM WH S", "ODP:1/2"])
def test_em_is_the_best_fair_mechanism_for_every_prior(prior, more):
    for worst_case in (False, True):
        asked = {
            "n": 4,
            "alpha": "4/5",
            "properties": f"F {more}",
            "prior": prior,
            "worst_case": worst_case,
        }
        assert agrees(**asked) == dc.fair(n=4, alpha="4/5")


def test_em_has_output_dp_up_to_alpha_only():
    assert agrees(n=4, alpha="4/5", properties="F ODP:4/5") == dc.fair(n=4, alpha="4/5")
    beyond = needs_program(n=4, alpha="4/5", properties="F ODP:9/10")
    assert beyond.score("L0") > dc.fair(n=4, alpha="4/5").score("L0")


@pytest.mark.parametrize("subset", SUBSETS[::9])
def test_em_is_best_in_the_worst_case_for_every_shape(subset):
    assert agrees(n=4, alpha="4/5", properties=subset, worst_case=True) == dc.fair(n=4, alpha="4/5")
    prior = ["1/2", "1/8", "1/8", "1/8", "1/8"]
    if "F" not in subset.split():
        assert theorem(n=4, alpha="4/5", properties=subset, worst_case=True, prior=prior) is None


@pytest.mark.parametrize(
    ("first", "rr"), [("10/21", True), ("11/21", True), ("1/3", False), ("7/10", False)]
)
def test_randomized_response_is_best_when_both_bits_are_likely_enough(first, rr):
    # a <= w1/w0 <= 1/a at a = 9/10
    prior = [first, 1 - Fraction(first)]
    m = agrees(n=1, alpha="9/10", prior=prior)
    assert (m == dc.geometric(n=1, alpha="9/10")) == rr
    if not rr:
        assert 1 in (m[0, 0], m[1, 0]), "always the likelier bit"
    assert agrees(n=1, alpha="9/10", prior=prior, properties="F") == dc.geometric(n=1, alpha="9/10")


@pytest.mark.parametrize("loss", ["L1", "L2", "L0,1", 3])
@pytest.mark.parametrize(
    ("n", "alpha", "prior"),
    [(4, "10/11", None), (5, "3/4", "Binomial(1/3)"), (4, "1/3", [0, 0, 1, 0, 0])],
)
def test_relabelled_gm_is_the_optimum_without_properties(n, alpha, prior, loss):
    agrees(n=n, alpha=alpha, prior=prior, loss=loss)


@settings(max_examples=tries(40))
@given(data=st.data(), n=st.integers(1, 4), a=alphas)
def test_relabelling_serves_every_loss_that_grows_away_and_no_other_is_trusted(data, n, a):
    steps = st.lists(st.integers(-1 if data.draw(st.booleans()) else 0, 3), min_size=n, max_size=n)
    columns = []
    for j in range(n + 1):
        moves = data.draw(steps)
        column = [0] * (n + 1)
        for i in range(j + 1, n + 1):
            column[i] = max(0, column[i - 1] + moves[i - 1])
        for i in range(j - 1, -1, -1):
            column[i] = max(0, column[i + 1] + moves[i])
        columns.append(column)
    loss = [list(row) for row in zip(*columns, strict=True)]
    weights = data.draw(st.lists(st.integers(0, 4), min_size=n + 1, max_size=n + 1).filter(any))
    prior = [Fraction(w, sum(weights)) for w in weights]
    problem = read_problem(n=n, alpha=a, loss=loss, prior=prior)
    found = relabelled_multipliers(problem)
    grows = all(
        loss[i][j] <= loss[i + 1][j] if i >= j else loss[i][j] >= loss[i + 1][j]
        for j in range(n + 1)
        for i in range(n)
    )
    assert found is not None or not grows
    if found is not None:
        assert (
            found.cost == by_program(n=n, alpha=a, loss=loss, prior=prior).origin.certificate.cost
        )


@pytest.mark.slow
@settings(max_examples=tries(150))
@given(data=st.data(), n=st.integers(1, 5))
def test_the_best_labels_are_those_of_exact_arithmetic(data, n):
    """Ties, zeros, and numbers too large, too small or too close for a float."""
    value = st.sampled_from(
        [0, 1, 2, Fraction(1, 3), 1 + Fraction(1, 10**25), 10**400, Fraction(1, 10**400), 10**150]
    )
    weight = st.sampled_from([0, 1, 1, 2, Fraction(1, 10**330), Fraction(1, 3)])
    loss = [[data.draw(value) for _ in range(n + 1)] for _ in range(n + 1)]
    weights = data.draw(st.lists(weight, min_size=n + 1, max_size=n + 1).filter(any))
    alpha = data.draw(
        st.sampled_from(["1/2", "1", Fraction(1, 10**200), 1 - Fraction(1, 10**14), "10/11"])
    )
    prior = [Fraction(w) / sum(weights) for w in weights]
    asked = read_problem(n=n, alpha=alpha, loss=loss, prior=prior)
    form = relabelled_geometric(asked)
    for i in range(n + 1):
        price = [
            sum(w * Fraction(loss[r][j]) * asked.alpha ** abs(i - j) for j, w in enumerate(prior))
            for r in range(n + 1)
        ]
        best = [r for r in range(n + 1) if price[r] == min(price)]
        near = min(abs(r - i) for r in best)
        assert form.labels[i] == tuple(r for r in best if abs(r - i) == near)


def test_ties_keep_a_symmetric_problem_symmetric():
    for n in range(1, 8):
        for alpha in ("1/2", "3/4", "10/11", 1):
            for loss in ("L1", "L2", "L0,1"):
                assert theorem(n=n, alpha=alpha, loss=loss).satisfies("S")


@everywhere(
    n=[3, 4, 5, 8, 11],
    alpha=["501/1000", "3/5", "20841/34361", "2/3"],
    properties=["CH", "WH CM", "CM RM S"],
)
def test_gm_with_its_ends_moved_inward_is_what_the_program_finds_for_honest_columns(
    n, alpha, properties
):
    """The same matrix, so also the same id: it did not change when the theorem was found."""
    asked = {"n": n, "alpha": alpha, "properties": properties}
    found, solved = agrees(**asked), by_program(**asked)
    assert found == solved
    assert found.id == solved.id
    assert type(found.form) is ColumnHonest


def test_the_column_honest_theorem_ends_where_it_ends():
    for asked in (
        {"alpha": "67/100"},
        {"alpha": "7/10", "properties": "WH CM RM"},
        {"n": 2},
        {"properties": "CM ODP:1/10"},
        {"prior": "Binomial(0.3)"},
        {"worst_case": True},
        {"loss": "L1"},
        {"properties": "WH"},
        {"properties": "F CM"},
    ):
        found = theorem(**{"n": 4, "alpha": "3/5", "properties": "CM", **asked})
        assert found is None or not isinstance(found.form, ColumnHonest)


def test_the_best_column_honest_mechanism_of_a_nation_comes_at_once():
    m = dc.design(n=10**6, alpha="3/5", properties="WH CM")
    a, n = Fraction(3, 5), 10**6
    assert m.form == ColumnHonest(n, a)
    assert m.origin.optimal
    assert m.satisfies("RM CM WH S")
    assert "optimal by Column-honest theorem: GM with its ends" in str(m)
    report = examine(to_bytes(m))[0]
    assert report.optimal
    assert report.by_theorem == str(n)
    assert dc.design(n=500, alpha=a, properties="CM").form == ColumnHonest(
        500, a
    )  # where EM used to be near enough
    for n in (3, 10**9):
        best = dc.best_cost(n=n, alpha=a, properties="CM")
        assert (
            best.cost == best.bound == 2 * a / (1 + a) + (1 - a) * (2 * a - 1) / (a * (1 + a) * n)
        )


def test_beyond_the_sensible_size_em_comes_with_its_gap():
    m = dc.design(n=201, alpha="9/10", properties="CM RM", cache=False)
    certificate = m.origin.certificate
    assert m == dc.fair(n=201, alpha="9/10")
    assert 0 < certificate.gap < Fraction(1, 201)
    assert certificate.bound == 2 * Fraction(9, 10) / (1 + Fraction(9, 10)), "GM's cost"
    assert "of optimal, proven" in m.origin.method
    assert examine(to_bytes(dc.design(n=5000, alpha="9/10", properties="CM")))[0].optimal is False
    assert dc.design(n=5000, alpha="9/10", properties="CM").origin.method.endswith(
        "within 0.0200% of optimal, proven"
    )


def test_very_large_groups_are_answered_at_once_or_refused_with_a_reason():
    assert dc.design(n=100_000, alpha="9/10", properties="CM").form.text() == "fair 100000 9/a"
    assert (
        dc.design(n=100_000, alpha="9/10", properties="WH RM").form.text() == "geometric 100000 9/a"
    )
    with pytest.raises(dc.DiscreetError, match="too large for the linear program"):
        dc.design(n=100_000, alpha="9/10", properties="CM", loss="L1")
    with pytest.raises(dc.DiscreetError, match="too large for the linear program"):
        dc.design(n=100_000, alpha="9/10", properties="CM", gap=0)
    assert (
        nearly_optimal(
            read_problem(n=300, alpha="9/10", loss="L1"),
            dc.Alpha(value=Fraction(9, 10), epsilon=Fraction(1)),
        )
        is None
    )


@pytest.mark.parametrize("alpha", ["1/1000", "1/2", "9/10", "1"])
@pytest.mark.parametrize("loss", ["L0", "L0,1", "L1", "L2", 0.5])
@pytest.mark.parametrize("prior", [None, "Binomial(1/3)", ["1/2", 0, 0, 0, "1/2"]])
def test_the_best_labels_are_the_cheapest_and_nearest_by_fractions(alpha, loss, prior):
    asked = read_problem(n=4, alpha=alpha, loss=loss, prior=prior)
    for i, chosen in enumerate(best_labels(asked)):
        cost = [
            sum(
                w * asked.loss.cost(r, j) * asked.alpha ** abs(i - j)
                for j, w in enumerate(asked.prior.weights)
            )
            for r in range(5)
        ]
        best = [r for r in range(5) if cost[r] == min(cost)]
        nearest = min(abs(r - i) for r in best)
        assert chosen == tuple(r for r in best if abs(r - i) == nearest)
