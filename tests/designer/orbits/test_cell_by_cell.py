"""Histograms cell by cell: their exact errors, and bounds that no joint mechanism undercuts."""

from fractions import Fraction
from itertools import product

import pytest

import discreet as dc
from discreet.core.histogram import Histogram, misplaced
from discreet.designer.orbits.cell_by_cell import Cells
from discreet.designer.orbits.joint_limit import MOST_ORBITS, why_cells
from discreet.errors import InvalidData, InvalidInput

LOSSES = {"L0": lambda d: int(d > 0), "L1": lambda d: d, "L2": lambda d: d * d}


@pytest.mark.parametrize(("n", "k", "epsilon"), [(3, 3, 1), (2, 4, "1/2"), (1, 3, 2)])
def test_errors_are_exact_and_bounds_hold(n, k, epsilon):
    """Against every output of every true histogram, written out; and against the best joint mechanism."""
    domain, cell = Histogram(n, k), dc.cells(n=n, categories=k, epsilon=epsilon).mechanism
    for loss, cost in LOSSES.items():
        found = dc.cells(n=n, categories=k, epsilon=epsilon, loss=loss)
        mean = Fraction(0)
        for truth in domain.points:
            columns = [cell.column(j) for j in truth]
            for drawn in product(range(n + 1), repeat=k):
                chance = Fraction(1, domain.size)
                for column, i in zip(columns, drawn, strict=True):
                    chance *= column[i]
                half = Fraction(sum(abs(i - j) for i, j in zip(drawn, truth, strict=True)), 2)
                mean += chance * cost(half)
        assert found.cost == found.score(loss) == mean
        best = dc.design(n=n, categories=k, epsilon=epsilon, loss=loss, cache=False).score(loss)
        assert 0 < found.bound <= best <= found.cost


def test_all_people_of_one_answer_have_the_fewest_near_them():
    """What the bound for L0 rests on: sum_t a^d(o,t) is least where all people give one answer."""
    a = Fraction(2, 5)
    for n, k in [(6, 3), (5, 4), (3, 5)]:
        points = Histogram(n, k).points
        near = {o: sum(a ** misplaced(o, t) for t in points) for o in points}
        assert min(near.values()) == near[(n, *[0] * (k - 1))]


def test_a_bound_in_blocks_is_no_better_than_one_of_all_counts(monkeypatch):
    whole = dc.cells(n=20, categories=3, epsilon=1)
    monkeypatch.setattr("discreet.designer.orbits.cell_errors.BLOCK", 7)
    parts = dc.cells(n=20, categories=3, epsilon=1)
    assert whole.bound * Fraction(2, 3) < parts.bound < whole.bound


@pytest.mark.parametrize("asked", [{"epsilon": 1}, {"alpha": "1/10"}, {"epsilon": 3}])
def test_each_cell_is_at_half_of_epsilon(asked):
    found = dc.cells(n=30, categories=4, **asked)
    assert found.cell_alpha**2 >= found.alpha  # both cells that one person touches
    assert found.cell_alpha**2 <= found.alpha * (1 + Fraction(1, 10**6))
    if "epsilon" in asked:
        assert found.cell_epsilon == Fraction(asked["epsilon"], 2) == found.epsilon / 2


@pytest.mark.parametrize("epsilon", [1, 2])
def test_properties_are_those_of_the_outputs_that_are_histograms(epsilon):
    """Looked up in the product of the cells, by the definitions of the domain."""
    found = dc.cells(n=3, categories=3, epsilon=epsilon)
    points = found.domain.points
    chance = {(o, t): found[o, t] for o in points for t in points}
    pairs = [(p, q, r) for p, q, r in product(points, repeat=3) if misplaced(q, r) == 1]
    away = [(p, q, r) for p, q, r in pairs if misplaced(p, r) == misplaced(p, q) + 1]
    holds = {
        "RM": all(chance[p, q] >= chance[p, r] for p, q, r in away),
        "CM": all(chance[q, p] >= chance[r, p] for p, q, r in away),
        "RH": all(chance[o, o] >= chance[o, t] for o, t in chance),
        "CH": all(chance[t, t] >= chance[o, t] for o, t in chance),
        "WH": all(chance[t, t] * len(points) >= 1 for t in points),
        "F": len({chance[t, t] for t in points}) == 1,
        "S": True,
    }
    assert set(found.shape) == {name for name, held in holds.items() if held}
    assert found.satisfies("S RM") and not found.satisfies("F")


