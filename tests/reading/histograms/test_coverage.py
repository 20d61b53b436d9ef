"""How often the intervals of many groups cover: simulated, for tables where the worst must be feared.

Each statement is a one-sided binomial test of "covers as often as it says" with a false alarm of 1e-6.
"""

import numpy as np
import pytest
from tests.reading.histograms.cases import designed

from discreet.core.named import geometric
from discreet.reading.histograms.answer_totals import answer_contrast, answer_totals, mean_score
from discreet.reading.histograms.histogram_sample import HistogramSample
from discreet.reading.methods.sums import NORMAL

ANSWERS = ("a", "b", "c")
REPEATS = 300
FEWEST = 204
"""Pr[at most this many of 300 cover] < 1e-6 if each covers with chance 0.8."""


def draw(mechanism, truth, groups, rng):
    if mechanism.n + 1 == mechanism.domain.size:
        laws = [np.array([float(p) for p in mechanism.column(t)]) for t in truth]
        return np.stack([rng.choice(len(law), groups, p=law / law.sum()) for law in laws], axis=1)
    law = np.array([float(p) for p in mechanism.column(truth)])
    return np.array(mechanism.domain.points)[rng.choice(len(law), groups, p=law / law.sum())]


@pytest.mark.slow
@pytest.mark.parametrize("corner", [True, False])
@pytest.mark.parametrize("groups", [{4: 40}, {3: 25, 5: 15}])
def test_intervals_of_many_groups_cover(groups, corner):
    """Groups of 3 and 4 are drawn together, those of 5 cell by cell."""
    rng = np.random.default_rng(16)
    mechanisms = {n: designed(n, 3) if n < 5 else geometric(n=n, epsilon="1/2") for n in groups}
    truths = {n: (n, 0, 0) if corner else (n // 3, n - n // 3 - n // 2, n // 2) for n in groups}
    sizes = np.repeat(list(groups), list(groups.values()))
    counts = np.sum([np.multiply(truths[n], times) for n, times in groups.items()], axis=0)
    covered = np.zeros(3)
    for _ in range(REPEATS):
        outputs = np.concatenate(
            [draw(mechanisms[n], truths[n], times, rng) for n, times in groups.items()]
        )
        read = HistogramSample(answers=ANSWERS, sizes=sizes, outputs=outputs, mechanisms=mechanisms)
        total = answer_totals(read, confidence=0.8)["a"]
        scale = mean_score(read, {"a": 1, "b": 2, "c": 4}, confidence=0.8)
        gap = answer_contrast(read, "c", "a", confidence=0.8)
        true = counts[0], counts @ [1, 2, 4] / sizes.sum(), (counts[2] - counts[0]) / sizes.sum()
        found = total, scale, gap
        covered += [x.low - 1e-9 <= t <= x.high + 1e-9 for x, t in zip(found, true, strict=True)]
        assert {x.method for x in found} == {NORMAL}
    assert covered.min() > FEWEST, covered
