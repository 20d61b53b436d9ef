"""Whole numbers that add up: every count in 0..n, every parent the sum of its children.

Top down. A coarsest group gets the whole number in 0..n nearest to its estimate. Then each parent's
number X is shared among its children as near to their estimates x as whole numbers can be:

    minimise  sum_c (X_c - x_c)^2   over whole numbers 0 <= X_c <= n_c with sum_c X_c = X.

The sum is separable and convex: giving child c its unit number k+1 changes it by 2 (k + 1/2 - x_c),
more for each further unit, so taking units in order of that gain is exact. All parents of a level
are done at once. With a threshold T, child c takes the units with k + 1/2 - x_c <= T, of which
there are floor(T + 1/2 + x_c) cut to 0..n_c. Bisection finds for each parent two thresholds less
than one half apart, one that takes too few units and one that takes enough. Between them each child
has at most one unit, and the units still to be given go to the children with the smallest k - x_c;
of equal ones the child with more people is first, then they follow the order of the children. So
the result is a function of the estimates and sizes alone.

Exact at each step, not jointly nearest: so the bounds at the bottom cannot bias the top, as they do
in one joint bounded fit. Levels that cross (a cube) may have margins that no table has; there the
finest cells share the total and are summed. This is post-processing of what was released, and costs
no privacy.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.errors import InvalidInput
from discreet.reading.levels.tree import Floats, Integers, Tree, sum_by


def adding_up(tree: Tree, values: Sequence[Floats]) -> tuple[Integers, ...]:
    """Return whole numbers that add up, from the estimates of all levels.

    >>> from discreet.reading.levels.tree import make_tree
    >>> tree = make_tree([[9], [5, 4]], [[0, 0]])
    >>> [level.tolist() for level in adding_up(tree, [np.array([7.3]), np.array([5.9, 1.4])])]
    [[7], [5, 2]]
    """
    for level, sizes in enumerate(tree.sizes):
        if np.shape(values[level]) != sizes.shape or not np.isfinite(values[level]).all():
            rule = f"of level {level} must be one finite number for each of its {len(sizes)} groups"
            raise InvalidInput("values", rule)
    found = [np.clip(np.floor(values[0] + 0.5), 0, tree.sizes[0]).astype(np.int64)]
    for level in range(1, tree.depth):
        found.append(
            share_out(found[-1], tree.parents[level - 1], values[level], tree.sizes[level])
        )
    return tuple(found)


def share_out(wholes: Integers, parents: Integers, values: Floats, sizes: Integers) -> Integers:
    """Share each parent's whole number among its children, nearest to their values, each within
    0..size.

    >>> share_out(
    ...     np.array([4, 1]),
    ...     np.array([0, 0, 1, 0]),
    ...     np.array([0.2, 3.1, 2.0, 2.2]),
    ...     np.array([5, 5, 1, 5]),
    ... ).tolist()
    [0, 2, 1, 2]
    """
    groups = len(wholes)
    # what lies beyond the bounds by more than a parent's whole range is as good as at that distance
    target = np.clip(np.asarray(values, dtype=np.float64), -_FARTHEST, _FARTHEST)

    def taken(threshold: Floats) -> Integers:
        return np.clip(np.floor(threshold[parents] + 0.5 + target), 0, sizes).astype(np.int64)

    def total(units: Integers) -> Floats:
        return sum_by(parents, units, groups)

    lowest, highest = np.full(groups, np.inf), np.full(groups, -np.inf)
    np.minimum.at(lowest, parents, -target - 0.5)  # nobody takes a unit below
    np.maximum.at(highest, parents, sizes - target)  # everybody takes all
    empty = ~np.isfinite(lowest)
    low, high = np.where(empty, 0.0, lowest - 0.25), np.where(empty, 0.0, highest)
    while (high - low).max(initial=0.0) >= 0.5:
        middle = (low + high) / 2
        enough = total(taken(middle)) >= wholes
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    found = taken(low)
    candidates = np.flatnonzero(taken(high) > found)
    missing = wholes - total(found).astype(np.int64)
    gain = found[candidates] - target[candidates]
    candidates = candidates[np.lexsort((candidates, -sizes[candidates], gain, parents[candidates]))]
    owner = parents[candidates]
    place = np.arange(len(candidates)) - np.searchsorted(owner, np.arange(groups))[owner]
    found[candidates[place < missing[owner]]] += 1
    if (total(found) != wholes).any():
        raise InvalidInput(
            "wholes", "must be at least 0 and at most the children's people together"
        )
    return found


_FARTHEST = 2.0**40
