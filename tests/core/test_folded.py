"""Mechanisms over histograms: they cannot exist unless private, and say what the whole matrix says."""

import pickle
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import discreet as dc
from discreet.core.domains import Counts
from discreet.core.forms import Dense, Folded
from discreet.core.histogram import Histogram, misplaced
from discreet.core.mechanism import Mechanism
from discreet.core.rationals import read_alpha
from discreet.errors import InvalidData, InvalidInput, NotPrivate

PRIORS = [None, "Multinomial(1/2, 1/4, 1/4)", "Multinomial(1/2, 1/3, 1/6)"]


@cache
def designed(prior=None, **asked):
    return dc.design(n=3, categories=3, alpha="1/2", loss="L1", prior=prior, cache=False, **asked)


def entries(m):
    points, matrix = m.domain.points, m.matrix
    return {(o, t): matrix[i][j] for i, o in enumerate(points) for j, t in enumerate(points)}


@pytest.mark.parametrize("prior", PRIORS)
def test_the_whole_matrix_is_private(prior):
    m = designed(prior)
    points, x = m.domain.points, entries(m)
    assert min(x.values()) >= 0
    assert all(sum(x[o, t] for o in points) == 1 for t in points)
    ratios = [
        (x[o, t], x[o, s])
        for o in points
        for t in points
        for s in points
        if misplaced(t, s) == 1 and x[o, s] > 0
    ]
    assert min(a / b for a, b in ratios) == m.tight_alpha >= m.alpha


@pytest.mark.parametrize("prior", PRIORS)
def test_properties_are_those_of_the_whole_matrix(prior):
    for m in (
        designed(prior),
        designed(prior, properties="F"),
        designed(prior, properties="CM RM"),
    ):
        points, x = m.domain.points, entries(m)
        far = {(a, b): misplaced(a, b) for a in points for b in points}
        away = [
            (p, a, b)
            for p in points
            for a in points
            for b in points
            if far[a, b] == 1 and far[p, b] > far[p, a]
        ]
        swaps = [lambda p: (p[1], p[0], p[2]), lambda p: (p[0], p[2], p[1])]
        held = {
            "RH": all(x[o, o] >= x[o, t] for o in points for t in points),
            "CH": all(x[t, t] >= x[o, t] for o in points for t in points),
            "RM": all(x[p, a] >= x[p, b] for p, a, b in away),
            "CM": all(x[a, p] >= x[b, p] for p, a, b in away),
            "WH": all(x[t, t] >= Fraction(1, len(points)) for t in points),
            "F": len({x[t, t] for t in points}) == 1,
            "S": all(
                x[o, t] == x[swap(o), swap(t)] for swap in swaps for o in points for t in points
            ),
        }
        assert {name for name, holds in held.items() if holds} == set(m.shape.names)
        verdicts = {name: m.check(name) for name in held}
        assert {name: bool(verdict) for name, verdict in verdicts.items()} == held


@pytest.mark.parametrize("prior", PRIORS)
def test_scores_are_those_of_the_whole_matrix(prior):
    m = designed(prior)
    points, x = m.domain.points, entries(m)
    weights = m.origin.problem.prior.weights
    for loss, cost in [
        ("L0", lambda d: int(d > 0)),
        ("L0,1", lambda d: int(d > 1)),
        ("L1", int),
        ("L2", lambda d: d * d),
    ]:
        at = [sum(cost(misplaced(o, t)) * x[o, t] for o in points) for t in points]
        assert m.score(loss, prior) == sum(w * c for w, c in zip(weights, at, strict=True))
        assert m.score(loss, prior, worst_case=True) == len(points) * max(
            w * c for w, c in zip(weights, at, strict=True)
        )
        table = [[cost(misplaced(o, t)) for t in points] for o in points]
        assert m.score(table, prior) == m.score(loss, prior)
    assert m.within((1, 1, 1), 1) == sum(
        x[o, (1, 1, 1)] for o in points if misplaced(o, (1, 1, 1)) <= 1
    )


def test_what_is_not_private_cannot_exist():
    m = designed(properties="WH")
    form, privacy = m.form, m.privacy
    assert form.values[0] > 0
    first, *rest = form.values
    for values, denominator in [
        ((first + 1, *rest), form.denominator),
        ((-first, *rest), form.denominator),
        ((first, *rest, 0), form.denominator),
        (list(form.values), form.denominator),
        (tuple(map(float, form.values)), form.denominator),
        (form.values, -form.denominator),
    ]:
        with pytest.raises(NotPrivate):
            Mechanism(privacy=privacy, form=Folded(form.domain, form.classes, values, denominator))
    with pytest.raises(NotPrivate, match="factor of alpha"):
        Mechanism(privacy=read_alpha(alpha="51/100"), form=form)
    with pytest.raises(NotPrivate, match="classes"):
        Mechanism(privacy=privacy, form=replace(form, classes=(0, 0, 2)))
    # the counts 0..9 are not these ten histograms: their neighbours differ
    with pytest.raises(NotPrivate):
        Mechanism(privacy=privacy, form=replace(designed(properties="F").form.dense(), step=1))


