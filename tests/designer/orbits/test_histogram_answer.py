"""The best mechanisms over histograms and stepped counts: known values, other programs, and other routes."""

import time
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import discreet as dc
from discreet.core.certificate import read_problem
from discreet.core.forms.orbits import classes_of
from discreet.core.histogram import Histogram, misplaced
from discreet.designer.lp.answer import leaning_cost
from discreet.designer.lp.float_minimum import minimise
from discreet.designer.lp.highs import solve
from discreet.designer.orbits.histogram_answer import solve_histogram
from discreet.designer.orbits.orbit_program import fold
from discreet.designer.simplex.pivots import reach_optimum, tie_weights
from discreet.errors import NotProven

# n, answers, epsilon, loss, cost to four digits: FACTS section 8
KNOWN = [
    (4, 3, 1, "L1", "1.0313"),
    (6, 3, 1, "L1", "1.2147"),
    (8, 3, 1, "L1", "1.3314"),
    (4, 4, 1, "L1", "1.3271"),
    (8, 3, 2, "L1", "0.5385"),
    (8, 3, 1, "L0", "0.7507"),
]


def design(**asked):
    return dc.design(cache=False, **asked)


def agrees(cost: Fraction, digits: str) -> bool:
    return abs(cost - Fraction(digits)) <= Fraction(1, 2 * 10**4)


@pytest.mark.parametrize(("n", "k", "epsilon", "loss", "digits"), KNOWN)
def test_known_optima_are_proven(n, k, epsilon, loss, digits):
    m = design(n=n, categories=k, epsilon=epsilon, loss=loss)
    assert m.origin.certificate.optimal
    assert m.score(loss) == m.origin.certificate.cost
    assert agrees(m.score(loss), digits)


def test_entries_below_the_solvers_tolerances_are_found_too():
    """At epsilon 4 the chance of misplacing ten people is about exp(-40): the float solve works in scaled variables."""
    m = design(n=10, categories=3, epsilon=4, loss="L1")
    assert m.origin.certificate.optimal and agrees(m.score("L1"), "0.0885")


@pytest.mark.slow
def test_the_largest_design_with_a_canonical_optimum():
    assert agrees(design(n=8, categories=5, epsilon=1, loss="L1").score("L1"), "2.2149")


@pytest.mark.parametrize(
    ("n", "step", "loss", "digits"),
    [(12, 2, "L0", ".374"), (12, 2, "L1", ".596"), (12, 2, "L2", "1.30")]
    + [
        pytest.param(*case, marks=pytest.mark.slow)
        for case in [(20, 4, "L0", ".533"), (20, 4, "L1", "1.42"), (20, 4, "L2", "4.88")]
    ],
)
def test_known_optima_of_stepped_counts(n, step, loss, digits):
    m = design(n=n, step=step, epsilon=2, loss=loss)
    assert m.origin.certificate.optimal
    unit = Fraction(1, 10 ** len(digits.partition(".")[2]))
    assert abs(m.score(loss) - Fraction(digits)) <= unit / 2


@pytest.mark.parametrize("loss", ["L0", "L1", "L2"])
def test_two_answers_are_the_count(loss):
    for n in range(1, 21):
        count, histogram = (
            design(n=n, alpha="2/5", loss=loss),
            design(n=n, categories=2, alpha="2/5", loss=loss),
        )
        assert histogram.matrix == count.matrix
        assert histogram.origin.certificate.optimal


@pytest.mark.parametrize(
    "asked", [{"properties": "WH CM"}, {"properties": "F"}, {"worst_case": True}]
)
def test_two_answers_are_the_count_of_any_shape(asked):
    for prior, other in [(None, None), ("Binomial(1/4)", "Multinomial(1/4, 3/4)")]:
        count = design(n=5, alpha="3/4", loss="L2", prior=prior, **asked)
        histogram = design(n=5, categories=2, alpha="3/4", loss="L2", prior=other, **asked)
        assert histogram.matrix == count.matrix
        assert histogram.origin.certificate.cost == count.origin.certificate.cost


@pytest.mark.parametrize("loss", ["L0", "L1"])
def test_the_folded_program_finds_the_count_too(loss):
    problem = read_problem(n=6, alpha="2/5", loss=loss, over=Histogram(6, 2))
    _, proof = solve_histogram(problem, deadline=time.monotonic() + 600)
    assert (
        proof.cost
        == proof.bound
        == design(n=6, categories=2, alpha="2/5", loss=loss).origin.certificate.cost
    )


