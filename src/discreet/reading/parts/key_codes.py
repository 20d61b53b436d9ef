"""Which rows of key columns are one group: whole numbers for keys, in the order in which groups
first appear.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.rationals import read_list
from discreet.errors import InvalidInput, did_you_mean
from discreet.reading.levels.tree import Integers

Keys = Mapping[str, NDArray[Any]]
"""Key columns by name, of equal length."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Codes:
    """The group of each row, and the first row of each group."""

    of_row: Integers
    first: Integers

    @property
    def groups(self) -> int:
        """How many groups."""
        return len(self.first)


def code(keys: Keys, names: Sequence[str], rows: int) -> Codes:
    """Number the groups that have one value in each of some columns; without columns all rows are
    one group.

    >>> keys = {
    ...     "a": np.array(["x", "y", "x"], dtype=object),
    ...     "b": np.array([1, None, 1], dtype=object),
    ... }
    >>> code(keys, ["a", "b"], 3).of_row.tolist()
    [0, 1, 0]
    """
    found = Codes(
        of_row=np.zeros(rows, dtype=np.int64), first=np.zeros(min(rows, 1), dtype=np.int64)
    )
    for place, name in enumerate(names):
        values = keys[name].tolist()
        numbers = {key: number for number, key in enumerate(dict.fromkeys(values))}
        column = np.fromiter(map(numbers.__getitem__, values), dtype=np.int64, count=rows)
        found = (
            _in_order(found.of_row * len(numbers) + column)
            if place
            else _numbered(column, len(numbers))
        )
    return found


def _numbered(of_row: Integers, groups: int) -> Codes:
    """Groups that are numbered in order of first appearance already."""
    first = np.empty(groups, dtype=np.int64)
    first[of_row[::-1]] = np.arange(
        len(of_row) - 1, -1, -1
    )  # the last to be written is the first row
    return Codes(of_row=of_row, first=first)


def _in_order(numbers: Integers) -> Codes:
    """Number again from 0, in order of first appearance."""
    _, first, inverse = np.unique(numbers, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return Codes(of_row=place[inverse], first=first[order].astype(np.int64))


def key_rows(keys: Keys, names: Sequence[str]) -> dict[tuple[Any, ...], int]:
    """The row of each key, over columns that tell all rows apart."""
    return {key: row for row, key in enumerate(zip(*(keys[name] for name in names), strict=True))}


def key_columns(listed: Sequence[tuple[Any, ...]], names: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Keys as columns again."""
    columns = {name: np.empty(len(listed), dtype=object) for name in names}
    for place, name in enumerate(names):
        columns[name][:] = [key[place] for key in listed]
    return columns


def chosen(keys: Keys, rows: Integers, names: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Some rows of some columns."""
    return {name: keys[name][rows] for name in names}


def read_names(given: Sequence[Any], known: Sequence[str]) -> tuple[str, ...]:
    """Read `f("region", "sex")` or `f(["region", "sex"])`: names of key columns.

    >>> read_names([["sex", "region"]], ["region", "sex", "clinic"])
    ('sex', 'region')
    """
    names: list[Any] = []
    for each in given:
        listed = None if isinstance(each, str) else read_list(each)
        names += [each] if listed is None else listed
    if strange := [name for name in names if not isinstance(name, str)]:
        raise InvalidInput("by", "must be names of key columns", strange[0])
    if len(set(names)) < len(names):
        raise InvalidInput("by", "must not repeat a column", found=", ".join(names))
    if unknown := [name for name in names if name not in known]:
        remedy = did_you_mean(unknown[0], known) if known else "this sample has no keys"
        raise InvalidInput("by", "must name a key column of the release", unknown[0], remedy=remedy)
    return tuple(names)
