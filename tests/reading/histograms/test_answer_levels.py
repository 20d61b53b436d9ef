"""Questions with several answers at several levels: fitted together, unbiased, and adding up."""

from fractions import Fraction

import numpy as np
import pytest
from tests.conftest import require

require("tables")

import pyarrow as pa

import discreet as dc
from discreet.reading.histograms.answer_levels import AnswerLevels, measure_answers
from discreet.reading.histograms.answer_totals import answer_totals
from discreet.reading.histograms.histogram_table import released_histograms

ANSWERS = ["never", "former", "current"]
SCALE = {"never": 0, "former": 1, "current": 2}
RNG = np.random.default_rng(3)
CLINIC = np.repeat(np.arange(24), RNG.integers(1, 5, 24))
ANSWER = RNG.choice(3, len(CLINIC), p=[0.5, 0.2, 0.3])
PEOPLE = pa.table(
    {
        "region": [f"r{c % 3}" for c in CLINIC],
        "clinic": CLINIC,
        "smoking": [ANSWERS[c] for c in ANSWER],
    }
)
ASKED = {"by": ["region", "clinic"], "count": {"smoking": ANSWERS}, "epsilon": 4}
SPLIT = {"total": 0.2, "region": 0.3}


@pytest.fixture(scope="module")
def release():
    return dc.release(PEOPLE, **ASKED, levels="rollup", level_split=SPLIT, adding_up=True)


def test_one_level_is_read_as_before(release):
    """With nothing else to fit, a sum of the fit is the sum of debiased values."""
    sample = released_histograms(release.level(0), None)
    alone = AnswerLevels([sample])
    expected = answer_totals(sample)
    for answer, total in alone.totals(0.95).items():
        assert total.value == pytest.approx(expected[answer].value)
        assert total.standard_error == pytest.approx(expected[answer].standard_error)


def test_answers_add_up_to_n_and_parts_to_wholes(release):
    e = dc.estimate(release)
    assert len(e.coarser) == 2
    assert (
        e.totals["never"].value + e.totals["former"].value + e.totals["current"].value == e.people
    )
    np.testing.assert_allclose(e._levels.values().sum(axis=1), e.sample.sizes, atol=1e-9)
    table = e.subtotals("region")
    for answer in ANSWERS:
        rows = table["answer"] == answer
        assert table["estimate"][rows].sum() == pytest.approx(e.totals[answer].value)
    assert e.mean(SCALE).value == pytest.approx(
        (e.totals["former"].value + 2 * e.totals["current"].value) / e.people
    )
    assert (e.means("region", scores=SCALE)["n"]).sum() == e.people
    contrast = e.contrast("never", "current").value
    assert contrast == pytest.approx(e.shares["never"].value - e.shares["current"].value)


def test_whole_histograms_of_all_levels_are_published(release, tmp_path):
    saved = dc.read_release(release.save(tmp_path / "out").path)
    names = [f"smoking_{answer}_whole" for answer in ANSWERS]
    for table in saved.tables.values():
        assert table.column_names[-3:] == names
        assert all(sum(row[name] for name in names) == row["n"] for row in table.to_pylist())
    assert (
        len(
            {
                tuple(sum(table[name].to_pylist()) for name in names)
                for table in saved.tables.values()
            }
        )
        == 1
    )


def test_a_level_more_makes_the_total_better():
    e = dc.estimate(dc.release(PEOPLE, **ASKED, levels="rollup", level_split=SPLIT))
    alone = AnswerLevels([e.sample]).totals(0.95)
    for answer in ANSWERS:
        assert e.totals[answer].standard_error < alone[answer].standard_error


def test_all_sums_of_answers_have_the_same_working_variances(release):
    sample = released_histograms(release.level(0), None)
    one = measure_answers(sample, (Fraction(1), Fraction(0), Fraction(0)))
    other = measure_answers(sample, (Fraction(0), Fraction(1), Fraction(2)))
    assert one.working.tolist() == other.working.tolist()


@pytest.mark.slow
def test_the_fit_is_unbiased_and_covers():
    """Five standard errors of 60 means, four of coverage: false alarms below 1 in 10,000."""
    truth, repeats = np.bincount(ANSWER), 60
    found, covered = [], np.zeros(3)
    for _ in range(repeats):
        e = dc.estimate(
            dc.release(PEOPLE, **ASKED, levels="rollup", level_split=SPLIT), confidence=0.9
        )
        found.append([e.totals[answer].value for answer in ANSWERS])
        covered += [e.totals[a].low <= truth[c] <= e.totals[a].high for c, a in enumerate(ANSWERS)]
    assert (
        np.abs(np.mean(found, axis=0) - truth) < 5 * np.std(found, axis=0) / np.sqrt(repeats)
    ).all()
    assert (covered >= 0.9 * repeats - 4 * np.sqrt(0.09 * repeats)).all()
