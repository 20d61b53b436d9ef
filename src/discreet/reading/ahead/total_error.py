"""What a mechanism makes of a total: the standard error of the unbiased total of a hundred groups of its size."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

GROUPS = 100


def total_error(m: Mechanism) -> float | None:
    """The standard error of the unbiased total of 100 groups, all true counts equally likely; None where none is.

    >>> from discreet.core.named import fair, geometric
    >>> [round(total_error(m(n=8, epsilon=1)), 1) for m in (geometric, fair)]
    [12.7, 22.0]
    """
    from discreet.reading.levels.level_noise import working_variance
    from discreet.reading.methods.debiasing import NotEstimable
    from discreet.reading.totals import count_score

    try:
        return sqrt(GROUPS * working_variance(count_score(m), "uniform"))
    except NotEstimable:
        return None