def test_a_stepped_count_is_private_over_all_its_neighbours():
    m = dc.design(n=5, step=2, alpha="1/2", cache=False)
    rows = m.matrix
    assert all(
        2 * row[j] >= row[k] for row in rows for j in range(6) for k in range(6) if abs(j - k) <= 2
    )
    gm = dc.geometric(n=5, alpha="1/2")
    Mechanism(privacy=gm.privacy, form=gm.form.dense())
    with pytest.raises(NotPrivate):
        Mechanism(privacy=gm.privacy, form=replace(gm.form.dense(), step=2))
    with pytest.raises(NotPrivate):
        Mechanism(
            privacy=gm.privacy, form=Dense(gm.form.dense().rows, gm.form.dense().denominator, 6)
        )


def test_equal_matrices_are_equal_values():
    m = designed()
    points = m.domain.points
    apart = Folded(
        m.domain,
        (0, 1, 2),
        tuple(int(m[o, t] * m.form.denominator) for o, t in _cells(m.domain)),
        m.form.denominator,
    )
    again = Mechanism(
        privacy=m.privacy, form=replace(apart, domain=Histogram(3, 3, ("a", "b", "c")))
    )
    assert again == m
    assert (again.id, hash(again)) == (m.id, hash(m))
    assert again.form.classes == (0, 0, 0)
    assert pickle.loads(pickle.dumps(m)) == m
    assert m.id != dc.design(n=9, alpha="1/2", cache=False).id
    assert points == again.domain.points


def _cells(domain):
    from discreet.core.forms.orbits import orbits_of

    orbits = orbits_of(domain, (0, 1, 2))
    return [orbits.cell(u) for u in range(len(orbits.codes))]


def test_entries_by_tuple_and_by_answer():
    m = dc.design(
        n=3, categories=["never", "former", "current"], alpha="1/2", loss="L1", cache=False
    )
    assert (
        m[(2, 1, 0), (1, 1, 1)]
        == m[{"never": 2, "former": 1}, {"never": 1, "former": 1, "current": 1}]
    )
    assert m[(2, 1, 0), (1, 1, 1)] == entries(m)[(2, 1, 0), (1, 1, 1)]
    assert m.truth((3, 0, 0)) == m[(3, 0, 0), (3, 0, 0)]
    assert m.array.shape == (10, 10)
    for wrong in [((1, 1, 0), (1, 1, 1)), ((2, 1), (1, 1, 1)), ({"ever": 3}, (1, 1, 1)), (3, 0)]:
        with pytest.raises(InvalidInput):
            m[wrong]
    text = str(m)
    assert "histograms of 3 people over 3 answers" in text
    assert "never, former, current" in text
    assert "histograms of 3 people" in repr(m)
    assert "<table" in m._repr_html_() or "histograms" in m._repr_html_()


def test_drawn_histograms_come_as_they_were_asked_for():
    m = dc.design(
        n=3, categories=["never", "former", "current"], alpha="1/2", loss="L1", cache=False
    )
    one, several = m.release((1, 2, 0)), m.release([(1, 2, 0), (0, 0, 3)])
    assert one in m.domain.points
    assert set(several) <= set(m.domain.points)
    assert len(several) == 2
    named = m.release([{"never": 3}, (3, 0, 0)])
    assert tuple(named[0]) == m.domain.names
    assert sum(named[0].values()) == sum(named[1]) == 3
    assert m.release([]) == []
    rows = m.release(np.array([(1, 2, 0), (0, 0, 3)]))
    assert rows.shape == (2, 3) and set(map(tuple, rows.tolist())) <= set(m.domain.points)


@pytest.mark.parametrize(
    "wrong", [(1, 1, 0), (4, -1, 0), (1, 2), (1.0, 2, 0), (True, 2, 0), {"maybe": 3}, "120", 3]
)
def test_histograms_that_are_none_are_refused_without_being_shown(wrong):
    m = designed()
    for given, row in [(wrong, None), ([(1, 1, 1), wrong], 2)]:
        with pytest.raises(InvalidData) as caught:
            m.release(given)
        assert caught.value.row == row


def test_theorems_about_counts_are_not_applied_to_others():
    m, stepped = designed(), dc.design(n=3, step=2, alpha="1/2", cache=False)
    assert stepped.domain == Counts(3, 2)
    for other in (m, stepped):
        for verb in (dc.symmetrise, dc.derives_from_geometric):
            with pytest.raises(InvalidInput, match="moves by one"):
                verb(other)
    for verb in (m.accuracy, lambda: m.bias((1, 1, 1))):
        with pytest.raises(InvalidInput, match="for counts"):
            verb()
