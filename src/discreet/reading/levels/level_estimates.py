"""Estimates of every group of every level, with standard errors and intervals, from what was
released.

The noise of an estimate is sum_k W_k e_k, with fixed weights W and independent debiased errors e.
`two_passes` gives the estimates, and carries what is known of the errors (`error_facts`) through
the same passes.

Intervals are laid around the estimate cut to what is possible, 0..n, and cut in turn; their ends
are whole numbers, because the truth is one. The estimates themselves are not cut, and add up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InvalidInput
from discreet.reading.levels.error_facts import ErrorFacts, facts_of, interval_ends
from discreet.reading.levels.level_noise import LevelNoise
from discreet.reading.levels.tree import Floats, Integers, Levels, Tree
from discreet.reading.levels.two_passes import Passes, adding_exactly, make_passes
from discreet.reading.methods.sums import FEW_GROUPS


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LevelEstimate:
    """One level's groups: unbiased values that add up, standard errors and intervals."""

    value: Floats
    standard_error: Floats
    """From the release, kept within what the mechanisms allow."""
    working_error: Floats
    worst_error: Floats
    """Of the value, where the working variances are the true ones, and at the worst true counts."""
    low: Floats
    high: Floats
    normal: NDArray[np.bool_]
    """Whose interval rests on the normal limit; the others' on the mean excess."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Spread:
    """What is known of the estimates' noise before anything is drawn."""

    working: Levels
    worst: Levels
    """Variances of the estimates: at the working variances, and at the worst true counts."""
    many: tuple[NDArray[np.bool_], ...]
    """Whether the noise is made of more than twenty terms' worth."""


def estimate_levels(
    tree: Tree,
    noises: Sequence[LevelNoise],
    outputs: Sequence[Integers | None],
    *,
    confidence: float = 0.95,
) -> tuple[LevelEstimate, ...]:
    """Estimate every group of every level; `outputs` is None for a level that was not released.

    >>> import numpy as np
    >>> from discreet.reading.levels.level_noise import geometric_noise
    >>> from discreet.reading.levels.tree import make_tree
    >>> tree = make_tree([[50], [20, 30]], [[0, 0]])
    >>> noises = [geometric_noise(size, 0.5) for size in tree.sizes]
    >>> top, parts = estimate_levels(tree, noises, [np.array([20]), np.array([11, 12])])
    >>> top.value.round(2).tolist(), parts.value.round(2).tolist()
    ([21.0], [10.0, 11.0])
    """
    if not 0 < confidence < 1:
        raise InvalidInput("confidence", "must be between 0 and 1", confidence)
    passes = make_passes(tree, [noise.working for noise in noises])
    read = [_read(tree, level, noise, outputs) for level, noise in enumerate(noises)]
    single = [facts_of(noise, scores) for noise, (_, scores) in zip(noises, read, strict=True)]
    values = adding_exactly(tree, passes.fit([values for values, _ in read]))
    working = passes.carried(
        [np.where(np.isfinite(noise.working), noise.working, 0.0) for noise in noises]
    )
    found = []
    for level, facts in enumerate(carried_facts(passes, single)):
        low, high = interval_ends(values[level], facts.margins(confidence), 0, tree.sizes[level])
        found.append(
            LevelEstimate(
                value=values[level],
                standard_error=facts.standard_error,
                working_error=np.sqrt(np.maximum(working[level], 0.0)),
                worst_error=np.sqrt(facts.worst),
                low=low,
                high=high,
                normal=facts.many,
            )
        )
    return tuple(found)


def carried_facts(passes: Passes, single: Sequence[ErrorFacts]) -> tuple[ErrorFacts, ...]:
    """Return what is known of the noise of every estimate, from what is known of each level's
    values.
    """

    def carried(name: str, power: int = 2) -> Levels:
        return _positive(passes.carried([getattr(facts, name) for facts in single], power=power))

    def largest(name: str) -> Levels:
        return passes.largest([getattr(facts, name) for facts in single])

    parts = {
        "estimated": passes.carried(
            [facts.estimated for facts in single]
        ),  # an estimate may be below 0
        **{name: carried(name) for name in ("least", "worst", "laplace")},
        "flat": carried("flat", power=4),
        **{name: largest(name) for name in ("one_worst", "one_laplace", "ratio", "skew", "step")},
    }
    return tuple(
        ErrorFacts(**{name: levels[level] for name, levels in parts.items()})
        for level in range(passes.tree.depth)
    )


def spread(passes: Passes, noises: Sequence[LevelNoise]) -> Spread:
    """Return the variances of the estimates, and which of them are made of many terms."""
    working = passes.carried(
        [np.where(np.isfinite(noise.working), noise.working, 0.0) for noise in noises]
    )
    worst = passes.carried([noise.worst for noise in noises])
    largest = passes.largest([np.sqrt(noise.worst) for noise in noises])
    many = tuple(total > FEW_GROUPS * one**2 for total, one in zip(worst, largest, strict=True))
    # sums without one part can miss 0 by rounding
    return Spread(working=_positive(working), worst=_positive(worst), many=many)


def _read(
    tree: Tree, level: int, noise: LevelNoise, outputs: Sequence[Integers | None]
) -> tuple[Floats, Floats]:
    sizes, given = tree.sizes[level], outputs[level]
    if given is None:
        if noise.released and sizes.any():
            raise InvalidInput("outputs", f"of level {level} must be given, for it has a share")
        return np.zeros(len(sizes)), np.zeros(len(sizes))
    released = np.asarray(given, dtype=np.int64)
    if released.shape != sizes.shape:
        rule = f"of level {level} must be one for each of its {len(sizes)} groups"
        raise InvalidInput("outputs", rule, len(released))
    wrong = np.flatnonzero((released < 0) | (released > sizes))
    if len(wrong):
        row = int(wrong[0])
        rule = (
            f"of level {level} must be in 0..{sizes[row]} for a group of {sizes[row]} (row "
            f"{row + 1})"
        )
        raise InvalidInput("outputs", rule, int(released[row]))
    return noise.read(released)


def _positive(levels: Levels) -> Levels:
    return tuple(np.maximum(level, 0.0) for level in levels)
