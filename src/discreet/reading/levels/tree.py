"""A hierarchy of groups: nation, regions, clinics.

A tree is arrays alone. Levels are told apart by their position, from the coarsest to the finest,
never by a value of a key. Every group below the coarsest level names its parent by its row in the
level above, so that each finest group has one path upwards; how many children a parent has may
differ. A parent's people are its children's people, so a parent without children has nobody in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import InvalidInput

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Levels = tuple[Floats, ...]
"""One number for each group of each level, the coarsest level first."""
_BLOCK = 32_768


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tree:
    """Sizes of the groups of every level, and for every level but the first the row of each
    group's parent.
    """

    sizes: tuple[Integers, ...]
    parents: tuple[Integers, ...]
    """parents[l] belongs to level l + 1 and holds rows of level l."""
    copies: Floats | None = None
    """How many groups each finest one stands for, where groups of one parent and size are one;
    else each is itself.
    """

    @property
    def depth(self) -> int:
        """How many levels."""
        return len(self.sizes)

    def sums(self, level: int, values: NDArray[Any]) -> Floats:
        """Return the sum over the children of each group of `level`, of one value (or a row of
        values) a child.
        """
        if self.copies is not None and level == self.depth - 2:
            values = values * self.copies
        return sum_by(self.parents[level], values, len(self.sizes[level]))

    def totals(self, finest: NDArray[Any]) -> tuple[NDArray[Any], ...]:
        """Return the sums of all levels, in the type of what is summed, from one number for each
        finest group.

        >>> tree = make_tree([[9], [5, 4], [2, 3, 4]], [[0, 0], [0, 0, 1]])
        >>> [level.tolist() for level in tree.totals(np.array([1, 0, 4]))]
        [[5], [1, 4], [1, 0, 4]]
        """
        found = [np.asarray(finest)]
        for level in range(self.depth - 2, -1, -1):
            found.insert(0, self.sums(level, found[0]).astype(found[0].dtype))
        return tuple(found)


def make_tree(sizes: Sequence[Any], parents: Sequence[Any]) -> Tree:
    """Check the arrays of a tree: every parent exists, and every group has as many people as its
    parts have.
    """
    if not sizes or len(parents) != len(sizes) - 1:
        raise InvalidInput(
            "parents",
            f"must be given for each of the {len(sizes)} levels but the first",
            len(parents),
        )
    people = tuple(_whole("sizes", level, number) for number, level in enumerate(sizes))
    above = tuple(_whole("parents", level, number + 1) for number, level in enumerate(parents))
    for number, level in enumerate(above):
        if len(level) != len(people[number + 1]):
            rule = (
                f"must name one parent for each of the {len(people[number + 1])} groups of level "
                f"{number + 1}"
            )
            raise InvalidInput("parents", rule, len(level))
        if len(level) and int(level.max()) >= len(people[number]):
            rule = f"must be rows of level {number}, 0..{len(people[number]) - 1}"
            raise InvalidInput("parents", rule, int(level.max()))
    tree = Tree(sizes=people, parents=above)
    for number in range(tree.depth - 1):
        wrong = np.flatnonzero(tree.sums(number, people[number + 1]) != people[number])
        if len(wrong):
            rule = (
                f"must add up: group {int(wrong[0])} of level {number} has another size than its "
                "parts together"
            )
            raise InvalidInput(
                "sizes", rule, remedy="drop rows before any grouping, so that the levels are sums"
            )
    return tree


def sum_by(index: Integers, values: NDArray[Any], groups: int) -> Floats:
    """Return the sum of the values (or rows of values) with each index.

    >>> sum_by(np.array([0, 2, 0]), np.array([1, 2, 3]), 3).tolist()
    [4.0, 0.0, 2.0]
    """
    if values.ndim == 1:
        return np.bincount(index, weights=values, minlength=groups).astype(np.float64, copy=False)
    rows = [sum_by(index, column, groups) for column in values.reshape(len(values), -1).T]
    return np.stack(rows, axis=1).reshape((groups, *values.shape[1:]))


def blocks(rows: int) -> Iterator[slice]:
    """Return slices of some ten thousand rows each, which together are all of them.

    What is computed of one block stays in the processor's cache and in memory that is used again.
    Over a million groups at once, every intermediate array would be fresh memory, and most of the
    time would go into getting it.
    """
    return (slice(start, start + _BLOCK) for start in range(0, rows, _BLOCK))


def _whole(parameter: str, values: Any, level: int) -> Integers:
    array = np.asarray(values)
    if array.size == 0:
        array = array.astype(np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        rule = f"of level {level} must be a list of whole numbers"
        raise InvalidInput(parameter, rule, f"{array.dtype}, {array.ndim}-d")
    if array.size and int(array.min()) < 0:
        raise InvalidInput(parameter, f"of level {level} must be 0 or more", int(array.min()))
    return array.astype(np.int64)


def distinct(numbers: Integers) -> Integers:
    """Return each number once, in order.

    Asked for the numbers alone, `np.unique` looks whether they are masked, and imports `numpy.ma`
    to know: a tenth of the time that an estimate takes.

    >>> distinct(np.array([8, 3, 8])).tolist()
    [3, 8]
    """
    return np.unique(numbers, return_counts=True)[0]
