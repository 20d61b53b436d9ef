"""The sums of a plan: how noisy the grand total and the subtotals by each key will be, for the
shape asked and others.

A sum of debiased counts has the sum of their variances, which sizes and mechanisms decide: under
the working prior, for V the variance of the grand total and G subtotals by some key, their root
mean square standard error is sqrt(V / G). The width is that of the interval of 95% that reading
will give, unless that is cut to what is possible (`planned_widths`). Variances of many sizes are
interpolated (`shape_noise`), and other shapes are known by theorem, so this costs little.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from discreet.core.properties import Shape, read_shape
from discreet.tables.asking.level_keys import TOTAL, level_name
from discreet.tables.asking.question import Question
from discreet.tables.asking.request import Request
from discreet.tables.engines import Counts, Engine, Sizes
from discreet.tables.level_split import working_prior

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from discreet.core.family import BySize
    from discreet.core.rationals import Alpha
    from discreet.reading.ahead.planned_widths import Cells
    from discreet.reading.levels.level_noise import Working

    Variances = NDArray[np.float64]
    Spread = Callable[[int], tuple[float | None, float | None]]

OTHERS = ("", "WH", "F")
"""Shapes that are shown beside the one asked for; what has them by theorem is GM, WM and EM."""

GIVEN = "yours"
"""What stands in the place of a shape where the mechanisms were given."""

NOT_KNOWN = "no unbiased estimate, or one that takes too long to work out"
ANYTHING = (
    "too noisy: a 95% interval would hold every number that is possible, from 0 to the number of "
    "people"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTotal:
    """How noisy the sums of one count will be, if they are made of the finest table."""

    count: str
    by: str
    """The key whose subtotals these are, or the first keys ("district,school"); "total" for the
    grand total.
    """
    sums: int
    """How many there are."""
    people: int
    """The largest number that one of them can be, on average: everybody who is counted."""
    over: tuple[str, ...] = ()
    """The earlier keys over which they add up, as the same value is found within several of
    theirs.
    """
    properties: str
    """The shape; `GIVEN` for mechanisms that were given."""
    asked: bool
    """Whether this is what was asked for."""
    standard_error: float | None
    """Root mean square over the sums; None where there is no unbiased estimate, or it takes long
    to tell.
    """
    width: float | None
    """Of an interval of 95%; None where there is no estimate, or the interval would hold all
    that is possible.
    """
    no_margin: str = ""
    """Why there is no width, where there is none."""
    answers: int = 1
    """Of a question with three answers or more, how many: the sum is of one of them, on average
    over them.
    """

    @property
    def given(self) -> bool:
        """Whether this is of mechanisms that were given."""
        return self.properties == GIVEN


class Subtotals(NamedTuple):
    """Sums by some keys: how many there are, and over which earlier keys they add up."""

    by: str
    sums: int
    over: tuple[str, ...] = ()


def subtotals(engine: Engine, question: Question, counts: Counts) -> list[Subtotals]:
    """The total, and the subtotals by the first keys and by each key, where they are fewer than the
    groups.

    A key may have values that mean little without the keys before it (class 5a of every school):
    its sums say so, and are left out where there are levels by some of the keys, which say what
    sums are wanted.
    """
    groups, found = _peopled(counts.sizes), [Subtotals(TOTAL, 1)]
    last = len(question.by) - 1
    nested = any(0 < len(keys) <= last for keys in question.levels)
    for place, name in enumerate(question.by if last else ()):
        alone = _peopled(engine.coarser(counts, [place]).sizes)
        within = alone
        if place:
            within = (
                groups
                if place == last
                else _peopled(engine.coarser(counts, range(place + 1)).sizes)
            )
        if alone < within < groups:
            found.append(Subtotals(level_name(question.by[: place + 1]), within))
        over = question.by[:place] if alone < within else ()
        if 1 < alone < groups and not (over and nested and (name,) not in question.levels):
            found.append(Subtotals(name, alone, over))
    return found


def _peopled(sizes: Sizes) -> int:
    return sum(groups for size, groups in sizes.items() if size)


def planned_totals(
    question: Question,
    request: Request,
    sizes: Sizes,
    sums: Sequence[Subtotals],
    drawn: list[tuple[Alpha, BySize]],
) -> tuple[PlannedTotal, ...]:
    """The sums of each count; `drawn` are its epsilon and its mechanisms, in the order of the
    question's counts.
    """
    asked = read_shape(request.properties)
    people = sum(size * groups for size, groups in sizes.items())
    found = []
    for count, (each, by_size) in zip(question.counts, drawn, strict=True):
        epsilon, answers = float(each.epsilon / question.step), len(count.outputs)
        first = str(asked) if request.mechanism is None else GIVEN
        if answers > 1:  # no theorem says what another shape would be worth
            shapes = {first: _of_answers(by_size, sizes, answers)}
        else:
            shapes = {first: _as_drawn(by_size, sizes, request)}
            for other in OTHERS:
                if other not in shapes:
                    shapes[other] = _by_theorem(read_shape(other), sizes, epsilon, request)
        for by, number, over in sums:
            for shape, noise in shapes.items():
                error, width = (None, None) if noise is None else noise(number)
                found.append(
                    PlannedTotal(
                        count=count.name,
                        by=by,
                        sums=number,
                        people=people // number,
                        over=over,
                        properties=shape,
                        asked=shape == first,
                        standard_error=error,
                        width=width,
                        no_margin=_no_margin(error, width),
                        answers=answers,
                    )
                )
    return tuple(found)


def _no_margin(error: float | None, width: float | None) -> str:
    if width is not None:
        return ""
    return NOT_KNOWN if error is None else ANYTHING


def _as_drawn(by_size: BySize, sizes: Sizes, request: Request) -> Spread | None:
    """What sums will be, from the mechanism of each size; None where some has no unbiased
    estimate.
    """
    from discreet.reading.ahead.planned_widths import counted
    from discreet.reading.levels.shape_noise import designed_variances
    from discreet.reading.methods.debiasing import NotEstimable

    working = working_prior(request.prior)
    try:
        variances = designed_variances(by_size, _ordered(sizes), working)[0]
    except NotEstimable:
        return None
    return _spread(sizes, variances, lambda n: counted(by_size[n]), working)


def _of_answers(by_size: BySize, sizes: Sizes, answers: int) -> Spread | None:
    """What sums of an answer will be; the variance in one group is the mean over the answers."""
    import numpy as np

    from discreet.reading.ahead.planned_widths import answered
    from discreet.reading.histograms.answer_levels import answer_variance
    from discreet.reading.levels.shape_noise import by_knots
    from discreet.reading.methods.debiasing import NotEstimable

    every = _ordered(sizes)
    whole = np.isin(
        every, list(by_size.single)
    )  # drawn whole, and not to be interpolated with what is not
    variances = np.zeros(len(every))
    try:
        variances[whole] = [
            answer_variance(by_size[n], answers) if n else 0.0 for n in every[whole].tolist()
        ]
        variances[~whole] = by_knots(
            every[~whole], lambda n: (answer_variance(by_size[n], answers),) * 2
        )[0]
    except NotEstimable:
        return None
    return _spread(sizes, variances, lambda n: answered(by_size[n], answers), "uniform")


def _by_theorem(shape: Shape, sizes: Sizes, epsilon: float, request: Request) -> Spread | None:
    from discreet.reading.levels.shape_noise import shape_score, shaped_at
    from discreet.reading.methods.debiasing import NotEstimable

    working = working_prior(request.prior)
    try:
        variances = shaped_at(shape, working, strict=True)(_ordered(sizes), epsilon).working
    except NotEstimable:
        return None
    return _spread(sizes, variances, lambda n: [(shape_score(shape, n, epsilon), 1.0, 1)], working)


def _ordered(sizes: Sizes) -> NDArray[np.int64]:
    import numpy as np

    return np.fromiter(sizes, dtype=np.int64, count=len(sizes))


def _spread(
    sizes: Sizes, variances: Variances, cells: Callable[[int], Cells], working: Working
) -> Spread:
    """The standard error and the width of one of so many sums."""
    import numpy as np

    from discreet.reading.ahead.planned_widths import planned_width
    from discreet.reading.methods.debiasing import NotEstimable

    groups = np.fromiter(sizes.values(), dtype=np.float64, count=len(sizes))
    variance = float(groups @ variances)

    def spread(sums: int) -> tuple[float | None, float | None]:
        try:
            return (variance / sums) ** 0.5, planned_width(cells, sizes, sums, working=working)
        except NotEstimable:  # reading will refuse these sums, hopeless as they are
            return None, None

    return spread
