"""The noise of a shape at any epsilon, before anything is designed: for choosing shares, and for
what a plan says.

GM has a closed form for every size. Another shape is taken for the closed form that a theorem gives
(EM for F, WM for WH, GM where it has the shape, GM with its ends moved inward for honest columns),
size by size; where none does, and a linear program would have to be solved for every trial, for EM,
which has all seven properties. Of many sizes some are computed and the others interpolated over log
n: variances change slowly with n.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.core.family import FORMS
from discreet.core.forms import ColumnHonest, Fair, Geometric, WeaklyHonest
from discreet.core.properties import Shape
from discreet.core.rationals import Alpha, read_alpha
from discreet.designer.ranges import families
from discreet.reading.levels.level_noise import (
    LevelNoise,
    Working,
    geometric_noise,
    unreleased,
    working_variance,
)
from discreet.reading.levels.tree import Floats, Integers, distinct
from discreet.reading.methods.closed_matrix import same_law
from discreet.reading.methods.closed_scores import closed_score
from discreet.reading.methods.debiasing import NotEstimable
from discreet.reading.totals import count_score

if TYPE_CHECKING:
    from discreet.core.family import BySize, Family
    from discreet.core.mechanism import Mechanism
    from discreet.reading.methods.debiasing import Score

Closed = Geometric | Fair | WeaklyHonest | ColumnHonest

NoiseAt = Callable[[Integers, float], LevelNoise]
"""The noise of groups of some sizes at some epsilon."""

KNOTS = 24
"""Different sizes up to which each is computed; of more, so many, the rest being interpolated."""

SOLVED = 16_000
"""Counts that noise may reach across to be debiased here: half a second, and it is done for some
sizes.
"""


def shaped_at(shape: Shape, working: Working = "uniform", *, strict: bool = False) -> NoiseAt:
    """Return what `choose_shares` needs for a level whose mechanisms have a shape.

    Where its noise cannot be debiased, or not soon, GM's stands for it; with `strict` that is
    `NotEstimable`.
    """
    if not str(shape):
        return lambda sizes, epsilon: geometric_noise(
            sizes, float(np.exp(-epsilon)), working=working
        )

    def noise(sizes: Integers, epsilon: float) -> LevelNoise:
        at = round(epsilon, 12)
        found = _families(
            shape, distinct(sizes[sizes > 0]).tolist(), read_alpha(epsilon=Fraction(at))
        )
        by_theorem = _variances if strict else _variances_or_geometric
        known, worst = _by_size(found, sizes, working, lambda n: by_theorem(shape, n, at, working))
        return replace(unreleased(sizes), working=known, worst=worst)

    return noise


@lru_cache(maxsize=1024)
def shape_score(shape: Shape, n: int, epsilon: float) -> Score:
    """The debiased score of the closed form that stands for a shape."""
    return closed_score(_form(shape, n, read_alpha(epsilon=Fraction(round(epsilon, 12)))))


def as_designed(stand_in: NoiseAt, by_size: BySize, epsilon: float, working: Working) -> NoiseAt:
    """Return the noise of mechanisms that were designed at one epsilon; at others it changes as
    the stand-in's does.
    """
    known: dict[bytes, tuple[Floats, Floats]] = {}

    def designed(sizes: Integers) -> tuple[Floats, Floats]:
        key = sizes.tobytes()
        if key not in known:
            known[key] = designed_variances(by_size, sizes, working)
        return known[key]

    def noise(sizes: Integers, at: float) -> LevelNoise:
        now, changed, (own, worst) = stand_in(sizes, epsilon), stand_in(sizes, at), designed(sizes)
        return replace(
            changed,
            working=own * _ratio(changed.working, now.working),
            worst=worst * _ratio(changed.worst, now.worst),
        )

    designed(np.array(by_size.sizes, dtype=np.int64))  # what cannot be debiased is refused now
    return noise


def designed_variances(by_size: BySize, sizes: Integers, working: Working) -> tuple[Floats, Floats]:
    """The working variance and the worst of one group of each size, from its mechanism;
    `NotEstimable` for some.
    """
    return _by_size(by_size.families, sizes, working, lambda n: _of_mechanism(by_size[n], working))


def _by_size(
    found: Sequence[Family],
    sizes: Integers,
    working: Working,
    variances: Callable[[int], tuple[float, float]],
) -> tuple[Floats, Floats]:
    """Two variances for each size: of GM by its closed form, of the rest by a function that is
    called for few sizes.
    """
    inside = [(family, _within(family, sizes)) for family in found if family.kind == "geometric"]
    rest = ~np.any(
        [rows for _, rows in inside] or np.zeros((1, len(sizes)), dtype=np.bool_), axis=0
    )
    both = np.zeros((2, len(sizes)))
    for family, rows in inside:
        noise = geometric_noise(sizes[rows], family.privacy.value, working=working)
        both[:, rows] = noise.working, noise.worst
    both[:, rest] = by_knots(sizes[rest], variances)
    return both[0], both[1]


def _within(family: Family, sizes: Integers) -> NDArray[np.bool_]:
    return np.asarray(
        np.any([(low <= sizes) & (sizes <= high) for low, high in family.sizes], axis=0)
    )


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


def knots_of(present: Integers) -> Integers:
    """Some of the sizes that there are, in ascending order: all of few, or so many spread over
    log n.
    """
    if len(present) <= KNOTS:
        return present
    near = np.searchsorted(present, np.geomspace(present[0], present[-1], KNOTS))
    return distinct(present[np.clip(near, 0, len(present) - 1)])


def by_knots(
    sizes: Integers, variances: Callable[[int], tuple[float, float]]
) -> tuple[Floats, Floats]:
    """Two numbers for each size, of a function that is called for few of them; a group of nobody
    has none.
    """
    knots = knots_of(distinct(sizes[sizes > 0]))
    if not len(knots):
        return np.zeros(len(sizes)), np.zeros(len(sizes))
    found = np.array([variances(int(n)) for n in knots]).T
    at, places = np.log(np.maximum(sizes, 1)), np.log(knots)
    first, second = (np.where(sizes > 0, np.interp(at, places, values), 0.0) for values in found)
    return first, second


@lru_cache(maxsize=8192)
def _variances(shape: Shape, n: int, epsilon: float, working: Working) -> tuple[float, float]:
    return _of_form(_form(shape, n, read_alpha(epsilon=Fraction(epsilon))), working)


def _variances_or_geometric(
    shape: Shape, n: int, epsilon: float, working: Working
) -> tuple[float, float]:
    try:
        return _variances(shape, n, epsilon, working)
    except NotEstimable:
        noise = geometric_noise(np.array([n]), float(np.exp(-epsilon)), working=working)
        return float(noise.working[0]), float(noise.worst[0])


def _of_mechanism(mechanism: Mechanism, working: Working) -> tuple[float, float]:
    form = mechanism.form
    if (
        isinstance(form, Geometric | Fair | WeaklyHonest | ColumnHonest)
        and form.n
        and form.alpha < 1
    ):
        return _of_form(form, working)
    return _variances_of(count_score(mechanism), working)


def _of_form(form: Closed, working: Working) -> tuple[float, float]:
    if not isinstance(form, Geometric) and same_law(form.alpha, form.n) > SOLVED:
        raise NotEstimable(
            f"noise that reaches across more than {SOLVED:,} counts takes long to debias"
        )
    return _variances_of(closed_score(form), working)


def _variances_of(score: Score, working: Working) -> tuple[float, float]:
    """The working variance of a score, and the worst."""
    return working_variance(score, working), float(score.worst_variance)


def _families(shape: Shape, sizes: list[int], privacy: Alpha) -> tuple[Family, ...]:
    return families(sizes, privacy, shape=shape, loss="L0", prior=None, worst_case=False, gap=None)[
        0
    ]


def _form(shape: Shape, n: int, privacy: Alpha) -> Closed:
    found = _families(shape, [n], privacy)
    return FORMS[found[0].kind if found else "fair"](n, privacy.value)
