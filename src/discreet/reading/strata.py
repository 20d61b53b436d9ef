"""Groups split by the values of key columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from numpy.typing import NDArray

from discreet.core.rationals import read_list
from discreet.errors import InvalidInput


class Keyed(Protocol):
    """Groups with key columns."""

    def column(self, name: str) -> NDArray[Any]:
        """A key column by name."""


def column_names(columns: Sequence[Any]) -> list[Any]:
    """Names given one by one, or in lists."""
    names: list[Any] = []
    for given in columns:
        listed = None if isinstance(given, str) else read_list(given)
        names += [given] if listed is None else listed
    return names


def rows_by_key(groups: Keyed, columns: Sequence[str]) -> dict[tuple[Any, ...], list[int]]:
    """Return the rows of each stratum, {(value, ...): rows}, a tuple for one column too."""
    if not columns:
        raise InvalidInput("by", "must name at least one key column", "none")
    if strange := [name for name in columns if not isinstance(name, str)]:
        raise InvalidInput("by", "must be names of key columns", strange[0])
    if len(set(columns)) < len(columns):
        raise InvalidInput("by", "must not repeat a column", found=", ".join(columns))
    members: dict[tuple[Any, ...], list[int]] = {}
    for row, key in enumerate(zip(*(groups.column(name) for name in columns), strict=True)):
        members.setdefault(key, []).append(row)
    return members
