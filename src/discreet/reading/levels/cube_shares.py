"""How to share epsilon among the levels of two crossing keys: `level_shares` for a cube.

The standard errors of a trial are those of the joint fit (`cube`) where the table is small enough
to be fitted for every trial. Beyond that, a margin is known from itself and from the sum of its
cells, and a cell from itself alone: at least as large as the errors of the joint fit are.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from discreet.core.rationals import Exact
from discreet.reading.levels.cube import Cube, CubeFit
from discreet.reading.levels.level_noise import LevelNoise, unreleased
from discreet.reading.levels.level_shares import PARTS, Noise, Outlook, best_shares, outlooks
from discreet.reading.levels.tree import Floats, Levels

FITTED = 20_000
"""Places for cells up to which every trial is a joint fit."""


def choose_cube_shares(
    cube: Cube,
    levels: Sequence[int],
    epsilon: float,
    *,
    noises: Sequence[Noise],
    importance: Sequence[Exact],
) -> tuple[Fraction, ...]:
    """Choose the share of each level, the cells last; `levels` are their places among total,
    rows, columns, cells.
    """

    def errors(parts: Sequence[int]) -> Floats:
        shares = [Fraction(part, PARTS) for part in parts]
        return np.array(_errors(cube, levels, epsilon, shares, noises)[0])

    return best_shares(errors, len(levels), importance)


def cube_outlook(
    cube: Cube,
    levels: Sequence[int],
    epsilon: float,
    shares: Sequence[Fraction],
    *,
    noises: Sequence[Noise],
) -> tuple[Outlook, ...]:
    """Tell the standard errors that shares will give, and what a tenth more or less for a level
    changes.
    """
    return outlooks(lambda given: _errors(cube, levels, epsilon, given, noises), shares)


def _errors(
    cube: Cube,
    levels: Sequence[int],
    epsilon: float,
    shares: Sequence[Fraction],
    noises: Sequence[Noise],
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    made: list[LevelNoise] = [unreleased(sizes) for sizes in cube.sizes]
    for place, share, noise in zip(levels, shares, noises, strict=True):
        if share:
            made[place] = noise(cube.sizes[place], epsilon * float(share))
    working, worst = [noise.working for noise in made], [noise.worst for noise in made]
    if (len(cube.sizes[1]) + 1) * (len(cube.sizes[2]) + 1) <= FITTED:
        fit = CubeFit(cube, working)
        known = fit.carried([np.where(np.isfinite(level), level, 0.0) for level in working])
        most = fit.carried(worst)
    else:
        known, most = (_apart(cube, values) for values in (working, worst))
    return _means(cube, levels, known), _means(cube, levels, most)


def _apart(cube: Cube, variances: Sequence[Floats]) -> Levels:
    """Each margin from itself and its cells; 0 stands for a level that is not released, as
    infinity does.
    """
    found = []
    for sums, own in zip(cube.totals(variances[3]), variances, strict=True):
        known = np.isfinite(own) & (own > 0)
        both = np.where(known, sums + own, 1.0)
        found.append(np.where(known, sums * np.where(known, own, 0.0) / both, sums))
    return (*found[:3], variances[3])


def _means(cube: Cube, levels: Sequence[int], variances: Levels) -> tuple[float, ...]:
    """Root mean squares over the groups that have somebody in them."""
    rows = [cube.sizes[place] > 0 for place in levels]
    return tuple(
        float(np.sqrt(variances[place][row].mean())) if row.any() else 0.0
        for place, row in zip(levels, rows, strict=True)
    )