def test_a_design_beyond_the_limit_is_cells_by_gm_and_says_so():
    names = ["none", "some", "most", "all", "more"]
    found = dc.design(n=60, categories=names, epsilon=1)
    assert isinstance(found, Cells)
    assert found.mechanism == dc.geometric(n=60, alpha=found.cell_alpha)
    assert "GM, at epsilon/2 = 1/2" in str(found) and "more than 20,000" in str(found)
    assert found.least_misplaced < found.misplaced and found.bound < found.cost == found.score("L0")
    assert "<table>" in found._repr_html_() and found.to_dict()["cell_epsilon"] == Fraction(1, 2)
    assert isinstance(dc.design(n=60, categories=names, epsilon=1, properties="S RM"), Cells)


def test_the_limit_is_the_one_that_is_said():
    assert (
        why_cells(Histogram(10, 5))
        == why_cells(Histogram(21, 3))
        == why_cells(Histogram(500, 2))
        == ""
    )
    assert f"{MOST_ORBITS:,}" in why_cells(Histogram(22, 3))
    assert f"{MOST_ORBITS:,} entries" in (dc.design.__doc__ or "")


def test_cells_are_drawn_one_by_one():
    found = dc.design(
        n=60, categories=["a", "b", "c", "d"], epsilon=50
    )  # noise is as good as impossible
    assert found.release((10, 20, 30, 0)) == (10, 20, 30, 0)
    assert found.release([{"a": 60}, (0, 0, 0, 60)]) == [
        {"a": 60, "b": 0, "c": 0, "d": 0},
        (0, 0, 0, 60),
    ]
    assert found.release([]) == []
    with pytest.raises(InvalidData, match="add up to n = 60"):
        found.release((1, 2, 3, 4))


def test_a_cell_of_the_whole_is_a_product():
    found = dc.cells(n=30, categories=["a", "b", "c"], epsilon=1)
    gm = found.mechanism
    assert found[{"a": 30, "b": 1}, (29, 1, 0)] == gm[30, 29] * gm[1, 1] * gm[0, 0]
    for wrong in (3, ((1, 2), (29, 1, 0)), ((1, 2, 3), (29, 1, 1)), ({"d": 1}, (29, 1, 0))):
        with pytest.raises(InvalidInput):
            found[wrong]


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"properties": "F"}, "among those of cells by GM"),
        ({"properties": "S ODP:1/2"}, "ODP"),
        ({"prior": "Multinomial(1/4, 1/4, 1/4, 1/4)"}, "must be uniform"),
        ({"prior": "nothing", "n": 22, "categories": 3}, "not a known prior"),
        ({"worst_case": True}, "joint design"),
        ({"loss": "L0,1"}, "L0, L1 or L2"),
        ({"loss": [[0]]}, "L0, L1 or L2"),
        ({"n": 513}, "at most 512"),
        ({"epsilon": None, "alpha": 1}, "below 1"),
        ({"n": 0}, "n"),
        ({"categories": 65}, "categories"),
        ({"step": 2}, "step"),
    ],
)
def test_what_cells_cannot_do_is_refused(asked, says):
    with pytest.raises(InvalidInput, match=says):
        dc.design(**{"n": 60, "categories": 4, "epsilon": 1, **asked})


@pytest.mark.parametrize(
    "asked", [{"categories": 2}, {"categories": ["a", "a", "b"]}, {"n": 0}, {"epsilon": -1}]
)
def test_bad_input(asked):
    with pytest.raises(InvalidInput):
        dc.cells(**{"n": 4, "categories": 3, "epsilon": 1, **asked})
