"""Totals, shares, means of scales and differences of released histograms."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.reading.histograms.cases import designed, one_asked

from discreet.core.named import geometric
from discreet.errors import InvalidInput
from discreet.reading.histograms.answer_totals import (
    adding_up_exactly,
    answer_contrast,
    answer_shares,
    answer_totals,
    mean_difference,
    mean_score,
    read_scores,
)
from discreet.reading.histograms.histogram_sample import HistogramSample
from discreet.reading.histograms.weighted_sums import terms_of_answers
from discreet.reading.methods.sums import WORST_CASE, margins
from discreet.reading.totals import tally, total

ANSWERS = ("never", "former", "current")
SCALE = {"never": 0, "former": "1/2", "current": 3}


def sample(outputs, mechanisms, answers=ANSWERS):
    """Groups whose sizes their mechanisms tell; one mechanism for each row."""
    sizes = np.array([m.n for m in mechanisms])
    by_size = {m.n: m for m in mechanisms}
    return HistogramSample(
        answers=answers, sizes=sizes, outputs=np.array(outputs), mechanisms=by_size
    )


def outcomes(mechanism, truth, k=3):
    """Every output of a group with its chance: drawn together, or cell by cell."""
    if mechanism.domain.size == mechanism.n + 1 and k > 2:
        columns = [mechanism.column(t) for t in truth]
        for cell in product(range(mechanism.n + 1), repeat=k):
            yield (
                cell,
                float(np.prod([float(column[y]) for y, column in zip(cell, columns, strict=True)])),
            )
    else:
        for point, chance in zip(mechanism.domain.points, mechanism.column(truth), strict=True):
            if chance:
                yield point, float(chance)


TRUTHS = [((3, 0, 0), (1, 0, 0)), ((1, 0, 2), (0, 0, 1)), ((1, 1, 1), (0, 1, 0))]


def mixed():
    """Three people drawn together, and one person cell by cell."""
    return [designed(3, 3), geometric(n=1, epsilon="1/2")]


WEIGHTS = {
    "answer": (1, 0, 0),
    "another": (0, 0, 1),
    "scale": (0, Fraction(1, 2), 3),
    "difference": (-1, 0, 1),
}


def test_every_reading_is_unbiased_and_covers_for_each_true_table_written_out():
    """Groups drawn together and cell by cell in one table; all 80 outputs, weighted by their chances."""
    both = mixed()
    columns = zip(*TRUTHS, strict=True)
    laws = [[dict(outcomes(m, t)) for t in column] for m, column in zip(both, columns, strict=True)]
    for given in WEIGHTS.values():
        weights = tuple(map(Fraction, given))
        margin = None
        expected, covered, true = (
            np.zeros(3),
            np.zeros(3),
            [float(np.sum(t, axis=0) @ given) for t in TRUTHS],
        )
        for first, second in product(laws[0][0], laws[1][0]):
            chances = [one[first] * other[second] for one, other in zip(*laws, strict=True)]
            terms, known = terms_of_answers(sample([first, second], both), weights)
            margin = margin or margins(
                terms, 0.8
            )  # of few groups: released numbers do not change it
            value = known + sum(t.value for t in terms)
            expected += np.multiply(chances, value)
            inside = [value - margin[0] - 1e-9 <= t <= value + margin[1] + 1e-9 for t in true]
            covered += np.multiply(chances, inside)
        assert expected.tolist() == pytest.approx(true, abs=1e-9)
        assert covered.min() >= 0.8 - 1e-9


def test_readings_of_one_table_agree():
    read = sample([(1, 1, 1), (1, 1, 0)], mixed())
    totals, shares = answer_totals(read), answer_shares(read)
    assert sum(x.value for x in totals.values()) == 4
    assert sum(x.value for x in shares.values()) == 1
    for answer in ANSWERS:
        assert totals[answer].method == WORST_CASE
        assert shares[answer].value == pytest.approx(totals[answer].value / 4)
        assert (
            4 * shares[answer].low - 1e-9
            <= totals[answer].low
            <= totals[answer].high
            <= 4 * shares[answer].high + 1e-9
        )
    scale = mean_score(read, SCALE)
    assert scale.value == pytest.approx(shares["former"].value / 2 + 3 * shares["current"].value)
    assert 0 <= scale.low <= scale.high <= 3
    gap = answer_contrast(read, "current", "never")
    assert gap.value == pytest.approx(shares["current"].value - shares["never"].value)


def test_cells_share_what_does_not_add_up():
    m = geometric(n=4, alpha="1/2")  # debiased: -1, 1, 2, 3, 5
    found = answer_totals(sample([(1, 2, 3)], [m]))
    assert [x.value for x in found.values()] == pytest.approx([1 - 2 / 3, 2 - 2 / 3, 3 - 2 / 3])
    terms, known = terms_of_answers(
        sample([(1, 2, 3)], [m]), (Fraction(1), Fraction(0), Fraction(0))
    )
    assert known == pytest.approx(4 / 3)
    # the others have one weight and are one term
    assert sorted((t.weight, t.groups) for t in terms) == [
        (pytest.approx(-1 / 3), 2),
        (pytest.approx(2 / 3), 1),
    ]


@pytest.mark.parametrize("joint", [True, False])
def test_two_answers_are_the_count_of_the_first(joint):
    rng = np.random.default_rng(1)
    yes = rng.integers(0, 5, 30)
    drawn = designed(4, 2) if joint else geometric(n=4, epsilon=1)
    read = sample(np.stack([yes, 4 - yes], axis=1), [drawn] * 30, ("yes", "no"))
    found = answer_totals(read)
    # L0 without properties is GM, as for counts
    count = total([(geometric(n=4, epsilon=1), tally(yes))])
    assert found["yes"].value == pytest.approx(count.value, abs=1e-9)
    assert (found["yes"].low, found["yes"].high) == (count.low, count.high)
    assert (found["no"].low, found["no"].high) == (120 - count.high, 120 - count.low)
    assert found["yes"].standard_error == pytest.approx(count.standard_error)
    assert mean_score(read, {"yes": 1, "no": 0}).value == pytest.approx(count.value / 120)


def test_outputs_that_are_never_given_do_no_harm_where_the_rest_can_be_read():
    m = one_asked()
    read = sample([(2, 0, 0), (0, 2, 0), (2, 0, 0)], [m] * 3)
    # E[2 e_c] = 2 (1/6 + t_c/4): the debiased count of what everybody is said to be is 4 - 2/3
    assert answer_totals(read)["never"].value == pytest.approx(2 * (4 - 2 / 3) - 2 / 3)
    with pytest.raises(InvalidInput, match=r"one that the mechanism can give \(row 2"):
        sample([(2, 0, 0), (1, 1, 0)], [m] * 2)


def test_groups_of_nobody_are_nobody():
    m = designed(3, 3)
    sizes, outputs = np.array([3, 0, 3]), np.array([(3, 0, 0), (0, 0, 0), (1, 1, 1)])
    read = HistogramSample(answers=ANSWERS, sizes=sizes, outputs=outputs, mechanisms={3: m})
    assert sum(x.value for x in answer_totals(read).values()) == 6
    nobody = read.part(np.array([1]))
    assert [(x.value, x.low, x.high) for x in answer_totals(nobody).values()] == [(0, 0, 0)] * 3
    with pytest.raises(InvalidInput, match="must have people"):
        answer_shares(nobody)


def test_strata_add_up_and_differ_as_their_parts_say():
    rng = np.random.default_rng(5)
    m = designed(3, 3)
    read = sample([m.domain.points[j] for j in rng.integers(0, 10, 60)], [m] * 60)
    north, south = read.part(np.arange(60) < 20), read.part(np.arange(60) >= 20)
    whole, parts = answer_totals(read), [answer_totals(north), answer_totals(south)]
    for answer in ANSWERS:
        assert whole[answer].value == pytest.approx(sum(part[answer].value for part in parts))
    weights = read_scores(read, SCALE)
    gap = mean_difference(north, south, weights, name="change of the mean")
    assert gap.value == pytest.approx(
        mean_score(north, SCALE).value - mean_score(south, SCALE).value
    )
    assert gap.low < gap.value < gap.high and gap.groups == 60


def test_the_sum_of_all_answers_has_no_noise():
    read = sample([(3, 0, 0), (1, 1, 0)], mixed())
    terms, known = terms_of_answers(read, (Fraction(1),) * 3)
    assert (margins(terms, 0.9), known) == ((0, 0), 4)


@pytest.mark.parametrize(
    "values", [[1 / 3, 1 / 3, 1 / 3], [-0.1, 0.7, 0.4], [123456.7, 10**6 - 123456.7, 0.0]]
)
def test_rounded_values_add_up_in_floats(values):
    whole = round(sum(values))
    found = adding_up_exactly(values, whole)
    assert sum(found) == sum(reversed(found)) == whole
    assert found == pytest.approx(values, rel=1e-13, abs=1e-13 * whole)


@pytest.mark.parametrize(
    ("scores", "rule"),
    [
        ({"never": 0, "former": 1}, "lacks the answer current"),
        ({**SCALE, "sometimes": 2}, "must be one of the answers"),
        (dict.fromkeys(ANSWERS, 2), "must not all be equal"),
        ([0, 1, 2], "must map each answer"),
        ("own", "the answer never is no number"),
        ({**SCALE, "never": "much"}, "scores"),
        ({**SCALE, "never": 10**400}, r"must be between -1e100 and 1e100, not 1\.00000e\+400"),
        ({**SCALE, "never": "-1e101"}, "must be between -1e100 and 1e100, not -1e\\+101"),
    ],
)
def test_scores_are_read_strictly(scores, rule):
    with pytest.raises(InvalidInput, match=rule):
        mean_score(sample([(3, 0, 0)], [designed(3, 3)]), scores)


def test_answers_that_are_numbers_have_their_own_scores():
    read = sample([(3, 0, 0), (1, 1, 1)], [designed(3, 3)] * 2, ("1", "2.5", "-1/2"))
    assert read_scores(read, "own") == (1, Fraction(5, 2), Fraction(-1, 2))


@pytest.mark.parametrize(
    ("outputs", "rule"),
    [
        ([(3, 1, 0)], "must add up to n"),
        ([(4, 0, 0)], r"must be in 0\.\.n"),
        ([(-1, 2, 2)], r"must be in 0\.\.n"),
        ([(3, 0)], "must have 1 rows of 3"),
    ],
)
def test_tables_that_were_edited_are_refused(outputs, rule):
    with pytest.raises(InvalidInput, match=rule):
        sample(outputs, [designed(3, 3)])


def test_a_mechanism_must_be_of_the_size_and_the_answers():
    three = {"answers": ANSWERS, "sizes": np.array([3]), "outputs": np.array([(3, 0, 0)])}
    for wrong in ({}, {3: designed(2, 3)}, {3: geometric(n=2, epsilon=1)}, {3: designed(3, 4)}):
        with pytest.raises(InvalidInput, match="mechanism"):
            HistogramSample(**three, mechanisms=wrong)
