"""What a mechanism makes of a total of a hundred groups of its size: its standard error, and its
margin of 95%.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism

GROUPS = 100


def total_error(m: Mechanism) -> float | None:
    """The standard error of the unbiased total of 100 groups, all true counts equally likely; None
    where none is.

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


def total_margin(m: Mechanism) -> float | None:
    """The margin (95%) of the same total, as a plan of 100 such groups says it; None where there is
    none.

    There is none without an unbiased estimate, and where the interval would hold every total that
    is possible.

    >>> from discreet.core.named import fair, geometric
    >>> [round(total_margin(m(n=8, epsilon=1)), 1) for m in (geometric, fair)]
    [28.1, 52.5]
    """
    from discreet.reading.ahead.planned_widths import counted, planned_width
    from discreet.reading.methods.debiasing import NotEstimable

    try:
        width = planned_width(lambda n: counted(m), {m.n: GROUPS}, 1, working="uniform")
    except NotEstimable:
        return None
    return None if width is None else width / 2
