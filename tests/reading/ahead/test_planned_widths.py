"""The widths that a plan states are those that reading a release gives."""

from functools import cache

import numpy as np
import pytest
from tests.conftest import require

import discreet as dc
from discreet.reading.ahead.planned_widths import _at_knots, _typical

require("tables")

import pyarrow as pa

SIZES = [2 + k * 7 % 12 for k in range(48)]
REGION = [k % 4 for k in range(48)]
BUILD = {"": dc.geometric, "F": dc.fair, "WH": dc.weakly_honest}


@cache
def planned(groups):
    """The widths by shape and key, of a table of some groups."""
    rows = [(REGION[k], k) for k in range(groups) for _ in range(SIZES[k])]
    keys = {"region": [region for region, _ in rows], "clinic": [clinic for _, clinic in rows]}
    table = pa.table(keys | {"ill": [False] * len(rows)})
    found = dc.plan(table, by=["region", "clinic"], count="ill", epsilon=1, properties="F").totals
    return {(total.properties, total.by): total.width for total in found}


@cache
def made(shape, n):
    return BUILD[shape](n=n, epsilon=1)


def read(shape, sizes):
    """The estimate of a release of groups whose true counts are spread over all that are possible."""
    rng = np.random.default_rng(7)
    outputs = [
        int(rng.choice(n + 1, p=made(shape, n).array[:, k * 5 % (n + 1)]))
        for k, n in enumerate(sizes)
    ]
    return dc.estimate(outputs, mechanism={n: made(shape, n) for n in sizes}, sizes=sizes)


def uncut(e):
    """How wide the interval is, or would be if it were not cut to what is possible."""
    inside = min(max(e.total.value, 0.0), float(e.people))
    return 2 * max(e.total.high - inside, inside - e.total.low)


@pytest.mark.parametrize("shape", BUILD)
def test_few_groups_have_the_very_width_that_was_planned(shape):
    width = planned(8)[shape, "total"]
    assert width - 2 <= uncut(read(shape, SIZES[:8])) <= width, (
        "ends are moved inwards to whole numbers"
    )


@pytest.mark.parametrize("shape", BUILD)
def test_many_groups_have_about_the_width_that_was_planned(shape):
    assert uncut(read(shape, SIZES)) == pytest.approx(planned(48)[shape, "total"], rel=0.1)


@pytest.mark.parametrize("shape", BUILD)
def test_subtotals_have_about_the_width_that_was_planned(shape):
    parts = [
        [n for n, place in zip(SIZES, REGION, strict=True) if place == region]
        for region in range(4)
    ]
    widths = [uncut(read(shape, sizes)) for sizes in parts]
    assert np.mean(widths) == pytest.approx(planned(48)[shape, "region"], rel=0.1)


def test_answers_have_about_the_width_that_was_planned():
    """The variance of three sums of 40 groups is read from them: off by a quarter in fewer than 1 in 10,000 runs."""
    mood = ["low", "mid", "high"]
    rows = [(k, mood[j % 3]) for k in range(40) for j in range(4 + k % 2)]
    table = pa.table({"team": [team for team, _ in rows], "mood": [answer for _, answer in rows]})
    asked = {"by": "team", "count": {"mood": mood}, "epsilon": 1}
    (total,) = dc.plan(table, **asked).totals
    e = dc.estimate(dc.release(table, **asked))
    assert np.mean([q.high - q.low for q in e.totals.values()]) == pytest.approx(
        total.width, rel=0.25
    )


def test_groups_of_many_sizes_stand_at_few_and_a_sum_has_the_tables_mixture():
    sizes = dict.fromkeys(range(2, 80), 1)
    near = _at_knots(sizes)
    assert len(near) <= 24 and sum(near.values()) == 78
    assert max(abs(np.log(k / min(near, key=lambda n: abs(n - k)))) for k in sizes) < 0.3
    assert _at_knots({8: 3, 1000: 1, 1500: 1, 3000: 1, 5000: 2}) == {8: 3, 1000: 2, 5000: 3}
    assert _typical({0: 5, 3: 20, 9: 10}, 10) == {3: 2, 9: 1}
    assert _typical({0: 5, 3: 20, 9: 10}, 1) == {3: 20, 9: 10}
