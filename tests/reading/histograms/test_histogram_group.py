"""One group's histogram: posteriors compared with Bayes' rule written out, intervals with their exact coverage."""

from fractions import Fraction
from math import prod

import pytest
from tests.reading.histograms.cases import SMALL, designed, small

from discreet.core.losses import read_prior
from discreet.core.named import geometric
from discreet.errors import InvalidInput
from discreet.reading.group import interval, one_group
from discreet.reading.histograms import histogram_group
from discreet.reading.histograms.answer_intervals import all_intervals
from discreet.reading.histograms.histogram_group import read_group

ABC = ("a", "b", "c")


def bayes(chances, domain, prior):
    joint = [
        w * p for w, p in zip(read_prior(prior, domain.n, domain).weights, chances, strict=True)
    ]
    return {point: p / sum(joint) for point, p in zip(domain.points, joint, strict=True)}


@pytest.mark.parametrize("prior", [None, "Multinomial(1/2, 1/3, 1/6)"])
@pytest.mark.parametrize("together", [True, False])
def test_the_posterior_is_bayes_rule(prior, together):
    joint = designed(3, 3)
    m, domain, output = (
        (joint if together else geometric(n=3, epsilon="1/2")),
        joint.domain,
        (2, 1, 0),
    )
    if together:
        chances = [m[output, t] for t in domain.points]
    else:
        chances = [
            prod((m[y, j] for y, j in zip(output, t, strict=True)), start=Fraction(1))
            for t in domain.points
        ]
    g = read_group(m, output, ABC, prior=prior, confidence=Fraction(4, 5))
    wanted = bayes(chances, domain, prior)
    assert g.posterior == wanted
    for c, name in enumerate(ABC):
        assert g.answers[name] == tuple(
            sum(p for t, p in wanted.items() if t[c] == j) for j in range(4)
        )
    assert sum(g.mean.values()) == 3
    assert g.likeliest == tuple(
        t for t, p in zip(domain.points, chances, strict=True) if p == max(chances)
    )
    assert "Released for a group of 3" in str(g) and "likeliest" in g._repr_html_()


def test_many_histograms_are_read_by_convolution(monkeypatch):
    m, output = geometric(n=6, epsilon="1/2"), (1, 2, 2, 0)
    listed = read_group(m, output, "abcd")
    monkeypatch.setattr(histogram_group, "MOST_POINTS", 10)
    found = read_group(m, output, "abcd")
    assert found.answers == listed.answers and found.mean == listed.mean
    assert found.posterior is None and found.likeliest == ()
    with pytest.raises(InvalidInput, match="must be uniform"):
        read_group(m, output, "abcd", prior="Multinomial(1/4, 1/4, 1/4, 1/4)")
    with pytest.raises(InvalidInput, match="at most 200"):
        read_group(geometric(n=300, epsilon=1), (1, 2, 3), ABC)


def test_two_answers_are_read_as_the_count():
    m = geometric(n=4, alpha="1/2")
    g, count = read_group(m, (1, 3), ("yes", "no")), one_group(m, 1)
    assert g.answers["yes"] == count.posterior
    assert g.interval == {
        "yes": count.interval,
        "no": (4 - count.interval[1], 4 - count.interval[0]),
    }


def test_cells_have_the_intervals_of_counts():
    m = geometric(n=5, epsilon="1/2")
    g = read_group(m, (5, 2, 0), ABC, confidence=Fraction(9, 10))
    assert [*g.interval.values()] == [interval(m, y, Fraction(9, 10)) for y in (5, 2, 0)]


@pytest.mark.parametrize("name", SMALL)
def test_intervals_of_answers_cover_every_true_histogram(name):
    mechanism, confidence = small(name), Fraction(17, 20)
    points, matrix = mechanism.domain.points, mechanism.matrix
    for c in range(mechanism.domain.k):
        ends = all_intervals(mechanism.form, c, confidence)
        for j, truth in enumerate(points):
            held = sum(
                row[j]
                for o, row in zip(points, matrix, strict=True)
                if ends[o[c]][0] <= truth[c] <= ends[o[c]][1]
            )
            assert held >= confidence


def test_a_prior_that_rules_everything_out_is_refused():
    m = designed(3, 3)
    only = [Fraction(j == 0) for j in range(10)]
    assert read_group(m, (1, 1, 1), ABC, prior=only).mean == {"a": 0, "b": 0, "c": 3}
    with pytest.raises(InvalidInput, match="prior"):
        read_group(m, (1, 1, 1), ABC, prior="estimated")