def whole_program(n, k, alpha, names, weights):
    """The least mean number misplaced, by a program with one variable for every entry."""
    points = Histogram(n, k).points
    size, place = len(points), {cell: u for u, cell in enumerate(product(points, repeat=2))}
    rows, least, most = [], [], []

    def add(row, low, high=np.inf):
        rows.append(row)
        least.append(low)
        most.append(high)

    for t in points:
        add({place[o, t]: 1.0 for o in points}, 1.0, 1.0)
        if "WH" in names:
            add({place[t, t]: 1.0}, 1 / size)
        if "F" in names and t != points[0]:
            add({place[t, t]: 1.0, place[points[0], points[0]]: -1.0}, 0.0, 0.0)
    for o, t, s in product(points, repeat=3):
        if misplaced(t, s) == 1:
            add({place[o, t]: 1.0, place[o, s]: -alpha}, 0.0)
            if "RM" in names and misplaced(o, s) > misplaced(o, t):
                add({place[o, t]: 1.0, place[o, s]: -1.0}, 0.0)
            if "CM" in names and misplaced(o, s) > misplaced(o, t):  # o is the truth here
                add({place[t, o]: 1.0, place[s, o]: -1.0}, 0.0)
    cost = np.array([weights[points.index(t)] * misplaced(o, t) for o, t in place])
    return minimise(cost, rows, least=least, most=most, bounds=(0.0, np.inf)).cost


@pytest.mark.parametrize("names", ["", "WH", "CM", "RM F", "WH F CM"])
@pytest.mark.parametrize(
    "prior", [None, "Multinomial(1/2, 1/4, 1/4)", "Multinomial(1/2, 1/3, 1/6)"]
)
def test_folding_loses_nothing(names, prior):
    m = design(n=3, categories=3, alpha="3/5", loss="L1", properties=names, prior=prior)
    weights = [float(w) for w in m.origin.problem.prior.weights]
    assert m.satisfies(names)
    assert float(m.origin.certificate.bound) == pytest.approx(
        whole_program(3, 3, 0.6, names.split(), weights)
    )


def test_answers_are_told_apart_only_where_they_must_be():
    def classes(**asked):
        return classes_of(read_problem(n=2, alpha="1/2", over=Histogram(2, 4), **asked))

    assert classes() == (0, 0, 0, 0)
    assert classes(prior="Multinomial(1/4, 1/8, 1/4, 3/8)") == (0, 1, 0, 2)
    assert classes(prior="Multinomial(1/4, 1/8, 1/4, 3/8)", properties="S") == (0, 0, 0, 0)
    points = Histogram(2, 4).points
    assert classes(loss=[[abs(o[3] - t[3]) for t in points] for o in points]) == (0, 0, 0, 1)


@pytest.mark.parametrize("loss", ["L0", "L1", "L2"])
def test_the_optimum_does_not_depend_on_the_route(loss):
    problem = read_problem(n=4, alpha="7/10", loss=loss, properties="WH", over=Histogram(4, 3))
    program = fold(problem).program
    plain = np.array(program.cost, dtype=float)
    starts = [
        [],
        *(solve(program, cost, method=how) for how in ("simplex", "ipm") for cost in (plain,)),
    ]
    starts.append(solve(program, leaning_cost(program, tie_weights(program, 1))))
    found = [
        reach_optimum(program, start, deadline=time.monotonic() + 600).vertex for start in starts
    ]
    assert len({tuple(Fraction(int(x), int(v.denominator)) for x in v.value) for v in found}) == 1


@pytest.mark.parametrize(
    "properties", ["RH", "RM", "CH", "CM", "WH", "F", "S", "F CM RM WH", "ODP:1/3", "ODP:1"]
)
@pytest.mark.parametrize("worst_case", [False, True])
def test_what_is_asked_is_had(properties, worst_case):
    m = design(
        n=3, categories=3, alpha="4/5", loss="L1", properties=properties, worst_case=worst_case
    )
    assert m.satisfies(properties)
    assert m.origin.certificate.optimal
    assert m.score("L1", worst_case=worst_case) == m.origin.certificate.bound


def test_answers_told_apart_make_a_design_too_large_before_anything_is_built():
    with pytest.raises(NotProven, match="104,713 entries"):
        design(n=12, categories=4, epsilon=1, prior="Multinomial(1/2, 1/4, 1/8, 1/8)")


def test_designs_are_kept_by_domain_and_get_the_names_asked_for(tmp_path):
    first = dc.design(n=3, categories=3, alpha="1/2", cache=tmp_path)
    again = dc.design(n=3, categories=["a", "b", "c"], alpha="1/2", cache=tmp_path)
    other = dc.design(n=3, step=2, alpha="1/2", cache=tmp_path)
    assert first == again != other
    assert again.domain.names == ("a", "b", "c")
    assert len(list(tmp_path.iterdir())) == 2
