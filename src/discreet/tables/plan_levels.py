"""The levels of a plan: what each costs, and how good its estimates will be once all levels are
read together.

Standard errors are root mean squares over a level's groups: under the working prior (the one asked
for; every count as likely where none was), and at the worst true counts. Besides, what they would
be if a level had a tenth of epsilon more or less and the others gave or took it in proportion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from discreet.core.properties import read_shape
from discreet.tables.asking.level_keys import level_name
from discreet.tables.asking.question import Count, Question
from discreet.tables.asking.request import Request
from discreet.tables.engines import Sizes
from discreet.tables.level_split import Shared, cube_places, noises_of, weight_of, working_prior
from discreet.tables.plan_lines import Line

if TYPE_CHECKING:
    from discreet.core.family import BySize
    from discreet.reading.levels.level_shares import Outlook
    from discreet.reading.levels.shape_noise import NoiseAt


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelErrors:
    """What to expect of one count's estimates at one level."""

    count: str
    standard_error: float
    worst_error: float
    tenth_more: dict[str, float] | None
    """Of every level, if this one had a tenth of epsilon more; None: it cannot."""
    tenth_less: dict[str, float] | None
    alone: float | None = None
    """What the standard error would be if the finest level had all of epsilon and there were no
    other.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedLevel:
    """One level: its share of epsilon, its groups, the epsilon of one draw of each count, and
    what that buys.
    """

    name: str
    keys: tuple[str, ...]
    share: Fraction
    groups: int
    properties: str
    """The shape of its mechanisms: what was asked for at the finest level, none (GM) at others
    that were not named.
    """
    each: tuple[tuple[str, Fraction], ...]
    lines: tuple[Line, ...]
    errors: tuple[LevelErrors, ...]
    """Of each count; none where the finest counts have no unbiased estimates."""


def planned_levels(
    question: Question,
    request: Request,
    shared: Shared,
    mechanisms: Sequence[Sequence[BySize]],
    lines: Callable[[Count, Sizes, BySize], list[Line]],
) -> tuple[PlannedLevel, ...]:
    """The levels of a plan, the finest first; `mechanisms` are those of each level and count."""
    names = [level_name(keys) for keys in question.levels]
    outlooks = [
        (asked.name, _outlook(question, request, shared, asked, by_level))
        for asked, *by_level in zip(question.counts, *mechanisms, strict=True)
    ]
    found = []
    for place, (keys, counts, share) in enumerate(
        zip(question.levels, shared.counts, shared.shares, strict=True)
    ):
        draws = shared.price.at(place, len(question.counts)).each
        of_count = list(zip(question.counts, mechanisms[place], draws, strict=True))
        found.append(
            PlannedLevel(
                name=names[place],
                keys=keys,
                share=share,
                groups=sum(counts.sizes.values()),
                properties=str(read_shape(request.properties))
                if place == 0
                else question.level_properties[place],
                each=tuple((asked.name, draw.epsilon) for asked, _, draw in of_count),
                lines=tuple(
                    line
                    for asked, by_size, _ in of_count
                    for line in lines(asked, counts.sizes, by_size)
                ),
                errors=tuple(
                    _errors(name, *known[place], names) for name, known in outlooks if known
                ),
            )
        )
    return tuple(found)


def _outlook(
    question: Question, request: Request, shared: Shared, asked: Count, by_level: Sequence[BySize]
) -> tuple[tuple[Outlook, float], ...]:
    """What each level will be worth for one count, the finest first, and what it would be without
    coarser levels.

    Nothing where its draws cannot be debiased. Of a question with several answers, what one of them
    will be worth if each is drawn by itself.
    """
    from discreet.reading.levels.cube import Cube
    from discreet.reading.levels.cube_shares import cube_outlook
    from discreet.reading.levels.level_shares import outlook
    from discreet.reading.levels.shape_noise import as_designed
    from discreet.reading.methods.debiasing import NotEstimable

    epsilon = float(shared.price.total.epsilon / question.contributions) * weight_of(asked)
    noises, working = noises_of(question, request), working_prior(request.prior)
    if asked.answers is not None:
        noises = [noises[0]] * len(noises)
    else:
        try:
            for place, (by_size, share) in enumerate(zip(by_level, shared.shares, strict=True)):
                if place == 0 or question.level_properties[place]:
                    now = epsilon * float(share)
                    noises[-1 - place] = as_designed(noises[-1 - place], by_size, now, working)
        except NotEstimable:
            return ()
    shares, nesting = shared.shares[::-1], shared.nesting
    if nesting is None:
        return ()
    if isinstance(nesting, Cube):
        known = cube_outlook(nesting, cube_places(question), epsilon, shares, noises=noises)
    else:
        known = outlook(nesting, epsilon, shares, noises=noises)
    return tuple(zip(known[::-1], _alone(shared, noises[-1], epsilon), strict=True))


def _alone(shared: Shared, finest: NoiseAt, epsilon: float) -> list[float]:
    """The standard error at each level if the finest had all of epsilon: sums have the sums of
    its variances.
    """
    import numpy as np

    sizes, groups = (
        np.array(part, dtype=np.int64) for part in zip(*shared.counts[0].sizes.items(), strict=True)
    )
    variance = float(groups @ np.where(sizes > 0, finest(sizes, epsilon).working, 0.0))
    peopled = [sum(many for size, many in counts.sizes.items() if size) for counts in shared.counts]
    return [(variance / max(many, 1)) ** 0.5 for many in peopled]


def _errors(count: str, known: Outlook, alone: float, names: list[str]) -> LevelErrors:
    more, less = (
        None if errors is None else dict(zip(names, errors[::-1], strict=True))
        for errors in (known.tenth_more, known.tenth_less)
    )
    return LevelErrors(
        count=count,
        standard_error=known.standard_error,
        worst_error=known.worst_error,
        tenth_more=more,
        tenth_less=less,
        alone=alone,
    )
