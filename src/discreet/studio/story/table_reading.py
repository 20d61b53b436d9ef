"""What the reader of a published table does, enacted: a hundred clinics, read as `dc.estimate`
reads them.

The page draws the table and reads it by itself. So it carries the exact scores, whose sum is the
unbiased total, and the parts of the interval for many groups (`discreet.reading.methods.sums`):
with S the sum of the variance scores,

    U = min((h + sqrt(h^2 + S))^2, max(S, 0) + f, worst),      margin = z sqrt(U) + rest.

A test in a browser holds it to what the library says of the same table.
"""

from __future__ import annotations

from math import lcm, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.reading.group import one_group
from discreet.reading.methods.sums import VARIANCE_SHARE
from discreet.reading.totals import count_score
from discreet.show.colours import mechanism_colour
from discreet.studio.story.noises import EPSILON, NOISES, STRICT, noise
from discreet.studio.worth import GROUPS, total_of

if TYPE_CHECKING:
    from discreet.reading.methods.debiasing import Score

CLINICS = (4, 12, 21, 24, 19, 11, 5, 2, 1)
"""How many of the other 99 clinics have 0, 1, ..., 8 smokers: made up."""

CONFIDENCE = 0.95

PLANS = (("usual", EPSILON), ("usual", STRICT))
"""The ways to publish the table that can be chosen: a kind of noise, and its epsilon."""


def readings(n: int) -> list[dict[str, Any]]:
    """Return what each way to publish the table is worth, and what its reader does."""
    made = [noise(kind, n, epsilon) for kind, epsilon in PLANS]
    return [
        {
            "words": NOISES[kind].words,
            "epsilon": epsilon,
            "colour": mechanism_colour(NOISES[kind].named),
            "promised": f"{CONFIDENCE:.0%}",
            "margin": total_of(m).removeprefix("±"),
            "single": [
                list(one_group(m, number, confidence=str(CONFIDENCE)).interval)
                for number in range(n + 1)
            ],
            **_total_of_table(count_score(m)),
        }
        for (kind, epsilon), m in zip(PLANS, made, strict=True)
    ]


def other_clinics() -> list[int]:
    """Return the true counts of the other clinics, in an order that shows no order.

    >>> len(other_clinics()), sum(other_clinics()), other_clinics()[:6]
    (99, 309, [0, 3, 4, 1, 3, 6])
    """
    sorted_counts = [count for count, clinics in enumerate(CLINICS) for _ in range(clinics)]
    return [sorted_counts[38 * k % len(sorted_counts)] for k in range(len(sorted_counts))]


def _total_of_table(score: Score) -> dict[str, Any]:
    """The unbiased total as whole numbers over one, and the parts of its interval."""
    exact = score.exact or ()
    over = lcm(*(value.denominator for value in exact))
    rate = 1 - CONFIDENCE
    z_variance = NormalDist().inv_cdf(1 - VARIANCE_SHARE * rate)
    z = NormalDist().inv_cdf(1 - (1 - VARIANCE_SHARE) * rate / 2)
    largest, ratio = score.score_noise
    return {
        "scores": [str(int(value * over)) for value in exact],
        "over": str(over),
        "variances": score.variance_at(np.arange(score.n + 1)).tolist(),
        "z": z,
        "half": z_variance * sqrt(ratio) / 2,
        "flat": z_variance * sqrt(GROUPS * largest),
        "worst": GROUPS * score.worst_variance,
        "rest": [score.step / 2 + skew * (z * z - 1) / 6 for skew in score.skew],
    }
