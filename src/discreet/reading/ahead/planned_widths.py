"""How wide the intervals of sums will be, before anything is drawn: by the very bounds that reading
them uses.

For few groups, and where a few make most of the noise, `methods.sums.margins` depends on sizes and
mechanisms alone, so the width is known. For many groups it also takes the variance that the
released numbers show; here its mean under the working prior stands for that. A sum by some key is
taken to have groups of all sizes in the proportions of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from discreet.reading.levels.level_noise import Working, working_variance
from discreet.reading.levels.shape_noise import knots_of
from discreet.reading.methods.sums import Term, margins
from discreet.reading.totals import count_score

if TYPE_CHECKING:
    from discreet.core.mechanism import Mechanism
    from discreet.reading.levels.tree import Integers
    from discreet.reading.methods.debiasing import Score

_LARGE = 256
Cells = Sequence[tuple["Score", float, int]]
"""What one group adds to a sum: a score, its weight, and how many draws have it."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Planned(Term):
    """Groups that are yet to be drawn: their variance is the one to expect."""

    working: float

    @cached_property
    def estimated_variance(self) -> float:
        """The variance that the released numbers will show, on average."""
        return self.groups * self.weight**2 * self.working


def planned_width(
    cells: Callable[[int], Cells],
    sizes: Mapping[int, int],
    sums: int,
    *,
    working: Working,
    confidence: float = 0.95,
) -> float | None:
    """Return the width of the interval of one of so many sums, whose groups have some sizes;
    `cells` reads a size.

    None where it would be as wide as all that is possible, from 0 to the number of people: half of
    them is then a margin that is true of anything, and may even be less than the standard error.

    >>> from discreet.core.named import geometric
    >>> width = planned_width(
    ...     lambda n: counted(geometric(n=n, epsilon=1)), {8: 10}, 1, working="uniform"
    ... )
    >>> round(width, 1)
    19.3
    >>> planned_width(
    ...     lambda n: counted(geometric(n=n, epsilon="1/10")), {8: 10}, 1, working="uniform"
    ... ) is None
    True
    """
    typical = _typical(sizes, sums)
    terms = [
        Planned(
            score=score,
            outputs=np.array([float(groups * draws)]),
            support=np.array([0]),
            weight=weight,
            working=working_variance(score, working),
        )
        for size, groups in _at_knots(typical).items()
        for score, weight, draws in cells(size)
    ]
    below, above = margins(terms, confidence)
    width, people = float(below + above), sum(size * groups for size, groups in typical.items())
    return width if width < people else None


def counted(mechanism: Mechanism) -> Cells:
    """What a group adds to the sum of a count."""
    return [(count_score(mechanism), 1.0, 1)]


def answered(mechanism: Mechanism, answers: int) -> Cells:
    """What a group adds to the sum of one answer of several: all were drawn at once, or each by
    itself.
    """
    from discreet.core.forms import Folded
    from discreet.reading.histograms.answer_values import unit_weights
    from discreet.reading.histograms.weighted_sums import weighted_score

    if isinstance(mechanism.form, Folded):
        return [(weighted_score(mechanism.form, unit_weights(answers, 0))[0], 1.0, 1)]
    score = count_score(mechanism)
    return [(score, 1 - 1 / answers, 1), (score, -1 / answers, answers - 1)]


def _typical(sizes: Mapping[int, int], sums: int) -> dict[int, int]:
    """The groups of one sum of many: as many as each has on average, of sizes spread like the
    table's.
    """
    peopled = sorted((size, groups) for size, groups in sizes.items() if size and groups)
    if sums == 1:
        return dict(peopled)
    ends = np.cumsum([groups for _, groups in peopled])
    groups = max(round(int(ends[-1]) / sums), 1)
    places = np.searchsorted(ends, (np.arange(groups) + 0.5) / groups * ends[-1])
    found, times = np.unique(places, return_counts=True)
    return {
        peopled[place][0]: int(many)
        for place, many in zip(found.tolist(), times.tolist(), strict=True)
    }


def _fewer(knots: Integers) -> Integers:
    """Of sizes above 256, whose bounds take long and are hardly told apart, one in every factor
    of four.
    """
    kept: list[int] = []
    for size in knots.tolist():
        if size <= _LARGE or not kept or kept[-1] <= _LARGE or size >= 4 * kept[-1]:
            kept.append(size)
    return np.array(kept, dtype=np.int64)


def _at_knots(sizes: Mapping[int, int]) -> dict[int, int]:
    """Groups of many sizes moved to the nearest of a few, since what one makes of noise changes
    slowly with n.
    """
    knots = _fewer(knots_of(np.array(sorted(sizes), dtype=np.int64)))
    near = {size: int(knots[np.abs(np.log(knots / size)).argmin()]) for size in sizes}
    found: dict[int, int] = {}
    for size, groups in sizes.items():
        found[near[size]] = found.get(near[size], 0) + groups
    return found
