"""Several levels of one release, read as one."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.conftest import require
from tests.reading.histograms.cases import designed
from tests.reading.histograms.test_answer_totals import outcomes, sample

import discreet as dc
from discreet.core.named import geometric
from discreet.reading.histograms.answer_levels import strata
from discreet.reading.histograms.answer_totals import answer_totals
from discreet.reading.histograms.weighted_sums import terms_of_answers
from discreet.reading.methods.debiasing import NotEstimable
from discreet.reading.methods.sums import margins

require("tables")

import pyarrow as pa


def test_levels_together_are_unbiased_and_cover_written_out():
    """The same two people drawn whole, and once more cell by cell: all 162 outputs, weighted by their chances."""
    whole, cell, truth = designed(2, 3), geometric(n=2, epsilon="1/2"), (1, 0, 1)
    for given in ((1, 0, 0), (0, 1, 3)):
        weights, true = tuple(map(Fraction, given)), float(np.dot(given, truth))
        expected = covered = 0.0
        margin = None
        for (first, p), (second, q) in product(outcomes(whole, truth), outcomes(cell, truth)):
            both = replace(sample([first], [whole]), coarser=(sample([second], [cell]),))
            terms, known = terms_of_answers(both, weights)
            margin = margin or margins(terms, 0.8)
            value = known + sum(t.value for t in terms)
            expected += p * q * value
            covered += p * q * (value - margin[0] - 1e-9 <= true <= value + margin[1] + 1e-9)
        assert expected == pytest.approx(true, abs=1e-9)
        assert covered >= 0.8 - 1e-9
        alone = terms_of_answers(sample([first], [whole]), weights)[0]
        assert sum(t.groups * t.most for t in terms) < sum(t.groups * t.most for t in alone)
    assert sum(x.value for x in answer_totals(both).values()) == 2


def test_a_level_that_says_nothing_has_no_weight():
    silent, cell = designed(4, 3, 1, "L1"), geometric(n=4, epsilon="1/2")
    given = next(p for p, row in zip(silent.domain.points, silent.matrix, strict=True) if any(row))
    finest, coarse = sample([given], [silent]), sample([(1, 2, 1)], [cell])
    found, alone = answer_totals(replace(finest, coarser=(coarse,))), answer_totals(coarse)
    assert found == alone
    with pytest.raises(NotEstimable, match="no unbiased estimate"):
        answer_totals(replace(finest, coarser=(finest,)))


def test_a_part_is_read_from_the_levels_that_have_it():
    people = pa.table({"region": ["n", "n", "n", "s", "s", "s"], "team": [1, 1, 2, 3, 4, 4], "x": ["a", "b", "c"] * 2})
    asked = {"by": ["region", "team"], "count": {"x": ["a", "b", "c"]}, "epsilon": 6, "levels": "rollup"}
    e = dc.estimate(dc.release(people, **asked))
    assert len(e.sample.coarser) == 2 and "levels of the release are read together" in str(e).replace("\n  ", " ")
    parts = strata(e.sample, ["region"])
    assert {key: len(part.coarser) for key, part in parts.items()} == {("n",): 1, ("s",): 1}
    assert [len(part.coarser) for part in strata(e.sample, ["team"]).values()] == [0] * 4
    for part in (e, *e.by("region").values()):
        assert sum(x.value for x in part.totals.values()) == part.people
    assert "only but for noise" in " ".join(str(e.subtotals("region")).split())
    assert tuple(e.totals) == ("a", "b", "c")
