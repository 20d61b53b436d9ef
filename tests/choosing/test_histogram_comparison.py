"""Ways to release a histogram side by side, and which one to use."""

from fractions import Fraction
from itertools import product

import pytest

import discreet as dc
from discreet.choosing.histograms.histogram_rivals import blind, each_person, worst_bias
from discreet.core.histogram import Histogram
from discreet.core.rationals import read_alpha
from discreet.errors import InvalidInput

ANSWERS = ["never", "former", "current"]


@pytest.mark.parametrize(("n", "k", "alpha"), [(2, 3, "1/2"), (3, 3, "2/3"), (2, 4, "1/5")])
def test_randomised_response_of_each_person_is_what_people_report(n, k, alpha):
    """Against everybody's reports, one by one."""
    m = each_person(Histogram(n, k), read_alpha(alpha=alpha))
    truth = 1 / (1 + (k - 1) * Fraction(alpha))
    for people in [(0,) * n, tuple(range(n))]:
        chances = dict.fromkeys(m.domain.points, Fraction(0))
        for reports in product(range(k), repeat=n):
            chance = Fraction(1)
            for mine, told in zip(people, reports, strict=True):
                chance *= truth if mine == told else truth * Fraction(alpha)
            chances[tuple(reports.count(c) for c in range(k))] += chance
        assert m.column(tuple(people.count(c) for c in range(k))) == tuple(chances.values())
    assert m.tight_alpha == Fraction(alpha)


def test_the_largest_bias_is_that_of_the_columns():
    for m in (
        each_person(Histogram(3, 3), read_alpha(alpha="1/2")),
        blind(Histogram(2, 4)),
        dc.design(n=3, categories=3, alpha="1/2", prior="Multinomial(1/2, 1/4, 1/4)", cache=False),
    ):
        points = m.domain.points
        means = {
            t: [
                sum(o[c] * x for o, x in zip(points, m.column(t), strict=True))
                for c in range(len(t))
            ]
            for t in points
        }
        assert worst_bias(m.form) == max(
            abs(mean - true) for t in points for mean, true in zip(means[t], t, strict=True)
        )


def test_scores_are_exact_and_the_joint_design_is_the_best():
    table = dc.compare(n=4, categories=3, epsilon=1, loss="L1")
    assert [entry.label for entry in table] == ["joint", "cells", "RR", "UM"]
    assert table["joint"].l1 == dc.design(n=4, categories=3, epsilon=1, loss="L1").score("L1")
    assert table["cells"].l1 == dc.cells(n=4, categories=3, epsilon=1).misplaced
    assert table["UM"].l0 == Fraction(14, 15)
    for entry in table:
        assert entry.l1 >= table["joint"].l1
        assert entry.mechanism.domain == Histogram(4, 3)


def test_cells_are_scored_under_any_prior():
    """All histograms alike, written out, is the uniform prior; and one histogram alone is its own column."""
    uniform = dc.compare("cells", n=3, categories=3, epsilon=1)["cells"]
    given = dc.compare("cells", n=3, categories=3, epsilon=1, prior=[Fraction(1, 10)] * 10)["cells"]
    assert (given.l0, given.l1, given.l2) == (uniform.l0, uniform.l1, uniform.l2)
    from discreet.designer.orbits.cell_errors import cell_cost, cell_cost_under

    domain, b = Histogram(3, 3), Fraction(1, 3)
    for loss in ("L0", "L1", "L2"):
        assert cell_cost_under(domain, b, loss, [Fraction(1, 10)] * 10) == cell_cost(
            domain, b, loss
        )
    gm, alone = dc.geometric(n=3, alpha="1/3"), [Fraction(p == (3, 0, 0)) for p in domain.points]
    assert cell_cost_under(domain, b, "L0", alone) == 1 - gm[3, 3] * gm[0, 0] ** 2


