"""Debiased counts of answers: compared with the whole system written out in fractions."""

from fractions import Fraction

import numpy as np
import pytest
from tests.reading.histograms.cases import SMALL, designed, one_asked, small

from discreet.core.named import geometric, uniform
from discreet.designer.single import design
from discreet.reading.histograms.answer_values import (
    answer_values,
    check_histogram_readable,
    unit_weights,
)
from discreet.reading.histograms.weighted_law import entry_numbers, points_of, weighted_law
from discreet.reading.methods.debiasing import NotEstimable


def rank(rows):
    """The rank of a matrix of fractions, by elimination."""
    rows, found = [list(row) for row in rows], 0
    for c in range(len(rows[0])):
        pivot = next((r for r in range(found, len(rows)) if rows[r][c]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for r in range(found + 1, len(rows)):
            factor = rows[r][c] / rows[found][c]
            if factor:
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[found], strict=True)]
        found += 1
    return found


def solvable(mechanism):
    """Whether some function of the output has expectation t_c, for every answer: no symmetry is used."""
    columns = list(
        zip(*mechanism.matrix, strict=True)
    )  # one row of the system for each true histogram
    points = mechanism.domain.points
    return all(
        rank(columns)
        == rank([(*column, Fraction(t[c])) for column, t in zip(columns, points, strict=True)])
        for c in range(mechanism.domain.k)
    )


@pytest.mark.parametrize("name", SMALL)
def test_there_is_an_unbiased_estimate_exactly_where_the_system_has_a_solution(name):
    mechanism = small(name)
    reason = check_histogram_readable(mechanism)
    assert (reason is None) == solvable(mechanism)
    if reason is not None:
        assert f"groups of {mechanism.n}" in reason
        with pytest.raises(NotEstimable, match="no unbiased estimate"):
            answer_values(mechanism.form)
        return
    values, points = answer_values(mechanism.form), points_of(mechanism.form)
    assert values.T @ mechanism.array == pytest.approx(points.T, abs=1e-11)
    given = mechanism.array.any(axis=1)
    assert values[given].sum(axis=1) == pytest.approx(mechanism.n, abs=1e-11)


def test_the_cases_have_both_kinds():
    reasons = [check_histogram_readable(m) for m in map(small, SMALL)]
    assert {reason is None for reason in reasons} == {True, False}
    assert check_histogram_readable(one_asked()) is None, (
        "singular, with outputs unused, and readable"
    )
    assert "never answers with 3 of its 15 histograms" in check_histogram_readable(
        designed(4, 3, 1, "L1")
    )


def test_counts_are_asked_as_counts():
    assert check_histogram_readable(geometric(n=30, epsilon="1/2")) is None
    assert "singular" in check_histogram_readable(uniform(n=4))


@pytest.mark.parametrize("weights", [(1, 0, 0), (0, 0, 1), (0, 1, 2), (1, 0, -1)])
def test_the_law_by_kinds_is_the_matrix_summed(weights):
    weights = tuple(map(Fraction, weights))
    for mechanism in (designed(3, 3), designed(3, 3, 1, "L0", "Multinomial(1/2, 1/4, 1/4)")):
        law, matrix, points = (
            weighted_law(mechanism.form, weights),
            mechanism.matrix,
            mechanism.domain.points,
        )
        exact = law.exactly(mechanism.form)
        for at, truth in enumerate(law.truths.tolist()):
            column = [row[mechanism.domain.number(tuple(truth))] for row in matrix]
            for kind in range(len(law.target)):
                chance = sum(
                    (p for p, other in zip(column, law.kind, strict=True) if other == kind),
                    Fraction(0),
                )
                assert exact[at][kind] == chance * mechanism.form.denominator
                assert law.chances[kind, at] == pytest.approx(float(chance), rel=1e-14)
            assert law.target[at] == sum(a * t for a, t in zip(weights, truth, strict=True))
            # outputs of one kind are worth the same, and so are true histograms of one kind
            images = [j for j, other in enumerate(law.kind) if other == at]
            assert (
                len({sum(a * t for a, t in zip(weights, points[j], strict=True)) for j in images})
                == 1
            )


def test_orbits_are_found_by_key_as_by_sorting():
    form = designed(3, 3, 1, "L0", "Multinomial(1/2, 1/4, 1/4)").form
    points = points_of(form)
    found = entry_numbers(form, points, points)
    assert found.tolist() == [
        [form.orbits.of(o, t) for t in form.domain.points] for o in form.domain.points
    ]


def test_weights_of_one_answer():
    assert unit_weights(3, 1) == (0, 1, 0)
    assert np.allclose(answer_values(designed(2, 4).form).sum(axis=1), 2)


@pytest.mark.parametrize(
    ("n", "k", "epsilon", "shape"),
    [(8, 3, "1/10", ""), pytest.param(6, 5, "1/2", "WH", marks=pytest.mark.slow)],
)
def test_the_best_l0_at_a_small_epsilon_has_no_unbiased_estimate_either(n, k, epsilon, shape):
    """What `docs/old/histograms.md` says; WH helps often."""
    assert "never answers with" in check_histogram_readable(designed(n, k, epsilon))
    if shape:
        helped = design(n=n, categories=k, epsilon=epsilon, properties=shape, cache=False)
        assert check_histogram_readable(helped) is None


@pytest.mark.slow
def test_eight_people_with_five_answers_are_read_by_53_kinds():
    form = designed(8, 5).form
    assert len(weighted_law(form, unit_weights(5, 0)).target) == 53
    points = points_of(form)
    entries = np.array([x / form.denominator for x in form.values])
    chances = entries[entry_numbers(form, points, points)]
    assert answer_values(form).T @ chances == pytest.approx(points.T, abs=1e-9)