def test_a_grid_designs_and_mechanisms_of_your_own():
    mine = dc.design(n=3, categories=ANSWERS, alpha="1/2", properties="F", cache=False)
    table = dc.compare(
        {"mine": mine, "fair": "F"}, n=[2, 3], categories=ANSWERS, alpha=["1/2", "1/4"]
    )
    assert [(e.label, e.n) for e in table] == [
        ("fair", 2),
        ("fair", 2),
        ("mine", 3),
        ("fair", 3),
        ("mine", 3),
        ("fair", 3),
    ]
    assert dc.compare(mine, categories=ANSWERS)[mine.id[:8]].l0 == mine.score("L0")
    rows = table.to_dicts(exact=True)
    assert rows[2]["F"] is True and Fraction(rows[2]["L0"]) == mine.score("L0")
    assert table.to_csv().count("\n") == 7 and table.to_dict()["answers"] == ANSWERS
    with pytest.raises(InvalidInput, match="choose from"):
        table["EM"]


def test_text_and_html_fit_and_say_what_the_numbers_are():
    table = dc.compare(n=3, categories=3, epsilon=1)
    assert max(map(len, str(table).splitlines())) <= 80
    assert "randomised response of each person" in str(table) and "<table>" in table._repr_html_()
    named = dc.compare(
        {"a name that is longer than its column": "UM"}, n=3, categories=3, epsilon=1
    )
    assert str(named).splitlines()[2] == "a name that is longer than its column"
    assert max(map(len, str(named).splitlines())) <= 80
    large = dc.compare(n=60, categories=5, epsilon=1)
    assert [entry.label for entry in large] == ["cells"] and "only the cells" in large.note


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"mechanisms": ["GM"]}, "for counts"),
        ({"mechanisms": "jont"}, "did you mean joint"),
        ({"mechanisms": []}, "at least one"),
        ({"mechanisms": 3}, "names, property strings"),
        ({"mechanisms": [dc.uniform(n=3)]}, "over histograms"),
        ({"categories": 2}, "two answers are one count"),
        ({"n": 60, "categories": 5, "mechanisms": ["joint"]}, "must each fit"),
        ({"n": 60, "categories": 5, "prior": "uniform"}, "must be left out"),
    ],
)
def test_bad_comparisons(asked, says):
    with pytest.raises(InvalidInput, match=says):
        dc.compare(
            asked.pop("mechanisms", None), **{"n": 3, "categories": 3, "epsilon": 1, **asked}
        )


@pytest.mark.parametrize("properties", ["", "F", "WH CM"])
def test_a_recommendation_up_to_the_limit_is_the_best_joint_mechanism(properties):
    r = dc.recommend(n=3, categories=ANSWERS, epsilon="1/2", properties=properties)
    assert r.box == "joint" and r.mechanism.satisfies(properties)
    assert r.mechanism == eval(r.code, {"dc": dc})
    chosen = [cost for cost in r.costs if cost.recommended]
    assert len(chosen) == 1 and chosen[0].l0 == r.mechanism.score("L0") >= r.costs[0].l0
    assert max(map(len, str(r).splitlines())) <= 80
    assert r.to_dict()["recommended"] == "joint" and "<ol>" in r._repr_html_()


def test_a_recommendation_beyond_the_limit_is_cells_with_the_reason():
    r = dc.recommend(n=60, categories=5, alpha="1/2")
    assert r.box == "cells" and "more than 20,000" in str(r.steps[0]) and not r.costs
    assert "no joint mechanism has fewer than" in r.note
    with pytest.raises(InvalidInput, match="among those of cells"):
        dc.recommend(n=60, categories=5, alpha="1/2", properties="F")
    with pytest.raises(InvalidInput, match="two answers are one count"):
        dc.recommend(n=6, categories=2, alpha="1/2")


def test_designs_of_large_domains_are_not_all_priced(monkeypatch):
    monkeypatch.setattr("discreet.choosing.histograms.histogram_recommendation.PRICED_UP_TO", 10)
    r = dc.recommend(n=3, categories=3, epsilon=1)
    assert [cost.mechanism for cost in r.costs] == [
        "joint",
        "cells",
        "RR",
        "UM",
    ] and "not solved" in r.note
